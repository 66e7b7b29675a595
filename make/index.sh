#!/bin/sh
# index.sh write FILE...: `make index`, which writes the tables of programs in every README, from the
# header comments of FILE..., and the measured figures, from the result file that the README names. It
# writes docs/map.md as well, both in Chinese, too, and docs/add1.svg. What is right is left alone.
# index.sh check FILE...: names the pages that `make index` would write anew or cannot write.
mode=$1
shift
new=$(mktemp)
trap 'rm -f "$new" "$new.filled"' EXIT
trap 'exit 130' HUP INT TERM # which then removes it as well
status=0

# Measured figures, in a README that names a file of them.
fill()
{
    ! grep -q '^<!-- results: ' "$new" || { perl bench/fill.pl "$readme" "$new" >"$new.filled" && mv "$new.filled" "$new"; }
}

read_comments() { awk -f make/header.awk "$@"; }

# PAGE MADE: $new has become PAGE if MADE is 0, the status of what has written it.
settle()
{
    if [ "$2" -ne 0 ]
    then
        status=1
        [ "$mode" = write ] || echo "$1"
    elif [ "$mode" = write ]
    then
        sh make/update.sh "$1" cat "$new" || status=1
    elif ! cmp -s "$new" "$1"
    then
        status=1
        echo "$1"
    fi
}

for directory in $(printf '%s\n' "$@" | sed 's![^/]*$!!' | sort -u) '' # the top has the chapters' order
do
    for readme in "${directory}README.md" "${directory}README.zh-CN.md"
    do
        read_comments -f make/index.awk -v readme="$readme" "$@" >"$new" && fill
        settle "$readme" $?
    done
done
for page in docs/map.md docs/map.zh-CN.md
do
    [ -d docs ] || continue # a copy of some chapters
    read_comments -f make/references.awk -f make/map.awk -v page="$page" "$@" >"$new"
    settle "$page" $?
done
if [ -e ch03_framework/add1.cu ]
then
    awk -f make/picture.awk ch03_framework/add1.cu >"$new"
    settle docs/add1.svg $?
fi
exit $status
