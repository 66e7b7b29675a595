# Judges a reader's file of an exercise: compiles it, runs it, and gives one verdict.
#
# The reader's code is compiled with the exercise's //== child, by cpucc, plain and with the checker.
# The judge's program, of //== judge, starts it with inputs that are new each time. Of all that is
# wrong the first of these is told: what the compiler says, what backend or checker say, what the
# exercise says of the result.
package Judge;
use strict;
use warnings;
use Cwd ();
use Digest::SHA qw(sha1_hex);
use Exercise;
use Fcntl qw(O_NOFOLLOW O_NONBLOCK O_RDONLY);
use File::Path ();
use Files;
use POSIX ();
use Sandbox;
use Time::HiRes qw(time);

my $BUILD = 'build/learn';
our $is_frugal = 0; # for many files: the checker's program is compiled when it is needed, not at once
my $MOST_BYTES = 200_000;
my $KEPT = 8; # compiled files of an exercise
my $MOST_SAID = 200_000;        # bytes of what a program says
my $MOST_PROGRAM = 100_000_000; # bytes of a compiled one

# Whether the files are strangers': compiler and program then run in a sandbox, see judge_stranger().
my $is_sandboxed = 0;
my $was_too_large; # some program needed too much memory

my %running;          # process groups that are to end with this process
my $folder;           # of this run
my $code;             # the reader's, without comments
my %counts;           # what the last run has counted
my $owner = 0;

sub tidy
{
    return if $owner != $$;
    kill KILL => map { -$_ } keys %running;
    %running = ();
    remove($folder) if defined $folder;
    $folder = undef;
    return;
}

sub remove
{
    my ($where) = @_;
    unlink glob "$where/*";
    rmdir $where or File::Path::remove_tree($where, {safe => 1, error => \my $ignored});
    return;
}

END { my $status = $?; tidy(); $? = $status }

# ---- Verdicts -----------------------------------------------------------------------------------

# {passed, id, line, en, zh, got, want, seconds}. Values fill the places of the sentence.
sub verdict
{
    my ($e, $id, %values) = @_;
    $id = Exercise::instead_of($e, $id, $code) if defined $code;
    my $sentence = Exercise::sentence($e, $id)
      // {en => "$id: {message}", zh => "$id: {message}"};
    # (A line that backend or compiler name is better than a search, but for a sentence on the code.)
    my $searches = defined $sentence->{for} || !defined $values{line};
    if (defined $code && defined $sentence->{at} && $searches)
    {
        my $at = $sentence->{at} =~ s/\{([a-z_]\w*)\}/defined $values{$1} ? quotemeta $values{$1} : $&/ger;
        my $above = $code =~ s{\bmain\s*\(.*}{}sr;
        my @where = $sentence->{of_main} ? $code : ($above, Exercise::resolved($above));
        push @where, $code if !defined $values{line} && !$sentence->{at_last};
        my ($line) = grep { defined } map { line_with($_, $at, $sentence->{at_last}) } @where;
        $values{line} = $line // $values{line};
    }
    my %v = (id => $id, passed => $id eq 'passed' ? 1 : 0,
        line => $values{line}, vague => $sentence->{guess},
        got => $values{shown_got}, want => $values{shown_want});
    # (No text of a program may steer the terminal.)
    $_ = ref ? [map { printable($_) } @$_] : printable($_)
      for grep { defined } @v{qw(got want)}, values %values;
    for my $language (qw(en zh))
    {
        my $text = $sentence->{$language} // $sentence->{en};
        $text =~ s/\{(\w+)\}/value_in($values{$1}, $language)/ge;
        $v{$language} = $text;
    }
    return \%v;
}

# Bytes of UTF-8 without control characters, and without those that turn the direction of writing.
sub printable
{
    my ($text) = @_;
    my $is_text = utf8::decode($text);
    $text =~ s/[\x80-\xff]/?/g if !$is_text;
    $text =~ s/[\x00-\x1f\x7f-\x9f\x{200b}-\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}]/?/g;
    utf8::encode($text);
    return $text;
}

# A value may be a pair, English and Chinese.
sub value_in
{
    my ($value, $language) = @_;
    return '?' if !defined $value;
    return ref $value ? $value->[$language eq 'zh' ? 1 : 0] : $value;
}

# ---- The file -----------------------------------------------------------------------------------

