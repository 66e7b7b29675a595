# data: energy.txt velocity.txt
# An energy is shown for one atom, and as the difference from the beginning.
stats data.'/velocity.txt' using 1 name 'ATOMS' nooutput
per_atom = 1000.0 / ATOMS_records
array start[4]
energy = data.'/energy.txt'
stats energy using (column(1) == 0 ? (start[2] = $2, start[3] = $3, start[4] = $4) : 0) nooutput
ps(step) = step * 0.005
stats energy using ($7 * 1e5) name 'DRIFT' nooutput
limit = abs(DRIFT_min) > DRIFT_max ? abs(DRIFT_min) : DRIFT_max
step = 10**floor(log10(limit))
step = limit >= 5 * step ? 5 * step : limit >= 2 * step ? 2 * step : step
set xlabel 'time in ps'
set multiplot
set tmargin at screen 0.91
set bmargin at screen 0.55
set lmargin at screen 0.16
set rmargin at screen 0.97
set format x ''
unset xlabel
set ylabel "change in meV\nper atom"
set key outside top center horizontal
plot energy using (ps($1)):(($2 - start[2]) * per_atom) with lines linestyle 1 title 'kinetic', \
     energy using (ps($1)):(($3 - start[3]) * per_atom) with lines linestyle 2 title 'potential', \
     energy using (ps($1)):(($4 - start[4]) * per_atom) with lines linestyle 3 title 'total'
set tmargin at screen 0.50
set bmargin at screen 0.21
set format x '%g'
set xlabel 'time in ps'
set ylabel 'drift in 10^{-5}'
set yrange [-1.1 * limit : 1.1 * limit]
set ytics step
unset key
plot energy using (ps($1)):($7 * 1e5) with lines linestyle 3
unset multiplot
