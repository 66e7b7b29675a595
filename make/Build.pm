# ./suite prepare [--place] [--cuda NVCC] [GOAL...]: what make needs before it builds. It checks the
# names of files, and writes build/programs.mk, which says what make has to know of each program, and
# compile_commands.json. GOAL... are goals of make's own, whose names no program can have. What is
# wrong is printed, for make to say. build/for-tests/NAME has the lines of tests/programs.txt on a program:
# make test runs a program again if they are others. Without a GOAL it only checks names. --place: that of the directory
# as well.
package Build;
use strict;
use warnings;
use Cwd qw(abs_path getcwd);
use Files;

# What make and the shell could not pass on in the name of this directory, where it matters, or of a
# program's file: a blank, a quote and their like. Letters of any language are no problem in a directory.
sub odd_names
{
    my ($with_directory) = @_;
    my $directory = $with_directory ? getcwd() : '';
    my $odd = $directory =~ tr{A-Za-z0-9/._+,=@^~{}\200-\377-}{}dr =~ s/ /a blank/r;
    my @odd = $odd eq '' ? ()
      : "make cannot work in a directory with $odd in its name: $directory";
    push @odd, map { "a file name may have letters, digits, _ and - only: $_" }
      grep { m{[^A-Za-z0-9_./-]} } source_files(), sorted('ch*/*.cuh');
    return map { tr/\n/ /r } @odd;
}

