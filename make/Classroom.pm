# make learn CHECK=DIR: judges a class. DIR has what students have handed in, for each of them
#
#   DIR/STUDENT/NN_NAME.cu    a folder with the files of exercises, or with a file of SAVE=
#   DIR/STUDENT.ANY           a file that the student has made by make learn SAVE=STUDENT.ANY
#
# Each file is judged in a sandbox (see Sandbox.pm). A table of students and exercises is printed;
# CSV=FILE gets a row for each of both, with the sentence.
package Classroom;
use strict;
use warnings;
use utf8;
use Chinese;
use Exercise;
use Fcntl qw(O_NOFOLLOW O_NONBLOCK O_RDONLY);
use File::Path ();
use Files;
use IO::Handle;
use Judge;
use POSIX ();
use Sandbox;
use Time::HiRes qw(time);

my $WIDTH = 80;
my $MOST_SAVED = 8_000_000; # bytes of a file of SAVE=
my $MOST_SECONDS = 180;     # for one file
my $HEADING = 'student,exercise,passed,id,line,sentence';
my %SYSTEMS_OWN = map { $_ => 1 } '.DS_Store', 'Thumbs.db', 'desktop.ini', '__MACOSX';

my $language;
my $work; # folder of this process for the files that are judged
my %jobs; # by process: {row, pipe, text, start}

sub in_language
{
    my ($english, $chinese) = @_;
    return $language eq 'zh' ? $chinese : $english;
}

# Of one exercise, or of all. The status is 0 if all could be judged, whatever the verdicts are.
sub check
{
    my ($folder, $csv, $in, $only, @exercises) = @_;
    $language = $in;
    -d $folder or die "$folder: " . in_language("there is no such folder\n", "没有这个文件夹\n");
    prepare_csv($csv) if $csv ne '';
    my ($english, $chinese) = Sandbox::lacks();
    die in_language($english, $chinese) . "\n" if defined $english;
    prepare_tools($only ? $only : @exercises);
    my ($students, @notes) = students($folder);
    die "$folder: " . in_language("nothing is handed in here\n", "这里没有学生交来的文件\n")
      if !@$students;
    my $start = time;
    my %known = map { ("$_->{name}.cu" => 1) } @exercises;
    @exercises = $only if $only;
    my @rows = map { rows($_, @exercises) } @$students;
    push @notes, map { unknown($_, \%known) } @$students;
    judge_all(@rows);
    print_table($students, \@exercises, @rows);
    print_notes(@notes);
    print_sum(time - $start, scalar @$students, scalar @exercises, @rows);
    write_text($csv, csv(@rows)) if $csv ne '';
    my @failed = grep { $_->{v}{id} eq 'judge' } @rows;
    print map { "$_->{student} $_->{exercise}: " . sentence($_) . "\n" } @failed;
    return @failed ? 1 : 0;
}

