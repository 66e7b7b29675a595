# The results that `make bench` writes, and the figures in them.
#
# A result file has lines `key: value` about the machine, then the runs. A run is a line with its
# command, as one would type it, and what the program printed, indented by four:
#
#     device: NVIDIA H200
#
#     $ reduce -n 1e8
#         float, N = 100000000, median of 20 repeats, ceiling 4364.1 GB/s
#         ...
package Results;
use strict;
use warnings;
use Exporter 'import';
use POSIX qw(floor);

our @EXPORT = qw(markers read_results figure rounded timed_rows fastest is_library summary
  report);

# The largest result so far has 0.2 MB.
my $MOST_BYTES = 16e6;

# The text of a plain file that is not too large: a device or a pipe may never end.
sub text_of_results
{
    my ($file) = @_;
    -e $file or die "$file: $!\n";
    -f _ or die "$file: it is no plain file\n";
    open my $in, '<', $file or die "$file: $!\n";
    my $length = read $in, my $text, $MOST_BYTES + 1;
    defined $length or die "$file: $!\n";
    $length <= $MOST_BYTES or die "$file: it is too large for a result of make bench\n";
    return $text;
}

# {file}, {about}: a list of [key, value], {runs}: of each command its lines, {commands} in order.
sub read_results
{
    my ($file) = @_;
    my $number = 0;
    my %results = (file => $file, about => [], runs => {}, commands => []);
    my $lines;
    for my $line (split /\n/, text_of_results($file))
    {
        ++$number;
        if ($line =~ /^\$ (.+)/)
        {
            $lines = $results{runs}{$1} = [];
            push @{$results{commands}}, $1;
        }
        elsif ($lines && $line =~ /^ {4}(.*)/)
        {
            push @$lines, $1;
        }
        elsif (!$lines && $line =~ /^([\w ]+): (.*)/)
        {
            push @{$results{about}}, [$1, $2];
        }
        elsif ($line ne '')
        {
            die "$file:$number: neither `key: value`, nor a command, nor what one printed\n";
        }
    }
    die "$file: there are no results in it\n" unless @{$results{commands}};
    return \%results;
}

# What stands in a document between <!--=PROGRAM[ARGUMENTS].ROW.COLUMN--> and <!--/-->, as [program,
# arguments, row, column, figure]. dp/PROGRAM is the program in double.
our $MARKER =
  qr{<!--=((?:dp/)?[\w-]+)(?:\[([^\]\n]*)\])?\.([^<>\n]+)\.([^.<>\n]+)-->([^<\n]*)<!--/-->};

