# perl tests/races.pl [--seed S] [--copies C] [PROGRAM...]: plants bugs in copies of the suite's kernels
# that the checker of the CPU backend must name with the right line: a barrier that is missing, a plain
# add for an atomic, an atomic or a fence for the block, an index by one too far, memory that is never
# written, a wait that is missing. Each program has C copies; a copy has at most one bug in a function.
# Says for each sort how many were found.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../make";
use Cwd qw(getcwd);
use File::Copy qw(copy);
use File::Path qw(make_path);
use File::Temp qw(tempdir);
use Getopt::Long;
use Files;
use Programs;
use Sanitize;

my ($seed, $copies) = (36, 2);
GetOptions('seed=i' => \$seed, 'copies=i' => \$copies) or exit 2;
my %wanted = map { $_ => 1 } @ARGV;

my $state = $seed;

sub random_below
{
    my ($n) = @_;
    $state = ($state * 1103515245 + 12345) % 2**31;
    return int($state / 65536) % $n;
}

sub read_file
{
    my ($path) = @_;
    local $/;
    open my $file, '<', $path or die "$path: $!\n";
    return scalar <$file>;
}

sub write_file
{
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!\n";
    print $file $text;
    close $file or die "$path: $!\n";
}

# ---- Where a bug can stand ----

