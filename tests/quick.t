# What `make test` asks of each program, in float, in a second or two: it is right at a small odd
# size, prints its golden text, describes itself as its comment does, and refuses what is no number.
# make runs it for one program at a time (SUITE_ONLY), when that is built. What every size, block,
# seed and version does, in both precisions, programs.t and usage.t ask.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Battery;
use Suite;
use Test::More;

sub help_is_right
{
    my ($program) = @_;
    my $ran = run([binary($program), '--help']);
    is("$ran->{status} [$ran->{err}]", '0 []', "$program->{name} --help");
    is(($ran->{out} =~ /\A(.*?)\n\n/s)[0] =~ s/\n */ /gr, "$program->{name}: $program->{sentence}",
        '... begins with the sentence of its comment');
    is(shown_usage($ran->{out}), usage($program), '... and has the options of --describe');
    is(too_wide($ran->{out}), '', '... in 80 columns');
}

sub refuses_nonsense
{
    my ($program) = @_;
    my $has = options($program);
    my @name = @{$has->{names}} ? () : '-n';
    refuses($program, ['--nonsense']);
    refuses($program, [$_], qr{no (?:option|argument)|wants one}) for abbreviations($program);
    refuses($program, [@name, $_]) for $has->{dims} || @{$has->{names}} ? ('abc', '-1', '1e99') : ();
    refuses($program, [@name, 0]) if $has->{dims};
    refuses($program, ['-b', 2000]) if $has->{block};
    refuses($program, ['-k', 'nonsense']) if $has->{k};
}

for my $program (buildable_programs())
{
    if (options($program))
    {
        help_is_right($program);
        refuses_nonsense($program);
    }
    for my $run (quick_runs($program))
    {
        local $ENV{CUDACPU_REVERSE} = $run->{reversed};
        local $ENV{CUDACPU_LATE} = $run->{late};
        runs_right($program, 'float', @{$run->{args}});
    }
    prints_goldens($program, 'float');
}
done_testing();
