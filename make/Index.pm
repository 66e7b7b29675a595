# ./suite index: writes the tables of programs in every chapter's README and in docs/programs.md from
# the header comments, the measured figures from the result file that a page names, docs/map.md, all
# this in Chinese, too, docs/add1.svg, the version in common/args.cuh and CITATION.cff, and the
# addresses that follow from make/home.txt. What is right is left alone.
#
#   ./suite index --check     names the pages that it would write anew or cannot write
#
# A table stands between the lines <!-- programs --> and <!-- /programs -->. A chapter's README has
# one of its own programs, docs/programs.md one for each chapter. In a Chinese page the sentences come
# from the catalogues in zh/, and are English for a program without Chinese. The order is that of
# reading. A line under a table says what those of S1 to S4 are that it names.
#
# Every other NAME.md of a chapter is a further page, with NAME.zh-CN.md beside it. It may have a
# table of some programs: <!-- programs: cufft fft --> has fft and each that begins with `cufft-`.
package Index;
use strict;
use warnings;
use Book;
use Exercise;
use Exporter 'import';
use Files;
use Home;
use Programs;
use Sources qw(from_in_chinese);

our @EXPORT_OK = qw(cell);

sub write_pages
{
    my ($check) = @_;
    my @all = read_programs(source_files());
    my @programs = grep { !$_->{extra} } @all;
    my @reading = grep { !$_->{extra} } in_reading_order(@all);
    my %folders = map { ("$_->{dir}/" => 1) } @all;
    my @pages;
    for my $folder (sort keys %folders)
    {
        push @pages, map { my $page = "$folder$_"; [$page, sub { with_tables($page, @reading) }] }
          'README.md', 'README.zh-CN.md';
        push @pages, map { my $page = $_; [$page, sub { further_page($page, @reading) }] }
          map { ($_, s/\.md$/.zh-CN.md/r) } further_pages($folder =~ s{/$}{}r);
    }
    # A copy of some chapters has neither docs/ nor, perhaps, add1.
    push @pages, map { my $page = $_; [$page, sub { with_tables($page, @reading) }] }
      grep { -e } 'docs/programs.md', 'docs/programs.zh-CN.md';
    push @pages, map { my $page = $_; [$page, sub { map_page($page, @programs) }] }
      grep { -e } 'docs/map.md', 'docs/map.zh-CN.md';
    push @pages, map { my $page = $_; [$page, sub { with_exercises($page) }] }
      grep { -e } 'docs/exercises.md', 'docs/exercises.zh-CN.md';
    push @pages, map { my $file = $_; [$file, sub { with_home($file) }] }
      grep { -e } 'README.md', 'README.zh-CN.md', Home::files();
    my $args = 'common/args.cuh';
    push @pages, [$args, sub { with_version($args) }] if -e $args && version() ne '';
    my $add1 = 'ch03_framework/add1.cu';
    push @pages, ['docs/add1.svg', sub { picture_of($add1) }] if -e $add1;
    my $bad = grep { !settle($check, @$_) } @pages;
    return $bad ? 1 : 0;
}

# The header that knows the version, for --version of the programs.
sub with_version
{
    my ($file) = @_;
    my ($text, $version) = (read_text($file), version());
    $text =~ s/^(const char SUITE_VERSION\[\] = )".*?"/$1"$version"/m
      or die "$file: there is no SUITE_VERSION\n";
    return $text;
}

# The README at the top, CITATION.cff or the notebook.
sub with_home
{
    my ($file) = @_;
    my ($text, $version) = (read_text($file), version());
    $text =~ s/^version: .*/version: $version/m if $version ne '';
    return with_addresses($file, $text, Home::home());
}

# Whether a page is right in the end.
sub settle
{
    my ($check, $page, $make) = @_;
    my $text = eval { $make->() };
    eval { write_text($page, $text) } if defined $text && !$check;
    print STDERR $@ =~ s/^\n//r;
    my $is_right = defined $text && text_of($page) eq $text;
    print "$page\n" if $check && !$is_right;
    return $is_right;
}

# The text of a chapter's README, or of docs/programs.md, with its tables and figures written anew.
sub with_tables
{
    my ($page, @programs) = @_;
    -e $page or die "$page is not there\n";
    my ($begin, $end) = map { "<!-- $_ -->\n" } 'programs', '/programs';
    my $text = read_text($page) =~ s/\n?\z/\n/r;
    my @begins = $text =~ /^$begin/mg;
    my @tables = $text =~ /^$begin.*?^$end/msg;
    die "$page has <!-- programs --> twice\n" if @begins > 1;
    die "$page has <!-- /programs --> without <!-- programs --> before it\n"
      if $text =~ s/^$begin.*?^$end//msr =~ /^$end/m;
    die "$page has no lines <!-- programs --> and <!-- /programs -->\n" unless @tables;
    my $folder = dirname($page);
    my %chapters = map { $_->{dir} => 1 } @programs;
    my $table = $folder ne 'docs/' ? table($page, $folder, @programs)
      : join "\n", map { chapters_table($page, $_, @programs) } sort keys %chapters;
    $text =~ s/^$begin.*?^$end/$begin$table$end/ms;
    return $text =~ /<!--=/ ? filled($page, $text) : $text;
}

