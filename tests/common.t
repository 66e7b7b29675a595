# common/: each header compiles when it is included alone, and the programs in common/ here pass.
# Inputs: common/*.cuh common/suite/*.cuh ch15_libs/thrust_in_order.cuh backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $nvcc = $BACKEND eq 'cuda' ? $ENV{NVCC} || 'nvcc' : '';
my $dir = tempdir(CLEANUP => 1);

sub compile
{
    my ($source, $program, @flags) = @_;
    return compile_for_cpu($source, $program, '-Wall', '-Wextra',
        '-Wno-missing-field-initializers', @flags)
      unless $nvcc;
    return run([$nvcc, '-O2', '-Wno-deprecated-gpu-targets', @flags, '-o', $program, $source],
        dir => dirname($source));
}

sub compiles
{
    my ($source, $program, $title, @flags) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $ran = compile($source, $program, @flags);
    my $right = ok($ran->{status} == 0 && $ran->{err} eq '', $title);
    diag(describe($ran)) unless $right;
    return $right;
}

for my $header (sort glob 'common/*.cuh')
{
    # check_LIB.cuh needs its library; main makes sure that what is unused does no harm either.
    next if $header =~ /check_\w+\.cuh$/ && $BACKEND eq 'cpu';
    my $name = basename($header, '.cuh');
    my $twice = "#include \"$ROOT/$header\"\n" x 2;
    my $source = write_text("$dir/$name.cu", "${twice}int main(void)\n{\n    return 0;\n}\n");
    compiles($source, "$dir/$name.alone", "$header compiles alone");
}

for my $source (sort glob 'tests/common/*.cu')
{
    my $name = basename($source, '.cu');
    for my $flag ('', '-DUSE_DP')
    {
        my $program = "$dir/$name";
        compiles("$ROOT/$source", $program, "$source $flag compiles", "-I$ROOT/common/suite", $flag || ())
          or next;
        my $ran = run([$program], dir => $dir);
        my $right = ($ran->{status} // 1) == 0 && $ran->{out} =~ /^PASS: [1-9]\d* checks?\n\z/m;
        ok($right, "$source $flag passes") or diag(describe($ran));
        command_lines($source, $program) if $flag eq '';
    }
}

# A test program may have command lines to be tried in the comment at its top:
#
#     arguments        status   what is somewhere on stdout, or "(stderr) ..."
#     -n 0, -n abc:    2, nothing on stdout, one line on stderr
sub command_lines
{
    my ($source, $program) = @_;
    my ($comment) = read_text($source) =~ m{\A((?://.*\n)+)};
    my @lines = map { m{^//     (\S.*)$} } split /\n/, $comment;
    my $row = qr/^(\S.*?)  +(\d+)  +(\S.*)$/;
    for (grep { /$row/ } @lines)
    {
        my ($args, $status, $text) = /$row/;
        my $stream = $text =~ s/^\(stderr\) // ? 'err' : 'out';
        my $ran = sh("exec '$program' $args", dir => $dir);
        my $right = ($ran->{status} // -1) == $status && index($ran->{$stream}, $text) >= 0;
        ok($right, "$source: $args") or diag(describe($ran), "$stream lacks: $text\n");
    }
    my ($refused) = join(' ', grep { !/$row/ } @lines) =~ /(-.*):\s+2, nothing on stdout/;
    for my $args (split /, /, $refused // '')
    {
        my $ran = sh("exec '$program' $args", dir => $dir);
        my $right = ($ran->{status} // -1) == 2 && $ran->{out} eq ''
          && $ran->{err} =~ /^[^\n]+\n\z/;
        ok($right, "$source: $args is refused") or diag(describe($ran));
    }
}

# thrust_in_order.cuh: with the toolkit's Thrust no launch may overlap the kernel before it.
SKIP:
{
    skip 'there is no nvcc on the PATH', 2 unless on_path('nvcc');
    my $overlaps = qr/attribute\[0\]\.id\s*=\s*cudaLaunchAttributeProgrammaticStreamSerialization/;
    my ($with, $without) = map {
        my $source = write_text("$dir/sort.cu", "$_\n#include <thrust/sort.h>\n");
        sh("nvcc -arch=sm_90 -E '$source'", dir => $dir)->{out}
    } qq{#include "$ROOT/ch15_libs/thrust_in_order.cuh"}, '';
    skip 'this nvcc cannot read Thrust for sm_90', 2 if $without !~ /triple_chevron/;
    ok( $with =~ /triple_chevron/ && $with !~ $overlaps,
        'thrust_in_order.cuh turns early starts of kernels off');
    # Before CUDA 13 there are none: in 12.9 the macro that Thrust asks for is not defined.
    ok($without !~ m{/cccl/cuda/std/__cccl/cuda_capabilities\.h} || $without =~ $overlaps,
        '... which Thrust has without it');
}

done_testing();
