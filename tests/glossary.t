# The Chinese texts use the words of docs/glossary.md: none has a word that its last column refuses,
# but in the phrases that it allows there. Texts are the Chinese pages, the Chinese: lines of the
# programs, the tour, what is said of the figures, and the catalogues of comments in a folder zh/.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Encode qw(decode_utf8 encode_utf8);
use Suite;
use Test::More;

my $HAN = qr/[\x{3000}-\x{303f}\x{4e00}-\x{9fff}\x{ff00}-\x{ffef}]/;

# The rows of the glossary, each the list of its cells.
sub rows
{
    my ($text) = @_;
    my @rows = map { [map { s/^\s+|\s+$//gr } split /\|/, $_, -1] } $text =~ /^\|(.*)\|$/mg;
    return grep { $_->[0] !~ /^(English|-+)$/ } @rows;
}

# What a cell refuses and what it allows: "`A`、`B`；可以：`AC`".
sub words
{
    my ($cell) = @_;
    my ($refused, $allowed) = split /\x{ff1b}\x{53ef}\x{4ee5}/, $cell, 2;
    return map { [($_ // '') =~ /`([^`]+)`/g] } $refused, $allowed;
}

# The refused words in a text, each with what stands around it. A line that ends within a Chinese
# sentence goes on without a blank.
sub refused_in
{
    my ($text, @rows) = @_;
    $text =~ s/(?<=$HAN)\s*\n\s*(?:\/\/ *)?(?=$HAN)//g;
    my @found;
    for my $row (@rows)
    {
        my ($refused, $allowed) = words($row->[5]);
        next unless @$refused;
        my ($words, $phrases) =
          map { join '|', map { quotemeta } sort { length $b <=> length $a } @$_ } $refused, $allowed;
        my $rest = $phrases eq '' ? $text : $text =~ s/$phrases/\x{3000}/gr;
        push @found, map { "$_ (write $row->[1])" } $rest =~ /(.{0,10}(?:$words).{0,8})/g;
    }
    return @found;
}

my $text = decode_utf8(read_text('docs/glossary.md'));
my @rows = rows($text);

# ---- The glossary itself ----

my @wrong_form = grep { @$_ != 6 || grep({ $_ eq '' } @$_[0 .. 4]) } @rows;
ok(@rows > 50 && !@wrong_form, 'each row has a word, its Chinese, a section and what both mean')
  or diag(map { "  $_->[0]\n" } @wrong_form);
my %sections = map { $_ => 1 }
  map { split /, */ } read_text('make/places.txt') =~ /^  section: (\d.*)$/mg;
my @nowhere = grep { $_->[2] ne "\x{2013}" && !$sections{$_->[2]} } @rows;
ok(!@nowhere, '... and the sections are sections of the book')
  or diag(map { "  $_->[0]: $_->[2]\n" } @nowhere);
for my $column (0, 1)
{
    my %count;
    my @twice = grep { $count{$_}++ } map { $_->[$column] } @rows;
    ok(!@twice, '... and no word is there twice') or diag(encode_utf8("  @twice"));
}
my @unused = grep {
    my ($refused, $allowed) = words($_->[5]);
    grep { my $phrase = $_; !grep { index($phrase, $_) >= 0 } @$refused } @$allowed
} @rows;
ok(!@unused, '... and each phrase that is allowed has a word that is refused')
  or diag(map { "  $_->[0]\n" } @unused);

# ---- The texts ----

my %texts = map { $_ => decode_utf8(read_text($_)) }
  grep { -f && !m{^build/} } glob('*.zh-CN.md */*.zh-CN.md figures/captions.txt make/tour.txt'),
  grep { !m{^build/} } glob('zh/* */zh/* */zh/*/*');
for my $program (all_programs())
{
    $texts{$program->{file}} = decode_utf8($program->{Chinese} // '');
}
# The glossary has the refused words in its last column. The others are Chinese of the suite as well.
$texts{'docs/glossary.md'} = join "\n", map { @$_[1, 4] } @rows;
for my $file (sort keys %texts)
{
    my @found = refused_in($texts{$file}, @rows);
    ok(!@found, "$file uses the words of docs/glossary.md")
      or diag(map { encode_utf8("  $_\n") } @found);
}

# ---- What these tests must see ----

my @example = rows("| a | \x{7532} | 1.1 | b. | c. | `\x{4e19}\x{4e01}`\x{ff1b}\x{53ef}\x{4ee5}\x{ff1a}`\x{620a}\x{4e19}\x{4e01}` |\n");
for (['a refused word', "\x{4e00}\x{4e19}\x{4e01}\x{4e8c}", 1],
    ['... at the end of a line', "\x{4e00}\x{4e19}\n\x{4e01}\x{4e8c}", 1],
    ['... at the end of a comment', "\x{4e00}\x{4e19}\n// \x{4e01}\x{4e8c}", 1],
    ['the phrase with it', "\x{4e00}\x{620a}\x{4e19}\x{4e01}\x{4e8c}", 0],
    ['both', "\x{620a}\x{4e19}\x{4e01}\x{ff0c}\x{4e19}\x{4e01}", 1],
    ['neither', "\x{4e19}\x{3001}\x{4e01}", 0])
{
    my ($title, $sample, $count) = @$_;
    is(scalar(() = refused_in($sample, @example)), $count, $title);
}

done_testing();
