# data: lowpass.txt
set xlabel say('number n of the sample', '采样点序号 n')
set ylabel say('signal', '信号')
plot [0:1024] [-4:4] data.'/lowpass.txt' using 1:2 with lines linecolor rgb '#b8b8b8' linewidth 0.7 \
         title say('noisy', '带噪声'), \
     '' every 4 using 1:4 with lines linestyle 1 title say('clean', '无噪声'), \
     '' every 4 using 1:3 with lines linestyle 2 title say('filtered', '滤波后')
