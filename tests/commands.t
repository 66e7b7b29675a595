# What the documents say to type can be typed: the commands of console blocks, and those that stand
# in sentences. (tests/readme.t runs the sh blocks and draws what gnuplot is to draw.)
#
#   ./bin/NAME ...   is run, on the CPU backend at a size that it is tested with (arguments_here)
#   make ...         make must know its goals and its variables
#   nvcc ...         is run as cpucc, and then ./a.out; in .ci/run nvcc compiles it as well
#   compute-sanitizer, nsys, ncu ... ./bin/NAME ...   is run without the tool
#
# A console block that needs a GPU or another tool comes after <!-- needs a GPU -->, or what else it
# needs. Of it, ./bin/NAME is run without the tool as well, and nvcc where it is there.
#
# A command ends as the header of its program says, or as the document does: <!-- status 3: COMMAND
# -->.
#
# Inputs: programs backend docs make
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Documents;
use List::Util qw(max min product);
use Suite;
use Parallel;
use Device;
use Test::More;

my $A_TOOL = qr/^(?:compute-sanitizer|nsys|ncu)\b/;
# tests/checker.t runs what is built with the checker.
my $RUN_ELSEWHERE = qr/^(?:cuobjdump|nvdisasm|echo|cd)\b|^nvcc -|^bench\/compare|^\.\/build\/cpu-\*-checker\/|^\.\/suite zh\b|^(?:(?:SUITE_ONLY=\w+ )?prove|perl|bash) (?:tests|\.ci)\//;

# A place of its own for each command: the programs, the chapters' sources, and on the CPU backend
# nvcc, which is cpucc.
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

