# fill.pl PAGE: prints a page with its measured figures written anew, from the result file that
# it names in a line <!-- results: bench/results/FILE.txt -->. A further page of a chapter may name
# files of its own. Of several the first that has a run counts. What those have not, and all if it
# names none, comes from the one of the chapter's README.md. A page that has figures and names no file
# is an error.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Results;

my ($readme, $text_file) = @ARGV;
open my $in, '<', $text_file // $readme or die "$readme: $!\n";
my $text = do { local $/; <$in> };
my @results =
  map { read_results($_) } map { /^<!-- results: (\S+) -->$/mg } $text, chapters_readme($readme);
my @missing;

# The text of README.md beside a further page of a chapter, or ''.
sub chapters_readme
{
    my ($page) = @_;
    my ($folder, $name) = $page =~ m{^(.*/)(.*)$};
    return '' if !defined $folder || $name =~ /^README/;
    open my $beside, '<', "${folder}README.md" or return '';
    local $/;
    return scalar <$beside> // '';
}

sub figure_of
{
    my ($program, $args, $row, $column, $old) = @_;
    my $command = $args eq '' ? $program : "$program $args";
    my ($lines) = map { $_->{runs}{$command} // () } @results;
    my $figure = $lines ? figure($lines, $row, $column) : undef;
    push @missing, $lines ? "`$command` has no $column of $row" : "there is no run of `$command`"
      unless defined $figure;
    return defined $figure ? rounded($figure) : $old;
}

sub filled
{
    my ($whole, $before, @marker) = @_;
    return substr($whole, 0, $before) . figure_of(@marker) . '<!--/-->';
}

die "$readme has measured figures, but no line <!-- results: FILE -->\n"
  if !@results && $text =~ /$Results::MARKER/;
$text =~ s{$Results::MARKER}{filled($&, $-[5] - $-[0], $1, $2 // '', $3, $4, $5)}ge;
if (@missing)
{
    my %seen;
    my $files = join ' and ', map { $_->{file} } @results;
    print STDERR map { "$readme: $files: $_\n" } grep { !$seen{$_}++ } @missing;
    exit 1;
}
print $text;
