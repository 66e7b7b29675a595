# Reads the comment at the top of every file named on the command line, for the other scripts here.
# The tests read what headers.awk prints. No other code reads these comments.
#
#   name[FILE]              what the file is called, without directory and suffix
#   header[FILE, KEY]       the value after `// KEY:`, its lines joined; KEY "About" is the sentence
#   given[FILE, KEY]        true if the comment has that key
#   extra[FILE]             true if another file's Sources: names it: it is part of a program
#   num_versions[FILE]      its tables of versions have these many rows: ...
#   version[FILE, i]        ... the name, ...
#   about_version[FILE, i]  ... the sentence, ...
#   version_needs[FILE, i]  ... and what it cannot run without: "a GPU", or ""
#   num_options[FILE]       Options: has these many options: ...
#   option[FILE, i]         ... "-n" or "--radius", ...
#   option_value[FILE, i]   ... and the word for its value: "MxN", "N", "FILE"; "" for a flag
#   positional[FILE]        what Options: has without a dash: "N", "FILE", or names as in "NX NE"
#   in_order[i]             the files again, in the order of reading
#   num_problems[FILE], problem[FILE, i]   what is wrong with the comment, in words
#
# The versions stand in the program's arrays `const Version<Data> VERSIONS[] = {...};`, one row each.
# A program whose -k chooses otherwise lists them in its comment, under Versions:.
#
# This is plain awk, which mawk and gawk both run. The scripts go through ARGV and not through
# name[], because awk never reads a line of an empty file.

BEGIN {
    list = "From Order Compile Run Versions Options Chinese Libs Uses Sources Flags Arch Expect Needs Faults"
    count = split(list " Checks Sizes Also Small", known_keys)
    for (i = 1; i <= count; i++)
        is_key[known_keys[i]] = 1

    # The options of common/args.cuh, and what their values may be called.
    words_for["-n"] = " N MxN MxNxK "
    words_for["-b"] = " B BXxBY "
    words_for["-r"] = " R "
    words_for["-s"] = " S "
    words_for["-k"] = " NAME "
    words_for["-o"] = " PREFIX "
    words_for["--book"] = words_for["--csv"] = ""
}

FNR == 1 {
    file = FILENAME
    begin_file(file)
    if (!match($0, /^\/\/ [^ \t:]+: [^ ]/)) {
        complain(file, "does not begin with \"// NAME: what it shows\"")
        nextfile
    }
    said = substr($0, 4, RLENGTH - 6)
    if (said != name[file])
        complain(file, "is " name[file] " by its file name, " said " by its comment")
    else
        header[file, "About"] = substr($0, RLENGTH)
    part = "sentence"
    next
}

!/^\/\// { part = "code" }

part == "code" {
    if (/^const Version<.*> [A-Za-z_0-9]+\[\] = \{/)
        table = "\n"
    else if (table != "" && /^\};/) {
        read_table(file, table)
        table = ""
    } else if (table != "")
        table = table $0 "\n"
    next
}

part == "explanation" { next }

/^\/\/$/ {
    if (part == "keys") {
        part = "explanation" # for readers only
        next
    }
    part = "keys"
    key = ""
    next
}

part == "sentence" {
    sub(/^\/\/ */, "")
    if ((file, "About") in header)
        header[file, "About"] = joined(header[file, "About"], $0)
    next
}

match($0, /^\/\/ [A-Z][A-Za-z0-9_]*:/) {
    key = substr($0, 4, RLENGTH - 4)
    text = substr($0, RLENGTH + 1)
    column = RLENGTH + 1 + blanks_before(text)
    sub(/^ */, "", text)
    if (!(key in is_key))
        complain(file, "unknown key " key)
    if ((file, key) in given)
        complain(file, key " stands twice")
    if (text != "" && column != 13)
        complain(file, "the value of " key " does not start in column 13")
    header[file, key] = text
    given[file, key] = 1
    next
}

key == "Versions" && /^\/\/   [^ ]/ {
    if (NF > 2 && $0 !~ /^\/\/   [^ ]+  +[^ ]/)
        complain(file, "cannot read the line " $0)
    version[file, ++num_versions[file]] = $2
    sub(/^\/\/ +[^ ]+ */, "")
    note_version(file, $0)
    next
}

key == "Versions" && /^\/\/    +[^ ]/ && num_versions[file] > 0 {
    sub(/^\/\/ */, "")
    note_version(file, joined(about_version[file, num_versions[file]], $0))
    next
}

key != "" && key != "Versions" && /^\/\/   +[^ ]/ {
    sub(/^\/\/ */, "")
    header[file, key] = joined(header[file, key], $0)
    next
}

