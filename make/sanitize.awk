# What `make sanitize` has to run, a line each: program, tool, what the tool should find, arguments.
# It should find "nothing", "faults" or, in a program that is wrong on purpose, "anything".
#
# A program's `Faults: memcheck (why)` names the tools that must find something in it; so does the
# tool at the end of a line of Versions: for that version, as in `oob  past the end (memcheck)`. Where
# only initcheck must find something, the other tools should find nothing.

BEGIN { count = split("memcheck racecheck initcheck synccheck", tools) }

END {
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        if (file in extra || file ~ /\.cpp$/)
            continue
        arguments = small_run(file)
        for (t = 1; t <= count; t++) {
            on_purpose = header[file, "Expect"] + 0 != 0 || \
                header[file, "Faults"] ~ /memcheck|racecheck|synccheck/
            found = on_purpose ? "anything" : "nothing"
            if (index(header[file, "Faults"], tools[t]) > 0)
                found = "faults"
            print name[file] "\t" tools[t] "\t" found "\t" arguments
        }
        for (j = 1; j <= num_versions[file]; j++)
            if (match(about_version[file, j], /\([a-z]+check\)$/))
                print name[file] "\t" substr(about_version[file, j], RSTART + 1, RLENGTH - 2) \
                      "\tfaults\t-k " version[file, j] quick(file)
    }
}

# The arguments of a run at a small size.
function small_run(file,    sizes, size)
{
    size = value_of(file, "-n")
    sizes = header[file, "Sizes"]
    if (sizes == "")
        sizes = size == "MxNxK" ? "33x17x65" : size == "MxN" ? "33x17" : "1000"
    return (size == "" ? "" : "-n " moderate(sizes)) quick(file) \
           (header[file, "Small"] == "" ? "" : " " header[file, "Small"])
}

# The times of a run under a tool mean nothing, so two repeats are enough.
function quick(file)
{
    return value_of(file, "-r") == "" ? "" : " -r 2"
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
