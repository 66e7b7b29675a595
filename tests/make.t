# make, in a copy of the repository with a few programs: what it builds again and what it does not,
# what it refuses, and what it tells.
# Inputs: make backend ch02_threads/* ch03_framework/* common/*.cuh CHANGELOG.md
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;
use Time::HiRes;

my $dir = tempdir(CLEANUP => 1);
delete $ENV{CUDA_VISIBLE_DEVICES};    # what is run here runs on the CPU's one device
sh("cp -a Makefile suite make cpu common '$dir'");
my @PROGRAMS = qw(ch02_threads/hello.cpp ch02_threads/hello2.cu ch03_framework/add3if.cu);
for my $file (@PROGRAMS)
{
    mkdir "$dir/" . dirname($file);
    sh("cp -a $file $dir/$file");
}

my %environment;    # of the makes that follow

sub make
{
    my (@args) = @_;
    my @tools = grep { /^BACKEND=/ } @args;
    return run(['make', @tools ? () : 'BACKEND=cpu', "CXX=$CXX", @args], dir => $dir, limit => 600,
        env => {without_make(), %environment});
}

# Every program built: file => time.
sub built
{
    my @files = grep { -f && -x } glob "$dir/build/c*/*";
    return map { s{^\Q$dir/build/\E}{}r => (Time::HiRes::stat($_))[9] } @files;
}

my %before;

# Names of the programs built since the last call, in order.
sub built_again
{
    my %now = built();
    my @new = grep { !defined $before{$_} || $before{$_} != $now{$_} } sort keys %now;
    %before = %now;
    return join ' ', map { basename($_) } @new;
}

sub makes
{
    my ($expected, $title, @args) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $ran = make(@args);
    my $again = built_again();
    my $right = $ran->{status} == 0 && $again eq $expected;
    ok($right, $title) or diag("built: $again\nnot:   $expected\n", describe($ran));
    return $ran;
}

# make stops with a status and says why.
sub stops
{
    my ($title, $args, @patterns) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my $ran = make(@$args);
    my @missing = grep { $ran->{err} !~ $_ } @patterns;
    ok($ran->{status} != 0 && !@missing, $title)
      or diag(map({ "stderr lacks $_\n" } @missing), describe($ran));
}

sub with_file
{
    my ($file, $text, $code) = @_;
    mkdir "$dir/" . dirname($file);
    write_text("$dir/$file", $text);
    $code->();
    unlink "$dir/$file";
    rmdir "$dir/" . dirname($file);
}

sub small_program
{
    my ($name, %keys) = @_;
    %keys = (From => 'section 1', Compile => "g++ $name.cpp", Run => './a.out', %keys);
    my $keys = join '', map { sprintf "// %-8s %s\n", "$_:", $keys{$_} } sort keys %keys;
    return "// $name: a small program\n//\n$keys\nint main(void)\n{\n    return 0;\n}\n";
}

# A directory with as much of Thrust as a program here needs.
sub write_thrust
{
    mkdir "$dir/include";
    mkdir "$dir/include/thrust";
    write_text("$dir/include/thrust/scan.h", "#pragma once\n");
    return "$dir/include";
}

# ---- What is built ----

my $ran = makes('add3if hello hello2', 'make builds every program');
like((split /\n/, $ran->{out})[-1], qr/CPU.*BACKEND=cuda/,
    'its last line says for what, and how to force the other');
ok(-x "$dir/bin/$_", "bin/$_ is there") for qw(hello hello2 add3if);
my $hello = run(["$dir/bin/hello2"]);
is("$hello->{status} $hello->{out}", "0 Hello World from the GPU!\n", 'bin/hello2 runs');
makes('', 'a second make does nothing');

