# rows: reduce
# shows: times
load 'figures/bars.gnuplot'
