# What every program must stand: sizes, block sizes, seeds and versions, for the options it has.
package Battery;
use strict;
use warnings;
use Exporter 'import';
use Suite;
use Test::More;

our @EXPORT = qw(options battery run_battery with_golden);

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
    my %has = (help => $ran, usage => $usage // '', dims => 0, block => 0, numbers => [], texts => []);
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
    for my $program (map { $all[$_] } grep { $_ % $n == $i % $n } 0 .. $#all)
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
        my $ran = runs_right($program, $precision);
        my ($printed, $golden) = with_golden($program, $ran);
        is($printed, $golden, "$program->{name} prints its golden text") if defined $golden;
        runs_right($program, $precision, @$_) for battery($program, $has);
    }
    done_testing();
}

# golden/NAME.txt is all that a program prints, where that is fixed. `#blocks: REGEX` in its first
# line finds the block in a line: blocks print in any order, the lines of one block in theirs.
# Returns (what it printed, what it should), both in an order that can be compared, or nothing.
sub with_golden
{
    my ($program, $ran) = @_;
    my $file = "$ROOT/tests/golden/$program->{name}.txt";
    return () unless -e $file;
    my $golden = read_text($file);
    my $block = $golden =~ s/^#blocks: (.*)\n// ? qr/$1/ : qr/$^/;
    return map { by_block($_, $block) } $ran->{out}, $golden;
}

sub by_block
{
    my ($text, $block) = @_;
    my %lines;
    $lines{/$block/ ? $1 : ''} .= $_ for $text =~ /[^\n]*\n|[^\n]+\z/g;
    return join '', map { $lines{$_} } sort keys %lines;
}

1;
