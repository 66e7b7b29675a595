# `make find` answers for everything that the book and S1 to S4 have a number or a name for, and for
# topics; docs/map.md has all places. The version, and the doors: the notebook, the devcontainer,
# CITATION.cff, and the addresses of make/home.txt.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use JSON::PP;
use Test::More;

{
    local @INC = ("$ROOT/make", @INC);
    require Find;
    require Home;
}

sub find
{
    my ($what) = @_;
    return run(['./suite', 'find', $what]);
}

# What it prints, in this process: names of programs and other files, the first ones first; and the
# places of headings.
my @has = map { Find::all_there_is($_) } 0, 1;

sub found
{
    my ($what) = @_;
    $what = Find::decoded($what);
    my $answer = Find::answer($has[$what =~ /\p{Han}/ ? 1 : 0], $what);
    return ([map { $_->[0] } @{$answer->{rows}}], [map { $_->[0] } @{$answer->{headings}}]);
}

# ---- The map: a row for each place ----

my %places = (chapter => 0);
my $part = '';
for (grep { /^[^#]/ } split /\n/, read_text('make/places.txt'))
{
    $part = $1, $places{chapter} += $part =~ /^chapter/, next if /^(chapter \d+|S[1-4])$/;
    my ($kind, $list) = /^  ([A-Za-z]+\.?): (\S.*)$/
      or fail("make/places.txt has the line $_"), next;
    $places{($part =~ /^S/ ? "$part " : '') . $kind} += split /, /, $list;
}

# What the five documents have.
is_deeply(
    \%places,
    {   chapter => 22,
        section => 150,
        Listing => 57,
        Table => 19,
        'Fig.' => 13,
        file => 69,
        'S1 section' => 17,
        'S1 kernel' => 4,
        'S2 section' => 7,
        'S2 Table' => 2,
        'S2 Fig.' => 3,
        'S2 Example' => 23,
        'S2 file' => 4,
        'S3 section' => 12,
        'S3 file' => 3,
        'S4 section' => 12,
        'S4 Fig.' => 12},
    'make/places.txt has every place') or diag(explain(\%places));
my $num_places = 0;
$num_places += $_ for values %places;

my %commands;
for my $page ('docs/map.md', 'docs/map.zh-CN.md')
{
    my @rows = grep { !/^\| (place|位置) |^\|---/ } read_text($page) =~ /^(\| .*)$/mg;
    is(scalar @rows, $num_places, "$page has a row for each place");
    my @without = grep { (split / \| /)[2] !~ /^`(make \w+|\.\/bin\/[\w-]+)/ } @rows;
    ok(!@without, '... and a command in each') or diag(map { "  $_\n" } @without);
    $commands{$page} = [map { /`([^`]*)`/g } map { (split / \| /)[2] } @rows];
}
is_deeply(
    $commands{'docs/map.zh-CN.md'},
    $commands{'docs/map.md'},
    'both languages have the same commands');
my @cannot = grep { !can_be_typed($_) } @{$commands{'docs/map.md'}};
ok(!@cannot, 'which can be typed') or diag(map { "  $_\n" } @cannot);

sub can_be_typed
{
    my ($command) = @_;
    return 1 if $command =~ /^make (doctor|toolkits|figures|ch\d\d)$/;
    my ($name, $row) = $command =~ m{^\./bin/([\w-]+)(?: -k ([\w-]+))?$} or return 0;
    my $program = program($name);
    return $program && (!defined $row || grep { $_ eq $row } @{$program->{versions}});
}

# A place for which nobody has written anything.
my $copy = tempdir(CLEANUP => 1);
sh("cp -a suite make ch02_threads '$copy' && mkdir '$copy/docs'"
    . " && printf 'S4\\n  Fig.: 2.99\\n' >'$copy/make/places.txt'");
my $lost = sh('./suite index', dir => $copy);
ok($lost->{status} == 1 && $lost->{err} =~ /^S4 Fig\. 2\.99: neither /m,
    'a place without an answer is found')
  or diag(describe($lost));

# ---- One question ----

for my $what (
    'chapter 16',
    'section 22.2',
    'Listing 2.5',
    'Table 1.3',
    'Fig. 12.1',
    'hello.cpp',
    'file error.cuh',
    'S1 callbacks',
    'S2 Example 6.9',
    'S3 memory (1)',
    'S4 Fig. 3.7')
{
    my $found = find($what);
    ok($found->{status} == 0 && $found->{out} =~ /^\S.*\n/, "make find WHAT='$what'")
      or diag(describe($found));
}

# What comes first for a number, in the forms that readers write it in.
for (
    ['reduce-wrong', 'Listing 9.2', 'listing 9.2', 'listing9.2', 'Listing9-2', 'Lst. 9.2', '程序清单 9.2',
        '程序清单9.2', '列表 9.2', '清单９．２', '9.2 listing', '9.2'],
    ['transpose', 'section 9.2', '§9.2', '§ 9.2', 'Sec. 9.2', '9.2节', '9.2 节', '第 9.2 节', '第9.2节'],
    ['transpose', 'Table 9.1', '表9.1', '表 9.1', '表格 9.1', 'table9.1', 'Tab. 9.1', '表 9-1'],
    ['thread-index', 'Fig. 2.1', 'figure 2.1', 'FIG. 2.1', 'fig2.1', 'Fig2-1', '图 2.1', '图2.1',
        '“图 2.1”', '图 2.1：'],
    ['reduce1cpu', 'chapter 9', 'Chapter 9', 'ch09', 'ch9', 'ch. 9', '第9章', '第 9 章', '第九章', '9'],
    ['host-kernel', 'chapter 12', '第十二章', 'ch12'],
    ['blur', 'S4 Fig. 3.7', 'S4 图 3.7', 's4 fig3.7'],
    ['thrust-scan-vector', 'chapter 16', '第十六章'])
{
    my ($first, @forms) = @$_;
    for my $form (@forms)
    {
        is((found($form))[0][0], $first, "make find WHAT='$form' begins with $first");
    }
}
for (
    ['图 9.1', 'Fig. 9.1'],
    ['表6.1', 'Table 6.1'],
    ['6.3 节', 'section 6.3'],
    ['第 6.3.1 节', 'section 6.3.1'])
{
    my ($asked, $means) = map { [map { s/\.zh-CN//r } @{(found($_))[0]}] } @$_;
    is_deeply($asked, $means, "make find WHAT='$_->[0]' is WHAT='$_->[1]'");
}
# Numbers of a subject that has a page lead to it, in the language of the question. Programs come first.
for (
    ['libraries', '15.1', '15.2.2', 'Table 15.3', '15.1 节', '表 15.5'],
    ['thrust', 'chapter 16', '16.1.2', '16.1.4 节'],
    ['cub', 'section 16.2', '16.2.2', '16.2 节'],
    ['cublas', 'chapter 17', 'section 17.2'],
    ['cusolver', 'chapter 18', '18.1'],
    ['curand', 'chapter 19', '19.1', '19.2.1 节'],
    ['cufft', 'chapter 20', '20.1', '20.2', '第 20.3 节'],
    ['cusparse', 'S2 sparse matrices'],
    ['physics', '21.1.2', '21.3.2', '21.1.2 节'],
    ['files', '21.1', '21.1.1', '21.3.1', '21.3.1 节'])
{
    my ($page, @forms) = @$_;
    for my $form (@forms)
    {
        my @rows = @{(found($form))[0]};
        my $name = $page . (Find::decoded($form) =~ /\p{Han}/ ? '.zh-CN.md' : '.md');
        ok((grep { $_ eq $name } @rows), "make find WHAT='$form' leads to $name") or diag("@rows\n");
        my ($first_page) = grep { $rows[$_] =~ /\.md$/ } 0 .. $#rows;
        my @late = grep { $_ > $first_page && program($rows[$_]) } 0 .. $#rows;
        ok(!@late, '... after the programs') or diag("@rows\n");
    }
}
for my $nothing ('chapter 99', 'section 3.4', 'Table 7.1', 'none.cu', '没有这个主题')
{
    my $found = find($nothing);
    ok($found->{status} == 1 && $found->{out} eq '' && $found->{err} =~ /^[^\n]+\n\z/,
        "make find WHAT='$nothing' finds nothing, and says so in a line") or diag(describe($found));
}

# ---- Topics ----

# What must be among the first three, in both languages.
for (
    ['transpose', 'bank conflict', 'bank conflicts', 'bank 冲突', 'bank冲突', '存储体冲突'],
    ['reduce', 'reduction', '归约', '规约', 'sum of an array'],
    ['atomic-cost', 'atomicAdd'],
    ['atomics', 'atomic functions', '原子函数'],
    ['warp-functions', '__shfl_down_sync', 'shuffle', '洗牌函数'],
    ['add-managed', 'unified memory', 'managed memory', '统一内存'],
    ['coalescing', 'coalesced access', 'coalescing', '合并访问'],
    ['add3memcpy', 'pinned memory', '不可分页内存', '固定内存'],
    ['occupancy', 'occupancy', '占有率'],
    ['histogram', 'histogram', '直方图'],
    ['divergence', 'warp divergence', '分支发散', '线程束分化'],
    ['matmul', 'matrix multiplication', '矩阵乘法'],
    ['scan', 'prefix sum', '前缀和'],
    ['error.cuh', 'CHECK'],
    ['transpose', 'transpose_padded'],
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
my ($chinese) = grep { /^ch07/ } @{(found('合并访问'))[1]};
like($chinese // '', qr/^ch07_global_mem\/[\w.-]+\.zh-CN\.md:\d+$/,
    'a topic in Chinese leads to Chinese headings');
my ($english) = grep { /^ch13/ } @{(found('unified memory'))[1]};
like($english // '', qr/^ch13_unified\/\w+\.md:\d+$/, 'and one in English to English ones');

my (%line, @twice, @lost);
for my $topic (Find::topics())
{
    my %keys = map { Find::key($_) => 1 } @$topic;
    push @twice, grep { $line{$_}++ } keys %keys;
    push @lost, $topic->[0] unless Find::about($has[0], $topic->[0]);
}
binmode Test::More->builder->failure_output, ':utf8';
is_deeply(\@twice, [], 'a name stands in one line of make/topics.txt');
is_deeply(\@lost, [], 'and each line finds something');

# ---- make ----

# That there is nothing is no error of make.
for my $what ('Table 7.1', '', 'Listing 9.2')
{
    my $made = run(['make', 'find', "WHAT=$what"], env => {without_make()});
    ok($made->{status} == 0 && "$made->{out}$made->{err}" !~ /\*\*\*/ && $made->{err} =~ /^[^\n]*\n?\z/,
        "make find WHAT='$what' has no line of make's own") or diag(describe($made));
}

# ---- The search of the site reads places as make find does ----

SKIP:
{
    skip 'there is no node', 1 unless on_path('node');
    my @asked = (
        'Listing 9.2', 'listing9.2', 'Listing9-2', '程序清单 9.2', '列表9.2', '清单９．２', '9.2',
        '§9.2', '第 9.2 节', '表9.1', 'Fig. 12-3', '图2.1', '“图 2.1”', 'ch09', '第九章', '第十二章',
        '第二十章', '第二十二章', '9', 'S4 图 3.7', 'S1 3.2', 'S2 Example 6.9', 'bank', 'hello.cpp', '归约');
    my @places = map { my @place = Find::place(Find::decoded($_)); @place ? Find::word_of_place(@place) : '' }
      @asked;
    my $words = JSON::PP->new->ascii->encode(Find::site_words());
    my $script = write_text(tempdir(CLEANUP => 1) . '/find.js',
        "const WORDS = $words;\n" . read_text('make/site/find.js')
          . 'console.log(process.argv.slice(2).map(q => place(q) || "").join("\n"));');
    my $said = run(['node', $script, @asked]);
    chomp $said->{out};
    is_deeply([split /\n/, $said->{out}, -1], \@places, 'places have the same words in JavaScript')
      or diag(describe($said));
}

# ---- The version ----

my ($version) = read_text('CHANGELOG.md') =~ /^## (\d\S*)/m;
is(run(['./suite', '--version'])->{out}, "cuda-programs $version\n", './suite --version');
my ($asked, @without, @silent) = (0);
for my $program (grep { $_->{Options} && -x binary($_) } programs())
{
    next if $program->{file} =~ /^ch02|\.cpp$/; # these read their arguments themselves
    ++$asked;
    my $help = run([binary($program), '--help'])->{out};
    my $said = run([binary($program), '--version']);
    push @without, $program->{name}
      if $said->{status} != 0 || "$said->{out}$said->{err}" ne "$program->{name} (cuda-programs) $version\n";
    push @silent, $program->{name} unless $help =~ /^  --version +\S/m;
}
ok($asked > 0, 'programs take options by common/args.cuh');
is_deeply(\@without, [], 'programs with options have --version, which says the version of CHANGELOG.md');
is_deeply(\@silent, [], 'and --help mentions it');

# ---- What S1 to S4 are, under the tables that name them ----

{
    local @INC = ("$ROOT/make", @INC);
    require Index;
}
my @rows = map { "| a | of S2 | $_ |\n" } 'Listing 3.4; S4 3.2', 'section 2.1', 'S1 3.2';
is(Index::legend("@rows", 0) =~ s/: [^;]*//gr, 'S1; S4', 'a table says what those of S1 to S4 are that it names');
like(Index::legend("@rows", 1), qr/^S1：.+；S4：[^；]+。$/, '... in Chinese, too');
is(Index::legend($rows[1], 0), '', '... and nothing where it names none');

# ---- The doors: addresses, notebook, devcontainer, CITATION.cff ----

my $home = Home::home();
for my $file ('README.md', 'README.zh-CN.md', Home::files())
{
    my $text = read_text($file);
    is($text, Home::with_addresses($file, $text, $home), "$file has the addresses of make/home.txt");
    my ($without, $with) = map { Home::with_addresses($file, $text, $_) } '', 'who/what';
    my $addresses = qr{https://(?:[\w-]+\.github\.io|github\.com|colab\.[\w.]+)/[^\s)"\\]+};
    is_deeply([$without =~ /$addresses/g], [], "$file without an address has none");
    my @with = $with =~ /$addresses/g;
    ok(@with && !grep({ !m{\bwho(?:/|\.github\.io/)what\b|/assets/} } @with), '... and with one has that one')
      or diag("@with");
    is(Home::with_addresses($file, $with, ''), $without, '... which can be taken back');
}
my $notebook = JSON::PP->new->utf8->decode(read_text('docs/cuda-suite.ipynb'));
my @cells = map { [$_->{cell_type}, join '', @{$_->{source}}] } @{$notebook->{cells}};
my @one_language = grep { $_->[0] eq 'markdown' && !($_->[1] =~ /[a-z]{4}/ && $_->[1] =~ /\p{Han}/) } @cells;
is_deeply(\@one_language, [], 'each text of the notebook is in both languages');
is_deeply([grep { @{$_->{outputs} // []} } @{$notebook->{cells}}], [], 'it has no outputs');
my %names = map { $_->{name} => 1 } all_programs();
my @commands = map { split /\s*&&\s*/, $_ } map { $_->[1] =~ /^!(.*)/mg } grep { $_->[0] eq 'code' } @cells;
my @unknown = grep { m{^\./bin/([\w-]+)} && !$names{$1} } @commands;
push @unknown, grep { !$names{$_} && !/^(?:doctor|find|tour|WHAT=.*)$/ }
  map { split ' ', s/"[^"]*"|<\S+//gr =~ s/^.*?\bmake //r } grep { /\bmake / } @commands;
is_deeply(\@unknown, [], 'its commands can be typed');
my $container = read_text('.devcontainer/devcontainer.json') =~ s{^\s*//.*\n}{}mgr;
my $settings = eval { JSON::PP->new->utf8->decode($container) };
ok($settings && $settings->{image} && $settings->{postCreateCommand}, 'the devcontainer can be read')
  or diag($@);
like(read_text('CITATION.cff'), qr/^version: \Q$version\E$/m, 'CITATION.cff has the version');

# What the sentences of book.txt name is there.
my @sentences = grep { /^[^#]/ } split /\n/, read_text('make/book.txt');
my @bad =
  grep { !/^(?:(chapter|section|Table|Fig\.|Listing|file) \S+|S[1-4] [^:]+): \S.*\.$/ } @sentences;
ok(!@bad, 'each line of make/book.txt has a place and a sentence') or diag(map { "  $_\n" } @bad);
my @paths = map { m{(\w[\w-]*/[\w./-]*\w)}g } map { s/^[^:]*: //r } @sentences;
my @dead = grep { !-e } @paths;
ok(@paths > 20 && !@dead, 'its paths lead somewhere') or diag(map { "  $_\n" } @dead);
my @gone;
for my $sentence (@sentences)
{
    while ($sentence =~ /\brows? ((?:`[\w-]+`(?: \(section [\d.]+\))?(?: and )?)+) of ([\w-]+)/g)
    {
        my ($rows, $name) = ($1, $2);
        my %versions = map { $_ => 1 } @{(program($name) // {versions => []})->{versions}};
        push @gone, map { "$_ of $name" } grep { !$versions{$_} } $rows =~ /`([\w-]+)`/g;
    }
}
ok(!@gone, 'its rows are versions of their programs') or diag(map { "  $_\n" } @gone);

done_testing();
