# Work for all cores: a process for each job of a list, as many at once as there are cores.
package Parallel;
use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempdir);
use POSIX ();
use Storable qw(retrieve store);
use Run;
use Test::More;

our @EXPORT = qw(in_parallel map_in_parallel test_in_parallel);

our @at_start;    # what each of the processes does first
unshift @at_start, \&stop_with_signals;

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
    # Each process ends what it runs. Only then may a folder go in which they build.
    my $stop = sub { kill TERM => keys %running; 1 while waitpid(-1, 0) > 0; exit 130 };
    local @SIG{qw(INT TERM HUP)} = ($stop) x 3;
    while (@$jobs || %running)
    {
        if (@$jobs && keys %running < $at_once)
        {
            my $job = shift @$jobs;
            my $file = "$dir/" . ++$number;
            my $pid = fork // die "fork: $!\n";
            if ($pid == 0)
            {
                $_->() for @at_start;
                my $result = eval { [$code->($job)] };
                print STDERR $@ if !$result;
                store($result, $file) if $result;
                File::Temp::cleanup();    # its own folders; END does it elsewhere
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
