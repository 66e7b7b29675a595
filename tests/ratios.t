# Tables that programs print themselves: each rate and each ratio is computed again from the times
# beside it. A printed number is rounded, so each is an interval here, and the intervals must meet.
# (Most tables come from common/versions.cuh, which has a test of its own.)
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(max min sum);
use Suite;
use Test::More;

my $NUMBER = qr/\d[\d.]*(?:e[-+]\d+)?/;
my $MS = qr/(?:CPU )?ms/;
my $REAL = 4; # bytes: the programs of single precision are run

# ---- Intervals: what a printed number stands for ----

sub fixed    # printed with %.1f, or with %d; none is negative
{
    my ($text) = @_;
    my $half = $text =~ /\.(\d+)/ ? 0.5 * 10 ** -length $1 : 0;
    return [max(0, $text - $half), $text + $half];
}

sub digits    # printed with %.4g; %g shows no zeros at the end
{
    my ($number, $digits) = (@_, 4);
    my $half = 0.5 * 10 ** (1 - $digits);
    return [$number * (1 - $half), $number * (1 + $half)];
}

# What a function can be of numbers in such intervals. It grows with each of them, or it falls.
sub values_of
{
    my ($function, @from) = @_;
    my @lists = ([]);
    for my $range (map { ref ? $_ : [$_, $_] } @from)
    {
        @lists = map { my $list = $_; map { [@$list, $_] } @$range } @lists;
    }
    my @values = map { $function->(@$_) } @lists;
    return [min(@values), max(@values)];
}

sub quotient
{
    my ($x, $y) = @_;
    return $y == 0 ? 1e300 : $x / $y;
}

my @wrong; # of the program that is looked at
my $looked_at;

sub expect
{
    my ($what, $printed, $function, @from) = @_;
    my $values = values_of($function, @from);
    my $slack = 1e-5 * abs $printed->[1];
    ++$looked_at;
    push @wrong, sprintf '%s: %g ... %g is printed, %g ... %g is right', $what, @$printed, @$values
      if $printed->[1] + $slack < $values->[0] || $printed->[0] - $slack > $values->[1];
}

sub expect_text
{
    my ($what, $printed, $right) = @_;
    ++$looked_at;
    push @wrong, "$what: '$printed' is printed, '$right' is right" if $printed ne $right;
}

# A ceiling that is printed nowhere, or with fewer digits: it must be the same in all rows.
sub expect_one
{
    my ($what, @ranges) = @_;
    my ($low, $high) = (max(map { $_->[0] } @ranges), min(map { $_->[1] } @ranges));
    ++$looked_at;
    push @wrong, "$what: $low at least in one row, $high at most in another" if $low > $high * (1 + 1e-5);
}

# A row of `number` signs that stands for a number: so many as the whole part of it.
sub expect_bar
{
    my ($what, $bar, $function, @from) = @_;
    my $values = values_of($function, @from);
    expect($what, [length $bar, 1 + length $bar], sub { $_[0] }, $values);
}

# Bytes or steps per ms, in units of 10^9 a second.
sub expect_rate
{
    my ($what, $printed, $amount, $ms) = @_;
    expect($what, $printed, sub { 1e-6 * quotient(@_) }, $amount, $ms);
}

# ---- The programs: how each is run, and what is looked at ----

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
        expect('the three parts', $ms{'all three together'}, sub { $_[0] + $_[1] + $_[2] + $_[3] },
            @ms{'x and y to the device', 'kernel', 'z to the host'}, [-0.001, 0.001]);    # as events round
        for my $name (sort keys %ratios)
        {
            my ($function, @parts) = @{$ratios{$name}};
            my @numbers = $out =~ /^$name +($NUMBER)[%x] +($NUMBER)[%x]$/m or return;
            expect($name, fixed($numbers[$column]), $function, @ms{@parts});
        }
    }
}

sub arithmetic1cpu
{
    my ($out) = @_;
    my ($ms) = $out =~ /^arithmetic on the host: ($NUMBER) $MS/m or return;
    my ($ns) = $out =~ /^($NUMBER) ns a step$/m or return;
    expect('ns a step', digits($ns, 3), sub { 1e6 * $_[0] / (960 * 1e4) }, digits($ms));
}

sub arithmetic2gpu
{
    my ($out) = @_;
    my @before;
    my $point = $BACKEND eq 'cuda' ? 3000 : 500; # ms
    while ($out =~ /^(\d+),($NUMBER),($NUMBER),($NUMBER),($NUMBER),(\d+)$/mg)
    {
        my ($N, $host, $device, $speed, $rate, $repeats) = ($1, (map { digits($_, 6) } $2, $3, $4, $5), $6);
        expect('speed-up', $speed, \&quotient, $host, $device);
        expect_rate('Gsteps/s', $rate, $N * 1e4, $device);
        expect('the host, 10 N', $host, sub { 10 * $_[0] }, $before[0]) if @before;
        expect('repeats', fixed($repeats), sub { int min(10, max(1, $point / (10 * $_[0]) - 1)) },
            $before[1]) if @before;
        @before = ($host, $device);
    }
}

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
        push @ceilings, values_of(\&quotient, values_of(sub { 2e-4 * $REAL * 20000 / $_[0] }, $ms), $of_ceiling);
    }
    expect_one('ceiling', @ceilings);
}

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

