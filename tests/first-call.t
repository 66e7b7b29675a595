# first-call shows ten times for each way to load. It starts itself again and again: if such a
# process fails, or cannot be started, it fails in the same way.
# Inputs: programs backend
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

for my $loading ('LAZY', 'EAGER')
{
    # Without a GPU there are no times.
    my $time = $BACKEND eq 'cpu' ? '' : '\d+\.\d+';
    my $ran = run([binary($program), '--once', '--csv'], env => {CUDA_MODULE_LOADING => $loading});
    my $steps = () = $ran->{out} =~ /^$time,(?!step$)\S/mg;
    ok($ran->{status} == 0 && $steps == 10, "first-call --once, $loading") or diag(describe($ran));
}

# A child that fails or cannot be started is no success.
if ($BACKEND eq 'cpu')
{
    my $ran = run([binary($program), '-r', 1], env => {CUDACPU_DEVICES => 'none'});
    ok($ran->{status} == 3 && 1 == (() = $ran->{err} =~ /^.*"none"$/mg) && $ran->{out} eq '',
        'first-call ends as its child did, and shows no times')
      or diag(describe($ran));
}

SKIP:
{
    skip 'needs a way to forbid processes', 1 unless on_path('prlimit');
    my $ran = run(['prlimit', '--nofile=4', binary($program), '-r', 1]);
    is($ran->{status}, 3, 'first-call without files to spare');
}
done_testing();
