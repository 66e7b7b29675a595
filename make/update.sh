#!/bin/sh
# update.sh FILE COMMAND...: COMMAND's output becomes FILE, but only if it differs, so that nothing
# looks newer than it is; and by a rename, so that two makes may run at once.
set -e
file=$1
shift
mkdir -p "$(dirname "$file")"
trap 'rm -f "$file.$$"' EXIT
trap 'exit 130' HUP INT TERM # which then removes it as well
"$@" </dev/null >"$file.$$"
cmp -s "$file.$$" "$file" || mv -f "$file.$$" "$file"
