# The checker names what is wrong in the programs of checker/, with lines and kinds, and nothing else. A
# comment at a line says what is found there: `race:NAME`. A name stands at one line or at two. After
# `// says: ` stands what a message has.
# Inputs: backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $kinds = 'race|scope|never-written|out-of-bounds|freed-in-use|fault|same-value|checked-compare|unwritten-copy';

# Else the limit is 30 s of processor time.
my %environment = ('endless.cu' => {CUDACPU_TIMEOUT => 1});

# {"race 12 15" => 1} of the marks in a source.
sub expected
{
    my ($text) = @_;
    my (%lines, $number);
    for my $line (split /\n/, $text)
    {
        ++$number;
        push @{$lines{"$1:$2"}}, $number while $line =~ /\b($kinds):(\w+)/g;
    }
    return {map { /^([^:]*)/; ("$1 @{$lines{$_}}" => 1) } keys %lines};
}

# The same of the rows that the checker has written.
sub found
{
    my ($csv) = @_;
    my %found;
    for (grep { !/^kind,/ } split /\n/, $csv)
    {
        my ($kind, undef, undef, $place, undef, $other) =
          /^([^,]*),([^,]*),(\d+),"[^"]*",([^,]*),([^,]*),([^,]*),/ or next;
        my @lines = sort { $a <=> $b } map { /:(\d+)$/ ? $1 : () } $place, $other;
        shift @lines if @lines == 2 && $lines[0] == $lines[1];
        $found{"$kind @lines"} = 1;
    }
    return \%found;
}

sub checked
{
    my ($source, @flags) = @_;
    my $name = $source =~ s{.*/}{}r =~ s/\.cu$//r;
    my $compiled = run(['./cpucc', '--check', @flags, $source, '-o', "$dir/$name"]);
    ok($compiled->{status} == 0, "$name: compiles") or diag(describe($compiled));
    unlink "$dir/csv";
    local $ENV{CUDACPU_CHECK_CSV} = "$dir/csv";
    return run(["$dir/$name"], env => $environment{"$name.cu"} // {});
}

# Ubuntu's compilers have this on. memcpy is then another function.
my %flags = ('async_copies.cu' => '-D_FORTIFY_SOURCE=2');

for my $source (glob 'tests/checker/*.cu')
{
    my $name = $source =~ s{.*/}{}r;
    my $expected = expected(read_text($source));
    my $ran = checked($source, $flags{$name} // ());
    is_deeply(found(-e "$dir/csv" ? read_text("$dir/csv") : ''), $expected, "$name: what is found")
      or diag(describe($ran));
    for my $text (read_text($source) =~ m{// says: (.*)}g)
    {
        cmp_ok(index($ran->{err}, $text), '>=', 0, "$name: says $text") or diag($ran->{err});
    }
    my $errors = grep { !/^(same-value|checked-compare|unwritten-copy)/ } keys %$expected;
    is($ran->{status}, $errors ? 4 : 0, "$name: exit status");
}

# ---- The line is told whatever the file's name ----

my $long = 'n' x 117;
write_text("$dir/$long.cu", read_text('tests/checker/exchange.cu'));
my $ran = checked("$dir/$long.cu");
like($ran->{err}, qr/^  \d+ x read of memory that was never written: $long\.cu:14$/m, 'a name of 120 characters');

# ---- A block that never ends ----

if ($ENV{TEST_EXHAUSTIVE})
{
    delete $environment{'endless.cu'};
    $ran = checked('tests/checker/endless.cu');
    like($ran->{err}, qr/more than 30 s, which is the checker's limit/, 'the checker has a limit');
}

done_testing();
