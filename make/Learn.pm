# ./suite learn: exercises. The reader writes a kernel in learn/, and each save is judged.
#
#   make learn                on a terminal: shows an exercise, watches the reader's file, judges
#   make learn N=12           exercise 12 from now on
#   make learn LIST=1         all exercises, and which are solved
#   make learn HINT=1         one more hint: symptom, concept, place
#   make learn SOLUTION=1     after solving, or when asked a second time
#   make learn RESET=1        the beginning of the exercise again; the old file goes to learn/.old
#   make learn SAVE=FILE      the reader's files and what is solved, in one file; LOAD=FILE: back
#   make learn FROM=DIR       exercises of one's own, of this folder
#   make learn LANGUAGE=zh    zh or en from now on
#   make learn CHECK=DIR      for a teacher: judges what a class has handed in; CSV=FILE: a table of it
#
#   ./suite learn --test FILE...    for who writes an exercise: what the file lacks, and whether its
#                                   solutions get what they must; --one: one wrong solution of each
#                                   file; --only NAME: this one; --show: with the sentences; --new:
#                                   what has passed already is not tried again
package Learn;
use strict;
use warnings;
use utf8;
use Chinese;
use Classroom;
use Exercise;
use Fcntl qw(:flock O_CREAT O_EXCL O_RDWR O_WRONLY);
use Files;
use GpuTime;
use Judge;
use POSIX ();
use Time::HiRes;

my $PLACE = $ENV{SUITE_LEARN} // 'learn'; # (a test has another one)
my $WIDTH = 78;
my ($language, $folder);

