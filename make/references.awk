# Which programs and sentences answer for a place of the book, for `make find` and for docs/map.md. It
# comes after header.awk.
#
#   find_answers(WHAT)      finds them, and returns how many; WHAT may have the Chinese words
#   num_programs, program_file[i], program_match[i]   the programs, and what of their From: it was
#   num_sentences, sentence[i]                        lines of make/book.txt
#
# A program answers if its From: names WHAT, or if it is itself so named. Whole words are compared: 9.5
# is neither 19.5 nor 9.51.

function find_answers(what,    i, j, file, matched, wanted)
{
    if (!num_files)
        read_references()
    wanted = words_of(in_english(what))
    num_programs = num_sentences = 0
    for (i = 1; i <= num_files; i++) {
        file = file_with[i]
        matched = ""
        for (j = 1; j <= num_references[file]; j++)
            if (index(words_with[file, j], wanted) > 0)
                matched = matched (matched == "" ? "" : ", ") reference_of[file, j]
        if (matched == "")
            continue
        program_file[++num_programs] = file
        program_match[num_programs] = matched
    }
    for (i = 1; i <= num_lines; i++)
        if (index(words_about[i], wanted) > 0)
            sentence[++num_sentences] = line_of_book[i]
    return num_programs + num_sentences
}

function read_references(    i, j, file, line, colon)
{
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        if (file in extra)
            continue
        file_with[++num_files] = file
        num_references[file] = references(file)
        for (j = 1; j <= num_references[file]; j++) {
            reference_of[file, j] = reference[j]
            words_with[file, j] = words_of(reference[j])
        }
    }
    while ((getline line < "make/book.txt") > 0)
        if (line !~ /^#/ && (colon = index(line, ": ")) > 0) {
            line_of_book[++num_lines] = line
            words_about[num_lines] = words_of(plain(substr(line, 1, colon - 1)))
        }
    close("make/book.txt")
}

# The words of the Chinese book: 图 9.1 is Fig. 9.1.
function in_english(text)
{
    gsub(/图/, "Fig. ", text)
    gsub(/表/, "Table ", text)
    gsub(/第 *[0-9]+ *章/, "chapter &", text)
    gsub(/[0-9.]+ *节/, "section &", text)
    gsub(/第|章|节/, "", text)
    return plain(text)
}

function plain(text)
{
    gsub(/["()]/, "", text)
    return text
}

# Fills reference[] with what can be asked for: "Listings 4.1 to 4.3, section 4.1" is four of them.
function references(file,    count, pieces, groups, i, n)
{
    n = 0
    reference[++n] = name[file]
    reference[++n] = basename(file)
    count = split(header[file, "Sources"], pieces)
    for (i = 1; i <= count; i++)
        reference[++n] = pieces[i]

    count = split(header[file, "From"], groups, /; */)
    for (i = 1; i <= count; i++)
        n = add_group(groups[i], n)
    return n
}

# "sections 3.1 and 3.2": the second is a section as well. "S2 Table 6.2, file testGather.cu": both
# are of S2.
function add_group(text, n,    count, pieces, i, kind, source)
{
    text = plain(text)
    if (match(text, /^S[1-4]/))
        source = substr(text, 1, RLENGTH)
    gsub(/ and its |,? and /, ", ", text)
    count = split(text, pieces, /, */)
    for (i = 1; i <= count; i++) {
        text = pieces[i]
        sub(/^S[1-4] */, "", text)
        if (text ~ /^[0-9]/ && kind != "")
            text = kind " " text
        kind = ""
        if (text ~ /^[A-Za-z.]+ +[0-9]/) {
            kind = text
            sub(/ .*/, "", kind)
            sub(/^[^ ]+/, singular(kind), text)
            kind = singular(kind)
        }
        n = add_range(source == "" ? text : source (text == "" ? "" : " ") text, n)
    }
    return n
}

# "Listing 4.1 to 4.3" or "S4 3.1-3.3" is every number from the first to the last.
function add_range(text, n,    kind, first, last, stem)
{
    if (!match(text, /[0-9.]*[0-9]( to |-)[0-9.]*[0-9]$/)) {
        reference[++n] = text
        return n
    }
    kind = substr(text, 1, RSTART - 1)
    first = last = substr(text, RSTART)
    sub(/( to |-).*/, "", first)
    sub(/.*( to |-)/, "", last)
    stem = first
    sub(/[0-9]+$/, "", stem) # the 4. of 4.1 to 4.3
    if (index(last, stem) != 1 || substr(last, length(stem) + 1) ~ /\./) {
        reference[++n] = kind first # 4.9 to 5.2: nobody knows how far 4 goes
        reference[++n] = kind last
        return n
    }
    last = substr(last, length(stem) + 1) + 0
    for (first = substr(first, length(stem) + 1) + 0; first <= last; first++)
        reference[++n] = kind stem first
    return n
}

function singular(word,    lower)
{
    lower = tolower(word)
    if (lower ~ /^fig(s|ure|ures)?\.?$/)
        return "Fig."
    if (lower ~ /^sec(t|tion)?\.$/)
        return "section"
    if (lower ~ /^(listing|table|section|chapter|file|example)s$/)
        return substr(word, 1, length(word) - 1)
    return word
}

# " listing 9.5 ": so that index() finds whole words only.
function words_of(text,    count, word, i, result)
{
    count = split(text, word)
    result = " "
    for (i = 1; i <= count; i++)
        result = result tolower(singular(word[i])) " "
    return result
}
