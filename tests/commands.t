# What the documents say to type can be typed: the commands of console blocks, and those that stand in
# sentences. (tests/readme.t runs the sh blocks and draws what gnuplot is to draw.)
#
#   ./bin/NAME ...   is run; %SMALLER has a smaller size where the document's is a GPU's
#   make ...         make must know its goals and its variables
#   nvcc ...         is run as cpucc, and then ./a.out; in .ci/run nvcc compiles it as well
#   compute-sanitizer, nsys, ncu ... ./bin/NAME ...   is run without the tool
#
# A console block that needs a GPU or another tool comes after <!-- needs a GPU -->, or what else it needs.
# Of it, ./bin/NAME is run without the tool as well, and nvcc where it is there.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Documents;
use Suite;
use Parallel;
use Device;
use Test::More;

# Commands with the sizes of a GPU, and what is run instead.
my %SMALLER = (
    './bin/dp/add-managed -n 100000000' => './bin/dp/add-managed -n 100000',
    './bin/graph-launch -n 10000000 --kernels 100' => './bin/graph-launch -n 10000 --kernels 100',
    './bin/histogram -k packed --bins 116000' => './bin/histogram -k packed --bins 116000 -n 100000',
    './bin/histogram -n 134217728 --bins 256 --data constant' => './bin/histogram -n 100000 --bins 256 --data constant',
    './bin/kernel-transfer -n 67108864' => './bin/kernel-transfer -n 100003',
    './bin/ljmd 10 20000' => './bin/ljmd 5 20',
    './bin/ljmd 10 20000 -o argon-' => './bin/ljmd 5 200 -o argon-',
    './bin/ljmd 6 1000 --xyz --interval 10' => './bin/ljmd 5 20 --xyz --interval 10',
    './bin/ljmd-fast 100 200 --steps 1000' => './bin/ljmd-fast 5 20 --steps 20',
    './bin/ljmd-fast 136 100 --steps 400' => './bin/ljmd-fast 5 10 --steps 10',
    './bin/ljmd 40 200 --steps 4000' => './bin/ljmd 5 20 --steps 40',
    './bin/ljmd-fast 40 200 --steps 4000' => './bin/ljmd-fast 5 20 --steps 40',
    './bin/ljmd-fast 40 2000 --density 1.3 --temperature 150 --steps 2000' => './bin/ljmd-fast 5 50 --density 1.3 --temperature 150 --steps 50',
    './bin/dp/ljmd-fast 40 200 --steps 4000' => './bin/dp/ljmd-fast 5 20 --steps 40',
    './bin/ljmd-multi 100 200 --steps 1000 --devices 2 --share' => './bin/ljmd-multi 8 20 --steps 20 --devices 2 --share',
    './bin/ljmd-multi 100 200 --steps 1000 --devices 2' => 'CUDACPU_DEVICES=2 ./bin/ljmd-multi 8 20 --steps 20 --devices 2',
    './bin/ljmd-multi 171 100 --steps 400 --devices 2' => 'CUDACPU_DEVICES=2 ./bin/ljmd-multi 9 10 --steps 10 --devices 2',
    './bin/cusparse-spmv --random -n 4000000x1000000' => './bin/cusparse-spmv --random -n 4000x1000',
    './bin/cusparse-spmv -n 1x1000000' => './bin/cusparse-spmv -n 1x10000',
    './bin/matrix-add -n 5000x5000' => './bin/matrix-add -n 500x500',
    './bin/matmul -n 1024' => './bin/matmul -n 128',
    './bin/matmul -n 4096x4095x4096' => './bin/matmul -n 96x95x96',
    './bin/matrix -b 1x1024' => './bin/matrix -n 500x500 -b 1x1024',
    './bin/nbody -n 5000' => './bin/nbody -n 500',
    './bin/query --device 1' => 'CUDACPU_DEVICES=2 ./bin/query --device 1',
    './bin/reduce --book' => './bin/reduce --book -n 100000',
    './bin/reduce1cpu --book' => './bin/reduce1cpu --book -n 100000',
    './bin/stencil --radius 40 -b 32' => './bin/stencil -n 50x40x30 --radius 40 -b 32',
    './bin/transpose -n 9999x10001' => './bin/transpose -n 199x201',
    'CUDA_VISIBLE_DEVICES=1 ./bin/query' => 'CUDACPU_DEVICES=2 CUDA_VISIBLE_DEVICES=1 ./bin/query',
    'CUDA_VISIBLE_DEVICES=1,0 ./bin/peer-copy' => 'CUDACPU_DEVICES=2 CUDA_VISIBLE_DEVICES=1,0 ./bin/peer-copy',
);

