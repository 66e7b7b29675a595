# What follows from what in the tables of occupancy: see tests/ratios.t.

sub occupancy
{
    my ($out) = @_;
    my ($room) = $out =~ /room for (\d+) warps/ or return;
    my @ceilings;
    while ($out =~ /^ *(\d+)x(\d+) +(\d+)((?: +(?:\d+|-)){4}) +(\d+) +($NUMBER)% +($NUMBER) +($NUMBER) +($NUMBER)  (#*)$/mg)
    {
        my ($x, $y, $warps, $limits, $blocks, $share, $ms, $rate, $of_ceiling, $bar) =
          ($1, $2, $3, $4, $5, fixed($6), digits($7), fixed($8), fixed($9), $10);
        expect('warps of a block', fixed($warps), sub { int(($x * $y + 31) / 32) });
        expect('blocks', fixed($blocks), sub { min($limits =~ /\d+/g) });
        expect('occupancy', $share, sub { 100 * $blocks * $warps / $room });
        expect_bar('bar', $bar, sub { 16 * $blocks * $warps / $room });
        expect_rate('GB/s', $rate, 2 * $REAL * 20000, $ms);
        push @ceilings,
          values_of(\&quotient, values_of(sub { 2e-4 * $REAL * 20000 / $_[0] }, $ms), $of_ceiling);
    }
    expect_one('ceiling', @ceilings);
}

looks_at('-n 20000 -r 3', \&occupancy, 100);
1;
