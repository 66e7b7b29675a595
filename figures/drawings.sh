#!/bin/sh
# drawings.sh DIRECTORY COMPILER..., for `make drawings`: compiles draw.cu with the kernels that it
# names, which are copied out of the chapters' programs, and writes the drawings to DIRECTORY.
set -e
to=$1
shift
if ! [ -d "$to" ] || ! [ -w "$to" ]
then
    echo "make drawings: cannot write into $to" >&2
    exit 1
fi
mkdir -p build
work=$(mktemp -d build/drawings.XXXXXX)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$work/from"
sed -n 's|^// from \([^:]*\): |\1 |p' figures/draw.cu >"$work/list"
while read -r source names
do
    awk -v names="$names" -f figures/definitions.awk "$source" \
        >>"$work/from/$(basename "$source" .cu).cuh"
done <"$work/list"
"$@" -O1 -Wall -Wextra "-I$work" -o "$work/draw" figures/draw.cu
# shellcheck disable=SC2086 # the runner's words, if the compiler is one for another processor
$RUNNER "$work/draw" "$to"