# A size that has more elements than each that the program is tested with becomes the largest of
# these. Where others have three dimensions, 64 may mean 64x64x64.
sub size_here
{
    my ($size, @tested) = @_;
    my @parts = split /x/, $size;
    my $dims = max(scalar @parts, map { 1 + tr/x// } @tested);
    my ($largest) = sort { product(split /x/, $b) <=> product(split /x/, $a) } @tested;
    return product(@parts) ** ($dims / @parts) > product(split /x/, $largest) ? $largest : $size;
}

# Where the numbers of a command stand: {'-n' => 1, '--steps' => 4, 0 => 2, 1 => 3}, the position of
# each option's value and of the first and second number without an option.
sub numbers_in
{
    my ($program, @args) = @_;
    my %has_value = map { $_->[0] => $_->[1] ne '' } @{described($program)->{options}};
    my ($at, $count, %numbers) = (0, 0);
    while ($at < @args)
    {
        my $arg = $args[$at];
        ++$at if $has_value{$arg};
        my $is_number = ($args[$at] // '') =~ /^\d+(e\d+|(x\d+)*)$/;
        $numbers{$arg =~ /^-/ ? $arg : $count++} = $at if $is_number;
        ++$at;
    }
    return %numbers;
}

# What is run for a command with the sizes of a GPU: its size is one that the program is tested
# with, and a number that `Small:` has, too, is at most the one there. --book has a size of its own.
sub arguments_here
{
    my ($program, @args) = @_;
    my @small = split ' ', $program->{Small} // '';
    my %number = numbers_in($program, @args);
    my %least = numbers_in($program, @small);
    my @tested = sizes($program);
    my $size = defined $number{-n} ? '-n' : 0;
    for my $name (keys %number)
    {
        my $value = \$args[$number{$name}];
        if ($name eq $size && @tested) { $$value = size_here($$value, @tested) }
        elsif (defined $least{$name}) { $$value = min($$value, $small[$least{$name}]) }
    }
    my ($largest) = sort { product(split /x/, $b) <=> product(split /x/, $a) } @tested;
    push @args, '-n', $largest if "@args" =~ /--book/ && !defined $number{-n};
    return @args;
}

sub test_run
{
    my ($place, $part, $status_wanted) = @_;
    my ($before, $name, $args) = $part =~ m{^(.*?\./bin/(?:dp/)?([\w-]+)) ?(.*)$};
    my $program = program($name);
    my $command = $part;
    return ok(0, "$part: there is no program $name") unless $program;
    my $asks_for_several = $part =~ /DEVICES=\d|--devices? \d/ && $part !~ /--share/;
    if ($program && $BACKEND eq 'cpu')
    {
        my ($own, $rest) = $args =~ /^([^>|]*)(.*)$/;    # what the shell does with it stays
        $command = join ' ', $before, arguments_here($program, split ' ', $own), $rest;
        $command = "CUDACPU_DEVICES=4 $command" if $asks_for_several;
    }
    $command .= ' -r 2' if $command !~ / -r |>/ && grep { $_->[0] eq '-r' } @{described($program)->{options}};
    return pass("$part: not built here") unless -x "$place/bin/$name";
    # How many devices there are, how much memory, and what a fault does, only the CPU backend
    # knows.
    return pass("$part: not on every GPU")
      if $BACKEND eq 'cuda' && ($asks_for_several || $part =~ /--force/ || defined $status_wanted);
    my $run = sub { sh("cd '$place'; $command", env => {CUDACPU_LEAKS => undef}) };
    my $is_large = $BACKEND eq 'cuda' && $command !~ / -n /;
    my $ran = $is_large ? with_the_whole_device('commands', $run) : $run->();
    my ($version) = $command =~ /-k (\S+)/;
    my $status = $ran->{status} // -1;
    my $wanted = $status_wanted // $program->{Expect};
    my $may_skip = $program->{Needs} || $version && described($program)->{needs}{$version};
    ok(!$ran->{hung} && ($status == $wanted || $may_skip && $status == 77 && $BACKEND eq 'cpu'),
        $part)
      or diag(describe($ran));
}

sub test_nvcc
{
    my ($place, $part, $dir, $job) = @_;
    my $only_nvcc = $job->{mark};
    my $in_standalone =
      grep { $_->{Compile} eq $part } all_programs();    # that test compiles these by nvcc
    return pass("$dir: $part is in standalone.t")
      if $BACKEND eq 'cuda' && $in_standalone && $job->{command} !~ m{\./a\.out};
    if (!$only_nvcc)
    {
        my $compiled = sh("cd '$place/$dir' && PATH='$place/tools':\$PATH && $part");
        is($compiled->{status} ? 1 : 0, $job->{status} // 0, "$dir: $part")
          or diag(describe($compiled));
    }
    return pass("$dir: $part is for nvcc")
      unless $BACKEND eq 'cpu' && $ENV{SUITE_NVCC} && on_path('nvcc');
    return if $in_standalone;
    my $by_nvcc = sh("cd '$place/$dir' && $part -o by-nvcc", limit => 400);
    is($by_nvcc->{status} ? 1 : 0, $job->{status} // 0, "$dir: $part, by nvcc")
      or diag(describe($by_nvcc));
}

# What the nvcc before it made. Machine code for one architecture only runs on no other, and says
# so.
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
        if ($part =~ /^make\b/) { is(join(' ', unknown_to_make($part)), '', "$where: make knows all of $part") }
        elsif ($part =~ /^nvcc\b.*\.cu\b/) { test_nvcc($place, $part, $dir, $job) }
        elsif ($part eq './a.out') { test_compiled("$place/$dir", $command, $where) }
        elsif ($part =~ $A_TOOL && $part =~ m{(\./bin/.*)}) { test_run($place, $1, $job->{status}) }
        elsif ($part =~ m{^(?:[A-Z_]+=\S*\s+)*\./bin/}) { test_run($place, $part, $job->{status}) }
        else { like($part, qr/$A_TOOL|$RUN_ELSEWHERE/, "$where: $part is known") }
    }
}

# ---- All of them ----

my (%jobs, %status);
for my $document (documents())
{
    my $text = read_text($document);
    $status{$2} = $1 while $text =~ /<!-- status (\d+): (.*?) -->/g;
    for my $found (text_commands($text))
    {
        my $command = $found->{command};
        next if $found->{in} eq 'sh' || $command =~ /^gnuplot\b/;
        next if $found->{mark} && $command !~ m{^\./bin/|$A_TOOL.*\./bin/|\bnvcc\b};
        $jobs{$command} //= {%$found, document => $document, where => "$document:$found->{line}"};
    }
}
my @jobs = sort { $a->{where} cmp $b->{where} } values %jobs;
for my $job (@jobs)
{
    my ($key) = grep { index($job->{command}, $_) >= 0 } sort keys %status;
    $job->{status} = $status{$key} if defined $key;
}
test_in_parallel(\&test_command, sub { $_[0]{where} }, \@jobs);
