# The book, and S1 to S4: which programs show a listing, table, figure, section or file of them, and
# what make/book.txt says of it. ./suite find answers with it, and so does docs/map.md, which ./suite
# index writes in both languages, for each place that make/places.txt lists.
package Book;
use strict;
use warnings;
use Exporter 'import';
use Files;
use Programs;
use Sources qw(from_in_chinese);

our @EXPORT = qw(map_page);

# What can be asked for: {programs} are pairs of a program and its references, {lines} those of
# make/book.txt with the words of their places.
sub read_book
{
    my (@programs) = @_;
    my %book = (programs => [map { [$_, references_and_words($_)] } @programs]);
    for my $line (split /\n/, read_text('make/book.txt'))
    {
        my ($place) = $line =~ /^([^#].*?): / or next;
        push @{$book{lines}}, [$line, words_of(plain($place))];
    }
    return \%book;
}

# A reference that a program has twice counts once.
sub references_and_words
{
    my ($program) = @_;
    my %seen;
    return grep { !$seen{$_->[1]}++ } map { [$_, words_of($_)] } references($program);
}

# Which programs answer for a place, each with what of its From: it was, and which lines of
# make/book.txt. A program answers if its From: names the place, or if it is itself so named. Whole
# words are compared: 9.5 is neither 19.5 nor 9.51.
sub answers
{
    my ($book, $what) = @_;
    my $wanted = words_of(plain($what));
    my @programs;
    for (@{$book->{programs}})
    {
        my ($program, @references) = @$_;
        my @matches = map { $_->[0] } grep { index($_->[1], $wanted) >= 0 } @references;
        push @programs, [$program, join ', ', @matches] if @matches;
    }
    my @lines = map { $_->[0] } grep { index($_->[1], $wanted) >= 0 } @{$book->{lines}};
    return (\@programs, \@lines);
}

sub plain
{
    my ($text) = @_;
    return $text =~ tr/"()//dr;
}

sub singular
{
    my ($word) = @_;
    return 'Fig.' if $word =~ /^fig(?:s|ure|ures)?\.?$/i;
    return 'section' if $word =~ /^sec(?:t|tion)?\.$/i;
    return $word =~ s/^(listing|table|section|chapter|file|example|formula)s$/$1/ir;
}

# " listing 9.5 ": so that index() finds whole words only.
sub words_of
{
    my ($text) = @_;
    return join ' ', '', (map { lc singular($_) } split ' ', $text), '';
}

# ---- What a program can be asked for by ----

# "Listings 4.1 to 4.3, section 4.1" is four references.
sub references
{
    my ($program) = @_;
    return $program->{name}, 'file ' . basename($program->{file}), split(' ', $program->{Sources} // ''),
      map { group($_) } split /; */, $program->{From} // '';
}

# "sections 3.1 and 3.2": the second is a section as well. "S2 Table 6.2, file testGather.cu": both
# are of S2. "(17.1)" is a formula.
sub group
{
    my ($group) = @_;
    my $text = plain($group =~ s/\((\d+\.\d+)\)/formula $1/gr) =~ s/ and its |,? and /, /gr;
    my $source = $text =~ /^(S[1-4])/ ? $1 : '';
    my ($kind, @references) = ('');
    for my $piece (split /, */, $text)
    {
        $piece =~ s/^S[1-4] *//;
        $piece = "$kind $piece" if $kind ne '' && $piece =~ /^[0-9]/;
        $kind = $piece =~ /^([A-Za-z.]+) +[0-9]/ ? singular($1) : '';
        $piece =~ s/^[^ ]+/$kind/ if $kind ne '';
        push @references, range(join ' ', grep { $_ ne '' } $source, $piece);
    }
    return @references;
}

# "Listing 4.1 to 4.3" or "S4 3.1-3.3" is every number from the first to the last. Nobody knows how
# far 4 goes in 4.9 to 5.2: these are two.
sub range
{
    my ($text) = @_;
    my $number = qr/((?:[0-9]+\.)*)([0-9]+)/;
    my ($kind, $stem, $first, $last) = $text =~ /^(.*?)$number(?: to |-)([0-9.]*[0-9])$/
      or return $text;
    return map { "$kind$stem$_" } $first .. $1 if $last =~ /^\Q$stem\E([0-9]+)$/;
    return "$kind$stem$first", "$kind$last";
}

# The places of make/places.txt, as From: names them.
sub places
{
    my ($part, @places) = ('');
    for my $line (split /\n/, read_text('make/places.txt'))
    {
        if ($line =~ /^[^ #]/)
        {
            $part = $line;
            push @places, $part if $part !~ /^S/;
        }
        elsif (my ($kind, $places) = $line =~ /^  ([A-Za-z.]+): (.*)/)
        {
            my $start = start_of($part, $kind);
            push @places, map { "$start $_" } split /, */, $places;
        }
    }
    return @places;
}

# What S1 to S4 number without a word are their sections.
sub start_of
{
    my ($part, $kind) = @_;
    return $part !~ /^S/ ? $kind : $kind eq 'section' ? $part : "$part $kind";
}

# ---- docs/map.md: for each place the programs and files to look at, and what to type ----
#
# A place that no From: names has a sentence in make/book.txt. In it the name of a program means
# that program, "row `shared` of transpose" and "memcheck -k sync" mean one of its versions,
# "make doctor" is a command and ch02_threads/README.md a file.

# The text of the page. What stands before its first table stays.
sub map_page
{
    my ($page, @programs) = @_;
    my $chinese = $page =~ /\.zh-CN\.md$/;
    my %map = (chinese => $chinese, book => read_book(@programs),
        program => {map { $_->{name} => $_ } @programs});
    my ($text) = text_of($page) =~ /\A(.*?\n)(?=\n## )/s;
    $text //= "<!-- Written by make index. -->\n";
    my $part = '';
    for my $line (split /\n/, read_text('make/places.txt'))
    {
        if ($line =~ /^[^ #]/)
        {
            $part = $line;
            my $title = $chinese ? in_chinese($part) : ucfirst $part;
            my $columns = '| place | programs and files | to type | |';
            $columns = '| 位置 | 程序与文件 | 命令 |' if $chinese;
            $text .= "\n## $title\n\n$columns\n" . $columns =~ s/[^|]+/---/gr . "\n";
            $text .= row(\%map, $part, $part) if $part !~ /^S/;
        }
        elsif (my ($kind, $places) = $line =~ /^  ([A-Za-z.]+): (.*)/)
        {
            my $start = start_of($part, $kind);
            $text .= join '', map { row(\%map, $part, "$start $_") } split /, */, $places;
        }
    }
    return $text;
}

# Numbers as 3.2 stand in several documents.
sub is_of_part
{
    my ($part, $text) = @_;
    return $text !~ /^S[1-4] / if $part !~ /^S/;
    return $text !~ /^(?:chapter|section|Listing|Table|Fig\.|file|formula|kernel|function|folder) /;
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
    add($row, 'links', $name, "[$name](../$program->{file})");
    add_command($row, "./bin/$name -k $_") for @versions;
    $row->{seen}{"$name version"} = 1 if @versions;
    add_command($row, "./bin/$name") unless $row->{seen}{"$name version"};
}

sub add_file
{
    my ($row, $path) = @_;
    $path =~ s/\.md$/.zh-CN.md/ if $row->{chinese} && $path =~ m{^(?:ch|docs/).*\.md$};
    add($row, 'links', $path, "[$path](../$path)");
    $row->{chapter} = $1 if $path =~ /^(ch[0-9]+)/;
}

sub add_command
{
    my ($row, $command) = @_;
    add($row, 'commands', $command, "`$command`");
}

# Each link and each command stands in a row once.
sub add
{
    my ($row, $cell, $what, $text) = @_;
    push @{$row->{$cell}}, $text unless $row->{seen}{"$cell $what"}++;
}

sub in_chinese
{
    my ($place) = @_;
    return "第 $1 章" if $place =~ /^chapter (.*)/;
    return "$1 节" if $place =~ /^section (.*)/;
    return "式 ($1)" if $place =~ /^formula (.*)/;
    return from_in_chinese($place) if $place =~ /^S[1-4] / && $place !~ / (?:kernel|function) /;
    my %word = (Table => '表', 'Fig.' => '图', file => '文件', Example => '例', kernel => '核函数',
        function => '函数', folder => '文件夹');
    my $words = join '|', map { quotemeta } keys %word;
    return $place =~ s/(?:^|(?<= ))($words)(?= )/$word{$1}/r;
}

sub cell
{
    my ($text) = @_;
    return $text =~ s/\|/\\|/gr;
}

1;
