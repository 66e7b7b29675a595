# Writes compile_commands.json, by which clangd (and editors with it) understand the programs.
# It parses them as clang's CUDA, host side: with the toolkit's headers where there is a toolkit,
# otherwise with those of the CPU backend.

BEGIN {
    cuda = "-x cuda --cuda-host-only --cuda-path=" toolkit
    if (toolkit == "")
        cuda = "-x cuda --cuda-host-only -nocudainc -nocudalib -I cpu/include -include cuda_runtime.h"
}

END {
    print "["
    for (i = 1; i < ARGC; i++) {
        command = "clang++ " (ARGV[i] ~ /\.cpp$/ ? "" : cuda " ") "-std=c++17 -Wall -Wextra " ARGV[i]
        gsub(/[^ ]+/, "\"&\"", command)
        gsub(/ /, ", ", command)
        printf "  {\"directory\": \"%s\", \"file\": \"%s\", \"arguments\": [%s]}%s\n", \
               directory, ARGV[i], command, i + 1 < ARGC ? "," : ""
    }
    print "]"
}
