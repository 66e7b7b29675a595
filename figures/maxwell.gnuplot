# data: velocity.txt
# The unit of velocity is 1 A in 10.18051 fs.
m_per_s = 1e-10 / 10.18051e-15
speed(x, y, z) = m_per_s * sqrt(x**2 + y**2 + z**2)
stats data.'/velocity.txt' using (speed($1, $2, $3)**2 / 3) name 'V' nooutput
sigma = sqrt(V_mean)
width = 20.0
maxwell(v) = sqrt(2 / pi) * v**2 / sigma**3 * exp(-v**2 / (2 * sigma**2))
set xlabel say('speed in m/s', '速率（m/s）')
set ylabel say('atoms per 20 m/s', '每 20 m/s 的原子数')
set boxwidth width * 0.9
set samples 300
plot [0:600] data.'/velocity.txt' using (width * (floor(speed($1, $2, $3) / width) + 0.5)):(1) smooth frequency \
         with boxes linecolor rgb '#56b4e9' title say('atoms of the simulation', '模拟中的原子'), \
     V_records * width * maxwell(x) with lines linestyle 2 title say("Maxwell's distribution", '麦克斯韦分布')
