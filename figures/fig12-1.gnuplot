# data: fig12-1.txt
# else: kernel-kernel: ^ +1024 +(\d+) +(\S+) +\S+ +(\S+)$
# shows: times
set xlabel say('number of streams, each with one kernel', '流的个数（每个流中一个核函数）')
set ylabel say('speed-up', '加速比')
unset key
set xtics 32
plot [0:260] [0:] data.'/fig12-1.txt' using 1:3 with linespoints linestyle 1
