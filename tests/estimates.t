# How much memory the programs ask for before they allocate. tests/estimates.txt has the size, whose memory,
# and the GB in float and in double. The device has one byte here, or as many as a line says, so a program refuses a small size
# because of the device. It refuses a size that no machine can hold because of the host. On the CPU
# backend the host's memory includes the device's.
# A program must not allocate more than its estimate. If you change an estimate, run the program at a
# large size with CUDACPU_MEMORY set to the estimate: it must pass.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Suite;
use Test::More;

plan skip_all => 'a GPU has more than one byte' if $BACKEND eq 'cuda';

my @lines = grep { !/^#/ } split /\n/, read_text('tests/estimates.txt');
my %wanted = map { $_->{name} => $_ } programs(); # those of SUITE_ONLY
my %seen;
for (@lines)
{
    my ($command, $memory, $whose, @expected) = /^([^:,]+)(?:, device of (\S+))?: (device|host) (\S+) (\S+)$/ or die "tests/estimates.txt: $_\n";
    my ($name, @args) = split ' ', $command;
    $seen{$name} = 1;
    my $program = $wanted{$name} or next;
    for my $precision (qw(float double))
    {
        my $gb = shift @expected;
        next unless -x binary($program, $precision);
        my $ran = run([binary($program, $precision), @args], env => {CUDACPU_MEMORY => $memory // 1});
        ok(($ran->{status} // -1) == 2 && $ran->{err} =~ /^\S+: that size needs \Q$gb\E GB of the ${whose}'s/,
            "$command ($precision) asks the $whose for $gb GB")
          or diag(describe($ran));
    }
}
for my $program (buildable_programs())
{
    my $has = options($program) or next;
    next if !$has->{dims} || $program->{name} =~ /1cpu$/ || $program->{file} =~ /\.cpp$/;
    ok($seen{$program->{name}}, "tests/estimates.txt has $program->{name}");
}

pass('none of these programs has an estimate') unless Test::More->builder->current_test;
done_testing();
