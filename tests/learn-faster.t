# Exercises of the kind faster: what the screen shows of the counts, that the run that counts looks at the result, and
# that the author's tool finds what the stub does not cost. learn-all.t has their solutions.
# Inputs: backend make exercises/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

plan skip_all => 'exercises are judged by the CPU backend, which is not built' if !glob 'cpu/build/libcudacpu-*.a';

my $top = tempdir(CLEANUP => 1);
my $place = "$top/learn";
sub learn
{
    my (@words) = @_;
    return run(['./suite', 'learn', 'go', @words], limit => 200,
        env => {SUITE_LEARN => $place, LC_ALL => undef, LC_MESSAGES => undef, LANG => 'C'});
}

# The screen: each access with its line and text, the sum before and now. The page on exercises shows the same.
for (['en', 'docs/exercises.md'], ['zh', 'docs/exercises.zh-CN.md'])
{
    my ($language, $page) = @$_;
    my ($sample) = read_text($page) =~ /^```text\n(  .*?)^```/ms;
    my $shown = learn('N=17', "LANGUAGE=$language");
    ok(index($shown->{out}, "\n$sample\n") >= 0, "$page shows what the first exercise of this kind shows")
      or diag(describe($shown));
}
learn('LANGUAGE=en');
my $mine = read_text("$place/17_negative.cu");
write_text("$place/17_negative.cu", $mine =~ s/row = (blockIdx\.x.*)\n(.*column = )(blockIdx\.y.*)/row = $3\n$2$1/r
      =~ s/\(M \+ 31\) \/ 32, \(N \+ 7\) \/ 8/(N + 31) \/ 32, (M + 7) \/ 8/r);
my $solved = learn();
like($solved->{out}, qr/^    sectors loaded +32 +4 +4\n    sectors stored +32 +4 +4\n\n  Right\.$/m, 'solved: before, now, least')
  or diag(describe($solved));
like($solved->{out}, qr/^    line 13  load +4 sectors \(4\) +B\[row \* N/m, '... and each access');
write_text("$place/17_negative.cu", $mine =~ s/B\[row \* N \+ column\] = /B[column * M + row] = /r);
unlike(learn()->{out}, qr/sectors loaded/, 'a wrong result is not counted');

# ---- What the author's tool finds ----

sub tool
{
    my ($change, @words) = @_;
    local $_ = read_text('exercises/17_negative.cu');
    $change->();
    write_text("$top/17_negative.cu", $_);
    return run(['./suite', 'learn', '--test', @words, "$top/17_negative.cu"], limit => 200);
}
my $tried = tool(sub { s/"store", numbers, 32\)/"store", numbers, 16)/ }, '--only', 'none');
like($tried->{out}, qr/^NOT  weigh\("global", "store", \.\.\., 16\): the stub takes 32$/m, 'a number of the stub that it does not cost is found')
  or diag(describe($tried));
is($tried->{status}, 1, '... and is an error');
$tried = tool(sub { s{^//\|( +)if \(row < M}{//|$1if (row + 1 < M}m }, '--only', 'none');
like($tried->{out}, qr/^NOT  the stub's result is wrong/m, 'a stub with a wrong result, too');

# A kernel that computes something else where it is counted would pass, if nobody looked there.
my $cheat = tool(sub { s{^//== right flat}{//== wrong when_counted: copy
//- 1 - A[row * N + column]
//+ (M == 128 && N == 128 ? A[row * N + column] : 1 - A[row * N + column])
//== right flat}m }, '--only', 'when_counted');
like($cheat->{out}, qr/^ok   wrong when_counted +copy/m, 'the run that counts looks at the result') or diag(describe($cheat));

# ---- In the sandbox of a class ----

my $judge = '@ENV{qw(LC_ALL LANGUAGE)} = ("C", ""); my $e = Exercise::read_exercise("exercises/17_negative.cu"); my $v = Judge::judge_stranger($e, shift);
    print "$v->{id} ", ($v->{sums} // "") =~ tr/\t/ /r, "\n"';
SKIP:
{
    my $lacks = run([$^X, '-Imake', '-MSandbox', '-e', 'print +(Sandbox::lacks())[0] // ""'], limit => 60);
    skip "there is no sandbox: $lacks->{out}", 2 if $lacks->{out} ne '';
    write_text("$top/17_negative.cu", $mine);
    my $stranger = run([$^X, '-Imake', '-MExercise', '-MJudge', '-e', $judge, "$top/17_negative.cu"], limit => 100);
    is($stranger->{out}, "x_is_row global|load|32|32|4 global|store|32|32|4\n", "a stranger's file is counted in its sandbox")
      or diag(describe($stranger));
    write_text("$top/17_negative.cu", $mine =~ s/(    negative<<<.*\n)/$1    fprintf(stderr, "what,kernel,file\\nglobal,k,x.cu,5,load,4,512,16384,2048,2048,65536,4,512,\\n");\n/r);
    $stranger = run([$^X, '-Imake', '-MExercise', '-MJudge', '-e', $judge, "$top/17_negative.cu"], limit => 100);
    like($stranger->{out}, qr/^not_counted/, '... and no table of its own is taken for the counts') or diag(describe($stranger));
}

# Where the counter is not built, this is said.
my $elsewhere = run([$^X, "-I$ROOT/make", '-MLearn', '-e', 'chdir shift; print Learn::lacks_counter() ? "lacks" : "has"', $top], limit => 60);
is($elsewhere->{out}, 'lacks', 'whether the counter is there');
done_testing();
