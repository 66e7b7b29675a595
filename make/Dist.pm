# ./suite dist: build/cuda-programs-VERSION.tar.gz, an archive of the commit, and its checksum. The
# version is the first one of CHANGELOG.md. The same commit gives the same bytes.
package Dist;
use strict;
use warnings;
use Cwd qw(getcwd);
use Files;

sub dist
{
    my $version = version() or fail('make dist: CHANGELOG.md has no line "## VERSION"');
    fail('make dist: an archive is made of a git commit, and this is no git checkout')
      if output_of(qw(git rev-parse --show-toplevel)) ne getcwd() . "\n";
    fail('make dist: there are changes that are not committed: see git status')
      if output_of(qw(git status --porcelain)) ne '';

    my $name = "cuda-programs-$version";
    mkdir 'build';
    # git pipes the archive through this command, so that no archive without compression is left.
    my @archive = ('git', '-c', 'tar.tar.gz.command=gzip -9 -n', 'archive', '--format=tar.gz',
        "--prefix=$name/", 'HEAD');
    my $archive = output_of(@archive);
    eval {
        die "no archive\n" if $? != 0;
        write_text("build/$name.tar.gz", $archive);
        my ($sum) = output_of('sha256sum', "build/$name.tar.gz") =~ /^(\w+)/ or die "no sum\n";
        write_text("build/$name.tar.gz.sha256", "$sum  $name.tar.gz\n");
        1;
    } or fail('make dist: the archive cannot be written');
    my $commit = output_of(qw(git rev-parse --short HEAD));
    print "build/$name.tar.gz and its checksum, of commit $commit";
    return 0;
}

1;