sub touch
{
    my $now = Time::HiRes::time();
    Time::HiRes::utime($now, $now, "$dir/$_[0]") or die "$_[0]: $!\n";
    Time::HiRes::sleep(0.1);    # what make builds now is newer, also where a clock ticks slowly
}
touch('common/report.cuh');
makes('add3if', 'a touched common/report.cuh rebuilds what includes it, through args.cuh');
makes('', '... once');
touch('ch02_threads/hello2.cu');
makes('hello2', 'a touched program is rebuilt, alone');
rename("$dir/ch02_threads/hello2.cu", "$dir/ch03_framework/hello2.cu") or die "$!\n";
makes('hello2', 'and one that has moved to another chapter');
rename("$dir/ch03_framework/hello2.cu", "$dir/ch02_threads/hello2.cu") or die "$!\n";
makes('hello2', '... and back');
touch('cpu/include/' . basename((glob "$dir/cpu/include/*")[0]));
make();
built_again();
makes('', 'after a touched header of cpu/include nothing is left to do');

makes('add3if hello hello2', 'a changed flag rebuilds all', 'CXXFLAGS=-DSOMETHING');
makes('', '... once', 'CXXFLAGS=-DSOMETHING');
makes('add3if hello hello2', 'and so does taking it away');

makes('add3if hello hello2', 'USE_DP=1 builds all in double', 'USE_DP=1');
ok(-x "$dir/bin/dp/add3if", 'bin/dp/add3if is there');
makes('', 'back to float: nothing to do');
makes('', 'and to double again: nothing to do', 'USE_DP=1');

SKIP:
{
    skip 'no nvcc', 4 unless on_path('nvcc');
    my @cuda = ('BACKEND=cuda', 'ARCH=sm_80');
    makes('add3if hello hello2', 'BACKEND=cuda builds all with nvcc', @cuda);
    makes('', 'back to the CPU: nothing to do');
    makes('', 'and to CUDA again: nothing to do', @cuda);
    makes('add3if hello hello2', 'another ARCH rebuilds all', 'BACKEND=cuda', 'ARCH=sm_90');
}

with_file('ch98_some/one.cpp', small_program('one'), sub
{
    makes('one', 'make NAME builds one program', 'one');
    touch('ch98_some/one.cpp');
    touch('ch02_threads/hello.cpp');
    makes('one', 'make chNN builds one chapter', 'ch98');
    makes('hello', 'and make the rest');
});
with_file('ch98_some/part.cpp', "int part(void)\n{\n    return 0;\n}\n", sub
{
    with_file('ch98_some/whole.cpp',
        small_program('whole', Sources => 'part.cpp') =~ s/return 0/return part()/r
          =~ s/int main/int part(void);\n\nint main/r,
        sub
        {
            makes('whole', 'Sources: makes one program of several files');
            touch('ch98_some/part.cpp');
            makes('whole', 'and any of them rebuilds it');
        });
});

# Programs that use Thrust are left out, in one line, where there is none.
my $uses_thrust = small_program('sums', Uses => 'Thrust', Compile => 'nvcc sums.cu');
with_file('ch98_some/sums.cu', "#include <thrust/scan.h>\n" =~ s/^/$uses_thrust/r, sub
{
    with_file('ch98_some/one.cpp', small_program('one'), sub
    {
        # Debian's libthrust-dev is always searched; this place of our own comes before it.
        %environment = (CUDA_HOME => "$dir/none",
            CPUCC_THRUST => -d '/usr/include/thrust' ? "$dir/none" : undef);
        my $ran = makes('one', 'without Thrust make builds the others', 'ch98');
        my @lines = grep { /Thrust/ } split /\n/, $ran->{out};
        ok(@lines == 1 && $lines[0] =~ /leaves out sums; .*CUDA_HOME.*libthrust-dev/,
            '... and says in one line what it leaves out, and where Thrust is to be had')
          or diag(describe($ran));
        unlike(make('one')->{out}, qr/Thrust/, '... but not for another program');
        unlike(make('list')->{out}, qr/leaves out/, '... nor where nothing is built');
        stops('... and says so of a program that is asked for', ['sums'],
            qr/sums: there is no Thrust here; .*libthrust-dev/);
        %environment = (CPUCC_THRUST => write_thrust());
        $ran = makes('sums', 'with Thrust make builds it', 'ch98');
        unlike($ran->{out}, qr/leaves out/, '... and leaves nothing out');
        %environment = ();
    });
});
built_again();

