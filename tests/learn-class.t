# `make learn CHECK=DIR`: a class is judged into a table and a CSV, and what hostile files try ends in a
# row of it, with nothing outside changed or read.
# Inputs: backend make exercises/* docs/teaching.md docs/teaching.zh-CN.md
use strict;
use warnings;
use utf8;
use FindBin;
use lib $FindBin::Bin;
use Encode qw(decode_utf8 encode_utf8);
use IO::Socket::INET;
use Suite;
use Test::More;
use Time::HiRes qw(time);

plan skip_all => 'exercises are judged by the CPU backend, which is not built' if !glob 'cpu/build/libcudacpu-*.a';
binmode $_, ':utf8' for map { Test::More->builder->$_ } qw(output failure_output todo_output);

my $top = tempdir(CLEANUP => 1);
chmod 0755, $top;
my $class = "$top/class";
mkdir $class;

sub check
{
    my ($more, @words) = @_;
    return run(['./suite', 'learn', 'go', @words], limit => 1500,
        env => {SUITE_LEARN => "$top/learn", LC_ALL => undef, LC_MESSAGES => undef, LANG => 'C', %$more});
}

# The rows of a CSV, each a list of cells.
sub rows_of
{
    my ($file) = @_;
    my @rows = ([]);
    my $text = decode_utf8(read_text($file));
    while ($text =~ /\G(?:"((?:[^"]|"")*)"|([^,"\n]*))(,|\n)/gc)
    {
        my ($quoted, $plain, $end) = ($1, $2, $3);
        push @{$rows[-1]}, defined $quoted ? $quoted =~ s/""/"/gr : $plain;
        push @rows, [] if $end eq "\n";
    }
    is(pos $text, length $text, 'the CSV can be read') or diag(substr $text, pos $text, 100);
    pop @rows;
    return @rows;
}

# ---- Where there is no sandbox ----

mkdir "$top/bin";
symlink $^X, "$top/bin/perl";
symlink((on_path('env'))[0] . '/env', "$top/bin/env");
mkdir "$class/anna";
my $refused = check({PATH => "$top/bin"}, "CHECK=$class");
is($refused->{status}, 1, 'without bwrap nothing is judged');
like($refused->{err}, qr/\Alearn: [^\n]*no bwrap here: apt-get install bubblewrap\n\z/, '... and one line says what to install');
is(check({}, "CHECK=$top/nowhere")->{err}, "learn: $top/nowhere: there is no such folder\n", 'a folder that is not there');
is(check({}, "CSV=$top/x.csv")->{err}, "learn: CSV= goes with CHECK=\n", 'CSV= alone');
write_text("$top/letter.csv", "Dear Anna,\n");
like(check({}, "CHECK=$class", "CSV=$top/letter.csv")->{err}, qr/\Alearn: [^\n]*no table of CHECK=\n\z/, 'another file is no place for a table');
is(read_text("$top/letter.csv"), "Dear Anna,\n", '... and stays');

my ($none) = do { local @INC = ("$ROOT/make", @INC); require Sandbox; Sandbox::lacks() };
if (defined $none)
{
    diag("SKIPPED: no sandbox can be had here, so no hostile file was tried: $none");
    like(check({}, "CHECK=$class")->{err}, qr/\Alearn: [^\n]*\n\z/, 'where there is no sandbox, one line says so');
    done_testing();
    exit;
}

# ---- Hostile files ----

my $right = <<'END';
__global__ void hello()
{
    printf("%d\n", threadIdx.x);
}
int main()
{
    hello<<<1, 4>>>();
    return cudaDeviceSynchronize();
}
END
my $headers = join '', map { "#include <$_>\n" } qw(stdio.h stdlib.h string.h errno.h fcntl.h signal.h unistd.h
  dirent.h sys/ptrace.h sys/prctl.h sys/socket.h sys/stat.h netinet/in.h);

