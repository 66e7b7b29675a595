# ./suite units: what is tested by itself, and whether .ci/tested knows it. A unit is a program under
# all tests that go through the programs, the same under nvcc or under the checker, or another test.
#
#   ./suite units                        each unit: known or not, its seconds, its name
#   ./suite units --choose SECONDS SEED  of those that are not known as many as fit: KIND NAME ...
#   ./suite units --record FILE          writes them into .ci/tested; FILE has lines KIND NAME SECONDS
#
# .ci/tested has a line for each unit that has passed: kind, name, a digest of all its inputs, and how
# many seconds it took one core. The inputs are the contents of the files that the unit reads, and the
# versions of the compilers. So a unit is known, in whatever commit it was tested, until one of them
# is another.
package Units;
use strict;
use warnings;
use Digest::SHA qw(sha1_hex);
use Files;
use Programs;

my $TESTED = '.ci/tested';

# The files of tests that go through the programs one by one. A program under all of them is a unit.
our @OF_PROGRAMS = qw(programs usage estimates undefined);
# The tests of the backend that .ci/run runs with clang++, too.
our @WITH_CLANG = qw(runtime conformance faults layers checker counter);

# What a unit takes one core if nothing is known.
my %SECONDS = (test => 10, nvcc => 4, check => 4, file => 20, clang => 40);

# What the line `# Inputs: ...` of a test may name beside globs. A test without the line depends on
# every file.
my %GROUPS = (
    programs => 'ch*/*.cu ch*/*.cuh ch*/*.cpp common/*.cuh common/suite/*.cuh tests/programs.txt',
    backend => 'cpu/cpucc cpu/include/* cpu/include/*/* cpu/include/*/*/* cpu/include/*/*/*/*'
      . ' cpu/runtime/*.[ch] cpu/rewriter/* cpu/libraries/*/* cpu/checker/*.[ch] cpu/rules.mk',
    counter => 'cpu/counter/*.[ch]',
    docs => '*.md docs/* ch*/*.md cpu/*.md cpu/*/*.md tests/*.md bench/*.md exercises/*.md .github/*.md',
    make => 'Makefile suite make/* make/*/* cpu/rules.mk cpu/Makefile',
    figures => 'figures/* figures/*/* bench/* bench/*/*',
    chinese => 'ch*/zh/*.po common/zh/*.po docs/glossary.md');

my $HARNESS = 'tests/*.pm cpu/tests/*.pm tests/fence.c make/Programs.pm make/Catalogue.pm'
  . ' make/Files.pm';

