# A bad argument is one line on stderr and exit status 2, for every program and every option it has.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Suite;
use Parallel;
use Test::More;

# No number, or more than any type holds. What a program may do with 0 is its own affair, but for
# sizes, block sizes and repeats.
my @NO_NUMBER = (
    '-5', 'abc', '1e99', '', ' ', '10junk', '1.5', '5.', '1.e3', "5\n", "\e[2J", '0x10',
    '99999999999999999999');
my @NO_SIZE = (@NO_NUMBER, '0', '18446744073709551615');
my @TOO_LARGE = ([], ['1e15'], ['1000000000x1000000', '4294967296x4294967296'],
    ['1000000x1000000x1000000', '4294967296x4294967296x4294967296']);
my @LARGE = (undef, '1e8', '10000x10000', '10000x10000x3');

# What `ulimit -v` does not leave room for, though the machine has it. (CUDA maps more than all.)
sub refuses_limited
{
    my ($program, $size) = @_;
    return if $BACKEND eq 'cuda';
    my $ran = run(['sh', '-c', 'ulimit -v 200000; exec "$@"', 'sh', binary($program), '-n', $size]);
    my $right = ($ran->{status} // -1) == 2 && $ran->{err} =~ /^[^\n]*free[^\n]*\n\z/;
    ok($right, "$program->{name} -n $size with ulimit -v 200000") or diag(describe($ran));
}

# With little address space a program halves its default size, and then it must pass. One that works
# out its memory by itself may say that memory is missing instead. A wrong answer no program gives.
sub halves
{
    my ($program) = @_;
    return options($program) && options($program)->{dims}
      && read_text($program->{file}) !~ /require_memory/;
}

sub lives_with_little
{
    my ($program) = @_;
    return if $BACKEND eq 'cuda' || $program->{Expect} != 0 || $program->{Needs};
    my @quick = (options($program) // {})->{r} ? ('-r', 2) : ();
    my $fits = halves($program);
    my $limit = $program->{Libs} ? 300000 : 200000;    # a library takes some of it
    for my $threads ($fits ? (1, 16) : undef)    # of a small machine and of a large one
    {
        my $ran = run(['sh', '-c', 'ulimit -v "$1"; shift; exec "$@"', 'sh', $limit,
                binary($program), @quick],
            dir => tempdir(CLEANUP => 1), env => {CUDACPU_THREADS => $threads});
        my $status = $ran->{status} // -1;
        ok($status == 0 || (($status == 2 || $status == 3) && $ran->{err} ne '' && !$fits),
            "$program->{name} with ulimit -v $limit" . ($fits ? " on $threads cores" : ''))
          or diag(describe($ran));
    }
}

# What `Refuses:` names is refused in one line: with status 2, or with 77 where it names a version.
sub refuses_what_it_says
{
    my ($program) = @_;
    for my $try (split /;\s*/, $program->{Refuses} // '')
    {
        my @args = split ' ', $try;
        refuses($program, \@args), next if $try !~ /-k /;
        my $ran = run([binary($program), @args]);
        ok($ran->{status} == 77
              && $ran->{err} =~ /\A\S+: version \S+ cannot run here: needs [^\n]*\n\z/,
            "$program->{name} $try cannot run") or diag(describe($ran));
    }
}

# A table that is cut short must not look like success to a script. --help, and a run.
# A run on a GPU takes long to start: there each program tries one of the two.
sub refuses_output
{
    my ($program, @args) = @_;
    my @outputs = ('/dev/full', '&-');
    @outputs = $outputs[length($program->{name}) % 2] if $BACKEND eq 'cuda' && "@args" ne '--help';
    for my $output (@outputs)
    {
        my $ran = sh("exec '@{[binary($program)]}' @args >$output");
        is($ran->{status}, 2, "$program->{name} @args >$output") or diag(describe($ran));
        is($ran->{err}, "what was printed cannot be written\n", "$program->{name}: and says so")
          if "@args" eq '--help' && $program->{dir} !~ /^ch02/; # bare calls there
    }
}

sub test_usage
{
    my ($program) = @_;
    my ($smallest) = battery($program);
    $smallest //= [] if $program->{Expect} == 0 && !defined $program->{Checks};
    refuses_output($program, @$smallest) if $smallest && !$program->{Needs};
    lives_with_little($program);
    my $has = options($program);
    if (!$has)
    {
        unlike(run([binary($program), '--help'])->{out}, qr/^usage: /m,
            "$program->{name} reads no arguments, --help neither");
        return;
    }
    for my $help ('-h', '--help')
    {
        my $ran = run([binary($program), $help]);
        is("$ran->{status} [$ran->{err}]", '0 []', "$program->{name} $help");
        is( ($ran->{out} =~ /\A(.*?)\n\n/s)[0] =~ s/\n */ /gr,
            "$program->{name}: $program->{sentence}",
            "$program->{name} $help begins with the sentence of its comment");
        is(shown_usage($ran->{out}), usage($program),
            "$program->{name} $help has the options of --describe");
        is(too_wide($ran->{out}), '', "$program->{name} $help has no line wider than 80 columns");
        my ($list) = $ran->{out} =~ /^versions for -k:\n((?:  .*\n)+)/m;
        is(join(' ', $list =~ /^  (\S+)  +\S/mg), "@{$program->{versions}}",
            "$program->{name} $help has its versions, each with a sentence") if defined $list;
    }
    my $chinese = run([binary($program), '--help'], env => {LC_ALL => 'zh_CN.UTF-8'});
    is(too_wide($chinese->{out}), '', "$program->{name} --help in Chinese has none either");
    refuses_output($program, '--help');
    refuses($program, ['-Z']);
    refuses($program, [$_], qr{no (?:option|argument)|wants one}) for abbreviations($program);
    refuses($program, ['--nonsense']);
    refuses($program, ['-n']) if $has->{dims};
    refuses($program, ['stray']);
    refuses($program, ['stray', 'stray']) unless $has->{positional};
    refuses($program, ['-n', $_]) for $has->{dims} ? @NO_SIZE : ();
    refuses($program, ['-n', $_]) for $has->{dims} > 1 ? ('5x', 'x5', '5x0', '5x5x5x5') : ();
    refuses($program, ['-n', '5x5']) if $has->{dims} == 1;
    refuses($program, ['-n', $_], qr/free|too large/) for @{$TOO_LARGE[$has->{dims}]};
    refuses_limited($program, $LARGE[$has->{dims}]) if $has->{dims};
    refuses($program, ['-b', $_]) for $has->{block} ? (@NO_SIZE, '2000', '33x33') : ();
    refuses($program, ['-r', $_]) for $has->{r} ? @NO_SIZE : ();
    refuses($program, ['-s', $_]) for $has->{s} ? @NO_NUMBER : ();
    refuses($program, ['-k', $_]) for $has->{k} ? ('', 'nonsense') : ();
    for my $i (0 .. $#{$has->{names}})
    {
        refuses($program, [(5) x $i, $_]) for @NO_NUMBER;
    }
    refuses($program, [(5) x @{$has->{names}}, 5], qr/unexpected/) if @{$has->{names}};
    for my $option (@{$has->{decimals}})
    {
        refuses($program, ["--$option", $_]) for grep { $_ ne '1.5' } @NO_NUMBER;
        refuses($program, ["--$option", $_]) for 'nan', 'inf', '1,5', '1.5.5', '.5';
    }
    for my $option (@{$has->{numbers}})
    {
        refuses($program, ["--$option", $_]) for @NO_NUMBER;
    }
    refuses($program, ["--$_", '']) for @{$has->{texts}};
    refuses($program, ["--$_=1"]) for @{$has->{flags}};
    refuses_what_it_says($program);
}

test_in_parallel(\&test_usage, sub { $_[0]{name} }, [grep { -x binary($_) } programs()], 4);
