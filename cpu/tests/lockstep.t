# Warp-synchronous code: lanes that count on running in step, as they did on GPUs before Volta. It
# gives the results of those GPUs, at every level of optimization and on any number of cores, and is
# warned of once a kernel. Code with the barriers that today's GPUs need is not.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $source = 'tests/lockstep/lanes.cu';

my $right = '';
for my $type (qw(int float double))
{
    my %sums =
      ('pointer' => [6], 'array' => [6], 'unrolled' => [6, 12, 24], 'in a register' => [6]);
    for my $way ('pointer', 'array', 'unrolled', 'in a register')
    {
        $right .= "$type, $way: $_ of $_ sums\n" for @{$sums{$way}};
    }
}
$right .= <<'END';
casts: 6 of 6 sums
warps: 6 of 6 sums
scan: 1 61 65 63
histogram: 23 23 12 11
elected: 1
passed on: 0 33 127
uses: 660
END

# The line that contains the text, as one finds it in a report.
sub line_with
{
    my ($text) = @_;
    my @lines = split /\n/, read_text($source);
    my ($line) = grep { index($lines[$_ - 1], $text) >= 0 } 1 .. @lines;
    return $line // 0;
}

for my $flags (['-O0'], ['-O1'], ['-O2'], ['-O3'], ['-O1', '-fsanitize=undefined', '-std=c++14'])
{
    my $made = compile_for_cpu("$CPU/$source", "$dir/lanes", '-Wall', '-Wextra', @$flags);
    ok(($made->{status} // 1) == 0 && $made->{err} eq '', "lanes.cu compiles with @$flags")
      or diag(describe($made)), next;
    for my $threads ($flags->[0] eq '-O2' ? (1, 2, 16) : 2)
    {
        my $ran = run(["$dir/lanes"], env => {CUDACPU_THREADS => $threads});
        is($ran->{out}, $right, "lanes.cu with @$flags on $threads cores")
          or diag(describe($ran));
        my %warned;
        $warned{$1}++ while $ran->{err} =~ /kernel (\w+), block/g;
        is_deeply(\%warned,
            {map { $_ => 1 } qw(sum_pointer sum_array sum_unrolled sum_in_register sum_cast
                  sum_of_each_warp scan histogram elect use)},
            '... warns once a kernel')
          or diag(describe($ran));
        my ($reads, $writes) = map { line_with("v[tid] += v[tid + $_]") } 16, 32;
        my $who = qr/^CPU backend: kernel sum_pointer, block \(\d,0,0\), thread \(0,0,0\)/m;
        my $wrote = qr/reads what lane 16 of the warp has written at lanes\.cu:$writes\./;
        like($ran->{err},
            qr/$who, lanes\.cu:$reads:\n  $wrote .* put __syncwarp\(\) after line $writes$/m,
            '... and says where __syncwarp() goes');
    }

    # Other lanes wait for one whose turn is taken away.
    if ($flags->[0] eq '-O2')
    {
        my @wrong = grep { $_->{out} ne $right }
          map { run(["$dir/lanes", 'disturbed'], env => {CUDACPU_THREADS => 1 + $_ % 2}) } 1 .. 40;
        ok(!@wrong, '40 times, disturbed all the time') or diag(describe($wrong[0]));
    }
}

# ---- The same in global memory; an error when checked ----

my $global = <<'END';
pointer, int: 5 of 5 sums
pointer, float: 5 of 5 sums
pointer, double: 5 of 5 sums
parameter, int: 5 of 5 sums
parameter, double: 5 of 5 sums
function: 32
rows: 3 67 131 195
right: 64 32 162
END
for my $flags (['-O0'], ['-O2'], ['-O3'])
{
    my $made = compile_for_cpu("$CPU/tests/lockstep/global.cu", "$dir/global", '-Wall', '-Wextra', @$flags);
    ok(($made->{status} // 1) == 0 && $made->{err} eq '', "global.cu compiles with @$flags")
      or diag(describe($made)), next;
    for my $threads ($flags->[0] eq '-O2' ? (1, 2, 16) : 2)
    {
        my $ran = run(["$dir/global"], env => {CUDACPU_THREADS => $threads});
        is($ran->{out}, $global, "global.cu with @$flags on $threads cores") or diag(describe($ran));
        is($ran->{status}, 0, '... and its status');
        my %warned;
        $warned{$1}++ while $ran->{err} =~ /kernel (\w+), block \S+ thread \S+ global\.cu:\d+:\n  reads what lane/g;
        is_deeply(\%warned, {map { $_ => 1 } qw(sum_pointer sum_parameter sum_function sum_rows)},
            '... warns once a kernel, and of none that is right')
          or diag(describe($ran));
    }
}

# The checker does not keep the lanes in step, and names what counts on it.
my $checked = compile_for_cpu("$CPU/tests/lockstep/global.cu", "$dir/global", '--check');
ok(($checked->{status} // 1) == 0, 'global.cu compiles with --check') or diag(describe($checked));
my $races = run(["$dir/global"], env => {CUDACPU_CHECK_CSV => "$dir/csv"});
is($races->{status}, 4, 'global.cu with --check: its status') or diag(describe($races));
my %races_in;
$races_in{$1}++ while $races->{err} =~ /race:\n  global\.cu:\d+: \w+ of \d bytes by kernel (\w+)/g;
is(join(' ', sort keys %races_in), 'sum_function sum_parameter sum_pointer sum_rows',
    '... names the kernels that count on the step, and none that is right');

my $made = compile_for_cpu("$CPU/tests/lockstep/synchronized.cu", "$dir/synchronized");
ok(($made->{status} // 1) == 0, 'synchronized.cu compiles') or diag(describe($made));
my $ran = run(["$dir/synchronized"], env => {CUDACPU_STRICT => 1});
is($ran->{out}, "2016 1008\n", 'synchronized.cu: right') or diag(describe($ran));
is($ran->{err}, '', '... and without a warning');

# ---- What an earlier kernel has read hides nothing; `*v` after a condition or a cast counts ----

write_text("$dir/later.cu", <<'END');
#include <cstdio>
__global__ void synchronized(int *sum)
{
    __shared__ int s[32];
    volatile int *v = s;
    if (threadIdx.x == 0) *v = 5;
    __syncwarp();
    sum[threadIdx.x] = (int)*v;
}
__global__ void elected(int *sum)
{
    __shared__ int s[32];
    volatile int *v = s;
    if (threadIdx.x == 31) *v = 7;
    sum[threadIdx.x] = (int)*v;
}
int main()
{
    int *sum;
    cudaMallocManaged(&sum, 32 * sizeof(int));
    synchronized<<<1, 32>>>(sum);
    elected<<<1, 32>>>(sum);
    const int error = cudaDeviceSynchronize();
    printf("%d %d %d\n", error, sum[0], sum[31]);
    return cudaFree(sum);
}
END
$made = compile_for_cpu("$dir/later.cu", "$dir/later");
ok(($made->{status} // 1) == 0, 'later.cu compiles') or diag(describe($made));
$ran = run(["$dir/later"], env => {CUDACPU_THREADS => 1});
is($ran->{out}, "0 7 7\n", 'later.cu: right') or diag(describe($ran));
like(
    $ran->{err},
    qr/\A[^\n]*kernel elected, [^\n]*\n  reads what lane 31 [^\n]*\n\z/,
    '... and warned of') or diag(describe($ran));

done_testing();
