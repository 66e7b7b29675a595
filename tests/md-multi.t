# ljmd-multi on several devices: the same energies as ljmd-fast's, the same bits in each run,
# restarts, and numbers of devices that cannot be.
# Inputs: ch21_md/*.cu* common/*.cuh backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my %programs = map { $_->{name} => $_ } programs();
my ($multi, $fast) = @programs{qw(ljmd-multi ljmd-fast)};
plan skip_all => 'ljmd-multi is not built' if !$multi || !-x binary($multi);
my $dir = tempdir(CLEANUP => 1);
my $there = $BACKEND eq 'cuda' ? count_gpus() : 4;
my $most = $there < 3 ? 3 : $there; # with --share

# Those that CUDA shows: CUDA_VISIBLE_DEVICES may hide some.
sub count_gpus
{
    my $ran = run([binary($multi), 5, 0, '--steps', 0, '--devices', 16]);
    return $ran->{err} =~ /there are only (\d+)/ ? $1 : 16;
}

# Runs ljmd-multi with so many devices. Returns the run.
sub simulate
{
    my ($devices, $precision, @args) = @_;
    local $ENV{CUDACPU_DEVICES} = $devices if $BACKEND eq 'cpu';
    my @count = $BACKEND eq 'cpu' ? () : ('--devices', $devices);
    push @count, '--share' if $devices > $there;
    return run([binary($multi, $precision), @args, @count], dir => $dir);
}

