# What follows from what in the tables of aos-soa: see tests/ratios.t.

sub aos_soa
{
    my ($out) = @_;
    my %first;
    for (split /\n/, $out)
    {
        expect('MB', digits($2, 3), sub { 9 * $REAL * $1 * 1e-6 })
          if /^N = (\d+): .* take ($NUMBER) MB/;
        my ($fields, $layout, @numbers) = split ' ';
        next if !/^ +\d  \w+ +\d/;
        for my $operation (0 .. 2)
        {
            my ($rate, $times) = map { fixed($_) } @numbers[3 + 2 * $operation, 4 + 2 * $operation];
            $first{$operation} = $rate if $layout eq 'aos';
            expect("$fields fields, $layout, x aos", $times, \&quotient, $rate, $first{$operation});
        }
    }
}

looks_at('-n 40009 -r 3', \&aos_soa, 26);
1;
