# Wrong kernels, of each kind: what the CPU backend says of it, and that the table in
# docs/cpu-backend.md claims just that. The programs are tests/cpu/wrong/*.cu, each with several
# cases. The comment above a case says what one must see:
#
#     // case: NAME                 the program's argument
#     // fault: WHAT | HOW          a row of the table; none: the row before has it too
#     // env: NAME=value            in its environment
#     // stderr: PATTERN            is somewhere on stderr; FILE is the file's name, and a word in
#                                   capitals the line that ends with this word as its comment
#     // out: text                  a line of stdout; without any: 700 cudaErrorIllegalAddress
#     // status: N                  or a signal's name; 0 if nothing is said
#     // processor: NAME            only there
#
# A first line `// flags: ...` has flags for cpucc. What is found nowhere must be silent.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Config;
use Parallel;
use Suite;
use Test::More;

plan skip_all => 'a GPU says less' if $BACKEND eq 'cuda';
my %OPTIONS = (CUDACPU_STRICT => 1, CUDACPU_EXACT => undef, CUDACPU_LEAKS => undef);
my $dir = tempdir(CLEANUP => 1);
my @files = sort glob 'tests/cpu/wrong/*.cu';
my $table = read_text('docs/cpu-backend.md');

# The number of the line that ends with `// MARK`; the word itself if there is none.
sub line_of
{
    my ($text, $mark) = @_;
    my @lines = split /\n/, $text;
    my ($line) = grep { $lines[$_ - 1] =~ m{\S.* // $mark$} } 1 .. @lines;
    return $line // $mark;
}

# The cases of a file: {case, fault, env, stderr, out, status}, each a list of values.
sub cases
{
    my ($text) = @_;
    my @cases;
    while ($text =~ m{^(// case: .*\n(?:// .*\n)*)}mg)
    {
        my %case = map { $_ => [] } qw(case fault env stderr out status processor);
        for (split /\n/, $1)
        {
            my ($key, $value) = m{^// (\w+): (.*)$} or die "what is $_?\n";
            push @{$case{$key} // die "what is $key?\n"}, $value;
        }
        push @cases, \%case;
    }
    return @cases;
}

sub ending
{
    my ($ran) = @_;
    my @names = split ' ', $Config{sig_name};
    return $ran->{hung} ? 'hangs' : $ran->{status} // $names[$ran->{signal}];
}

sub try_case
{
    my ($name, $text, $case) = @_;
    my ($what) = @{$case->{case}};
    return if ($case->{processor}[0] // $PROCESSOR) ne $PROCESSOR;
    my %env = map { split /=/, $_, 2 } @{$case->{env}};
    my $ran = run(["$dir/$name", $what], dir => $dir, env => {%OPTIONS, %env});
    my $missing = '';
    for my $pattern (@{$case->{stderr}})
    {
        my $regex = $pattern =~ s/\bFILE\b/\Q$name\E.cu/gr;
        $regex =~ s/\b([A-Z][A-Z_]{2,})\b/line_of($text, $1)/ge;
        $missing .= "stderr lacks $regex\n" if $ran->{err} !~ /$regex/;
    }
    $missing .= "stderr is not empty\n" if !@{$case->{stderr}} && $ran->{err} ne '';
    ok($missing eq '', "$name $what: says so") or diag(describe($ran), $missing);
    my @out = @{$case->{out}} ? @{$case->{out}} : '700 cudaErrorIllegalAddress';
    @out = () if @{$case->{status}};    # a signal: it does not come to its end
    is($ran->{out}, join('', map { "$_\n" } @out), "$name $what: prints") or diag(describe($ran));
    is(ending($ran), $case->{status}[0] // 0, "$name $what: ends");
    for my $row (@{$case->{fault}})
    {
        ok(index($table, "| $row |\n") >= 0, "$name $what: the table has | $row |");
    }
}

my @made = map_in_parallel(
    sub {
        my $text = read_text($_[0]);
        my @flags = map { split ' ' } $text =~ m{^// flags: (.*)$}m;
        compile_for_cpu("$ROOT/$_[0]", "$dir/" . basename($_[0], '.cu'), @flags);
    },
    @files);
for my $file (@files)
{
    my $made = shift @made;
    my $name = basename($file, '.cu');
    ok(($made->{status} // 1) == 0, "$name compiles") or diag(describe($made)), next;
    my $text = read_text($file);
    try_case($name, $text, $_) for cases($text);
}

# ---- Wherever the program and its source lie, the line is found ----

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
my $place = "$dir/it's a \"place\" \$HOME";
mkdir $place or die "$place: $!\n";
for (['my kernel.cu', ''], ['of_usr.cu', qq{#line 1 "/usr/src/project/of_usr.cu"\n}])
{
    my ($name, $line) = @$_;
    my $made = compile_for_cpu(write_text("$place/$name", $line . $source), "$place/a program");
    ok(($made->{status} // 1) == 0, "$name compiles") or diag(describe($made));
    my $ran = run(["$place/a program"], dir => $dir);
    my $right = $ran->{err} =~ /^CPU backend: cudaFree, \Q$name\E:7:/m
      && $ran->{err} =~ /^CPU backend: kernel fill, .*, \Q$name\E:3:/m;
    ok($right, "$name: its lines are found") or diag(describe($ran));
}

done_testing();
