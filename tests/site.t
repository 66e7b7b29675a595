# `make site`: every link and picture of the site leads somewhere, nothing comes from another
# server, nothing is seen of the markers in the documents, each page has its equal in the other
# language, and the search finds what it should. Takes half a minute, where MkDocs is installed.
#
# Inputs: programs backend docs make figures chinese tests/* CITATION.cff LICENSE
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use File::Find qw(find);
use JSON::PP;
use Test::More;

my $tools = "$ROOT/build/mkdocs/bin";
plan skip_all => 'there is no MkDocs' if !on_path('mkdocs') && !-x "$tools/mkdocs";
my $copy = tempdir(CLEANUP => 1);
sh("for f in *; do case \$f in build | bin) ;; *) cp -a \"\$f\" '$copy' ;; esac; done
    cp tests/site/results.txt '$copy/bench/results/2020-01-01-made-up.txt'");
my $built = sh('./suite site', dir => $copy, env => {PATH => "$tools:$ENV{PATH}"}, limit => 600);
ok(($built->{status} // 1) == 0, 'the site is built') or diag(describe($built));
chdir "$copy/build/site" or die "there is no site: $!\n";

my %text;
find({no_chdir => 1, wanted => sub { $text{$_ =~ s{^\./}{}r} = read_text($_) if /\.html$/ }}, '.');
delete $text{'404.html'};    # its links start at the top of the server
like($text{"${_}bench/results/2020-01-01-made-up.txt.html"} // '', qr{<h2 [^>]*>dp/reduce},
    "results are a page with a heading for each command: $_") for '', 'zh/';

# ---- Links ----

my %ids = map { my $page = $_; $page => {map { $_ => 1 } $text{$page} =~ /\bid="([^"]+)"/g} } keys %text;

# `a/../b` is `b`.
sub tidy
{
    my ($path) = @_;
    1 while $path =~ s{(?:^|(?<=/))(?!\.\./)[^/]+/\.\./|(?:^|(?<=/))\./}{};
    return $path;
}

my (@gone, @foreign, @alone);
for my $page (sort keys %text)
{
    my %links = map { $_ => 1 }
      $text{$page} =~ /<(?:a|img|script|link|source|object)\b[^>]*?\s(?:href|src|data)="([^"]*)"/g;
    push @foreign,
      map { "$page: $_" }
      $text{$page} =~ /<(?:script|img|iframe|source)\b[^>]*\ssrc="((?:https?:)?\/\/[^"]*)"/g,
      $text{$page} =~ /<link\b[^>]*\shref="((?:https?:)?\/\/[^"]*)"/g;
    for my $link (grep { !/^(?:[a-z]+:|\/\/)/ } sort keys %links)
    {
        my ($path, $anchor) = $link =~ s/%([0-9A-F]{2})/chr hex $1/ger =~ /^([^#?]*)(?:#(.*))?$/
          or next;
        my $file = $path eq '' ? $page : tidy(dirname($page) . "/$path" =~ s{^\./}{}r);
        $file =~ s{(?:^\.?|/)$}{};
        $file = $file eq '' ? 'index.html' : "$file/index.html" if $file eq '' || -d $file;
        my $found =
          -e $file && (!$anchor || !$ids{$file} || $ids{$file}{$anchor} || $anchor eq '__top');
        push @gone, "$page: $link" unless $found;
    }
    my $other = $page =~ m{^zh/(.*)} ? $1 : "zh/$page";
    push @alone, $page unless $text{$other} && $text{$page} =~ /class="other-language"[^>]*href="/;
}
is_deeply(\@gone, [], 'its links and pictures lead somewhere');
is_deeply(\@foreign, [], 'it loads nothing from another server');
is_deeply([grep { !/404/ } @alone], [], 'each page has its equal in the other language');

# ---- What a reader sees ----

for (['no marker of a figure is left', qr/<!--=|&lt;!--(?!=)/],
    ['the answers are Markdown too', qr{<details[^>]*>(?:(?!</details>).)*(?:^\|.*\|$|^- |^```)}ms],
    ['what begins with - is an item of a list, not a cell or a line of text', qr{<td>- |<p>[^<]*\n- <strong>}],
    ['no line ends between two Chinese characters', qr{<(?:p|li)>[^<]*[\x{4e00}-\x{9fff}，。；]\n *[\x{4e00}-\x{9fff}]}])
{
    my ($title, $pattern) = @$_;
    my @pages = grep { $text{$_} =~ $pattern }
      grep { m{index\.html$|^(?:zh/)?(?:docs/(?!maintaining)|ch\w+/[\w-]+\.html$)} } keys %text;
    is_deeply(\@pages, [], $title);
}
my ($line) = $text{'ch07_global_mem/matrix.cu.html'} =~ /<a href="#__codelineno-0-(\d+)">copy</;
like((split /\n/, read_text("$ROOT/ch07_global_mem/matrix.cu"))[($line // 1) - 1], qr/^__global__ void copy\(/,
    'the kernels of a source are listed with their lines');

my @empty = grep { $text{$_} =~ m{<code>(?:<a [^>]*></a>|\s)*</code></pre>} } sort keys %text;
is_deeply(\@empty, [], 'no box of code is empty');
my @ends = grep { $text{$_} !~ m{<a [^>]*class="md-footer__link} } sort keys %text;
is_deeply(\@ends, [], 'each page leads on to another');
my @nameless = grep { $text{$_} =~ m{<a (?![^>]*tabindex="-1")[^>]*href="\#__codelineno-[\d-]+">(?:</a>|<span class="linenos")
        |role="dialog">|<label[^>]*tabindex="0">\s*<span[ ]class="md-nav__icon}x } sort keys %text;
is_deeply(\@nameless, [], 'each stop of the Tab key has a name');

# ---- The search ----

# Each page loads the index, so it is empty; the search loads its pages when it is used.
my $index = JSON::PP->new->utf8->decode(read_text('search/search_index.json'));
is_deeply($index->{docs}, [], 'a page loads no text of other pages');
$index->{docs} = JSON::PP->new->utf8->decode(read_text('search/pages.json'));
sub found
{
    my (@words) = @_;
    my $words = join "\x{200b}", @words;
    return grep { index("$_->{title} $_->{text}", $words) >= 0 } @{$index->{docs}};
}
ok( (   grep { $_->{location} =~ m{^zh/ch07_global_mem/} }
          found("\x{5408}\x{5e76}", "\x{8bbf}\x{95ee}")),
    'the search has coalesced access in Chinese, in two words, in chapter 7');
ok((grep { $_->{location} =~ m{^ch11_warp/} } found('__shfl_down_sync')),
    'and __shfl_down_sync in chapter 11');
my $separator = $index->{config}{separator} =~ s/\\u(\w{4})/\\x{$1}/gr;
ok("$_." !~ /$separator./, "$_ is one word for it") for '__shfl_down_sync', '9.2';
my @odd = grep { m{^(?:zh/)?(?:bench|cpu/include)/} } map { $_->{location} } @{$index->{docs}};
is_deeply(\@odd, [], 'results are not found by it');

# The words of make/site/find.js for places and topics, at the pages that answer.
sub tagged
{
    my ($word, $language) = @_;
    my %rank;
    for my $page (grep { ($_->{location} =~ m{^zh/} ? 'zh' : 'en') eq $language } @{$index->{docs}})
    {
        /^\Q$word\E r(\d+)$/ and $rank{$page->{location}} = $1 for @{$page->{tags} // []};
    }
    return (sort { $rank{$a} <=> $rank{$b} } keys %rank)[0] // '';
}
for (['listing9.2', 'ch09_shared_mem/reduce-wrong.cu.html'], ['chapter9', 'ch09_shared_mem/index.html'],
    ['topic1', 'ch09_shared_mem/transpose.cu.html'])
{
    my ($word, $page) = @$_;
    is(tagged($word, 'en'), $page, "the search has $word");
    is(tagged($word, 'zh'), "zh/$page", '... and in Chinese');
}
SKIP:
{
    skip 'there is no node', 1 unless on_path('node');
    # The theme's `var [key, value] = ...` makes key a string once a reader has chosen colours.
    my $names = sh(q(node -e '
        const vm = require("vm"), place = vm.createContext({});
        vm.runInContext(require("fs").readFileSync("find.js", "utf8"), place);
        console.log(Object.keys(place).length, vm.runInContext("typeof key + typeof WORDS", place))'), dir => "$copy/build/site");
    is($names->{out}, "0 undefinedundefined\n", 'it leaves no names that a script of the theme can change');
}
for (['fileReduceCu', 'ch11_warp/reduce.cu.html'], ['fileBankCu', 'ch09_shared_mem/transpose.cu.html'])
{
    my ($word, $page) = @$_;
    ok((grep { $_ eq tagged(lc $word, 'en') } $page, 'ch10_atomics/reduce-atomic.cu.html'), "... $word");
}
like($text{"${_}index.html"}, qr{<script src="(?:\.\./)?find\.js"></script>}, '... and pages have it')
  for '', 'zh/';

chdir $ROOT;
done_testing();
