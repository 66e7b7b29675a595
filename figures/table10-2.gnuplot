# rows: neighbor2gpu
# shows: times
load 'figures/bars.gnuplot'