# What only some programs take is asked for when one of them is to be built, and only then.
sub write_command
{
    my ($name, $text) = @_;
    mkdir "$dir/commands";
    write_text("$dir/commands/$name", "#!/bin/sh\n: >>'$dir/asked-$name'\n$text\n");
    chmod 0755, "$dir/commands/$name" or die "$name: $!\n";
}
mkdir "$dir/include";
write_text("$dir/include/mpi.h", "#pragma once\n");
write_command('mpicc', "echo gcc -I$dir/include");
%environment = (PATH => "$dir/commands:$ENV{PATH}");
with_file(
    'ch98_some/ranks.cpp',
    small_program('ranks', Uses => 'MPI'),
    sub {
        makes('ranks', 'a program that uses MPI', 'ranks');
        like(
            read_text("$dir/build/cpu-" . basename($CXX) . '-float/flags-MPI'),
            qr/-DHAVE_MPI -I/,
            '... with its flags');
        makes('', '... is built once', 'ranks');
        unlink "$dir/asked-mpicc";
        makes('', '... and nobody asks for MPI', 'hello');
        ok(!-e "$dir/asked-mpicc", '... where another one is built');
        write_command('mpicc', "echo gcc -I$dir/include -I$dir/other");
        makes('ranks', 'other flags of MPI rebuild it', 'ranks');
        write_command('mpicc', 'exit 1');
        makes('ranks', '... and so does MPI that has gone', 'ch98');
        makes('', '... but no other program');
    });
%environment = ();
make();
built_again();

my $long = 'CXXFLAGS=' . join ' ', map { "-DNUMBER_$_" } 1 .. 100;
make('hello', $long);
built_again();
makes('', 'a long list of flags that stays: nothing to do', 'hello', $long);
make();
built_again();

# ---- What stops it ----

with_file('ch03_framework/hello.cpp', small_program('hello'), sub
{
    stops('two programs of one name', [], qr{hello}, qr{ch02_threads/hello\.cpp},
        qr{ch03_framework/hello\.cpp});
});
with_file('ch98_some/bare.cpp', "int main(void)\n{\n    return 0;\n}\n",
    sub { stops('a program without a header comment', [], qr{ch98_some/bare\.cpp}) });
with_file('ch98_some/empty.cpp', '',
    sub { stops('an empty file', [], qr{ch98_some/empty\.cpp}) });
with_file('ch98_some/other.cpp', small_program('another'),
    sub { stops('a comment with another name', [], qr{ch98_some/other\.cpp}) });
with_file('ch98_some/broken.cpp', small_program('broken') =~ s/return/retrun/r,
    sub { stops('a program that does not compile', [], qr/broken/) });
stops('a backend that is none', ['BACKEND=gpu'], qr/BACKEND/);
stops('a goal that is none', ['nonsense'], qr/nonsense/);
makes('', 'after all this, there is nothing to do');

# In Chinese where LANG says so. A locale that is not installed is no matter.
%environment = (LC_ALL => undef, LANGUAGE => undef, LANG => 'zh_CN.UTF-8');
for (['hello', 0, qr{^bin/hello：为 CPU 编译，因为你这样指定；要用另一种，加上 BACKEND=cuda$}m],
    ['nonsense', 2, qr/没有程序、章或目标 nonsense：见 make list/], ['list', 0, qr/^ch02_threads +hello +.*（程序清单 2\.1/m],
    ['find', 0, qr/^make find 要知道找什么/], ['doctor', 0, qr/^系统 .*^make +为 cpu，因为你这样指定$/ms],
    ['help', 0, qr/^  make test  +几分钟内/m], ['clean hello', 2, qr/make clean 要单独运行，然后再 make hello/])
{
    my ($goals, $status, $says) = @$_;
    for my $name ('LANG', 'LC_ALL')
    {
        local @environment{'LANG', 'LC_ALL'} = ($name eq 'LANG' ? 'zh_CN.UTF-8' : 'C.UTF-8', undef);
        $environment{LC_ALL} = 'zh_CN.UTF-8' if $name eq 'LC_ALL';
        my $ran = make(split ' ', $goals);
        ok($ran->{status} == $status && "$ran->{out}$ran->{err}" =~ $says && "$ran->{out}$ran->{err}" !~ /locale/,
            "make $goals, $name=zh_CN.UTF-8") or diag(describe($ran));
    }
}
with_file('ch98_some/bare.cpp', "int main(void) {}\n",
    sub { stops('a program without a header comment, in Chinese', ['hello'], qr{ch98_some/bare\.cpp：第一行须为 `// bare: 展示什么`}) });
