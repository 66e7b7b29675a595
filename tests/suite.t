# The harness itself: what it must not let pass. Shell scripts stand in for programs.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Suite;
use Test::More;
use Time::HiRes qw(time);

my $dir = tempdir(CLEANUP => 1);

sub script
{
    my ($text) = @_;
    my $file = write_text("$dir/script", "#!/bin/sh\n$text\n");
    chmod 0755, $file;
    return run([$file], limit => 20);
}

# ---- Running ----

my $ran = script('echo out; echo err >&2; exit 5');
is("$ran->{status} $ran->{out} $ran->{err}", "5 out\n err\n", 'status, stdout and stderr');
is(script('kill -SEGV $$')->{signal}, 11, 'a signal');
is(run(["$dir/none"])->{status}, 127, 'a program that is not there');
is(run(['pwd'], dir => $dir)->{out}, abs_path($dir) . "\n", 'a directory of its own');
is(sh('echo "$A$B"', env => {A => 1, B => undef})->{out}, "1\n", 'an environment of its own');
is(length sh('yes | head -c 3000000')->{out}, 3000000, 'more output than a pipe holds');
is(run(['cat'])->{out}, '', 'nothing on stdin');

my $start = time;
$ran = sh('(sleep 50; echo late) & sleep 50', limit => 1);
ok($ran->{hung} && time - $start < 20, 'a hang ends at its limit, and all that it started');
sh("(sleep 1; touch '$dir/late') &");
Time::HiRes::sleep(1.5);
ok(!-e "$dir/late", 'what a program leaves running is ended');
like(describe(sh('sleep 50', limit => 1)), qr/hangs: killed after 1 s/, 'a hang is called a hang');
like(describe(script('echo word >&2; kill -ABRT $$')), qr/died of SIGABRT.*stderr: word/s,
    'a death is described');

# ---- Judging ----

sub judges
{
    my ($expected, $title, $text, $is_default, %header) = @_;
    my $program = {name => 'script', Expect => 0, %header};
    like(judge($program, script($text), $is_default), $expected, $title);
}
my @right = (Checks => 2);
judges(qr/^$/, 'right', 'echo PASS: 2 checks', 1, @right);
judges(qr/^$/, 'right with another number of checks', 'echo PASS: 7 checks', 0, @right);
judges(qr/^7 checks ran, not the 2/, 'too many checks', 'echo PASS: 7 checks', 1, @right);
judges(qr/is not PASS/, 'no checks', 'echo PASS: 0 checks', 0, @right);
judges(qr/is not PASS/, 'a PASS that is not the last line', 'echo PASS: 2 checks; echo', 0, @right);
judges(qr/is not PASS/, 'silence', 'true', 0, @right);
judges(qr/exit status 1, not 0/, 'a wrong answer', 'echo FAIL: 1 of 2 checks; exit 1', 0, @right);
judges(qr/on stderr/, 'a remark on stderr', 'echo PASS: 2 checks; echo x >&2', 1, @right);
judges(qr/^$/, 'less memory than the default wants',
    'echo PASS: 2 checks; echo script: little memory is free: N halved to 5 >&2', 1, @right);
judges(qr/SIGSEGV/, 'a crash', 'echo PASS: 2 checks; kill -SEGV $$', 1, @right);
judges(qr/^$/, 'wrong as expected', 'exit 3', 1, Expect => 3);
judges(qr/exit status 0, not 3/, 'right where it should not be', 'exit 0', 1, Expect => 3);
{
    local $Suite::REQUIRE_GPU = 0;
    judges(qr/not announced/, 'an exit 77 not announced', 'echo why >&2; exit 77', 1, @right);
    my @gpu = (@right, Needs => 'GPU, because of a test');
    judges(qr/^skip: why$/, 'an exit 77 announced', 'echo why >&2; exit 77', 1, @gpu);
    judges(qr/without a line/, 'an exit 77 without a reason', 'exit 77', 1, @gpu);
    local $Suite::REQUIRE_GPU = 1;
    judges(qr/required/, 'an exit 77 where a GPU is required', 'echo why >&2; exit 77', 1, @gpu);
}

