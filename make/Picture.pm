# docs/add1.svg, the picture in README.md: a program's own kernel and launch without their comments,
# and the two ways they go. Its colours follow light and dark. ./suite index writes it.
package Picture;
use strict;
use warnings;
use Exporter 'import';
use Files;

our @EXPORT = qw(picture_of);

my $STYLE = <<'END' =~ s/\\\n//gr;
<!-- Written by make index. -->
<style>text { fill: #1f2328 } .box { fill: #f6f8fa; stroke: #59636e } \
.line { stroke: #59636e; fill: none }
.head { fill: #59636e } .name { font-weight: bold }
@media (prefers-color-scheme: dark) { text, .head { fill: #e6edf3 } \
.box { fill: #161b22; stroke: #9198a1 } .line { stroke: #9198a1 } .head { fill: #9198a1 } }</style>
<defs><marker id="head" markerWidth="9" markerHeight="8" refX="8" refY="4" orient="auto">\
<path class="head" d="M0,0 L9,4 L0,8 z"/></marker></defs>
END

# The SVG for a program's file.
sub picture_of
{
    my ($file) = @_;
    my $text = read_text($file);
    my ($kernel) = $text =~ /^(__global__.*?^\})/ms;
    my ($launch) = $text =~ /^ *(.*<<<.*>>>.*)/m;
    die "$file: no kernel and its launch for docs/add1.svg\n" unless $kernel && $launch;
    my @code = map { s{ *//.*}{}r } grep { !m{^ *//} } split /\n/, $kernel;
    push @code, '', $launch;

    my $height = 22 * @code + 46;
    my ($widest) = sort { $b <=> $a } map { length } @code;
    my $right = 20 + 8.2 * $widest + 24;
    my $svg = sprintf qq(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" )
      . qq(font-family="monospace" font-size="13.5">\n%s), $right + 430, $height + 20, $STYLE;
    $svg .= box(10, 10, $right - 10, $height) . words(24, 34, basename($file), ' class="name"');
    $svg .= words(24, 62 + 22 * $_, $code[$_]) for 0 .. $#code;
    my $middle = $height / 2;
    $svg .= way($right, $middle, -52, 'nvcc', 'GPU') . way($right, $middle, 52, 'cpucc', 'CPU');
    return "$svg</svg>\n";
}

# From the source by a compiler to where it runs, and to what it says in the end.
sub way
{
    my ($x, $middle, $down, $compiler, $place) = @_;
    my $y = $middle + $down;
    return arrow($x, $middle + 10, $x + 96, $y + 10)
      . words($x + 8, $y + ($down < 0 ? -6 : 36), $compiler)
      . box($x + 100, $y - 14, 74, 48) . words($x + 124, $y + 15, $place, ' class="name"')
      . arrow($x + 174, $y + 10, $x + 226, $y + 10)
      . box($x + 230, $y - 14, 170, 48) . words($x + 250, $y + 15, 'PASS: 1 check');
}

sub box
{
    my $sides = join ' ', map { qq($_="%.0f") } qw(x y width height);
    return sprintf qq(<rect class="box" $sides rx="6"/>\n), @_;
}

sub arrow
{
    my $arrow = '<path class="line" marker-end="url(#head)" d="M%.0f,%.0f L%.0f,%.0f"/>';
    return sprintf "$arrow\n", @_;
}

sub words
{
    my ($x, $y, $text, $class) = @_;
    return '' if $text eq '';
    return sprintf qq(<text x="%.0f" y="%.0f"%s xml:space="preserve">%s</text>\n),
      $x, $y, $class // '', $text =~ s/&/&amp;/gr =~ s/</&lt;/gr;
}

1;
