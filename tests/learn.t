# `make learn`: of each new exercise the stub is wrong, the solution is right, and one wrong solution gets its
# sentence; learn-all.t has all.
# Inputs: backend make exercises/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

plan skip_all => 'exercises are judged by the CPU backend, which is not built' if !glob 'cpu/build/libcudacpu-*.a';

for my $file (glob 'exercises/[0-9]*.cu')
{
    my $tried = run(['./suite', 'learn', '--test', '--one', '--new', $file], limit => 900);
    is($tried->{status}, 0, $file) or diag(describe($tried));
    like($tried->{out}, qr/^ok   stub .*\nok   solution .*\nok   wrong |has passed before/m, '... stub, solution and a wrong one');
}

# Solutions that are written as changes.
my $there = tempdir(CLEANUP => 1) . '/01_changes.cu';
write_text($there, <<'END');
// 01_changes: for this test

void f()
{
    //[
    for (int i = 0; i < 4; ++i)
    {
        g(i);
    }
    //]
    h(4);
}
#if 0
//== wrong words: x
//- 4
//+ 5
//== wrong two_changes: x
//- i < 4
//+ i < 6

//- i < 6
//+ i < 7
//- g
//+ k
//== wrong lines: x
//- {
//-     g(i);
//+ {
//+     if (i)
//+         g(i);
//== wrong line_gone: x
//- g(i);
//== wrong everywhere: x (whole file)
//- 4
//+ 5
//== wrong not_there: x
//- g(j)
//+ k(j)
#endif
END
my $cut = run(['perl', '-Imake', '-MExercise', '-e', 'my $e = Exercise::read_exercise(shift);
    print "$_->{name}: " . Exercise::variant($e, $_) =~ s/\s+/ /gr =~ s/ $/\n/r for @{$e->{wrong}};
    print map { "$_\n" } grep { /has no "/ } Exercise::lacks($e)', $there]);
is($cut->{out}, <<'END', 'solutions that are written as changes of the solution') or diag(describe($cut));
words: void f() { for (int i = 0; i < 5; ++i) { g(i); } h(4); }
two_changes: void f() { for (int i = 0; i < 7; ++i) { k(i); } h(4); }
lines: void f() { for (int i = 0; i < 4; ++i) { if (i) g(i); } h(4); }
line_gone: void f() { for (int i = 0; i < 4; ++i) { } h(4); }
everywhere: void f() { for (int i = 0; i < 5; ++i) { g(i); } h(5); }
not_there: void f() { for (int i = 0; i < 4; ++i) { g(i); } h(4); }
36: not_there: the solution has no "g(j)"
END

# Without a terminal. The reader's files are in a folder of this test.
my $place = tempdir(CLEANUP => 1) . '/learn';
sub learn
{
    my (@words) = @_;
    return run(['./suite', 'learn', 'go', @words], limit => 100,
        env => {SUITE_LEARN => $place, LC_ALL => undef, LC_MESSAGES => undef, LANG => 'C'});
}

my $first = learn();
is($first->{status}, 0, 'the first exercise') or diag(describe($first));
like($first->{out}, qr/^Exercise 1\/\d+ .*\n\n.*Yours: 0 0 0 0 +Expected: 0 1 2 3\n  Line \d+: All 4 threads print 0\./s,
    '... is judged as it is');
my $mine = read_text("$place/01_hello.cu");
write_text("$place/01_hello.cu", $mine =~ s/, 0\)/, threadIdx.x)/r);
like(learn()->{out}, qr/^  Right\.\n\n  threadIdx\.x is/m, 'solved');
like(learn('LIST=1')->{out}, qr/^>  1 .* solved$/m, '... and remembered');
like(learn('LANGUAGE=zh', 'LIST=1')->{out}, qr/^>  1 .* 已完成$/m, '... in Chinese, too');
like(learn('HINT=1')->{out}, qr/^  提示 1/, 'the language is remembered');
unlike(learn('LANGUAGE=en', 'HINT=1')->{out}, qr/[^\x00-\x7f]|Hint 3/, 'two hints, and no Chinese');
done_testing();