# The page on exercises, with their table written anew.
sub with_exercises
{
    my ($page) = @_;
    my $language = $page =~ /\.zh-CN\.md$/ ? 'zh' : 'en';
    my ($begin, $end) = map { "<!-- $_ -->\n" } 'exercises', '/exercises';
    my $text = read_text($page);
    my $table = $language eq 'zh' ? "| | 练习 | 种类 | 章 | 相关的程序 |\n" : "| | exercise | kind | chapter | a program on it |\n";
    $table .= "|---|---|---|---|---|\n";
    $table .= exercise_row($language, Exercise::read_exercise($_)) for Exercise::files('exercises');
    $text =~ s/^$begin.*?^$end/$begin$table$end/ms or die "$page has no lines <!-- exercises --> and <!-- /exercises -->\n";
    return $text;
}

sub exercise_row
{
    my ($language, $e) = @_;
    my $kind = Exercise::kind_in($e, $language);
    my ($folder) = glob sprintf 'ch%02d_*', $e->{Chapter};
    my $readme = $language eq 'zh' ? 'README.zh-CN.md' : 'README.md';
    my $program = defined $e->{Program} ? '[' . basename($e->{Program}) . "](../$e->{Program})" : '';
    return sprintf "| %d | %s | %s | [%d](../%s/%s) | %s |\n", $e->{number}, Exercise::text_in($e, 'title', $language),
      $kind, $e->{Chapter}, $folder, $readme, $program;
}

# The table of a chapter in docs/programs.md, below a link to the chapter.
sub chapters_table
{
    my ($page, $chapter, @programs) = @_;
    my $readme = $page =~ /\.zh-CN\.md$/ ? 'README.zh-CN.md' : 'README.md';
    return "**[$chapter](../$chapter/$readme)**\n\n" . table($page, "$chapter/", @programs);
}

# The same of a further page.
sub further_page
{
    my ($page, @programs) = @_;
    -e $page or die "$page is not there\n";
    my $folder = dirname($page);
    my $text = read_text($page) =~ s/\n?\z/\n/r;
    my ($begin, $end) = (qr/^<!-- programs: ([\w -]+) -->\n/m, qr/^<!-- \/programs -->\n/m);
    die "$page has <!-- programs --> without `: NAMES`\n" if $text =~ /^<!-- programs -->$/m;
    die "$page: each <!-- programs: NAMES --> needs its <!-- \/programs -->\n"
      if $text =~ s/$begin(?:(?!<!-- programs)[^\n]*\n)*?$end//gr =~ /$begin|$end/;
    $text =~ s{$begin.*?$end}{part_of_table($page, $1, @programs)}gse;
    return $text =~ /<!--=/ ? filled($page, $text) : $text;
}

sub part_of_table
{
    my ($page, $names, @programs) = @_;
    my $names_it = join '|', map { quotemeta } split ' ', $names;
    my $folder = dirname($page);
    my @part = grep { "$_->{dir}/" eq $folder && $_->{name} =~ /^(?:$names_it)(?:-|$)/ } @programs;
    die "$page: no program is named $names\n" unless @part;
    return "<!-- programs: $names -->\n" . table($page, $folder, @part) . "<!-- /programs -->\n";
}

# With the measured figures, by bench/fill.pl.
sub filled
{
    my ($page, $text) = @_;
    require File::Temp;
    my $part = File::Temp->new;
    print $part $text;
    close $part;
    open my $fill, '-|', $^X, 'bench/fill.pl', $page, "$part" or die "$^X: $!\n";
    local $/;
    my $filled = <$fill>;
    close $fill or die "\n"; # it has said why
    return $filled;
}

