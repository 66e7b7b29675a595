# Which runs may use the device at the same time.
package Device;
use strict;
use warnings;
use Exporter 'import';
use Fcntl qw(LOCK_EX LOCK_NB);
use List::Util qw(min);
use Suite;

our @EXPORT = qw(with_the_whole_device room_for);

# How many processes the GPU's memory is enough for, if each takes so many MB; without a GPU undef.
sub room_for
{
    my ($megabytes) = @_;
    return undef if $BACKEND ne 'cuda';
    my $ran = sh('nvidia-smi --query-gpu=memory.total --format=csv,noheader,nounits');
    return $ran->{out} =~ /^(\d+)/ && $1 > 2 * $megabytes ? int($1 / $megabytes) : 1;
}

# Calls the code, which runs a program at its default size or the size of a document. Without a GPU
# it takes every core, so there is one such run at a time for each name. A GPU divides its time
# among all processes that use it: a small kernel waits for those of all others. So eight such runs
# share it with what is small, whatever test file they are of. Each takes a place, which is a file
# that it locks.
my $PLACES = $ENV{SUITE_PLACES} || tempdir(CLEANUP => 1);
my @gpu_places = $BACKEND eq 'cuda' ? (1 .. min(8, room_for(16384))) : ();


sub with_the_whole_device
{
    my ($name, $code) = @_;
    my @places = map { "$PLACES/$_" } @gpu_places;
    @places = "$PLACES/$name" if $BACKEND ne 'cuda';
    for (;;)
    {
        for my $file (@places)
        {
            open my $lock, '>>', $file or die "$file: $!\n";
            return $code->() if flock $lock, @places > 1 ? LOCK_EX | LOCK_NB : LOCK_EX;
            die "$file: $!\n" if @places == 1;
        }
        select undef, undef, undef, 0.05;
    }
}

1;
