#!/bin/sh
# toolkits.sh FILE...: `make toolkits`, which tries programs with CUDA toolkits that are not
# installed here. PyPI has their parts; pip fetches them, and they are put together as a toolkit.
#
#   TOOLKITS="13.5.0 12.0.0"  which; the default is below. PyPI's cuda-toolkit has these versions
#   TOOLKITS_AT=FOLDER        where they are put, or already are: build/toolkits if not given
#   TOOLKITS_QUICK=1          less, for .ci/run: a program of each chapter, no large libraries
#
# PyPI has nvcc from CUDA 13 on. It builds each program for each of the architectures below, and
# cuobjdump has to find code for each in the program. Of CUDA 12 PyPI has all but nvcc: clang++
# reads the programs with that toolkit's headers (make/clang.sh). A toolkit that cannot be had is
# skipped, and that is no failure.

# The last toolkit, the last one of CUDA 12, and the oldest one that the suite supports.
toolkits=${TOOLKITS:-13.5.0 12.9.1 12.0.0}
at=$(realpath -m "${TOOLKITS_AT:-build/toolkits}")
if [ -n "$TOOLKITS_QUICK" ]
then
    libraries='' pass=--cuda-device-only choice=sample
    architectures=sm_120
else
    libraries=cublas,cufft,curand,cusolver,cusparse pass=--cuda-compile-host-device choice=all
    architectures='sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120'
fi
unset MAKEFLAGS MFLAGS MAKELEVEL # the make that is started here is its own master
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# ---- Fetching ----

