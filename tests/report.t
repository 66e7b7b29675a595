# `make report`: the page of a result file has all that the file has, as tables where it prints tables,
# with nothing of it taken for HTML. It is whole or not written. The figures of tests/report are made
# up. Takes a second.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $RESULTS = 'tests/report/results.txt';

sub report
{
    my ($file, $page) = @_;
    return run(['perl', 'bench/report.pl', $file, $page // "$dir/report.html"], dir => $ROOT);
}

# What is wrong with the tags of a page, or ''.
sub problem
{
    my ($page) = @_;
    my @open;
    while ($page =~ m{<(/?)([a-z][a-z0-9]*)((?:[^<>"]|"[^"]*")*)>}g)
    {
        my ($closes, $tag) = ($1, $2);
        next if $tag =~ /^(?:meta|link|img|br)$/;
        push @open, $tag unless $closes;
        next unless $closes;
        my $last = pop(@open) // 'nothing';
        return "</$tag> closes $last" if $last ne $tag;
    }
    return "still open: @open" if @open;
    my $rest = $page =~ s{<style>.*?</style>}{}sr =~ s{<!DOCTYPE html>}{}r
      =~ s{</?[a-z][a-z0-9]*(?:[^<>"]|"[^"]*")*>}{}gr;
    return "neither tag nor text: $&" if $rest =~ /.{0,20}[<>].{0,20}/;
    return "a lone &: $&" if $rest =~ /.{0,20}&(?!(?:amp|lt|gt|quot);).{0,20}/;
    my %ids;
    return "the id $1 twice" if grep { $ids{$_}++ } $page =~ /\bid="([^"]*)"/g;
    my @dead = grep { !$ids{$_} } $page =~ /href="#([^"]*)"/g;
    return @dead ? "links to nothing: @dead" : '';
}

sub text_of
{
    my ($page) = @_;
    return $page =~ s{<style>.*?</style>}{}sr =~ s{<[^>]*>}{ }gr =~ s/&lt;/</gr =~ s/&gt;/>/gr
      =~ s/&quot;/"/gr =~ s/&amp;/&/gr;
}

# ---- The test itself ----

like(problem('<p><b></p></b>'), qr/closes/, 'tags that cross are seen');
like(problem('<p>a < b</p>'), qr/neither/, 'so is a < in text');
like(problem('<p>a & b</p>'), qr/lone/, 'and an &');

# ---- A page ----

my $ran = report($RESULTS);
is($ran->{status}, 0, 'a page is written') or diag(describe($ran));
is($ran->{err}, '', 'without a warning');
my $page = read_text("$dir/report.html");
is(problem($page), '', 'its tags are in order');
unlike($page, qr/<script|(?:src|href)="(?:https?:)?\/\/|\@import|url\(/, 'it has no scripts and needs no network');
like($page, qr/<meta name="viewport"/, 'a phone shows it at its own width');
like($page, qr/\@media print/, 'it has a style for paper');
like($page, qr/prefers-color-scheme: dark/, 'and one for the dark');

my $text = text_of($page);
my %has = map { $_ => 1 } split ' ', $text;
my @missing = grep { !$has{$_} && !/^(?:\$|date:|device:|driver:|toolkit:|commit:)$/ } split ' ', read_text($RESULTS);
is_deeply(\@missing, [], 'every word and figure of the results is in it');
like($page, qr{<td>Example &lt;GPU&gt; &amp; &quot;Co&quot;</td>}, 'text is not taken for HTML');
like($page, qr{<pre>nothing of it is a table: 1 &lt;&lt;&lt;2, 3&gt;&gt;&gt; 4 &lt;/pre&gt;</pre>}, 'what is no table stays as printed');

# ---- Tables ----

sub row
{
    my ($name, @cells) = @_;
    return "<th scope=\"row\">$name</th>" . join '', map { "<td>$_</td>" } @cells;
}

sub has_row
{
    my ($name, @cells) = @_;
    ok(index($page, row($name, @cells)) >= 0, "a row: $name @cells");
}
has_row('vector', qw(6e-08 0.278 0.0012 1028.1 102.8 1.72 308.71));
has_row('cpu', qw(6e-08 85.83 1.7 14.0), '', '', '1.00');
has_row('polled', qw(12.345 1e-10 0.500 0.001 475.0 95.0), '', '2.00');
has_row('strided', qw(32.00 32.00 12.5 12.5 3.025 266.2 6.3 9.43));
like($page, qr{<pre>ms +LAZY +EAGER .*\ncudaFree}, 'titles with numbers in them are left as printed');
ok($page =~ m{<td>aos</td><td>33</td><td>33</td><td>100</td>}, 'names between the figures are a column');
my @groups = $page =~ m{<th class="group" colspan="7">(N = \d+)}g;
is("@groups", 'N = 1000 N = 2000', 'groups of rows have their lines');
like($page, qr{colspan="\d+">wide +skipped: needs 4 &lt;blocks&gt; &amp; more<}, 'a version that was skipped says why');
like($page, qr{<th scope="col">% of copy</th><th scope="col">x time</th>}, 'titles of several words');

# ---- Bars ----

my ($bars) = $page =~ m{<h3>dp/reduce -n 1e5 \(double\)</h3>.*?(<figure class="bars">.*?</figure>)}s;
like($bars // '', qr{<div class="bar"><span class="name">polled<.*?width:95\.00%}s, 'a bar is as long as its percentage');
like($bars // '', qr{<div class="bar library"><span class="name">cub<.*?width:76\.00%}s, 'the library has its own');
like($page, qr{width:100\.00%.*?left:97\.28%}, 'a version beyond the ceiling does not leave its box');
my @chapters = $page =~ /<h2 id="(ch\d+)/g;
is("@chapters", join(' ', sort @chapters), 'the chapters are in order');
unlike($page, qr/class="warning"/, 'a GPU needs no warning');

link "$dir/report.html", "$dir/link.html" or die "$dir/link.html: $!\n";
my $of_cpu = write_text("$dir/cpu.txt", read_text($RESULTS) =~ s/^driver: .*\n//mr);
report($of_cpu);
like(read_text("$dir/report.html"), qr/class="warning"/, 'the CPU backend does');

ok(read_text("$dir/link.html") eq $page, 'a page is made beside the old one, not over it');

# ---- Figures ----

my $elsewhere = tempdir(CLEANUP => 1);
sh("mkdir -p ch05_timing ch09_shared_mem figures/data build/figures && echo '# Chapter 9' >ch09_shared_mem/README.md
    cp '$ROOT/ch05_timing/README.md' '$ROOT/ch05_timing/add2gpu.cu' ch05_timing && cp '$ROOT/$RESULTS' .", dir => $elsewhere);
write_text("$elsewhere/figures/captions.txt", "bars\tch09\tAll < \"some\"\t全部\nlost\tch05\tNot drawn\t没有\n");
write_text("$elsewhere/build/figures/bars.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>');
my $drawn = run(['perl', "$ROOT/bench/report.pl", 'results.txt', 'page.html'], dir => $elsewhere);
is($drawn->{status}, 0, 'a page with figures') or diag(describe($drawn));
my $figures = read_text("$elsewhere/page.html");
is(problem($figures), '', 'its tags are in order');
ok($figures =~ m{<h2 id="ch09_shared_mem">Chapter 9</h2>\n<figure><img alt="All &lt; &quot;some&quot;" src="data:image/svg\+xml;base64,PHN2Z},
    'a figure is in the page, in its chapter, measured or not');
ok($figures =~ m{<span lang="zh">全部</span>}, 'with both captions');
ok($figures !~ /Not drawn/, 'a figure that is not there is left out');

# ---- What cannot be ----

my $gone = report("$dir/gone.txt");
ok($gone->{status} != 0 && $gone->{err} =~ /\Areport: \S+gone\.txt: No such file or directory\n\z/, 'no such file')
  or diag(describe($gone));
my $before = read_text("$dir/report.html");
my $odd = report(write_text("$dir/odd.txt", "date: today\n\nno result\n"));
ok($odd->{status} != 0 && $odd->{err} =~ /\Areport: .*odd\.txt:3: .*\n\z/, 'no result file') or diag(describe($odd));
ok(read_text("$dir/report.html") eq $before, 'the page stays as it was');
my $nowhere = report($RESULTS, "$dir/odd.txt/report.html");
ok($nowhere->{status} != 0 && $nowhere->{err} =~ /\Areport: \S+odd\.txt.*\n\z/, 'no such folder') or diag(describe($nowhere));
mkdir "$dir/taken" or die "$dir/taken: $!\n";
write_text("$dir/taken/file", '');
my $taken = report($RESULTS, "$dir/taken");
ok($taken->{status} != 0 && $taken->{err} =~ /\Areport: \S+taken: .*\n\z/, 'a folder where the page should be');
is_deeply([glob "$dir/*.[0-9]*"], [], 'no half page is left');

done_testing();
