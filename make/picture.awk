# `awk -f make/picture.awk ch03_framework/add1.cu` prints docs/add1.svg, the picture in README.md: the
# program's own kernel and launch without their comments, and the two ways they go. Its colours follow
# light and dark.

/^__global__/ { inside = 1 }
inside && !/^ *\/\// { code[++num_lines] = $0; sub(/ *\/\/.*/, "", code[num_lines]) }
inside && /^}/ { inside = 0 }
/<<<.*>>>/ && launch == "" { launch = $0; sub(/^ */, "", launch) }

END {
    if (num_lines < 3 || launch == "") {
        print "picture.awk: no kernel and its launch in " FILENAME | "cat 1>&2"
        exit 1
    }
    code[++num_lines] = ""
    code[++num_lines] = launch
    height = 22 * num_lines + 46
    middle = height / 2
    widest = 0
    for (i = 1; i <= num_lines; i++)
        if (length(code[i]) > widest)
            widest = length(code[i])
    right = 20 + 8.2 * widest + 24
    file = FILENAME
    sub(/.*\//, "", file)
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"13.5\">\n", right + 430, height + 20
    print "<!-- Written by make index. -->"
    print "<style>text { fill: #1f2328 } .box { fill: #f6f8fa; stroke: #59636e } .line { stroke: #59636e; fill: none }"
    print ".head { fill: #59636e } .name { font-weight: bold }"
    print "@media (prefers-color-scheme: dark) { text, .head { fill: #e6edf3 } .box { fill: #161b22; stroke: #9198a1 } .line { stroke: #9198a1 } .head { fill: #9198a1 } }</style>"
    print "<defs><marker id=\"head\" markerWidth=\"9\" markerHeight=\"8\" refX=\"8\" refY=\"4\" orient=\"auto\"><path class=\"head\" d=\"M0,0 L9,4 L0,8 z\"/></marker></defs>"
    box(10, 10, right - 10, height)
    say(24, 34, "name", file)
    for (i = 1; i <= num_lines; i++)
        say(24, 40 + 22 * i, "", code[i])
    way(right, middle - 52, "nvcc", "GPU")
    way(right, middle + 52, "cpucc", "CPU")
    print "</svg>"
}

# From the source by a compiler to where it runs, and to what it says in the end.
function way(x, y, compiler, place)
{
    arrow(x, middle + 10, x + 96, y + 10)
    say(x + 8, y + (place == "GPU" ? -6 : 36), "", compiler)
    box(x + 100, y - 14, 74, 48)
    say(x + 124, y + 15, "name", place)
    arrow(x + 174, y + 10, x + 226, y + 10)
    box(x + 230, y - 14, 170, 48)
    say(x + 250, y + 15, "", "PASS: 1 check")
}

function box(x, y, width, tall)
{
    printf "<rect class=\"box\" x=\"%.0f\" y=\"%.0f\" width=\"%.0f\" height=\"%.0f\" rx=\"6\"/>\n", x, y, width, tall
}

function arrow(x1, y1, x2, y2)
{
    printf "<path class=\"line\" marker-end=\"url(#head)\" d=\"M%.0f,%.0f L%.0f,%.0f\"/>\n", x1, y1, x2, y2
}

function say(x, y, class, text)
{
    gsub(/&/, "\\&amp;", text)
    gsub(/</, "\\&lt;", text)
    if (text != "")
        printf "<text x=\"%.0f\" y=\"%.0f\"%s xml:space=\"preserve\">%s</text>\n", x, y, class == "" ? "" : " class=\"" class "\"", text
}