# Parts of a toolkit, as PyPI's cuda-toolkit names them, put together in a folder.
fetch_parts() # VERSION FOLDER PART,PART...
{
    new=$2.new
    rm -rf "$new"
    if ! timeout "${TOOLKITS_PATIENCE:-600}" python3 -m pip install --quiet --retries 1 \
        --no-compile --only-binary :all: --target "$new" "cuda-toolkit[$3]==$1" \
        >"$scratch/pip-${2##*/}" 2>&1
    then
        rm -rf "$new"
        return 1
    fi
    mkdir -p "$2"
    # CUDA 13 lies in nvidia/cu13, CUDA 12 in a folder for each part.
    for part in "$new"/nvidia/*/
    do
        cp -rlf "$part". "$2" || return 1
    done
    rm -rf "$new"
}

# PyPI's first toolkits of CUDA 12 have no libcu++, which cuda_fp16.h, CUB and Thrust include.
fetch_libcuxx() # FOLDER
{
    fetch_parts 12.3.2 "$1-libcu++" cccl || return 1
    rm -rf "$1/include/cuda" "$1/include/nv"
    mv "$1-libcu++/include/cuda" "$1-libcu++/include/nv" "$1/include"
    rm -rf "$1-libcu++"
}

# A toolkit in $at/VERSION. Each file has-... says that these parts are already there.
fetch() # VERSION
{
    folder=$at/$1
    if ! [ -e "$folder/has-compiler" ]
    then
        case $1 in
        12.*)
            # clang++ includes a header of cuRAND in every program.
            fetch_parts "$1" "$folder" nvcc,cudart,cccl,nvtx,curand || return 1
            [ -e "$folder/include/nv/target" ] || fetch_libcuxx "$folder" || return 1
            ;;
        *) fetch_parts "$1" "$folder" nvcc,cudart,cccl,cuobjdump || return 1 ;;
        esac
        : >"$folder/has-compiler"
    fi
    if [ -n "$libraries" ] && ! [ -e "$folder/has-libraries" ]
    then
        fetch_parts "$1" "$folder" "$libraries" || return 1
        : >"$folder/has-libraries"
    fi
    # The linker looks for a library by its name without a version.
    for library in "$folder"/lib/lib*.so.*
    do
        ln -sf "$(basename "$library")" "${library%.so.*}.so"
    done
}

# ---- Choosing ----

# The programs to try: `FILE NAME` of all whose libraries are there, or of the first such program
# of each chapter. The names of the others go to left-out.
programs_for() # VERSION all|sample
{
    while read -r file name used
    do
        for library in $used
        do
            [ -e "$at/$1/lib/lib${library#-l}.so" ] || echo "$name" >>"$scratch/left-out"
        done
        grep -qxF -e "$name" "$scratch/left-out" || echo "$file $name"
    done <"$scratch/programs" |
        awk -v choice="$2" '{ split($1, path, "/") } choice == "all" || !seen[path[1]]++'
}

# ---- Trying ----

# make names its folder after the compiler, and so leaves alone what bin/ links to.
build_with_nvcc() # VERSION
{
    ln -sf nvcc "$at/$1/bin/nvcc-$1"
    built=build/cuda-nvcc-$1-float
    programs_for "$1" "$choice" | awk '$2 != "-" { print $2 }' >"$scratch/names"
    sed "s!^!$built/!" "$scratch/names" | xargs make --keep-going --silent -j"$(nproc)" \
        BACKEND=cuda NVCC="$at/$1/bin/nvcc-$1" ARCH="$architectures" >"$scratch/log" 2>&1 ||
        echo 'FAILED: a program cannot be built' >>"$scratch/log"
    while read -r name
    do
        look_at_code "$at/$1/bin/cuobjdump" "$built/$name"
    done <"$scratch/names" >>"$scratch/log"
    what="nvcc built $(wc -l <"$scratch/names") programs, each with code for $architectures"
}

# Says for which architectures a program has neither machine code nor PTX.
look_at_code() # CUOBJDUMP PROGRAM
{
    "$1" -lelf -lptx "$2" >"$scratch/code" 2>&1
    for architecture in $architectures
    do
        grep -q "\.${architecture}a\{0,1\}\.\(cubin\|ptx\)\$" "$scratch/code" ||
            echo "FAILED: $2 has no code for $architecture"
    done
}

# In a hurry the oldest toolkit reads all programs, because it lacks most.
read_with_clang() # VERSION
{
    case $1 in
    12.0.*) wanted=all ;;
    *) wanted=$choice ;;
    esac
    programs_for "$1" "$wanted" | cut -d' ' -f1 >"$scratch/files"
    xargs -P "$(nproc)" -n 1 sh make/clang.sh "$at/$1" "$pass" <"$scratch/files" >"$scratch/log"
    what="$clang read $(grep -c '^read ' "$scratch/log") files with its headers"
    sed -n 's/^not-read \([^ ]*\) /    not \1: /p' "$scratch/log" >"$scratch/notes"
}

try() # VERSION
{
    : >"$scratch/left-out"
    : >"$scratch/notes"
    case $1 in
    12.*) read_with_clang "$1" ;;
    *) build_with_nvcc "$1" ;;
    esac
    if grep -q '^FAILED' "$scratch/log"
    then
        grep -v '^read \|^not-read ' "$scratch/log"
        what="FAILED, as said above"
        failures=$((failures + 1))
    fi
    echo "CUDA $1: $what"
    cat "$scratch/notes"
    [ ! -s "$scratch/left-out" ] ||
        echo "    not $(sort -u "$scratch/left-out" | paste -sd ' '): their libraries are not fetched"
}

clang=${CLANG:-clang++-19}
awk -f make/header.awk -f make/toolkits.awk "$@" >"$scratch/programs"
compiler_for() # VERSION
{
    case $1 in
    12.*) echo "$clang" ;;
    *) echo g++ ;;
    esac
}

# All at once, because the mirror sends no single file at full speed.
for toolkit in $toolkits
do
    if command -v "$(compiler_for "$toolkit")" >/dev/null
    then
        fetch "$toolkit" && : >"$scratch/fetched-$toolkit" &
    fi
done
wait
for toolkit in $toolkits
do
    if ! command -v "$(compiler_for "$toolkit")" >/dev/null
    then
        echo "CUDA $toolkit: skipped, because there is no $(compiler_for "$toolkit")"
    elif ! [ -e "$scratch/fetched-$toolkit" ]
    then
        echo "CUDA $toolkit: skipped, because pip cannot fetch it:" \
            "$(cat "$scratch/pip-$toolkit"* 2>/dev/null | tail -n 1)"
    else
        try "$toolkit"
    fi
done
[ "$failures" -eq 0 ] || { echo "toolkits that failed: $failures" >&2; exit 1; }
