# What follows from what in the tables of add3memcpy: see tests/ratios.t.

sub add3memcpy
{
    my ($out) = @_;
    my %arrays = ('x and y to the device' => 2, kernel => 3, 'z to the host' => 1,
        'all three together' => 3, 'the host alone' => 3);
    my %ratios = (
        'share of the copies' => [sub { 100 - 100 * quotient(@_) }, 'kernel', 'all three together'],
        'faster than the host, all' => [\&quotient, 'the host alone', 'all three together'],
        'the kernel by itself' => [\&quotient, 'the host alone', 'kernel']);
    for my $column (0, 1)
    {
        my %ms;
        for my $part (sort keys %arrays)
        {
            my @numbers = $out =~ /^$part +($NUMBER) +($NUMBER) +($NUMBER) +($NUMBER)$/m or return;
            $ms{$part} = digits($numbers[2 * $column]);
            expect_rate("$part, GB/s", fixed($numbers[2 * $column + 1]),
                $arrays{$part} * $REAL * 300000, $ms{$part});
        }
        expect(
            'the three parts',
            $ms{'all three together'},
            sub { $_[0] + $_[1] + $_[2] + $_[3] },
            @ms{'x and y to the device', 'kernel', 'z to the host'},
            [-0.001, 0.001]);    # as events round
        for my $name (sort keys %ratios)
        {
            my ($function, @parts) = @{$ratios{$name}};
            my @numbers = $out =~ /^$name +($NUMBER)[%x] +($NUMBER)[%x]$/m or return;
            expect($name, fixed($numbers[$column]), $function, @ms{@parts});
        }
    }
}

looks_at('-n 300000 -r 3', \&add3memcpy, 18);
1;
