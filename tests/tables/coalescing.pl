# What follows from what in the tables of coalescing: see tests/ratios.t.

sub coalescing
{
    my ($out) = @_;
    my ($ceiling) = map { fixed($_) } $out =~ /copy ceiling ($NUMBER)/ or return;
    my $first;
    while ($out =~ /^(\w+) (?: *$NUMBER){4} +($NUMBER) +($NUMBER) +($NUMBER) +($NUMBER)$/mg)
    {
        my ($name, $ms, $rate, $share, $times) = ($1, digits($2), map { fixed($_) } $3, $4, $5);
        $first //= $ms;
        my $bytes = ($name eq 'broadcast' ? 2 : 3) * $REAL * 50021;
        expect_rate("$name, GB/s", $rate, $bytes, $ms);
        expect("$name, % of copy", $share, sub { 1e-4 * $bytes / $_[0] / $_[1] }, $ms, $ceiling);
        expect("$name, x time", $times, \&quotient, $ms, $first);
    }
}

looks_at('-n 50021 -r 3', \&coalescing, 18);
1;
