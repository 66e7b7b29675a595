# Textures, surfaces and arrays: cpucc includes their headers for the files that use them and for no
# others. The references of old programs, and files that are plain C++. (What fetches give is in
# conformance/, what is said of wrong ones in faults/ and checker/.)
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

sub cpucc
{
    my ($arguments, %how) = @_;
    return run(["$CPU/cpucc", @$arguments], dir => $dir, env => {CPUCC_CXX => $CXX}, %how);
}

sub compiles
{
    my ($file, $text, $title, @flags) = @_;
    write_text("$dir/$file", $text);
    my $made = cpucc(['-Wall', '-Wextra', @flags, $file, '-o', "$dir/program"]);
    ok($made->{status} == 0 && $made->{err} eq '', $title) or diag(describe($made));
    return run(["$dir/program"]);
}

# ---- Who pays ----

# The pattern by which cpucc finds a file that uses them.
my ($textures) = join '', map { s/^\$textures//r } read_text('cpucc') =~ /^textures="?'?(.*?)['"]$/mg;
write_text("$dir/empty.cu", "int main() {}\n");
my $empty = cpucc(['-E', 'empty.cu'])->{out};
cmp_ok(length $empty, '>', 10_000, 'what is included unasked');
unlike($empty, qr/$textures/, '... has no name of a texture');
write_text("$dir/thrust.cu", "#include <thrust/sort.h>\n#include <thrust/device_vector.h>\nint main() {}\n");
my $thrust = cpucc(['-E', 'thrust.cu']);
SKIP:
{
    skip 'no Thrust here', 1 if $thrust->{status} != 0;
    unlike($thrust->{out}, qr/tex2Dgather/, '... nor has Thrust');
}

# Each name that the headers give to programs is found by the pattern.
my $names = join '', map { read_text("include/$_.h") }
  qw(cudacpu_array cudacpu_texture cudacpu_surface channel_descriptor cudacpu_texture_reference);
$names =~ s{//.*}{}g;
my %in_base = map { $_ => 1 } $empty =~ /\b(cuda\w+)/g, $names =~ /\b(cudacpu\w*)/g;
my %texture_names = map { $_ => 1 } $names =~ /\b(cuda[A-Z]\w+|(?:tex|surf)(?:Cube|[123]D)\w*)\b/g;
my @lost = grep { !$in_base{$_} && $_ !~ /$textures/ } sort keys %texture_names;
cmp_ok(scalar keys %texture_names, '>', 150, 'the headers have names');
is("@lost", '', 'a file that uses one of them gets the headers');

# ---- The references of programs before CUDA 12 ----

my $made = cpucc([qw(-Wall -Wextra), "$CPU/tests/textures/references.cu", '-o', "$dir/references"]);
ok($made->{status} == 0 && $made->{err} eq '', 'references compile') or diag(describe($made));
my $ran = run(["$dir/references"]);
is($ran->{out}, <<'END', 'what they read');
linear: 0 0 256 1024 2304 4096 6400 9216 12544 0
bound again: 0 0 0 0 0 0
offset 0, cudaSuccess
array: 8192 8768 9344 9920 10496 11200 11904 12608 13312 14144 14976 15808
colors: 0 51 102 154 256 205 0 51 51 51 51 51 102 0 0 256
numbers: 30 40 50 60 70 0 0 0
box: 0 256 1024 2304 4096 6400 9216 12544 0 256 1024 2304 4096 6400 9216 12544
layers: 0 20736 1024 30976
pairs: 1 -1 300 -300 32767 -32768
surface: 0 512 1024 1536 51200 51712 52224 52736
cudaErrorInvalidChannelDescriptor
cudaSuccess
END
like($ran->{err}, qr/\ACPU backend: references.cu:\d+:\n  no element has channels of .*\n\z/,
    'and what is said');

# A program of today may call something of its own a texture.
is(compiles('own.cu', <<'END', 'a texture of the program\'s own compiles')->{out}, "3 1\n", '... and runs');
#include <cstdio>
template <class T>
struct texture
{
    T x;
};
texture<int> of_mine = {3};
__global__ void k(cudaTextureObject_t, int *y) { *y = tex1Dfetch<int>(0, 0); }
int main()
{
    const int surface = 4, limit = 3;
    printf("%d %d\n", of_mine.x, surface <limit || limit> 2);
}
END

# ---- Headers by their names in the toolkit, and files that are plain C++ or C ----

for my $standard (qw(c++14 c++17 c++20))
{
    my $text = join '', map { "#include <$_.h>\n" }
      qw(texture_types surface_types channel_descriptor texture_fetch_functions texture_indirect_functions
      surface_functions surface_indirect_functions driver_types);
    compiles('headers.cu', "${text}__global__ void k(cudaTextureObject_t t, float *y)\n"
          . "{ *y = tex2D<float>(t, 1.0f, 2.0f) + surf2Dread<float>(0, 0, 0); }\nint main() {}\n",
        "the headers in $standard", "-std=$standard");
}
my $host = <<'END';
#include <cuda_runtime.h>
#include <stdio.h>
int main(void)
{
    const cudaChannelFormatDesc format = FORMAT;
    int h_x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, h_y[8];
    cudaArray_t array;
    cudaTextureObject_t texture;
    cudaResourceDesc resource;
    cudaTextureDesc how;
    memset(&resource, 0, sizeof(resource));
    memset(&how, 0, sizeof(how));
    cudaMallocArray(&array, &format, 4, 2, cudaArrayDefault);
    cudaMemcpy2DToArray(array, 0, 0, h_x, 16, 16, 2, cudaMemcpyHostToDevice);
    cudaMemcpy2DFromArray(h_y, 16, array, 0, 0, 16, 2, cudaMemcpyDeviceToHost);
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = array;
    printf("%d %d\n", (int)cudaCreateTextureObject(&texture, &resource, &how, NULL), h_y[7]);
    cudaDestroyTextureObject(texture);
    cudaFreeArray(array);
    return 0;
}
END
is(compiles('host.cpp', $host =~ s/FORMAT/cudaCreateChannelDesc<int>()/r, 'a .cpp file compiles')->{out},
    "0 8\n", '... and runs');
is(compiles('host.c',
        "#include <string.h>\n"
          . $host =~ s/FORMAT/{32, 0, 0, 0, cudaChannelFormatKindSigned}/r, 'a .c file compiles')->{out},
    "0 8\n", '... and runs');

# ---- Types that textures do not have ----

for (['double', 'tex1Dfetch<double>(t, 0)'], ['float3', 'tex2D<float3>(t, 0.0f, 0.0f).x'])
{
    my ($type, $fetch) = @$_;
    write_text("$dir/type.cu", "__global__ void k(cudaTextureObject_t t, float *y)\n{ *y = $fetch; }\nint main() {}\n");
    my $refused = cpucc([qw(-c type.cu)]);
    ok($refused->{status} != 0 && $refused->{err} =~ /Channels<$type>/, "no texture of $type")
      or diag(describe($refused));
}

# ---- On any number of cores, and with the first touch of the memory in a fetch ----

for my $name (qw(texture_filters texture_layers surfaces))
{
    my $compiled = compile_for_cpu("$CPU/tests/conformance/$name.cu", "$dir/$name");
    my %printed;
    for my $cores (1, 2, 16)
    {
        my $ran = run(["$dir/$name"], env => {CUDACPU_THREADS => $cores, CUDACPU_STRICT => 1});
        ok($ran->{status} == 0, "$name on $cores cores") or diag(describe($ran));
        $printed{$ran->{out}} = 1;
    }
    is(scalar keys %printed, 1, "... prints the same");
}

done_testing();