sub units
{
    my ($how, @arguments) = @_;
    my @units = read_units();
    return choose(\@units, @arguments) if ($how // '') eq '--choose';
    return record(\@units, @arguments) if ($how // '') eq '--record';
    printf "%-5s %4.0f s  %s %s\n", $_->{is_known} ? 'known' : 'new', @{$_}{qw(seconds kind name)} for @units;
    return 0;
}

# ---- The units and their inputs -----------------------------------------------------------------

my %digest; # of what has been read

sub read_units
{
    my @programs = read_programs(source_files());
    my @units;
    for my $program (grep { !$_->{extra} } @programs)
    {
        my $name = $program->{name};
        my @sources = with_headers($program->{file},
            map { "$program->{dir}/$_" } split ' ', $program->{Sources} // '');
        # Of tests/programs.txt only its own lines are an input.
        my $its_lines = "tests/programs.txt: $name";
        $digest{$its_lines} = sha1_hex($program->{for_tests});
        my @tests = map { "tests/$_.t" } @OF_PROGRAMS;
        push @units, unit('test', $name, 'g++', @sources, $its_lines, @tests,
            files_of("tests/golden/$name.*"), files_of($HARNESS), files_of($GROUPS{backend}));
        next if $program->{file} =~ /\.cpp$/;
        push @units, unit('nvcc', $name, 'nvcc', @sources, 'tests/Standalone.pm', 'tests/standalone.t');
        push @units, unit('check', $name, 'clang++', @sources, $its_lines, 'make/Sanitize.pm',
            files_of($GROUPS{backend}));
    }
    my %of_program = map { $_ => 1 } @OF_PROGRAMS, qw(quick standalone);
    for my $file (sorted('tests/*.t', 'cpu/tests/*.t'))
    {
        my ($path, $name) = ($file =~ s/\.t$//r, basename($file) =~ s/\.t$//r);
        next if $of_program{$name};
        push @units, unit('file', $path, 'g++', inputs_of($file));
        push @units, unit('clang', $path, 'clang++', inputs_of($file))
          if $file =~ /^cpu/ && grep { $_ eq $name } @WITH_CLANG;
    }
    my %known = map { ("$_->[0] $_->[1]" => $_) } known();
    for my $unit (@units)
    {
        my $line = $known{"$unit->{kind} $unit->{name}"} // ['', '', '', $SECONDS{$unit->{kind}}];
        $unit->{is_known} = $line->[2] eq $unit->{digest};
        $unit->{seconds} = $line->[3];
    }
    return @units;
}

sub unit
{
    my ($kind, $name, $compiler, @files) = @_;
    my %files = map { $_ => 1 } grep { -f || $digest{$_} } @files;
    my $all = join "\n", version_of($compiler), map { "$_ " . digest_of($_) } sort keys %files;
    return {kind => $kind, name => $name, files => \%files, digest => substr(sha1_hex($all), 0, 16)};
}

sub files_of
{
    return grep { -f } map { glob } @_;
}

# Sources, and what they include by "...", and so on.
my %included;

sub with_headers
{
    my (@files) = @_;
    my %all;
    while (@files)
    {
        my $file = shift @files;
        next if $all{$file}++;
        my $text = text_of($file);
        $included{$file} //= [map({ shortest(dirname($file) . $_) }
              $text =~ /^[ \t]*#[ \t]*include[ \t]*"([^"\n]*)"/mg),
            $text =~ /^[ \t]*#[ \t]*include[ \t]*<suite\.cuh>/m ? 'common/suite/suite.cuh' : ()];
        push @files, @{$included{$file}};
    }
    return keys %all;
}

# ch03_framework/../common/args.cuh is common/args.cuh.
sub shortest
{
    my ($path) = @_;
    1 while $path =~ s{(^|/)(?!\.\./)[^/]+/\.\./}{$1};
    return $path;
}

sub inputs_of
{
    my ($test) = @_;
    my $stem = $test =~ s/\.t$//r;
    my ($comment) = read_text($test) =~ /\A((?:#.*\n)*)/;
    my ($line) = $comment =~ /^# Inputs: (.*)$/m;
    my @words = defined $line ? split(' ', $line) : ();
    my @groups = defined $line ? map { $GROUPS{$_} // $_ } @words : every_file();
    return ($test, files_of("$stem/* $stem/*/*"), files_of($HARNESS), files_of(@groups));
}

# All that git knows or would know.
my @every;

sub every_file
{
    @every = grep { $_ ne $TESTED } split /\n/, output_of(qw(git ls-files -co --exclude-standard)) if !@every;
    return @every;
}

sub digest_of
{
    my ($file) = @_;
    return $digest{$file} //= sha1_hex(read_text($file));
}

my %version;

sub version_of
{
    my ($compiler) = @_;
    my $command = $compiler ne 'nvcc' || on_path('nvcc') ? $compiler : '/usr/local/cuda/bin/nvcc';
    return $version{$compiler} //=
      join ' ', grep { /\d+\.\d+/ && !/Copyright|Built/ } split /\n/, output_of($command, '--version');
}

# ---- What is known ------------------------------------------------------------------------------

sub known
{
    return map { [split] } split /\n/, text_of($TESTED);
}

# The units that have passed, with what they took, in place of their lines.
sub record
{
    my ($units, $file) = @_;
    my %line = map { ("$_->[0] $_->[1]" => "@$_") } known();
    my %unit = map { ("$_->{kind} $_->{name}" => $_) } @$units;
    delete @line{grep { !$unit{$_} } keys %line};
    for (split /\n/, read_text($file))
    {
        my ($kind, $name, $seconds) = split;
        my $unit = $unit{"$kind $name"} // next;
        my ($before) = ($line{"$kind $name"} // '') =~ / (\d+)$/;
        $line{"$kind $name"} = join ' ', $kind, $name, $unit->{digest}, defined $seconds
          ? sprintf('%.0f', $seconds) : $before // $SECONDS{$kind};
    }
    write_text($TESTED, join '', map { "$line{$_}\n" } sort keys %line);
    return 0;
}

# Whatever is chosen, the same commit gives the
# same: SEED is the commit.
sub choose
{
    my ($units, $seconds, $seed) = @_;
    my @new = grep { !$_->{is_known} } @$units;
    my $cores = nproc();
    my ($sum, @chosen, @left) = (0);
    my %rank = map { $_ => sha1_hex("$seed $_->{kind} $_->{digest}") } @new;
    for my $unit (sort { $rank{$a} cmp $rank{$b} } @new)
    {
        my $fits = $sum + $unit->{seconds} <= $seconds * $cores;
        $sum += $unit->{seconds} if $fits;
        push @{$fits ? \@chosen : \@left}, $unit;
    }
    printf "# %d of %d units are new; %d of them, about %.0f s on %d cores, are run whole\n", scalar @new,
      scalar @$units, scalar @chosen, $sum / $cores, $cores;
    for my $kind (qw(test nvcc check file clang))
    {
        my @names = map { sort map { $_->{name} } grep { $_->{kind} eq $kind } @$_ } \@left;
        print "# left out, $kind: @names\n" if @names;
    }
    for my $kind (qw(test nvcc check file clang))
    {
        my @names = sort map { $_->{name} } grep { $_->{kind} eq $kind } @chosen;
        print "$kind @names\n" if @names;
    }
    return 0;
}

1;
