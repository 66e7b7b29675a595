# `make bench`: the figures it finds in what programs print, its result file, the comparison of two
# files, and that of two trees in turn.
# Inputs: figures make programs
use strict;
use warnings;
use File::Path qw(make_path);
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../bench";
use POSIX qw(mkfifo);
use Results;
use Suite;
use Test::More;
use Time::HiRes qw(sleep time);

my $dir = tempdir(CLEANUP => 1);

# ---- Figures ----

my @lines = split /\n/, <<'END';
float, N = 1000, median of 20 repeats
version             error     CPU ms deviation      GB/s     % x before
plain               6e-08      41.31        77       0.3   2.3
two words           6e-08      3.856       0.2      80.3  66.1     2.66
one before          6e-08     4.125        0.2      80.3  66.1     2.66
skipped                                                              skipped: needs a GPU
share                                               39.9%
rest of it                                               6 of 8
                        ours: ms  them: ms
N = 10: in the cache
  random                     1.5       2.5
N = 100: not in it
  random                     7.5      12.5
2.5 ulp                      9.9       9.9
padded: a row every 1536 bytes, 3.251 CPU ms, 1.1 GB/s
set the arguments                0.623
rate: 50912.4 GFLOP/s
END
for (
    ['plain', 'ms', '41.31'],
    ['plain', 'GB/s', '0.3'],
    ['two words', 'ms', '3.856'],
    ['two words', '%', '66.1'],
    ['two words', 'x before', '2.66'],
    ['plain', 'x before', undef],
    ['one before', 'ms', '4.125'],
    ['skipped', 'ms', undef],
    ['two', 'ms', undef],
    ['words', 'ms', undef],
    ['plain', 'time', undef],
    ['N = 10 random', 'ms', '1.5'],
    ['N = 100 random', 'ms', '7.5'],
    ['N = 100 random', 'ms#2', '12.5'],
    ['N = 1 random', 'ms', undef],
    ['padded', 'ms', '3.251'],
    ['padded', 'GB/s', '1.1'],
    ['set the arguments', 'us', '0.623'],
    ['rate', 'TFLOP/s', 50.9124],
    ['share', 'GB/s', '39.9'],
    ['plain', 'ms / two words', 41.31 / 3.856])
{
    my ($row, $column, $right) = @$_;
    is(figure(\@lines, $row, $column), $right, "figure: $row, $column");
}
# What a simulation prints.
@lines = split /\n/, <<'END';
the neighbour list: up to 13 A, 224 neighbours, made in 0.02428 s
forces at the end: largest error 1.3e-06 eV/A, net force 3.5e-06 eV/A

production: 500 atoms, 150 steps
phase               CPU s       %
force             0.52581   77.71
neighbours              0    0.00
all               0.67667  100.00
lists made: 0 in 150 steps, with a skin of 3 A
short lists made: 19 in 150 steps, 7.895 steps each, with a skin of 1 A
speed: 0.11084 million atom-steps/s
END
for (
    ['force', 's', '0.52581'],
    ['force', '%', '77.71'],
    ['neighbours', 's', '0'],
    ['all', 's', '0.67667'],
    ['the neighbour list', 's', '0.02428'],
    ['speed', 'million atom-steps/s', '0.11084'],
    ['lists made', 'in', '0'],
    ['lists made', 'steps each', undef],
    ['short lists made', 'in', '19'],
    ['short lists made', 'steps each', '7.895'])
{
    my ($row, $column, $right) = @$_;
    is(figure(\@lines, $row, $column), $right, "figure: $row, $column");
}
my %rounded = qw(0.09213 0.0921 4282.4 4282 1.004 1.00 99.72 99.7 0.5 0.5 -0.012345 -0.0123 3792 3792 12 12 8.0291e-05 8.03e-05 6e-08 6e-08);
is(rounded($_), $rounded{$_}, "rounded: $_") for sort keys %rounded;

# ---- make bench ----

my $bench = run(['perl', 'bench/bench.pl', $dir], env => {SUITE_ONLY => 'peak-rates reduce2gpu'});
my ($file) = glob "$dir/*";
ok($bench->{status} == 0 && $bench->{out} =~ /^\Q$file\E\n\z/m, 'bench writes a file')
  or diag(describe($bench));
