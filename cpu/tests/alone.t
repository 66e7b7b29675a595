# The folder stands alone: a copy of it builds, is installed, and what README.md says to type runs
# in the copy. The installed cpucc compiles in another folder, without what it was built from. The
# links of the pages lead somewhere within the folder, and to headings that are there.
# Inputs: backend counter cpu/* cpu/*/*.md cpu/bench/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Encode qw(decode_utf8 encode_utf8);
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my %own_make = map { $_ => undef } qw(MAKEFLAGS MFLAGS MAKELEVEL PREFIX DESTDIR CPUCC_CXX);

# What is built goes along, but in an exhaustive test.
my @built = $ENV{TEST_EXHAUSTIVE} ? '--exclude=./build' : ();
sh("mkdir '$dir/copy'; tar -c @built . | tar -x -C '$dir/copy'");
my $made = run(['make', "CXX=$CXX"], dir => "$dir/copy", env => \%own_make, limit => 600);
ok($made->{status} == 0, 'a copy of the folder builds') or diag(describe($made));
my ($own) = grep { m{/} && !m{^\.?/?build/} } $made->{out} =~ /^  (\S+)/mg;
is($own, undef, '... into build/ alone');

# ---- Installed ----

my $blank = run(['make', 'install', "CXX=$CXX", "PREFIX=$dir/it is here"], dir => "$dir/copy",
    env => \%own_make);
ok($blank->{status} != 0 && $blank->{err} =~ /^make install: PREFIX has no blanks$/m,
    'a PREFIX with blanks is refused') or diag(describe($blank));
sh("mkdir -p '$dir/opt/lib/cpucc' && echo x >'$dir/opt/lib/cpucc/notes'");
my $theirs = run(['make', 'install', "CXX=$CXX", "PREFIX=$dir/opt"], dir => "$dir/copy", env => \%own_make);
ok($theirs->{status} != 0 && $theirs->{err} =~ m{^make install: \S+/lib/cpucc/notes is not cpucc's}m
      && -e "$dir/opt/lib/cpucc/notes", 'a folder with files of somebody else is refused') or diag(describe($theirs));
unlink "$dir/opt/lib/cpucc/notes";
my $installed = run(['make', 'install', "CXX=$CXX", "PREFIX=$dir/opt"], dir => "$dir/copy",
    env => \%own_make);
is( $installed->{out},
    "$dir/opt/bin/cpucc compiles CUDA for the CPU, by $CXX\n",
    'make install says what it did') or diag(describe($installed));
my $staged = run(
    ['make', 'install', "CXX=$CXX", 'PREFIX=/usr', "DESTDIR=$dir/stage"],
    dir => "$dir/copy",
    env => \%own_make);
ok(-x "$dir/stage/usr/bin/cpucc" && !-e "$dir/stage/usr/lib/cpucc.part", 'DESTDIR is for packages')
  or diag(describe($staged));
my $odd = run(['make', 'install', "CXX=$CXX", 'PREFIX=/usr', "DESTDIR=$dir/it';touch HACK;'`touch HACK`"],
    dir => "$dir/copy", env => \%own_make);
ok(-x "$dir/it';touch HACK;'`touch HACK`/usr/bin/cpucc" && !-e "$dir/copy/HACK", 'its name may be any')
  or diag(describe($odd));
rename "$dir/copy", "$dir/gone";
mkdir "$dir/elsewhere";
write_text("$dir/elsewhere/sum.cu", <<'END');
#include <cstdio>
#include <cublas_v2.h>
__global__ void fill(float *x)
{
    x[threadIdx.x] = threadIdx.x;
}
int main(int argc, char **)
{
    float *x, sum = 0;
    cudaMalloc(&x, 100 * sizeof(float));
    fill<<<1, argc == 1 ? 100 : 1000>>>(x);
    cublasHandle_t handle;
    cublasCreate(&handle);
    cublasSasum(handle, 100, x, 1, &sum);
    printf("%g\n", sum);
    cublasDestroy(handle);
    return cudaFree(x);
}
END
my $compiled =
  run(["$dir/opt/bin/cpucc", 'sum.cu', '-lcublas', '-o', 'sum'], dir => "$dir/elsewhere");
ok( $compiled->{status} == 0 && $compiled->{err} eq '',
    'the installed cpucc compiles in another folder') or diag(describe($compiled));
is(run(["$dir/elsewhere/sum"])->{out}, "4950\n", '... a program that runs');
unlink "$dir/opt/lib/cpucc/build/libcublas-check-$CXX.a"; # where one was built, it is installed, too
my $checked = run(["$dir/opt/bin/cpucc", '--check', 'sum.cu', '-lcublas', '-o', 'checked'], dir => "$dir/elsewhere");
like($checked->{err}, qr{\Acpucc: no \S+/libcublas-check-\S+\.a: in the sources [^\n]* build/libcublas-check-\S+, then make install\n\z},
    '... for a library with the checker it names the commands that install it') or diag(describe($checked));
my $none = run(["$dir/opt/bin/cpucc", 'sum.cu'], dir => "$dir/elsewhere", env => {CPUCC_CXX => 'env g++-none'});
ok($none->{status} && $none->{err} =~ /\Acpucc: no \S+-g\+\+-none\.a: in the sources [^\n]*\n\z/,
    '... for another compiler it names the command that installs it') or diag(describe($none));
like(run(["$dir/elsewhere/sum", 'wrong'])->{err}, qr/^CPU backend: kernel fill, .*, sum\.cu:5:$/m,
    '... and whose faults are named with their lines');
rename "$dir/gone", "$dir/copy";

# ---- README.md ----

my $readme = read_text('README.md');
while ($readme =~ /^```sh\n(.*?)^```/gms)
{
    my ($block, $line) = ($1, 1 + (substr($readme, 0, $-[0]) =~ tr/\n//));
    my $ran = sh($block =~ s/^make(?= |$)/make CXX=$CXX/gmr, dir => "$dir/copy",
        env => {%own_make, CPUCC_CXX => $CXX}, limit => 300);
    ok($ran->{status} == 0, "README.md:$line: its sh block runs") or diag(describe($ran));
}

# The names of a page's headings, as they stand in links.
sub headings
{
    my ($page) = @_;
    my @headings = map { decode_utf8($_) } read_text($page) =~ s/^```.*?^```//gmsr =~ /^#+ (.+)/mg;
    return map { encode_utf8(lc() =~ s/[^\w\- ]//gr =~ s/ /-/gr) => 1 } @headings;
}

for my $page (glob '*.md */README.md')
{
    my $text = read_text($page) =~ s/^```.*?^```//gmsr =~ s/`[^`\n]*`//gr;
    my @dead;
    for my $link (grep { !/^https?:/ } $text =~ /\]\(([^)\s]+)\)/g)
    {
        my ($path, $heading) = split /#/, $link, 2;
        my $file = $path eq '' ? $page : dirname($page) . "/$path";
        push @dead, $link unless -e $file && (!defined $heading || {headings($file)}->{$heading});
    }
    is("@dead", '', "$page: its links lead somewhere");
    unlike($text, qr{\]\((?:\.\./){2}}, "$page: ... within the folder");
}

done_testing();
