# What belongs to the host in device code and the other way round, beyond plain names (rewrite.t has
# those): members, constructors, templates, lambdas, what holds memory of the C++ library, and variables and
# functions whose address is the other side's. Each is refused in one line. What only looks so is taken, by
# nvcc as well.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

sub compile
{
    my ($file) = @_;
    return run(["$CPU/cpucc", '-extended-lambda', '-c', $file, '-o', 'object.o'],
        dir => $dir, env => {CPUCC_CXX => $CXX, CUDA_HOME => undef});
}

# BODY is the line that is refused.
my $kernel = '__global__ void k(int *p, int n) { BODY }';
my $host = 'int main() { int *p = NULL, n = 3; BODY }';
my $class = 'struct A { int x; int f() { return x; } static int g() { return 1; } __device__ int h() { return x; } };';
for (
    ['a member of the host', "$class\n__global__ void k(A a, int *p) { BODY }", '*p = a.f();', 'A::f is a function of the host'],
    ['one by a pointer', "$class\n__global__ void k(A *a, int *p) { BODY }", 'if (p) { *p = a->h() + a->f(); }', 'A::f is a'],
    ['one of an element', "$class\n__global__ void k(A *list, int n) { BODY }", 'n = list[n].f();', 'A::f is a function of the host'],
    ['one of a local object', "$class\n$kernel", 'A a; *p = a.f();', 'A::f is a function of the host'],
    ['a static member', "$class\n$kernel", '*p = A::g();', 'A::g is a function of the host'],
    ['a virtual member', "struct V { virtual int f() { return 1; } };\n__global__ void k(V *v, int *p) { BODY }", '*p = v->f();',
        'V::f is a function of the host'],
    ['a member that a device member calls',
        "struct A { int f() { return 1; } __device__ int g() { BODY } };\n__global__ void k(A a, int *p) { *p = a.g(); }",
        'return 2 * f();', 'A::f is a function of the host'],
    ['a constructor', "struct A { int x; A(int y) { x = y; } };\n$kernel", 'A a(3);', 'A::A is a function of the host'],
    ['a constructor without arguments', "class A { public: A() { x = 1; } int x; };\n$kernel", 'A a;', 'A::A is a function of the host'],
    ['a constructor with braces', "struct A { int x; A(int y, int z) : x(y + z) {} };\n$kernel", 'const A a{n, n};', 'A::A is a function of the host'],
    ['a function of a namespace', "namespace s { int f() { return 1; } }\n$kernel", '*p = s::f();', 's::f is a function of the host'],
    ['a template', "template <class T> T twice(T x) { return x + x; }\n$kernel", '*p = twice(n);', 'twice is a function of the host'],
    ['a template with arguments', "template <class T, int N> T times(T x) { return x * N; }\n$kernel", '*p = times<int, 3>(n);',
        'times is a function of the host'],
    ['std::vector', "#include <vector>\n$kernel", 'std::vector<int> v(n);', 'device code cannot use std::vector'],
    ['a parameter that is one', "#include <vector>\n__global__ void k(std::vector<int> v, int *p) { BODY }", '*p = v[0];',
        'device code cannot use std::vector'],
    ['its size', "#include <vector>\n__global__ void k(const std::vector<float> &v, int *p) { BODY }", '*p = (int)v.size();',
        'device code cannot use std::vector'],
    ['std::string', "#include <string>\n$kernel", 'std::string text = "a";', 'device code cannot use std::string'],
    ['std::sort', "#include <algorithm>\n$kernel", 'std::sort(p, p + n);', 'device code cannot call std::sort'],
    ['a lambda of the host', "template <class F> __global__ void k(F f, int *p) { *p = f(1); }\n$host",
        'k<<<1, 1>>>([=](int x) { return x + n; }, p);', 'a lambda that a kernel calls needs __device__'],
    ['one with a name', "template <class F> __global__ void k(F f, int *p) { *p = f(1); }\n$host",
        'const auto f = [=](int x) { return x + n; }; k<<<1, 1>>>(f, p);', 'a lambda that a kernel calls needs __device__'],
    ['a pointer to a host function', "int f(int x) { return x; }\n__global__ void k(int (*g)(int), int *p) { *p = g(1); }\n$host",
        'k<<<1, 1>>>(f, p);', 'f: its address is the host\'s'],
    ['one to a device function, taken by the host',
        "__device__ int f(int x) { return x; }\n__global__ void k(int (*g)(int), int *p) { *p = g(1); }\n$host",
        'k<<<1, 1>>>(&f, p);', 'f: its address is the host\'s'],
    ['an array of the device as an argument', "__device__ int d_a[4];\n__global__ void k(int *p) { *p = 1; }\n$host",
        'k<<<1, 1>>>(d_a);', 'd_a is a variable of the device: a kernel uses it by its name'],
    ['the address of a variable as an argument', "__device__ int d_a;\n__global__ void k(int *p) { *p = 1; }\n$host",
        'k<<<1, 1>>>(&d_a);', 'd_a is a variable of the device: a kernel uses it by its name'],
    (map { ["an array of the device that the host reads: $_", "__device__ int d_a[4];\n__global__ void k() { d_a[0] = 1; }\n$host",
        $_, 'd_a is a variable of the device: the host reads it by'] } 'n = d_a[2];', 'printf("%d\n", d_a[n]);', 'd_a[0] = n;',
        'for (int i = 0; i < 4; ++i) { n += d_a[i]; }', 'if (d_a[0] > 3) { n = 2; }'),
    (map { ["a variable of the device that the host reads: $_", "__device__ int d_x;\n__global__ void k() { d_x = 1; }\n$host",
        $_, 'd_x is a variable of the device: the host reads it by'] } 'n = d_x;', 'd_x = 3;', 'd_x++;', 'return d_x;'),
    ['a constant that the host reads', "__constant__ float c_t[3];\n__global__ void k(float *p) { *p = c_t[1]; }\n$host",
        'printf("%g\n", c_t[1]);', 'c_t is a variable of the device'])
{
    my ($title, $text, $body, $message) = @$_;
    $text = "#include <cstdio>\n" . $text =~ s/BODY/\n$body\n/r . "\n";
    $text .= "int main() {}\n" if $text !~ /int main/;
    my $line = 1 + ($text =~ /\A(.*?)\Q$body\E/s)[0] =~ tr/\n//;
    write_text("$dir/side.cu", $text);
    my $ran = compile('side.cu');
    ok($ran->{status} == 1 && $ran->{err} =~ /^side\.cu:$line: error: \Q$message\E.*\n\z/m, "$title is refused")
      or diag(describe($ran));
}

for my $name (qw(names classes lucky))
{
    my $file = "$CPU/tests/sides/$name.cu";
    is(compile($file)->{err}, '', "$name.cu only looks like that, and is taken");
    SKIP:
    {
        skip 'no nvcc', 1 unless on_path('nvcc');
        my $nvcc = run([qw(nvcc -std=c++17 -w -arch=sm_90 -extended-lambda -expt-relaxed-constexpr -c), $file, qw(-o nvcc.o)],
            dir => $dir, limit => 120);
        is($nvcc->{status} . $nvcc->{err}, '0', '... by nvcc, too') or diag(describe($nvcc));
    }
}

done_testing();
