# What follows from what in the tables of gather: see tests/ratios.t.

sub gather
{
    my ($out) = @_;
    my ($N, @first) = (0);
    for (split /\n/, $out)
    {
        ($N, @first) = ($1) if /^N = (\d+): /;
        expect('MB', digits($1, 3), sub { $N * 12e-6 }) if /^N = .*: ($NUMBER) MB/;
        my ($name, @numbers) = split ' ';
        next if !/^  \w+ +\d/ || $N == 0;
        for my $way (0 .. @numbers / 3 - 1)
        {
            my ($ms, $rate, $times) = map { fixed($_) } splice @numbers, 0, 3;
            $first[$way] //= $ms;
            expect_rate("$name, N = $N, GB/s", $rate, 12 * $N, $ms);
            expect("$name, N = $N, x", $times, \&quotient, $ms, $first[$way]);
        }
    }
}

looks_at('-n 100000 -r 3', \&gather, 75);
1;
