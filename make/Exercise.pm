# An exercise is one file, exercises/NN_NAME.cu: the solution with marks in comments, from which the
# reader's file is cut, with its texts in both languages, and with solutions that are wrong.
# exercises/README.md explains the file.
package Exercise;
use strict;
use warnings;
use Files;

my @KEYS = ('Kind', 'Chapter', 'Program', 'Book', 'Compile', 'Allow', 'Goal', 'Hint 1', 'Hint 2', 'Hint 3', 'After');
my @TEXTS = ('Goal', 'Hint 1', 'Hint 2', 'Hint 3', 'After');
my %KINDS = map { $_ => 1 } qw(write mend predict test);

# The exercises of a folder, in their order.
sub files
{
    my ($folder) = @_;
    return grep { m{/\d\d_\w+\.cu$} } sorted("$folder/*.cu");
}

# An exercise: {file, name, number, title, Goal ...}, in Chinese {'title.zh', 'Goal.zh' ...}; its {code},
# a list of texts and of parts {solution, stub}; {child}, {judge}; {says}, a hash of sentences {en, zh,
# at}; {wrong} and {right}, lists of {name, id, text, whole}; {faults}, what cannot be read in it.
sub read_exercise
{
    my ($file) = @_;
    my $text = read_text($file);
    my ($name) = basename($file) =~ /^(.*)\.cu$/;
    my %e = (file => $file, name => $name, text => $text, says => {}, wrong => [], right => [],
        faults => []);
    ($e{number}) = $name =~ /^(\d+)_/;
    my ($head, @sections) = split m{^//==[ \t]*}m, $text;
    $head =~ s/^#if 0[^\n]*\n\s*\z//m;
    $sections[-1] =~ s/^#endif[^\n]*\s*\z//m if @sections;
    my ($comment, $code) = $head =~ m{\A((?://[^\n]*\n)*)\n*(.*)\z}s;
    read_comment(\%e, $comment);
    $e{code} = [read_code(\%e, $code)];
    for (@sections)
    {
        my ($title, $body) = /\A([^\n]*)\n?(.*)\z/s;
        $body =~ s/\n+\z/\n/;
        if ($title =~ /^(child|judge)\s*$/) { $e{$1} = $body }
        elsif ($title =~ /^says\s*$/) { %{$e{says}} = (%{$e{says}}, read_sentences($body, $e{faults})) }
        elsif ($title =~ /^(wrong|right)\s+(\w+)\s*(?::\s*([\w ]+?))?\s*(\(whole file\))?\s*$/)
        {
            push @{$e{$1}}, {name => $2, id => $3 // '', text => $body, whole => defined $4};
        }
        else { push @{$e{faults}}, "//== $title: this is no part of an exercise" }
    }
    return \%e;
}

sub read_comment
{
    my ($e, $comment) = @_;
    my $key;
    for (map { s{^// ?}{}r } split /\n/, $comment)
    {
        if (/^\Q$e->{name}\E(\.zh)?: *(.*)/)
        {
            $e->{$key = 'title' . ($1 // '')} = $2;
        }
        elsif (/^([A-Z]\w*(?: \d)?(?:\.zh)?): *(.*)/ && grep { $1 eq $_ || $1 eq "$_.zh" } @KEYS)
        {
            $e->{$key = $1} = $2;
        }
        elsif (/^\s*$/) { $key = undef }
        elsif (defined $key) { $e->{$key} = joined($e->{$key}, s/^\s+//r) }
        else { push @{$e->{faults}}, "comment at the top: what is \"$_\"?" }
    }
    return;
}

# Lines of a text become one. Between two Chinese characters there is no blank.
sub joined
{
    my ($text, $more) = @_;
    my $tight = $text =~ /[\x80-\xff]\z/ && $more =~ /\A[\x80-\xff]/;
    return $text . ($tight ? '' : ' ') . $more;
}

# //[ begins the reader's part, //] ends it. In it //| begins a line of the stub, and //zh the Chinese of
# this line. Elsewhere //zh is the Chinese of the comment above it.
sub read_code
{
    my ($e, $code) = @_;
    my @pieces = ('');
    my $part;
    for my $line (split /(?<=\n)/, $code)
    {
        if ($line =~ m{^\s*//\[})
        {
            push @{$e->{faults}}, '//[ in a part' if $part;
            $part = {solution => '', stub => '', stub_zh => ''};
        }
        elsif ($line =~ m{^\s*//\]})
        {
            push @{$e->{faults}}, '//] without //[' if !$part;
            push @pieces, $part, '';
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
    push @{$e->{faults}}, '//[ without //]' if $part;
    return @pieces;
}

# Sentences: `ID: English`, or `ID at /PATTERN/: English`, then `ID.zh: Chinese`. `ID for OTHER when /PATTERN/`
# is said in the place of OTHER where the reader's code has a pattern. `ID?` is a guess: what the
# checker finds is said instead. A line that begins with a
# blank goes on with the one above it.
sub read_sentences
{
    my ($text, $faults) = @_;
    my (%says, $last);
    my $place = 0;
    for (split /\n/, $text)
    {
        if (/^(\w+)(\.zh|\?)?(?: for ([\w ]+?) when \/(.*?)\/)?(?: at \/(.*?)\/)?: *(.*)/)
        {
            my ($id, $for, $when, $at, $sentence) = ($1, $3, $4, $5, $6);
            $says{$id}{guess} = 1 if ($2 // '') eq '?';
            my $chinese = ($2 // '') eq '.zh';
            $last = \$says{$id}{$chinese ? 'zh' : 'en'};
            $$last = $sentence;
            $says{$id}{at} = $at if defined $at;
            @{$says{$id}}{qw(for when place)} = ($for, $when, ++$place) if defined $for;
        }
        elsif (/^\s+(\S.*)/ && $last) { $$last = joined($$last, $1) }
        elsif (/\S/ && !/^#/) { push @$faults, "says: what is \"$_\"?" }
    }
    return %says;
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

# With another one in the place of the reader's part; of several parts, //] stands between.
sub variant
{
    my ($e, $other) = @_;
    return in_language($other->{text}, 'en') if $other->{whole};
    my @parts = split m{^[ \t]*//\][^\n]*\n}m, $other->{text}, -1;
    return join '', map { in_language(ref ? shift @parts // '' : $_, 'en') } @{$e->{code}};
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

# ---- What it lacks ------------------------------------------------------------------------------

# Sentences that judge and exercises have in common are in exercises/sentences.txt.
my $common;

sub common_sentences
{
    $common //= {read_sentences(text_of(dirname(__FILE__) . '../exercises/sentences.txt'), [])};
    return $common;
}

sub sentence
{
    my ($e, $id) = @_;
    return $e->{says}{$id} // common_sentences()->{$id};
}

# The id of the sentence that is said for another one, as the reader's code is.
sub instead_of
{
    my ($e, $id, $code) = @_;
    for my $says ($e->{says}, common_sentences())
    {
        my @others = grep { defined $says->{$_}{for} } keys %$says;
        for my $other (sort { $says->{$a}{place} <=> $says->{$b}{place} } @others)
        {
            my ($for, $when) = @{$says->{$other}}{qw(for when)};
            return $other if (grep { $_ eq $id } split / or /, $for) && $code =~ /$when/s;
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

# A list of sentences for who writes it.
sub lacks
{
    my ($e) = @_;
    my @lacks = @{$e->{faults}};
    push @lacks, 'its name is not NN_NAME.cu: two digits come first' if $e->{name} !~ /^\d\d_\w+$/;
    for my $key ('title', @TEXTS)
    {
        for my $name ($key, "$key.zh")
        {
            push @lacks, $key eq 'title' ? "the first lines: // $e->{name}: ... and // $e->{name}.zh: ..."
              : "$name: in the comment at the top" if ($e->{$name} // '') eq '';
        }
    }
    push @lacks, 'Kind: write, mend, predict or test' if !$KINDS{$e->{Kind} // ''};
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
        push @lacks, "says: $id has no English" if !defined $says->{en};
        push @lacks, "says: $id has no Chinese: $id.zh" if !defined $says->{zh};
        push @lacks, "says: $id: nobody says it"
          if !$used{$id} && !common_sentences()->{$id} && !defined $says->{for};
        push @lacks, map { "says: $id: for $_, which is no sentence" } grep { !sentence($e, $_) }
          split / or /, $says->{for} // '';
        my %values = map { ($_ => join ' ', sort(($says->{$_} // '') =~ /(\{\w+\})/g)) } qw(en zh);
        push @lacks, "says: $id: English and Chinese name different values"
          if defined $says->{en} && defined $says->{zh} && $values{en} ne $values{zh};
    }
    for my $id (($e->{judge} // '') =~ /\bwrong\("(\w+)"/g)
    {
        push @lacks, "says: $id, which the judge says, has no sentence" if !sentence($e, $id);
    }
    my %names;
    for my $one (@{$e->{wrong}}, @{$e->{right}})
    {
        push @lacks, "two are called $one->{name}" if $names{$one->{name}}++;
    }
    for my $one (@{$e->{wrong}})
    {
        push @lacks, "wrong $one->{name}: which sentence must it get?" if $one->{id} eq '';
        push @lacks, map { "wrong $one->{name}: there is no sentence $_" }
          grep { $_ ne 'or' && !sentence($e, $_) } split ' ', $one->{id};
    }
    push @lacks, 'wrong solutions: ten at least' if @{$e->{wrong}} < 10;
    push @lacks, 'right solutions: three at least' if @{$e->{right}} < 3;
    return @lacks;
}

1;