{ complain(file, "cannot read the line " $0) }

# ---- When all files are read ----

END {
    for (i = 1; i < ARGC; i++)
        end_file(ARGV[i])
    order_files()
}

function end_file(file,    count, words, i)
{
    if (!(file in name)) {
        begin_file(file)
        complain(file, "is empty")
    }
    count = split(header[file, "Sources"], words)
    for (i = 1; i <= count; i++)
        extra[dirname(file) words[i]] = 1
    read_options(file)
    check_values(file)
}

# The rows of an array: the strings of each, on its own level of brackets. The first is the name, the
# second the sentence, and one after the functions is what the version needs. Strings that follow
# each other are one.
function read_table(file, text,    i, c, depth, string, strings, in_string, goes_on)
{
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        if (in_string) {
            if (c == "\"")
                in_string = 0
            else if (depth == 1)
                string[strings] = string[strings] (c == "\\" ? substr(text, ++i, 1) : c)
            else
                i += c == "\\"
        } else if (c == "\"") {
            in_string = 1
            if (depth == 1 && !goes_on)
                string[++strings] = ""
            goes_on = depth == 1
        } else if (c == "/" && substr(text, i, 2) == "//") {
            while (substr(text, i + 1, 1) != "\n")
                i++
        } else if (c ~ /[[({]/) {
            if (++depth == 1)
                strings = goes_on = 0
        } else if (c ~ /[])}]/) {
            if (--depth == 0) {
                version[file, ++num_versions[file]] = string[1]
                about_version[file, num_versions[file]] = string[2]
                version_needs[file, num_versions[file]] = needs_of_row(strings > 2 ? string[strings] : "")
                if (strings < 2)
                    complain(file, "cannot read the row of version " string[1])
            }
        } else if (c ~ /[^ \n]/)
            goes_on = 0
    }
}

# Only what the machine lacks counts: a version that a size cannot have is skipped at that size.
function needs_of_row(text)
{
    if (text ~ /^a GPU/ && text !~ /sm_|lib/)
        return "a GPU"
    return text ~ /a GPU|sm_|lib/ ? text : ""
}

function check_values(file,    count, words, i)
{
    count = split("From Compile Run", words)
    for (i = 1; i <= count; i++)
        if (header[file, words[i]] == "")
            complain(file, "has no " words[i] ":")
    if (header[file, "About"] ~ /\.$/)
        complain(file, "its sentence ends with a full stop")
    if (header[file, "Chinese"] ~ /(\.|。)$/)
        complain(file, "its Chinese sentence ends with a full stop")
    if ((file, "Order") in given && header[file, "Order"] !~ /^(last|after [a-z0-9-]+)$/)
        complain(file, "Order: is neither last nor after NAME")
    if ((file, "Expect") in given && header[file, "Expect"] !~ /^[0-9]+( |$)/)
        complain(file, "Expect: is no exit status")
    if ((file, "Needs") in given && header[file, "Needs"] !~ /^GPU, because [^ ]/)
        complain(file, "Needs: does not read \"GPU, because ...\"")
    if ((file, "Checks") in given && header[file, "Checks"] !~ /^[0-9]+( |$)/)
        complain(file, "Checks: does not begin with a number")
    if ((file, "Options") in given && header[file, "Options"] == "")
        complain(file, "Options: is empty (where there is no option but -h, it is -h)")
}

# "-n MxN --radius N --wrong [FILE]": two options with a value, a flag, and files. A word in capitals
# after a program's own option is that option's value. So a positional N or FILE stands in brackets,
# [N], after a flag. Numbers with names of their own always do: [NX] [NE].
function read_options(file,    count, words, i, word, value, taken)
{
    count = split(header[file, "Options"], words)
    for (i = 1; i <= count; i++) {
        word = words[i]
        if (word ~ /^\[?(N|FILE)\]?$/) {
            gsub(/[][]/, "", word)
            if (positional[file] != "")
                complain(file, "Options: has " positional[file] " and " word)
            positional[file] = word
        } else if (word ~ /^\[[A-Z]+\]$/) {
            gsub(/[][]/, "", word)
            positional[file] = joined(positional[file], word)
        } else if (word ~ /^(-[a-z]|--[a-z][a-z0-9-]*)$/) {
            if (word in taken)
                complain(file, "Options: has " word " twice")
            taken[word] = 1
            if (word == "-h")
                continue
            value = words[i + 1]
            if (word in words_for)
                value = index(words_for[word], " " value " ") > 0 ? value : ""
            else if (value !~ /^[A-Z]+(x[A-Z])*$/ || word ~ /^-[a-z]$/)
                value = ""
            if (value == "" && (word ~ /^-[a-z]$/ || words_for[word] != ""))
                complain(file, "Options: " word (words_for[word] == "" ? " is no option of args.cuh" : \
                         " is not followed by one of:" words_for[word]))
            option[file, ++num_options[file]] = word
            option_value[file, num_options[file]] = value
            i += value != ""
        } else if (word !~ /^\.\.\.\]?$/)
            complain(file, "Options: cannot read " word)
    }
}

