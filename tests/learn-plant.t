# The judge of `make learn` refuses the planter's bugs in the solution of each exercise: all of them with
# SUITE_EXHAUSTIVE=1, else some of each kind.
# Inputs: backend make exercises/* tests/Bugs.pm
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bugs;
use Suite;
use Test::More;
use lib "$ROOT/make";
use Exercise;
use Judge;

plan skip_all => 'exercises are judged by the CPU backend, which is not built' if !glob 'cpu/build/libcudacpu-*.a';

# What computes the same: 'NAME: old -> new', and why.
my %SAME = ('06_host_pointer: 128 -> 129' => 'larger blocks: some threads more have no number',
    '13_transpose: 33 -> 34' => 'another padding', '13_transpose: 33 -> 32' => 'no padding: slower, and right',
    (map { ("17_negative: $_" => 'other blocks, or more of them') } '32 -> 33', '32 -> 31', '31 -> 32', '8 -> 7', '7 -> 8', '8 -> 9', '/ -> *'),
    (map { ("18_structures: $_" => 'other blocks, or more of them') } '256 -> 255', '255 -> 256', '256 -> 257'),
    (map { ("18_structures: $_" => 'no kernel here wants x and y') } 'x -> y', 'y -> x', 'bytes -> (bytes) / 2', 'bytes -> (bytes) - 1',
        map { "cudaMemcpy(${_}_there, $_, bytes, cudaMemcpyHostToDevice); -> ;" } 'x', 'y'),
    (map { ("19_banks: $_" => 'more blocks') } '/ -> *', '31 -> 32', '32 -> 31'));

my $EACH = 5;

# The solution with the places of the reader's parts in it: [first, end].
sub with_places
{
    my ($e) = @_;
    my ($text, @places) = (Exercise::readers_file($e, 'en', ''));
    for (@{$e->{code}})
    {
        my $piece = Exercise::in_language(ref ? $_->{solution} : $_, 'en');
        push @places, [length $text, length($text) + length $piece] if ref;
        $text .= $piece;
    }
    return ($text, @places);
}

@ENV{qw(LC_ALL LANGUAGE)} = ('C', '');
$Judge::is_frugal = 1;
my $folder = tempdir(CLEANUP => 1);
for my $file (Exercise::files('exercises'))
{
    my $e = Exercise::read_exercise($file);
    next if $e->{Kind} =~ /^(?:predict|test)$/; # (there the reader's part is no kernel)
    my ($text, @places) = with_places($e);
    my %of_kind;
    for my $bug (bugs($text))
    {
        my $is_his = grep { $bug->{at} >= $_->[0] && $bug->{at} + $bug->{length} <= $_->[1] } @places;
        push @{$of_kind{$bug->{kind}}}, $bug if $is_his;
    }
    # From each kind in turn, always the same ones.
    srand 1;
    my @chosen;
    while (my @kinds = grep { @{$of_kind{$_}} } sort keys %of_kind)
    {
        push @chosen, map { splice @{$of_kind{$_}}, rand @{$of_kind{$_}}, 1 } @kinds;
    }
    splice @chosen, $EACH if @chosen > $EACH && !$ENV{SUITE_EXHAUSTIVE};
    my ($died, %how) = (0);
    for my $bug (@chosen)
    {
        my $old = substr $text, $bug->{at}, $bug->{length};
        my $what = "$e->{name}: $old -> $bug->{new}" =~ s/\s+/ /gr;
        next if $SAME{$what};
        write_text("$folder/$e->{name}.cu", planted($text, $bug));
        my $v = Judge::judge($e, "$folder/$e->{name}.cu");
        $how{$v->{id}} = 1;
        isnt($v->{id}, 'passed', $what);
        isnt($v->{id}, 'judge', '... by the judge') or diag($v->{en});
    }
    note("$e->{name}: " . @chosen . q( bugs, ) . keys(%how) . q( sentences)); # (a printf has none)
}
done_testing();