# Its text, or a verdict on why there is none.
sub readers_text
{
    my ($e, $file) = @_;
    lstat $file or return verdict($e, $!{ENOENT} || $!{ENOTDIR} ? 'missing' : 'no_permission',
        file => $file, why => "$!");
    stat $file or return verdict($e, 'missing', file => $file);
    return verdict($e, 'not_a_file', file => $file) if !-f _;
    return verdict($e, 'too_long', bytes => -s _) if -s _ > $MOST_BYTES;
    my $text = eval { read_text($file) };
    return verdict($e, 'no_permission', file => $file, why => $@ =~ s/^.*?: |\n//gr)
      if !defined $text;
    return verdict($e, 'binary') if $text =~ /\0/;
    $text =~ s/\A\xef\xbb\xbf//;
    $text =~ s/\r\n?/\n/g;
    return verdict($e, 'empty') if $text !~ /\S/;
    my ($other) = $text =~ m{\A// (\d\d_\w+)(?::|\xef\xbc\x9a)};
    return verdict($e, 'another_exercise', other => $other)
      if defined $other && $other ne $e->{name};
    return $text . ($text =~ /\n\z/ ? '' : "\n");
}

# Of code: what it is without comments and texts, of the same length and lines; what ends it if a comment
# or a text does not end, and where; and the code with its texts.
my $TOKEN = qr{\G(?:(//[^\n]*)|(/\*.*?\*/)|(R"(\w*)\(.*?\)\4")|("(?:[^"\\\n]++|\\.)*+")
    |('(?:[^'\\\n]++|\\.)*+')|(/\*|")|(.))}xs;

sub bare
{
    my ($text) = @_;
    my ($bare, $with_texts) = ('', '');
    my $blank = sub { $_[0] =~ s/[^\n]/ /gr };
    while ($text =~ /$TOKEN/gc)
    {
        return ($bare, $7 eq '"' ? 'open_text' : 'open_comment', 1 + ($bare =~ tr/\n//))
          if defined $7;
        $bare .= $8 // $blank->($1 // $2 // $3 // $5 // $6);
        $with_texts .= $8 // $3 // $5 // $6 // $blank->($1 // $2);
    }
    return ($bare, undef, undef, $with_texts);
}

my %ASCII = ('；' => ';', '，' => ',', '（' => '(', '）' => ')', '“' => '"', '”' => '"', '：' => ':',
    '。' => '.', '＝' => '=', '＜' => '<', '＞' => '>', '｛' => '{', '｝' => '}', '［' => '[', '］' => ']',
    '‘' => "'", '’' => "'", '＋' => '+', '＊' => '*', '　' => 'a blank', '、' => ',', '【' => '[', '】' => ']');
# (Those of double width are U+FF01 to U+FF5E.)
%ASCII = ((map { (pack('C*', 0xef, 0xbc + ($_ >> 6), 0x80 + ($_ & 0x3f)) => chr(0x20 + $_)) } 1 .. 94), %ASCII);

# What a compiler says in many words: a bracket that does not close, a Chinese mark.
sub brackets
{
    my ($e, $text) = @_;
    my ($bare, $id, $line) = bare($text);
    return verdict($e, $id, line => $line) if defined $id && $id eq 'open_comment';
    my @lines = split /\n/, $bare;
    for my $n (0 .. $#lines)
    {
        for my $mark (grep { index($lines[$n], $_) >= 0 } sort keys %ASCII)
        {
            return verdict($e, 'chinese_mark', line => $n + 1, mark => $mark, ascii => $ASCII{$mark});
        }
    }
    return verdict($e, $id, line => $line) if defined $id;
    my (@open, @indices);
    for my $n (0 .. $#lines)
    {
        next if $lines[$n] =~ /^\s*#/;
        for ($lines[$n] =~ /[(){}\[\];]/g)
        {
            if (/\[/) { push @indices, $n + 1 }
            elsif (/\]/)
            {
                return verdict($e, 'extra_bracket', line => $n + 1) if !@indices;
                pop @indices;
            }
            elsif (/[;{}]/ && @indices) { return verdict($e, 'open_bracket', line => $indices[-1]) }
            next if /[\[\];]/;
            if (/[({]/) { push @open, [$_, $n + 1] }
            elsif ($_ eq '}' && @open && $open[-1][0] eq '(')
            {
                return verdict($e, 'open_parenthesis', line => $open[-1][1]);
            }
            elsif (!@open) { return verdict($e, 'extra_brace', line => $n + 1) if $_ eq '}' }
            elsif ($_ eq '}' || $open[-1][0] eq '(') { pop @open }
        }
    }
    return unless @open;
    # The brace that is left open is often not the outermost one, but one that is deeper than it looks:
    # where the next one that stands at its column or further left begins something.
    my ($kind, $at) = @{$open[0]};
    return verdict($e, $kind eq '{' ? 'open_brace' : 'open_parenthesis', line => open_at(\@lines, $at));
}

# Of braces that do not close, the first that is followed by a line as far to the left which begins a
# function: the outermost one if there is none.
sub open_at
{
    my ($lines, $at) = @_;
    my @open;
    for my $n (0 .. $#$lines)
    {
        my ($margin) = $lines->[$n] =~ /^([ \t]*)/;
        for (grep { /[{}]/ } split //, $lines->[$n])
        {
            if ($_ eq '{') { push @open, [length $margin, $n + 1] }
            else
            {
                my $last = pop @open or last;
                return $last->[1] if $last->[0] > length $margin && $lines->[$n] =~ /^\s*\}/;
            }
        }
    }
    return $at;
}

# ---- The compiler -------------------------------------------------------------------------------

# Starts a command in a process group of its own, with limits; its standard error goes to a file.
sub start
{
    my ($errors, $output, @command) = @_;
    my $pid = fork() // die "fork: $!\n";
    if (!$pid)
    {
        $SIG{$_} = 'DEFAULT' for qw(INT TERM HUP);
        POSIX::setpgid(0, 0);
        open STDIN, '<', '/dev/null';
        open STDOUT, '>', $output;
        open STDERR, '>', $errors;
        if ($is_sandboxed) { POSIX::close($_) for 3 .. 255 }
        no warnings 'exec';
        exec 'sh', '-c', 'ulimit -t 30; ulimit -f 2000000; exec "$@"', 'sh', @command;
        POSIX::_exit(5);
    }
    POSIX::setpgid($pid, $pid);
    $running{$pid} = 1;
    return $pid;
}

sub finish
{
    my ($pid) = @_;
    if ($is_sandboxed)
    {
        for (my $n = 1; waitpid($pid, POSIX::WNOHANG()) == 0; ++$n)
        {
            $was_too_large = 1 if $n % 20 == 0 && Sandbox::ends_too_large();
            Time::HiRes::sleep(0.005);
        }
    }
    else { waitpid $pid, 0 }
    delete $running{$pid};
    return $?;
}

sub stop
{
    for my $pid (grep { $running{$_} } @_)
    {
        kill KILL => -$pid;
        finish($pid);
    }
    return;
}

# What all that is compiled depends on.
my $base;

sub digest_of_tools
{
    my @headers = sorted('exercises/*.h', 'exercises/*.cuh');
    my @tools = sorted('cpu/build/*.a', 'cpu/build/rewrite', 'cpu/cpucc');
    return $base //= sha1_hex(join "\n", map { read_text($_) } @headers)
      . join ' ', map { join ' ', (stat)[7, 9] } @tools;
}

# Of a text, with the tools that judge it.
sub digest
{
    my @ours = ('exercises/sentences.txt', sorted('make/[EJL]*.pm'));
    return substr sha1_hex(join "\0", @_, digest_of_tools(), map { text_of($_) } @ours), 0, 16;
}

# What the compiler says, g++ or clang++: a pattern, the sentence, and which values the pattern finds.
my @ERRORS = (
    [qr/\b(?:cout|endl)\b/, 'cout'],
    [qr/^'([^']+)' (?:was not declared|has not been declared|does not name a type)/, 'not_declared',
        'name'],
    [qr/^(?:use of undeclared identifier|unknown type name) '([^']+)'/, 'not_declared', 'name'],
    [qr/(?:has no member named|no member named) '([^']+)'/, 'no_member', 'name'],
    [qr/no match for 'operator.*(?:uint3|dim3)|cannot convert '(?:const )?(?:uint3|dim3)/, 'whole_index'],
    [qr/^invalid operands to binary expression .*(?:uint3|dim3)/, 'whole_index'],
    [qr/^'?(break|continue)'? statement not (?:within|in)\b/, 'no_loop', 'name'],
    [qr/^request for member '([^']+)' in '([^']+)', which is of (?:non-class|pointer) type '[^']*\*'/, 'no_parts', 'name', 'other'],
    [qr/^request for member .* which is of (?:non-class|pointer) type|^member reference (?:base )?type .* is (?:not a structure|a pointer)/,
        'no_parts_of'],
    [qr/^'([^']+)' cannot be used as a function|^called object type '[^']*' is not a function/, 'not_a_function', 'name'],
    [qr/return-statement with a value|void function '\w+' should not return/, 'returns_value'],
    [qr/^expected (.+?) before '([^']+)'/, 'expected', 'name', 'other'],
    [qr/^expected (.+?) before (numeric constant|string constant)/, 'expected', 'name', 'other'],
    [qr/too (?:few|many) arguments to function '.*?(\w+)\(/, 'arguments', 'name'],
    [qr/no matching function for call to '(\w+)/, 'arguments', 'name'],
    [qr/(?:invalid conversion|cannot convert) (?:from )?'([^']+)'(?: \{aka [^}]*\})? to '([^']+)'/,
        'types', 'from', 'to'],
    [qr/^(?:cannot initialize .*? of type|assigning to) '([^']+)'(?: \(aka [^)]*\))? (?:with an [lr]value of|from incompatible) type '([^']+)'/,
        'types', 'to', 'from'],
    [qr/(?:redeclaration|redefinition) of '.*?(\w+)(?:\[|\(|'|$)/, 'twice', 'name'],
    [qr/^lvalue required as left operand of assignment|^expression is not assignable/, 'not_assignable'],
    [qr/(?:assignment of|increment of|decrement of) read-only .*?'([^']*)'/, 'read_only', 'name'],
    [qr/^cannot assign to variable '(\w+)' with const/, 'read_only', 'name'],
    [qr/^lvalue required as unary '&'|^cannot take the address of an rvalue/, 'no_address'],
    [qr/^/, 'compile']);

# The compiler's first error, in plain words.
sub compile_error
{
    my ($e, $said, $text, $status) = @_;
    # (A sandbox ends with 128 and the signal.)
    $status = $status >> 8 & 127 if $is_sandboxed && $status >> 8 > 128;
    return verdict($e, 'compile_memory')
      if $was_too_large || $status == POSIX::SIGXFSZ() || $said =~ /File size limit|out of memory|virtual memory exhausted|cannot allocate/i;
    return verdict($e, 'compile_slow')
      if $status != 0 && ($status & 127 || $said =~ /CPU time|Killed/i);
    my (@mine, @others);
    for (split /\n/, $said)
    {
        if (/^([^\s:]+):(\d+):(?:\d+:)? (?:fatal )?error: (.*)/)
        {
            push @{$1 =~ /\Q$e->{name}.cu\E$/ ? \@mine : \@others}, [$2, $3];
        }
        return verdict($e, 'link', name => $1) if /undefined reference to [`'‘]([^'’(]*)/;
    }
    my ($of_assembler) = $said =~ /: Error: ([^\n]*)/;
    my ($line, $message) = @{$mine[0] // $others[0] // [undef, $of_assembler // $said =~ s/\n.*//sr]};
    $message =~ s/‘|’/'/g;
    my $near = $message =~ s/; did you mean '(\w+)'\?// ? $1 : undef;
    if (!@mine) # in the child: what it calls is not there
    {
        my ($name) = $message =~ /'(?:void )?(\w+)/;
        return verdict($e, 'not_called', name => $name) if defined $name;
        return verdict($e, 'compile', message => $message);
    }
    my $open = line_without_end($text, $line, $message);
    return verdict($e, 'no_semicolon', line => $open) if defined $open;
    my $extra = $message =~ /before '\)'|without its partner|extraneous/ ? extra_parenthesis($text) : undef;
    return verdict($e, 'extra_parenthesis', line => $extra) if defined $extra;
    for (@ERRORS)
    {
        my ($pattern, $id, @names) = @$_;
        my @found = $message =~ $pattern or next;
        my %v = (line => $line, message => $message);
        @v{@names} = @found if @names;
        $v{name} =~ s/^\*\W*(\w+)\s.*/$1\[...]/ if $id eq 'read_only'; # (g++ writes *(x + (n * 4)))
        $v{name} =~ s/\(\(\w+\)(\w+)\)/$1/g if $id eq 'read_only';
        $near = undef if defined $near
          && (is_another($v{name} // '', $near) || !is_here($near, $text));
        my $is_near = defined $near && is_one_off($v{name}, $near);
        $near = spelled_like($v{name}) // $near if $id eq 'not_declared' && !$is_near;
        $v{$_} = in_words($v{$_}) for $id eq 'expected' ? qw(name other) : ();
        my $empty = $id eq 'not_declared' ? empty_loop_of($v{name}, $text) : undef;
        return verdict($e, 'empty_loop', %v, line => $empty) if defined $empty;
        return verdict($e, 'spelled', %v, other => $near) if $id eq 'not_declared' && defined $near;
        # (What a sentence says of such code is nearer.)
        $id = 'compile' if $id =~ /^(?:no_loop|no_parts|no_parts_of|not_a_function)$/
          && defined $code && Exercise::instead_of($e, 'compile', $code) ne 'compile';
        return verdict($e, $id, %v);
    }
    return;
}

# The line of the first ) that closes nothing.
sub extra_parenthesis
{
    my ($text) = @_;
    my ($depth, $line) = (0, 0);
    for (split /\n/, (bare($text))[0])
    {
        ++$line;
        next if /^\s*#/;
        for (/[(){};]/g)
        {
            if ($_ eq '(') { ++$depth }
            elsif ($_ eq ')') { return $line if --$depth < 0 }
            elsif ($_ ne ';') { $depth = 0 }
        }
    }
    return;
}

# What a compiler expects, in words of both languages.
sub in_words
{
    my ($expected) = @_;
    my %words = ('primary-expression' => ['a value', '一个值'], 'unqualified-id' => ['a name', '一个名称'],
        'initializer' => ['; or =', '; 或 ='], 'identifier' => ['a name', '一个名称'],
        'numeric constant' => ['a number', '一个数'], 'string constant' => ['a text', '一个字符串']);
    my ($english, $chinese) = @{$words{$expected} // [$expected =~ s/'//gr, $expected =~ s/'//gr =~ s/ or / 或 /gr]};
    return [$english, $chinese];
}

# The line that lacks its semicolon, if that is what the compiler stumbles over.
sub line_without_end
{
    my ($text, $line, $message) = @_;
    return $line if $message =~ /^expected ';' (?:after|at end)/; # clang++, and cpucc
    my $above = unended_above($text, $line);
    return $above if defined $above;
    my ($at) = $message =~ /^expected .*before '([^']*)'/ or return;
    return if $at eq ';' || $message !~ /;|expected (?:initializer|unqualified-id|primary-expression)/;
    my @lines = split /\n/, (bare($text))[0];
    my $is_next = $lines[$line - 1] !~ /^\s*\Q$at\E/;
    if ($is_next) # it is told at the end of the line that lacks it
    {
        my ($next) = grep { /\S/ } @lines[$line .. $#lines];
        return if $message !~ /;/ || $lines[$line - 1] =~ /\Q$at\E/ && ($next // '') !~ /^\s*\Q$at\E/;
        return $line;
    }
    $above = $line - 1;
    --$above while $above > 0 && $lines[$above - 1] !~ /\S/;
    return if $lines[$above - 1] =~ /[;{}]\s*$/ && $message !~ /;/;
    return $above > 0 ? $above : $line;
}

# The line of a for whose body is a ; only, and whose variable is this one.
sub empty_loop_of
{
    my ($name, $text) = @_;
    my $bare = (bare($text))[0];
    return if $bare !~ /\bfor\s*\([^;()]*\b\Q$name\E\b[^;]*;[^;]*;[^;{}()]*\)\s*;/;
    return 1 + (substr($bare, 0, $-[0]) =~ tr/\n//);
}

my $TYPE = qr/(?:void|int|float|double|char|bool|size_t|long|unsigned|signed|short|const|static|extern
    |inline|struct|enum|auto|volatile|dim3|__\w+__)/x;

# The line above one that begins a statement, if it ends none: no C text has that.
sub unended_above
{
    my ($text, $line) = @_;
    my @lines = split /\n/, (bare($text))[0];
    return if !defined $line || ($lines[$line - 1] // '') !~ /^\s*(?:(?:\+\+|--|\*)?[A-Za-z_])/;
    my $above = $line - 1;
    --$above while $above > 0 && $lines[$above - 1] !~ /\S/;
    return if $above < 1;
    my $last = $lines[$above - 1];
    return if $last !~ /[\w\])]\s*$/ || $last =~ /^\s*#/ || $last =~ /\b(?:else|do|$TYPE)\s*$/;
    return if $last =~ /^\s*\}?\s*(?:else\s+)?(?:if|for|while|switch)\s*(\((?:[^()]++|(?1))*\))\s*$/;
    my $before = join "\n", @lines[0 .. $above - 1];
    return if ($before =~ tr/(//) != ($before =~ tr/)//);
    return $above;
}

my @KNOWN = qw(threadIdx blockIdx blockDim gridDim __syncthreads __shared__ __global__ __device__
  atomicAdd cudaMalloc cudaMemcpy cudaFree cudaMemcpyHostToDevice cudaMemcpyDeviceToHost
  cudaDeviceSynchronize cudaMallocManaged cudaGetLastError cudaPeekAtLastError cudaGetErrorString
  cudaStreamSynchronize cudaSuccess cudaError_t printf sizeof);

# Whether two names differ as x and y do, or d_x and d_y: neither is meant for the other.
sub is_another
{
    my ($name, $other) = @_;
    my ($one, $two) = map { s/(?:^|_)\K[a-z]$//r } $name, $other;
    return $one eq $two && $one ne $name && $two ne $other;
}

# Whether a reader may mean this name: it is in his file, or CUDA's. (A compiler also offers what it has
# seen in a header.)
sub is_here
{
    my ($name, $text) = @_;
    return (bare($text))[0] =~ /\b\Q$name\E\b/ || grep { $_ eq $name } @KNOWN;
}

# A name of CUDA that is nearly this one: another letter, one more or one less.
sub spelled_like
{
    my ($name) = @_;
    my $plain = lc $name =~ s/_//gr;
    my ($found) = grep { $_ ne $name && lc(s/_//gr) eq $plain } sort @KNOWN;
    return $found if defined $found || length $plain < 5;
    ($found) = grep { is_one_off($plain, lc(s/_//gr)) } sort @KNOWN;
    return $found;
}

sub is_one_off
{
    my ($one, $two) = @_;
    ($one, $two) = ($two, $one) if length $one > length $two;
    return 0 if length($two) - length $one > 1;
    my $same = 0;
    ++$same while $same < length $one && substr($one, $same, 1) eq substr $two, $same, 1;
    my $more = length $one == length $two ? 1 : 0;
    return 1 if $same == length $one;
    return substr($one, $same + $more) eq substr $two, $same + 1;
}

# ---- What backend and checker say ---------------------------------------------------------------

my %HOW = (read => ['reads', '读'], write => ['writes', '写']);

# Where the two ends of a copy are.
my %PLACES = ('on the host' => '在主机上', 'on the device' => '在设备上', 'managed' => '是托管内存',
    'a constant' => '是常量', 'a device variable' => '是设备变量');

# What backend reports are about: a pattern, the sentence, and which values the pattern finds. The
# first one that fits counts.
my @FAULTS = (
    [qr/__shared__ variable (\w+)/, 'past_shared', 'variable'],
    [qr/past the end of the dynamic|of the dynamic shared memory/, 'past_dynamic'],
    [qr/local array|past the end of the thread's stack/, 'past_local'],
    [qr/host code at.*null pointer/s, 'host_null'],
    [qr/host code at.*in a device allocation/s, 'host_touches_device'],
    [qr/host code at/, 'host_address'],
    [qr/its parameter (\w+) (?:is|refers)/, 'host_pointer', 'parameter'],
    [qr/kernel (\w+) is called without <<</, 'called_kernel', 'kernel'],
    [qr/is not launched: a block of (\([\d,]+\))/, 'block_size', 'shape'],
    [qr/is not launched: a grid of (\([\d,]+\))/, 'grid_size', 'shape'],
    [qr/is not launched: (.*)/, 'not_launched', 'message'],
    [qr/illegal address.*null pointer/, 'null_pointer'],
    [qr/illegal address.*freed/, 'freed'],
    [qr/illegal address.*past the end of .* of (\d+) bytes/, 'past_end', 'size'],
    [qr/wrote outside an allocation of (\d+) bytes/, 'past_end', 'size'],
    [qr/illegal address.*bytes before /, 'before_start'],
    [qr/constant variable/, 'constant'],
    [qr/illegal address|misaligned/, 'illegal_address'],
    [qr/^(cuda\w+), .*\n\s*(cudaMemcpyHostToDevice, but the source is on the host and the destination on the host.*)/,
        'copy_to_host', 'call', 'message'],
    [qr/^(cuda\w+), .*\n\s*(cudaMemcpyDeviceToHost, but the source is on the host and the destination on the host.*)/,
        'copy_from_host', 'call', 'message'],
    [qr/^(cuda\w+), .*\n\s*(cudaMemcpy\w*To\w+), but the source is (.*) and the destination (.*)/,
        'copy_kind', 'call', 'way', 'from', 'to'],
    [qr/^(cuda\w+), .*\n\s*.* has (\d+) bytes.* and (\d+) are asked/, 'copy_too_long', 'call', 'size',
        'asked'],
    [qr/^(cuda\w+), .*\n\s*the (\w+), [^,]*, is not memory of the device/, 'copy_not_device', 'call',
        'side'],
    [qr/^(cuda\w+), .*\n\s*.*null pointer/, 'copy_null', 'call'],
    [qr/^(cuda\w+), .*\n\s*.* that was freed/, 'copy_freed', 'call'],
    [qr/was freed before/, 'freed_twice'],
    [qr/^(cuda\w+), /, 'call_failed', 'call'],
    [qr/(\d+) of the block's (\d+) threads returned without/, 'barrier_not_reached', 'missing', 'all'],
    [qr/barrier divergence/, 'barrier_branches'],
    [qr/hang:/, 'hang'],
    [qr/timeout:|has not ended in/, 'timeout'],
    [qr/deadlock/, 'deadlock'],
    [qr/division by zero/, 'division'],
    [qr/ends without the return/, 'no_return'],
    [qr/stack overflow/, 'stack'],
    [qr/the shuffle|width of the shuffle/, 'shuffle'],
    [qr/mask/, 'mask'],
    [qr/lanes run in step/, 'in_step'],
    [qr/cannot get (?:memory|address space)/, 'memory'],
    [qr/^/, 'backend']);

# The checker's own reports: see finding().
my $OF_CHECKER = qr/\A(?:race|memory\ freed|read\ of\ memory|access\ outside|asynchronous\ copy
  |wrong\ mask|barrier\ in|note)\b[^\n]*:\n/x;

# The first fault of a program's standard error: (id, values). The child says there which case
# begins.
sub fault
{
    my ($e, $said) = @_;
    my $case = 0;
    while ($said =~ /^(?:case (\d+)|CPU backend: (.*(?:\n  .*)*))/mg)
    {
        $case = $1 if defined $1;
        my $report = $2 // next;
        next if $report =~ /^the checker has found/ || $report =~ $OF_CHECKER;
        my %v = (case => $case, how => $HOW{write},
            message => $report =~ s/^[^\n]*:\n\s*//r =~ s/\s*\n\s*/ /gr);
        $v{message} =~ s/\b0x[0-9a-f]{6,}(?= is\b)/the pointer/; # (it differs from run to run)
        ($v{kernel}, $v{block}, $v{thread}) = ($1, short($2), short($3))
          if $report =~ /kernel (\w+), block \(([\d,]+)\), thread \(([\d,]+)\)/;
        my ($line) = $report =~ /\Q$e->{name}\E\.cu:(\d+)/;
        $v{line} = $line if defined $line && (!defined $code || $line <= 1 + ($code =~ tr/\n//));
        $v{how} = $HOW{$1} if $report =~ /: (read|write) of /;
        for (@FAULTS)
        {
            my ($pattern, $id, @names) = @$_;
            my @found = $report =~ $pattern or next;
            @v{@names} = @found if @names;
            $v{$_} = [$v{$_}, $PLACES{$v{$_}} // $v{$_}] for $id eq 'copy_kind' ? qw(from to) : ();
            return ($id, %v);
        }
    }
    return;
}

# (3,0,0) is 3, (3,2,0) is (3,2).
sub short
{
    my ($index) = @_;
    my ($x, $y, $z) = split /,/, $index;
    return $z ? "($x, $y, $z)" : $y ? "($x, $y)" : $x;
}

# The first error that the checker has listed and the exercise does not allow: (id, values).
sub finding
{
    my ($e, $csv, $said) = @_;
    my %allowed = map { $_ => 1 } split ' ', $e->{Allow} // '';
    my %how = (%HOW,
        atomic => ['changes by an atomic', '用原子操作修改']);
    for (grep { /,error,/ } split /\n/, $csv)
    {
        my ($kind, undef, undef, $kernel, $place, $access, $other_place, $other_access) =
          map { s/^"|"$//gr } /("(?:[^"]|"")*"|[^,]*)(?:,|$)/g;
        next if $kind eq 'fault';
        my ($line) = $place =~ /\Q$e->{name}\E\.cu:(\d+)/;
        my ($other) = ($other_place // '') =~ /\Q$e->{name}\E\.cu:(\d+)/;
        my %v = (kernel => $kernel, line => $line, other => $other // $line // '?', message => $kind,
            how => $how{$access} // [$access, $access],
            other_how => $how{$other_access // ''} // ['uses', '使用']);
        if ($kind eq 'race')
        {
            my ($report) = $said =~ /^CPU backend: race:\n((?:  .*\n)+)/m;
            $report //= '';
            my $between = $report =~ /blocks of a launch/;
            my $same = ($line // 0) == ($other // $line // 0);
            my $id = $same && $access eq 'write' && $other_access eq 'write' ? 'race_same_place'
              : $same && "$access$other_access" =~ /write/ ? 'race_update'
              : $between ? 'race_between_blocks' : 'race_in_block';
            next if $allowed{$id};
            return ($id, %v);
        }
        my ($size) = $said =~ /past the end of [^\n]* of (\d+) bytes/;
        ($v{block}, $v{thread}) = (short($1), short($2))
          if $said =~ /\Q$place\E: .*block \(([\d,]+)\), thread \(([\d,]+)\)/;
        ($v{variable}) = $said =~ /__shared__ variable (\w+)/;
        $v{size} = $size;
        my $id = $kind eq 'never-written' ? 'never_written'
          : $kind eq 'out-of-bounds' ? (defined $v{variable} ? 'past_shared' : $said =~ /bytes before / ? 'before_start'
            : defined $size ? 'past_end' : 'illegal_address')
          : $kind eq 'in-flight' ? 'in_flight'
          : $kind eq 'scope' ? 'scope'
          : $kind eq 'freed-in-use' ? 'freed_in_use'
          : $kind eq 'mask' ? 'mask'
          : $kind eq 'barrier' ? 'barrier_branches'
          : 'backend';
        next if $allowed{$id};
        return ($id, %v);
    }
    return;
}

# What compiles, but cannot be meant: (id, line, name).
sub not_meant
{
    my ($bare) = @_;
    return ('not_a_call', 1 + (substr($bare, 0, $-[1]) =~ tr{\n}{}), $1)
      if $bare =~ /\b(__syncthreads|__syncwarp|cudaDeviceSynchronize)\s*;/;
    while ($bare =~ /\b(_+[a-z]\w*|[a-z]\w*__)\b/g)
    {
        my ($name, $line) = ($1, 1 + (substr($bare, 0, $-[1]) =~ tr{\n}{}));
        my $other = spelled_like($name);
        return ('spelled', $line, $name, $other)
          if defined $other && $other =~ /^__/ && !grep { $_ eq $name } @KNOWN;
    }
    my $value = qr/[\w.]+(?:\[[^\[\]]*\])*/;
    for (['assigned_in_if', qr/\bif\s*\(\s*($value)\s*=\s*$value\s*\)/],
        ['compared_only', qr/(?:[;{})]\s*\n\s*|\bint\s+)($value)\s*==\s*[^;=<>?&|]+;/],
        ['empty_body', qr/\b(for)\s*\(\s*(?:\w+\s*=[^;()]*)?;[^;()]*;[^;()]*\)\s*;[ \t]*\n\s*\{/],
        ['for_commas', qr/\b(for)\s*\([^();]*,[^();]*[<>!][^();]*,[^();]*\)/],
        ['returns_value', qr/__global__\s+(?:static\s+)?(int|float|double|bool|char|size_t|long|unsigned)\s/])
    {
        my ($id, $pattern) = @$_;
        return ($id, 1 + (substr($bare, 0, $-[1]) =~ tr{\n}{}), $1) if $bare =~ $pattern;
    }
    while ($bare =~ /\b(?:(if)|for)\s*(\((?:[^()]++|(?2))*\))(\s*;(?!\s*else\b))?/g)
    {
        my ($is_if, $inside, $ends, $line) = ($1, $2, $3, 1 + (substr($bare, 0, $-[0]) =~ tr{\n}{}));
        return ('semicolon', $line) if $is_if && defined $ends;
        return ('for_parts', $line) if !$is_if && ($inside =~ tr/;//) == 1;
    }
    while ($bare =~ /__global__[^;{}]*(\{(?:[^{}]++|(?1))*\})/g)
    {
        my ($body, $start) = ($1, $-[1]);
        return ('host_call', 1 + (substr($bare, 0, $start + $-[1]) =~ tr{\n}{}), $1)
          if $body =~ /\b(cuda(?:Malloc|Free|Memcpy|Memset|(?:Device|Thread|Stream|Event)Synchronize)\w*)\s*\(/;
        return ('cout', 1 + (substr($bare, 0, $start + $-[0]) =~ tr{\n}{}), $&)
          if $body =~ /\b(?:std::\s*)?(?:cout|cerr)\s*<</;
    }
    return called_in_main($bare), in_host_code($bare);
}

# A kernel that main calls without <<< >>>: nvcc refuses it, and the judge does not run main.
sub called_in_main
{
    my ($bare) = @_;
    my $start = $bare =~ /\bmain\s*\(/ ? $-[0] : return;
    my $main = substr $bare, $start;
    while ($bare =~ /__global__\s+(?:static\s+)?void\s+(?:__launch_bounds__\s*\([^()]*\)\s*)?(\w+)\s*\(/g)
    {
        my $name = $1;
        return ('called_kernel', 1 + (substr($bare, 0, $start + $-[0]) =~ tr{\n}{}), $name)
          if $main =~ /(?<![\w.>])\Q$name\E\s*\(/ && $main !~ /\bvoid\s+\Q$name\E\s*\(/;
    }
    return;
}

# What only kernels can call in a function of the host, main, too: nvcc refuses it.
my $OF_KERNELS = qr/\b(__sync(?:threads|warp)\w*|__threadfence\w*|__shfl\w*)\s*\(/;

# A variable of kernels in a function of the host. The CPU backend has one there, and nvcc has none.
# (Unless the function has declared it itself, as `dim3 blockDim(16, 16);`.)
sub in_host_code
{
    my ($bare) = @_;
    return if $bare =~ /^[ \t]*#[ \t]*define\b.*__(?:global|device)__/m;
    my $block = qr/(\{(?:[^{}]++|(?-1))*+\})/;
    while ($bare =~ /([^;{}]*)$block/g)
    {
        my ($head, $body, $start) = ($1, $2, $-[2]);
        next if "$head$body" =~ /__(?:global|device)__/ || $head !~ /\)\s*$/;
        return ('of_threads', 1 + (substr($bare, 0, $start + $-[0]) =~ tr{\n}{}), $1) if $body =~ $OF_KERNELS;
        next if $head =~ /\bmain\s*\(/;
        while ($body =~ /\b(threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*[xyz]\b/g)
        {
            my ($name, $at) = ($1, $start + $-[0]);
            next if "$head$body" =~ /\b(?:dim3|uint3|auto)\b[^;=]*[\s,&]$name\b/;
            return ('host_variable', 1 + (substr($bare, 0, $at) =~ tr{\n}{}), $name);
        }
    }
    return;
}

# ---- Judging ------------------------------------------------------------------------------------

# The verdict on a file of the reader. $step is called as a step begins: quick, thorough, count.
sub judge
{
    my ($e, $file, $step) = @_;
    my $start = time;
    my $verdict = eval { judge_file($e, $file, $step // sub { }) }
      // verdict($e, 'judge', message => $@ =~ s/\n.*//sr);
    tidy();
    $verdict->{seconds} = sprintf '%.2f', time - $start;
    return $verdict;
}

# The same for a file of a stranger. The process has nothing else to do, and less of its environment.
sub judge_stranger
{
    my ($e, $file) = @_;
    ($is_sandboxed, $was_too_large) = (1, 0);
    my @kept = grep { defined $ENV{$_} }
      qw(PATH CXX CPUCC_CXX CPUCC_LIB CPUCC_THRUST CUDA_HOME LD_LIBRARY_PATH);
    local %ENV = ((map { $_ => $ENV{$_} } @kept), LC_ALL => 'C', LANGUAGE => '');
    return judge($e, $file);
}

# What stands before cpucc. It has a folder of its own to write into, for all of its files.
sub sandbox_of_compiler
{
    my ($e, $kind) = @_;
    return () if !$is_sandboxed;
    make_folders($folder, "$folder/made.$kind");
    Sandbox::give("$folder/made.$kind", "$folder/$e->{name}.cu", "$folder/child.cu");
    my @headers = map { "exercises/$_" } qw(cases.h child.cuh);
    return (Sandbox::words(read => ['cpu', @headers, "$folder/$e->{name}.cu", "$folder/child.cu"],
        write => ["$folder/made.$kind"]), 'prlimit', '--as=4000000000', "--fsize=$MOST_PROGRAM",
        '--', 'env', 'TMPDIR=' . Cwd::abs_path('.') . "/$folder/made.$kind");
}

# What the compiler has made there, as a file that nobody else may write. It may be anything.
sub take_made
{
    my ($made, $mine) = @_;
    sysopen my $in, $made, O_RDONLY | O_NOFOLLOW | O_NONBLOCK or return;
    return if !-f $in || -s _ > $MOST_PROGRAM;
    binmode $in;
    my $size = -s _;
    read $in, (my $program), $size;
    write_text($mine, $program);
    chmod 0755, $mine;
    return;
}

# What stands before the program, as judge.h reads it. It may write into the files that are listed.
sub sandbox_of_program
{
    my ($program) = @_;
    my @files = map { "$folder/$_" } qw(err launches calls findings), map { "out.$_" } 0 .. 63;
    for (@files)
    {
        open my $out, '>', $_ or die "$_: $!\n";
        close $out;
    }
    Sandbox::give($program, @files);
    return join "\x1f", Sandbox::words(read => [$program], write => \@files);
}

# The beginning of what a program has said, and the end.
sub said_in
{
    my ($file) = @_;
    open my $in, '<:raw', $file or return '';
    read $in, (my $text), $MOST_SAID;
    my $more = (-s $in) - $MOST_SAID;
    return $text if $more <= 0;
    seek $in, $more < $MOST_SAID ? 0 : -$MOST_SAID, $more < $MOST_SAID ? 1 : 2;
    read $in, (my $end), $MOST_SAID;
    return "$text\n$end";
}

sub judge_file
{
    my ($e, $file, $step) = @_;
    $code = undef;
    %counts = ();
    my $text = readers_text($e, $file);
    return $text if ref $text;
    return verdict($e, 'unchanged') if $e->{says}{unchanged}
      && grep { Exercise::same_code($text, Exercise::stub($e, $_)) } qw(en zh);
    my $open = brackets($e, $text);
    return $open if $open;
    $code = (bare($text))[3];
    my ($id, $line, $name, $other) = not_meant((bare($text))[0]);
    return verdict($e, $id, line => $line, name => $name, kernel => $name, other => $other) if defined $id;
    # (Files of the child bring stdio.h along, and nvcc does not.)
    my $prints = line_with((bare($text))[0], qr/\bf?printf\s*\(/);
    return verdict($e, 'no_include', line => $prints, name => 'printf', header => '<stdio.h>')
      if defined $prints && $text !~ /^\s*#\s*include\s*<(?:stdio\.h|cstdio|iostream)>/m;

    my $place = "$BUILD/$e->{name}";
    $owner = $$;
    $folder = "$place/run.$$";
    # What a run that was killed has left goes.
    remove($_) for grep { /(\d+)$/ && !kill(0, $1) && $!{ESRCH} } glob "$place/run.*";
    make_folders($place, $folder);
    # Compiled files are kept in $place, where another process may remove them at any time: what runs is
    # a link in the folder of this run.
    my $kept_judge = "$place/judge-" . substr sha1_hex($e->{judge} . digest_of_tools()), 0, 12;
    my $judge = "$folder/judge";
    my $key = substr sha1_hex(join "\0", $text, $e->{child}, $e->{Compile} // '', 'warned of both', digest_of_tools()), 0, 16;
    my %kept = map { $_ => "$place/$key-$_" } qw(plain check count);
    my %program = map { $_ => "$folder/$_" } qw(plain check count);
    my $root = Cwd::abs_path('.');
    write_text("$folder/$e->{name}.cu", $text);
    write_text("$folder/child.cu", "#define main reader_main\n#include \"$e->{name}.cu\"\n#undef main\n" .
          "#include \"$root/exercises/child.cuh\"\n#line 1 \"child\"\n$e->{child}");
    my @cpucc = ('cpu/cpucc', '-O2', '-g1', '-Wuninitialized', '-Wreturn-type', split ' ', $e->{Compile} // '');
    my %job;
    $job{judge} = compile_judge($e, $judge) if !take($kept_judge, $judge);
    # Where the reader has written nothing but numbers, the checker has nothing to look for.
    my $is_number = ($e->{Kind} // '') eq 'predict';
    my $is_counted = ($e->{Kind} // '') eq 'faster';
    my @kinds = grep { $is_sandboxed || !take($kept{$_}, $program{$_}) }
      'plain', $is_number ? () : 'check', $is_counted ? 'count' : ();
    my %is_to_do = map { $_ => 1 } @kinds;
    my $begin = sub {
        my ($kind) = @_;
        return if !delete $is_to_do{$kind};
        my $made = $is_sandboxed ? "$folder/made.$kind/$kind" : "$folder/$kind";
        $job{$kind} = start("$folder/said.$kind", '/dev/null', sandbox_of_compiler($e, $kind), @cpucc,
            $kind eq 'plain' ? () : "--$kind", "$folder/child.cu", '-o', $made);
    };
    $begin->($_) for $is_frugal ? 'plain' : @kinds;
    my $without_return; # the line where a function ends that should return a value
    my $compiled = sub {
        my ($kind) = @_;
        $begin->($kind);
        return unless $job{$kind};
        my $status = finish(delete $job{$kind});
        my $said = said_in("$folder/said.$kind");
        take_made("$folder/made.$kind/$kind", $program{$kind}) if $is_sandboxed && $status == 0;
        if ($status != 0 || !-x "$folder/$kind")
        {
            stop(values %job);
            die "cannot write into $place\n" if $said =~ /No space left|cannot write|Disk quota/;
            die "the ${kind}er cannot be used: " . $said =~ s{\n.*}{}sr . "\n"
              if $kind ne 'plain' && -x $program{plain};
            return compile_error($e, $said, $text, $status);
        }
        # What can only be wrong the compiler need not refuse.
        return verdict($e, 'no_value', line => $1, name => $2)
          if $said =~ /\Q$e->{name}\E\.cu:(\d+):(?:\d+:)? warning: (?:variable )?['‘](\w+)['’] is (?:used uninitialized|uninitialized when)/;
        $without_return //= $1
          if $said =~ /\Q$e->{name}\E\.cu:(\d+):(?:\d+:)? warning: (?:no return statement in function|control reaches end of non-void|non-void function)/;
        keep($program{$kind}, $kept{$kind}) if !$is_sandboxed && !defined $without_return;
        return;
    };
    $step->('quick');
    my $failed = $compiled->('plain');
    return $failed if $failed;
    if ($job{judge})
    {
        my $status = finish(delete $job{judge});
        my $why = text_of("$folder/said.judge") =~ s/.*?(error: [^\n]*).*/$1/sr;
        die "the exercise's //== judge does not compile: $why\n" if $status != 0;
        keep($judge, $kept_judge);
    }
    my $verdict = run($e, $judge, 'quick', $program{plain}, $text);
    if ($verdict && $verdict->{vague} && !$is_number) # the checker knows more
    {
        $step->('thorough');
        $verdict = $compiled->('check') // run($e, $judge, 'check', $program{check}, $text) // $verdict;
    }
    elsif (!$verdict && !$is_number)
    {
        $step->('thorough');
        $verdict = $compiled->('check') // run($e, $judge, 'check', $program{check}, $text)
          // run($e, $judge, 'orders', $program{plain}, $text);
    }
    if (!$verdict && $is_counted)
    {
        $step->('count');
        $verdict = $compiled->('count') // run($e, $judge, 'count', $program{count}, $text);
    }
    stop(values %job);
    tidy_up($place);
    # (What such a function does is luck. Where all else is right, its end is never reached.)
    return verdict($e, 'no_return', line => $without_return) if $verdict && defined $without_return;
    return with_counts($verdict // verdict($e, 'passed'), $text);
}

# What was counted of a program that is right, for the screen: of each access `LINE|SPACE|ACCESS|UNITS|LEAST|TEXT`,
# and of all loads and all stores `SPACE|ACCESS|AT FIRST|NOW|LEAST`, a tabulator between two of them.
sub with_counts
{
    my ($verdict, $text) = @_;
    return $verdict if !defined $counts{sums};
    my @lines = split /\n/, $text;
    my @accesses = sort { $a->[0] <=> $b->[0] || "@$a[1, 2]" cmp "@$b[1, 2]" || $b->[3] <=> $a->[3] }
      map { [split / /] } split /;/, $counts{accesses} // '';
    $verdict->{accesses} = join "\t", map {
        my $source = printable(($lines[$_->[0] - 1] // '') =~ s/^\s+|\s+$//gr =~ tr/\t/ /r);
        join '|', @$_, $source
    } @accesses;
    $verdict->{sums} = join "\t", map { tr/ /|/r } split /;/, $counts{sums};
    return $verdict;
}

sub make_folders
{
    my $path = '';
    for (map { split m{/} } $_[-1])
    {
        $path .= $path eq '' ? $_ : "/$_";
        mkdir $path or $!{EEXIST} or die "$path cannot be made: $!\n";
    }
    return;
}

sub compile_judge
{
    my ($e) = @_;
    my ($line) = split /^\/\/==[ \t]*judge/m, $e->{text};
    my $first = 2 + ($line =~ tr/\n//);
    write_text("$folder/judge.cpp", "#line $first \"$e->{file}\"\n$e->{judge}");
    my @compiler = split ' ', $ENV{CPUCC_CXX} || $ENV{CXX} || 'g++';
    return start("$folder/said.judge", '/dev/null', @compiler, '-std=c++17', '-O1', '-Iexercises', '-w',
        "$folder/judge.cpp", '-o', "$folder/judge");
}

# A compiled file that was kept, into this run's folder: false if there is none.
sub take
{
    my ($kept, $mine) = @_;
    link $kept, $mine or return 0;
    utime undef, undef, $kept;
    return 1;
}

# (Where a file cannot have two names, nothing is kept.)
sub keep
{
    my ($mine, $kept) = @_;
    link $mine, $kept;
    return;
}

# The oldest compiled programs go.
sub tidy_up
{
    my ($place) = @_;
    my @old = newest_first("$place/*-plain $place/*-check $place/*-count");
    unlink splice @old, 3 * $KEPT if @old > 3 * $KEPT;
    my @judges = newest_first("$place/judge-*");
    unlink splice @judges, 2 if @judges > 2;
    return;
}

# (Another process may remove one at any time.)
sub newest_first
{
    my %time = map { $_ => (stat)[9] // 0 } glob $_[0];
    return sort { $time{$b} <=> $time{$a} || $a cmp $b } keys %time;
}

my %IN_CHINESE = (load => '读', store => '写', sectors => '个扇区', wavefronts => '轮');

# One phase: a verdict if something is wrong.
sub run
{
    my ($e, $judge, $phase, $program, $text) = @_;
    my $seed = int(rand 2**31) . int rand 2**31;
    local $ENV{JUDGE_CALLS} = 1 if $e->{judge} =~ /\bcall_of\b|"calls"/;
    local $ENV{JUDGE_SANDBOX} = sandbox_of_program($program) if $is_sandboxed;
    my $pid = start("$folder/said", "$folder/record", $judge, $phase, $program, $folder, $seed);
    my $status = finish($pid);
    my $why = text_of("$folder/said") =~ s/\n.*//sr;
    die "the judge's program ended with status $status: $why\n" if $status != 0;
    my %v = text_of("$folder/record") =~ /^(\w+) ([^\n]*)$/mg;
    %counts = map { $_ => $v{$_} } qw(sums accesses);
    my $id = delete $v{id} // die "the judge's program says nothing\n";
    for (grep { defined } @v{qw(access unit)}) { $_ = [$_, $IN_CHINESE{$_} // $_] }
    return verdict($e, 'too_much_memory') if $was_too_large;
    my $said = said_in("$folder/err");
    die "$1\n" if $is_sandboxed && $said =~ /\A(bwrap: .*)/;
    my ($fault, %of_fault) = fault($e, $said);
    # What an earlier case says of its result is nearer to the cause than a fault of a later one.
    $fault = undef if $id !~ /^(?:none|not_ended|cuda_error)$/
      && ($of_fault{case} // 0) > ($v{case} // 0);
    ($fault, %of_fault) = finding($e, said_in("$folder/findings"), $said) if !defined $fault;
    if (defined $fault)
    {
        my $verdict = verdict($e, $fault, %v, %of_fault);
        delete @$verdict{qw(got want)} if ($of_fault{case} // -2) != ($v{case} // -1);
        $verdict->{vague} ||= !defined $of_fault{line} && $fault !~ /hang|timeout/;
        return $verdict;
    }
    return if $id eq 'none';
    my $ended = $v{ended} // '';
    if ($id eq 'not_ended')
    {
        $id = $ended eq 'time' ? 'endless' : $ended =~ /^signal (\d+)/ ? 'crash'
          : $ended =~ /^exit ([1-9]\d*)/ ? 'exits' : $id;
        $v{$id eq 'crash' ? 'signal' : 'status'} = $1;
        $id = 'writes_much' if $id eq 'crash' && $1 == POSIX::SIGXFSZ();
    }
    my $verdict = verdict($e, $id, %v);
    if ($phase eq 'orders')
    {
        my $note = Exercise::sentence($e, 'only_in_this_order');
        $verdict->{en} .= " $note->{en}";
        $verdict->{zh} .= $note->{zh};
    }
    return $verdict;
}

# The first line of code that has a pattern, or the last one.
sub line_with
{
    my ($text, $pattern, $is_last) = @_;
    my @lines = split /\n/, $text;
    for my $n ($is_last ? reverse 0 .. $#lines : 0 .. $#lines)
    {
        return $n + 1 if $lines[$n] !~ /^\s*#/ && $lines[$n] =~ /$pattern/;
    }
    return;
}

1;
