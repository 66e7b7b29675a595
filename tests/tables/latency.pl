# What follows from what in the tables of latency: see tests/ratios.t.

sub latency
{
    my ($out) = @_;
    my ($num_sms) = $out =~ / KB must be on their way to (\d+) multiprocessors$/m or return;
    my ($latency, $ceiling, $kb) =
      map { [$_ - 0.5, $_ + 0.5] } $out =~ /^latency (\d+) ns x ceiling (\d+) GB\/s = (\d+) KB/m
      or return;
    expect('KB', $kb, sub { $_[0] * $_[1] / 1024 }, $latency, $ceiling);
    for (split /^(?=\d+ bytes a thread)/m, $out)
    {
        my ($width, $of_warp, $needed, $most) =
          /^(\d+) bytes a thread, (\d+) a warp: ($NUMBER) warps .* needed, (\d+) can be$/m or next;
        $needed = fixed($needed);
        expect_text('bytes of a warp', $of_warp, 32 * $width);
        expect('needed', $needed, sub { $_[0] * $_[1] / $num_sms / $of_warp }, $latency, $ceiling);
        my @warps;
        while (/^ *(\d+) +($NUMBER)% +($NUMBER) +($NUMBER) +($NUMBER)  (#*)$/mg)
        {
            my ($warps, $of_most, $predicted, $rate, $share, $bar) =
              ($1, map({ fixed($_) } $2, $3, $4, $5), $6);
            push @warps, $warps;
            expect('occupancy', $of_most, sub { 100 * $warps / $most });
            expect('predicted', $predicted, sub { $_[0] * min(quotient($warps, $_[1]), 1) },
                $ceiling, $needed);
            expect('share', $share, sub { 100 * quotient(@_) }, $rate, $ceiling);
            expect_bar('bar', $bar, sub { 0.4 * min($_[0], 100) }, $share);
        }
        expect_text('warps', "@warps", "1 2 4 8 16 @{[int($most / 2), int($most * 3 / 4), $most]}");
    }
}

sub latency_csv
{
    my ($out) = @_;
    my %warps;
    while ($out =~ /^warps of (\d+) bytes,(\d+),($NUMBER),($NUMBER),GB\/s$/mg)
    {
        my ($width, $warps, $predicted, $rate) = ($1, $2, digits($3, 6), $4);
        push @{$warps{$width}}, [$warps, $predicted];
    }
    expect_text('widths', join(' ', sort keys %warps), '16 4');
    for my $rows (values %warps)
    {
        my ($one, $all) = ($rows->[0][1], $rows->[-1][1]);
        expect('predicted', $_->[1], sub { min($_[0] * $_[1], $_[2]) }, $_->[0], $one, $all)
          for @$rows;
    }
}

looks_at('-n 200000 -r 3', \&latency, 71);
looks_at('-n 200000 -r 3 --csv', \&latency_csv, 17);
1;
