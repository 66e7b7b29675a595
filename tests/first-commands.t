# What a newcomer types first: the sh blocks of README.md down to its section Install, in a copy in
# which nothing is built. The time is that of his first screen. (readme.t runs the blocks of every
# document.)
# Inputs: backend make README.md common/*.cuh ch03_framework/*.cu* ch09_shared_mem/*.cu*
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Documents;
use Suite;
use Test::More;

my ($first) = read_text('README.md') =~ /\A(.*?)^## Install$/ms;
my @commands = grep { $_->{in} eq 'sh' && $_->{command} !~ /\bapt-get\b|^make(?: test)?$/ } text_commands($first // '');
# (make has put cpucc into bin/ only where it builds for the CPU.)
@commands = grep { $_->{command} !~ /cpucc/ } @commands if $BACKEND eq 'cuda';
cmp_ok(scalar @commands, '>=', 3, 'README.md begins with commands');

my $copy = tempdir(CLEANUP => 1);
sh("for f in *; do case \$f in build | bin) ;; cpu) mkdir '$copy/cpu' &&
        for g in cpu/*; do [ \$g = cpu/build ] || cp -R \$g '$copy/cpu'; done ;;
    *) cp -R \$f '$copy' ;; esac; done");
my %env = without_make();
delete @env{qw(NVCC CXX BACKEND)};
for my $command (map { $_->{command} } @commands)
{
    my $ran = sh($command, dir => $copy, env => {%env, BACKEND => $BACKEND}, limit => 600);
    ok(($ran->{status} // 1) == 0, $command) or diag(describe($ran));
}
done_testing();
