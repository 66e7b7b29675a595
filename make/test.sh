#!/bin/sh
# For `make test`, once both precisions are built: the tests, and what took longest. The times of all
# commands stay in build/times.
if ! command -v prove >/dev/null
then
    echo "the tests are run by prove, which comes with perl: see make doctor" >&2
    exit 1
fi
TEST_TIMES=$PWD/build/times.$$
export TEST_TIMES
SUITE_PLACES=$(mktemp -d) || exit 1 # for runs that want the whole device, see Parallel.pm
export SUITE_PLACES
trap 'mv -f "$TEST_TIMES" build/times; rm -rf "$SUITE_PLACES"' EXIT
: >"$TEST_TIMES"
unset MAKEFLAGS MFLAGS MAKELEVEL # a make that a test starts is its own master

# The tests that go through all programs one by one share the programs out to all cores by
# themselves. They take longest, so they come first. Then come those that take half a minute or wait
# for long, so that no core is left with one of them at the end.
set -- programs standalone
if [ -n "$SUITE_ONLY" ] # only what tests some programs
then
    set -- "$@" usage headers readme commands index estimates
else
    set -- "$@" undefined conformance md md-multi commands faults make cpucc lockstep readme multi common \
        usage rewrite
    others=$(cd tests && echo *.t)
    # A GPU does what CUDA does; the other tests of the CPU backend are not about it.
    if [ "$SUITE_BACKEND" = cuda ]
    then
        export TEST_BY=nvcc
    else
        others="$others $(cd cpu/tests && echo *.t)"
    fi
    for test in $others
    do
        name=${test%.t}
        case " $* " in
        *" $name "*) ;;
        *) set -- "$@" "$name" ;;
        esac
    done
fi
for name
do
    shift
    if [ -e "tests/$name.t" ]
    then
        set -- "$@" "tests/$name.t"
    elif [ -e "cpu/tests/$name.t" ]
    then
        [ "$SUITE_BACKEND" = cuda ] && [ "$name" != conformance ] || set -- "$@" "cpu/tests/$name.t"
    fi
done
prove --timer -j"$(nproc)" "$@"
status=$?

echo 'The slowest:'
sort -rn "$TEST_TIMES" | head -5
exit $status
