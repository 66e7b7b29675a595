# The harness of the tests: which programs there are and what their header comments say, running a
# command with a time limit, and judging what a program did. Needs nothing but Perl's own modules.
#
# `make test` tells by environment variables what was built; by hand, `prove tests/usage.t` tests
# what the links in bin/ point to.
package Suite;
use strict;
use warnings;
use Exporter 'import';
use Test::More;

# Where the programs are, by precision. build/BACKEND-COMPILER-PRECISION names all three.
my ($float, $double, $built_for, $built_by, $visible_devices);
our $ROOT;
our $BACKEND;

BEGIN
{
    require Cwd;
    $ROOT = Cwd::abs_path(__FILE__) =~ s{/tests/Suite\.pm$}{}r;
    chdir $ROOT or die "$ROOT: $!\n";
    my ($linked) =
      grep { m{/build/[^/]*$} } map { (Cwd::abs_path($_) // '') =~ s{/[^/]*$}{}r } glob 'bin/*';
    my ($found) = map { Cwd::abs_path($_) } glob 'build/*-float';
    $float = $ENV{SUITE_BUILD_FLOAT} || $linked || $found || "$ROOT/build";
    $double = $ENV{SUITE_BUILD_DOUBLE} || $float =~ s/-float$/-double/r;
    ($built_for, $built_by) = $float =~ m{([^/-]+)-([^/]+)-float[^/]*$};
    $BACKEND = $ENV{SUITE_BACKEND} || $built_for || 'cpu';
    $ENV{CPUCC_CXX} ||= ($BACKEND eq 'cpu' && $built_by) || 'g++';
    $visible_devices = $ENV{CUDA_VISIBLE_DEVICES};
}

# How commands are run and described is the same for the tests of the CPU backend.
use lib "$ROOT/cpu/tests";
use Run qw(:DEFAULT !run !sh !compile_for_cpu);

our @EXPORT = (@Run::EXPORT, qw($ROOT $BACKEND $REQUIRE_GPU $CPUCC
  header headers programs all_programs buildable_programs program flags_for_cpu binary judge judged
  described runs_right list_of_launches other_blocks wrote_nothing heap_checks refuses
  without_make));

chdir $ROOT or die "$ROOT: $!\n";
our $CPUCC = "$ROOT/bin/cpucc";    # the CPU backend, as far as the suite knows it
my %BUILD = (float => $float, double => $double);
my $A_PROGRAM = qr{(?:\Q$float\E|\Q$double\E)/};
if ($BACKEND eq 'cuda')    # a process needs longer, and the default sizes are larger
{
    $ENV{CUDA_VISIBLE_DEVICES} = $visible_devices if defined $visible_devices;
    $Run::TIME_LIMIT = $ENV{TEST_TIME_LIMIT} || 400;
}
$ENV{CUDACPU_COUNT} = 'none';    # but in counted.t: it takes time
our $REQUIRE_GPU = $ENV{REQUIRE_GPU} || 0;

# ---- Programs --------------------------------------------------------------------------------

# What is said of these files, in their comments and in tests/programs.txt: as make/Programs.pm reads it,
# a hash for each. Here {Checks} and {Expect} are numbers, those of this backend. {or_more} is what may
# stand behind the number: `24 or more`, `19 or 51`.
sub headers
{
    my (@files) = @_;
    local @INC = ("$ROOT/make", @INC);
    require Programs;
    my @headers = Programs::read_programs(@files);
    for my $header (@headers)
    {
        $header->{sentence} //= '';
        $header->{Expect} = ($header->{Expect} // '') =~ /^(\d+)/ ? $1 : 0;
        my ($checks) = delete $header->{Checks} // next;
        my ($on_gpu) = $checks =~ /\((\d+(?: or more)? on a GPU\))/;
        $checks = $on_gpu if defined $on_gpu && $BACKEND eq 'cuda';
        @$header{qw(Checks or_more)} = $checks =~ /^(\d*) ?(or (?:more|\d+))?/;
        $header->{or_more} //= '';
    }
    return @headers;
}

sub header
{
    my ($file) = @_;
    return (headers($file))[0];
}

my @programs;

# Every program, by file. What another program lists as one of its Sources: is none. With
# SUITE_ONLY, a list of names and chapters (`make test ONLY="ch03 hello4"`), only those.
sub programs
{
    my %only = map { $_ => 1 } split ' ', $ENV{SUITE_ONLY} // '';
    my %there = map { ($_->{name} => 1, substr($_->{dir}, 0, 4) => 1) } all_programs();
    my @unknown = grep { !$there{$_} } sort keys %only;
    die "SUITE_ONLY: there is no program or chapter @unknown\n" if @unknown;
    return grep { !%only || $only{$_->{name}} || $only{substr $_->{dir}, 0, 4} } all_programs();
}

sub all_programs
{
    if (!@programs)
    {
        @programs = grep { !$_->{extra} } headers(glob 'ch[0-9]*/*.cu ch[0-9]*/*.cpp');
    }
    return @programs;
}

# programs() but those that make leaves out: see Uses: in docs/maintaining.md.
my $has_thrust;

sub buildable_programs
{
    $has_thrust //= sh("$CPUCC -print-thrust")->{status} == 0 || 0;
    return grep { $BACKEND eq 'cuda' || $has_thrust || ($_->{Uses} // '') ne 'Thrust' } programs();
}

# What a program is compiled with for the CPU, of its Flags: and Libs:.
my %has_library;

sub flags_for_cpu
{
    my ($program) = @_;
    %has_library = map { $_ => 1 } split ' ', sh("$CPUCC -print-libraries")->{out} if !%has_library;
    return grep { !/^-l(?:cu|nv|nccl)/ || $has_library{$_} }
      map { split ' ', $_ // '' } @{$program}{qw(Flags Libs)};
}

sub program
{
    my ($name) = @_;
    my ($found) = grep { $_->{name} eq $name } all_programs();
    return $found;
}

sub binary
{
    my ($program, $precision) = @_;
    return $BUILD{$precision // 'float'} . "/$program->{name}";
}

# A program with what it says of itself, its options and versions, if it is built.
sub described
{
    my ($program) = @_;
    my ($binary) = grep { -x } map { binary($program, $_) } qw(float double);
    return defined $binary || defined $program->{Options} ? Programs::describe($program, $binary // ()) : $program;
}

# ---- Running ---------------------------------------------------------------------------------

# When a process first uses a GPU, CUDA makes queues for eight connections. The driver makes them
# for one process after the other, in 0.22 s each on an H200; a process with one connection needs
# 0.08. Only the programs of chapter 12, whose streams must not wait for each other, have eight.
my %streams;

sub connections
{
    my ($dir, @command) = @_;
    return () if $BACKEND ne 'cuda' || "$dir @command" =~ /\bch12_/;
    %streams = map { basename($_, '.cu') => 1 } glob 'ch12*/*.cu' if !%streams;
    my ($name) = "@command" =~ m{(?:$A_PROGRAM|\./bin/(?:dp/)?)([\w-]+)};
    return defined $name && $streams{$name} ? () : (CUDA_DEVICE_MAX_CONNECTIONS => 1);
}

# Where the programs run, so that what they write lies nowhere else.
my $scratch = tempdir(CLEANUP => 1);

# Each process that the tests start has such a directory: two may write a file of the same name. In
# a long run a process may have the number of one that has ended.
sub own_scratch
{
    $scratch .= "/$$";
    mkdir $scratch or $!{EEXIST} or die "$scratch: $!\n";
}
push @Parallel::at_start, \&own_scratch;

# As Run::run, but each command takes at most one connection to a GPU, and without `dir` one in
# which a program of ours stands runs in $scratch, any other one in the repository.
sub run
{
    my ($command, %how) = @_;
    my %env = (connections($how{dir} // '', @$command), %{$how{env} // {}});
    $how{dir} //= "@$command" =~ $A_PROGRAM ? $scratch : $ROOT;
    return Run::run($command, %how, env => \%env);
}

sub sh
{
    my ($script, %how) = @_;
    return run(['/bin/sh', '-ec', $script], %how);
}

sub compile_for_cpu
{
    my ($source, $program, @flags) = @_;
    return run([$CPUCC, '-O2', @flags, '-o', $program, $source], dir => dirname($source));
}

# ---- Judging ---------------------------------------------------------------------------------

# What is wrong with a run of a program, in one sentence; '' if nothing is. Beginning with "skip"
# it is the program's own reason why it cannot run here, which its header comment announces.
# A run with default arguments must end as the header says, any other one with 0.
sub judge
{
    my ($program, $ran, $is_default) = @_;
    my $expected = $is_default ? $program->{Expect} : 0;
    if (defined $ran->{status} && $ran->{status} == 77)
    {
        my $needs = version_needs($program, $ran) // '';
        return 'exit status 77 where a GPU is required' if $REQUIRE_GPU && $needs =~ /^(a GPU)?$/;
        return 'exit status 77, not announced by Needs: GPU' unless $program->{Needs} || $needs;
        return 'exit status 77 without a line that says why' unless $ran->{err} =~ /^[^\n]+\n\z/;
        return "skip: $ran->{err}";
    }
    return ended($ran) . ($ran->{hung} ? '' : ", not $expected")
      if $ran->{hung} || $ran->{signal} || $ran->{status} != $expected;
    return '' if $expected != 0;
    return 'right, and yet something is on stderr' if unexpected($program, $ran->{err}) ne '';
    return "its --csv has a line that is neither a row nor begins with #: $1"
      if " @{$ran->{command}} " =~ / --csv / && $ran->{out} =~ /^([^#,\n][^,\n]*)$/m;
    return 'it prints a string that is none' if $ran->{out} =~ /\(null\)/;
    return "it prints $1, which is no number"
      if $ran->{out} =~ /(?<![\w.])(-?(?:nan|inf))(?![\w.-])/;
    my ($checks) = $ran->{out} =~ /^(?:# )?PASS: (\d+) checks?\n\z/m;
    return defined $checks ? no_checks($program, $checks) : '' unless defined $program->{Checks};
    return 'its last line is not PASS: n checks' unless $checks;
    my $or = $program->{or_more} // '';    # '', 'or more' or 'or 51'
    return "$checks checks ran, not the $program->{Checks} of its Checks:, " . place_of($program, 'Checks')
      if $is_default && $checks != $program->{Checks} && "or $checks" ne $or
      && !($or eq 'or more' && $checks > $program->{Checks});
    return '';
}

# Where tests/programs.txt has a value of a program.
sub place_of
{
    my ($program, $key) = @_;
    return 'tests/programs.txt' . join ':', '', ($program->{lines} // {})->{$key} // ();
}

# What a program is told that says PASS and has no line Checks:.
sub no_checks
{
    my ($program, $checks) = @_;
    return "it prints PASS, so tests/programs.txt must have a line `$program->{name}` and below it "
      . "`  Checks: $checks`";
}

# What the version that -k chose needs: "a GPU", or "a GPU, double and sm_80".
sub version_needs
{
    my ($program, $ran) = @_;
    my ($version) = "@{$ran->{command}}" =~ / -k (\S+)/;
    return defined $version ? described($program)->{needs}{$version} : undef;
}

# What a right program may say on stderr is that it makes do with less memory, and what the lines of
# golden/NAME.err, which are patterns, allow it: sticky-error commits a fault, and that is named.
sub unexpected
{
    my ($program, $err) = @_;
    my $file = "$ROOT/tests/golden/$program->{name}.err";
    my @allowed = (qr/\S+: little memory is free: .*/, qr/\S+: .*, step \d+ of \d+, .* s left/,
        map { qr/$_/ } -e $file ? split /\n/, read_text($file) : ());
    $err =~ s/^$_\n//mg for @allowed;
    return $err;
}

# judge() as a test.
sub judged
{
    my ($program, $ran, $is_default, $title) = @_;
    my $builder = Test::More->builder;
    my $wrong = judge($program, $ran, $is_default);
    return $builder->skip("$title: $1") if $wrong =~ /^skip: (.*)/;
    return $builder->ok(1, $title) if $wrong eq '';
    $builder->ok(0, "$title: $wrong");
    diag(describe($ran));
    return 0;
}

# What of the environment gives a program on the CPU backend the heap of tests/fence.c: a write past
# the end of an array stops it, a read there stops it or gives NaN. Fresh memory is NaN, not zeros.
# Nothing where make has not built it, and for a program of another processor.
my $FENCE = "$ROOT/build/fence.so";
my $has_heap_checks;

sub heap_checks
{
    my %checks = (LD_PRELOAD => $FENCE);
    $has_heap_checks //=
         $BACKEND eq 'cpu'
      && !$ENV{RUNNER}
      && !defined $ENV{LD_PRELOAD}
      && -e $FENCE
      && sh('getconf PAGESIZE')->{out} == 4096
      && sh('exec true', env => \%checks)->{err} eq ''
      || 0;
    return $has_heap_checks ? %checks : ();
}

sub runs_right
{
    my ($program, $precision, @args) = @_;
    my %list = list_of_launches(@args);
    my $ran = run([binary($program, $precision), @args], env => {heap_checks(), %list});
    my $title = join ' ', $program->{name}, @args, "($precision)";
    judged($program, $ran, !@args, $title);
    my $builder = Test::More->builder;
    $builder->is_eq(other_blocks($ran, $list{CUDACPU_LAUNCHES}, @args),
        '', "$title: some kernel has the blocks of -b") if %list;
    $builder->ok(!wrote_nothing($ran, $scratch, @args), "$title: has written the files of -o")
      if "@args" =~ /-o /;
    return $ran;
}

# Whether a good run with -o PREFIX has left no such file with something in it. They are taken away.
sub wrote_nothing
{
    my ($ran, $dir, @args) = @_;
    my ($prefix) = "@args" =~ /-o (\S+)/ or return 0;
    my @files = glob "$dir/$prefix*";
    my $count = grep { -s } @files;
    unlink @files;
    return ($ran->{status} // 1) == 0 && $count == 0;
}

# What of the environment lists the launches of a run with -b. Only the CPU backend does.
sub list_of_launches
{
    return () if $BACKEND ne 'cpu' || "@_" !~ /-b /;
    unlink "$scratch/launches";
    return (CUDACPU_LAUNCHES => "$scratch/launches");
}

# With -b 8x4 some kernel has blocks of 8 x 4, and none has blocks of 4 x 8. Which blocks there are
# if that is not so; '' otherwise, and for a run that ended badly or launched nothing.
sub other_blocks
{
    my ($ran, $list, @args) = @_;
    my ($block) = "@args" =~ /-b (\S+)/;
    my ($x, $y, $z) = (split(/x/, $block), 1, 1);
    my ($wanted, $exchanged) = ("${x}x${y}x$z", "${y}x${x}x$z");
    my $launches = ($ran->{status} // 1) == 0 && -e $list ? read_text($list) : '';
    my %blocks = map { $_ => 1 } $launches =~ / block (\S+),/g;
    return ''
      if !%blocks || ($blocks{$wanted} && ($x == $y || $block !~ /x/ || !$blocks{$exchanged}));
    return "not only $wanted, but @{[sort keys %blocks]}";
}

# Bad usage: status 2, one line on stderr that matches, nothing on stdout.
sub refuses
{
    my ($program, $args, $pattern, $precision) = @_;
    my $ran = run([binary($program, $precision), @$args]);
    my $wrong =
        !defined $ran->{status} || $ran->{status} != 2 ? ended($ran) . ', not 2'
      : $ran->{err} !~ /^[^\n]+\n\z/                    ? 'stderr is not one line'
      : $ran->{out} ne ''                               ? 'something is on stdout'
      : $ran->{err} !~ ($pattern // qr/./)              ? "stderr does not match $pattern"
      :                                                   '';
    my $builder = Test::More->builder;
    my $title = join ' ', $program->{name}, 'refuses', map { "'$_'" } @$args;
    $builder->ok($wrong eq '', $wrong eq '' ? $title : "$title: $wrong") or diag(describe($ran));
    return $ran;
}

# For a `make` of a test's own: nothing that the make above this test exports reaches it.
sub without_make
{
    my $theirs =
      qr/^(MAKE.*|MFLAGS|SUITE_.*|CPUCC_CXX|RUNNER|BACKEND|CHOICE|WHY|NVCC|CXX|REQUIRE_GPU|ONLY|FILES|PART)$/;
    return map { $_ => undef } grep { /$theirs/ } keys %ENV;
}

1;