# A line of Versions: may end with what the version needs: `one  the first (needs a GPU)`.
function note_version(file, text)
{
    about_version[file, num_versions[file]] = text
    version_needs[file, num_versions[file]] = \
        match(text, /\(needs .*\)$/) ? substr(text, RSTART + 7, RLENGTH - 8) : ""
}

# The value's word of an option: "MxN" for -n; "" if it is a flag, or not there.
function value_of(file, wanted,    i)
{
    for (i = 1; i <= num_options[file]; i++)
        if (option[file, i] == wanted)
            return option_value[file, i]
    return ""
}

function begin_file(file)
{
    name[file] = basename(file)
    sub(/\.[^.]*$/, "", name[file])
    key = ""
    num_versions[file] = num_options[file] = num_problems[file] = 0
    positional[file] = table = ""
}

function complain(file, text)
{
    gsub(/\t/, " ", text)
    problem[file, ++num_problems[file]] = text
}

# What a file without a header comment is told.
function headline_of(file)
{
    return "its first line must be `// " name[file] ": what it shows`"
}

function blanks_before(text)
{
    match(text, /^ */)
    return RLENGTH
}

# A line and the one that goes on with it. Chinese has no blanks between its words.
function joined(line, more)
{
    if (line == "" || (substr(line, length(line)) !~ /[ -~]/ && substr(more, 1, 1) !~ /[ -~]/))
        return line more
    return line " " more
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

# ---- The order of reading ----

# in_order[1 ... num_in_order]: the files, those of each chapter in the order in which a reader wants
# them: by the first section of the chapter that From: names, then by the first listing. Programs
# that From: gives no section of the chapter, or calls beyond the book, come after these.
# `Order: last` and `Order: after NAME` make exceptions.
function order_files(    i, j, file, moved)
{
    num_in_order = 0
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        place_in_book[file] = dirname(file) " " (header[file, "Order"] == "last" ? "~~" : place_of(file))
        for (j = ++num_in_order; j > 1 && place_in_book[in_order[j - 1]] > place_in_book[file]; j--)
            in_order[j] = in_order[j - 1]
        in_order[j] = file
    }
    for (i = 1; i < ARGC; i++)
        if (header[ARGV[i], "Order"] ~ /^after /)
            move_after(ARGV[i], substr(header[ARGV[i], "Order"], 7))
}

function move_after(file, other,    i, count, list)
{
    count = 0
    for (i = 1; i <= num_in_order; i++) {
        if (in_order[i] != file)
            list[++count] = in_order[i]
        if (name[in_order[i]] == other && dirname(in_order[i]) == dirname(file))
            list[++count] = file
    }
    if (count == num_in_order)
        for (i = 1; i <= count; i++)
            in_order[i] = list[i]
    else
        complain(file, "Order: there is no " other " in its chapter")
}

# "09.01.02 09.03" for sections 9.1.2 and later, and Listing 9.3; "~" sorts after all digits.
function place_of(file,    chapter, text, words, count, i, kind, place, section, listing)
{
    chapter = substr(file, 3) + 0
    section = listing = "~"
    text = header[file, "From"]
    count = split(text, words, /[ ,]+/)
    for (i = 1; i <= count; i++) {
        if (words[i] ~ /^[A-Za-z]/ && words[i] !~ /^(and|to)$/)
            kind = tolower(words[i])
        if (kind ~ /^(section|listing)s?$/ && words[i] ~ /^[0-9]+\.[0-9]/ && words[i] + 0 >= chapter) {
            place = padded(words[i])
            if (kind ~ /^s/ && place < section)
                section = place
            if (kind ~ /^l/ && place < listing)
                listing = place
        }
    }
    return (text ~ /beyond the book/ ? "~" : section) " " listing " " name[file]
}

# 9.1.2 becomes 09.01.02
function padded(number,    parts, count, i, text)
{
    sub(/[^0-9.].*/, "", number)
    count = split(number, parts, /\./)
    for (i = 1; i <= count; i++)
        text = text (i > 1 ? "." : "") sprintf("%02d", parts[i])
    return text
}
