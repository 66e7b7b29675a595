#!/bin/sh
# roots.sh, for `make roots`: a stranger's first minutes on a fresh system. debootstrap unpacks each
# system into a folder of its own. In there an ordinary user types what README.md says: the sh blocks
# down to the end of its section Install, then `make test`.
#
#   ROOTS="debian-13"        which; without it all three. Ubuntu needs its keyring on this machine
#   DEBIAN_MIRROR, UBUNTU_MIRROR   where their packages come from. Debian's have a default
#   ONLY="ch02 hello4"       make test ONLY="ch02 hello4" instead of all tests
#   ROOTS_AT=FOLDER          where the systems are put, or already are: build/roots if not given
#
# A system that cannot be fetched is skipped, and that is no failure. It must run as root.

fail()
{
    echo "make roots: $1" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || fail 'debootstrap and chroot need root: try sudo make roots'
PATH=$PATH:/usr/sbin:/sbin
command -v debootstrap >/dev/null || fail 'debootstrap is missing: apt-get install debootstrap'
at=$(realpath -m "${ROOTS_AT:-build/roots}")
mkdir -p "$at" || exit 1
failures=0

# Unpacks a system that is not there yet. What it says goes to a log.
fetch() # SYSTEM
{
    root=$at/$1
    [ ! -e "$root/.fetched" ] || return 0
    case $1 in
    debian-12) set -- bookworm "$root" "$DEBIAN_MIRROR" ;;
    debian-13) set -- trixie "$root" "$DEBIAN_MIRROR" ;;
    # An older debootstrap does not know noble, but every one knows gutsy, which unpacks the same way.
    ubuntu-24.04)
        set -- --keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg --components=main,universe \
            noble "$root" "$UBUNTU_MIRROR" gutsy
        [ -e "${1#*=}" ] || { echo "there is no ${1#*=}" >"$root.log" && return 1; }
        [ -n "$UBUNTU_MIRROR" ] || { echo 'UBUNTU_MIRROR is not given' >"$root.log" && return 1; }
        ;;
    *) fail "there is no system $1: debian-12, debian-13 and ubuntu-24.04 are known" ;;
    esac
    rm -rf "$root"
    debootstrap --variant=minbase "$@" >"$root.log" 2>&1 && : >"$root/.fetched"
}

# The commands of README.md that a newcomer types first.
commands_of_readme()
{
    awk '/^## / { if (installed) exit; installed = /^## Install/ }
         /^```/ { inside = /^```sh/; next }
         inside' README.md
}

# Runs $1 in the system. All that is mounted for it goes with the process.
in_root() # COMMAND...
{
    # shellcheck disable=SC2016 # the inner shell reads its own arguments
    unshare --mount sh -ec 'mount -t tmpfs -o mode=1777 none "$1/dev/shm"
        mount -t proc proc "$1/proc"; shift; exec "$@"' sh "$root" chroot "$root" "$@" </dev/null
}

try() # SYSTEM
{
    root=$at/$1
    # What a reader answers at a prompt, and the sudo that a small system lacks.
    mkdir -p "$root/usr/local/bin"
    echo 'APT::Get::Assume-Yes "true";' >"$root/etc/apt/apt.conf.d/yes"
    printf '#!/bin/sh\nexec "$@"\n' >"$root/usr/local/bin/sudo"
    chmod 755 "$root/usr/local/bin/sudo"
    cp /etc/resolv.conf "$root/etc/" 2>/dev/null
    id=1000
    grep -q '^reader:' "$root/etc/passwd" || in_root useradd --create-home --uid $id reader || return 1

    suite=$root/home/reader/suite
    rm -rf "$suite"
    mkdir "$suite" && tar -c --exclude=./build --exclude=./bin --exclude=./.git . | tar -x -C "$suite" || return 1
    {
        echo 'set -ex; cd ~/suite'
        commands_of_readme
        echo "make test ONLY='$ONLY'" # without names it is all tests
    } >"$root/home/reader/commands"
    chown -R $id "$root/home/reader"
    grep '^sudo ' "$root/home/reader/commands" >"$root/root/install"
    in_root env DEBIAN_FRONTEND=noninteractive sh -ex /root/install &&
        in_root su -l reader -c 'export LANG=C.UTF-8; sed -i /^sudo/d commands; sh commands'
}

[ -n "$(commands_of_readme)" ] || fail 'README.md has no sh block before the end of Install'
unset MAKEFLAGS MFLAGS MAKELEVEL # the make that is started in there is its own master
for system in ${ROOTS:-debian-12 debian-13 ubuntu-24.04}
do
    if ! fetch "$system"
    then
        echo "$system: skipped, as it cannot be fetched: $(tail -n 1 "$at/$system.log")"
        continue
    fi
    start=$(date +%s)
    if try "$system" >"$at/$system.log" 2>&1
    then
        echo "$system: set up, built and tested in $(($(date +%s) - start)) s"
    else
        failures=$((failures + 1))
        echo "$system: FAILED; $at/$system.log ends with"
        tail -n 15 "$at/$system.log" | sed 's/^/    /'
    fi
done
[ "$failures" = 0 ]
