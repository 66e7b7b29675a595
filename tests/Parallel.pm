# Work for all cores: a process for each job of a list, as many at once as there are cores.
package Parallel;
use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(LOCK_EX LOCK_NB);
use File::Temp qw(tempdir);
use List::Util qw(min);
use POSIX ();
use Storable qw(retrieve store);
use Suite;
use Test::More;

our @EXPORT = qw(in_parallel map_in_parallel test_in_parallel with_the_whole_device room_for);

# Calls code->(job) in a process of its own for each job, the first ones first, and then
# done->(job, what the code returned) in this process: undef if the process died before it returned.
# `done` may add jobs to the list.
sub in_parallel
{
    my ($code, $done, $jobs, $most) = @_;
    my $at_once = `nproc` + 0 || 1;
    $at_once = $most if defined $most && $most < $at_once;
    my $dir = tempdir(CLEANUP => 1);
    my (%running, $number);
    gpu_places();    # asked for once, not by each process
    local @SIG{qw(INT TERM HUP)} = (sub { kill TERM => keys %running; exit 130 }) x 3;
    while (@$jobs || %running)
    {
        if (@$jobs && keys %running < $at_once)
        {
            my $job = shift @$jobs;
            my $file = "$dir/" . ++$number;
            my $pid = fork // die "fork: $!\n";
            if ($pid == 0)
            {
                stop_with_signals();
                own_scratch();
                my $result = eval { [$code->($job)] };
                print STDERR $@ if !$result;
                store($result, $file) if $result;
                POSIX::_exit(0);
            }
            $running{$pid} = [$job, $file];
            next;
        }
        my $pid = waitpid -1, 0;
        my ($job, $file) = @{delete $running{$pid} // next};
        $done->($job, -e $file ? retrieve($file)->[0] : undef);
        unlink $file;
    }
}

# How many processes the GPU's memory is enough for, if each takes so many MB; without a GPU undef.
sub room_for
{
    my ($megabytes) = @_;
    return undef if $BACKEND ne 'cuda';
    my $ran = sh('nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits');
    return $ran->{out} =~ /^(\d+)/ && $1 > 2 * $megabytes ? int($1 / $megabytes) : 1;
}

# Calls the code, which runs a program at its default size or the size of a document. Without a GPU
# it takes every core, so there is one such run at a time for each name. A GPU divides its time among
# all processes that use it: a small kernel waits for those of all others. So eight such runs share it
# with what is small, whatever test file they are of. Each takes a place, which is a file that it locks.
my $PLACES = $ENV{SUITE_PLACES} || tempdir(CLEANUP => 1);
my @gpu_places;

sub gpu_places
{
    @gpu_places = 1 .. min(8, room_for(16384)) if $BACKEND eq 'cuda' && !@gpu_places;
    return @gpu_places;
}

sub with_the_whole_device
{
    my ($name, $code) = @_;
    my @places = map { "$PLACES/$_" } gpu_places();
    @places = "$PLACES/$name" if $BACKEND ne 'cuda';
    for (;;)
    {
        for my $file (@places)
        {
            open my $lock, '>>', $file or die "$file: $!\n";
            return $code->() if flock $lock, @places > 1 ? LOCK_EX | LOCK_NB : LOCK_EX;
            die "$file: $!\n" if @places == 1;
        }
        select undef, undef, undef, 0.05;
    }
}

# What code->($_) returns for each of a list, in order; undef where its process died.
sub map_in_parallel
{
    my ($code, @list) = @_;
    my @results;
    in_parallel(sub { $code->($list[$_[0]]) }, sub { $results[$_[0]] = $_[1] }, [0 .. $#list]);
    $#results = $#list;
    return @results;
}

# Tests in parallel: code->(job) calls ok() and its kin, and title->(job) says whose tests they are.
# The lines of one job stay together. A job whose process dies, or that tests nothing, is a failed
# test. Ends with the plan of all.
sub test_in_parallel
{
    my ($code, $title, $jobs, $most) = @_;
    my ($count, $failed) = (0, 0);
    local $| = 1;
    in_parallel(
        sub
        {
            my ($job) = @_;
            my $text = '';
            open my $out, '>', \$text or die "cannot write to a string: $!\n";
            my $builder = Test::More->builder;
            $builder->reset;
            $builder->$_($out) for qw(output failure_output todo_output);
            my $right = eval { $code->($job); 1 };
            $text .= "not ok 0 - " . $title->($job) . ": the test itself ends\n# $@\n" if !$right;
            return $text;
        },
        sub
        {
            my ($job, $text) = @_;
            $text = 'not ok 0 - ' . $title->($job) . ": its process died\n" if !defined $text;
            $text = 'not ok 0 - ' . $title->($job) . ": nothing was tested\n"
              if $text !~ /^(not )?ok /m;
            $text =~ s/^((?:not )?ok) \d+/"$1 " . ++$count/gme;
            $failed += () = $text =~ /^not ok /mg;
            print $text;
            # prove shows what goes to stderr, so a failure goes there, too.
            print STDERR map { "$_\n" } $text =~ /^((?:not ok |#).*)/mg if $text =~ /^not ok /m;
        },
        $jobs, $most);
    print "1..$count\n";
    exit($failed > 0);
}

1;
