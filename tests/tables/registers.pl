# What follows from what in the tables of registers: see tests/ratios.t.

sub registers
{
    my ($out) = @_;
    my ($num_sms, $registers) = $out =~ /^each of (\d+) multiprocessors: (\d+) reg/m or return;
    for my $list (
        [$out =~ /^\w+ (?: *\d+){6} +($NUMBER) +($NUMBER)$/mg],
        [$out =~ /^ *\d+% of .* ($NUMBER) +($NUMBER)$/mg])
    {
        for (my $i = 0; $i < @$list; $i += 2)
        {
            expect('x first', fixed($list->[$i + 1]),
                \&quotient, map { digits($_) } @{$list}[$i, 0]);
        }
    }
    while ($out =~ /^\w+ +(\d+) +(\d+) +\d+ +(\d+) +(\d+) +(\d+) +$NUMBER +$NUMBER$/mg)
    {
        expect('registers of a multiprocessor', fixed($4), sub { $3 * $1 });
        expect('KB of local memory', fixed($5), sub { int($3 * $2 / 1024) });
    }
    expect_text('of each thread', $out =~ / threads = (\d+) for each/, int($registers / 1024));
    my ($blocks, $kb) = $out =~ /^local, in (\d+) blocks: (\d+) KB of columns/m or return;
    my ($tiles, $few) = (7, int(65536 / (64 * 128 * $REAL)) * $num_sms);
    expect_text('blocks', $blocks, min($tiles, $few));
    expect(
        'KB of columns',
        [$kb - 0.5, $kb + 0.5],
        sub { $blocks * 64 * 128 * $REAL / $num_sms / 1024 });
}

looks_at('-n 50000 -r 3', \&registers, 17);
1;
