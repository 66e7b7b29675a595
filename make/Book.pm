# ./suite find WHAT: the programs that show a listing, table, figure, section or file of the book,
# as 9.5, "Table 9.1", "图 9.1" or bank.cu, and what make/book.txt says of it.
#
# docs/map.md has the same answers for every place that make/places.txt lists: see make/Map.pm.
package Book;
use strict;
use warnings;
use Exporter 'import';
use Files;
use Programs;

our @EXPORT = qw(read_book answers);

# What can be asked for: {programs} are pairs of a program and its references, {lines} those of
# make/book.txt with the words of their places.
sub read_book
{
    my (@programs) = @_;
    my %book = (programs => [map { [$_, map { [$_, words_of($_)] } references($_)] } @programs]);
    for my $line (split /\n/, read_text('make/book.txt'))
    {
        my ($place) = $line =~ /^([^#].*?): / or next;
        push @{$book{lines}}, [$line, words_of(plain($place))];
    }
    return \%book;
}

# Which programs answer for a place, each with what of its From: it was, and which lines of
# make/book.txt. A program answers if its From: names the place, or if it is itself so named. Whole
# words are compared: 9.5 is neither 19.5 nor 9.51.
sub answers
{
    my ($book, $what) = @_;
    my $wanted = words_of(in_english($what));
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

# The words of the Chinese book: 图 9.1 is Fig. 9.1.
sub in_english
{
    my ($text) = @_;
    $text =~ s/图/Fig. /g;
    $text =~ s/表/Table /g;
    $text =~ s/第 *[0-9]+ *章/chapter $&/g;
    $text =~ s/[0-9.]+ *节/section $&/g;
    $text =~ s/第|章|节//g;
    return plain($text);
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
    return $word =~ s/^(listing|table|section|chapter|file|example)s$/$1/ir;
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
    return $program->{name}, basename($program->{file}), split(' ', $program->{Sources} // ''),
      map { group($_) } split /; */, $program->{From} // '';
}

# "sections 3.1 and 3.2": the second is a section as well. "S2 Table 6.2, file testGather.cu": both
# are of S2.
sub group
{
    my ($group) = @_;
    my $text = plain($group) =~ s/ and its |,? and /, /gr;
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

# ---- ./suite find ----

# WHAT comes from make in the environment, where no shell can misread it.
sub find
{
    my $what = @_ ? "@_" : $ENV{WHAT} // '';
    if ($what !~ /[^ ]/)
    {
        print STDERR qq(make find wants WHAT=9.5, WHAT="Table 9.1" or WHAT=bank.cu\n);
        return 2;
    }
    my ($programs, $lines) =
      answers(read_book(grep { !$_->{extra} } read_programs(source_files())), $what);
    printf "%-16s %-36s %s\n", $_->[0]{name}, $_->[0]{file}, $_->[1] for @$programs;
    print map { "$_\n" } @$lines;
    return 0 if @$programs || @$lines;
    print STDERR 'nothing shows ' . in_english($what) . "; `make list` has all there is\n";
    return 1;
}

1;
