# The programs of chapter 14 with one to four devices, which the CPU backend shows where
# CUDACPU_DEVICES asks for them. With each device more there is more to check.
# Inputs: ch14_multi_gpu/*.cu* common/*.cuh backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

plan skip_all => 'a machine has the GPUs that it has' if $BACKEND eq 'cuda';
my $dir = tempdir(CLEANUP => 1);
my @programs = grep { $_->{dir} eq 'ch14_multi_gpu' } programs();
plan skip_all => 'there is none of the programs asked for' unless @programs;

for my $program (@programs)
{
    # The default sizes are multiples of 4. 1003 is none: words remain after the last vector.
    for my $try (
        map {
            my $precision = $_;
            map { [$precision, @$_] } [], [-n => 1003]
        } qw(float double))
    {
        my ($precision, @args) = @$try;
        next unless -x binary($program, $precision);
        my $before = 0;
        for my $devices (1 .. 4)
        {
            my $ran = run([binary($program, $precision), @args], dir => $dir,
                env => {CUDACPU_DEVICES => $devices});
            my $title = "$program->{name} @args with $devices devices ($precision)";
            is($ran->{status}, 0, $title) or diag(describe($ran));
            my ($checks) = $ran->{out} =~ /^PASS: (\d+) checks$/m;
            cmp_ok($checks // 0, '>', $before, "$title checks more than with one less");
            $before = $checks // 0;
        }
    }
}

done_testing();
