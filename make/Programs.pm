# ./suite list: every program, its chapter, what it shows and from where, in the order of reading.
#
# This is the one parser of the comments at the top of the programs, and of tests/programs.txt, which has
# what only the tests want to know of a program. The other modules here and the tests have what they
# know of a program from read_programs().
package Programs;
use strict;
use warnings;
use Catalogue qw(catalogue_of chinese_of);
use Exporter 'import';
use Files;
use Language;
use Sources qw(from_in_chinese);

our @EXPORT = qw(read_programs in_reading_order headline describe);

# The keys of a comment, and those of tests/programs.txt.
my %IS_KEY = map { $_ => 1 } qw(From Order Compile Run Libs Uses Sources Flags Arch
  Expect Needs);
my %IS_FOR_TESTS = map { $_ => 1 } qw(Options Checks Sizes Also Small Refuses Faults Tests);

our $FOR_TESTS = 'tests/programs.txt';

# A program for each file, with what its comment and tests/programs.txt say:
#
#   {file}, {dir}, {name}   where it is, its chapter, and its name without a suffix
#   {sentence}              what it shows; undef if the comment has no such beginning
#   {From}, {Checks}, ...   the value after the key, its lines joined
#   {Chinese}               the Chinese of the sentence, which its catalogue has; undef if there is none
#   {extra}                 true if Sources: of another one names it: it is part of a program
#   {reads_args}            whether it reads its arguments by common/args.cuh
#   {faults}                of each name: the tool of make sanitize that must find something in it
#   {for_tests}             the lines of tests/programs.txt on it, as one text
#   {problems}              what is wrong with the comment, in words; what is wrong in
#                           tests/programs.txt begins with that name and the line
#
# and with describe(), which runs it:
#
#   {versions}              the names of its versions
#   {about}, {needs}        of each name: the sentence, and what it cannot run without, as "a GPU"
#   {options}               pairs, ["-n", "MxN"] or, for a flag, ["--wrong", ""]
#   {positional}            what it takes without a dash: "N", "FILE", or names as in "NX NE"
sub read_programs
{
    my (@files) = @_;
    my @programs = map { read_program($_) } @files;
    my %program = map { $_->{file} => $_ } @programs;
    for my $program (@programs)
    {
        my ($other) = ($program->{Order} // '') =~ /^after (.*)/;
        my @chapter = grep { $_->{dir} eq $program->{dir} } @programs;
        complain($program, "Order: there is no $other in its chapter")
          if defined $other && !grep { $_->{name} eq $other } @chapter;
        my @sources = map { dirname($program->{file}) . $_ } split ' ', $program->{Sources} // '';
        $_->{extra} = 1 for grep { defined } @program{@sources};
    }
    return @programs;
}

sub read_program
{
    my ($file) = @_;
    my $program = {file => $file, dir => dirname($file) =~ s{/$}{}r,
        name => basename($file) =~ s/\.[^.]*$//r,
        versions => [], about => {}, needs => {}, faults => {}, options => [], for_tests => '',
        problems => []};
    my $text = read_text($file);
    $program->{reads_args} = $text =~ /\b(?:parse_args|read_options)\(/;
    my ($said) = $text =~ m{\A// ([^ \t:\n]+): [^ \n]};
    complain($program, $text eq '' ? 'is empty' : 'does not begin with "// NAME: what it shows"')
      unless defined $said;
    if (defined $said)
    {
        complain($program, "is $program->{name} by its file name, $said by its comment")
          if $said ne $program->{name};
        my ($comment) = $text =~ m{\A((?://.*\n?)+)};
        read_comment($program, split /\n/, $comment);
    }
    add_for_tests($program);
    $program->{Chinese} = chinese_of($file, $program->{sentence}) if defined $program->{sentence};
    read_faults($program);
    check_values($program);
    return $program;
}

sub complain
{
    my ($program, $text) = @_;
    push @{$program->{problems}}, $text =~ tr/\t/ /r;
}

# What a file without a header comment is told.
sub headline
{
    my ($program) = @_;
    return say_in("$program->{file}: its first line must be `// $program->{name}: what it shows`",
        "$program->{file}：第一行须为 `// $program->{name}: 展示什么`，冒号是半角的，后面有一个空格");
}

# A line and the one that goes on with it. Chinese has no blanks between its words.
sub joined
{
    my ($line, $more) = @_;
    return $more if ($line // '') eq '';
    return "$line$more" if $line !~ /[ -~]$/ && $more !~ /^[ -~]/;
    return "$line $more";
}

# ---- The comment: a sentence, an empty line, keys, an empty line, and what only readers want ----

sub read_comment
{
    my ($program, $first, @lines) = @_;
    my $name_is_right = !@{$program->{problems}};
    $program->{sentence} = $first =~ s{^// \S+: }{}r if $name_is_right;
    while (@lines && $lines[0] ne '//')
    {
        my $more = shift(@lines) =~ s{^// *}{}r;
        $program->{sentence} = joined($program->{sentence}, $more) if $name_is_right;
    }
    shift @lines;
    my $key = '';
    for my $line (@lines)
    {
        last if $line eq '//';
        $key = read_line($program, $key, $line);
    }
}

# A line that begins a key, or goes on with the one before. Returns the key that the next line may
# go on with.
sub read_line
{
    my ($program, $key, $line) = @_;
    if ($line =~ m{^// (([A-Z]\w*):( *))(.*)})
    {
        my ($start, $value) = ($1, $4);
        $key = $2;
        complain($program, $IS_FOR_TESTS{$key} ? "$key: stands in $FOR_TESTS, not here"
              : $key eq 'Chinese' ? "Chinese: stands in " . catalogue_of($program->{file}) . ', not here'
              : "unknown key $key") unless $IS_KEY{$key};
        complain($program, "$key stands twice") if defined $program->{$key};
        complain($program, "the value of $key does not start in column 13")
          if $value ne '' && length $start != 9;
        $program->{$key} = $value;
    }
    elsif ($key ne '' && $line =~ m{^//   +([^ ].*)})
    {
        $program->{$key} = joined($program->{$key}, $1);
    }
    else
    {
        complain($program, "cannot read the line $line");
    }
    return $key;
}

# ---- What a program says of itself: its options, and the versions of -k ----

# Fills {options}, {positional}, {versions}, {about} and {needs}, once, with what the command says for
# --describe. A program without common/args.cuh has its Options: in tests/programs.txt.
sub describe
{
    my ($program, @command) = @_;
    return $program if $program->{is_described}++;
    my @lines = split /\n/, $program->{reads_args} ? said_by(@command, '--describe') : '';
    push @lines, map { /^\[(.*)\]$/ ? "argument\t$1" : "option\t$_" } grep { $_ ne '-h' }
      ($program->{Options} // '') =~ /(-\S+(?: [A-Z]\w*)?|\[\w+\])/g;
    for my $line (@lines)
    {
        my ($kind, $name, $about, $needs) = split /\t/, $line;
        if ($kind eq 'option')
        {
            push @{$program->{options}}, [$name =~ /^(\S+) ?(.*)/];
        }
        elsif ($kind eq 'argument')
        {
            $program->{positional} = joined($program->{positional}, $name);
        }
        elsif ($kind eq 'version')
        {
            push @{$program->{versions}}, $name;
            $program->{about}{$name} = $about;
            # What a size cannot have is skipped at that size. Here only what the machine lacks counts.
            $needs = 'a GPU' if ($needs // '') =~ /^a GPU/ && $needs !~ /sm_|lib/;
            $program->{needs}{$name} = $needs if ($needs // '') =~ /a GPU|sm_|lib/;
        }
    }
    # `make sanitize` looks for the fault of each version, and would never come to this one.
    my %has = map { $_ => 1 } @{$program->{versions}};
    complain($program, at($program, 'Faults') . "there is no version $_")
      for grep { @lines && !$has{$_} } sort keys %{$program->{faults} // {}};
    return $program;
}

# ---- tests/programs.txt: what only the tests want to know ----

# Its paragraphs: {name}, {line}, {text}, {values}, {lines} of the values, and {problems}. Then what is
# wrong outside of them.
my %read = (text => '', paragraphs => [], problems => []);

sub paragraphs
{
    my $text = text_of($FOR_TESTS);
    return \%read if $text eq $read{text};
    %read = (text => $text, paragraphs => [], problems => []);
    my ($number, $paragraph, $key) = (0);
    for my $line (split /\n/, $text)
    {
        ++$number;
        next if $line =~ /^#/;
        if ($line =~ /^([^ ]+)$/)
        {
            push @{$read{paragraphs}}, $paragraph = {name => $1, line => $number, text => '',
                values => {}, lines => {}, problems => []};
            $key = undef;
        }
        elsif ($paragraph && $line =~ /^  ([A-Z]\w*): +([^ ].*)$/)
        {
            $key = $1;
            push @{$paragraph->{problems}}, "$FOR_TESTS:$number: unknown key $key" if !$IS_FOR_TESTS{$key};
            push @{$paragraph->{problems}}, "$FOR_TESTS:$number: $key stands twice"
              if defined $paragraph->{values}{$key};
            $paragraph->{values}{$key} = $2;
            $paragraph->{lines}{$key} = $number;
        }
        elsif (defined $key && $line =~ /^    +([^ ].*)$/)
        {
            $paragraph->{values}{$key} = joined($paragraph->{values}{$key}, $1);
        }
        elsif ($line ne '')
        {
            push @{$paragraph ? $paragraph->{problems} : $read{problems}},
              "$FOR_TESTS:$number: cannot read the line $line";
        }
        $paragraph->{text} .= "$line\n" if $paragraph && $line ne '';
    }
    return \%read;
}

# A program has at most one paragraph. None is there for a program that needs no line.
sub add_for_tests
{
    my ($program) = @_;
    my ($paragraph, @more) = grep { $_->{name} eq $program->{name} } @{paragraphs()->{paragraphs}};
    return unless $paragraph;
    my %values = %{$paragraph->{values}};
    $program->{$_} = $values{$_} for grep { $IS_FOR_TESTS{$_} } keys %values;
    $program->{for_tests} = $paragraph->{text};
    $program->{lines} = $paragraph->{lines};
    complain($program, $_) for @{$paragraph->{problems}};
    complain($program, "$FOR_TESTS:$_->{line}: $program->{name} stands twice") for @more;
}

# What is wrong with tests/programs.txt that is no problem of one program.
sub problems_for_tests
{
    my (@programs) = @_;
    my $read = paragraphs();
    my @problems = @{$read->{problems}};
    my @order = map { $_->{name} } in_reading_order(@programs);
    my %place = map { $order[$_] => $_ } 0 .. $#order;
    my $before;
    for my $paragraph (@{$read->{paragraphs}})
    {
        my ($name, $where) = ($paragraph->{name}, "$FOR_TESTS:$paragraph->{line}");
        push(@problems, "$where: there is no program $name"), next unless defined $place{$name};
        push @problems, "$where: $name comes before $before in make list, so it stands above it"
          if defined $before && $place{$name} < $place{$before};
        $before = $name;
    }
    return @problems;
}

# "memcheck (why)" is the program's own fault. "-k race racecheck; -k sync synccheck" are those of its
# versions, and then Faults: is not one of the program.
sub read_faults
{
    my ($program) = @_;
    my $faults = $program->{Faults} // '';
    while ($faults =~ s/^-k ([^ ]+) ([a-z]+)(?:; *|$)//)
    {
        $program->{faults}{$1} = $2;
    }
    $program->{Faults} = $faults eq '' ? undef : $faults;
}

# The place of a value of tests/programs.txt, for what is said of it; nothing for one of the comment.
sub at
{
    my ($program, $key) = @_;
    my $line = ($program->{lines} // {})->{$key};
    return defined $line ? "$FOR_TESTS:$line: " : '';
}

# ---- What the values must be ----

sub check_values
{
    my ($program) = @_;
    my $wrong = sub {
        my ($key, $right, $problem) = @_;
        complain($program, at($program, $key) . $problem)
          if defined $program->{$key} && $program->{$key} !~ $right;
    };
    complain($program, "has no $_:") for grep { ($program->{$_} // '') eq '' } qw(From Compile Run);
    $wrong->('sentence', qr/[^.]$/, 'its sentence ends with a full stop');
    $wrong->('Chinese', qr/(?<!\.)(?<!。)$/, 'its Chinese sentence ends with a full stop');
    $wrong->('Order', qr/^(?:last|after [a-z0-9-]+)$/, 'Order: is neither last nor after NAME');
    $wrong->('Expect', qr/^\d+(?: |$)/, 'Expect: is no exit status');
    $wrong->('Needs', qr/^GPU, because [^ ]/, 'Needs: does not read "GPU, because ..."');
    $wrong->('Checks', qr/^\d+(?: |$)/, 'Checks: does not begin with a number');
}

# ---- The order of reading ----

# The programs of each chapter in the order in which a reader wants them: by the first section of
# the chapter that From: names, then by the first listing. Programs that From: gives no section of
# the chapter, or calls beyond the book, come after these. `Order: last` and `Order: after NAME`
# make exceptions.
sub in_reading_order
{
    my (@programs) = @_;
    my %place = map { $_->{file} => "$_->{dir}/ " . place_of($_) } @programs;
    my @order = sort { $place{$a->{file}} cmp $place{$b->{file}} } @programs;
    for my $program (grep { ($_->{Order} // '') =~ /^after / } @programs)
    {
        my ($other) = $program->{Order} =~ /^after (.*)/;
        my @others = grep { $_ != $program } @order;
        my ($at) = grep { $others[$_]{name} eq $other && $others[$_]{dir} eq $program->{dir} }
          0 .. $#others;
        if (defined $at)
        {
            splice @others, $at + 1, 0, $program;
            @order = @others;
        }
    }
    return @order;
}

# "09.01.02 09.03" for sections 9.1.2 and later, and Listing 9.3; "~" sorts after all digits.
sub place_of
{
    my ($program) = @_;
    my $from = $program->{From} // '';
    return '~~' if ($program->{Order} // '') eq 'last';
    my ($chapter) = $program->{dir} =~ /^..(\d+)/;
    my ($kind, %first) = ('');
    for my $word (split /[ ,]+/, $from)
    {
        $kind = lc $word if $word =~ /^[A-Za-z]/ && $word !~ /^(?:and|to)$/;
        my ($start) = $kind =~ /^(section|listing)s?$/;
        my ($number) = $word =~ /^(\d+\.\d+)/;
        next unless $start && $number && $number >= ($chapter // 0);
        my ($numbers) = $word =~ /^([\d.]+)/;
        my $place = join '.', map { sprintf '%02d', $_ } split /\./, $numbers;
        $first{$start} = $place if $place lt ($first{$start} // '~');
    }
    my $section = $from =~ /beyond the book/ ? '~' : $first{section} // '~';
    return join ' ', $section, $first{listing} // '~', $program->{name};
}

# ---- ./suite list ----

# Lines of at most so many columns. A Chinese character has two, and a line may end behind it,
# but not before a mark or behind a bracket.
sub wrapped
{
    my ($text, $columns) = @_;
    utf8::decode($text);
    my @lines = ('');
    for my $word ($text =~ / *\x{ff08}?(?:[!-~]+|[^ -~])[\x{ff0c}\x{3002}\x{3001}\x{ff1b}\x{ff1a}\x{ff09}\x{201d}\x{300b}]*/g)
    {
        my $width = length("$lines[-1]$word") + ("$lines[-1]$word" =~ tr/\x{2e80}-\x{ffef}//);
        push @lines, '' if $lines[-1] ne '' && $width > $columns;
        $lines[-1] .= $lines[-1] eq '' ? $word =~ s/^ +//r : $word;
    }
    utf8::encode($_) for @lines;
    return @lines;
}

sub list
{
    my @programs = in_reading_order(read_programs(source_files()));
    my $format = '';
    for my $column (qw(dir name))
    {
        my ($widest) = sort { $b <=> $a } map { length $_->{$column} } @programs;
        $format .= "%-${widest}s  ";
    }
    my $indent = length sprintf $format, '', '';
    my @bare;
    for my $program (grep { !$_->{extra} } @programs)
    {
        push(@bare, $program), next unless defined $program->{sentence};
        my ($name, $from) = (sprintf($format, @$program{qw(dir name)}), $program->{From} // '');
        my $says = in_chinese_here() && $program->{Chinese} || $program->{sentence};
        my @lines = wrapped(say_in("$says ($from)", "$says（" . from_in_chinese($from) . '）'), 100 - $indent);
        print $name, join("\n" . ' ' x $indent, @lines), "\n";
    }
    print STDERR map { headline($_) . "\n" } @bare;
    return @bare ? 1 : 0;
}

1;