%environment = ();
make();
built_again();

# ---- What it tells ----

my @decoys = (['ch98_some/decoy.cpp', 'Listing 3.41, section 13.4, Table 9.10'],
    ['ch98_some/table.cpp', 'Tables 9.1 to 9.3; file bank.cu']);
my ($decoy, $table) = map { small_program(basename($_->[0], '.cpp'), From => $_->[1]) } @decoys;
with_file($decoys[0][0], $decoy, sub
{
    with_file($decoys[1][0], $table, sub
    {
        my $list = make('list');
        is(join("\n", grep { length > 100 } split /\n/, $list->{out}), '', 'make list fits 100 columns');
        my $joined = $list->{out} =~ s/\n +/ /gr;
        for my $file (@PROGRAMS)
        {
            my ($program) = grep { $_->{file} eq $file } programs();
            like($joined, qr{\b$program->{name}\b.*\Q$program->{sentence}\E},
                "make list has $program->{name} and its sentence");
        }
        for (['3.4', 'add3if'], ['Listing 3.4', 'add3if'], ['Table 9.1', 'table'], ['9.2', 'table'],
            ['9.10', 'decoy'], ['bank.cu', 'table'], ['hello2', 'hello2'], ['13.4', 'decoy'])
        {
            my ($what, $expected) = @$_;
            my $found = make('find', "WHAT=$what");
            my $names = join ' ', map { /^(\S+) +ch\d/ } split /\n/, $found->{out};
            ok($found->{status} == 0 && $names eq $expected, "make find WHAT='$what': $expected")
              or diag(describe($found));
        }
        # That there is nothing is said in a line of its own, and is no error of make.
        for my $what ('99.9', '', '.', '$(HOME)', "'")
        {
            my $found = make('find', "WHAT=$what");
            ok( "$found->{status} [$found->{out}]" eq '0 []' && $found->{err} =~ /\A[^\n*]+\n\z/,
                "make find WHAT='$what'") or diag(describe($found));
        }
    });
});
# What builds nothing works where there are no compilers, and with the modules of Debian's perl-base
# alone, which every Debian has.
my $bare = tempdir(CLEANUP => 1);
for my $command (map { glob "$_/*" } grep { !m{/cuda} } split /:/, $ENV{PATH})
{
    my $name = basename($command);
    symlink $command, "$bare/$name" if $name !~ /prove|g\+\+|gcc|clang|^cc$|^c\+\+$|nvcc/;
}
write_text("$bare/OnlyBase.pm", "package OnlyBase; \@INC = grep { m{/perl-base\$} } \@INC; 1;\n");
my %base = grep({ m{/perl-base$} } @INC) ? (PERL5OPT => '-MOnlyBase', PERL5LIB => $bare) : ();
write_text("$dir/$_", "<!-- programs -->\n<!-- /programs -->\n")
  for map { ("${_}README.md", "${_}README.zh-CN.md") } 'ch02_threads/', 'ch03_framework/';
for (['list'], ['find', 'WHAT=3.4'], ['find', 'WHAT=section 6.3'], ['index'], ['help'])
{
    my $ran = run(['make', @$_], dir => $dir, env => {without_make(), PATH => $bare, %base});
    ok($ran->{status} == 0 && $ran->{err} eq '', "make @$_ without compilers")
      or diag(describe($ran));
}
my $based =
  run(['make', 'hello', 'BACKEND=cpu', "CXX=$CXX"], dir => $dir, env => {without_make(), %base});
is($based->{status}, 0, 'make hello with perl-base') or diag(describe($based));
unlink "$bare/perl";
my $no_perl = run(['make', 'list'], dir => $dir, env => {without_make(), PATH => $bare});
like(
    $no_perl->{err},
    qr/^[^\n]*make needs perl: [^\n]*\n\z/,
    'without perl make says what to install') or diag(describe($no_perl));
like(
    read_text("$dir/ch02_threads/README.zh-CN.md"),
    qr{\| \[hello2\]\(hello2\.cu\) \|},
    'make index has written a table');
