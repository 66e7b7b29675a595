# make toolkits with a pip, a clang++, an nvcc and a cuobjdump that say what the test wants them to:
# what is skipped, what is listed and what fails. What real toolkits say, make toolkits itself
# shows.
# Inputs: make ch03_framework/add1.cu ch03_framework/add3if.cu ch09_shared_mem/matmul-tensor.cu common/*.cuh backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $at = "$dir/at";
sh("cp -a Makefile suite make cpu common '$dir'");
for my $file (qw(ch03_framework/add1.cu ch03_framework/add3if.cu ch09_shared_mem/matmul-tensor.cu))
{
    mkdir "$dir/" . dirname($file);
    sh("cp -a $file $dir/$file");
}

# A command with this text, first on the PATH.
sub command
{
    my ($path, $text) = @_;
    sh("mkdir -p '" . dirname($path) . "'");
    write_text($path, "#!/bin/sh\n$text\n");
    chmod 0755, $path or die "$path: $!\n";
    return;
}

# A toolkit of which all parts are there, as if pip had fetched them.
sub toolkit
{
    my ($version) = @_;
    sh("mkdir -p '$at/$version/lib' '$at/$version/bin' '$at/$version/include'");
    write_text("$at/$version/$_", '') for qw(has-compiler has-libraries lib/libcublas.so.12);
    return;
}

sub toolkits
{
    my ($which, %environment) = @_;
    return run(['make', 'toolkits', 'BACKEND=cpu', "CXX=$CXX"], dir => $dir, limit => 300,
        env => {without_make(), PATH => "$dir/commands:$ENV{PATH}", CLANG => "$dir/clang",
            TOOLKITS => $which, TOOLKITS_AT => $at, %environment});
}

sub says
{
    my ($ran, $status, $title, @patterns) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $said = $ran->{out} . $ran->{err};
    my $right = $ran->{status} == $status && !grep { $said !~ $_ } @patterns;
    ok($right, $title) or diag(describe($ran));
    return;
}

# ---- What cannot be had is skipped ----

command("$dir/commands/python3", "echo 'the mirror is away' >&2\nexit 1");
command("$dir/clang", 'exit 0');
says(toolkits('12.0.0 13.5.0'), 0, 'no mirror, no failure',
    map { qr/^CUDA \Q$_\E: skipped, because pip cannot fetch it: the mirror is away$/m }
      qw(12.0.0 13.5.0));
ok(!-e "$at/12.0.0/has-compiler", 'and nothing that looks like a toolkit is left');
says(toolkits('12.9.1', CLANG => 'no-such-clang'), 0, 'no clang++, no failure',
    qr/^CUDA 12\.9\.1: skipped, because there is no no-such-clang$/m);

# ---- What pip brings is put together ----

command("$dir/commands/python3", <<'PIP');
while [ "$1" != --target ]; do shift; done
mkdir -p "$2/nvidia/one/include/nv" "$2/nvidia/other/lib"
: >"$2/nvidia/one/include/nv/target"
: >"$2/nvidia/other/lib/libcublas.so.12"
PIP
says(toolkits('12.9.1', TOOLKITS_AT => "$dir/fetched"), 0, 'a toolkit is fetched',
    qr/^CUDA 12\.9\.1: \S+ read 3 files with its headers$/m);
ok(-e "$dir/fetched/12.9.1/include/nv/target" && -e "$dir/fetched/12.9.1/lib/libcublas.so",
    'its parts lie in one folder');
is(join(' ', map { basename($_) } glob "$dir/fetched/*"), '12.9.1', 'and nowhere else');
command("$dir/commands/python3", "echo 'fetched again' >&2\nexit 1");
says(
    toolkits('12.9.1', TOOLKITS_AT => "$dir/fetched"),
    0,
    'and not fetched again',
    qr/read 3 files/);

# ---- CUDA 12: clang++ reads the programs ----

toolkit('12.9.1');
says(
    toolkits('12.9.1'), 0,
    'clang++ reads all',
    qr/^CUDA 12\.9\.1: \S+ read 3 files with its headers$/m);

# What the fake clang++ says of add1.cu, and that it then fails.
sub clang_says
{
    my ($error) = @_;
    command("$dir/clang",
        "for file; do :; done\n[ \"\$file\" = add1.cu ] || exit 0\necho \"$error\" >&2\nexit 1");
    return toolkits('12.9.1');
}
my $header = "$at/12.9.1/include/a/b.h";
says(clang_says('add1.cu:7:9: error: no such function'), 2, 'an error in a program fails',
    qr/^add1\.cu:7:9: error: no such function$/m, qr/^FAILED ch03_framework\/add1\.cu$/m);
