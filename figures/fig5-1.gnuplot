# data: sweep.txt
# else: arithmetic2gpu --sweep: ^ +(\d+) +(\S+) +(\S+) +(\S+) 
# shows: times
set logscale xy
set xlabel 'number of elements N'
set ylabel 'time of the device in ms'
set y2label 'speed-up'
set y2tics
set logscale y2
set format x '10^{%L}'
set autoscale xfix
set rmargin at screen 0.88
plot data.'/sweep.txt' using 1:3 with linespoints linestyle 1 title 'time', \
     '' using 1:4 axes x1y2 with linespoints linestyle 2 title 'speed-up over one core of the host (right)'
