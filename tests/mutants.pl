# make mutants: plants the bugs of tests/mutants/ one by one in a copy of their program, which must
# then fail somewhere in the battery that it passes otherwise. A bug that stays unnoticed shows that
# the program checks too little. They are those that make plant does not make by itself: a wrong
# idea takes more than a changed sign.
#
#     perl tests/mutants.pl [NAME ...]
#
# tests/mutants/NAME.txt is the program's list, an edit of one line each, between empty lines:
#
#     add: one thread too many
#     -if (n < N)
#     +if (n <= N)
#
# First the kernel that it spoils and what is wrong. The old line must stand once in that kernel
# or, failing that, once in the file; white space and comments do not count. An empty new line
# takes it away. A program that calls a library and has no kernel has bugs of its calls: they carry
# the name of the function that is called.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Mutants;
use Suite;
use Parallel;

my $LISTS = $ENV{SUITE_MUTANTS} || 'tests/mutants';
my $MOST = $ENV{SUITE_MUTANTS_EACH} || 1000;    # of each program's that are tried
my $DIR = $ENV{SUITE_MUTANTS_BUILD} || "$ROOT/build/mutants.$$"; # each run its own

# {kernel}, {title}, {old}, {new} for each edit.
sub edits
{
    my ($file) = @_;
    my @edits;
    for my $block (-e $file ? split /\n(?:[ \t]*\n)+/, read_text($file) : ())
    {
        my ($kernel, $title, $old, $new) = $block =~ /^\n*(\w+): (.*)\n-(.*)\n\+(.*)\n?\z/
          or die "$file: not an edit:\n$block\n";
        push @edits, {kernel => $kernel, title => "$kernel: $title", old => $old, new => $new};
    }
    return @edits;
}

# A program with the headers of its chapter written out, each once: what it has there is edited too.
sub source
{
    my ($program) = @_;
    my $text = read_text($program->{file});
    my %seen;
    1 while $text =~ s{^#include "([\w-]+\.cuh)"[^\n]*\n}
                      {$seen{$1}++ ? '' : read_text("$program->{dir}/$1") =~ s/^#pragma once\n//mr}me;
    return $text;
}

# The kernels that run on the CPU: name => [first line, last line], counted from 0. A kernel whose
# comment begins with WRONG: is left out, because one more bug in it would prove nothing.
sub kernels
{
    my ($source) = @_;
    my @lines = split /\n/, $source;
    my (%kernels, $open, @ifs);    # of the #if around a line: is it the half for a GPU?
    my $is_wrong;                  # by the comment above
    for my $i (0 .. $#lines)
    {
        push @ifs, $lines[$i] =~ /^#\s*if ON_GPU/ ? 1 : 0 if $lines[$i] =~ /^#\s*if/;
        $ifs[-1] = 0 if $lines[$i] =~ /^#\s*(else|elif)/;
        pop @ifs if $lines[$i] =~ /^#\s*endif/;
        $is_wrong = $lines[$i] =~ m{^// WRONG:}
          || ($is_wrong && $lines[$i] =~ m{^(//|template|__global__)});
        my $only_gpu = grep { $_ } @ifs;
        my $head = join ' ', @lines[$i .. ($i + 6 > $#lines ? $#lines : $i + 6)];
        if ($lines[$i] =~ /__global__/ && !$only_gpu && !$is_wrong
            && $head =~ /__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\([^;]*\{/)
        {
            $open = $1;
            $kernels{$open} = [$i, $i];
        }
        if (defined $open)
        {
            $kernels{$open}[1] = $i;
            $open = undef if $lines[$i] =~ /^\}/;
        }
    }
    return %kernels;
}

# A line without its comment and its white space.
sub squeezed
{
    return $_[0] =~ s{//.*}{}r =~ s/\s+//gr;
}

# The source with the edit made, or undef if its place is not to be found.
sub edited
{
    my ($source, $edit) = @_;
    my @lines = split /\n/, $source;
    my %kernels = kernels($source);
    return undef if %kernels && !$kernels{$edit->{kernel}};
    my ($first, $last) = @{$kernels{$edit->{kernel}} // [0, $#lines]};
    my $is_old = sub { squeezed($lines[$_[0]]) eq squeezed($edit->{old}) };
    my @places = grep { $is_old->($_) } $first .. $last;
    @places = grep { $is_old->($_) } 0 .. $#lines if @places != 1;
    return undef unless @places == 1;
    $lines[$places[0]] = $edit->{new};
    return join("\n", @lines) . "\n";
}

# What is wrong with a mutant: '' if it fails as it should.
sub complaint
{
    my ($program, $edit, $place) = @_;
    my $source = edited(source($program), $edit)
      // return "its old line does not stand once in $program->{file}: $edit->{old}";
    my ($binary, $made) = build($program, {basename($program->{file}) => $source}, $place);
    return "does not compile:\n$made->{err}" if $made->{hung} || $made->{status} != 0;
    my $failure = failure($program, $binary);
    remove_tree(dirname($binary));
    return $failure ne '' ? '' : 'survives';
}

# ---- All of them ----

my @wanted = grep
{
    my $name = $_->{name};
    !@ARGV || grep { $_ eq $name } @ARGV
} buildable_programs();
my ($passed, $failed) = (0, 0);

sub failed
{
    my ($file, $what) = @_;
    print "$file: $what\n";
    $failed++;
}

make_workplace($DIR);

# A program must itself pass what its mutants shall not.
my @jobs;
for my $program (@wanted)
{
    my $list = "$LISTS/$program->{name}.txt";
    my @edits = edits($list);
    my %kernels = $program->{file} =~ /\.cu$/ ? kernels(source($program)) : ();
    next unless @edits;
    for (%kernels ? grep { !$kernels{$_->{kernel}} } @edits : ())
    {
        failed($list, "$program->{file} has no kernel $_->{kernel}");
    }
    my @tried = grep { !%kernels || $kernels{$_->{kernel}} } @edits;
    $#tried = $MOST - 1 if @tried > $MOST;
    push @jobs, {program => $program, list => $list, edits => \@tried};
}

my @mutants;
in_parallel(
    sub
    {
        my ($job) = @_;
        my $program = $job->{program};
        return '' if $ENV{SUITE_MUTANTS_TESTED};    # programs.t has just run them all
        progress("$program->{name} as it is");
        my ($binary, $made) = build($program, {}, $program->{name});
        return "does not compile:\n$made->{err}" if $made->{hung} || $made->{status} != 0;
        my $failure = failure($program, $binary);
        return $failure eq '' ? '' : "fails without any edit: $failure";
    },
    sub
    {
        my ($job, $complaint) = @_;
        my $program = $job->{program};
        $complaint //= 'its process died';
        return failed($program->{file}, $complaint) if $complaint ne '';
        my $number = 0;
        push @mutants,
          map { { %$job, edit => $_, place => "$program->{name}-" . ++$number } } @{$job->{edits}};
    },
    \@jobs);

my $tried = 0;
in_parallel(
    sub
    {
        my ($mutant) = @_;
        return complaint(@{$mutant}{qw(program edit place)});
    },
    sub
    {
        my ($mutant, $complaint) = @_;
        $complaint //= 'its process died';
        $tried++;
        progress(sprintf '%d of %d mutants: %s', $tried, scalar @mutants, $mutant->{program}{name});
        return $passed++ if $complaint eq '';
        failed($mutant->{list}, "$mutant->{edit}{title}: $complaint");
    },
    [@mutants]);
progress('');

print "mutants: $passed died, $failed failed\n";
exit($failed > 0 || $passed == 0);
