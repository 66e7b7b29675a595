# What every test needs: running a command with a time limit, and saying how it went. Needs nothing
# but Perl's own modules. The tests run in the folder above this one.
#
#   CPUCC_CXX=clang++      by which compiler cpucc compiles: g++ if not given
#   RUNNER=COMMAND         what stands before a program of another processor
#   TEST_EXHAUSTIVE=1      each way that must make no difference
#   TEST_LIBRARIES=0       without cuBLAS and its like, whose code is long
#   TEST_TIME_LIMIT=120    seconds until a program counts as hanging
#   TEST_TIMES=FILE        a line for each command: how long it took
package Run;
use strict;
use warnings;
use Config;
use Cwd qw(abs_path);
use Exporter 'import';
use File::Basename qw(basename dirname);
use File::Temp qw(tempdir);
use POSIX qw(setpgid WNOHANG);
use Time::HiRes qw(time);

our @EXPORT = qw(abs_path basename dirname tempdir $CPU $CXX $PROCESSOR run sh describe ended
  line_marked stop_with_signals read_text write_text on_path compile_for_cpu);

our $CPU = dirname(dirname(abs_path(__FILE__)));
chdir $CPU or die "$CPU: $!\n";

our $CXX         = $ENV{CPUCC_CXX} || 'g++';
our ($PROCESSOR) = `$CXX -dumpmachine` =~ /^(\w+)/;    # that $CXX compiles for: x86_64, aarch64

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

# The programs see one device, number 0. Overruns are found by the element, and memory that is never
# freed is something on stderr.
delete @ENV{
    qw(CUDA_VISIBLE_DEVICES CUDACPU_DEVICES CUDACPU_LAUNCHES CUDACPU_CALLS CUDACPU_REVERSE
      CUDACPU_ORDER CUDACPU_REUSE)};
@ENV{qw(CUDACPU_EXACT CUDACPU_LEAKS)} = (1, 1);

# Nothing here takes a tenth of it on an idle machine.
our $TIME_LIMIT = $ENV{TEST_TIME_LIMIT} || 120;

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

my $running;    # the process group to take along when the test itself is ended

sub stop_with_signals
{
    $SIG{$_} = sub { stop_running() if $running; exit 130 } for qw(INT TERM HUP);
}

# What runs may be a test, which has to end what it runs itself and to take its folders away.
sub stop_running
{
    kill TERM => -$running;
    for (my $tries = 0; $tries < 50 && waitpid($running, WNOHANG) == 0; $tries++)
    {
        Time::HiRes::sleep(0.1);
    }
    kill KILL => -$running;
}
stop_with_signals();

# What a command of another processor needs before it: RUNNER= of make, an emulator.
sub runner_of
{
    my ($command) = @_;
    my ($processor, $ours) = map { processor_of($_) } $command, $^X;
    return $processor eq '' || $processor eq $ours ? () : split ' ', $ENV{RUNNER} // '';
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
# {err}. Everything it started is gone when this returns. Without `dir` it runs in the folder $CPU.
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
        %ENV = (%ENV, %{$how{env} // {}});
        delete @ENV{grep { !defined $ENV{$_} } keys %ENV};
        chdir($how{dir} // $CPU)
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

# A script for the shell.
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
    my $file = $ENV{TEST_TIMES} or return;
    open my $log, '>>', $file or return;
    printf {$log} "%8.2f s %8.2f s CPU  %s: %.200s\n", @{$ran}{qw(seconds cpu)}, basename($0),
      command_line($ran) =~ s/\s+/ /gr;
}

sub command_line
{
    my ($ran) = @_;
    my ($command, @args) = @{$ran->{command}};
    return join ' ', $command =~ s{^\Q$CPU\E/}{}r, map { /^[\w.,:\/=+-]+$/ ? $_ : "'$_'" } @args;
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

# The number of the line that ends with `// MARK`; the word itself if there is none.
sub line_marked
{
    my ($text, $mark) = @_;
    my @lines = split /\n/, $text;
    my ($line) = grep { $lines[$_ - 1] =~ m{\S.*// $mark$} } 1 .. @lines;
    return $line // $mark;
}

# A .cu file made into a program; returns what the compiler did.
sub compile_for_cpu
{
    my ($source, $program, @flags) = @_;
    return run(["$CPU/cpucc", '-O2', @flags, '-o', $program, $source],
        env => {CPUCC_CXX => $CXX}, dir => dirname($source));
}

1;
