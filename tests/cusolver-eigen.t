# cusolver-eigen with a NaN in its matrix: devInfo and status 3, no values.
# Inputs: ch15_libs/* common/*.cuh backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $program = program('cusolver-eigen');
plan skip_all => 'cusolver-eigen is not built' unless $program && -x binary($program);

for my $version ('heevd', 'heevj')
{
    my $ran = run([binary($program), '--nan', '-n', 50, '-k', $version]);
    is($ran->{status}, 3, "--nan -k $version: status 3") or diag(describe($ran));
    like($ran->{err}, qr/^$version: CUSOLVER_\w+, devInfo/m, "--nan -k $version: its devInfo");
    is($ran->{out} =~ s/^device: .*\n//mr, '', "--nan -k $version: no values");
}
like(
    run([binary($program), '-n', 50, '-r', 1])->{out},
    qr/^heevd .*^heevj .*^hegvd /ms,
    'without --nan: values');

done_testing();
