#!/bin/sh
# For `make test`, once both precisions are built: the tests, and the five slowest commands.
if ! command -v prove >/dev/null
then
    echo "the tests are run by prove, which comes with perl: see make doctor" >&2
    exit 1
fi
SUITE_TIMES=$PWD/build/times.$$
export SUITE_TIMES
trap 'rm -f "$SUITE_TIMES"' EXIT
: >"$SUITE_TIMES"
unset MAKEFLAGS MFLAGS MAKELEVEL # a make that a test starts is its own master

# For some programs only: the tests that go through all programs one by one.
if [ -n "$SUITE_ONLY" ]
then
    set -- tests/programs-*.t tests/usage.t tests/headers.t tests/standalone-*.t tests/readme.t
else
    set -- tests
fi
prove -j"$(nproc)" "$@"
status=$?

echo 'The slowest:'
sort -rn "$SUITE_TIMES" | head -5
exit $status
