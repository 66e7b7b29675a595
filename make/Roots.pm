# ./suite roots: a stranger's first minutes on a fresh system. debootstrap unpacks each system into
# a folder of its own, without lists of packages, as a container is. In there root types the lines of
# README.md with apt-get, and an ordinary user the rest of the sh blocks down to the end of its section
# Install, then `make test`.
#
#   ROOTS="debian-13"        which; without it all four. Ubuntu needs its keyring on this machine
#   DEBIAN_MIRROR, UBUNTU_MIRROR   where their packages come from. Debian's have a default
#   ONLY="ch02 hello4"       make test ONLY="ch02 hello4" instead of all tests
#   ROOTS_AT=FOLDER          where the systems are put, or already are: build/roots if not given
#
# A system that cannot be fetched is skipped, and that is no failure. It must run as root.
package Roots;
use strict;
use warnings;
use Cwd qw(abs_path);
use File::Path qw(make_path remove_tree);
use File::Temp qw(tempdir);
use Files;

my %RELEASE = ('debian-12' => 'bookworm', 'debian-13' => 'trixie', 'ubuntu-22.04' => 'jammy',
    'ubuntu-24.04' => 'noble');
my @SYSTEMS = sort keys %RELEASE;
my $KEYRING = '/usr/share/keyrings/ubuntu-archive-keyring.gpg';
my $READER = 1000; # the number of the ordinary user
my $at;

sub roots
{
    fail('make roots: debootstrap and chroot need root: try sudo make roots') if $> != 0;
    $ENV{PATH} .= ':/usr/sbin:/sbin';
    fail('make roots: debootstrap is missing: apt-get install debootstrap')
      unless on_path('debootstrap');
    # What a newcomer types first.
    my ($text) = read_text('README.md') =~ /\A(.*?^## Install.*?)(?:^## |\z)/ms;
    my $commands = join '', ($text // '') =~ /^```sh\b.*?\n(.*?)^```/msg;
    fail('make roots: README.md has no sh block before the end of Install') if $commands eq '';
    my @systems = split ' ', $ENV{ROOTS} || "@SYSTEMS";
    fail("make roots: there is no system $_; there are @SYSTEMS") for grep { !$RELEASE{$_} } @systems;
    $at = $ENV{ROOTS_AT} || 'build/roots';
    make_path($at);
    $at = abs_path($at) // die "build/roots cannot be made\n";
    delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)}; # the make in there is its own master

    $| = 1;
    my $failures = 0;
    for my $system (@systems)
    {
        my $problem = fetch($system);
        print("$system: skipped, as it cannot be fetched: $problem\n"), next if defined $problem;
        my $start = time;
        if (try_system($system, $commands))
        {
            print "$system: set up, built and tested in ", time - $start, " s\n";
            next;
        }
        ++$failures;
        my @said = split /\n/, read_text("$at/$system.log");
        @said = splice @said, -15 if @said > 15;
        print "$system: FAILED; $at/$system.log ends with\n", map { "    $_\n" } @said;
    }
    return $failures ? 1 : 0;
}

# Unpacks a system that is not there yet; what is wrong, or undef. What is said goes to a log.
sub fetch
{
    my ($system) = @_;
    my $root = "$at/$system";
    return if -e "$root/.fetched";
    return "$root is there already, and make roots has not made it" if -e $root;
    return "there is no $KEYRING" if $system =~ /^ubuntu/ && !-e $KEYRING;
    return 'UBUNTU_MIRROR is not given' if $system =~ /^ubuntu/ && !$ENV{UBUNTU_MIRROR};
    # Whole or not at all: what is removed after a failure is a folder that nobody else has.
    my $new = tempdir("$system.XXXXXX", DIR => $at, CLEANUP => 1);
    chmod 0755, $new;
    my @from = ($RELEASE{$system}, $new, $ENV{DEBIAN_MIRROR} // ());
    if ($system =~ /^ubuntu/)
    {
        # An older debootstrap does not know noble, but every one knows gutsy, which unpacks the
        # same way.
        @from = ("--keyring=$KEYRING", '--components=main,universe', $RELEASE{$system}, $new,
            $ENV{UBUNTU_MIRROR}, 'gutsy');
    }
    write_text("$root.log", '');
    if (!logged($root, 'debootstrap', '--variant=minbase', @from))
    {
        remove_tree($new);
        return (split /\n/, read_text("$root.log"))[-1] // 'debootstrap fails';
    }
    write_text("$new/.fetched", '');
    rename $new, $root or return "$root: $!";
    return;
}

# Runs a command in the system; what it says goes to the log. All that is mounted for it goes with
# the process.
sub in_root
{
    my ($root, @command) = @_;
    my $mounted = 'mount -t tmpfs -o mode=1777 none "$1/dev/shm"; mount -t proc proc "$1/proc"; '
      . 'shift; exec "$@"';
    return logged($root, qw(unshare --mount sh -ec), $mounted, 'sh', $root, 'chroot', $root,
        @command);
}

# Whether a command succeeds. Its output is added to the log of a system.
sub logged
{
    my ($root, @command) = @_;
    my $to_log = 'log=$1; shift; exec "$@" >>"$log" 2>&1 </dev/null';
    return system('sh', '-c', $to_log, 'sh', "$root.log", @command) == 0;
}

# Whether a newcomer comes through. What is said goes to a log.
sub try_system
{
    my ($system, $commands) = @_;
    my $root = "$at/$system";
    my $home = "$root/home/reader";
    write_text("$root.log", '');
    # debootstrap leaves lists of packages.
    remove_tree("$root/var/lib/apt/lists", {keep_root => 1});
    output_of('cp', '/etc/resolv.conf', "$root/etc/");
    if (read_text("$root/etc/passwd") !~ /^reader:/m)
    {
        in_root($root, qw(useradd --create-home --uid), $READER, 'reader') or return 0;
    }

    remove_tree("$home/suite");
    make_path("$home/suite");
    my $files = 'tar -c --exclude=./build --exclude=./bin --exclude=./.git . | tar -x -C "$1"';
    logged($root, 'sh', '-c', $files, 'sh', "$home/suite") or return 0;
    # Without names it is all tests. README.md names `make test` among the rest.
    my $test = 'make test ONLY=\'' . ($ENV{ONLY} // '') . "'\n";
    my $of_reader = $commands =~ s/^(?:.*\bapt-get .*|make test\s*(?:#.*)?)\n//mgr;
    write_text("$home/commands", "set -ex; cd ~/suite\n$of_reader$test");
    write_text("$root/root/install", join '', $commands =~ /^(.*\bapt-get .*\n)/mg);
    output_of('chown', '-R', $READER, $home);
    return in_root($root, qw(env DEBIAN_FRONTEND=noninteractive sh -ex /root/install))
      && in_root($root, qw(su -l reader -c), 'export LANG=C.UTF-8; sh commands');
}

1;
