# ./suite site: the documents and sources as a static site with a search, in build/site, by MkDocs.
#
#   ./suite site --layout     only lays out in build/site-src what MkDocs makes a site of, and
#                             writes build/mkdocs.yml, which names the pages in their order
#
# en/ has the English pages, zh/ the Chinese ones, both under the names of the documents here.
# A README.md becomes index.md. A source becomes a page that shows it, and so does every other file
# that a document links to. A folder becomes a list of its files. What is not there is an error.
package Site;
use strict;
use warnings;
use utf8;
use Chinese;
use Cwd qw(getcwd);
use Exercise;
use ExercisePage;
use File::Basename qw(dirname);
use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use File::Spec::Functions qw(abs2rel);
use Files qw(basename fail further_pages on_path said_by sorted source_files);
use Find;
use Index qw(cell);
use JSON::PP;
use Programs;

my $OUT = 'build';
my @unfinished; # goes in the end

END
{
    remove_tree(@unfinished);
}

my $INSTALL = 'python3 -m venv build/mkdocs && '
  . 'build/mkdocs/bin/pip install -q -r make/site/requirements.txt';

# It is whole, or as it was before.
sub site
{
    my ($how) = @_;
    $SIG{$_} = sub { exit 130 } for qw(HUP INT TERM);
    return lay_out() if ($how // '') eq '--layout';
    $ENV{PATH} = getcwd() . "/build/mkdocs/bin:$ENV{PATH}";
    fail("make site: there is no MkDocs: $INSTALL") unless on_path('mkdocs');
    @unfinished = ("$OUT/site-src", "$OUT/site.part", "$OUT/mkdocs.yml");
    remove_tree(@unfinished);
    lay_out();
    $ENV{NO_MKDOCS_2_WARNING} = 1;
    my $said = said_by(qw(mkdocs build -q --strict -f build/mkdocs.yml -d site.part));
    fail("${said}make site: MkDocs fails; if a module is missing: $INSTALL") if $? != 0;
    split_index('build/site.part/search');
    my @pages = grep { /\.html$/ } split /\n/, said_by(qw(find build/site.part));
    name_parts($_) for @pages;
    remove_tree('build/site');
    rename 'build/site.part', 'build/site' or die "build/site: $!\n";
    print scalar @pages, " pages in build/site; to read and search them:\n",
      "    python3 -m http.server -d build/site\n";
    return 0;
}

# What the pages say of themselves.
my %WORDS = (
    en => {name => 'English', kernels => 'Kernels', from => 'From', sources => 'Shared headers',
        documents => 'Documents', results => 'Results', backend => 'The CPU backend',
        exercises => 'Exercises', exercise => 'Exercise'},
    zh => {name => '中文', kernels => '核函数', from => '出处', sources => '公共头文件',
        documents => '文档', results => '测量结果', backend => 'CPU 后端',
        exercises => '练习', exercise => '练习'},
);
my %LANGUAGE_OF = (cu => 'cuda', cuh => 'cuda', c => 'c', h => 'c', cpp => 'cpp', sh => 'sh',
    pl => 'perl', pm => 'perl', awk => 'awk', yml => 'yaml', Makefile => 'make');

# The search finds the same text once, on its English page. What readers of the book do not look for
# it does not find: results, and sources that belong to no chapter.
my $NOT_SEARCHED = "search: {exclude: true}\n";

my %wanted;     # of each language: files of the repository that a page there links to
my %written;    # of each language: the pages that are there
my %program;    # of each file
my %exercise;   # of each file, and of each program's file a list

sub read_text
{
    my $text = Files::read_text(@_);
    utf8::decode($text);
    return $text;
}

sub write_text
{
    my ($file, $text) = @_;
    make_path(dirname($file));
    utf8::encode($text);
    Files::write_text($file, $text);
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

# The page of a document, a source, a folder or a picture, in the folder of its language.
sub page_of
{
    my ($file) = @_;
    return "$file/index.md" =~ s{^/}{}r if -d ($file eq '' ? '.' : $file);
    return $file =~ s/(?:\.zh-CN)?\.md$/.md/r =~ s{README\.md$}{index.md}r if $file =~ /\.md$/;
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

# A character or a mark of Chinese text. Between two of them a browser would show the end of a line
# as a blank.
my $CHINESE = qr/[\x{3000}-\x{9fff}\x{ff00}-\x{ffef}]/;

# A document's text with the links of the site. Comments, which mark measured figures and tables,
# are left out. Code stays as it is.
sub prepare
{
    my ($language, $document) = @_;
    my @parts = split /(^ *```.*?^ *```[ ]*$|`[^`\n]+`)/ms, read_text($document);
    for my $part (grep { !/^ *`/ } @parts)
    {
        $part =~ s/<!--.*?-->//gs;
        # Nothing comes from another server: of a badge its words are left, parted from what follows.
        $part =~ s{(\[)!\[([^\]]*)\]\(https?://[^)]*\)(\]\([^)]*\))\n(?=\[)}{$1$2$3 | }g;
        $part =~ s{!\[([^\]]*)\]\(https?://[^)]*\)}{$1}g;
        $part =~ s{(?<=$CHINESE)\n *(?=$CHINESE)}{}g;
        $part =~ s{^\| (\d+) \| ([^|]+) \|}{linked_exercise($1, $2)}gme if $document =~ m{^docs/exercises\.};
        $part =~ s/<details>/<details markdown="1">/g;
        $part =~ s{(\]\()([^)\s]+)}{$1 . link_from($language, $document, $2)}ge;
        $part =~ s{(<(?:img|a|source)\b[^>]*\b(?:src|href|srcset)=")([^"]+)}
                  {$1 . link_from($language, $document, $2)}ge;
    }
    my $repeated = language_of($document, $language) eq 'zh' && $document !~ /\.zh-CN\.md$/;
    return join '', $repeated ? "---\n$NOT_SEARCHED---\n" : '', @parts;
}

# A row of the table of exercises leads to the page of each.
sub linked_exercise
{
    my ($number, $title) = @_;
    my ($e) = grep { ref eq 'HASH' && $_->{number} == $number } values %exercise;
    die "docs/exercises.md: there is no exercise $number\n" if !$e;
    return "| $number | [$title](../$e->{file}) |";
}

sub add_page
{
    my ($language, $file, $text) = @_;
    write_text("$OUT/site-src/$language/" . page_of($file), $text);
    $written{$language}{$file} = 1;
}

# ---- Sources and other files ------------------------------------------------------------------

# The kernels of a source: [name, first line, last line].
sub kernels
{
    my ($text) = @_;
    my @kernels;
    my $head = qr/^(?:template\ <[^\n]*>\n)?
        __global__\ void\ (?:__launch_bounds__\([^\n]*\)\s+)?(\w+)\(/mx;
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
    return show_exercise($language, $file) if ref $exercise{$file} eq 'HASH';
    return show_results($language, $file) if $file =~ m{^bench/results/.*\.txt$};
    my $source = $language eq 'zh' && -e "build/zh/$file" ? "build/zh/$file" : $file;
    my ($words, $text) = ($WORDS{$language}, read_text($source));
    my ($type) = basename($file) =~ /([^.]+)$/;
    my @kernels = kernels($text);
    my $program = $program{$file};
    # In Chinese a program is found by what stands above its source.
    my $is_found = $file =~ m{^(?:ch\d|common/)} && ($language eq 'en' || $program);
    my $page = "---\nhide: [toc]\n" . ($is_found ? '' : $NOT_SEARCHED) . "---\n";
    $page .= '# ' . basename($file) . "\n\n";
    if ($program)
    {
        my ($about, $from) = map { utf8::decode($_); $_ } map { cell($_ // '') }
          $language eq 'zh' && $program->{Chinese} || $program->{sentence}, $program->{From};
        $page .= ucfirst($about) . "\n\n$words->{from}: $from\n\n";
        for my $e (@{$exercise{$file} // []})
        {
            $page .= "$words->{exercise}: [" . ($e->{number} + 0) . '. ' . ExercisePage::text_in($e, 'title', $language)
              . '](' . link_from($language, $file, "../$e->{file}") . ")\n\n";
        }
    }
    $page .= "$words->{kernels}: "
      . join(', ', map { "[$_->[0]](#__codelineno-0-$_->[1])" } @kernels) . "\n\n" if @kernels;
    my $marked = join ' ', map { "$_->[1]-$_->[2]" } @kernels;
    my $fence = '~' x 12;
    my $code = "$fence { ." . ($LANGUAGE_OF{$type} // 'text') . ' linenums="1"'
      . ($marked ? " hl_lines=\"$marked\"" : '') . " }\n" . $text =~ s/\n*\z/\n/r . "$fence\n";
    $code = qq(<div markdown="1" data-search-exclude="">\n\n$code\n</div>\n)
      if $language ne 'en' && $is_found;
    $page .= $code;
    add_page($language, $file, $page);
}

sub show_exercise
{
    my ($language, $file) = @_;
    my $page = ExercisePage::page($exercise{$file}, $language, sub { link_from($language, $file, "../$_[0]") });
    add_page($language, $file, $page);
}

# As code; nothing for an empty text.
sub fenced
{
    my ($text) = @_;
    return '' if $text !~ /\S/;
    my $fence = '~' x 12;
    return "$fence { .text }\n" . $text =~ s/\n*\z/\n/r . "$fence\n\n";
}

# A result file of `make bench`: a heading for each command, and under it what it printed.
sub show_results
{
    my ($language, $file) = @_;
    my ($machine, @runs) = split /^\$ /m, read_text($file);
    my $page = "---\n$NOT_SEARCHED---\n# " . basename($file) . "\n\n" . fenced($machine);
    for my $run (@runs)
    {
        my ($command, $text) = $run =~ /^([^\n]*)\n(.*)/s;
        $page .= "## $command\n\n" . fenced($text =~ s/^    //gmr);
    }
    add_page($language, $file, $page);
}

# What `make report` says, which the results begin with: its table as a table, whose cells a phone can
# break.
sub report
{
    my $report = '';
    for my $part (split /\n\n/, said_by($^X, 'bench/report.pl'))
    {
        $part =~ s/ms (?=[%x] )/ms  /g; # two blanks between the columns of its head, too
        my @rows = map { [split /\s{2,}/, s/\s+$//r] } split /\n/, $part;
        my $columns = @{$rows[0]};
        if ($columns == 1) { $report .= fenced($part); next }
        $_ = '| ' . join(' | ', @$_, ('') x ($columns - @$_)) . " |\n" for @rows;
        $report .= join '', shift @rows, '|' . '---|' x $columns . "\n", @rows, "\n";
    }
    return $report;
}

sub show_folder
{
    my ($language, $folder) = @_;
    my @files = grep { -f } glob "$folder/*";
    $wanted{$language}{$_} = 1 for @files;
    my @links = map { '- [' . basename($_) . '](' . basename(page_of($_)) . ")\n" } @files;
    my $report = $folder eq 'bench/results' ? report() : '';
    add_page($language, $folder, join '', "---\n$NOT_SEARCHED---\n# $folder\n\n", $report, @links);
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
    my $copy = "$OUT/site-src/$language/$file";
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

# The sources of a chapter: programs as make list has them, then the files that they include.
my @programs;

sub sources_of
{
    my ($folder) = @_;
    my @here = map { $_->{file} } grep { $_->{dir} eq $folder } @programs;
    my @others = grep { !$program{$_} } sorted("$folder/*.cu", "$folder/*.cpp");
    return @here, @others, sorted("$folder/*.cuh");
}

# The pages of a language in their order, as MkDocs wants them.
sub contents
{
    my ($language) = @_;
    my $words = $WORDS{$language};
    my @chapters = map {
        my $folder = $_;
        my @pages = grep { $written{$language}{$_} } sources_of($folder);
        +{title_of(document($language, "$folder/README.md")) =>
              [map { page_of($_) } "$folder/README.md", further_pages($folder), @pages]}
    } glob 'ch*';
    my $table = 'docs/programs.md'; # of all programs, before the chapters
    my $exercises = 'docs/exercises.md';
    my @documents = (grep({ $_ ne $table && $_ ne $exercises } glob 'docs/*[!N].md'), qw(CONTRIBUTING.md SECURITY.md CHANGELOG.md));
    my @others = grep { !/^(?:ch\d|common\b|bench\b)/ && page_of($_) =~ /\.md$/ }
      sort keys %{$written{$language}};
    my @exercises = map { page_of($_) } -e $exercises ? $exercises : (), grep({ ref $exercise{$_} eq 'HASH' } sort keys %exercise),
      -e 'exercises/README.md' ? 'exercises/README.md' : ();
    my %is_listed = map { page_of($_) => 1 } @documents, $table, 'README.md', 'exercises/README.md';
    $is_listed{$_} = 1 for @exercises;
    my @backend = map { page_of($_) } grep { m{^cpu\b} } @others;
    my @results = map { page_of($_) } reverse(glob 'bench/results/*.txt'), glob 'bench/results/*.tsv';
    my @files = grep { !$is_listed{$_} } map { page_of($_) } grep { !m{^cpu\b} } @others;
    return ['index.md', (-e $table ? page_of($table) : ()), {$words->{exercises} => \@exercises}, @chapters,
        {$words->{sources} => [map { page_of($_) } 'common', glob 'common/*.cuh']},
        {$words->{backend} => [sort { folder_first($a) cmp folder_first($b) } @backend]},
        (@results ? {$words->{results} => ['bench/results/index.md', @results]} : ()),
        {$words->{documents} => [(map { page_of($_) } @documents), @files]}];
}

# The page of a folder stands before those of its files.
sub folder_first
{
    my ($page) = @_;
    return $page =~ s{index\.md$}{}r;
}

sub lay_out
{
    @programs = grep { !$_->{extra} } in_reading_order(read_programs(source_files()));
    %program = map { $_->{file} => $_ } @programs;
    for my $e (map { Exercise::read_exercise($_) } Exercise::files('exercises'))
    {
        $exercise{$e->{file}} = $e;
        push @{$exercise{$e->{Program}}}, $e if defined $e->{Program};
    }
    Chinese::write_sources();
    my %contents = map { $_ => contents_laid_out($_) } qw(en zh);
    make_path("$OUT/site-src/en");
    copy('make/site/style.css', "$OUT/site-src/en/style.css") or die "style.css: $!\n";
    write_text("$OUT/site-src/en/find.js", script());
    my @languages = map { {locale => $_, name => $WORDS{$_}{name}, build => JSON::PP::true,
            site_name => title_of(document($_, 'README.md')), theme => {language => $_},
            nav => $contents{$_}} } qw(en zh);
    $languages[0]{default} = JSON::PP::true;
    my %settings = (INHERIT => '../make/site/mkdocs.yml',
        plugins => {i18n => {languages => \@languages}});
    write_text("$OUT/mkdocs.yml", JSON::PP->new->pretty->canonical->encode(\%settings));
    return 0;
}

# ---- The search -------------------------------------------------------------------------------

# In a function of its own: the theme, too, has a variable `key`, from a reader's second page on.
sub script
{
    my $words = JSON::PP->new->canonical->encode(Find::site_words());
    my $text = read_text('make/site/find.js');
    return qq((() => {\n"use strict";\nconst WORDS = $words;\n$text})();\n);
}

# Of each file, the words of the search for which it answers, with its rank: "listing9.2 r1".
sub tags
{
    my %tags;
    my $files = Find::pages_of();
    for my $word (sort keys %$files)
    {
        my $rank = 0;
        push @{$tags{$_}}, "$word r" . ++$rank for @{$files->{$word}};
    }
    return \%tags;
}

# The theme loads search_index.json with every page, and make/site/find.js loads pages.json when it is
# wanted: so all pages go there. The tags of a page belong to it as a whole, not to each of its
# sections, so they are added here.
sub split_index
{
    my ($folder) = @_;
    my $tags = tags();
    my %of_page;
    for my $file (keys %$tags)
    {
        for my $language (qw(en zh))
        {
            $of_page{finished($language, document($language, $file)) =~ s{^/}{}r} = $tags->{$file};
        }
    }
    my $json = JSON::PP->new->utf8->canonical;
    my $index = $json->decode(Files::read_text("$folder/search_index.json"));
    for my $page (@{$index->{docs}})
    {
        my $tags = $of_page{$page->{location}};
        $page->{tags} = $tags if $tags;
    }
    Files::write_text("$folder/pages.json", $json->encode($index->{docs}));
    $index->{docs} = [];
    Files::write_text("$folder/search_index.json", $json->encode($index));
    return;
}

# For those who hear a page, or go through it by the Tab key: the search has a name, and so has what
# opens a chapter's list. The number of a line of code is no stop.
sub name_parts
{
    my ($page) = @_;
    my $text = read_text($page);
    my $is_chinese = $text =~ /<html lang="zh"/;
    my ($search, $list) = $is_chinese ? qw(搜索 展开或收起) : ('Search', 'Show or hide');
    $text =~ s{(<div class="md-search"[^>]* role="dialog")>}{$1 aria-label="$search">};
    $text =~ s{(<label class="md-nav__link[^>]* tabindex="0")>(?=\s*<span class="md-nav__icon)}
              {$1 aria-label="$list">}g;
    $text =~ s{<a (?=id="__codelineno-|href="#__codelineno-[\d-]+"><span class="linenos")}
              {<a tabindex="-1" aria-hidden="true" }g;
    write_text($page, $text);
    return;
}

# Writes the pages of a language, and returns them in their order.
sub contents_laid_out
{
    my ($language) = @_;
    my @documents = map { document($language, $_) }
      'README.md', glob('ch*/README.md'), map({ further_pages($_) } glob 'ch*'),
      glob('docs/*[!N].md'), qw(CONTRIBUTING.md SECURITY.md CHANGELOG.md);
    my @results = glob 'bench/results/*.txt';
    $wanted{$language}{$_} = 1 for @documents, 'common', glob('ch*/*.{cu,cpp,cuh}'),
      @results ? 'bench/results' : (),
      grep({ ref $exercise{$_} eq 'HASH' } keys %exercise);
    follow_links($language);
    return contents($language);
}

1;
