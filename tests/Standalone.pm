# Every program of one file compiles by the Compile: line of its comment, typed in its own
# directory, and runs by its Run: line. That takes minutes, so it is planned only when asked for.
package Standalone;
use strict;
use warnings;
use Exporter 'import';
use Suite;
use Parallel;
use Device;
use Test::More;

our @EXPORT = qw(run_standalone);

# Without a device: the hellos return their synchronize's status, host code runs as ever (but for a
# table of versions, which names the device and measures its ceiling), and everything else says why
# it cannot.
sub right_status
{
    my ($program, $ran, $has_gpu) = @_;
    my $code = read_text($program->{file});
    $code .= read_text("$program->{dir}/$_") for $code =~ /^#include "([\w-]+\.cuh)"/mg;
    $code =~ s{//.*}{}g;
    return $ran->{status} == $program->{Expect}
      if $has_gpu || $code !~ /<<<|\b(?:cuda[A-Z]|run_versions)/;
    return $ran->{status} != 0 if $program->{name} =~ /^hello/;
    return $ran->{status} == 77 && $ran->{err} =~ /^[^\n]+\n\z/;
}

sub run_standalone
{
    plan skip_all => 'compiling every program by hand takes minutes: SUITE_STANDALONE=1 does it'
      unless $ENV{SUITE_STANDALONE} || $REQUIRE_GPU;
    plan skip_all => 'there is no nvcc on the PATH' unless on_path('nvcc');
    my %not = map { $_ => 1 } split ' ', $ENV{SUITE_STANDALONE_NOT} // '';    # make compiles these
    my @programs = grep { !$_->{Sources} && !$not{$_->{name}} } programs();
    plan skip_all => 'none of the programs asked for is of one file' unless @programs;

    my $has_gpu = $REQUIRE_GPU || sh('nvidia-smi -L | grep -q GPU')->{status} == 0;
    my $copies = tempdir(CLEANUP => 1);
    test_in_parallel(
        sub { test_standalone($_[0], "$copies/$_[0]{name}", $has_gpu) },
        sub { $_[0]{file} },
        [reverse @programs], 8); # the last chapters compile longest
}

# In a copy of the program's chapter that nothing else is compiled in.
sub test_standalone
{
    my ($program, $copy, $has_gpu) = @_;
    mkdir $copy or die "$copy: $!\n";
    sh("cp -a common $program->{dir} '$copy'");
    my $dir = "$copy/$program->{dir}";
    write_text("$dir/photo.ppm", "P6\n5 3\n255\n" . pack 'C*', map { $_ * 5 } 1 .. 45);
    unlink "$dir/a.out";
    my $made = sh($program->{Compile}, dir => $dir, limit => 600);
    ok($made->{status} == 0, "$program->{file}: $program->{Compile}") or diag(describe($made));
    return unless -x "$dir/a.out";
    my $line = $program->{Run} =~ s{^.* (?=\./a\.out)}{}r;    # without the tool that watches it
    my $ran = with_the_whole_device('standalone', sub { sh($line, dir => $dir) });
    ok(defined $ran->{status} && right_status($program, $ran, $has_gpu), "$program->{file}: $line")
      or diag(describe($ran));
}

1;
