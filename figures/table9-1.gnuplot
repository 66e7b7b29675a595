# rows: transpose
# shows: times
load 'figures/bars.gnuplot'
