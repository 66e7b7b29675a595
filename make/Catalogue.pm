# Catalogues in the form of gettext, which chNN_topic/zh/ and common/zh/ have, one for each source:
#
#     #. the code beside or below the comment
#     #, fuzzy                   its English has changed: to be looked at
#     #| msgid "the English as it was"
#     msgctxt "--help"           only of what --help shows
#     msgid "the English"
#     msgstr "the Chinese"
#
# A string may go on in strings on the next lines; here each has a sentence. What begins with #~ is
# no longer in the source.
package Catalogue;
use strict;
use warnings;
use utf8;
use Exporter 'import';
use Files qw(basename dirname);

our @EXPORT = qw(catalogue_of read_catalogue write_catalogue key_of);
our @EXPORT_OK = qw(chinese_of);

sub catalogue_of
{
    my ($file) = @_;
    return dirname($file) . 'zh/' . basename($file) . '.po';
}

# One English text may be a comment, and another one of the same words may be in --help.
sub key_of
{
    my ($entry) = @_;
    return "$entry->{context}\t$entry->{id}";
}

# The entries in their order: {context}, {id}, {chinese}, {line}, {near}, {fuzzy}, {before}, which
# is the English as it was, and {obsolete}.
my %FIELDS = (msgctxt => 'context', msgid => 'id', msgstr => 'chinese', '| msgid' => 'before');

sub read_catalogue
{
    my ($file) = @_;
    return entries($file, Files::text_of($file));
}

sub entries
{
    my ($file, $text) = @_;
    utf8::decode($text);
    my (@entries, $entry, $field);
    my ($number, $open) = (0, 0); # open: has no msgstr yet, so what follows belongs to it
    for my $line (split /\n/, $text)
    {
        ++$number;
        next if $line =~ /^\s*$/;
        my $obsolete = $line =~ s/^#~ ?//;
        my $is_start = $line =~ /^#[.,|]|^msg(?:ctxt|id)\b/;
        if ($is_start && !$open)
        {
            push @entries, $entry = {context => '', id => '', chinese => '', near => '',
                before => '', line => $number};
            ($open, $field) = (1, '');
        }
        if ($line =~ /^#\. ?(.*)/) { $entry->{near} = $1 }
        elsif ($line =~ /^#,.*\bfuzzy\b/) { $entry->{fuzzy} = 1 }
        elsif ($line =~ /^(?:#(?=\|))?(\| msgid|msgctxt|msgid|msgstr)? *(?:#\| *)?"(.*)" *$/)
        {
            $field = $FIELDS{$1} if defined $1;
            $open = 0 if $field eq 'chinese';
            die "$file:$number: a string without a msgid\n" if !$entry || $field eq '';
            $entry->{obsolete} = 1 if $obsolete;
            $entry->{line} = $number if ($1 // '') eq 'msgid';
            $entry->{$field} .= $2 =~ s/\\(.)/$1 eq 'n' ? "\n" : $1/ger;
        }
        elsif ($line !~ /^#/)
        {
            die "$file:$number: neither msgid \"...\" nor msgstr \"...\": $line\n";
        }
    }
    return grep { $_->{id} ne '' } @entries; # but not the header
}

# The Chinese of one comment of a source, by its English, both as bytes; undef if there is none, or an
# older one. To read the catalogue up to there is enough: a program's sentence is its first entry. A
# catalogue that cannot be read is a matter of ./suite zh --check.
sub chinese_of
{
    my ($file, $english) = @_;
    utf8::decode($english);
    for my $part (split /\n\n+/, Files::text_of(catalogue_of($file)))
    {
        my ($entry) = grep { $_->{id} eq $english && $_->{context} eq '' && !$_->{obsolete} }
          eval { entries($file, "$part\n") } or next;
        my $chinese = $entry->{fuzzy} || $entry->{chinese} eq '' ? undef : $entry->{chinese};
        utf8::encode($chinese) if defined $chinese;
        return $chinese;
    }
    return undef;
}

my $HEADER = qq(msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n);

sub write_catalogue
{
    my ($file, @entries) = @_;
    my $source = basename($file) =~ s/\.po$//r;
    my $text = qq(# $source in Chinese: see "Chinese comments" in CONTRIBUTING.md.\n$HEADER);
    for my $entry (@entries)
    {
        my $part = $entry->{near} eq '' ? '' : "#. $entry->{near}\n";
        $part .= "#, fuzzy\n" if $entry->{fuzzy};
        $part .= string('msgid', $entry->{before}) =~ s/^/#| /gmr if $entry->{before} ne '';
        $part .= string('msgctxt', $entry->{context}) if $entry->{context} ne '';
        $part .= string('msgid', $entry->{id}) . string('msgstr', $entry->{chinese});
        $part =~ s/^(?!#[.,])/#~ /gm if $entry->{obsolete};
        $text .= "\n$part";
    }
    mkdir dirname($file);
    utf8::encode($text);
    Files::write_text($file, $text);
    return;
}

# A string for each sentence, and for each line of a table.
sub string
{
    my ($keyword, $text) = @_;
    my @parts = split /(?<=\n)|(?<=[.?!] )(?=[A-Z`])|(?<=[。？！])(?![”）」])/, $text;
    my @quoted = map { '"' . s/([\\"])/\\$1/gr =~ s/\n/\\n/gr . "\"\n" } @parts ? @parts : '';
    unshift @quoted, qq(""\n) if @quoted > 1;
    return "$keyword " . join '', @quoted;
}

1;
