#!/bin/sh
# clang.sh TOOLKIT PASS FILE: lets clang++ read a program with the headers of the CUDA toolkit in a
# folder. PASS is --cuda-device-only, which reads the host's functions too, but as the device's
# compiler does, or --cuda-compile-host-device for both. Prints one line, and before it what is
# wrong: `read FILE`, `FAILED FILE`, or `not-read FILE REASON` where clang itself fails.
toolkit=$1 pass=$2 file=$3

log=$(mktemp)
trap 'rm -f "$log"' EXIT
here=$PWD
# -isystem: these headers come before others that may be in /usr/local/include.
if (cd "$(dirname "$file")" && "${CLANG:-clang++-19}" -x cuda -std=c++17 -w \
    --cuda-path="$toolkit" -isystem "$toolkit/include" "$pass" --cuda-gpu-arch=sm_75 \
    -include "$here/make/clang.h" -fsyntax-only "$(basename "$file")") >"$log" 2>&1
then
    echo "read $file"
    exit
fi

# An error in one of the toolkit's own headers that only clang finds there.
errors='^[^:]*:[0-9]*:[0-9]*:.* error: '
first=$(grep "$errors" "$log" | head -n 1)
if ! grep "$errors" "$log" | grep -qv "^$toolkit/"
then
    header=${first#"$toolkit/include/"}
    case $first in
    *'invalid % escape in inline assembly string' | *'invalid index 1 for pack '*)
        echo "not-read $file clang++ cannot read ${header%%:*}"
        exit
        ;;
    esac
fi
cat "$log"
echo "FAILED $file"
