# Reads the comment at the top of every file named on the command line, for the other scripts here:
#
#   name[FILE]           what the file is called, without directory and suffix
#   header[FILE, "From"] the value after `// From:`, its lines joined by spaces (those of
#                        "Versions" by newlines); "About" is the first sentence
#   extra[FILE]          true if another file's Sources: names it: part of a program, not one itself
#
# Plain awk, as mawk has it too. The scripts go through ARGV, not through name[]: an empty file
# never comes by here.

FNR == 1 {
    file = FILENAME
    name[file] = basename(file)
    sub(/\.[^.]*$/, "", name[file])
    key = ""
    opening = "// " name[file] ": "
    if (index($0, opening) != 1)
        nextfile # has no header: no About
    key = "About"
    header[file, key] = substr($0, length(opening) + 1)
    next
}

!/^\/\// || (/^\/\/$/ && key != "About") { nextfile } # code, or an explanation: nothing for us

/^\/\/$/ { key = "Keys"; next } # the sentence ends, the keys begin

key != "About" && match($0, /^\/\/ [A-Z][a-z]+:/) {
    key = substr($0, 4, RLENGTH - 4)
    $0 = "//" substr($0, RLENGTH + 1)
}

{
    sub(/^\/\/ */, "")
    separator = key == "Versions" ? "\n" : header[file, key] == "" ? "" : " "
    header[file, key] = header[file, key] separator $0
    if (key == "Sources")
        for (i = 1; i <= NF; i++)
            extra[dirname(file) $i]
}

function basename(path)
{
    sub(/.*\//, "", path)
    return path
}

function dirname(path)
{
    sub(/[^\/]*$/, "", path)
    return path
}
