# Every program's header comment, tests/programs.txt, and those rules of the house that a search can check.
# Inputs: programs chinese make bench/counts.pl
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Documents;
use Suite;
use Test::More;

# Comments do not count as code, strings do.
sub code_of
{
    my ($file) = @_;
    return read_text($file) =~ s{/\*.*?\*/}{}gsr =~ s{//[^\n]*}{}gr;
}

sub chapter_of
{
    my ($file) = @_;
    return $file =~ /^ch(\d+)_/ ? int $1 : 0;
}

# A Chinese character is as wide as two others.
sub columns
{
    my ($line) = @_;
    utf8::decode($line);
    return length($line) + ($line =~ tr/\x{2e80}-\x{ffef}//);
}

# A test that names every place that breaks a rule.
sub nowhere
{
    my ($rule, @places) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    ok(!@places, $rule) or diag(map { "  $_\n" } @places);
}

for my $program (programs())
{
    described($program);
    my @problems = @{$program->{problems}};
    push @problems, 'its Chinese sentence is not in Chinese' if ($program->{Chinese} // '') =~ /^[ -~]+$/;
    push @problems, 'reads arguments by itself, but tests/programs.txt has no Options: of it'
      if !$program->{reads_args} && !defined $program->{Options} && code_of($program->{file}) =~ /"--help"/;
    my $compiler = $program->{file} =~ /\.cu$/ ? 'nvcc' : 'g\+\+';
    push @problems, 'Compile: does not name the compiler and the file'
      unless ($program->{Compile} // '') =~ /^$compiler .*\b\Q$program->{name}\E\.(cu|cpp)\b/;
    push @problems, 'Run: does not run ./a.out' unless ($program->{Run} // '') =~ m{(^| )\./a\.out};
    for my $key (qw(Libs Flags))
    {
        push @problems, "Compile: lacks its $key: $_"
          for grep { index($program->{Compile} // '', $_) < 0 } split ' ', $program->{$key} // '';
    }
    ok(!@problems, "$program->{file} has a right header comment")
      or diag(map { m{^tests/programs\.txt:} ? "  $_\n" : "  $program->{file}: $_\n" } @problems);
}
nowhere('tests/programs.txt has paragraphs of programs, in the order of make list',
    Programs::problems_for_tests(all_programs()));

# What a program has elsewhere goes with it.
my @of_none = grep { !program(basename($_) =~ s/\..*//r) } map { glob "tests/$_/*" }
  qw(golden tables);
ok(!@of_none, 'golden texts and tables are those of programs')
  or diag(map { "  remove $_: there is no such program\n" } @of_none);

my @sources = glob 'ch[0-9]*/*.cu ch[0-9]*/*.cuh ch[0-9]*/*.cpp';
my %code = map { $_ => code_of($_) } @sources;
my %seen;
nowhere('no two programs have one name', grep { $seen{$_}++ } map { $_->{name} } programs());

sub matches
{
    my ($chapters, $pattern) = @_;
    my @found;
    for my $file (grep { $chapters->(chapter_of($_)) } @sources)
    {
        push @found, map { "$file: $_" } grep { /$pattern/ } split /\n/, $code{$file};
    }
    return @found;
}

nowhere('chapter 2 includes no header of ours, but on_gpu.cuh in arch',
    grep { !m{^ch02_threads/arch\.cu.*/on_gpu\.cuh"} }
      matches(sub { $_[0] == 2 }, qr/^\s*#\s*include\s*"/));
nowhere(
    'chapter 3 includes its own headers and args, options, compare, data, memory and output only',
    grep { !m{"(\.\./common/(args|options|compare|data|memory|output)|[\w-]+)\.cuh"} }
      matches(sub { $_[0] == 3 }, qr/^\s*#\s*include\s*"/));
nowhere('no CHECK before chapter 4', matches(sub { $_[0] < 4 }, qr/\bCHECK(_LAUNCH)?\b/));
nowhere('no timing.cuh before chapter 5',
    matches(sub { $_[0] < 5 }, qr/include.*timing\.cuh/));
nowhere('a program includes common/ and its own chapter, never another program',
    grep { !m{"(\.\./common/)?[\w-]+\.cuh"} } matches(sub { 1 }, qr/^\s*#\s*include\s*"/));
nowhere('no #if but for USE_DP, ON_GPU, HAVE_NCCL, HAVE_MPI, _OPENMP, __CUDA_ARCH__ and what only sm_90a has',
    grep { !/\b(USE_DP|ON_GPU|HAVE_NCCL|HAVE_MPI|_OPENMP|__CUDA_ARCH__|__CUDA_ARCH_FEAT_SM90_ALL)\b/
          && !m{^(ch15_libs/(check_\w+|thrust_in_order)|ch13_unified/unified|ch09_shared_mem/matmul-tensor_fast)\.cuh:} } # of different toolkits
      matches(sub { 1 }, qr/^\s*#\s*(if|ifdef|ifndef|elif)\b/));
nowhere('__global__ void, in this order', matches(sub { 1 }, qr/\bvoid\s+__global__/));
nowhere(
    'no tabs, no spaces at the end of a line',
    grep { read_text($_) =~ /\t|[ ]$/m } @sources,
    glob 'common/*.cuh cpu/*.c cpu/*/*.[ch] tests/*.t');
nowhere(
    'no line of a program is longer than 100 columns',
    grep {
        grep { columns($_) > 100 } split /\n/, read_text($_)
    } @sources);
nowhere(
    'NAME_fast.cuh is there for a NAME.cu, which alone includes it',
    (grep { !-e s/_fast\.cuh$/.cu/r } grep { /_fast\.cuh$/ } @sources),
    grep { !m{^[^/]+/([\w-]+)\.cu: .*"\1_fast\.cuh"} }
      matches(sub { 1 }, qr/^\s*#\s*include\s*"[\w-]+_fast\.cuh"/));

# Only on_gpu.cuh, which defines ON_GPU for all, counts.cuh, which asks what was counted, and cpu/ may know
# how the backend says it is there.
my @others = (@sources, glob 'common/*.cuh');
nowhere('nothing but cpu/, on_gpu.cuh and counts.cuh mentions the backend',
    grep { code_of($_) =~ s/\bcudaCpuDeviceId\b//gr =~ /cpucc|cudacpu/i }
      grep { !m{^common/(?:on_gpu|counts)\.cuh$} } @others);

# What a GPU has to count is of every kernel of these chapters.
require './bench/counts.pl';
ok(eval { Counts::runs() }, 'bench/counts.pl has every program with kernels of its chapters') or diag($@);

done_testing();
