# Writes what the Makefile has to know of each program, as make reads it. What is wrong becomes an
# $(error), so that it is make that stops.

BEGIN {
    split("all list find help doctor index test mutants bench-cpu bench figures sanitize clean", words)
    for (i in words)
        command[words[i]]
}

END {
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        if (file in extra)
            continue
        program = name[file]
        if (header[file, "About"] == "")
            stop(file ": its first line must be `// " substr(basename(file), 1, \
                 index(basename(file), ".") - 1) ": what it shows`")
        if (program in taken)
            stop("two programs are called " program ": " taken[program] " and " file)
        if (program in command)
            stop(file ": " program " is a goal of make's own")
        taken[program] = file

        sources = file
        count = split(header[file, "Sources"], words)
        for (j = 1; j <= count; j++)
            sources = sources " " dirname(file) words[j]
        chapter = dirname(file)
        sub("/$", "", chapter)
        number = chapter
        sub(/_.*/, "", number)
        print "PROGRAMS += " program
        print program ".in := " chapter " " number
        print program ".src := " sources
        set(program ".libs", header[file, "Libs"])
        set(program ".uses", header[file, "Uses"])
        set(program ".flags", header[file, "Flags"])
        set(program ".arch", header[file, "Arch"])
    }
}

function set(variable, value)
{
    if (value != "")
        print variable " := " value
}

function stop(message)
{
    print "$(error " message ")"
}
