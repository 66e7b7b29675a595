# `make find` answers for places of the book and of S1 to S4, in the forms in which readers write them,
# and for topics; the search of the site reads places as it does. The version, and the doors: the notebook,
# the devcontainer, and the addresses of make/home.txt.
#
# Inputs: programs chinese backend docs make .devcontainer/* CITATION.cff
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Documents;
use Suite;
use JSON::PP;
use Test::More;

{
    local @INC = ("$ROOT/make", @INC);
    require Find;
    require Home;
}

# ---- Places ----

# What make find prints, in this process: names of programs and other files, the first ones first; and
# the places of headings.
my @has = map { Find::all_there_is($_) } 0, 1;

sub found
{
    my ($what) = @_;
    $what = Find::decoded($what);
    my $answer = Find::answer($has[$what =~ /\p{Han}/ ? 1 : 0], $what);
    return ([map { $_->[0] } @{$answer->{rows}}], [map { $_->[0] } @{$answer->{headings}}]);
}

# What comes first, in the forms in which readers write it.
for (
    ['reduce-wrong', 'Listing 9.2', 'listing9.2', 'Listing9-2', 'Lst. 9.2', '程序清单 9.2', '列表 9.2',
        '清单９．２', '9.2 listing', '9.2'],
    ['transpose', 'section 9.2', '§9.2', 'Sec. 9.2', '9.2 节', '第 9.2 节', '第9.2节'],
    ['transpose', 'Table 9.1', '表9.1', '表格 9.1', 'Tab. 9.1', '表 9-1'],
    ['thread-index', 'Fig. 2.1', 'figure 2.1', 'fig2.1', 'Fig2-1', '图 2.1', '“图 2.1”', '图 2.1：'],
    ['reduce1cpu', 'Chapter 9', 'ch09', 'ch. 9', '第9章', '第 9 章', '第九章', '9'],
    ['host-kernel', 'chapter 12', '第十二章'],
    ['blur', 'S4 Fig. 3.7', 'S4 图 3.7', 's4 fig3.7', 'blurKernel', 'S4 kernel blurKernel', 'S4 核函数 blurKernel'],
    ['matrix', 'formula 7.2', '(7.2)', 'equation (7.2)', '式（7.2）', '公式 7.2', 'transpose1', '核函数 transpose3'],
    ['force_host.cuh', 'formula 21.22', '21.22', '式 (21.22)'],
    ['reduce', 'reduce_cp'],
    ['reduce2gpu', 'reduce_shared'],
    ['ljmd-force', 'force-only', '文件夹 force-only'],
    ['first-call', 'S1 4.3', 's1 4.3 节'],
    ['add1', 'S1 3', 'S1 3.1'],
    ['host-function', 'S1 callbacks', 'S1 回调函数'],
    ['hello', 'hello.cpp'])
{
    my ($first, @forms) = @$_;
    for my $form (@forms)
    {
        is((found($form))[0][0], $first, "make find WHAT='$form' begins with $first");
    }
}