# What is wrong on purpose ends with this status.
my %STATUS = (
    'nvcc -O3 rdc.cu rdc-there.cu' => 1,
    './bin/memcheck -k oob' => 3,
    'CUDA_VISIBLE_DEVICES= ./bin/query' => 77,
    './bin/neighbor2gpu -n 22464 --mn 3' => 2,
    './bin/cusolver-eigen --nan' => 3,
);

my $A_TOOL = qr/^(?:compute-sanitizer|nsys|ncu)\b/;
my $CAN_RUN = qr{^(?:[A-Z_]+=\S*\s+)*\./bin/|^(?:make|nvcc|gnuplot|echo|cd)\b|^\./a\.out$|^(?:SUITE_ONLY=\w+ prove|perl|bash) (?:tests|\.ci)/};
my $RUN_ELSEWHERE = qr/^(?:cuobjdump|nvdisasm|echo|cd)\b|^nvcc -|^bench\/compare|^(?:SUITE_ONLY=\w+ prove|perl|bash) (?:tests|\.ci)\//;

# A place of its own for each command: the programs, the chapters' sources, and on the CPU backend nvcc,
# which is cpucc.
sub place_for_commands
{
    my ($sources) = @_;
    my $place = tempdir(CLEANUP => 1);
    sh("mkdir -p '$place/bin/dp' '$place/build' '$place/tools'");
    sh("cp -a ch* common '$place'") if $sources;
    for (buildable_programs())
    {
        symlink binary($_), "$place/bin/$_->{name}";
        symlink binary($_, 'double'), "$place/bin/dp/$_->{name}";
    }
    symlink $CPUCC, "$place/tools/nvcc" if $BACKEND eq 'cpu';
    return $place;
}

