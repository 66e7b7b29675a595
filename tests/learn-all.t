# Each wrong solution of each exercise gets its sentence, and each right one is accepted.
# Inputs: backend make exercises/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

plan skip_all => 'exercises are judged by the CPU backend, which is not built' if !glob 'cpu/build/libcudacpu-*.a';

for my $file (glob 'exercises/[0-9]*.cu')
{
    my $tried = run(['./suite', 'learn', '--test', $file], limit => 900);
    is($tried->{status}, 0, $file) or diag(describe($tried));
    my $wrong = () = $tried->{out} =~ /^ok   wrong /mg;
    cmp_ok($wrong, '>=', 10, "... with $wrong wrong solutions");
}
done_testing();
