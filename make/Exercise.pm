# An exercise is one file, exercises/NN_NAME.cu: the solution with marks in comments, from which the
# reader's file is cut, with its texts in both languages, and with solutions that are wrong.
# exercises/README.md explains the file.
package Exercise;
use strict;
use warnings;
use Files;

my @KEYS = ('Kind', 'Chapter', 'Program', 'Book', 'Compile', 'Allow', 'Goal', 'Hint 1', 'Hint 2', 'Hint 3', 'After');
my @TEXTS = ('Goal', 'Hint 1', 'Hint 2', 'Hint 3', 'After');
my %KINDS = map { $_ => 1 } qw(write mend faster predict test);

# The exercises of a folder, in their order.
sub files
{
    my ($folder) = @_;
    return grep { m{/\d\d_\w+\.cu$} } sorted("$folder/*.cu");
}

# An exercise: {file, name, number, title, Goal ...}, in Chinese {'title.zh', 'Goal.zh' ...}; its {code},
# a list of texts and of parts {solution, stub}; {child}, {judge}; {says}, a hash of sentences {en, zh,
# at, line}; {wrong} and {right}, lists of {name, id, text, whole, line}; {faults}, what cannot be read in
# it, as `LINE: what`.
sub read_exercise
{
    my ($file) = @_;
    my ($text, @faults) = readable(read_text($file));
    my ($name) = basename($file) =~ /^(.*)\.cu$/;
    my %e = (file => $file, name => $name, text => $text, says => {}, wrong => [], right => [],
        faults => \@faults);
    ($e{number}) = $name =~ /^(\d+)_/;
    return \%e if @faults;
    my ($head, @sections) = split m{^//==[ \t]*}m, $text;
    my $line = 1 + lines_in($head);
    push @faults, "$line: #if 0 is missing before the first //==" if @sections && $head !~ /^#if 0/m;
    $head =~ s/^#if 0[^\n]*\n\s*\z//m;
    $sections[-1] =~ s/^#endif[^\n]*\s*\z//m if @sections;
    my ($comment, $code) = $head =~ m{\A((?://[^\n]*\n)*)\n*(.*)\z}s;
    read_comment(\%e, $comment);
    my ($above) = $head =~ m{\A((?://[^\n]*\n)*\n*)};
    $e{code} = [read_code(\%e, $code, 1 + lines_in($above))];
    for (@sections)
    {
        my ($title, $body) = /\A([^\n]*)\n?(.*)\z/s;
        my $at = $line;
        $line += lines_in($_);
        $body =~ s/\n+\z/\n/;
        if ($title =~ /^(child|judge|time)\s*$/)
        {
            push @faults, "$at: a second //== $1" if defined $e{$1};
            $e{$1} = $body;
        }
        elsif ($title =~ /^says\s*$/)
        {
            %{$e{says}} = (%{$e{says}}, read_sentences($body, \@faults, $at + 1));
        }
        elsif ($title =~ /^(wrong|right)\s+(\w+)\s*(?::\s*([\w ]+?))?\s*(\(whole file\))?\s*$/)
        {
            push @{$e{$1}},
              {name => $2, id => $3 // '', text => $body, whole => defined $4, line => $at};
        }
        else { push @faults, "$at: //== $title: this is no part of an exercise" }
    }
    return \%e;
}

sub lines_in
{
    my ($text) = @_;
    return $text =~ tr/\n//;
}

# A text with the ends of lines of Unix; then what makes it none.
sub readable
{
    my ($text) = @_;
    $text =~ s/\A\xef\xbb\xbf//;
    $text =~ s/\r\n?/\n/g;
    return ($text, '1: the file is empty') if $text !~ /\S/;
    my @lines = split /\n/, $text;
    for my $n (0 .. $#lines)
    {
        my $line = $lines[$n];
        return ($text, $n + 1 . ': this is no text: it has a byte 0') if $line =~ /\0/;
        return ($text, $n + 1 . ': this is no UTF-8') if !utf8::decode($line);
    }
    return $text;
}

sub read_comment
{
    my ($e, $comment) = @_;
    my $key;
    my $line = 0;
    for (map { s{^// ?}{}r } split /\n/, $comment)
    {
        ++$line;
        if (/^\Q$e->{name}\E(\.zh)?: *(.*)/)
        {
            $e->{$key = 'title' . ($1 // '')} = $2;
        }
        elsif (/^([A-Z]\w*(?: \d)?(?:\.zh)?): *(.*)/ && grep { $1 eq $_ || $1 eq "$_.zh" } @KEYS)
        {
            $e->{$key = $1} = $2;
        }
        elsif (/^\s*$/) { $key = undef }
        elsif (defined $key && /^\s/) { $e->{$key} = joined($e->{$key}, s/^\s+//r) }
        elsif (/^(\S.{0,20}?):/) { push @{$e->{faults}}, "$line: there is no key $1" }
        else { push @{$e->{faults}}, "$line: comment at the top: what is \"$_\"?" }
    }
    return;
}

# Lines of a text become one. Between two Chinese characters there is no blank.
sub joined
{
    my ($text, $more) = @_;
    my $mark = qr/\xe3\x80[\x81\x82]|\xef\xbc[\x81\x88\x89\x8c\x9a\x9b\x9f]/; # 、。！（），：；？
    my $tight = $text =~ /[\x80-\xff]\z/ && $more =~ /\A[\x80-\xff]/ || $text =~ /$mark\z/ || $more =~ /\A$mark/;
    return $text . ($tight ? '' : ' ') . $more;
}

# //[ begins the reader's part, //] ends it. In it //| begins a line of the stub, and //zh the Chinese of
# this line. Elsewhere //zh is the Chinese of the comment above it.
sub read_code
{
    my ($e, $code, $first) = @_;
    my @pieces = ('');
    my ($part, $begins);
    my $at = $first - 1;
    for my $line (split /(?<=\n)/, $code)
    {
        ++$at;
        if ($line =~ m{^\s*//\[})
        {
            push @{$e->{faults}}, "$at: //[ in a part, which begins in line $begins" if $part;
            $begins = $at;
            $part = {solution => '', stub => '', stub_zh => ''};
        }
        elsif ($line =~ m{^\s*//\]})
        {
            push @{$e->{faults}}, "$at: //] without //[" if !$part;
            push @pieces, $part, '' if $part;
            $part = undef;
        }
        elsif (!$part) { $pieces[-1] .= $line }
        elsif ($line =~ m{^(\s*)//\| ?(.*\n)})
        {
            my $stub = $2 eq "\n" ? "\n" : "$1$2";
            $part->{last} = length $part->{stub_zh};
            $part->{$_} .= $stub for qw(stub stub_zh);
        }
        elsif ($line =~ m{^(\s*)//zh ?(.*\n)} && defined $part->{last})
        {
            substr($part->{stub_zh}, $part->{last}) = "$1$2";
        }
        else { $part->{solution} .= $line }
    }
    push @{$e->{faults}}, "$begins: //[ without //]" if $part;
    return @pieces;
}

# Sentences: `ID: English`, or `ID at /PATTERN/: English`, then `ID.zh: Chinese`. `ID for OTHER when /PATTERN/`
# is said in the place of OTHER where the reader's code above main has a pattern, or with `when main /PATTERN/`
# main itself. `ID?` is a guess: what the
# checker finds is said instead. A line that begins with a
# blank goes on with the one above it.
sub read_sentences
{
    my ($text, $faults, $first) = @_;
    my (%says, $last);
    my $place = 0;
    my $line = $first - 1;
    for (split /\n/, $text)
    {
        ++$line;
        if (/^(\w+)(\.zh|\?)?(?: for ([\w ]+?) when (main )?\/(.*?)\/)?(?: at (last )?\/(.*?)\/)?: *(.*)/)
        {
            my ($id, $for, $of_main, $when, $last_one, $at, $sentence) = ($1, $3, $4, $5, $6, $7, $8);
            $says{$id}{guess} = 1 if ($2 // '') eq '?';
            my $chinese = ($2 // '') eq '.zh';
            $last = \$says{$id}{$chinese ? 'zh' : 'en'};
            $$last = $sentence;
            push @$faults, map { "$line: says: /$_/ is no pattern" }
              grep { defined && !is_pattern($_) } $when, $at;
            $says{$id}{at} = $at if defined $at;
            $says{$id}{at_last} = 1 if defined $last_one;
            $says{$id}{line} //= $line;
            @{$says{$id}}{qw(for when of_main place)} = ($for, $when, $of_main, ++$place) if defined $for;
        }
        elsif (/^\s+(\S.*)/ && $last) { $$last = joined($$last, $1) }
        elsif (/\S/ && !/^#/) { push @$faults, "$line: says: what is \"$_\"?" }
    }
    return %says;
}

sub is_pattern
{
    my ($text) = @_;
    $text =~ s/\{[a-z_]\w*\}/x/gi; # (the place of a value)
    return eval { qr/$text/ };
}

# ---- What is cut from it ------------------------------------------------------------------------

# In one language: a comment is replaced by the Chinese below it, which else goes.
sub in_language
{
    my ($code, $language) = @_;
    return $code =~ s{^[ \t]*//zh[^\n]*\n}{}mgr if $language ne 'zh';
    return $code =~ s{^([ \t]*)//(?!zh)[^\n]*\n[ \t]*//zh ?([^\n]*\n)}{$1// $2}mgr =~
      s{^([^\n]*?\S[ \t]*)//[^\n]*\n[ \t]*//zh ?([^\n]*\n)}{$1// $2}mgr;
}

# What a reader's file has below its first two lines.
sub stub
{
    my ($e, $language) = @_;
    return join '', map { ref ? $_->{$language eq 'zh' ? 'stub_zh' : 'stub'} : in_language($_, $language) }
      @{$e->{code}};
}

sub solution
{
    my ($e, $language) = @_;
    return join '', map { in_language(ref ? $_->{solution} : $_, $language) } @{$e->{code}};
}

# With another one in the place of the reader's part; of several parts, //] stands between. Where it is a
# list of changes, the solution with these.
sub variant
{
    my ($e, $other) = @_;
    return (changed($e, $other))[0] if is_changes($other);
    return in_language($other->{text}, 'en') if $other->{whole};
    my @parts = split m{^[ \t]*//\][^\n]*\n}m, $other->{text}, -1;
    return join '', map { in_language(ref ? shift @parts // '' : $_, 'en') } @{$e->{code}};
}

# Changes are lines `//- OLD` and, below them, lines `//+ NEW`: wherever the solution has OLD, NEW comes in
# its place. If there is no NEW, a line that has become empty goes.
sub is_changes
{
    my ($other) = @_;
    return $other->{text} =~ m{^//- }m;
}

# The solution with changes: its code, and what is wrong with the changes.
sub changed
{
    my ($e, $other) = @_;
    my @faults;
    my @code = @{$e->{code}};
    # (An old text behind a new one begins another change, and so does an empty line.)
    for my $change (split /\n\s*\n/, $other->{text} =~ s{^(//\+[^\n]*\n)(?=//-)}{$1\n}mgr)
    {
        my (@old, @new);
        for (split /\n/, $change)
        {
            if (m{^//- ?\s*(.*?)\s*$} && !@new) { push @old, $1 }
            elsif (m{^//\+ ?(.*)}) { push @new, $1 }
            elsif (/\S/) { push @faults, "what is \"$_\" among //- and //+?" }
        }
        my $pattern = join '\n[ \t]*', map { quotemeta } @old;
        push @faults, '//+ without //-' if $pattern eq '' && @new;
        next if $pattern eq '';
        my $num = 0;
        for (@code)
        {
            next if !ref && !$other->{whole};
            my $text = ref ? $_->{solution} : $_;
            $num += @new ? $text =~ s{$pattern}{with_margin(substr($text, 0, $-[0]), @new)}ge
              : $text =~ s{^[ \t]*$pattern[ \t]*\n|$pattern}{}mg;
            $_ = ref ? {%$_, solution => $text} : $text;
        }
        push @faults, "the solution has no \"@old\"" if !$num;
    }
    my $code = join '', map { in_language(ref ? $_->{solution} : $_, 'en') } @code;
    return ($code, @faults);
}

# Lines in the place of what stands behind a text: all begin where its last line does.
sub with_margin
{
    my ($before, @lines) = @_;
    my ($margin) = $before =~ /(?:^|\n)([ \t]*)[^\n]*\z/;
    return join "\n$margin", @lines;
}

# A reader's file: two lines that say what it is, and the stub.
sub readers_file
{
    my ($e, $language, $code) = @_;
    my $file = "learn/$e->{name}.cu";
    my @lines = $language eq 'zh'
      ? ("$e->{name}：" . ($e->{'title.zh'} // ''),
        "保存后 make learn 会重判；自己运行：bin/cpucc $file -o a.out && ./a.out")
      : ("$e->{name}: " . ($e->{title} // ''),
        "make learn judges each save. To run it: bin/cpucc $file -o a.out && ./a.out");
    return join('', map { "// $_\n" } @lines) . "\n" . $code;
}

# The text of a key in a language, or else in English.
sub text_in
{
    my ($e, $key, $language) = @_;
    return ($language eq 'zh' ? $e->{"$key.zh"} : undef) // $e->{$key} // '';
}

# What kind it is, for a reader.
my %KIND_IN = (write => '写', mend => '改', faster => '加速', predict => '预测', test => '测试');

sub kind_in
{
    my ($e, $language) = @_;
    my $kind = $e->{Kind} // '';
    return $language eq 'zh' ? $KIND_IN{$kind} // $kind : $kind;
}

# ---- What it lacks ------------------------------------------------------------------------------

# Sentences that judge and exercises have in common are in exercises/sentences.txt.
my $common;

sub common_sentences
{
    $common //= {read_sentences(text_of(dirname(__FILE__) . '../exercises/sentences.txt'), [], 1)};
    return $common;
}

sub sentence
{
    my ($e, $id) = @_;
    return $e->{says}{$id} // common_sentences()->{$id};
}

# Code with CUDA's own variables in the place of names that have got them once, as `int t = threadIdx.x`.
sub resolved
{
    my ($code) = @_;
    my %value;
    my $of_cuda = qr/(?:threadIdx|blockIdx|blockDim|gridDim)\.[xyz]/;
    $value{$1} = $2 while $code =~ /\b(\w+)\s*=\s*($of_cuda)\s*[,;]/g;
    for my $name (keys %value)
    {
        my $num = () = $code =~ /(?<!\.)\b\Q$name\E\s*(?:[-+*\/%&|^]|<<|>>)?=(?!=)|\+\+\s*\Q$name\E\b|--\s*\Q$name\E\b|\b\Q$name\E\s*(?:\+\+|--)/g;
        delete $value{$name} if $num != 1;
    }
    return $code if !%value;
    my $names = join '|', map { quotemeta } sort keys %value;
    return $code =~ s/(?<![\w.>])($names)\b(?!\s*(?:=(?!=)|\())/$value{$1}/gr;
}

# The id of the sentence that is said for another one, as the reader's code is.
sub instead_of
{
    my ($e, $id, $all_code) = @_;
    my ($code, $main) = split /\b(?=main\s*\()/, $all_code, 2;
    # (What refuses a right result is looked for in the code as it stands.)
    my $resolved = $id eq 'passed' ? $code : resolved($code);
    for my $says ($e->{says}, common_sentences())
    {
        my @others = grep { defined $says->{$_}{for} } keys %$says;
        for my $other (sort { $says->{$a}{place} <=> $says->{$b}{place} } @others)
        {
            my ($for, $when, $of_main) = @{$says->{$other}}{qw(for when of_main)};
            return $other
              if (grep { $_ eq $id } split / or /, $for)
              && ($of_main ? ($main // '') =~ /$when/s : $code =~ /$when/s || $resolved =~ /$when/s);
        }
    }
    return $id;
}

sub without_comments
{
    my ($code) = @_;
    return $code =~ s{("(?:[^"\\\n]++|\\.)*+")|//[^\n]*|/\*.*?\*/}{$1 // ' '}gser =~ s/\s+/ /gr =~ s/^ | $//gr;
}

sub same_code
{
    my ($one, $other) = @_;
    return without_comments($one) eq without_comments($other);
}

# Without what nobody can be judged by it.
sub needs
{
    my ($e) = @_;
    my @needs = @{$e->{faults}};
    return @needs if @needs;
    push @needs, "1: the first line: // $e->{name}: ..." if ($e->{title} // '') eq '';
    push @needs, 'the reader\'s part between //[ and //]' if !grep { ref } @{$e->{code}};
    return @needs, map { "//== $_" } grep { ($e->{$_} // '') eq '' } qw(child judge);
}

# A list of what it lacks for who writes it: `LINE: what`, or without a line.
sub lacks
{
    my ($e) = @_;
    my @lacks = @{$e->{faults}};
    return @lacks if !$e->{code};
    push @lacks, 'its name is not NN_NAME.cu: two digits come first' if $e->{name} !~ /^\d\d_\w+$/;
    for my $key ('title', @TEXTS)
    {
        for my $name ($key, "$key.zh")
        {
            push @lacks, $key eq 'title' ? "the first lines: // $e->{name}: ... and // $e->{name}.zh: ..."
              : "$name: in the comment at the top" if ($e->{$name} // '') eq '';
        }
    }
    push @lacks, 'Kind: write, mend, faster, predict or test' if !$KINDS{$e->{Kind} // ''};
    push @lacks, '//== judge: faster: weigh() says what the accesses cost'
      if ($e->{Kind} // '') eq 'faster' && ($e->{judge} // '') !~ /\bweigh\s*\(/;
    push @lacks, 'Chapter: a number' if ($e->{Chapter} // '') !~ /^\d+$/;
    push @lacks, "Program: $e->{Program} is not there" if defined $e->{Program} && !-f $e->{Program};
    push @lacks, map { "Allow: there is no sentence $_" } grep { !sentence($e, $_) } split ' ', $e->{Allow} // '';
    my @parts = grep { ref } @{$e->{code}};
    push @lacks, 'the reader\'s part between //[ and //]' if !@parts;
    push @lacks, 'the Chinese stub is other code than the English one'
      if !same_code(stub($e, 'en'), stub($e, 'zh'));
    push @lacks, 'the stub is the solution: //| begins its lines'
      if @parts && same_code(stub($e, 'en'), solution($e, 'en'));
    for my $part (qw(child judge))
    {
        push @lacks, "//== $part" if ($e->{$part} // '') eq '';
    }
    my %used = map { $_ => 1 } ($e->{judge} // '') =~ /"(\w+)"/g;
    for my $id (sort keys %{$e->{says}})
    {
        my $says = $e->{says}{$id};
        my $line = $says->{line};
        push @lacks, "$line: says: $id has no English" if !defined $says->{en};
        push @lacks, "$line: says: $id has no Chinese: $id.zh" if !defined $says->{zh};
        push @lacks, "$line: says: $id: nobody says it"
          if !$used{$id} && !common_sentences()->{$id} && !defined $says->{for};
        push @lacks, map { "$line: says: $id: for $_, which is no sentence" } grep { !sentence($e, $_) }
          split / or /, $says->{for} // '';
        my %values = map { ($_ => join ' ', sort(($says->{$_} // '') =~ /(\{\w+\})/g)) } qw(en zh);
        push @lacks, "$line: says: $id: English and Chinese name different values"
          if defined $says->{en} && defined $says->{zh} && $values{en} ne $values{zh};
    }
    for my $id (($e->{judge} // '') =~ /\bwrong\("(\w+)"/g)
    {
        push @lacks, "says: $id, which the judge says, has no sentence" if !sentence($e, $id);
    }
    my %names;
    for my $one (@{$e->{wrong}}, @{$e->{right}})
    {
        push @lacks, "$one->{line}: two are called $one->{name}" if $names{$one->{name}}++;
        my (undef, @wrong) = is_changes($one) ? changed($e, $one) : ();
        push @lacks, map { "$one->{line}: $one->{name}: $_" } @wrong;
    }
    for my $one (@{$e->{wrong}})
    {
        push @lacks, "$one->{line}: wrong $one->{name}: which sentence must it get?" if $one->{id} eq '';
        push @lacks, map { "$one->{line}: wrong $one->{name}: there is no sentence $_" }
          grep { $_ ne 'or' && !sentence($e, $_) } split ' ', $one->{id};
    }
    push @lacks, 'wrong solutions: ten at least' if @{$e->{wrong}} < 10;
    push @lacks, 'right solutions: three at least' if @{$e->{right}} < 3;
    return @lacks;
}

1;
