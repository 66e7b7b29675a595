# The harness itself: what it must not let pass. Shell scripts stand in for programs.
# Inputs: make cpu/tests/*.pm tests/fence.c tests/*.t cpu/tests/*.t cpu/tests/README.md tests/README.md
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
    return run([$file]);
}

# ---- Running ----

my $ran = script('echo out; echo err >&2; exit 5');
is("$ran->{status} $ran->{out} $ran->{err}", "5 out\n err\n", 'status, stdout and stderr');
is(script('kill -SEGV $$')->{signal}, 11, 'a signal');
is(run(["$dir/none"])->{status}, 127, 'a program that is not there');
unlike(run([qw(sh -c pwd), binary({name => 'any'}, $_)])->{out}, qr{^\Q$ROOT\E\b},
    "a program writes nothing into the repository ($_)") for qw(float double);
is(run(['pwd'])->{out}, "$ROOT\n", 'what is no program works there');
is(run(['pwd'], dir => $dir)->{out}, abs_path($dir) . "\n", 'a directory of its own');
is(sh('echo "$A$B"', env => {A => 1, B => undef})->{out}, "1\n", 'an environment of its own');
is(length sh('yes | head -c 3000000')->{out}, 3000000, 'more output than a pipe holds');
is(run(['cat'])->{out}, '', 'nothing on stdin');

my $start = time;
$ran = sh('(sleep 50; echo late) & sleep 50', limit => 1);
ok($ran->{hung} && time - $start < 45, 'a hang ends at its limit, and all that it started');
like(describe($ran), qr/hangs: killed after 1 s/, '... and is called a hang');
sh("(sleep 0.2; touch '$dir/late') &");
Time::HiRes::sleep(0.5);
ok(!-e "$dir/late", 'what a program leaves running is ended');

# ---- Where the tests run makes no difference ----

my @ask = ($^X, '-Itests', '-MSuite', '-e');
is(run([@ask, 'print sh(q(echo $LC_ALL $LANG $LANGUAGE))->{out}'],
        env => {LC_ALL => 'de_DE.UTF-8', LANG => 'zh_CN.UTF-8', LANGUAGE => 'tr'})->{out},
    "C\n", 'what the tests run speaks English');
