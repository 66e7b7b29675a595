# data: energy.txt velocity.txt
# size: 620 420
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
set multiplot
set tmargin at screen 0.91
set bmargin at screen 0.55
set lmargin at screen 0.19
set rmargin at screen 0.97
set format x ''
unset xlabel
set ylabel say("change in meV\nper atom", "每个原子的能量\n变化（meV）")
plot energy using (ps($1)):(($2 - start[2]) * per_atom) with lines linestyle 1 title say('kinetic', '动能'), \
     energy using (ps($1)):(($3 - start[3]) * per_atom) with lines linestyle 2 title say('potential', '势能'), \
     energy using (ps($1)):(($4 - start[4]) * per_atom) with lines linestyle 3 title say('total', '总能量')
set tmargin at screen 0.50
set bmargin at screen 0.21
set format x '%g'
set xlabel say('time in ps', '时间（ps）')
set ylabel say('drift in 10^{-5}', '漂移（10^{-5}）')
set yrange [-1.1 * limit : 1.1 * limit]
set ytics step
unset key
unset label 999
plot energy using (ps($1)):($7 * 1e5) with lines linestyle 3
unset multiplot
