# Where the repository is in the network: make/home.txt, and what follows from it.
package Home;
use strict;
use warnings;
use Exporter 'import';
use Files;

our @EXPORT = qw(with_addresses);

# Beside README.md and README.zh-CN.md, the files that have addresses.
sub files
{
    return qw(docs/cuda-suite.ipynb CITATION.cff);
}

# "OWNER/NAME".
sub home
{
    my ($home) = text_of('make/home.txt') =~ m{^([\w.-]+/[\w.-]+)$}m;
    return $home;
}

# A text with the addresses of home: https://github.com/OWNER/NAME with .git or the workflow behind
# it, or alone before a closing quote, that of Colab, and https://OWNER.github.io/NAME/.
sub with_addresses
{
    my ($text) = @_;
    my $home = home() or die "make/home.txt has no line OWNER/NAME\n";
    my ($owner, $name) = split m{/}, $home;
    my $any = qr{[\w.-]+/[\w.-]+?};
    $text =~ s{(?<=https://github\.com/)$any(?=\.git\b|/actions/workflows/ci\.yml|"$)}{$home}mg;
    $text =~ s{(?<=https://colab\.research\.google\.com/github/)$any(?=/blob/main/)}{$home}g;
    $text =~ s{https://[\w-]+\.github\.io/[\w.-]+/}{https://$owner.github.io/$name/}g;
    return $text;
}

1;
