#!/bin/sh
# What a GPU prints for each program here:   sh tests/conformance/record.sh DIR [nvcc's flags]
#
# Compiles each with nvcc, runs it and writes DIR/NAME.txt; ends with a table of names and statuses.
# DIR = tests/conformance/expected makes the goldens of tests/conformance.t.
set -u
[ $# -gt 0 ] || { sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1" || exit 1
output=$(cd "$1" && pwd)
shift
cd "$(dirname "$0")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Compiles and runs one program of the files given; what fails leaves no golden.
record()
{
    name=$1
    shift
    libraries=$(sed -n 's|^// Libs: ||p' "$@")
    # shellcheck disable=SC2086 # the flags and the libraries are words
    if ! "${NVCC:-nvcc}" -arch=native $flags -o "$scratch/$name" "$@" $libraries >&2; then
        status='does not compile'
    else
        timeout 60 "$scratch/$name" >"$scratch/$name.txt" 2>"$scratch/$name.err"
        status=$?
        sed "s/^/$name: /" "$scratch/$name.err" >&2
        if [ $status = 0 ]; then
            mv "$scratch/$name.txt" "$output"
        else
            grep -v ': ok$' "$scratch/$name.txt" | sed "s/^/$name: /" >&2
        fi
    fi
    [ "$status" = 0 ] || failed=1
    printf '%-16s %s\n' "$name" "$status" >>"$scratch/table"
}

flags=$* failed=0
for source in *.cu; do
    case $source in
    *_a.cu) record "${source%_a.cu}" "${source%_a.cu}"_[a-z].cu ;;
    *_[b-z].cu) ;; # with its _a
    *) record "${source%.cu}" "$source" ;;
    esac
done
cat "$scratch/table"
exit $failed
