# An editor with clangd shows no error in a program: by the compile_commands.json that make writes, a
# program of each chapter, a header and a source of the CPU backend, without a toolkit and with one.
# Takes a minute of one core.
#
# Inputs: programs backend make
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Parallel;
use Test::More;

plan skip_all => 'there is no clangd' if !on_path('clangd');

# Settings of whoever runs the test, and clangd's own index, stay out of it.
my $home = tempdir(CLEANUP => 1);
my %env = (HOME => $home, XDG_CONFIG_HOME => $home, XDG_CACHE_HOME => $home);

# The errors that clangd shows in a file. `--check` also tries what an editor may ask for, line by line:
# the first line is enough.
sub errors_in
{
    my ($commands, $file) = @_;
    my $ran = run(['clangd', "--compile-commands-dir=$commands", '--check-lines=1-1', "--check=$ROOT/$file"],
        env => \%env);
    my @errors = $ran->{err} =~ /^E\[[^\]]*\] (\[[\w-]+\] Line \d+: .*)$/mg;
    push @errors, 'clangd has not looked at it' if $ran->{err} !~ /^I\[[^\]]*\] (?:All checks completed|Testing features)/m;
    return [$file, @errors];
}

# Two programs of each chapter, the first and the last one; all of them in an exhaustive test.
my %chapters;
push @{$chapters{$_->{dir}}}, $_->{file} for all_programs();
my @files = map { my @in = @{$chapters{$_}}; $ENV{SUITE_EXHAUSTIVE} ? @in : @in[0, $#in] } sort keys %chapters;
# (A header that only one program includes may not stand alone.)
push @files, $ENV{SUITE_EXHAUSTIVE} ? grep { !/nccl/ } glob 'common/*.cuh cpu/*/*.c' : qw(common/versions.cuh cpu/runtime/queue.c cpu/checker/order.c);

my ($nvcc) = grep { -x } '/usr/local/cuda/bin/nvcc', map { "$_/nvcc" } split /:/, $ENV{PATH};
for my $toolkit ('', $nvcc // ())
{
    my $commands = tempdir(CLEANUP => 1);
    my $written = run(['perl', '-Imake', '-MFiles', '-MBuild', '-e',
            'print Build::compile_commands($ARGV[0], Files::source_files())', $toolkit],
        out => "$commands/compile_commands.json");
    is("$written->{status} $written->{err}", '0 ', 'make writes compile_commands.json');
    my $how = $toolkit eq '' ? 'without a toolkit' : 'with a toolkit';
    for (map_in_parallel(sub { errors_in($commands, $_[0]) }, @files))
    {
        my ($file, @errors) = @{$_ // ['a file', 'the process died']};
        ok(!@errors, "$file: clangd shows no error $how") or diag(map { "  $_\n" } @errors);
    }
}
done_testing();
