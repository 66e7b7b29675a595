# Odd programs, tests/cpu/odd/*.cu: none harms the runtime, and each is explained. The first lines
# of each say what is wrong, what one must see, and how the program ends:
#
#     // Fault: ONE SENTENCE
#     // Found: HOW                    both are a row of a table in docs/cpu-backend.md
#     // Prints: TEXT                  is somewhere on stderr; LINE is the line that ends with the
#                                      comment HERE. There may be several of these.
#     // Status: N                     or a signal's name
#     // Environment: NAME=VALUE ...   if it needs any
#     // Processor: NAME               if it happens only there
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Config;
use Parallel;
use Suite;
use Test::More;

plan skip_all => 'a GPU says less' if $BACKEND eq 'cuda';

my %MOST = (Fault => 1, Found => 1, Status => 1, Environment => 1, Processor => 1, Prints => 20);
my $DOCUMENT = read_text('docs/cpu-backend.md');
my @SIGNALS = split ' ', $Config{sig_name};

# The header of a program: {key => [values]}.
sub header_of
{
    my ($text) = @_;
    my %header = (Fault => [], Found => [], Prints => [], Status => [], Environment => [], Processor => []);
    for (split /\n/, $text)
    {
        m{^// (\w+): (.*)$} && $header{$1} or last;
        push @{$header{$1}}, $2;
    }
    return \%header;
}

sub is_whole
{
    my ($header) = @_;
    return !(grep { @{$header->{$_}} > $MOST{$_} } keys %MOST)
      && !(grep { !@{$header->{$_}} } qw(Fault Found Prints Status));
}

# The number of the line that ends with `// HERE`.
sub line_of
{
    my ($text) = @_;
    my @lines = split /\n/, $text;
    my ($line) = grep { $lines[$_ - 1] =~ m{\S.*// HERE$} } 1 .. @lines;
    return $line // 'LINE';
}

sub ending
{
    my ($ran) = @_;
    return $ran->{hung} ? 'hangs' : $ran->{status} // $SIGNALS[$ran->{signal}];
}

sub try
{
    my ($file) = @_;
    my $dir = tempdir(CLEANUP => 1);
    my $name = basename($file, '.cu');
    my $text = read_text($file);
    my $header = header_of($text);
    my $line = line_of($text);
    ok(is_whole($header), "$name: its first lines say what must happen") or return;

    my $row = '| ' . $header->{Fault}[0] =~ s/\.$//r . " | $header->{Found}[0] |\n";
    ok(index($DOCUMENT, $row) >= 0, "$name: docs/cpu-backend.md tells of it") or diag($row);
    my $names_line = grep { /\bLINE\b|\Q$name\E\.cu:/ } @{$header->{Prints}};
    is($names_line > 0, $header->{Found}[0] =~ /with its line/, "$name: a line is claimed and named")
      if $header->{Found}[0] !~ /^no fault/;

    return if ($header->{Processor}[0] // $PROCESSOR) ne $PROCESSOR;
    my $made = compile_for_cpu("$ROOT/$file", "$dir/$name");
    ok(($made->{status} // 1) == 0, "$name compiles") or diag(describe($made)), return;
    my %env = map { split /=/, $_, 2 } map { split ' ' } @{$header->{Environment}};
    my $ran = run(["$dir/$name"], dir => $dir, env => \%env);

    my @missing = grep { index($ran->{err}, $_) < 0 }
      map { s/\bLINE\b/$line/gr } @{$header->{Prints}};
    ok(!@missing, "$name: stderr says so")
      or diag(describe($ran), map { "stderr lacks: $_\n" } @missing);
    is(ending($ran), $header->{Status}[0], "$name: ends as it should") or diag(describe($ran));
}

# With names as arguments, only these.
my @files = @ARGV ? map { "tests/cpu/odd/$_.cu" } @ARGV : sort glob 'tests/cpu/odd/*.cu';
test_in_parallel(\&try, sub { $_[0] }, \@files);
