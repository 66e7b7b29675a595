# ./suite toolkits [NAME...]: tries programs, all or some, with CUDA toolkits that are not installed
# here. PyPI has their parts; pip fetches them, and they are put together as a toolkit.
#
#   TOOLKITS="13.5.0 12.0.0"  which; PyPI's cuda-toolkit has these versions
#   TOOLKITS_AT=FOLDER        where they are put, or already are: build/toolkits if not given
#   TOOLKITS_QUICK=1          less: a program of each chapter, no large libraries
#
# PyPI has nvcc from CUDA 13 on. It builds each program for each of the architectures below, and
# cuobjdump has to find code for each in the program. Of CUDA 12 PyPI has all but nvcc: clang++
# reads the programs with that toolkit's headers. A toolkit that cannot be had is skipped, and that
# is no failure.
package Toolkits;
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use Files;
use POSIX qw(_exit);
use Programs;

# The last toolkit, the last one of CUDA 12, and the oldest one that the suite supports.
my @TOOLKITS = qw(13.5.0 12.9.1 12.0.0);
my $CLANG = $ENV{CLANG} || 'clang++-19';
my $quick = $ENV{TOOLKITS_QUICK};
my @LIBRARIES = $quick ? () : qw(cublas cufft curand cusolver cusparse);
my @ARCHITECTURES = $quick ? 'sm_120' : map { "sm_$_" } qw(75 80 86 89 90 100 120);
my $at;
my @programs;

sub toolkits
{
    my (@names) = @_;
    my %wanted = map { $_ => 1 } @names;
    @programs = grep { $_->{file} =~ /\.cu$/ && (!@names || $wanted{$_->{name}}) }
      read_programs(source_files());
    my @toolkits = split ' ', $ENV{TOOLKITS} || "@TOOLKITS";
    $at = $ENV{TOOLKITS_AT} || 'build/toolkits';
    make_path($at);
    $at = abs_path($at);
    delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)}; # the make that is started here is its own master
    @ENV{qw(PIP_DISABLE_PIP_VERSION_CHECK PIP_ROOT_USER_ACTION)} = (1, 'ignore');
    $SIG{$_} = sub { exit 130 } for qw(HUP INT TERM);
    $| = 1;

    # All at once, because the mirror sends no single file at full speed.
    my @there = grep { on_path(compiler_for($_)) } @toolkits;
    my %problem = in_parallel(scalar @there, \&fetch, @there);
    my $failures = 0;
    for my $version (@toolkits)
    {
        my $problem = $problem{$version} // 'there is no ' . compiler_for($version);
        print "CUDA $version: skipped, because $problem\n" if $problem ne '';
        ++$failures if $problem eq '' && !try_toolkit($version);
    }
    fail("toolkits that failed: $failures") if $failures;
    return 0;
}

sub compiler_for
{
    my ($version) = @_;
    return $version =~ /^12\./ ? $CLANG : 'g++';
}

# Calls the function for each, in some processes at once: what it returns for each, a text.
sub in_parallel
{
    my ($processes, $function, @all) = @_;
    my @pipes;
    for my $part (0 .. $processes - 1)
    {
        my $pid = open($pipes[$part], '-|') // die "fork: $!\n";
        next if $pid;
        print map { "$_\n" . $function->($_) . "\0" }
          map { $all[$_] } grep { $_ % $processes == $part } 0 .. $#all;
        close STDOUT;
        _exit(0);
    }
    return map { split /\n/, $_, 2 } split /\0/, join '', map { readline $_ } @pipes;
}

# ---- Fetching: each of these returns what is wrong, or '' ----

