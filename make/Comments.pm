# What there is to translate in a source: its comments (those that begin with //; there are no others
# but names of parameters), and what its --help shows.
package Comments;
use strict;
use warnings;
use utf8;
use Exporter 'import';
use Files qw(basename);
use Programs;

our @EXPORT = qw(tokens texts_of);

# A token is [kind, text, line, column]. The kinds are `//`, `/*`, `"`, and '' for all other code.
# Blanks are no tokens.
sub tokens
{
    my ($text) = @_;
    my ($line, $start, @tokens) = (1, 0);
    while ($text =~ m{\G(?: [ \t\r\f]+ | (\n)
        | (//(?:[^\n\\]|\\\n|\\)*) | (/\*.*?\*/)
        | ((?:u8|[uUL])?(?:R"([^()\\\s]*)\(.*?\)\g5"|"(?:[^"\\\n]|\\.)*"))
        | ((?:u8|[uUL])?'(?:[^'\\\n]|\\.)+' | \.?\d(?:[eEpP][-+]|'\w|[\w.])* | [A-Za-z_]\w* | .))}gsx)
    {
        my ($newline, $comment, $block, $string, $code) = ($1, $2, $3, $4, $6);
        my ($kind, $token) = defined $comment ? ('//', $comment) : defined $block ? ('/*', $block)
          : defined $string ? ('"', $string) : ('', $code);
        push @tokens, [$kind, $token, $line, $-[0] - $start] if defined $token;
        my $newlines = $newline ? 1 : ($token // '') =~ tr/\n//;
        $line += $newlines;
        $start = $-[0] + 1 + rindex $&, "\n" if $newlines;
    }
    return @tokens;
}

