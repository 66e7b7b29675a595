# What every program must stand: sizes, block sizes, seeds and versions, for the options it has.
package Battery;
use strict;
use warnings;
use Exporter 'import';
use File::Compare;
use List::Util qw(max);
use Suite;
use Parallel;
use Device;
use Test::More;

our @EXPORT = qw(options usage shown_usage too_wide abbreviations sizes battery is_reversed late_runs run_battery goldens shown $FEW is_tried_with_few is_right_with_few quick_runs prints_goldens);

# By number of dimensions: one, a warp and one, no multiple of anything, what fills an allocation to
# its end, and one more than many tiles: 2^20 + 1. The one in the middle is also tried with the
# other options.
my @SIZES = (
    [],
    [qw(1 33 1003 64 1048577)],
    [qw(1x1 33x17 1000x31 64x64 67x129)],
    [qw(1x1x1 33x17x5 67x129x31 64x64x33 100x1x257)]
);
my @BLOCKS = ([], [qw(32 96 1024)], [qw(32x1 16x16 32x32 1x1024)]);
my @SEEDS = (0, 2, 12345);

# The options a program has, as it says itself; undef if it reads no arguments at all.
sub options
{
    my ($program) = @_;
    return undef unless $program->{reads_args} || defined $program->{Options};
    described($program);
    my %has = (dims => 0, block => 0, numbers => [], decimals => [], texts => [], flags => [],
        positional => $program->{positional});
    $has{names} = [grep { !/^(N|FILE)$/ } split ' ', $program->{positional} // ''];
    for (@{$program->{options}})
    {
        my ($name, $value) = ($_->[0] =~ s/^-+//r, $_->[1]);
        $has{$name} = 1;
        $has{dims} = 1 + ($value =~ tr/x//) if $name eq 'n';
        $has{block} = $value eq 'B' ? 1 : 2 if $name eq 'b';
        next if length $name == 1;
        my %lists =
          ('' => $has{flags}, X => $has{decimals}, map { $_ => $has{texts} } qw(TEXT FILE WORD));
        push @{$lists{$value} // $has{numbers}}, $name;
    }
    return \%has;
}

# The line of --help that names a program's options, before it is broken.
sub usage
{
    my ($program) = @_;
    described($program);
    my %last = (N => ' [N]', FILE => ' [FILE ...]', '' => '');
    return join('', "usage: $program->{name}",
        map({ $_->[1] eq '' ? " [$_->[0]]" : " [$_->[0] $_->[1]]" } @{$program->{options}}),
        ' [-h]',
        $last{$program->{positional} // ''} // map { " [$_]" } split ' ',
        $program->{positional});
}

# The same line of what --help has printed: the rest of it stands below its first option.
sub shown_usage
{
    my ($help) = @_;
    my ($usage) = $help =~ /^(usage: .*\n(?: {8,}\[.*\n)*)/m;
    return ($usage // '') =~ s/\n +/ /gr =~ s/\n//r;
}

# The lines of a text that are wider than 80 columns. A Chinese character has two.
sub too_wide
{
    my ($text) = @_;
    utf8::decode($text);
    my @wide = grep { length($_) + ($_ =~ tr/\x{2014}\x{2018}-\x{201d}\x{2026}\x{2e80}-\x{ffef}//) > 80 }
      split /\n/, $text;
    utf8::encode($_) for @wide;
    return join "\n", @wide;
}

# What is no option, but the beginning of one of its long options, or of --help or --version.
sub abbreviations
{
    my ($program) = @_;
    my %is_option = map { $_->[0] => 1 } @{described($program)->{options}};
    return grep { !$is_option{$_} && /^--./ }
      map { substr $_, 0, -1 } '--help', '--version', grep { /^--/ } keys %is_option;
}

# The runs of the battery that a program must stand on a late device, too: the CPU backend then runs
# only what the host waits for, and the latest first. In order of issue a program that forgets to
# wait is right by chance. Nothing on a GPU, and for a program without streams and without memory
# that the host and the device share.
sub late_runs
{
    my ($program) = @_;
    my @runs = $BACKEND eq 'cpu' && waits($program) ? battery($program) : ();
    return @runs > 3 ? @runs[0 .. 2] : @runs;
}

# Whether the host and the device work at the same time, and have to wait for each other.
sub waits
{
    my ($program) = @_;
    my $must_wait = qr/\bcudaStream_t\b|Async\b|cudaLaunchHostFunc|Managed\b|__managed__|cudaHostAlloc|cudaMallocHost/;
    return scalar grep { read_text($_) =~ $must_wait }
      $program->{file}, glob "$program->{dir}/$program->{name}_*.cuh";
}

# The sizes that a program is tried with: those of Sizes:, or the usual ones of its -n.
sub sizes
{
    my ($program) = @_;
    my $has = options($program) // {names => [], dims => 0};
    my $usual = $has->{dims} ? "@{$SIZES[$has->{dims}]}" : '';
    return @{$has->{names}} || $has->{dims} ? split ' ', $program->{Sizes} // $usual : ();
}

# Lists of arguments, the quick ones first. A program that is wrong on purpose or does not check
# itself has its own tests.
sub battery
{
    my ($program) = @_;
    my $has = options($program);
    return () if !$has || $program->{Expect} != 0 || !defined $program->{Checks};
    my @quick = $has->{r} ? ('-r', 2) : ();
    my @sizes = sizes($program);
    my @name = @{$has->{names}} ? () : '-n';
    my @size = @sizes ? (@name, $sizes[@sizes / 2]) : ();
    # What changes only where the results go is tried in the run of that size.
    my @output =
      (($has->{csv} ? '--csv' : ()), ($has->{o} && $has->{dims} ? ('-o', 'tried-') : ()));
    my @runs = map { [@name, $_] } @sizes;
    push @{$runs[@sizes / 2]}, @output if @sizes;
    return (
        with_options(\@runs, [@size],
            [map { ['-b', $_] } @{$BLOCKS[$has->{block}]}],
            [map { ['-s', $_] } $has->{s} ? @SEEDS : ()], \@quick),
        ($has->{k} ? map { ['-k', $_, @size, @quick] } @{$program->{versions}} : ()),
        ($has->{book} ? ['--book', @size, @quick] : ()),
        ($has->{csv} && !@sizes ? ['--csv', @quick] : ()),
        (map { [split] } split /;/, $program->{Also} // ''));
}

# What `make test` runs: the size in the middle, with the first block size, seed and other options
# that go with it, and on the CPU backend the smallest one with the last warp first, and one on a
# late device. A program without sizes runs as it is.
sub quick_runs
{
    my ($program) = @_;
    my ($count, @battery) = (scalar(my @sizes = sizes($program)), battery($program));
    if (!$count || !@battery)
    {
        return $program->{Expect} == 0 && !goldens($program) ? {args => []} : ();
    }
    my $middle = $battery[$count / 2];
    my @late = late_runs($program) ? {args => $middle, late => 1} : ();
    return ({args => $middle}, $BACKEND eq 'cpu' ? {args => $battery[0], reversed => 1} : (), @late);
}

# On the CPU backend the last warp of each block begins in the first run, in the third, and so on,
# and in double in all others: no program may rely on an order of the warps.
sub is_reversed
{
    my ($number, $precision) = @_;
    return ($number + ($precision eq 'double')) % 2 ? 0 : 1;
}

# Sizes, blocks and seeds in as few runs as try each of them: the first size with the default block
# and seed, the second with the first of each, and so on. `size` takes the place of sizes that have
# run out.
sub with_options
{
    my ($sizes, $size, $blocks, $seeds, $quick) = @_;
    my $last = max($#$sizes, scalar @$blocks, scalar @$seeds);
    my @runs;
    for my $i ((@$sizes ? 0 : 1) .. $last)
    {
        my @options = $i == 0 ? () : map { @{$_->[$i - 1] // []} } $blocks, $seeds;
        push @runs, [@{$sizes->[$i] // $size}, @options, @$quick];
    }
    return @runs;
}

# The tests of all programs in both precisions, or in those that SUITE_PRECISIONS names. The jobs
# of most runs come first, so that no core is left with one of them at the end. A run that waits
# takes as long as three.
sub run_battery
{
    my @programs = buildable_programs();
    plan(skip_all => 'there is none of the programs asked for') unless @programs;
    my @precisions = split ' ', $ENV{SUITE_PRECISIONS} // 'float double';
    my %runs = map { $_->{name} => (waits($_) ? 3 : 1) * (my @lists = battery($_)) } @programs;
    my @jobs = map { my $program = $_; map { {program => $program, precision => $_} }
          $precisions[1] && is_one_binary($program) ? $precisions[0] : @precisions }
      sort { $runs{$b->{name}} <=> $runs{$a->{name}} } @programs;
    test_in_parallel(
        sub { test_program(@{$_[0]}{qw(program precision)}) },
        sub { "$_[0]{program}{name} ($_[0]{precision})" },
        \@jobs, room_for(2048));
}

# Whether a program without `real` is the same in both precisions, byte for byte: make copies it.
# Once tried, it is tried.
sub is_one_binary
{
    my ($program) = @_;
    my ($float, $double) = map { binary($program, $_) } qw(float double);
    return -x $float && -x $double && compare($float, $double) == 0;
}

sub test_program
{
    my ($program, $precision) = @_;
    if (!-x binary($program, $precision))
    {
        fail("$program->{name} ($precision) is built");
        return;
    }
    if (my $has = options($program))
    {
        my $help = run([binary($program, $precision), '--help']);
        is( ($help->{out} =~ /\A(.*?)\n\n/s)[0] =~ s/\n */ /gr,
            "$program->{name}: $program->{sentence}",
            "$program->{name} --help begins with the sentence of its header comment");
    }
    my @battery = battery($program);
    my $is_double_on_gpu = $BACKEND eq 'cuda' && $precision eq 'double';
    @battery = fewer_starts($is_double_on_gpu, @battery) if $BACKEND eq 'cuda';
    for my $i (0 .. $#battery)
    {
        local $ENV{CUDACPU_REVERSE} = is_reversed($i, $precision);
        runs_right($program, $precision, @{$battery[$i]});
    }
    {
        local $ENV{CUDACPU_LATE} = 1;
        runs_right($program, $precision, @$_) for late_runs($program);
    }
    few_threads($program, $precision) if is_tried_with_few($program) && !$is_double_on_gpu;
    my $ran = with_the_whole_device($precision, sub { runs_right($program, $precision) });
    prints_goldens($program, $precision, $ran);
}

# $ran is a run without arguments; if none is given there will be one where a golden text needs it.
sub prints_goldens
{
    my ($program, $precision, $ran) = @_;
    for my $golden (goldens($program))
    {
        next if ($golden->{precision} || $precision) ne $precision;
        my @args = @{$golden->{args}};
        my $its = @args ? runs_right($program, $precision, @args)
          : $ran // with_the_whole_device($precision, sub { runs_right($program, $precision) });
        my $title = join ' ', $program->{name}, @args, 'prints its golden text';
        my $is_smaller = $its->{err} =~ /: N halved to /;
        Test::More->builder->skip("$title: too little memory") if $is_smaller;
        is(shown($golden, $its->{out}), $golden->{text}, $title) if !$is_smaller;
    }
}

# CUDA starts one process at a time, five a second, so a GPU gets fewer runs than the CPU backend:
# of the versions only the last one is tried alone, and in double every other run, and no version.
sub fewer_starts
{
    my ($is_double, @battery) = @_;
    my @alone = grep { $_->[0] eq '-k' } @battery;
    my @together = grep { $_->[0] ne '-k' } @battery;
    return (@together, @alone ? $alone[-1] : ()) if !$is_double;
    return map { $together[$_] } grep { $_ % 2 == 0 } 0 .. $#together;
}

# A grid of a thread or a few: enough for a vector, too few for what is left over. Programs that
# want whole warps say so.
our $FEW = '-n 3 -b 1';

sub is_tried_with_few
{
    my ($program) = @_;
    my ($has, @battery) = (options($program), battery($program));
    return @battery && $has->{dims} == 1 && $has->{block} == 1;
}

sub is_right_with_few
{
    my ($ran) = @_;
    my $status = $ran->{status} // -1;
    return $status == 0 || ($status == 2 && $ran->{err} =~ /-b takes whole warps/);
}

sub few_threads
{
    my ($program, $precision) = @_;
    my $ran = run([binary($program, $precision), split ' ', $FEW]);
    ok(is_right_with_few($ran), "$program->{name} $FEW ($precision)") or diag(describe($ran));
}

# golden/NAME.txt is all that a program prints, where that is the same everywhere. NAME.2.txt is
# what another run prints. Lines before it say how it came: `#args: ...` with which arguments
# (default: none), `#blocks: REGEX` that lines come from blocks, in any order, which the regex tells
# apart; the lines of one block keep theirs; `#keep: REGEX` that of each line only what it captures
# is the same everywhere, as all but times; `#precision: float` that double has another text.
sub goldens
{
    my ($program) = @_;
    return map { golden($_) } grep { -e } map { "$ROOT/tests/golden/$program->{name}$_.txt" } '',
      '.2';
}

sub golden
{
    my ($file) = @_;
    my $text = read_text($file);
    my $args = $text =~ s/^#args: (.*)\n// ? $1 : '';
    my $block = $text =~ s/^#blocks: (.*)\n// ? qr/$1/ : qr/$^/;
    my $precision = $text =~ s/^#precision: (.*)\n// ? $1 : '';
    my $keep = $text =~ s/^#keep: (.*)\n// ? qr/$1/ : qr/^(.*)$/s;
    return {args => [split ' ', $args], block => $block, keep => $keep,
        precision => $precision, text => by_block($text, $block)};
}

# What of a program's output its golden text must equal.
sub shown
{
    my ($golden, $out) = @_;
    my @kept = map { $_ =~ $golden->{keep} ? grep { defined } @{^CAPTURE} : () }
      $out =~ /[^\n]*\n|[^\n]+\z/g;
    return by_block(join('', map { s/\n?\z/\n/r } @kept), $golden->{block});
}

sub by_block
{
    my ($text, $block) = @_;
    my %lines;
    $lines{/$block/ ? $1 : ''} .= $_ for $text =~ /[^\n]*\n|[^\n]+\z/g;
    return join '', map { $lines{$_} } sort keys %lines;
}

1;