with_file('ch02_threads/hello2_fast.cuh', "#pragma once\n", sub
{
    make('hello2');
    like(read_text("$dir/compile_commands.json"), qr{"file": "ch02_threads/hello2_fast\.cuh"},
        'compile_commands.json has the headers of a chapter');
});
for my $goal (qw(help doctor))
{
    my $told = make($goal);
    ok($told->{status} == 0 && length $told->{out} > 100, "make $goal") or diag(describe($told));
}
ok(-e "$dir/compile_commands.json", 'compile_commands.json is there');

# ./suite by itself: each command says more of it, and from another directory, too.
my $usage = run(["$dir/suite"], dir => '/');
my @commands = $usage->{out} =~ /^  ([a-z]+) /mg;
cmp_ok(scalar @commands, '>', 12, 'suite lists its commands') or diag(describe($usage));
for my $command (@commands)
{
    next if $command =~ /^(?:figures|report)$/; # whose scripts are not in this copy
    my $help = run(["$dir/suite", $command, '--help'], dir => '/');
    ok($help->{status} == 0 && $help->{err} eq '' && length $help->{out} > 40,
        "suite $command --help")
      or diag(describe($help));
}
my $no_command = run(["$dir/suite", 'nonsense']);
is( "$no_command->{status} $no_command->{err}",
    "2 there is no command nonsense: see ./suite --help\n",
    'suite refuses what it does not know');
make('clean');
ok(!-e "$dir/build" && !-e "$dir/bin", 'make clean leaves nothing');

# ---- Names, and comments that would be commands ----

# make says one line, with these words, and makes no file called HACK.
sub refuses_all
{
    my ($title, $words, @goals) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    for my $goal (@goals)
    {
        my $ran = run(['make', $goal], dir => $dir, env => {without_make()});
        ok($ran->{status} != 0 && $ran->{err} =~ /^[^\n]*\Q$words\E[^\n]*\n\z/,
            "make $goal: $title")
          or diag(describe($ran));
        ok(!-e "$dir/HACK", '... and runs nothing');
    }
}

for my $name (
    'with blank.cu', "it's.cu", 'two"quotes.cu', '$(touch HACK).cu',
    '`touch HACK`.cuh', "\\.cu", "a\nb.cpp")
{
    with_file("ch03_framework/$name", small_program('add3if'),
        sub { refuses_all("a file called $name", 'letters, digits', 'list', 'hello') });
}
for my $key (qw(Libs Flags Uses Arch Sources))
{
    for my $value ('$(shell touch HACK)', '`touch HACK`', '-lm;touch HACK', '-lm|touch HACK')
    {
        with_file('ch03_framework/odd.cpp', small_program('odd', $key => $value), sub
        {
            refuses_all("$key: $value", "ch03_framework/odd.cpp: $key: ", 'hello');
            ok(make('list')->{status} == 0 && !-e "$dir/HACK", '... and make list runs nothing');
        });
    }
}
with_file(
    'ch03_framework/headless.cu',
    "int main() {}\n",
    sub {
        stops('a file without a comment', [$_], qr/headless\.cu: its first line must be/)
          for qw(list hello);
    });
mkdir "$dir/$_" for qw(folder ch04_errors);
refuses_all('no such goal', "goal $_: see make list", $_)
  for qw(nosuch ch04 ch04_errors folder common);
rmdir "$dir/$_" for qw(folder ch04_errors);

# ---- ONLY= ----

for my $goal (qw(test plant sanitize bench toolkits))
{
    my $ran = make($goal, 'ONLY=add3if nosuch ch3');
    ok($ran->{status} == 2 && $ran->{err} =~ /^[^\n]*ONLY=nosuch ch3: there is no such[^\n]*\n\z/,
        "make $goal ONLY=nosuch is one line and status 2") or diag(describe($ran));
}

# ---- What is somebody else's stays, whatever its name and age ----

# Names as those of files for a while, here and in the commands of the suite, and folders where a
# reader may put his own.
my @theirs = map { "$dir/theirs/$_" } qw(cpucc.backup/a cpucc.XXXXXX/a drawings.XXXXXX/a abcdefghij/a
  times.1/a 12.9.1/a 12.9.1.new/a 12.9.1-libcu++/a debian-12/a lib/cpucc/a cpucc.tmp);
