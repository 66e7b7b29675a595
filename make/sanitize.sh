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
log=$scratch/log
trap 'rm -rf "$scratch"' EXIT
awk -f make/header.awk -f make/sanitize.awk "$@" >"$scratch/todo"
cd "$scratch" || exit 1

failures=0
while IFS='	' read -r program tool wanted arguments
do
    case $tool in
    memcheck) options='--report-api-errors no' ;;           # some errors are the lesson
    initcheck) options='--kernel-name-exclude kns=nccl' ;; # NCCL's buffers are not ours
    *) options= ;;
    esac
    # $options and $arguments are several words.
    # shellcheck disable=SC2086
    timeout 300 "$sanitizer" --tool "$tool" $options --error-exitcode 99 \
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
    124,*) result='FAILED: five minutes were not enough' ;;
    *,faults) result='FAILED: the tool should have found a fault' ;;
    0,* | *,anything) result='ok' ;;
    *) result="FAILED: exit status $status" ;;
    esac
    printf '%-10s %s %s: %s\n' "$tool" "$program" "$arguments" "$result"
    case $result in
    FAILED*)
        sed 's/^/    /' "$log"
        failures=$((failures + 1))
        ;;
    esac
done <"$scratch/todo"

[ "$failures" -eq 0 ] || { echo "$failures failed" >&2; exit 1; }
