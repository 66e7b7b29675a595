#!/bin/sh
# sanitize.sh BACKEND DIRECTORY FILE...: `make sanitize`, which lets compute-sanitizer's four tools
# look at every program in DIRECTORY, at a small size. make/sanitize.awk says what they should find.
backend=$1 directory=$PWD/$2
shift 2
if [ "$backend" != cuda ]
then
    echo 'make sanitize needs a GPU and CUDA; the checker of the CPU backend is not there yet' >&2
    exit 1
fi
sanitizer=$(command -v compute-sanitizer || echo "${NVCC%nvcc}compute-sanitizer")
if ! [ -x "$sanitizer" ]
then
    echo 'make sanitize: there is no compute-sanitizer on the PATH or beside nvcc' >&2
    exit 1
fi

scratch=$(mktemp -d) # programs that write files write them there
trap 'rm -rf "$scratch"' EXIT
awk -f make/header.awk -f make/sanitize.awk "$@" >"$scratch/todo"
cd "$scratch" || exit 1

# check PROGRAM ARGUMENTS TOOL WANTED LOG: lets a tool look at a program, and prints what came of it.
check()
{
    program=$1 arguments=$2 tool=$3 wanted=$4 log=$5
    if [ "$arguments" = small ] # one, two or three dimensions, or no size at all
    then
        case $("$directory/$program" --help 2>&1 </dev/null) in
        *'-n MxNxK'*) arguments='-n 33x17x65' ;;
        *'-n MxN'*) arguments='-n 33x17' ;;
        *'-n N'*) arguments='-n 1000' ;;
        *) arguments= ;;
        esac
    fi
    options=
    [ "$tool" != memcheck ] || options='--report-api-errors no' # some errors are the lesson
    # $options and $arguments are several words.
    # shellcheck disable=SC2086
    "$sanitizer" --tool "$tool" $options --error-exitcode 99 \
        "$directory/$program" $arguments >"$log" 2>&1 </dev/null
    status=$?
    if grep -q 'terminated before first instrumented API call' "$log"
    then
        status=none
    fi
    case $status,$wanted in
    none,*) result='ok, it makes no CUDA call' ;;
    77,*) result='skipped: it cannot run here' ;;
    99,nothing) result='FAILED: the tool found faults' ;;
    99,*) result='ok, the faults were found' ;;
    *,faults) result='FAILED: the tool should have found a fault' ;;
    0,* | *,anything) result='ok' ;;
    *) result="FAILED: exit status $status" ;;
    esac
    printf '%-10s %s %s: %s\n' "$tool" "$program" "$arguments" "$result"
    case $result in
    FAILED*) sed 's/^/    /' "$log" ;;
    esac
}

# As many at a time as there are cores, in batches, whose results are shown in order.
batch=$(nproc) count=0
show_batch()
{
    wait
    cat result.* && rm result.*
}
while IFS='	' read -r program arguments tool wanted
do
    count=$((count + 1))
    number=$(printf %03d $((count % batch)))
    check "$program" "$arguments" "$tool" "$wanted" "$scratch/log.$number" >"result.$number" &
    [ $((count % batch)) -ne 0 ] || show_batch
done <"$scratch/todo" >all
[ $((count % batch)) -eq 0 ] || show_batch >>all
cat all
failures=$(grep -c ': FAILED' all)
[ "$failures" -eq 0 ] || { echo "$failures failed" >&2; exit 1; }
