# arithmetic2gpu --sweep: a row for each power of ten, each of them checked; and N as in the book. The time
# of a step that arithmetic1cpu prints.
# Inputs: ch05_timing/* common/*.cuh backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $program = program('arithmetic2gpu');
plan skip_all => 'arithmetic2gpu is not built' unless $program && -x binary($program);

my $sweep = run([binary($program), '--sweep', '--csv', '-r', 2]);
is($sweep->{status}, 0, 'arithmetic2gpu --sweep') or diag(describe($sweep));
my ($titles, @rows) = map { [split /,/] } grep { !/^#/ } split /\n/, $sweep->{out};
is_deeply([map { $_->[0] } @rows], [map { 10**(3 + $_) } 0 .. $#rows], 'its N goes up in tens');
cmp_ok(scalar @rows, '>=', 2, 'it has some points');
# Without a GPU there are no times of the device, and nothing that follows from them.
my $untimed = $BACKEND eq 'cpu' ? qr/^(?:device|speed-up|Gsteps)/ : qr/^(?!)/;
my @odd = grep {
    my $row = $_;
    @$row != @$titles || grep { $titles->[$_] =~ $untimed ? $row->[$_] ne '' : !($row->[$_] > 0) } 0 .. $#$titles
} @rows;
ok(!@odd, 'every point has all its numbers') or diag(describe($sweep));
is($sweep->{out} =~ /^# PASS: (\d+) checks\n\z/m && $1, 1 + @rows, 'every point is checked');

my $positional = run([binary($program), 77, '-r', 1, '--csv']);
like($positional->{out}, qr/^77,/m, 'arithmetic2gpu takes N as in the book');

my $on_host = run([binary({name => 'arithmetic1cpu'}), '-n', 500, '-r', 1]);
my ($ms) = $on_host->{out} =~ /^arithmetic on the host: ([\d.e+-]+) (?:CPU )?ms /m;
my ($ns) = $on_host->{out} =~ /^([\d.e+-]+) ns a step$/m;
ok(defined $ms && defined $ns && abs($ns / ($ms * 1e6 / (500 * 10000)) - 1) < 0.01,
    'a step is the time by 500 numbers of 10000 steps')
  or diag(describe($on_host));
done_testing();
