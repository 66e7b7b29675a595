# What tables show where there is no GPU: counts, beside the times of a card, and no time of this machine.
# Every program that has such a table is run as a reader runs it.
# Inputs: programs backend make common/zh/* bench/results/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Parallel;
use POSIX qw(:sys_wait_h);
use Test::More;
use Time::HiRes qw(sleep);

plan skip_all => 'with a GPU nothing is counted' if $BACKEND eq 'cuda';
delete $ENV{CUDACPU_COUNT};
my $dir = tempdir(CLEANUP => 1);

sub run_program
{
    my ($name, $args, %env) = @_;
    return run([binary(program($name)), @$args], dir => $dir, env => \%env);
}

# The rows of `--csv`: {row}{column}. Of several tables the last one.
sub table_of
{
    my ($ran) = @_;
    my (@titles, %rows);
    for my $line (split /\n/, $ran->{out})
    {
        my @cells = split /,/, $line, -1;
        if ($cells[0] eq 'version') { @titles = @cells; %rows = (); }
        elsif (@titles && @cells == @titles) { @{$rows{$cells[0]}}{@titles} = @cells; }
    }
    return \%rows;
}

# ---- The table of transpose, which the pages explain ----

sub test_transpose
{
    my $ran = run_program('transpose', ['--csv']);
    my $rows = table_of($ran);
    my %expected = (
        'copy' => [4, 4, ''], 'read-coalesced' => [4, 32, ''], 'write-coalesced' => [32, 4, ''],
        'shared' => [4, 4, 32], 'padded' => [4, 4, 1], 'swizzled' => [4, 4, 1], 'coarsened' => [4, 4, 1]);
    for my $name (sort keys %expected)
    {
        is_deeply([map { $rows->{$name}{$_} } qw(load_sectors store_sectors bank_conflict)],
            $expected{$name}, "transpose, $name: sectors of loads and stores, conflicts");
    }
    is($rows->{geam}{load_sectors}, '', 'transpose: a library is not counted');
    is($rows->{cpu}{load_sectors}, '', 'nor is the host');

    # The card's time is that of the result file, found here in another way.
    my ($file) = read_text('Makefile') =~ /^CARD := (\S+)/m;
    my ($card) = read_text($file) =~ /^\$ transpose\n(.*?)^\n/ms;
    my ($ms) = $card =~ /^    padded +(\S+) /m;
    is($rows->{padded}{card_ms}, $ms, "the card's time is that of $file");

    my $text = run_program('transpose', [])->{out};
    like($text, qr/^float, size = 512x512: counted on the CPU, not timed$/m, 'the text says that it is counted');
    like($text, qr/^read-coalesced +4 +32 .* [\d.]+$/m, 'and has the counts and the time of a card');
    like($text, qr/^PASS: \d+ checks$/m, 'and the verdict');
    like(run_program('transpose', ['-k', 'padded'])->{out}, qr/^padded .* [\d.]+$/m, 'one row');
    my $none = run_program('transpose', [], CUDACPU_COUNT => 'none');
    like($none->{out}, qr/size = 512x512: not timed$/m, 'CUDACPU_COUNT=none: nothing is counted');
    unlike($none->{out}, qr/-way|sectors/, 'and no such column is there');
    my $chinese = run_program('transpose', [], LANG => 'zh_CN.UTF-8', LC_ALL => undef)->{out};
    like($chinese, qr/不计时/, 'in Chinese');
    unlike($chinese, qr/counted on|a store|conflict/, 'all of it');
}

# ---- A table whose rows all count alike ----

sub test_alike
{
    my $text = run_program('gpu-vector', [])->{out};
    like($text, qr/^\Q$_\E +4 +4 +[\d.]+$/m, "gpu-vector: $_ has the sectors of a load and of a store") for qw(pointer span at);
}

# ---- One row, and a run that differs from the card's ----

sub test_another_run
{
    my $row = run_program('constant', ['-k', 'constant-lane'])->{out};
    like($row, qr/^constant-lane +\S+ +4 +4 +32 +[\d.]+$/m, 'constant, one row: what an access takes, and the time of a card');
    my $spread = run_program('constant', ['-k', 'constant-lane', '--spread', 4])->{out};
    like($spread, qr/^constant-lane +\S+ +4 +4 +4$/m, 'with an option of its own: no time of a card, which has made another run');
}

