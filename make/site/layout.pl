# layout.pl OUT: lays out in OUT/site-src what MkDocs makes a site of, and writes OUT/mkdocs.yml, which
# names the pages in their order. en/ has the English pages, zh/ the Chinese ones, both under the
# names that the documents have here.
#
# A README.md becomes index.md. A source becomes a page that shows it, and so does every other file
# that a document links to. A folder becomes a list of its files. What is not there is an error.
use strict;
use warnings;
use utf8;
use File::Basename qw(basename dirname);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Spec::Functions qw(abs2rel);
use JSON::PP;

my $out = $ARGV[0] or die "layout.pl wants the folder to write to\n";

# What the pages say of themselves.
my %WORDS = (
    en => {name => 'English', kernels => 'Kernels', from => 'From', sources => 'Shared headers',
        documents => 'Documents', results => 'Results', page => 'As a page with tables and bars'},
    zh => {name => '中文', kernels => '核函数', from => '出处', sources => '公共头文件',
        documents => '文档', results => '测量结果', page => '网页形式，有表格和条形图'},
);
my %LANGUAGE_OF = (cu => 'cuda', cuh => 'cuda', c => 'c', h => 'c', cpp => 'cpp', sh => 'sh',
    pl => 'perl', awk => 'awk', yml => 'yaml', Makefile => 'make');

# The search finds the same text once, on its English page.
my $NOT_SEARCHED = "search: {exclude: true}\n";

my %wanted;     # of each language: files of the repository that a page there links to
my %written;    # of each language: the pages that are there
my %sentence;   # of each language, of each program's file: what the table of programs says of it

sub read_text
{
    my ($file) = @_;
    open my $in, '<:utf8', $file or die "$file: $!\n";
    local $/;
    return scalar <$in> // '';
}

sub write_text
{
    my ($file, $text) = @_;
    make_path(dirname($file));
    open my $page, '>:utf8', $file or die "$file: $!\n";
    print $page $text;
    close $page or die "$file: $!\n";
}

# `ch03/../docs/x` is `docs/x`.
sub tidy
{
    my ($path) = @_;
    my @parts;
    for my $part (split m{/}, $path)
    {
        if ($part eq '..' && @parts) { pop @parts }
        elsif ($part ne '.' && $part ne '') { push @parts, $part }
    }
    return join '/', @parts;
}

# The English document of a Chinese one.
sub english_name
{
    my ($file) = @_;
    return $file =~ s/\.zh-CN\.md$/.md/r;
}

# The page of a document, a source, a folder or a picture, in the folder of its language.
sub page_of
{
    my ($file) = @_;
    return "$file/index.md" =~ s{^/}{}r if -d ($file eq '' ? '.' : $file);
    return english_name($file) =~ s{README\.md$}{index.md}r if $file =~ /\.md$/;
    return $file if $file =~ /\.(?:svg|png|jpe?g|gif|html)$/;
    return "$file.md";
}

# ---- Documents --------------------------------------------------------------------------------

# The language of a file's page, seen from a page in $language: a document that is there in both has
# its own.
sub language_of
{
    my ($file, $language) = @_;
    return 'zh' if $file =~ /\.zh-CN\.md$/;
    return 'en' if $file =~ /\.md$/ && -e $file =~ s/\.md$/.zh-CN.md/r;
    return $language;
}

# A finished page, from the top of the site.
sub finished
{
    my ($language, $file) = @_;
    return ($language eq 'zh' ? '/zh/' : '/') . page_of($file) =~ s/\.md$/.html/r;
}