sub registers
{
    my ($out) = @_;
    my ($num_sms, $registers) = $out =~ /^each of (\d+) multiprocessors: (\d+) reg/m or return;
    for my $list ([$out =~ /^\w+ (?: *\d+){6} +($NUMBER) +($NUMBER)$/mg], [$out =~ /^ *\d+% of .* ($NUMBER) +($NUMBER)$/mg])
    {
        for (my $i = 0; $i < @$list; $i += 2)
        {
            expect('x first', fixed($list->[$i + 1]), \&quotient, map { digits($_) } @{$list}[$i, 0]);
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
    expect('KB of columns', [$kb - 0.5, $kb + 0.5], sub { $blocks * 64 * 128 * $REAL / $num_sms / 1024 });
}

# The blocks of the staircase, in each form; the first time.
sub expect_stairs
{
    my ($wave, @blocks) = @_;
    my @right = map { int($_ / 5) * $wave + ($_ % 5 == 0 ? 1 : max(1, int($_ % 5 * $wave / 4))) } 0 .. 19;
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

sub latency
{
    my ($out) = @_;
    my ($num_sms) = $out =~ / KB must be on their way to (\d+) multiprocessors$/m or return;
    my ($latency, $ceiling, $kb) =
      map { [$_ - 0.5, $_ + 0.5] } $out =~ /^latency (\d+) ns x ceiling (\d+) GB\/s = (\d+) KB/m or return;
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
            my ($warps, $of_most, $predicted, $rate, $share, $bar) = ($1, map({ fixed($_) } $2, $3, $4, $5), $6);
            push @warps, $warps;
            expect('occupancy', $of_most, sub { 100 * $warps / $most });
            expect('predicted', $predicted, sub { $_[0] * min(quotient($warps, $_[1]), 1) }, $ceiling, $needed);
            expect('share', $share, sub { 100 * quotient(@_) }, $rate, $ceiling);
            expect_bar('bar', $bar, sub { 0.4 * min($_[0], 100) }, $share);
        }
        expect_text('warps', "@warps", "1 2 4 8 16 @{[int($most / 2), int($most * 3 / 4), $most]}");
    }
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
        expect('predicted', $_->[1], sub { min($_[0] * $_[1], $_[2]) }, $_->[0], $one, $all) for @$rows;
    }
}

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

sub aos_soa
{
    my ($out) = @_;
    my %first;
    for (split /\n/, $out)
    {
        expect('MB', digits($2, 3), sub { 9 * $REAL * $1 * 1e-6 }) if /^N = (\d+): .* take ($NUMBER) MB/;
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

# An error is 0 in both units or in none, and where a bound is a number, it is kept.
sub math_functions
{
    my ($out) = @_;
    while ($out =~ /^(?:float|double) +(\S.*?)  .* ($NUMBER) +($NUMBER)  ($NUMBER)( \+ \S+)? (ulp|absolute) +$NUMBER$/mg)
    {
        my ($name, $ulps, $absolute, $bound, $per_x, $unit) = ($1, $2, $3, $4, $5, $6);
        expect_text("$name: an error in ulp", $ulps > 0 ? 'yes' : 'no', $absolute > 0 ? 'yes' : 'no');
        my $error = $unit eq 'ulp' ? $ulps : $absolute;
        expect("$name: allowed", digits($bound, 2), sub { max($bound, 0.99 * $error) }) if !$per_x;
    }
}

# Each program: its arguments, what looks at its output, and at how many numbers.
my @TABLES = (
    ['add1cpu', '-n 300000', \&add1cpu, 5],
    ['add3memcpy', '-n 300000 -r 3', \&add3memcpy, 18],
    ['arithmetic1cpu', '-n 960', \&arithmetic1cpu, 1],
    ['arithmetic2gpu', '--csv --sweep', \&arithmetic2gpu, 6],
    ['math-functions', '-n 20000 -r 2', \&math_functions, 76],
    ['occupancy', '-n 20000 -r 3', \&occupancy, 100],
    ['pitched', '-n 7x203x301 -r 3', \&pitched, 3],
    ['registers', '-n 50000 -r 3', \&registers, 17],
    ['scalability', '--steps 1000 -r 3', \&scalability, 61],
    ['scalability', '--steps 1000 -r 3 --csv', \&scalability_csv, 21],
    ['latency', '-n 200000 -r 3', \&latency, 71],
    ['latency', '-n 200000 -r 3 --csv', \&latency_csv, 17],
    ['coalescing', '-n 50021 -r 3', \&coalescing, 18],
    ['gather', '-n 100000 -r 3', \&gather, 75],
    ['aos-soa', '-n 40009 -r 3', \&aos_soa, 74]);
my %asked = map { $_->{name} => 1 } programs(); # those of SUITE_ONLY
for (grep { $asked{$_->[0]} && -x binary(program($_->[0]), 'float') } @TABLES)
{
    my ($name, $args, $look, $least) = @$_;
    my $ran = run([binary(program($name), 'float'), split ' ', $args]);
    next if ($ran->{status} // 1) == 77;
    @wrong = ();
    $looked_at = 0;
    $look->($ran->{out});
    ok($looked_at >= $least, "$name $args: $looked_at numbers are looked at, at least $least")
      or diag(describe($ran));
    ok(!@wrong, "$name $args: rates and ratios") or diag(map({ "$_\n" } @wrong), $ran->{out});
}
pass('none of these programs prints a table of its own') unless Test::More->builder->current_test;
done_testing();