# ---- Tables made by hand ----

sub test_by_hand
{
    my ($name, %rows) = @_;
    my $text = run_program($name, ['--csv'])->{out};
    like($text, qr/^\Q$_,$rows{$_}\E(?:,|$)/m, "$name: the row $_") for sort keys %rows;

    # What a card printed stands behind blanks.
    my @printed = grep { !/^    / } split /\n/, run_program($name, [])->{out};
    my @times = grep { /\bnan\b|\bCPU ms|\bGB\/s|ceiling|speed-up|median/ } @printed;
    is("@times", '', "$name: no time, rate or ceiling of this machine");
}
my %BY_HAND = (
    'gather' => {sequential => '4.00,4.00', sorted => '4.87,', nearby => '28.79,28.79', random => '31.99,31.99'},
    (map { $_ => {} } qw(add3memcpy arithmetic2gpu math-functions first-call registers occupancy-speed scalability latency coalescing)),
    'occupancy' => {'window 8,,32x1' => '1,64,32,,228,32,32,1024,50.0,########', 'window 8,,32x32' => '32,2,32,,228,2,2,2048,100.0,################'},
    'pitched' => {padded => '4096,4.51,4.00', packed => '4004,4.88,4.86'},
    'aos-soa' => {'8,aos' => '12,12,100,32,4,256,4,256,256', '8,aligned' => '12,50,100,32,4,64,4,64,64',
        '8,soa' => '100,100,100,4,4,32,4,32,32', '8,aosoa' => '100,100,100,4,4,32,4,32,32'});

# ---- Where the counted program is missing, wrong or ends early ----

sub test_without_counts
{
    my $copy = "$dir/copy";
    mkdir $copy;
    my $to = "$copy/transpose";
    sh("cp " . binary(program('transpose')) . " $to");
    my $alone = run([$to], dir => $dir);
    is($alone->{status}, 0, 'a program without its counted one ends well');
    like($alone->{out}, qr/: not timed$/m, 'and says that nothing is counted or timed');
    mkdir "$copy/counted";
    for my $trick (['ends at once', 'exit 1'], ['writes too little', 'echo x >&$SUITE_COUNTS_TO'],
        ['is no program', undef])
    {
        my ($what, $script) = @$trick;
        write_text("$copy/counted/transpose", defined $script ? "#!/bin/sh\n$script\n" : "no program\n");
        chmod 0755, "$copy/counted/transpose";
        my $ran = run([$to], dir => $dir, limit => 60);
        is($ran->{status}, 0, "a counted program that $what: the checks count");
        unlike($ran->{out}, qr/-way/, 'and nothing is said to be counted');
    }
}

# ---- No counted program is left behind ----

sub test_end
{
    my $copy = "$dir/end";
    my $to = "$copy/transpose";
    mkdir $copy;
    mkdir "$copy/counted";
    sh("cp " . binary(program('transpose')) . " $to");
    my $real = binary(program('transpose')) =~ s{([^/]*)\z}{counted/$1}r;
    write_text("$copy/counted/transpose", "#!/bin/sh\necho \$\$ >$dir/pid\nexec $real \"\$@\"\n");
    chmod 0755, "$copy/counted/transpose";
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0)
    {
        open STDOUT, '>', '/dev/null';
        exec $to, '-n', '2048x2048' or exit 127;
    }
    for (1 .. 200) { last if -s "$dir/pid"; sleep 0.05 }
    my $counted = -s "$dir/pid" ? read_text("$dir/pid") + 0 : 0;
    ok($counted > 0, 'a counted program runs');
    kill TERM => $pid;
    waitpid $pid, 0;
    my $left = 1;
    for (1 .. 600) { $left = kill 0 => $counted; last unless $left; sleep 0.05 }    # on a busy machine it takes a while
    ok(!$left, 'and ends with the program that has started it');
    kill KILL => $counted if $left && $counted > 0;    # 0 would be all processes of this test
}

# ---- A card's run of another table is not shown ----

