# Prints definitions from a source: functions with their `template` line, structs, and constants and
# variables in constant memory of one line. -v names="TILE transpose_shared" says which ones. They keep the order of the source.
BEGIN {
    count = split(names, list)
    for (i = 1; i <= count; ++i)
    {
        wanted[list[i]] = 1
    }
}

# The name that a line at the left margin defines, or nothing.
function defined_name(line)
{
    if (line ~ /^const .* = .*;/)
    {
        sub(/ = .*/, "", line)
    }
    else if (line ~ /^__constant__ .*;/)
    {
        sub(/;.*/, "", line)
    }
    else if (line ~ /^struct [A-Za-z_0-9]+$/)
    {
        sub(/^struct /, "", line)
    }
    else if (line ~ /^[A-Za-z_].*\(/ && line !~ /;$/)
    {
        sub(/\(.*/, "", line)
    }
    else
    {
        return ""
    }
    sub(/.*[ *]/, "", line)
    return line
}

!inside {
    name = defined_name($0)
    if (name in wanted)
    {
        ++found[name]
        if (template != "")
        {
            print template
        }
        print
        inside = !/^(const|__constant__) |}$/
        if (!inside)
        {
            print ""
        }
        template = ""
        next
    }
    template = /^template / ? $0 : ""
    next
}

{ print }

/^}/ {
    print ""
    inside = 0
}

END {
    for (i = 1; i <= count; ++i)
    {
        if (found[list[i]] != 1)
        {
            print FILENAME " defines " list[i] " not once" >"/dev/stderr"
            failed = 1
        }
    }
    exit failed
}