push @theirs, map { "$dir/$_" } qw(bin/my bin/dp/my build/zh/ch02_threads/my.cu ch02_threads/zh/a.txt);
make('hello', 'CXX=g++');
sh("mkdir -p '" . dirname($_) . "'; echo x >'$_'; touch -d 2000-01-01 '$_' '" . dirname($_) . "'") for @theirs;
for my $command ('hello', 'zh', 'doctor', 'list', 'find WHAT=3.4', 'sanitize ONLY=hello', 'toolkits ONLY=add3if',
    "install-cpucc PREFIX=$dir/theirs", 'clean')
{
    run(['make', split(' ', $command), 'BACKEND=cpu', "CXX=$CXX"], dir => $dir, limit => 600,
        env => {without_make(), TMPDIR => "$dir/theirs", TOOLKITS_AT => "$dir/theirs", TOOLKITS => '12.9.1',
            ROOTS_AT => "$dir/theirs"});
    # (build/ is make's own, and goes by make clean.)
    my @gone = grep { !-e && !($command eq 'clean' && m{/build/}) } @theirs;
    is("@gone", '', "make $command removes nothing of somebody else's");
}
is(join(' ', grep { -l } glob "$dir/bin/* $dir/bin/dp/*"), '', 'make clean removes its links');
ok(!-e "$dir/build", '... and build/');
sh("rm -r '$dir/theirs' '$dir/bin'");

# ---- Values are no commands ----

# What a user gives is a word, or a list of words, whatever is in it.
make('hello');
for my $text ("x';touch HACK;'", '`touch HACK`;touch HACK', "x\ntouch HACK\n")
{
    for (
        (map { [$_, "CXX=$text", "CXX=g++ $text", "CXX=$text g++", "BACKEND=$text", "BACKEND=cpu $text"] } 'doctor', 'hello'),
        ['doctor', "NVCC=$text"],
        ['hello', "CXXFLAGS=$text"],
        ['hello2', "HOST_CXX=$text"],
        ['hello2 BACKEND=cuda', "NVCC=$text", "ARCH=$text", "NVCCFLAGS=$text"],
        ['sanitize BACKEND=cuda ONLY=hello', "NVCC=$text"],
        ['figures', "DATA=$text", "RESULTS=$text", "ONLY=$text"],
        ['test', "ONLY=$text"],
        ['find', "WHAT=$text"])
    {
        my ($goals, @values) = @$_;
        for my $value (@values)
        {
            run(['make', split(' ', $goals), $value], dir => $dir, env => {without_make()});
            is(-e "$dir/HACK" ? 1 : 0, 0, "make $goals $value runs nothing" =~ s/\n/\\n/gr);
            unlink "$dir/HACK";
        }
    }
}
write_command('cache', 'exec "$@"');
%environment = (PATH => "$dir/commands:$ENV{PATH}");
built_again();
makes('add3if hello hello2', 'CXX of two words', "CXX=cache $CXX");
like(make('doctor', "CXX=cache $CXX")->{out}, qr/^\S*\Q@{[basename($CXX)]}\E +\D*\d/m, '... which make doctor knows');
%environment = ();
make('clean');

# ---- A tree that may only be read ----

SKIP:
{
    # root may write everywhere, so another user tries.
    my @nobody = $> != 0 ? () : qw(setpriv --reuid=65534 --regid=65534 --clear-groups);
    make('hello2');
    my $mode = (stat $dir)[2] & 07777;
    sh("chmod -R a+rX,a-w '$dir'");
    my $may_read = run([@nobody, qw(test -r Makefile)], dir => $dir)->{status} // 1;
    my $ran = run([@nobody, 'make', 'hello2', 'BACKEND=cpu', "CXX=$CXX"], dir => $dir, env => {without_make()});
    my $other = run([@nobody, 'make', 'add3if', 'BACKEND=cpu', "CXX=$CXX"], dir => $dir, env => {without_make()});
    sh("chmod -R u+w '$dir'; chmod @{[sprintf '%o', $mode]} '$dir'");
    skip 'nobody cannot read here', 2 if $may_read != 0;
    ok($ran->{status} == 0 && $ran->{err} eq '' && $ran->{out} =~ m{^bin/hello2 for the CPU},
        'in a tree that cannot be written, a program that is built is there') or diag(describe($ran));
    ok($other->{status} != 0, '... and another one is not built') or diag(describe($other));
}

