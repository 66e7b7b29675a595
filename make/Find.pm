# ./suite find WHAT: where a place of the book is shown, or what is about a topic.
#
#   ./suite find 9.2           a listing, table, figure, section, chapter or file of the book, or of
#                              S1 to S4; in all forms: "Listing 9.2", 列表9.2, §9.2, 图 2.1, 第9章, ch09;
#                              of a listing it says the line, too
#   ./suite find bank conflict a topic, in English or in Chinese, or the name of a function: the
#                              programs by what they say of themselves and by their sources, then
#                              the headings of the documents; or, without any, their text
#
# It answers in Chinese if LANG or its like says zh, or if the question has Chinese words. The status is 1 if there is nothing. `make find WHAT=...` says the same, and its status is 0.
# The search of the site answers with the same pages: site_words() and pages_of().
package Find;
use strict;
use warnings;
use utf8;
use Book;
use Catalogue qw(chinese_of);
use Files;
use Language;
use Programs;

# How a place may be called, with the word that From: has for it. JavaScript reads these, too.
our @KINDS = (
    ['Listing', 'listings?|list\.?|lst\.?|程序清单|代码清单|清单|列表|程序|代码'],
    ['Table', 'tables?|tab\.?|表格|表'],
    ['Fig.', 'figures?|figs?\.?|插图|图片|图'],
    ['section', 'sections?|sect?\.?|§+|小节|节'],
    ['chapter', 'chapters?|chap?\.?|ch\.?|章'],
    ['Example', 'examples?|ex\.?|例题|示例|例'],
    ['formula', 'formulas?|formulae|equations?|eqs?\.?|公式|式']);
my @CHINESE_DIGITS = split //, '零一二三四五六七八九';

# ---- Places ------------------------------------------------------------------------------------

