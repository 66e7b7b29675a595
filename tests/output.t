# Files that the programs write appear whole or not at all: on a full disk, after Ctrl-C and kill,
# and where the target is the input, a link, a pipe or no file. tests/common/output.cu tests the
# header.
# Inputs: programs backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use POSIX qw(mkfifo setpgid);
use Suite;
use Test::More;
use Time::HiRes qw(sleep time);

# A program; the files that it writes; options that make the first of them larger than 8 kB, and
# larger than 64 kB; and options with which the program works on for a while after it has opened its
# files.
my @table = (
    ['grayscale', ['grayscale.pgm'], ['-n', '100x100'], ['-n', '999x999'], ['-n', '2000x2000']],
    ['blur', ['blur.ppm'], ['-n', '100x100'], ['-n', '999x999'],
        ['-n', '600x600', '--radius', 300]],
    ['neighbor1cpu', ['xy.txt', 'neighbor.txt', 'bonds.txt'], ['-n', 1000, '-r', 1],
        ['-n', 9999, '-r', 1], ['-n', 40000]],
);
@table = grep { program($_->[0]) && -x binary(program($_->[0])) } @table;
plan skip_all => 'no program that writes a file is built' if !@table;

my $dir = tempdir(CLEANUP => 1);
my $old = "a good file, made earlier\n";

# A new directory, with the file as an earlier run has left it.
my $count = 0;
sub directory_with
{
    my ($file) = @_;
    my $new = "$dir/" . ++$count;
    mkdir $new or die "$new: $!\n";
    write_text("$new/$file", $old) if defined $file;
    return $new;
}

sub files_in
{
    my ($where) = @_;
    opendir my $handle, $where or die "$where: $!\n";
    return join ' ', sort grep { !/^\.\.?$/ } readdir $handle;
}

