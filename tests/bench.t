# `make bench`: the figures it finds in what programs print, its result file, and the comparison of two.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../bench";
use Results;
use Suite;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# ---- Figures ----

my @lines = split /\n/, <<'END';
float, N = 1000, median of 20 repeats
version             error     CPU ms deviation      GB/s     % x before
plain               6e-08      41.31        77       0.3   2.3
two words           6e-08      3.856       0.2      80.3  66.1     2.66
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
    ['plain', 'ms', '41.31'], ['plain', 'GB/s', '0.3'], ['two words', 'ms', '3.856'],
    ['two words', '%', '66.1'], ['two words', 'x before', '2.66'], ['plain', 'x before', undef],
    ['skipped', 'ms', undef], ['two', 'ms', undef], ['words', 'ms', undef], ['plain', 'time', undef],
    ['N = 10 random', 'ms', '1.5'], ['N = 100 random', 'ms', '7.5'], ['N = 100 random', 'ms#2', '12.5'],
    ['N = 1 random', 'ms', undef], ['padded', 'ms', '3.251'], ['padded', 'GB/s', '1.1'],
    ['set the arguments', 'us', '0.623'], ['rate', 'TFLOP/s', 50.9124], ['share', 'GB/s', '39.9'],
    ['plain', 'ms / two words', 41.31 / 3.856])
{
    my ($row, $column, $right) = @$_;
    is(figure(\@lines, $row, $column), $right, "figure: $row, $column");
}
my %rounded = qw(0.09213 0.0921 4282.4 4282 1.004 1.00 99.72 99.7 0.5 0.5 -0.012345 -0.0123 3792 3792 12 12);
is(rounded($_), $rounded{$_}, "rounded: $_") for sort keys %rounded;

# ---- make bench ----

my $bench = run(['perl', 'bench/bench.pl', $dir], env => {SUITE_ONLY => 'query reduce2gpu'});
my ($file) = glob "$dir/*";
ok($bench->{status} == 0 && $bench->{out} =~ /\n\Q$file\E\n\z/, 'bench writes a file') or diag(describe($bench));
my $results = read_results($file);
my %about = map { @$_ } @{$results->{about}};
ok($about{date} =~ /^20\d\d-/ && $about{device} =~ /\S/ && $about{commit} =~ /\S/, '... that says where and when')
  or diag(read_text($file));
is_deeply($results->{commands}, ['query', grep { $_ ne 'query' } @{$results->{commands}}], '... in the order of the chapters');
ok(figure($results->{runs}{reduce2gpu}, 'dynamic', 'ms') > 0, '... with its figures');
like($bench->{out}, qr/^reduce2gpu +\w+ +[\d.e-]+ /m, '... and shows the fastest');
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

# ---- compare ----

# A file like that of a run in which `plain` took longer.
sub result_file
{
    my ($name, $ms, $deviation) = @_;
    return write_text("$dir/$name", "device: this\n\n\$ program -n 5\n    version       ms deviation\n"
          . sprintf("    plain  %9s %9s\n    other        2.5       0.1\n", $ms, $deviation));
}
my $old = result_file('old', '10.0', '0.1');
for (['the same', '10.0', '0.1', 0, ''], ['noise', '12.0', '2.5', 0, ''], ['little', '10.1', '0.001', 0, ''],
    ['slower', '12.0', '0.1', 1, 'slower'], ['faster', '5.0', '0.1', 0, 'faster'])
{
    my ($what, $ms, $deviation, $status, $mark) = @$_;
    my $ran = run(['bench/compare', $old, result_file('new', $ms, $deviation)]);
    ok($ran->{status} == $status && $ran->{out} =~ /^ +plain +10\.0 +\Q$ms\E +ms +[\d.]+ *\Q$mark\E$/m, "compare: $what")
      or diag(describe($ran));
}
for ([['/nonexistent', $old], qr/No such file/], [[$old], qr/^usage/], [[$old, write_text("$dir/odd", "hello\n")], qr/odd:1: /],
    [[$old, write_text("$dir/else", "a: b\n\n\$ another\n    x\n")], qr/no run in common/])
{
    my ($args, $line) = @$_;
    my $ran = run(['bench/compare', @$args]);
    ok($ran->{status} && $ran->{err} =~ $line && $ran->{err} =~ tr/\n// == 1, "compare refuses @{[map { basename($_) } @$args]}")
      or diag(describe($ran));
}
done_testing();
