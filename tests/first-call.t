# first-call starts itself again and again. If such a process fails, it fails in the same way.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $program = program('first-call');
plan skip_all => 'first-call is not built' unless $program && -x binary($program);
my $ran = run([binary($program), '-r', 1], env => {CUDA_VISIBLE_DEVICES => ''});
is("$ran->{status} $ran->{out}", '77 ', 'without a device it ends as its first process did')
  or diag(describe($ran));
like($ran->{err}, qr/\A[^\n]+\n\z/, 'which has said why');
done_testing();
