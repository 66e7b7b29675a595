#!/bin/sh
# Prints what make and the shell could not pass on in the name of this directory or of a program's
# file: a blank, a quote and their like. Letters of any language are no problem in a directory.
LC_ALL=C
export LC_ALL
odd=$(printf '%s' "$PWD" | tr -d '[:alnum:]/._+,=@^~{}\200-\377-' | tr '\n' ' ' | sed 's, ,a blank,')
if [ -n "$odd" ]
then
    printf 'make cannot work in a directory with %s in its name: %s\n' "$odd" "$PWD"
fi
for file in ch*/*.cu ch*/*.cuh ch*/*.cpp
do
    case $file in
    *'*'*) [ -e "$file" ] && printf 'a name with a star: %s\n' "$file" ;;
    *[!A-Za-z0-9_./-]*) printf 'a file name may have letters, digits, _ and - only: %s\n' "$file" ;;
    esac
done
