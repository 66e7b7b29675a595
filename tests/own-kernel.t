# docs/own-kernel.md: what it says to type works in a folder of the reader's, and prints what stands
# below it.
# Inputs: backend docs/own-kernel.md docs/own-kernel.zh-CN.md common/compare.cuh
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my $PAGE = 'docs/own-kernel.md';
my $home = tempdir(CLEANUP => 1);
my ($said, $count) = ('', 0);
my $page = read_text($PAGE);

sub sorted_lines
{
    return join '', sort $_[0] =~ /^.*\n/mg;
}

while ($page =~ /^```(sh|console)\n(.*?)^```$/gms)
{
    my ($kind, $block) = ($1, $2);
    if ($kind eq 'console')
    {
        # (In a terminal stdout and stderr come in turns.)
        is(sorted_lines($said), sorted_lines($block), "$PAGE: what the commands before it print");
        next;
    }
    $block =~ s/^(.*\S) *# exit status (\d+)$/status=0; $1 || status=\$?; test \$status = $2/gm;
    my $ran = sh($block, env => {HOME => $home, CUDACPU_EXACT => undef, CUDACPU_LEAKS => undef}, limit => 300);
    $said = ($ran->{out} . $ran->{err}) =~ s/^cpucc: building .*\n//mr;
    is($ran->{status}, 0, "$PAGE: block " . ++$count) or diag(describe($ran));
}
is(join('', $page =~ /^```console\n.*?^```$/gms), join('', read_text('docs/own-kernel.zh-CN.md') =~ /^```console\n.*?^```$/gms),
    'the Chinese page shows the same');
done_testing();
