# What the programs of chapter 5 do beyond the battery: the sweep, and a measurement by itself.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

plan skip_all => 'arithmetic2gpu and first-call are not built'
  if grep { !program($_) || !-x binary(program($_)) } qw(arithmetic2gpu first-call);

my $sweep = run([binary(program('arithmetic2gpu')), '--sweep', '--csv', '-r', 2]);
is($sweep->{status}, 0, 'arithmetic2gpu --sweep') or diag(describe($sweep));
my ($titles, @rows) = map { [split /,/] } grep { !/^#/ } split /\n/, $sweep->{out};
is_deeply([map { $_->[0] } @rows], [map { 10**(3 + $_) } 0 .. $#rows], 'its N goes up in tens');
cmp_ok(scalar @rows, '>=', 2, 'it has some points');
my @odd = grep { my $row = $_; @$row != @$titles || grep { !($_ > 0) } @$row } @rows;
ok(!@odd, 'every point has all its numbers') or diag(describe($sweep));
is($sweep->{out} =~ /^# PASS: (\d+) checks\n\z/m && $1, 1 + @rows, 'every point is checked');

my $positional = run([binary(program('arithmetic2gpu')), 77, '-r', 1]);
like($positional->{out}, qr/^ +77 /m, 'arithmetic2gpu takes N as in the book');

for my $loading ('LAZY', 'EAGER')
{
    my $ran = run([binary(program('first-call')), '--once'],
        env => {CUDA_MODULE_LOADING => $loading});
    my $times = () = $ran->{out} =~ /^ *\d+\.\d+ \S*\s?ms  \S/mg;
    ok($ran->{status} == 0 && $times == 10, "first-call --once, $loading") or diag(describe($ran));
}

# A child that fails or cannot be started is no success.
if ($BACKEND eq 'cpu')
{
    my $ran = run([binary(program('first-call')), '-r', 1], env => {CUDACPU_DEVICES => 'none'});
    ok($ran->{status} == 3 && 1 == (() = $ran->{err} =~ /^.*"none"$/mg) && $ran->{out} eq '',
        'first-call ends as its child did, and shows no times')
      or diag(describe($ran));
}

SKIP:
{
    skip 'needs a way to forbid processes', 1 unless on_path('prlimit');
    my $ran = run(['prlimit', '--nofile=4', binary(program('first-call')), '-r', 1]);
    is($ran->{status}, 3, 'first-call without files to spare');
}
done_testing();
