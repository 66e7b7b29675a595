# make plant: bugs are planted in code only, and in every kernel that computes; a seed always plants
# the same ones, one that is planted dies, one that survives is shown, and nonsense is refused.
# Inputs: programs backend make tests/planter.pl
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Bugs;
use File::Copy qw(copy);
use Suite;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

my $is_tested = 1;    # the programs without a bug

sub planter
{
    my ($root, @arguments) = @_;
    return run(['perl', "$root/tests/planter.pl", @arguments], limit => 60,
        env => {SUITE_ONLY => undef, SUITE_PLANTER_BUILD => "$dir/build",
            SUITE_PLANTER_TESTED => $is_tested});
}

# ---- Where bugs are planted ----

my $source = <<'END';
#include "a.cuh" // 1 < 2
const int N = 1 + 2;
/* if (a < b) */
__global__ void add(const int *x, int *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x; // i < n
    if (i < n)
    {
        y[i] = x[i] + 1;
    }
    __syncthreads();
}
// WRONG: too many threads.
__global__ void add_wrong(const int *x, int *y, int n)
{
    y[threadIdx.x] = x[threadIdx.x];
}
void print_all(int n)
{
    n = n + 1;
}
int main(void)
{
    const double rate = 2 * 3;
    printf("a < b %d %g\n", 1 + 2, rate);
#if ON_GPU
    launch(1 + 2);
#else
    for (int i = 0; i < 7; i += 2)
    {
        CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    }
#endif
    if (1 < 2)
    {
        printf("only told");
    }
    int a[3], b[4];
    add<<<(n - 1) / 32 + 1, 32, 0, stream>>>(d_x, d_y, d_z);
    fill_random(h_x, random_below(seed, n), seed + 1);
    wrong += b[n] != 5;
    n = n + 1 < m ? m : n + 1;
    CHECK(cudaFree(d_x));
    check_true("1 + 2", 1 + 2 == 3);
    return 0;
}
END
my (%changes, %lines);
my $not_shown = 0;
for my $bug (bugs($source))
{
    my $change = change($source, $bug);
    $lines{$change->{line}} = 1;
    $changes{join ' ', $bug->{kind}, $change->{line}, $change->{new} =~ s/^\s+|\s+$//gr} = 1;
    my @lines = map { "$_\n" } split /\n/, $source;
    splice @lines, $change->{line} - 1, $change->{old} =~ tr/\n//, $change->{new};
    $not_shown++ if join('', @lines) ne planted($source, $bug);
}
is($not_shown, 0, 'each bug is planted as it is shown');
is(join(' ', sort { $a <=> $b } keys %lines), '6 7 9 11 29 31 39 40 42 44',
    'bugs stand in code that computes, and nowhere else');
my @bugs = ( 'comparison 7 if (i <= n)', 'condition 7 if (true)',
  'index 9 y[i] = x[i - 1] + 1;', 'operator 9 y[i] = x[i] - 1;', 'barrier 11 ;', 'statement 9 ;',
  'axis 6 const int i = blockIdx.y * blockDim.x + threadIdx.x; // i < n',
  'end 29 for (int i = 0; i + 1 < 7; i += 2)', 'stride 29 for (int i = 0; i < 7; i += 2 * (2))',
  'copy 31 CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyDeviceToHost));',
  'size 31 CHECK(cudaMemcpy(d_x, h_x, (bytes) / 2, cudaMemcpyHostToDevice));', 'statement 44 ;',
  'comparison 42 n = n + 1 >= m ? m : n + 1;');
my @none = ('comparison 42 n = n + 1 <= m ? m : n + 1;',
  'operator 39 add<<<(n + 1) / 32 + 1, 32, 0, stream>>>(d_x, d_y, d_z);',
  'constant 39 add<<<(n - 1) / 32 + 1, 32, 1, stream>>>(d_x, d_y, d_z);',
  'arguments 39 add<<<(n - 1) / 32 + 1, 32, 0, stream>>>(d_y, d_x, d_z);',
  'arguments 40 fill_random(h_x, random_below(n, seed), seed + 1);',
  'constant 40 fill_random(h_x, random_below(seed, n), seed + 2);',
  'comparison 44 check_true("1 + 2", 1 + 2 != 3);');
is_deeply([grep { !$changes{$_} } @bugs], [], 'of each kind there is one');
is_deeply([grep { $changes{$_} } @none], [], 'there is none that would do no harm');

# Each kernel that computes and that the CPU backend compiles has a bug of its own.
my @without;
for my $file (glob 'ch*/*.cu ch*/*.cuh')
{
    my $text = read_text($file);
    my @kernels = kernels_that_compute($text) or next;
    my %has = map { $_->{function} => 1 } bugs($text);
    push @without, map { "$file: $_" } grep { !$has{$_} } @kernels;
}
is_deeply(\@without, [], 'each kernel can have a bug');

# ---- What a seed plants ----

my @few = grep { program($_) } qw(add3if scan rdc);
my $first = planter($ROOT, '--list', '--seed', 5, @few);
is($first->{status}, 0, 'a list of bugs') or diag(describe($first));
is(planter($ROOT, '--list', '--seed', 5, @few)->{out}, $first->{out},
    'a seed plants the same bugs');
isnt(planter($ROOT, '--list', '--seed', 6, @few)->{out}, $first->{out}, 'another seed others');
my $wrong = 0;
while ($first->{out} =~ /^[\w-]+: (\S+):(\d+): .*\n((?:-.*\n)+)/mg)
{
    my ($file, $line, $lines) = ($1, $2, $3);
    my $old = $lines =~ s/^-//mgr;
    my @lines = map { "$_\n" } split /\n/, read_text($file);
    $wrong += join('', @lines[$line - 1 .. $line - 2 + ($old =~ tr/\n//)]) ne $old;
}
is($wrong, 0, 'each stands in the file and line that it names');

# ---- What is refused ----

sub is_refused
{
    my ($pattern, @arguments) = @_;
    my $ran = planter($ROOT, @arguments);
    my $is_right = ($ran->{status} // -1) == 2 && $ran->{err} =~ $pattern && $ran->{out} eq '';
    ok($is_right, "refused: @arguments")
      or diag(describe($ran));
}
is_refused(qr/seed/, '--seed', 'x');
is_refused(qr/no program nix/, 'nix');

# ---- Planting, in a suite of small programs ----

mkdir "$dir/$_" for 'tests', 'ch03_framework', 'build', 'bin';
symlink "$ROOT/$_", "$dir/$_" for 'make', 'cpu', 'common', 'bin/cpucc';
copy($_, "$dir/tests/" . basename($_)) for glob 'tests/*.p[lm]';
copy('ch03_framework/add3if.cu', "$dir/ch03_framework/add3if.cu");

# A program that consists of some code and one check.
my $for_tests = "add3if\n  Checks: 1\n";

sub write_program
{
    my ($name, $check, $code) = @_;
    write_text("$dir/tests/programs.txt", $for_tests .= "\n$name\n  Checks: 1\n");
    write_text("$dir/ch03_framework/$name.cu", <<"END");
// $name: a program
//
// Options: -n N

#include "../common/compare.cuh"
$code
int main(int argc, char **)
{
    check_true("1", $check);
    return verdict();
}
END
}
my $add = "int add(int n)\n{\n    return n + 1;\n}\n";
write_program('careless', 'true', $add);
write_program('wrong', 'false', $add);
# A bug in the header dies in `seeing` alone.
write_text("$dir/ch03_framework/shared.cuh", "inline int twice(int n)\n{\n    return 2 * n;\n}\n");
write_program('blind', 'true', qq{#include "shared.cuh"\n});
write_program('seeing', 'twice(5) == 10', qq{#include "shared.cuh"\n});
# This one looks only if it is double and has arguments.
write_program('precise', 'sizeof(real) == sizeof(float) || argc == 1 || add(4) == 5',
    qq{#include "../common/real.cuh"\n$add});
# With one less the string does not fit.
write_program('narrow', 'letter() != NULL',
    qq{const char *letter(void)\n{\n    static const char text[2] = "a";\n    return text;\n}\n});
SKIP:
{
    skip 'the CPU backend is not built', 9 unless -x 'cpu/build/rewrite';
    my $careful = planter($dir, '--each', 1, '--least', 100, 'add3if');
    is($careful->{status}, 0, 'a bug dies') or diag(describe($careful));
    like($careful->{out}, qr/^all +1 +0 +1 +0$/m, '... and is counted');
    my $ran = planter($dir, '--each', 2, '--least', 99, '--verbose', qw(blind precise careless narrow));
    is($ran->{status}, 1, 'a bug survives where nothing is checked') or diag(describe($ran));
    like($ran->{out}, qr/^careless: ch03_framework\/careless\.cu:\d+: .*\n-.*\n\+.*\nsurvived/m,
        '... and is shown');
    like($ran->{out}, qr/^[1-9]\S* % of those that compiled died, at least 99 % must$/m,
        '... and the share');
    like($ran->{out}, qr/^died seeing \(float\) -n 1: exit status 1/m, 'a bug in a header dies elsewhere');
    like($ran->{out}, qr/^died precise \(double\) -n 1: exit status 1/m,
        'a bug dies in double, in the battery');
    like($ran->{out}, qr/^narrow: .*\n-.*\n\+.*text\[1\].*\ndid not compile $/m,
        'what does not compile is no bug that died');
    $is_tested = 0;
    my $wrong = planter($dir, 'wrong');
    like($wrong->{out}, qr/wrong\.cu: fails without a bug in float: /, 'what is wrong anyway is told');
}
done_testing();
