# The Chinese of comments and of --help, by the catalogues in zh/ of chapters and of common/: none is
# missing or out of date, and `make zh` writes the same code on the same lines.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

use lib "$ROOT/make";
use Catalogue;
use Comments;

# ---- The catalogues -----------------------------------------------------------------------------

my $check = sh('./suite zh --check');
is($check->{out} . $check->{err}, '', 'every comment has its Chinese, where there is zh/');

# The book's words: of these it has the second ones, or hardly ever the first.
my %INSTEAD = ('固定内存' => '不可分页内存', '工具包' => '工具箱', '启动核函数' => '调用核函数',
    '下标' => '指标', '您' => '你', '共享存储器' => '共享内存', '线程组' => '线程块');
# But 线程组 is the book's word for a thread_group, and begins 线程组织.
sub refused_in
{
    my ($english, $chinese) = @_;
    $chinese =~ s/线程组织//g;
    $chinese =~ s/线程组//g if $english =~ /thread[ _]group/i;
    return grep { index($chinese, $_) >= 0 } sort keys %INSTEAD;
}

my @words;
for my $catalogue (glob '{ch*,common}/zh/*.po')
{
    for my $entry (read_catalogue($catalogue))
    {
        my ($english, $chinese) = @$entry{qw(id chinese)};
        utf8::encode($chinese); # as this file is
        push @words, map { "$catalogue:$entry->{line}: $_ is $INSTEAD{$_} in the book" }
          refused_in($english, $chinese);
    }
}
is(join("\n", @words), '', 'the Chinese has the book\'s words');
is(join(' ', refused_in('a block', '一个线程组')), '线程组', 'which 线程组 is not for a block');
is(join(' ', refused_in('a thread_group', '一个线程组')), '', '... but for a thread_group');

# ---- The sources in Chinese ---------------------------------------------------------------------

my $written = sh('./suite zh');
ok($written->{status} == 0, 'make zh writes them') or diag(describe($written));
my @sources = glob 'ch*/*.cu ch*/*.cpp ch*/*.cuh common/*.cuh';