# Where a link of a document leads in the site. MkDocs knows the pages of one language at a time, so
# a link to the other language names the finished page.
sub link_from
{
    my ($language, $document, $target) = @_;
    return $target if $target =~ /^(?:[a-z]+:|#|$)/;
    my ($path, $anchor) = $target =~ /^([^#]*)(#.*)?$/;
    my $file = tidy(dirname($document) . "/$path");
    die "$document: $target is not there\n" unless -e ($file eq '' ? '.' : $file);
    $anchor = ($anchor // '') =~ s/^#L(\d+).*/#__codelineno-0-$1/r;
    my $to = language_of($file, $language);
    return abs2rel(finished($to, $file), dirname(finished($language, $document))) . $anchor
      if $to ne $language;
    $wanted{$language}{$file} = 1;
    return abs2rel('/' . page_of($file), dirname('/' . page_of($document))) . $anchor;
}

# A document's text with the links of the site. Comments, which mark measured figures and tables,
# are left out. Code stays as it is.
sub prepare
{
    my ($language, $document) = @_;
    my @parts = split /(^ *```.*?^ *```[ ]*$|`[^`\n]+`)/ms, read_text($document);
    for my $part (grep { !/^ *`/ } @parts)
    {
        $part =~ s/<!--.*?-->//gs;
        $part =~ s/<details>/<details markdown="1">/g;
        $part =~ s{(\]\()([^)\s]+)}{$1 . link_from($language, $document, $2)}ge;
        $part =~ s{(<(?:img|a|source)\b[^>]*\b(?:src|href|srcset)=")([^"]+)}
                  {$1 . link_from($language, $document, $2)}ge;
    }
    my $repeated = language_of($document, $language) eq 'zh' && $document !~ /\.zh-CN\.md$/;
    return join '', $repeated ? "---\n$NOT_SEARCHED---\n" : '', @parts;
}

# The rows `| [name](file) | sentence | from |` of a chapter's table of programs.
sub read_sentences
{
    my ($language, $document) = @_;
    for (split /\n/, read_text($document))
    {
        next unless /^\| \[[^\]]+\]\(([^)]+)\) \| (.*) \| (.*) \|$/;
        $sentence{$language}{dirname($document) . "/$1"} = {says => $2, from => $3};
    }
}

sub add_page
{
    my ($language, $file, $text) = @_;
    my $page = page_of($file);
    write_text("$out/site-src/$language/$page", $text);
    $written{$language}{$file} = 1;
}

# ---- Sources and other files ------------------------------------------------------------------

