# Every program in both precisions, at its sizes, block sizes and seeds; see Battery.pm.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;

run_battery();
