# Wrong programs, and what the backend says of them. The comment of a program, or of a case of one,
# says what one must see:
#
#     // case: NAME                 the program's argument; what stands above the first case holds
#                                   for each
#     // fault: WHAT | HOW          a row of a table in README.md; none: the row before has it too
#     // flags: ...                 of cpucc
#     // env: NAME=value            in its environment; NAME= is taken out of it
#     // stderr: PATTERN            is somewhere on stderr; FILE is the file's name, and a word in
#                                   capitals the line that ends with this word as its comment
#     // out: text                  a line of stdout; all of them, in order; `...` is any output
#     // status: N                  or a signal's name; 0 if nothing is said
#     // processor: NAME            only there
#
# With names as arguments, only these programs are tried.
# Inputs: backend cpu/*.md
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Config;
use Parallel;
use Run;
use Test::More;

my @FILES = @ARGV ? map { "tests/faults/$_.cu" } @ARGV : sort glob 'tests/faults/*.cu';
my $README = read_text('README.md');
my $TABLES = join '', $README =~ /^(### What is found, and how\n.*?)^## /ms;
my @KEYS = qw(case fault flags env stderr out status processor);
my @SIGNALS = split ' ', $Config{sig_name};

# What the comments say: a hash of lists for each case, or one for the whole program.
sub cases
{
    my ($text) = @_;
    my @cases = {map { $_ => [] } @KEYS};
    my $keys = join '|', @KEYS;
    while ($text =~ m{^// ($keys): (.*)$}mg)
    {
        push @cases, {%{$cases[0]}, fault => [], stderr => [], status => [], own => {}}
          if $1 eq 'case';
        my $case = $cases[-1];
        $case->{$1} = [] if $case->{own} && $1 ne 'env' && !$case->{own}{$1}++;
        $case->{$1} = [@{$case->{$1}}, $2];
    }
    shift @cases if @cases > 1;
    return @cases;
}

sub ending
{
    my ($ran) = @_;
    return $ran->{hung} ? 'hangs' : $ran->{status} // $SIGNALS[$ran->{signal}];
}

# What is missing on stderr.
sub missing
{
    my ($err, $case, $file, $text) = @_;
    my $missing = !@{$case->{stderr}} && $err ne '' ? "stderr is not empty\n" : '';
    for my $pattern (@{$case->{stderr}})
    {
        my $regex = $pattern =~ s/\bFILE\b/\Q@{[basename($file)]}\E/gr;
        $regex =~ s/\b([A-Z][A-Z_]{2,})\b/line_marked($text, $1)/ge;
        $missing .= "stderr lacks $regex\n" if $err !~ /$regex/;
    }
    return $missing;
}

sub try_case
{
    my ($program, $file, $text, $case) = @_;
    my $title = join ' ', basename($file, '.cu'), @{$case->{case}};
    for my $row (@{$case->{fault}})
    {
        ok(index($TABLES, "| $row |\n") >= 0, "$title: README.md has | $row |");
        next if $row !~ /\| found.* with its line/;
        ok("@{$case->{stderr}}" =~ /\bFILE\b/, "$title: the line that it claims is named");
    }
    return if ($case->{processor}[0] // $PROCESSOR) ne $PROCESSOR;

    my %env =
      map { my ($name, $value) = split /=/, $_, 2; ($name => $value eq '' ? undef : $value) }
      @{$case->{env}};
    my $ran = run([$program, @{$case->{case}}], dir => dirname($program), env => \%env);
    my $missing = missing($ran->{err}, $case, $file, $text);
    ok($missing eq '', "$title: says so") or diag(describe($ran), $missing);
    my $ends = $case->{status}[0] // 0;
    my @out = $ends =~ /^[A-Z]/ ? () : @{$case->{out}};    # a signal: it does not come to its end
    is($ran->{out}, join('', map { "$_\n" } @out), "$title: prints") if "@out" ne '...';
    is(ending($ran), $ends, "$title: ends") or diag(describe($ran));
}

sub try
{
    my ($file) = @_;
    my $dir = tempdir(CLEANUP => 1);
    my $text = read_text($file);
    my $program = "$dir/" . basename($file, '.cu');
    my @cases = cases($text);
    my $made = compile_for_cpu("$CPU/$file", $program, map { split ' ' } @{$cases[0]{flags}});
    ok(($made->{status} // 1) == 0, "$file compiles") or diag(describe($made)), return;
    try_case($program, $file, $text, $_) for @cases;
}

# Wherever the program and its source lie, the line is found.
sub try_odd_places
{
    my $source = <<'END';
__global__ void fill(int *x)
{
    x[threadIdx.x] = 1;
}
int main()
{
    cudaFree((void *)&fill);
    fill<<<1, 1>>>(NULL);
    return cudaDeviceSynchronize() != cudaErrorIllegalAddress;
}
END
    my $place = tempdir(CLEANUP => 1) . "/it's a \"place\" \$HOME";
    mkdir $place or die "$place: $!\n";
    for (['my kernel.cu', ''], ['of_usr.cu', qq{#line 1 "/usr/src/project/of_usr.cu"\n}])
    {
        my ($name, $line) = @$_;
        my $made = compile_for_cpu(write_text("$place/$name", $line . $source), "$place/a program");
        ok(($made->{status} // 1) == 0, "$name compiles") or diag(describe($made));
        my $ran = run(["$place/a program"]);
        my $right = $ran->{err} =~ /^CPU backend: cudaFree, \Q$name\E:7:/m
          && $ran->{err} =~ /^CPU backend: kernel fill, .*, \Q$name\E:3:/m;
        ok($right, "$name: its lines are found") or diag(describe($ran));
    }
}

# Each row of the tables in README.md is shown by a program.
sub try_tables
{
    my %shown = map {
        my $text = read_text($_);
        map { ("| $_ |" => 1) } $text =~ m{^// fault: (.*)$}mg
    } @FILES;
    my @rows = grep { !/^\|[-|]*$|^\| (?:fault|what the kernel does) \|/ } $TABLES =~ /^(\|.*)$/mg;
    cmp_ok(scalar @rows, '>', 80, 'README.md has the tables of faults');
    is(join("\n", grep { !$shown{$_} } @rows), '', 'a program shows each row of the tables');
}

test_in_parallel(
    sub { ref $_[0] ? $_[0]->() : try($_[0]) },
    sub { ref $_[0] ? 'all places and rows' : $_[0] },
    [@FILES, @ARGV ? () : (\&try_odd_places, \&try_tables)]);
