# For tests/planter.pl: builds a program with a bug in it, and gives it all its runs.
package Planting;
use strict;
use warnings;
use Battery;
use Exporter 'import';
use File::Path qw(make_path remove_tree);
use Suite;

our @EXPORT = qw(make_path remove_tree make_workplace build tries failure progress);

# What is run here runs on the CPU's one device, whatever the backend of the tests.
delete $ENV{CUDA_VISIBLE_DEVICES};
@ENV{qw(CUDACPU_EXACT CUDACPU_LEAKS)} = (1, 1);
$ENV{CUDACPU_NOTICE} = 0;    # on a busy machine a block may take long

my $LIMIT = 60;    # seconds, because other things may run on the machine
# An index past an array, a shift by too much, a vector's element that it does not have: the program
# stops there. (The int of a GPU may overflow.) Locals that nothing has set are full of a pattern
# instead of what happens to lie there.
my @FLAGS = ('-fsanitize=undefined',
    '-fno-sanitize=null,alignment,pointer-overflow,object-size,signed-integer-overflow',
    '-fno-sanitize-recover=undefined', '-D_GLIBCXX_ASSERTIONS', '-ftrivial-auto-var-init=pattern');
my $PARENT = $$;   # not one of the children that try bugs
my $DIR;

# An empty folder for what is built, which goes at the end.
sub make_workplace
{
    ($DIR) = @_;
    remove_tree($DIR);
    make_path($DIR);
    symlink "$ROOT/common", "$DIR/common" or die "$DIR/common: $!\n";
}
END { remove_tree($DIR) if defined $DIR && $$ == $PARENT }

# Compiles a program of which some files have another text, by name: {'scan.cu' => $text}. Returns
# the binary, and what the compiler said.
sub build
{
    my ($program, $texts, $place, $precision) = @_;
    my $dir = "$DIR/$place";
    make_path($dir);
    my @others = split ' ', $program->{Sources} // '';
    my @files = ($program->{file}, glob("$program->{dir}/*.cuh"),
        map { "$program->{dir}/$_" } @others);
    for my $file (@files)
    {
        my $name = basename($file);
        defined $texts->{$name} ? write_text("$dir/$name", $texts->{$name})
          : symlink("$ROOT/$file", "$dir/$name") || die "$dir/$name: $!\n";
    }
    my $binary = "$dir/$program->{name}";
    my @its_flags = flags_for_cpu($program);
    push @its_flags, '-DUSE_DP' if $precision eq 'double';
    my $source = "$dir/" . basename($program->{file});
    push @its_flags, '-fopenmp' if ($program->{Uses} // '') eq 'OpenMP' && has_openmp();
    return ($binary,
        compile_for_cpu($source, $binary, '-w', '-O1', @FLAGS, @its_flags, @others));
}

# clang++ may have none.
my $has_openmp;

sub has_openmp
{
    return $has_openmp //=
      sh("echo 'int main() {}' | $CXX -x c++ -fopenmp -o /dev/null -")->{status} == 0 || 0;
}

# The arguments of all runs that a program must pass, the quick ones first.
sub tries
{
    my ($program) = @_;
    return (battery($program), grep({ @$_ } map { $_->{args} } goldens($program)), []);
}

# The first of these runs that goes wrong, in words, or the program's own test; '' if none does.
sub failure
{
    my ($program, $binary, $precision) = @_;
    my $number = 0;
    my @in_order =
      map { {args => $_, reverse => is_reversed($number++, $precision)} } tries($program);
    my @late = map { {args => $_, late => 1} } late_runs($program);
    my @goldens = grep { ($_->{precision} || $precision) eq $precision } goldens($program);
    for my $try (@in_order, @late)
    {
        my $args = $try->{args};
        my $is_multi = ($program->{Tests} // '') =~ /multi/;
        my $devices = $is_multi && !$try->{late} ? 3 : undef;    # several are never late
        my %list = list_of_launches(@$args);
        my $ran = run([$binary, @$args], dir => dirname($binary), limit => $LIMIT,
            env => {CUDACPU_DEVICES => $devices, CUDACPU_LATE => $try->{late},
                CUDACPU_REVERSE => $try->{reverse}, heap_checks(), %list});
        my $wrong = judge($program, $ran, !@$args);
        return "@$args: $wrong" if $wrong && $wrong !~ /^skip: /;
        return "@$args: has other blocks"
          if %list && other_blocks($ran, $list{CUDACPU_LAUNCHES}, @$args) ne '';
        return "@$args: writes no file" if wrote_nothing($ran, dirname($binary), @$args);
        for my $golden ($ran->{err} =~ /: N halved to / ? () : @goldens)
        {
            return "@$args: prints another text than its golden one"
              if "@$args" eq "@{$golden->{args}}" && shown($golden, $ran->{out}) ne $golden->{text};
        }
    }
    if (is_tried_with_few($program))
    {
        my $ran = run([$binary, split ' ', $FEW], limit => $LIMIT, env => {heap_checks()});
        return "fails with $FEW" unless is_right_with_few($ran);
    }
    return '' if $precision eq 'double';    # the other tests take floats
    my $dir = dirname($binary);
    for my $test (tests_of($program))
    {
        my $ran = run([$^X, $test], limit => 10 * $LIMIT, env => {SUITE_BUILD_FLOAT => $dir,
                SUITE_BUILD_DOUBLE => "$dir/none", SUITE_ONLY => $program->{name}});
        return "$test fails" if ($ran->{status} // 1) != 0;
    }
    return '';
}

# The tests that run a program by itself: what it refuses, what it needs and prints, and those of
# its own, which a few have: one of its name, or those of its `Tests:`.
sub tests_of
{
    my ($program) = @_;
    my @own = split ' ', $program->{Tests} // $program->{name};
    return grep { -e } map { "tests/$_.t" } qw(usage estimates), @own;
}

sub progress
{
    my ($text) = @_;
    printf STDERR "\r%-78.78s\r", $text if -t STDERR;
}

1;