# What cpucc builds when it is first used, it cannot build in a sandbox.
sub prepare_tools
{
    my $is_counted = grep { ($_->{Kind} // '') eq 'faster' } @_;
    for my $way ([], ['--check'], $is_counted ? ['--count'] : ())
    {
        my @kind = map { s/^-//r } @$way;
        @kind = @kind ? ($kind[0], '-O1') : ('', '-O2');
        my @there = glob "cpu/build/cuda_runtime$kind[0]-*$kind[1]-g1";
        next if @there;
        print STDERR in_language("The compiler is prepared: a minute, once.\n",
            "先准备编译器：约一分钟，只需一次。\n");
        my $said = said_by('cpu/cpucc', @$way, '-O2', '-g1', '-precompile');
        die $said =~ s/\n.*//sr . "\n" if $? != 0;
    }
    return;
}

# ---- What is handed in --------------------------------------------------------------------------

# A name for the screen and the table.
sub shown
{
    my ($bytes) = @_;
    my $name = Judge::printable($bytes);
    utf8::decode($name);
    return $name;
}

sub names_in
{
    my ($folder) = @_;
    opendir my $in, $folder or return;
    my @names = grep { !/^\.\.?$/ && !$SYSTEMS_OWN{$_} && !/^\._/ } readdir $in;
    closedir $in;
    return sort @names;
}

# A student: {name, files, refused}. In files each name has its {text}, or a {path} to read; refused is
# an id, if nothing of this student can be read. Then what else lies there, each with a reason.
sub students
{
    my ($folder) = @_;
    my (%students, @notes);
    my $no_dot = in_language('a name that begins with a dot is not read', '名称以点开头，不读取');
    for my $file (names_in($folder))
    {
        my $path = "$folder/$file";
        my $name = shown($file);
        lstat $path or next;
        my $is_file = -f _;
        if ($file =~ /^\./) { push @notes, "$name: $no_dot" }
        elsif (-d _)
        {
            my $student = $students{$file} = {name => $name};
            if (opendir my $in, $path) { push @notes, read_folder($student, $path) }
            else { @$student{qw(refused why)} = ('no_permission', "$!") }
        }
        elsif ($is_file)
        {
            my ($saved, $why) = saved_in($path);
            my $bare = $file =~ s/(?<=.)\.\w+\z//r;
            my $key = exists $students{$bare} || -e "$folder/$bare" ? $file : $bare;
            if ($saved) { $students{$key} = {name => shown($key), files => $saved} }
            elsif ($why eq 'save_damaged')
            {
                $students{$key} = {name => shown($key), refused => $why};
            }
            else { push @notes, "$name: $why" }
        }
        else
        {
            $students{$file} = {name => $name, refused => 'a_link'};
        }
    }
    return ([map { $students{$_} } sort keys %students], @notes);
}

# A file of a student is preferred to one that is in a file of SAVE=.
sub read_folder
{
    my ($student, $path) = @_;
    my (%saved, %files, @notes);
    for my $file (names_in($path))
    {
        my $name = "$student->{name}/" . shown($file);
        lstat "$path/$file" or next;
        if ($file =~ /\.cu\z/) { $files{$file} = {path => "$path/$file", name => $name} }
        elsif (-f _)
        {
            my ($texts, $why) = saved_in("$path/$file");
            if ($texts) { %saved = (%saved, %$texts) }
            elsif ($why eq 'save_damaged') { push @notes, "$name: " . sentence_of($why) }
            else { push @notes, "$name: $why" }
        }
        else { push @notes, "$name: " . in_language('no file, not read', '不是文件，不读取') }
    }
    $student->{files} = {%saved, %files};
    return @notes;
}

# Its bytes, but for a link or what is no plain file; else nothing and an id. Nobody can exchange it
# between a look and the reading.
sub read_safely
{
    my ($path, $most) = @_;
    sysopen my $in, $path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK
      or return (undef, $!{ELOOP} || $!{ENXIO} ? 'a_link' : 'no_permission', "$!");
    return (undef, 'a_link') if !-f $in;
    return (undef, 'too_long', -s _) if -s _ > $most;
    binmode $in;
    local $/;
    return scalar readline($in) // '';
}

# The files of a file of SAVE=; else nothing and why not.
sub saved_in
{
    my ($path) = @_;
    my $other = in_language('no file of make learn SAVE=FILE, not read',
        '不是 make learn SAVE=FILE 保存的文件，不读取');
    my ($text) = read_safely($path, $MOST_SAVED);
    return (undef, $other) if !defined $text || $text !~ /\Acuda-programs learn /;
    my $files = Learn::saved_files($text) // return (undef, 'save_damaged');
    return {map { $_->[0] => {text => $_->[1]} } grep { $_->[0] =~ /\.cu\z/ } @$files};
}

# A row for each exercise: {of, student, exercise, e, v} with the verdict, or a {source} to be judged.
sub rows
{
    my ($student, @exercises) = @_;
    my @rows;
    for my $e (@exercises)
    {
        my %row = (of => $student, student => $student->{name}, exercise => $e->{name}, e => $e);
        my $name = "$e->{name}.cu";
        my $file = $student->{files}{$name};
        if ($student->{refused})
        {
            $row{v} = Judge::verdict($e, $student->{refused}, file => bytes($student->{name}),
                why => $student->{why});
        }
        elsif (!$file) { $row{v} = Judge::verdict($e, 'missing', file => $name) }
        else
        {
            my ($text, $id, $why) = $file->{text} // read_safely($file->{path}, 200_000);
            if (defined $text) { $row{source} = $text }
            else
            {
                $row{v} = Judge::verdict($e, $id, file => bytes($file->{name}), why => $why,
                    bytes => $why);
            }
        }
        push @rows, \%row;
    }
    return @rows;
}

# What a student's files are called wrongly.
sub unknown
{
    my ($student, $known) = @_;
    my $why = in_language('no exercise has this name', '没有这个名称的练习');
    return map { "$student->{name}/" . shown($_) . ": $why" } grep { !$known->{$_} }
      sort keys %{$student->{files} // {}};
}

sub bytes
{
    my ($text) = @_;
    utf8::encode($text);
    return $text;
}

# ---- Judging ------------------------------------------------------------------------------------

END
{
    my $status = $?;
    clear();
    $? = $status;
}

my $owner = 0;

sub clear
{
    return if $owner != $$;
    stop_process($_) for keys %jobs;
    %jobs = ();
    File::Path::remove_tree($work) if defined $work;
    $work = undef;
    return;
}

# It has files to remove. What it has started ends with it.
sub stop_process
{
    my ($pid) = @_;
    kill TERM => $pid;
    for (my $n = 0; $n < 40; ++$n)
    {
        return if waitpid($pid, POSIX::WNOHANG()) != 0;
        Time::HiRes::sleep(0.05);
    }
    kill KILL => $pid;
    waitpid $pid, 0;
    return;
}

# Half as many at a time as there are cores: one compiles two programs at once.
sub judge_all
{
    my (@rows) = @_;
    my @waiting = grep { defined $_->{source} } @rows;
    my ($number, $done, $all) = (0, 0, scalar @waiting);
    my $most = int((nproc() + 1) / 2);
    ($owner, $work) = ($$, "build/learn/check.$$");
    Judge::make_folders($work);
    my $told = time;
    while (@waiting || %jobs)
    {
        start_job(shift @waiting, "$work/" . ++$number) while @waiting && keys %jobs < $most;
        my $wanted = '';
        vec($wanted, fileno $_->{pipe}, 1) = 1 for values %jobs;
        select my $ready = $wanted, undef, undef, 0.25;
        for my $pid (keys %jobs)
        {
            my $job = $jobs{$pid};
            my $is_ready = vec $ready, fileno $job->{pipe}, 1;
            my $got = $is_ready ? sysread $job->{pipe}, my $more, 65536 : undef;
            $job->{text} .= $more if $got;
            my $is_late = time - $job->{start} > $MOST_SECONDS;
            next if !$is_late && !(defined $got && $got == 0);
            end_job($pid, $is_late);
            ++$done;
        }
        tell_progress($done, $all, \$told, (values %jobs)[0]) if $done < $all;
    }
    print STDERR "\r\e[K" if -t STDERR && $all;
    clear();
    return;
}

# On a terminal in one line, else a line now and then.
sub tell_progress
{
    my ($done, $all, $told, $job) = @_;
    return if time - $$told < (-t STDERR ? 0.5 : 10);
    $$told = time;
    my $what = $job ? cut("$job->{row}{student} $job->{row}{exercise}", 50) : '';
    my $line = in_language("judged: $done of $all  ", "已判 $done/$all  ") . $what;
    print STDERR -t STDERR ? "\r\e[K$line" : "$line\n";
    return;
}

sub start_job
{
    my ($row, $place) = @_;
    Judge::make_folders($place);
    my $file = "$place/$row->{exercise}.cu";
    write_text($file, $row->{source});
    pipe my $in, my $out or die "pipe: $!\n";
    my $pid = fork() // die "fork: $!\n";
    if (!$pid)
    {
        $SIG{$_} = sub { Judge::tidy(); POSIX::_exit(1) } for qw(INT TERM HUP);
        POSIX::setpgid(0, 0);
        close $in;
        binmode $out;
        my $v = Judge::judge_stranger($row->{e}, $file);
        print {$out} map { "$_=" . $v->{$_} =~ tr/\n/ /r . "\n" }
          grep { defined $v->{$_} } sort keys %$v;
        print {$out} "end=1\n";
        close $out;
        POSIX::_exit(0);
    }
    close $out;
    $jobs{$pid} = {row => $row, pipe => $in, text => '', start => time, place => $place};
    return;
}

sub end_job
{
    my ($pid, $is_late) = @_;
    my $job = delete $jobs{$pid};
    if ($is_late) { stop_process($pid) }
    else { waitpid $pid, 0 }
    my %v = $job->{text} =~ /^(\w+)=(.*)$/mg;
    my $e = $job->{row}{e};
    $job->{row}{v} = $v{end} ? \%v
      : $is_late ? Judge::verdict($e, 'judge_slow', seconds => $MOST_SECONDS)
      : Judge::verdict($e, 'judge', message => 'it was stopped');
    File::Path::remove_tree($job->{place});
    return;
}

# ---- What is told -------------------------------------------------------------------------------

sub sentence
{
    my ($row) = @_;
    my $text = $row->{v}{$language} // '';
    utf8::decode($text);
    return $text;
}

sub sentence_of
{
    my ($id) = @_;
    my $text = Exercise::common_sentences()->{$id}{$language};
    utf8::decode($text);
    return $text;
}

sub cut
{
    my ($text, $columns) = @_;
    return $text if Chinese::columns($text) <= $columns;
    chop $text while Chinese::columns($text) > $columns - 2;
    return "$text..";
}

sub padded
{
    my ($text, $columns) = @_;
    my $room = $columns - Chinese::columns($text);
    return $text . ' ' x ($room > 0 ? $room : 0);
}

sub cell
{
    my ($row) = @_;
    my $v = $row->{v};
    return $v->{passed} ? in_language('solved', '正确')
      : $v->{id} eq 'missing' ? in_language('missing', '未交') : $v->{id};
}

# As many exercises side by side as fit; the others below.
sub print_table
{
    my ($students, $exercises, @rows) = @_;
    my %cells;
    $cells{$_->{of}}{$_->{exercise}} = cell($_) for @rows;
    my ($heading) = in_language('student', '学生');
    my $first = most_columns(24, $heading, map { $_->{name} } @$students);
    my @left = map { $_->{name} } @$exercises;
    while (@left)
    {
        my ($room, @columns) = ($WIDTH - $first);
        while (@left)
        {
            my $columns = most_columns(24, $left[0], map { $cells{$_}{$left[0]} } @$students);
            last if @columns && $columns + 2 > $room;
            $room -= $columns + 2;
            push @columns, [shift @left, $columns];
        }
        print_line([$heading, $first], map { [$_->[0], $_->[1]] } @columns);
        for my $student (@$students)
        {
            print_line([$student->{name}, $first],
                map { [$cells{$student}{$_->[0]}, $_->[1]] } @columns);
        }
        print "\n";
    }
    return;
}

sub print_line
{
    print join('  ', map { padded(cut($_->[0], $_->[1]), $_->[1]) } @_) =~ s/ +\z//r, "\n";
    return;
}

sub most_columns
{
    my ($most, @texts) = @_;
    my ($widest) = sort { $b <=> $a } map { Chinese::columns($_) } @texts;
    return $widest < $most ? $widest : $most;
}

sub print_notes
{
    my (@notes) = @_;
    my $more = @notes - 20;
    splice @notes, 20 if $more > 0;
    print map { cut($_, $WIDTH) . "\n" } @notes;
    print in_language("... and $more more\n", "……另有 $more 个\n") if $more > 0;
    print "\n" if @notes;
    return;
}

sub print_sum
{
    my ($seconds, $students, $exercises, @rows) = @_;
    my $solved = grep { $_->{v}{passed} } @rows;
    my $missing = grep { $_->{v}{id} eq 'missing' } @rows;
    my $wrong = @rows - $solved - $missing;
    $seconds = sprintf '%.0f', $seconds;
    print in_language("students: $students, exercises: $exercises; solved $solved, "
          . "not solved $wrong, missing $missing; $seconds s\n",
        "学生 $students 人，练习 $exercises 个；正确 $solved，不正确 $wrong，未交 $missing；"
          . "用时 $seconds 秒\n");
    return;
}

# ---- CSV ----------------------------------------------------------------------------------------

# It may replace an older one, but no other file.
sub prepare_csv
{
    my ($file) = @_;
    my $is_there = -e $file || -l $file;
    die "$file: " . in_language("it is there, and is no table of CHECK=\n",
        "已经存在，而且不是 CHECK= 写的表格\n")
      if $is_there && (-l $file || !-f $file || read_text($file) !~ /\A\Q$HEADING\E\n/);
    my $folder = dirname($file);
    -d -w ($folder eq '' ? '.' : $folder)
      or die "$file: " . in_language("its folder is not there, or cannot be written\n",
        "所在的文件夹不存在或不能写入\n");
    return;
}

# A spreadsheet would run a cell that begins so.
sub csv_cell
{
    my ($text) = @_;
    $text = "'$text" if $text =~ /\A[=+\-@\t\r]/;
    return $text =~ /[",\r\n]|\A\s|\s\z/ ? '"' . $text =~ s/"/""/gr . '"' : $text;
}

sub csv
{
    my (@rows) = @_;
    my $text = "$HEADING\n";
    for my $row (@rows)
    {
        my $v = $row->{v};
        my @cells = ($row->{student}, $row->{exercise}, $v->{passed} ? 1 : 0, $v->{id},
            $v->{line} // '', sentence($row));
        $text .= join(',', map { csv_cell($_) } @cells) . "\n";
    }
    return bytes($text);
}

1;
