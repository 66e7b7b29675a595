# data: fig12-2.txt
# else: kernel-kernel: ^ +128 +(\d+) +(\S+) +\S+ +(\S+)$
# shows: times
set xlabel 'number of streams, each with one kernel'
set ylabel 'speed-up'
unset key
set xtics 32
plot [0:260] [0:] data.'/fig12-2.txt' using 1:3 with linespoints linestyle 1