SKIP:
{
    my $place = tempdir(CLEANUP => 1);
    my $mounted = "mount -t tmpfs -o noexec none '$place'";
    skip 'nothing can be mounted here', 1
      if (run(['unshare', '--mount', 'sh', '-c', $mounted])->{status} // 1) != 0;
    $ran = run(['unshare', '--mount', 'sh', '-ec', "$mounted; exec \"\$@\"", 'sh', @ask,
            'print tempdir(CLEANUP => 1)'], env => {TMPDIR => $place});
    like($ran->{out}, qr{^/(?!\Q$place\E)}, 'a TMPDIR where no program can run is not taken')
      or diag(describe($ran));
}

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
judges(qr/must have a line `script` and below it `  Checks: 2`/, 'no line Checks:', 'echo PASS: 2 checks', 1);
judges(qr/is not PASS/, 'no checks', 'echo PASS: 0 checks', 0, @right);
judges(qr/is not PASS/, 'a PASS that is not the last line', 'echo PASS: 2 checks; echo', 0, @right);
judges(qr/exit status 1, not 0/, 'a wrong answer', 'echo FAIL: 1 of 2 checks; exit 1', 0, @right);
judges(qr/on stderr/, 'a remark on stderr', 'echo PASS: 2 checks; echo x >&2', 1, @right);
judges(qr/^$/, 'less memory than the default wants',
    'echo PASS: 2 checks; echo script: little memory is free: N halved to 5 >&2', 1, @right);
my $csv = judge({name => 'script', Expect => 0, @right},
    run(['/bin/sh', '-c', 'echo "# x"; echo a,b; echo 1 2; echo "# PASS: 2 checks"', '--csv']), 1);
like($csv, qr/neither a row nor begins with #: 1 2$/, 'a line beside the rows of --csv');
judges(qr/nan, which is no number/, 'nan', 'echo x = nan; echo PASS: 2 checks', 0, @right);
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

# What is wrong with a comment, with these lines of tests/programs.txt, and with the sentence's Chinese.
my $for_tests = "# a remark\nbig\n  Checks: 3\n\nsmall\n  Checks: 2 (one each)\n  Also: -n 5x6;\n    -n 7\n"
  . "  Faults: -k two memcheck; checker (why)\n";
my $chinese = qq(#. x\nmsgid "else"\nmsgstr "其他"\n\nmsgid ""\n"what it shows, in a sentence "\n)
  . qq("of two lines"\nmsgstr "它展示什么，"\n"用两行说"\n);
mkdir "$dir/zh";

sub problems
{
    my ($text, %other) = @_;
    write_text("$dir/for-tests", $other{for_tests} // $for_tests);
    write_text("$dir/zh/small.cu.po", $other{chinese} // $chinese);
    return join '; ', @{header(write_text("$dir/small.cu", $text))->{problems}};
}
headers(); # loads make/Programs.pm
{
    no warnings 'once';
    $Programs::FOR_TESTS = "$dir/for-tests";
}
my $header = "// small: what it shows, in a sentence\n// of two lines\n//\n// From:    Listing 1\n"
  . "// Compile: nvcc small.cu\n// Run:     ./a.out\n"
  . "// Needs:   GPU, because of\n//          a test\n"
  . "//\n// Said: more.\n\nint main(int argc, char **argv)\n{\n    parse_args(argc, argv, \"\", \"\");\n}\n";

# What the program says of itself.
my $described = join '', map { "$_\n" } (map { "option\t$_" } '-n MxN', '-b BXxBY', '-s S', '--book', '--radius N',
    '--mask RxC', '--data TEXT', '--wrong'), "argument\tFILE", "version\tone\tthe first\t",
  "version\ttwo\tthe second\ta GPU, and more", "version\tthree\tthe third\tat most 5";
sub told
{
    my ($program, $text) = @_;
    return Programs::describe($program, 'printf', '%s', $text // $described);
}

is(problems($header), '', 'a right header comment');
my $read = told(header("$dir/small.cu"));
is($read->{sentence}, 'what it shows, in a sentence of two lines', '... its sentence');
is("@{$read->{versions}} $read->{Checks}", 'one two three 2', '... its values');
is(join(' ', %{$read->{needs}}), 'two a GPU', '... what a version needs of the machine');
is("$read->{Also}, $read->{Faults}, $read->{faults}{two}", '-n 5x6; -n 7, checker (why), memcheck',
    '... what tests/programs.txt has');
for (['22 (6 or more on a GPU)', '22 ', '6 or more'], ['19 or 51 (67 on a GPU)', '19 or 51', '67 '])
{
    my ($checks, @expected) = @$_;
    write_text("$dir/for-tests", $for_tests =~ s/2 \(one each\)/$checks/r);
    my @read =
      map { local $Suite::BACKEND = $_; my $h = header("$dir/small.cu"); "$h->{Checks} $h->{or_more}" }
      qw(cpu cuda);
    is("@read", "@expected", "Checks: $checks, on a CPU and on a GPU");
}
problems($header);
is($read->{Chinese}, '它展示什么，用两行说', '... the Chinese of its catalogue');
is(usage($read), 'usage: small [-n MxN] [-b BXxBY] [-s S] [--book] [--radius N] [--mask RxC]'
      . ' [--data TEXT] [--wrong] [-h] [FILE ...]', '... its usage');
for (['no comment at all', 's/^.*\n\n//s', qr/does not begin/],
    ['another name', 's/small:/big:/', qr/small by its file name, big/],
    ['a full stop', 's/lines\n/lines.\n/', qr/sentence ends with a full stop/],
    ['an unknown key', 's/Needs:  /Neesd:  /', qr/unknown key Neesd/],
    ['a key of tests/programs.txt', 's{Run:     }{Checks:  }', qr/^Checks: stands in \S+, not here; has no Run/],
    ['a sentence in Chinese', 's/Needs:  /Chinese:/', qr{^Chinese: stands in \S+/zh/small\.cu\.po, not here}],
    ['a key twice', 's{Run:     ./a.out}{From:    x}', qr/From stands twice.*no Run/],
    ['no From:', 's/From:    Listing/Libs:    Listing/', qr/^has no From:$/],
    ['a value out of line', 's/From:    /From: /', qr/value of From does not start in column 13/],
    ['a line that is none', 's/Needs:  /needs/', qr/cannot read the line .*needs/],
    ['an Expect: without a number', 's/Needs:   GPU/Expect:  three/', qr/Expect: is no exit status/],
    ['a Needs: without a reason', 's/, because of\n.*/\n/', qr/because/])
{
    my ($title, $edit, $pattern) = @$_;
    my $text = $header;
    eval "\$text =~ $edit" or die "$edit changes nothing\n";
    like(problems($text), $pattern, "a header comment with $title");
}
for (['a key that is unknown', 's/Also/Aslo/', qr/^\S+:7: unknown key Aslo$/],
    ['a key twice', 's/Also/Checks/', qr/^\S+:7: Checks stands twice;/],
    ['a line that is none', 's/  Also/ Also/', qr/^\S+:7: cannot read the line  Also: -n 5x6;$/],
    ['a paragraph twice', 's/big/small/', qr/^\S+:5: small stands twice$/],
    ['Checks: without a number', 's/2 \(one each\)/two/', qr/^\S+:6: Checks: does not begin with a number$/])
{
    my ($title, $edit, $pattern) = @$_;
    my $text = $for_tests;
    eval "\$text =~ $edit" or die "$edit changes nothing\n";
    like(problems($header, for_tests => $text), $pattern, "tests/programs.txt with $title");
}
problems($header);
my ($small, $big) = ({%$read}, {%$read, name => 'big', file => "$dir/big.cu"});
is_deeply([Programs::problems_for_tests($big, $small)], [], 'paragraphs in the order of make list');
like(join('; ', Programs::problems_for_tests({%$big, Order => 'last'}, $small)),
    qr/^\S+:5: small comes before big in make list, so it stands above it$/, '... and in another one');
like(join('; ', Programs::problems_for_tests($small)), qr/^\S+:2: there is no program big$/, '... and of no program');

is(problems($header, chinese => $chinese =~ s/说"/说。"/r), 'its Chinese sentence ends with a full stop',
    'a full stop in Chinese');
for (['is fuzzy', $chinese =~ s/^(?=msgid "")/#, fuzzy\n/mr], ['is of another sentence', $chinese =~ s/shows/says/r],
    ['is not there', ''])
{
    my ($title, $text) = @$_;
    problems($header, chinese => $text);
    is(header("$dir/small.cu")->{Chinese}, undef, "no Chinese where it $title");
}
problems($header);

# ---- Options ----

my $has = options($read);
is("$has->{dims} $has->{block} $has->{s} $has->{book} $has->{positional}", '2 2 1 1 FILE',
    'options are what the program says');
is("@{$has->{numbers}}; @{$has->{texts}}; @{$has->{flags}}", 'radius mask; data; book wrong',
    '... those of the program, by the word for their value');
is(options({name => 'script'}), undef, 'none without arguments');
is_deeply(options({name => 'old', Options => '-n N --once [N]', options => [], versions => []})->{flags}, ['once'],
    '... or what tests/programs.txt says of one that reads them by itself');
my $program = {%$read, Checks => 1, Also => undef};
my @lists = map { "@$_" } battery($program);
is_deeply([grep { /^-n/ } @lists], ['-n 1x1', '-n 33x17 -b 32x1 -s 0', '-n 1000x31 -b 16x16 -s 2',
    '-n 64x64 -b 32x32 -s 12345', '-n 67x129 -b 1x1024'], 'sizes, with a block and a seed each');
my $writes = told(header("$dir/small.cu"), $described =~ s/--book/-o PREFIX\noption\t--csv/r);
@lists = map { "@$_" } battery({%$writes, Checks => 1, Also => undef});
is_deeply([grep { /--csv|-o / } @lists], ['-n 1000x31 --csv -o tried- -b 16x16 -s 2'],
    '... --csv and -o with one of them');
is_deeply([battery({%$program, Expect => 3})], [], 'none for what is wrong on purpose');

my $waits = told(header(write_text("$dir/small.cu", "${header}cudaStream_t stream;\n")));
is(scalar(my @late = late_runs($waits)), $BACKEND eq 'cpu' ? 3 : 0,
    'a program with streams is tried on a late device');
ok(!is_right_with_few(script("exit $_")), "no program may end with $_ for a few threads") for 1, 2;
my $golden = Battery::golden(
    write_text("$dir/golden.txt", "#args: -n 5\n#keep: ^(x = \\d+)\nx = 1\n"));
is(shown($golden, "x = $_ in 7 ms\n") eq $golden->{text}, $_ == 1, "x = $_ where the golden text has 1")
  for 1, 2;

for (['', '8x4x1'], ['not only 8x4x1, but 4x8x1 8x4x1', '8x4x1', '4x8x1'],
    ['not only 8x4x1, but 32x1x1', '32x1x1'])
{
    my ($complaint, @blocks) = @$_;
    my $list = write_text("$dir/launches", join '', map { "k: grid 1x1x1, block $_, 0\n" } @blocks);
    is(other_blocks({status => 0}, $list, '-b', '8x4'), $complaint, "-b 8x4, and blocks of @blocks");
}
for my $text ('', 'x')
{
    write_text("$dir/new-file", $text);
    is(wrote_nothing({status => 0}, $dir, '-o', 'new-'), $text eq '', "-o, and a file with '$text'");
}

# ---- Tests in parallel ----

# Runs these tests in parallel; each is a name and code.
sub tested
{
    my (@code) = @_;
    my $text = join "\n", 'use lib "tests"; use Suite; use Parallel; use Test::More;',
      'my @jobs = (',
      @code, ');', 'test_in_parallel(sub { $_[0][1]->() }, sub { $_[0][0] }, \@jobs);';
    return run([$^X, write_text("$dir/parallel.pl", $text)]);
}
my @fine = map { "['fine$_', sub { ok(1, 'fine$_.1'); select undef, undef, undef, 0.05; "
      . "ok(1, 'fine$_.2') }]," } 1 .. 3;
my $all = tested(@fine);
my @lines = split /\n/, $all->{out};
is($all->{status}, 0, 'tests in parallel pass');
is(pop @lines, '1..6', '... with one plan');
is_deeply([map { (/^ok (\d+)/)[0] } @lines], [1 .. 6], '... numbered from first to last');
is((join ',', map { (/(fine\d)\./)[0] } @lines) =~ s/(fine\d),\1//gr =~ tr/f//, 0,
    '... and those of one job together');
for (['a test that fails', 'ok(0, "wrong")', qr/^not ok \d+ - wrong$/m],
    ['a test that dies', 'ok(1, "begun"); die "for want of a nail\n"',
        qr/^ok \d+ - begun\nnot ok \d+ - bad: the test itself ends\n# for want of a nail$/m],
    [   'a process that is killed',
        'ok(1); kill KILL => $$',
        qr/^not ok \d+ - bad: its process died$/m],
    ['a process that exits', 'ok(1); exit 0', qr/^not ok \d+ - bad: its process died$/m],
    ['a job that tests nothing', '', qr/^not ok \d+ - bad: nothing was tested$/m])
{
    my ($title, $code, $pattern) = @$_;
    my $ran = tested("['bad', sub { $code }],");
    like($ran->{out}, $pattern, "$title in parallel");
    is($ran->{status}, 1, '... is a failure');
}

# ---- The heap of tests/fence.c ----

SKIP:
{
    my %heap = heap_checks();
    skip 'programs have the heap of the C library', 9 unless %heap;
    # A block of 1000 bytes ends 8 bytes before its page. One of 1024 bytes ends with it. One of 40
    # bytes has no page of its own.
    write_text("$dir/heap.c", <<'END');
#include <math.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    const size_t N = atoi(argv[2]);
    volatile float *x = malloc(N * sizeof(float)), *y = calloc(N, sizeof(float));
    int right = argc == 3 && isnan(x[0]) && isnan(x[N - 1]) && isnan(x[-1]) && y[N - 1] == 0;
    y = realloc((void *)y, 2 * N * sizeof(float));
    right = right && y[N - 1] == 0 && isnan(y[2 * N - 1]);
    void *z;
    for (size_t alignment = 32; alignment <= 65536; alignment *= 2)
    {
        right = right && posix_memalign(&z, alignment, 1000) == 0 && (size_t)z % alignment == 0;
        free(z);
    }
    static void *many[20010];
    const int num_many = argv[1][0] == 'n' ? 20010 : 0;
    for (int n = 0; n < num_many; ++n)
        right = right && (many[n] = malloc(200)) != NULL;
    for (int n = 0; n < num_many; ++n)
        free(many[n]);
    right = right && posix_memalign(&z, 4096, 100) == 0 && (size_t)z % 4096 == 0;
    switch (argv[1][0])
    {
    case 'r': return isnan(x[N]) ? 3 : 0;
    case 'w': x[N] = 1; break;
    case 'b': x[-1] = 1; break;
    case 'f': free((void *)y); break;
    }
    free((void *)y);
    free((void *)x);
    free(z);
    return !right;
}
END
    sh("$CXX -x c -O0 -w -o '$dir/heap' '$dir/heap.c'");
    my $try = sub { Suite::ended(run(["$dir/heap", @_], env => \%heap)) };
    is($try->('none', $_), 'exit status 0', "a right program with $_ floats") for 10, 256;
    is($try->('read', 250), 'exit status 3', 'what lies behind an array is NaN');
    like($try->('read', 256), qr{SIG(?:BUS|SEGV)}, 'or cannot be read');
    like($try->('write', $_), qr{SIG}, "a write past the end of $_ floats") for 10, 250, 256;
    like($try->('before', 256), qr{SIGABRT}, 'a write before the beginning');
    like($try->('free', 256), qr{SIG}, 'freed twice');
}

# ---- The README.md of the tests names every file, and no other ----

for my $folder ('tests', 'cpu/tests')
{
    my @rows = read_text("$folder/README.md") =~ /^\| ([^|]*?) \|/mg;
    my %named = map { $_ => 1 } map { /([\w-]+\.t)\b/g } @rows;
    is(join(' ', sort keys %named), join(' ', sort map { basename($_) } glob "$folder/*.t"),
        "$folder/README.md names every test");
}

done_testing();
