# data: fig12-3.txt
# else: kernel-transfer: ^pinned +(\d+) +(\S+) +(\S+) +\S+$
# else: kernel-transfer: ^pageable +(\d+) +(\S+) +(\S+) +\S+$
# shows: times
set xlabel 'number of streams'
set ylabel 'speed-up'
set logscale x 2
set xtics (1, 2, 4, 8, 16, 32, 64)
set key bottom right
plot [0.95:68] [0:] data.'/fig12-3.txt' using 1:3 with linespoints linestyle 1 title 'pinned memory', \
     '' using 1:5 with linespoints linestyle 2 title 'pageable memory'
