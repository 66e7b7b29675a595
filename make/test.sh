#!/bin/sh
# For `make test`, once both precisions are built: the tests, and the five slowest commands.
if ! command -v prove >/dev/null
then
    echo "the tests are run by prove, which comes with perl: see make doctor" >&2
    exit 1
fi
SUITE_TIMES=$PWD/build/times.$$
export SUITE_TIMES
trap 'rm -rf "$SUITE_TIMES" "$SUITE_TURNS"' EXIT
: >"$SUITE_TIMES"
SUITE_TURNS=
if [ "$SUITE_BACKEND" = cuda ] # eight processes may use the GPU at once, see Suite.pm
then
    SUITE_TURNS=$PWD/build/turns.$$
    mkdir "$SUITE_TURNS"
    for turn in $(seq "${SUITE_AT_ONCE:-8}")
    do
        : >"$SUITE_TURNS/$turn"
    done
fi
export SUITE_TURNS
unset MAKEFLAGS MFLAGS MAKELEVEL # a make that a test starts is its own master

# The tests that go through all programs one by one share the programs out to all cores by
# themselves. They take longest, so they come first.
set -- tests/programs.t tests/standalone.t
if [ -n "$SUITE_ONLY" ] # only what tests some programs
then
    set -- "$@" tests/usage.t tests/headers.t tests/readme.t tests/commands.t tests/index.t
else
    for test in tests/*.t
    do
        case $test in
        tests/programs.t | tests/standalone.t) ;;
        *) set -- "$@" "$test" ;;
        esac
    done
fi
prove -j"$(nproc)" "$@"
status=$?

echo 'The slowest:'
sort -rn "$SUITE_TIMES" | head -5
exit $status
