# What every program must stand: sizes, block sizes, seeds and versions, for the options it has.
package Battery;
use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(LOCK_EX);
use Suite;
use Test::More;

our @EXPORT = qw(options battery run_battery golden by_block);

# By number of dimensions: one, a warp and one, no multiple of anything, 2^20 + 3.
my @SIZES = (
    [],
    [qw(1 33 1000 1048579)],
    [qw(1x1 33x17 1000x31 67x129)],
    [qw(1x1x1 33x17x5 67x129x31 100x1x257)]
);
my @BLOCKS = ([], [qw(32 128 1024)], [qw(32x1 16x16 32x32 1x1024)]);

# The options a program has, learned from its --help; undef if it reads no arguments at all.
sub options
{
    my ($program, $binary) = @_;
    my $ran = run([$binary, '--help']);
    return undef unless $ran->{out} =~ /^\Q$program->{name}\E: /;
    my ($usage) = $ran->{out} =~ /^usage: \S+ (.*)$/m;
    my %has = (help => $ran, usage => $usage // '', dims => 0, block => 0, numbers => [],
        texts => []);
    for (split /\n/, $ran->{out})
    {
        $has{dims} = () = $1 =~ /[MNK]/g if /^  -n ([MNKx]+) /;
        $has{block} = /XxBY/ ? 2 : 1 if /^  -b B/;
        $has{$1} = 1 if /^  -([rsko]) /;
        $has{$1} = 1 if /^  --(book|csv) /;
        push @{$has{numbers}}, $1 if /^  --([\w-]+) N /;
        push @{$has{texts}}, $1 if /^  --([\w-]+) TEXT /;
    }
    $has{positional} = $has{usage} =~ /\[N\]|FILE/;
    return \%has;
}

# Lists of arguments, the quick ones first. A program that is wrong on purpose or does not check
# itself has its own tests.
sub battery
{
    my ($program, $has) = @_;
    return () if !$has || $program->{Expect} != 0 || !defined $program->{Checks};
    my @quick = $has->{r} ? ('-r', 2) : ();
    my @sizes = $has->{dims} ? split(' ', $program->{Sizes} // "@{$SIZES[$has->{dims}]}") : ();
    my @size = @sizes ? ('-n', $sizes[@sizes / 2]) : ();
    my @blocks = @{$BLOCKS[$has->{block}]};
    my @seeds = $has->{s} ? (0, 2, 12345) : ();
    return (
        (map { ['-n', $_, @quick] } @sizes),
        (map { ['-b', $_, @size, @quick] } @blocks),
        (map { ['-s', $_, @size, @quick] } @seeds),
        ($has->{k} ? map { ['-k', $_, @size, @quick] } @{$program->{versions}} : ()),
        (map { ["--$_", @size, @quick] } grep { $has->{$_} } qw(book csv)));
}

# The test files programs-PRECISION-iofn.t share the programs among n, so that prove -j has
# something to do; a program's place in the list decides.
sub run_battery
{
    my ($file) = @_;
    my ($precision, $i, $n) = $file =~ /programs-(\w+)-(\d+)of(\d+)\.t$/ or die "$file: no part";
    my @all = programs();
    my @part = map { $all[$_] } grep { $_ % $n == $i % $n } 0 .. $#all;
    plan(skip_all => 'none of the programs asked for is in this part') unless @part;
    for my $program (@part)
    {
        if (!-x binary($program, $precision))
        {
            fail("$program->{name} ($precision) is built");
            next;
        }
        my $has = options($program, binary($program, $precision));
        if ($has)
        {
            is(($has->{help}{out} =~ /^(.*)\n/)[0], "$program->{name}: $program->{sentence}",
                "$program->{name} --help begins with the sentence of its header comment");
        }
        my $ran = alone($precision, sub { runs_right($program, $precision) });
        if (my $golden = golden($program))
        {
            my @args = @{$golden->{args}};
            $ran = runs_right($program, $precision, @args) if @args;
            is(by_block($ran->{out}, $golden->{block}), $golden->{text},
                join ' ', $program->{name}, @args, 'prints its golden text');
        }
        runs_right($program, $precision, @$_) for battery($program, $has);
        few_threads($program, $precision) if battery($program, $has) && $has->{block} == 1;
    }
    done_testing();
}

# A grid of a thread or a few: enough for a vector, too few for what is left over. Programs that
# want whole warps say so.
sub few_threads
{
    my ($program, $precision) = @_;
    my $ran = run([binary($program, $precision), '-n', 3, '-b', 1]);
    my $refused = $ran->{status} == 2 && $ran->{err} =~ /-b takes whole warps/;
    ok($ran->{status} == 0 || $refused, "$program->{name} -n 3 -b 1 ($precision)")
      or diag(describe($ran));
}

# The default sizes take much memory on a GPU and every core without one: one program at a time in
# each precision.
sub alone
{
    my ($precision, $code) = @_;
    my $file = "$ROOT/tests/programs-$precision-1of4.t";
    open my $lock, '<', $file or die "$file: $!\n";
    flock $lock, LOCK_EX or die "$file: $!\n";
    return $code->();
}

# golden/NAME.txt is all that a program prints, where that is the same everywhere. Lines before it
# say how it came: `#args: ...` with which arguments (default: none), `#blocks: REGEX` that lines
# come from blocks, in any order, which the regex tells apart; the lines of one block keep theirs.
sub golden
{
    my ($program) = @_;
    my $file = "$ROOT/tests/golden/$program->{name}.txt";
    return undef unless -e $file;
    my $text = read_text($file);
    my $args = $text =~ s/^#args: (.*)\n// ? $1 : '';
    my $block = $text =~ s/^#blocks: (.*)\n// ? qr/$1/ : qr/$^/;
    return {args => [split ' ', $args], block => $block, text => by_block($text, $block)};
}

sub by_block
{
    my ($text, $block) = @_;
    my %lines;
    $lines{/$block/ ? $1 : ''} .= $_ for $text =~ /[^\n]*\n|[^\n]+\z/g;
    return join '', map { $lines{$_} } sort keys %lines;
}

1;
