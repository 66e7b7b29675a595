# Tables that programs print themselves: each rate and each ratio is computed again from the times
# beside it. A printed number is rounded, so each is an interval here, and the intervals must meet.
# (Most tables come from common/versions.cuh, which has a test of its own.)
# Inputs: programs backend tests/tables/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(max min sum);
use Suite;
use Test::More;

our $NUMBER = qr/\d[\d.]*(?:e[-+]\d+)?/;
our $MS = qr/(?:CPU )?ms/;
our $REAL = 4; # bytes: the programs of single precision are run

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
    push @wrong, "$what: $low at least in one row, $high at most in another"
      if $low > $high * (1 + 1e-5);
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

# ---- The programs ----

# tests/tables/NAME.pl says how that program is run, what looks at its output, and at how many
# numbers at least.
my @looks;

sub looks_at
{
    push @looks, [@_];
}

for my $program (grep { -e "tests/tables/$_->{name}.pl" && -x binary($_, 'float') } programs())
{
    my $name = $program->{name};
    @looks = ();
    require "./tests/tables/$name.pl";
    for (@looks)
    {
        my ($args, $look, $least) = @$_;
        my $ran = run([binary($program, 'float'), split ' ', $args]);
        next if ($ran->{status} // 1) == 77;
        @wrong = ();
        $looked_at = 0;
        $look->($ran->{out});
        ok($looked_at >= $least, "$name $args: $looked_at numbers are looked at, at least $least")
          or diag(describe($ran));
        ok(!@wrong, "$name $args: rates and ratios")
          or diag(map({ "$_\n" } @wrong), $ran->{out});
    }
}
pass('none of these programs prints a table of its own') unless Test::More->builder->current_test;
done_testing();