sub test_other_table
{
    my $name = 'arithmetic2gpu';
    my $copy = "$dir/other/program";
    sh("mkdir -p $copy && cp " . binary(program($name)) . " $copy/$name");
    my ($file) = read_text('Makefile') =~ /^CARD := (\S+)/m;
    my $runs = read_text($file);
    my ($card) = $runs =~ /^device: NVIDIA (\S+)/m or die "$file names no device\n";
    for my $titles ('Gsteps/s  repeats', 'Gsteps/s  times')
    {
        write_text("$dir/other/card", $runs =~ s{Gsteps/s  repeats}{$titles}gr);
        my $text = run(["$copy/$name"], dir => $dir)->{out};
        $titles =~ /repeats/
          ? like($text, qr{on an $card this program printed:\n(?:    .*\n)*.*Gsteps/s}, "$name shows what a card printed")
          : like($text, qr/there is no file with those of a GPU/, 'but not if that was another table');
    }
}

# ---- Files are written by the plain program only ----

sub test_files
{
    my $plain = binary(program('neighbor2gpu'));
    my $counted = $plain =~ s{([^/]*)\z}{counted/$1}r;
    my $ran = run(['sh', '-c', "exec 5>/dev/null; SUITE_COUNTS_TO=5 exec $counted -o counted-"], dir => $dir);
    is($ran->{status}, 0, 'neighbor2gpu as the counted program ends well');
    is_deeply([glob "$dir/counted-*"], [], 'and writes no file');
    run([$plain, '-o', 'plain-'], dir => $dir);
    ok(scalar(() = glob "$dir/plain-*"), 'the plain one does');
}

# ---- Every program with a table of versions ----

my %COUNTS = map { $_ => 1 } qw(load_sectors store_sectors wavefronts launches threads);
sub test_program
{
    my ($program) = @_;
    my $name = $program->{name};
    my $text = run([binary($program)], dir => $dir, limit => 300);
    my $rows = table_of(run([binary($program), '--csv'], dir => $dir, limit => 300));
    my @printed = grep { !/^    / } split /\n/, $text->{out};    # what a card printed stands behind blanks
    my @wrong = grep { /\bnan\b|\bCPU ms|\bGB\/s|FLOP\/s|ceiling|\bx cpu|x before|speed-up/ } @printed;
    is("@wrong", '', "$name: no time, rate or ceiling of this machine");
    my @empty = grep {
        my $row = $rows->{$_};
        $row->{card_ms} ne '' && $row->{remark} !~ /skipped|not counted/ && !grep { $row->{$_} ne '' } keys %COUNTS
    } grep { defined $rows->{$_}{load_sectors} } sort keys %$rows;
    is("@empty", '', "$name: what a card has timed is counted, but libraries");
    is($text->{status}, ($text->{err} // '') =~ /needs a GPU/ ? 77 : 0, "$name: ends well");
}
my %is_counted = map { $_ => 1 } read_text('build/programs.mk') =~ /^COUNTED \+= (\S+)/mg;
my @with_tables = grep { $is_counted{$_->{name}} } programs();
my @jobs = map { my $program = $_; [$program->{name}, sub { test_program($program) }] } @with_tables;
unshift @jobs, ['transpose', \&test_transpose], ['no counts', \&test_without_counts], ['the end', \&test_end]
  if grep { $_->{name} eq 'transpose' } @with_tables;
unshift @jobs, ['another run', \&test_another_run] if grep { $_->{name} eq 'constant' } @with_tables;
unshift @jobs, ['files', \&test_files] if grep { $_->{name} eq 'neighbor2gpu' } @with_tables;
unshift @jobs, ['another table', \&test_other_table] if grep { $_->{name} eq 'arithmetic2gpu' } programs();
unshift @jobs, ['all alike', \&test_alike] if grep { $_->{name} eq 'gpu-vector' } @with_tables;
for my $name (sort keys %BY_HAND)
{
    push @jobs, [$name, sub { test_by_hand($name, %{$BY_HAND{$name}}) }] if grep { $_->{name} eq $name } programs();
}
plan skip_all => 'none of the programs asked for has a table of versions' unless @jobs;
test_in_parallel(sub { $_[0][1]->() }, sub { $_[0][0] }, \@jobs, 2);
