# ./suite test and ./suite test-all: the tests, once make has built what they need.
#
# make test is a make of its own: each test is a goal, so tests overlap with the build, and a second
# one runs only what is new. A goal's file has what the test said, if it has passed; what one said
# that failed is in FILE.failed. test-all runs the files of tests/ by prove's own module. With ONLY it
# goes through some programs, with FILES it runs some files: FILES="tests/md cpu/tests/late".
package Tests;
use strict;
use warnings;
use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use Files;

# A make that a test starts is its own master.
my @OF_MAKE = qw(MAKEFLAGS MFLAGS MAKELEVEL ONLY FILES PART);

# Plain make does with less of Perl than the tests.
sub need_perl
{
    fail('the tests are run by prove, which comes with perl: see make doctor') unless on_path('prove');
    return;
}

# ---- make test ----------------------------------------------------------------------------------

# ./suite try STAMP TEST [NAME]: runs a test, for one program if there is a NAME. That it fails is no
# failure of make's, so the others go on.
sub try_one
{
    my ($stamp, $test, $only) = @_;
    make_folder(dirname($stamp));
    unlink $stamp, "$stamp.failed";
    $ENV{SUITE_ONLY} = $only if defined $only;
    delete @ENV{@OF_MAKE};
    my $log = "$stamp.$$";
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0)
    {
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', $log or die "$log: $!\n";
        open STDERR, '>&', \*STDOUT;
        exec $^X, $test or die "$^X: $!\n";
    }
    my $stopped = 0;
    local @SIG{qw(HUP INT TERM)} = (sub { $stopped = 1; kill TERM => $pid }) x 3;
    while (waitpid($pid, 0) == -1 && $!{EINTR}) { }
    my $status = $?;
    if ($stopped || $status & 127 || $status >> 8 == 130)
    {
        unlink $log;
        return 130;
    }
    my $said = read_text($log);
    my $is_right = $status == 0 && $said =~ /^1\.\.\d/m && $said !~ /^not ok /m;
    rename $log, $is_right ? $stamp : "$stamp.failed" or die "$stamp: $!\n";
    print "  tested: ", basename($stamp), "\n" if $is_right;
    print "  FAILED: ", basename($stamp), "\n", map { "    $_\n" } grep { !/^ok |^1\.\./ } split /\n/, $said
      if !$is_right;
    return 0;
}

sub make_folder
{
    my ($folder) = @_;
    my $path = '';
    mkdir $path .= $_ for $folder =~ m{[^/]*/+}g;
    return;
}

# ./suite test MAKE STAMP...: what the tests of make test say, one goal after the other, and all of it
# in one line.
sub test
{
    my ($make, @stamps) = @_;
    need_perl();
    my $start = time;
    unlink map { "$_.failed" } @stamps;
    my $status = run_make($make, '--no-print-directory', '-k', '-s', 'run-tests');
    my $all = count_all(@stamps);
    my $failed = $all->{failed};
    print "failed: @$failed; what they said: ", dirname($stamps[0]), "NAME.failed\n" if @$failed;
    if ($status == 130)
    {
        my $ended = grep { (stat)[9] >= $start } grep { -e } map { ($_, "$_.failed") } @stamps;
        printf "stopped after %d s: %d of %d tests had ended, %d failed; make test goes on from there\n",
          time - $start, $ended, scalar @stamps, scalar @$failed;
        return 130;
    }
    print "not built, so not tested: @{$all->{missing}}\n" if @{$all->{missing}};
    my $chinese = () = text_of(dirname($stamps[0]) . 'chinese') =~ /\n/g;
    print "note: $chinese texts have no Chinese, or an older one; ./suite zh --check names them\n" if $chinese;
    my $why = join ', ', map { "$all->{why}{$_} $_" } sort keys %{$all->{why}};
    printf "%d passed, %d failed, %d skipped%s, after %d s\n", @{$all}{qw(passed bad skipped)},
      $why eq '' ? '' : " ($why)", time - $start;
    return $status || @$failed || @{$all->{missing}} ? 1 : 0;
}

# The status of a make that is ended with this process; then it is 130.
sub run_make
{
    my (@command) = @_;
    my $stopped = 0;
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0)
    {
        exec {$command[0]} @command or die "$command[0]: $!\n";
    }
    local @SIG{qw(HUP INT TERM)} = (sub { $stopped = 1; kill TERM => descendants() }) x 3;
    while (waitpid($pid, 0) == -1 && $!{EINTR}) { }
    return $stopped || $? & 127 ? 130 : $? >> 8;
}

