# data: uniform.txt
set xlabel 'random number'
set ylabel 'probability density'
set boxwidth 0.008
set key bottom right opaque
plot [0:1] [0:1.2] data.'/uniform.txt' using 1:2 with boxes linecolor rgb '#56b4e9' title 'share of the numbers', \
     '' using 1:3 with lines linestyle 2 title 'expected'
