# Writes what the Makefile has to know of each program, as make reads it. What is wrong becomes an
# $(error), so that it is make that stops.

BEGIN {
    split(commands, words)
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
            stop(file ": " headline_of(file))
        if (program in taken)
            stop("two programs are called " program ": " taken[program] " and " file)
        if (program in command)
            stop(file ": " program " is a goal of make's own")
        taken[program] = file

        sources = file
        if (header[file, "Sources"] ~ /[^A-Za-z0-9_. -]/)
            stop(file ": Sources: has files of the same directory")
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
        set(file, program ".libs", "Libs")
        set(file, program ".uses", "Uses")
        set(file, program ".flags", "Flags")
        set(file, program ".arch", "Arch")
        if (has_precision(sources))
            print program ".precision := 1"
    }
}

# Whether the text of these files, or of what they include, is another one with USE_DP.
function has_precision(files,    words, count, j)
{
    count = split(files, words)
    for (j = 1; j <= count; j++)
        if (precision_of(words[j]))
            return 1
    return 0
}

function precision_of(file,    line, rest, included, answer)
{
    if (file in known)
        return known[file]
    known[file] = 0 # for a file that includes itself
    included = ""
    answer = 0
    while ((getline line < file) > 0) {
        if (line ~ /USE_DP/)
            answer = 1
        else if (line ~ /^[ \t]*#[ \t]*include[ \t]*"/) {
            rest = line
            sub(/^[^"]*"/, "", rest)
            sub(/".*/, "", rest)
            included = included " " dirname(file) rest
        }
    }
    close(file)
    if (!answer)
        answer = has_precision(included)
    return known[file] = answer
}

# A comment must not become a command: neither make nor the shell makes anything of these characters.
function set(file, variable, key,    value)
{
    value = header[file, key]
    if (value ~ /[^A-Za-z0-9_=.,+\/: -]/)
        stop(file ": " key ": may have letters, digits and _ = . , + / : - only")
    else if (value != "")
        print variable " := " value
}

function stop(message)
{
    print "$(error " message ")"
}
