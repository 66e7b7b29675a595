# `make report`: one page, build/report.html, of a result file of `make bench`: the machine, the tables
# of each chapter with bars, and how to read them. It needs no network and no scripts.
#
#     perl bench/report.pl [FILE [PAGE]]      without FILE: the latest of bench/results
#
# The page is written whole or not at all.
use strict;
use warnings;
use utf8;
use FindBin;
use lib $FindBin::Bin;
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use MIME::Base64 qw(encode_base64);
use Results;

sub read_text
{
    my ($file) = @_;
    open my $in, '<:encoding(UTF-8)', $file or die "report: $file: $!\n";
    local $/;
    return scalar <$in> // '';
}

# Text as HTML shows it.
sub html
{
    my ($text) = @_;
    my %name = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;');
    return $text =~ s/([&<>"])/$name{$1}/gr;
}

# ---- Which results ----------------------------------------------------------------------------

sub date_of
{
    my ($file) = @_;
    return read_text($file) =~ /^date: (.*)/m ? $1 : '';
}

sub latest
{
    my %date = map { $_ => date_of($_) } glob 'bench/results/*.txt';
    my ($latest) = sort { $date{$b} cmp $date{$a} || $b cmp $a } keys %date;
    return $latest // die "report: there are no results in bench/results: see make bench\n";
}

# ---- Tables -----------------------------------------------------------------------------------

my $NUMBER = qr/[-+]?\d[\d.]*(?:e[-+]?\d+)?/;

# Where columns end: a number of this line ends where a word of the titles ends. A % or an x may stand
# behind the number. None if most of its numbers end elsewhere.
sub column_ends
{
    my ($titles, $line) = @_;
    return if $titles =~ /(?<!\S)$NUMBER[%x]?(?!\S)/;
    my (%ends, @ends);
    $ends{$+[0]} = 1 while $titles =~ /\S+/g;
    my $elsewhere = 0;
    while ($line =~ /(?<!\S)$NUMBER(?=[%x]?(?!\S))/g)
    {
        $ends{$+[0]} ? push @ends, $+[0] : ++$elsewhere;
    }
    return @ends > $elsewhere ? @ends : ();
}

# A line in its columns: the names at its left, a cell for each end, and what stands behind the last
# one. None if a word lies across an end.
sub cells
{
    my ($line, @ends) = @_;
    my ($from, @cells) = (0);
    for my $end (@ends)
    {
        my $to = $line =~ /^.{$end}[%x](?!\S)/ ? $end + 1 : $end;
        return if length $line > $to && substr($line, $to - 1, 2) =~ /\S\S/;    # a word lies across it
        push @cells, $from < length $line ? substr($line, $from, $to - $from) : '';
        $from = $to;
    }
    push @cells, $from < length $line ? substr($line, $from) : '';
    # The first piece has the names and the first column.
    my $first = shift @cells;
    my ($names, $cell) = length $first == ($ends[0] // 0) || $first =~ /[%x]$/ ? $first =~ /^(.*?)(\S*)$/ : ($first, '');
    return map { s/^\s+|\s+$//gr } $names, $cell, @cells;
}

# What a program printed, as a list of [text => lines] and [table => titles, rows]. A row is a list of
# cells, or one line that stands between rows.
sub parts
{
    my (@lines) = @_;
    my (@parts, $i);
    for ($i = 0; $i < @lines; ++$i)
    {
        my @ends = $i + 1 < @lines ? column_ends(@lines[$i, $i + 1]) : ();
        # A line between the titles and the first row: the name of a group of rows.
        my $has_group = @ends < 2 && $i + 2 < @lines && $lines[$i + 1] =~ /:/;
        @ends = column_ends(@lines[$i, $i + 2]) if $has_group;
        # The first row may lack some: the columns are those of all rows.
        my @titles = @ends >= 2 ? cells($lines[$i], @ends) : ();
        if (!@titles)
        {
            push @parts, [text => []] unless @parts && $parts[-1][0] eq 'text';
            push @{$parts[-1][1]}, $lines[$i];
            next;
        }
        my $last = $i + 1;
        $last++ while $last < @lines && $lines[$last] =~ /\S/ && $lines[$last] !~ /^(?:PASS|FAIL)/;
        my %ends = map { $_ => 1 } map { column_ends($lines[$i], $_) } @lines[$i + 1 .. $last - 1];
        @ends = sort { $a <=> $b } keys %ends;
        my @rows = map { my @cells = fits($_, @ends) ? cells($_, @ends) : (); @cells ? \@cells : $_ }
          @lines[$i + 1 .. $last - 1];
        # Titles that lie across a column's end belong to no such table.
        @titles = cells($lines[$i], @ends);
        if (!@titles || grep({ ref } @rows) < @rows / 2)
        {
            push @parts, [text => []] unless @parts && $parts[-1][0] eq 'text';
            push @{$parts[-1][1]}, $lines[$i];
            next;
        }
        push @parts, [table => split_columns(\@titles, \@rows)];
        $i = $last - 1;
    }
    return @parts;
}

# The titles and rows with a column for each word where a column has as many words in all of them: what
# is not a number may begin where its title begins.
sub split_columns
{
    my ($titles, $rows) = @_;
    my @lines = ($titles, grep { ref } @$rows);
    for my $n (reverse 0 .. $#$titles)
    {
        my %pieces = map { scalar(() = $_->[$n] =~ /\S(?: ?\S)*/g) => 1 } @lines;
        my ($many) = keys %pieces;
        next if keys %pieces != 1 || $many < 2;
        splice @$_, $n, 1, split /\s{2,}/, $_->[$n] for @lines;
    }
    return ($titles, $rows);
}

# A row has a number at the end of a column.
sub fits
{
    my ($line, @ends) = @_;
    return grep { $line =~ /^.{$_}/ && substr($line, 0, $_) =~ /(?<!\S)$NUMBER$/ } @ends;
}

sub table_as_html
{
    my ($titles, $rows) = @_;
    my @used = grep { my $n = $_; $titles->[$n] ne '' || grep { ref && ($_->[$n] // '') ne '' } @$rows } 0 .. $#$titles;
    my $text = "<div class=\"wide\"><table>\n<thead><tr>"
      . join('', map { '<th scope="col">' . html($titles->[$_]) . '</th>' } @used) . "</tr></thead>\n<tbody>\n";
    for my $row (@$rows)
    {
        if (!ref $row)
        {
            $text .= '<tr><th class="group" colspan="' . @used . '">' . html($row =~ s/^\s+//r) . "</th></tr>\n";
            next;
        }
        my $class = is_library($row->[0]) ? ' class="library"' : '';
        $text .= "<tr$class>" . join('', map { $_ == 0 ? '<th scope="row">' . html($row->[0]) . '</th>'
                : '<td>' . html($row->[$_] // '') . '</td>' } @used) . "</tr>\n";
    }
    return $text . "</tbody></table></div>\n";
}

# ---- Bars -------------------------------------------------------------------------------------

# A bar for each version: % of the ceiling. Where no ceiling is printed but a library's time, % of the
# library's speed.
sub bars
{
    my ($lines) = @_;
    my @rows = timed_rows($lines);
    my @bars = map { [$_->[0], $_->[4]] } grep { defined $_->[4] } @rows;
    my $what = 'the % of the table';
    if (!@bars)
    {
        my ($library) = sort { $a->[1] <=> $b->[1] } grep { $_->[1] > 0 && is_library($_->[0]) } @rows;
        return '' unless $library;
        $what = "the speed in % of $library->[0]";
        @bars = map { [$_->[0], 100 * $library->[1] / $_->[1]] } grep { $_->[1] > 0 && $_->[2] eq $library->[2] } @rows;
    }
    return '' if @bars < 2;
    my ($most) = sort { $b <=> $a } 100, map { $_->[1] } @bars;
    my $text = '<figure class="bars"><figcaption>' . html($what) . ", the dashed line is 100 %</figcaption>\n";
    for my $bar (@bars)
    {
        my ($name, $percent) = @$bar;
        $text .= sprintf '<div class="bar%s"><span class="name">%s</span><span class="track">'
          . '<span class="fill" style="width:%.2f%%"></span><span class="top" style="left:%.2f%%"></span></span>'
          . "<span class=\"number\">%s</span></div>\n", is_library($name) ? ' library' : '', html($name),
          100 * $percent / $most, 10000 / $most, $percent >= 10 ? sprintf('%.0f', $percent) : sprintf '%.1f', $percent;
    }
    return "$text</figure>\n";
}

# ---- Figures ----------------------------------------------------------------------------------

# Of each chapter the drawings that `make figures` has made, with their captions.
sub figures
{
    my %figures;
    return %figures unless -e 'figures/captions.txt';
    for (split /\n/, read_text('figures/captions.txt'))
    {
        my ($name, $chapter, $english, $chinese) = split /\t/;
        my ($number) = ($chapter // '') =~ /(\d+)/ or next;
        my ($file) = grep { -e } "build/figures/$name.svg", "figures/data/$name.svg", "figures/drawings/$name.svg";
        next unless $file;
        push @{$figures{$number + 0}}, '<figure><img alt="' . html($english) . '" src="data:image/svg+xml;base64,'
          . encode_base64(read_bytes($file), '') . '"><figcaption>' . html($english)
          . (defined $chinese ? '<br><span lang="zh">' . html($chinese) . '</span>' : '') . "</figcaption></figure>\n";
    }
    return %figures;
}

sub read_bytes
{
    my ($file) = @_;
    open my $in, '<:raw', $file or die "report: $file: $!\n";
    local $/;
    return scalar <$in> // '';
}

# ---- The page ---------------------------------------------------------------------------------

# The chapter's folder of a command: that of its program.
sub chapter_of
{
    my ($command) = @_;
    my ($name) = $command =~ m{^(?:dp/)?([\w-]+)};
    my ($file) = grep { -e } defined $name ? glob "ch*/$name.{cu,cpp}" : ();
    return defined $file ? dirname($file) : '';
}

# What the chapter's table of programs says of a program.
sub sentence_of
{
    my ($folder, $command) = @_;
    my ($name) = $command =~ m{^(?:dp/)?([\w-]+)};
    return '' unless $folder ne '' && -e "$folder/README.md";
    return read_text("$folder/README.md") =~ /^\| \[\Q$name\E\]\([^)]*\) \| ([^|]*) \|/m ? $1 : '';
}

sub title_of
{
    my ($folder) = @_;
    return 'Other programs' unless -e "$folder/README.md";
    return read_text("$folder/README.md") =~ /^# (.+)/m ? $1 : $folder;
}

sub run_as_html
{
    my ($command, $lines, $folder) = @_;
    my $precision = $command =~ m{^dp/} ? ' (double)' : '';
    my $text = '<section class="run"><h3>' . html($command) . "$precision</h3>\n";
    my $sentence = sentence_of($folder, $command);
    $text .= '<p>' . html($sentence =~ s/&lt;/</gr) . "</p>\n" if $sentence ne '';
    my $bars = bars($lines);
    for my $part (parts(@$lines))
    {
        my ($kind, @what) = @$part;
        my $shown = $kind eq 'text' ? join("\n", @{$what[0]}) =~ s/\A\n+|\s+\z//gr : '';
        $text .= $kind eq 'table' ? table_as_html(@what) : $shown ne '' ? "<pre>" . html($shown) . "</pre>\n" : '';
    }
    return "$text$bars</section>\n";
}

sub fastest_as_html
{
    my ($results) = @_;
    my @rows = map {
        my ($command, $ours, $library) = @$_;
        [$command, @$ours[0, 1], $ours->[4] // '', $library ? @$library[0, 1] : ('', ''),
            $library ? sprintf '%.2f', $library->[1] / $ours->[1] : '']
    } fastest($results->{commands}, $results->{runs});
    return '' unless @rows;
    return "<h2 id=\"fastest\">The fastest of each table</h2>\n"
      . table_as_html(['what', 'our fastest', 'ms', '% of the ceiling', 'library', 'its ms', 'times as fast as the library'], \@rows);
}

my $STYLE = read_text("$FindBin::Bin/report.css");
my $HOW_TO_READ = read_text("$FindBin::Bin/report-reading.html");

sub page
{
    my ($results) = @_;
    my %about = map { @$_ } @{$results->{about}};
    my %figures = figures();
    my (%runs, $chapters, $links);
    push @{$runs{chapter_of($_)}}, $_ for @{$results->{commands}};
    $runs{$_} //= [] for map { grep { -d } glob sprintf 'ch%02d_*', $_ } keys %figures;
    for my $folder (sort { ($a eq '') <=> ($b eq '') || $a cmp $b } keys %runs)
    {
        my ($number) = $folder =~ /(\d+)/;
        my $id = $folder eq '' ? 'others' : $folder;
        $links .= "<li><a href=\"#$id\">" . html(title_of($folder)) . "</a></li>\n";
        $chapters .= "<h2 id=\"$id\">" . html(title_of($folder)) . "</h2>\n"
          . join('', @{$figures{($number // 0) + 0} // []})
          . join '', map { run_as_html($_, $results->{runs}{$_}, $folder) } @{$runs{$folder}};
    }
    my $fastest = fastest_as_html($results);
    my $to_fastest = $fastest ne '' ? "<li><a href=\"#fastest\">The fastest of each table</a></li>\n" : '';
    my $device = $about{device} // 'an unknown device';
    my $machine = join '', map { '<tr><th scope="row">' . html($_->[0]) . '</th><td>' . html($_->[1]) . "</td></tr>\n" }
      @{$results->{about}}, ['results', $results->{file}];
    my $warning = !$about{driver} ? "<p class=\"warning\">Measured with the CPU backend: these times say nothing about a GPU.</p>\n" : '';
    my $title = html("Measured on $device");
    return <<"END";
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<link rel="icon" href="data:,">
<style>
$STYLE</style>
</head>
<body>
<h1>$title</h1>
$warning<div class="wide"><table class="machine"><tbody>
$machine</tbody></table></div>
<nav><ul>
<li><a href="#reading">How to read this</a> / <a href="#reading-zh" lang="zh">怎样读</a></li>
$to_fastest$links</ul></nav>
$fastest
$HOW_TO_READ
$chapters</body>
</html>
END
}

my ($file, $to) = @ARGV;
$to //= 'build/report.html';
my $results = eval { read_results($file // latest()) } // die 'report: ' . $@ =~ s/^report: //r;
my $page = page($results);
eval { make_path(dirname($to)); 1 } or die 'report: ' . dirname($to) . ": cannot be made\n";
my $part = "$to.$$";
my $out;
my $is_whole = open($out, '>:encoding(UTF-8)', $part) && print({$out} $page) && close($out) && rename $part, $to;
if (!$is_whole)
{
    my $why = $!;
    unlink $part;
    die "report: $to: $why\n";
}
print "$to: ", scalar @{$results->{commands}}, " runs of $results->{file}\n";
