# data: speeds.txt
# else: ljmd-cpu: ^speed: (\S+)
# else: ljmd-force 10 200 --steps 20000: ^speed: (\S+)
# else: ljmd 10 200 --steps 20000: ^speed: (\S+)
# else: ljmd-fast 10 200 --steps 20000: ^speed: (\S+)
# shows: times
speeds = data.'/speeds.txt'
stats speeds using 2 name 'T' nooutput
set yrange [T_records - 0.4 : -0.6]
set xrange [0 : T_max * 1.2]
set xlabel say('million atom-steps in a second', '每秒的原子步数（百万）')
set grid noytics
unset key
set border 1
set tics scale 0
set lmargin at screen 0.27
plot speeds using ($2 / 2):0:($2 / 2):(0.36):ytic(1) with boxxyerrorbars linecolor rgb '#56b4e9', \
     speeds using 2:0:(sprintf($2 < 100 ? '%.3g' : '%.0f', $2)) with labels left offset 0.5, 0