sub learn
{
    my ($how, @rest) = @_;
    binmode $_, ':utf8' for *STDOUT, *STDERR;
    $| = 1;
    my ($from_environment) = grep { ($_ // '') ne '' } @ENV{qw(LC_ALL LC_MESSAGES LANG)};
    $language = ($from_environment // '') =~ /^zh/ ? 'zh' : 'en';
    delete @ENV{qw(MAKEFLAGS MFLAGS MAKELEVEL)};
    $folder = 'exercises';
    # What compilers say is read, so they say it in English.
    @ENV{qw(LC_ALL LANGUAGE)} = ('C', '');
    $SIG{$_} = sub { exit 130 } for qw(INT TERM HUP); # (with what is to be tidied)
    my $status = eval { command($how // '', @rest) };
    return $status if defined $status;
    my $why = $@ =~ s/\n\z//r;
    utf8::decode($why);
    print STDERR "learn: $why\n";
    return 1;
}

sub command
{
    my ($how, @rest) = @_;
    return test(@rest) if $how eq '--test';
    my %asked = map { $_ => '' } qw(N LIST HINT SOLUTION RESET SAVE LOAD FROM LANGUAGE CHECK CSV);
    %asked = (%asked, map { /^([A-Z]+)=(.*)/s ? ($1 => $2) : () } @rest);
    $folder = $asked{FROM} if $asked{FROM} ne '';
    my $state = read_state();
    $language = $state->{language} // $language;
    if ($how eq '--builds')
    {
        say_in('The compiler is built first. That takes less than a minute, and happens once.',
            '先编译 CUDA 编译器，不到一分钟，只需一次。');
        return 0;
    }
    my @exercises = exercises();
    if ($asked{CHECK} ne '' || $asked{CSV} ne '') # (nothing of a reader's is changed)
    {
        $language = $1 if $asked{LANGUAGE} =~ /^(zh|en)/;
        die in_reader("CSV= goes with CHECK=\n", "CSV= 要和 CHECK= 一起用\n") if $asked{CHECK} eq '';
        my $only = $asked{N} eq '' ? undef : chosen($state, $asked{N}, @exercises) // return 1;
        return Classroom::check($asked{CHECK}, $asked{CSV}, $language, $only, @exercises);
    }
    if ($asked{LANGUAGE} =~ /^(zh|en)/)
    {
        $language = $1;
        change_state(language => $language);
    }
    my $e = chosen($state, $asked{N}, @exercises) // return 1;
    change_state(current => $e->{name}) if ($state->{current} // '') ne $e->{name};
    return print(list_text($e, @exercises)) ? 0 : 1 if yes($asked{LIST});
    return save($asked{SAVE}) if $asked{SAVE} ne '';
    return load($asked{LOAD}) if $asked{LOAD} ne '';
    return reset_file($e) if yes($asked{RESET});
    return hint($e) if yes($asked{HINT});
    return solution($e) if yes($asked{SOLUTION});
    begin($e);
    start_checker();
    start_counter() if is_counted($e);
    return -t STDIN && -t STDOUT ? watch($e, @exercises) : once($e, @exercises);
}

sub yes
{
    my ($value) = @_;
    return $value ne '' && $value ne '0';
}

sub in_reader
{
    my ($english, $chinese) = @_;
    return $language eq 'zh' ? $chinese : $english;
}

sub say_in
{
    print in_reader(@_), "\n";
    return;
}

# The checker's runtime is needed for the first exercise that is right. It is built meanwhile.
sub start_checker
{
    return if glob 'cpu/build/cuda_runtime-check-* cpu/build/libcudacpu-check-*.a';
    start_aside('nice', 'cpu/cpucc', '--check', '-precompile');
    return;
}

# A command that nobody waits for.
sub start_aside
{
    my (@command) = @_;
    my $pid = fork() // return;
    return if $pid;
    POSIX::setsid();
    open STDIN, '<', '/dev/null';
    open STDOUT, '>', '/dev/null';
    open STDERR, '>', '/dev/null';
    no warnings 'exec';
    exec @command;
    POSIX::_exit(1);
}

# The counter's runtime is needed for exercises of the kind faster, when what is wanted is right.
sub is_counted { return ($_[0]{Kind} // '') eq 'faster' }

sub compiler
{
    return basename((split ' ', $ENV{CPUCC_CXX} || $ENV{CXX} || 'g++')[-1]);
}

sub lacks_counter { return !-e 'cpu/build/libcudacpu-count-' . compiler() . '.a' }

sub counter_text
{
    return in_reader('The counter is built first. That happens once.', '先编译计数器，只需一次。');
}

sub start_counter
{
    my $compiler = compiler();
    return if !lacks_counter() && ($compiler =~ /clang/ || glob "cpu/build/cuda_runtime-count-$compiler-*");
    start_aside('nice', 'cpu/cpucc', '--count', '-precompile');
    return;
}

# ---- Exercises ----------------------------------------------------------------------------------

sub exercises
{
    my @exercises = map { Exercise::read_exercise($_) } Exercise::files($folder);
    die "there are no exercises NN_NAME.cu in $folder\n" if !@exercises;
    for my $e (@exercises)
    {
        my ($need) = Exercise::needs($e);
        die told_of($e, $need) . " (./suite learn --test $e->{file} tells all)\n" if defined $need;
    }
    return @exercises;
}

# By its number or its name; else where the reader was, or the first that is not solved.
sub chosen
{
    my ($state, $asked, @exercises) = @_;
    if ($asked ne '')
    {
        my ($found) = grep { $asked =~ /^\d+$/ ? $_->{number} == $asked : $_->{name} eq $asked }
          @exercises;
        return $found if $found;
        my $numbers = join ' ', map { $_->{number} + 0 } @exercises;
        say_in("There is no exercise $asked. They are: $numbers", "没有练习 $asked。现有的练习是：$numbers");
        return;
    }
    my ($found) = grep { $_->{name} eq ($state->{current} // '') } @exercises;
    ($found) = grep { !$state->{passed}{$_->{name}} } @exercises if !$found;
    return $found // $exercises[-1];
}

sub text_in
{
    my ($e, $key) = @_;
    my $text = Exercise::text_in($e, $key, $language) =~ tr/`//dr; # (marks for the site)
    utf8::decode($text);
    return $text;
}

sub path
{
    my ($e) = @_;
    return "$PLACE/$e->{name}.cu";
}

# ---- The reader's files: never overwritten ------------------------------------------------------

sub make_place
{
    my ($place) = @_;
    mkdir $place or $!{EEXIST} or die "$place: $!\n";
    return;
}

# A new file has all of a text, or is not there. It never replaces one: false if one is there.
sub new_file
{
    my ($file, $text) = @_;
    my $part = "$file.part.$$";
    sysopen my $out, $part, O_WRONLY | O_CREAT | O_EXCL or die "$file cannot be written: $!\n";
    binmode $out;
    my $written = print({$out} $text) && close $out;
    my $why = $!;
    my $linked = $written && link $part, $file;
    my ($exists, $because) = ($!{EEXIST}, $written ? $! : $why);
    # (Where there are no hard links, as on some file systems of other systems.)
    if ($written && !$linked && !$exists && !-e $file && !-l $file)
    {
        $linked = rename $part, $file;
        $because = $!;
    }
    unlink $part;
    die "$file cannot be written: $because\n" if !$linked && !$exists;
    return $linked;
}

sub begin
{
    my ($e) = @_;
    make_place($PLACE);
    my $file = path($e);
    return 0 if -e $file || -l $file;
    return new_file($file, beginning($e));
}

sub beginning { return beginning_in($_[0], $language) }

sub beginning_in
{
    my ($e, $in) = @_;
    return Exercise::readers_file($e, $in, Exercise::stub($e, $in));
}

# What is in learn/.old goes there under a name of its own.
sub keep_old
{
    my ($file) = @_;
    make_place("$PLACE/.old");
    for my $number (1 .. 99_999)
    {
        my $old = "$PLACE/.old/" . basename($file) . ".$number";
        next if -e $old || -l $old;
        my $kept = -f $file && !-l $file && link $file, $old;
        if ($kept)
        {
            unlink $file or die "$file: $!\n";
            return $old;
        }
        next if $!{EEXIST};
        return $old if rename $file, $old;
        die "$file cannot be kept as $old: $!\n";
    }
    die "$PLACE/.old is full\n";
}

sub reset_file
{
    my ($e) = @_;
    make_place($PLACE);
    my $file = path($e);
    my $is_new = -f $file && !-l $file && grep { read_text($file) eq beginning_in($e, $_) } qw(en zh);
    unlink $file if $is_new;
    my $old = -e $file || -l $file ? keep_old($file) : undef;
    if (!eval { new_file($file, beginning($e)) })
    {
        my $why = $@ || "$file is there again\n";
        rename $old, $file if defined $old && !-e $file;
        die $why;
    }
    say_in("$file is as at the beginning." . (defined $old ? " Yours is kept as $old." : ''),
        "$file 已恢复到初始内容。" . (defined $old ? "你原来的文件保存为 $old。" : ''));
    return 0;
}

# One file with all of the reader's: `file NAME BYTES`, then the bytes and an end of line.
sub save
{
    my ($to) = @_;
    my @files = grep { -f } map { glob "$PLACE/$_" } '*.cu', '.state';
    my $text = "cuda-programs learn 1\n";
    for my $file (@files)
    {
        my $bytes = read_text($file);
        $text .= 'file ' . basename($file) . ' ' . length($bytes) . "\n$bytes\n";
    }
    if (!new_file($to, $text . "end\n"))
    {
        say_in("$to is there already. Choose another name.", "$to 已经存在，请换一个名字。");
        return 1;
    }
    say_in(scalar(@files) . " files are saved in $to. LOAD=$to brings them back.",
        scalar(@files) . " 个文件已保存到 $to。用 LOAD=$to 可以取回。");
    return 0;
}

# A list of name and bytes; nothing if it is not all there.
sub saved_files
{
    my ($text) = @_;
    my ($whole) = $text =~ /\Acuda-programs learn 1\n(.*)end\n\z/s;
    return if !defined $whole;
    my @files;
    my $at = 0;
    while (substr($whole, $at) =~ /\A(?:file ((?:\w[\w.-]*\.cu|\.state)) (\d{1,9})\n)/)
    {
        my ($name, $bytes, $begins) = ($1, $2, $at + $+[0]);
        $at = $begins + $bytes + 1;
        return if $at > length $whole || substr($whole, $at - 1, 1) ne "\n";
        push @files, [$name, substr $whole, $begins, $bytes];
    }
    return $at == length $whole ? \@files : undef;
}

sub load
{
    my ($from) = @_;
    my $files = saved_files(read_text($from));
    if (!$files)
    {
        say_in("$from is no file of SAVE=, or not all of it.", "$from 不是 SAVE= 保存的文件，或者不完整。");
        return 1;
    }
    make_place($PLACE);
    for (@$files)
    {
        my ($name, $bytes) = @$_;
        my $file = "$PLACE/$name";
        if ($name eq '.state')
        {
            my $loaded = state_of($bytes);
            change_state(passed => {%{$loaded->{passed}}});
            next;
        }
        next if -f $file && read_text($file) eq $bytes;
        my $old = -e $file || -l $file ? keep_old($file) : undef;
        new_file($file, $bytes);
        say_in("$file" . (defined $old ? "; yours is kept as $old" : ''),
            "$file" . (defined $old ? "；你原来的文件保存为 $old" : ''));
    }
    return 0;
}

# ---- What is remembered: learn/.state -----------------------------------------------------------

sub state_of
{
    my ($text) = @_;
    my %state = (passed => {}, hints => {}, asked => {}, damaged => 0);
    for (split /\n/, $text)
    {
        if (/^language (zh|en)$/) { $state{language} = $1 }
        elsif (/^current (\w+)$/) { $state{current} = $1 }
        elsif (/^(passed|hints|asked) (\w+) (\d+)$/) { $state{$1}{$2} = $3 }
        elsif (!/^#/) { $state{damaged} = 1 }
    }
    return \%state;
}

sub read_state
{
    my $file = "$PLACE/.state";
    return state_of('') if !-f $file;
    my $text = eval { read_text($file) } // return state_of('');
    my $state = state_of($text);
    $state->{damaged} = 1 if $text ne '' && $text !~ /\n\z/;
    return $state;
}

# Some of it is set. Two loops may do so at once. A damaged one is kept.
sub change_state
{
    my (%set) = @_;
    make_place($PLACE);
    open my $lock, '>>', "$PLACE/.lock" or die "$PLACE/.lock: $!\n";
    flock $lock, LOCK_EX;
    my $state = read_state();
    keep_old("$PLACE/.state") if $state->{damaged};
    for my $key (keys %set)
    {
        if (ref $set{$key}) { $state->{$key}{$_} = $set{$key}{$_} for keys %{$set{$key}} }
        else { $state->{$key} = $set{$key} }
    }
    my $text = '';
    $text .= "$_ $state->{$_}\n" for grep { defined $state->{$_} } qw(language current);
    for my $key (qw(passed hints asked))
    {
        $text .= "$key $_ $state->{$key}{$_}\n" for sort keys %{$state->{$key}};
    }
    die "$PLACE/.state is no plain file\n" if -e "$PLACE/.state" && !-f _;
    write_text("$PLACE/.state", $text);
    return $state;
}

# ---- Texts --------------------------------------------------------------------------------------

# A text in lines of the screen.
sub filled
{
    my ($margin, $text, $width) = @_;
    $width //= $WIDTH;
    my @lines = ('');
    for my $piece (Chinese::pieces($text))
    {
        my $bare = $piece =~ s/ +$//r;
        push @lines, '' if $lines[-1] ne ''
          && length($margin) + Chinese::columns($lines[-1]) + Chinese::columns($bare) > $width;
        $lines[-1] .= $piece if $lines[-1] ne '' || $piece =~ /\S/;
    }
    return join '', map { $margin . s/ +$//r . "\n" } @lines;
}

sub title
{
    my ($e, @exercises) = @_;
    my @place = ($e->{number}, $exercises[-1]{number}, $e->{Chapter} // '?');
    my $title = in_reader(sprintf('Exercise %d/%d  chapter %s: ', @place),
        sprintf('练习 %d/%d  第 %s 章：', @place)) . text_in($e, 'title');
    my $file = path($e);
    my $room = $WIDTH - Chinese::columns($title) - length $file;
    return $title . ' ' x $room . "$file\n" if $room >= 2;
    $room = $WIDTH - length $file;
    return filled('', $title) . ' ' x ($room > 0 ? $room : 0) . "$file\n";
}

sub verdict_text
{
    my ($e, $v) = @_;
    my $text = '';
    if (defined $v->{got} && defined $v->{want})
    {
        my ($got, $want) = map { s/ +$//r } decoded($v->{got}), decoded($v->{want});
        my $one = in_reader("Yours: $got     Expected: $want", "你的输出：$got     应为：$want");
        $text .= Chinese::columns($one) <= $WIDTH - 2 ? "  $one\n"
          : filled('  ', in_reader("Yours: $got", "你的输出：$got"))
          . filled('  ', in_reader("Expected: $want", "应为：$want"));
    }
    $text .= counts_text($v) if defined $v->{sums};
    my $where = defined $v->{line} ? in_reader("Line $v->{line}: ", "第 $v->{line} 行：") : '';
    $text .= filled('  ', $where . decoded($v->{$language}));
    return $text;
}

# What the accesses of the reader's kernels cost, one by one, and all of them beside what the beginning of the
# exercise costs.
my %IN_CHINESE = (load => '读', store => '写');

sub counts_text
{
    my ($v) = @_;
    my @accesses = map { [split /\|/, $_, 6] } split /\t/, decoded($v->{accesses} // '');
    my $text = !@accesses ? '' : filled('  ', in_reader('A request of a warp takes (in brackets how few would do):',
            '线程束的一个请求要（括号中是最少要多少）：'));
    while (my $first = shift @accesses)
    {
        my ($line, $space, $access, $units, $least, $source) = @$first;
        my $num = 1;
        while (@accesses && "@{$accesses[0]}" eq "@$first")
        {
            shift @accesses;
            ++$num;
        }
        my ($unit, $unit_zh) = $space eq 'shared' ? ('wavefronts', ' 轮') : ('sectors', ' 个扇区');
        $unit =~ s/s$// if $units eq '1';
        my $cost = in_reader("$units $unit ($least)", "$units$unit_zh（$least）");
        my $times = $num > 1 ? " x $num" : '';
        my $start = in_reader(padded("line $line", 9) . padded("$access$times", 10) . padded($cost, 20),
            padded("第 $line 行", 11) . padded("$IN_CHINESE{$access}$times", 8) . padded($cost, 18));
        $text .= ('    ' . $start . cut($source, $WIDTH - 4 - Chinese::columns($start))) =~ s/ +$//r . "\n";
    }
    $text .= '  ' . in_reader(padded('For each 32 numbers', 30) . '  at first      now    least',
        padded('每 32 个数', 30) . '      起初     现在     最少') . "\n";
    for (map { [split /\|/] } split /\t/, $v->{sums})
    {
        my ($space, $access, $first, $now, $least) = @$_;
        my $done = $access eq 'load' ? 'loaded' : 'stored';
        my ($unit, $unit_zh) = $space eq 'shared' ? ("wavefronts, shared ${access}s", '共享内存的轮数')
          : ("sectors $done", '扇区数');
        $text .= '    ' . padded(in_reader($unit, "$IN_CHINESE{$access}的$unit_zh"), 28) . sprintf("  %8s %8s %8s\n", $first, $now, $least);
    }
    return "$text\n";
}

sub padded
{
    my ($text, $columns) = @_;
    my $room = $columns - Chinese::columns($text);
    return $text . ' ' x ($room > 1 ? $room : 1);
}

# The beginning of a text, if there is no room for all of it.
sub cut
{
    my ($text, $columns) = @_;
    return $text if Chinese::columns($text) <= $columns;
    return '' if $columns < 10;
    chop $text while Chinese::columns($text) > $columns - 3;
    return "$text...";
}

sub decoded
{
    my ($text) = @_;
    utf8::decode($text);
    return $text;
}

sub after
{
    my ($e) = @_;
    return "\n" . filled('  ', text_in($e, 'After'));
}

# What GpuTime says, if it says something.
sub time_text
{
    my ($english, $chinese) = @_;
    return defined $english ? "\n" . filled('  ', in_reader($english, $chinese)) : '';
}

# ---- Without a terminal -------------------------------------------------------------------------

sub once
{
    my ($e, @exercises) = @_;
    print title($e, @exercises), "\n", filled('  ', text_in($e, 'Goal')), "\n";
    print filled('  ', counter_text()) if is_counted($e) && lacks_counter();
    my $v = Judge::judge($e, path($e));
    print verdict_text($e, $v);
    note_passed($e, $v);
    return 0 if !$v->{passed};
    print after($e);
    print time_text(GpuTime::time_of($e, path($e))) if GpuTime::can_time($e);
    return 0;
}

sub note_passed
{
    my ($e, $v) = @_;
    change_state(passed => {$e->{name} => int time}) if $v->{passed};
    return;
}

sub list_text
{
    my ($current, @exercises) = @_;
    my ($state, $text) = (read_state(), '');
    for my $e (@exercises)
    {
        my $mark = $state->{passed}{$e->{name}} ? in_reader('solved', '已完成')
          : -e path($e) ? in_reader('begun', '进行中') : '';
        my $here = $e->{name} eq $current->{name} ? '>' : ' ';
        my $line = sprintf '%s %2d  %s', $here, $e->{number}, text_in($e, 'title');
        my $room = $WIDTH - Chinese::columns($line) - Chinese::columns($mark);
        $text .= ($line . ' ' x ($room > 2 ? $room : 2) . $mark) =~ s/ +\z//r . "\n";
    }
    return $text;
}

sub hint_text
{
    my ($e, $number) = @_;
    return filled('  ', in_reader("Hint $number: ", "提示 $number：") . text_in($e, "Hint $number"));
}

# One more at a time.
sub more_hints
{
    my ($e) = @_;
    my $shown = read_state()->{hints}{$e->{name}} // 0;
    $shown = $shown < 3 ? $shown + 1 : 3;
    change_state(hints => {$e->{name} => $shown});
    return $shown;
}

sub no_more_hints { return ('There are no more hints.', '没有更多提示了。') }

sub hint
{
    my ($e) = @_;
    my $before = read_state()->{hints}{$e->{name}} // 0;
    my $shown = more_hints($e);
    print hint_text($e, $_) for 1 .. $shown;
    print filled('  ', in_reader(no_more_hints())) if $shown == $before;
    return 0;
}

# Whether the solution may be seen: who has not solved it asks twice.
sub may_see
{
    my ($e) = @_;
    my $state = read_state();
    return 1 if -e "$folder/no-solutions" || $state->{passed}{$e->{name}} || $state->{asked}{$e->{name}};
    change_state(asked => {$e->{name} => 1});
    return 0;
}

sub not_solved_text
{
    return filled('  ', in_reader('It is not solved yet. A hint may be enough. Ask again to see the solution.',
        '还没有完成。也许一个提示就够了。再要一次，就给出答案。'));
}

# Of the solution all but what runs it.
sub solution_text
{
    my ($e) = @_;
    return filled('  ', in_reader('There are no solutions here: ask your teacher.', '这里不给出答案，请问老师。'))
      if -e "$folder/no-solutions";
    my $text = Exercise::solution($e, $language);
    utf8::decode($text);
    return $text =~ s/\A\n+//r =~ s/^int main\b.*//msr =~ s/\n+\z/\n/r;
}

sub solution
{
    my ($e) = @_;
    print may_see($e) ? solution_text($e) : not_solved_text();
    return 0;
}

# ---- On a terminal ------------------------------------------------------------------------------

my $terminal; # as it was
my $judging;  # {pid, pipe, text}

sub restore
{
    POSIX::Termios::setattr($terminal, 0, POSIX::TCSADRAIN()) if $terminal;
    $terminal = undef;
    return;
}

# Keys come one by one, unseen, Ctrl-C, too.
sub take_terminal
{
    $terminal = POSIX::Termios->new;
    $terminal->getattr(0);
    my $raw = POSIX::Termios->new;
    $raw->getattr(0);
    $raw->setlflag($raw->getlflag & ~(POSIX::ICANON() | POSIX::ECHO() | POSIX::ISIG()));
    $raw->setcc(POSIX::VMIN(), 1);
    $raw->setcc(POSIX::VTIME(), 0);
    $raw->setattr(0, POSIX::TCSADRAIN());
    for my $signal (qw(INT TERM HUP))
    {
        $SIG{$signal} = sub { stop_judging(); restore(); exit 130 };
    }
    return;
}

my $here = $$;

END
{
    if ($$ == $here)
    {
        my $status = $?;
        stop_judging();
        restore();
        $? = $status;
    }
}

# A file as it is now: '' if it is not there.
sub mark_of
{
    my ($file) = @_;
    my @stat = Time::HiRes::stat($file);
    return @stat ? join ' ', @stat[0, 1, 7, 9] : '';
}

sub start_judging
{
    my ($e) = @_;
    stop_judging();
    pipe my $in, my $out or die "pipe: $!\n";
    my $pid = fork() // die "fork: $!\n";
    if (!$pid)
    {
        $SIG{$_} = sub { Judge::tidy(); POSIX::_exit(1) } for qw(INT TERM HUP);
        close $in;
        binmode $out;
        $out->autoflush(1);
        my $v = Judge::judge($e, path($e), sub { print {$out} "step=$_[0]\n" });
        print {$out} map { "$_=" . $v->{$_} =~ tr/\n/ /r . "\n" }
          grep { defined $v->{$_} } sort keys %$v;
        print {$out} "end=1\n";
        my ($english, $chinese) = $v->{passed} && GpuTime::can_time($e) ? GpuTime::time_of($e, path($e)) : ();
        print {$out} map { utf8::encode($_); $_ } "time_en=$english\n", "time_zh=$chinese\n" if defined $english;
        close $out;
        POSIX::_exit(0);
    }
    close $out;
    $judging = {pid => $pid, pipe => $in, text => ''};
    return;
}

sub stop_judging
{
    return if !$judging;
    kill TERM => $judging->{pid};
    waitpid $judging->{pid}, 0;
    $judging = undef;
    return;
}

# Whether a verdict is still to come. (After it the process may go on, to time the kernel.)
sub is_judging { return $judging && !$judging->{told} }

# What the judging process has said: the verdict, once it is all there, and again with the time on a GPU.
sub judged
{
    my $got = sysread $judging->{pipe}, my $more, 65536;
    $judging->{text} .= $more if $got;
    my %v = $judging->{text} =~ /^(\w+)=(.*)$/mg;
    return !$v{end} || $judging->{told}++ ? undef : \%v if $got;
    waitpid $judging->{pid}, 0;
    my $told = $judging->{told};
    $judging = undef;
    return \%v if defined $v{time_en};
    return $told ? undef : {id => 'judge', en => 'The judge has been stopped.', zh => '判题程序被终止了。'};
}

sub keys_line
{
    my ($v) = @_;
    return '  ' . ($v && $v->{passed}
        ? in_reader('[n] next  [s] solution  [l] list  [z] 中文  [q] quit',
            '[n] 下一题  [s] 答案  [l] 列表  [z] English  [q] 退出')
        : in_reader('[h] hint  [n] next  [p] previous  [r] reset  [l] list  [z] 中文  [q] quit',
            '[h] 提示  [n] 下一题  [p] 上一题  [r] 重来  [l] 列表  [z] English  [q] 退出')) . "\n";
}

sub what_to_do
{
    my ($e, $v) = @_;
    my $line = $v->{line};
    if (($e->{Kind} // '') eq 'predict')
    {
        return in_reader('Type your numbers into the file and save. A wrong guess costs nothing.',
            '在文件中填入你的数并保存。猜错没有任何损失。') if !defined $line;
        return in_reader("Type your number into line $line and save. A wrong guess costs nothing.",
            "在第 $line 行填入你的数并保存。猜错没有任何损失。");
    }
    return in_reader('Change the file and save it: it is judged again by itself.',
        '修改文件并保存，这里会自动重判。') if !defined $line;
    return in_reader("Change line $line and save: it is judged again by itself.",
        "改第 $line 行并保存，这里会自动重判。");
}

sub told
{
    my ($why) = @_;
    return filled('  ', decoded($why =~ s/\n//gr));
}

sub watch
{
    my ($e, @exercises) = @_;
    my $clears = ($ENV{TERM} // 'dumb') !~ /^(dumb|)$/;
    take_terminal();
    my $is_resized = 1;
    local $SIG{WINCH} = sub { $is_resized = 1 };
    # A note is a function, since the language may change. One that stays outlives the next judging.
    my ($mark, $gone_since, $v, $hints, $note, $stays, $lists) = ('none', undef, undef, 0);
    my $draw = sub {
        my $text = $lists ? list_text($e, @exercises) : '';
        $text = screen($e, $v, $hints, @exercises) if !$lists;
        $text .= "\n" . $note->() if $note;
        $text .= "\n" . keys_line($v);
        print $clears ? "\e[H\e[2J" : "\n", $text;
    };
    my $say = sub { my @both = @_; $note = sub { filled('  ', in_reader(@both)) } };
    my $fails = sub { my $why = $@; $note = sub { told($why) } };
    my $go = sub {
        $e = $_[0];
        ($mark, $gone_since, $v, $note) = ('none', undef, undef, undef);
        eval { change_state(current => $e->{name}); begin($e); 1 } or $fails->();
        start_counter() if is_counted($e);
        $hints = read_state()->{hints}{$e->{name}} // 0;
        $hints = 0 if read_state()->{passed}{$e->{name}};
    };
    my %on_key = (
        n => sub { my ($place) = @_;
            $place < $#exercises ? $go->($exercises[$place + 1]) : $say->('This is the last one.', '这是最后一题。') },
        p => sub { my ($place) = @_;
            $place > 0 ? $go->($exercises[$place - 1]) : $say->('This is the first one.', '这是第一题。') },
        h => sub { my $before = $hints;
            $hints = more_hints($e);
            $say->(no_more_hints()) if $hints == $before },
        z => sub { $language = $language eq 'zh' ? 'en' : 'zh';
            change_state(language => $language) },
        s => sub { my $is_asked = !may_see($e); # (which it then may, when asked again)
            $note = $is_asked ? sub { not_solved_text() } : sub { solution_text($e) } },
        r => sub { my $said = printed_by(sub { reset_file($e) });
            ($note, $stays) = (sub { filled('  ', $said) }, 1) },
        l => sub { });
    $go->($e);
    for (;;)
    {
        my $now = mark_of(path($e));
        if ($now ne '' && $now ne $mark)
        {
            $note = undef if !$stays;
            ($mark, $gone_since, $stays, $lists) = ($now, undef, 0, 0);
            start_judging($e);
            $is_resized = measure() if $is_resized;
            $draw->();
        }
        elsif ($now eq '' && $mark ne '')
        {
            # An editor that writes by renaming leaves none for a moment.
            $gone_since //= Time::HiRes::time();
            if (Time::HiRes::time() - $gone_since > 1)
            {
                $mark = '';
                stop_judging();
                $v = Judge::verdict($e, 'missing', file => path($e));
                $say->('[r] writes the beginning of the exercise again.',
                    '按 [r] 可以重新写入练习的初始内容。');
                $draw->();
            }
        }
        if ($is_resized)
        {
            $is_resized = measure();
            $draw->();
        }
        my $wanted = '';
        vec($wanted, 0, 1) = 1;
        vec($wanted, fileno $judging->{pipe}, 1) = 1 if $judging;
        next if select(my $ready = $wanted, undef, undef, 0.25) <= 0;
        if ($judging && vec $ready, fileno $judging->{pipe}, 1)
        {
            my $new = judged();
            if ($new)
            {
                $v = $new;
                eval { note_passed($e, $v); 1 } or $fails->();
                $draw->();
            }
        }
        next if !vec $ready, 0, 1;
        my $got = sysread STDIN, my $keys, 64;
        last if !$got; # the terminal is gone
        for my $key (split //, $keys)
        {
            if ($key =~ /[qQ\x03\x04]/) { print "\n"; return 0 }
            next if !$on_key{$key};
            my ($place) = grep { $exercises[$_]{name} eq $e->{name} } 0 .. $#exercises;
            $lists = $key eq 'l' ? !$lists : $key eq 'z' ? $lists : 0;
            $note = undef if $key ne 'z';
            eval { $on_key{$key}->($place); 1 } or $fails->();
            $draw->();
        }
    }
    return 0;
}

# All but notes and keys.
sub screen
{
    my ($e, $v, $hints, @exercises) = @_;
    my $text = title($e, @exercises) . "\n" . filled('  ', text_in($e, 'Goal')) . "\n";
    if ($hints && !(!is_judging() && $v && $v->{passed}))
    {
        $text .= hint_text($e, $_) for 1 .. $hints;
        $text .= "\n";
    }
    return $text . filled('  ', in_reader('checking ...', '正在判题……')
          . (is_counted($e) && lacks_counter() ? ' ' . counter_text() : '')) if is_judging();
    return $text if !$v;
    $text .= verdict_text($e, $v);
    $text .= $v->{passed} ? after($e) : $v->{id} eq 'missing' ? '' : filled('  ', what_to_do($e, $v));
    $text .= time_text(map { decoded($_) } @$v{qw(time_en time_zh)}) if defined $v->{time_en};
    return $text;
}

# How wide the terminal is: 80 columns at most are used. False, for who asks whether it has changed.
sub measure
{
    my ($columns) = (`stty size 2>&1` // '') =~ /^\d+ (\d+)$/;
    $WIDTH = !$columns || $columns >= 80 ? 78 : $columns > 42 ? $columns - 2 : 40;
    return 0;
}

# What a function prints.
sub printed_by
{
    my ($function) = @_;
    my $text = '';
    open my $to, '>:utf8', \$text or die "$!\n";
    my $before = select $to;
    my $right = eval { $function->(); 1 };
    my $why = $@;
    select $before;
    die $why if !$right;
    close $to;
    utf8::decode($text);
    return $text =~ s/\n\z//r . ($text =~ /\n.*\n/s ? "\n" : '');
}

# ---- For who writes an exercise -----------------------------------------------------------------

# FILE:LINE: what it lacks, in one line.
sub told_of
{
    my ($e, $lack) = @_;
    my $text = Judge::printable("$e->{file}:" . ($lack =~ /^\d+: / ? '' : ' lacks ') . $lack);
    return $text;
}

# Of an exercise of the kind faster: what the judge says that the stub costs, and it does not.
sub not_at_first
{
    my ($v) = @_;
    return 'the stub\'s result is wrong: a stub of the kind faster is right and wasteful' if !defined $v->{sums};
    return map { my ($space, $access, $first, $now) = split /\|/;
        $first == $now ? () : "weigh(\"$space\", \"$access\", ..., $first): the stub takes $now" }
      split /\t/, $v->{sums};
}

# What a file lacks, that its stub is wrong and its solutions are right, and what is said of the wrong
# ones.
sub test
{
    my (@files) = @_;
    my ($one, $new, $only, $show);
    while (@files && $files[0] =~ /^--(one|new|only|show)$/)
    {
        shift @files;
        if ($1 eq 'one') { $one = 1 }
        elsif ($1 eq 'new') { $new = 1 }
        elsif ($1 eq 'show') { $show = 1 }
        else { $only = shift @files }
    }
    my $wrong = 0;
    $Judge::is_frugal = 1;
    for my $file (@files)
    {
        my $e = Exercise::read_exercise($file);
        my $known = "build/learn/$e->{name}/known-" . Judge::digest($e->{text});
        if ($new && -e $known)
        {
            print "ok   $file has passed before\n";
            next;
        }
        my $before = $wrong;
        my @lacks = Exercise::lacks($e);
        print map { decoded(told_of($e, $_)) . "\n" } @lacks;
        $wrong += @lacks;
        next if grep { ($e->{$_} // '') eq '' } qw(child judge);
        my @tries = (['stub', undef, Exercise::stub($e, 'en')],
            ['solution', 'passed', Exercise::solution($e, 'en')],
            (map { ["right $_->{name}", 'passed', Exercise::variant($e, $_)] } @{$e->{right}}),
            (map { ["wrong $_->{name}", $_->{id}, Exercise::variant($e, $_)] } @{$e->{wrong}}));
        @tries = grep { $_->[0] !~ /^(right|wrong)/ || $_->[0] =~ /^\w+ \Q$only\E$/ } @tries
          if defined $only;
        my $rights = 2 + @{$e->{right}};
        @tries = @tries[0, 1, $rights + int rand @{$e->{wrong}}]
          if $one && @{$e->{wrong}};
        my $place = "build/learn/test.$$";
        Judge::make_folders('build/learn', $place);
        for (@tries)
        {
            my ($name, $id, $code) = @$_;
            write_text("$place/$e->{name}.cu", Exercise::readers_file($e, 'en', $code));
            my $v = Judge::judge($e, "$place/$e->{name}.cu");
            my $right = defined $id ? grep { $_ eq $v->{id} } split / or /, $id : !$v->{passed};
            my $got = $v->{id} . ($right || !defined $id ? '' : ", not $id");
            printf "%-4s %-28s %s  %.1f s\n", $right ? 'ok' : 'NOT', $name, $got, $v->{seconds};
            print verdict_text($e, $v) if !$right || $show;
            ++$wrong if !$right;
            next if $name ne 'stub' || !is_counted($e);
            my @not = not_at_first($v);
            print map { "NOT  $_\n" } @not;
            $wrong += @not;
        }
        Judge::remove($place);
        next if !$new || $wrong > $before;
        unlink glob "build/learn/$e->{name}/known-*";
        write_text($known, "");
    }
    return $wrong ? 1 : 0;
}

1;
