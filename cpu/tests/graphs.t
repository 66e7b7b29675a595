# The checker against an oracle: in small codes that go over graphs (graphs/generate.pl) it names the
# lines of all pairs of accesses that race, and no others. TEST_EXHAUSTIVE=1 tries all 600 codes, else
# the first 60 are tried. Blocks and warps run in three orders.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $PARTS = 10;
my $dir = tempdir(CLEANUP => 1);

# What is said of a pair of lines; a note gives way to an error.
sub without_covered_notes
{
    my %found = map { $_ => 1 } @_;
    delete $found{$_} for grep { /^same-value (.*)/ && $found{"race $1"} } keys %found;
    return [sort keys %found];
}

sub of_csv
{
    my ($text) = @_;
    my @found;
    for (grep { !/^kind,/ } split /\n/, $text)
    {
        my ($kind, $place, $other) = /^([^,]*),[^,]*,\d+,"[^"]*",([^,]*),[^,]*,([^,]*),/ or next;
        my @lines = sort { $a <=> $b } map { /:(\d+)$/ ? $1 : () } $place, $other;
        shift @lines if @lines == 2 && $lines[0] == $lines[1];
        push @found, "$kind @lines";
    }
    return @found;
}

for my $part ($ENV{TEST_EXHAUSTIVE} ? 0 .. $PARTS - 1 : 0)
{
    my $source = "$dir/part$part.cu";
    write_text($source, sh("perl tests/graphs/generate.pl $part $PARTS")->{out});
    my $is_made = 1;
    for my $made (["$dir/oracle", '-DORACLE'], ["$dir/checked", '--check'])
    {
        my $compiled = run(['./cpucc', $made->[1], '-Itests/graphs', $source, '-o', $made->[0]]);
        $is_made &&= ok($compiled->{status} == 0, "part $part: $made->[1]")
          || diag(describe($compiled));
    }
    next if !$is_made;
    for my $order (0 .. 2)
    {
        my $what = "part $part, order $order";
        local $ENV{CUDACPU_THREADS} = 1;
        local $ENV{CUDACPU_CHECK_CSV} = "$dir/csv";
        local $ENV{CUDACPU_EXACT} = 0;    # an index one too far is to end no kernel
        local $ENV{CUDACPU_ORDER} = $order;
        my $oracle = run(["$dir/oracle"]);
        is($oracle->{status}, 0, "$what: the oracle ran") or diag(describe($oracle));
        my $checked = run(["$dir/checked"]);
        is($checked->{status}, 4, "$what: the checker found errors") or diag(describe($checked));
        is_deeply(without_covered_notes(of_csv(read_text("$dir/csv"))),
            without_covered_notes(split /\n/, $oracle->{out}), "$what: the lines are the oracle's");
    }
}

done_testing();
