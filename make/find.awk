# `make find WHAT=9.5`: the programs whose From: names that listing, table, figure, section or
# file, or that are themselves so named. Whole words are compared: 9.5 is neither 19.5 nor 9.51.
# What the book has and no program shows is answered by a sentence of make/book.txt.
# WHAT comes in the environment, where no shell can misread it.

END {
    what = in_english(ENVIRON["WHAT"])
    if (what ~ /^ *$/) {
        print "make find wants WHAT=9.5, WHAT=\"Table 9.1\" or WHAT=bank.cu" | "cat 1>&2"
        exit 2
    }
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        if (file in extra)
            continue
        matched = ""
        count = references(file)
        for (j = 1; j <= count; j++)
            if (index(words_of(reference[j]), words_of(what)) > 0)
                matched = matched (matched == "" ? "" : ", ") reference[j]
        if (matched != "") {
            printf "%-16s %-36s %s\n", name[file], file, matched
            found = 1
        }
    }
    while ((getline line < "make/book.txt") > 0)
        if (line !~ /^#/ && (colon = index(line, ": ")) > 0 &&
            index(words_of(substr(line, 1, colon - 1)), words_of(what)) > 0) {
            print line
            found = 1
        }
    if (!found) {
        print "nothing shows " what "; `make list` has all there is" | "cat 1>&2"
        exit 1
    }
}

# The words of the Chinese book: 图 9.1 is Fig. 9.1.
function in_english(text)
{
    gsub(/图/, "Fig. ", text)
    gsub(/表/, "Table ", text)
    gsub(/第 *[0-9]+ *章/, "chapter &", text)
    gsub(/[0-9.]+ *节/, "section &", text)
    gsub(/第|章|节/, "", text)
    return text
}

# Fills reference[] with what can be asked for: "Listings 4.1 to 4.3, section 4.1" is four of them.
function references(file,    count, pieces, i, n, text, kind)
{
    n = 0
    reference[++n] = name[file]
    reference[++n] = basename(file)
    count = split(header[file, "Sources"], pieces)
    for (i = 1; i <= count; i++)
        reference[++n] = pieces[i]

    text = header[file, "From"]
    gsub(/["()]/, "", text)
    gsub(/ and /, ",", text)
    count = split(text, pieces, /[,;] */)
    for (i = 1; i <= count; i++) {
        text = pieces[i]
        if (text ~ /^[0-9]/)
            text = kind " " text # "sections 3.1 and 3.2": the second is a section as well
        kind = text
        sub(/ .*/, "", kind)
        kind = singular(kind)
        sub(/^[^ ]+/, kind, text)
        n = add_range(text, n)
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
    if (lower ~ /^(listing|table|section|chapter|file)s$/)
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