# As in a checkout that may only be read: build/ cannot be made, so no list can be written.
make('clean');
write_text("$dir/build", '');
for my $goal ('list', 'find WHAT=3.4', 'help')
{
    my $ran = run(['make', split ' ', $goal], dir => $dir, env => {without_make()});
    is("$ran->{status} [$ran->{err}]", '0 []', "make $goal writes nothing");
}
stops('build/ cannot be made', ['hello'], qr/programs\.mk cannot be written/);
unlink "$dir/build";

for my $name (
    'two words', "it's", 'two"quotes', 'back\\slash',
    '$(touch HACK)', 'a#b', 'a:b', 'a%b',
    'a(b')
{
    my $odd = "$dir/$name";
    mkdir $odd or die "$odd: $!\n";
    run(['cp', '-a', "$dir/Makefile", "$dir/suite", "$dir/make", $odd]);
    my $refused = run(['make'], dir => $odd, env => {without_make()});
    ok( $refused->{status} != 0
          && $refused->{err} =~ /^[^\n]*in its name: [^\n]*\Q$name\E[^\n]*\n\z/,
        "a directory called $name") or diag(describe($refused));
    for (['help', 'one program'], ['list', 'add3if'], ['find WHAT=3.4', 'add3if'])
    {
        my ($command, $word) = @$_;
        symlink "../ch03_framework", "$odd/ch03_framework";
        my $told = run(['make', split ' ', $command], dir => $odd, env => {without_make()});
        ok($told->{status} == 0 && $told->{out} =~ /\b$word\b/ && $told->{err} eq '', "... and make $command there")
          or diag(describe($told));
    }
}
my $chinese = "$dir/例程";
sh("mkdir '$chinese' && cp -a '$dir/Makefile' '$dir/suite' '$dir/make' '$dir'/ch0* '$chinese'");
like(run(['make', 'list'], dir => $chinese, env => {without_make()})->{out}, qr/add3if/,
    'a directory with Chinese letters is no problem');

# ---- make dist ----

SKIP:
{
    skip 'there is no git here', 5 unless on_path('git');
    my $clone = tempdir(CLEANUP => 1);
    my $git = 'git -c user.name=t -c user.email=t -c init.defaultBranch=main';
    my $dist = sub { return run(['make', 'dist'], dir => $clone, env => {without_make()}) };
    sh("cp -a '$ROOT/Makefile' '$ROOT/suite' '$ROOT/make' '$ROOT/CHANGELOG.md' '$ROOT/ch02_threads' '$clone'");
    my $none = $dist->();
    like($none->{err}, qr/^make dist: .* no git checkout$/m, 'make dist outside of git')
      or diag(describe($none));
    sh("$git init -q && echo /build/ >.gitignore && $git add . && $git commit -q -m x",
        dir => $clone);
    my $made = $dist->();
    my ($archive) = $made->{out} =~ m{^(build/cuda-programs-\d[\d.]*\.tar\.gz) and its checksum};
    ok($made->{status} == 0 && defined $archive, 'make dist') or diag(describe($made));
    my $unpacked = sh(
        "cd build && sha256sum -c *.sha256 && tar xzf *.tar.gz && cd cuda-programs-* && make list",
        dir => $clone,
        env => {without_make()});
    like(
        $unpacked->{out},
        qr/: OK\n.*hello5/s,
        '... an archive that has its checksum and all files') or diag(describe($unpacked));
    my $first = read_text("$clone/$archive");
    sleep 1;
    $dist->();
    ok($first eq read_text("$clone/$archive"), '... of the same bytes each time');
    write_text("$clone/ch02_threads/hello1.cu", '');
    my $changed = $dist->();
    like($changed->{err}, qr/^make dist: there are changes/m, '... not of what is not committed')
      or diag(describe($changed));
}
done_testing();
