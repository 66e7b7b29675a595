# The READMEs of the chapters and of the whole, the chapters' further pages, and docs/map.md are
# what `make index` would write, and both languages say the same: the same programs, commands and
# measured figures, in the same order. A chapter's README links to each of its further pages.
# The pages of docs/ and cpu/README.md also have as many headings, items and rows in both languages,
# and link to the same files.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin, "$FindBin::Bin/../bench", "$FindBin::Bin/../make";
use Files qw(further_pages);
use Results;
use Suite;
use Test::More;

my %wanted = map { ("$_->{dir}/" => 1) } programs();
my @DIRECTORIES = (sort(keys %wanted), $ENV{SUITE_ONLY} ? () : '');

# The pages below $root, of those wanted, whose tables are not what `make index` would write.
sub stale
{
    my ($root) = @_;
    my $ran = sh('./suite index --check', dir => $root);
    return grep { $wanted{s/[^\/]*$//r} || !$ENV{SUITE_ONLY} } split /\n/, $ran->{out};
}

# Lines of commands: those of sh blocks, and those of console blocks that begin with `$ `. What
# stands behind a # is for readers.
sub commands
{
    my ($text) = @_;
    my @commands;
    while ($text =~ /^( *)```(sh|console)\n(.*?)^\1``` *$/gms)
    {
        my ($language, $block) = ($2, $3);
        push @commands, grep { $language eq 'sh' || s/^\$ // } map { s/^\s+//r } split /\n/, $block;
    }
    return grep { $_ ne '' } map { s/(^|\s)#.*//r =~ s/\s+$//r } @commands;
}

# The markers whose figures are still to be measured, as they will be: `<!--?=` begins them, a dash
# is their figure, and `<!--?/-->` ends them.
sub future_markers
{
    my ($text) = @_;
    return join "\n", map { s/<!--\?/<!--/gr } $text =~ m{<!--\?=[^\n]*?-->\xe2\x80\x93<!--\?/-->}g;
}

# What is wrong with the markers of a page, present and future.
sub bad_markers
{
    my ($text) = @_;
    my $rest = $text =~ s{<!--\?=[^\n]*?-->\xe2\x80\x93<!--\?/-->}{}gr;
    return bad_present_markers($text),
      bad_present_markers(future_markers($text) =~ s/\xe2\x80\x93/0/gr),
      map { "not a future marker: $_" } $rest =~ /(<!--\?[^\n]{0,40})/g;
}

sub bad_present_markers
{
    my ($text) = @_;
    my @bad;
    for (markers($text))
    {
        my ($name, $args, undef, undef, $figure) = @$_;
        my $program = program($name =~ s{^dp/}{}r);
        push @bad, "there is no program $name" unless $program;
        push @bad, "$name has no option $_"
          for $program ? grep { my $o = $_; !grep { $_->[0] eq $o } @{$program->{options}} }
          $args =~ /(?<!\S)(-[a-z-]+)/g : ();
        push @bad, "'$figure' of $name is no number"
          unless $figure =~ /^([-+\x{2212}]?\d[\d,]*(\.\d+)?(e[-+]?\d+)?)$/;
    }
    my $rest = $text =~ s/$Results::MARKER//gr;
    push @bad, "not a marker: $_" for $rest =~ m{(<!--[=/]-?-?>?[^\n]{0,40})}g;
    return @bad;
}

sub linked_programs
{
    my ($text) = @_;
    my @tables = $text =~ /^<!-- programs(?:: [^\n]+)? -->\n(.*?)^<!-- \/programs -->$/msg;
    return join('', @tables) =~ /^\| \[([^\]]+)\]/mg;
}

# How two lists differ first, in words; '' if they do not.
sub difference
{
    my ($what, $english, $chinese) = @_;
    for my $i (0 .. ($#$english > $#$chinese ? $#$english : $#$chinese))
    {
        my ($one, $other) = map { $_->[$i] // 'nothing' } $english, $chinese;
        return "$what " . ($i + 1) . " is '$one' in English and '$other' in Chinese"
          if $one ne $other;
    }
    return '';
}

sub differences
{
    my ($english, $chinese) = @_;
    my $number = sub { my ($text, $pattern) = @_; [scalar(() = $text =~ /$pattern/g)] };
    my @questions = map { $number->($_, qr/^### /m) } $english, $chinese;
    my @answers = map { $number->($_, qr/<details>/) } $english, $chinese;
    return grep { $_ ne '' }
      difference('program', map { [linked_programs($_)] } $english, $chinese),
      difference('command', map { [commands($_)] } $english, $chinese),
      difference('figure', map { [map { join '.', @$_ } markers($_)] } $english, $chinese),
      difference('future figure',
        map { [map { join '.', @$_ } markers(future_markers($_))] } $english, $chinese),
      difference('the number of questions,', @questions),
      difference('the number of <details>,', @answers),
      map({ (() = /<details>/g) == (() = m{</details>}g) ? () : 'a <details> is not closed' }
        $english, $chinese);
}

# The same page in both languages.
sub test_languages
{
    my @files = @_;
    my @texts = map { read_text($_) } @files;
    for my $i (0, 1)
    {
        my @bad = bad_markers($texts[$i]);
        ok(!@bad, "$files[$i] has well-formed markers") or diag(map { "  $_\n" } @bad);
    }
    my @differences = differences(@texts);
    ok(!@differences, "$files[1] has what $files[0] has") or diag(map { "  $_\n" } @differences);
}

# The further pages of a chapter that a README does not link to, each under its name in $language.
sub not_linked
{
    my ($text, $language, @pages) = @_;
    my %linked = map { $_ => 1 } $text =~ /\]\(([\w.-]+\.md)[#)]/g;
    return grep { !$linked{$_} } map { basename($_) =~ s/\.md$/$language.md/r } @pages;
}

# A page of docs/ or cpu/: the parts that a translation keeps.
sub page_differences
{
    my ($english, $chinese) = @_;
    my @texts = map { s/^( *)```.*?^\1``` *$//gmsr } $english, $chinese;
    my @counted = (['headings', qr/^#+ /m], ['items', qr/^ *- /m], ['rows', qr/^ *\|/m]);
    return differences($english, $chinese),
      difference('link', map { [linked_files($_)] } @texts),
      grep { $_ ne '' }
      map { my ($what, $pattern) = @$_; difference("the number of $what,",
            map { [scalar(() = /$pattern/g)] } @texts) } @counted;
}

# The files that a page links to, but for other pages.
sub linked_files
{
    my ($text) = @_;
    return grep { !/^[a-z]+:|^#|\.md(?:#|$)/ } $text =~ /\]\(([^)\s]+)\)/g;
}

# ---- The READMEs and the further pages ----

my @stale = stale($ROOT);
ok(!@stale, 'every table of programs and the map are what `make index` writes')
  or diag("  run `make index`: it writes anew @stale");

for my $directory (@DIRECTORIES)
{
    my @files = map { "$directory$_" } 'README.md', 'README.zh-CN.md';
    my @missing = grep { !-e } @files;
    ok(!@missing, ($directory || 'the top') . ' has a README in both languages')
      or diag("  without @missing"), next;
    my @texts = map { read_text($_) } @files;
    my @pages = $directory eq '' ? () : further_pages($directory =~ s{/$}{}r);
    my @programs = grep { $directory eq '' || "$_->{dir}/" eq $directory } all_programs();
    for my $i (0, 1)
    {
        my %listed = map { $_ => 1 } linked_programs($texts[$i]);
        my @unlisted = grep { !$listed{$_} } map { $_->{name} } @programs;
        ok(!@unlisted, "$files[$i] lists every program")
          or diag("  run `make index`: not @unlisted");
        my @not_linked = not_linked($texts[$i], ('', '.zh-CN')[$i], @pages);
        ok(!@not_linked, "$files[$i] links to the further pages of its chapter")
          or diag("  not to @not_linked");
    }
    test_languages(@files);
    for my $page (@pages)
    {
        my @both = ($page, $page =~ s/\.md$/.zh-CN.md/r);
        my @gone = grep { !-e } @both;
        ok(!@gone, "$page is there in both languages") or diag("  without @gone"), next;
        test_languages(@both);
    }
}

# ---- docs/ and cpu/README.md ----

# docs/glossary.md has both languages in one table.
for my $page ($ENV{SUITE_ONLY} ? () : grep { !/\.zh-CN\.md$|glossary/ } glob 'docs/*.md cpu/*.md')
{
    my $translation = $page =~ s/\.md$/.zh-CN.md/r;
    ok(-e $translation, "$page is there in Chinese, too") or next;
    my ($english, $chinese) = map { read_text($_) } $page, $translation;
    my @differences = grep { $_ ne '' } page_differences($english, $chinese);
    push @differences, 'the first lines do not link to the other language'
      unless "$english\n" =~ /\A(?:.*\n){1,6}?.*\[\S+\]\(\Q@{[basename($translation)]}\E\)/
      && $chinese =~ /\A(?:.*\n){1,6}?.*\[English\]\(\Q@{[basename($page)]}\E\)/;
    ok(!@differences, "$translation has what $page has") or diag(map { "  $_\n" } @differences);
}

# `make list` has the rows of README.md: the same programs with the same sentences and places.
if (!$ENV{SUITE_ONLY})
{
    my $list = sh('./suite list');
    my @listed = map { join ' | ', split(/ {2,}/) } map { s/^\S+ +//r } split /\n/, $list->{out};
    my @rows = map { s/&lt;/</gr =~ s/\\\|/|/gr }
      read_text('README.md') =~ /^\| \[([\w-]+)\]\(ch\w+\/[\w.-]+\.(?:cu|cpp)\) (\|.*) \|$/mg;
    my @in_readme;
    push @in_readme, join ' ', splice @rows, 0, 2 while @rows;
    is_deeply([sort @listed], [sort @in_readme], 'make list says what README.md says');
}

# ---- What these tests must see ----

# A copy of the programs with small READMEs, right as they are.
my $copy = tempdir(CLEANUP => 1);
sh("mkdir '$copy/ch02_threads' '$copy/docs' && cp -a suite make bench '$copy' && cp -a ch02_threads/*.c* '$copy/ch02_threads'"
    . " && sed -i '/^chapter 1\$/,/^\$/d; /^chapter 3\$/,\$d' '$copy/make/places.txt'");
my @maps = ('docs/map.md', 'docs/map.zh-CN.md');
my @readmes = map { ("${_}README.md", "${_}README.zh-CN.md") } '', 'ch02_threads/';
my $TABLE = "<!-- programs -->\n<!-- /programs -->\n";
my $TEXT = "$TABLE\n### 1. Question\n\n```sh\nmake # all\n./bin/hello4\n```\n```console\n"
  . "\$ ./bin/hello5  # a remark\nHello\n```\n<details>\n"
  . "<!--=hello5.row.ms-->0.53<!--/--> ms\n</details>\n"
  . "<!-- results: bench/results/here.txt -->\n";
mkdir "$copy/bench/results";
write_text("$copy/bench/results/here.txt", "device: this\n\n\$ hello5\n    row  ms\n    row  0.53\n");

sub write_readmes
{
    write_text("$copy/$_", "# Title\n\n$TEXT") for @readmes;
    return sh('./suite index', dir => $copy);
}

sub edit
{
    my ($file, $code) = @_;
    local $_ = read_text("$copy/$file");
    $code->();
    write_text("$copy/$file", $_);
}

# In the copy nothing is left out for SUITE_ONLY.
sub stale_in_copy
{
    local $ENV{SUITE_ONLY};
    return join ' ', stale($copy);
}

is(write_readmes()->{status}, 0, 'make index writes tables') or diag(describe(write_readmes()));
is(stale_in_copy(), '', '... which are not stale then');
my $written = read_text("$copy/$readmes[3]");
like($written, qr/^\| 程序 \| 展示 \| 出处 \|$/m, '... in Chinese');
like(read_text("$copy/$readmes[0]"), qr{^\| \[hello\]\(ch02_threads/hello\.cpp\) \| the smallest }m,
    '... and at the top');
is(differences(map { read_text("$copy/$readmes[$_]") } 2, 3),
    0, '... with the same in both languages');
for my $readme (@readmes)
{
    write_readmes();
    edit($readme, sub { s/^\| \[hello3\].*\n//m or die "no hello3 in $readme\n" });
    like(stale_in_copy(), qr/(^| )\Q$readme\E( |$)/, "a program that $readme misses");
}
write_readmes();
write_text("$copy/$maps[1]", read_text("$copy/$maps[1]") =~ s/hello4/hello5/r);
is(stale_in_copy(), $maps[1], 'a map that was edited');
write_readmes();
edit('ch02_threads/hello3.cu', sub { s/^\/\/ hello3: /\/\/ hello3: now / or die });
is(stale_in_copy(), "$readmes[2] $readmes[0]", 'another sentence in a header comment');
edit('ch02_threads/hello3.cu',
    sub { s/hello3: now /hello3: /; s/(From:    )/$1Listing 2.2; / or die });
is(stale_in_copy(), "@readmes[2, 3, 0, 1] @maps", 'another From: in a header comment');
write_readmes();
write_text("$copy/ch02_threads/aa.cu",
    "// aa: new\n//\n// From:    here | there\n// Chinese: 新的\n");
is(stale_in_copy(), "@readmes[2, 3, 0, 1]", 'a new program');
sh('./suite index', dir => $copy);
like(read_text("$copy/$readmes[3]"),
    qr/\n\| \[aa\]\(aa\.cu\) \| 新的 \| here \\\| there \|\n(?:\nS\d.*\n)?<!-- \/programs -->\n/,
    '... comes last, and what it says cannot end a cell');
edit('ch02_threads/aa.cu', sub { s/^(\/\/ Chinese)/\/\/ Order:   after hello\n$1/m });
sh('./suite index', dir => $copy);
like(read_text("$copy/$readmes[2]"), qr/^\| \[hello\].*\n\| \[aa\].*\n\| \[hello1\]/m,
    'Order: after NAME gives it another place');
my @names = read_text("$copy/$readmes[2]") =~ /^\| \[([\w-]+)\]/mg;
is("@names", 'hello aa hello1 hello2 hello3 hello4 hello5 thread-index launch-limits arch',
    'the others come in the order of the book');

# Figures come from the result file that a README names.
write_text("$copy/bench/results/here.txt",
    "device: this\n\n\$ hello5\n    row    CPU ms\n    row   12.3456\n    other      3.5\n");
is(stale_in_copy(), "@readmes[2, 3, 0, 1]", 'a figure that is not that of the result file');
sh('./suite index', dir => $copy);
is(stale_in_copy(), '', '... until make index writes it');
like(read_text("$copy/$_"), qr/^<!--=hello5\.row\.ms-->12\.3<!--\/--> ms$/m, "... into $_")
  for @readmes;
edit($readmes[2], sub { s/12\.3</12.4</ or die });
is(stale_in_copy(), $readmes[2], 'a figure that was typed');
edit($readmes[2], sub { s/hello5\.row\.ms/hello5.none.ms/ or die });
my $nothing = sh('./suite index', dir => $copy);
ok($nothing->{status} == 1 && $nothing->{err} =~ /^\Q$readmes[2]\E: .*`hello5` has no ms of none$/m,
    'a figure that the result file has not')
  or diag(describe($nothing));
edit($readmes[2], sub { s/^<!-- results.*\n//m or die });
like(sh('./suite index', dir => $copy)->{err},
    qr/^\Q$readmes[2]\E has measured figures, but no line <!-- results: FILE -->$/m,
    'a page with figures that names no result file');

# Further pages of a chapter: their figures come from the result file of its README, and a table
# has the programs that it names.
my @further = map { "ch02_threads/more$_" } '.md', '.zh-CN.md';
write_readmes();
my $results_line = '<!-- results: bench/results/here.txt -->';
edit($readmes[2], sub { s/^# Title\n/$&\n[more](more.md)\n/ });
sh('./suite index', dir => $copy);
my $part = "<!-- programs: hello5 thread -->\n<!-- /programs -->\n";
write_text("$copy/$_", "# More\n\n$part\n<!--=hello5.row.ms-->99<!--/--> ms\n") for @further;
is(stale_in_copy(), "@further", 'further pages');
sh('./suite index', dir => $copy);
is(stale_in_copy(), '', '... until make index writes them');
for my $file (@further)
{
    my $text = read_text("$copy/$file");
    like($text, qr/>12\.3<!--\/--> ms$/m, "... with figures: $file");
    is(join(' ', linked_programs($text)), 'hello5 thread-index', '... and programs, in their order');
}
write_text("$copy/bench/results/there.txt", "device: that\n\n\$ hello4\n    row    ms\n    row  7.89\n");
edit($_,
    sub { $_ .= $results_line =~ s/here/there/r . "\n<!--=hello4.row.ms-->1<!--/--> ms, too\n" })
  for @further;
sh('./suite index', dir => $copy);
is(stale_in_copy(), '', '... of a result file of its own, too');
like(read_text("$copy/$further[0]"), qr/>12\.3<!--.*>7\.89<!--/s, '... each from its own');
is(join(' ', further_pages("$copy/ch02_threads")), "$copy/ch02_threads/more.md",
    'a page in two languages is one');
is(join(' ', not_linked(read_text("$copy/$readmes[2]"), '', 'x/more.md', 'x/other.md')), 'other.md',
    'a page that the README does not link to');
for (
    ['names no program', sub { s/hello5 thread/thread-/ }],
    ['has a table that does not end', sub { s/<!-- \/programs -->\n// }],
    ['has the table of a README', sub { s/programs: .*? -->/programs -->/ }])
{
    my ($title, $code) = @$_;
    my $before = read_text("$copy/$further[0]");
    edit($further[0], $code);
    my $ran = sh('./suite index', dir => $copy);
    ok($ran->{status} == 1 && $ran->{err} =~ /^\Q$further[0]\E\b/, "a further page that $title")
      or diag(describe($ran));
    write_text("$copy/$further[0]", $before);
}
unlink "$copy/$further[1]";
is(stale_in_copy(), $further[1], 'a further page without its Chinese one');
unlink "$copy/$further[0]";

for (['no markers', sub { s/<!-- .?programs -->\n//g }],
    ['no end', sub { s/<!-- \/programs -->\n// }], ['two tables', sub { $_ .= $TABLE }])
{
    my ($title, $code) = @$_;
    write_readmes();
    edit($readmes[3], $code);
    my $before = read_text("$copy/$readmes[3]");
    my $ran = sh('./suite index', dir => $copy);
    ok($ran->{status} != 0 && $ran->{err} =~ /^\Q$readmes[3]\E /,
        "a README with $title is refused");
    is(read_text("$copy/$readmes[3]"), $before, '... and left as it is');
    is(stale_in_copy(), $readmes[3], '... and found');
}
unlink "$copy/$readmes[3]";
is(stale_in_copy(), $readmes[3], 'a README that is not there is found');
is(join(' ', glob "$copy/*README*.[0-9]* $copy/ch*/*.md.[0-9]*"), '', 'no half file is left');

for (['another command', sub { s/hello4/hello3/ }, qr/^command 2 is '.*hello4' in English/],
    ['a command more', sub { s/(```console\n)/$1\$ ls\n/ }, qr/^command 3/],
    ['another figure', sub { s/0\.53/0.54/ }, qr/^figure 1 is 'hello5..row.ms.0.53'/],
    ['a figure less', sub { s/<!--=.*--> // }, qr/and 'nothing' in Chinese/],
    ['a question less', sub { s/### / / }, qr/number of questions/],
    ['an answer that is open', sub { s/<details>// }, qr/<details>/])
{
    my ($title, $code, $pattern) = @$_;
    local $_ = $TEXT;
    $code->();
    like(join('; ', differences($TEXT, $_)), $pattern, "$title in Chinese");
}
is(join('; ', differences($TEXT, $TEXT =~ s/ # .*//gr)), '', 'remarks may differ');

my $PAGE = "# Title\n\n- an item [a](../ch02_threads/hello4.cu)\n\n| a | b |\n";
for (['an item less', 's/^- //m', qr/number of items/],
    ['another link', 's/hello4/hello3/', qr/^link 1 is .*hello4/],
    ['a row less', 's/^\|.*//m', qr/number of rows/],
    ['a heading more', 's/\n- /\n## More\n\n- /', qr/number of headings/])
{
    my ($title, $edit, $pattern) = @$_;
    my $text = $PAGE;
    eval "\$text =~ $edit; 1" or die $@;
    like(join('; ', grep { $_ ne '' } page_differences($PAGE, $text)),
        $pattern, "$title in a page in Chinese");
}
is(join('; ', bad_markers($TEXT)), '', 'a right marker');
is(join('; ', bad_markers('<!--=dp/hello5.sin(x), -3.14 ... 3.14.GB/s-->-1.5e+03<!--/-->')), '',
    'a marker of a program in double, with dots in the name of the row');
# One without a figure yet.
my $FUTURE = "<!--?=hello5.row.ms-->\xe2\x80\x93<!--?/-->";
is(join('; ', bad_markers($FUTURE)), '', 'a right marker without a figure');
for (
    ['of no program', 's/=hello5/=hello99/', qr/no program hello99/],
    ['without a column', 's/\.ms//', qr/not a marker/],
    ['without an end', 's{<!--\?/-->}{}', qr/not a future marker/],
    ['with a figure', 's/\xe2\x80\x93/5/', qr/not a future marker/])
{
    my ($title, $edit, $pattern) = @$_;
    my $text = $FUTURE;
    eval "\$text =~ $edit; 1" or die $@;
    like(join('; ', bad_markers($text)), $pattern, "a marker without a figure $title");
}
like(
    join('; ', differences("$TEXT$FUTURE", $TEXT)),
    qr/^future figure 1 is 'hello5/,
    '... that Chinese lacks');
for (
    ['of no program', 's/=hello5/=hello99/', qr/no program hello99/],
    ['without an end', 's{<!--/-->}{}', qr/not a marker/],
    ['without a beginning', 's/<!--=.*?-->//', qr/not a marker/],
    ['without a column', 's/\.ms//', qr/not a marker/],
    ['with an option that is none', 's/=hello5/=hello5[-q 3]/', qr/hello5 has no option -q/],
    ['around words', 's/0\.53/fast/', qr/'fast' of hello5 is no number/],
    ['around two numbers', 's/0\.53/1 2/', qr/'1 2' of hello5 is no number/])
{
    my ($title, $edit, $pattern) = @$_;
    my $text = $TEXT;
    eval "\$text =~ $edit; 1" or die $@;
    like(join('; ', bad_markers($text)), $pattern, "a marker $title");
}

done_testing();
