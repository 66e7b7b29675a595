# ./suite sanitize BACKEND NVCC FOLDER [NAME...]: compute-sanitizer's four tools look at every
# program in FOLDER, or at some, at a small size.
#
# In tests/programs.txt a program's `Faults: memcheck (why)` names the tools that must find something in
# it, and `Faults: -k oob memcheck` the one that must find something in a version of it.
# Where only initcheck must find something, the other tools should find nothing.
#
# Without a GPU the checker of the CPU backend looks at them: FOLDER has programs built by CHECKER=1. It
# finds what memcheck, racecheck and initcheck find, and races in global memory as well. What only it
# finds is `Faults: checker (why)`. It looks at each program three times: the blocks and the warps run in the
# usual order, in the reverse one and in a mixed one. A program that must find something may do so in one.
# The checker runs one block at a time: a block that waits for another one ends in some orders only. So in
# another order than the usual one the time of a block is limited, and that it is over is no fault.
package Sanitize;
use strict;
use warnings;
use Cwd qw(getcwd);
use File::Temp qw(tempdir);
use Files;
use Programs;

my %OPTIONS = (
    memcheck => [qw(--report-api-errors no)],            # some errors are the lesson
    initcheck => [qw(--kernel-name-exclude kns=nccl)]);  # NCCL's buffers are not ours

my $MOST_ON_GPU = 16;      # at once: each takes a GB or more of the GPU's memory
my @ORDERS = (0, 1, 2);    # of CUDACPU_ORDER
my $WAITS = qr/It may wait for a block that has not begun, in the order of CUDACPU_ORDER/;

sub sanitize
{
    my ($backend, $nvcc, $folder, @names) = @_;
    my $sanitizer = $backend ne 'cuda' ? undef
      : on_path('compute-sanitizer') // on_path(dirname($nvcc) . 'compute-sanitizer')
      // fail('make sanitize: there is no compute-sanitizer on the PATH or beside nvcc');
    my %wanted = map { $_ => 1 } @names;
    my @programs = grep { !$_->{extra} && $_->{file} =~ /\.cu$/ } read_programs(source_files());
    my @tools = defined $sanitizer ? qw(memcheck racecheck initcheck synccheck) : 'checker';
    my @runs = map { runs_of(describe($_, "$folder/$_->{name}"), @tools) }
      grep { (!@names || $wanted{$_->{name}}) && -x "$folder/$_->{name}" } @programs;
    @runs = grep { -e "$folder/$_->[0]" } @runs if !defined $sanitizer;    # all that make has built

    $folder = getcwd() . "/$folder";
    my $scratch = tempdir(CLEANUP => 1);
    $| = 1;
    my ($failures, $printed, %running, @said) = (0, 0);
    $SIG{$_} = sub { kill TERM => keys %running; exit 130 } for qw(HUP INT TERM);
    my $at_once = nproc();
    $at_once = $MOST_ON_GPU if defined $sanitizer && $at_once > $MOST_ON_GPU;
    for (my $started = 0; $printed < @runs;)
    {
        if ($started < @runs && keys %running < $at_once)
        {
            my $pid = fork // die "fork: $!\n";
            exit look($runs[$started], $folder, $sanitizer, "$scratch/$started") if $pid == 0;
            $running{$pid} = $started++;
            next;
        }
        my $pid = waitpid -1, 0;
        my $ended = delete $running{$pid} // next;
        $said[$ended] = text_of("$scratch/$ended/said") || "$runs[$ended][0]: its process died\n";
        ++$failures if $? != 0;
        print $said[$printed++] while defined $said[$printed];    # in the order of the programs
    }
    fail("$failures failed") if $failures;
    return 0;
}

