#!/bin/sh
# dist.sh, for `make dist`: build/cuda-programs-VERSION.tar.gz, an archive of the commit, and its
# checksum. The version is the first one of CHANGELOG.md. The same commit gives the same bytes.
fail()
{
    echo "make dist: $1" >&2
    exit 1
}
version=$(sed -n 's/^## \([0-9][0-9.]*\).*/\1/p' CHANGELOG.md | head -n 1)
[ -n "$version" ] || fail 'CHANGELOG.md has no line "## VERSION"'
[ "$(git rev-parse --show-toplevel 2>/dev/null)" = "$(pwd -P)" ] ||
    fail 'an archive is made of a git commit, and this is no git checkout'
[ -z "$(git status --porcelain)" ] ||
    fail 'there are changes that are not committed: see git status'

name=cuda-programs-$version
mkdir -p build || exit 1
part=build/.$name.$$
trap 'rm -f "$part" "$part.gz"' EXIT
trap 'exit 130' HUP INT TERM
{
    git archive --prefix="$name/" -o "$part" HEAD &&
        gzip -9 -n "$part" &&
        mv "$part.gz" "build/$name.tar.gz" &&
        cd build &&
        sha256sum "$name.tar.gz" >"$name.tar.gz.sha256" &&
        cd ..
} || fail 'the archive cannot be written'
echo "build/$name.tar.gz and its checksum, of commit $(git rev-parse --short HEAD)"
