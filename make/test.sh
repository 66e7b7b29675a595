#!/bin/sh
# For `make test`, once both precisions are built: the tests, and what took longest. The times of all
# commands stay in build/times.
if ! command -v prove >/dev/null
then
    echo "the tests are run by prove, which comes with perl: see make doctor" >&2
    exit 1
fi
SUITE_TIMES=$PWD/build/times.$$
export SUITE_TIMES
SUITE_PLACES=$(mktemp -d) || exit 1 # for runs that want the whole device, see Parallel.pm
export SUITE_PLACES
trap 'mv -f "$SUITE_TIMES" build/times; rm -rf "$SUITE_PLACES"' EXIT
: >"$SUITE_TIMES"
unset MAKEFLAGS MFLAGS MAKELEVEL # a make that a test starts is its own master

# The tests that go through all programs one by one share the programs out to all cores by
# themselves. They take longest, so they come first. Then come those that take half a minute or wait
# for long, so that no core is left with one of them at the end.
set -- programs standalone
if [ -n "$SUITE_ONLY" ] # only what tests some programs
then
    set -- "$@" usage headers readme commands index estimates
else
    set -- "$@" conformance md md-multi commands odd-kernels make cpucc lockstep readme multi common \
        usage rewrite wrong-kernels
    for test in tests/*.t
    do
        name=$(basename "$test" .t)
        case " $* " in
        *" $name "*) ;;
        *) set -- "$@" "$name" ;;
        esac
    done
fi
for name
do
    shift
    set -- "$@" "tests/$name.t"
done
prove --timer -j"$(nproc)" "$@"
status=$?

echo 'The slowest:'
sort -rn "$SUITE_TIMES" | head -5
exit $status
