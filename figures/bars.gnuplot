# Bars of a table of versions. `rows` is a file with a name and a time in ms for each.
stats rows using 2 name 'T' nooutput
set yrange [T_records - 0.4 : -0.6]
set xrange [0 : T_max * 1.2]
set xlabel say('time in ms', '时间（ms）')
set grid noytics
unset key
set border 1
set tics scale 0 # the lines of the grid are enough, and cross no number of a bar
set lmargin at screen 0.27
plot rows using ($2 / 2):0:($2 / 2):(0.36):ytic(1) with boxxyerrorbars linecolor rgb '#56b4e9', \
     rows using 2:0:(sprintf($2 < 100 ? '%.3g' : '%.0f', $2)) with labels left offset 0.5, 0
