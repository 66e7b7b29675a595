# No program does what C++ leaves undefined: compiled with -fsanitize=undefined, each passes and is
# not blamed. On the CPU backend, at a small size, with SUITE_EXHAUSTIVE=1.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Suite;
use Parallel;
use Test::More;

plan skip_all => 'the compiler of the CPU backend does it' if $BACKEND eq 'cuda';
plan skip_all => 'compiling every program once more takes minutes: SUITE_EXHAUSTIVE=1 does it'
  unless $ENV{SUITE_EXHAUSTIVE};
my $dir = tempdir(CLEANUP => 1);

# A program whose Faults: announces a bad pointer may follow it, and Thrust's own headers refer to
# what a null pointer points to.
sub runs_clean
{
    my ($program) = @_;
    my $binary = "$dir/$program->{name}";
    my @flags =
      (qw(-O1 -fsanitize=undefined -fno-sanitize-recover=undefined), flags_for_cpu($program));
    push @flags, '-fno-sanitize=null' if $program->{Faults} || ($program->{Uses} // '') eq 'Thrust';
    my @sources = (basename($program->{file}), split ' ', $program->{Sources} // '');
    my $made =
      run([$CPUCC, '-Wall', '-Wextra', '-o', $binary, @sources, @flags], dir => $program->{dir});
    ok($made->{status} == 0, "$program->{name} compiles") or diag(describe($made)), return;
    my $has = options($program) // {};
    my @sizes = split ' ', $program->{Sizes} // '';
    my $size = $sizes[0] // (undef, 1000, '33x17', '33x17x5')[$has->{dims} // 0];
    my @args = (defined $size && $has->{dims} ? ('-n', $size) : (), $has->{r} ? ('-r', 1) : ());
    @args = () if $program->{Expect} != 0;
    my $ran = run([$binary, @args], dir => $dir);
    judged($program, $ran, !@args, "$program->{name} passes");
    unlike($ran->{err}, qr/runtime error:/, "$program->{name} does nothing undefined");
    unlink $binary;
}

test_in_parallel(\&runs_clean, sub { $_[0]{name} }, [buildable_programs()]);
