# The drawings and the figures: the ones in the repository are those that the programs make, the
# READMEs show them with their captions, and what is missing is named in one line.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# What is wrong with an SVG as XML: an element that is not closed, a bare < or &. No parser is needed
# for what gnuplot and draw.cu write.
sub xml_problem
{
    my ($text) = @_;
    $text =~ s/^<\?xml .*?\?>\s*//s;
    $text =~ s/<!(?:DOCTYPE[^>]*|--.*?--)>//gs;
    $text =~ s/<!\[CDATA\[.*?\]\]>//gs;
    my @open;
    while ($text =~ /\G([^<]*)(?:<(\/?)([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>)?/gc)
    {
        my ($words, $closes, $name, $attributes, $is_empty) = ($1, $2, $3, $4, $5);
        return "a bare & in $words" if ($words . ($attributes // '')) =~ /&(?!(?:\w+|#\d+|#x[\da-f]+);)/i;
        last unless defined $name;
        return "words beside the root: $words" if !@open && $words =~ /\S/;
        if ($closes)
        {
            my $opened = pop @open // 'nothing';
            return "$name closes $opened" if $opened ne $name;
        }
        elsif (!$is_empty)
        {
            push @open, $name;
        }
    }
    my $rest = substr $text, pos($text) // 0;
    return 'not an element: ' . substr($rest, 0, 40) if $rest =~ /\S/;
    return @open ? "@open not closed" : '';
}
is(xml_problem('<svg a="1"><g><text>a &amp; b</text><rect/></g></svg>'), '', 'XML is read');
isnt(xml_problem($_), '', "... and this is none: $_")
  for '<svg><g></svg>', '<svg>a & b</svg>', '<svg><text>a < b</text></svg>', '<svg a=1/>', '<svg>';

# ---- Captions, and the pictures of the READMEs ----

my %captions;    # [chapter, English, Chinese]
for my $line (split /\n/, read_text('figures/captions.txt'))
{
    my ($name, @caption) = split /\t/, $line, -1;
    $captions{$name} = \@caption;
    my @chapter = glob "$caption[0]_*/README.md";
    ok(@caption == 3 && !(grep { $_ eq '' } @caption) && @chapter == 1, "the caption of $name has all parts")
      or diag($line);
}

my %shown;
for my $readme (glob 'README*.md ch*/README*.md')
{
    my $chinese = $readme =~ /\.zh-CN\.md$/ ? 1 : 0;
    my @wrong;
    my $text = read_text($readme);
    while ($text =~ /!\[([^\n]*?)\]\(([^)\n]*figures\/[^)\n]*)\)/g)
    {
        my ($alt, $file) = ($1, $2);
        my ($name, $language) = $file =~ m{figures/(?:drawings|data)/([\w-]+)(\.zh-CN)?\.svg$};
        my $caption = $captions{$name // ''};
        my $translated = -e "figures/drawings/" . ($name // '') . '.zh-CN.svg';
        push @wrong, $file
          unless $caption && $alt eq $caption->[1 + $chinese]
          && (!$translated || defined $language == $chinese);
        $shown{$name // ''}{$chinese}++;
    }
    is("@wrong", '', "$readme: its pictures have their captions");
}
for my $picture (glob 'figures/drawings/*.svg figures/data/*.svg')
{
    my $name = basename($picture) =~ s/\..*//r;
    my $text = read_text($picture);
    is(xml_problem($text), '', "$picture is XML");
    ok(length $text < 60000, "$picture is small");
    ok($shown{$name}{0} && $shown{$name}{1}, "... and a README in each language shows it");
}

# ---- The drawings ----

my @compiler = ('env', "CPUCC_CXX=$CXX", "$ROOT/cpu/cpucc");
my $ran = run(['sh', 'figures/drawings.sh', $dir, @compiler]);
is($ran->{status}, 0, 'the drawings are made') or diag(describe($ran));
my @drawings = map { basename($_) } glob 'figures/drawings/*.svg';
is(join(' ', map { basename($_) } glob "$dir/*.svg"), "@drawings", '... all of them');
my @other = grep { !-e "$dir/$_" || read_text("$dir/$_") ne read_text("figures/drawings/$_") } @drawings;
is("@other", '', 'the ones of the repository are those; if not: make drawings');

$ran = run(['sh', 'figures/drawings.sh', "$dir/none", @compiler]);
ok($ran->{status} == 1 && $ran->{err} eq "make drawings: cannot write into $dir/none\n",
    'a folder that is not there is named')
  or diag(describe($ran));

# A kernel that is named and not there.
my $source = read_text('ch09_shared_mem/transpose.cu');
my $gone = write_text("$dir/gone.cu", $source =~ s/transpose_padded\(/transpose_padding(/r);
$ran = run(['awk', '-v', 'names=transpose_padded', '-f', 'figures/definitions.awk', $gone]);
ok($ran->{status} == 1 && $ran->{err} eq "$gone defines transpose_padded not once\n", 'a kernel that is gone is named')
  or diag(describe($ran));
$ran = run(['awk', '-v', 'names=TILE transpose_padded', '-f', 'figures/definitions.awk', 'ch09_shared_mem/transpose.cu']);
my ($kernel) = $source =~ /^(__global__ void transpose_padded\(.*?^\}\n)/ms;
is($ran->{out}, "const int TILE = 32; // as wide as a warp\n\n$kernel\n", 'a kernel is copied whole');

done_testing();
