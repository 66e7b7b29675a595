# What all figures share. figures.pl sets `data`, the folder of the data; `rows`, the file of a table;
# `origin`, which device computed the data, and when; and `is_chinese`, 1 for the labels in Chinese.
say(english, chinese) = is_chinese ? chinese : english
blue = '#0072b2'; orange = '#e69f00'; green = '#009e73'; red = '#d55e00'; grey = '#606060'
set border 3 linecolor rgb grey
set tics nomirror textcolor rgb 'black'
set grid linecolor rgb '#d8d8d8' linetype 1
# The legend is above the plot, so it lies on no curve.
set key outside top center horizontal Left reverse samplen 2
set style line 1 linecolor rgb blue linewidth 2 pointtype 7 pointsize 0.6
set style line 2 linecolor rgb red linewidth 2 pointtype 5 pointsize 0.6
set style line 3 linecolor rgb green linewidth 2 pointtype 9 pointsize 0.6
set style fill solid 1 noborder
set encoding utf8
set label 999 origin at screen 0.99, screen 0.03 right font ',11' textcolor rgb grey noenhanced
set bmargin at screen 0.21
set xtics offset 0, 0.2
set xlabel offset 0, 0.4
unset colorbox
