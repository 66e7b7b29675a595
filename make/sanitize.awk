# What `make sanitize` has to run, a line each: program, arguments, tool, and what the tool should
# find: "nothing", "faults" or, in a program that is wrong on purpose, "anything".
#
# A program's `Faults: memcheck (why)` names the tools that must find something in it; so does the
# tool at the end of a line of Versions: for that version, as in `oob  past the end (memcheck)`.

BEGIN { count = split("memcheck racecheck initcheck synccheck", tools) }

END {
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        if (file in extra || file ~ /\.cpp$/)
            continue
        arguments = header[file, "Sizes"] == "" ? "small" : "-n " moderate(header[file, "Sizes"])
        for (t = 1; t <= count; t++) {
            on_purpose = header[file, "Expect"] + 0 != 0 || header[file, "Faults"] != ""
            found = on_purpose ? "anything" : "nothing"
            if (index(header[file, "Faults"], tools[t]) > 0)
                found = "faults"
            print name[file] "\t" arguments "\t" tools[t] "\t" found
        }
        lines = split(header[file, "Versions"], line, "\n")
        for (j = 1; j <= lines; j++)
            if (split(line[j], word) > 1 && match(line[j], /\([a-z]+check\)$/))
                print name[file] "\t-k " word[1] "\t" substr(line[j], RSTART + 1, RLENGTH - 2) \
                      "\tfaults"
    }
}

# Of sizes such as "1 33 1000" or "1x1x1 33x17x5", the largest up to 10000, whatever the third is.
function moderate(sizes,    size, count, i, factor, elements, most, best)
{
    count = split(sizes, size)
    best = size[1]
    for (i = 1; i <= count; i++) {
        split(size[i], factor, "x")
        elements = factor[1] * (2 in factor ? factor[2] : 1)
        if (elements > most && elements <= 10000) {
            most = elements
            best = size[i]
        }
    }
    return best
}
