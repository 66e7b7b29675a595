# Every program of one file, compiled and run as a reader types it; see Standalone.pm.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Standalone;

run_standalone();
