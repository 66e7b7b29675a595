# perl tests/races.pl [--seed S] [--copies C] [--jobs J] [--list] [--keep DIR] [PROGRAM...]: plants bugs
# in copies of the suite's kernels and host code, and says which of them the checker of the CPU backend
# names with the right line.
#
# It wants the compiler with the checker, and the GPU's libraries for it:
#
#     make BACKEND=cpu build-checker
#     make BACKEND=cpu CHECKER=1 cublas-gemm curand-host1 cusolver cufft-lengths cusparse-formats
#     perl tests/races.pl
#
# The seed chooses the bugs. Each source has up to C copies with bugs in kernels, at most one in a
# function, and a copy with up to 2 C bugs in host code, one of which is switched on in each run. Of rare
# sorts all bugs are tried. A copy is compiled once, by `cpucc --check`,
# and runs with the arguments of %ARGUMENTS, or with those of `make sanitize` and the next larger size. A
# bug that is not found in a copy with others is tried alone: another one may have ended the program.
# Programs run side by side, J at a time.
# A bug is found if the checker names an error of its kind at the line of the bug, or at a line of the
# function with the bug, or of one that this function calls or launches. Each sort says which.
# tests/races.txt lists what looks like a bug and is none, with the reason.
#
# --list     says which bugs the seed chooses, and tries none
# --keep DIR, a new folder, gets the copies with bugs that were not found, and what the checker said of them
#
# The exit status is 1 if a bug was not found.
use strict;
use warnings;
use FindBin;
use lib "$FindBin::Bin/../make";
use Cwd qw(getcwd abs_path);
use File::Copy qw(copy);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use Getopt::Long;
use Files;
use Programs;
use Sanitize;

my ($seed, $copies, $jobs, $list, $keep) = (36, 1, nproc(), 0);
GetOptions('seed=i' => \$seed, 'copies=i' => \$copies, 'jobs=i' => \$jobs, 'list' => \$list, 'keep=s' => \$keep)
  or exit 2;
my %wanted = map { $_ => 1 } @ARGV;

# Where the arguments of `make sanitize` leave a bug without effect: several runs are tried in turn.
my %ARGUMENTS = (
    'first-call' => ['--once'], # without it, the program runs itself
    'scan' => ['-n 1003 -r 2', '-n 50021 -r 1', '-n 1050001 -r 1 -k shuffle'], # more than 1024 totals
    'sort' => ['-n 9001 -r 1'], # two tiles of the fast version
    'reduce' => ['-n 4097 -r 2', '-n 50021 -r 1'], # four blocks of the fast versions
    'transpose' => ['-n 131x67 -r 1', '-n 100x264 -r 1'], # rows of whole vectors
    'coop-groups' => ['-n 1000', '-n 992'], # whole tiles
    'neighbor2gpu' => ['-n 1000 -r 2', '-n 3001 -r 1'],
    'kernel-transfer' => ['-n 1003 -r 2'],
    'transfer-parts' => ['-n 1003 -r 2 -o times'],
    'kernel-kernel' => ['-n 129 -r 2 -o times'],
    'cub-scan' => ['-n 333 -r 1'],
    'cub-rows' => ['-n 1003 -r 1', '-n 3001 -r 1'], # rows of several tiles
    'fft' => ['-n 4096 -r 2', '-n 131072 -r 1'], # several passes
    'peer-copy' => ['CUDACPU_DEVICES=2 -n 1003 -r 2'],
    'peer-copy-pairs' => ['CUDACPU_DEVICES=2 -n 1003 -r 2'],
    'reduce-multi' => ['CUDACPU_DEVICES=3 -n 5003 -r 2'],
    'reduce-multi-ways' => ['CUDACPU_DEVICES=3 -n 5003 -r 2'],
    'nbody' => ['-n 333 -r 1', '-n 100 -r 1'], # the steps move a block of bodies at most
    'histogram' => ['-n 4099 -b 96 -r 2', '-n 4099 -b 96 -r 1 --bins 7', '-n 4099 -b 96 -r 1 --data sorted --bins 65536',
        '-n 400003 -b 1024 --bins 2 -r 1 -k packed'], # counts of 16 bits that overflow
);

# ---- Chance ----

my $state;

# A program's bugs do not depend on which others are tried.
sub begin_chance
{
    my ($name) = @_;
    $state = $seed;
    $state = ($state * 31 + ord) % 2**31 for split //, $name;
}

sub random_below
{
    my ($n) = @_;
    $state = ($state * 1103515245 + 12345) % 2**31;
    return int($state / 65536) % $n;
}

