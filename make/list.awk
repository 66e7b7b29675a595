# `make list`: every program in four columns.

END {
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        chapter[i] = substr(dirname(file), 1, length(dirname(file)) - 1)
        widen("chapter", chapter[i])
        widen("name", name[file])
        widen("About", header[file, "About"])
    }
    format = "%-" width["chapter"] "s  %-" width["name"] "s  %-" width["About"] "s  %s\n"
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        if (file in extra)
            continue
        if (header[file, "About"] == "") {
            print file ": " headline_of(file) | "cat 1>&2"
            status = 1
        } else
            printf format, chapter[i], name[file], header[file, "About"], header[file, "From"]
    }
    exit status
}

function widen(column, text)
{
    if (length(text) > width[column])
        width[column] = length(text)
}
