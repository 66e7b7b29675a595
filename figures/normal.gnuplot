# data: normal.txt
set xlabel say('random number', '随机数')
set ylabel say('probability density', '概率密度')
set boxwidth 0.08
plot [-5:5] data.'/normal.txt' using 1:2 with boxes linecolor rgb '#56b4e9' \
         title say('share of the numbers', '各区间的份额'), \
     '' using 1:3 with lines linestyle 2 title say('expected', '理论值')
