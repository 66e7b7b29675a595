# data: lowpass.txt
set xlabel 'number n of the sample'
set ylabel 'signal'
set key top right horizontal
plot [0:1024] [-4:5] data.'/lowpass.txt' using 1:2 with lines linecolor rgb '#b8b8b8' linewidth 0.7 title 'noisy', \
     '' every 4 using 1:4 with lines linestyle 1 title 'clean', \
     '' every 4 using 1:3 with lines linestyle 2 title 'filtered'