sub markers
{
    my ($text) = @_;
    my @markers;
    push @markers, [$1, $2 // '', $3, $4, $5] while $text =~ /$MARKER/g;
    return @markers;
}

# ---- Figures -----------------------------------------------------------------------------------

# The number in a row and a column of what a program printed, as it printed it; undef if it is not
# there.
#
# COLUMN#2 is the second column of this name, and `ms / other` the row's number divided by that of
# the row `other`. TFLOP/s may be printed as GFLOP/s, and on the CPU backend `ms` is `CPU ms`. Where
# there are several tables, the row begins with the first words of a line above its own: `N = 1000
# random`.
sub figure
{
    my ($lines, $row, $column) = @_;
    my $found = figure_in_rows($lines, $row, $column);
    return $found if defined $found;
    if ($column =~ /^T(?=FLOP|B)/)
    {
        $found = figure_in_rows($lines, $row, $column =~ s/^T/G/r);
        return defined $found ? $found / 1000 : undef;
    }
    return unless $column =~ m{^(.+) / (.+)$};
    my ($above, $below) = (figure_in_rows($lines, $row, $1), figure_in_rows($lines, $2, $1));
    return defined $above && $below ? $above / $below : undef;
}

sub figure_in_rows
{
    my ($lines, $row, $column) = @_;
    my $found = figure_in($lines, $row, $column, 0);
    return $found if defined $found;
    my @words = split ' ', $row;
    for my $i (1 .. $#words)
    {
        my $start = words(join ' ', @words[0 .. $i - 1]);
        my ($line) = grep { $lines->[$_] =~ /^(?:# )?$start(?![\w.])/ } 0 .. $#$lines;
        $found = figure_in($lines, join(' ', @words[$i .. $#words]), $column, $line + 1)
          if defined $line;
        return $found if defined $found;
    }
    return;
}

# In the lines from number $from on; titles may stand above it.
sub figure_in
{
    my ($lines, $row, $column, $from) = @_;
    my ($name, $number) = $column =~ /^(.*)#([1-9])$/ ? ($1, $2) : ($column, 1);
    return in_columns($lines, $row, $name, $number, $from)
      // in_words([@$lines[$from .. $#$lines]], $row, $name);
}

# A table: a number ends where the title above it ends, or one place before.
sub in_columns
{
    my ($lines, $row, $column, $number, $from) = @_;
    my ($title, $name) = map { words($_) } $column, $row;
    my @ends; # of the titles so far, the last one first
    for my $i (0 .. $#$lines)
    {
        my $line = $lines->[$i];
        my $is_row = $i >= $from && $line =~ /^\s*$name(?= *$| {2}| +[-+.\d])/;
        for my $end ($is_row ? grep { $_ > $+[0] } @ends : ())
        {
            my $before = $end - 1;
            my ($cell) =
              $line =~ /^(.{$end}|.{$before}(?= ))[%x]?(?!\S)/ ? $1 =~ /(\S+(?: of \d+)?) ?$/ : ();
            my $found = number($cell // '');
            return $found if defined $found;
        }
        my @places;
        push @places, $+[0] while $line =~ /(?<!\S)(?<!\d )$title(?!\S)/g; # not `2.5 ulp`
        unshift @ends, $places[$number - 1] if @places >= $number;
    }
    return;
}

# A sentence that begins with the row: `padded: a row every 1536 bytes, 3.251 ms, 1.1 GB/s`. Or a
# line of a name and a number.
sub in_words
{
    my ($lines, $row, $unit) = @_;
    my ($name, $what) = map { words($_) } $row, $unit;
    for my $line (@$lines)
    {
        return number($1)
          if $line =~ /^\s*$name(?![\w.]).*?(?<!\S)(\S+)\s+\(?$what(?![\w\/])/
          || $line =~ /^\s*$name\s+([-+.\de]+)$/;
    }
    return;
}

# A name as a pattern.
sub words
{
    my ($name) = @_;
    return join '\s+', map { /^(?:ms|us|s)$/ ? "(?:CPU\\s+)?$_" : quotemeta } split ' ', $name;
}

# The number that a cell is: `39.9%`, `0.02x`, `6 of 8`.
sub number
{
    my ($cell) = @_;
    return $cell =~ /^([-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?:%|x| of \d+)?,?$/ ? $1 : undef;
}

# As a reader wants it: three digits, or all of them before the point.
sub rounded
{
    my ($number) = @_;
    return rounded($1) . $2 if $number =~ /^(.+)(e[-+]?\d+)$/;
    my $digits = $number =~ s/^[-+]?0*\.?0*//r =~ tr/0-9//;
    return $number if $digits <= 3 || $number !~ /^[-+]?\d+\.\d+$/;
    my $decimals = 2 - floor(log(abs $number) / log 10);
    return sprintf '%.*f', $decimals > 0 ? $decimals : 0, $number;
}

# ---- All times ---------------------------------------------------------------------------------

# The rows of the tables with a column of times, as [name, time, unit, deviation, percent]. The last
# two are undef where there is no such column.
sub timed_rows
{
    my ($lines) = @_;
    my ($title, @rows);
    for my $line (@$lines)
    {
        if ($line =~ /(?<!\S)(?<!\d )((?:CPU )?[mu]s)(?!\S)/ && $line !~ /\d/)
        {
            $title = {unit => $1, time => $+[0]};
            for (['deviation', 'deviation'], ['percent', '%'])
            {
                $title->{$_->[0]} = $+[0] if $line =~ /(?<!\S)\Q$_->[1]\E(?!\S)/;
            }
            next;
        }
        my ($name) = $line =~ /^\s*(\S+(?: \S+)*)/;
        my $time = $title && defined $name ? cell_at($line, $title->{time}) : undef;
        next unless defined $time && length $name < $title->{time};
        push @rows,
          [$name, $time, $title->{unit},
            map { scalar cell_at($line, $title->{$_}) } qw(deviation percent)];
    }
    return @rows;
}

# The number that ends where a title ended.
sub cell_at
{
    my ($line, $end) = @_;
    return unless defined $end && $line =~ /^(.{$end})[%x]?(?!\S)/;
    return number($1 =~ /(\S+)$/ ? $1 : '');
}

# Rows that a library computes.
my $LIBRARY = qr/^(?:cub|cublas|geam|cufft|cusparse|cusolver|curand|thrust|nccl)/i;

# Of each command with a table of percentages: [command, our fastest row, the library's or undef].
sub fastest
{
    my ($commands, $lines) = @_;
    my @fastest;
    for my $command (@$commands)
    {
        my @rows = grep { defined $_->[4] && $_->[0] ne 'copy' } timed_rows($lines->{$command});
        my ($ours) = sort { $a->[1] <=> $b->[1] } grep { !is_library($_->[0]) } @rows;
        my ($library) = sort { $a->[1] <=> $b->[1] } grep { is_library($_->[0]) } @rows;
        push @fastest, [$command, $ours, $library] if $ours;
    }
    return @fastest;
}

sub is_library
{
    my ($row) = @_;
    return $row =~ $LIBRARY;
}

# The fastest version of each table beside the library, as lines.
sub summary
{
    my ($commands, $lines) = @_;
    my @fastest = fastest($commands, $lines);
    my ($widest) = sort { $b <=> $a } 33, map { length $_->[0] } @fastest;
    my $format = "%-${widest}s  %-18s %10s %8s   %-14s %10s %9s\n";
    my @table = map {
        my ($command, $ours, $library) = @$_;
        sprintf $format, $command, @$ours[0, 1], $ours->[4] // '',
          $library ? @$library[0, 1] : ('', ''),
          $library
          ? sprintf '%.2f', $library->[1] / $ours->[1]
          : ''
    } @fastest;
    return '' unless @table;
    return
      sprintf($format, 'what', 'our fastest', 'ms', '% of top', 'library', 'ms', 'x library')
      . join '', @table;
}

# ---- All files ---------------------------------------------------------------------------------

# What docs/programs.md says of 100 %.
my $CEILING = <<'END';
% of top: 100 % is a copy, a read or multiply-adds, timed in the same way in the same process. It is a
yardstick and no limit: a kernel may be a little faster.
END

# For each device the table of all its files together; of a command that several have, the newest
# counts. A file says in its line `date` when it was measured.
sub report
{
    my (@files) = @_;
    my %value = map { my $results = $_; $results->{file} => {map { @$_ } @{$results->{about}}} }
      my @results = map { read_results($_) } @files;
    my (%files, @devices);
    my $date = sub { $value{$_[0]{file}}{date} // '' };
    for my $results (sort { $date->($a) cmp $date->($b) } @results)
    {
        my $device = $value{$results->{file}}{device} // 'unknown device';
        push @devices, $device unless $files{$device};
        push @{$files{$device}}, $results;
    }
    my $text = '';
    for my $device (sort { ($a =~ /^CPU/ || 0) <=> ($b =~ /^CPU/ || 0) } @devices)
    {
        my (%lines, %from, @commands);
        for my $results (@{$files{$device}})
        {
            for my $command (@{$results->{commands}})
            {
                push @commands, $command unless $lines{$command};
                $lines{$command} = $results->{runs}{$command};
                $from{$command} = $results->{file};
            }
        }
        my $table = summary(\@commands, \%lines);
        next if $table eq '';
        my %used;
        ++$used{$_} for values %from;
        my $runs = @commands == 1 ? 'run' : 'runs, of each the newest';
        $text .= ($text eq '' ? '' : "\n") . "$device, " . @commands . " $runs:\n";
        $text .= sprintf "  %4d from %s\n", $used{$_}, $_ for sort keys %used;
        $text .= "\n$table";
    }
    return $text eq '' ? '' : "$text\n$CEILING";
}

1;
