# What follows from what in the tables of scalability: see tests/ratios.t.

sub expect_stairs
{
    my ($wave, @blocks) = @_;
    my @right =
      map { int($_ / 5) * $wave + ($_ % 5 == 0 ? 1 : max(1, int($_ % 5 * $wave / 4))) } 0 .. 19;
    expect_text('blocks', "@blocks", "@right");
}

sub scalability
{
    my ($out) = @_;
    my ($resident, $num_sms) = $out =~ /a wave is (\d+) on each of (\d+)/ or return;
    my $wave = $resident * $num_sms;
    my (@blocks, $first);
    while ($out =~ /^ *(\d+) +(\d+) (?: *\d+)? +($NUMBER) +($NUMBER)  (#*)$/mg)
    {
        my ($blocks, $waves, $predicted, $ms, $bar) = ($1, $2, digits($3), digits($4), $5);
        $first //= $ms;
        push @blocks, $blocks;
        expect_text('waves', $waves, int(($blocks + $wave - 1) / $wave));
        expect('predicted', $predicted, sub { $waves * $_[0] }, $first);
        expect_bar('bar', $bar, sub { min(40, 32 * $_[0] / (4 * $_[1])) }, $ms, $first);
    }
    expect_stairs($wave, @blocks);
}

sub scalability_csv
{
    my ($out) = @_;
    my (@blocks, $first);
    while ($out =~ /^staircase,(\d+),($NUMBER),($NUMBER),$MS$/mg)
    {
        my ($blocks, $predicted, $ms) = ($1, digits($2, 6), digits($3, 6));
        $first //= $ms;
        expect('predicted', $predicted, sub { (1 + int(@blocks / 5)) * $_[0] }, $first);
        push @blocks, $blocks;
    }
    expect_stairs($blocks[4] // 0, @blocks);
}

looks_at('--steps 1000 -r 3', \&scalability, 61);
looks_at('--steps 1000 -r 3 --csv', \&scalability_csv, 21);
1;
