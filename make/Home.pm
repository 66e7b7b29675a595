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

# "OWNER/NAME"; '' while there is no public address.
sub home
{
    my ($home) = text_of('make/home.txt') =~ m{^([\w.-]+/[\w.-]+)$}m;
    return $home // '';
}

# The text of a file with what follows from the address, and with nothing where it is ''.
sub with_addresses
{
    my ($file, $text, $home) = @_;
    my $code = $home eq '' ? '' : "https://github.com/$home";
    my $site = $home eq '' ? '' : 'https://' . $home =~ s{/}{.github.io/}r . '/';
    if ($file =~ /^README/)
    {
        my $links = $file =~ /zh-CN/ ? links($code, $site && "${site}zh/", '在 Colab 中打开', '网站',
            '[English](README.md)') : links($code, $site, 'Open in Colab', 'Site', '[中文](README.zh-CN.md)');
        $text =~ s{^<!-- home -->\n.*?^(?=<!-- /home -->$)}{<!-- home -->\n$links\n}ms;
    }
    if ($file =~ /\.cff$/)
    {
        $text =~ s/^(?:repository-code|url): .*\n//mg;
        $text =~ s/^(?=keywords:)/repository-code: "$code"\nurl: "$site"\n/m if $code ne '';
    }
    if ($file =~ /\.ipynb$/)
    {
        my $clone = $code eq '' ? '' : "$code.git";
        $text =~ s/(get\(\\"HOME_URL\\", \\")[^"\\]*/$1$clone/ or die "$file has no HOME_URL\n";
    }
    return $text;
}

# The badges and links at the top of a README.
sub links
{
    my ($code, $site, $in_colab, $site_is, $language) = @_;
    return $language if $code eq '';
    my $colab = 'https://colab.research.google.com';
    my $runs = "$code/actions/workflows/ci.yml";
    return "[![ci]($runs/badge.svg)]($runs)\n"
      . "[![$in_colab]($colab/assets/colab-badge.svg)]($colab/"
      . $code =~ s{^https://github\.com}{github}r . "/blob/main/docs/cuda-suite.ipynb)\n"
      . "[$site_is]($site) | $language";
}

1;