my $results = read_results($file);
my %about = map { @$_ } @{$results->{about}};
ok($about{date} =~ /^20\d\d-/ && $about{device} =~ /\S/ && $about{commit} =~ /\S/,
    '... that says where and when')
  or diag(read_text($file));
is_deeply(
    $results->{commands},
    ['peak-rates', grep { $_ ne 'peak-rates' } @{$results->{commands}}],
    '... in the order of the chapters');
my $reduce2gpu = $results->{runs}{reduce2gpu};
if ($BACKEND eq 'cuda')
{
    ok(figure($reduce2gpu, 'dynamic', 'ms') > 0, '... with its figures');
    like($bench->{out}, qr/^reduce2gpu +\w+ +[\d.e-]+ /m, '... and shows the fastest');
}
else
{
    like(join("\n", @$reduce2gpu), qr/: not timed$/m, '... nothing is timed without a GPU');
    unlike($bench->{out}, qr/^reduce2gpu /m, '... and none is the fastest');
}
is($bench->{err} =~ tr/\n//, scalar @{$results->{commands}}, '... a line of progress for each run');
for (
    ['no such directory', "$dir/none", 'query', qr/^bench: cannot write into \Q$dir\E\/none$/],
    ['no table', $dir, 'hello1', qr/^bench: none of these programs has a table to measure$/])
{
    my ($what, $to, $only, $line) = @$_;
    my $ran = run(['perl', 'bench/bench.pl', $to], env => {SUITE_ONLY => $only});
    ok($ran->{status} && $ran->{err} =~ /$line\n\z/, "bench: $what") or diag(describe($ran));
}
is(scalar(() = glob "$dir/*"), 1, '... leaves nothing');
{
    my $pages = tempdir(CLEANUP => 1);
    write_text("$pages/page.md", '| <!--=reduce2gpu.static.ms-->1<!--/--> |');
    my $ran = run(['perl', 'bench/bench.pl', $pages],
        env => {SUITE_ONLY => 'peak-rates reduce2gpu', PAGES => "$pages/page.md"});
    is_deeply([map { @{read_results($_)->{commands}} } glob "$pages/*.txt"],
        ['reduce2gpu'], 'PAGES: bench measures what these pages quote')
      or diag(describe($ran));
}
# What a test runs has one connection to a GPU, so its streams wait for each other. What is measured
# has all.
{
    local $Suite::BACKEND = 'cuda';
    my @show = ('sh', '-c', 'echo ${CUDA_DEVICE_MAX_CONNECTIONS-all}');
    is(run(\@show)->{out}, "1\n", 'a test has one connection');
    is(run(\@show, env => {CUDA_DEVICE_MAX_CONNECTIONS => undef})->{out},
        "all\n", '... and bench has all');
    my ($measure) = read_text('bench/bench.pl') =~ /^sub measure\n(.*?)^}/ms;
    like($measure, qr/%env = \(CUDA_DEVICE_MAX_CONNECTIONS => \$ENV/, '... for what it measures');
}

# Sizes of a GPU are not measured on the CPU backend: after -n, or by their place. The READMEs of a
# small copy quote one run of each kind.
my $copy = tempdir(CLEANUP => 1);
sh("mkdir -p '$copy/ch21_md' '$copy/tests' '$copy/results' && cp -a bench make '$copy' && cp -a tests/Suite.pm '$copy/tests' && mkdir -p '$copy/cpu' && cp -a cpu/tests '$copy/cpu'"
    . " && cp -a ch21_md/*.cu '$copy/ch21_md'");
my @with_size = ('dp/ljmd-cpu 5 2 --steps 2', 'ljmd-cpu --shift 5 2', 'ljmd-cpu --steps 2 5');
my @without = ('ljmd-cpu', 'ljmd-cpu --shift --steps 3', 'ljmd-cpu --temperature 50 --steps 2');

# make bench of a README that quotes these commands.
sub bench_of
{
    my @commands = @_;
    write_text(
        "$copy/ch21_md/README.md",
        join '',
        map {
            my ($name, $args) = split / /, $_, 2;
            "<!--=$name" . ($args ? "[$args]" : '') . ".all.s-->1<!--/-->\n"
        } @commands);
    my %there =
      map { ("SUITE_BUILD_\U$_" => dirname(binary(program('ljmd-cpu'), $_))) } qw(float double);
    unlink glob "$copy/results/*";
    my $ran = run(['perl', "$copy/bench/bench.pl", "$copy/results"],
        env => {%there, SUITE_BACKEND => $BACKEND, SUITE_ONLY => 'ljmd-cpu'});
    my ($written) = glob "$copy/results/*.txt";
    return ($ran, $written ? read_results($written) : {commands => []});
}
SKIP:
{
    skip 'ljmd-cpu is not built in both precisions', 4
      if grep { !-x binary(program('ljmd-cpu'), $_) } qw(float double);
    my ($ran, $measured) = bench_of(@with_size, @without);
    my @expected = sort @without, $BACKEND eq 'cpu' ? () : @with_size;
    is_deeply([sort @{$measured->{commands}}],
        \@expected, 'bench measures what is no size of a GPU')
      or diag(describe($ran));
    my ($left_out) = $ran->{out} =~ /^left out, for they are a GPU's sizes: (.*)$/m;
    is( $left_out // '',
        $BACKEND eq 'cpu' ? join(', ', @with_size) : '',
        '... and says what it leaves out');
    ok(figure($measured->{runs}{'ljmd-cpu'}, 'force', 's') > 0,
        '... with the phases of a simulation');
    ($ran) = bench_of(@with_size);
    ok( $BACKEND ne 'cpu' ? $ran->{status} == 0 : $ran->{status}
          && $ran->{err} eq "bench: all that is to be measured has the size of a GPU\n",
        '... and says so where nothing is left') or diag(describe($ran));
}

# ---- report ----

# Two files of one device and one of another: of a run that two files have, the newer one counts.
sub measured
{
    my ($name, $date, $device, $ms, $command) = @_;
    return write_text("$dir/$name.txt", "date: $date\ndevice: $device\n\n\$ $command\n"
          . "    version       ms        %\n" . sprintf("    plain  %9s    101.5\n", $ms));
}
my @files = (measured('b', '2020-01-02', 'a GPU', '2.000', 'sum'),
    measured('a', '2020-01-01', 'a GPU', '1.000', 'sum'),
    measured('c', '2020-01-01', 'a GPU', '3.000', 'product'),
    measured('d', '2020-01-03', 'CPU backend', '4.000', 'sum'));
my $report = run(['perl', 'bench/report.pl', @files]);
like($report->{out}, qr/\Aa GPU, 2 runs, .*^sum +plain +2\.000 +101\.5.*^CPU backend, 1 run.*^sum +plain +4\.000/ms,
    'report: the newest run of each command, device by device') or diag(describe($report));
like($report->{out}, qr/^product +plain +3\.000/m, '... of all files');
unlike($report->{out}, qr/1\.000/, '... and no older one');
like($report->{out}, qr/100 % is .* no limit/s, '... and what 100 % is, as docs/programs.md says');
like(read_text('docs/programs.md') =~ s/\n/ /gr, qr/100 % is .{0,200} no limit/, '... which says it, too');
my $no_results = run(['perl', 'bench/report.pl', "$dir/none.txt"]);
ok($no_results->{status} && $no_results->{err} =~ /none\.txt: [^\n]+\n\z/, 'report of a file that is not there')
  or diag(describe($no_results));
mkfifo("$dir/fifo", 0600) or die "fifo: $!\n";
open my $large, '>', "$dir/large" or die "large: $!\n";
truncate $large, 1e9;
close $large;
for (['/dev/zero', 'no plain file'], ["$dir/fifo", 'no plain file'], [$dir, 'no plain file'],
    ["$dir/large", 'too large'])
{
    my ($file, $why) = @$_;
    my $refused = run(['./suite', 'report', $file], limit => 20);
    ok($refused->{status} && $refused->{err} =~ /\A\Q$file\E: [^\n]*$why[^\n]*\n\z/, "report of $file: $why")
      or diag(describe($refused));
}
my $all = run(['./suite', 'report']);
my @about = $all->{out} =~ /^ +\d+ from (\S+)$/mg;
ok($all->{status} == 0 && @about && !(grep { !-e } @about), './suite report has the files of bench/results')
  or diag(describe($all));

# ---- compare ----

# A file like that of a run in which `plain` took longer.
sub result_file
{
    my ($name, $ms, $deviation) = @_;
    return write_text("$dir/$name",
        "device: this\n\n\$ program -n 5\n    version       ms deviation\n"
          . sprintf("    plain  %9s %9s\n    other        2.5       0.1\n", $ms, $deviation));
}
my $old = result_file('old', '10.0', '0.1');
for (
    ['the same', '10.0', '0.1', 0, ''],
    ['noise', '12.0', '2.5', 0, ''],
    ['little', '10.1', '0.001', 0, ''],
    ['slower', '12.0', '0.1', 1, 'slower'],
    ['faster', '5.0', '0.1', 0, 'faster'])
{
    my ($what, $ms, $deviation, $status, $mark) = @$_;
    my $ran = run(['bench/compare', $old, result_file('new', $ms, $deviation)]);
    ok( $ran->{status} == $status
          && $ran->{out} =~ /^ +plain +10\.0 +\Q$ms\E +ms +[\d.]+ *\Q$mark\E$/m,
        "compare: $what") or diag(describe($ran));
}
for (
    [['/nonexistent', $old], qr/No such file/],
    [[$old], qr/^usage/],
    [[$old, write_text("$dir/odd", "hello\n")], qr/odd:1: /],
    [[$old, write_text("$dir/else", "a: b\n\n\$ another\n    x\n")], qr/no run in common/])
{
    my ($args, $line) = @$_;
    my $ran = run(['bench/compare', @$args]);
    ok($ran->{status} && $ran->{err} =~ $line && $ran->{err} =~ tr/\n// == 1,
        "compare refuses @{[map { basename($_) } @$args]}")
      or diag(describe($ran));
}

# ---- turns ----

# A tree with a program. In each run it takes the next of the times, and notes that it ran.
sub tree
{
    my ($name, $speed, @ms) = @_;
    unlink "$dir/$name/runs";
    write_program("$dir/$name/bin/program", <<"END");
echo $name \$* >>'$dir/order'
echo x >>'$dir/$name/runs'
set -- @ms
shift \$((\$(wc -l <'$dir/$name/runs') - 1))
echo 'version       ms deviation'
printf 'plain  %9s       0.1\\n' "\$1"
echo 'other        2.5       0.1'
echo 'speed: $speed million atom-steps/s'
END
    return "$name=$dir/$name";
}

sub write_program
{
    my ($file, $text) = @_;
    make_path(dirname($file));
    write_text($file, "#!/bin/sh\n$text");
    chmod 0755, $file;
}

for (
    ['apart', [100, 10, 11, 12], [100, 13, 14, 15], 1, qr/13\s+15\s+1\.273  slower$/m],
    ['overlapping', [100, 10, 11, 14], [100, 13, 14, 15], 0, qr/14\s+13\s+15\s+1\.273$/m],
    ['little', [100, '10.00', '10.00', '10.00'], [100, 10.05, 10.05, 10.05], 0, qr/\s1\.005$/m],
    ['less', [100, 10, 11, 12], [100, 7, 8, 9], 0, qr/8\s+7\s+9\s+0\.727  faster$/m],
    ['a lower speed', [400, 10, 10, 10], [300, 10, 10, 10], 1, qr/300\s+0\.750  slower$/m],
    ['a higher speed', [300, 10, 10, 10], [400, 10, 10, 10], 0, qr/400\s+1\.333  faster$/m])
{
    my ($what, $first, $last, $status, $line) = @$_;
    my $ran = run(['bench/turns', '-r', 3, tree('a', @$first), tree('b', @$last), 'program -n 5']);
    ok($ran->{status} == $status && $ran->{err} eq '' && $ran->{out} =~ $line, "turns: $what")
      or diag(describe($ran));
}
my @three = (tree('a', 1, 10, 11, 12), tree('b', 1, 10, 11, 12), tree('c', 1, 10, 11, 12));
unlink "$dir/order";
my $turned = run(['bench/turns', '-r', 2, '-o', "$dir/turns.tsv", @three, 'program', 'program -n 5']);
is(read_text("$dir/order") =~ s/ *\n/, /gr, 'a, b, c, a -n 5, b -n 5, c -n 5, c, b, a, c -n 5, b -n 5, a -n 5, ',
    'turns: every second round goes backwards');
like(read_text("$dir/turns.tsv"), qr/\Aprogram\trow\t.*\nprogram\tplain\tms\ta\t2\t[\d.]+\t/, 'turns: -o');

write_program("$dir/bad/bin/program", "echo 'version ms'\nexit 3\n");
write_program("$dir/mute/bin/program", "echo 'PASS: 1 check'\n");
my $two = sub { return map { "$_=$dir/$_" } @_ };
for (
    ['one tree', ['a=.', 'program'], 'two trees'],
    ['no command', [$two->('a', 'b')], 'two trees, as NAME=TREE, and commands'],
    ['a name twice', ["a=$dir/a", "a=$dir/b", 'program'], 'two trees have the name a'],
    ['no such program', [$two->('a', 'b'), 'else'], 'there is no .*/a/bin/else'],
    ['a line of the shell', [$two->('a', 'b'), 'program;ls'], 'is no command'],
    ['no rounds', ['-r', 0, $two->('a', 'b'), 'program'], "'0' is no number"],
    ['an option', ['-x', $two->('a', 'b'), 'program'], '-x is no option'],
    ['many rounds', ['-r', '1e9', $two->('a', 'b'), 'program'], "'1e9' is no number"],
    ['a directory', ['-o', $dir, $two->('a', 'b'), 'program'], 'it is a directory'],
    ['a failure', ['-o', "$dir/failed.tsv", $two->('bad', 'b'), 'program'], "bad: 'program' ended with status 3"],
    ['no times', ["m=$dir/mute", "n=$dir/mute", 'program'], 'printed no times'])
{
    my ($what, $args, $why) = @$_;
    my $ran = run(['bench/turns', @$args]);
    ok( $ran->{status} == 2 && $ran->{err} =~ /\Abench\/turns: [^\n]*$why[^\n]*\n\z/,
        "turns refuses $what") or diag(describe($ran));
}
write_program("$dir/$_/bin/program", "echo 'version   ms'\n" . sprintf("echo '%-9s2.5'\n", $_)) for qw(early late);
my $lacking = run(['bench/turns', '-r', 1, $two->('early', 'late'), 'program']);
ok($lacking->{status} == 0 && $lacking->{out} =~ /^  early, ms +early +[\d. ]+2\.5\n  late, ms +late +[\d. ]+2\.5\n/m
      && $lacking->{out} =~ /^0 slower, 0 faster, 0 the same/m, 'turns: a row that one tree lacks is not compared')
  or diag(describe($lacking));

# Ctrl-C ends the program that runs, too.
write_program("$dir/$_/bin/slow", "echo \$\$ >'$dir/pid'\nexec sleep 60\n") for qw(early late);
my $turns = fork // die "fork: $!\n";
if ($turns == 0)
{
    exec('bench/turns', '-o', "$dir/failed.tsv", $two->('early', 'late'), 'slow') or POSIX::_exit(2);
}
my $patience = time + 20;
sleep 0.05 while !-s "$dir/pid" && time < $patience;
kill 'INT', $turns;
waitpid $turns, 0;
is($? >> 8, 130, 'turns: Ctrl-C');
my $slow = read_text("$dir/pid") + 0;
sleep 0.05 while kill(0, $slow) && time < $patience;
ok(!kill(0, $slow) && time < $patience, '... ends the program, too, and does not wait for it');
is_deeply([glob "$dir/failed.tsv*"], [], 'turns: nothing is left behind');
my $help = run(['bench/turns', '--help']);
ok($help->{status} == 0 && $help->{out} =~ /\Abench\/turns \[-r ROUNDS\].*-o FILE/s, 'turns --help');
done_testing();