# The texts of a source, in its order. Each is a hash:
#
#   {context}   '' for a comment, '--help' for what --help shows
#   {id}        the English, in one line; a table has its own lines
#   {line}      where it begins, counted from 1
#   {near}      the code beside or below it, for the translator
#   {heads}     of a comment: what stands on each of its lines before the text
#   {tail}      of a comment: the dashes behind it
sub texts_of
{
    my ($file, $source) = @_;
    my @lines = split /\n/, $source;
    my @tokens = tokens($source);
    my ($first, @blocks) = blocks(\@lines, @tokens);
    my @texts = $first && is_header($file, @$first) ? header_texts(\@lines, @$first)
      : map { block_texts(\@lines, @$_) } $first // ();
    push @texts, map { block_texts(\@lines, @$_) } @blocks;
    push @texts, map { {context => '--help', %$_} } help_texts(@tokens);
    @texts = grep { $_->{id} =~ /[A-Za-z]{2}/ } @texts; # no `0` or `-r`
    for my $text (@texts) # the source is read as bytes, which is faster
    {
        utf8::decode($_) for grep { defined } @$text{qw(id near)}, @{$text->{heads} // []};
    }
    return @texts;
}

# ---- Comments -----------------------------------------------------------------------------------

# Comments on consecutive lines, in one column, are a block. Its rows are [line, head, text]. The
# head is what stands before the text.
sub blocks
{
    my ($lines, @tokens) = @_;
    my @blocks;
    my ($last_line, $last_column) = (-1, -1);
    for my $token (grep { $_->[0] eq '//' } @tokens)
    {
        my (undef, $comment, $line, $column) = @$token;
        my $before = substr $lines->[$line - 1], 0, $column;
        my $goes_on = $before !~ /\S/ && $last_line == $line - 1 && $last_column == $column;
        push @blocks, [] unless $goes_on;
        my ($mark, $text) = $comment =~ m{^(// ?)(.*?) *$}s;
        push @{$blocks[-1]}, [$line, "$before$mark", $text];
        ($last_line, $last_column) = ($line, $column);
    }
    return @blocks;
}

# The paragraphs of a block. A row without a text ends one. `- ` and `1. ` begin one, whose other
# rows may be indented. Rows that are indented otherwise are a table or an example of code.
sub block_texts
{
    my ($lines, @rows) = @_;
    my (@paragraphs, $paragraph);
    for my $row (@rows)
    {
        my ($indent, $text) = $row->[2] =~ /^( *)(.*)/s;
        my ($mark) = $text =~ /^(- +|\d+\. +)/;
        $paragraph = undef if $text eq '' || $text =~ /^clang-format o/;
        next if $text eq '' || $text =~ /^clang-format o/;
        my $kind = defined $mark ? 'item' : $indent eq '' ? 'prose' : 'table';
        my $last = $paragraph ? $paragraph->{kind} : '';
        $kind = 'item' if $last eq 'item' && $indent =~ /^(?:|$paragraph->{indent})$/;
        if ($kind ne $last || defined $mark)
        {
            push @paragraphs, $paragraph = {kind => $kind, indent => ' ' x length($mark // '')};
        }
        push @{$paragraph->{rows}}, $kind eq 'table' ? $row
          : [$row->[0], "$row->[1]$indent", $text];
    }
    return map { $_->{kind} eq 'table' ? table_texts($lines, @{$_->{rows}})
          : text_of($lines, @{$_->{rows}}) } @paragraphs;
}

# A paragraph is one text. Dashes on both sides of a title, and before an item, are not part of it.
sub text_of
{
    my ($lines, @rows) = @_;
    my $id = join ' ', map { $_->[2] } @rows;
    my ($dashes) = $id =~ /^(-+ +)/;
    my ($tail) = $id =~ /( -{3,})$/;
    my @heads = map { $_->[1] } @rows;
    $heads[0] .= $dashes // '';
    $id =~ s/^-+ +| -{3,}$//g;
    return text_at($lines, $rows[0][0], $id, \@heads, $tail);
}

# A table is one text of several lines. Of an example, only the comments in it are texts.
sub table_texts
{
    my ($lines, @rows) = @_;
    if (grep { $_->[2] =~ m{[;{}](?:$| *// )} } @rows)
    {
        return map { $_->[2] =~ m{^(.*?// +)(\S.*)}
              ? text_at($lines, $_->[0], $2, ["$_->[1]$1"]) : () } @rows;
    }
    my ($least) = sort { $a <=> $b } map { length(($_->[2] =~ /^( *)/)[0]) } @rows;
    my $id = join "\n", map { substr $_->[2], $least } @rows;
    return text_at($lines, $rows[0][0], $id, [map { $_->[1] . ' ' x $least } @rows]);
}

sub text_at
{
    my ($lines, $line, $id, $heads, $tail) = @_;
    my ($beside) = $heads->[0] =~ m{^\s*([^\s/].*?|/[^\s/].*?) *//};
    my $below = $line - 1 + @$heads;
    ++$below while !defined $beside && $below < @$lines && $lines->[$below] =~ m{^\s*(?://|$)};
    return {context => '', line => $line, id => $id, heads => $heads, tail => $tail // '',
        near => ($beside // $lines->[$below] // '') =~ s/^\s+//r =~ s{ *(?:// .*|\\$)}{}r};
}

# ---- The comment at the top of a program --------------------------------------------------------

sub is_header
{
    my ($file, @rows) = @_;
    my $name = basename($file) =~ s/\..*//r;
    return $file =~ /\.(?:cu|cpp)$/ && $rows[0][0] == 1 && $rows[0][2] =~ /^\Q$name\E: /;
}

# Its first sentence, and the prose after its keys, which stay as they are.
sub header_texts
{
    my ($lines, @rows) = @_;
    my @sentence;
    push @sentence, shift @rows while @rows && $rows[0][2] ne '';
    shift @rows;
    shift @rows while @rows && $rows[0][2] ne '';
    $sentence[0][1] .= $1 if $sentence[0][2] =~ s/^(\S+: )//;
    my $text = text_of($lines, @sentence);
    $text->{near} = '';
    return $text, block_texts($lines, @rows);
}

# ---- What --help shows --------------------------------------------------------------------------

# The strings of add_number() and the like without the option's name, those that become `columns`
# and `size_is`, those of said(), and those of the table of the options that all programs have, or
# of a program's own table that add_version() gets.
my $SHOWS = qr/^(?:add_(?:number|flag|text|real|choice|positional|version)|said)$/;

# The first string of these calls, too, is printed in Chinese. It is a format of printf, or says what
# was checked. Before that of usage_error stands `args`.
my $PRINTS = qr/^(?:print_(?:timed_)?note|check_(?:true|elements|sum|total))$/;

sub help_texts
{
    my @tokens = grep { $_->[0] !~ m{^/} } @_;
    my $has_names = grep { $_->[1] eq 'add_version' } @tokens;
    my @texts;
    for my $i (0 .. $#tokens - 1)
    {
        my ($word, $next) = ($tokens[$i][1], $tokens[$i + 1][1]);
        my $is_call = $next eq '(' && $word =~ $SHOWS;
        my $is_value = $next eq '=' && ($word =~ /^(?:columns|size_is|(?:\w+_)?COLUMNS)$/
              || $word eq 'what' && $i > 0 && $tokens[$i - 1][1] eq '.');
        my $is_printed = $next eq '('
          && ($word eq 'usage_error' || $word =~ $PRINTS && $tokens[$i + 2][0] eq '"');
        my $is_table = $next eq '['
          && ($word eq 'standard' || $has_names && $word =~ /^[A-Z]+$/ || $i > 0 && $tokens[$i - 1][1] eq 'Version');
        next unless $is_call || $is_value || $is_table || $is_printed;
        my @strings = strings_from(\@tokens, $i + 1, $is_call || $is_printed ? ')' : ';');
        splice @strings, 0, $word eq 'said' ? 0 : $word eq 'add_choice' ? 2 : 1 if $is_call;
        @strings = grep { $_->{id} =~ / / } @strings if $is_table;
        @strings = grep { says_something($_->{id}) } @strings ? $strings[0] : () if $is_printed;
        for my $string (grep { $_->{id} =~ /[a-z]/ && $_->{id} !~ /^[A-Zx]+$/ } @strings)
        {
            push @texts, {line => $string->{line}, id => $string->{id}, near => $word,
                is_format => $is_printed || $word eq 'said'};
        }
    }
    return @texts;
}

# Whether a format has a word of its own.
sub says_something
{
    my ($format) = @_;
    return $format =~ s/%[-+ #0-9.*]*(?:ll|l|z)?[a-zA-Z]//gr =~ /[A-Za-z]{2}/;
}

# The strings up to the bracket or semicolon that ends them. Those side by side are one.
my %ESCAPES = (n => "\n", t => "\t");

sub strings_from
{
    my ($tokens, $i, $end) = @_;
    my ($depth, $side_by_side, @strings) = (0, 0);
    for (; $i < @$tokens; ++$i)
    {
        my ($kind, $text, $line) = @{$tokens->[$i]};
        $depth += $text eq '(' ? 1 : $text eq ')' ? -1 : 0 if $kind eq '';
        last if $kind eq '' && $text eq $end && ($end eq ';' || $depth == 0);
        if ($kind eq '"')
        {
            push @strings, {line => $line, id => ''} unless $side_by_side;
            $strings[-1]{id} .= $text =~ s/^"|"$//gr =~ s/\\(.)/$ESCAPES{$1} \/\/ $1/gser;
        }
        $side_by_side = $kind eq '"';
    }
    return @strings;
}

1;