# One run, in a process and a folder of its own: some programs write files. Returns 1 if it fails.
sub look
{
    my ($run, $folder, $sanitizer, $dir) = @_;
    my ($name, $tool, $wanted, $arguments) = @$run;
    $SIG{$_} = 'DEFAULT' for qw(HUP INT TERM);
    mkdir $dir and chdir $dir or die "$dir: $!\n";
    my @under = defined $sanitizer ? ($sanitizer, '--tool', $tool, @{$OPTIONS{$tool} // []},
        qw(--error-exitcode 99)) : ();
    my ($said, $status, $seconds, $left_out) = ('', 0, 0, '');
    for my $order (defined $sanitizer ? 0 : @ORDERS)
    {
        local %ENV = (%ENV, CUDACPU_ORDER => $order);
        $ENV{CUDACPU_TIMEOUT} = 10 + $seconds if $order != 0;
        my $start = time;
        my $text = said_by('timeout', '300', @under, "$folder/$name", split ' ', $arguments);
        $seconds = time - $start if $order == 0;
        if ($order != 0 && $text =~ $WAITS)
        {
            $left_out .= ", not tried in order $order: a block waits for another one";
            next;
        }
        $said .= $order == 0 ? $text : "CUDACPU_ORDER=$order:\n$text";
        $status = $? >> 8;
        $status = 99 if $status == 4 && !defined $sanitizer;
        last if $status != 0;
    }
    my $result = result($said, $status, $wanted) . $left_out;
    my $is_failed = $result =~ /^FAILED/;
    open my $out, '>', "$dir/said" or die "$dir/said: $!\n";
    printf $out "%-10s %s %s: %s\n%s", $tool, $name, $arguments, $result,
        $is_failed ? $said =~ s/^(?!\z)/    /mgr : '';
    close $out or die "$dir/said: $!\n";
    return $is_failed ? 1 : 0;
}

sub result
{
    my ($said, $status, $wanted) = @_;
    return 'ok, it makes no CUDA call' if $said =~ /terminated before first instrumented API call/;
    return 'skipped: it cannot run here' if $status == 77;
    return $wanted eq 'nothing' ? 'FAILED: the tool found faults' : 'ok, the faults were found'
      if $status == 99;
    return 'FAILED: five minutes were not enough' if $status == 124;
    return 'FAILED: the tool should have found a fault' if $wanted eq 'faults';
    return $status == 0 || $wanted eq 'anything' ? 'ok' : "FAILED: exit status $status";
}

# The runs of a program: its name, a tool, what that should find, arguments. It should find
# "nothing", "faults" or, in a program that is wrong on purpose, "anything".
sub runs_of
{
    my ($program, @tools) = @_;
    my $faults = $program->{Faults} // '';
    my %option = map { @$_ } @{$program->{options}};
    # The times of a run under a tool mean nothing, so two repeats are enough.
    my $quick = $option{'-r'} ? ' -r 2' : '';
    my $small = small_size($program, $option{'-n'} // '') . $quick;
    $small .= " $program->{Small}" if ($program->{Small} // '') ne '';
    my $on_purpose = ($program->{Expect} // '') =~ /^0*[1-9]/
      || $faults =~ /memcheck|racecheck|synccheck/ || ($tools[0] eq 'checker' && $faults =~ /checker/);
    my @runs;
    for my $tool (@tools)
    {
        my $must = $tool eq 'checker' ? qr/memcheck|racecheck|checker/ : qr/$tool/;
        my $found = $faults =~ $must ? 'faults'
          : $on_purpose || ($tool eq 'checker' && $faults ne '') ? 'anything' : 'nothing';
        push @runs, [$program->{name}, $tool, $found, $small];
    }
    for my $version (@{$program->{versions}})
    {
        my $tool = $program->{faults}{$version} // next;
        # What synccheck finds the CPU backend says without the checker.
        next if $tools[0] eq 'checker' && $tool eq 'synccheck';
        push @runs, [$program->{name}, $tools[0] eq 'checker' ? 'checker' : $tool, 'faults', "-k $version$quick"];
    }
    return @runs;
}

# -n with the largest size up to 10000 of sizes such as "1 33 1000" or "1x1x1 33x17x5", whatever the
# third is; nothing for a program without -n.
sub small_size
{
    my ($program, $word) = @_;
    my %usual = (MxNxK => '33x17x65', MxN => '33x17', N => 1000);
    return '' unless $usual{$word};
    my @sizes = split ' ', $program->{Sizes} || $usual{$word};
    my %elements = map { $_ => /^(\d+)x(\d+)/ ? $1 * $2 : $_ } @sizes;
    my ($best) = sort { $elements{$b} <=> $elements{$a} } grep { $elements{$_} <= 10000 } @sizes;
    return '-n ' . ($best // $sizes[0]);
}

1;