# Parts of a toolkit, as PyPI's cuda-toolkit names them, put together in a folder.
sub fetch_parts
{
    my ($version, $folder, @parts) = @_;
    my $new = tempdir(basename($folder) . '.XXXXXX', DIR => $at, CLEANUP => 1);
    my $wanted = 'cuda-toolkit[' . join(',', @parts) . "]==$version";
    my $said = said_by('timeout', $ENV{TOOLKITS_PATIENCE} || 600, qw(python3 -m pip install),
        qw(--quiet --retries 1 --no-compile --only-binary :all: --target), $new, $wanted);
    my $wrong = $? == 0 ? ''
      : 'pip cannot fetch it: ' . ((split /\n/, $said)[-1] // 'it takes too long');
    # CUDA 13 lies in nvidia/cu13, CUDA 12 in a folder for each part.
    make_path($folder) if $wrong eq '';
    for my $part ($wrong eq '' ? sorted("$new/nvidia/*/") : ())
    {
        $wrong ||= said_by('cp', '-rlf', "$part.", $folder);
    }
    remove_tree($new);
    return $wrong;
}

# PyPI's first toolkits of CUDA 12 have no libcu++, which cuda_fp16.h, CUB and Thrust include.
sub fetch_libcuxx
{
    my ($folder) = @_;
    my $libcuxx = tempdir('libcu++.XXXXXX', DIR => $at, CLEANUP => 1);
    my $wrong = fetch_parts('12.3.2', $libcuxx, 'cccl');
    for my $part ($wrong eq '' ? qw(cuda nv) : ())
    {
        remove_tree("$folder/include/$part");
        rename "$libcuxx/include/$part", "$folder/include/$part";
    }
    remove_tree($libcuxx);
    return $wrong;
}

# A toolkit in $at/VERSION. Each file has-... says that these parts are already there.
sub fetch
{
    my ($version) = @_;
    my $folder = "$at/$version";
    my $old = $version =~ /^12\./;
    my $wrong = '';
    return "$folder is there already, and make toolkits has not made it"
      if -e $folder && !grep { -e "$folder/$_" } qw(fetched has-compiler has-libraries);
    make_path($folder);
    write_text("$folder/fetched", "by make toolkits\n");
    if (!-e "$folder/has-compiler")
    {
        # clang++ includes a header of cuRAND in every program.
        my @parts = $old ? qw(nvcc cudart cccl nvtx curand) : qw(nvcc cudart cccl cuobjdump);
        $wrong = fetch_parts($version, $folder, @parts);
        $wrong ||= fetch_libcuxx($folder) if $old && !-e "$folder/include/nv/target";
        write_text("$folder/has-compiler", '') if $wrong eq '';
    }
    if ($wrong eq '' && @LIBRARIES && !-e "$folder/has-libraries")
    {
        $wrong = fetch_parts($version, $folder, @LIBRARIES);
        write_text("$folder/has-libraries", '') if $wrong eq '';
    }
    # The linker looks for a library by its name without a version.
    for my $library (sorted("$folder/lib/lib*.so.*"))
    {
        my $short = $library =~ s/\.so\..*/.so/r;
        unlink $short;
        symlink basename($library), $short;
    }
    return $wrong;
}

# ---- Trying ----

# The programs to try, all whose libraries are there or the first such one of each chapter, and the
# names of those that are left out.
sub programs_for
{
    my ($version, $all) = @_;
    my (@chosen, %left_out, %seen);
    for my $program (@programs)
    {
        my @missing = grep { !-e "$at/$version/lib/lib$_.so" }
          map { s/^-l//r } split ' ', $program->{Libs} // '';
        $left_out{$program->{name}} = 1 if @missing && !$program->{extra};
        push @chosen, $program
          if !$left_out{$program->{name}} && ($all || !$seen{$program->{dir}}++);
    }
    return (\@chosen, sort keys %left_out);
}

# Whether the programs can be built, or read.
sub try_toolkit
{
    my ($version) = @_;
    # In a hurry the oldest toolkit reads all programs, because it lacks most.
    my ($chosen, @left_out) = programs_for($version, !$quick || $version =~ /^12\.0\./);
    my ($what, $wrong, @notes) = $version =~ /^12\./ ? read_with_clang($version, @$chosen)
      : build_with_nvcc($version, grep { !$_->{extra} } @$chosen);
    print $wrong;
    print "CUDA $version: ", $wrong eq '' ? $what : 'FAILED, as said above', "\n";
    print map { "    not $_\n" } @notes;
    print "    not @left_out: their libraries are not fetched\n" if @left_out;
    return $wrong eq '';
}

# make names its folder after the compiler, and so leaves alone what bin/ links to.
sub build_with_nvcc
{
    my ($version, @wanted) = @_;
    my $bin = "$at/$version/bin";
    symlink 'nvcc', "$bin/nvcc-$version";
    my @built = map { "build/cuda-nvcc-$version-float/$_->{name}" } @wanted;
    my $wrong = said_by(qw(make --keep-going --silent), '-j' . nproc(), 'BACKEND=cuda',
        "NVCC=$bin/nvcc-$version", "ARCH=@ARCHITECTURES", @built);
    $wrong = $? == 0 ? '' : "${wrong}FAILED: a program cannot be built\n";
    for my $program (@built)
    {
        my $code = said_by("$bin/cuobjdump", '-lelf', '-lptx', $program);
        $wrong .= join '', map { "FAILED: $program has no code for $_\n" }
          grep { $code !~ /\.${_}a?\.(?:cubin|ptx)$/m } @ARCHITECTURES;
    }
    my $count = @wanted;
    return ("nvcc built $count programs, each with code for @ARCHITECTURES", $wrong);
}

sub read_with_clang
{
    my ($version, @wanted) = @_;
    my @files = map { $_->{file} } @wanted;
    my %wrong = in_parallel(nproc(), sub { read_file($version, $_[0]) }, @files);
    my @notes = map { "$_: $wrong{$_}" } grep { $wrong{$_} =~ /^clang\+\+ cannot/ } @files;
    my @failed = grep { $wrong{$_} =~ /^FAILED/m } @files;
    my $read = @wanted - @notes - @failed;
    return ("$CLANG read $read files with its headers", join('', @wrong{@failed}), @notes);
}

# '' if clang++ can read the file with the toolkit's headers; otherwise why it cannot by itself, or
# what is wrong and a line FAILED. In a hurry it reads as the device's compiler does, which has the
# host's functions, too; otherwise as both.
sub read_file
{
    my ($version, $file) = @_;
    my ($toolkit, $here) = ("$at/$version", getcwd());
    chdir dirname($file);
    # -isystem: these headers come before others that may be in /usr/local/include.
    my $said = said_by($CLANG, qw(-x cuda -std=c++17 -w), "--cuda-path=$toolkit",
        '-isystem', "$toolkit/include",
        $quick ? '--cuda-device-only' : '--cuda-compile-host-device', '--cuda-gpu-arch=sm_75',
        '-include', "$here/make/clang.h", '-fsyntax-only', basename($file));
    my $status = $?;
    chdir $here;    # this process may read another file
    return '' if $status == 0;
    # An error in one of the toolkit's own headers that only clang finds there.
    my @errors = grep { /^[^:]*:\d*:\d*:.* error: / } split /\n/, $said;
    my ($header) = ($errors[0] // '') =~ m{^\Q$toolkit\E/include/([^:]*):.*
        (?:invalid\ %\ escape\ in\ inline\ assembly\ string$|invalid\ index\ 1\ for\ pack\ )}x;
    return "clang++ cannot read $header" if $header && !grep { !m{^\Q$toolkit\E/} } @errors;
    return "${said}FAILED $file\n";
}

1;
