#!/bin/sh
# index.sh write FILE...: `make index`, which writes the tables of programs in every README, from the
# header comments of FILE..., and the measured figures, from the result file that the README names. A
# README that is right is left alone.
# index.sh check FILE...: names the READMEs that `make index` would write anew or cannot write.
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

for directory in $(printf '%s\n' "$@" | sed 's![^/]*$!!' | sort -u) '' # the top has the chapters' order
do
    for readme in "${directory}README.md" "${directory}README.zh-CN.md"
    do
        if ! awk -f make/header.awk -f make/index.awk -v readme="$readme" "$@" >"$new" || ! fill
        then
            status=1
            [ "$mode" = write ] || echo "$readme"
        elif [ "$mode" = write ]
        then
            sh make/update.sh "$readme" cat "$new" || status=1
        elif ! cmp -s "$new" "$readme"
        then
            status=1
            echo "$readme"
        fi
    done
done
exit $status