# What runs before the first case, and what must be said of it. A status says that an attempt worked.
my $secret = "$top/secret";
write_text($secret, "of the teacher\n");
chmod 0644, $secret;
my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => '127.0.0.1', Proto => 'tcp') or die "no socket: $!\n";
my $port = $server->sockport;
my $home = $ENV{HOME} // '/root';
my @attempts = (
    [right => '', 'passed'],
    [home => qq(if (open("$secret", O_RDONLY) >= 0 || opendir("$home") || open("/etc/passwd", O_RDONLY) >= 0) _exit(41);), 'passed'],
    [other => qq(if (opendir("$class") || open("$class/right/01_hello.cu", O_RDONLY) >= 0 || open("$ROOT/exercises/01_hello.cu", O_RDONLY) >= 0) _exit(42);), 'passed'],
    [network => qq(sockaddr_in a; memset(&a, 0, sizeof(a)); a.sin_family = AF_INET; a.sin_port = htons($port);
        a.sin_addr.s_addr = htonl(0x7f000001); if (connect(socket(AF_INET, SOCK_STREAM, 0), (sockaddr *)&a, sizeof(a)) == 0) _exit(43);), 'passed'],
    [files => qq(const char *names[] = {"/x", "/tmp/x", "/dev/shm/x", "x", "cpu/x", "$top/x"};
        for (int i = 0; i < 6; ++i) if (open(names[i], O_WRONLY | O_CREAT, 0666) >= 0) _exit(44);), 'passed'],
    [forks => 'for (;;) fork();', 'endless|too_much_memory'],
    [gigabyte => 'for (long i = 0; i < 1 << 27; ++i) fputs("12345678", stderr);', 'prints_for_ever'],
    [loop => 'for (volatile int i = 0;; ++i) { }', 'endless'],
    [memory => 'for (;;) { char *p = (char *)malloc(1 << 26); if (p) memset(p, 1, 1 << 26); else if (fork() != 0) pause(); }',
        'endless|too_much_memory'], # a busy machine may need more than 20 s for so much
    [copies => 'volatile char *p = (char *)malloc(1 << 28); for (int i = 0; i < 1 << 28; i += 4096) p[i] = 1;
        for (int i = 0; i < 15; ++i) if (fork() == 0) break; for (;;) pause();', 'too_much_memory'],
    [kills => "kill(getppid(), SIGKILL); kill($$, SIGKILL); kill(-1, SIGKILL);", 'passed'],
    [traces => 'for (int i = 1; i < 300; ++i) if (i != getpid()) { char name[50]; snprintf(name, 50, "/proc/%d/mem", i);
        if (i > 1 && open(name, O_RDWR) >= 0) _exit(45); ptrace(PTRACE_ATTACH, i, 0, 0); }', 'passed'],
    [exits => 'exit(0);', 'not_ended'],
    [stays => 'if (fork() == 0) { setsid(); if (fork() == 0) { prctl(PR_SET_NAME, "stays-behind"); for (;;) pause(); } _exit(0); }', 'passed'],
);
my %code = map { ($_->[0] => "$headers struct Attempt { Attempt() { $_->[1] } } attempt;\n$right") } @attempts;
my %wanted = map { ($_->[0] => $_->[2]) } @attempts;

# All that it writes says that it is right, and the kernel is wrong.
$code{forges} = $headers . $right =~ s/threadIdx\.x/0/r . <<'END';
struct Attempt
{
    Attempt()
    {
        char words[9000] = "", name[9200];
        const int length = read(open("/proc/self/cmdline", O_RDONLY), words, sizeof(words) - 1);
        const char *folder = words;
        for (int i = 0; i < 2 && folder < words + length; ++i)
        {
            folder += strlen(folder) + 1;
        }
        const char *names[] = {"record", "said", "judge", "plain", "said.plain", "new"};
        for (int i = 0; i < 6; ++i)
        {
            snprintf(name, sizeof(name), "%s/%s", folder, names[i]);
            const int file = open(name, O_WRONLY | O_CREAT, 0777);
            if (file >= 0 || unlink(name) == 0 || symlink("/etc/passwd", name) == 0)
            {
                _exit(46);
            }
        }
        dprintf(1, "id passed\n");
        dprintf(2, "id passed\n");
    }
} attempt;
END
$wanted{forges} = 'all_equal';

# What the compiler is to read or to do.
my %included = (shadow => '#include "/etc/passwd"', sibling => "#include \"$class/right/01_hello.cu\"",
    solution => '#include "../../../exercises/01_hello.cu"', environment => '#include "/proc/1/environ"',
    binary => "asm(\".incbin \\\"$secret\\\"\");", escapes => "#error \e[2J\e[31m\x07red \xc2\x9b31m \xe2\x80\xae");
for my $name (sort keys %included)
{
    $code{$name} = "#include <stdio.h>\n$included{$name}\n$right";
    $wanted{$name} = 'compile|not_declared|expected';
}
$wanted{environment} .= '|passed'; # (a compiler may find it empty)
$code{zeros} = "#include <stdio.h>\n#include \"/dev/zero\"\n$right";
$code{templates} = "#include <stdio.h>\ntemplate <int N> struct A { typename A<2 * N>::x x; typename A<2 * N + 1>::x y; };\nA<1> a;\n$right";
$code{long} = "#include <stdio.h>\n$right" . '// ' . 'x' x 10_000_000;
@wanted{qw(zeros templates long)} = ('compile_memory|compile_slow', 'compile_memory|compile_slow|compile', 'too_long');

for my $name (sort keys %code)
{
    mkdir "$class/$name";
    write_text("$class/$name/01_hello.cu", $code{$name});
}

# Names that are tricks, and what is no file.
my $plain = "#include <stdio.h>\n$right";
my %shown = ("=HYPERLINK(\"x\")" => "'=HYPERLINK(\"x\")", '-rf' => "'-rf", '+1' => "'+1", '@SUM(1)' => "'\@SUM(1)",
    "a\nb" => 'a?b', "c\e[31md" => 'c?[31md', "e'f\"g, h" => "e'f\"g, h", ' i' => ' i', '王小明' => '王小明', '$(touch x)`id`' => '$(touch x)`id`');
for my $name (sort keys %shown)
{
    my $folder = "$class/" . encode_utf8($name);
    mkdir $folder or die "$folder: $!\n";
    write_text("$folder/01_hello.cu", $plain);
}
mkdir "$class/.hidden";
write_text("$class/.hidden/01_hello.cu", $plain);
mkdir "$class/linked";
symlink $secret, "$class/linked/01_hello.cu";
symlink '/etc', "$class/link-of-folder";
mkdir "$class/piped";
system 'mkfifo', "$class/piped/01_hello.cu";
write_text("$class/list.txt", "a list\n");
write_text("$class/saved.learn", "cuda-programs learn 1\nfile 01_hello.cu " . length($plain) . "\n$plain\nfile .state 0\n\nend\n");
write_text("$class/half.learn", "cuda-programs learn 1\nfile 01_hello.cu 99999\n$plain");
@wanted{qw(linked link-of-folder piped saved half)} = qw(a_link a_link a_link passed save_damaged);
$wanted{$_} = 'passed' for values %shown;
$wanted{anna} = 'missing';

my $before = sh("find '$top' -not -path '$top/learn*' -not -path '$top' | sort; cat '$secret'; ls '$home'")->{out};
my $judged = check({CUDACPU_SECRET => 'of-the-teacher'}, "CHECK=$class", "CSV=$top/class.csv", 'N=1');
my $after = sh("find '$top' -not -path '$top/learn*' -not -path '$top' -not -name class.csv | sort; cat '$secret'; ls '$home'")->{out};
is($judged->{status}, 0, 'a class with hostile files is judged') or diag(describe($judged));
is($after, $before, '... and nothing is changed');
unlike($judged->{out} . $judged->{err}, qr/[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80\xae/, '... and no control character gets to the screen');
unlike(read_text("$top/class.csv"), qr/[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|of.the.teacher/, '... nor into the CSV');
$server->blocking(0);
ok(!$server->accept, '... and nobody came by the network');
is(join(' ', grep { read_text($_) =~ /^stays-behind/ } grep { -r } glob '/proc/[0-9]*/comm'), '', '... and no process is left');
my @left = grep { /(\d+)$/ && !kill(0, $1) } glob 'build/learn/check.* build/learn/*/run.*'; # (other tests may be at work)
is("@left", '', '... and no folder');
ok(!-e "$top/learn", 'no file of a reader is made');

my ($heading, @rows) = rows_of("$top/class.csv");
is("@$heading", 'student exercise passed id line sentence', 'the heading of the CSV');
my %row = map { ($_->[0] => $_) } @rows;
is(scalar @rows, scalar keys %row, 'a row for each student');
is(join('; ', grep { @$_ != 6 || $_->[5] eq '' || $_->[1] ne '01_hello' } @rows), '', '... with six cells and a sentence');
for my $name (sort keys %wanted)
{
    my $got = delete $row{$name} // [];
    like($got->[3] // 'no row', qr/^(?:$wanted{$name})$/, "$name: $wanted{$name}") or diag(join ', ', @$got);
    is($got->[2], $got->[3] eq 'passed' ? 1 : 0, '... in the column passed') if @$got;
}
is(join(' ', keys %row), '', 'nobody else is in the CSV');
my $screen = decode_utf8($judged->{out});
like($screen, qr/^\.hidden: a name that begins with a dot is not read$/m, 'what is not read is told');
like($screen, qr/^list\.txt: no file of make learn SAVE=FILE, not read$/m, '... a file that is none of SAVE=, too');
is(join('', grep { length > 80 } split /\n/, $screen), '', 'the table has 80 columns at most');

# ---- A class of thirty files, and the table in Chinese ----

my $thirty = "$top/thirty";
mkdir $thirty;
local @INC = ("$ROOT/make", @INC);
require Exercise;
my @exercises = map { Exercise::read_exercise($_) } (Exercise::files('exercises'))[0 .. 4];
my @students = ('张三', '李四', '欧阳修', 'Li Na', 'Ana', '赵六');
for my $s (0 .. $#students)
{
    my $folder = "$thirty/" . encode_utf8($students[$s]);
    mkdir $folder;
    for my $e (@exercises)
    {
        my $code = $s % 2 ? Exercise::stub($e, 'zh') : Exercise::solution($e, 'zh');
        write_text("$folder/$e->{name}.cu", Exercise::readers_file($e, 'zh', $code));
    }
}
my $start = time;
my $all = check({}, "CHECK=$thirty", "CSV=$top/thirty.csv", 'LANGUAGE=zh');
diag(sprintf '30 files: %.1f s each', (time - $start) / 30);
is($all->{status}, 0, 'thirty files are judged') or diag(describe($all));
my (undef, @thirty) = rows_of("$top/thirty.csv");
my $others = (grep { 1 } Exercise::files('exercises')) - 5;
is(scalar(grep { $_->[2] } @thirty), 15, '... half of them are right');
is(scalar(grep { $_->[3] eq 'missing' } @thirty), 6 * $others, '... the others are missing');
is(scalar(grep { $_->[5] !~ /\p{Han}/ } @thirty), 0, '... each with a sentence in Chinese');
my ($first) = decode_utf8($all->{out}) =~ /\A((?:.+\n)+)/;
require Chinese;
my @lines = split /\n/, $first;
my ($place) = map { Chinese::columns($_) } $lines[0] =~ /^(学生 +)/;
my @other = grep { my $line = $_; !grep { Chinese::columns(substr $line, 0, $_) == $place && substr($line, $_ - 1) =~ /^ \S/ } 1 .. length $line } @lines;
is("@other", '', '... and the columns of the table stand below each other');
is(scalar @lines, 7, '... with a line for each student');
like(check({}, "CHECK=$thirty", "CSV=$top/thirty.csv", 'N=99')->{out}, qr/There is no exercise 99/, 'an exercise that is not there');

# ---- What docs/teaching.md says ----

mkdir $_ for "$top/typed", map { "$top/typed/handed-in$_" } '', '/Ana', '/Li';
write_text("$top/typed/handed-in/$_/01_hello.cu", $plain) for qw(Ana Li);
for my $page ('docs/teaching.md', 'docs/teaching.zh-CN.md')
{
    my ($command) = read_text($page) =~ /^```sh\n(make learn CHECK=.*)\n```$/m;
    $command =~ s{=(?=handed-in|class)}{=$top/typed/}g;
    my $typed = sh($command, limit => 300, env => {without_make(), NVCC => undef, CXX => undef, SUITE_LEARN => "$top/learn"});
    is($typed->{status}, 0, "$page: its command") or diag(describe($typed));
    like(read_text("$top/typed/class.csv"), qr/^Ana,01_hello,1,passed,,Right\.\nAna,/m, '... makes the table');
}

# ---- Exercises of one's own ----

my $own = "$top/own";
mkdir $own;
my $exercise = read_text('exercises/01_hello.cu') =~ s/01_hello/50_own/gr;
write_text("$own/no-solutions", '');
mkdir $_ for "$top/group", "$top/group/ana";
write_text("$top/group/ana/50_own.cu", $plain);
write_text("$top/group/ana/01_hello.cu", $plain);
my %broken = (
    "$own/50_own.cu:1: the file is empty" => '',
    "$own/50_own.cu:1: this is no text: it has a byte 0" => "\0$exercise",
    "$own/50_own.cu:2: this is no UTF-8" => $exercise =~ s/\n/\n\xff/r,
    "$own/50_own.cu:1: there is no key Gaol" => "// Gaol: x\n$exercise",
    "$own/50_own.cu lacks //== child" => $exercise =~ s{^//== child\n.*?(?=^//==)}{}msr,
);
for my $told (sort keys %broken)
{
    write_text("$own/50_own.cu", $broken{$told});
    my $said = check({}, "FROM=$own", "CHECK=$top/group");
    $told =~ s/ lacks/: lacks/;
    is($said->{err}, "learn: $told (./suite learn --test $own/50_own.cu tells all)\n", $told =~ s/.*own\.cu//r);
}
my ($line) = map { 1 + tr/\n// } $exercise =~ m{\A(.*?)^[ \t]*//\[}ms;
write_text("$own/50_own.cu", $exercise =~ s{^[ \t]*//\]}{}mr);
like(check({}, "FROM=$own")->{err}, qr{\Alearn: \Q$own\E/50_own\.cu:$line: //\[ without //\] [^\n]*\n\z}, 'a mark that does not close');
write_text("$own/50_own.cu", $exercise);
my $group = check({}, "FROM=$own", "CHECK=$top/group");
is($group->{status}, 0, "a teacher's own exercise") or diag(describe($group));
like($group->{out}, qr{^student  50_own\nana      solved\n\nana/01_hello\.cu: no exercise has this name\n}, '... is judged so');
like(check({}, "FROM=$own", 'SOLUTION=1')->{out}, qr/^ *There are no solutions here/, '... and its solution is withheld');
done_testing();
