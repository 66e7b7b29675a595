# The drawings and the figures: the ones in the repository are those that the programs make, the
# READMEs show them with their captions, and what is missing is named in one line.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $dir = tempdir(CLEANUP => 1);

# What is wrong with an SVG as XML: an element that is not closed, a bare < or &. No parser is
# needed for what gnuplot and draw.cu write.
sub xml_problem
{
    my ($text) = @_;
    $text =~ s/^<\?xml .*?\?>\s*//s;
    $text =~ s/<!(?:DOCTYPE[^>]*|--.*?--)>//gs;
    $text =~ s/<!\[CDATA\[.*?\]\]>//gs;
    my @open;
    while ($text =~
        /\G([^<]*)(?:<(\/?)([\w:-]+)((?:\s+[\w:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>)?/gc)
    {
        my ($words, $closes, $name, $attributes, $is_empty) = ($1, $2, $3, $4, $5);
        return "a bare & in $words"
          if ($words . ($attributes // '')) =~ /&(?!(?:\w+|#\d+|#x[\da-f]+);)/i;
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
    ok(@caption == 3 && !(grep { $_ eq '' } @caption) && @chapter == 1,
        "the caption of $name has all parts")
      or diag($line);
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
    return @clipped;
}
my $inside =
  '<svg viewBox="0 0 100 50"><text x="10" y="9" text-anchor="start">a &lt; b</text></svg>';
is(join('', clipped_words($inside)), '', 'words inside a picture');
is(join('', clipped_words($inside =~ s/x="10"/x="70"/r)), 'a x b', '... and some that leave it');

for my $picture (glob 'figures/drawings/*.svg figures/data/*.svg')
{
    my $name = basename($picture) =~ s/\..*//r;
    my $text = read_text($picture);
    my $is_chinese = $picture =~ /\.zh-CN\.svg$/;
    my ($twin) = $is_chinese ? $picture =~ s/\.zh-CN//r : $picture =~ s/svg$/zh-CN.svg/r;
    ok(-e $twin, "$picture is there in the other language");
    my $words = join '', $text =~ />([^<]+)</g;
    ok($is_chinese == ($words =~ /[\xe4-\xe9][\x80-\xbf]{2}/), '... and its words are of its own');
    is(join('; ', clipped_words($text)), '', '... none of them clipped')
      if $picture =~ /drawings/;
    is(xml_problem($text), '', "$picture is XML");
    ok(length $text < 60000, "$picture is small");
    ok($shown{$name}{0} && $shown{$name}{1}, "... and a README in each language shows it");
}

# ---- The drawings ----

my @compiler = ('env', "CPUCC_CXX=$CXX", $CPUCC);
my $ran = run(['sh', 'figures/drawings.sh', $dir, @compiler]);
is($ran->{status}, 0, 'the drawings are made') or diag(describe($ran));
my @drawings = map { basename($_) } glob 'figures/drawings/*.svg';
is(join(' ', map { basename($_) } glob "$dir/*.svg"), "@drawings", '... all of them');
my @other =
  grep { !-e "$dir/$_" || read_text("$dir/$_") ne read_text("figures/drawings/$_") } @drawings;
is("@other", '', 'the ones of the repository are those; if not: make drawings');

$ran = run(['sh', 'figures/drawings.sh', "$dir/none", @compiler]);
ok($ran->{status} == 1 && $ran->{err} eq "make drawings: cannot write into $dir/none\n",
    'a folder that is not there is named')
  or diag(describe($ran));

# A kernel that is named and not there.
my $source = read_text('ch09_shared_mem/transpose.cu');
my $gone = write_text("$dir/gone.cu", $source =~ s/transpose_padded\(/transpose_padding(/r);
$ran = run(['awk', '-v', 'names=transpose_padded', '-f', 'figures/definitions.awk', $gone]);
ok($ran->{status} == 1 && $ran->{err} eq "$gone defines transpose_padded not once\n",
    'a kernel that is gone is named')
  or diag(describe($ran));
$ran = run(
    [   'awk', '-v', 'names=TILE transpose_padded',
        '-f', 'figures/definitions.awk', 'ch09_shared_mem/transpose.cu']);
my ($kernel) = $source =~ /^(__global__ void transpose_padded\(.*?^\}\n)/ms;
is( $ran->{out},
    "const int TILE = 32; // as wide as a warp\n\n$kernel\n",
    'a kernel is copied whole');

# A variable in constant memory is copied. Characters that mean something to XML are replaced.
$ran = run(
    ['awk', '-v', 'names=c_table', '-f', 'figures/definitions.awk', 'ch08_constant/constant.cu']);
is($ran->{out}, "__constant__ Coefficients c_table;\n\n", 'so is a variable in constant memory');
like(
    read_text("$dir/errors.svg"),
    qr/>write_to&lt;&lt;&lt;1, 1&gt;&gt;&gt;\(NULL\)</,
    'a launch is drawn as it is written');

# ---- The figures: from a small folder of data, as make figures-data would write it ----

# Lines of numbers: functions of 0, 1, ... 29.
sub columns
{
    my ($separator, @functions) = @_;
    return join $separator, map {
        my $i = $_;
        join(' ', map { $_->($i) } @functions) . "\n"
    } 0 .. 29;
}
my ($number, $wave) = (sub { $_[0] }, sub { sin($_[0]) / 100 });
my $table = "    version  ms deviation  %\n    cpu  100  1.0  1.0\n    ours  2.5  0.1  50.0\n    theirs  3.5  0.1  40.0\n";
my %files = (
    'sweep.txt' => "1000 5 1 5\n10000 50 1.1 45\n",
    'fig12-1.txt' => "1 20 1\n32 20 32\n", 'fig12-2.txt' => "1 20 1\n32 20 32\n",
    'fig12-3.txt' => "1 20 1 30 1\n64 12 1.7 30 1\n",
    'xy.txt' => columns('', sub { 50 + $_[0] }, sub { 20 + $_[0] }),
    'bonds.txt' => columns("\n", sub { 50 + $_[0] }, sub { 20 + $_[0] }),
    'energy.txt' => columns('', sub { 10 * $_[0] }, $wave, $wave, $wave, $wave, $wave, $wave),
    'velocity.txt' => columns('', $wave, $wave, $wave),
    'uniform.txt' => columns('', sub { $_[0] / 30 }, sub { 1 }, sub { 1 }),
    'normal.txt' => columns('', sub { $_[0] / 10 }, $wave, $wave),
    'lowpass.txt' => columns('', $number, $wave, $wave, $wave),
    'speeds.txt' => "ljmd 500\nljmd-fast 9000\n",
    'tables.txt' => "date: 2026-01-02 03:04 UTC\ndevice: A GPU\ncommit: 1234567\n\n"
      . join("\n", map { "\$ $_\n$table" } qw(transpose neighbor2gpu reduce)));
my $data = "$dir/it's data";
mkdir $data or die "$data: $!\n";
write_text("$data/$_", $files{$_}) for keys %files;

my @scripts = grep { read_text("figures/$_.gnuplot") =~ /^# (?:data|rows): /m }
  map { basename($_, '.gnuplot') } glob 'figures/*.gnuplot';
my @captioned = grep { !-e "figures/drawings/$_.svg" } sort keys %captions;
is("@captioned", "@scripts", 'each figure has a caption');
my @unknown = grep { !defined $files{$_} } map { split ' ', /^# data: (.*)/m ? $1 : '' }
  map { read_text("figures/$_.gnuplot") } @scripts;
is("@unknown", '', 'the data of each are in the small folder');

my $written = join '', map { read_text($_) } 'figures/measure.pl', glob 'ch*/*.cu ch*/*.cuh';
my @unwritten = grep { $_ ne 'tables.txt' && $written !~ /"[^"\n]*\b\Q$_\E"/ } sort keys %files;
is("@unwritten", '', '... and a program writes each');

sub figures
{
    my ($how, @args) = @_;
    return run([$^X, 'figures/figures.pl', @args], %$how);
}

# A complaint of one line, and status 1.
sub complains
{
    my ($ran, $line, $title) = @_;
    ok(defined $ran->{status} && $ran->{status} == 1 && $ran->{err} eq "$line\n", $title)
      or diag(describe($ran));
}

complains(
    figures({env => {PATH => $dir}}, $data, "$dir/out"),
    'make figures: there is no gnuplot: sudo apt-get install gnuplot-nox',
    'without gnuplot a line says what to install');
write_text("$dir/file", '');
complains(
    run([$^X, 'figures/measure.pl', "$dir/file/data"]),
    "make figures-data: cannot write into $dir/file/data",
    'data cannot be written where there is a file');

# make figures-data, with programs that only say what the real ones would.
my $bin = "$dir/bin";
mkdir $bin or die "$bin: $!\n";
my ($programs) = read_text('figures/measure.pl') =~ /^my \@PROGRAMS = qw\((.*)\);/m;
for my $name (split(' ', $programs), qw(neighbor2gpu reduce transpose))
{
    my $says = $name =~ /^ljmd/ ? "speed: 12.5 million atom-steps/s\n"
      : $name eq 'arithmetic2gpu' ? "   N  host ms  device ms  speed-up  Gsteps/s  repeats\n   1000   5.5   1e-01   55.0   2.5   10\n"
      : "device: A GPU\n" . $table =~ s/^    //gmr;
    write_text("$bin/$name", "#!/bin/sh\nif [ \"\$1\" = -o ]; then echo 1 2 >\"\$2$name.txt\"; fi\ncat <<'end'\n${says}end\n");
    chmod 0755, "$bin/$name";
}
my %fake = (
    env => {
        SUITE_BUILD_FLOAT => $bin,
        SUITE_BUILD_DOUBLE => $bin,
        SUITE_BACKEND => $BACKEND,
        CPUCC_CXX => $CXX});
$ran = run([$^X, 'figures/measure.pl', "$dir/measured"], %fake);
is($ran->{status}, 0, 'the data are measured') or diag(describe($ran));
is(read_text("$dir/measured/sweep.txt"), "# N  host ms  device ms  speed-up\n1000   5.5   1e-01   55.0\n", '... of Figure 5.1');
is(read_text("$dir/measured/speeds.txt"), join('', map { "$_ 12.5\n" } qw(ljmd-cpu ljmd-force ljmd ljmd-fast)), '... speeds');
like(read_text("$dir/measured/tables.txt"), qr/^device: A GPU\n.*^\$ reduce\n.*^    ours  2\.5 .*^\$ transpose|^\$ transpose\n.*^\$ reduce\n/ms, '... tables');
ok(-s "$dir/measured/kernel-kernel.txt", '... and what the programs write');
write_text("$bin/cufft-signal", "#!/bin/sh\necho no memory >&2\nexit 2\n");
$ran = run([$^X, 'figures/measure.pl', "$dir/measured"], %fake);
ok( $ran->{status} == 1
      && $ran->{err} =~ /^make figures-data: cufft-signal failed: no memory\n\z/m
      && !-e "$dir/measured/tables.txt",
    'a program that fails is named, and the folder is not taken for complete'
) or diag(describe($ran));
SKIP:
{
    skip 'there is no gnuplot: apt-get install gnuplot-nox', 1 unless on_path('gnuplot');
    $ran = figures({}, $data, "$dir/out");
    is($ran->{status}, 0, 'the figures are drawn') or diag(describe($ran));
    for my $name (@scripts)
    {
        for my $file ($name, "$name.zh-CN")
        {
            my $svg = -e "$dir/out/$file.svg" ? read_text("$dir/out/$file.svg") : 'no file';
            is(xml_problem($svg), '', "$file.svg is XML");
            like($svg, qr/>A GPU, 2026-01-02</, '... and names the device');
            like(-e "$dir/out/$file.png" ? read_text("$dir/out/$file.png") : '',
                qr/^\x89PNG\r\n/, "$file.png is PNG");
        }
    }
    my $bars = read_text("$dir/out/table9-1.svg");
    ok( $bars =~ />theirs</ && $bars =~ />3\.5</ && $bars !~ />cpu</,
        'bars have their names and numbers, but not the host');
    like($bars, qr/>time in ms</, '... and an axis in English');
    like(read_text("$dir/out/table9-1.zh-CN.svg"), qr/>时间（ms）</, '... or in Chinese');

    my $of_cpu =
      write_text("$dir/cpu.txt", $files{'tables.txt'} =~ s/A GPU/CPU backend (any, 2 cores)/r);
    figures({}, $data, "$dir/out", $of_cpu, 'table9-1', 'maxwell');
    like(
        read_text("$dir/out/table9-1.svg"),
        qr/times of a CPU, not of a GPU/,
        "a CPU's times are called so");
    like(read_text("$dir/out/table9-1.zh-CN.svg"), qr/>在 CPU 后端上测得，/, '... in Chinese, too');
    like(
        read_text("$dir/out/maxwell.svg"),
        qr/>A GPU, 2026-01-02</,
        '... and the other figures are of their own data');
    write_text("$data/tables.txt", read_text($of_cpu));
    figures({}, $data, "$dir/out", '', 'maxwell');
    like(read_text("$dir/out/maxwell.svg"), qr/>computed by the CPU backend, 2026-01-02</,
        'what shows no times is not called a time');

    # What no file has, the results may have.
    my $of_bench = write_text("$dir/bench.txt", $files{'tables.txt'}
          . "\n\$ kernel-transfer\n    pinned    copy in  0.6\n    pinned    1   1.6   1.00   43.3\n    pinned    2   1.2   1.37   59\n"
          . "    pageable  1   4.2   1.00   49.4\n    pageable  2   4.4   0.95   46\n\n\$ ljmd-cpu\n    speed: 2.5 million\n");
    unlink "$data/$_" for 'fig12-3.txt', 'speeds.txt';
    complains(
        figures({}, $data, "$dir/bench", $of_bench, 'fig12-3', 'table22-2'),
        "make figures: table22-2 is not drawn, there is no $data/speeds.txt",
        'results stand in for a file, but not half of them');
    like(
        -e "$dir/bench/fig12-3.svg" ? read_text("$dir/bench/fig12-3.svg") : '',
        qr/>A GPU, 2026-01-02</,
        '... and say of which device');

    my $short = write_text("$dir/short.txt", $files{'tables.txt'} =~ s/\$ reduce\n/\$ other\n/r);
    complains(
        figures({}, $data, "$dir/out", $short, 'table11-1'),
        "make figures: table11-1 is not drawn, $short has no table of reduce",
        'a table that is not there is named');
    unlink "$data/lowpass.txt", "$dir/out/uniform.svg";
    complains(
        figures({}, $data, "$dir/out", '', 'lowpass', 'uniform'),
        "make figures: lowpass is not drawn, there is no $data/lowpass.txt",
        'a data file that is not there is named');
    ok(-e "$dir/out/uniform.svg", '... and the others are drawn');
    complains(figures({}, $data, "$dir/file/out"), "make figures: cannot write into $dir/file/out",
        'a folder that cannot be made is named');
    complains(
        figures({}, $data, "$dir/out", '', 'fig99-1'),
        'make figures: there is no figure fig99-1: figures/captions.txt has their names',
        'a figure that is not there is named');
    complains(
        figures({}, "$dir/none", "$dir/out"),
        "make figures: there is no $dir/none/tables.txt: make figures-data writes the data, DATA=DIR names them",
        'a folder of data that is not there is named');
    write_text("$data/lowpass.txt", "these are no numbers\n");
    my $broken = figures({}, $data, "$dir/out", '', 'lowpass');
    ok( $broken->{status} == 1
          && $broken->{err} =~ /^make figures: gnuplot cannot draw lowpass: .+\n\z/,
        'data that gnuplot cannot read are named') or diag(describe($broken));
}

done_testing();
