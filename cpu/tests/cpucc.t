# What cpucc must not do: run text of its arguments, trust the environment, leave files behind, use
# a precompiled header that does not fit. And what programs from outside stumbled over.
# Inputs: backend cpu/Makefile
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;


my $dir   = tempdir(CLEANUP => 1);
my $cpucc = "$CPU/cpucc";

sub cpucc
{
    my ($args, %how) = @_;
    my $env = {CPUCC_CXX => $CXX, %{$how{env} // {}}};
    return run([$cpucc, @$args], dir => $dir, %how, env => $env);
}

# Compiles a text, runs it, and compares what it prints.
sub prints
{
    my ($text, $args, $expected, $title, %how) = @_;
    write_text("$dir/try.cu", $text);
    my $compiled = cpucc([@$args, 'try.cu', '-o', 'try'], %how);
    my $ran = $compiled->{status} == 0 ? run(["$dir/try"], dir => $dir) : $compiled;
    ok(($ran->{status} // -1) == 0 && $compiled->{err} . $ran->{out} eq $expected, $title)
      or diag(describe($compiled), describe($ran));
}

sub refuses_with
{
    my ($name, $text, $args, $message, %how) = @_;
    write_text("$dir/$name", $text);
    my $ran = cpucc([$name, '-o', 'refused', @$args], %how);
    ok($ran->{status} != 0 && $ran->{err} =~ $message, "$name is refused: $message")
      or diag(describe($ran));
}

my $hello = <<'END';
#include <stdio.h>
__global__ void hello() { printf("hello\n"); }
int main() { hello<<<1, 1>>>(); return cudaDeviceSynchronize(); }
END

# ---- No text of an argument or a variable is run ----

write_text("$dir/hello.cu", $hello);
my $bait = 'touch ran';
no warnings 'qw';    # of commas
for my $text (";$bait", "\$($bait)", "`$bait`", "';$bait;'", "\";$bait;\"", "\n$bait\n", "|$bait")
{
    my @joined = map { "$_$text" }
      qw(-O2 -g1 -std=gnu++17 -I. -DX=1 -L. -lm -Wl, -fno-x -mx -rdc= -Xcompiler=);
    my @divided =
      map { ($_, $text) } qw(-o -I -D -L -l -MF -Xcompiler -Xlinker --default-stream -arch);
    cpucc([@$_, 'hello.cu'])
      for \@joined, \@divided, ["-fmad=$text"], ['-x', $text], [$text], ['-MMD', '-o', $text];
    cpucc([@joined[4, 5, 6], @divided]);
    cpucc(['-c', 'hello.cu'], env => {$_ => $text}) for qw(CPUCC_CXX CPUCC_LIB CUDA_HOME TMPDIR);
    ok(!-e "$dir/ran", 'nothing is run: ' . $text =~ s/\n/\\n/gr);
    unlink "$dir/ran";
}
my @left = grep { !/hello\.cu$/ } glob "$dir/*";
unlink @left;

# ---- No variable of the environment is taken for one of the script's ----

my %names = map { $_ => 1 } read_text($cpucc) =~ /\b([a-z_]+)\+?=/g;
my $is = cpucc(
    ['hello.cu', '-o', 'hello'],
    env => {
        (map { $_ => "nonsense;$bait" } grep { !/^(status)$/ } keys %names),
        IFS => '/',
        CDPATH => '/tmp',
        BASH_ENV => "$dir/env",
        ENV => "$dir/env",
        SHELLOPTS => 'noexec',
        'BASH_FUNC_grep%%' => "() { $bait; }",
        'BASH_FUNC_readlink%%' => "() { $bait; }"});
is($is->{status} . $is->{err}, '0', 'names of the script\'s own variables in the environment')
  or diag(describe($is));
ok(keys %names > 20 && !-e "$dir/ran", '... are not used, nor are functions');
is(run(["$dir/hello"])->{out}, "hello\n", '... and the program is right');

# ---- The compiler speaks English, for what it says is looked through ----

write_text("$dir/c++", "#!/bin/sh\necho \"\$LC_ALL \$LANGUAGE\" >>language\nexec $CXX \"\$@\"\n");
chmod 0755, "$dir/c++";
my $english = cpucc(['-c', 'hello.cu'],
    env => {CPUCC_CXX => "$dir/c++", CPUCC_LIB => "$CPU/build/libcudacpu-$CXX.a",
        LC_ALL => 'de_DE.UTF-8', LANG => 'zh_CN.UTF-8', LANGUAGE => 'tr'});
like(-e "$dir/language" ? read_text("$dir/language") : '', qr/\A(C \n)+\z/,
    'in any language the compiler is asked in English') or diag(describe($english));

# ---- Nothing is left ----

mkdir "$dir/tmp";
for my $signal (qw(INT TERM HUP KILL))
{
    for my $after (0.02, 0.1, 0.3)
    {
        my $pid = fork // die "fork: $!\n";
        if ($pid == 0)
        {
            @ENV{qw(TMPDIR CPUCC_CXX)} = ("$dir/tmp", $CXX);
            chdir $dir;
            open STDERR, '>', '/dev/null';
            exec $cpucc, '-c', 'hello.cu', '-o', 'hello.o';
        }
        select undef, undef, undef, $after;
        kill $signal, $pid;
        waitpid $pid, 0;
    }
    sleep 1;    # the compiler itself may still be at work
    next if $signal eq 'KILL';
    is(join(' ', grep { /cpucc/ } glob "$dir/tmp/*"),
        '', "killed by $signal, cpucc leaves nothing behind");
}
run(['rm', '-rf', glob "$dir/tmp/cpucc.*"]); # (of the one that SIGKILL may have ended while it had a folder)

# ---- Each header of Thrust may be the first: that of the toolkit, and Debian's, which is older ----

for my $thrust (grep { -d "$_/thrust" } '/usr/include', cpucc(['-print-thrust'])->{out} =~ s/\n//r)
{
    write_text("$dir/thrust.cu", join '', map { "#include <thrust/$_.h>\n" } @$_, 'sort'), is(
        cpucc(['-w', '-c', 'thrust.cu', '-o', 'thrust.o'], env => {CPUCC_THRUST => $thrust})->{status}, 0,
        "thrust/$_->[0].h of $thrust comes first") for ['device_ptr'], ['device_vector'], ['complex'];
}
unlink glob "$dir/thrust.*";

# ---- What it has not made itself is not its own, whatever its name and age ----

my @theirs = map { "$dir/tmp/$_" } qw(cpucc.backup/thesis.txt cpucc.XXXXXX/a cpucc.tmp);
mkdir dirname($_) for @theirs;
write_text($_, 'somebody\'s') for @theirs;
utime 1e9, 1e9, @theirs, map { dirname($_) } @theirs[0, 1];
cpucc($_, env => {TMPDIR => "$dir/tmp"})
  for ['hello.cu', '-o', 'hello'], ['-c', 'hello.cu', '-o', 'hello.o'], ['no.cu'], ['--help'];
is(join(' ', sort map { (glob "$_/*") || $_ } glob "$dir/tmp/*"), join(' ', sort @theirs),
    'when it ends by itself nothing is left, and nothing of somebody else\'s is gone');

mkdir "$dir/beside";
for (['--coverage', qr/\.gcno$/], ['-gsplit-dwarf', qr/\.dwo$/])
{
    my ($flag, $file) = @$_;
    my $ran = cpucc([$flag, 'hello.cu', '-o', 'beside/hello']);
    ok($ran->{status} == 0 && 1 == grep({ /$file/ } glob "$dir/beside/*"),
        "$flag writes beside the program")
      or diag(describe($ran));
}

# ---- The precompiled header ----

SKIP:
{
    my $tools = "$CPU/build";
    my ($known) = grep { /-O2-g1$/ } glob "$tools/cuda_runtime-$CXX*";
    skip 'only g++ has one', 15 if !$known;
    my ($text, $own) = (read_text($known), "$dir/tools");
    my ($header) = $text =~ /^(.*)\n/;
    my $name = $known =~ s{.*/}{}r;
    mkdir $own;
    symlink "$tools/libcudacpu-$CXX.a", "$own/libcudacpu-$CXX.a";
    my %here = (env => {CPUCC_LIB => "$own/libcudacpu-$CXX.a"});

    # One that defines a number more shows whether it is used.
    my $marked = "$dir/marked.ii";
    write_text($marked,
        "# 0 \"/dev/null\"\n" . $text =~ s/^.*\n//r . "static const int marked = 5;\n");
    my @flags =
      qw(-std=gnu++17 -O2 -g1 -ffp-contract=off -fno-strict-aliasing -fno-diagnostics-show-caret
      -fno-show-column -Wno-narrowing);
    run([$CXX, qw(-x c++-header -fpreprocessed), @flags, $marked, '-o', "$own/$header"]);
    write_text("$own/$name", $text);
    my $asks = "#include <stdio.h>\nstatic int marked_or(int x);\n"
      . "int main() { printf(\"%d\\n\", marked); }\n";
    prints($asks, [], "5\n", 'a precompiled header is used', %here);
    for my $flag (qw(-O1 -DNDEBUG -std=c++14 -g -fPIC -march=native -Iinclude))
    {
        mkdir "$dir/include";
        write_text("$dir/include/math.h",
            "#include_next <math.h>\ntypedef int of_a_header_of_the_same_name;\n");
        my $ran =
          (write_text("$dir/try.cu", $asks), cpucc([$flag, 'try.cu', '-o', 'try'], %here))[1];
        like($ran->{err}, qr/marked.* was not declared/, "... but not with $flag");
    }
    unlink glob "$dir/include/*";
    write_text("$own/$name", "$text \n");
    unlike(cpucc(['try.cu', '-o', 'try'], %here)->{err}, qr/^$/, '... nor for another text');
    write_text("$own/$name", $text);

    for (
        ['spoiled', sub { write_text("$own/$header", 'gpch' x 5000) }],
        ['empty', sub { write_text("$own/$header", '') }],
        ['missing', sub { unlink "$own/$header" }],
        ['without its text', sub { unlink "$own/$name" }])
    {
        my ($title, $spoil) = @$_;
        $spoil->();
        prints($hello, [], "hello\n", "one that is $title does no harm", %here);
    }

    # The same object with it and without it, and the same warnings.
    write_text("$dir/warns.cu", <<'END');
#include <algorithm>
#include <math.h>
__device__ float twice(float x) { int unused; return 2 * sinf(x); }
__global__ void k(float *x, unsigned n)
{ for (int i = 0; i < n; ++i) x[i] = twice(max(x[i], 1.0f)); }
int main() { float *x; cudaMalloc(&x, 4); k<<<1, 1>>>(x, 1); return cudaDeviceSynchronize(); }
END
    my @with = (cpucc([qw(-Wall -Wextra -c warns.cu -o with.o)]),
        cpucc([qw(-Wall -Wextra -c warns.cu -o without.o)], %here));
    ok($with[0]{err} eq $with[1]{err} && $with[0]{err} =~ /^warns\.cu:3: warning: unused/m,
        'warnings are the same');
    my @code =
      map { run(['objdump', '-d', '--no-addresses', "$dir/$_.o"])->{out} =~ s/^.*\.o:.*$//mr }
      qw(with without);
    ok(length $code[0] > 1000 && $code[0] eq $code[1], '... and the code is');
}

# Two at once, from a checkout that cannot be written.
my @pids = map {
    my $n = $_;
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0)
    {
        chdir $dir;
        $ENV{CPUCC_CXX} = $CXX;
        exec $cpucc, 'hello.cu', '-o', "hello$n";
    }
    $pid;
} 1 .. 3;
waitpid $_, 0 for @pids;
is( join('', map { run(["$dir/hello$_"])->{out} } 1 .. 3),
    "hello\n" x 3,
    'three compilations at once');

# ---- In a source tree, the first use builds what it needs ----

my $tree = "$dir/tree";
sh("mkdir '$tree' && tar -c --exclude='*.ii' cpucc Makefile rules.mk include runtime rewriter checker libraries build | tar -x -C '$tree'");

# Runs cpucc of the copy so many times at once. Returns what all of them have said, in one.
sub at_once
{
    my ($times, @args) = @_;
    my $each = join '', map { "'$tree/cpucc' @args -o hello$_ & " } 1 .. $times;
    return run(['sh', '-c', "${each}wait"], dir => $dir, env => {CPUCC_CXX => $CXX, MAKEFLAGS => 'k'}, limit => 600);
}

unlink "$tree/build/libcudacpu-check-$CXX.a", map { "$dir/hello$_" } 1 .. 3;
my $first = at_once(3, '--check', 'hello.cu');
like($first->{err}, qr/\Acpucc: building libcudacpu-check-\Q$CXX\E\.a, which happens once\n\z/,
    '--check builds its runtime, and one of three says so') or diag(describe($first));
is(join('', map { run(["$dir/hello$_"])->{out} } 1 .. 3), "hello\n" x 3, '... and all three have a program');
is(at_once(1, '--check', 'hello.cu')->{err}, '', '... and the next one says nothing');
SKIP:
{
    skip 'no cuBLAS was built', 2 if !unlink "$tree/build/libcublas-$CXX.a", "$tree/build/rewrite";
    my $ran = at_once(1, 'hello.cu', '-lcublas');
    like($ran->{err}, qr/\Acpucc: building rewrite libcublas-\Q$CXX\E\.a, which happens once\n\z/,
        '-lcublas builds the library, and what else there is not') or diag(describe($ran));
    is(run(["$dir/hello1"])->{out}, "hello\n", '... and there is a program');
}
my $none = cpucc(['hello.cu'], env => {CPUCC_LIB => "$dir/none.a"});
is($none->{err}, "cpucc: no $dir/none.a, which CPUCC_LIB names\n", 'but not what CPUCC_LIB names');

# Where that cannot be, a line has the command.
SKIP:
{
    my @nobody = $> != 0 ? () : qw(setpriv --reuid=65534 --regid=65534 --clear-groups);
    sh("chmod a+rx '$dir'; chmod -R a+rX,a-w '$tree'");
    skip 'nobody cannot read here', 1 if run([@nobody, 'test', '-r', "$tree/cpucc"], dir => '/')->{status} // 1;
    sh("rm -f '$tree/build/libcudacpu-check-$CXX.a'") if $> == 0;
    sh("chmod u+w '$tree/build'; rm -f '$tree/build/libcudacpu-check-$CXX.a'; chmod u-w '$tree/build'") if $> != 0;
    my $refused = run([@nobody, "$tree/cpucc", '--check', "$dir/hello.cu"], dir => '/', env => {CPUCC_CXX => $CXX});
    like($refused->{err}, qr{\Acpucc: no \S+\.a, and \S+ cannot be written: make -C \Q$tree\E CXX='\Q$CXX\E' build/\S+\.a [^\n]*\n\z},
        'in a tree that cannot be written') or diag(describe($refused));
}
sh("chmod -R u+w '$tree'; echo '#error broken' >>'$tree/runtime/base.h'");
my $fails = at_once(1, '--check', 'hello.cu');
like($fails->{err}, qr/\Acpucc: building .*base\.h.*broken.*^cpucc: make -C [^\n]* fails, as said above\n\z/ms,
    'if it cannot be built, what the compiler says is shown') or diag(describe($fails));
sh("rm -r '$tree'");

my $no_place = cpucc(['hello.cu', '-o', 'hello'], env => {TMPDIR => "$dir/nowhere"});
is("$no_place->{status} $no_place->{err}",
    "1 cpucc: cannot write into $dir/nowhere: TMPDIR names another folder for temporary files\n",
    'a TMPDIR that is not there is one line');

# ---- Older C++, and what older programs use ----

my $old = <<'END';
#include <stdio.h>
__global__ void multiply(char4 a, char4 b, uchar4 c, int *r, unsigned *s)
{
    __shared__ volatile int v[32];
    v[threadIdx.x] = 5;
    *r = __dp4a(a, b, v[0]);
    *s = __dp4a(c, c, 0u);
}
int main()
{
    int *r, h;
    unsigned *s, k;
    cudaMalloc(&r, sizeof(int));
    cudaMalloc(&s, sizeof(int));
    const char4 a = make_char4(1, 2, 3, 4), b = make_char4(5, 6, 7, -8);
    multiply<<<1, 1>>>(a, b, make_uchar4(200, 0, 1, 2), r, s);
    cudaMemcpy(&h, r, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(&k, s, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %u %d\n", h, k, (int)cudaErrorApiFailureBase);
    cudaFree(r);
    return cudaFree(s);
}
END
prints($old, ["-std=$_"], "11 40005 10000\n", "-std=$_: __dp4a of char4, cudaErrorApiFailureBase")
  for qw(c++11 c++14 gnu++17 c++20);

# ---- .cpp files ----

write_text("$dir/kernel.cu",
    "__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }\n");
write_text("$dir/own.cpp", <<'END');
#include <cuda_runtime.h>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <cuda_fp16.h>
#include <stdio.h>
#include <algorithm>
int min(int a, int b) { return a < b ? a : b; }
template <class T> T max(T a, T b) { return a > b ? a : b; }
struct Both { __host__ __device__ int three() const { return 3; } };
__global__ void fill(int *x, int value);
int main()
{
    int *d_x, h_x[10], value = 7;
    cudaMalloc(&d_x, sizeof(h_x));
    void *arguments[] = {&d_x, &value};
    cudaLaunchKernel((void *)fill, dim3(1), dim3(10), arguments, 0, 0);
    cudaMemcpy(h_x, d_x, sizeof(h_x), cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", h_x[9], min(3, 4), max(5, 6), Both().three());
}
END
my $own = cpucc([qw(-Wall -Wextra own.cpp kernel.cu -o own)]);
is($own->{err} . run(["$dir/own"])->{out}, "7 3 6 3\n", 'min, max and kernels of a .cpp file');
write_text("$dir/own.c", "#include <$_>\nint min(int a, int b) { return a < b ? a : b; }\n") and
  is(cpucc([qw(-Wall -c own.c -o own.o)])->{err}, '', "$_ in a .c file")
  for qw(cuda_runtime.h cuda_fp16.h cublas_v2.h cufft.h curand.h cusolverDn.h cusparse.h);

my $cpp = "#include <cuda_runtime.h>\n";
refuses_with('levels.cpp',
    "${cpp}int f(cudaMipmappedArray_t *m, cudaExtent e) { return cudaMallocMipmappedArray(m, 0, e, 3); }\n",
    ['-c'], qr/\Alevels\.cpp:2: error: a mipmapped array needs a GPU: .*\n\z/);
refuses_with(
    'nccl.cpp', "$cpp#include <nccl.h>\nncclComm_t c;\n",
    ['-c'], qr/\Anccl\.cpp:3: error: ncclComm_t: NCCL needs .*\n\z/);
write_text(
    "$dir/includes.$_",
    join(
        '',
        map { "#include <$_.h>\n" }
          qw(cuda_runtime cublas_v2 cublasLt cublasXt cudnn cufftXt
          cusolverSp nccl npp nvml nvrtc))
      . "int main(void) { return 0; }\n")
  and is(
    cpucc(["includes.$_", '-Wall', '-o', 'includes'])->{err},
    '',
    "headers of the libraries in a .$_ file") for qw(c cpp cu);
refuses_with(
    'launch.cpp', "${cpp}void f() { k<<<1, 2>>>(); }\n",
    ['-c'], qr/\Alaunch\.cpp:2: error: a launch .*\.cu.*\n\z/);
refuses_with('wrong.cpp', "int f() { return nothing; }\n",
    ['-c'], qr/wrong\.cpp:1.*error: .*nothing/);

# ---- What is missing is named ----

refuses_with('shfl.cu',
    "__global__ void k(int *x)\n{\n    x[0] = __$_(x[0], 1);\n}\nint main() {}\n",
    [], qr/\Ashfl\.cu:3: error: __$_ is gone since CUDA 9: .*__${_}_sync\(0xffffffff.*\n\z/)
  for qw(shfl shfl_down shfl_xor ballot any);
prints(<<'END', [], "1\n", 'but a program may have its own');
#include <stdio.h>
__device__ int __any(int p) { return __any_sync(~0u, p); }
__global__ void k() { if (__any(threadIdx.x == 3) && threadIdx.x == 0) { printf("1\n"); } }
int main() { k<<<1, 32>>>(); return cudaDeviceSynchronize(); }
END

my $random = "#include <curand.h>\nint main() { curandGenerator_t g; "
  . "return curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT); }\n";
refuses_with('random.cu', $random, [],
    qr/random\.cu:2:.* reference to .curandCreateGenerator.*^cpucc: -lcurand is missing/ms);
write_text("$dir/random.cpp", $random);
refuses_with('random.cpp', $random, [], qr/^cpucc: -lcurand is missing/m);
my $symv = <<'END';
#include <cublas_v2.h>
int main() { return cublasSsymv(NULL, CUBLAS_FILL_MODE_LOWER, 1, 0, 0, 1, 0, 1, 0, 0, 1); }
END
refuses_with('symv.cu', $symv, ['-lcublas'],
    qr/\A[^\n]*symv\.cu:2: error: cublasSsymv: our cuBLAS has no such function\n\z/)
  if -e "$CPU/build/libcublas-$CXX.a";
my $spvec = <<'END';
#include <cusparse.h>
int main()
{
    cusparseSpVecDescr_t v = NULL;
    cusparseDestroySpVec(v);
    return cusparseDestroySpVec(v) + missing();
}
END
refuses_with('spvec.cu', "int missing();\n$spvec", ['-lcusparse'],
    qr/\A[^\n]*spvec\.cu:6: error: cusparseDestroySpVec: our cuSPARSE has no such function\n(?!.*cusparse).*undefined reference to .missing/s
) if -e "$CPU/build/libcusparse-$CXX.a";
refuses_with('driver.cpp', "extern \"C\" int cuFoo(int);\nint main() { return cuFoo(0); }\n",
    ['-lcuda'], qr/\A[^\n]*driver\.cpp:2: error: cuFoo: the CPU backend does not have the driver API\n\z/);
refuses_with('npp.cu', "#include <$_>\nint main() { return nppGetGpuNumSMs() + sizeof(Npp8u); }\n",
    ['-lnppc'], qr/\Anpp\.cu:2: error: nppGetGpuNumSMs: NPP needs a GPU: .*\n\z/)
  for qw(npp.h nppi.h nppcore.h npps.h nppi_filtering_functions.h);
refuses_with('mg.cu', "#include <cusolverMg.h>\ncusolverMgHandle_t handle;\nint main() {}\n",
    ['-lcusolverMg'], qr/\Amg\.cu:2: error: .* needs a GPU: .*\n\z/);
prints("#include <nppi.h>\n#include <stdio.h>\nint main() { puts(\"1\"); }\n",
    [qw(-lnvidia-ml -lcuda -lnvrtc -lnppc -lnppif -lcusolverMg -lcublasLt -lcudadevrt -lcudart -lculibos -lcudart_static),
     '-l', 'nvidia-ml', '-lm'],
    "1\n", 'libraries of the toolkit may be named');

refuses_with(
    'atomic.cu', "\n#include <cuda/atomic>\nint main() {}\n",
    [],
    qr/\Aatomic\.cu:2: error: .*libcu\+\+.*\n\z/,
    env => {CUDA_HOME => $_}) for "$dir/none", glob '/usr/local/cuda';

# ---- What programs from outside use ----

prints(<<'END', [], "3 51 1 3 2 4\n", 'block_tile_memory, and atomicAdd of pairs');
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdio.h>
namespace cg = cooperative_groups;
__global__ void k(int *out, __nv_bfloat162 *b, half2 *h)
{
    __shared__ cg::block_tile_memory<64> memory;
    const cg::thread_block block = cg::this_thread_block(memory);
    out[block.thread_rank()] = cg::tiled_partition<16>(block).shfl(block.thread_rank(), 3);
    if (threadIdx.x < 2)
    {
        atomicAdd(b, __floats2bfloat162_rn(0.5f, 1.0f));
        atomicAdd(h, __floats2half2_rn(1.0f, 2.0f));
    }
}
int main()
{
    int *out;
    __nv_bfloat162 *b;
    half2 *h;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&b, sizeof(*b));
    cudaMallocManaged(&h, sizeof(*h));
    *b = __floats2bfloat162_rn(0.0f, 1.0f);
    *h = __floats2half2_rn(0.0f, 0.0f);
    k<<<1, 64>>>(out, b, h);
    cudaDeviceSynchronize();
    printf("%d %d %g %g %g %g\n", out[0], out[63], __low2float(*b), __high2float(*b),
           __low2float(*h), __high2float(*h));
}
END

# All members of CUDA 13's cudaDeviceProp, in its order, and those of CUDA 12.
my @members = qw(
  name uuid luid luidDeviceNodeMask totalGlobalMem sharedMemPerBlock regsPerBlock warpSize
  memPitch maxThreadsPerBlock maxThreadsDim maxGridSize totalConstMem major minor
  textureAlignment texturePitchAlignment multiProcessorCount integrated canMapHostMemory
  maxTexture1D maxTexture1DMipmap maxTexture2D maxTexture2DMipmap maxTexture2DLinear
  maxTexture2DGather maxTexture3D maxTexture3DAlt maxTextureCubemap maxTexture1DLayered
  maxTexture2DLayered maxTextureCubemapLayered maxSurface1D maxSurface2D maxSurface3D
  maxSurface1DLayered maxSurface2DLayered maxSurfaceCubemap maxSurfaceCubemapLayered
  surfaceAlignment concurrentKernels ECCEnabled pciBusID pciDeviceID pciDomainID tccDriver
  asyncEngineCount unifiedAddressing memoryBusWidth l2CacheSize persistingL2CacheMaxSize
  maxThreadsPerMultiProcessor streamPrioritiesSupported globalL1CacheSupported
  localL1CacheSupported sharedMemPerMultiprocessor regsPerMultiprocessor managedMemory
  isMultiGpuBoard multiGpuBoardGroupID hostNativeAtomicSupported pageableMemoryAccess
  concurrentManagedAccess computePreemptionSupported canUseHostPointerForRegisteredMem
  cooperativeLaunch sharedMemPerBlockOptin pageableMemoryAccessUsesHostPageTables
  directManagedMemAccessFromHost maxBlocksPerMultiProcessor accessPolicyMaxWindowSize
  reservedSharedMemPerBlock hostRegisterSupported sparseCudaArraySupported
  hostRegisterReadOnlySupported timelineSemaphoreInteropSupported memoryPoolsSupported
  gpuDirectRDMASupported gpuDirectRDMAFlushWritesOptions gpuDirectRDMAWritesOrdering
  memoryPoolSupportedHandleTypes deferredMappingCudaArraySupported ipcEventSupported
  clusterLaunch unifiedFunctionPointers deviceNumaConfig deviceNumaId mpsEnabled hostNumaId
  gpuPciDeviceID gpuPciSubsystemID hostNumaMultinodeIpcSupported reserved clockRate
  deviceOverlap kernelExecTimeoutEnabled computeMode maxTexture1DLinear memoryClockRate
  singleToDoublePrecisionPerfRatio cooperativeMultiDeviceLaunch);
prints(<<"END", [], "in order\n9.0 32 1024 -1\n", 'cudaDeviceProp is whole');
#include <stddef.h>
#include <stdio.h>
int main()
{
    const size_t at[] = {@{[join ', ', map { "offsetof(cudaDeviceProp, $_)" } @members]}};
    bool in_order = true;
    for (size_t i = 1; i < sizeof(at) / sizeof(at[0]); ++i)
    {
        in_order = in_order && at[i] > at[i - 1];
    }
    cudaDeviceProp p;
    cudaGetDeviceProperties(&p, 0);
    printf("%s\\n%d.%d %d %d %d\\n", in_order ? "in order" : "not in order",
           p.major, p.minor, p.warpSize,
           p.maxThreadsPerBlock, p.hostNumaId);
}
END

SKIP:
{
    skip 'no Thrust here', 1 if sh("$cpucc -print-thrust")->{status} != 0;
    prints(<<'END', [], "mine: cudaErrorInvalidValue: invalid argument 1\n",
#include <thrust/sort.h>
#include <stdio.h>
int main()
{
    try
    {
        throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "mine");
    }
    catch (thrust::system_error &error)
    {
        printf("%s %d\n", error.what(), error.code().value());
    }
}
END
        'thrust::system_error comes with an algorithm');
    prints(<<'END', [], "-1 no error\n",
#include <thrust/device_vector.h>
#include <stdio.h>
__global__ void negate(thrust::device_ptr<int> x) { x[threadIdx.x] = -x[threadIdx.x]; }
int main()
{
    thrust::device_vector<int> x(4, 1);
    negate<<<1, 4>>>(x.data());
    const int last = x[3];
    printf("%d %s\n", last, cudaGetErrorString(cudaDeviceSynchronize()));
}
END
        'a kernel looks at an element of Thrust\'s without waiting for itself');
}

# ---- Contraction: 1 where the product was not rounded ----

my $contracts = <<'END';
#include <stdio.h>
__global__ void contracted(float a, float b, float c, float *x) { x[0] = a * b + c; }
__global__ void in_two(float a, float b, float c, float *x)
{ const float product = a * b; x[1] = product + c; }
__global__ void sum(float a, float b, float c, float *x) { x[2] = __fadd_rn(a * b, c); }
__global__ void product(float a, float b, float c, float *x) { x[3] = __fmul_rn(a, b) + c; }
__global__ void fused(float a, float b, float c, float *x) { x[4] = fmaf(a, b, c); }
int main()
{
    float *x, a = 1.0f + 0x1p-12f, c = -(1.0f + 0x1p-11f);
    cudaMallocManaged(&x, 5 * sizeof(float));
    contracted<<<1, 1>>>(a, a, c, x);
    in_two<<<1, 1>>>(a, a, c, x);
    sum<<<1, 1>>>(a, a, c, x);
    product<<<1, 1>>>(a, a, c, x);
    fused<<<1, 1>>>(a, a, c, x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 5; ++i)
    {
        printf("%d", x[i] != 0.0f);
    }
}
END
prints($contracts, [], '00001', 'no contraction unasked');
prints($contracts, ['-fmad=false'], '00001', '... nor with -fmad=false');
SKIP:
{
    skip 'this processor has no fused multiply-add', 2
      if `uname -m` =~ /x86_64/ && read_text('/proc/cpuinfo') !~ /\bfma\b/;
    prints($contracts, $_, '11001', "@$_ contracts all but what is named")
      for ['-fmad=true'], [qw(-fmad true -O3)];
}

done_testing();
