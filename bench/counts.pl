# Compares what Nsight Compute counts on a GPU with what `cpucc --count` counts: of every kernel of the
# chapters 5, 7, 9, 10 and 11, at one size, in float and double: requests and sectors of global memory,
# wavefronts of shared memory. docs/counts.md shows the result.
#
#   perl bench/counts.pl gpu DIR [BIN]    on a machine with a GPU, nvcc and ncu, after
#                                         make BACKEND=cuda $(perl bench/counts.pl list), also with USE_DP=1.
#                                         Writes into DIR: counts.tsv, sass.tsv, log.txt and raw.tar.gz.
#   perl bench/counts.pl compare FILE...  without a GPU: FILE is counts.tsv, or a file of bench/results that
#                                         has it. Builds and runs the programs, and prints tables in Markdown:
#                                         of each number, of each program, and of what differs and why.
#   perl bench/counts.pl list             the names of the programs
#
# Of each kernel with each size of its grid and blocks the first launch counts, on both sides. ONLY="reduce scan"
# does less.
package Counts;
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Basename qw(basename dirname);
use File::Path qw(make_path);
use IO::Handle;
use POSIX ();
use Time::HiRes qw(time);

chdir dirname(dirname(abs_path(__FILE__))) or die "counts: $!\n";

my @RUNS = map { [split ' '] } split /\n/, <<'END';
ch05_timing/add2gpu -n 100003 -r 1
ch05_timing/add3memcpy -n 100003 -r 1
ch05_timing/arithmetic2gpu -n 2000 -r 1
ch05_timing/math-functions -n 5000 -r 1
ch05_timing/first-call --once
ch07_global_mem/coalescing -n 65536 -r 1
ch07_global_mem/matrix -n 512x512 -r 1
ch07_global_mem/gpu-vector -n 100003 -r 1
ch07_global_mem/aos-soa -n 20011 -r 1
ch07_global_mem/gather -n 65536 -r 1
ch09_shared_mem/reduce2gpu -n 100000 -r 1
ch09_shared_mem/reduce-wrong -n 65536 -r 1
ch09_shared_mem/transpose -n 512x512 -r 1
ch09_shared_mem/matmul -n 128x128x128 -r 1
ch09_shared_mem/nbody -n 1000 -r 1
ch09_shared_mem/stencil -n 50x50x52 -r 1
ch10_atomics/reduce-atomic -n 100000 -r 1
ch10_atomics/atomic-cost -n 16384 -r 1
ch10_atomics/atomics -n 1024
ch10_atomics/histogram -n 65536 -r 1
ch10_atomics/neighbor2gpu -n 2000 -r 1
ch10_atomics/graph-bfs -n 10000 -r 1
ch10_atomics/graph-centrality -n 300 -r 1
ch10_atomics/graph-independent -n 10000 -r 1
ch10_atomics/graph-paths -n 10000 -r 1
ch11_warp/divergence -n 8192 -r 1
ch11_warp/reduce -n 40000 -r 1
ch11_warp/reduce-functor -n 50000 -r 1
ch11_warp/scan -n 40000 -r 1
ch11_warp/scan-types -n 40000 -r 1
ch11_warp/sort -n 9001 -r 1
ch11_warp/coop-groups -n 20000
ch11_warp/warp
ch11_warp/warp-functions
END
my %WITHOUT = ('matmul-tensor' => 'a CPU has no tensor cores for bfloat16');