# The kernels of a source: [name, first line, last line].
sub kernels
{
    my ($text) = @_;
    my @kernels;
    my $head = qr/^(?:template <[^\n]*>\n)?__global__ void (?:__launch_bounds__\([^\n]*\)\s+)?(\w+)\(/m;
    while ($text =~ /$head[^;{]*\{(?:[^\n]*\}$|.*?^\})/gms)
    {
        my ($name, $first) = ($1, 1 + substr($text, 0, $-[0]) =~ tr/\n//);
        push @kernels, [$name, $first, $first + ($& =~ tr/\n//)];
    }
    return @kernels;
}

# A page that shows a file, with its kernels marked and listed.
sub show_file
{
    my ($language, $file) = @_;
    my ($words, $text) = ($WORDS{$language}, read_text($file));
    my ($type) = basename($file) =~ /([^.]+)$/;
    my @kernels = kernels($text);
    my $report = add_report($language, $file);
    my $page = "---\nhide: [toc]\n" . ($language eq 'en' ? '' : $NOT_SEARCHED) . "---\n";
    $page .= '# ' . basename($file) . "\n\n";
    $page .= "[$words->{page}](" . basename($report) . ")\n\n" if $report;
    my $about = $sentence{$language}{$file};
    $page .= ucfirst($about->{says}) . "\n\n$words->{from}: $about->{from}\n\n" if $about;
    $page .= "$words->{kernels}: "
      . join(', ', map { "[$_->[0]](#__codelineno-0-$_->[1])" } @kernels) . "\n\n" if @kernels;
    my $marked = join ' ', map { "$_->[1]-$_->[2]" } @kernels;
    my $fence = '~' x 12;
    $page .= "$fence { ." . ($LANGUAGE_OF{$type} // 'text') . ' linenums="1"'
      . ($marked ? " hl_lines=\"$marked\"" : '') . " }\n" . $text =~ s/\n*\z/\n/r . "$fence\n";
    add_page($language, $file, $page);
}

# The page that `make report` makes of a result file of `make bench`, beside the file's own.
sub add_report
{
    my ($language, $file) = @_;
    return unless $file =~ m{^bench/results/(.+)\.txt$};
    my $report = "$out/site-src/$language/bench/results/$1.html";
    return $report if $language ne 'en'; # MkDocs finds it there
    make_path(dirname($report));
    open my $said, '-|', 'perl', 'bench/report.pl', $file, $report or die "perl: $!\n";
    my @said = <$said>; # which is where it is
    close $said or die "$file: no page can be made of it\n";
    return $report;
}

sub show_folder
{
    my ($language, $folder) = @_;
    my @files = grep { -f } glob "$folder/*";
    $wanted{$language}{$_} = 1 for @files;
    add_page($language, $folder, "# $folder\n\n"
          . join '', map { '- [' . basename($_) . '](' . basename(page_of($_)) . ")\n" } @files);
}

# What the pages so far link to, and what these pages link to in turn.
sub follow_links
{
    my ($language) = @_;
    while (my @files = grep { !$written{$language}{$_} } sort keys %{$wanted{$language}})
    {
        for my $file (@files)
        {
            if (-d ($file || '.')) { show_folder($language, $file) }
            elsif ($file =~ /\.md$/) { add_page($language, $file, prepare($language, $file)) }
            elsif (page_of($file) eq $file) { add_picture($language, $file) }
            else { show_file($language, $file) }
        }
    }
}

sub add_picture
{
    my ($language, $file) = @_;
    my $copy = "$out/site-src/$language/$file";
    make_path(dirname($copy));
    copy($file, $copy) or die "$copy: $!\n";
    $written{$language}{$file} = 1;
}

# ---- All of it --------------------------------------------------------------------------------

# The document in this language, or the English one.
sub document
{
    my ($language, $file) = @_;
    my $chinese = $file =~ s/\.md$/.zh-CN.md/r;
    return $language eq 'zh' && -e $chinese ? $chinese : $file;
}

sub title_of
{
    my ($document) = @_;
    my ($title) = read_text($document) =~ /^# (.+)/m;
    return $title // basename($document);
}

# Programs as make list has them, then the files that they include.
my %rank;

sub in_reading_order
{
    my (@files) = @_;
    if (!%rank)
    {
        my @programs = glob 'ch*/*.{cu,cpp}';
        open my $list, '-|', 'awk', '-f', 'make/header.awk', '-f', 'make/list.awk', @programs
          or die "awk: $!\n";
        while (<$list>)
        {
            $rank{(split ' ')[1]} = $.;
        }
        close $list or die "make/list.awk fails\n";
    }
    my %place = map { $_ => /\.cuh$/ ? 1e6 : $rank{basename($_) =~ s/\..*//r} // 1e5 } @files;
    return sort { $place{$a} <=> $place{$b} || $a cmp $b } @files;
}

# The pages of a language in their order, as MkDocs wants them.
sub contents
{
    my ($language) = @_;
    my $words = $WORDS{$language};
    my @chapters = map {
        my $folder = $_;
        my @sources = grep { $written{$language}{$_} } in_reading_order(glob "$folder/*.{cu,cpp,cuh}");
        +{title_of(document($language, "$folder/README.md")) =>
              [map { page_of($_) } "$folder/README.md", @sources]}
    } glob 'ch*';
    my @documents = map { page_of($_) } glob('docs/*[!N].md'), 'CONTRIBUTING.md', 'CHANGELOG.md';
    my @others = map { page_of($_) } grep { !/\.md$|^ch|^common\b|^bench/ && -f && page_of($_) ne $_ }
      sort keys %{$written{$language}};
    my @results = map { page_of($_) } reverse glob 'bench/results/*.txt';
    return ['index.md', @chapters,
        {$words->{sources} => [map { page_of($_) } 'common', glob 'common/*.cuh']},
        (@results ? {$words->{results} => ['bench/results/index.md', @results]} : ()),
        {$words->{documents} => [@documents, @others]}];
}

my %contents;
for my $language (qw(en zh))
{
    my @documents = map { document($language, $_) }
      'README.md', glob('ch*/README.md'), glob('docs/*[!N].md'), 'CONTRIBUTING.md', 'CHANGELOG.md';
    read_sentences($language, $_) for grep { /^ch/ } @documents;
    my @results = glob 'bench/results/*.txt';
    $wanted{$language}{$_} = 1 for @documents, 'common', glob('ch*/*.{cu,cpp,cuh}'),
      @results ? 'bench/results' : ();
    follow_links($language);
    $contents{$language} = contents($language);
}
make_path("$out/site-src/en");
copy('make/site/style.css', "$out/site-src/en/style.css") or die "style.css: $!\n";
my @languages = map { {locale => $_, name => $WORDS{$_}{name}, build => JSON::PP::true,
        site_name => title_of(document($_, 'README.md')), theme => {language => $_},
        nav => $contents{$_}} } qw(en zh);
$languages[0]{default} = JSON::PP::true;
write_text("$out/mkdocs.yml", JSON::PP->new->pretty->canonical->encode(
        {INHERIT => '../make/site/mkdocs.yml', plugins => {i18n => {languages => \@languages}}}));
