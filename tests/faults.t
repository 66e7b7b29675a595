# Faults as teachers: each small wrong program of tests/cpu/faults/ is named with its kernel, block,
# thread and line. What one must see stands in the comment at its top:
#
#     // env: NAME=value        in its environment, beside ours
#     // stderr: PATTERN        is somewhere on stderr; FILE is its name, and a word in capitals the
#                               line that ends with this word as its comment
#     // out: text              a line of stdout; all of them, in order
#     // status: N              or a signal's name; 0 if nothing is said
#     // processor: NAME        only there
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Config;
use Suite;
use Test::More;

plan skip_all => 'a GPU says less' if $BACKEND eq 'cuda';
my $dir = tempdir(CLEANUP => 1);

# With names as arguments, only these.
for my $file (@ARGV ? map({ "tests/cpu/faults/$_.cu" } @ARGV) : sort glob 'tests/cpu/faults/*.cu')
{
    my $text = read_text($file);
    my $name = basename($file, '.cu');
    my %wanted = (env => [], stderr => [], out => [], status => [], processor => [$PROCESSOR]);
    while ($text =~ m{^// (\w+): (.*)$}mg)
    {
        push @{($wanted{$1} // die "$file: $1?\n")}, $2;
    }
    next if $wanted{processor}[-1] ne $PROCESSOR;

    my $made = compile_for_cpu("$ROOT/$file", "$dir/$name");
    ok(($made->{status} // 1) == 0, "$name compiles") or diag(describe($made)), next;
    my %env = map { split /=/, $_, 2 } @{$wanted{env}};
    my $ran = run(["$dir/$name"], dir => $dir, env => \%env);

    my $missing = '';
    for my $pattern (@{$wanted{stderr}})
    {
        my $regex = $pattern =~ s/\bFILE\b/\Q$name\E.cu/gr;
        $regex =~ s/\b([A-Z]{3,})\b/line_of($text, $1)/ge;
        $missing .= "stderr lacks $regex\n" if $ran->{err} !~ /$regex/;
    }
    ok($missing eq '', "$name: says so") or diag(describe($ran), $missing);
    is($ran->{out}, join('', map { "$_\n" } @{$wanted{out}}), "$name: prints");
    is(ending($ran), $wanted{status}[0] // 0, "$name: ends");
}

# The number of the line that ends with `// MARK`; the word itself if there is none.
sub line_of
{
    my ($text, $mark) = @_;
    my @lines = split /\n/, $text;
    my ($line) = grep { $lines[$_ - 1] =~ m{\S.* // $mark$} } 1 .. @lines;
    return $line // $mark;
}

sub ending
{
    my ($ran) = @_;
    my @names = split ' ', $Config{sig_name};
    return $ran->{hung} ? 'hangs' : $ran->{status} // $names[$ran->{signal}];
}

done_testing();