# The code of a source: its tokens without the comments, line by line.
sub code_of
{
    my ($text) = @_;
    my @code = ('') x ($text =~ tr/\n//);
    $code[$_->[2] - 1] .= " $_->[1]" for grep { $_->[0] !~ m{^/} } tokens($text);
    return @code;
}

sub columns
{
    my ($line) = @_;
    utf8::decode($line);
    return length($line) + ($line =~ tr/\x{2e80}-\x{ffef}//);
}

my (@differ, @long);
for my $file (@sources)
{
    my ($english, $chinese) = map { read_text($_) } $file, "build/zh/$file";
    my @english = code_of($english);
    my @chinese = code_of($chinese);
    push @differ, "$file: " . @english . ' lines, in Chinese ' . @chinese if @english != @chinese;
    push @differ, map { "$file:" . ($_ + 1) . ": $english[$_]\n    $chinese[$_]" }
      grep { $english[$_] ne ($chinese[$_] // '') } 0 .. $#english;
    push @long, map { "build/zh/$file: $_" } grep { columns($_) > 100 } split /\n/, $chinese;
}
is(join("\n", @differ), '', 'each line has the same code');
is(join("\n", @long), '', 'and at most 100 columns');

# A compiler's view of all of them at once.
SKIP:
{
    skip 'only g++ strips comments', 1 unless on_path('g++');
    my $dir = tempdir(CLEANUP => 1);
    my @code;
    for my $root ('.', 'build/zh')
    {
        write_text("$dir/all.cpp", join '', map { read_text("$root/$_") } @sources);
        push @code, run([qw(g++ -fpreprocessed -dD -E), "$dir/all.cpp"])->{out};
    }
    ok($code[0] eq $code[1] && length $code[0] > 1e6, 'g++ sees the same code in both');
}

# The compiler of the CPU backend. Before `make test` it may not have been built.
my $made = run(['make', '-s', "CXX=$ENV{CPUCC_CXX}", 'build-cpucc'],
    env => {without_make()}, limit => 600);
diag(describe($made)) if $made->{status} != 0;

for my $file (qw(ch03_framework/add3if.cu ch09_shared_mem/reduce2gpu.cu ch11_warp/warp.cu))
{
    my $dir = tempdir(CLEANUP => 1);
    my ($english, $chinese) = map {
        my $root = $_;
        my $ran = run(["$ROOT/cpu/cpucc", '-O2', '-c', '-o', "$dir/a.o", basename($file)],
            dir => "$root/" . dirname($file), limit => 300);
        $ran->{status} == 0 ? run(['objdump', '-d', "$dir/a.o"])->{out} : describe($ran);
    } $ROOT, "$ROOT/build/zh";
    ok($english eq $chinese && $english =~ /<main>:/, "$file compiles to the same program");
}

# ---- --help -------------------------------------------------------------------------------------

# By the environment: what the first line of --help is in.
my ($program) = grep { $_->{Options} && read_text($_->{file}) =~ /parse_args/ && -x binary($_) }
  programs();
my $in_chinese = qr/^\S+: [^\n]*[^ -~\n]/;
for (['zh_CN.UTF-8', undef, 1], ['C', undef, 0], [undef, 'zh_CN:zh', 0], ['en_US.UTF-8', undef, 0],
    ['en_US.UTF-8', 'zh_CN:en', 1], ['zh_CN.UTF-8', 'en', 0], ['C.UTF-8', 'zh', 0])
{
    last if !$program;
    my ($locale, $list, $is_chinese) = @$_;
    my $ran = run([binary($program), '--help'], env => {LC_ALL => $locale, LANGUAGE => $list});
    is($ran->{out} =~ $in_chinese ? 1 : 0, $is_chinese, 'LC_ALL=' . ($locale // '') . ' LANGUAGE='
          . ($list // '')) or diag(describe($ran));
}

# Where a chapter has its Chinese, no sentence of --help is left in English.
for my $program (grep { -d "$_->{dir}/zh" && -d 'common/zh' } programs())
{
    next if !$program->{Options} || read_text($program->{file}) !~ /parse_args/ || !-x binary($program);
    my $ran = run([binary($program), '--help'], env => {LC_ALL => 'zh_CN.UTF-8'});
    my @left = grep { !/[^ -~]/ && / [a-z]{2,} [a-z]/ } split /\n/, $ran->{out};
    is(join("\n", @left), '', "$program->{name} --help is in Chinese");
}

# ---- Catalogues that fall behind, in a copy -----------------------------------------------------

my $copy = tempdir(CLEANUP => 1);
sh("cp -a suite make '$copy' && mkdir -p '$copy/ch02_threads'");
my $SOURCE = <<'END';
// one: strings that look like comments
//
// From:    Listing 2.1
// Compile: nvcc one.cu
// Run:     ./a.out
// Chinese: 像注释的字符串
//
// The prose of this program has a line that is long enough to be broken, so that its Chinese, which
// is shorter, still has to have two lines.

const char *const A = "// no comment", B = '"', *C = R"x(// no " comment)x"; // the first
const int D = 1'000; // the second goes on
                     // on another line

// - An item.
// - Another item, which is longer than the first
//   and goes on.
//
//     one   the first word
//     two   the second word
int main() {} // ---- the end ----
END

my @TEXTS = (
    'The prose of this program has a line that is long enough to be broken, so that its Chinese,'
      . ' which is shorter, still has to have two lines.',
    'the first', 'the second goes on on another line', 'An item.',
    'Another item, which is longer than the first and goes on.',
    "one   the first word\ntwo   the second word", 'the end');

sub in_copy
{
    my ($source, @command) = @_;
    write_text("$copy/ch02_threads/one.cu", $source) if defined $source;
    return sh("./suite zh @command", dir => $copy);
}

my $CATALOGUE = "$copy/ch02_threads/zh/one.cu.po";

sub translate
{
    my ($english, $chinese) = @_;
    my $text = read_text($CATALOGUE);
    my $id = $english =~ s/\n/\\n"\n"/r;
    $id = qq(""\n"$id) if $english =~ /\n/;
    $id = qq("$id) if $english !~ /\n/;
    $text =~ s/^msgid \Q$id\E"\nmsgstr ""$/msgid $id"\nmsgstr "$chinese"/m or diag("no $id in $text");
    write_text($CATALOGUE, $text);
}

is(in_copy($SOURCE, '--check')->{out}, '', 'a chapter without zh/ has nothing to say');
in_copy(undef, '--update one');
is_deeply([map { s/ [.]{3}\z//r } in_copy(undef, '--check')->{out} =~ /has no Chinese: (.*)/g],
    [map { (split /\n/, length > 63 ? substr($_, 0, 60) : $_)[0] } @TEXTS],
    'what has to be translated');
my @CHINESE = ('这个程序的说明有一行很长，需要折行；中文虽然短一些，也还是两行。', '第一个', '第二个注释，还有一行',
    '一项。', '另一项比第一项长，所以还有一行。', 'one   第一个词\ntwo   第二个词', '结束');
translate($TEXTS[$_], $CHINESE[$_]) for 0 .. $#TEXTS;
is(in_copy(undef, '--check')->{out}, '', 'then all is translated');
in_copy(undef, '');
is(read_text("$copy/build/zh/ch02_threads/one.cu"), <<'END', 'and stands on the same lines');
// one: 像注释的字符串
//
// From:    Listing 2.1
// Compile: nvcc one.cu
// Run:     ./a.out
// Chinese: 像注释的字符串
//
// 这个程序的说明有一行很长，需要折行；
// 中文虽然短一些，也还是两行。

const char *const A = "// no comment", B = '"', *C = R"x(// no " comment)x"; // 第一个
const int D = 1'000; // 第二个注释，
                     // 还有一行

// - 一项。
// - 另一项比第一项长，
//   所以还有一行。
//
//     one   第一个词
//     two   第二个词
int main() {} // ---- 结束 ----
END
like(run(['cat', "$copy/build/zh/messages"])->{out}, qr/one: strings that look like comments\tone: /,
    'the first sentence is known to --help');

my $changed = $SOURCE =~ s/it is long/it is very long/r =~ s/long enough/very long/r;
my $stale = in_copy($changed, '--check');
is($stale->{status}, 1, 'a comment that has changed is an error');
is($stale->{out} =~ s/: The prose.*//gr, "ch02_threads/one.cu:8: has no Chinese\n"
      . "ch02_threads/zh/one.cu.po:6: is not in ch02_threads/one.cu any more\n", 'which is named by its line');
like(in_copy(undef, '--update ch02')->{out}, qr/7 texts, 0 without Chinese, 1 fuzzy, 0 obsolete/,
    '--update keeps its Chinese');
like(in_copy(undef, '--check')->{out}, qr/\Ach02_threads\S+po:\d+: is fuzzy: The prose[^\n]*\n\z/,
    'which has to be looked at');
in_copy(undef, '');
like(read_text("$copy/build/zh/ch02_threads/one.cu"), qr{^// The prose of this}m,
    'until then the comment is in English');
write_text($CATALOGUE, read_text($CATALOGUE) =~ s/^#, fuzzy\n(?:#\|.*\n)*//mr);
is(in_copy(undef, '--check')->{out}, '', 'then it is good again');

like(in_copy($SOURCE =~ s{ // ---- the end ----}{}r, '--update all')->{out}, qr/, 1 obsolete$/m,
    'a comment that is gone');
like(in_copy(undef, '--check')->{out}, qr/: is obsolete: [^\n]*the end\n/, 'leaves its Chinese');
like(in_copy($SOURCE, '--update all')->{out}, qr/ 0 without Chinese, .* 0 obsolete$/m,
    'and has it when it comes back');
# Another source with one of these comments.
write_text("$copy/ch02_threads/two.cu", "// Of two numbers.\nconst int A[] = {1,  // the first\n"
      . "                 2}; // the last\n");
like(sh('./suite zh --update two', dir => $copy)->{out}, qr/3 texts, 2 without Chinese, 1 fuzzy, /,
    'the Chinese of another catalogue is to be looked at, too');
unlink "$copy/ch02_threads/two.cu", "$copy/ch02_threads/zh/two.cu.po";

write_text($CATALOGUE, read_text($CATALOGUE) =~ s/第一个"/"第一个" . '很长' x 20 . '"'/er
      =~ s/"第一个"很长/"第一个很长/r);
like(in_copy(undef, '--check')->{out}, qr/one.cu:11: the Chinese does not go into 1 line of 100/,
    'what is too long is named');

done_testing();