sub shuffled
{
    my (@all) = @_;
    for my $i (reverse 1 .. $#all)
    {
        my $j = random_below($i + 1);
        @all[$i, $j] = @all[$j, $i];
    }
    return @all;
}

# ---- The functions of a source ----

# Each: {name, file, from, to (lines, from 1), device, text}. A table that names functions has no lines.
sub functions
{
    my ($file, @lines) = @_;
    my (@functions, $head, $from);
    for my $i (0 .. $#lines)
    {
        $from = $i, $head = '' if !defined $from && $lines[$i] =~ /^(?:\w|template)/;
        $head .= $lines[$i] if defined $from;
        if (defined $from && ($lines[$i] =~ /^\}/ || $i == $from && $lines[$i] =~ /\}$/))
        {
            my $plain = $head =~ s/__(?:launch_bounds|align)__\(.*?\)//gr =~ s/^template <[^;{]*?>\s*\n//gmr;
            my ($name) = $plain =~ /^(?:struct|class|union|enum)\s+(\w+)/ ? $1 : $plain =~ /(\w+)\(/;
            push @functions, {name => $name, file => basename($file), from => $from + 1, to => $i + 1,
                device => scalar $head =~ /__(?:global|device)__/, text => $head} if defined $name;
            undef $from;
        }
        undef $from if defined $from && $lines[$i] =~ m{;\s*(?://.*)?$} && $head !~ /^\{/m;
    }
    my %tables = join('', @lines) =~ /^\w[^\n(;]*?(\w+)\[\w*\] = \{(.*?)\};/gms;
    push @functions, map { {name => $_, file => basename($file), from => 1, to => 0, text => $tables{$_}} } sort keys %tables;
    return @functions;
}

# Of each line (from 0): whether only a GPU's compiler sees it.
sub gpu_only
{
    my (@lines) = @_;
    my (@arms, @only);
    for my $line (@lines)
    {
        push @arms, $1 eq 'if ON_GPU' ? 1 : 0 if $line =~ /^#\s*(if.*?)\s*$/;
        $arms[-1] = 0 if $line =~ /^#\s*el/;
        pop @arms if $line =~ /^#\s*endif/;
        push @only, scalar grep { $_ } @arms;
    }
    return @only;
}

# The function, and what it calls or launches, through three more functions or tables at most. A kernel that
# is launched by a pointer may be any. A function of the host's that only waits counts as a part of those that call it.
sub reached
{
    my ($function, @all) = @_;
    my $text = $function->{text};
    $text .= $_->{text} for $function->{device} || $text =~ /<<<|cudaMem/ ? ()
      : grep { !$_->{device} && $_->{text} =~ /\b\Q$function->{name}\E\(/ } @all;
    my %named = map { $_ => 1 } $text =~ /(\w+)/g;
    my %is_name = map { $_->{name} => 1 } @all;
    my $by_pointer = grep { !$is_name{$_} } $text =~ /(\w+)(?:<[^<>;]*>)?<<</g;
    my @reached = ($function, grep { $_ != $function && ($named{$_->{name}} || ($by_pointer && $_->{device})) } @all);
    for my $level (1 .. 3)
    {
        my %more = map { $_ => 1 } map { $_->{text} =~ /(\w+)/g } @reached;
        my %has = map { $_ => 1 } @reached;
        push @reached, grep { ($_->{device} || !$function->{device}) && $more{$_->{name}} && !$has{$_} } @all;
    }
    return @reached;
}

# ---- The sorts of bugs ----

# Other arguments between <<< and >>>.
sub with_launch
{
    my ($line, $change) = @_;
    my ($before, $inside, $after) = $line =~ /^(.*?<<<)(.*?)(>>>.*)/s or return $line;
    return $line if $inside =~ /\w<\w/; # a template's arguments
    my (undef, @arguments) = arguments_at("($inside)", 0);
    my @changed = $change->(@arguments);
    return "@arguments" eq "@changed" ? $line : $before . join(', ', @changed) . $after;
}

# Text in which the brackets that begin at $at are closed: the place after these.
sub after_brackets
{
    my ($text, $at) = @_;
    my $depth = 0;
    for my $i ($at .. length($text) - 1)
    {
        my $c = substr $text, $i, 1;
        $depth += $c =~ /[\[(]/ ? 1 : $c =~ /[\])]/ ? -1 : 0;
        return $i + 1 if $depth == 0;
    }
    return undef;
}

# The arguments of the call whose `(` is at $at, and the place after its `)`.
sub arguments_at
{
    my ($text, $at) = @_;
    my $end = after_brackets($text, $at) // return;
    my ($depth, @arguments) = (0, '');
    for my $c (split //, substr $text, $at + 1, $end - $at - 2)
    {
        $depth += $c =~ /[\[({]/ ? 1 : $c =~ /[\])}]/ ? -1 : 0;
        if ($c eq ',' && $depth == 0)
        {
            push @arguments, '';
            next;
        }
        $arguments[-1] .= $c;
    }
    return ($end, map { s/^\s+|\s+$//gr } @arguments);
}

sub gone
{
    return $_[0] =~ s/\S.*/;/r;
}

# The same for a line of the host's, which has its bugs behind a switch: @@ is the number of the bug.
sub switched_off
{
    return $_[0] =~ s/^(\s*)/$1if (!planted(@@)) /r;
}

# A plain operation for an atomic one that stands in one line.
sub plain_for_atomic
{
    my ($line) = @_;
    my ($op) = $line =~ /\batomic(Add|Sub|Or|And|Xor|Inc|Max|Min|Exch|CAS)\(/ or return $line;
    my ($before, $begin) = ($-[0], $+[0] - 1);
    my ($end, $address, $value, $new) = arguments_at($line, $begin);
    return $line if !defined $value;
    my $word = $address =~ /^&(.*)/ ? $1 : "(*($address))";
    my %sign = (Add => '+', Sub => '-', Or => '|', And => '&', Xor => '^');
    my $is_statement = substr($line, 0, $before) =~ /^\s*$/ && substr($line, $end) =~ /^;/;
    my $plain =
        $op eq 'CAS' ? "($word == ($value) ? ($word = ($new), ($value)) : $word)"
      : $op eq 'Inc' ? "($word >= ($value) ? ($word = 0, ($value)) : $word++)"
      : $sign{$op} && $is_statement ? "$word $sign{$op}= $value"
      : $op eq 'Add' ? "(($word += ($value)) - ($value))"
      : $op eq 'Max' && $is_statement ? "$word = $word < ($value) ? ($value) : $word"
      : $op eq 'Min' && $is_statement ? "$word = $word > ($value) ? ($value) : $word"
      : return $line;
    return substr($line, 0, $before) . $plain . substr($line, $end);
}

# The first element behind an array of known size, at the first index of it in the line.
sub one_past
{
    my ($line, @arrays) = @_;
    my ($code) = $line =~ m{^(.*?)(?://|$)};
    return $line if $code =~ /__shared__|__device__/;
    for my $array (@arrays)
    {
        while ($code =~ /(?<![\w.>])\Q$array\E\[/g)
        {
            my ($start, $open) = ($-[0], $+[0] - 1);
            my $before = substr $code, 0, $start;
            next if ($before =~ tr/"//) % 2 == 1 || $before =~ /(?:&|sizeof\()$/;
            my $end = after_brackets($code, $open) // next;
            my $index = substr $line, $open + 1, $end - $open - 2;
            my $past = "$index + (sizeof($array) / sizeof($array\[0]) - ($index))";
            return substr($line, 0, $open) . "[$past]" . substr $line, $end;
        }
    }
    return $line;
}

my $ATOMIC = qr/\batomic(?:Add|Sub|Min|Max|Inc|Dec|CAS|Exch|Or|And|Xor)\(/;

# Each: the sort; on the device or on the host; what becomes of a line (the same text: nothing); the
# kinds of finding that name it; where: `same` line, in the `function` or what it reaches, or in any
# `kernel`. The change gets the line, its function, the text of all sources, and the file.
my @SORTS = (
    ['barrier', 'device', \&without_barrier, 'race never-written', 'function'],
    ['warp-barrier', 'device', \&barrier_of_warp, 'race never-written', 'function'],
    ['syncwarp', 'device', \&without_syncwarp, 'race never-written', 'function'],
    ['atomic', 'device', \&plain_for_atomic, 'race', 'same'],
    ['scope', 'device', \&for_the_block, 'scope', 'same'],
    ['fence', 'device', \&without_fence, 'race never-written', 'function'],
    ['fence-of-block', 'device', \&fence_of_block, 'race never-written scope', 'function'],
    ['uninit-shared', 'device', \&not_set, 'never-written race', 'function'],
    ['past-global', 'device', \&bound_too_far, 'out-of-bounds', 'function'],
    ['past-managed', 'device', \&bound_too_far, 'out-of-bounds', 'function'],
    ['past-static', 'device', \&bound_too_far, 'out-of-bounds', 'function'],
    ['past-static', 'device', \&past_static, 'out-of-bounds', 'same'],
    ['past-managed', 'device', \&past_managed, 'out-of-bounds', 'same'],
    ['past-shared', 'device', \&past_shared, 'out-of-bounds', 'same'],
    ['past-shared', 'host', \&less_shared, 'out-of-bounds', 'function'],
    ['never-written', 'host', \&without_copy, 'never-written', 'anywhere'],
    ['event', 'host', \&without_event, 'race', 'function'],
    ['stream', 'host', \&in_another_stream, 'race', 'function'],
    ['host-wait', 'host', \&without_wait, 'race', 'function'],
    ['freed', 'host', \&freed_too_early, 'freed-in-use', 'same'],
);

my %IS_RARE = map { $_ => 1 } qw(syncwarp fence fence-of-block event host-wait);

sub without_barrier
{
    my ($line) = @_;
    return $line if $line !~ /^\s*(?:__syncthreads\(\)|(?:block|group|grid|cluster)\w*\.sync\(\));/;
    return gone($line);
}

sub barrier_of_warp
{
    return $_[0] =~ s/^(\s*)__syncthreads\(\);/$1__syncwarp();/r;
}

sub without_syncwarp
{
    my ($line) = @_;
    return $line =~ /^\s*(?:__syncwarp\(.*\)|(?:tile|warp|active|part)\w*\.sync\(\));/ ? gone($line) : $line;
}

sub without_fence
{
    return $_[0] =~ /^\s*__threadfence\(\);/ ? gone($_[0]) : $_[0];
}

sub fence_of_block
{
    return $_[0] =~ s/\b__threadfence\(\);/__threadfence_block();/r;
}

sub past_static
{
    my ($line, $function, $text) = @_;
    return one_past($line, $text =~ /^__device__ (?!__managed__)[^(;]*?(\w+)\[/mg);
}

sub past_managed
{
    my ($line, $function, $text) = @_;
    return one_past($line, $text =~ /^__device__ __managed__ [^(;]*?(\w+)\[/mg);
}

sub past_shared
{
    my ($line, $function) = @_;
    return one_past($line, map { /(\w+)\[/g } $function->{text} =~ /^(?!\s*extern)\s*__shared__ ([^;]*);/mg);
}

# Atomics of the block, where the word is in global memory.
sub for_the_block
{
    my ($line, $function) = @_;
    my ($call, $address) = $line =~ /($ATOMIC)&?(\w+)/ or return $line;
    return $line if $address =~ /^s_/ || $function->{text} =~ /\b\Q$address\E = &?s_/
      || $function->{text} =~ /__shared__[^;]*\b\Q$address\E\b/;
    return $line =~ s/\b(atomic\w+)\(/$1_block(/r;
}

# A statement that sets shared memory: in warp 1 or 2 it leaves out each lane that is alone, too.
sub not_set
{
    my ($line, $function) = @_;
    return $line if $line !~ /^\s*s_\w+(\[.*?\])? = /;
    my $who = defined $1 ? 'threadIdx.x % 3 != 2' : 'threadIdx.x > 9999';
    return $line =~ s/^(\s*)(?=s_)/$1if ($who) /r;
}

# The first condition: in those that follow, an index by one too far is often an element of the next row.
sub bound_too_far
{
    my ($line) = @_;
    my $index = qr/(?:n|n1|i|v|row|slot1|cell|bin)/;
    my $bound = qr/(?:N|M|num_(?!steps)\w+|static_count|count|cells\.count|bins)/;
    return $line =~ s/^(\s*if \((?:.* && )?$index) < ($bound)\b(?=\)| && \w+ < \w+\))/$1 <= $2/r
      =~ s/^(\s*for \(.*; (?:n|i|v|bin|k)) < (N|num_(?!steps)\w+|count|bins)(?=; )/$1 <= $2/r;
}

sub without_copy
{
    my ($line, $function, $text) = @_;
    my ($array) = $line =~ /^\s*CHECK\(cudaMem(?:cpy|set)(?:Async)?\(([\w.>-]+),.*(?:HostToDevice|, 0, ).*\);/
      or return $line;
    return $line if $line =~ /memset/i && $line !~ /, 0, /;
    my ($name) = $array =~ /(\w+)$/;
    my @writers = $text =~ /cudaMem(?:cpy|set)\w*\((?:\w+(?:->|\.))?\Q$name\E\b/g;
    return $line if @writers != 1 || $text =~ /(?:outputs\[.*|poison\w*\([^)]*)\b\Q$name\E\b/;
    return switched_off($line);
}

sub without_event
{
    my ($line, $function, $text) = @_;
    return switched_off($line) if $line =~ /^\s*CHECK\(cudaStreamWaitEvent\(.*\);/;
    my ($event) = $line =~ /^\s*CHECK\(cudaEventRecord\(.*?(\w+)(?:\[\w+\])?, .*\);/ or return $line;
    return $text =~ /cudaStreamWaitEvent\([^;]*\b\Q$event\E\b/ ? switched_off($line) : $line;
}

sub in_another_stream
{
    my ($line, $function) = @_;
    # That waits for all streams.
    return $line if $function->{text} =~ /\Q$line\E(?:.*\n){0,2}.*cudaDeviceSynchronize/;
    return $line if $function->{text} =~ /Capture/ || $line !~ />>>\([^)]/;
    return with_launch($line, sub { @_ == 2 ? (@_, 0, 'planted_stream(@@)') : @_ == 3 ? (@_, 'planted_stream(@@)') : @_ });
}

# The dynamic shared memory has a byte less.
sub less_shared
{
    return with_launch($_[0], sub { @_ > 2 && $_[2] ne '0' ? (@_[0, 1], "($_[2]) - (($_[2]) > 0 && planted(\@\@))", @_[3 .. $#_]) : @_ });
}

sub without_wait
{
    my ($line, $function, $text) = @_;
    return $line if $text !~ /cudaMallocManaged|__managed__|cudaMallocHost|cudaHostAlloc/;
    return $line =~ /^\s*CHECK\(cuda(?:Device|Stream|Event)Synchronize\(.*\);/ ? switched_off($line) : $line;
}

# Memory that the kernel of this line works on is freed in another stream.
sub freed_too_early
{
    my ($line, $function, $text) = @_;
    return $line if $function->{text} =~ /Capture/;
    my ($arguments) = $line =~ /^\s*\w[\w<>:, ]*<<<[^;]*>>>\((.*)\);$/ or return $line;
    for my $argument (split /, /, $arguments)
    {
        my ($name) = $argument =~ /^(?:[\w>.-]*(?:->|\.))?(d_\w+|[xyz])$/ or next;
        next if $text !~ /cudaMalloc\((?:\(void \*\*\) ?)?&(?:\w+(?:->|\.))*\Q$name\E,/;
        return $line =~ s/;(\s*)$/; if (planted(@@)) planted_free($argument);$1/r;
    }
    return $line;
}

# What a copy has before its first line. Arrays of cudaMalloc become static ones that end where the
# array ends.
my $PRELUDE = <<'END';
#include <stdlib.h>
#include <cuda_runtime.h>
static inline int planted(int which)
{
    const char *chosen = getenv("PLANTED");
    return chosen != NULL && atoi(chosen) == which;
}
static inline cudaStream_t planted_stream(int which)
{
    cudaStream_t stream = 0;
    if (planted(which))
    {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    }
    return stream;
}
#define planted_free(p) cudaFreeAsync((void *)(p), other_stream())
static inline cudaStream_t other_stream()
{
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    return stream;
}
END
my $STATIC_PRELUDE = <<'END';
#ifndef PLANTED_STATIC
#define PLANTED_STATIC
#include <cuda_runtime.h>
#define PLANTED_BYTES 131072
static __device__ __align__(256) char planted_0[PLANTED_BYTES], planted_1[PLANTED_BYTES];
static __device__ __align__(256) char planted_2[PLANTED_BYTES], planted_3[PLANTED_BYTES];
static void *planted_arrays[4];
template <typename T> static inline cudaError_t planted_malloc(T **p, size_t bytes)
{
    for (int i = 0; i < 4 && bytes <= PLANTED_BYTES; ++i)
    {
        if (planted_arrays[i] == NULL)
        {
            void *start;
            i == 0 ? cudaGetSymbolAddress(&start, planted_0) : i == 1 ? cudaGetSymbolAddress(&start, planted_1)
              : i == 2 ? cudaGetSymbolAddress(&start, planted_2) : cudaGetSymbolAddress(&start, planted_3);
            *p = (T *)(planted_arrays[i] = (char *)start + PLANTED_BYTES - bytes);
            return cudaSuccess;
        }
    }
    return cudaMalloc((void **)p, bytes);
}
static inline cudaError_t planted_end(const void *p)
{
    for (int i = 0; i < 4; ++i)
    {
        if (p != NULL && planted_arrays[i] == p)
        {
            planted_arrays[i] = NULL;
            return cudaSuccess;
        }
    }
    return cudaFree((void *)p);
}
#endif
END

# The bugs of a source: {sort, line, text, kinds, where, function, host, variant}.
sub bugs_of
{
    my ($file, $text, @lines) = @_;
    my @gpu_only = gpu_only(@lines);
    my @bugs;
    for my $f (functions($file, @lines))
    {
        for my $sort (@SORTS)
        {
            my ($name, $side, $change, $kinds, $where) = @$sort;
            next if ($side eq 'device') != !!$f->{device};
            my $variant = $change == \&bound_too_far ? $name =~ s/past-//r : '';
            next if $variant =~ /static|managed/ && $text !~ /\bcudaMalloc\(/;
            for my $i ($f->{from} - 1 .. $f->{to} - 1)
            {
                next if $gpu_only[$i];
                my $changed = $change->($lines[$i], $f, $text);
                push @bugs, {sort => $name, line => $i + 1, change => sub { $change->($_[0], $f, $text) }, kinds => $kinds, where => $where,
                    function => $f, host => !$f->{device}, variant => $variant}
                  if $changed ne $lines[$i];
            }
            my @barriers = grep { $_->{sort} eq 'barrier' && $_->{function} == $f } @bugs;
            $barriers[-1]{sort} = 'barrier-last' if $name eq 'barrier' && @barriers > 1;
            $barriers[0]{sort} = 'barrier-first' if $name eq 'barrier' && @barriers;
        }
    }
    return @bugs;
}

# ---- What is no bug ----

# Each: a pattern of source, function and sort, and one of the line.
my @NO_BUG;
my $NO_BUG_FILE = "$FindBin::Bin/races.txt";
for (split /\n/, text_of($NO_BUG_FILE))
{
    next if /^#|^\s*$/;
    my ($where, $text) = /^(\S+ \S+ [\w*-]+)(?: "(.*?)")?: \S/ or die "$NO_BUG_FILE: $_\n";
    push @NO_BUG, [join('', map { $_ eq '*' ? '.*' : quotemeta } split /(\*)/, $where), qr/@{[$text \/\/ '']}/];
}

sub is_no_bug
{
    my ($source, $bug, $line) = @_;
    my $where = basename($source) . " $bug->{function}{name} $bug->{sort}";
    return grep { $where =~ /^$_->[0]$/ && $line =~ $_->[1] } @NO_BUG;
}

# ---- Trying ----

my $root = getcwd();
my $scratch = tempdir(CLEANUP => 1);

# Whether a row of the checker's list names the bug.
sub names
{
    my ($row, $bug, $file, @reached) = @_;
    my ($kind, $kernel, @places) = @$row;
    return 0 if !grep { $kind eq $_ } split ' ', $bug->{kinds};
    @places = map { /([^\/]*):(\d+)$/ ? [$1, $2] : () } @places;
    return grep { $_->[0] eq basename($file) && $_->[1] == $bug->{line} } @places if $bug->{where} eq 'same';
    return $kernel ne '' || @places > 0 if $bug->{where} eq 'anywhere'; # it runs alone, and Thrust reads on the host
    for my $place (@places)
    {
        return 1 if grep { $place->[0] eq $_->{file} && $place->[1] >= $_->{from} && $place->[1] <= $_->{to} } @reached;
    }
    return 0;
}

sub runs
{
    my ($program) = @_;
    return @{$ARGUMENTS{$program->{name}}} if defined $ARGUMENTS{$program->{name}};
    my (undef, undef, undef, $usual) = @{(Sanitize::runs_of($program, 'checker'))[0]};
    my ($size) = $usual =~ /-n (\d+)(?: |$)/;
    my ($larger) = sort { $a <=> $b } grep { /^\d+$/ && $_ > ($size // 1e9) && $_ <= 1e5 } split ' ', $program->{Sizes} // '';
    return ($usual, defined $larger ? $usual =~ s/-n \d+/-n $larger/r =~ s/-r 2/-r 1/r : ());
}

sub try_copy
{
    my ($out, $program, $file, $number, $all, $lines, @bugs) = @_;
    my $dir = dirname($file);
    my @copy = @$lines;
    my $is_host = $bugs[0]{host};
    for my $i (0 .. $#bugs)
    {
        $_ = $bugs[$i]{change}->($_) =~ s/\@\@/$i + 1/ger for $copy[$bugs[$i]{line} - 1];
    }
    my $tree = "$scratch/$program->{name}";
    remove_tree($tree);
    make_path("$tree/$dir", "$tree/common");
    my ($variant) = ((map { $_->{variant} || () } @bugs), '');
    for my $other (glob("$dir*.cu*"), glob('common/*'))
    {
        my $text = $other eq $file ? join '', @copy : read_text($other);
        if ($other !~ /^common/ && $variant =~ /managed|static/)
        {
            $text =~ s/\bcudaMalloc\(/cudaMallocManaged(/g if $variant eq 'managed';
            $text =~ s/\bcudaMalloc\(/planted_malloc(/g, $text =~ s/\bcudaFree\(/planted_end(/g
              if $variant eq 'static';
        }
        write_plain("$tree/$other", $text);
    }
    write_plain("$tree/planted.h", $variant eq 'static' ? $STATIC_PRELUDE : $PRELUDE);
    my @flags = grep { /^-(?:l|D|rdc|std)/ } split ' ', join ' ', map { $program->{$_} // '' } qw(Flags Libs);
    my $said = said_by("$root/bin/cpucc", '--check', '-O2', '-g1', '-w', '-o', "$tree/program",
        ($variant eq 'static' || $is_host) ? ('-include', "$tree/planted.h") : (),
        (map { "$tree/$_" } $program->{file}, map { $dir . $_ } split ' ', $program->{Sources} // ''), @flags);
    if ($? != 0)
    {
        print $out "does not compile: $file: @{[map { $_->{sort} . ':' . $_->{line} } @bugs]}\n", substr($said, 0, 300), "\n" if @bugs == 1 || $is_host;
        return map { $_ => 0 } @bugs;
    }
    local $ENV{CUDACPU_CHECK_CSV} = "$tree/csv";
    local $ENV{CUDACPU_TIMEOUT} = 20;
    my %is_found;
    for my $i ($is_host ? 0 .. $#bugs : 0)
    {
        # Those of the host run one by one, those of the device together.
        local $ENV{PLANTED} = $i + 1;
        my @now = $is_host ? $bugs[$i] : @bugs;
        my @rows;
        for my $arguments (runs($program))
        {
            unlink "$tree/csv";
            chdir $tree;
            my @words = split ' ', $arguments;
            my ($devices) = $arguments =~ /^CUDACPU_DEVICES=(\d+)/ ? shift(@words) =~ /(\d+)/ : 1;
            local $ENV{CUDACPU_DEVICES} = $devices;
            $said = said_by('timeout', '300', "$tree/program", @words);
            chdir $root;
            for (-e "$tree/csv" ? split /\n/, read_text("$tree/csv") : ())
            {
                push @rows, [$1, $2, $3, $4] if /^([^,]*),error,\d+,"([^"]*)",([^,]*),[^,]*,([^,]*),/;
            }
            for my $bug (@now)
            {
                $is_found{$bug} ||= grep { names($_, $bug, $file, reached($bug->{function}, @$all)) } @rows;
            }
            last if !grep { !$is_found{$_} } @now;
        }
    }
    if (defined $keep && (@bugs == 1 || $is_host) && grep { !$is_found{$_} } @bugs)
    {
        my $to = "$keep/" . basename($file) . "-$number";
        remove_tree($to);
        rename $tree, $to or system 'cp', '-r', $tree, $to;
        write_plain("$to/bugs", join '', map { ($is_found{$bugs[$_]} ? 'found' : 'MISSED') . " $bugs[$_]{sort} $bugs[$_]{line} PLANTED=@{[$_ + 1]}\n" } 0 .. $#bugs);
        write_plain("$to/said", $said);
    }
    return %is_found;
}

sub write_plain
{
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!\n";
    print $file $text;
    close $file or die "$path: $!\n";
}

# The program and the headers of its chapter that it includes, each with the first one that does.
my %has_program;

sub sources_of
{
    my ($program) = @_;
    my @found = $program->{file};
    my %seen = map { $_ => 1 } @found;
    for (my $i = 0; $i < @found; ++$i)
    {
        for my $header (read_text($found[$i]) =~ /^#include "([\w-]+\.cuh)"/mg)
        {
            my $path = dirname($program->{file}) . $header;
            push @found, $path if -e $path && !$seen{$path}++;
        }
    }
    return @found;
}

# Bugs in the order in which they are taken: each sort in turn, however many lines it has. Rare ones come
# first.
sub in_turn
{
    my (@bugs) = @_;
    my %of_sort;
    push @{$of_sort{$_->{sort}}}, $_ for shuffled(@bugs);
    my @sorts = shuffled(sort keys %of_sort);
    my @order;
    for my $sorts ([grep { $IS_RARE{$_} } @sorts], [grep { !$IS_RARE{$_} } @sorts])
    {
        while (my @rest = grep { @{$of_sort{$_}} } @$sorts)
        {
            push @order, map { shift @{$of_sort{$_}} } @rest;
        }
    }
    return @order;
}

# The bugs of each copy. There are more copies as long as there are rare bugs. An index by one too far is
# tried in one kind of memory, and all those of a copy in the same.
sub device_copies
{
    my (@left) = @_;
    my @copies;
    while (@left && (@copies < $copies || grep { $IS_RARE{$_->{sort}} } @left))
    {
        my (%taken, @chosen);
        my $variant = '';
        for my $bug (in_turn(grep { @copies < $copies || $IS_RARE{$_->{sort}} } @left))
        {
            next if $taken{$bug->{function}} || ($bug->{variant} ne '' && $variant ne '' && $variant ne $bug->{variant});
            $variant = $bug->{variant} if $bug->{variant} ne '';
            $taken{$bug->{function}} = 1;
            push @chosen, $bug;
        }
        my %is_chosen = map { ($_ => 1, $_->{variant} ne '' ? ("past $_->{line}" => 1) : ()) } @chosen;
        @left = grep { !$is_chosen{$_} && !($_->{variant} ne '' && $is_chosen{"past $_->{line}"}) } @left;
        push @copies, \@chosen;
    }
    return @copies;
}

# One copy has all bugs of the host's, and one of them is switched on in each run.
sub host_copy
{
    my @bugs = in_turn(@_);
    my @rare = grep { $IS_RARE{$_->{sort}} } @bugs;
    my @others = grep { !$IS_RARE{$_->{sort}} } @bugs;
    my $most = 2 * $copies;
    return @bugs ? [@rare, @others[0 .. (@others < $most ? @others : $most) - 1]] : ();
}

sub try_program
{
    my ($out, $program, @mine) = @_;
    my @sources = sources_of($program);
    my $text = join '', map { read_text($_) } @sources;
    my @all = map { my $s = $_; functions($s, split /^/, read_text($s)) } @sources;
    my $number = 0;
    begin_chance($program->{name});
    for my $source (@mine)
    {
        my @lines = split /^/, read_text($source);
        my @bugs;
        for my $bug (bugs_of($source, $text, @lines))
        {
            if (is_no_bug($source, $bug, $lines[$bug->{line} - 1]))
            {
                printf $out "%-8s %-14s %s:%d %s\n", 'no bug', $bug->{sort}, $source, $bug->{line}, $bug->{function}{name};
                next;
            }
            push @bugs, $bug;
        }
        for my $chosen (device_copies(grep { !$_->{host} } @bugs), host_copy(grep { $_->{host} } @bugs))
        {
            my @chosen = sort { $a->{line} <=> $b->{line} } @$chosen;
            my @copy = ($out, $program, $source, ++$number, \@all, \@lines);
            my %is_found = $list ? () : try_copy(@copy, @chosen);
            for my $bug (@chosen)
            {
                if (!$list && !$is_found{$bug} && @chosen > 1 && !$bug->{host})
                {
                    $copy[3] = "$number-$bug->{sort}-$bug->{line}";
                    %is_found = (%is_found, try_copy(@copy, $bug));
                }
                printf $out "%-8s %-14s %s:%d %s\n", $list ? 'bug' : $is_found{$bug} ? 'found' : 'MISSED', $bug->{sort}, $source,
                  $bug->{line}, $bug->{function}{name};
            }
        }
    }
}

# ---- All programs, some at a time ----

$| = 1;
$SIG{$_} = sub { exit 130 } for qw(HUP INT TERM);
my $began = time;
if (defined $keep)
{
    die "$keep is there already\n" if -e $keep; # what lies in it is somebody's
    make_path($keep);
    $keep = abs_path($keep);
}
my (@programs, @sources);
for my $program (grep { !$_->{extra} && $_->{file} =~ /\.cu$/ } read_programs(source_files()))
{
    next if ($program->{Expect} // '') ne '' || ($program->{Faults} // '') ne '' || ($program->{Uses} // '') =~ /MPI/
      || %{$program->{faults}}; # wrong on purpose
    next if ($program->{Needs} // '') =~ /^GPU/;
    my @mine = grep { !$has_program{$_}++ } sources_of($program);
    next if %wanted && !$wanted{$program->{name}};
    push @programs, [$program, @mine];
}
my (%running, %is_done);
my ($next, $shown) = (0, 0);
my %counts;
while ($shown < @programs)
{
    while (keys %running < $jobs && $next < @programs)
    {
        my $which = $next++;
        my $pid = fork // die "fork: $!\n";
        if ($pid == 0)
        {
            open my $out, '>', "$scratch/out-$which" or die "$scratch: $!\n";
            try_program($out, @{$programs[$which]});
            close $out;
            exec 'true'; # the folder stays for the others
        }
        $running{$pid} = $which;
    }
    my $pid = wait;
    $is_done{delete $running{$pid}} = 1 if $pid > 0 && exists $running{$pid};
    while ($is_done{$shown})
    {
        for (split /^/, read_text("$scratch/out-$shown"))
        {
            print;
            ++$counts{$2}{$1} if /^(found|MISSED|no bug|bug) +(\S+)/;
        }
        ++$shown;
    }
}
my %sum;
printf "%-16s %8s %8s %8s\n", 'sort', 'found', 'planted', 'no bug';
for my $sort (sort keys %counts)
{
    my %n = map { $_ => $counts{$sort}{$_} // 0 } 'found', 'MISSED', 'no bug', 'bug';
    printf "%-16s %8d %8d %8d\n", $sort, $n{found}, $n{found} + $n{MISSED} + $n{bug}, $n{'no bug'};
    $sum{$_} += $n{$_} for keys %n;
}
printf "%-16s %8d %8d %8d\n", 'all', map { $_ // 0 } $sum{found}, ($sum{found} // 0) + ($sum{MISSED} // 0) + ($sum{bug} // 0), $sum{'no bug'};
printf "%.0f minutes, %d at a time\n", (time - $began) / 60, $jobs;
exit(($sum{MISSED} // 0) > 0);
