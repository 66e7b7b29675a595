# bench/counts.pl, which compares the counts of a GPU with those of `cpucc --count`: what it reads of Nsight
# Compute and of cuobjdump, and the comparison, with an ncu that counts as the CPU does but for one number.
# Inputs: bench/counts.pl bench/results/2026-11-27-nvidia-h100-counts.tsv backend counter ch09_shared_mem/reduce2gpu.cu
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $CARD = 'bench/results/2026-11-27-nvidia-h100-counts.tsv';
my $dir = tempdir(CLEANUP => 1);
require "$ROOT/bench/counts.pl";

# ---- What ncu writes ----

my @METRICS = (['a', 'm__a.sum'], ['b', 'm__b.sum']);
my @rows = Counts::ncu_rows(<<'END');
==PROF== Connected to process 7
"ID","Process ID","Kernel Name","Grid Size","Block Size","m__a.sum","m__b.sum"
"","","","","","sector",""
"0","7","void add<float>(const T1 *, const T1 *, T1 *)","(782, 1, 1)","(128, 1, 1)","1,234,567","4.00"
"1","7","void add<float>(const T1 *, const T1 *, T1 *)","(782, 1, 1)","(128, 1, 1)","9","9"
"2","7","void add<float>(const T1 *, const T1 *, T1 *)","(1, 1, 1)","(16, 16, 1)","5","n/a"
"3","7","ceiling_read","(64, 1, 1)","(256, 1, 1)","5","6"
==PROF== Disconnected from process 7
END
is(scalar @rows, 4, 'a row for each launch');
is_deeply([Counts::first_launches('p', 'float', \@METRICS, @rows)], [
        "p\tfloat\tvoid add<float>(const T1 *, const T1 *, T1 *)\t782\t128\t1234567\t4",
        "p\tfloat\tvoid add<float>(const T1 *, const T1 *, T1 *)\t1\t16x16\t5\tn/a"],
    'the first launch of each shape, without those of the ceiling');

# ---- What cuobjdump writes ----

is_deeply([Counts::sass_lines('p', 'float', <<'END')], ["p\tfloat\t_Z3addv\t2 LDG.E (1 guarded), 1 STG.E.128"], 'instructions');
        Function : _Z3addv
        .headerflags  @"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;
        /*0010*/                   LDG.E R5, desc[UR8][R4.64] ;
        /*0020*/              @!P0 LDG.E R16, desc[UR8][R10.64] ;
        /*0030*/                   FADD R9, R2, R5 ;
        /*0040*/                   STG.E.128 desc[UR8][R6.64], R8 ;
END

# ---- Names of kernels, as the two compilers have them ----

is(Counts::plain('void add<int, (Kind)1>(int const*)'), Counts::plain('add<int,(Kind)1>(int const*)'), 'a template');
is(Counts::base('void scan::add<int>(int const*)'), 'scan::add', 'its name alone');

# ---- Cells ----

is(Counts::cell(0, 0), '', 'nothing');
is(Counts::cell(100, 100), '100', 'the same');
is(Counts::cell(100, 102), '100, 102', 'within 2 %');
is(Counts::cell(100, 103), '**100, 103** (+3 %)', 'not within 2 %');
is(Counts::cell(0, 7), '**0, 7** (none)', 'of nothing');

# ---- Why numbers differ ----

is((Counts::why('matmul', 'multiply_pipelined<Tiling<64, 64, 32, 32>, 4>', 'shared stores', ''))[0], 'metric', 'a reason');
is((Counts::why('scan-types', 'scan_tiles<Sum, int>', 'store sectors', ''))[0], 'compiled', 'that of some programs');
is((Counts::why('histogram', 'count_shared', 'atomics', 'grid 16 on the CPU'))[0], 'grid', 'another grid');
is((Counts::why('matmul', 'multiply_naive', 'load sectors', ''))[0], 'unknown', 'none');

# ---- All of it, with a program of this repository, and an ncu that knows fewer names ----

