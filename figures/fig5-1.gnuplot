# data: sweep.txt
# else: arithmetic2gpu --sweep: ^ +(\d+) +(\S+) +(\S+) +(\S+) 
# shows: times
set logscale xy
set xlabel say('number of elements N', '元素个数 N')
set ylabel say('time of the device in ms', '设备的时间（ms）')
set y2tics
set logscale y2
set format x '10^{%L}'
set autoscale xfix
set rmargin at screen 0.86
plot data.'/sweep.txt' using 1:3 with linespoints linestyle 1 title say('time', '时间'), \
     '' using 1:4 axes x1y2 with linespoints linestyle 2 \
         title say('speed-up over one core of the host (right)', '相对于主机一个核的加速比（右）')