# What all of them have said: {passed}, {bad}, {skipped} tests, {why}: reason => how many; and
# the names of {failed} and {missing} goals.
sub count_all
{
    my %all = (passed => 0, bad => 0, skipped => 0, why => {}, failed => [], missing => []);
    for my $stamp (@_)
    {
        my $is_failed = -e "$stamp.failed";
        my $said = text_of($is_failed ? "$stamp.failed" : $stamp);
        push @{$all{$is_failed ? 'failed' : 'missing'}}, basename($stamp) if $is_failed || $said eq '';
        my @skipped = $said =~ /^(?:ok.*|1\.\.0.*)# skip (.*)/mgi;
        ++$all{why}{reason($_)} for @skipped;
        $all{skipped} += @skipped;
        $all{passed} += () = $said =~ /^ok (?!.*# skip)/mg;
        $all{bad} += (() = $said =~ /^not ok /mg) || ($is_failed ? 1 : 0);
    }
    return \%all;
}

# Why a test was skipped, in few words, so that equal ones can be counted.
sub reason
{
    my ($text) = @_;
    return 'need a GPU' if $text =~ /\bGPU|CUDA device|nvcc/;
    return $text =~ s/^.*?: //r;
}

# ---- make test-all ------------------------------------------------------------------------------

# The tests that go through all programs one by one share the programs out to all cores by
# themselves. They take longest, so they come first. Then come those that take half a minute or wait
# for long, so that no core is left with one of them at the end.
my @FIRST = qw(programs standalone undefined estimates usage conformance md md-multi commands faults
  make cpucc lockstep readme multi common rewrite);
# With ONLY: those that look at some programs alone.
my @OF_PROGRAMS = qw(programs standalone undefined usage headers readme commands index zh estimates);
# PART=1/2 is these, PART=2/2 all others.
my @PART_1 = qw(programs standalone undefined estimates usage wrong checker);

# A GPU does what CUDA does; the other tests of the CPU backend are not about it.
sub of_backend
{
    my ($backend) = @_;
    return sorted('cpu/tests/*.t') if $backend ne 'cuda';
    $ENV{TEST_BY} = 'nvcc';
    return 'cpu/tests/conformance.t';
}

# The files to run, those that take long first, and which of them are for ONLY.
sub chosen_files
{
    my ($backend) = @_;
    my %rank = map { $FIRST[$_] => $_ } 0 .. $#FIRST;
    my $name = sub { return basename($_[0]) =~ s/\.t$//r };
    my @files = grep { $_ ne 'tests/quick.t' } sorted('tests/*.t'), of_backend($backend);
    my ($only, $wanted) = @ENV{qw(ONLY FILES)};
    if (($only // '') ne '' || ($wanted // '') ne '')
    {
        my %wanted = map { s/(?:\.t)?$/.t/r => 1 } split ' ', $wanted // '';
        my @unknown = grep { !-e } sort keys %wanted;
        fail("FILES: there is no test @unknown") if @unknown;
        my %of_programs = ($only // '') eq '' ? () : map { ("tests/$_.t" => 1) }
          ($wanted // '') eq '' ? @OF_PROGRAMS : @Units::OF_PROGRAMS;
        $ENV{SUITE_ONLY} = '';
        @files = grep { $wanted{$_} || $of_programs{$_} } @files;
        return $only, \%of_programs, sort { rank($a, \%rank) <=> rank($b, \%rank) } @files;
    }
    my ($part) = ($ENV{PART} // '') =~ m{^([12])/2$};
    fail('PART is 1/2 or 2/2') if !defined $part && ($ENV{PART} // '') ne '';
    my %in_first = map { $_ => 1 } @PART_1;
    @files = grep { !defined $part || ($in_first{$name->($_)} ? 1 : 2) == $part } @files;
    return '', {}, sort { rank($a, \%rank) <=> rank($b, \%rank) || $a cmp $b } @files;
}

sub rank
{
    my ($file, $rank) = @_;
    return $rank->{basename($file) =~ s/\.t$//r} // 1000;
}

# Whether nothing here differs from the commit: then what passes is known by its digest.
sub is_clean
{
    return -e '.git' && output_of(qw(git status --porcelain)) eq '' && $? == 0;
}

# The processes that this one has started, and those that they have started.
sub descendants
{
    my %parent = map { text_of($_) =~ /^(\d+) \(.*\) \S (\d+)/s ? ($1 => $2) : () } glob '/proc/[0-9]*/stat';
    my %ours = ($$ => 1);
    for (my $count = 0; $count < keys %ours;)
    {
        $count = keys %ours;
        $ours{$_} = 1 for grep { $ours{$parent{$_}} } keys %parent;
    }
    delete $ours{$$};
    return keys %ours;
}

sub test_all
{
    need_perl();
    require TAP::Harness;
    require Units;
    my ($backend) = @_;
    my ($only, $of_programs, @files) = chosen_files($backend);
    my $times = getcwd() . "/build/times.$$";
    write_text($times, '');
    $ENV{TEST_TIMES} = $times;
    $ENV{SUITE_PLACES} = tempdir(CLEANUP => 1); # for runs that want the whole device: Device.pm
    delete @ENV{@OF_MAKE};
    my $is_clean = is_clean();
    my $harness = TAP::Harness->new({jobs => nproc(), timer => 1, verbosity => 0, merge => 0,
            exec => sub
            {
                my (undef, $file) = @_;
                return ['env', 'SUITE_ONLY=' . ($of_programs->{$file} ? $only : ''), $^X, $file];
            }});
    my ($ended, $failed) = (0, 0);
    $harness->callback(after_test => sub { ++$ended; $failed += $_[1]->has_problems ? 1 : 0 });
    local @SIG{qw(HUP INT TERM)} = (sub
    {
        kill TERM => descendants();
        rename $times, 'build/times';
        printf "\nstopped: %d of %d files had ended, %d failed\n", $ended, scalar @files, $failed;
        exit 130;
    }) x 3;
    my $aggregate = $harness->runtests(@files);
    rename $times, 'build/times';
    my @slowest = sort { ($b =~ /([\d.]+)/)[0] <=> ($a =~ /([\d.]+)/)[0] }
      split /\n/, read_text('build/times');
    print "The slowest:\n", map { "$_\n" } splice @slowest, 0, 5;
    note_passed($aggregate, $only, $of_programs, $is_clean) if $backend eq 'cpu';
    my ($good, $bad, $skipped) = map { scalar $aggregate->$_ } qw(passed failed skipped);
    $bad ||= 1 if !$aggregate->all_passed;
    printf "%d passed, %d failed, %d skipped\n", $good - $skipped, $bad, $skipped;
    return $aggregate->all_passed ? 0 : 1;
}

# Units that have passed, with their seconds: into .ci/tested on a clean tree, else only to
# build/passed. A program is one that passed in all files that go through the programs.
sub note_passed
{
    my ($aggregate, $only, $of_programs, $is_clean) = @_;
    my %seconds;
    for my $file ($aggregate->descriptions)
    {
        my ($parser) = $aggregate->parsers($file);
        $seconds{$file =~ s/\.t$//r} = $parser->end_time - $parser->start_time
          if !$parser->has_problems && !$of_programs->{$file} && !$parser->skip_all;
        $seconds{$file} = 1 if !$parser->has_problems;
    }
    delete @seconds{qw(tests/zh tests/index tests/headers)} if ($ENV{SUITE_CHINESE} // '') ne '';
    delete $seconds{'tests/site'} if !-x 'build/mkdocs/bin/mkdocs' && !on_path('mkdocs');
    my @lines = map { sprintf "file %s %.1f\n", $_, $seconds{$_} } grep { !/\.t$/ } sort keys %seconds;
    push @lines, programs_passed($only) if !grep { !$seconds{"tests/$_.t"} } @Units::OF_PROGRAMS;
    write_text('build/passed', join '', @lines);
    Units::units('--record', 'build/passed') if $is_clean && ($ENV{SUITE_CHINESE} // '') eq '';
    return;
}

# A program's seconds are those of the commands that name it.
sub programs_passed
{
    my ($only) = @_;
    my %only = map { $_ => 1 } split ' ', $only // '';
    my %seconds;
    for (split /\n/, read_text('build/times'))
    {
        my ($seconds, $name) = m{^ *([\d.]+) s .* \S+/build/[\w+-]+-(?:float|double)/([\w-]+)} or next;
        $seconds{$name} += $seconds;
    }
    return map { sprintf "test %s %.1f\n", $_->{name}, $seconds{$_->{name}} // 1 }
      grep { !%only || $only{$_->{name}} || $only{$_->{dir} =~ s/_.*//r} }
      grep { !$_->{extra} } Programs::read_programs(source_files());
}

1;