# The functions of a source: [name, first line, last line, whether it is the device's].
sub functions
{
    my (@lines) = @_;
    my (@functions, $head, $from);
    for my $i (0 .. $#lines)
    {
        $from = $i, $head = '' if !defined $from && $lines[$i] =~ /^(?:\w|template)/;
        $head .= $lines[$i] if defined $from;
        if (defined $from && $lines[$i] =~ /^\}/)
        {
            my ($name) = $head =~ s/__launch_bounds__\(.*?\)//r =~ /(\w+)\(/;
            push @functions, [$name, $from, $i, scalar $head =~ /__(?:global|device)__/] if defined $name;
            undef $from;
        }
        undef $from if defined $from && $lines[$i] =~ /;\s*$/ && $head !~ /\{/;
    }
    return @functions;
}

# Each: the sort, what a line looks like, what becomes of it, the kinds of finding that name it, and
# `same` if the finding must be at this line (else anywhere in the function).
my @ON_DEVICE = (
    ['barrier', qr/^\s*(?:__syncthreads\(\)|\w+\.sync\(\));/, sub { $_[0] =~ s/\S.*/;/r }, 'race never-written'],
    ['syncwarp', qr/^\s*__syncwarp\(.*\);/, sub { $_[0] =~ s/\S.*/;/r }, 'race never-written'],
    ['atomic', qr/^\s*atomicAdd\(&.*, [^,()]+\);$/, sub { $_[0] =~ s/atomicAdd\(&(.*), ([^,()]+)\);/$1 += $2;/r }, 'race', 'same'],
    ['scope', qr/\batomic(?:Add|Min|Max|Inc|CAS|Exch)\(&?d?_?\w/, sub { $_[0] =~ s/\batomic(Add|Min|Max|Inc|CAS|Exch)\(/atomic$1_block(/r }, 'scope', 'same'],
    ['fence', qr/^\s*__threadfence\(\);/, sub { $_[0] =~ s/\S.*/__threadfence_block();/r }, 'race never-written'],
    ['uninit-shared', qr/^\s*s_\w+\[(?:tid|threadIdx\.x|lane)\] = /, sub { $_[0] =~ s/(s_\w+\[)/if (threadIdx.x != 1) $1/r }, 'never-written race'],
    ['past-global', qr/^\s*if \(n < N\)/, sub { $_[0] =~ s/n < N/n <= N/r }, 'out-of-bounds never-written'],
    ['past-shared', qr/^[^=]*= .*\bs_\w+\[(?:tid|threadIdx\.x)\]/, sub { $_[0] =~ s/^([^=]*= .*\bs_\w+\[)(tid|threadIdx\.x)\]/$1$2 + blockDim.x\]/r }, 'out-of-bounds never-written race', 'same'],
);
my @ON_HOST = (
    ['never-written', qr/^\s*CHECK\(cudaMemcpy\([^;]*HostToDevice\)\);/, sub { $_[0] =~ s/\S.*/;/r }, 'never-written', 'kernel'],
    ['event', qr/^\s*CHECK\(cudaStreamWaitEvent\(.*\);/, sub { $_[0] =~ s/\S.*/;/r }, 'race', 'anywhere'],
    ['host-wait', qr/^\s*CHECK\(cuda(?:Device|Stream|Event)Synchronize\(.*\);/, sub { $_[0] =~ s/\S.*/;/r }, 'race', 'anywhere'],
);

# The bugs of a source: {sort, line, text, kinds, where, from, to}.
sub bugs_of
{
    my (@lines) = @_;
    my $text = join '', @lines;
    my $shares = $text =~ /cudaMallocManaged|__managed__|cudaMallocHost|cudaHostAlloc/;
    my @bugs;
    for my $f (functions(@lines))
    {
        my ($name, $from, $to, $is_device) = @$f;
        for my $i ($from .. $to)
        {
            for my $sort ($is_device ? @ON_DEVICE : @ON_HOST)
            {
                my ($what, $looks, $change, $kinds, $where) = @$sort;
                next if $lines[$i] !~ $looks || ($what eq 'host-wait' && !$shares);
                # Only if nothing else writes the array.
                my ($array) = $lines[$i] =~ /cudaMemcpy\((\w+),/;
                next if $what eq 'never-written' && (!defined $array
                    || (() = $text =~ /cudaMem(?:cpy|set)\w*\(\Q$array\E,/g) != 1 || $text =~ /poison|outputs\[/);
                my $changed = $change->($lines[$i]);
                push @bugs, {sort => $what, line => $i + 1, text => $changed, kinds => $kinds, function => $name,
                    where => $where // 'function', from => $from + 1, to => $to + 1, host => !$is_device}
                  if $changed ne $lines[$i];
            }
        }
    }
    return @bugs;
}

# ---- Trying ----

my $root = getcwd();
my $scratch = tempdir(CLEANUP => 1);
my (%found, %all);

# Whether a row of the checker's list names the bug.
sub names
{
    my ($row, $bug, $file) = @_;
    my ($kind, $kernel, @places) = @$row;
    return 0 if !grep { $kind eq $_ } split ' ', $bug->{kinds};
    return 1 if $bug->{where} eq 'anywhere';
    return $kernel ne '' if $bug->{where} eq 'kernel';
    my @lines = map { /^\Q$file\E:(\d+)$/ ? $1 : () } @places;
    return grep { $bug->{where} eq 'same' ? $_ == $bug->{line} : $_ >= $bug->{from} && $_ <= $bug->{to} } @lines;
}

sub try_copy
{
    my ($program, $file, $lines, @bugs) = @_;
    my $dir = dirname($file);
    my @copy = @$lines;
    $copy[$_->{line} - 1] = $_->{text} for @bugs;
    my $tree = "$scratch/tree";
    make_path("$tree/$dir");
    for my $other (glob("$dir*.cu*"), glob('common/*'))
    {
        make_path("$tree/" . dirname($other));
        copy($other, "$tree/$other");
    }
    write_file("$tree/$file", join '', @copy);
    my @flags = grep { /^-(?:l|D|rdc|std)/ } split ' ', join ' ', map { $program->{$_} // '' } qw(Flags Libs);
    my $said = said_by("$root/bin/cpucc", '--check', '-O2', '-g1', '-o', "$scratch/program",
        (map { "$tree/$_" } $program->{file}, map { $dir . $_ } split ' ', $program->{Sources} // ''), @flags);
    if ($? != 0)
    {
        print "does not compile: $file: @{[map { $_->{sort} . ':' . $_->{line} } @bugs]}\n", substr($said, 0, 300);
        return;
    }
    my (undef, undef, undef, $arguments) = @{(Sanitize::runs_of($program, 'checker'))[0]};
    local $ENV{CUDACPU_CHECK_CSV} = "$scratch/csv";
    local $ENV{CUDACPU_TIMEOUT} = 20;
    unlink "$scratch/csv";
    said_by('timeout', '120', "$scratch/program", split ' ', $arguments);
    my @rows;
    for (-e "$scratch/csv" ? split /\n/, read_file("$scratch/csv") : ())
    {
        push @rows, [$1, $2, $3, $4] if /^([^,]*),error,\d+,"([^"]*)",([^,]*),[^,]*,([^,]*),/;
    }
    for my $bug (@bugs)
    {
        my $is_named = grep { names($_, $bug, (split m{/}, $file)[-1]) } @rows;
        $all{$bug->{sort}}++;
        $found{$bug->{sort}}++ if $is_named;
        printf "%-8s %-14s %s:%d %s\n", $is_named ? 'found' : 'MISSED', $bug->{sort}, $file, $bug->{line}, $bug->{function};
    }
}

$| = 1;
for my $program (grep { !$_->{extra} && $_->{file} =~ /\.cu$/ } read_programs(source_files()))
{
    next if %wanted && !$wanted{$program->{name}};
    next if ($program->{Expect} // '') ne '' || ($program->{Faults} // '') ne '' || ($program->{Uses} // '') =~ /NCCL|MPI/;
    my $file = $program->{file};
    my $main = read_file($file);
    my @fast = grep { index($main, '#include "' . (split m{/})[-1] . '"') >= 0 } glob(dirname($file) . '*_fast.cuh');
    for my $source ($file, @fast)
    {
        my @lines = split /^/, read_file($source);
        my @bugs = bugs_of(@lines);
        for (1 .. $copies)
        {
            my (%taken, @mine);
            my @order = map { $_->[1] } sort { $a->[0] <=> $b->[0] } map { [random_below(1 << 15), $_] } @bugs;
            for my $bug (@order)
            {
                my $key = $bug->{host} ? 'host' : $bug->{function};
                push @mine, $bug if !$taken{$key}++;
            }
            @mine = sort { $a->{line} <=> $b->{line} } @mine;
            @bugs = grep { my $b = $_; !grep { $_ == $b } @mine } @bugs;
            try_copy($program, $source, \@lines, @mine) if @mine;
        }
    }
}
my ($sum, $hits) = (0, 0);
for my $sort (sort keys %all)
{
    printf "%-14s %3d of %3d\n", $sort, $found{$sort} // 0, $all{$sort};
    $sum += $all{$sort};
    $hits += $found{$sort} // 0;
}
printf "%-14s %3d of %3d\n", 'all', $hits, $sum;
