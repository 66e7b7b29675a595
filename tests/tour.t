# `make tour`: ten commands, in both languages.
# Inputs: programs backend make
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my @names = split ' ', sh('./suite tour --programs')->{out};
is(scalar @names, 10, 'ten stops');
is_deeply([grep { !program($_) } @names], [], '... at programs that there are');

sub tour
{
    my ($bin, $language) = @_;
    return run(['./suite', 'tour', $BACKEND, $bin], limit => 600,
        env => {LC_ALL => undef, LC_MESSAGES => undef, LANG => $language});
}

# The programs' own output, in Chinese.
my $tour = tour(dirname(binary(program('add1'))), 'zh_CN.UTF-8');
is($tour->{status}, 0, 'the tour in Chinese') or diag(describe($tour));
is_deeply([$tour->{out} =~ m{^(\d+)/10  \$ \./bin/}mg], [1 .. 10], '... has ten stops');
my @ends = $tour->{out} =~ /^(PASS|FAIL)/mg;
is_deeply(\@ends, [('PASS') x 8], '... where all that check are right');
like($tour->{out}, qr/合并访问.*归约.*分子动力学/s, '... and says so in Chinese');

# In English, with programs that only print their names.
my $bin = tempdir(CLEANUP => 1);
for my $name (@names)
{
    write_text("$bin/$name",
        "#!/bin/sh\necho this is $name \$*\nexit " . ($name eq 'check2kernel' ? 3 : 0) . "\n");
    chmod 0755, "$bin/$name";
}
$tour = tour($bin, 'C');
ok($tour->{status} == 0 && $tour->{out} =~ /^this is ljmd 5 200$/m, 'the tour in English')
  or diag(describe($tour));
unlike($tour->{out}, qr/[^\x00-\x7f]/, '... has no Chinese');
write_text("$bin/add2gpu", "#!/bin/sh\nexit 1\n");
$tour = tour($bin, 'C');
ok($tour->{status} == 1 && $tour->{err} eq "add2gpu ended with status 1, not 0: please report it\n"
      && $tour->{out} !~ /coalescing/, 'a program that fails ends it')
  or diag(describe($tour));
done_testing();
