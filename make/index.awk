# Prints the README `readme` with its tables of programs written anew: what stands between the lines
# <!-- programs --> and <!-- /programs -->. A chapter's README has a table of its own programs. The
# README at the top has a table for each chapter. In a README.zh-CN.md the sentences come from
# Chinese:. The order of a chapter's programs is that of its README.md, where an author may change
# it. A program that is not there yet comes last.

END {
    chapter = dirname(readme)
    is_chinese = readme ~ /\.zh-CN\.md$/
    while ((status = (getline line < readme)) > 0)
        lines[++num_lines] = line
    close(readme)
    for (n = 1; n <= num_lines; n++) {
        line = lines[n]
        if (line == "<!-- /programs -->") {
            if (!inside)
                stop("has <!-- /programs --> without <!-- programs --> before it")
            inside = 0
        }
        if (!inside)
            print line
        if (line == "<!-- programs -->") {
            if (++blocks > 1)
                stop("has <!-- programs --> twice")
            inside = 1
            if (chapter == "")
                print_chapters()
            else
                print_table(chapter)
        }
    }
    if (status < 0)
        stop("is not there")
    if (!blocks || inside)
        stop("has no lines <!-- programs --> and <!-- /programs -->")
}

function stop(message)
{
    print readme " " message | "cat 1>&2"
    close("cat 1>&2")
    exit 1
}

function print_chapters(    i, directory, last)
{
    for (i = 1; i < ARGC; i++) {
        directory = dirname(ARGV[i])
        if (directory != last) {
            print (last == "" ? "" : "\n") "**[" substr(directory, 1, length(directory) - 1) "](" \
                  directory basename(readme) ")**\n"
            print_table(directory)
        }
        last = directory
    }
}

function print_table(directory,    i, file)
{
    print is_chinese ? "| 程序 | 展示 | 出处 |" : "| program | shows | from |"
    print "|---|---|---|"
    print_listed(directory)
    for (i = 1; i < ARGC; i++)
        if (dirname(ARGV[i]) == directory)
            print_row(ARGV[i])
}

# The programs of a chapter that the table in its README.md has, in that order.
function print_listed(directory,    i, file_of, english, row, inside_table)
{
    for (i = 1; i < ARGC; i++)
        if (dirname(ARGV[i]) == directory)
            file_of[name[ARGV[i]]] = ARGV[i]
    english = directory "README.md"
    while ((getline row < english) > 0) {
        if (row ~ /^<!-- \/?programs -->$/)
            inside_table = row !~ /\//
        if (inside_table && match(row, /^\| \[[^]]+\]/) && substr(row, 4, RLENGTH - 4) in file_of)
            print_row(file_of[substr(row, 4, RLENGTH - 4)])
    }
    close(english)
}

# Links start from the README's own directory.
function print_row(file)
{
    if (!(file in extra) && !(file in printed))
        printf "| [%s](%s) | %s | %s |\n", name[file], substr(file, length(chapter) + 1), \
               cell(header[file, is_chinese ? "Chinese" : "About"]), cell(header[file, "From"])
    printed[file] = 1
}

# Text as a cell of a table: nothing in it ends the cell or begins a tag of HTML.
function cell(text)
{
    gsub(/\|/, "\\\\&", text) # every awk makes this \|
    gsub(/</, "\\&lt;", text)
    return text
}
