# data: normal.txt
set xlabel 'random number'
set ylabel 'probability density'
set boxwidth 0.08
plot [-5:5] data.'/normal.txt' using 1:2 with boxes linecolor rgb '#56b4e9' title 'share of the numbers', \
     '' using 1:3 with lines linestyle 2 title 'expected'
