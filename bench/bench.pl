# `make bench`: runs the tables of versions, and every run that a README or another page of a
# chapter quotes a figure of, and writes what they print into one dated file of bench/results.
# ONLY="ch09 reduce" runs less. PLAIN=1 runs every program once, without arguments: from such a file is
# what a table shows as measured on a machine without a GPU. PAGES="ch21_md/devices.md" runs what these
# pages quote, and nothing else. A table of the fastest versions comes last. The status is 1 if a program
# failed; the others' results are kept. Ctrl-C ends it after the run at hand, and what was measured until
# then is kept. If it is killed, that stands in unfinished.txt.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../tests", $FindBin::Bin;
use Results;
use Suite;
use POSIX qw(strftime);
use Time::HiRes qw(time);

delete $ENV{CUDACPU_EXACT};    # for tests: it costs time
my $LIMIT = 600;               # seconds a run may take
my ($to) = @ARGV;              # the directory, bench/results if there is none

# What the pages quote: <!--=PROGRAM[ARGUMENTS].ROW.COLUMN-->.
sub quoted_runs
{
    my %seen;
    my @pages = split ' ', $ENV{PAGES} // '';
    @pages = grep { -e && !/\.zh-CN\.md$/ } 'docs/programs.md', glob 'ch*/*.md' unless @pages;
    return grep { !$seen{$_}++ } map { "$_->[0]" . ($_->[1] eq '' ? '' : " $_->[1]") }
      map { markers(read_text($_)) } @pages;
}

# The commands to run, in the order of the chapters: a program's plain run first.
sub commands
{
    my @quoted = quoted_runs();
    my @commands;
    for my $program (map { described($_) } programs())
    {
        my $name = $program->{name};
        if ($ENV{PLAIN})
        {
            push @commands, $name;
            next;
        }
        my %wanted = map { $_ => 1 } grep { m{^(?:dp/)?\Q$name\E(?: |$)} } @quoted;
        $wanted{$name} = 1
          if !$ENV{PAGES} && $program->{Checks} && @{$program->{versions}} > 1;
        push @commands, sort keys %wanted;
    }
    return @commands;
}

# The arguments of a command that are neither an option nor its value: two in `ljmd 10 20000 -s 3`.
sub positionals
{
    my ($name, @args) = split ' ', $_[0];
    my %value = map { @$_ } @{described(program($name =~ s{^dp/}{}r))->{options}};
    my @positionals;
    while (defined(my $arg = shift @args))
    {
        if ($arg !~ /^-/) { push @positionals, $arg }
        elsif (($value{$arg} // '') ne '') { shift @args }
    }
    return @positionals;
}

# Sizes in a README are those of a GPU, hundreds of times too large for a CPU.
sub is_for_gpu
{
    my ($command) = @_;
    return $BACKEND eq 'cpu' && ($command =~ / -n / || positionals($command));
}

sub line_of
{
    my ($command) = @_;
    my ($line) = split /\n/, qx($command 2>/dev/null) // '';
    return $line // '';
}

sub about
{
    my ($device) = @_;
    my $changed = line_of('git status --porcelain') ne '' ? ', with changes' : '';
    my $commit = line_of('git rev-parse --short HEAD');
    return (
        ['date', strftime('%Y-%m-%d %H:%M UTC', gmtime)],
        ['device', $device],
        $BACKEND eq 'cuda'
        ? ( ['driver', line_of('nvidia-smi --query-gpu=driver_version --format=csv,noheader')],
            ['toolkit', qx(nvcc --version) =~ /release ([\d.]+)/ ? "CUDA $1" : 'unknown'])
        : (['compiler', line_of("$CXX --version")]),
        ['commit', $commit eq '' ? 'unknown' : $commit . $changed]);
}

# Runs a command. Returns its lines, or none and a line that says why.
sub measure
{
    my ($command) = @_;
    my ($name, @args) = split ' ', $command;
    my $precision = $name =~ s{^dp/}{} ? 'double' : 'float';
    my $dir = tempdir(CLEANUP => 1);
    # The tests give a process one connection to the GPU. Here its streams must not wait for each
    # other.
    my %env = (CUDA_DEVICE_MAX_CONNECTIONS => $ENV{CUDA_DEVICE_MAX_CONNECTIONS});
    $env{CUDA_VISIBLE_DEVICES} = 0
      if grep { $_ eq '--share' } @args;    # several on one, not on several
    my $ran =
      run([binary(program($name), $precision), @args], dir => $dir, limit => $LIMIT, env => \%env);
    my $status = $ran->{status} // -1;
    return ([split /\n/, $ran->{out}], '') if $status == (program($name)->{Expect} // 0);
    my ($why) = split /\n/, $ran->{err};
    my $is_skipped = $status == 77 || ($why // '') =~ /--devices \d+: there are only \d+/;
    return (undef,
        $is_skipped ? 'skipped: ' . ($why // '') : 'failed: ' . ($why // "status $status"));
}

# A name that is not taken yet.
sub new_file
{
    my ($device) = @_;
    my $name = strftime('%Y-%m-%d-', gmtime) . lc $device =~ s/ \(.*//r =~ s/[^A-Za-z0-9]+/-/gr;
    my $number = 1;
    ++$number while -e file_name($name, $number);
    return file_name($name, $number);
}

sub file_name
{
    my ($name, $number) = @_;
    return $to . '/' . $name . ($number > 1 ? "-$number" : '') . '.txt';
}

$to //= 'bench/results';
-d $to && -w $to or die "bench: cannot write into $to\n";
my @commands = commands();
my @left_out = grep { is_for_gpu($_) } @commands;
@commands = grep { !is_for_gpu($_) } @commands;
die 'bench: ',
  @left_out
  ? 'all that is to be measured has the size of a GPU'
  : 'none of these programs has a table to measure', "\n"
  unless @commands;

my ($text, $device, $failed, %lines) = ('', '', 0);
my $stopped = 0;
$SIG{INT} = $SIG{TERM} = sub { $stopped = 1 };
for my $i (1 .. @commands)
{
    my $command = $commands[$i - 1];
    my $start = time;
    last if $stopped;
    my ($lines, $why) = measure($command);
    printf STDERR "%3d of %d  %-50s %6.1f s  %s\n", $i, scalar @commands, $command, time - $start,
      $why;
    $failed += $why =~ /^failed/;
    next unless $lines;
    $lines{$command} = $lines;
    $text .= "\n\$ $command\n" . join '', map { s/\s+$//r . "\n" } map { "    $_" } @$lines;
    ($device) = map { /^device: (.*?)(?: \(its times .*)?$/ ? $1 : () } @$lines if $device eq '';
    $device //= '';
    write_text("$to/unfinished.txt", $text);
}
unlink "$to/unfinished.txt";
die "bench: every program failed\n" unless %lines;

my $file = new_file($device eq '' ? $BACKEND : $device);
my $about = join '', map { "$_->[0]: $_->[1]\n" } about($device);
write_text("$file.part", $about . $text);
rename "$file.part", $file or die "bench: $file: $!\n";

print summary([grep { $lines{$_} } @commands], \%lines);
print "left out, for they are a GPU's sizes: ", join(', ', @left_out), "\n" if @left_out;
print "$file\n";
exit($failed > 0 || $stopped);
