# data: x2.txt
set xlabel say('random number', '随机数')
set ylabel say('probability density', '概率密度')
set boxwidth 0.08
stats data.'/x2.txt' nooutput
middle(x) = 0.1 * (floor(x / 0.1) + 0.5)
plot [-5:5] data.'/x2.txt' using (middle($1)):(1 / 0.1 / STATS_records) smooth frequency \
         with boxes linecolor rgb '#56b4e9' title say('share of the numbers', '各区间的份额'), \
     exp(-x * x / 2) / sqrt(2 * pi) with lines linestyle 2 title say('expected', '理论值')
