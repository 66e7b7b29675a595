# Each wrong solution of each exercise gets its sentence, and each right one is accepted.
# Inputs: backend make exercises/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

plan skip_all => 'exercises are judged by the CPU backend, which is not built' if !glob 'cpu/build/libcudacpu-*.a';

for my $file (glob 'exercises/[0-9]*.cu')
{
    my $tried = run(['./suite', 'learn', '--test', $file], limit => 900);
    is($tried->{status}, 0, $file) or diag(describe($tried));
    my $wrong = () = $tried->{out} =~ /^ok   wrong /mg;
    my $right = () = $tried->{out} =~ /^ok   right /mg;
    cmp_ok($wrong, '>=', 10, "... with $wrong wrong solutions");
    cmp_ok($right, '>=', 3, "... and $right right ones");
}

# What is timed on a GPU, timed on the CPU here: it compiles and runs, and its numbers fit together.
my $place = tempdir(CLEANUP => 1);
for my $file (grep { read_text($_) =~ m{^//== time}m } glob 'exercises/[0-9]*.cu')
{
    my ($name) = $file =~ m{(\w+)\.cu$};
    write_text("$place/$name.cu", "");
    my $timed = run([$^X, '-Imake', '-MExercise', '-MGpuTime', '-E', 'binmode STDOUT, ":utf8";
        my $e = Exercise::read_exercise(shift); my $file = shift;
        Files::write_text($file, Exercise::readers_file($e, "en", Exercise::solution($e, "en")));
        say for GpuTime::time_of($e, $file)', $file, "$place/$name.cu"], limit => 100, env => {SUITE_LEARN_NVCC => "$ROOT/bin/cpucc"});
    like($timed->{out}, qr/\AOn the .+ here: [\d.e+-]+ ms(?:, \d+ GB\/s\. Copying .* \d+ % of it)?\.\n在这里的 /, "$name: its time") or diag(describe($timed));
}
done_testing();
