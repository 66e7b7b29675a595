# The checker names what is wrong in the programs of checker/, with lines and kinds, and nothing else. A
# comment at a line says what is found there: `race:NAME`, or `race:NAME,OTHER`. A name stands at one line or
# at two. It is found in each of three orders of the blocks and the warps, and what is in orders.cu in one of
# them. After `// says: ` stands what a message has. The files wrong_*.cu have mistakes of first courses. Those
# called right_*.cu look wrong, but are right, without the checker, too.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $notes = 'same-value|checked-compare|active-mask|unwritten-copy';
my $kinds = "race|scope|never-written|out-of-bounds|freed-in-use|in-flight|mask|fault|barrier|$notes";

# Else the limit is 30 s of processor time.
my %environment = ('endless.cu' => {CUDACPU_TIMEOUT => 1});

# {"race 12 15" => 1} of the marks in a source.
sub expected
{
    my ($text) = @_;
    my (%lines, $number);
    for my $line (split /\n/, $text)
    {
        ++$number;
        while ($line =~ /(?<![\w-])($kinds):([\w,]+)/g)
        {
            push @{$lines{"$1:$_"}}, $number for split /,/, $2;
        }
    }
    return {map { /^([^:]*)/; ("$1 @{$lines{$_}}" => 1) } keys %lines};
}

# The same of the rows that the checker has written.
sub found
{
    my ($csv) = @_;
    my %found;
    for (grep { !/^kind,/ } split /\n/, $csv)
    {
        my ($kind, undef, undef, $place, undef, $other) =
          /^([^,]*),([^,]*),(\d+),"[^"]*",([^,]*),([^,]*),([^,]*),/ or next;
        my @lines = sort { $a <=> $b } map { /:(\d+)$/ ? $1 : () } $place, $other;
        shift @lines if @lines == 2 && $lines[0] == $lines[1];
        $found{"$kind @lines"} = 1;
    }
    return \%found;
}

sub compiled
{
    my ($source, @flags) = @_;
    my $name = $source =~ s{.*/}{}r =~ s/\.cu$//r;
    my $compiled = run(['./cpucc', '--check', @flags, $source, '-o', "$dir/$name"]);
    ok($compiled->{status} == 0, "$name: compiles") or diag(describe($compiled));
    return "$dir/$name";
}

