# Prints the README `readme` with its tables of programs written anew: what stands between the lines
# <!-- programs --> and <!-- /programs -->. A chapter's README has a table of its own programs. The
# README at the top has a table for each chapter. In a README.zh-CN.md the sentences come from
# Chinese:. The order is that of reading: see header.awk.

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

function print_table(directory,    i)
{
    print is_chinese ? "| 程序 | 展示 | 出处 |" : "| program | shows | from |"
    print "|---|---|---|"
    for (i = 1; i <= num_in_order; i++)
        if (dirname(in_order[i]) == directory)
            print_row(in_order[i])
}

# Links start from the README's own directory.
function print_row(file)
{
    if (!(file in extra))
        printf "| [%s](%s) | %s | %s |\n", name[file], substr(file, length(chapter) + 1), \
               cell(header[file, is_chinese ? "Chinese" : "About"]), cell(header[file, "From"])
}

# Text as a cell of a table: nothing in it ends the cell or begins a tag of HTML.
function cell(text)
{
    gsub(/\|/, "\\\\&", text) # every awk makes this \|
    gsub(/</, "\\&lt;", text)
    return text
}
