#!/bin/sh
# doctor.sh PLAN CXX NVCC, for `make doctor`: what this machine has, what make would build here, and
# what to install. It works where there is nothing at all; its status is 0 if make can build.

plan=$1 cxx=${2##* } nvcc=$3 # the compiler may stand behind another word: ccache g++

has() { command -v "$1" >/dev/null 2>&1; }
row() { printf '%-10s %s\n' "$1" "$2"; }
packages=
advice=
advise() { advice="$advice
$*"; }
need() # COMMAND PACKAGE WHAT-FOR: its version, or a package to install
{
    if has "$1"
    then
        row "$1" "$("$1" --version 2>/dev/null | sed '/[0-9]\.[0-9]/!d; s/^ *//; q')"
    else
        row "$1" "none: it is needed for $3"
        packages="$packages $2"
    fi
}
older() # A B: version A is older than B
{
    [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}

row system "$(sed -n 's/^PRETTY_NAME="\(.*\)"/\1/p' /etc/os-release 2>/dev/null), $(uname -m)"
row cores "$(nproc), $(sed -n 's/^MemTotal: *\([0-9]*\)....* kB/\1/p' /proc/meminfo) MB of memory"

need make make 'everything'
need "$cxx" "$(case $cxx in clang*) echo clang ;; *) echo g++ ;; esac)" \
    'both backends: nvcc calls it too'
need prove perl 'make test'

# ---- CUDA: the toolkit compiles, the driver runs ----

toolkit='' supports='' devices=''
[ -z "$nvcc" ] || toolkit=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9.]*\).*/\1/p')
if [ -n "$toolkit" ]
then
    row toolkit "CUDA $toolkit, $nvcc"
    older "$toolkit" 12.0 && advise "The toolkit is too old: CUDA 12.0 or later is needed."
else
    row toolkit 'none (no nvcc on the PATH, none in /usr/local/cuda)'
fi

if thrust=$(cpu/cpucc -print-thrust 2>/dev/null)
then
    row Thrust "$thrust"
else
    row Thrust "none: BACKEND=cpu leaves out the programs that use it; Debian's libthrust-dev has it"
fi

if has gnuplot
then
    row gnuplot "$(gnuplot --version)"
else
    row gnuplot "none: make figures needs it; Debian's gnuplot-nox has it"
fi

if has nvidia-smi && nvidia-smi -L 2>/dev/null | grep -q GPU
then
    driver=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader | head -n 1)
    supports=$(nvidia-smi | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p')
    row driver "$driver, for CUDA up to $supports"
    devices=$(nvidia-smi --query-gpu=index,name,compute_cap,memory.total,memory.free \
        --format=csv,noheader)
    echo "$devices" | while IFS=, read -r index name capability total free
    do
        row "device $index" "${name# }, compute capability$capability,$total of memory,$free free"
    done
    capability=$(echo "$devices" | cut -d, -f3 | tr -d ' ' | sort -V | head -n 1)
else
    row driver 'none that answers nvidia-smi'
    row device 'none: programs built with CUDA would exit with status 77'
fi

if [ -n "$devices" ] && [ -z "$toolkit" ]
then
    advise 'There is a GPU, but no toolkit: https://developer.nvidia.com/cuda-downloads'
elif [ -z "$devices" ] && has lspci && lspci | grep -qi 'nvidia'
then
    advise 'There is an NVIDIA card, but no driver: https://www.nvidia.com/drivers'
elif [ -n "$devices" ] && older "$supports" "${toolkit%%.*}.0"
then
    advise "The driver is for CUDA $supports and the toolkit is $toolkit: update the driver, or" \
        "install an older toolkit."
elif [ -n "$devices" ] && ! "$nvcc" --list-gpu-code | grep -qx "sm_$(echo "$capability" | tr -d .)"
then
    advise "CUDA $toolkit does not compile for compute capability $capability: another toolkit" \
        "does, or ARCH=all-major, whose PTX newer GPUs can run."
fi

# ---- What is built, and what would be ----

for directory in bin bin/dp
do
    for built in $(find "$directory" -maxdepth 1 -type l -exec readlink -f {} + 2>/dev/null |
        sed -n 's!.*/\(build/.*\)/[^/]*$!\1!p' | sort -u)
    do
        targets=$(grep -o 'code=[^ ]*\|-arch=[^ ]*' "$built/flags" 2>/dev/null | tr -d "'" |
            tr '\n' ' ')
        row "$directory/" "built for ${built#build/}${targets:+, $targets}"
    done
done
[ -e bin ] || row bin/ 'nothing is built yet'
row make "builds for $plan"

[ -z "$advice" ] || echo "$advice"
[ -z "$packages" ] || printf '\nTo install what is missing:\n  sudo apt-get install%s\n' "$packages"
if ! has "$cxx"
then
    printf '\nNothing can be built here yet.\n'
    exit 1
fi