# Links start from the page's own directory.
sub table
{
    my ($page, $folder, @programs) = @_;
    my $chinese = $page =~ /\.zh-CN\.md$/;
    my $table = $chinese ? '| 程序 | 展示 | 出处 |' : '| program | shows | from |';
    $table .= "\n|---|---|---|\n";
    for my $program (grep { "$_->{dir}/" eq $folder } @programs)
    {
        my ($says, $from) = map { cell($_ // '') }
          $chinese && $program->{Chinese} || $program->{sentence},
          $chinese ? from_in_chinese($program->{From} // '') : $program->{From};
        my $link = dirname($page) eq $folder ? basename($program->{file}) : "../$program->{file}";
        $table .= "| [$program->{name}]($link) | $says | $from |\n";
    }
    my $legend = legend($table, $chinese ? 1 : 0);
    return $legend eq '' ? $table : "$table\n$legend\n";
}

# What S1 to S4 are, in English and in Chinese.
my %SOURCES = (
    S1 => ["notes on NVIDIA's *CUDA C Programming Guide*", '《CUDA C 编程指南》的读书笔记'],
    S2 => ['a chapter on the efficient use of GPU memory', '讲如何高效使用 GPU 内存的一章'],
    S3 => ['notes from a video course', '视频课程的笔记'],
    S4 => ['a chapter on scalable parallel execution', '讲可扩展的并行执行的一章']);

# A line on those that a table names; '' if it names none. In tables they stand in the last column.
sub legend
{
    my ($table, $chinese) = @_;
    my %named = map { $_ => 1 } map { /\b(S[1-4])\b/g } $table =~ /\| ([^|]*) \|$/mg;
    my ($is, $between, $end) = $chinese ? ('：', '；', '。') : (': ', '; ', '.');
    my @says = map { "$_$is$SOURCES{$_}[$chinese]" } sort keys %named;
    return @says ? join($between, @says) . $end : '';
}

# Text as a cell of a table: nothing in it ends the cell or begins a tag of HTML.
sub cell
{
    my ($text) = @_;
    return $text =~ s/\|/\\|/gr =~ s/</&lt;/gr;
}

# ---- docs/add1.svg: a kernel and its launch without their comments, and the two ways they go ----

# Its colours follow light and dark.
my $STYLE = <<'END' =~ s/\\\n//gr;
<!-- Written by make index. -->
<style>text { fill: #1f2328 } .box { fill: #f6f8fa; stroke: #59636e } \
.line { stroke: #59636e; fill: none }
.head { fill: #59636e } .name { font-weight: bold }
@media (prefers-color-scheme: dark) { text, .head { fill: #e6edf3 } \
.box { fill: #161b22; stroke: #9198a1 } .line { stroke: #9198a1 } .head { fill: #9198a1 } }</style>
<defs><marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">\
<path class="head" d="M0,0 L9,4 L0,8 z"/></marker></defs>
END

my $WAY_WIDTH = 264;

# The SVG for a program's file.
sub picture_of
{
    my ($file) = @_;
    my $text = read_text($file);
    my ($kernel) = $text =~ /^(__global__.*?^\})/ms;
    my ($launch) = $text =~ /^ *(.*<<<.*>>>.*)/m;
    die "$file: no kernel and its launch for docs/add1.svg\n" unless $kernel && $launch;
    my @code = map { s{ *//.*}{}r } grep { !m{^ *//} } split /\n/, $kernel;
    push @code, '', $launch;

    my $height = 22 * @code + 46;
    my ($widest) = sort { $b <=> $a } map { length } @code;
    my $width = 8.2 * $widest + 34;
    my $svg = sprintf qq(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" )
      . qq(height="%d" font-family="monospace" font-size="13.5">\n%s),
      ($width + 20, $height + 114) x 2, $STYLE;
    $svg .= box(10, 10, $width, $height) . words(24, 34, basename($file), ' class="name"');
    $svg .= words(24, 62 + 22 * $_, $code[$_]) for 0 .. $#code;
    $svg .= way(10, $height + 10, 'nvcc', 'GPU')
      . way(10 + $width - $WAY_WIDTH, $height + 10, 'cpucc', 'CPU');
    return "$svg</svg>\n";
}

# From the source, down by a compiler to where it runs, and to what it says in the end.
sub way
{
    my ($x, $y, $compiler, $place) = @_;
    my $below = $y + 48;
    return arrow($x + 37, $y, $x + 37, $below - 4)
      . words($x + 47, $y + 28, $compiler)
      . box($x, $below, 74, 46) . words($x + 24, $below + 28, $place, ' class="name"')
      . arrow($x + 74, $below + 23, $x + 114, $below + 23)
      . box($x + 118, $below, $WAY_WIDTH - 118, 46) . words($x + 138, $below + 28, 'PASS: 1 check');
}

sub box
{
    my $sides = join ' ', map { qq($_="%.0f") } qw(x y width height);
    return sprintf qq(<rect class="box" $sides rx="6"/>\n), @_;
}

sub arrow
{
    my $arrow = '<path class="line" marker-end="url(#head)" d="M%.0f,%.0f L%.0f,%.0f"/>';
    return sprintf "$arrow\n", @_;
}

sub words
{
    my ($x, $y, $text, $class) = @_;
    return '' if $text eq '';
    return sprintf qq(<text x="%.0f" y="%.0f"%s xml:space="preserve">%s</text>\n),
      $x, $y, $class // '', $text =~ s/&/&amp;/gr =~ s/</&lt;/gr;
}

1;
