# What the header comments say, for the tests: a line for each fact, its fields separated by tabs.
#
#   FILE name     NAME
#   FILE extra                                 the file is part of another program
#   FILE sentence TEXT
#   FILE key      KEY VALUE
#   FILE version  NAME NEEDS                   NEEDS: what of the machine it cannot do without, or nothing
#   FILE option   NAME VALUE                   "-n" "MxN"; "--wrong" ""
#   FILE positional N, FILE, or names: NX NE
#   FILE checks   ON_CPU ON_GPU MORE_ON_CPU MORE_ON_GPU   of `39 (42 on a GPU)`, `24 or more`,
#                                              `22 (6 or more on a GPU)` or `19 or 51`; MORE is
#                                              `or more`, `or 51`, or empty
#   FILE expect   STATUS
#   FILE problem  TEXT

BEGIN { OFS = "\t" }

END {
    for (i = 1; i < ARGC; i++) {
        file = ARGV[i]
        print file, "name", name[file]
        if (file in extra)
            print file, "extra"
        print file, "sentence", header[file, "About"]
        for (k in is_key)
            if ((file, k) in given)
                print file, "key", k, header[file, k]
        for (j = 1; j <= num_versions[file]; j++)
            print file, "version", version[file, j], version_needs[file, j]
        for (j = 1; j <= num_options[file]; j++)
            print file, "option", option[file, j], option_value[file, j]
        if (positional[file] != "")
            print file, "positional", positional[file]
        if ((file, "Checks") in given)
            print file, "checks", checks(header[file, "Checks"])
        print file, "expect", header[file, "Expect"] + 0
        for (j = 1; j <= num_problems[file]; j++)
            print file, "problem", problem[file, j]
    }
}

function checks(text,    on_cpu, on_gpu)
{
    on_cpu = on_gpu = text
    if (match(text, /\([0-9]+( or more)? on a GPU\)/)) {
        on_cpu = substr(text, 1, RSTART - 1)
        on_gpu = substr(text, RSTART + 1)
    }
    return (on_cpu + 0) OFS (on_gpu + 0) OFS more(on_cpu) OFS more(on_gpu)
}

function more(text)
{
    sub(/^[0-9]+ ?/, "", text)
    return match(text, /^or (more|[0-9]+)/) ? substr(text, 1, RLENGTH) : ""
}
