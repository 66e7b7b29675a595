# `make find WHAT=9.5`: the programs that show that listing, table, figure, section or file, and what
# make/book.txt says of it. It comes after references.awk.
# WHAT comes in the environment, where no shell can misread it.

END {
    what = ENVIRON["WHAT"]
    if (what ~ /^ *$/) {
        print "make find wants WHAT=9.5, WHAT=\"Table 9.1\" or WHAT=bank.cu" | "cat 1>&2"
        exit 2
    }
    found = find_answers(what)
    for (i = 1; i <= num_programs; i++)
        printf "%-16s %-36s %s\n", name[program_file[i]], program_file[i], program_match[i]
    for (i = 1; i <= num_sentences; i++)
        print sentence[i]
    if (!found) {
        print "nothing shows " in_english(what) "; `make list` has all there is" | "cat 1>&2"
        exit 1
    }
}
