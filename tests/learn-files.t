# `make learn`: a reader's file is never lost or overwritten, whatever happens to it.
# Inputs: backend make exercises/01_hello.cu exercises/*.h exercises/*.cuh exercises/sentences.txt
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use IO::Handle;
use Suite;
use Test::More;
use Time::HiRes qw(sleep time);

plan skip_all => 'exercises are judged by the CPU backend, which is not built' if !glob 'cpu/build/libcudacpu-*.a';

my $top = tempdir(CLEANUP => 1);
my ($place, $file);
sub fresh
{
    my ($number) = ($place // '') =~ /(\d+)$/;
    $place = "$top/learn" . (($number // 0) + 1);
    $file = "$place/01_hello.cu";
    return;
}

sub learn_by
{
    my ($command, @words) = @_;
    return run([@$command, './suite', 'learn', 'go', @words], limit => 100,
        env => {SUITE_LEARN => $place, LC_ALL => undef, LC_MESSAGES => undef, LANG => 'C'});
}

sub learn { return learn_by([], @_) }

# All that lies there but the state.
sub files
{
    return join ' ', sort map { s{^\Q$place\E/}{}r } grep { !/\.lock$|\.state$|\/\.\.?$/ } glob "$place/* $place/.old/* $place/.*.part*";
}

# A file with this text is judged so, and stays as it is.
sub judged_so
{
    my ($what, $text, $says) = @_;
    fresh();
    learn('LIST=1');
    write_text($file, $text);
    my $judged = learn();
    like($judged->{out}, $says, $what) or diag(describe($judged));
    is(read_text($file), $text, '... and the file is as it was');
    is($judged->{status} . $judged->{err}, '0', '... without a word of perl') or diag(describe($judged));
    return;
}

my $right = <<'END';
// 01_hello: each thread prints its own number
#include <stdio.h>
__global__ void hello()
{
    printf("%d\n", threadIdx.x);
}
int main() { hello<<<1, 4>>>(); return cudaDeviceSynchronize(); }
END

judged_so('a right solution', $right, qr/^  Right\./m);
judged_so('a syntax error', $right =~ s/;//r, qr/^  Line 5: A ; is missing/m);
judged_so('a brace that is open', $right =~ s/^\}//mr, qr/^  Line 4: The \{ of this line is never closed/m);
judged_so('a comment that is open', "$right/* here", qr/^  Line 8: The \/\* of this line is never closed/m);
judged_so('a loop without end in the kernel', $right =~ s/printf/while (true) { } printf/r, qr/^  Line 5: (?:The threads go round|A block of threads has not ended)/m);
judged_so('a loop without end in the compiler', "template <int N> struct A { static const int x = A<N + 1>::x; };\n"
      . "const int y = A<0>::x;\n$right", qr/The compiler says: template instantiation depth/);
judged_so('an exit in the host code', "#include <stdlib.h>\nstatic int x = (exit(0), 1);\n$right", qr/The program ends before its work is done/);
judged_so('an empty file', '', qr/^  The file is empty/m);
judged_so('blanks only', " \n\t\n", qr/^  The file is empty/m);
judged_so('a binary file', "\x7fELF\0\1\2$right", qr/^  The file is no text/m);
judged_so('lines that end with CR and LF', $right =~ s/\n/\r\n/gr, qr/^  Right\./m);
judged_so('a byte order mark', "\xef\xbb\xbf$right", qr/^  Right\./m);
judged_so('no end of line at the end', $right =~ s/\n\z//r, qr/^  Right\./m);
judged_so('a very long line', $right . '// ' . 'x' x 150_000 . "\n", qr/^  Right\./m);
judged_so('a file that is too long', $right . "// x\n" x 100_000, qr/^  The file has \d+ bytes/m);
judged_so('the file of another exercise', $right =~ s/01_hello/02_index/r, qr/^  This is the file of exercise 02_index/m);
judged_so('Chinese text where LANG is C', $right =~ s/(threadIdx\.x\);)/$1 \/\/ 线程编号/r, qr/^  Right\./m);
judged_so('a Chinese mark in the code', $right =~ s/x\);/x）；/r, qr/^  Line 5: The mark \S+ is a Chinese one/m);
judged_so('text that is no UTF-8', $right =~ s/(x\);)/$1 \/\/ \xcf\xdf\xb3\xcc/r, qr/^  Right\./m);
judged_so('a name in which the program would write', $right =~ s/printf/FILE *f = 0; printf/r, qr/^  /m);

# What is no file.
fresh();
learn('LIST=1');
mkdir $file;
like(learn()->{out}, qr/is no plain file/, 'a folder where the file belongs');
like(learn('RESET=1')->{out}, qr/kept as/, '... is kept when the exercise begins again');
is(files(), '.old/01_hello.cu.1 01_hello.cu', '... in .old');
unlink $file;
is(system('mkfifo', $file), 0, 'a pipe where the file belongs');
like(learn()->{out}, qr/is no plain file/, '... is not waited for');
unlink $file;
write_text("$top/mine.cu", $right);
symlink "$top/mine.cu", $file;
like(learn()->{out}, qr/^  Right\./m, 'a link to a file elsewhere is followed');
learn('RESET=1');
is(read_text("$top/mine.cu"), $right, '... and the file is left alone when the exercise begins again');
ok(-l "$place/.old/01_hello.cu.2" && -f $file && !-l $file, '... the link is kept');
unlink $file;
symlink "$top/nowhere", $file;
like(learn()->{out}, qr/There is no file/, 'a link to nowhere');
ok(!-e "$top/nowhere", '... is not written through');
SKIP:
{
    skip 'root may read everything', 2 if $> == 0;
    fresh();
    learn('LIST=1');
    write_text($file, $right);
    chmod 0, $file;
    like(learn()->{out}, qr/cannot be read: Permission denied/, 'a file that may not be read');
    chmod 0500, $place;
    my $refused = learn('RESET=1');
    ok($refused->{status} == 1 && $refused->{err} =~ /\Alearn: [^\n]*Permission denied\n\z/, 'a folder that may not be written')
      or diag(describe($refused));
    chmod 0700, $place;
}

# A deleted file.
fresh();
learn();
unlink $file;
like(learn()->{out}, qr/All 4 threads print 0/, 'a deleted file is written again');

# RESET, twice and at once.
write_text($file, "one\n");
learn('RESET=1');
write_text($file, "two\n");
learn('RESET=1');
is(read_text("$place/.old/01_hello.cu.1") . read_text("$place/.old/01_hello.cu.2"), "one\ntwo\n", 'RESET keeps each file');
fresh();
learn('LIST=1');
write_text($file, "mine\n");
my @pids = map
{
    my $pid = fork;
    if (!$pid)
    {
        local $ENV{SUITE_LEARN} = $place;
        open STDOUT, '>', "$top/out";
        open STDERR, '>', "$top/err";
        exec './suite', 'learn', 'go', 'RESET=1';
    }
    $pid;
} 1 .. 6;
waitpid $_, 0 for @pids;
my @kept = map { read_text($_) } glob "$place/.old/*";
is(scalar(grep { $_ eq "mine\n" } @kept), 1, 'six at once: the file is kept once');
unlike(files(), qr/part/, '... and nothing half is left');
like(read_text($file), qr/threadIdx|printf/, '... and there is a beginning');

# The disk is full: no file may grow. (What is a signal else is an error of write here.)
my @full = ('perl', '-e', '$SIG{XFSZ} = "IGNORE"; exec "sh", "-c", q((ulimit -f 0; "$@"; echo status $?) 2>&1 | cat), "sh", @ARGV');
fresh();
my $refused = learn_by(\@full);
ok($refused->{out} =~ /\Alearn: [^\n]*File too large\nstatus 1\n\z/, 'a full disk, from the beginning')
  or diag(describe($refused));
is(files(), '', '... leaves nothing half');
learn('LIST=1');
write_text($file, $right);
learn();
my $before = read_text("$place/.state");
learn_by(\@full, 'LANGUAGE=zh');
is(read_text("$place/.state"), $before, 'a full disk leaves the state as it was');
$refused = learn_by(\@full, 'RESET=1');
is(read_text($file), $right, '... and the file, when the exercise cannot begin again') or diag(describe($refused));
$refused = learn_by(\@full, "SAVE=$top/full");
ok($refused->{out} =~ /status 1$/ && !-e "$top/full", '... and SAVE leaves nothing half') or diag(describe($refused));

# SAVE and LOAD.
is(learn("SAVE=$top/saved")->{status}, 0, 'SAVE');
my $saved = read_text("$top/saved");
write_text($file, "newer\n");
is(learn("SAVE=$top/saved")->{status}, 1, 'SAVE over a file that is there');
is(read_text("$top/saved"), $saved, '... is refused');
is(learn("LOAD=$top/saved")->{status}, 0, 'LOAD');
is(read_text($file), $right, '... brings the file back');
like(join('', map { read_text($_) } glob "$place/.old/*"), qr/^newer$/m, '... and keeps the newer one');
fresh();
is(learn("LOAD=$top/saved")->{status}, 0, 'LOAD elsewhere');
like(learn('LIST=1')->{out}, qr/solved/, '... brings what is solved, too');
write_text("$top/part", substr $saved, 0, length($saved) - 30);
write_text("$top/evil", "cuda-programs learn 1\nfile ../evil.cu 2\nx\n\nend\n");
for my $name (qw(part evil mine.cu))
{
    is(learn("LOAD=$top/$name")->{status}, 1, "LOAD of $name is refused");
}
ok(!-e "$place/../evil.cu", '... and writes nowhere else');
is(read_text($file), $right, '... and the file is as it was');

# The state.
write_text("$place/.state", "passed 01_hello 17\nlang\x00uage \xff\n");
my $damaged = learn('LIST=1');
ok($damaged->{status} == 0 && $damaged->{out} =~ /solved/, 'a damaged state is read as far as it goes') or diag(describe($damaged));
is(learn('LANGUAGE=zh', 'LIST=1')->{status}, 0, '... is written anew');
like(join('', map { read_text($_) } glob "$place/.old/.state.*"), qr/uage/, '... and kept');
unlink "$place/.state";
mkdir "$place/.state";
$refused = learn('LANGUAGE=en');
ok($refused->{status} == 1 && $refused->{err} =~ /\Alearn: [^\n]*\n\z/, 'a folder where the state belongs is one line') or diag(describe($refused));

# ---- On a terminal ----

my $has_script = -x '/usr/bin/script';
my ($keys, $screen, $pid);
$SIG{PIPE} = 'IGNORE';

sub start_loop
{
    fresh();
    $screen = "$place.screen";
    pipe my $in, $keys or die "pipe: $!\n";
    $keys->autoflush(1);
    $pid = fork // die "fork: $!\n";
    if (!$pid)
    {
        open STDIN, '<&', $in;
        open STDOUT, '>', "$top/out";
        open STDERR, '>', "$top/err";
        close $keys;
        @ENV{qw(SUITE_LEARN TERM LANG)} = ($place, 'xterm', 'C');
        delete @ENV{qw(LC_ALL LC_MESSAGES)};
        exec 'script', '-qefc', './suite learn go; stty -a', $screen;
        exit 1;
    }
    close $in;
    return;
}

# Waits until the last screen has a text.
sub sees
{
    my ($pattern, $what) = @_;
    my $until = time + 60;
    my $last = '';
    while (time < $until)
    {
        $last = -e $screen ? (split /\e\[H\e\[2J/, read_text($screen))[-1] // '' : '';
        return pass($what) if $last =~ $pattern;
        sleep 0.1;
    }
    fail($what);
    diag($last);
    return;
}

SKIP:
{
    skip 'there is no command script', 1 if !$has_script;
    start_loop();
    sees(qr/All 4 threads print 0/, 'a terminal shows the first exercise');
    my $last = (split /\e\[H\e\[2J/, read_text($screen))[-1];
    utf8::decode($last);
    my ($longest) = sort { $b <=> $a } map { length($_) + ($_ =~ tr{\x{2e80}-\x{ffef}}{}) } split /\r?\n/, $last;
    cmp_ok($longest, '<=', 80, '... in 80 columns');
    write_text("$place/new", $right);
    rename "$place/new", $file;
    sees(qr/  Right\./, 'an editor that writes by renaming');
    unlink $file;
    sees(qr/There is no file.*\[r\] writes/s, 'a deleted file is told');
    print {$keys} 'r';
    sees(qr/All 4 threads print 0/, '... and comes again by r');
    print {$keys} 'z';
    sees(qr/4 个线程都打印 0/, 'z speaks Chinese');
    print {$keys} 'zh';
    sees(qr/Hint 1: All threads run/, 'h gives a hint');
    print {$keys} 'n';
    sees(qr/Exercise 2\/.*02_index/s, 'n goes on');
    print {$keys} 'p';
    sees(qr/Exercise 1\/.*All 4/s, 'p goes back');
    write_text($file, $right =~ s/printf/for (volatile int i = 0;; i = i + 1) { } printf/r);
    sees(qr/checking/, 'a loop without end is being judged');
    write_text($file, $right);
    sees(qr/  Right\./, '... and a save stops that, and is judged at once');
    print {$keys} "\x03";
    waitpid $pid, 0;
    like(read_text($screen), qr/[^-]icanon.*[^-]echo\b/s, 'Ctrl-C leaves the terminal as it was');
    is(read_text($file), $right, '... and the file');
    my @left = grep { /(\d+)$/ && !kill(0, $1) } glob 'build/learn/01_hello/run.*'; # (others may be at work)
    is("@left", '', '... and nothing behind');
    close $keys;

    start_loop();
    sees(qr/All 4 threads print 0/, 'a loop');
    # (Only ours: other tests may be at work. A process may end while we look.)
    my @loops = grep { (eval { read_text("/proc/$_/cmdline") } // '') =~ /perl.*learn\0go/ && (eval { read_text("/proc/$_/environ") } // '') =~ /\bSUITE_LEARN=\Q$place\E\0/ }
      map { m{(\d+)/stat$} } glob '/proc/[0-9]*/stat';
    is(scalar @loops, 1, '... is one process');
    kill TERM => @loops;
    waitpid $pid, 0;
    like(read_text($screen), qr/[^-]icanon.*[^-]echo\b/s, 'a signal leaves the terminal as it was');
    print {$keys} 'q';
    close $keys;
    waitpid $pid, 0;
}
done_testing();