# "９．２" is "9.2", "第十二章" is "第12章".
sub plain
{
    my ($text) = @_;
    $text =~ tr/０-９．（）：－–—　/0-9.():\-\-\- /;
    $text =~ s/^[\s"'“”‘’《》]+|[\s"'“”‘’《》:,;.，。；、?？]+$//g;
    my %digit = map { $CHINESE_DIGITS[$_] => $_ } 0 .. 9;
    $text =~ s{第\s*(?=[一二三四五六七八九十]+\s*[章节])([一二三四五六七八九]?)(十?)([一二三四五六七八九]?)}
              {'第' . (!$2 ? $digit{$1} : 10 * ($digit{$1} // 1) + ($digit{$3} // 0))}e;
    return $text =~ s/\s+/ /gr;
}

# "列表 9.2" is ('', 'Listing', '9.2'), "S4 图 3.7" is ('S4', 'Fig.', '3.7'), and 9.2 has no kind. An
# empty list for what is no place with a number.
sub place
{
    my ($text) = @_;
    $text = plain($text);
    my $source = $text =~ s/^(s[1-4])(?: |(?=[^\d\w]))\s*//i ? uc $1 : '';
    $text =~ s/^\((\d+\.\d+)\)$/formula $1/ || $text =~ s/ ?\((\d+\.\d+)\)$/ $1/; # (7.2), 式 (7.2)
    for (@KINDS)
    {
        my ($kind, $words) = @$_;
        return ($source, $kind, tidy_number($1))
          if $text =~ /^(?:第 ?)?(?:$words)[ .:_-]*(\d+(?:[.-]\d+)*)$/i
          || $text =~ /^(?:第 ?)?(\d+(?:[.-]\d+)*) ?(?:$words)$/i;
    }
    return ($source, '', tidy_number($1)) if $text =~ /^(\d+(?:\.\d+)+)$/;
    return ($source, 'chapter', tidy_number($1)) if $text =~ /^第? ?(\d+)$/;
    return;
}

# "09" is 9, "12-3" is 12.3.
sub tidy_number
{
    my ($number) = @_;
    return join '.', map { $_ + 0 } split /[.-]/, $number;
}

# As make/places.txt and From: have it. What S1 to S4 number without a word are their sections, which 3 is,
# too.
sub name_of_place
{
    my ($source, $kind, $number) = @_;
    $kind = '' if $source ne '' && $kind =~ /^(?:section|chapter)$/;
    return join ' ', grep { $_ ne '' } $source, $kind, $number;
}

# One word for a place, which the search of the site has for it: listing9.2, s4fig3.7, n9.2.
sub word_of_place
{
    my ($source, $kind, $number) = @_;
    return lc($source . ($kind eq '' ? 'n' : $kind =~ s/\.//r) . $number);
}

# The programs and files that answer for a place, the programs first, as {name, file, why}, and the
# lines of make/book.txt. A listing of the book comes first where a comment names it, with its {line}.
sub answers_for
{
    my ($has, $place) = @_;
    my ($programs, $lines) = Book::answers($has->{book}, $place);
    # (`file reduce.cu of chapter 10` is no answer to chapter 10.)
    $programs = [grep { $_->[1] =~ /^chapter/i } @$programs] if $place =~ /^chapter/;
    my (@found, %seen);
    my $add = sub {
        my ($program, $why) = @_;
        my $says = $has->{chinese} && $program->{Chinese} || $program->{sentence} // '';
        push @found, {name => $program->{name}, file => $program->{file}, why => $why,
            says => decoded($says)} unless $seen{$program->{file}}++;
    };
    my ($others, $books) = parted(sub { $_[0][1] }, @$programs);
    $add->(@$_) for sort { rank($a->[1]) <=> rank($b->[1]) } @$books;
    if ($place =~ /^chapter (\d+)$/)
    {
        my $folder = sprintf 'ch%02d_', $1;
        $add->($_, '') for grep { $_->{dir} =~ /^$folder/ } @{$has->{reading}};
    }
    my ($others_lines, $books_lines) = parted(sub { $_[0] }, @$lines);
    for my $lines ($books_lines, $others_lines)
    {
        my @files;
        for my $line (@$lines)
        {
            my ($where, $text) = split /: /, $line, 2;
            # What stands in backquotes is a version or a type.
            for my $word (map { s/^\(+//r =~ s/[.,;:)]*$//r } split ' ', $text)
            {
                $add->($has->{program}{$word}, $where) if $has->{program}{$word};
                push @files, $word if $word =~ m{^[\w-]+/[\w./-]+$|^README\.md$} && -f $word;
            }
        }
        push @found, map { {name => basename($_), file => $_, why => '', says => title_of($_)} }
          grep { !$seen{$_}++ } map { in_language($has, $_) } @files;
        $add->(@$_) for $lines == $books_lines ? @$others : ();
    }
    my ($listing) = $place =~ /^(?:Listing )?(\d+\.\d+)$/;
    @found = with_lines($has, $listing, \@found, $books_lines) if defined $listing;
    return (\@found, [@$books_lines, @$others_lines]);
}

# What belongs to S1 to S4 only, and the rest, which is the book's: two lists.
sub parted
{
    my ($text, @things) = @_;
    my @parts = ([], []);
    push @{$parts[$text->($_) =~ /^(?:S[1-4] [^,:]*(?:, |$|:.*))+$/ ? 0 : 1]}, $_ for @things;
    return @parts;
}

# ---- Listings: the files and lines where a comment names them -------------------------------------

# How well a comment names a listing: it stands above a kernel, or above other code; or it stands beside
# code, or speaks of a part of it. That is enough in a program whose From: has the listing.
my ($ABOVE_KERNEL, $ABOVE_CODE, $BESIDE) = 0 .. 2;

# These rows, those of a listing first whose files have a comment on it; then other files that have a
# comment which begins with it, as force_host.cuh; then the rest as it was.
sub with_lines
{
    my ($has, $listing, $found, $lines) = @_;
    my $listings = $has->{listings} //= {map { $_ => lines_in($_) }
          sorted('ch*/*.{cu,cpp,cuh}', 'common/*.cuh')};
    my (@first, @rest);
    for my $row (@$found)
    {
        my $place = ($listings->{$row->{file}} // {})->{$listing};
        my $line = $place ? $place->{line}
          : line_of_name($row->{file}, grep { /^Listing \Q$listing\E: / } @$lines);
        $row = {%$row, line => $line, $row->{says} eq '' ? of_header($has, $row->{file}, $listing) : ()}
          if defined $line;
        push @{defined $line ? \@first : \@rest}, $row;
    }
    my %is_there = map { $_->{file} => 1 } @$found;
    my %program = map { $_->{file} => $_ } @{$has->{reading}};
    for my $file (sort grep { !$is_there{$_} } keys %$listings)
    {
        my $place = $listings->{$file}{$listing} // next;
        next if $place->{rank} > $ABOVE_CODE;
        my $program = $program{$file};
        my $says = $program && ($has->{chinese} && $program->{Chinese} || $program->{sentence});
        push @first, {name => $program ? $program->{name} : basename($file), file => $file,
            line => $place->{line}, $program ? (why => "Listing $listing", says => decoded($says))
            : of_header($has, $file, $listing)};
    }
    return @first, @rest;
}

# The listings that the comments of a file name: number => {line, rank}, the best comment of each.
sub lines_in
{
    my ($file) = @_;
    my $text = read_text($file);
    return {} if $text !~ /Listing/;
    my @lines = split /\n/, $text;
    my $numbers = qr/\d+\.\d+(?:(?:, and |, | and | to )\d+\.\d+)*/;
    my %places;
    for my $at (grep { $lines[$_] =~ /Listing/ } 0 .. $#lines)
    {
        my ($before, $comment) = $lines[$at] =~ m{^(.*?)// *(.*)} or next;
        my $goes_on = $before !~ /\S/ && $at > 0 && $lines[$at - 1] =~ m{^\s*//+ *\S};
        my ($names, $end) = $comment =~ /^(?:WRONG: )?(?:[Ss]ections? $numbers(?:\.\d+)?, )?(Listings? $numbers)(.*)/;
        my $begins = defined $names && !$goes_on;
        ($names, $end) = ($1, '') if !$begins && $comment =~ /\bstands (Listings? $numbers)/;
        next unless defined $names && ($begins || $end eq '' && !$goes_on);
        my $below = $at;
        ++$below while $below < $#lines && $lines[$below] =~ m{^\s*(?://|template\b|$)};
        my $rank = $before =~ /\S/ || !$begins || $end !~ /^(?:[.,:;]|$)/ ? $BESIDE
          : $lines[$below] =~ /__global__/ ? $ABOVE_KERNEL : $ABOVE_CODE;
        for my $number (map { /^Listing (\d+\.\d+)$/ } Book::group($names))
        {
            my $place = $places{$number};
            $places{$number} = {line => $at + 1, rank => $rank} if !$place || $rank < $place->{rank};
        }
    }
    return \%places;
}

# The line where a header defines a macro that a line of make/book.txt names.
sub line_of_name
{
    my ($file, @sentences) = @_;
    return undef unless $file =~ /\.cuh$/ && @sentences;
    my @lines = split /\n/, read_text($file);
    for my $name ("@sentences" =~ /\b([A-Z][A-Z_]+)\b/g)
    {
        my ($at) = grep { $lines[$_] =~ /^#define $name\b/ } 0 .. $#lines;
        return $at + 1 if defined $at;
    }
    return undef;
}

# What a header says of itself: its first paragraph, whose Chinese its catalogue has.
sub of_header
{
    my ($has, $file, $listing) = @_;
    my ($paragraph) = read_text($file) =~ m{\A((?:// ?[^\n]+\n)+)};
    my $english = join ' ', split /\n/, ($paragraph // '') =~ s{^// ?}{}gmr;
    my $chinese = $has->{chinese} ? chinese_of($file, $english) : undef;
    my $says = decoded($chinese // $english);
    return (why => "Listing $listing", says => $says =~ s/^(?:Listing )?\Q$listing\E[.:：] *//r =~ s/[.。]$//r);
}

# 9.2 is a listing first, then a table, a figure, a section.
sub rank
{
    my ($reference) = @_;
    my @order = qw(Listing Table Fig section);
    return (grep { $reference =~ /^$order[$_]/i } 0 .. $#order)[0] // scalar @order;
}

# A document in the language of the question.
sub in_language
{
    my ($has, $file) = @_;
    my $chinese = $file =~ s/\.md$/.zh-CN.md/r;
    return $has->{chinese} && -e $chinese ? $chinese : $file;
}

sub title_of
{
    my ($file) = @_;
    return '' unless $file =~ /\.md$/;
    my ($title) = decoded(read_text($file)) =~ /^# (.+)/m;
    return $title // '';
}

# ---- Topics ------------------------------------------------------------------------------------

sub decoded
{
    my ($text) = @_;
    utf8::decode($text);
    return $text;
}

# The lines of make/topics.txt: {names, pages}, the pages that come first.
sub topics
{
    my @topics;
    for my $line (grep { /^[^#]/ } split /\n/, decoded(text_of('make/topics.txt')))
    {
        my ($names, $pages) = split / -> /, $line;
        push @topics, {names => [split /, /, $names], pages => [split ' ', $pages // '']};
    }
    return @topics;
}

# A name as it is compared: "Bank  Conflicts" is "bank conflict", 共享内存的 bank is 共享内存bank.
sub key
{
    my ($name) = @_;
    $name = lc plain($name) =~ s/-/ /gr =~ s/的//gr =~ s/^ +//r;
    $name =~ s/(?<=\p{Han}) (?=\p{Han})|(?<=\p{Han}) (?=\w)|(?<=\w) (?=\p{Han})//g;
    return join ' ', map { /^[a-z]{3,}[^s]s$/ ? s/s$//r : $_ } split / /, $name;
}

# The topic that is asked for; what is none of make/topics.txt is one with a single name.
sub topic
{
    my ($what) = @_;
    my $key = key($what);
    my ($topic) = grep { grep { key($_) eq $key } @{$_->{names}} } topics();
    return $topic // {names => [plain($what)], pages => []};
}

# A pattern for a name: its words with blanks or hyphens between them, and in the plural, too. A
# name with an underscore or with capitals inside is a function's, and may be a part of a longer one.
sub pattern
{
    my ($name, $between) = @_;
    my @words = $name =~ /\p{Han}+|[^\s\p{Han}-]+/g;
    my @patterns = map {
        my $word = quotemeta;
        /\p{Han}/ || !/\w/ || (/_|[a-z][A-Z]/ && length > 5) ? $word
          : "(?<![A-Za-z0-9])$word(?:e?s)?(?![A-Za-z0-9])"
    } @words;
    return join $between // '[\s-]*', @patterns;
}

# How well a program or a header fits a pattern: its name, its sentences, the sentences of its
# versions, and how often its source has it. What the source defines fits better than what it uses.
sub fits
{
    my ($item, $pattern) = @_;
    my @places = $item->{text} =~ /$pattern/g;
    my $score = @places < 12 ? @places : 12;
    $score += 50 if @places && $item->{text} =~ /(?:#define |__global__ void |^\w[\w ]* \*?)(?:$pattern)\(/m;
    $score += 60 if $item->{name} =~ /^(?:$pattern)$/;
    $score += 20 if $item->{name} =~ /$pattern/;
    $score += 40 if "$item->{sentence}\n$item->{Chinese}" =~ /$pattern/;
    $score /= 2 if $item->{file} =~ /\.cuh$/; # programs come first
    my @versions = grep { /$pattern/ } @{$item->{rows}};
    $score += 8 * (@versions < 3 ? @versions : 3);
    $score += 10 if $score && $item->{chapter} =~ /$pattern/;
    return $score;
}

# What can be found: programs in the order of reading, then headers.
sub items
{
    my ($has) = @_;
    return @{$has->{items}} if $has->{items};
    my %title;
    for my $program (@{$has->{reading}})
    {
        my $text = decoded(read_text($program->{file}));
        my $dir = $program->{dir};
        $title{$dir} //= join "\n", map { title_of("$dir/$_") } grep { -e "$dir/$_" }
          qw(README.md README.zh-CN.md);
        my ($table) = $text =~ /^const Version (.*?)^\};/ms;
        my @rows = ($table // '') =~ /"([^"]* [^"]*)"/g;
        push @{$has->{items}},
          {name => $program->{name}, file => $program->{file}, text => $text, rows => \@rows,
            chapter => $title{$dir}, sentence => decoded($program->{sentence} // ''),
            Chinese => decoded($program->{Chinese} // '')};
    }
    for my $file (sorted('common/*.cuh', 'ch*/*.cuh'))
    {
        my $text = decoded(read_text($file));
        my ($sentence) = $text =~ m{\A((?://[^\n]*\n)+)};
        $sentence = ($sentence // '') =~ s{^// ?}{}mgr =~ s/\n(?!\n)/ /gr;
        push @{$has->{items}}, {name => basename($file), file => $file, text => $text, rows => [],
            chapter => '', sentence => $sentence =~ s/(?<=[.:])[ \n].*//sr =~ s/:?\n?$//r, Chinese => ''};
    }
    for my $item (@{$has->{items}})
    {
        $item->{all} = lc join "\n", @$item{qw(text name sentence Chinese)}, @{$item->{rows}};
    }
    return @{$has->{items} // []};
}

# What is about a topic, the best first, as {name, file, why, score}.
sub about
{
    my ($has, $what) = @_;
    my $topic = topic($what);
    my @names = @{$topic->{names}};
    my $pattern = join '|', map { pattern($_) } @names;
    # A name in capitals is a macro's.
    my @found = ranked($has, $what =~ /^[A-Z_]{3,}$/ ? qr/$pattern/ : qr/$pattern/i, @names);
    # Words that nowhere stand together may stand in one sentence.
    if (!@found && "@names" =~ / / && @names == 1)
    {
        my $all = join '', map { '(?=.*' . pattern($_) . ')' } split ' ', $names[0];
        @found = ranked($has, qr/^$all.*/im, @names);
    }
    my @first = map { page_row($has, $_) } @{$topic->{pages}};
    my %is_first = map { $_->{file} => 1 } @first;
    return @first, grep { !$is_first{$_->{file}} } @found;
}

# A page that make/topics.txt names for a topic.
sub page_row
{
    my ($has, $page) = @_;
    my ($item) = grep { $_->{file} eq $page } items($has);
    my $file = in_language($has, $page);
    my $why = !$item ? title_of($file) : $has->{chinese} && $item->{Chinese} || $item->{sentence};
    return {name => $item ? $item->{name} : basename($page), file => $file, why => $why, score => 100};
}

sub ranked
{
    my ($has, $pattern, @names) = @_;
    # To look for a word of each name first is faster.
    my @words = map { (sort { length $b <=> length $a } /\p{Han}+|[^\s\p{Han}-]+/g)[0] // () }
      map { lc } @names;
    my (@found, $order);
    for my $item (items($has))
    {
        next unless grep { index($item->{all}, $_) >= 0 } @words;
        my $score = fits($item, $pattern) or next;
        my $why = $has->{chinese} && $item->{Chinese} || $item->{sentence};
        push @found, {name => $item->{name}, file => $item->{file}, why => $why, score => $score,
            order => ++$order};
    }
    return sort { $b->{score} <=> $a->{score} || $a->{order} <=> $b->{order} } @found;
}

# Headings of the documents in the language of the question, those of chapters before those of
# sections: [FILE:LINE, heading].
sub headings
{
    my ($has, $pattern) = @_;
    my @found;
    for my $file (documents($has))
    {
        my @lines = split /\n/, decoded(read_text($file));
        my $in_code = 0;
        for my $number (1 .. @lines)
        {
            my $line = $lines[$number - 1];
            $in_code = !$in_code if $line =~ /^ *```/;
            next if $in_code || $line !~ /^(#+) (.*)/;
            my ($level, $heading) = (length $1, $2);
            push @found, [$level, "$file:$number", $heading] if $heading =~ $pattern;
        }
    }
    return map { [@$_[1, 2]] } sort { $a->[0] <=> $b->[0] } @found;
}

sub documents
{
    my ($has) = @_;
    return grep { (/\.zh-CN\.md$/ || 0) == $has->{chinese} && !m{^docs/map} }
      sorted('README*.md', 'ch*/*.md', 'docs/*.md', 'cpu/*.md', 'cpu/*/*.md');
}

# Lines of the documents that have all words of a question, in any order: [FILE:LINE, what stands there].
# A line is a paragraph, so some words around the first of them are shown.
sub passages
{
    my ($has, $what) = @_;
    my @words = map { pattern($_) } split ' ', plain($what);
    my @found;
    for my $file (documents($has))
    {
        my @lines = split /\n/, decoded(read_text($file));
        for my $number (1 .. @lines)
        {
            my $line = $lines[$number - 1];
            next if grep { $line !~ /$_/i } @words;
            $line =~ s/\]\([^)]*\)|<!--.*?-->|<[^>]*>|[\[*|]//g;
            my ($part) = $line =~ /(.{0,24}(?:$words[0]).{0,40})/i;
            push @found, ["$file:$number", '… ' . ($part =~ s/^\s+//r) . ' …'] if defined $part;
        }
    }
    return splice @found, 0, 8;
}

# Names of topics that are like a question for which there is nothing: with a word of it, or with two
# characters of it that follow each other in Chinese.
sub like_it
{
    my ($has, $what) = @_;
    my @parts = map { my $word = $_; $word =~ /\p{Han}/ ? map({ substr $word, $_, 2 } 0 .. length($word) - 2)
          : length $word > 3 ? substr $word, 0, 4 : () } lc(plain($what)) =~ /\p{Han}+|[a-z]+/g;
    my @like;
    for my $topic (topics())
    {
        my ($name) = grep { my $name = $_; $name =~ /\p{Han}/ == $has->{chinese}
              && grep { index(lc $name, $_) >= 0 } @parts } @{$topic->{names}};
        push @like, $name if defined $name;
    }
    # Nothing is like it: some that many ask for.
    @like = map { (grep { $has->{chinese} == /\p{Han}/ } @{$_->{names}})[0] } (topics())[0, 1, 6, 11] if !@like;
    return splice @like, 0, 5;
}

# ---- ./suite find ------------------------------------------------------------------------------

sub all_there_is
{
    my ($chinese) = @_;
    my @all = read_programs(source_files());
    my @reading = grep { !$_->{extra} } in_reading_order(@all);
    return {book => Book::read_book(grep { !$_->{extra} } @all), reading => \@reading,
        program => {map { $_->{name} => $_ } @reading}, chinese => $chinese ? 1 : 0};
}

# What there is to a question: rows of [name, file, what it says], names of `more` programs, `lines` of
# make/book.txt, and headings, [FILE:LINE, heading].
sub answer
{
    my ($has, $what) = @_;
    my @place = place($what);
    return answer_for_place($has, name_of_place(@place)) if @place;

    # First what is so named: a program, a file of the book, `S1 callbacks`.
    # Words as `kernel` alone are no names.
    my $is_word = @{topic($what)->{names}} > 1
      || plain($what) =~ /^(?:chapter|section|listing|table|fig\.|file|example|formula|kernel|function|folder)s?$/i;
    my $answer = named($has, $is_word ? () : in_english(plain($what)));
    my $is_name = $what =~ /^(?:file |文件)|\.\w+$|^s[1-4]/i;
    return $answer if $is_name && (@{$answer->{rows}} || @{$answer->{lines}});
    my %seen = map { $_->[1] => 1 } @{$answer->{rows}};
    my @about = grep { !$seen{$_->{file}} } about($has, $what);
    my @best = grep { $_->{score} >= 4 } @about;
    @best = @about if !@best;
    @best = splice @best, 0, 8;
    push @{$answer->{rows}}, map { [@$_{qw(name file why)}] } @best;
    $seen{$_->{file}} = 1 for @best;
    $answer->{more} = [map { $_->{name} } grep { !$seen{$_->{file}} } @about];
    my $pattern = join '|', map { pattern($_) } @{topic($what)->{names}};
    $answer->{headings} = [headings($has, qr/$pattern/i)];
    $answer->{headings} = [passages($has, $what)] if !@{$answer->{headings}} && $what =~ /\w{2}/;
    return $answer;
}

sub answer_for_place
{
    my ($has, $place) = @_;
    my $answer = named($has, $place);
    my $there = join '|', map { quotemeta } $place, Book::in_chinese($place);
    $answer->{headings} = [headings($has, qr/(?<![\w.])(?:$there)(?![.\d]*\d)/)]
      if $place !~ /^chapter/ && (@{$answer->{rows}} || @{$answer->{lines}});
    return $answer;
}

# In Chinese the lines of make/book.txt, which are English, stand only where there is nothing else.
sub named
{
    my ($has, $name) = @_;
    my ($found, $lines) = defined $name ? answers_for($has, encoded($name)) : ([], []);
    my $between = $has->{chinese} ? '：' : ': ';
    my @rows;
    for (@$found)
    {
        my $where = $_->{why} =~ s/^(Chapter|Section) /\l$1 /r;
        $where = decoded(Book::in_chinese($where)) if $has->{chinese};
        $where = '' if $where eq $_->{name};
        my $line = defined $_->{line} ? ":$_->{line}" : '';
        push @rows, [$_->{name}, "$_->{file}$line", join $between, grep { $_ ne '' } $where, $_->{says}];
    }
    return {rows => \@rows, more => [], headings => [],
        lines => [map { decoded($_) } @rows && $has->{chinese} ? () : @$lines]};
}

sub encoded
{
    my ($text) = @_;
    utf8::encode($text);
    return $text;
}

# "文件夹 force-only" is "folder force-only", "S1 回调函数" is "S1 callbacks".
sub in_english
{
    my ($text) = @_;
    my %word = ('文件' => 'file', '文件夹' => 'folder', '核函数' => 'kernel', '函数' => 'function');
    $text =~ s/^(S[1-4] *)?(文件夹?|核函数|函数) *(?=[\w.-]+$)(?!\p{Han})/($1 \/\/ '') . "$word{$2} "/ie;
    $text =~ s/例(?=[ 0-9])/Example /;
    return $text if $text !~ /^S[1-4].*\p{Han}/i;
    my ($place) = grep { lc($text) =~ s/ //gr eq lc(decoded(Book::in_chinese($_))) =~ s/ //gr }
      grep { /^S/ } Book::places();
    return decoded($place // encoded($text));
}

# WHAT comes from make in the environment, where no shell can misread it.
sub find
{
    my $what = decoded(@_ ? "@_" : $ENV{WHAT} // '');
    if ($what !~ /\w/)
    {
        binmode STDERR, ':utf8';
        print STDERR say_in(qq(make find wants WHAT=9.5, WHAT="Table 9.1", WHAT=bank.cu )
              . qq(or a topic: WHAT="bank conflict"\n),
            qq(make find 要知道找什么：WHAT=9.5、WHAT="表 9.1"、WHAT=bank.cu，或一个主题：WHAT="bank 冲突"\n));
        return 2;
    }
    binmode STDOUT, ':utf8';
    binmode STDERR, ':utf8';
    my $has = all_there_is(in_chinese_here() || $what =~ /\p{Han}/);
    my $answer = answer($has, $what);
    return show($has, $answer) if grep { @$_ } values %$answer;
    my @place = place($what);
    my $name = @place ? name_of_place(@place) : plain($what);
    my @like = @place || $what =~ /\.\w/ ? () : like_it($has, $what);
    print STDERR $has->{chinese} ? "没有找到 $name；make list 列出全部程序"
      . (@like ? '；也可以试试：' . join('、', @like) : '') . "\n"
      : "nothing shows $name; make list has all programs" . (@like ? '; or try: ' . join(', ', @like) : '') . "\n";
    return 1;
}

sub show
{
    my ($has, $answer) = @_;
    my @rows = @{$answer->{rows}};
    my @widths = map { my $i = $_; (sort { $b <=> $a } 12, map { length $_->[$i] } @rows)[0] } 0, 1;
    printf "%-$widths[0]s  %-$widths[1]s  %s\n", @$_ for @rows;
    if (my @more = @{$answer->{more}})
    {
        my $number = @more;
        my $names = join ', ', splice @more, 0, 12;
        my $end = !@more ? '' : $has->{chinese} ? " 等，共 $number 个" : ' and ' . @more . ' more';
        print $has->{chinese} ? '另见：' : 'also in: ', "$names$end\n";
    }
    print map { "$_\n" } @{$answer->{lines}};
    my @headings = @{$answer->{headings}};
    print map { "$_->[0]  $_->[1]\n" } splice @headings, 0, 8;
    return 0;
}

# ---- For the search of the site ----------------------------------------------------------------

# One word for the name of a file: filereduce1cpucu.
sub word_of_file
{
    my ($file) = @_;
    return 'file' . lc(basename($file)) =~ s/\W//gr;
}

# "file reduce.cu" and "kernel transpose1" are names, "Listing 9.2" is none.
sub is_name
{
    my ($place) = @_;
    return $place =~ /\b(?:file|kernel|function|folder) /;
}

# Of each word of the search, the files that answer for it, the best first: {listing9.2}, {n9.2} for
# the number alone, {filebankcu} for a file of this suite or of the book, {filetranspose1} for a kernel
# or a folder of the book, and {topic7} for the names of topic 7 of make/topics.txt.
sub pages_of
{
    my $has = all_there_is(0);
    my %files;
    push @{$files{word_of_file($_)}}, $_ for sorted('common/*.cuh', 'ch*/*.{cu,cpp,cuh}');
    for my $place (grep { is_name($_) } Book::places())
    {
        my $files = $files{word_of_file($place =~ s/.* //r)} //= [];
        my %is_there = map { $_ => 1 } @$files;
        push @$files, grep { !$is_there{$_}++ } map { $_->{file} } @{(answers_for($has, $place))[0]};
    }
    for my $place (Book::places())
    {
        my @place = place(decoded($place)) or next;
        my ($found) = answers_for($has, $place);
        # The page of a chapter names its programs.
        $found = [sort { ($b->{file} =~ /\.md$/) <=> ($a->{file} =~ /\.md$/) } @$found]
          if $place[1] eq 'chapter';
        $files{word_of_place(@place)} = [map { $_->{file} } @$found];
        my $bare = word_of_place('', '', $place[2]);
        next if $place[1] eq 'chapter' || $files{$bare};
        $files{$bare} = [map { $_->{file} } @{(answers_for($has, $place[2]))[0]}];
    }
    my $number = 0;
    for my $topic (topics())
    {
        my @found = about($has, $topic->{names}[0]);
        $files{'topic' . ++$number} = [map { $_->{file} } splice @found, 0, 5];
    }
    return \%files;
}

# What make/site/find.js has to know.
sub site_words
{
    my %topic;
    my $number = 0;
    for my $topic (topics())
    {
        ++$number;
        $topic{key($_)} = "topic$number" for @{$topic->{names}};
    }
    # A name that is no file's, as wordOfFile() knows them.
    for my $name (map { s/.* //r } grep { is_name($_) && !/\.(?:cu|cuh|cpp)$/ } Book::places())
    {
        $topic{key($name)} //= word_of_file($name);
    }
    return {kinds => \@KINDS, topics => \%topic};
}

1;
