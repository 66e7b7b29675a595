# perl layers.pl <README.md >layers.svg: the picture of the runtime's layers, from the table of the
# map. The top layer is the last one of the table. Its colours follow light and dark.
use strict;
use warnings;

my %ABOUT = (
    base => 'the machine, devices, errors', memory => 'allocations and variables',
    block => "a block's threads take turns on one core", grid => 'blocks, on all cores',
    stream => 'work in order', graph => 'work with edges', api => "CUDA's functions");
my $COLUMN = 118;
my $WIDTH = 960;
my $PER_ROW = 6;

my ($map) = join('', <STDIN>) =~ /^(\| layer \| file .*?)\n\n/ms or die "there is no table of layers\n";
my (@layers, %files);
for (split /\n/, $map)
{
    my ($layer, $file) = /^\| *(\w*) *\| *(\w+) *\|/ or next;
    next if $file eq 'file';
    push @layers, $layer if $layer ne '';
    push @{$files{$layers[-1]}}, $file;
}

my ($y, $body) = (8, '');
for my $layer (reverse @layers)
{
    my @names = @{$files{$layer}};
    my $rows = int((@names + $PER_ROW - 1) / $PER_ROW);
    my $height = 26 * $rows + 10;
    my $middle = $y + $height / 2;
    $body .= box('band', 4, $y, $WIDTH - 8, $height)
      . text('name', 14, $middle - 3, $layer) . text('about', 14, $middle + 13, $ABOUT{$layer});
    for my $i (0 .. $#names)
    {
        my ($x, $top) = (248 + $COLUMN * ($i % $PER_ROW), $y + 7 + 26 * int($i / $PER_ROW));
        $body .= box('file', $x, $top, $COLUMN - 6, 22) . text('', $x + 6, $top + 15, $names[$i]);
    }
    $y += $height + 14;
    $body .= "<path class=\"arrow\" d=\"M40,@{[$y - 13]} v10\" marker-end=\"url(#head)\"/>\n"
      if $layer ne $layers[0];
}
print <<"END";
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $WIDTH $y" font-family="sans-serif" font-size="12">
<!-- Written by layers.pl. -->
<style>text { fill: #1f2328 } .about { font-size: 11px; fill: #59636e } .name { font-weight: bold }
.band { fill: #f6f8fa; stroke: #d1d9e0 } .file { fill: #ddf4ff; stroke: #54aeff } .arrow { stroke: #59636e }
\@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .about { fill: #9198a1 }
.band { fill: #161b22; stroke: #3d444d } .file { fill: #0c2d6b; stroke: #1f6feb } .arrow { stroke: #9198a1 } }</style>
<defs><marker id="head" markerWidth="8" markerHeight="8" refX="4" refY="4" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="#59636e"/></marker></defs>
$body</svg>
END

sub box
{
    my ($class, $x, $y, $width, $height) = @_;
    return "<rect class=\"$class\" x=\"$x\" y=\"$y\" width=\"$width\" height=\"$height\" rx=\"4\"/>\n";
}

sub text
{
    my ($class, $x, $y, $text) = @_;
    my $is = $class eq '' ? '' : " class=\"$class\"";
    return "<text$is x=\"$x\" y=\"$y\">$text</text>\n";
}
