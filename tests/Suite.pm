# The harness of the tests: which programs there are and what their header comments say, running a
# command with a time limit, and judging what a program did. Needs nothing but Perl's own modules.
#
# `make test` tells by environment variables what was built; by hand, `prove tests/usage.t` tests
# what the links in bin/ point to.
package Suite;
use strict;
use warnings;
use Config;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);
use POSIX qw(setpgid);
use Test::More;
use Time::HiRes qw(sleep time);

our @EXPORT = qw(abs_path basename dirname tempdir $ROOT $BACKEND $CXX $PROCESSOR $REQUIRE_GPU
  header headers programs all_programs buildable_programs program binary run sh describe judge judged
  runs_right list_of_launches other_blocks wrote_nothing heap_checks refuses own_scratch stop_with_signals read_text write_text on_path without_make compile_for_cpu);

our $ROOT = dirname(dirname(abs_path(__FILE__)));
chdir $ROOT or die "$ROOT: $!\n";

# What compilers, make and the C library say is compared, so they say it in English.
delete @ENV{grep { /^(LANG|LC_)/ } keys %ENV};
$ENV{LC_ALL} = 'C';

# Tests compile programs and run them in temporary directories. /tmp may be mounted so that no
# program can run there.
$ENV{TMPDIR} = place_to_run();

