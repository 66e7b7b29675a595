# docs/map.md, and the same in Chinese: for each place that make/places.txt lists, the programs and
# files to look at, and what to type. ./suite index writes both.
#
# A place that no From: names has a sentence in make/book.txt. In it the name of a program means
# that program, "row `shared` of transpose" and "memcheck -k sync" mean one of its versions,
# "make doctor" is a command and ch02_threads/README.md a file.
package Map;
use strict;
use warnings;
use Book;
use Exporter 'import';
use Files;
use Programs;

our @EXPORT = qw(map_page);

# A backslash joins two lines here to a longer one of the page.
my $HEAD = <<'END' =~ s/\\\n//gr;
<!-- Written by make index. -->
# The map: each place of the book, and what shows it

Every chapter, section, listing, table, figure and file of the book is here, \
and those of S1 to S4, four shorter
documents. Build by `make`, then type what the table says. \
On the command line, `make find WHAT="Fig. 2.1"` answers the same.
[README.md](../README.md) tells what S1 to S4 are. [中文](map.zh-CN.md)
END
my $CHINESE_HEAD = <<'END' =~ s/\\\n//gr;
<!-- Written by make index. -->
# 对照表：书中的每一处，由哪个程序展示

书中每一章、每一节、每个程序清单（Listing）、表、图和文件，\
以及四篇较短的资料 S1 至 S4 中的每一处，都列在这里。
先用 `make` 编译，再运行表中的命令。在命令行上，`make find WHAT="图 2.1"` 给出同样的回答。
S1 至 S4 是什么，见 [README.zh-CN.md](../README.zh-CN.md)。[English](map.md)
END

# The text of the page.
sub map_page
{
    my ($chinese, @programs) = @_;
    my %map = (chinese => $chinese, book => read_book(@programs),
        program => {map { $_->{name} => $_ } @programs});
    my $text = $chinese ? $CHINESE_HEAD : $HEAD;
    my $part = '';
    for my $line (split /\n/, read_text('make/places.txt'))
    {
        if ($line =~ /^[^ #]/)
        {
            $part = $line;
            $text .= heading($chinese, $part);
            $text .= row(\%map, $part, $part) if $part !~ /^S/;
        }
        elsif (my ($kind, $places) = $line =~ /^  ([A-Za-z.]+): (.*)/)
        {
            # What S1 to S4 number without a word are their sections.
            my $start = $part !~ /^S/ ? $kind : $kind eq 'section' ? $part : "$part $kind";
            $text .= join '', map { row(\%map, $part, "$start $_") } split /, */, $places;
        }
    }
    return $text;
}

sub heading
{
    my ($chinese, $part) = @_;
    my $title = $chinese ? in_chinese($part) : ucfirst $part;
    my $columns = $chinese ? '位置 | 程序与文件 | 命令' : 'place | programs and files | to type |';
    return "\n## $title\n\n| $columns |\n" . '|---' x (1 + $columns =~ tr/|//) . "|\n";
}

# Numbers as 3.2 stand in several documents.
sub is_of_part
{
    my ($part, $text) = @_;
    return $text !~ /^S[1-4] / if $part !~ /^S/;
    return $text !~ /^(?:chapter|section|Listing|Table|Fig\.|file) /;
}

# A row of the table: the place, links, commands and, in English, the sentences.
sub row
{
    my ($map, $part, $place) = @_;
    # The book's files are also asked for by their names alone.
    my $asked = $part =~ /^S/ ? $place : $place =~ s/^file //r;
    my ($programs, $sentences) = answers($map->{book}, $asked);
    my $row = {links => [], commands => [], remarks => [], seen => {}, chinese => $map->{chinese}};
    add_program($row, $_->[0]) for grep { is_of_part($part, $_->[1]) } @$programs;
    add_sentence($map, $row, $_) for grep { is_of_part($part, $_) } @$sentences;
    add_command($row, "make $row->{chapter}") if !@{$row->{commands}} && $row->{chapter};
    die "$place: neither a program nor a sentence of make/book.txt says what to type\n"
      unless @{$row->{commands}};
    my @cells = (cell($map->{chinese} ? in_chinese($place) : $place), join(', ', @{$row->{links}}),
        join(', ', @{$row->{commands}}), $map->{chinese} ? () : join ' ', @{$row->{remarks}});
    return '| ' . join(' | ', @cells) . " |\n";
}

sub add_sentence
{
    my ($map, $row, $sentence) = @_;
    my $text = $sentence =~ s/^[^:]*: //r;
    push @{$row->{remarks}}, cell($text);
    my @words = split ' ', $text;
    my @versions;
    while (@words)
    {
        my $word = shift(@words) =~ s/^\(//r =~ s/[.,;:)]*$//r;
        my $next = $words[0] // '';
        if ($word =~ /^`(.*)`$/)
        {
            push @versions, $1;
        }
        elsif ($word eq 'make' && $next =~ /^((?:doctor|toolkits|figures|find)|ch[0-9]+)[.,;]?$/)
        {
            add_command($row, "make $1");
        }
        elsif ($word =~ m{^[a-z0-9_]+/[A-Za-z0-9_./-]+$})
        {
            add_file($row, $word);
        }
        elsif (my $program = $map->{program}{$word})
        {
            push @versions, $words[1] =~ s/[.,;:]$//r if $next eq '-k';
            add_program($row, $program, reverse splice @versions);
        }
    }
}

# A program to look at, and to run: as it is, or its versions that the sentence names.
sub add_program
{
    my ($row, $program, @versions) = @_;
    my $name = $program->{name};
    add_link($row, $name, $program->{file});
    add_command($row, "./bin/$name -k $_") for @versions;
    $row->{seen}{"$name version"} = 1 if @versions;
    add_command($row, "./bin/$name") unless $row->{seen}{"$name version"};
}

sub add_file
{
    my ($row, $path) = @_;
    $path =~ s/\.md$/.zh-CN.md/ if $row->{chinese} && $path =~ m{^ch.*/README\.md$};
    add_link($row, $path, $path);
    $row->{chapter} = $1 if $path =~ /^(ch[0-9]+)/;
}

sub add_link
{
    my ($row, $text, $path) = @_;
    push @{$row->{links}}, "[$text](../$path)" unless $row->{seen}{"link $text"}++;
}

sub add_command
{
    my ($row, $command) = @_;
    push @{$row->{commands}}, "`$command`" unless $row->{seen}{$command}++;
}

sub in_chinese
{
    my ($place) = @_;
    return "第 $1 章" if $place =~ /^chapter (.*)/;
    return "$1 节" if $place =~ /^section (.*)/;
    my %word = (Table => '表', 'Fig.' => '图', file => '文件', Example => '例');
    return $place =~ s/(?:^|(?<= ))(Table|Fig\.|file|Example)(?= )/$word{$1}/r;
}

sub cell
{
    my ($text) = @_;
    return $text =~ s/\|/\\|/gr;
}

1;