says(clang_says("$header:65:28: error: invalid % escape in inline assembly string"), 0,
    'a header that only clang++ cannot read is listed',
    qr/read 2 files/, qr/^    not ch03_framework\/add1\.cu: clang\+\+ cannot read a\/b\.h$/m);
says(clang_says('add1.cu:7:9: error: invalid % escape in inline assembly string'), 2,
    'the same error in a program fails', qr/^FAILED/m);
says(clang_says("$header:1:1: error: no matching function"), 2,
    'another error in a header fails', qr/^FAILED/m);
my $of_clang = "$header:65:28: error: invalid index 1 for pack 'T' of size 1";
says(clang_says("$of_clang\nadd1.cu:9:9: error: ours"), 2,
    'an error in a program after one of clang++ fails', qr/^FAILED/m);
says(clang_says('Segmentation fault'), 2, 'a clang++ that breaks off fails', qr/^FAILED/m);
unlink "$at/12.9.1/lib/libcublas.so.12", "$at/12.9.1/lib/libcublas.so";
command("$dir/clang", 'exit 0');
says(toolkits('12.9.1'), 0, 'a program is left out without its library',
    qr/read 2 files/, qr/^    not matmul-tensor: their libraries are not fetched$/m);

# ---- CUDA 13: nvcc builds the programs, and each has code for each GPU ----

toolkit('13.5.0');
my $nvcc = 'while [ "$1" != -o ]; do shift; done; printf "#!/bin/sh\n" >"$2"; chmod +x "$2"';
my @architectures = qw(75 80 86 89 90 100 120);
command("$at/13.5.0/bin/nvcc", $nvcc);
command("$at/13.5.0/bin/cuobjdump",
    join "\n", map { "echo 'ELF file    1: x.1.sm_$_.cubin'" } @architectures);
says(toolkits('13.5.0'), 0, 'nvcc builds all',
    qr/^CUDA 13\.5\.0: nvcc built 3 programs, each with code for sm_75 sm_80 .* sm_120$/m);
ok(!-e "$dir/bin", 'and bin/ stays as it is');
says(toolkits('13.5.0', TOOLKITS_QUICK => 1), 0, 'in a hurry one program of each chapter',
    qr/^CUDA 13\.5\.0: nvcc built 2 programs, each with code for sm_120$/m);
command("$at/13.5.0/bin/cuobjdump",
    join "\n", map { "echo 'ELF file    1: x.1.sm_$_.cubin'" } grep { $_ != 89 } @architectures);
says(toolkits('13.5.0'), 2, 'a GPU without code fails',
    qr/^FAILED: \S+\/add1 has no code for sm_89$/m);
command("$at/13.5.0/bin/nvcc",
    "case \"\$*\" in *add3if*) echo 'add3if.cu(3): error' >&2; exit 2;; esac\n$nvcc");
sh("touch '$dir/ch03_framework/add3if.cu'");
says(toolkits('13.5.0'), 2, 'a program that nvcc does not compile fails',
    qr/^add3if\.cu\(3\): error$/m, qr/^FAILED: a program cannot be built$/m);

# ---- What make asks nvcc for ----

my $asked = sh("cd '$dir' && make -n BACKEND=cuda NVCC='$at/13.5.0/bin/nvcc' V=1 "
      . 'ARCH="sm_75 sm_90 sm_120" build/cuda-nvcc-float/matmul-tensor')->{out};
like(
    $asked,
    qr/'arch=compute_$_,code=\[sm_$_,compute_$_\]'/,
    "make asks nvcc for sm_$_ and its PTX") for 75, 120;
like(
    $asked,
    qr/arch=compute_90a,code=sm_90a/,
    'and for the program\'s own Arch:, in the place of sm_90');

# Without a GPU and without ARCH: what the toolkit has, but for GPUs before 7.5.
command("$dir/commands/nvidia-smi", 'exit 9');
command("$dir/old/nvcc", 'printf "sm_%s\\n" 50 60 70 75 80 86 90');
$asked = run(
    ['make', '-n', 'BACKEND=cuda', "NVCC=$dir/old/nvcc", 'V=1', 'build/cuda-nvcc-float/add1'],
    dir => $dir,
    env => {without_make(), PATH => "$dir/commands:$ENV{PATH}"})->{out};
is(join(' ', $asked =~ /arch=compute_(\d+)/g), '75 80 90',
    'make asks an old nvcc for no older GPU');

done_testing();
