# query, attributes and peak-rates: what they list, in both forms, and which devices they can be
# asked about.
# Inputs: programs backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my %program = map { ($_ => program($_)) } qw(query attributes peak-rates);
plan skip_all => 'query, attributes and peak-rates are not built'
  if grep { !$_ || !-x binary($_) } values %program;
my ($query, $attributes, $rates) = map { binary($program{$_}) } qw(query attributes peak-rates);

my $text = run([$query]);
plan skip_all => 'there is no device' if $text->{status} == 77 && !$REQUIRE_GPU;
is($text->{status}, 0, 'query') or diag(describe($text));

# ---- What they list ----

sub rows
{
    my ($out) = @_;
    return map { /^(\S.*?)  +(\S.*)$/ ? ($1 => $2) : () } split /\n/, $out;
}

my @LISTING_6_2 = (
    'Device id', 'Device name', 'Compute capability', 'Amount of global memory',
    'Amount of constant memory', 'Maximum grid size', 'Maximum block size', 'Number of SMs',
    'Maximum amount of shared memory per block', 'Maximum amount of shared memory per SM',
    'Maximum number of registers per block', 'Maximum number of registers per SM',
    'Maximum number of threads per block', 'Maximum number of threads per SM');
my %row = map { /^([^:]+): +(\S.*)$/ ? ($1 => $2) : () } split /\n/, $text->{out};
ok(!(grep { !defined $row{$_} } @LISTING_6_2), 'all rows of Listing 6.2 are there');
like($row{$_}, qr/^\d+$/, "$_ is a number") for @LISTING_6_2[7, 12, 13];

my $table = run([$rates]);
is($table->{status}, 0, 'peak-rates') or diag(describe($table));
is((grep { $table->{out} =~ /^\Q$_\E +\S/m } 'Tesla K40', 'Tesla P100', 'Tesla V100',
        'GeForce RTX 2070', 'GeForce RTX 2080ti'), 5, 'all rows of Table 1.3 are there');
like($table->{out}, qr/^H100 SXM +Hopper +80 +132 +3352 +33\.5 \(66\.9\)/m,
    'the rates of an H100: 132 SMs of 128 cores, two operations each, 1980 MHz');

my $count;    # of devices
for my $name (qw(attributes peak-rates))
{
    my $binary = binary($program{$name});
    my %row = rows(run([$binary])->{out});
    my $csv = run([$binary, '--csv']);
    is($csv->{status}, 0, "$name --csv");
    my @lines = grep { !/^#/ } split /\n/, $csv->{out};
    is(shift @lines, 'device,property,value,unit', '--csv begins with its titles');
    ok(!(grep { !/^\d+,"[^"]+","[^"]*",[^,"]*$/ } @lines), 'each line has four fields');
    my %cell =
      map { /^0,"([^"]+)","([^"]*)",(.*)/ ? ($1 => $2 . ($3 ne '' ? " $3" : '')) : () } @lines;
    delete @{$_}{'Free memory', 'Clock'} for \%cell, \%row;    # these change from run to run
    is_deeply({map { ($_ => $row{$_}) } keys %cell}, \%cell, 'both forms say the same');

    my $all = run([$binary, '--all', '--csv']);
    is($all->{status}, 0, "$name --all --csv");
    my %numbers = map { $_ => 1 } $all->{out} =~ /^(\d+),"Device name"/mg;
    $count //= keys %numbers;
    is_deeply([sort keys %numbers], [sort 0 .. $count - 1], 'each device has its rows');
}

# ---- Which devices ----

for my $name (sort keys %program)
{
    is(run([binary($program{$name}), '--device', $count - 1])->{status}, 0,
        "$name: the last device can be asked");
    refuses($program{$name}, ['--device', $_], qr/there is no device $_: of $count seen/)
      for $count, 1000;
}

{
    my $all = run([$attributes, '--all', '--csv']);
    my ($last) = $all->{out} =~ /^@{[$count - 1]},"UUID","([^"]+)"/m;
    my $none = run([$query], env => {CUDA_VISIBLE_DEVICES => ''});
    is($none->{status}, 77, 'with an empty list there is no device');
    like($none->{err}, qr/^no CUDA device to run on: .*\n\z/, 'and one line says so');
    my $one = run([$attributes, '--csv'], env => {CUDA_VISIBLE_DEVICES => $last});
    like($one->{out}, qr/^0,"UUID","\Q$last\E"/m, 'a UUID in the list makes that device number 0');
    my $beyond = run([$query, '--device', 1], env => {CUDA_VISIBLE_DEVICES => $last});
    is($beyond->{status}, 2, 'and hides the others');
}

SKIP:
{
    skip 'a GPU has as many devices as there are', 3 if $BACKEND eq 'cuda';
    my %three = (env => {CUDACPU_DEVICES => 3});
    my %numbers =
      map { $_ => 1 } run([$attributes, '--csv'], %three)->{out} =~ /^(\d+),"Device name"/mg;
    is_deeply([keys %numbers], [0], 'of three devices, attributes shows the first');
    %numbers = map { $_ => 1 }
      run([$attributes, '--csv', '--all'], %three)->{out} =~ /^(\d+),"Device name"/mg;
    is_deeply([sort keys %numbers], [0 .. 2], '--all shows all three');
    like(run([$query, '--device', 2], %three)->{out}, qr/^Device id: +2$/m,
        'query shows the third');
}
done_testing();
