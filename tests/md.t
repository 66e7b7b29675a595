# The physics of the programs ljmd-...: energies, their conservation, restarts bit for bit, files
# and errors. What the battery runs, the programs check by themselves.
# Inputs: ch21_md/*.cu* common/*.cuh tests/programs.txt backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use POSIX qw(mkfifo setpgid);
use Suite;
use Test::More;
use Time::HiRes qw(sleep time);

my @all = grep { $_->{name} =~ /^ljmd/ } programs();
my @built = grep { -x binary($_) } @all;
plan skip_all => 'none of the ljmd programs is built' if !@built;
my $dir = tempdir(CLEANUP => 1);

# Runs a program in the directory. Returns the run, with {lines}: the numbers of each line of
# energies.
sub simulate
{
    my ($program, $precision, @args) = @_;
    my $ran = run([binary($program, $precision), @args], dir => $dir);
    $ran->{lines} = energies($ran->{out});
    return $ran;
}

sub energies
{
    my ($text) = @_;
    return [map { [split] } $text =~ /^( +\d+(?: +[-+.\de]+){6})$/mg];
}

sub right
{
    my ($ran, $title) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    return ok(($ran->{status} // -1) == 0 && $ran->{out} =~ /^PASS: \d+ checks$/m, $title)
      || diag(describe($ran));
}

# The largest distance of the total energy from its mean, in units of the mean.
sub fluctuation
{
    my ($lines) = @_;
    my ($mean, $largest) = (0, 0);
    $mean += $_->[3] / @$lines for @$lines;
    for (@$lines)
    {
        my $off = abs($_->[3] / $mean - 1);
        $largest = $off if $off > $largest;
    }
    return $largest;
}

for my $program (@built)
{
    my $name = $program->{name};
    for my $precision (grep { -x binary($program, $_) } qw(float double))
    {
        my $what = "$name ($precision)";

        # ---- Energies ----

        my $start = simulate($program, $precision, 5, 0, '--steps', 0);
        right($start, "$what: no steps");
        is(scalar @{$start->{lines}}, 1, "$what: a line for step 0");
        my (undef, $kinetic, $potential, $total, $temperature, $pressure) = @{$start->{lines}[0]};
        cmp_ok(abs($potential / 500 + 0.08287134), '<', 1.2e-7, "$what: the energy of the crystal");
        cmp_ok(abs($temperature - 60), '<', 1e-3, "$what: the temperature of the start");
        cmp_ok(abs($kinetic - 1.5 * 500 * 8.617343e-5 * 60), '<', 1e-4, "$what: K = 3/2 N k T");
        cmp_ok(abs($kinetic + $potential - $total), '<', 1e-7, "$what: K + U");
        cmp_ok(abs($pressure - -1216.9977), '<', 0.05, "$what: the pressure of the crystal");

        my $shifted = simulate($program, $precision, 5, 0, '--steps', 0, '--shift');
        right($shifted, "$what: --shift");
        # Of 86 pairs of an atom each loses U(10 A) = -6.42e-5 eV; half of a pair is the atom's.
        cmp_ok(abs(($shifted->{lines}[0][2] - $potential) / 500 - 43 * 6.42335e-5),
            '<', 1e-6, "$what: --shift takes U at the cutoff from each pair");
        cmp_ok(abs($shifted->{lines}[0][5] - $pressure), '<', 1e-2,
            "$what: --shift leaves the pressure as it is");

        # The same atoms, a third of the time step: with --shift a ninth of the fluctuation.
        my %off;
        for (['6', 6], ['2', 2])
        {
            my ($dt, $number) = @$_;
            my $ran = simulate($program, $precision, 5, 0, '--shift', '--dt', $dt, '--steps',
                600 / $number, '--interval', 6 / $number);
            right($ran, "$what: --shift --dt $dt");
            $off{$dt} = fluctuation($ran->{lines});
        }
        cmp_ok($off{6}, '<', 1e-3, "$what: the total energy is conserved");
        my $ratio = $off{6} / $off{2};
        ok($precision eq 'float' || ($ratio > 7 && $ratio < 12),
            "$what: its fluctuation is as dt^2")
          or diag("  ratio $ratio");

        # ---- Equilibrium: temperature, Maxwell's distribution ----

        my $long = simulate($program, $precision, 5, 400, '--steps', 0);
        right($long, "$what: after an equilibration the velocities have Maxwell's distribution");
        cmp_ok(abs($long->{lines}[0][4] - 60), '<', 1e-3, "$what: and the temperature is 60 K");
        my ($before) = $long->{out} =~ /^at the start:.*chi-square of the velocities (\S+)/m;
        my ($after) = $long->{out} =~ /^at the end:.*chi-square of the velocities (\S+)/m;
        ok($before > 100 && $after < 60, "$what: which they have not at the start");
        my $hot = simulate($program, $precision, 6, 100, '--temperature', 30, '--density', 1.8,
            '--steps', 0, '-s', 5);
        right($hot, "$what: another temperature, density and seed");
        cmp_ok(abs($hot->{lines}[0][4] - 30), '<', 1e-3, "$what: the temperature is 30 K");

        # ---- Restart ----

        unlink glob "$dir/*";
        right(simulate($program, $precision, 5, 40, qw(--steps 60 --interval 10 --checkpoint 30
            --xyz -o whole-)), "$what: a run without a break");
        right(simulate($program, $precision, 5, 40, qw(--steps 30 --interval 10 --xyz -o half-)),
            "$what: its first half");
        right(simulate($program, $precision, qw(--restart half-restart.bin --steps 30 --interval 10
            --xyz -o rest-)), "$what: its second half");
        my ($whole, $half, $rest) = map { read_text("$dir/$_-energy.txt") } qw(whole half rest);
        is($half . $rest =~ s/^#.*\n//r,
            $whole, "$what: the energies are the same to the last digit");
        is( read_text("$dir/rest-restart.bin"),
            read_text("$dir/whole-restart.bin"),
            "$what: each bit of the restart file is the same");
        is(read_text("$dir/rest-velocity.txt"), read_text("$dir/whole-velocity.txt"),
            "$what: the velocities are the same");
        my @two = map { read_text("$dir/$_-trajectory.xyz") } qw(half rest);
        ok(join('', @two) eq read_text("$dir/whole-trajectory.xyz"),
            "$what: the trajectory is the same");
        my @frames = split /^500\n/m, read_text("$dir/whole-trajectory.xyz");
        is(scalar @frames, 8, "$what: a frame for each line of energies");
        my ($comment, @atoms) = split /\n/, $frames[-1];
        like($comment, qr/^Lattice="([\d.]+) 0 0 0 \1 0 0 0 \1" Properties=species:S:1:pos:R:3 pbc="T T T" step=60 /,
            "$what: its comment is extended XYZ");
        is(scalar(grep { /^Ar( -?[\d.e-]+){3}$/ } @atoms), 500, "$what: a line for each atom");
        is(scalar(() = read_text("$dir/whole-velocity.txt") =~ /^\S+ \S+ \S+$/mg), 500,
            "$what: a line for the velocity of each atom");

        # ---- A restart file that is none, or not for this program ----

        # Its header: 16 bytes of text, six whole numbers (the second is nx), then the temperature,
        # the density, the time step, the list's length and the first energy.
        my $good = read_text("$dir/half-restart.bin");
        my $with =
          sub { my ($field, $bytes) = @_; $good =~ s/\A.{@{[16 + 8 * $field]}}\K.{8}/$bytes/sr };
        my $far = pack $precision eq 'float' ? 'f' : 'd', 1e30;
        my @bad = (
            ['is cut', substr($good, 0, -1), qr/damaged/],
            ['is too long', "$good ", qr/damaged/],
            ['has another nx', $with->(1, pack 'Q', 6), qr/damaged/],
            ['has nx 0', $with->(1, pack 'Q', 0), qr/damaged/],
            ['has temperature -1', $with->(6, pack 'd', -1), qr/damaged/],
            ['has density -1', $with->(7, pack 'd', -1), qr/damaged/],
            ['has time step -1', $with->(8, pack 'd', -1), qr/damaged/],
            ['has a list to -1', $with->(9, pack 'd', -1), qr/damaged/],
            (map { ["has density $_", $with->(7, pack 'd', $_), qr/damaged/] } 1e-30, 1e-300, 1e300),
            ['has an infinite temperature', $with->(6, pack 'd', 9**9**9), qr/damaged/],
            ['has an infinite time step', $with->(8, pack 'd', 9**9**9), qr/damaged/],
            ['has no number for an energy', $with->(10, pack 'd', 'nan'), qr/damaged/],
            ['has a step that overflows', $with->(3, pack 'Q', ~0 - 5), qr/damaged/],
            ['is empty', '', qr/no restart file/],
            ['is text', 'text' x 100, qr/no restart file/],
            ['has NaN for a position', substr($good, 0, 200) . "\xff" x 64 . substr($good, 264),
                qr/damaged/],
            ['has 1e30 for the first position', substr($good, 0, 104) . $far . substr($good, 104 + length $far),
                qr/damaged/],
            ['has 1e30 for the last velocity', substr($good, 0, -length $far) . $far, qr/damaged/],
        );
        for (@bad)
        {
            my ($how, $bytes, $message) = @$_;
            note "$what: a restart file that $how";
            refuses($program, ['--restart', write_text("$dir/bad.bin", $bytes), '--xyz', '-o', "$dir/bad-"],
                $message, $precision);
        }
        is(join(' ', glob "$dir/bad-*"), '', "$what: and no file is made");
        my $all_zero = write_text("$dir/bad.bin", substr($good, 0, 104) . "\0" x (length($good) - 104));
        my $ended = simulate($program, $precision, '--restart', $all_zero, qw(--steps 3 -o zero-));
        ok(($ended->{status} // -1) =~ /^[12]$/, "$what: all atoms in one place are an error")
          or diag(describe($ended));
        is(join(' ', glob("$dir/zero-*.tmp")), '', "$what: and no temporary file is left");
        mkfifo("$dir/fifo", 0600) unless -e "$dir/fifo";
        refuses($program, ['--restart', $_], qr/no regular file/, $precision) for "$dir/fifo", '/dev/zero';
        for my $known (['-s', 1], ['--density', 1.7], ['--lattice', 5.385], ['--shift'])
        {
            refuses($program, [@$known, '--restart', "$dir/half-restart.bin"],
                qr/leave out \Q$known->[0]\E: /, $precision);
        }
        refuses(
            $program,
            ['--restart', "$dir/half-restart.bin", 6],
            qr/has NX = 5, not 6/, $precision);
        refuses(
            $program,
            ['--restart', "$dir/half-restart.bin", '--list', 20],
            qr/too small for a list up to 20 A: --list 13.46 at most/, $precision);

        # ---- Go on otherwise: another temperature, another time step ----

        my $other_step =
          simulate($program, $precision, '--restart', 'half-restart.bin', qw(--dt 2 --steps 10));
        right($other_step, "$what: a restart with another time step");
        my @half_lines = @{energies($half)};
        is($other_step->{lines}[0][0], 0, "$what: it begins at step 0");
        cmp_ok(abs($other_step->{lines}[0][3] / $half_lines[-1][3] - 1), '<', 1e-6,
            "$what: with the energy that was reached");
        my $cold = simulate($program, $precision, '--restart', 'half-restart.bin',
            qw(5 50 --temperature 20 --steps 0));
        right($cold, "$what: a restart with another temperature and NE steps to reach it");
        cmp_ok(abs($cold->{lines}[0][4] - 20), '<', 1e-3, "$what: which it has");
        refuses($program, ['--restart', "$dir/half-restart.bin", '-o', "$dir/half-"],
            qr/is there|own input/, $precision);
        is(read_text("$dir/half-energy.txt"), $half, "$what: no restart replaces energies");
        my $other = $precision eq 'float' ? 'double' : 'float';
        refuses(
            $program,
            ['--restart', "$dir/half-restart.bin"],
            qr/its numbers are $precision; .*-DUSE_DP/, $other) if -x binary($program, $other);
    }

    # ---- Systems that cannot be, or that fail ----

    refuses($program, [4], qr/too small .* NX must be 5 or more/);
    refuses($program, [5, '--density', 3], qr/too small .* NX must be 6 or more/);
    refuses($program, [800], qr/free/);
    refuses($program, [qw(5 --lattice 5.4 --density 1.7)],
        qr/--lattice and --density say the same/);
    my ($dense, $edge) = map { simulate($program, 'float', 5, 0, '--steps', 0, @$_)->{lines}[0] }
      ['--density', 1.6876], ['--lattice', 5.385 * (1.7014166 / 1.6876)**(1 / 3)];
    cmp_ok(abs($dense->[2] / $edge->[2] - 1),
        '<', 1e-5, "$name: --lattice is another word for --density");
    my $has_mn = grep { $_->[0] eq '--mn' } @{described($program)->{options}};
    my @once = $has_mn ? qr/by step \d+ of the \w+ pairs within the cutoff are not in the neighbour list, which was made once/ : ();
    for (($has_mn ? map { [5, 10, '--mn', $_] } 199, 100, 10 : ()),
        ($has_mn ? [qw(5 5 --steps 5 --list 11 --mn 139)] : ()))
    {
        my $ran = simulate($program, 'float', @$_);
        my ($enough) = $ran->{err} =~ /^[^\n]*--mn $_->[-1] is too little: an atom has \d+ neighbours up to \S+ A; --mn (\d+) is enough/;
        ok(($ran->{status} // -1) == 2 && $enough, "$name @$_: what is enough") or diag(describe($ran));
        right(simulate($program, 'float', @$_[0 .. $#$_ - 1], $enough), "$name: --mn $enough is") if $enough;
    }
    # Energy that is not conserved: a warning, a wrong answer, and an explosion. A pair that the
    # book's list does not have: the run ends when it is found, and writes no more.
    my @wide = $has_mn ? qw(--list 13.4 --mn 400) : ();
    my $warned = simulate($program, 'float', 5, 20, qw(--dt 70 --steps 40), @wide);
    right($warned, "$name: --dt 70");
    like($warned->{err}, qr/^\S+: warning: the total energy has changed by [\d.]+ % of the kinetic energy; try a smaller --dt\n\z/,
        "$name: which is a little too large");
    my $failed = simulate($program, 'float', 5, 20, qw(--dt 80 --steps 24), @wide);
    ok( ($failed->{status} // -1) == 1
          && $failed->{err} =~ /^WRONG: the total energy has changed by/m,
        "$name: --dt 80 is much too large") or diag(describe($failed));
    for (
        ($has_mn ? [$once[0], 1, 6, 100, '--list', 11] : ()),
        [   qr/exploded by step \d+ of the [\w ]+; try a smaller --dt@{[map { "|$_" } @once]}/,
            1, 5, 100, '--dt', 200],
        [qr/exploded|not in the neighbour list/, 1, 5, 100, '--dt', 1000])
    {
        my ($message, $status, @args) = @$_;
        my $ran = simulate($program, 'float', @args);
        ok(($ran->{status} // -1) == $status && $ran->{err} =~ /^[^\n]*$message/,
            "$name @args: status $status and a line") or diag(describe($ran));
    }

    # So many blocks that sum_parts adds several parts in each thread.
    right(simulate($program, 'float', qw(26 1 --steps 1 --density 0.25 --list 10.5)),
        "$name: 70304 atoms")
      if $name eq 'ljmd-fast';

    # A box a little longer than the kernels need for wrapping entries (see most_extent() in
    # ch21_md/fast_list.cuh), and one a little shorter. In the melt the clusters become wider, so a
    # run may begin with wrapping and go on with the table of shifts. (That is not checked.)
    for my $precision (grep { -x binary($program, $_) } qw(float double))
    {
        next if $name !~ /^ljmd-(?:fast|multi)$/;
        for (['13.4', 'wrapped'], ['13.5', 'by the table of shifts'])
        {
            my ($list, $way) = @$_;
            my $ran = simulate($program, $precision, qw(8 10 --list), $list);
            right($ran, "$name ($precision): a list up to $list A");
            like($ran->{out}, qr/^entries in another box: $way$/m, "... entries are seen there $way");
        }
        right(simulate($program, $precision, qw(9 60 --density 1.3 --temperature 400)),
            "$name ($precision): a melt whose clusters become wider");
    }

    # ---- Full disks, and Ctrl-C ----

    symlink '/dev/full', "$dir/full-energy.txt";
    my $ran = simulate($program, 'float', 5, 10, '-o', 'full-');
    ok( ($ran->{status} // -1) == 2
          && $ran->{err} =~ /^[^\n]*full-energy.txt: No space left[^\n]*\n\z/,
        "$name: energies on a full disk") or diag(describe($ran));
    ok(!-e "$dir/full-restart.bin", "$name: no restart file of a run that failed");
    unlink "$dir/full-energy.txt";
    symlink '/dev/full', "$dir/trajectory.xyz";
    $ran = simulate($program, 'float', 5, 10, '--xyz');
    ok( ($ran->{status} // -1) == 2
          && $ran->{err} =~ /^[^\n]*trajectory.xyz: No space left[^\n]*\n\z/,
        "$name: a trajectory on a full disk") or diag(describe($ran));
    unlink "$dir/trajectory.xyz";

    # A file of at most 4 kB. A line is there whole or not at all.
    $ran = run(
        [   'bash', '-c',
            "ulimit -f 4; exec '@{[binary($program)]}' 5 10 --steps 200 --interval 1 -o small-"],
        dir => $dir);
    ok(($ran->{status} // -1) == 2 && $ran->{err} =~ /small-energy.txt: File too large/,
        "$name: energies past ulimit -f") or diag(describe($ran));
    my @lines = split /(?<=\n)/, read_text("$dir/small-energy.txt");
    ok(@lines > 10 && @{energies(join '', @lines)} == @lines - 1,
        "$name: all lines there are whole");

    for (['INT', 2], ['TERM', 15])
    {
        my ($signal, $number) = @$_;
        unlink glob "$dir/stop-*";
        is(interrupted($program, $signal), $number, "$name ends by SIG$signal");
        like(read_text("$dir/stop-stderr"), qr/^\S+: stopped by signal $number[^\n]*\n\z/,
            "$name: a line says so");
        @lines = split /(?<=\n)/, read_text("$dir/stop-energy.txt");
        is(scalar @{energies(join '', @lines)}, @lines - 1, "$name: the energies so far are whole");
        is(join(' ', map { basename($_) } sort glob "$dir/stop-*"), 'stop-energy.txt stop-stderr',
            "$name: nothing else is left");
    }
}

# Starts a program, sends it a signal when it has written energies, and returns the signal by which
# it ended.
sub interrupted
{
    my ($program, $signal) = @_;
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0)
    {
        setpgid(0, 0);
        chdir $dir;
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', 'stop-stderr';
        exec binary($program), qw(5 0 --steps 100000000 --interval 10 -o stop-)
          or POSIX::_exit(127);
    }
    my $end = time + 60;
    while (time < $end && waitpid($pid, POSIX::WNOHANG()) == 0)
    {
        last if -e "$dir/stop-energy.txt" && read_text("$dir/stop-energy.txt") =~ /^ +10 /m;
        sleep 0.02;
    }
    kill $signal => $pid;
    waitpid $pid, 0;
    return $? & 127;
}

# ---- All programs move the same atoms in the same way ----

my %energies;
for my $program (@built)
{
    my $ran = simulate($program, 'float', 5, 0, '--steps', 100);
    $energies{$program->{name}} = $ran->{lines};
}
my ($first, @others) = sort keys %energies;
for my $other (@others)
{
    my @off = map { abs($energies{$first}[$_][2] / $energies{$other}[$_][2] - 1) } 0, 1;
    ok($off[0] < 1e-6 && $off[1] < 1e-5, "$first and $other agree at steps 0 and 100")
      or diag("  they differ by @off");
}

# ---- The phases of a step ----

# (Without a GPU only the programs of the host are timed.)
for my $program (grep { $_->{name} !~ /fast|multi/ && ($BACKEND eq 'cuda' || $_->{name} eq 'ljmd-cpu') } @built)
{
    my $ran = simulate($program, 'float', 5, 0, '--steps', 20);
    my %seconds = $ran->{out} =~ /^(force|integration|neighbours|other|all) +([-\d.e]+) /mg;
    my $sum = 0;
    $sum += $seconds{$_} // 'nan' for qw(force integration neighbours other);
    ok(abs($sum / $seconds{all} - 1) < 1e-3 && !(grep { $seconds{$_} <= 0 } qw(force integration)),
        "$program->{name}: force and integration take their time, and the phases are all of it")
      or diag(describe($ran));
}

# ---- The host's threads ----

SKIP:
{
    my ($cpu) = grep { $_->{name} eq 'ljmd-cpu-fast' } @built;
    skip 'ljmd-cpu-fast is not built', 2 if !$cpu;
    my @arguments = (5, 20, '--steps', 40, '--interval', 20);
    my ($one, $three) = map { simulate($cpu, 'float', @arguments, '--threads', $_) } 1, 3;
    skip 'ljmd-cpu-fast is compiled without OpenMP', 2 if ($three->{status} // -1) == 2;
    right($three, 'ljmd-cpu-fast --threads 3');
    my @off = map { abs($one->{lines}[$_][2] / $three->{lines}[$_][2] - 1) } 0, 2;
    ok($off[0] < 1e-6 && $off[1] < 1e-5, 'with the energies of one thread')
      or diag("  they differ by @off");
}
done_testing();
