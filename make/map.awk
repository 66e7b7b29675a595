# Prints docs/map.md or, if `page` ends with .zh-CN.md, the same in Chinese: for each place that
# make/places.txt lists the programs and files to look at, and what to type. It comes after references.awk.
# A place that no From: names has a sentence in make/book.txt. In it the name of a program means that
# program, "row `shared` of transpose" and "memcheck -k sync" mean one of its versions, "make doctor" is
# a command and ch02_threads/README.md a file.

END {
    is_chinese = page ~ /\.zh-CN\.md$/
    for (i = 1; i < ARGC; i++)
        if (!(ARGV[i] in extra))
            file_of[name[ARGV[i]]] = ARGV[i]
    print_head()
    while ((getline line < "make/places.txt") > 0) {
        if (line ~ /^[^ #]/)
            print_part(line)
        else if (match(line, /^  [A-Za-z.]+: /))
            print_places(substr(line, 3, RLENGTH - 4), substr(line, RLENGTH + 1))
    }
}

function print_head()
{
    print "<!-- Written by make index. -->"
    if (is_chinese) {
        print "# 对照表：书中的每一处，由哪个程序展示\n"
        print "书中每一章、每一节、每个程序清单（Listing）、表、图和文件，以及四篇较短的资料 S1 至 S4 中的每一处，都列在这里。"
        print "先用 `make` 编译，再运行表中的命令。在命令行上，`make find WHAT=\"图 2.1\"` 给出同样的回答。"
        print "S1 至 S4 是什么，见 [README.zh-CN.md](../README.zh-CN.md)。[English](map.md)"
    } else {
        print "# The map: each place of the book, and what shows it\n"
        print "Every chapter, section, listing, table, figure and file of the book is here, and those of S1 to S4, four shorter"
        print "documents. Build by `make`, then type what the table says. On the command line, `make find WHAT=\"Fig. 2.1\"` answers the same."
        print "[README.md](../README.md) tells what S1 to S4 are. [中文](map.zh-CN.md)"
    }
}

function print_part(text)
{
    part = text
    print "\n## " (is_chinese ? in_chinese(part) : part ~ /^S/ ? part : "Chapter " substr(part, 9)) "\n"
    if (is_chinese)
        print "| 位置 | 程序与文件 | 命令 |\n|---|---|---|"
    else
        print "| place | programs and files | to type | |\n|---|---|---|---|"
    if (part !~ /^S/)
        print_row(part)
}

function print_places(kind, list,    count, places, i)
{
    count = split(list, places, /, */)
    for (i = 1; i <= count; i++)
        if (part ~ /^S/)
            print_row(part (kind == "section" ? "" : " " kind) " " places[i])
        else
            print_row(kind " " places[i])
}

function print_row(place,    asked, i)
{
    asked = place
    if (part !~ /^S/)
        sub(/^file /, "", asked) # the book's files are also asked for by their names alone
    find_answers(asked)
    links = commands = remarks = chapter = ""
    split("", seen)
    for (i = 1; i <= num_programs; i++)
        if (is_of_part(program_match[i]))
            add_program(name[program_file[i]], "")
    for (i = 1; i <= num_sentences; i++)
        if (is_of_part(sentence[i]))
            add_sentence(sentence[i])
    if (commands == "" && chapter != "")
        add_command("make " chapter)
    if (commands == "") {
        print place ": neither a program nor a sentence of make/book.txt says what to type" | "cat 1>&2"
        exit 1
    }
    place = cell(is_chinese ? in_chinese(place) : place)
    print "| " place " | " links " | " commands " |" (is_chinese ? "" : " " remarks " |")
}

# Numbers as 3.2 stand in several documents.
function is_of_part(text)
{
    return part ~ /^S/ ? text !~ /^(chapter|section|Listing|Table|Fig\.|file) / : text !~ /^S[1-4] /
}

function add_sentence(text,    count, words, i, word, row)
{
    sub(/^[^:]*: /, "", text)
    remarks = remarks (remarks == "" ? "" : " ") cell(text)
    count = split(text, words, " ")
    for (i = 1; i <= count; i++) {
        word = words[i]
        sub(/^\(/, "", word)
        sub(/[.,;:)]*$/, "", word)
        if (word ~ /^`.*`$/)
            row[++num_rows] = substr(word, 2, length(word) - 2)
        else if (word == "make" && words[i + 1] ~ /^[a-z]+[0-9]*[.,;]?$/)
            add_goal(words[i + 1])
        else if (word ~ /^[a-z0-9_]+\/[A-Za-z0-9_.\/-]+$/)
            add_file(word)
        else if (word in file_of) {
            if (words[i + 1] == "-k") {
                row[++num_rows] = words[i + 2]
                sub(/[.,;:]$/, "", row[num_rows])
            }
            for (; num_rows > 0; num_rows--)
                add_program(word, row[num_rows])
            add_program(word, "")
        }
    }
    num_rows = 0
}

function add_program(program, row)
{
    if (!((program, "link") in seen))
        add_link(program, file_of[program])
    seen[program, "link"] = 1
    if (row != "")
        add_command("./bin/" program " -k " row)
    else if (!((program, "row") in seen))
        add_command("./bin/" program)
    if (row != "")
        seen[program, "row"] = 1
}

function add_goal(goal)
{
    sub(/[.,;]$/, "", goal)
    if (goal ~ /^(doctor|toolkits|figures|find|ch[0-9]+)$/)
        add_command("make " goal)
}

function add_file(path)
{
    if (is_chinese && path ~ /^ch.*\/README\.md$/)
        sub(/\.md$/, ".zh-CN.md", path)
    if (!(path in seen))
        add_link(path, path)
    seen[path] = 1
    if (match(path, /^ch[0-9]+/))
        chapter = substr(path, 1, RLENGTH)
}

function add_link(text, path)
{
    links = links (links == "" ? "" : ", ") "[" text "](../" path ")"
}

function add_command(command)
{
    if (!(command in seen))
        commands = commands (commands == "" ? "" : ", ") "`" command "`"
    seen[command] = 1
}

function in_chinese(place)
{
    if (sub(/^chapter /, "第 ", place))
        return place " 章"
    if (sub(/^section /, "", place))
        return place " 节"
    sub(/^Table /, "表 ", place)
    sub(/^Fig\. /, "图 ", place)
    sub(/^file /, "文件 ", place)
    sub(/ Table /, " 表 ", place)
    sub(/ Fig\. /, " 图 ", place)
    sub(/ Example /, " 例 ", place)
    sub(/ file /, " 文件 ", place)
    return place
}

function cell(text)
{
    gsub(/\|/, "\\\\&", text)
    return text
}
