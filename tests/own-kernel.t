# docs/own-kernel.md and its Chinese page: what they say to type works in a folder of the reader's, and
# prints what stands below it, in the language of the page.
# Inputs: backend counter make docs/own-kernel.md docs/own-kernel.zh-CN.md common/*.cuh common/zh/*.po
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

sub sorted_lines
{
    return join '', sort $_[0] =~ /^.*\n/mg;
}

for (['docs/own-kernel.md', 'C'], ['docs/own-kernel.zh-CN.md', 'zh_CN.UTF-8'])
{
    my ($page, $language) = @$_;
    my $home = tempdir(CLEANUP => 1);
    my %env = (without_make(), HOME => $home, CPUCC_CXX => $CXX, LC_ALL => $language, LANGUAGE => undef,
        CUDACPU_EXACT => undef, CUDACPU_LEAKS => undef, CUDACPU_COUNT => undef);
    my ($said, $count, $text) = ('', 0, read_text($page));
    while ($text =~ /^```(sh|console)\n(.*?)^```$/gms)
    {
        my ($kind, $block) = ($1, $2);
        if ($kind eq 'console')
        {
            # (In a terminal stdout and stderr come in turns.)
            is(sorted_lines($said), sorted_lines($block), "$page: what the commands before it print");
            next;
        }
        $block =~ s/^(.*\S) *# exit status (\d+)$/status=0; $1 || status=\$?; test \$status = $2/gm;
        my $ran = sh($block, env => \%env, limit => 600);
        $said = ($ran->{out} . $ran->{err}) =~ s/^cpucc: building .*\n//mgr;
        is($ran->{status}, 0, "$page: block " . ++$count) or diag(describe($ran));
    }
    cmp_ok($count, '>=', 5, "$page has blocks");
}
done_testing();
