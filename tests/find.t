# `make find` answers for everything that the book and S1 to S4 have a number or a name for, and
# docs/map.md has it all.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

sub find
{
    my ($what) = @_;
    return run(['./suite', 'find', $what]);
}

# ---- The map: a row for each place ----

my %places = (chapter => 0);
my $part = '';
for (grep { /^[^#]/ } split /\n/, read_text('make/places.txt'))
{
    $part = $1, $places{chapter} += $part =~ /^chapter/, next if /^(chapter \d+|S[1-4])$/;
    my ($kind, $list) = /^  ([A-Za-z]+\.?): (\S.*)$/
      or fail("make/places.txt has the line $_"), next;
    $places{($part =~ /^S/ ? "$part " : '') . $kind} += split /, /, $list;
}

# What the five documents have.
is_deeply(
    \%places,
    {   chapter => 22,
        section => 150,
        Listing => 57,
        Table => 19,
        'Fig.' => 13,
        file => 69,
        'S1 section' => 17,
        'S1 kernel' => 4,
        'S2 section' => 7,
        'S2 Table' => 2,
        'S2 Fig.' => 3,
        'S2 Example' => 23,
        'S2 file' => 4,
        'S3 section' => 12,
        'S3 file' => 3,
        'S4 section' => 12,
        'S4 Fig.' => 12},
    'make/places.txt has every place') or diag(explain(\%places));
my $num_places = 0;
$num_places += $_ for values %places;

my %commands;
for my $page ('docs/map.md', 'docs/map.zh-CN.md')
{
    my @rows = grep { !/^\| (place|位置) |^\|---/ } read_text($page) =~ /^(\| .*)$/mg;
    is(scalar @rows, $num_places, "$page has a row for each place");
    my @without = grep { (split / \| /)[2] !~ /^`(make \w+|\.\/bin\/[\w-]+)/ } @rows;
    ok(!@without, '... and a command in each') or diag(map { "  $_\n" } @without);
    $commands{$page} = [map { /`([^`]*)`/g } map { (split / \| /)[2] } @rows];
}
is_deeply(
    $commands{'docs/map.zh-CN.md'},
    $commands{'docs/map.md'},
    'both languages have the same commands');
my @cannot = grep { !can_be_typed($_) } @{$commands{'docs/map.md'}};
ok(!@cannot, 'which can be typed') or diag(map { "  $_\n" } @cannot);

sub can_be_typed
{
    my ($command) = @_;
    return 1 if $command =~ /^make (doctor|toolkits|figures|ch\d\d)$/;
    my ($name, $row) = $command =~ m{^\./bin/([\w-]+)(?: -k ([\w-]+))?$} or return 0;
    my $program = program($name);
    return $program && (!defined $row || grep { $_ eq $row } @{$program->{versions}});
}

# A place for which nobody has written anything.
my $copy = tempdir(CLEANUP => 1);
sh("cp -a suite make ch02_threads '$copy' && mkdir '$copy/docs'"
    . " && printf 'S4\\n  Fig.: 2.99\\n' >'$copy/make/places.txt'");
my $lost = sh('./suite index', dir => $copy);
ok($lost->{status} == 1 && $lost->{err} =~ /^S4 Fig\. 2\.99: neither /m,
    'a place without an answer is found')
  or diag(describe($lost));

# ---- One question ----

for my $what (
    'chapter 16',
    'section 22.2',
    'Listing 2.5',
    'Table 1.3',
    'Fig. 12.1',
    'hello.cpp',
    'file error.cuh',
    'S1 callbacks',
    'S2 Example 6.9',
    'S3 memory (1)',
    'S4 Fig. 3.7')
{
    my $found = find($what);
    ok($found->{status} == 0 && $found->{out} =~ /^\S.*\n/, "make find WHAT='$what'")
      or diag(describe($found));
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
my @bad =
  grep { !/^(?:(chapter|section|Table|Fig\.|Listing|file) \S+|S[1-4] [^:]+): \S.*\.$/ } @sentences;
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
