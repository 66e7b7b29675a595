# What the toolkit has and the backend does not, used in a program: a line with its place and name, in place of
# the compiler's messages. The names are those of include/gpu-only/names.txt.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

sub compiled
{
    my ($file, $text) = @_;
    return run(['./cpucc', '-c', write_text("$dir/$file", $text), '-o', "$dir/x.o"]);
}

# The function that uses the name is in line 4.
sub in_function
{
    my ($includes, $before, $statement) = @_;
    my @lines = map { "#include <$_>" } split ' ', $includes;
    return join "\n", @lines[0 .. 1], "${before}void f(int *x)", "{ $statement }", '';
}

my @cases = (
    ['cublas_v2.h cuda.h', '', 'cublasHandle_t h; float a = 1; cublasSspr2(h, CUBLAS_FILL_MODE_LOWER, 1, &a, &a, 1, &a, 1, &a);'],
    ['cusparse.h cuda.h', '', 'cusparseHandle_t h; cusparseSgtsv2(h, 1, 1, nullptr, nullptr, nullptr, nullptr, 1, nullptr);'],
    ['cusolverDn.h cuda.h', '', 'cusolverDnHandle_t h; cusolverDnDsytri(h, CUBLAS_FILL_MODE_LOWER, 1, nullptr, 1, x, nullptr, 1, x);'],
    ['curand.h curand_kernel.h', '', 'curandMakeMTGP32Constants(nullptr, nullptr);'],
    ['cuda.h stdio.h', '', 'cudaUserObject_t object; cudaUserObjectRetain(object, 1);'],
    ['cuda.h stdio.h', '', 'cudaGetDriverEntryPoint("cuInit", (void **)x, 0);'],
    ['cuda.h stdio.h', '__global__ ', '*x = __clusterIdx().x + __pm0();'],
    ['cuda.h stdio.h', '__global__ ', '__barrier_sync_count(1, 64);'],
    ['cuda.h stdio.h', 'template <class T> ', 'T y; cublasSspmv(x); cudaDeviceGetGraphMemAttribute(0, x, x);']);
my @wanted = (
    {cublasSspr2                     => 'our cuBLAS does not have it'},
    {cusparseSgtsv2                  => 'our cuSPARSE does not have it'},
    {cusolverDnDsytri               => 'our cuSOLVER does not have it'},
    {curandMakeMTGP32Constants       => 'our cuRAND does not have it'},
    {map { ($_ => 'our CUDA runtime does not have it') } qw(cudaUserObject_t cudaUserObjectRetain)},
    {cudaGetDriverEntryPoint         => 'our CUDA runtime does not have it'},
    {map { ($_ => 'the CPU backend does not have this function of kernels') } qw(__clusterIdx __pm0)},
    {__barrier_sync_count            => 'the CPU backend does not have this function of kernels'},
    {cublasSspmv => 'our cuBLAS does not have it', cudaDeviceGetGraphMemAttribute => 'our CUDA runtime does not have it'});

for my $i (0 .. $#cases)
{
    my $ran  = compiled('x.cu', in_function(@{$cases[$i]}));
    my %said = map { /x\.cu:4: error: (\w+): (.*)$/ ? ($1 => $2) : ($_ => '') } split /\n/, $ran->{err};
    # Of several names some compilers tell one.
    my %of_these = map { ($_ => $said{$_}) } grep { exists $wanted[$i]{$_} } keys %said;
    is($ran->{status}, 1, "case $i: refused");
    is(keys %of_these, keys %said, "case $i: one line for each name, and nothing else") or diag(describe($ran));
    ok(%said && !grep({ $said{$_} ne ($wanted[$i]{$_} // '') } keys %said), "case $i: what is said")
      or diag(describe($ran));
}

# In plain C++, too.
my $plain = compiled('x.cpp', "#include <cublas_v2.h>\nint main()\n{\n    return cublasSspmv();\n}\n");
like($plain->{err}, qr{x\.cpp:4: error: cublasSspmv: our cuBLAS does not have it\n\z}, 'a .cpp file');

# What the toolkit does not have either is the compiler's to tell, and so is what a program declares itself.
my $typo = compiled('x.cu', "#include <cublas_v2.h>\nvoid f() { cublasSspmw(); }\n");
like($typo->{err}, qr{x\.cu:2: error: 'cublasSspmw' was not declared|undeclared identifier 'cublasSspmw'}, 'a wrong name');
my $own = compiled('x.cu', "void cublasSspmv() {}\nint main() { cublasSspmv(); }\n");
is($own->{status} . $own->{err}, 0, 'a name that the program declares');

# No name is in the list that a header of ours has.
my %listed = map { ($_ => 1) } grep { !/^#/ } split /\n/, read_text('include/gpu-only/names.txt');
cmp_ok(scalar keys %listed, '>', 1600, 'the list has names');
my @ours = grep { -f } map { glob } map { "include/$_*.h" } '', 'cooperative_groups/', 'cuda/', 'thrust/';
my %had = map { ($_ => 1) } map { read_text($_) =~ /\b(\w+)\b/g } @ours;
is(join(' ', grep { $had{$_} } sort keys %listed), '', 'none of them is in a header of ours');

done_testing();