# What ncu is asked for, by the name of a column. Without the first ones there is nothing to compare. Of what
# an older ncu does not know, it does less.
my @CORE = (
    [ld_requests  => 'l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum'],
    [ld_sectors   => 'l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum'],
    [st_requests  => 'l1tex__t_requests_pipe_lsu_mem_global_op_st.sum'],
    [st_sectors   => 'l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum'],
    [sh_ld_waves  => 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum'],
    [sh_st_waves  => 'l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum']);
my @MORE = (
    [sh_waves       => 'l1tex__data_pipe_lsu_wavefronts_mem_shared.sum'],
    [sh_ld_conflict => 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum'],
    [sh_st_conflict => 'l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum'],
    [red_requests   => 'l1tex__t_requests_pipe_lsu_mem_global_op_red.sum'],
    [red_sectors    => 'l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum'],
    [atom_requests  => 'l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum'],
    [atom_sectors   => 'l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum'],
    [async_requests => 'l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts.sum'],
    [async_sectors  => 'l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts.sum'],
    [local_requests => 'l1tex__t_requests_pipe_lsu_mem_local.sum'],
    [ld_insts       => 'smsp__inst_executed_op_global_ld.sum'],
    [st_insts       => 'smsp__inst_executed_op_global_st.sum'],
    [sh_ld_insts    => 'smsp__inst_executed_op_shared_ld.sum'],
    [sh_st_insts    => 'smsp__inst_executed_op_shared_st.sum'],
    [sh_atom_insts  => 'smsp__inst_executed_op_shared_atom.sum'],
    [warps          => 'smsp__warps_launched.sum']);
# (These are counted by instructions that ncu puts into the kernel.)
my @SASS = (
    [sass_sh_waves    => 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum'],
    [sass_sh_ld_waves => 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum'],
    [sass_sh_st_waves => 'smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum'],
    [sass_sh_ld_insts => 'smsp__sass_inst_executed_op_shared_ld.sum'],
    [sass_sh_st_insts => 'smsp__sass_inst_executed_op_shared_st.sum'],
    [sass_ld_insts    => 'smsp__sass_inst_executed_op_global_ld.sum'],
    [sass_st_insts    => 'smsp__sass_inst_executed_op_global_st.sum']);
my $INVOCATIONS = 8;      # of each kernel that ncu looks at: another size comes as one of the first
# gather's table has five sizes, and each of its kernels comes three times for each order of the indices. These are
# the first launches of each size, of gather and of scatter: indices in order.
my %FILTER = (gather => ['--kernel-name', 'regex:gather|scatter', '--kernel-id', ':::1|10|13|19|25|28|37|49']);
my $MOST        = 400;    # launches of a program
my $LIMIT       = 120;    # seconds of one run by ncu
my $JOBS        = 4;      # at a time

# Of an instruction that accesses memory.
my $ACCESS = qr/(?:LDG|STG|LDS|STS|LDSM|STSM|LDGSTS|RED|REDG|REDS|ATOM|ATOMG|ATOMS|LD|ST|LDL|STL|UBLKCP|UTMALDG|UTMASTG)\b/;

sub read_text
{
    my ($file) = @_;
    open my $in, '<:raw', $file or return '';
    local $/;
    return scalar <$in> // '';
}

sub write_text
{
    my ($file, $text) = @_;
    open my $out, '>:raw', $file or die "counts: $file: $!\n";
    print $out $text;
    close $out or die "counts: $file: $!\n";
    return $file;
}

# The runs that are asked for: [file, name, arguments ...].
sub runs
{
    my %only = map { $_ => 1 } split ' ', $ENV{ONLY} // '';
    my @runs = map { [$_->[0], basename($_->[0]), @{$_}[1 .. $#$_]] } @RUNS;
    my %is_there = map { ("$_->[0].cu" => 1) } @runs;
    for my $file (glob 'ch05*/*.cu ch07*/*.cu ch09*/*.cu ch10*/*.cu ch11*/*.cu')
    {
        my $text = join '', map { read_text($_) } $file,
          map { dirname($file) . "/$_" } read_text($file) =~ /^#include "(\w+\.cuh)"/mg;
        die "counts: $file has kernels, and is not in the list of bench/counts.pl\n"
          if $text =~ /\b__global__\b/ && !$is_there{$file} && !$WITHOUT{basename($file, '.cu')};
    }
    return grep { !%only || $only{$_->[1]} } @runs;
}

# Runs a command, and gives what it says and its status.
sub said
{
    my ($limit, $env, @command) = @_;
    my $pid = open my $out, '-|';
    defined $pid or die "counts: $!\n";
    if ($pid == 0)
    {
        open STDERR, '>&', \*STDOUT;
        $ENV{$_} = $env->{$_} for keys %$env;
        exec 'timeout', '-k', 5, $limit, @command or exit 127;
    }
    local $/;
    my $text = <$out> // '';
    close $out;
    return ($text, $? >> 8);
}

# ---- On a GPU -----------------------------------------------------------------------------------

sub fields
{
    my ($line) = @_;
    return map { s/^"|"$//gr =~ s/""/"/gr } $line =~ /("(?:[^"]|"")*"|[^,"]+|(?<=,)(?=,))/g;
}

# The rows of what `ncu --csv --page raw` has written: a hash for each launch, by the names of its columns.
sub ncu_rows
{
    my ($text) = @_;
    my (@heads, @rows);
    for my $line (grep { /^"/ } split /\n/, $text)
    {
        my @values = fields($line);
        if (!@heads)
        {
            @heads = @values;
            next;
        }
        my %row;
        @row{@heads} = @values;
        push @rows, \%row if ($row{ID} // '') =~ /^\d+$/;    # the row after the heads has units
    }
    return @rows;
}

# "(782, 1, 1)" as "782", "(16, 16, 1)" as "16x16".
sub extent
{
    my @sizes = $_[0] =~ /(\d+)/g;
    pop @sizes while @sizes > 1 && $sizes[-1] == 1;
    return join 'x', @sizes;
}

# Of each kernel with each shape the first launch.
sub first_launches
{
    my ($program, $precision, $metrics, @rows) = @_;
    my (%times, @first);
    for my $row (@rows)
    {
        my ($kernel, $grid, $block) = ($row->{'Kernel Name'} // '', map { extent($row->{$_} // '') }
              'Grid Size', 'Block Size');
        next if $kernel =~ /ceiling_/;
        next if $times{"$kernel $grid $block"}++;
        push @first, join "\t", $program, $precision, $kernel, $grid, $block,
          map { ($row->{$_->[1]} // '') =~ s/[,\s]//gr =~ s/\.0+$//r } @$metrics;
    }
    return @first;
}

sub ncu
{
    my ($dir, $name, $metrics, $filter, $binary, @args) = @_;
    my $csv = "$dir/$name.csv";
    unlink $csv;
    my $scratch = "$dir/scratch";
    make_path($scratch);
    my ($text, $status) = said($LIMIT, {TMPDIR => $scratch, CUDA_DEVICE_MAX_CONNECTIONS => 1},
        'ncu', '--csv', '--page', 'raw', '--print-units', 'base', '--print-kernel-base', 'mangled',
        '--kernel-name-base', 'mangled', '--cache-control', 'none', '--clock-control', 'none',
        '--launch-count', $MOST, @$filter, '--metrics', join(',', map { $_->[1] } @$metrics),
        '--log-file', $csv, abs_path($binary), @args);
    my $log = read_text($csv);
    return ($text, $log, $status, ncu_rows($log));
}

# Those of the metrics that ncu can measure here, tried on one program. What it says of the others goes to the log.
sub metrics_of_ncu
{
    my ($dir, $filter, $tell, $binary, @args) = @_;
    my ($list) = said($LIMIT, {}, 'ncu', '--query-metrics');
    my %known = map { $_ => 1 } $list =~ /^(\w+__\w+)/mg;
    $tell->(sprintf 'ncu --query-metrics: %d names', scalar keys %known);
    my @wanted = (@CORE, @MORE, @SASS);
    my @unlisted = grep { %known && !$known{$_->[1] =~ s/\.\w+$//r} } @wanted;
    $tell->("not listed: " . join ' ', map { $_->[1] } @unlisted) if @unlisted;
    my %is_unlisted = map { $_->[1] => 1 } @unlisted;
    my @tries = ([@wanted], [grep { !$is_unlisted{$_->[1]} } @wanted], [@CORE, @MORE], [@CORE]);
    for my $try (@tries)
    {
        for (1 .. 6)
        {
            my ($text, $log, $status, @rows) = ncu($dir, 'try', $try, $filter, $binary, @args);
            my @have = grep { my $m = $_->[1]; grep { ($_->{$m} // '') =~ /\d/ } @rows } @$try;
            if (@rows && @have == @$try)
            {
                return $try;
            }
            my @complaints = grep { /==(?:ERROR|WARNING)==|error/i } split /\n/, "$text\n$log";
            $tell->("try: status $status, " . scalar(@rows) . ' rows, ' . scalar(@have) . ' of ' . scalar(@$try) .
                  " metrics; @complaints[0 .. ($#complaints < 5 ? $#complaints : 5)]");
            my %named = map { $_ => 1 } grep { index("@complaints", $_) >= 0 }
              map { $_->[1] =~ s/\.\w+$//r } @$try;
            my @left = @rows ? @have : grep { !$named{$_->[1] =~ s/\.\w+$//r} } @$try;
            last if !@left || @left == @$try;
            $tell->('without ' . join ' ', map { $_->[1] } grep { my $t = $_; !grep { $_ == $t } @left } @$try);
            $try = \@left;
        }
    }
    return undef;
}

# Each kernel's instructions that access memory: how many of each, and of these how many under a predicate.
sub sass_of
{
    my ($text) = @_;
    my ($function, @order, %count);
    for my $line (split /\n/, $text)
    {
        if ($line =~ /^\s*Function : (\S+)/)
        {
            $function = $1;
            push @order, $function if !$count{$function};
            $count{$function} //= {};
            next;
        }
        next unless defined $function && $line =~ m{^\s*/\*[0-9a-f]{4,}\*/\s+(@!?U?P\w+\s+)?([A-Z]\S*)};
        my ($guard, $insn) = ($1, $2);
        next unless $insn =~ /^$ACCESS/;
        $count{$function}{$insn}[defined $guard ? 1 : 0]++;
    }
    return map { [$_, $count{$_}] } @order;
}

sub sass_lines
{
    my ($program, $precision, $text) = @_;
    my @lines;
    for (sass_of($text))
    {
        my ($function, $of) = @$_;
        push @lines, join "\t", $program, $precision, $function, join ', ',
          map { ($of->{$_}[0] // 0) + ($of->{$_}[1] // 0) . " $_" . ($of->{$_}[1] ? " ($of->{$_}[1] guarded)" : '') }
          sort keys %$of;
    }
    return @lines;
}

sub first_line
{
    my ($text) = said(20, {}, @_);
    return (split /\n/, $text)[0] // '';
}

sub gpu
{
    my ($dir, $bin) = @_;
    defined $dir or die "counts: gpu DIR\n";
    $bin //= 'bin';
    my $raw = "$dir/raw";
    make_path($raw);
    open my $log, '>', "$dir/log.txt" or die "counts: $dir/log.txt: $!\n";
    $log->autoflush(1);
    my $begin = time;
    my $tell = sub {
        my $line = sprintf "%6.1f s  %s\n", time - $begin, $_[0];
        print $log $line;
        print STDERR $line;
    };
    my @about = (
        '# device: ' . first_line('nvidia-smi', '--query-gpu=name,driver_version', '--format=csv,noheader'),
        '# ncu: ' . join(' ', (said(20, {}, 'ncu', '--version'))[0] =~ /^Version (\S+)/m),
        '# nvcc: ' . join(' ', (said(20, {}, 'nvcc', '--version'))[0] =~ /release \S+ (\S+)/),
        '# commit: ' . first_line('git', 'rev-parse', '--short', 'HEAD'));
    $tell->($_) for @about;
    my $is_filtered = 1;
    my $filter = sub {
        return $is_filtered ? $FILTER{$_[0]} // ['--kernel-id', ':::' . join '|', 1 .. $INVOCATIONS] : [];
    };

    # One that is small and has a kernel for each of these, once with the filter, once without.
    my ($metrics, @try) = (undef, "$bin/reduce2gpu", '-n', 1000, '-r', 1, '-k', 'static');
    $metrics = metrics_of_ncu($raw, $filter->('reduce2gpu'), $tell, @try);
    if (!$metrics)
    {
        $tell->('again without --kernel-id');
        $is_filtered = 0;
        $metrics = metrics_of_ncu($raw, $filter->('reduce2gpu'), $tell, @try);
    }
    $metrics or die "counts: ncu counts nothing: see $dir/log.txt\n";
    $tell->('metrics: ' . join ' ', map { $_->[0] } @$metrics);

    # Several at a time. An ncu waits for the other ones where it measures: the lock is a file in TMPDIR.
    # What is counted is written after each program, so that nothing is lost if this is killed.
    my $is_stopped = 0;
    local @SIG{qw(TERM INT)} = (sub { $is_stopped = 1 }) x 2;
    my (%job_of, @done, $kernels);
    my $reap = sub {
        my $pid = waitpid -1, 0;
        return if $pid < 0;
        my $job = delete $job_of{$pid} or return;
        push @done, $job;
        $tell->("$job->[0] $job->[1]: status " . ($? >> 8));
        $kernels = write_counts($dir, \@about, $metrics, $tell, @done);
    };
    for my $job (jobs($bin, $tell))
    {
        $reap->() while keys %job_of >= $JOBS && !$is_stopped;
        last if $is_stopped;
        my ($name, $precision, $binary, @args) = @$job;
        defined(my $pid = fork) or die "counts: $!\n";
        if ($pid == 0)
        {
            @SIG{qw(TERM INT)} = ('DEFAULT') x 2;
            my ($code) = said($LIMIT, {}, 'cuobjdump', '-sass', abs_path($binary));
            write_text("$raw/$name.$precision.sass", join '', map { "$_\n" } grep { /Function :|$ACCESS/ } split /\n/, $code);
            my ($text, $csv, $status) = ncu($raw, "$name.$precision", $metrics, $filter->($name), $binary, @args);
            write_text("$raw/$name.$precision.txt", $text);
            POSIX::_exit($status);
        }
        $job_of{$pid} = $job;
    }
    $reap->() while %job_of && !$is_stopped;
    kill 'TERM', keys %job_of;
    $tell->('stopped: without ' . join ', ', map { "$_->[0] $_->[1]" } values %job_of) if %job_of;
    system('rm', '-rf', "$raw/scratch");
    system('tar', '-C', $dir, '-czf', "$dir/raw.tar.gz", 'raw') == 0 and system('rm', '-rf', $raw);
    $tell->(($kernels // 0) . ' kernels with a shape');
}

# Of the programs that are done. Returns how many kernels they have.
sub write_counts
{
    my ($dir, $about, $metrics, $tell, @done) = @_;
    my (@lines, @sass);
    for my $job (sort { $a->[1] cmp $b->[1] || $a->[0] cmp $b->[0] } @done)
    {
        my ($name, $precision) = @$job;
        my $raw  = "$dir/raw/$name.$precision";
        my @rows = ncu_rows(read_text("$raw.csv"));
        $tell->("$name $precision: no launch: " . substr read_text("$raw.txt"), 0, 300)
          if !@rows && $job == $done[-1];
        push @lines, first_launches($name, $precision, $metrics, @rows);
        push @sass, sass_lines($name, $precision, read_text("$raw.sass"));
    }
    write_text("$dir/counts.tsv", join "\n", @$about, '# ' . join(' ', map { "$_->[0]=$_->[1]" } @$metrics),
        join("\t", qw(program precision kernel grid block), map { $_->[0] } @$metrics), @lines, '');
    write_text("$dir/sass.tsv", join "\n", @$about, @sass, '');
    return scalar @lines;
}

# The programs that are there, as [name, precision, file, arguments ...]. Without `real` one in double is the same.
sub jobs
{
    my ($bin, $tell) = @_;
    my @jobs;
    for my $precision (qw(float double))
    {
        for my $run (runs())
        {
            my ($file, $name, @args) = @$run;
            my $binary = $precision eq 'float' ? "$bin/$name" : "$bin/dp/$name";
            if (!-x $binary)
            {
                $tell->("$binary: not there");
                next;
            }
            next if $precision eq 'double' && system('cmp', '-s', "$bin/$name", $binary) == 0;
            push @jobs, [$name, $precision, $binary, @args];
        }
    }
    return @jobs;
}

# ---- Without one --------------------------------------------------------------------------------

# Of a program's source: "// Flags: -ftz=true" and the like.
sub said_of
{
    my ($source, $key) = @_;
    return map { split ' ' } read_text($source) =~ m{^// \Q$key\E: +(.*)}mg;
}

# Builds it with --count. Without a compiler of its own in bin/ the one of cpu/.
sub build
{
    my ($file, $name, $precision) = @_;
    my $dir = "build/counts/$precision";
    make_path($dir);
    my $program = "$dir/$name";
    my @newer = grep { -e $program && (stat $_)[9] > (stat $program)[9] } glob("common/*.cuh"),
      glob(dirname($file) . '/*'), glob('cpu/build/libcudacpu-count-*.a');
    return $program if -e $program && !@newer;
    my @libraries = split ' ', (said(60, {}, 'cpu/cpucc', '-print-libraries'))[0];
    my %has = map { $_ => 1 } @libraries;
    my @links = grep { !/^-l(?:cu|nv|nccl)/ || $has{$_} } said_of("$file.cu", 'Libs');
    my ($text, $status) = said(300, {}, 'cpu/cpucc', '--count', '-Icommon/suite',
        $precision eq 'double' ? '-DUSE_DP' : (), said_of("$file.cu", 'Flags'), '-o', $program, "$file.cu", @links);
    $status == 0 or die "counts: $program: $text\n";
    return $program;
}

# "void cudacpu::run_body<add(float const*)::{lambda()#1}>(void const*)" by its address.
sub kernels_by_address
{
    my ($program) = @_;
    open my $nm, '-|', 'sh', '-c', 'nm "$1" | c++filt', 'sh', $program or die "counts: nm: $!\n";
    my %kernel;
    while (<$nm>)
    {
        my ($address, $kernel) = /^([0-9a-f]+) \w .*?run_body<(.*)::\{lambda\(\)#1\}>\(void const\*\)$/ or next;
        $kernel{hex $address} = plain($kernel);
    }
    return \%kernel;
}

# A kernel's name as both compilers have it: without what they differ in.
sub plain
{
    my ($kernel) = @_;
    return $kernel =~ s/^void //r =~ s/\(anonymous namespace\)|_GLOBAL__N__\w+|<unnamed>/unnamed/gr
      =~ s/\{lambda\(.*?\)#(\d+)\}/lambda/gr =~ s/ //gr;
}

# "add" of "void add<float>(float const*)".
sub base
{
    my ($kernel) = @_;
    my ($base) = $kernel =~ /^(?:void ?)?([\w:~]+)/;
    return $base // $kernel;
}

# The first launch of each kernel with each shape, as [kernel, grid, block, {what => count}].
sub counted
{
    my ($file, $name, $precision, @args) = @_;
    my $program = build($file, $name, $precision);
    my $kernel_at = kernels_by_address($program);
    my ($text, $status) = said(600, {CUDACPU_COUNT => 'launches', CUDACPU_TIMEOUT => 0}, $program, @args);
    print STDERR "counts: $name $precision: status $status\n" if $status != 0;
    my (@launches, %seen, $now);
    for (split /\n/, $text)
    {
        my @f = split /,/, $_, -1;
        if (/^kernel,/)
        {
            my $kernel = $kernel_at->{hex $f[4]} // $f[1];
            $now = undef;
            next if $f[1] =~ /^ceiling_/ || $seen{"$kernel $f[2] $f[3]"}++;
            $now = {warps => $f[7] * (($f[8] / $f[7] + 31) >> 5)};
            push @launches, [$kernel, $f[2], $f[3], $now, $f[1]];
        }
        elsif (/^(?:global|shared),/ && $now)
        {
            $now->{"$f[0] $f[4] requests"} += $f[6];
            $now->{"$f[0] $f[4] units"}    += $f[8];
            $now->{sites}{"$f[0] $f[4] $f[5]"} += $f[6];
        }
    }
    return @launches;
}

# The rows of counts.tsv, which may stand in a file with other text.
sub measured
{
    my (@files) = @_;
    my (@rows, @heads, @about);
    for my $line (map { split /\n/, read_text($_) } @files)
    {
        push @about, $line if $line =~ /^# (?:device|ncu|nvcc|commit):/;
        my @values = split /\t/, $line, -1;
        next if @values < 6;
        if ($values[0] eq 'program')
        {
            @heads = @values;
            next;
        }
        my %row;
        @row{@heads} = @values;
        push @rows, \%row;
    }
    if (@rows)
    {
        open my $filt, '-|', 'sh', '-c', 'printf "%s\n" "$@" | c++filt', 'sh', map { $_->{kernel} } @rows
          or die "counts: c++filt: $!\n";
        chomp(my @names = <$filt>);
        @{$rows[$_]}{qw(name key)} = ($names[$_], plain($names[$_])) for 0 .. $#rows;
    }
    return (\@about, @rows);
}

# What of the card is what of the counter. A copy by cp.async is a load and a store into shared memory. Nsight
# Compute counts wavefronts also by the instructions, and only these are without others' share.
my @PAIRS = (
    ['load requests',  [qw(ld_requests async_requests)], 'global load requests'],
    ['load sectors',   [qw(ld_sectors async_sectors)],   'global load units'],
    ['store requests', ['st_requests'],                  'global store requests'],
    ['store sectors',  ['st_sectors'],                   'global store units'],
    ['atomics',        [qw(red_requests atom_requests)], 'global atomic requests'],
    ['shared loads',   [qw(sass_sh_ld_waves sh_ld_waves)], 'shared load units'],
    ['shared stores',  [qw(sass_sh_st_waves sh_st_waves)], 'shared store units']);

# Where numbers differ, and why. The kinds of reasons:
my @KINDS = qw(compiled order grid metric unknown);
my %KINDS = (
    compiled => 'differ by what nvcc compiles',
    order    => 'by the order in which threads come',
    grid     => 'as the grid depends on the device',
    metric   => 'as the metric leaves something out',
    unknown  => 'are not explained');
my $SPINS = 'how often a thread asks again';
my @WHY = (
    [qr/^math-functions apply\b/, qr/^load/, 'compiled', '`LDG.128`: coefficients of the sine and the cosine'],
    [qr/^matmul multiply_tiled /, qr/^shared loads/, 'compiled', 'one `LDS.128` for four turns of the loop'],
    [qr/^matmul multiply_(?:pipelined|stream_k)\b/, qr/^shared stores/, 'metric', '`LDGSTS`: what it writes is in no metric of shared stores'],
    [qr/^matmul multiply_(?:pipelined|stream_k)\b/, qr/^load sectors/, 'unknown', '`LDGSTS` of 4 bytes: half a sector more a request'],
    [qr/^nbody kick_and_drift /, qr//, 'compiled', 'an `LDG.128` for each array; stores of two by `STG.64` and `STG`, in double by `STG.128` and `STG.64`'],
    [qr/^reduce-wrong reduce_shared /, qr/^shared loads/, 'compiled', 'without a barrier a thread keeps its sum in a register: one `LDS` in the loop'],
    [qr/^atomic-cost add_many_by_cas /, qr//, 'order', "`ATOMG.CAS` in a loop: $SPINS"],
    [qr/^atomics contend<unsigned short>/, qr/^load/, 'compiled', 'an `LDG` of the word before `ATOMG.CAS`'],
    [qr/^atomics contend</, qr/^load/, 'compiled', 'the `LDG` of `compare[i]` only where the function takes it'],
    [qr/^atomics contend</, qr/^atomics/, 'order', "`ATOM.CAS` in a loop: $SPINS"],
    [qr/^neighbor2gpu find_neighbor_atomic /, qr//, 'compiled', 'the loop is unrolled by 4 (8 `LDG`), and each lane makes its odd turns first: then 4 lanes are at one `n2`'],
    [qr/^neighbor2gpu fill_cells /, qr/^store/, 'order', 'atoms come into a cell in the order of `ATOMG.ADD`'],
    [qr/^neighbor2gpu find_in_cells /, qr//, 'compiled', 'loops are unrolled by 4 (64 `LDG.128`), and with doubles an `LDG` has `atom2.n` only where it is stored'],
    [qr/^graph-bfs sum_distances /, qr/^load/, 'compiled', 'one `LDG` of `distance[v]`, which the source reads twice'],
    [qr/^graph-bfs sum_distances /, qr/^shared loads/, 'order', '`LDS.64` before each `ATOMS.CAST.SPIN.64`, in a loop'],
    [qr/^graph-bfs sum_distances /, qr/^shared stores/, 'compiled', 'one `STS.128` for two numbers of 8 bytes'],
    [qr/^graph-independent /, qr//, 'order', 'the list of vertices has the order of `ATOMG.ADD` in the launch before'],
    [qr/^divergence walk_or_rest /, qr/^load/, 'compiled', 'a second `LDG` of `x[n]`, behind the store of `y[n]`'],
    [qr/^divergence hand_over /, qr/^load/, 'order', "`LDG.STRONG` in a loop: $SPINS"],
    [qr/^reduce(?:-functor)? reduce_(?:polled|functor)\b/, qr/^(?:load|store)/, 'order',
        '`LDG.STRONG` in a loop: lanes leave it as they find their value, and then store'],
    [qr/^scan(?:-types)? (?:reduce_tiles|scan_tiles|scan_single_pass)\b/, qr/^shared loads/, 'compiled', 'two `LDS.128` for the sums of 8 warps; in `reduce_tiles` one thread makes them'],
    [qr/^scan(?:-types)? (?:scan_tiles|scan_single_pass)\b/, qr/^store/, 'compiled', 'four `STG` for the last of 12 `STG.128`: one code with the tile that is not full'],
    [qr/^scan(?:-types)? scan_single_pass\b/, qr/^load/, 'order', 'how far a tile looks back'],
    [qr/^reduce reduce_parallelism\b/, qr/^load/, 'grid', 'the second launch reads a sum of each block of the first'],
    [qr/^sort (?:scan_counts|scan_all_digits|move_by_digit)\b/, qr/^shared loads/, 'compiled', '`LDS.128` in the loop over the sums of the warps'],
    [qr/^sort sort_one_digit\b/, qr/^shared loads/, 'compiled', 'both `LDS` of a key stand within `if (n < length)`'],
    [qr/^sort finish_stage\b/, qr/^shared/, 'compiled', '`LDS.64` and `STS.64` for keys side by side, in the last step'],
    [qr/^coop-groups sum_grid /, qr//, 'grid', 'the barrier of the grid, too: `ATOM.ADD` and `LD.STRONG` by each block'],
    [qr/^warp test_warp_primitives /, qr//, 'compiled', '`printf`: its text and numbers go through global memory'],
    [qr/^warp-functions /, qr/^load/, 'compiled', 'an `LDG` only of those members of `calls[n]` that are used'],
);

sub why
{
    my ($program, $kernel, $what, $grid) = @_;
    for (@WHY)
    {
        my ($where, $numbers, $kind, $reason) = @$_;
        return ($kind, $reason) if "$program $kernel " =~ $where && $what =~ $numbers;
    }
    return $grid ? ('grid', 'more blocks') : ('unknown', '');
}

# What the card counted, or undef.
sub of_card
{
    my ($row, $names) = @_;
    my @values = grep { defined && /^\d/ } @{$row}{@$names};
    return undef if !@values;
    return $values[0] if "@$names" =~ /^sass/;
    my $sum = 0;
    $sum += $_ for @values;
    return $sum;
}

sub is_near
{
    my ($card, $counted) = @_;
    return abs($card - $counted) <= 0.02 * $card;
}

sub cell
{
    my ($card, $counted) = @_;
    $counted //= 0;
    return '' if !defined $card || ($card == 0 && $counted == 0);
    return $card if $card == $counted;
    return "$card, $counted" if is_near($card, $counted);
    return sprintf "**%s, %s** (%s)", $card, $counted, $card > 0 ? sprintf('%+.0f %%', 100 * ($counted / $card - 1)) : 'none';
}

# Pairs of a row and a launch: of the same kernel and shape, or, where the grid depends on the device, of the
# same kernel if it is the only one left.
sub matched
{
    my ($rows, $launches) = @_;
    my (%taken, @pairs, @others);
    for my $row (@$rows)
    {
        my ($i) = grep { !$taken{$_} && $launches->[$_][0] eq $row->{key} && $launches->[$_][1] eq $row->{grid}
              && $launches->[$_][2] eq $row->{block} } 0 .. $#$launches;
        if (defined $i)
        {
            $taken{$i} = 1;
            push @pairs, [$row, $launches->[$i], ''];
        }
        else
        {
            push @others, $row;
        }
    }
    for my $row (@others)
    {
        my @left = grep { !$taken{$_} && $launches->[$_][0] eq $row->{key} } 0 .. $#$launches;
        my $rivals = grep { $_->{key} eq $row->{key} } @others;
        if (@left == 1 && $rivals == 1)
        {
            $taken{$left[0]} = 1;
            push @pairs, [$row, $launches->[$left[0]], "grid $launches->[$left[0]][1] on the CPU"];
        }
        elsif (grep { $_->[4] eq base($row->{name}) } @$launches)
        {
            push @pairs, [$row, undef, 'no such launch on the CPU'];
        }
    }
    push @pairs, [undef, $launches->[$_], 'no such launch on the card'] for grep { !$taken{$_} } 0 .. $#$launches;
    return @pairs;
}

sub compare
{
    my ($about, @rows) = measured(@_);
    @rows or die "counts: no counts in @_\n";
    print "$_\n" for @$about;
    print "\n| program | kernel | grid x block | ", join(' | ', map { $_->[0] } @PAIRS), " |\n|---|---|---|",
      '---|' x @PAIRS, "\n";
    my ($same, $near, $all, %alike, @lines, @alone, %differ, @differences, %kind, %of_program) = (0, 0, 0);
    for my $run (runs())
    {
        my ($file, $name, @args) = @$run;
        for my $precision (qw(float double))
        {
            my @here = grep { $_->{program} eq $name && $_->{precision} eq $precision } @rows or next;
            for (matched(\@here, [counted($file, $name, $precision, @args)]))
            {
                my ($row, $launch, $why) = @$_;
                if (!$row || !$launch)
                {
                    push @alone, "$name $precision: " . ($row ? "$row->{name} $row->{grid} x $row->{block}"
                        : "$launch->[0] $launch->[1] x $launch->[2]") . ": $why";
                    next;
                }
                my @cells;
                my $of_program = $of_program{$name}{$precision} //= [0, 0];
                my $base = base($row->{name});
                push @{$of_program{$name}{kernels}}, $base if !$of_program{$name}{has}{$base}++;
                for (@PAIRS)
                {
                    my ($what, $names, $counter) = @$_;
                    my ($card, $counted) = (of_card($row, $names), $launch->[3]{$counter} // 0);
                    push @cells, cell($card, $counted);
                    next if $cells[-1] eq '';
                    ++$all, ++$of_program->[1];
                    ++$same if $card == $counted;
                    ++$near, ++$of_program->[0], next if is_near($card, $counted);
                    my ($kind, $reason) = why($name, $row->{name} =~ s/\(.*//r =~ s/^void //r, $what, $why);
                    ++$kind{$kind};
                    my $of = $differ{"$name $reason"} //= {};
                    push @differences, [$name, $reason, $of] if !%$of;
                    ++$of->{numbers};
                    push @{$of->{kernels}}, $base if !$of->{has}{$base}++;
                    push @{$of->{what}}, $what if !$of->{has}{$what}++;
                    my $far = abs log(($card || 0.5) / ($counted || 0.5));
                    @$of{qw(far example)} = ($far, $cells[-1] =~ s/\*\*//gr) if $far > ($of->{far} // 0);
                }
                my $line = join ' | ', "$row->{grid} x $row->{block}" . ($why ? ", $why" : ''), @cells;
                my $key = "$name $precision $base $line";
                push @lines, $key if !$alike{$key};
                push @{$alike{$key}[0]}, $row->{name} =~ s/\(.*//r =~ s/^void //r;
                $alike{$key}[1] = ["$name" . ($precision eq 'double' ? ', double' : ''), $line];
            }
        }
    }
    for (@lines)
    {
        my ($kernels, $rest) = @{$alike{$_}};
        my $kernel = $kernels->[0] . (@$kernels > 1 ? ' and ' . (@$kernels - 1) . ' like it' : '');
        print "| $rest->[0] | `$kernel` | $rest->[1] |\n";
    }
    print "\n| program | kernels | float | double |\n|---|---|---|---|\n";
    for my $name (grep { $of_program{$_} } map { $_->[1] } runs())
    {
        my @shares = map { my $n = $of_program{$name}{$_}; $n ? "$n->[0] of $n->[1]" : '' } qw(float double);
        print "| $name | ", join(', ', map { "`$_`" } @{$of_program{$name}{kernels}}), " | $shares[0] | $shares[1] |\n";
    }
    print "\n| program | kernels | what | numbers | most: the card, counted | why |\n|---|---|---|---|---|---|\n";
    for (@differences)
    {
        my ($name, $reason, $of) = @$_;
        my @kernels = @{$of->{kernels}};
        my $kernels = join ', ', map { "`$_`" } @kernels > 4 ? $kernels[0] : @kernels;
        $kernels .= sprintf ' and %d more', @kernels - 1 if @kernels > 4;
        print "| $name | $kernels | ", join(', ', @{$of->{what}}), " | $of->{numbers} | $of->{example} | $reason |\n";
    }
    print "\n$near of $all numbers are within 2 %.\n$same of these are the same.\n";
    print 'Of the others ', join(', ', map { "$kind{$_} $KINDS{$_}" } grep { $kind{$_} } @KINDS), ".\n" if $near < $all;
    print "- $_\n" for @alone;
}

if (!caller)
{
    my ($what, @arguments) = @ARGV;
    $what //= '';
    if    ($what eq 'gpu')     { gpu(@arguments) }
    elsif ($what eq 'compare') { compare(@arguments) }
    elsif ($what eq 'list')    { print join(' ', map { $_->[1] } runs()), "\n" }
    else                       { die "counts: gpu DIR [BIN], compare FILE..., or list\n" }
}
1;
