# The drawings and the figures: the ones in the repository are those that the programs make, the
# READMEs show them with their captions, and what is missing is named in one line.
#
# Inputs: programs backend docs figures make/Programs.pm make/Files.pm
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# ---- Captions, and the pictures of the READMEs ----

my %captions;    # [chapter, English, Chinese]
for my $line (split /\n/, read_text('figures/captions.txt'))
{
    my ($name, @caption) = split /\t/, $line, -1;
    $captions{$name} = \@caption;
}

my %shown;
for my $readme (glob 'README*.md ch*/*.md')
{
    my $chinese = $readme =~ /\.zh-CN\.md$/ ? 1 : 0;
    my @wrong;
    my $text = read_text($readme);
    while ($text =~ /!\[([^\n]*?)\]\(([^)\n]*figures\/[^)\n]*)\)/g)
    {
        my ($alt, $file) = ($1, $2);
        my $is_visible = $text =~ /\G *\n\n *\*\Q$alt\E\*\n/gc;
        my ($name, $language) = $file =~ m{figures/(?:drawings|data)/([\w-]+)(\.zh-CN)?\.svg$};
        my $caption = $captions{$name // ''};
        push @wrong, $file
          unless $caption && $is_visible && $alt eq $caption->[1 + $chinese]
          && defined $language == $chinese;
        $shown{$name // ''}{$chinese}++;
    }
    is("@wrong", '',
        "$readme: its pictures are of its language, with captions as text and in a line below");
}

# The words of a picture that begin or end outside it. Of the font only its size is known, so a
# letter counts as 0.53 of it and a Chinese character as the whole.
sub clipped_words
{
    my ($text) = @_;
    my ($width) = $text =~ /viewBox="0 0 (\d+) /;
    my @size = (15);
    my @clipped;
    while ($text =~ m{<g[ ]font-size="(\d+)">|(</g>)|
        <text[ ]x="([\d.]+)"[ ]y="[\d.]+"[ ]text-anchor="(\w+)"[^>]*>([^<]*)<}gx)
    {
        my ($size, $end, $x, $anchor, $words) = ($1, $2, $3, $4, $5);
        push @size, $size if defined $size;
        pop @size if defined $end;
        next unless defined $words;
        utf8::decode($words);
        $words =~ s/&\w+;/x/g;
        my $wide = () = $words =~ /[\x{2e80}-\x{ffef}]/g;
        my $length = $size[-1] * ($wide + 0.53 * (length($words) - $wide));
        my $left = $x - $length * {start => 0, middle => 0.5, end => 1}->{$anchor};
        utf8::encode($words);
        push @clipped, $words if $left < 0 || $left + $length > $width;
    }
    return join '; ', @clipped;
}

# A bare & or < is no XML.
my $BARE = qr/&(?!(?:\w+|#\w+);)|<(?![\w\/!?])/;

for my $picture (glob 'figures/drawings/*.svg figures/data/*.svg')
{
    my $name = basename($picture) =~ s/\..*//r;
    my $text = read_text($picture);
    ok($shown{$name}{0} && $shown{$name}{1}, "a README in each language shows $picture");
    unlike($text, $BARE, '... which is XML');
    is(clipped_words($text), '', '... and none of its words are clipped') if $picture =~ /drawings/;
}

# ---- The drawings ----

my @compiler = ('env', "CPUCC_CXX=$CXX", $CPUCC);
my $ran = run(['sh', 'figures/drawings.sh', $dir, @compiler]);
is($ran->{status}, 0, 'the drawings are made') or diag(describe($ran));
my @drawings = map { basename($_) } glob 'figures/drawings/*.svg';
my @other =
  grep { !-e "$dir/$_" || read_text("$dir/$_") ne read_text("figures/drawings/$_") } @drawings;
is("@other", '', 'the ones of the repository are those; if not: make drawings');
is(join(' ', map { basename($_) } glob "$dir/*.svg"), "@drawings", '... all of them');

# ---- The figures, of data that are measured by programs which only say what the real ones would ----

my $bin = "$dir/bin";
mkdir $bin or die "$bin: $!\n";
my $table = "version  ms deviation  %\ncpu  100  1.0  1.0\nours  2.5  0.1  50.0\ntheirs  3.5  0.1  40.0\n";
my ($programs) = read_text('figures/measure.pl') =~ /^my \@PROGRAMS = qw\((.*)\);/m;
for my $name (split(' ', $programs), qw(neighbor2gpu reduce transpose))
{
    my $says = $name =~ /^ljmd/ ? "speed: 12.5 million atom-steps/s\n"
      : $name eq 'arithmetic2gpu' ? "   N  host ms  device ms  speed-up  Gsteps/s  repeats\n   1000   5.5   1e-01   55.0   2.5   10\n"
      : "device: A GPU\n$table";
    write_text("$bin/$name", "#!/bin/sh\nif [ \"\$1\" = -o ]; then echo 1 2 >\"\$2$name.txt\"; fi\ncat <<'end'\n${says}end\n");
    chmod 0755, "$bin/$name";
}
my %fake = (env => {SUITE_BUILD_FLOAT => $bin, SUITE_BUILD_DOUBLE => $bin, SUITE_BACKEND => 'cuda',
        CPUCC_CXX => $CXX});
my $data = "$dir/it's data";
$ran = run([$^X, 'figures/measure.pl', $data], %fake);
is($ran->{status}, 0, 'make figures-data') or diag(describe($ran));
is(read_text("$data/sweep.txt"), "# N  host ms  device ms  speed-up\n1000   5.5   1e-01   55.0\n", '... Figure 5.1');
is(read_text("$data/speeds.txt"), join('', map { "$_ 12.5\n" } qw(ljmd-cpu ljmd-force ljmd ljmd-fast)), '... speeds');
like(read_text("$data/tables.txt"), qr/^device: A GPU\n.*^\$ reduce\n.*^    ours  2\.5 /ms, '... tables');
ok(-s "$data/kernel-kernel.txt", '... and what the programs write');
# Without a GPU nothing is timed, and a card's result file is there.
{
    my $without = "$dir/without a GPU";
    my $ran = run([$^X, 'figures/measure.pl', $without], env => {%{$fake{env}}, SUITE_BACKEND => 'cpu'});
    is($ran->{status}, 0, 'make figures-data without a GPU') or diag(describe($ran));
    my @times = grep { -e "$without/$_.txt" } qw(sweep speeds fig12-1 fig12-2 kernel-kernel transfer-parts);
    is("@times", '', '... times nothing');
    my ($card) = read_text('Makefile') =~ /^CARD := (\S+)/m;
    is(read_text("$without/card.txt"), read_text($card), '... and takes the times of a card');
}
# A kernel-kernel whose speed-up differs from run to run; then one whose speed-up does not.
for (['$number', 0, qr/^make figures-data: the speed-ups of kernel-kernel differ by \d+ % from run to run: [^\n]*\n/m],
    ['7', 1, qr/^(?!make figures-data)/])
{
    my ($speedup, $is_kept, $says) = @$_;
    write_text("$bin/kernel-kernel", "#!/bin/sh\necho run >>'$dir/runs'\nnumber=\$(wc -l <'$dir/runs')\n"
          . "echo 8 20 $speedup >\"\$2fig12-1.txt\"\necho 8 20 5 >\"\$2fig12-2.txt\"\n");
    unlink "$dir/runs";
    $ran = run([$^X, 'figures/measure.pl', $data], %fake);
    my $files = grep { -e "$data/fig12-$_.txt" } 1, 2;
    ok($ran->{status} == 0 && $files == 2 * $is_kept && $ran->{err} =~ $says,
        $is_kept ? 'speed-ups that two runs agree on are kept' : 'noise is not')
      or diag(describe($ran), "$files files\n");
}
write_text("$bin/cufft-signal", "#!/bin/sh\necho no memory >&2\nexit 2\n");
$ran = run([$^X, 'figures/measure.pl', "$dir/none"], %fake);
ok($ran->{status} == 1 && !-e "$dir/none/tables.txt"
      && $ran->{err} =~ /^make figures-data: cufft-signal failed: no memory\n\z/m,
    'a program that fails is named, and the folder is not taken for complete') or diag(describe($ran));

# Lines of numbers: functions of 0, 1, ... 29.
sub numbers
{
    my ($separator, @functions) = @_;
    return join $separator, map { my $i = $_; join(' ', map { $_->($i) } @functions) . "\n" } 0 .. 29;
}
my ($number, $wave) = (sub { 10 * $_[0] }, sub { sin($_[0]) / 100 });
my %files = (
    'sweep.txt' => "1000 5 1 5\n10000 50 1.1 45\n",
    'fig12-1.txt' => "1 20 1\n32 20 32\n", 'fig12-2.txt' => "1 20 1\n32 20 32\n",
    'xy.txt' => numbers('', sub { 50 + $_[0] }, sub { 20 + $_[0] }),
    'bonds.txt' => numbers("\n", sub { 50 + $_[0] }, sub { 20 + $_[0] }),
    'energy.txt' => numbers('', $number, ($wave) x 6), 'velocity.txt' => numbers('', ($wave) x 3),
    'x1.txt' => numbers('', sub { $_[0] / 30 }), 'x2.txt' => numbers('', sub { $_[0] / 10 }),
    'lowpass.txt' => numbers('', $number, ($wave) x 3),
    'tables.txt' => "date: 2026-01-02 03:04 UTC\ndevice: A GPU\n"
      . join('', map { "\n\$ $_\n" . $table =~ s/^/    /gmr } qw(transpose neighbor2gpu reduce))
      . "\n\$ kernel-transfer\n" . join('', map { "    $_\n" } 'pinned    copy in  0.6', 'pinned    1   1.6   1.00   43.3',
        'pinned    2   1.2   1.37   59', 'pageable  1   4.2   1.00   49.4', 'pageable  2   4.4   0.95   46'));
write_text("$data/$_", $files{$_}) for keys %files;

sub figures
{
    return run([$^X, 'figures/figures.pl', @_]);
}
SKIP:
{
    skip 'there is no gnuplot: apt-get install gnuplot-nox', 1 unless on_path('gnuplot');
    # fig12-3.txt is not there. The results have what it would.
    $ran = figures($data, "$dir/out");
    is($ran->{status}, 0, 'the figures are drawn') or diag(describe($ran));
    for my $name (grep { !-e "figures/drawings/$_.svg" } sort keys %captions)
    {
        for my $file ($name, "$name.zh-CN")
        {
            my ($svg, $png) = map { -e $_ ? read_text($_) : 'no file' } "$dir/out/$file.svg", "$dir/out/$file.png";
            ok($svg =~ />A GPU, 2026-01-02</ && $svg !~ $BARE, "$file.svg is XML, and names the device");
            like($png, qr/^\x89PNG\r\n/, "$file.png is PNG");
        }
    }
    mkdir "$dir/fonts";
    write_text("$dir/fonts/fc-list", "#!/bin/sh\necho \$FONT\n");
    chmod 0755, "$dir/fonts/fc-list";
    for my $font ('', 'a font')
    {
        local @ENV{qw(PATH FONT)} = ("$dir/fonts:$ENV{PATH}", $font);
        my $drawn = figures($data, "$dir/fonts/out", '', 'lowpass');
        is($drawn->{out} =~ /apt-get install fonts-\S+\n\z/, $font eq '', 'a font for Chinese: ' . ($font || 'none'))
          or diag(describe($drawn));
    }
    my $bars = read_text("$dir/out/table9-1.svg");
    ok($bars =~ />theirs</ && $bars =~ />3\.5</ && $bars !~ />cpu</,
        'bars have their names and numbers, but not the host');
    like($bars, qr/>time in ms</, '... and an axis in English');
    like(read_text("$dir/out/table9-1.zh-CN.svg"), qr/>时间（ms）</, '... or in Chinese');

    write_text("$data/tables.txt", $files{'tables.txt'} =~ s/A GPU/CPU backend (any, 2 cores)/r);
    figures($data, "$dir/out", '', 'table9-1', 'maxwell');
    like(read_text("$dir/out/table9-1.svg"), qr/times of a CPU, not of a GPU/, "a CPU's times are called so");
    like(read_text("$dir/out/maxwell.svg"), qr/>computed by the CPU backend, 2026-01-02</,
        'what shows no times is not called a time');

    for (['a data file that is not there', 'rm "$data"/lowpass.txt', 'lowpass',
            "lowpass is not drawn, there is no $data/lowpass.txt"],
        ['data that gnuplot cannot read', 'echo no numbers >"$data"/lowpass.txt', 'lowpass', 'gnuplot cannot draw lowpass: '],
        ['a figure that is not there', ':', 'fig99-1', 'there is no figure fig99-1: '])
    {
        my ($title, $script, $name, $says) = @$_;
        sh($script, env => {data => $data});
        $ran = figures($data, "$dir/out", '', $name, 'maxwell');
        ok($ran->{status} == 1 && $ran->{err} =~ /^make figures: \Q$says\E[^\n]*\n\z/, "$title is named")
          or diag(describe($ran));
    }
}

done_testing();
