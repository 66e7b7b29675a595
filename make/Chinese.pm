# ./suite zh: the sources with Chinese comments, in build/zh: the same code on the same lines.
#
#   ./suite zh                    writes build/zh/chNN_topic/NAME.cu, build/zh/common, and
#                                 build/zh/messages, by which --help speaks Chinese; a comment
#                                 without Chinese stays English, is marked [未译], or [已过时]
#                                 if its Chinese is of an older text, and is listed at the end
#   ./suite zh --check            says by file and line which Chinese is missing or out of date
#   ./suite zh --update NAME...   brings catalogues up to date: of programs, sources, chapters, of
#                                 `common` or of `all`; what is translated stays, also where a text
#                                 has moved to another source
#   ./suite zh --messages         writes build/zh/messages only
#
# The Chinese of chNN_topic/NAME.cu is in the catalogue chNN_topic/zh/NAME.cu.po: see "Chinese
# comments" in docs/maintaining.md. In a folder without zh/ the comments stay English.
package Chinese;
use strict;
use warnings;
use utf8;
use Catalogue;
use Comments;
use Files qw(basename dirname fail sorted source_files);
use Language;
use Programs;

my $OUT = 'build/zh';
my $WIDTH = 100; # columns of a line

sub zh
{
    my ($how, @names) = @_;
    binmode $_, ':utf8' for *STDOUT, *STDERR;
    my $status = eval {
        !defined $how ? write_all()
          : $how eq '--check' ? check()
          : $how eq '--update' ? update(@names)
          : $how eq '--messages' ? write_messages()
          : fail("zh: there is no $how: see ./suite zh --help");
    };
    utf8::decode($@) if !defined $status;
    fail($@ =~ s/\n\z//r) if !defined $status;
    return $status;
}

sub sources
{
    return source_files(), sorted('ch*/*.cuh', 'common/*.cuh');
}

# ---- Lines --------------------------------------------------------------------------------------

# A Chinese character is as wide as two others, and so are some of its marks.
sub columns
{
    my ($text) = @_;
    return length($text) + ($text =~ tr/\x{2014}\x{2018}-\x{201d}\x{2026}\x{2e80}-\x{ffef}//);
}

# The pieces between which a line may end: a word, a part between backquotes, one Chinese character,
# each with the marks that must not begin or end a line, and with the blank behind it.
sub pieces
{
    my ($text) = @_;
    my $open = qr/[（“‘《【]/;
    my $close = qr/[，。、；：？！）”’》】…—]/;
    my $word = qr/(?:`[^`]{1,60}`|[!-_a-~])+|./s;
    return $text =~ /\G($open*$word$close* *)/g;
}

# A text in exactly so many lines, each at most as wide as its room; none if that cannot be. Lines
# end behind a mark rather than elsewhere, and are about equally long.
sub in_lines
{
    my ($text, @rooms) = @_;
    my @pieces = pieces($text);
    my @end = (0); # of each piece, in columns from the text's beginning
    push @end, $end[-1] + columns($_) for @pieces;
    my $blank = sub { $pieces[$_[0] - 1] =~ /( +)$/ ? length $1 : 0 };
    my @penalty = (0, map { /[。？！] *$/ ? 0 : /[，；：] *$/ ? 3 : /[、）”] *$/ ? 8 : 12 } @pieces);
    my $even = $end[-1] / @rooms;
    my @best = ([0, []]); # of each number of pieces: the cost, and where its lines end
    for my $room (@rooms)
    {
        my @next;
        for my $from (grep { $best[$_] } 0 .. $#best)
        {
            for my $to ($from + 1 .. $#end)
            {
                my $width = $end[$to] - $end[$from] - $blank->($to);
                last if $width > $room;
                my $cost = $best[$from][0] + (($width - $even) / 10) ** 2
                  + ($to == $#end ? 0 : $penalty[$to]);
                $next[$to] = [$cost, [@{$best[$from][1]}, $to]]
                  if !$next[$to] || $cost < $next[$to][0];
            }
        }
        @best = @next;
    }
    return unless $best[$#end];
    my ($from, @lines) = (0);
    for my $to (@{$best[$#end][1]})
    {
        push @lines, join('', @pieces[$from .. $to - 1]) =~ s/ +$//r;
        $from = $to;
    }
    return @lines;
}

# The lines of a comment in Chinese, each with what stands before it. None if they do not fit.
sub lines_of
{
    my ($text, $chinese) = @_;
    my @heads = @{$text->{heads}};
    my $tail = $text->{tail};
    my @lines = $chinese =~ /\n/ || $text->{id} =~ /\n/ ? split /\n/, $chinese
      : in_lines($chinese, map { $WIDTH - columns($heads[$_]) - ($_ == $#heads && length $tail < 8
              ? length $tail : 0) } 0 .. $#heads);
    return if @lines != @heads;
    @lines = map { ($heads[$_] . $lines[$_]) =~ s/ +$//r } 0 .. $#heads;
    if (length $tail > 7) # up to the same column as the English
    {
        my $more = columns($heads[-1] . $text->{id} . $tail) - columns($lines[-1]) - 1;
        $tail = $more > 2 ? ' ' . '-' x $more : '';
    }
    $lines[-1] .= $tail;
    return (grep { columns($_) > $WIDTH } @lines) ? () : @lines;
}

# ---- build/zh -----------------------------------------------------------------------------------

# A source with its comments in Chinese, as bytes; then how many are, and a line on each that is not.
# In a folder with zh/ such a comment is marked, where the mark leaves it on its lines.
sub translated
{
    my ($file) = @_;
    my $source = Files::read_text($file);
    my $has_chinese = -d dirname($file) . 'zh';
    my %entry = map { key_of($_) => $_ } grep { !$_->{obsolete} } read_catalogue(catalogue_of($file));
    my @lines = split /\n/, $source;
    my ($done, @left) = (0);
    for my $text (grep { $_->{heads} } texts_of($file, $source))
    {
        my $entry = $entry{key_of($text)} // {chinese => ''};
        my $problem = problem_of($text, $entry, {});
        $problem eq '' ? ++$done
          : push @left, "$file:$text->{line}: $problem: " . beginning($text->{id}, 60);
        my $mark = $entry->{chinese} eq '' ? '[未译]' : '[已过时]';
        my @new = $problem eq '' ? lines_of($text, $entry->{chinese})
          : $has_chinese ? lines_of($text, "$mark $text->{id}") : ();
        utf8::encode($_) for @new;
        splice @lines, $text->{line} - 1, scalar @new, @new if @new;
    }
    return join('', map { "$_\n" } @lines), $done, @left;
}

# At the end, what a translator has to look at.
sub write_all
{
    my ($count, $done, @left) = write_sources();
    write_messages();
    my $left = @left;
    print say_in("$count sources in $OUT: $done comments in Chinese, $left in English\n",
        "$OUT 中有 $count 个源文件：$done 条注释为中文，$left 条为英文。请从 $OUT/ch03_framework/add1.cu 读起\n");
    print map { "  $_\n" } @left;
    return 0;
}

# How many sources, how many comments in Chinese, and a line on each other one.
sub write_sources
{
    my ($done, @left, %wanted) = (0);
    for my $file (sources())
    {
        my ($text, $its_done, @its_left) = translated($file);
        make_folders("$OUT/$file");
        Files::write_text("$OUT/$file", $text);
        $wanted{"$OUT/$file"} = 1;
        $done += $its_done;
        push @left, @its_left;
    }
    # A source that is gone goes here, too, if it was written by the last call.
    unlink grep { m{^\Q$OUT\E/[^.]} && !$wanted{$_} } split /\n/, Files::text_of("$OUT/written");
    Files::write_text("$OUT/written", join '', map { "$_\n" } sort keys %wanted);
    return scalar keys %wanted, $done, @left;
}

sub make_folders
{
    my ($file) = @_;
    my $path = '';
    mkdir $path .= $_ for dirname($file) =~ m{[^/]+/}g;
    return;
}

# ---- What programs print ------------------------------------------------------------------------

# A record for each text, as common/said.cuh reads them.
sub write_messages
{
    my %chinese;
    for my $program (read_programs(source_files()))
    {
        my ($sentence, $in_chinese) = map { $_ // '' } @$program{qw(sentence Chinese)};
        utf8::decode($_) for $sentence, $in_chinese;
        $chinese{"$program->{name}: $sentence"} = "$program->{name}: $in_chinese"
          if $sentence ne '' && $in_chinese ne '';
    }
    for my $file (sorted('ch*/zh/*.po', 'common/zh/*.po'))
    {
        $chinese{$_->{id}} //= $_->{chinese}
          for grep { $_->{context} ne '' && $_->{chinese} ne '' && !$_->{fuzzy} && !$_->{obsolete} }
          read_catalogue($file);
    }
    my $text = join '', map { "$_\t$chinese{$_}\0" } sort keys %chinese;
    utf8::encode($text);
    make_folders("$OUT/messages");
    Files::write_text("$OUT/messages", $text);
    utime undef, undef, "$OUT/messages"; # for make, even if it is as it was
    return 0;
}

# ---- ./suite zh --check -------------------------------------------------------------------------

# What is wrong with the catalogue of a source, a line each. $message has the Chinese of what --help
# shows, which is the same for all programs.
sub problems_of
{
    my ($file, $message) = @_;
    my $catalogue = catalogue_of($file);
    return "$file:1: there is no catalogue: ./suite zh --update $file" unless -e $catalogue;
    my (%entry, %used, @problems);
    my @entries = read_catalogue($catalogue);
    for my $entry (grep { !$_->{obsolete} } @entries)
    {
        push @problems, "$catalogue:$entry->{line}: the same English stands above"
          if $entry{key_of($entry)};
        $entry{key_of($entry)} = $entry;
    }
    for my $text (texts_of($file, Files::read_text($file)))
    {
        my $key = key_of($text);
        my $entry = $entry{$key} // {chinese => ''};
        my $problem = problem_of($text, $entry, $message);
        next if $problem eq '' || $used{$key}++ && $problem !~ /go into/;
        my $place = $entry->{line} && $problem !~ /go into|no Chinese/
          ? "$catalogue:$entry->{line}" : "$file:$text->{line}";
        push @problems, "$place: $problem: " . beginning($text->{id}, 60);
    }
    continue
    {
        $used{key_of($text)} //= 1;
    }
    push @problems, map { "$catalogue:$_->{line}: is obsolete: take its words or remove it: "
          . beginning($_->{id}, 60) } grep { $_->{obsolete} } @entries;
    push @problems, map { "$catalogue:$_->{line}: is not in $file any more: "
          . beginning($_->{id}, 60) } grep { !$_->{obsolete} && !$used{key_of($_)} } @entries;
    return @problems;
}

sub beginning
{
    my ($text, $length) = @_;
    return $text =~ s/\n.*//sr =~ s/^(.{$length}).{4,}/$1 .../r;
}

# Of one text with its entry; '' if all is well.
sub problem_of
{
    my ($text, $entry, $message) = @_;
    my ($id, $chinese) = ($text->{id}, $entry->{chinese});
    return 'has no Chinese' if $chinese eq '';
    return 'is fuzzy' if $entry->{fuzzy};
    if ($text->{heads})
    {
        my $lines = @{$text->{heads}} == 1 ? '1 line' : @{$text->{heads}} . ' lines';
        return lines_of($text, $chinese) ? ''
          : "the Chinese does not go into $lines of $WIDTH columns";
    }
    return 'the Chinese has other lines' if shape_of($id) ne shape_of($chinese);
    return 'the Chinese takes other values'
      if $text->{is_format} && values_of($id) ne values_of($chinese);
    return ($message->{$id} //= $chinese) eq $chinese ? ''
      : "another catalogue says $message->{$id}";
}

# Of what --help shows: its lines, and the blanks at both ends. A Chinese bracket
# or colon has no blank beside it.
sub shape_of
{
    my ($text) = @_;
    $text =~ s/^(?: \(|（)/(/;
    $text =~ s/(?:: |：)\z/:/;
    my ($start, $end) = $text =~ /^( *).*?( *)$/s;
    return join ' ', length $start, $text =~ tr/\n//, $text =~ /\n$/ ? 1 : 0, length $end;
}

# The types of the values that a format of printf takes, by their places. In Chinese they may come in
# another order, as in `%2$s`.
sub values_of
{
    my ($format) = @_;
    my ($count, %type) = (0);
    while ($format =~ /%(?:(\d+)\$)?[-+ #0]*(\*|\d+)?(?:\.(\*|\d+))?((?:ll|l|z)?[a-zA-Z%])/g)
    {
        my ($place, $width, $precision, $type) = ($1, $2 // '', $3 // '', $4);
        next if $type eq '%';
        $type{++$count} = '*' for grep { $_ eq '*' } $width, $precision;
        $type{$place // ++$count} = $type;
    }
    return join ' ', map { "$_:$type{$_}" } sort { $a <=> $b } keys %type;
}

# A folder that has zh/ has the Chinese of all its sources.
sub check
{
    my %message;
    my @problems = map { problems_of($_, \%message) } grep { -d dirname($_) . 'zh' } sources();
    my %catalogues = map { catalogue_of($_) => 1 } sources();
    push @problems, map { "$_:1: there is no such source" }
      grep { !$catalogues{$_} } sorted('ch*/zh/*', 'common/zh/*');
    print map { "$_\n" } @problems;
    return @problems ? 1 : 0;
}

# ---- ./suite zh --update ------------------------------------------------------------------------

sub update
{
    my (@names) = @_;
    fail('zh --update: of which programs, sources or chapters? all: of all') unless @names;
    my $memory = memory();
    for my $name (@names)
    {
        my @files = grep { is_named($_, $name) } sources();
        fail("zh --update: there is no source $name") unless @files;
        update_catalogue($_, $memory) for @files;
    }
    forget_what_has_moved();
    return 0;
}

# What all catalogues have, by key: entries, each with the {source} of its catalogue.
sub memory
{
    my %memory;
    for my $file (sorted('ch*/zh/*.po', 'common/zh/*.po'))
    {
        my $source = $file =~ s{zh/([^/]*)\.po$}{$1}r;
        push @{$memory{key_of($_)}}, {%$_, source => $source}
          for grep { $_->{chinese} ne '' } read_catalogue($file);
    }
    return \%memory;
}

# Whether the source of an entry does not have its text any more: it may stand in another source now.
my %keys_of;

sub has_moved
{
    my ($entry) = @_;
    my $source = $entry->{source};
    return 1 if $entry->{obsolete} || !-e $source;
    $keys_of{$source} //= {map { key_of($_) => 1 } texts_of($source, Files::read_text($source))};
    return !$keys_of{$source}{key_of($entry)};
}

# The Chinese that other sources have for the same English, with {fuzzy} and {before}; undef if there is
# none. A source that has lost this text is asked first, then those of the folder, then all. If several
# say different things, the Chinese is fuzzy, as the same words may mean something else here. Texts of
# --help mean the same everywhere.
sub from_elsewhere
{
    my ($entry, $file, $memory) = @_;
    my @others = grep { $_->{source} ne $file } @{$memory->{key_of($entry)} // []} or return undef;
    my @moved = grep { has_moved($_) } @others;
    @others = @moved if @moved;
    my ($best) = sort { ($a->{fuzzy} // 0) <=> ($b->{fuzzy} // 0)
          || (dirname($b->{source}) eq dirname($file)) <=> (dirname($a->{source}) eq dirname($file)) } @others;
    my %says = map { $_->{chinese} => 1 } grep { !$_->{fuzzy} } @others;
    my $is_doubtful = keys %says > 1 && $entry->{context} eq '';
    return {chinese => $best->{chinese}, fuzzy => $best->{fuzzy} || $is_doubtful || undef,
        before => $best->{before}};
}

# What is obsolete in one catalogue and has the same Chinese in another one has moved there.
sub forget_what_has_moved
{
    my (%is_there, %entries);
    for my $file (sorted('ch*/zh/*.po', 'common/zh/*.po'))
    {
        $entries{$file} = [read_catalogue($file)];
        $is_there{key_of($_) . "\t$_->{chinese}"} = 1 for grep { !$_->{obsolete} } @{$entries{$file}};
    }
    for my $file (sort keys %entries)
    {
        my @all = @{$entries{$file}};
        my @left = grep { !$_->{obsolete} || !$is_there{key_of($_) . "\t$_->{chinese}"} } @all;
        write_catalogue($file, @left) if @left < @all;
    }
    return;
}

# `all`, `common`, `ch03`, `ch03_framework`, `add1`, `add1.cu` or `ch03_framework/add1.cu`.
sub is_named
{
    my ($file, $name) = @_;
    my $folder = dirname($file) =~ s{/$}{}r;
    my $base = basename($file);
    return grep { $_ eq $name =~ s{/$}{}r } 'all', $file, $folder, $folder =~ s/_.*//r, $base,
      $base =~ s/\.[^.]*$//r;
}

sub update_catalogue
{
    my ($file, $memory) = @_;
    my $catalogue = catalogue_of($file);
    my @old = read_catalogue($catalogue);
    my %old = map { key_of($_) => $_ } reverse grep { $_->{chinese} ne '' } @old;
    my (%new, @entries);
    for my $text (texts_of($file, Files::read_text($file)))
    {
        next if $new{key_of($text)}++;
        my $near = beginning($text->{near}, 80);
        push @entries, {context => $text->{context}, id => $text->{id}, near => $near,
            chinese => '', before => ''};
    }
    my @left = grep { !$new{key_of($_)} && $_->{chinese} ne '' } @old;
    for my $entry (@entries)
    {
        my $known = $old{key_of($entry)};
        @$entry{qw(chinese fuzzy before)} = @$known{qw(chinese fuzzy before)} if $known;
        next if $known;
        my $found = from_elsewhere($entry, $file, $memory);
        my $like = most_like($entry, @left);
        if ($found)
        {
            @$entry{qw(chinese fuzzy before)} = @$found{qw(chinese fuzzy before)};
        }
        elsif ($like)
        {
            @$entry{qw(chinese fuzzy)} = ($like->{chinese}, 1);
            $entry->{before} = $like->{before} ne '' ? $like->{before} : $like->{id};
            @left = grep { $_ != $like } @left;
        }
    }
    $_->{obsolete} = 1 for @left;
    write_catalogue($catalogue, @entries, @left);
    my $missing = grep { $_->{chinese} eq '' } @entries;
    my $fuzzy = grep { $_->{fuzzy} } @entries;
    printf "%s: %d texts, %d without Chinese, %d fuzzy, %d obsolete\n", $catalogue,
      scalar @entries, $missing, $fuzzy, scalar @left;
    return;
}

# Of these entries the one whose English has most words in common with that of the new one, if that
# are more than half of them.
sub most_like
{
    my ($entry, @others) = @_;
    my %words;
    my @words = $entry->{id} =~ /\w+/g;
    ++$words{$_} for @words;
    my ($most, $like) = (0.5);
    for my $other (grep { $_->{context} eq $entry->{context} } @others)
    {
        my %rest = %words;
        my @its = $other->{id} =~ /\w+/g;
        my $common = grep { ($rest{$_} // 0) > 0 && $rest{$_}-- } @its;
        my $share = 2 * $common / (@words + @its || 1);
        ($most, $like) = ($share, $other) if $share > $most;
    }
    return $like;
}

1;
