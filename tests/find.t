# `make find` answers for everything that chapters 2 to 22 of the book have a number or a name for.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my %PLACES = (
    chapter => '2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22',
    section => '2.1 2.2 2.2.1 2.2.2 2.3 2.3.1 2.3.2 2.3.3 2.3.4 2.4 2.5'
      . ' 3.1 3.2 3.2.1 3.2.2 3.2.3 3.2.4 3.2.5 3.2.6 3.3 3.3.1 3.3.2 4.1 4.1.1 4.1.2 4.2'
      . ' 5.1 5.1.1 5.1.2 5.2 5.2.1 5.2.2 5.2.3 5.2.4 5.3'
      . ' 6.1 6.2 6.2.1 6.2.2 6.2.3 6.2.4 6.2.5 6.2.6 6.2.7 6.3 6.3.1 6.3.2 6.4'
      . ' 7.1 7.2 7.2.1 7.2.2 7.3 9.1 9.1.1 9.1.2 9.1.3 9.2 9.3'
      . ' 10.1 10.1.1 10.2 10.3 10.3.1 10.3.2 10.3.3'
      . ' 11.1 11.2 11.3 11.3.1 11.3.2 11.4 11.4.1 11.4.2 11.5 11.5.1 11.5.2'
      . ' 12.1 12.2 12.3 12.3.1 12.3.2 12.4 12.4.1 12.4.2'
      . ' 13.1 13.1.1 13.1.2 13.1.3 13.2 13.2.1 13.2.2 13.3 13.3.1 13.3.2 13.3.3 13.4'
      . ' 15.1 15.2 15.2.1 15.2.2 15.2.3 15.2.4 15.2.5 16.1 16.1.1 16.1.2 16.1.3 16.1.4'
      . ' 16.2 16.2.1 16.2.2 16.2.3 16.2.4 16.2.5 17.1 17.2 18.1 18.2'
      . ' 19.1 19.1.1 19.1.2 19.2 19.2.1 19.2.2 20.1 20.2 20.3'
      . ' 21.1 21.1.1 21.1.2 21.2 21.2.1 21.2.2 21.2.3 21.2.4 21.2.5 21.3 21.3.1 21.3.2 21.3.3'
      . ' 22.1 22.1.1 22.1.2',
    Listing => '2.1 2.2 2.3 2.4 2.5 3.1 3.2 3.3 3.4 3.5 4.1 4.2 4.3 4.4 5.1 5.2 6.1 6.2'
      . ' 7.1 7.2 7.3 7.4 9.1 9.2 9.3 9.4 9.5 10.1 10.2 10.3 10.4 10.5'
      . ' 11.1 11.2 11.3 11.4 11.5 11.6 11.7 12.1 12.2 12.3'
      . ' 13.1 13.2 13.3 13.4 13.5 13.6 16.1 16.2 16.3 16.4 17.1 18.1 19.1 21.1 22.1',
    Table  => '5.1 6.1 6.2 9.1 10.1 10.2 11.1 15.1 15.2 15.3 15.4 15.5 21.1 22.1 22.2',
    'Fig.' => '2.1 2.2 5.1 6.1 9.1 10.1 10.2 12.1 12.2 12.3 21.1',
    ''     => 'hello.cpp hello1.cu hello2.cu hello3.cu hello4.cu hello5.cu add.cpp add1.cu'
      . ' add2wrong.cu add3if.cu add4device.cu error.cuh check1api.cu check2kernel.cu add1cpu.cu'
      . ' add2gpu.cu add3memcpy.cu arithmetic1cpu.cu arithmetic2gpu.cu static.cu head.cuh query.cu'
      . ' deviceQuery.cu matrix.cu bank.cu reduce1cpu.cu reduce2gpu.cu reduce.cu neighbor1cpu.cu'
      . ' neighbor2gpu.cu xy.txt neighbor.txt plot_points.m plot_bonds.m warp.cu'
      . ' reduce1parallelism.cu reduce2static.cu host-kernel.cu kernel-kernel.cu kernel-transfer.cu'
      . ' add.cu oversubscription1.cu oversubscription2.cu oversubscription3.cu prefetch.cu'
      . ' thrust-scan-vector.cu thrust-scan-pointer.cu cublas-gemm.cu cusolver.cu curand-host1.cu'
      . ' curand-host2.cu main.cu memory.cu initialize.cu neighbor.cu mic.cuh mic.h integrate.cu'
      . ' force.cu common.cuh');

my @files = sort(glob 'ch*/*.cu ch*/*.cpp');

sub find
{
    my ($what) = @_;
    return run(['awk', '-f', 'make/header.awk', '-f', 'make/find.awk', @files],
        env => {WHAT => $what});
}

for my $kind (sort keys %PLACES)
{
    for my $place (map { $kind eq '' ? $_ : "$kind $_" } split ' ', $PLACES{$kind})
    {
        my $found = find($place);
        ok($found->{status} == 0 && $found->{out} =~ /^\S.*\n/, "make find WHAT='$place'")
          or diag(describe($found));
    }
}

# Other ways to ask.
for (['图 9.1', 'Fig. 9.1'], ['表6.1', 'Table 6.1'], ['第 9 章', 'chapter 9'],
    ['第9章', 'chapter 9'], ['6.3 节', 'section 6.3'], ['第 6.3.1 节', 'section 6.3.1'],
    ['figure 9.1', 'Fig. 9.1'], ['FIG. 9.1', 'Fig. 9.1'], ['Sec. 6.3', 'section 6.3'])
{
    my ($asked, $means) = @$_;
    is(find($asked)->{out}, find($means)->{out}, "make find WHAT='$asked' is WHAT='$means'");
}
is(find($_)->{status}, 1, "make find WHAT='$_' finds nothing")
  for 'chapter 99', 'section 3.4', 'Table 7.1', 'none.cu';

# What the sentences of book.txt name is there.
my @sentences = grep { /^[^#]/ } split /\n/, read_text('make/book.txt');
my @bad = grep { !/^(chapter|section|Table|Fig\.|Listing|file) \S+: \S.*\.$/ } @sentences;
ok(!@bad, 'each line of make/book.txt has a place and a sentence') or diag(map { "  $_\n" } @bad);
my @paths = map { m{(\w[\w-]*/[\w./-]*\w)}g } map { s/^[^:]*: //r } @sentences;
my @dead = grep { !-e } @paths;
ok(@paths > 20 && !@dead, 'its paths lead somewhere') or diag(map { "  $_\n" } @dead);
my @gone;
for my $sentence (@sentences)
{
    while ($sentence =~ /\brows? ((?:`[\w-]+`(?: \(section [\d.]+\))?(?: and )?)+) of ([\w-]+)/g)
    {
        my ($rows, $name) = ($1, $2);
        my %versions = map { $_ => 1 } @{(program($name) // {versions => []})->{versions}};
        push @gone, map { "$_ of $name" } grep { !$versions{$_} } $rows =~ /`([\w-]+)`/g;
    }
}
ok(!@gone, 'its rows are versions of their programs') or diag(map { "  $_\n" } @gone);

done_testing();
