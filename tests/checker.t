# The checker names the races that the book's readers are told of: that of Listing 9.2, that of a
# reduction without barriers, and that of Listing 10.1 where a plain += stands for the atomicAdd. The
# command that the documents show says what they show.
# Inputs: programs backend docs/profiling.md make/Sanitize.pm
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my ($compiler) = $ENV{CPUCC_CXX} =~ m{([^/ ]+)$};

# The rows of the checker's list: "kind line line", the lines in order.
sub findings
{
    my ($source, $name, @arguments) = @_;
    my $compiled = run([$CPUCC, '--check', $source, '-o', "$dir/$name"]);
    ok($compiled->{status} == 0, "$name compiles with --check") or diag(Suite::describe($compiled));
    local $ENV{CUDACPU_CHECK_CSV} = "$dir/csv";
    unlink "$dir/csv";
    my $ran = run(["$dir/$name", @arguments]);
    is($ran->{status}, 4, "$name: the checker's exit status") or diag(Suite::describe($ran));
    my %found;
    for (-e "$dir/csv" ? split /\n/, read_text("$dir/csv") : ())
    {
        my ($kind, $place, $other) = /^([^,]*),error,\d+,"[^"]*",([^,]*),[^,]*,([^,]*),/ or next;
        my @lines = sort { $a <=> $b } map { /:(\d+)$/ ? $1 : () } $place, $other;
        $found{"$kind @lines"} = 1;
    }
    return [sort keys %found];
}

sub line_of
{
    my ($text, $pattern, $from) = @_;
    my @lines = split /\n/, $text;
    my ($line) = grep { $lines[$_ - 1] =~ $pattern } $from .. @lines;
    return $line;
}

# Listing 9.2: all threads halve one array. And a reduction in shared memory without barriers.
my $source = 'ch09_shared_mem/reduce-wrong.cu';
my $text = read_text($source);
my $global = line_of($text, qr/d_x\[n\] \+= d_x\[n \+ offset\]/, 1);
my $kernel = line_of($text, qr/__global__ void reduce_shared/, 1);
my $store = line_of($text, qr/s_y\[tid\] = /, $kernel);
my $add = line_of($text, qr/s_y\[tid\] \+= /, $kernel);
my $result = line_of($text, qr/= s_y\[0\]/, $kernel);
my $found = findings($source, 'reduce-wrong', qw(-n 10000 -r 1));
is_deeply([grep { /$global/ } @$found], ["race $global $global"], 'Listing 9.2: the line races with itself');
is_deeply([grep { !/$global/ } @$found], ["race $store $add", "race $add $add"],
    'without barriers: the sum races with the store and with itself')
  or diag("found: @{[map { qq('$_') } @$found]}; the result is taken in line $result");

# Listing 10.1 with a plain +=.
$source = 'ch10_atomics/reduce-atomic.cu';
$text = read_text($source);
ok($text =~ s/atomicAdd\(d_y, s_y\[0\]\)/*d_y += s_y[0]/, "$source has the atomicAdd");
mkdir "$dir/ch10";
symlink "$ROOT/common", "$dir/common" or die "$dir/common: $!\n";
write_text("$dir/ch10/reduce-plain.cu", $text);
my $plain = line_of($text, qr/\*d_y \+= /, 1);
is_deeply(findings("$dir/ch10/reduce-plain.cu", 'reduce-plain', qw(-n 1000 -r 1)), ["race $plain $plain"],
    'Listing 10.1 with +=: the line races with itself');

# The faults of memcheck that a plain run does not report.
$source = 'ch04_errors/memcheck.cu';
$text = read_text($source);
for (['race', qr/s_x\[tid\] \+= /], ['uninit', qr/= x\[/])
{
    my ($fault, $looks) = @$_;
    my $kind = $fault eq 'race' ? 'race' : 'never-written';
    my $rows = findings($source, 'memcheck', '-k', $fault);
    my @lines = map { (split / /)[-1] } @$rows;
    ok(@$rows && !(grep { !/^$kind / } @$rows), "memcheck -k $fault: a $kind") or diag("@$rows");
    like((split /\n/, $text)[($lines[0] // 1) - 1], $looks, "memcheck -k $fault: its line");
}

# What the documents show.
for my $page (qw(docs/profiling.md docs/profiling.zh-CN.md))
{
    my ($make, $path, $arguments, $shown) = read_text($page) =~
      /^\$ (make CHECKER=1 reduce-wrong) && \.\/(\S+)(.*)\n((?:.+\n)+?)```/m;
    ok(defined $make, "$page shows the command") or next;
    delete local $ENV{REQUIRE_GPU};    # make has no use for it here
    my $made = sh("$make BACKEND=cpu CXX='$ENV{CPUCC_CXX}'");
    ok($made->{status} == 0, "$page: $make") or diag(Suite::describe($made));
    $path =~ s/cpu-g\+\+/cpu-$compiler/;
    my $ran = run([$path, split ' ', $arguments]);
    ok(index($ran->{err}, $shown) >= 0, "$page: what the program says") or diag(Suite::describe($ran));
}

done_testing();