sub place_to_run
{
    my @places = ($ENV{TMPDIR} // (), qw(/tmp /var/tmp /dev/shm));
    for my $place (grep { -d && -w } @places)
    {
        my $dir = tempdir(DIR => $place, CLEANUP => 1);
        my $script = write_text("$dir/script", "#!/bin/sh\n");
        chmod 0755, $script;
        no warnings 'exec';
        return $place if system({$script} $script) == 0;
    }
    die "no program can run in @places: let TMPDIR name a directory where one can\n";
}

# Where the programs are, by precision. build/BACKEND-COMPILER-PRECISION names all three.
my ($linked) = grep { m{/build/} } map { abs_path($_) // () } glob 'bin/*';
my ($found) = glob 'build/*-float';
my $float = $ENV{SUITE_BUILD_FLOAT} || ($linked ? dirname($linked) : abs_path($found // 'build'));
my $double = $ENV{SUITE_BUILD_DOUBLE} || $float =~ s/-float$/-double/r;
my %BUILD = (float => $float, double => $double);
my ($built_for, $built_by) = basename($float) =~ /^(\w+?)-(.+)-float/;
my $A_PROGRAM = qr{(?:\Q$float\E|\Q$double\E)/};
our $BACKEND     = $ENV{SUITE_BACKEND} || $built_for || 'cpu';
our $CXX         = $ENV{SUITE_CXX} || ($BACKEND eq 'cpu' && $built_by) || 'g++';
our ($PROCESSOR) = `$CXX -dumpmachine` =~ /^(\w+)/;    # that $CXX compiles for: x86_64, aarch64
delete @ENV{qw(CUDA_VISIBLE_DEVICES CUDACPU_DEVICES)} if $BACKEND eq 'cpu';    # one device, number 0

# Overruns are found by the element, and memory that is never freed is something on stderr.
delete @ENV{qw(CUDACPU_LAUNCHES CUDACPU_REVERSE)};
@ENV{qw(CUDACPU_EXACT CUDACPU_LEAKS)} = (1, 1) if $BACKEND eq 'cpu';
our $REQUIRE_GPU = $ENV{REQUIRE_GPU} || 0;

# Seconds until a program counts as hanging. Nothing here takes a tenth of it on an idle machine. On
# a GPU many processes share it, and its default sizes are larger.
our $TIME_LIMIT = $ENV{SUITE_TIME_LIMIT} || ($BACKEND eq 'cuda' ? 400 : 120);

sub read_text
{
    my ($file) = @_;
    open my $in, '<:raw', $file or die "$file: $!\n";
    local $/;
    return scalar <$in> // '';
}

sub write_text
{
    my ($file, $text) = @_;
    open my $out, '>:raw', $file or die "$file: $!\n";
    print $out $text;
    close $out or die "$file: $!\n";
    return $file;
}

sub on_path
{
    my ($command) = @_;
    return grep { -x "$_/$command" } split /:/, $ENV{PATH};
}

# ---- Programs --------------------------------------------------------------------------------

# What the header comments of these files say, as make/Programs.pm reads them: a hash for each. Here
# {Checks} and {Expect} are numbers, those of this backend. {or_more} is what may stand behind the
# number: `24 or more`, `19 or 51`.
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

# Every program, by file. What another program lists as one of its Sources: is none. With SUITE_ONLY,
# a list of names and chapters (`make test ONLY="ch03 hello4"`), only those.
sub programs
{
    my %only = map { $_ => 1 } split ' ', $ENV{SUITE_ONLY} // '';
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

# programs() but those that make leaves out: see Uses: in CONTRIBUTING.md.
my $has_thrust;

sub buildable_programs
{
    $has_thrust //= sh("$ROOT/cpu/cpucc -print-thrust")->{status} == 0 || 0;
    return grep { $BACKEND eq 'cuda' || $has_thrust || ($_->{Uses} // '') ne 'Thrust' } programs();
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

# ---- Running ---------------------------------------------------------------------------------

my $running;    # the process group to take along when the test itself is ended

sub stop_with_signals
{
    $SIG{$_} = sub { kill KILL => -$running if $running; exit 130 } for qw(INT TERM HUP);
}
stop_with_signals();

# When a process first uses a GPU, CUDA makes queues for eight connections. The driver makes them for
# one process after the other, in 0.22 s each on an H200; a process with one connection needs 0.08.
# Only the programs of chapter 12, whose streams must not wait for each other, have eight.
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

# Each process that the tests start has such a directory: two may write a file of the same name. In a
# long run a process may have the number of one that has ended.
sub own_scratch
{
    $scratch .= "/$$";
    mkdir $scratch or $!{EEXIST} or die "$scratch: $!\n";
}

# What a command of another processor needs before it: RUNNER= of make, an emulator.
sub runner_of
{
    my ($command) = @_;
    my ($processor, $ours) = map { processor_of($_) } $command, $^X;
    return $processor eq '' || $processor eq $ours ? () : split ' ', $ENV{SUITE_RUNNER} // '';
}

sub exec_by_runner
{
    my @command = (runner_of($_[0]), @_);
    exec {$command[0]} @command;
}

# Bytes that name the processor which a program is for; '' for a script.
sub processor_of
{
    my ($file) = @_;
    open my $in, '<:raw', $file or return '';
    my $length = read $in, my $head, 20;
    return $length == 20 && $head =~ /^\x7fELF/ ? substr($head, 18, 2) : '';
}

# Runs a command (a list, no shell) and returns {status} or {signal} or {hung}, with {out} and
# {err}. Everything it started is gone when this returns. Without `dir` a command in which one of
# the programs stands runs in $scratch, any other one in the repository.
#     run(['./a.out', '-n', 5], dir => ..., env => {...}, limit => seconds, out => file)
# A variable of env that is undef is taken away.
sub run
{
    my ($command, %how) = @_;
    my $limit = $how{limit} // $TIME_LIMIT;
    open my $out, '+>', undef or die "no temporary file: $!\n";
    open my $err, '+>', undef or die "no temporary file: $!\n";
    my $start = time;
    my $cpu_before = cpu_of_children();
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0)
    {
        setpgid(0, 0);
        local $SIG{__WARN__} = sub { };
        %ENV = (%ENV, connections($how{dir} // '', @$command), %{$how{env} // {}});
        delete @ENV{grep { !defined $ENV{$_} } keys %ENV};
        chdir($how{dir} // ("@$command" =~ $A_PROGRAM ? $scratch : $ROOT))
          && open(STDIN, '<', '/dev/null')
          && ($how{out} ? open(STDOUT, '>', $how{out}) : open(STDOUT, '>&', $out))
          && open(STDERR, '>&', $err)
          && exec_by_runner(@$command);
        print {$err} "$command->[0]: $!\n";
        close $err;
        POSIX::_exit(127);
    }
    setpgid($pid, $pid);
    $running = $pid;
    my $hung = 0;
    local $SIG{ALRM} = sub { $hung = 1; kill KILL => -$pid };
    alarm $limit;
    while (waitpid($pid, 0) == -1 && $!{EINTR}) { }
    my $wait = $?;
    alarm 0;
    kill KILL => -$pid;
    $running = undef;

    my %ran = (command => $command, limit => $limit, seconds => time - $start, hung => $hung,
        cpu => cpu_of_children() - $cpu_before,
        signal => $wait & 127, status => $wait & 127 ? undef : $wait >> 8);
    for (['out', $out], ['err', $err])
    {
        seek $_->[1], 0, 0;
        local $/;
        $ran{$_->[0]} = readline($_->[1]) // '';
    }
    note_time(\%ran);
    return \%ran;
}

sub sh
{
    my ($script, %how) = @_;
    return run(['/bin/sh', '-ec', $script], %how);
}

sub cpu_of_children
{
    my (undef, undef, $user, $system) = times;
    return $user + $system;
}

# `make test` names the slowest from this file: seconds by the clock, seconds on the CPU, the test
# and the command.
sub note_time
{
    my ($ran) = @_;
    my $file = $ENV{SUITE_TIMES} or return;
    open my $log, '>>', $file or return;
    printf {$log} "%8.2f s %8.2f s CPU  %s: %.100s\n", @{$ran}{qw(seconds cpu)}, basename($0),
      command_line($ran) =~ s/\s+/ /gr;
}

sub command_line
{
    my ($ran) = @_;
    my ($command, @args) = @{$ran->{command}};
    return join ' ', $command =~ s{^\Q$ROOT\E/}{}r, map { /^[\w.,:\/=+-]+$/ ? $_ : "'$_'" } @args;
}

sub ended
{
    my ($ran) = @_;
    my @names = split ' ', $Config{sig_name};
    return $ran->{hung} ? "hangs: killed after $ran->{limit} s"
      : $ran->{signal}  ? "died of SIG$names[$ran->{signal}]"
      :                   "exit status $ran->{status}";
}

# For diag(): what ran, how it ended, and the end of what it printed.
sub describe
{
    my ($ran) = @_;
    my $text = command_line($ran) . "\n" . ended($ran) . "\n";
    for (['stdout', $ran->{out}], ['stderr', $ran->{err}])
    {
        my @lines = split /\n/, $_->[1];
        my $more = @lines > 12 ? splice(@lines, 0, @lines - 12) && "... " : '';
        $text .= "$_->[0]: $more" . join("\n        ", @lines) . "\n" if @lines;
    }
    return $text;
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
    return "it prints $1, which is no number" if $ran->{out} =~ /(?<![\w.])(-?(?:nan|inf))(?![\w.-])/;
    return '' unless defined $program->{Checks};
    my ($checks) = $ran->{out} =~ /^(?:# )?PASS: (\d+) checks?\n\z/m;
    return 'its last line is not PASS: n checks' unless $checks;
    my $or = $program->{or_more} // '';    # '', 'or more' or 'or 51'
    return "$checks checks ran, not the $program->{Checks} of its Checks:"
      if $is_default && $checks != $program->{Checks} && "or $checks" ne $or
      && !($or eq 'or more' && $checks > $program->{Checks});
    return '';
}

# What the version that -k chose needs: "a GPU", or "a GPU, double and sm_80".
sub version_needs
{
    my ($program, $ran) = @_;
    my ($version) = "@{$ran->{command}}" =~ / -k (\S+)/;
    return defined $version ? $program->{needs}{$version} : undef;
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
my $FENCE = "$ROOT/build/tools/fence.so";
my $has_heap_checks;

sub heap_checks
{
    my %checks = (LD_PRELOAD => $FENCE);
    $has_heap_checks //= $BACKEND eq 'cpu' && !$ENV{SUITE_RUNNER} && !defined $ENV{LD_PRELOAD}
      && -e $FENCE && sh('getconf PAGESIZE')->{out} == 4096 && sh('exec true', env => \%checks)->{err} eq '' || 0;
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

# With -b 8x4 some kernel has blocks of 8 x 4, and none has blocks of 4 x 8. Which blocks there are if
# that is not so; '' otherwise, and for a run that ended badly or launched nothing.
sub other_blocks
{
    my ($ran, $list, @args) = @_;
    my ($block) = "@args" =~ /-b (\S+)/;
    my ($x, $y, $z) = (split(/x/, $block), 1, 1);
    my ($wanted, $exchanged) = ("${x}x${y}x$z", "${y}x${x}x$z");
    my $launches = ($ran->{status} // 1) == 0 && -e $list ? read_text($list) : '';
    my %blocks = map { $_ => 1 } $launches =~ / block (\S+),/g;
    return '' if !%blocks || ($blocks{$wanted} && ($x == $y || $block !~ /x/ || !$blocks{$exchanged}));
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
    my $theirs = qr/^(MAKE.*|MFLAGS|SUITE_.*|BACKEND|CHOICE|WHY|NVCC|CXX|REQUIRE_GPU)$/;
    return map { $_ => undef } grep { /$theirs/ } keys %ENV;
}

# A .cu file made into a program by the CPU backend; returns what the compiler did.
sub compile_for_cpu
{
    my ($source, $program, @flags) = @_;
    return run(["$ROOT/cpu/cpucc", '-O2', @flags, '-o', $program, $source],
        env => {CPUCC_CXX => $CXX}, dir => dirname($source));
}

1;
