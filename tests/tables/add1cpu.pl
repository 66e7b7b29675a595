# What follows from what in the tables of add1cpu: see tests/ratios.t.

sub add1cpu
{
    my ($out) = @_;
    my @times = sort { $a <=> $b } $out =~ /^Time = ($NUMBER) $MS$/mg;
    my ($mean, $deviation, $median, $rate) =
      $out =~ /^mean ($NUMBER) \+- ($NUMBER), median ($NUMBER) $MS: ($NUMBER) GB/m or return;
    expect('times that count', fixed(scalar @times), sub { 10 });
    my $right = sum(@times) / @times;
    my $squares = sum(map { ($_ - $right) ** 2 } @times);
    expect('mean', digits($mean, 5), sub { $right });
    expect('deviation', digits($deviation, 2), sub { sqrt($squares / $_[0]) }, [8.9, 10.1])
      if $deviation > 1e-4 * $mean;    # else the printed times are too round
    expect('median', digits($median, 5), sub { $_[0] }, [@times[4, 5]]);
    expect_rate('GB/s', digits($rate, 3), 3 * $REAL * 300000, digits($median, 6));
}

looks_at('-n 300000', \&add1cpu, 5);
1;
