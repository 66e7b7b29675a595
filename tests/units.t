# What .ci/run knows of a change: a unit's digest changes with each file that its result depends on, and
# with no other. And make test: what it runs again, how it says what fails.
# Inputs: make programs docs tests/*.t cpu/tests/*.t
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

# ---- Each header that a compiler has read is an input --------------------------------------------

{
    local @INC = ("$ROOT/make", @INC);
    require Units;
}
my %files = map { ("$_->{kind} $_->{name}" => $_->{files}) } Units::read_units();
my @missing;
for my $program (grep { -e binary($_) . '.d' } programs())
{
    my @read = map { s{^\Q$ROOT\E/}{}r } read_text(binary($program) . '.d') =~ m{((?:\S+/)?(?:ch\d\w+|common)/[^\s:]+)}g;
    push @missing, map { "$program->{name}: $_" }
      grep { !$files{"test $program->{name}"}{Units::shortest($_)} } @read;
}
is(join("\n", @missing), '', 'a program depends on each header that its compiler has read');

# ---- A change makes new what it reaches ----------------------------------------------------------

my $copy = tempdir(CLEANUP => 1);
sh("for f in * .ci .github; do case \$f in build | bin | cpu) ;; *) cp -R \$f '$copy' ;; esac; done
    mkdir '$copy/cpu' && for f in cpu/*; do [ \$f = cpu/build ] || cp -R \$f '$copy/cpu'; done
    cd '$copy' && git init -q");
my %env = without_make();

sub digests
{
    my @lines = split /\n/, sh('./suite units', dir => $copy, env => \%env)->{out};
    return map { m{^(known|new) .* s  (.*)} ? ($2 => $1) : () } @lines;
}

# All that is there is known from now on.
sub learn
{
    my %all = digests();
    write_text("$copy/learned", join '', map { "$_ 1\n" } sort keys %all);
    sh('./suite units --record learned', dir => $copy, env => \%env);
    return scalar keys %all;
}

sub reaches
{
    my ($file, $title, @wanted) = @_;
    write_text("$copy/$file", read_text("$file") . "\n");
    my %all = digests();
    my @new = sort grep { $all{$_} eq 'new' } keys %all;
    write_text("$copy/$file", read_text($file));
    my %is_new = map { $_ => 1 } @new;
    my @wrong = grep { s/^!// ? $is_new{$_} : !$is_new{$_} } map { "$_" } @wanted;
    is("@wrong", '', $title) or diag("new: @new");
}
cmp_ok(learn(), '>', 300, 'there are units');
my %now = digests();
is(join(' ', grep { $now{$_} eq 'new' } sort keys %now), '', 'what has passed is known');
reaches('ch09_shared_mem/transpose.cu', 'a program reaches itself, and tests that go through all of them',
    'test transpose', 'nvcc transpose', 'check transpose', 'file tests/wrong', '!test reduce', '!file tests/md');
reaches('ch03_framework/README.md', 'a page reaches the tests of documents', 'file tests/readme',
    'file tests/commands', '!test add1', '!nvcc add1', '!file cpu/tests/runtime');
reaches('common/output.cuh', 'a header reaches what includes it', 'test blur', '!test add1', '!test hello4');
reaches('cpu/runtime/barrier.c', 'the backend reaches all that runs on it, and not nvcc', 'test add1',
    'check add1', 'file cpu/tests/runtime', 'clang cpu/tests/runtime', '!nvcc add1', '!file tests/glossary');
reaches('tests/golden/reduce.txt', 'a golden text reaches its program', 'test reduce', '!test scan', '!nvcc reduce');

# Of tests/programs.txt a program has its own lines only.
my $for_tests = read_text('tests/programs.txt');
write_text("$copy/tests/programs.txt", $for_tests =~ s/^transpose\n  Checks: /$&1/mr);
my %after = digests();
write_text("$copy/tests/programs.txt", $for_tests);
is(join(' ', grep { $after{$_} eq 'new' && m{^(?:test|nvcc|check) } } sort keys %after),
    'check transpose test transpose', 'a line of tests/programs.txt reaches its program alone');
is($after{'file tests/headers'}, 'new', '... and the tests that go through all of them');

my $chosen = sh("./suite units --choose 0 abc", dir => $copy, env => \%env);
like($chosen->{out}, qr/\A# 0 of \d+ units are new/, 'where all is known nothing is chosen');
write_text("$copy/common/args.cuh", read_text('common/args.cuh') . "\n");
my ($one, $same, $other) = map { sh("./suite units --choose 10 $_", dir => $copy, env => \%env)->{out} } qw(a a b);
is($one, $same, 'the same commit gives the same choice');
SKIP:
{
    skip 'so many cores have time for all', 2 unless $one =~ /^# left out/m;
    isnt($one, $other, '... another one another');
    like($one, qr/^# left out, test: .*\n(?:.*\n)*^test /m, '... and what is left out is named');
}

# ---- make test -----------------------------------------------------------------------------------

SKIP:
{
    skip 'a GPU builds otherwise', 8 if $BACKEND eq 'cuda';
    write_text("$copy/common/args.cuh", read_text('common/args.cuh'));
    my $test = sub { run(['make', 'BACKEND=cpu', "CXX=$CXX", 'test', 'ONLY=add3if'], dir => $copy, env => \%env, limit => 300) };
    my $first = $test->();
    like($first->{out}, qr/tested: add3if\n(?:.*\n)*\d+ passed, 0 failed, \d+ skipped.*\n\z/, 'make test says how many passed')
      or diag(describe($first));
    my $again = $test->();
    ok($again->{status} == 0 && $again->{out} =~ /^\d+ passed, 0 failed/m && $again->{out} !~ /tested:/,
        '... and a second one runs nothing') or diag(describe($again));
    write_text("$copy/tests/programs.txt", $for_tests =~ s/^transpose\n/$&  Small: -n 5x5\n/mr);
    unlike($test->()->{out}, qr/tested: add3if/, "... nor does another program's line of tests/programs.txt run it");
    write_text("$copy/tests/programs.txt", $for_tests =~ s/^add3if\n  Checks: 1\n//mr);
    my $no_checks = $test->();
    like($no_checks->{out}, qr{^ *not ok .*tests/programs\.txt must have a line `add3if` and below it `  Checks: 1`$}m,
        'a program without its line Checks: is told what to write') or diag(describe($no_checks));
    write_text("$copy/tests/programs.txt", $for_tests);
    my $source = read_text('ch03_framework/add3if.cu');
    write_text("$copy/ch03_framework/add3if.cu", $source =~ s/= x\[n\] \+ y\[n\]/= x[n] - y[n]/r);
    my $wrong = $test->();
    ok($wrong->{status} == 2 && $wrong->{out} =~ /FAILED: add3if\n(?:.*\n)*failed: add3if;.*\n(?:.*\n)*\d+ passed, [1-9]\d* failed/,
        'a program that is wrong is named, and how it failed') or diag(describe($wrong));
    write_text("$copy/ch03_framework/add3if.cu", $source . "broken\n");
    my $broken = $test->();
    ok($broken->{status} == 2 && $broken->{out} =~ /^not built, so not tested: add3if$/m, '... so is one that does not compile')
      or diag(describe($broken));
    write_text("$copy/ch03_framework/add3if.cu", $source);
    is($test->()->{status}, 0, '... and when it is mended it is tested again');
}
done_testing();
