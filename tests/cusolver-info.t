# cusolver-info: with a NaN in the matrix it tells devInfo and ends with status 3, and prints no values.
# Inputs: ch15_libs/* common/*.cuh backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $program = program('cusolver-info');
plan skip_all => 'cusolver-info is not built' unless $program && -x binary($program);

for my $size (33, 50)
{
    my $ran = run([binary($program), '-n', $size]);
    is($ran->{status}, 3, "-n $size: status 3") or diag(describe($ran));
    my $said = qr/CUSOLVER_\w+, devInfo .*\n(?:the library has not noticed the NaN: .*\n)?/;
    like($ran->{out}, qr/^heevd: ${said}heevj: $said\z/, "-n $size: devInfo of both, and no values");
}

done_testing();