# The parts of a command as a shell sees them: `make reduce && ./bin/reduce` are two.
sub parts
{
    my ($command) = @_;
    return grep { $_ ne '' } map { s/^\s+|\s+$//gr } split /&&|;(?![^"']*["'][^"']*$)/, $command;
}

sub test_run
{
    my ($place, $part, $dir) = @_;
    my $command = $SMALLER{$part} // $part;
    my ($name) = $command =~ m{\./bin/(?:dp/)?([\w-]+)};
    my $program = program($name);
    $command .= ' -r 2' if $command !~ / -r |>/ && grep { $_->[0] eq '-r' } @{$program->{options}};
    return ok(0, "$part: there is no program $name") unless $program;
    return pass("$part: not built here") unless -x "$place/bin/$name";
    # How many devices there are, how much memory, and what a fault does, only the CPU backend knows.
    return pass("$part: not on every GPU")
      if $BACKEND eq 'cuda' && ($command =~ /--force|DEVICES/ || $STATUS{$part});
    my $run = sub { sh("cd '$place'; $command", limit => 120, env => {CUDACPU_LEAKS => undef}) };
    my $is_large = $BACKEND eq 'cuda' && $command !~ / -n /;
    my $ran = $is_large ? with_the_whole_device('commands', $run) : $run->();
    my ($version) = $command =~ /-k (\S+)/;
    my $status = $ran->{status} // -1;
    my $wanted = $STATUS{$part} // $program->{Expect};
    my $may_skip = $program->{Needs} || $version && $program->{needs}{$version};
    ok(!$ran->{hung} && ($status == $wanted || $may_skip && $status == 77 && $BACKEND eq 'cpu'), $part)
      or diag(describe($ran));
}

my $MAKEFILE = read_text('Makefile');
my ($goals) = $MAKEFILE =~ /^COMMANDS := ((?:.*\\\n)*.*)/m;
my %GOALS = map { $_ => 1 } split(/[\s\\]+/, $goals), map({ ($_->{name}, substr $_->{dir}, 0, 4) } all_programs());
my $VARIABLES = join '', $MAKEFILE, map { read_text($_) } glob 'make/*.pm';

sub test_make
{
    my ($part) = @_;
    my @words = $part =~ /((?:"[^"]*"|'[^']*'|\S)+)/g;
    my @unknown = grep { /^([A-Z_]+)=/ ? $VARIABLES !~ /\b$1\b/ : !/^(?:make|-.*)$/ && !$GOALS{$_} } @words;
    ok(!@unknown, $part) or diag("  make has no @unknown");
}

sub test_nvcc
{
    my ($place, $part, $dir, $job) = @_;
    my $only_nvcc = $job->{mark};
    my $in_standalone = grep { $_->{Compile} eq $part } all_programs(); # that test compiles these by nvcc
    return pass("$dir: $part is in standalone.t") if $BACKEND eq 'cuda' && $in_standalone && $job->{command} !~ m{\./a\.out};
    if (!$only_nvcc)
    {
        my $compiled = sh("cd '$place/$dir' && PATH='$place/tools':\$PATH && $part");
        is($compiled->{status} ? 1 : 0, $STATUS{$part} // 0, "$dir: $part") or diag(describe($compiled));
    }
    return pass("$dir: $part is for nvcc")
      unless $BACKEND eq 'cpu' && $ENV{SUITE_NVCC} && on_path('nvcc');
    return if $in_standalone;
    my $by_nvcc = sh("cd '$place/$dir' && $part -o by-nvcc", limit => 400);
    is($by_nvcc->{status} ? 1 : 0, $STATUS{$part} // 0, "$dir: $part, by nvcc") or diag(describe($by_nvcc));
}

# What the nvcc before it made. Machine code for one architecture only runs on no other, and says so.
sub test_compiled
{
    my ($dir, $command, $where) = @_;
    my $ran = sh("cd '$dir' && ./a.out");
    my $is_for_another = $command =~ /code=sm_/ && $ran->{out} =~ /none: error 209.*\n\nNo image/s;
    my $skips = ($ran->{status} // -1) == 77;
    is($ran->{status}, $is_for_another ? 3 : $skips ? 77 : 0, "$where: $command")
      or diag(describe($ran));
}

sub test_command
{
    my ($job) = @_;
    my ($command, $where) = @$job{qw(command where)};
    my $place = place_for_commands($command =~ /\bnvcc\b/);
    my $dir = $job->{document} =~ m{^(ch\w+)/} ? $1 : '.';
    if ($command =~ /\bnvcc\b.*?([\w-]+\.cu)\b/)
    {
        ($dir) = map { dirname($_) } glob "ch*/$1";
        return pass("$where: $command has a file of the reader's or of the book") unless $dir;
    }
    for my $part (parts($command))
    {
        if ($part =~ /^make\b/) { test_make($part) }
        elsif ($part =~ /^nvcc\b.*\.cu\b/) { test_nvcc($place, $part, $dir, $job) }
        elsif ($part eq './a.out') { test_compiled("$place/$dir", $command, $where) }
        elsif ($part =~ $A_TOOL && $part =~ m{(\./bin/.*)}) { test_run($place, $1) }
        elsif ($part =~ m{^(?:[A-Z_]+=\S*\s+)*\./bin/}) { test_run($place, $part) }
        else { like($part, qr/$A_TOOL|$RUN_ELSEWHERE/, "$where: $part is known") }
    }
}

# ---- All of them ----

my (%jobs, @unmarked);
for my $document (documents())
{
    for my $found (text_commands(read_text($document)))
    {
        my $command = $found->{command};
        next if $found->{in} eq 'sh' || $command =~ /^gnuplot\b/;
        push @unmarked, "$document:$found->{line}: $command"
          if $found->{in} eq 'console' && !$found->{mark} && parts($command) && grep { !/$CAN_RUN/ } parts($command);
        next if $found->{mark} && $command !~ m{^\./bin/|$A_TOOL.*\./bin/|\bnvcc\b};
        $jobs{$command} //= {%$found, document => $document, where => "$document:$found->{line}"};
    }
}
my @jobs = sort { $a->{where} cmp $b->{where} } values %jobs;
my %used = map { (s{^$A_TOOL.*(?=\./bin/)}{}r => 1) } map { parts($_->{command}) } @jobs;
my @stale = grep { !$ENV{SUITE_ONLY} && !$used{$_} } keys %SMALLER, keys %STATUS;

test_in_parallel(sub { ref $_[0] eq 'CODE' ? $_[0]->() : test_command($_[0]) },
    sub { ref $_[0] eq 'CODE' ? 'the documents' : $_[0]{where} },
    [@jobs, sub
    {
        ok(!@unmarked, 'what only another tool can do is marked') or diag(map { "  $_\n" } @unmarked);
        ok(!@stale, 'every size made smaller is in a document') or diag(map { "  $_\n" } @stale);
    }]);
