# data: fig12-3.txt
# else: kernel-transfer: ^pinned +(\d+) +(\S+) +(\S+)(?: +\S+)?$
# else: kernel-transfer: ^pageable +(\d+) +(\S+) +(\S+)(?: +\S+)?$
# shows: times
set xlabel say('number of streams', '流的个数')
set ylabel say('speed-up', '加速比')
set logscale x 2
set xtics (1, 2, 4, 8, 16, 32, 64)
plot [0.95:68] [0:] data.'/fig12-3.txt' using 1:3 with linespoints linestyle 1 \
         title say('pinned memory', '不可分页内存'), \
     '' using 1:5 with linespoints linestyle 2 \
         title say('pageable memory', '可分页内存')