# Status 2, one line on stderr that matches.
sub one_line
{
    my ($ran, $pattern, $title) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $right = ($ran->{status} // -1) == 2 && $ran->{err} =~ /^[^\n]+\n\z/
      && $ran->{err} =~ $pattern;
    ok($right, $title) or diag(describe($ran));
}

# The old file is as it was, and no other is there.
sub untouched
{
    my ($where, $file, $title) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    is(files_in($where) . ': ' . (-e "$where/$file" ? read_text("$where/$file") : ''),
        "$file: $old", $title);
}

# Starts a program, and sends it a signal as soon as its temporary file is there. Returns how it
# ended: the signal's number, 0 if it came to its end before, or a sentence.
sub interrupted_once
{
    my ($signal, $where, @command) = @_;
    my $pid = fork // die "fork: $!\n";
    if ($pid == 0)
    {
        setpgid(0, 0);
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', '/dev/null';
        open STDERR, '>', '/dev/null';
        exec {$command[0]} @command or POSIX::_exit(127);
    }
    my $end = time + 120;
    my $there = 0;
    while (time < $end && waitpid($pid, POSIX::WNOHANG()) == 0)
    {
        $there = files_in($where) =~ /\.tmp\b/;
        last if $there;
        sleep 0.001;
    }
    return 0 if !$there && time < $end;
    kill $there ? $signal : 'KILL' => $pid;
    waitpid $pid, 0;
    return $there ? $? & 127 : 'no temporary file was seen';
}

# On a busy machine this test may look too late, so it looks again.
sub interrupted
{
    my ($signal, $where, $file, @command) = @_;
    my $how = 0;
    for (my $tries = 0; $how eq 0 && $tries < 50; ++$tries)
    {
        write_text("$where/$file", $old);
        $how = interrupted_once($signal, $where, @command);
    }
    return $how;
}

for (@table)
{
    my ($name, $files, $small, $large, $long) = @$_;
    my $file = $files->[0];
    my $program = binary(program($name));

    # A limit of 4 kB; it depends on the shell whether 4 or 8 blocks are that.
    my $where = directory_with($file);
    my $ran = run(['bash', '-c', "ulimit -f 4; exec '$program' @$small -o '$where/'"]);
    one_line($ran, qr/cannot write \Q$where\/$file\E: File too large/, "$name: ulimit -f");
    untouched($where, $file, "$name: ulimit -f leaves the old file, and no other");

    for (['INT', 2], ['TERM', 15])
    {
        my ($signal, $number) = @$_;
        $where = directory_with($file);
        is(interrupted($signal, $where, $file, $program, @$long, '-o', "$where/"),
            $number, "$name ends by SIG$signal");
        untouched($where, $file, "$name: SIG$signal leaves the old file, and no other");
    }

    one_line(run([$program, @$small, '-o', 'y' x 5000], dir => $dir),
        qr/-o is too long/, "$name: a prefix too long");
    $where = directory_with();
    mkdir "$where/$file";
    refuses(program($name), [@$small, '-o', "$where/"], qr/cannot write .*Is a directory/);
    is(files_in($where), $file, "$name: a directory stays");

    # As any user but root, who may write everywhere.
    SKIP:
    {
        skip 'root may write everywhere', 2 if $> == 0;
        $where = directory_with();
        chmod 0555, $where;
        refuses(program($name), [@$small, '-o', "$where/"], qr/cannot write .*Permission denied/);
        is(files_in($where), '', "$name: nothing is written without permission");
    }

    # What the file holds if nothing is in the way.
    my $right_place = directory_with();
    run([$program, @$small, '-o', "$right_place/"]);
    is(files_in($right_place), join(' ', sort @$files), "$name: its files are there, and no other");
    my $right = read_text("$right_place/$file");

    for my $exists (0, 1)
    {
        my $what = $exists ? 'a link to a file' : 'a link to no file yet';
        $where = directory_with();
        symlink 'target', "$where/$file";
        write_text("$where/target", $old) if $exists;
        $ran = run([$program, @$small, '-o', "$where/"]);
        ok($ran->{status} == 0 && -l "$where/$file", "$name: $what stays a link")
          or diag(describe($ran));
        ok(-f "$where/target" && read_text("$where/target") eq $right,
            "$name: $what: its target is written");
    }

    $where = directory_with();
    mkfifo("$where/$file", 0600);
    $ran = sh("cat '$where/$file' >'$where/copy' & '$program' @$small -o '$where/'; wait");
    ok($ran->{status} == 0 && -p "$where/$file", "$name: a pipe stays a pipe")
      or diag(describe($ran));
    ok(read_text("$where/copy") eq $right, "$name: the pipe's reader gets all");
}

# A disk of 64 kB, mounted where only this test sees it.
sub on_small_disk
{
    my ($where, $script) = @_;
    return ['unshare', '--mount', 'sh', '-ec', "mount -t tmpfs -o size=64k none '$where'; $script"];
}
my $disk = directory_with();
SKIP:
{
    my $may_mount = run(on_small_disk($disk, 'true'))->{status} // 1;
    skip 'no small disk can be mounted here', 2 * @table if $may_mount != 0;
    for (@table)
    {
        my ($name, $files, $small, $large) = @$_;
        my $file = $files->[0];
        my $program = binary(program($name));
        my $ran = run(on_small_disk($disk, "echo old >'$disk/$file'
            '$program' @$large -o '$disk/' || status=\$?
            cat '$disk'/*; ls '$disk'; exit \$status"));
        one_line($ran, qr/cannot write .*No space left on device/, "$name on a full disk");
        like($ran->{out}, qr/^old\n\Q$file\E\n\z/m, "$name leaves the old file, and no other");
    }
}

# A program must not write over the file that it reads, whatever name it is read by.
for (['blur', 'blur.ppm', "P6\n2 2\n255\nabcdefghijkl", []],
    ['neighbor1cpu', 'xy.txt', "0 0\n1 0\n", ['-o', './', '--xy']])
{
    my ($name, $file, $content, $options) = @$_;
    my $program = program($name);
    next if !$program || !-x binary($program);
    my $where = directory_with();
    write_text("$where/$file", $content);
    link "$where/$file", "$where/other-name";
    for my $input ($file, 'other-name')
    {
        my $ran = run([binary($program), @$options, $input], dir => $where);
        one_line($ran, qr/\Q$file\E is the program's own input/, "$name $input, which is $file");
        is($ran->{out}, '', 'is refused before it begins');
        is(read_text("$where/$file"), $content, 'and keeps its content');
    }
}

done_testing();
