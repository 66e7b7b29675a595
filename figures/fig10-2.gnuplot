# data: bonds.txt
# size: 520 500
set size ratio -1
set xlabel say('x in Å', 'x（Å）')
set ylabel say('y in Å', 'y（Å）')
unset key
plot [48:80] [20:52] data.'/bonds.txt' with lines linewidth 1.5 linecolor rgb blue
