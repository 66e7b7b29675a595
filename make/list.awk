# `make list`: every program in four columns, in the order of reading.

END {
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        widen("chapter", chapter_of(file))
        widen("name", name[file])
        widen("About", header[file, "About"])
    }
    format = "%-" width["chapter"] "s  %-" width["name"] "s  %-" width["About"] "s  %s\n"
    for (i = 1; i <= num_in_order; i++) {
        file = in_order[i]
        if (file in extra)
            continue
        if (header[file, "About"] == "") {
            print file ": " headline_of(file) | "cat 1>&2"
            status = 1
        } else
            printf format, chapter_of(file), name[file], header[file, "About"], header[file, "From"]
    }
    exit status
}

function widen(column, text)
{
    if (length(text) > width[column])
        width[column] = length(text)
}

function chapter_of(file)
{
    return substr(dirname(file), 1, length(dirname(file)) - 1)
}
