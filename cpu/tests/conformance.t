# The CPU backend does what CUDA does: the programs of tests/conformance/, each a few small kernels
# that verify themselves in exact arithmetic, pass and print what a GPU printed
# (tests/conformance/expected/, written there by tests/conformance/record.sh). With TEST_BY=nvcc it
# is a GPU that has to.
#
# TEST_EXHAUSTIVE=1 compiles and runs them in every way that must make no difference.
# TEST_LIBRARIES=0 leaves out those of cuBLAS and its like, whose code is long.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Parallel;
use Run;
use Test::More;

my $EXHAUSTIVE = $ENV{TEST_EXHAUSTIVE} || 0;
my $NVCC       = $ENV{TEST_BY} || $ENV{NVCC} || 'nvcc';
my $ON_GPU     = defined $ENV{TEST_BY};
my $dir        = tempdir(CLEANUP => 1);

# One file is one program; NAME_a.cu and NAME_b.cu are one as well.
my %sources;
for my $file (map { "$CPU/$_" } sort glob 'tests/conformance/*.cu')
{
    push @{$sources{basename($file, '.cu') =~ s/_[a-z]$//r}}, $file;
}

# One that uses Thrust is left out where there is none.
if (!$ON_GPU && sh('./cpucc -print-thrust')->{status} != 0)
{
    delete @sources{
        grep {
            grep { read_text($_) =~ m{^// Uses: Thrust$}m } @{$sources{$_}}
        } keys %sources};
}

# The libraries that one needs stand in a line of it: // Libs: -lcublas
my %libraries = map {
    my $name = $_;
    ($name => [map { split ' ' } map { read_text($_) =~ /^\/\/ Libs: (.*)$/m } @{$sources{$name}}])
  }
  keys %sources;

# The libraries are programs for the backend themselves: two ways are enough for their tests, and
# one for Thrust's, whose headers are not ours.
my %of_library = map { $_ => 1 } grep
{
    my $name = $_;
    @{$libraries{$name}}
      || grep { read_text($_) =~ /#include <(cub|thrust|curand_kernel)\b/ } @{$sources{$name}}
} keys %sources;

# A way to compile them all: flags, and a runtime that is not make's; on how many cores each runs
# then (undef: on those that there are).
my @variants =
  {title => '-O2', flags => ['-O2'], cores => [$EXHAUSTIVE && !$ON_GPU ? (1, 2, 16) : undef]};
my @undefined = qw(-fsanitize=undefined -fno-sanitize-recover=undefined);
if ($EXHAUSTIVE && !$ON_GPU)
{
    push @variants, (map { {title => $_, flags => [$_]} } qw(-O0 -O1 -O3)),
      {title => 'portable context switch', flags => ['-O2'], runtime => ['-DCUDACPU_PORTABLE']},
      {title => 'UBSan', flags => ['-O1', @undefined], runtime => [@undefined]};
}

sub results
{
    my ($job, @list) = @_;
    return map { $_ // {err => 'no result'} } map_in_parallel($job, @list);
}

# The runtime as make compiles it, with more flags.
sub build_runtime
{
    my (@flags) = @_;
    my $name = "runtime@flags" =~ s/\W+/-/gr;
    my $made = sh(<<"END", limit => 300);
mkdir '$dir/$name'
cd runtime
for source in *.c; do
    $CXX -x c -std=gnu11 -O1 -g1 -I../include @flags -c -o '$dir/$name'/\$source.o \$source
done
ar rcs '$dir/$name.a' '$dir/$name'/*.o
END
    ok($made->{status} == 0, "the runtime compiles with @flags") or diag(describe($made));
    return "$dir/$name.a";
}

sub compile
{
    my ($variant, $program, @sources) = @_;
    return run([$NVCC, '-arch=native', @{$variant->{flags}},
            '-Xcompiler', '-Wall,-Wextra', '-o', $program, @sources])
      if $ON_GPU;
    return run(["$CPU/cpucc", @{$variant->{flags}}, '-Wall', '-Wextra', '-o', $program,
            @sources],
        env => {CPUCC_CXX => $CXX, CPUCC_LIB => $variant->{library}});
}

# Compiles one program in one way and runs it. {made} and {runs}, by cores, say how that went.
sub try_out
{
    my ($variant, $name) = @{$_[0]};
    my $program = "$dir/" . "$name $variant->{title}" =~ s/\W+/-/gr;
    my $made = compile($variant, $program, @{$sources{$name}}, @{$libraries{$name}});
    return {made => $made} if ($made->{status} // 1) != 0;
    my @runs;
    for my $cores ($of_library{$name} ? undef : @{$variant->{cores} // [undef]})
    {
        my %cores = defined $cores ? (CUDACPU_THREADS => $cores) : ();
        my $ran = run([$program], dir => $dir, env => {CUDACPU_STRICT => 1, %cores});
        $ran->{out} =~ s/^ \*\* On entry to .*\n//mg;    # cuBLAS comments on a wrong argument
        push @runs,
          {%$ran, on => defined $cores ? "$variant->{title} on $cores cores" : $variant->{title}};
    }
    unlink $program;
    return {made => $made, runs => \@runs};
}

for my $variant (grep { $_->{runtime} } @variants)
{
    $variant->{library} = build_runtime(@{$variant->{runtime}});
}

delete @sources{keys %of_library} if ($ENV{TEST_LIBRARIES} // 1) eq '0';

my @all = map
{
    my $variant = $_;
    map { [$variant, $_] }
      grep {
        !$of_library{$_} || $variant->{title} =~ ($_ eq 'thrust' ? qr/^-O2$/ : qr/^(-O2|UBSan)$/)
      }
      sort keys %sources
} @variants;
my @results = results(\&try_out, @all);
my %printed;    # by the first variant: the others must print the same
for (@all)
{
    my ($variant, $name) = @$_;
    my ($made, $runs) = @{shift @results}{qw(made runs)};
    my $file = "tests/conformance/expected/$name.txt";
    ok($runs && $made->{err} eq '', "$name, $variant->{title}: compiles without a warning")
      or diag(describe($made));
    for my $ran (@{$runs // []})
    {
        $printed{$name} //= -e $file ? read_text($file) : $ran->{out};
        ok(($ran->{status} // -1) == 0, "$name, $ran->{on}: passes") or diag(describe($ran));
        is($ran->{out}, $printed{$name}, "$name, $ran->{on}: prints what a GPU printed");
    }
}

# ---- nvcc takes the same files, for the oldest GPU too ----

if (($EXHAUSTIVE || $ENV{TEST_NVCC}) && on_path($NVCC))
{
    my @compiled = results(
        sub {
            run([$NVCC, '-arch=sm_75', '-c', '-rdc=true', '-Wno-deprecated-gpu-targets', '-o',
                    "$dir/" . basename($_[0]) . '.o', $_[0]]);
        },
        map { @$_ } @sources{sort keys %sources});
    for my $made (@compiled)
    {
        ok($made->{status} == 0 && $made->{err} eq '',
            'nvcc -arch=sm_75 compiles ' . basename($made->{command}[-1]))
          or diag(describe($made));
    }
}

done_testing();
