# What follows from what in the tables of pitched: see tests/ratios.t.

sub pitched
{
    my ($out) = @_;
    my ($rows, $width) = (7 * 203, 301 * $REAL);
    while ($out =~ /^\w+: a row every \d+ bytes, ($NUMBER) $MS, ($NUMBER) GB/mg)
    {
        expect_rate('GB/s', fixed($2), 2 * $width * $rows, digits($1));
    }
    my ($padding, $all) = $out =~ /^box: (\d+) of (\d+) bytes are padding$/m or return;
    expect('bytes that are no padding', fixed($all - $padding), sub { $width * $rows });
}

looks_at('-n 7x203x301 -r 3', \&pitched, 3);
1;
