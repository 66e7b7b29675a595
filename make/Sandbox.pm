# What runs strangers' code: bubblewrap (bwrap). Such a process sees the system's programs, and of
# the rest only what it is given; it has no network, no other process, and may write a few files only.
#
# Who may not make namespaces has them by a user namespace. For root it is another user, too, since
# root in a user namespace may still read root's files.
package Sandbox;
use strict;
use warnings;
use Cwd ();
use Files;

my $PROCESSES = 64;  # and threads
my $MOST_RAM = 3e9;  # of all together, in bytes

# Why there can be none, in both languages; nothing if there can be one.
sub lacks
{
    for (['bwrap', 'bubblewrap'], ['prlimit', 'util-linux'], ['setpriv', 'util-linux'])
    {
        my ($command, $package) = @$_;
        return ("it is strangers' code, and runs in a sandbox only, for which there is no $command"
              . " here: apt-get install $package",
            "学生的程序只在沙箱中运行，而这里没有 $command：请运行 apt-get install $package")
          if !on_path($command);
    }
    my $said = said_by(words(), 'true');
    if ($? == 0)
    {
        said_by(words(read => ['cpu', map { "exercises/$_" } qw(cases.h child.cuh)]), 'sh', '-c',
            'test -r cpu/cpucc && test -x cpu/build/rewrite && test -r exercises/child.cuh');
        return if $? == 0;
        return ('another user, as whom root judges, cannot read the suite: chmod -R go+rX cpu exercises',
            '以 root 运行时换用另一个用户判题，而它不能读取这些文件：请运行 chmod -R go+rX cpu exercises');
    }
    my ($why) = $said =~ /([^\n]*)/;
    return ("bwrap makes no sandbox here ($why): give a container --privileged, or on Ubuntu run"
          . ' sysctl kernel.apparmor_restrict_unprivileged_userns=0 as root',
        "bwrap 在这里无法建立沙箱（$why）：容器要加 --privileged；在 Ubuntu 上请以 root 运行"
          . ' sysctl kernel.apparmor_restrict_unprivileged_userns=0');
}

# What stands before a command. It may read and write what is listed, under its own name: files and
# folders of the suite.
sub words
{
    my (%may) = @_;
    my $root = Cwd::abs_path('.');
    my @words = ('bwrap', '--unshare-ipc', '--unshare-pid', '--unshare-net', '--unshare-uts',
        '--die-with-parent', '--new-session');
    push @words, '--unshare-user' if $> != 0;
    for my $system (qw(/usr /bin /sbin /lib /lib32 /lib64 /libx32))
    {
        if (-l $system) { push @words, '--symlink', readlink $system, $system }
        elsif (-d $system) { push @words, '--ro-bind', $system, $system }
    }
    push @words, '--dir', '/etc';
    push @words, map { ('--ro-bind-try', $_, $_) } '/etc/alternatives', '/etc/ld.so.cache';
    push @words, '--proc', '/proc', '--dev', '/dev', '--remount-ro', '/dev';
    my %folders = map { dirname("$root/$_") => 1 } @{$may{read} // []}, @{$may{write} // []};
    push @words, map { ('--dir', $_) } sort $root, keys %folders;
    push @words, map { ('--ro-bind', "$root/$_", "$root/$_") } @{$may{read} // []};
    push @words, map { ('--bind', "$root/$_", "$root/$_") } @{$may{write} // []};
    push @words, '--chdir', $root, '--remount-ro', '/', '--';
    my $processes = $PROCESSES + ($> == 0 ? 0 : threads_of_user());
    push @words, 'prlimit', "--nproc=$processes", '--nofile=256', '--core=0', '--';
    push @words, 'setpriv', map({ "$_=" . user() } '--reuid', '--regid'),
      qw(--clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs --)
      if $> == 0;
    return @words;
}

# For root, a user whom nobody else is, one for each process that judges.
sub user
{
    return 61_184 + $$ % 4000;
}

# Makes a folder or file of one's own writable for this user.
sub give
{
    my (@names) = @_;
    chown user(), user(), @names if $> == 0;
    return;
}

# An old kernel counts all threads of the user.
my $threads;

sub threads_of_user
{
    if (!defined $threads)
    {
        $threads = 0;
        for my $file (glob '/proc/[0-9]*/status')
        {
            my $text = eval { read_text($file) } // next;
            $threads += $1 if $text =~ /^Uid:\t$<\t/m && $text =~ /^Threads:\t(\d+)/m;
        }
    }
    return $threads;
}

# ---- Memory -------------------------------------------------------------------------------------

my $PAGE = 4096;

# Ends all sandboxes of this process if together they have more memory than they may: true if so.
sub ends_too_large
{
    my (%parent, %pages, %name, %is_mine);
    for my $file (glob '/proc/[0-9]*/stat')
    {
        open my $in, '<', $file or next;
        my ($pid, $name, $rest) = (readline($in) // '') =~ /^(\d+) \((.*)\) \S (.*)/s or next;
        my @fields = split ' ', $rest;
        ($parent{$pid}, $pages{$pid}, $name{$pid}) = ($fields[0], $fields[20], $name);
    }
    for my $pid (keys %parent)
    {
        my ($above, $steps) = ($pid, 0);
        $above = $parent{$above} while $above && $above != $$ && ++$steps < 100;
        $is_mine{$pid} = 1 if ($above // 0) == $$ && $pid != $$;
    }
    my $pages = 0;
    $pages += $pages{$_} for keys %is_mine;
    my ($free) = text_of_proc('/proc/meminfo') =~ /^MemAvailable: *(\d+)/m;
    return 0 if $pages * $PAGE <= $MOST_RAM && ($free // 1e9) > 200_000;
    kill KILL => grep { $name{$_} eq 'bwrap' } keys %is_mine;
    return 1;
}

sub text_of_proc
{
    my ($file) = @_;
    return eval { read_text($file) } // '';
}

1;
