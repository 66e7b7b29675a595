# data: x1.txt
set xlabel say('random number', '随机数')
set ylabel say('probability density', '概率密度')
set boxwidth 0.008
stats data.'/x1.txt' nooutput
middle(x) = 0.01 * (floor(x / 0.01) + 0.5)
plot [0:1] [0:1.2] data.'/x1.txt' using (middle($1)):(1 / 0.01 / STATS_records) smooth frequency \
         with boxes linecolor rgb '#56b4e9' title say('share of the numbers', '各区间的份额'), \
     1 with lines linestyle 2 title say('expected', '理论值')
