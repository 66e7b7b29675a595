# What the counter counts in the programs of counter/. A comment at a line says what its accesses cost:
# `global load 4: 8 32 16` are loads of 4 bytes that are 8 requests and 32 sectors, where 16 would do.
# After `g++: ` stands what another compiler may make something else of. A line without a comment has no
# access. And programs whose threads wait for each other are as right as ever.
# Inputs: backend counter cpu/counter/README.md cpu/tests/conformance/*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my $is_gcc = $CXX !~ /clang/;

# {"12 global load 4" => "8 32 16"} of the comments in a source, and the lines that are g++'s.
sub expected
{
    my ($text) = @_;
    my (%counts, %is_of_gcc, $number);
    for my $line (split /\n/, $text)
    {
        ++$number;
        $is_of_gcc{$number} = 1 if $line =~ m{// g\+\+: };
        while ($line =~ /\b((?:global|shared|constant) (?:load|store|atomic) \d+): (\d+ \d+ \d+)/g)
        {
            $counts{"$number $1"} = $2;
        }
    }
    return (\%counts, %is_of_gcc);
}

# The same of the list that a program writes; accesses of one line and kind are added up.
sub counted
{
    my ($csv, $file) = @_;
    my %sums;
    for (split /\n/, $csv)
    {
        my ($space, undef, $place, $line, $access, $bytes, $requests, undef, $units, $least) = split /,/;
        next if ($place // '') !~ m{/\Q$file\E\z};
        my $sum = $sums{"$line $space $access $bytes"} //= [0, 0, 0];
        $sum->[0] += $requests, $sum->[1] += $units, $sum->[2] += $least;
    }
    return {map { ($_ => "@{$sums{$_}}") } keys %sums};
}

# The row of a kernel.
sub kernel_row
{
    my ($csv, $kernel) = @_;
    my ($row) = $csv =~ /^kernel,$kernel,(.*)/m or return {};
    my (undef, undef, undef, undef, @numbers) = split /,/, $row;
    my %of;
    @of{qw(launches blocks threads barriers exchanges steps lanes parted)} = @numbers;
    return \%of;
}

my %csv;
for my $source (sort glob 'tests/counter/*.cu')
{
    my ($name) = $source =~ m{(\w+)\.cu$};
    my $compiled = run(['./cpucc', '--count', $source, '-o', "$dir/$name"]);
    ok($compiled->{status} == 0, "$name: compiles") or diag(describe($compiled));
    my $ran = run(["$dir/$name"], env => {CUDACPU_COUNT => 'csv'});
    is($ran->{status}, 0, "$name: runs") or diag(describe($ran));
    $csv{$name} = $ran->{err};
    my ($expected, %is_of_gcc) = expected(read_text($source));
    my $counted = counted($ran->{err}, "$name.cu");
    for my $at (sort { ($a =~ /(\d+)/)[0] <=> ($b =~ /(\d+)/)[0] || $a cmp $b } keys %{{%$expected, %$counted}})
    {
        next if $is_of_gcc{($at =~ /(\d+)/)[0]} && !$is_gcc;
        is($counted->{$at}, $expected->{$at}, "$name, line $at");
    }
}

# ---- What belongs to a kernel ----

my $sum = kernel_row($csv{kinds}, 'sum');
is($sum->{exchanges}, 10, 'two warps make five shuffles each');
is(kernel_row($csv{kinds}, 'block_sum')->{barriers}, 8, 'eight barriers');
my $loops = kernel_row($csv{branches}, 'loops');
is($loops->{parted}, 31, 'after each turn but the last a lane leaves');
cmp_ok($loops->{lanes}, '<', 32 * $loops->{steps}, 'not all lanes are active');
my $straight = kernel_row($csv{transpose}, 'shared');
is("$straight->{launches} $straight->{blocks} $straight->{threads}", '1 256 262144', 'launches, blocks and threads');
is($straight->{lanes}, 32 * $straight->{steps}, 'all lanes are active');

# ---- The table, as the page shows it ----

my $page = read_text('counter/README.md');
my ($source) = $page =~ /^cat >build\/column.cu <<'END'\n(.*?)^END$/ms;
my ($table) = $page =~ /^```text\n(.*?)^```/ms;
write_text("$dir/column.cu", $source);
run(['./cpucc', '--count', "$dir/column.cu", '-o', "$dir/column"]);
my $shown = run(["$dir/column"]);
is($shown->{err} =~ s/\A\n//r, $table, 'the page shows what the program prints') if $is_gcc;
unlike(run(["$dir/kinds"])->{err}, qr/^ +(?:\d+|line)  .{94}/m, 'no row is longer than 100 columns');
is(run(["$dir/column"], env => {CUDACPU_COUNT => 'none'})->{err}, '', 'CUDACPU_COUNT=none prints nothing');

my $annotated = run(["$dir/transpose"], env => {CUDACPU_COUNT => 'annotate'})->{err};
like($annotated, qr/^ +store 32 sectors \(4\) +\d+ \|     B\[x \* N \+ y\] = a;/m, 'the text has its numbers');
like($annotated, qr/^ {32,}\d+ \| __global__ void shared\(/m, 'from the line where the kernel begins');
my $odd = run(["$dir/column"], env => {CUDACPU_COUNT => 'cvs'});
is("$odd->{status} $odd->{err}", qq(3 CPU backend: CUDACPU_COUNT must be csv, launches, annotate or none, not "cvs"\n), 'another form');

# ---- Other programs are right, too ----

my @others = $ENV{TEST_EXHAUSTIVE} ? sort map { m{(\w+)\.cu$} } glob 'tests/conformance/*.cu'
  : qw(atomics barriers cg grid_sync ptx_threads shared short_warps warp);
for my $name (@others)
{
    my $text = read_text("tests/conformance/$name.cu");
    my @flags = $text =~ m{^// Flags: (.*)}m ? split(' ', $1) : ();
    my $compiled = run(['./cpucc', '--count', @flags, "tests/conformance/$name.cu", '-o', "$dir/other"]);
    my $ran = run(["$dir/other"], env => {CUDACPU_COUNT => 'none'});
    is($ran->{out}, read_text("tests/conformance/expected/$name.txt"), "$name: its output")
      or diag(describe($compiled), describe($ran));
}

# ---- Each launch for itself ----

my $each = run(["$dir/waits"], env => {CUDACPU_COUNT => 'launches'})->{err};
is(join(' ', map { (split /,/)[6] } grep { m{,/[^,]*/waits\.cu,11,} } split /\n/, $each), '66 1', 'what each launch reads');
my ($grid, $block, $at) = $each =~ /^kernel,hand_over,(\w+),(\w+),0x(\w+),,1,1,32,/m;
is("$grid $block", '1 32', 'grid and block');
like(scalar(qx(nm "$dir/waits" | c++filt)), qr/^0*$at \w .*run_body<hand_over\(/m, 'where the kernel is');

# ---- An old runtime is built again ----

my $compiler = (split ' ', $CXX)[-1] =~ s{.*/}{}r;
my $library = "build/libcudacpu-count-$compiler.a";
utime 0, 0, $library or diag("$library: $!");
run(['./cpucc', '--count', "$dir/column.cu", '-o', "$dir/column"]);
cmp_ok((stat $library)[9], '>', 0, 'the runtime is not older than its sources');

my $both = run(['./cpucc', '--count', '--check', "$dir/column.cu", '-o', "$dir/both"]);
is("$both->{status} $both->{err}", "1 cpucc: --check and --count are for two programs\n", '--count with --check');

done_testing();
