# figures.pl DATA DIRECTORY [RESULTS [NAME...]], for `make figures`: draws the figures NAME, or all
# of figures/*.gnuplot, from the data in DATA, as DIRECTORY/NAME.svg and NAME.png, and with Chinese
# labels as NAME.zh-CN.svg and NAME.zh-CN.png. The bars of tables are drawn from RESULTS, a result
# file of `make bench`, or if that is '', from DATA/tables.txt.
#
# The comment at the top of NAME.gnuplot says what it needs: `data: FILES` of DATA, `rows: COMMAND`
# of the results. With `else: COMMAND: REGEX` the lines of a command in the results can take the
# place of a file that DATA lacks: what the regex captures are the columns. `size:` is in pixels.
# `shows: times` means that they depend on the device. If something is missing, the other figures
# are drawn, a line says what it is, and the status is 1: but for times that DATA/card.txt does not have.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../bench";
use File::Basename qw(basename);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Results;

my ($data, $to, $results_file, @only) = @ARGV;
my $missing = 0;

sub fail
{
    print STDERR "make figures: @_\n";
    exit 1;
}

fail('there is no gnuplot: sudo apt-get install gnuplot-nox')
  unless grep { -x "$_/gnuplot" } split /:/, $ENV{PATH};
eval { make_path($to) };
fail("cannot write into $to") unless -d $to && -w $to;
my $of_a_card = ($results_file // '') eq '' && -e "$data/card.txt";
my ($results_from) = grep { defined && $_ ne '' } $results_file, $of_a_card ? "$data/card.txt" : "$data/tables.txt";
fail("there is no $results_from: make figures-data writes the data, DATA=DIR names them")
  unless -e $results_from;
my $results = eval { read_results($results_from) } or fail($@ =~ s/\n//r);
my $measured = eval { read_results("$data/tables.txt") } // $results;
my $work = tempdir(CLEANUP => 1);

# What stands after `key:` in the comment.
sub key
{
    my ($text, $key) = @_;
    return $text =~ /^# $key: (.*)/m ? $1 : '';
}

# Where and when: `NVIDIA H200, 2026-11-22`, in English and in Chinese. On the CPU backend times are
# those of a CPU.
sub origin
{
    my ($from, $has_times) = @_;
    my %about = map { @$_ } @{$from->{about}};
    my $device = $about{device} // 'unknown device';
    my $is_cpu = $device =~ s/^CPU backend.*/CPU backend/;
    my ($date) = ($about{date} // '') =~ /^(\S+)/;
    return ("$device, $date") x 2 unless $is_cpu;
    return ("computed by the CPU backend, $date", "由 CPU 后端计算，$date") unless $has_times;
    return (
        "measured on the CPU backend: times of a CPU, not of a GPU; $date",
        "在 CPU 后端上测得，是 CPU 的时间，不是 GPU 的；$date");
}

# A file with the rows of a table: name, ms. The host's rows would hide the others.
sub write_rows
{
    my ($command) = @_;
    my $lines = $results->{runs}{$command} or return;
    my @rows = grep { $_->[0] !~ /^cpu/ } timed_rows($lines);
    return unless @rows;
    my $file = "$work/rows.txt";
    write_file($file, map { sprintf "\"%s\" %s\n", @$_[0, 1] } @rows);
    return $file;
}

# The data of a figure from what a command has printed, by the lines `else:` of its script, in the
# folder for such data. Where several lines begin with the same number, as those of two kinds of
# memory do, they are one row. What is captured alone belongs to the program's name.
sub write_else
{
    my ($text, $file) = @_;
    my (%rows, @names);
    while ($text =~ /^# else: ([^:\n]+): (.*)/mg)
    {
        my ($command, $pattern) = ($1, qr/$2/);
        for my $line (@{$results->{runs}{$command} // return})
        {
            my ($name, @columns) = $line =~ $pattern or next;
            ($name, @columns) = ($command =~ s/ .*//r, $name) unless @columns;
            push @names, $name unless $rows{$name};
            push @{$rows{$name}}, @columns;
        }
    }
    return unless @names;
    write_file("$work/" . basename($file), map { "@{[$_, @{$rows{$_}}]}\n" } @names);
    return $work;
}

sub write_file
{
    my ($file, @text) = @_;
    open my $out, '>', $file or fail("$file: $!");
    print {$out} @text;
    close $out or fail("$file: $!");
}

# As gnuplot reads a text.
sub quoted
{
    my ($text) = @_;
    return "'" . $text =~ s/'/''/gr . "'";
}

# What a script needs and does not find, or ''. Else the variables for it are in %$set; `origin` is a
# list, of English and Chinese.
sub prepare
{
    my ($text, $set) = @_;
    my ($rows, $where) = (key($text, 'rows'), $data);
    for my $file (map { "$data/$_" } split ' ', key($text, 'data'))
    {
        $where = -s $file ? $data : write_else($text, $file) // return "there is no $file";
    }
    my $from = $rows eq '' && $where eq $data ? $measured : $results;
    if ($rows ne '')
    {
        $set->{rows} = write_rows($rows) // return "$results_from has no table of $rows";
    }
    $set->{data} = $where;
    $set->{origin} = [origin($from, key($text, 'shows') eq 'times')];
    return '';
}

my %TERMINALS = (
    svg => "svg font 'sans-serif,15' background rgb 'white' size ",
    png => "pngcairo font 'sans-serif,15' fontscale 1.8 linewidth 2 pointscale 2 size ");

# Without the language, a browser may take Japanese letters for Chinese ones.
sub name_language
{
    my ($file) = @_;
    open my $in, '<', $file or fail("$file: $!");
    my $svg = do { local $/; <$in> };
    close $in;
    write_file($file, $svg =~ s/<svg\K/ xml:lang="zh-CN"/r);
}

# One file of a figure: NAME.svg, or NAME.zh-CN.png.
sub draw
{
    my ($name, $file, $type, $text, $set) = @_;
    my ($width, $height) = split ' ', key($text, 'size') || '560 400';
    my $part = "$to/.$file";
    my $pixels = $type eq 'png' ? 2 : 1;    # twice as many as SVG's units
    my $size = join ',', map { $pixels * $_ } $width, $height;
    my $settings = "$work/settings.gnuplot";
    write_file(
        $settings,
        (map { "$_ = " . quoted($set->{$_}) . "\n" } sort keys %$set),
        "is_chinese = " . ($file =~ /\.zh-CN\./ ? 1 : 0) . "\n",
        "set terminal $TERMINALS{$type}$size\n",
        'set output ' . quoted($part) . "\n",
        "load 'figures/style.gnuplot'\n");
    my $said = qx{gnuplot '$settings' 'figures/$name.gnuplot' 2>&1};
    fail("gnuplot cannot draw $name: " . ($said =~ /(\S[^\n]*)\n*\z/ ? $1 : "status $?"))
      if $? != 0 || !-s $part || $said =~ /no valid points/;
    name_language($part) if $file =~ /\.zh-CN\.svg$/;
    rename $part, "$to/$file" or fail("$to/$file: $!");
}

for my $name (grep { !-e "figures/$_.gnuplot" } @only)
{
    fail("there is no figure $name: figures/captions.txt has their names");
}
my $drawn = 0;
for my $script (@only ? map { "figures/$_.gnuplot" } @only : glob 'figures/*.gnuplot')
{
    open my $in, '<', $script or fail("$script: $!");
    my $text = do { local $/; <$in> };
    next unless $text =~ /^# (?:data|rows): /m;
    my ($name) = $script =~ m{([^/]+)\.gnuplot$};
    my %set;
    my $why = prepare($text, \%set);
    if ($why ne '')
    {
        print STDERR "make figures: $name is not drawn, $why\n";
        $missing = 1 unless $of_a_card && key($text, 'shows') eq 'times';
        next;
    }
    for my $type (sort keys %TERMINALS)
    {
        my ($english, $chinese) = @{$set{origin}};
        draw($name, "$name.$type", $type, $text, {%set, origin => $english});
        draw($name, "$name.zh-CN.$type", $type, $text, {%set, origin => $chinese});
    }
    ++$drawn;
}
# In SVG the reader's machine has the font; in PNG it is the one of this machine.
my $fonts = qx{fc-list :lang=zh 2>/dev/null};
my $unreadable = $drawn && $? == 0 && $fonts !~ /\S/;
print "$drawn figure", $drawn == 1 ? '' : 's', " in $to\n";
print 'No font here has Chinese letters, so the .zh-CN.png cannot be read: '
  . "sudo apt-get install fonts-noto-cjk\n"
  if $unreadable;
exit $missing;
