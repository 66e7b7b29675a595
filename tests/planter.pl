# make plant: plants small bugs that a seed chooses, one at a time, in copies of the programs and of
# their chapter's headers. Each program must then fail somewhere in the battery that it passes
# without the bug, in float or in double. A program can be tuned to a list of bugs, but not to a new
# seed.
#
#     perl tests/planter.pl [--list] [--verbose] [--seed N] [--each N] [--least N] [NAME ...]
#
# --each is how many bugs each program gets, and --list only shows them. --verbose shows each bug
# with its end. Of a bug that survives the planter prints the change. Then either the program checks
# too little, or the bug is none, because the program computes the same: nobody can tell these apart
# but a reader. So some always survive, and the status is 1 only if fewer than --least percent died.
# Ctrl-C ends all that runs, takes away what was built, and shows the counts so far.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Bugs;
use Getopt::Long qw(:config no_auto_abbrev);
use Planting;
use Suite;
use Parallel;

my $AT_ONCE = 2;    # processes

sub refuse
{
    print STDERR "planter.pl: @_\n";
    exit 2;
}

local $SIG{__WARN__} = sub { refuse($_[0] =~ s/\n//r) };
my ($seed, $each, $least, $list, $verbose) = (1, 4, 0);
GetOptions('seed=i' => \$seed, 'each=i' => \$each, 'least=f' => \$least, list => \$list,
    verbose => \$verbose) or exit 2;
delete $SIG{__WARN__};
refuse('--seed and --each are whole numbers, --each at least 1') if $seed < 0 || $each < 1;
refuse('--least takes 0 to 100') if !($least >= 0 && $least <= 100);
program($_) or refuse("there is no program $_; make list names them all") for @ARGV;

# ---- What is planted ----

# The files of a program in which bugs are planted: its own, its Sources:, and its chapter's headers
# that one of them includes.
sub files
{
    my ($program) = @_;
    my @sources = split ' ', $program->{Sources} // '';
    my @files = ($program->{file}, map { "$program->{dir}/$_" } @sources);
    my %seen = map { $_ => 1 } @files;
    for (my $i = 0; $i < @files; $i++)
    {
        push @files, grep { -e && !$seen{$_}++ } map { "$program->{dir}/$_" }
          read_text($files[$i]) =~ /^#include "([\w-]+\.cuh)"/mg;
    }
    return @files;
}

my %bugs;    # of each file

# The bugs that the seed chooses for a program: {file}, {change}, and what Bugs.pm says. They come
# from kernels, the host's part and headers in turn, and there from each kind with the same chance.
sub chosen
{
    my ($program) = @_;
    my %groups;
    for my $file (files($program))
    {
        my $text = read_text($file);
        for my $bug (@{$bugs{$file} //= [map { {%$_, file => $file} } bugs($text)]})
        {
            $bug->{change} //= change($text, $bug);
            my $group = $file =~ /\.cuh$/ ? 'header' : $bug->{is_kernel} ? 'kernel' : 'host';
            push @{$groups{$group}{$bug->{kind}}}, $bug;
        }
    }
    my $sum = 0;
    $sum = ($sum * 31 + ord) % 65521 for split //, $program->{name};
    srand($seed * 65521 + $sum);
    my (@chosen, %taken);
    my @order = sort keys %groups;
    unshift @order, splice @order, rand @order;    # with --each 1 it is not always a header's
    while (@chosen < $each && %groups)
    {
        for my $group (grep { $groups{$_} } @order)
        {
            my $kinds = $groups{$group};
            my @kinds = sort keys %$kinds;
            my $kind = $kinds[rand @kinds];
            my $bug = splice @{$kinds->{$kind}}, rand @{$kinds->{$kind}}, 1;
            delete $kinds->{$kind} unless @{$kinds->{$kind}};
            delete $groups{$group} unless %$kinds;
            my $key = join "\0", $bug->{file}, $bug->{change}{line},
              $bug->{change}{new} =~ s/\s+//gr;
            push @chosen, $bug unless $taken{$key}++ || @chosen >= $each;
        }
    }
    return @chosen;
}

# Why a program is left out; '' if it is not.
sub why_not
{
    my ($program) = @_;
    return 'needs a GPU' if $program->{Needs};
    return 'is wrong on purpose' if $program->{Expect} != 0;
    return 'does not check itself' unless $program->{Checks} || goldens($program);
    return '';
}

sub bug_text
{
    my ($bug) = @_;
    my $change = $bug->{change};
    return "$bug->{file}:$change->{line}: $bug->{kind} in $bug->{function}\n"
      . $change->{old} =~ s/^/-/mgr . $change->{new} =~ s/^/+/mgr;
}

my %wanted = map { $_ => 1 } @ARGV;
my @programs = grep { !%wanted || $wanted{$_->{name}} } buildable_programs();
my @left_out = grep { why_not($_) } @programs;
@programs = grep { !why_not($_) } @programs;
print "$_->{name} is left out: it " . why_not($_) . "\n" for @left_out;
if ($list)
{
    for my $program (@programs)
    {
        print "$program->{name}: " . bug_text($_) . "\n" for chosen($program);
    }
    exit 0;
}

# ---- Trying them ----

# The programs that have a file: a bug in a header dies if one of them fails.
sub users
{
    my ($file) = @_;
    return grep { !why_not($_) && $_->{dir} eq dirname($file) && grep { $_ eq $file } files($_) }
      all_programs();
}

# How a program with a bug ends: [died, survived, or did not compile; the run that failed].
sub outcome
{
    my ($program, $bug, $place) = @_;
    my %texts = (basename($bug->{file}) => planted(read_text($bug->{file}), $bug));
    my @users = ($program, grep { $_ != $program } users($bug->{file}));
    my @tries =
      ((map { [$_, 'float'] } @users), map { [$_, 'double'] } grep { has_reals($_) } @users);
    for (@tries)
    {
        my ($user, $precision) = @$_;
        my ($binary, $made) = build($user, \%texts, $place, $precision);
        my $compiled = !$made->{hung} && $made->{status} == 0;
        my $failure = $compiled ? failure($user, $binary, $precision) : '';
        remove_tree(dirname($binary));
        return ['did not compile', ''] if !$compiled && $user == $program && $precision eq 'float';
        return ['died', "$user->{name} ($precision) $failure"] if $failure ne '';
    }
    return ['survived', ''];
}

# Whether a program is another one in double.
sub has_reals
{
    my ($program) = @_;
    return scalar grep { read_text($_) =~ /\breal\b|\bUSE_DP\b/ } files($program);
}

my $workplace = $ENV{SUITE_PLANTER_BUILD} || "$ROOT/build/planter.$$";
make_workplace($workplace);
$| = 1;
my ($failed, $tried, $is_done, @trials, %count) = (0, 0, 0);
my ($planter, $planned) = ($$, 0);

# The table of how many bugs ended how. Returns how many percent died.
sub show_counts
{
    my @OUTCOMES = ('did not compile', 'died', 'survived');
    printf "%-5s %8s %16s %5s %9s\n", '', 'planted', @OUTCOMES;
    for my $chapter (sort { ($a eq 'all') <=> ($b eq 'all') || $a cmp $b } keys %count)
    {
        my @counts = map { $count{$chapter}{$_} // 0 } @OUTCOMES;
        my $planted = 0;
        $planted += $_ for @counts;
        printf "%-5s %8d %16d %5d %9d\n", $chapter, $planted, @counts;
    }
    my ($died, $survived) = map { $count{all}{$_} // 0 } qw(died survived);
    my $share = $died + $survived ? 100 * $died / ($died + $survived) : 0;
    printf "%.1f %% of those that compiled died%s\n", $share,
      $least > 0 ? ", at least $least % must" : '';
    return $share;
}

# Ctrl-C ends this process by exit.
END
{
    if (defined $planter && $$ == $planter && !$is_done)
    {
        progress('');
        print $planned ? "stopped after $tried of $planned bugs\n"
          : "stopped before the first bug: the programs were still tried without one\n";
        show_counts() if %count;
    }
}

in_parallel(
    sub
    {
        my ($program) = @_;
        return '' if $ENV{SUITE_PLANTER_TESTED};    # programs.t has just run them all
        progress("$program->{name} as it is");
        for my $precision ('float', has_reals($program) ? 'double' : ())
        {
            my ($binary, $made) = build($program, {}, $program->{name}, $precision);
            return "does not compile:\n$made->{err}" if $made->{hung} || $made->{status} != 0;
            my $failure = failure($program, $binary, $precision);
            remove_tree(dirname($binary));
            return "fails without a bug in $precision: $failure" if $failure ne '';
        }
        return '';
    },
    sub
    {
        my ($program, $complaint) = @_;
        $complaint //= 'its process died';
        if ($complaint ne '')
        {
            print "$program->{file}: $complaint\n";
            return $failed++;
        }
        my $number = 0;
        for my $bug (chosen($program))
        {
            my $place = "$program->{name}-" . ++$number;
            push @trials, {program => $program, bug => $bug, place => $place};
        }
    },
    [@programs], $AT_ONCE);
$planned = @trials;
in_parallel(
    sub { outcome(@{$_[0]}{qw(program bug place)}) },
    sub
    {
        my ($trial, $result) = @_;
        my ($program, $bug) = @{$trial}{qw(program bug)};
        my ($outcome, $failure) = @{$result // []};
        $tried++;
        if (!$result)
        {
            print "$program->{name}: the process that tried a bug died\n";
            return $failed++;
        }
        progress(sprintf '%d of %d: %s', $tried, $planned, $program->{name});
        $count{substr $program->{dir}, 0, 4}{$outcome}++;
        $count{all}{$outcome}++;
        print "$program->{name}: " . bug_text($bug) . "$outcome $failure\n\n"
          if $verbose || $outcome eq 'survived';
    },
    [@trials], $AT_ONCE);
progress('');

$is_done = 1;
my $share = show_counts();
exit($failed > 0 || !%count || $share < $least);
