# The Chinese texts use the words of docs/glossary.md: none has a word that its last column refuses,
# but in the phrases that it allows there. Texts are the Chinese pages, the tour, what is said of the
# figures, and the catalogues in a folder zh/: comments, and the sentences of programs.
#
# Inputs: programs chinese docs figures/captions.txt make/tour.txt make/Programs.pm make/Files.pm
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Encode qw(decode_utf8 encode_utf8);
use Suite;
use Test::More;

my $HAN = qr/[\x{3000}-\x{303f}\x{4e00}-\x{9fff}\x{ff00}-\x{ffef}]/;

# The rows of the glossary, each the list of its cells.
my @rows = grep { $_->[0] !~ /^(English|-+)$/ }
  map { [map { s/^\s+|\s+$//gr } split /\|/, $_, -1] }
  decode_utf8(read_text('docs/glossary.md')) =~ /^\|(.*)\|$/mg;
my @wrong_form = grep { @$_ != 6 || grep({ $_ eq '' } @$_[0 .. 4]) } @rows;
ok(@rows && !@wrong_form, 'each row has a word, its Chinese, a section and what both mean')
  or diag(map { "  $_->[0]\n" } @wrong_form);

# For each word that is refused: the word to write, a pattern for what is refused, and one for the
# phrases in which it is right. The cell is "`A`、`B`；可以：`AC`".
my @refused;
for my $row (@rows)
{
    my ($words, $phrases) = split /\x{ff1b}\x{53ef}\x{4ee5}/, $row->[5], 2;
    $_ = join '|', map { quotemeta } ($_ // '') =~ /`([^`]+)`/g for $words, $phrases;
    push @refused, [$row->[1], qr/$words/, $phrases eq '' ? qr/(?!)/ : qr/$phrases/] if $words ne '';
}

# The refused words in a text, each with what stands around it. A line that ends within a Chinese
# sentence goes on without a blank.
sub refused_in
{
    my ($text) = @_;
    $text =~ s/(?<=$HAN)\s*\n\s*(?:\/\/ *)?(?=$HAN)//g;
    my @found;
    for (@refused)
    {
        my ($right, $words, $phrases) = @$_;
        push @found, map { "$_ (write $right)" } $text =~ s/$phrases/\x{3000}/gr =~ /(.{0,10}$words.{0,8})/g;
    }
    return @found;
}

my %texts = map { $_ => decode_utf8(read_text($_)) } grep { -f && !m{^build/} }
  glob('*.zh-CN.md */*.zh-CN.md */*/*.zh-CN.md figures/captions.txt make/tour.txt */zh/*.po');
# The glossary has the refused words in its last column. The others are Chinese of the suite as well.
$texts{'docs/glossary.md'} = join "\n", map { @$_[1, 4] } @rows;
for my $file (sort keys %texts)
{
    my @found = refused_in($texts{$file});
    ok(!@found, "$file uses the words of docs/glossary.md")
      or diag(map { encode_utf8("  $_\n") } @found);
}

done_testing();