sub right
{
    my ($ran, $title) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    return ok(($ran->{status} // -1) == 0 && $ran->{out} =~ /^PASS: \d+ checks$/m, $title)
      || diag(describe($ran));
}

# The lines of energies: lists of numbers.
sub energies
{
    my ($text) = @_;
    return map { [split] } $text =~ /^( +\d+(?: +[-+.\de]+){6})$/mg;
}

# How often lists and short lists were made.
sub numbers_of_lists
{
    my ($text) = @_;
    return $text =~ /^(?:short )?lists made: (\d+)/mg;
}

# What a run prints of the simulation, without times.
sub results
{
    my ($text) = @_;
    return join '',
      $text =~ /^(forces .*\n| +\d+(?: +[-+.\de]+){6}\n|at the end: .*\n|lists made: .*\n)/mg;
}

# A melt, in which atoms go from one slab to another; thin slabs, whose halos are the whole rest of
# the box; slabs with inner atoms. Atoms change slabs when lists are made: each run must make some.
# In the thin slabs atoms reach both limits, of the list and the short list, in the same step.
my @systems = (
    ['a melt', qw(8 0 --temperature 400 --density 1.3 --steps 100 --interval 100)],
    ['thin slabs', qw(6 40 --temperature 400 --density 1.6 --steps 60 --interval 60 --list 11 --short-list 10.9)],
    ['inner atoms', qw(10 0 --density 0.25 --list 13 --steps 100 --interval 100 --shift)],
);
for my $precision (grep { -x binary($multi, $_) } qw(float double))
{
    for (@systems)
    {
        my ($what, @args) = @$_;
        my (@expected, @lists);
        if (-x binary($fast, $precision))
        {
            my $ran = run([binary($fast, $precision), @args], dir => $dir);
            @expected = energies($ran->{out});
            @lists = numbers_of_lists($ran->{out});
        }
        for my $devices ($precision eq 'float' ? 1 .. $most : 2)
        {
            # The box of the thin slabs has three rows. On the CPU backend fewer devices are taken.
            next if $what eq 'thin slabs' && $devices > 3 && $BACKEND eq 'cuda';
            my $title = "$what on $devices ($precision)";
            my $ran = simulate($devices, $precision, @args);
            right($ran, $title);
            like($ran->{out}, qr/^lists made: [1-9]/m, "$title: lists are made on the way");
            my @made = numbers_of_lists($ran->{out});
            cmp_ok(abs($made[$_] - $lists[$_]),
                '<=', 1, "$title: as often as in ljmd-fast, or nearly so")
              for 0 .. $#lists;
            my @lines = energies($ran->{out});
            for my $line (0 .. $#expected)
            {
                my $off = abs($lines[$line][2] / $expected[$line][2] - 1);
                cmp_ok($off, '<', $line == 0 ? 1e-6 : 1e-5,
                    "$title: the energy is ljmd-fast's at step $expected[$line][0]");
            }
            is(results(simulate($devices, $precision, @args, '--one-thread')->{out}),
                results($ran->{out}), "$title: one thread of the host gives the same numbers")
              if $devices > 1;
        }
    }

    # The length of the whole box decides whether entries are wrapped, not that of a slab: see md.t.
    for (['13.4', 'wrapped'], ['13.5', 'by the table of shifts'])
    {
        my ($list, $way) = @$_;
        for my $devices (2, 3)
        {
            my $ran = simulate($devices, $precision, qw(8 10 --list), $list);
            right($ran, "a list up to $list A on $devices ($precision)");
            like($ran->{out}, qr/^entries in another box: $way$/m, "... entries are seen there $way");
        }
    }

    # ---- Restart ----

    my $devices = 3;
    my @system = qw(6 50 --temperature 400 --density 1.6 --interval 30);
    unlink glob "$dir/*";
    right(simulate($devices, $precision, @system, qw(--steps 60 --checkpoint 30 -o whole-)),
        "a run without a break ($precision)");
    right(simulate($devices, $precision, @system, qw(--steps 30 -o half-)), 'its first half');
    right(
        simulate(
            $devices, $precision,
            qw(--restart half-restart.bin --steps 30 --interval 30 -o rest-)),
        'its second half');
    is(read_text("$dir/rest-restart.bin"), read_text("$dir/whole-restart.bin"),
        'each bit of the restart file is the same');
}

# ---- Several processes ----

# Open MPI wants to be told that it may run as root, and more processes than cores.
@ENV{qw(OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe)} =
  (1, 1, 1);
my @melt = qw(6 0 --temperature 400 --density 1.6 --steps 60 --interval 20);
my $alone = simulate(1, 'float', @melt, '--mpi');
if (($alone->{status} // -1) == 2)
{
    like($alone->{err}, qr/^[^\n]*--mpi: compiled without MPI[^\n]*apt-get install[^\n]*\n\z/,
        '--mpi says what it lacks');
}
else
{
    right($alone, 'one process');
    SKIP:
    {
        skip 'there is no mpirun', 1 if (sh('mpirun --version')->{status} // -1) != 0;
        for my $processes (2 .. ($there < 3 ? $there : 3))
        {
            unlink glob "$dir/*";
            my $one = simulate($processes, 'float', @melt, '-o', 'one-');
            my $ran = run(
                [   'mpirun', '-n', $processes, binary($multi, 'float'),
                    '--mpi', @melt, '-o', 'several-'],
                dir => $dir);
            right($ran, "$processes processes");
            is(results($ran->{out}), results($one->{out}), 'print the numbers of one process');
            for my $file (qw(energy.txt velocity.txt restart.bin))
            {
                ok(read_text("$dir/several-$file") eq read_text("$dir/one-$file"),
                    "and write the same $file");
            }
        }
        my $ran = run(['mpirun', '-n', 4, binary($multi, 'float'), '--mpi', 5, 0], dir => $dir);
        ok( ($ran->{status} // -1) == 2
              && $ran->{err} =~ /^ljmd-multi: --mpi: [^\n]*(at most|but only)/m,
            'more processes than slabs') or diag(describe($ran));
    }
}

# ---- The number of devices ----

for ([1, qr/there are only 1/, qw(--devices 2)], [4, qr/at most/, qw(--devices 4)],
    [2, qr/at most/, qw(--devices 4 --share)], [2, qr/say with --devices/, qw(--share)],
    [2, qr/--mpi each process has/, qw(--devices 2 --share --mpi)])
{
    my ($count, $message, @asked) = @$_;
    next if $BACKEND ne 'cpu';
    my $ran = simulate($count, 'float', 5, 0, @asked);
    ok(($ran->{status} // -1) == 2 && $ran->{err} =~ /^[^\n]*$message[^\n]*\n\z/,
        "@asked of $count")
      or diag(describe($ran));
}
if ($BACKEND eq 'cpu')
{
    # A box of NX = 5 has three rows.
    like(
        simulate(4, 'float', 5, 0, '--steps', 0)->{out},
        qr/^devices: 3, /m,
        'no more devices than rows');
    my $one_each = simulate(4, 'float', @{$systems[0]}[1 .. $#{$systems[0]}]);
    for my $count (1 .. 3)
    {
        my $ran =
          simulate($count, 'float', @{$systems[0]}[1 .. $#{$systems[0]}], qw(--devices 4 --share));
        right($ran, "four slabs on $count");
        like($ran->{out}, qr/^devices: 4 \(they share $count\), /m, 'it says that they share');
        is(results($ran->{out}), results($one_each->{out}),
            'the numbers are those of four devices');
    }

    # A device that runs only what the host waits for, the latest stream first, shows a forgotten
    # wait. It has to be one device, so the slabs share it.
    for (@systems)
    {
        my ($what, @args) = @$_;
        my $program = binary($multi, 'float');
        my ($usual, $late) =
          map { run([$program, @args, qw(--devices 3 --share)], env => $_, dir => $dir) } {},
          {CUDACPU_LATE => 1};
        right($late, "$what, late");
        is(results($late->{out}), results($usual->{out}), 'the same numbers');
    }
}
done_testing();
