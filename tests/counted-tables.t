# What tables of chapters 9 and 10 say where there is no GPU: the counts that their pages explain.
# Inputs: programs backend make bench/results/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

plan skip_all => 'with a GPU nothing is counted' if $BACKEND eq 'cuda';
delete $ENV{CUDACPU_COUNT};
my $dir = tempdir(CLEANUP => 1);

# NAME, its arguments, and what is expected in some cells of its last table: {row => {title => value}}.
my @TABLES = (
    ['reduce2gpu', [], {global => {loaded_kib => 1184, wavefronts => ''}, static => {loaded_kib => 512, wavefronts => 29696}}],
    ['matmul', [], {naive => {loaded_kib => 5120}, tiled => {loaded_kib => 256, wavefronts => 67584},
        square => {loaded_kib => 64, wavefronts => 8960}}],
    ['nbody', [], {naive => {load_sectors => 16, loaded_kib => 1040}, tiled => {loaded_kib => 80}}],
    ['stencil', [], {'line-global' => {loaded_kib => 2816}, '7-march' => {bank_conflict => 1}}],
    ['reduce-atomic', [], {dynamic => {global_atomics => '', copied_kib => 4},
        atomic => {global_atomics => 1024, together => 1, copied_kib => 0.01}}],
    ['atomic-cost', [], {double => {1 => 32, 32 => 1, N => 1}, 'double by CAS' => {1 => 528, 32 => 1, N => 1},
        'adds to a sum' => {1 => 16384, 32 => 16384, 1024 => 512, N => 16}}],
    ['graph-bfs', [], {random => {rounds => 9, atomics => 2 * 49978 + 10}}],
    ['histogram', ['--data', 'constant', '--bins', 256], {global => {global_atomics => 131072, together => 32},
        shared => {global_atomics => 16, shared_atomics => 131072}}],
);

for my $table (grep { my $name = $_->[0]; grep { $_->{name} eq $name } programs() } @TABLES)
{
    my ($name, $args, $expected) = @$table;
    my $ran = run([binary(program($name)), @$args, '--csv'], dir => $dir);
    my (@titles, %rows);
    for my $line (grep { !/^#/ } split /\n/, $ran->{out})
    {
        my @cells = split /,/, $line, -1;
        if (!@titles) { @titles = @cells }
        else { @{$rows{$cells[0]}}{@titles} = @cells }
    }
    for my $row (sort keys %$expected)
    {
        my %cells = map { $_ => $rows{$row}{$_} } keys %{$expected->{$row}};
        is_deeply(\%cells, $expected->{$row}, "$name, $row: what its page explains") or diag(describe($ran));
    }
}
# Which columns the text has: atomics that only some rows have, and what a table asks for.
my %COLUMNS = ('reduce-atomic' => [qr/atomics in.* copied/, 'atomics, and the bytes copied'],
    histogram => [qr/lanes at/, 'lanes at one address'], transpose => [qr/^(?!.*atomics)/, 'no atomics']);
for my $program (grep { $COLUMNS{$_->{name}} } programs())
{
    my ($columns, $what) = @{$COLUMNS{$program->{name}}};
    for my $counts ('', 'none')
    {
        local $ENV{CUDACPU_COUNT} = $counts if $counts ne '';
        my ($titles) = run([binary($program)], dir => $dir)->{out} =~ /^(version .*)$/m;
        $counts eq '' ? like($titles, $columns, "$program->{name}: $what")
          : unlike($titles, qr/atomics|copied|lanes/, "$program->{name}: nothing where nothing is counted");
    }
}

# A table that was asked for has the times of the same table of the card.
if (my ($histogram) = grep { $_->{name} eq 'histogram' } programs())
{
    my ($file) = read_text('Makefile') =~ /^CARD := (\S+)/m;
    my ($card) = read_text($file) =~ /^\$ histogram\n.*?^    random keys, 256 bins,(.*?)^    cub /ms;
    my ($ms) = $card =~ /^    global +\S+ +(\S+) /m;
    my $ran = run([binary($histogram), '--data', 'random', '--bins', 256, '-k', 'global'], dir => $dir);
    like($ran->{out}, qr/^global .* \Q$ms\E *$/m, 'histogram --data random: the times of random keys');
}

ok(1, 'no program that is asked for has such a table') if !Test::More->builder->current_test;
done_testing;
