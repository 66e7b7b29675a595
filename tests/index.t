# The READMEs of the chapters and of the whole, the chapters' further pages, docs/programs.md and
# docs/map.md are what `make index` would write, and both languages say the same: the same commands, measured figures
# and files that they link to, and as many headings, items, rows and answers. So have the pages of
# docs/ and cpu/. A chapter's README links to each of its further pages.
#
# Inputs: programs chinese docs make figures CITATION.cff
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../bench", "$FindBin::Bin/../make";
use Documents;
use Files qw(further_pages);
use Results;
use Suite;
use Test::More;

my %wanted = map { ("$_->{dir}/" => 1) } programs();

# The pages below $root, of those wanted, that are not what `make index` would write.
sub stale
{
    my ($root) = @_;
    my $ran = sh('./suite index --check', dir => $root);
    return grep { $wanted{s/[^\/]*$//r} || !$ENV{SUITE_ONLY} } split /\n/, $ran->{out};
}

# Lines of commands: those of sh blocks, and those of console blocks that begin with `$ `. What
# stands behind a # or // is for readers.
sub commands
{
    my ($text) = @_;
    my @commands;
    while ($text =~ /^( *)```(sh|console)\n(.*?)^\1``` *$/gms)
    {
        my ($language, $block) = ($2, $3);
        push @commands, grep { $language eq 'sh' || s/^\$ // } map { s/^\s+//r } split /\n/, $block;
    }
    return grep { $_ ne '' } map { s{(^|\s)(?:#|// ).*}{}r =~ s/\s+$//r } @commands;
}

# How two lists differ first, in words; nothing if they do not.
sub difference
{
    my ($what, $english, $chinese) = @_;
    for my $i (0 .. ($#$english > $#$chinese ? $#$english : $#$chinese))
    {
        my ($one, $other) = map { $_->[$i] // 'nothing' } $english, $chinese;
        return "$what " . ($i + 1) . " is '$one' in English and '$other' in Chinese"
          if $one ne $other;
    }
    return;
}

# What a translation keeps.
my %COUNTED = (headings => qr/^#+ /m, items => qr/^ *- /m, rows => qr/^ *\|/m,
    '<details>' => qr/<details>/, '</details>' => qr{</details>});

sub differences
{
    my @texts = @_;
    my @bare = map { s/^( *)```.*?^\1``` *$//gmsr } @texts;
    return difference('command', map { [commands($_)] } @texts),
      difference('figure', map { [map { join '.', @$_ } markers($_)] } @texts),
      difference('link', map { [map { s/\.zh-CN//r } grep { !/^[a-z]+:|^#|\.md(?:#|$)/ } /\]\(([^)\s]+)\)/g] } @bare),
      map { my $what = $_; difference("the number of $what,",
            map { [scalar(() = /$COUNTED{$what}/g)] } @bare) } sort keys %COUNTED;
}

# What looks like the marker of a measured figure and is none, and markers of no program.
sub bad_markers
{
    my ($text) = @_;
    return map({ "not a marker: $_" } $text =~ s/$Results::MARKER//gr =~ m{(<!--[=/?]-?-?>?[^\n]{0,40})}g),
      map { "there is no program $_" } grep { !program(s{^dp/}{}r) } map { $_->[0] } markers($text);
}

# A page and its Chinese one. A figure that is still to be measured, which is a dash between
# <!--?=...--> and <!--?/-->, counts as one that is 0.
sub test_languages
{
    my ($page) = @_;
    my @files = ($page, $page =~ s/\.md$/.zh-CN.md/r);
    my ($english, $chinese) = map { (-e $_ ? read_text($_) : '')
          =~ s{<!--\?(=[^\n]*?-->)\xe2\x80\x93<!--\?/-->}{<!--${1}0<!--/-->}gr } @files;
    my @bad = map { bad_markers($_) } $english, $chinese;
    ok(!@bad, "$page has well-formed markers") or diag(map { "  $_\n" } @bad);
    chinese_is_there("$files[1] has what $page has", -e $files[1]
        ? map({ "$files[1]: $_" } differences($english, $chinese)) : "$files[1] is not there");
}

my @stale = stale($ROOT);
my @in_english = grep { !/\.zh-CN\.md$/ } @stale;
ok(!@in_english, 'every page is what `make index` writes') or diag("  run `make index`: it writes anew @in_english");
chinese_is_there('... and every Chinese page',
    map { "$_ is not what `make index` writes" } grep { /\.zh-CN\.md$/ } @stale);

for my $folder (sort(keys %wanted), $ENV{SUITE_ONLY} ? () : '')
{
    my $readme = "${folder}README.md";
    ok(-e $readme, "$readme is there") or next;
    test_languages($readme);
    my @pages = $folder eq '' ? () : further_pages($folder =~ s{/$}{}r);
    my $text = read_text($readme);
    my @not_linked = grep { index($text, '](' . basename($_)) < 0 } @pages;
    ok(!@not_linked, "$readme links to the further pages of its chapter") or diag("  not to @not_linked");
    test_languages($_) for @pages;
}
# docs/glossary.md has both languages in one table, and docs/maintaining.md is for those who write here.
for my $page ($ENV{SUITE_ONLY} ? () : grep { !/\.zh-CN\.md$|glossary|maintaining/ } glob 'docs/*.md cpu/*.md')
{
    test_languages($page);
    my $link = '](' . basename($page) =~ s/\.md$/.zh-CN.md/r . ')';
    ok(index(join('', (split /^/, read_text($page))[0 .. 6]), $link) > 0, '... and begins with a link to it');
}

# ---- make index, in a folder of two programs with small READMEs ----

my $copy = tempdir(CLEANUP => 1);
sh("mkdir -p '$copy/ch02_threads' '$copy/docs' && cp -a suite make bench '$copy'");
mkdir "$copy/ch02_threads/zh";
for ('one', 'two')
{
    write_text("$copy/ch02_threads/$_.cu", "// $_: says $_\n//\n// From:    Listing 2.1\n");
    write_text("$copy/ch02_threads/zh/$_.cu.po", qq(msgid "says $_"\nmsgstr "打印 $_"\n));
}
my @readmes = map { ("$_.md", "$_.zh-CN.md") } 'docs/programs', 'ch02_threads/README';
write_text("$copy/bench/results/here.txt", "device: this\n\n\$ one\n    row  ms\n    row  12.3456\n");
my $TEXT = "# Title\n\n<!-- programs -->\n<!-- /programs -->\n<!--=one.row.ms-->1<!--/--> ms\n"
  . "<!-- results: bench/results/here.txt -->\n";

sub make_index
{
    return sh('./suite index', dir => $copy);
}

sub edit
{
    my ($file, $code) = @_;
    local $_ = read_text("$copy/$file");
    $code->();
    write_text("$copy/$file", $_);
}

sub is_stale
{
    my ($pages, $title) = @_;
    local $ENV{SUITE_ONLY};
    is(join(' ', stale($copy)), $pages, $title);
}

write_text("$copy/$_", $TEXT) for @readmes;
is_stale("@readmes[2, 3, 0, 1]", 'empty tables are found');
is(make_index()->{status}, 0, 'make index writes them') or diag(describe(make_index()));
is_stale('', '... and they are not stale then');
like(read_text("$copy/$readmes[3]"), qr/^\| \[one\]\(one\.cu\) \| 打印 one \| 程序清单 2\.1 \|\n.*>12\.3<!--/ms,
    '... in Chinese, and the figures');
like(read_text("$copy/$readmes[1]"),
    qr{^\*\*\[ch02_threads\]\(\.\./ch02_threads/README\.zh-CN\.md\)\*\*\n.*^\| \[one\]\(\.\./ch02_threads/one\.cu\) }ms,
    '... and the table of all chapters');
edit('ch02_threads/one.cu', sub { s/says/prints/ or die });
is_stale("@readmes[2, 3, 0, 1]", 'another sentence in a header comment, which has no Chinese yet');
write_text("$copy/ch02_threads/three.cu", "// three: new, without Chinese\n//\n// From:    here | there\n");
make_index();
my $row = qr/\| new, without Chinese \| here \\\| there \|\n<!-- \/programs -->\n/;
like(read_text("$copy/$_"), $row, "a new program comes last, and its row has no third bar: $_") for @readmes;

# What it refuses, and leaves as it is.
for (['no table', sub { s/<!-- .?programs -->\n//g }, 'has no lines'],
    ['a table without an end', sub { s/<!-- \/programs -->\n// }, 'has no lines'],
    ['a figure that the result file has not', sub { s/one\.row/one.none/ }, '.*`one` has no ms of none'],
    ['figures that come from nowhere', sub { s/^<!-- results.*\n//m }, 'has measured figures, but no line'])
{
    my ($title, $code, $says) = @$_;
    write_text("$copy/$readmes[2]", $TEXT);
    edit($readmes[2], $code);
    my $before = read_text("$copy/$readmes[2]");
    my $ran = make_index();
    ok($ran->{status} == 1 && $ran->{err} =~ /^\Q$readmes[2]\E:? $says/m && read_text("$copy/$readmes[2]") eq $before,
        "a README with $title is refused") or diag(describe($ran));
}
write_text("$copy/$readmes[2]", $TEXT);
write_text("$copy/ch02_threads/more$_.md", "<!-- programs: four -->\n<!-- /programs -->\n") for '', '.zh-CN';
like(make_index()->{err}, qr{^ch02_threads/more\.md: no program is named four$}m, 'a further page that names no program');

done_testing();
