# What follows from what in the tables of arithmetic2gpu: see tests/ratios.t.

sub arithmetic2gpu
{
    my ($out) = @_;
    my @before;
    my $point = $BACKEND eq 'cuda' ? 3000 : 500; # ms
    while ($out =~ /^(\d+),($NUMBER),($NUMBER),($NUMBER),($NUMBER),(\d+)$/mg)
    {
        my ($N, $host, $device, $speed, $rate, $repeats) =
          ($1, (map { digits($_, 6) } $2, $3, $4, $5), $6);
        expect('speed-up', $speed, \&quotient, $host, $device);
        expect_rate('Gsteps/s', $rate, $N * 1e4, $device);
        expect('the host, 10 N', $host, sub { 10 * $_[0] }, $before[0]) if @before;
        expect('repeats', fixed($repeats), sub { int min(10, max(1, $point / (10 * $_[0]) - 1)) },
            $before[1]) if @before;
        @before = ($host, $device);
    }
}

looks_at('--csv --sweep', \&arithmetic2gpu, 6);
1;
