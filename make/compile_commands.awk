# Writes compile_commands.json, by which clangd, and an editor with it, understands the programs: as
# clang's own CUDA, host side. Where make builds with CUDA, `toolkit` is where its headers are;
# otherwise the CPU backend's serve, prepared for clang by make/clangd.h.

BEGIN {
    cuda = "-x cuda --cuda-host-only -D__noinline__=__attribute__((noinline)) "
    cuda = cuda (toolkit != "" ? "--cuda-path=" toolkit \
                               : "-nocudainc -nocudalib -I cpu/include -include make/clangd.h")
}

END {
    print "["
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        command = "clang++ -std=c++17 -Wall -Wextra -Wno-missing-field-initializers "
        if (file ~ /\.cuh?$/)
            command = command cuda " "
        if (file ~ /\.c$/)
            command = "clang -std=gnu11 -Wall -Wextra -I cpu/include "
        command = command file
        gsub(/[^ ]+/, "\"&\"", command)
        gsub(/ /, ", ", command)
        printf "  {\"directory\": \"%s\", \"file\": \"%s\",\n   \"arguments\": [%s]}%s\n", \
               directory, file, command, i + 1 < ARGC ? "," : ""
    }
    print "]"
}