SKIP:
{
    skip 'on a GPU there is a real one', 6 if $BACKEND eq 'cuda';
    $ENV{ONLY} = 'reduce2gpu';
    my ($run) = Counts::runs();
    my $program = Counts::build(@{$run}[0, 1], 'float');
    mkdir "$dir/bin";
    write_text("$dir/bin/ncu", <<'END');
#!/usr/bin/perl
my ($log, $metrics, @command);
print "Version 1.2.3\n" and exit if "@ARGV" eq '--version';
exit if "@ARGV" eq '--query-metrics';
while (defined(my $argument = shift @ARGV))
{
    if ($argument eq '--log-file') { $log = shift @ARGV }
    elsif ($argument eq '--metrics') { $metrics = shift @ARGV }
    elsif ($argument eq '--csv') { }
    elsif ($argument =~ /^--/) { shift @ARGV }
    else { @command = ($argument, @ARGV); last }
}
my @metrics = split /,/, $metrics;
my @unknown = grep { /sass/ } @metrics;
print "==ERROR== Failed to find metric $_\n" for @unknown;
exit 1 if @unknown;
$ENV{CUDACPU_COUNT} = 'launches';
open my $out, '>', $log;
print $out join(',', map { qq("$_") } 'ID', 'Kernel Name', 'Grid Size', 'Block Size', @metrics), "\n";
my @launches;
for (qx(@command 2>&1 >/dev/null))
{
    my @f = split /,/;
    if (/^kernel/) { push @launches, [$f[1], $f[2], $f[3], {}] }
    elsif (/^(global|shared)/) { $launches[-1][3]{"$1 $f[4]"}[$_]  += $f[6 + 2 * $_] for 0, 1 }
}
for my $i (0 .. $#launches)
{
    my ($kernel, $grid, $block, $of) = @{$launches[$i]};
    my $types = $kernel eq 'reduce_global' ? 'float*, float*' : 'float const*, float*, unsigned long';
    my @values = map {
        my ($space, $op) = /(global|shared)_op_(ld|st)\./;
        my $has = $of->{"$space " . ($op eq 'ld' ? 'load' : 'store')};
        ($has ? $has->[/requests/ ? 0 : 1] : 0) + 0 } @metrics;
    $values[0] *= 2 if $kernel eq 'reduce_static';
    print $out join(',', map { qq("$_") } $i, "$kernel($types)", "($grid, 1, 1)", "($block, 1, 1)", @values), "\n";
}
END
    chmod 0755, "$dir/bin/ncu";
    symlink "$ROOT/$program", "$dir/bin/reduce2gpu" or die;
    my $script = "PATH=$dir/bin:\$PATH exec $^X $ROOT/bench/counts.pl";
    my $gpu = sh("$script gpu $dir/out $dir/bin");
    like($gpu->{err}, qr/without smsp__sass/, 'it does without what ncu does not know') or diag(describe($gpu));
    my $compared = sh("$script compare $dir/out/counts.tsv");
    like($compared->{out}, qr/^\| reduce2gpu \| `reduce_static` \| 782 x 128 \| \*\*6250, 3125\*\* \(-50 %\) \| 12500 \|/m,
        'the number that differs') or diag(describe($compared));
    my ($near, $all) = $compared->{out} =~ /^(\d+) of (\d+) numbers are within 2 %\.$/m;
    is($all - $near, 1, 'no other one does');
    like($compared->{out}, qr/^\| reduce2gpu \| `reduce_static` \| load requests \| 1 \| 6250, 3125 \(-50 %\) \|  \|$/m, 'it has no reason');
    like($compared->{out}, qr/^Of the others 1 are not explained\.$/m, '... and is counted so');

    # What an H100 has counted.
    my $card = sh("exec $^X bench/counts.pl compare $CARD");
    like($card->{out}, qr/^\| reduce2gpu \| `reduce_global`, `reduce_static`, `reduce_dynamic` \| 16 of 16 \| 16 of 16 \|$/m,
        'the counter counts as a GPU does') or diag(describe($card));
}

done_testing();
