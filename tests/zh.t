# The Chinese of comments and of --help, by the catalogues in zh/ of chapters and of common/: none is
# missing or out of date, and `make zh` writes the same code on the same lines.
#
# Inputs: programs backend chinese make
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Documents;
use Suite;
use Test::More;

# ---- The catalogues -----------------------------------------------------------------------------

my $check = sh('./suite zh --check');
is($check->{err}, '', 'the catalogues can be read');
chinese_is_there('every comment has its Chinese, where there is zh/', split /\n/, $check->{out});

# ---- The sources in Chinese ---------------------------------------------------------------------

my $written = sh('./suite zh');
ok($written->{status} == 0, 'make zh writes them') or diag(describe($written));
my @sources = glob 'ch*/*.cu ch*/*.cpp ch*/*.cuh common/*.cuh';

sub columns
{
    my ($line) = @_;
    utf8::decode($line);
    return length($line) + ($line =~ tr/\x{2e80}-\x{ffef}//);
}
my @long = map { my $file = "build/zh/$_"; map { "$file: $_" } grep { columns($_) > 100 }
      split /\n/, read_text($file) } @sources;
is(join("\n", @long), '', 'no line has more than 100 columns');

# g++ strips the comments of all of them at once, and leaves the code on its lines.
SKIP:
{
    skip 'only g++ strips comments', 1 unless on_path('g++');
    my $dir = tempdir(CLEANUP => 1);
    my @code;
    for my $root ('.', 'build/zh')
    {
        write_text("$dir/all.cpp",
            join '', map { ("\n" x 9, "const char IS_FROM[] = \"$_\";\n", read_text("$root/$_")) } @sources);
        push @code, [split /\n/, run([qw(g++ -fpreprocessed -dD -E), "$dir/all.cpp"])->{out}];
    }
    my ($english, $chinese) = @code;
    my ($first) = grep { $english->[$_] ne ($chinese->[$_] // '') } 0 .. $#$english;
    ok(@$english > 10000 && @$english == @$chinese && !defined $first, 'each line has the same code')
      or diag(map { my $code = $_; map { "  $_\n" }
              (grep { /IS_FROM/ } @$code[0 .. $first // 0])[-1] // (), $code->[$first // 0] // '' } @code);
}

# ---- --help -------------------------------------------------------------------------------------

# By the environment: what the first line of --help is in.
my @with_help = grep { $_->{reads_args} && -x binary($_) } programs();
for (['zh_CN.UTF-8', undef, 1], ['C', undef, 0], [undef, 'zh_CN:zh', 0], ['en_US.UTF-8', undef, 0],
    ['en_US.UTF-8', 'zh_CN:en', 1], ['zh_CN.UTF-8', 'en', 0], ['C.UTF-8', 'zh', 0])
{
    last if !@with_help;
    my ($locale, $list, $is_chinese) = @$_;
    my $ran = run([binary($with_help[0]), '--help'], env => {LC_ALL => $locale, LANGUAGE => $list});
    is($ran->{out} =~ /^\S+: [^\n]*[^ -~\n]/ ? 1 : 0, $is_chinese, 'LC_ALL=' . ($locale // '')
          . ' LANGUAGE=' . ($list // '')) or diag(describe($ran));
}

# Errors and notes are in Chinese, too. A script finds PASS in each language.
for my $program (grep { $_->{name} eq 'add3if' } @with_help)
{
    my %chinese = (env => {LC_ALL => 'zh_CN.UTF-8'});
    my $refused = run([binary($program), '-n', 0], %chinese);
    like($refused->{err}, qr/\Aadd3if: -n N 的值“0”不对：须为整数，至少为 1（见 add3if --help）\n\z/, 'an error in Chinese');
    like(run([binary($program), '-n', 33], %chinese)->{out}, qr/^PASS: 1 check$/m, 'PASS in Chinese');
}
for my $program (grep { $_->{name} eq 'add2wrong' } @with_help)
{
    my $wrong = run([binary($program), '-n', 33], env => {LC_ALL => 'zh_CN.UTF-8'});
    like($wrong->{err}, qr/^错误：.* 是 .*应为 .* 33 个错误$/m, 'what is wrong, in Chinese');
    like($wrong->{out}, qr/^FAIL: 1 项检验中有 1 项没有通过$/m, '... and the verdict');
}

# A size for which no memory is asked yet, and which is beyond all.
for my $program (grep { $_->{name} eq 'matmul' } @with_help)
{
    for (['zh_CN.UTF-8', '这个大小太大了（见 matmul --help）'], ['C', 'that size is too large (see matmul --help)'])
    {
        my $ran = run([binary($program), '-n', 9999999], env => {LC_ALL => $_->[0]});
        is("$ran->{status} $ran->{err}", "2 matmul: $_->[1]\n", 'a size that is too large');
    }
}

# The device's name is in Chinese, and so is what CHECK says.
for my $program (grep { $BACKEND eq 'cpu' && $_->{name} eq 'add2gpu' } @with_help)
{
    my $table = run([binary($program), qw(-n 33 -r 1)], env => {LC_ALL => 'zh_CN.UTF-8'});
    like($table->{out}, qr/^设备：CPU 后端（[^,]*，\d+ 核）$/m, 'the device in Chinese');
}
for my $program (grep { $_->{name} eq 'check1api' } @with_help)
{
    like(run([binary($program)], env => {LC_ALL => 'zh_CN.UTF-8'})->{err},
        qr/^CUDA 错误：\n  文件： +\S+\n  行号： +\d+\n  调用： +.*\n  错误代号： +1\n  错误名称： +cudaErrorInvalidValue$/m,
        'what CHECK says, in Chinese');
}

# A program compiled by cpucc speaks Chinese, too: beside the suite's common/, with -I of its folder, and
# in a folder of its own with a copy. A locale that is not installed is no matter.
SKIP:
{
    skip 'only cpucc knows the place of the texts', 6 if $BACKEND ne 'cpu' || !-x 'bin/cpucc';
    my $own = tempdir(CLEANUP => 1);
    my %chinese = (LC_ALL => 'zh_CN.UTF-8', CPUCC_CXX => $CXX);
    sh("cp -R common '$own'");
    write_text("$own/mine.cu", read_text('ch03_framework/add1.cu') =~ s{"\.\./common/}{"common/}gr);
    mkdir "$own/apart";
    write_text("$own/apart/mine.cu", read_text("$own/mine.cu"));
    for ([$ROOT, 'ch03_framework/add1.cu'], [$own, 'mine.cu'], [$ROOT, '-I.', "$own/apart/mine.cu"])
    {
        my ($from, @what) = @$_;
        my $made = run(["$ROOT/bin/cpucc", @what, '-o', "$own/a.out"], dir => $from, env => \%chinese);
        is("$made->{status} $made->{err}", '0 ', "cpucc @what") or diag(describe($made));
        my $ran = run(["$own/a.out", '-b', 2048], env => \%chinese);
        is($ran->{err}, "a.out: -b B 的值“2048”不对：须为 1 到 1024 的整数（见 a.out --help）\n", '... speaks Chinese');
    }
}

# Where a chapter has its Chinese, no sentence of --help is left in English.
my @left;
for my $program (grep { -d "$_->{dir}/zh" && -d 'common/zh' } @with_help)
{
    my $ran = run([binary($program), '--help'], env => {LC_ALL => 'zh_CN.UTF-8'});
    push @left, map { "$program->{name} --help: $_" } grep { !/[^ -~]/ && / [a-z]{2,} [a-z]/ }
      split /\n/, $ran->{out} =~ s/\n {4,}/ /gr; # the rest of a text stands below it
}
chinese_is_there('--help is in Chinese', @left);

# ---- make and ./suite ---------------------------------------------------------------------------

# (The test of make, make.t, has what make itself says.)
for (['list', qr/^\S+ +add1 +[^\n]*(?:\n +)?（(?:\n +)?程序清单(?:\n +)? ?3\.2/m], ['--help', qr/^  doctor +这台机器/m])
{
    my ($command, $says) = @$_;
    my $said = sh("./suite $command", env => {LC_ALL => 'zh_CN.UTF-8'});
    ok($said->{status} == 0 && $said->{out} =~ $says && $said->{err} eq '', "./suite $command in Chinese")
      or diag(describe($said));
    unlike(sh("./suite $command", env => {LC_ALL => 'C'})->{out}, qr/[^\x00-\x7f]/, '... and in English');
}
my ($of_make, $of_suite) = split /^----\n/m, read_text('make/help.zh-CN.txt');
my $english_help = sh('./suite help', env => {LC_ALL => 'C'})->{out};
is(join("\n", $of_suite =~ /^  (\S.*?)  /mg), join("\n", $english_help =~ /^  (\S.*?)  .*$/mg) =~ s/\A.*(?=^\.\/suite COMMAND \.\.\.$)//msr,
    'make/help.zh-CN.txt has every command of ./suite');
my @goals = read_text('Makefile') =~ /^#   (make(?: [a-z][\w-]*)?)  /mg;
is(join(' ', $of_make =~ /^  (make(?: [a-z][\w-]*)?)  /mg), "@goals", '... and every goal of make');

{
    local @INC = ("$ROOT/make", @INC);
    require Sources;
}
for (['Listings 3.2 and 3.3, sections 3.2 and 3.2.1 to 3.2.5', '程序清单 3.2、3.3，3.2、3.2.1 至 3.2.5 节'],
    ['Listing 13.1, section 13.1, file add.cu of chapter 13; S3 memory (2)', '程序清单 13.1，13.1 节，文件 add.cu（第 13 章）；S3 内存 (2)'],
    ['Chapter 8; S4 3.3 and Fig. 3.6 to 3.9', '第 8 章；S4 3.3、图 3.6 至 3.9'],
    ['section 20.1, where the book is empty; beyond the book', '20.1 节（书中是空的）；书外的内容'])
{
    is(Sources::from_in_chinese($_->[0]), $_->[1], "$_->[0] in Chinese");
}
my @unknown = grep { s/S[1-4]|BLAS|SoA|AoS|Hello GPU|stencil|[\w-]+\.\w+//gr =~ /[A-Za-z]{3}/ }
  map { Sources::from_in_chinese($_->{From} // '') } programs();
is_deeply(\@unknown, [], 'From: of every program has its Chinese: make/Sources.pm');

# ---- A catalogue that falls behind, in a copy ---------------------------------------------------

my $copy = tempdir(CLEANUP => 1);
sh("cp -a suite make '$copy' && mkdir -p '$copy/ch02_threads'");
my $SOURCE = <<'END';
// one: strings that look like comments
//
// From:    Listing 2.1
// Compile: nvcc one.cu
// Run:     ./a.out
//
// The prose of this program has a line that is long enough to be broken, so that its Chinese, which
// is shorter, still has to have two lines.

const char *const A = "// no comment"; // the first
int main() {} // ---- the end ----
END
my ($FILE, $CATALOGUE) = ("$copy/build/zh/ch02_threads/one.cu", "$copy/ch02_threads/zh/one.cu.po");

# What `./suite zh ...` prints of this source.
sub zh
{
    my ($source, @command) = @_;
    write_text("$copy/ch02_threads/one.cu", $source);
    return sh("./suite zh @command", dir => $copy)->{out};
}

is(zh($SOURCE, '--check'), '', 'a chapter without zh/ has nothing to say');
zh($SOURCE, '--update one');
is(zh($SOURCE, '--check') =~ s/: The prose.*//r, join('', map { "ch02_threads/one.cu:$_\n" }
        '1: has no Chinese: strings that look like comments', '7: has no Chinese',
        '10: has no Chinese: the first', '11: has no Chinese: the end'),
    'what has to be translated');
my @chinese = ('像注释的字符串', '这个程序的说明有一行很长，需要折行；中文虽然短一些，也还是两行。', '第一个', '结束');
write_text($CATALOGUE, read_text($CATALOGUE) =~ s/^msgstr ""$/'msgstr "' . shift(@chinese) . '"'/gmer);
is(zh($SOURCE, '--check'), '', 'then all is translated');
my $prints = $SOURCE =~ s/int main/void f() { print_note("%d of %s\\n", 1, "x"); }\nint main/r;
zh($prints, '--update one');
my $catalogue = read_text($CATALOGUE);
for (['%s，%d', "the Chinese takes other values: %d of %s"], ['%2$s 中的 %1$d', ''])
{
    my ($chinese, $says) = @$_;
    write_text($CATALOGUE, $catalogue =~ s/^(msgid "%d of.*\nmsgstr ")"/$1$chinese\\n"/mr);
    is(zh($prints, '--check') =~ s/^\S+: |\n\z//gr, $says, "the values of $chinese");
}
write_text($CATALOGUE, $catalogue =~ s/\n#\. print_note\n.*?\nmsgstr .*?\n//sr);
my $in_chinese = $SOURCE =~ s/strings that look like comments/像注释的字符串/r =~ s/the first/第一个/r
  =~ s/the end/结束/r =~ s{The prose.*\n.*lines\.}{这个程序的说明有一行很长，需要折行；\n// 中文虽然短一些，也还是两行。}r;
like(zh($SOURCE), qr/\A1 sources .* 4 comments in Chinese, 0 in English\n\z/, 'make zh counts the comments');
is(read_text($FILE), $in_chinese, '... and writes them on the same lines');
like(read_text("$copy/build/zh/messages"), qr/one: strings that look like comments\tone: /,
    'the first sentence is known to --help');

my $changed = $SOURCE =~ s/long enough/very long/r =~ s/first/last/r;
like(zh($changed, '--check'), qr/\A\S+one.cu:7: has no Chinese: The .*\n\S+one.cu:10: .*\n(?:\S+po:\d+: is not in .*\n){2}\z/,
    'a comment that has changed is named by its line');
like(zh($changed, '--update ch02'), qr/4 texts, 1 without Chinese, 1 fuzzy, 1 obsolete/, '--update keeps its Chinese');
like(zh($changed), qr/ 2 in English\n  \S+one.cu:7: is fuzzy: The .*\n  \S+one.cu:10: has no Chinese: the last\n\z/,
    '... which make zh lists at the end');
like(read_text($FILE), qr{^// \[已过时\] The prose .*\n// .*two lines\.\n.*\n.*// \[未译\] the last\n}m, '... and marks');
like(zh($SOURCE, '--update all'), qr/ 0 without Chinese, 1 fuzzy, 0 obsolete$/m, 'a text that comes back has its Chinese');
write_text($CATALOGUE, read_text($CATALOGUE) =~ s/第一个"/'很长' x 40 . '"'/er =~ s/^#, fuzzy\n(?:#\|.*\n)*//mr);
like(zh($SOURCE, '--check'), qr/one.cu:10: the Chinese does not go into 1 line of 100/, 'what is too long is named');

# ---- Texts that move ----------------------------------------------------------------------------

write_text($CATALOGUE, read_text($CATALOGUE) =~ s/(?:很长){9,}/第一个/r);
my $OTHER = "// A helper.\n#pragma once\nint helper();\n";
my $other = 'ch03_framework/other.cuh';
sh("mkdir -p '$copy/ch03_framework/zh'");
write_text("$copy/ch03_framework/zh/other.cuh.po", qq(msgid "A helper."\nmsgstr "一个辅助函数。"\n));
write_text("$copy/$other", $OTHER);
is(zh($SOURCE, '--check'), '', 'all is translated again');
zh($SOURCE, '--update all');
my $before = read_text($CATALOGUE);
my ($line) = $SOURCE =~ /(const char.*\n)/;
my $without = $SOURCE =~ s/\Q$line\E//r;
my $with = $OTHER . $line;

# Whatever is updated first, the comment has its Chinese in its new source, and none is left in the old one.
for my $names (['all'], ['one', 'other'], ['other', 'one'], ['other.cuh', 'ch02'])
{
    write_text("$copy/$other", $with);
    like(join('', map { zh($without, "--update $_") } @$names), qr/other\.cuh\.po: 2 texts, 0 without Chinese, 0 fuzzy, 0 obs/,
        "a comment that moves to another chapter keeps its Chinese: --update @$names");
    is(zh($without, '--check'), '', '... and nothing is left to do');
    unlike(read_text($CATALOGUE), qr/第一个/, '... where it was');
    write_text("$copy/$other", $OTHER);
    zh($SOURCE, '--update all');
    is(read_text($CATALOGUE), $before, '... and it comes back');
}
like(zh(($SOURCE =~ s/\Q$line\E//r) =~ s/\z/$line/r, '--update one'), qr/ 0 without Chinese, 0 fuzzy, 0 obsolete$/m,
    'a comment that changes its place keeps its Chinese');
zh($SOURCE, '--update one');

# A copy takes the same Chinese. Where two sources say different things it is to be looked at.
write_text("$copy/$other", $with);
like(zh($SOURCE, '--update other'), qr/ 0 without Chinese, 0 fuzzy, 0 obsolete$/m, 'a copy of a comment has its Chinese');
my $catalogue_there = "$copy/ch03_framework/zh/other.cuh.po";
write_text($catalogue_there, read_text($catalogue_there) =~ s/第一个/首个/r);
write_text("$copy/ch03_framework/third.cuh", $with =~ s/A helper/A third/r);
like(zh($SOURCE, '--update third'), qr/ 2 texts, 1 without Chinese, 1 fuzzy, 0 obsolete$/m, '... or of two different ones');
like(read_text("$copy/ch03_framework/zh/third.cuh.po"), qr/^#, fuzzy\nmsgid "the first"\nmsgstr "首个"$/m,
    '... and then that of its chapter, to be looked at');

done_testing();