sub prepare
{
    my (@goals) = @_;
    my $with_directory = ($goals[0] // '') eq '--place' && shift @goals;
    my $nvcc = ($goals[0] // '') eq '--cuda' ? (splice @goals, 0, 2)[1] : '';
    my @wrong = odd_names($with_directory);
    if (@goals && !@wrong)
    {
        require Programs;
        mkdir 'build';
        my @files = source_files();
        my @programs = Programs::read_programs(@files);
        eval { write_text('build/programs.mk', programs_mk(\@goals, @programs)) };
        push @wrong, $@;
        mkdir 'build/for-tests';
        eval { write_text("build/for-tests/$_->{name}", $_->{for_tests}) } for @programs;
        # (A tree that is built and cannot be written does without: it is for editors.)
        eval { write_text('compile_commands.json', compile_commands($nvcc, @files)) };
    }
    print map { s/\n?\z/\n/r } grep { $_ ne '' } @wrong;
    return 0;
}

# ---- build/programs.mk ----

# A line for each fact. What is wrong becomes an $(error), so that it is make that stops.
sub programs_mk
{
    my ($goals, @programs) = @_;
    my %goals = map { $_ => 1 } @$goals;
    my ($text, %taken) = ('');
    for my $program (grep { !$_->{extra} } @programs)
    {
        my ($file, $name, $dir) = @$program{qw(file name dir)};
        my @wrong = defined $program->{sentence} ? () : Programs::headline($program);
        push @wrong, "two programs are called $name: $taken{$name} and $file" if $taken{$name};
        push @wrong, "$file: $name is a goal of make's own" if $goals{$name};
        push @wrong, "$file: Sources: has files of the same directory"
          if ($program->{Sources} // '') =~ /[^A-Za-z0-9_. -]/;
        $taken{$name} = $file;

        my @sources = ($file, map { "$dir/$_" } split ' ', $program->{Sources} // '');
        $text .= join '', map({ "\$(error $_)\n" } @wrong), "PROGRAMS += $name\n",
          "$name.in := $dir " . $dir =~ s/_.*//r . "\n", "$name.src := @sources\n",
          map { setting($program, $_) } qw(Libs Uses Flags Arch);
        $text .= "$name.precision := 1\n" if grep { has_precision($_) } @sources;
        $text .= "COUNTED += $name\n" if grep { is_counted($_) } @sources;
    }
    return $text;
}

# Whether a program's table is one of counts where there is no GPU. Without a launch all its kernels
# are a library's, which are not counted.
sub is_counted
{
    my ($file) = @_;
    my $text = text_of($file);
    return $file =~ /\.cu$/ && $text =~ /<<</ && $text =~ /\b(?:run_versions|begin_counts)\(|\.counts\b/;
}

# A comment must not become a command: neither make nor the shell makes anything of these
# characters.
sub setting
{
    my ($program, $key) = @_;
    my $value = $program->{$key} // '';
    return "\$(error $program->{file}: $key: may have letters, digits and _ = . , + / : - only)\n"
      if $value =~ m{[^A-Za-z0-9_=.,+/: -]};
    return $value eq '' ? '' : "$program->{name}." . lc($key) . " := $value\n";
}

# Whether the text of a file, or of what it includes, is another one with USE_DP.
my %precision;

sub has_precision
{
    my ($file) = @_;
    return $precision{$file} if defined $precision{$file};
    $precision{$file} = 0; # for a file that includes itself
    my $text = text_of($file);
    my @included = map { dirname($file) . $_ } $text =~ /^[ \t]*#[ \t]*include[ \t]*"([^"\n]*)"/mg;
    return $precision{$file} = $text =~ /USE_DP/ || grep({ has_precision($_) } @included) ? 1 : 0;
}

# ---- compile_commands.json ----

# By it clangd, and an editor with it, understands the programs: as clang's own CUDA, host side.
# Where make builds with CUDA, the toolkit has the headers, and make/clangd/ what clang misses in them;
# otherwise the CPU backend's serve, prepared for clang by make/clangd.h.
sub compile_commands
{
    my ($nvcc, @programs) = @_;
    my @cuda = qw(-x cuda --cuda-host-only -nocudainc -nocudalib -Wno-unknown-cuda-version);
    if ($nvcc ne '')
    {
        my $toolkit = toolkit_of($nvcc);
        push @cuda, qw(-Xclang -fcuda-allow-variadic-functions -Wno-ignored-attributes -Wno-unknown-attributes);
        push @cuda, map { ('-isystem', "$toolkit/include$_") } $toolkit eq '/usr' ? () : ('/cccl', '');
        push @cuda, qw(-isystem make/clangd -include make/clangd/toolkit.h);
    }
    else
    {
        push @cuda, qw(-D__CUDACC__ -I cpu/include -I cpu/include/gpu-only), map({ ('-isystem', $_) } thrust()), qw(-include make/clangd.h);
    }
    my @entries;
    for my $file (@programs, map { sorted($_) } qw(common/*.cuh ch*/*.cuh cpu/*/*.c))
    {
        my @command = $file =~ /\.c$/ ? qw(clang -std=gnu11 -Wall -Wextra -I cpu/include)
          : qw(clang++ -std=c++17 -Wall -Wextra -Wno-missing-field-initializers -Icommon/suite);
        push @command, @cuda if $file =~ /\.cuh?$/;
        push @command, '-DCUDACPU_CHECKER' if $file =~ m{^cpu/checker/};
        push @command, '-DCUDACPU_COUNTER' if $file =~ m{^cpu/counter/};
        my $arguments = join ', ', map { qq("$_") } @command, $file;
        push @entries, '  {"directory": "' . getcwd() . qq(", "file": "$file",\n)
          . qq(   "arguments": [$arguments]});
    }
    return "[\n" . join(",\n", @entries) . "\n]\n";
}

# The folder that bin/nvcc lies in.
sub toolkit_of
{
    my ($nvcc) = @_;
    my $file = on_path($nvcc) // $nvcc;
    return (abs_path($file) // $file) =~ s{/bin/[^/]*$}{}r;
}

# Where Thrust is, as cpucc looks for it, but for /usr/include, which is searched in any case.
sub thrust
{
    my $toolkit = $ENV{CUDA_HOME} || $ENV{CUDA_PATH} || '/usr/local/cuda';
    return (grep { -d "$_/thrust" } $ENV{CPUCC_THRUST} || (), "$toolkit/include/cccl", "$toolkit/include")[0] // ();
}

1;
