# The ends that gpu-vector --fail shows, and that its class refuses to compile what it must.
# Inputs: programs backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my ($program) = grep { $_->{name} eq 'gpu-vector' } programs();
plan skip_all => 'gpu-vector is not among the programs asked for' unless $program;

my %says = (
    overflow => qr/^GPUVector: elements whose bytes a size_t cannot count: \d+, [^\n]*\n\z/,
    memory => qr/cudaMalloc.*cudaErrorMemoryAllocation/s,
    count => qr/^GPUVector: elements to copy into a vector: 3, with room for 2\n\z/,
    index => qr/Assertion .n < size. failed.*cudaErrorAssert/s);
for my $name (sort keys %says)
{
    my $ran = run([binary($program), '--fail', $name]);
    my $is_right = ($ran->{status} // -1) == 3 && $ran->{err} =~ $says{$name} && $ran->{out} eq '';
    ok($is_right, "--fail $name says so, and ends with 3") or diag(describe($ran));
}
refuses($program, ['--fail', $_]) for 'nonsense', 'overflow memory';

# Each of these is one line of a program that is right without it.
my $dir = tempdir(CLEANUP => 1);
my %lines = (
    '' => '',
    'GPUVector<int> y(x);' => qr/deleted|cannot be referenced/,
    'GPUVector<int> y; y = x;' => qr/deleted|cannot be referenced/,
    'GPUVector<int> y = 5;' => qr/conversion|no suitable constructor/,
    'GPUVector<std::string> y;' => qr/copies bytes/);
for my $line (sort keys %lines)
{
    my $file = write_text("$dir/try.cu", qq{#include <string>\n}
        . qq{#include "$ROOT/ch07_global_mem/gpu_vector.cuh"\n}
        . "int main()\n{\n    GPUVector<int> x(3);\n    $line\n}\n");
    my $made = $BACKEND eq 'cpu' ? compile_for_cpu($file, "$dir/try")
      : run([$ENV{NVCC} || 'nvcc', '-o', "$dir/try", $file]);
    $line eq '' ? ok(($made->{status} // 1) == 0, 'a program with a GPUVector compiles')
      : ok(($made->{status} // 0) != 0 && "$made->{out}$made->{err}" =~ $lines{$line},
        "`$line` does not");
}
done_testing();