sub checked
{
    my ($program, $order) = @_;
    unlink "$dir/csv";
    local @ENV{qw(CUDACPU_CHECK_CSV CUDACPU_ORDER)} = ("$dir/csv", $order);
    my ($name) = $program =~ m{([^/]+)\z};
    my $ran = run([$program], env => $environment{"$name.cu"} // {});
    return $ran, found(-e "$dir/csv" ? read_text("$dir/csv") : '');
}

# Ubuntu's compilers have this on. memcpy is then another function.
my %flags = (
    'async_copies.cu'    => ['-D_FORTIFY_SOURCE=2'],
    'given_libraries.cu' => [qw(-lcublas -lcufft -lcurand -lcusolver -lcusparse)]);

# What leaves its memory by far ends the device's work, if it is the first one that does. In the others a block
# waits for one of a lower number.
my %orders = map { $_ => [0] } qw(wrong_index.cu endless.cu volatile.cu ptx.cu);

for my $source (glob 'tests/checker/*.cu')
{
    my $name = $source =~ s{.*/}{}r;
    next if $name eq 'given_libraries.cu' && !$ENV{TEST_EXHAUSTIVE}; # these libraries take a minute to build
    my $expected = expected(read_text($source));
    my $program = compiled($source, @{$flags{$name} // []});
    my %in_some_order;
    for my $order (@{$orders{$name} // [0 .. 2]})
    {
        my ($ran, $found) = checked($program, $order);
        %in_some_order = (%in_some_order, %$found);
        my $here = $name ne 'orders.cu' ? $expected : $order == 0 ? {} : next;
        is_deeply($found, $here, "$name, order $order: what is found") or diag(describe($ran));
        my $errors = grep { !/^(?:$notes) / } keys %$here;
        is($ran->{status}, $errors ? 4 : 0, "$name, order $order: exit status");
        for my $text (read_text($source) =~ m{// says: (.*)}g)
        {
            cmp_ok(index($ran->{err}, $text), '>=', 0, "$name, order $order: says $text") or diag($ran->{err});
        }
    }
    is_deeply(\%in_some_order, $expected, "$name: what is found in some order");
    next if $name !~ /^right_/;
    my $plain = "$dir/plain_$name";
    my $made = run(['./cpucc', '-O2', $source, '-o', $plain]);
    ok($made->{status} == 0, "$name: compiles without the checker") or diag(describe($made));
    for my $order (0 .. 2)
    {
        my $ran = run([$plain], env => {CUDACPU_ORDER => $order, CUDACPU_THREADS => 1 + $order});
        is($ran->{status} . $ran->{out} . $ran->{err}, 0, "$name, order $order: it is right");
    }
}

# With --strict the notes of atomics.cu are errors.
my $notes_only = write_text("$dir/notes.cu", <<'END');
__global__ void notes(int *least, int *same)
{
    if (threadIdx.x < *least)
    {
        atomicMin(least, (int)threadIdx.x);
    }
    *same = 1;
}
int main()
{
    int *x;
    cudaMalloc(&x, 8);
    cudaMemset(x, 64, 8);
    notes<<<1, 32>>>(x, x + 1);
    return cudaFree(x);
}
END
for my $strict (0, 1)
{
    my $program = compiled($notes_only, $strict ? '--strict' : ());
    my ($ran, $found) = checked($program, 0);
    my $what = $strict ? 'with --strict' : 'without --strict';
    is_deeply($found, {'checked-compare 3 5' => 1, 'same-value 7' => 1}, "$what: two things are found");
    is($ran->{status}, $strict ? 4 : 0, "$what: exit status");
    my @severities = map { /^[^,]+,(\w+),\d/ ? $1 : () } split /\n/, read_text("$dir/csv");
    is("@severities", $strict ? 'error error' : 'note note', "$what: as what");
    my $is_said = $ran->{err} =~ /found 2 errors and 0 notes/ && $ran->{err} !~ /note: /;
    is(!!$is_said, !!$strict, "$what: how it is said") or diag(describe($ran));
}
my $misplaced = run(['./cpucc', '--strict', $notes_only, '-o', "$dir/notes"]);
is($misplaced->{status}, 1, '--strict without --check is refused');

# ---- What is said ----

my $words = write_text("$dir/words.cu", <<'END');
__global__ void neighbours(int *y)
{
    __shared__ int s[64], t[64];
    const int i = threadIdx.x;
    s[i] = i;
    t[i] = i;
    __syncwarp();
    y[i] = s[(i + 33) % 64];
    y[i] += s[(i + 34) % 64];
    y[i] += s[(i + 35) % 64];
    y[i] += t[(i + 36) % 64];
}
__global__ void lanes(int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}
__global__ void both(int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = 0;
    y[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}
__global__ void total(int *y)
{
    y[0] += threadIdx.x;
}
__global__ void count(int *y, int *num, int *sums)
{
    if (threadIdx.x == 0)
    {
        sums[blockIdx.x] = 1;
        if (atomicAdd(num, 1) == gridDim.x - 1)
        {
            y[0] = sums[0];
        }
    }
}
__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}
int main()
{
    int *y, *managed;
    cudaStream_t one, two;
    cudaMalloc(&y, 512);
    cudaMallocManaged(&managed, 512);
    cudaMemset(y, 0, 512);
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreate(&two);
    neighbours<<<1, 64>>>(y);
    lanes<<<1, 64>>>(y);
    both<<<1, 64>>>(y);
    total<<<2, 64>>>(y);
    count<<<4, 64>>>(y, y + 64, y + 65);
    cudaDeviceSynchronize();
    fill<<<1, 64, 0, one>>>(y);
    fill<<<1, 64, 0, two>>>(y);
    cudaDeviceSynchronize();
    fill<<<1, 64>>>(managed);
    managed[1] = 2;
    cudaDeviceSynchronize();
    fill<<<1, 64, 0, one>>>(managed);
    managed[64] = managed[2];
    cudaDeviceSynchronize();
    cudaFree(managed);
    return cudaFree(y);
}
END
my ($ran, $found) = checked(compiled($words), 0);
my @said = split /^CPU backend: /m, $ran->{err};
my $all = pop @said;
my @wanted = (
    ['words.cu:8', 'two warps of a block, with no __syncthreads\(\) between\n'
          . '  and 2 more pairs of lines: words.cu:5 and words.cu:9, words.cu:5 and words.cu:10'],
    ['words.cu:11', 'two warps of a block, with no __syncthreads\(\) between'],
    ['words.cu:17', 'two lanes of a warp, with neither __syncwarp\(\) nor __syncthreads\(\) between'],
    ['words.cu:22', 'two lanes of a warp, others are of two warps: __syncwarp\(\) is not enough, __syncthreads\(\) is'],
    ['words.cu:27', 'two lanes of a warp, others are of two blocks, which no barrier of a block orders'],
    ['words.cu:36', 'nothing orders the blocks .* only with a __threadfence\(\) before the one.s write and after'],
    ['words.cu:42', 'two streams, and nothing orders these: cudaEventRecord\(\) in the one, then cudaStreamWaitEvent'],
    ['words.cu:63', 'has not waited for kernel fill: cudaDeviceSynchronize\(\) before the host.s access, words.cu:63,'],
    ['words.cu:66', 'has not waited for kernel fill: cudaStreamSynchronize\(\) of its stream before .*, words.cu:66,']);
for my $case (@wanted)
{
    my ($line, $text) = @$case;
    my ($first) = grep { /^race:\n  \S+:.*\n(?:.*\n)*  .*\b$text/ && /\Q$line\E: / } @said;
    ok(defined $first, "what is said of $line");
}
is(scalar @said - 1, scalar @wanted, 'each mistake is told once') or diag(describe($ran));
like($all, qr/^the checker has found 9 errors and 0 notes\n/, 'they are counted so');
like($all, qr/ x race: words.cu:5 and words.cu:8; 2 more pairs of lines: words.cu:5 and words.cu:9, /,
    'and listed so');
is(scalar keys %$found, 11, 'the list for programs has each pair');

# ---- The line is told whatever the file's name ----

my $long = 'n' x 117;
write_text("$dir/$long.cu", read_text('tests/checker/exchange.cu'));
($ran) = checked(compiled("$dir/$long.cu"), 0);
like($ran->{err}, qr/^  \d+ x read of memory that was never written: $long\.cu:14$/m, 'a name of 120 characters');

# ---- Numbers of cuRAND are written, also those that NVIDIA's libcurand draws, where it is ----

my $numbers = compiled(write_text("$dir/numbers.cu", <<'END'), '-lcurand');
#include <curand.h>
__global__ void use(const float *x, const double *y, float *z)
{
    z[threadIdx.x] = x[threadIdx.x] + y[threadIdx.x];
}
int main()
{
    curandGenerator_t generator;
    float *x, *z;
    double *y;
    cudaMalloc(&x, 128);
    cudaMalloc(&y, 256);
    cudaMalloc(&z, 128);
    curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT);
    curandGenerateUniform(generator, x, 32);
    curandGenerateNormalDouble(generator, y, 32, 0, 1);
    use<<<1, 32>>>(x, y, z);
    return curandDestroyGenerator(generator) || cudaFree(x) || cudaFree(y) || cudaFree(z);
}
END
for my $library (undef, 'none')
{
    local $environment{'numbers.cu'} = {defined $library ? (CUDACPU_CURAND => $library) : ()};
    ($ran) = checked($numbers, 0);
    is($ran->{status} . $ran->{err}, 0, 'numbers of cuRAND' . ($library ? ', without libcurand' : ''))
      or diag(describe($ran));
}

# ---- The list of comma-separated values ----

my $comma = compiled(write_text("$dir/one,two.cu", <<'END'));
__global__ void race(int *y) { *y = threadIdx.x; }
int main()
{
    int *y;
    cudaMalloc(&y, sizeof(int));
    race<<<1, 64>>>(y);
    return cudaFree(y);
}
END
$ran = run([$comma], dir => $dir, env => {CUDACPU_CHECK_CSV => "$dir/list"});
like(read_text("$dir/list"), qr/^race,error,\d+,"race","one,two\.cu:1",write,"one,two\.cu:1",write$/m,
    'a name with a comma stands in quotation marks');
$ran = run([$comma], dir => $dir, env => {CUDACPU_CHECK_CSV => '/dev/full'});
like($ran->{err}, qr{^CUDACPU_CHECK_CSV: cannot write to "/dev/full"$}m, 'a list that cannot be written is told');

# make builds the checker's libraries anew that are there already, when a source of theirs is newer.
my $made = run(['env', '-u', 'MAKEFLAGS', '-u', 'MFLAGS', '-u', 'MAKELEVEL',
        'make', '-n', "CXX=$CXX", '-W', 'libraries/curand/api.cu', 'build-checker']);
like($made->{out}, qr{libcurand-check-}, "make follows a library's source") or diag(describe($made));

# ---- A block that never ends ----

if ($ENV{TEST_EXHAUSTIVE})
{
    delete $environment{'endless.cu'};
    ($ran) = checked(compiled('tests/checker/endless.cu'), 0);
    like($ran->{err}, qr/more than 30 s, which is the checker's limit/, 'the checker has a limit');
}

done_testing();
