# `make report`: what `make bench` has measured, all files of a device together: our fastest version of
# each computation, and the library's. Of several runs of a command the newest counts.
#
#   ./suite report [FILE...]    of these result files; of all in bench/results without one
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Results;

my @files = @ARGV ? @ARGV : sort glob 'bench/results/*.txt';
die "report: there are no results in bench/results: make bench measures\n" unless @files;
my $text = report(@files);
die "report: no table in these results has a column of percentages\n" if $text eq '';
print $text;