# A listing is found with its line, where a comment names it or, for a macro, where that is defined.
for (['ch09_shared_mem/transpose.cu', qr/Listing 9\.5\./, 'Listing 9.5', '清单 9.5', '9.5'],
    ['ch11_warp/reduce.cu', qr/Listing 11\.1\./, 'Listing 11.1'],
    ['common/error.cuh', qr/^#define CHECK\(|Listing 4\.1\b/, 'Listing 4.1', '程序清单 4.1'],
    ['ch21_md/force_host.cuh', qr/Listing 21\.1\b/, 'Listing 21.1', '21.1'],
    ['ch21_md/force_device.cuh', qr/Listing 22\.1\b/, 'Listing 22.1'])
{
    my ($file, $text, @forms) = @$_;
    for my $form (map { Find::decoded($_) } @forms)
    {
        my ($row) = @{Find::answer($has[$form =~ /\p{Han}/ ? 1 : 0], $form)->{rows}};
        my ($line) = $row->[1] =~ /^\Q$file\E:(\d+)$/;
        my $there = defined $line ? (split /\n/, read_text($file))[$line - 1] : '';
        like($there, $text, Find::encoded("make find WHAT='$form' has $file and the line")) or diag("@$row");
        like($row->[2], qr/^Listing [\d.]+\D{8}/, '... and says what it shows');
    }
}
is_deeply([map { $_->[1] } @{Find::answer($has[0], 'Listing 3.2')->{rows}}], ['ch03_framework/add1.cu'],
    'a listing that no comment names has no line');

# Which comments name a listing: the first line of a comment, and rather that above a kernel.
my $source = write_text(tempdir(CLEANUP => 1) . '/x.cu', <<'END');
// x: Listing 9.9. is not named in the first sentence
//
// From:    Listing 9.8
//
// This program is like
// Listing 9.7. That is no beginning.

const int N = 1; // Listing 9.6
// Listings 9.5 and 9.6: the host's part.
void host();

// WRONG: Listing 9.5, of which one line is left out.
template <int N>
__global__ void kernel();

    // From here to the end stands Listing 9.4.

// Listing 9.1 with cells

// Section 9.1.1, Listings 10.1 to 10.3.
int n;
END
my $places = Find::lines_in($source);
is(join(' ', map { "$_:$places->{$_}{line}" } sort keys %$places),
    '10.1:20 10.2:20 10.3:20 9.1:18 9.4:16 9.5:12 9.6:9', 'which comments name a listing')
  or diag(explain($places));
my $pages = Find::pages_of();
is($pages->{'listing21.1'}[0], 'ch21_md/force_host.cuh', 'the search of the site has its page');
ok(!grep({ /:\d/ } map { @$_ } values %$pages), '... and no lines');
for (['transpose1', 'ch07_global_mem/matrix.cu'], ['force-only', 'ch21_md/ljmd-force.cu'],
    ['makefile', 'ch21_md/ljmd-cpu.cu'], ['formula7.2', 'ch07_global_mem/matrix.cu'])
{
    my ($name, $page) = @$_;
    my $word = Find::site_words()->{topics}{Find::key($name)} // $name;
    is($pages->{$word}[0], $page, "... and finds $name");
}

# Numbers of a subject that has a page lead to it, in the language of the question.
for (['libraries', '15.1', 'Table 15.3'], ['thrust', 'chapter 16', '16.1.4 节'], ['cufft', '20.1', '第 20.3 节'],
    ['physics', '21.1.2'], ['cusparse', 'S2 sparse matrices'])
{
    my ($page, @forms) = @$_;
    for my $form (@forms)
    {
        my $name = $page . (Find::decoded($form) =~ /\p{Han}/ ? '.zh-CN.md' : '.md');
        ok((grep { $_ eq $name } @{(found($form))[0]}), "make find WHAT='$form' leads to $name");
    }
}

# ---- Topics ----

# What must be among the first three, in both languages.
for (
    ['transpose', 'bank conflict', 'bank conflicts', 'bank冲突', '存储体冲突', 'transpose_padded'],
    ['reduce', 'reduction', '归约', '规约'],
    ['atomic-cost', 'atomicAdd'],
    ['atomics', 'atomic functions', '原子函数'],
    ['warp-functions', '__shfl_down_sync', 'shuffle', '洗牌函数'],
    ['add-managed', 'unified memory', '统一内存'],
    ['coalescing', 'coalesced access', '合并访问'],
    ['add3memcpy', 'pinned memory', '固定内存'],
    ['divergence', 'warp divergence', '线程束分化'],
    ['matmul', 'matrix multiplication', '矩阵乘法'],
    ['scan', 'prefix sum', '前缀和'],
    ['error.cuh', 'CHECK'],
    ['ljmd-cpu', 'molecular dynamics', '分子动力学'])
{
    my ($program, @names) = @$_;
    for my $name (@names)
    {
        my @first = grep { defined } @{(found($name))[0]}[0 .. 2];
        ok((grep { $_ eq $program } @first), "make find WHAT='$name' has $program at its top")
          or diag("@first\n");
    }
}
# Words of a newcomer lead to pages, those of cpu/ too. What no heading has is looked for in the text.
for (['memcheck', '越界'], ['README.md', '检查器'], ['README.md', 'checker'], ['transpose', '共享内存 冲突'],
    ['reduce-wrong', '线程同步'], ['reduce-wrong', '竞争'])
{
    my ($first, $what) = @$_;
    is((found($what))[0][0], $first, "make find WHAT='$what' begins with $first");
}
for my $what ('次序 禁止访问', 'guard page')
{
    my $decoded = Find::decoded($what);
    my ($rows, $headings) = found($what);
    ok(!grep({ !/\.md:\d+$/ } @$headings), "make find WHAT='$what': places in pages");
}
ok((grep { m{^cpu/} } @{(found('保护页'))[1]}), 'a word of the text of a page of cpu/ is found');

# The language is that of LANG, or that of the question. Nothing found: other words are named.
for (['reduction', 'zh_CN.UTF-8', 1], ['reduction', 'C', 0], ['归约', 'C', 1])
{
    my ($what, $lang, $is_chinese) = @$_;
    my $said = sh('./suite find', env => {WHAT => $what, LC_ALL => $lang});
    is($said->{out} =~ /另见：/ ? 1 : 0, $is_chinese, "WHAT=$what LC_ALL=$lang") or diag(describe($said));
}
for (['xyzzy', 'C', qr/^nothing shows xyzzy; .*; or try: bank conflict, .*\n\z/],
    ['xyzzy', 'zh_CN.UTF-8', qr/^没有找到 xyzzy；.*；也可以试试：bank 冲突、.*\n\z/],
    ['共享变量', 'C', qr/也可以试试：.*共享内存/], ['', 'zh_CN.UTF-8', qr/^make find 要知道找什么：/])
{
    my ($what, $lang, $says) = @$_;
    my $said = sh('./suite find', env => {WHAT => $what, LC_ALL => $lang});
    like($said->{err}, $says, "nothing for WHAT='$what'");
}

my ($chinese) = grep { /^ch07/ } @{(found('合并访问'))[1]};
like($chinese // '', qr/^ch07_global_mem\/[\w.-]+\.zh-CN\.md:\d+$/,
    'a topic in Chinese leads to Chinese headings');

my (%line, @twice, @lost);
for my $topic (Find::topics())
{
    my %keys = map { Find::key($_) => 1 } @{$topic->{names}};
    push @twice, grep { $line{$_}++ } keys %keys;
    my @found = Find::about($has[0], $topic->{names}[0]);
    push @lost, $topic->{names}[0] if !@found;
    push @lost, grep { !-e } @{$topic->{pages}};
}
binmode Test::More->builder->failure_output, ':utf8';
is_deeply(\@twice, [], 'a name stands in one line of make/topics.txt');
is_deeply(\@lost, [], 'and each line finds something; its pages are there');

# ---- make ----

# That there is nothing is no error of make.
for (['Listing 9.2', qr/^reduce-wrong /, qr/\A\z/], ['Table 7.1', qr/\A\z/, qr/\A[^\n]+\n\z/])
{
    my ($what, $out, $err) = @$_;
    my $made = run(['make', 'find', "WHAT=$what"], env => {without_make()});
    ok($made->{status} == 0 && $made->{out} =~ $out && $made->{err} =~ $err, "make find WHAT='$what'")
      or diag(describe($made));
}

# ---- The search of the site reads places as make find does ----

SKIP:
{
    skip 'there is no node', 1 unless on_path('node');
    my @asked = (
        'Listing 9.2', 'listing9.2', 'Listing9-2', '程序清单 9.2', '列表9.2', '清单９．２', '9.2',
        '§9.2', '第 9.2 节', '表9.1', 'Fig. 12-3', '图2.1', '“图 2.1”', 'ch09', '第九章', '第十二章',
        '第二十章', '第二十二章', '9', '(7.2)', '式（21.22）', 'Eq. (7.2)', 'formula 5.1', 'S4 图 3.7', 'S1 3', 'S1 3.2', 'S2 Example 6.9', 'bank', 'hello.cpp', '归约');
    my @places = map { my @place = Find::place(Find::decoded($_)); @place ? Find::word_of_place(@place) : '' }
      @asked;
    my $words = JSON::PP->new->ascii->encode(Find::site_words());
    my $script = write_text(tempdir(CLEANUP => 1) . '/find.js',
        "const WORDS = $words;\n" . read_text('make/site/find.js')
          . 'console.log(process.argv.slice(2).map(q => place(q) || "").join("\n"));');
    my $said = run(['node', $script, @asked]);
    is($said->{out}, join("\n", @places) . "\n", 'places have the same words in JavaScript')
      or diag(describe($said));
}

# ---- The version ----

my ($version) = read_text('CHANGELOG.md') =~ /^## (\d\S*)/m;
is(run(['./suite', '--version'])->{out}, "cuda-programs $version\n", './suite --version');
for my $name (grep { -x binary(program($_)) } 'add2gpu')
{
    is(run([binary(program($name)), '--version'])->{out}, "$name (cuda-programs) $version\n", "$name --version");
}

# ---- The doors: addresses, notebook, devcontainer ----

# Without an address in make/home.txt there is no link to one, and with one each link has it.
my $addresses = qr{https://(?:[\w-]+\.github\.io|github\.com|colab\.[\w.]+)/[^\s)"\\]+};
for my $file ('README.md', 'README.zh-CN.md', Home::files())
{
    my ($without, $with) = map { Home::with_addresses($file, read_text($file), $_) } '', 'who/what';
    my @with = $with =~ /$addresses/g;
    ok($without !~ /$addresses/ && @with && !grep({ !m{\bwho(?:/|\.github\.io/)what\b|/assets/} } @with),
        "$file has the address of make/home.txt") or diag("@with");
}
my $notebook = JSON::PP->new->utf8->decode(read_text('docs/cuda-suite.ipynb'));
my @code = map { join '', @{$_->{source}} } grep { $_->{cell_type} eq 'code' } @{$notebook->{cells}};
my @commands = map { parts($_) } map { /^ *run\((?|'([^'\n]+)'|"([^"\n]+)")/mg } @code;
cmp_ok(scalar @commands, '>', 9, 'the notebook has commands');
my @unknown = grep { m{^\./bin/([\w-]+)} && !program($1) } @commands;
push @unknown, map { unknown_to_make(s/[<>].*//sr) } grep { /^make / } @commands;
is_deeply(\@unknown, [], 'the commands of the notebook can be typed');
SKIP:
{
    skip 'there is no python3', 2 unless on_path('python3');
    my $said = run(['python3', '-c', "$code[0]\nrun(r'printf \"1 %%\\r2 %%\\r   \\rone\\r\\n3 %%\\r  \\n\"')\n"
          . "run('echo first; echo two words; exit 3')\n"]);
    is($said->{out}, "one\nfirst\ntwo words\n", 'run, in the notebook, leaves out lines of progress');
    ok($said->{status} && $said->{err} =~ /^RuntimeError: .*its status is 3, not 0\nfirst\ntwo words\n\z/m,
        '... and a command that fails is an error') or diag(describe($said));
}
my $container = read_text('.devcontainer/devcontainer.json') =~ s{^\s*//.*\n}{}mgr;
ok(eval { JSON::PP->new->utf8->decode($container)->{postCreateCommand} }, 'the devcontainer can be read')
  or diag($@);

done_testing();