# ---- Header comments ----

sub problems
{
    my ($text) = @_;
    return join '; ', @{header(write_text("$dir/small.cu", $text))->{problems}};
}
my $header = "// small: what it shows, in a sentence\n// of two lines\n//\n// From:    Listing 1\n"
  . "// Compile: nvcc small.cu\n// Run:     ./a.out\n// Versions:\n//   one  the first\n"
  . "//   two  the second\n// Checks:  2 (one each)\n//\n// Said: more.\n\nint x;\n";
is(problems($header), '', 'a right header comment');
my $read = header("$dir/small.cu");
is($read->{sentence}, 'what it shows, in a sentence of two lines', '... its sentence');
is("@{$read->{versions}} $read->{Checks} $read->{lines}", 'one two 2 12', '... its values');
for (['no comment at all', 's/^.*\n\n//s', qr/does not begin/],
    ['another name', 's/small:/big:/', qr/small by its file name, big/],
    ['a full stop', 's/lines\n/lines.\n/', qr/full stop/],
    ['an unknown key', 's/Checks: /Chekcs: /', qr/unknown key Chekcs/],
    ['a key twice', 's{Run:     ./a.out}{From:    x}', qr/From stands twice.*no Run/],
    ['a value out of line', 's/From:    /From: /', qr/column 13/],
    ['a line that is none', 's/Checks: /checks/', qr/cannot read/],
    ['an Expect: without a number', 's/Checks:  2/Expect:  three/', qr/no exit status/],
    ['a Needs: without a reason', 's/Checks:  2/Needs:   GPU/', qr/because/])
{
    my ($title, $edit, $pattern) = @$_;
    my $text = $header;
    eval "\$text =~ $edit; 1" or die $@;
    like(problems($text), $pattern, "a header comment with $title");
}

# ---- Options ----

my $help = <<'END';
script: what it shows

usage: script -n MxN -b BXxBY -s S --radius N [FILE] [-h]
  -n MxN        rows and columns; one number means square (default 2x3)
  -b BXxBY      threads in a block (default 16x16)
  -s S          seed of the random data (default 1)
  --book        the book's constants instead of random data
  --radius N    how far (default 3)
  -h, --help    this text
END
script("cat <<'END'\n${help}END");
my $has = options({name => 'script'}, "$dir/script");
is("$has->{dims} $has->{block} $has->{s} $has->{book} @{$has->{numbers}} $has->{positional}",
    '2 2 1 1 radius 1', 'options are learned from --help');
my @lists = map { "@$_" } battery({Expect => 0, Checks => 1}, $has);
is_deeply([grep { /^-n/ } @lists], ['-n 1x1', '-n 33x17', '-n 1000x31', '-n 67x129'], 'sizes');
ok((grep { $_ eq '-b 32x32 -n 1000x31' } @lists) && (grep { $_ eq '-s 0 -n 1000x31' } @lists),
    'blocks and seeds, at one size');
is_deeply([battery({Expect => 3, Checks => 1}, $has)], [], 'none for what is wrong on purpose');

# ---- Mutants: one that does no harm and one that is no program must be told ----

SKIP:
{
    skip 'the CPU backend is not built', 6 unless -x 'build/tools/rewrite' && program('add3if');
    write_text("$dir/add3if.txt", "add: harmless\n-if (n < N)\n+if (N > n)\n\n"
          . "add: no program\n-if (n < N)\n+if (n <> N)\n\nadd: nowhere\n-x = 7;\n+x = 8;\n\n"
          . "none: no kernel\n-x = 7;\n+x = 8;\n");
    my $ran = run(['perl', 'tests/mutants.pl', 'add3if'],
        env => {SUITE_MUTANTS => $dir, SUITE_MUTANTS_BUILD => "$dir/build"});
    is($ran->{status}, 1, 'mutants that do not die');
    for (qr/harmless: survives/, qr/no program: does not compile/, qr/nowhere: its old line/,
        qr/has no kernel none/, qr/0 died, 4 failed/)
    {
        like($ran->{out}, $_, "... $_");
    }
}

done_testing();
