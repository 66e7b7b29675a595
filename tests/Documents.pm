# The Markdown files: which there are, and the commands and headings in them.
package Documents;
use strict;
use warnings;
use Encode qw(decode_utf8);
use Exporter 'import';
use Suite;
use Test::More;

our @EXPORT = qw(documents text_without_code text_commands parts unknown_to_make anchors
  chinese_is_there);

# A test that the Chinese of something is there and new. Where SUITE_CHINESE is `note`, each gap is only
# told, so that a change without its Chinese can pass.
sub chinese_is_there
{
    my ($title, @gaps) = @_;
    my $is_note = ($ENV{SUITE_CHINESE} // '') eq 'note';
    diag(map { "Chinese is missing: $_\n" } @gaps) if $is_note && @gaps;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    return ok($is_note || !@gaps, $title) || diag(map { "  $_\n" } @gaps);
}

# With SUITE_ONLY, only those of its chapters.
sub documents
{
    my @documents =
      grep { -e } glob 'README*.md CONTRIBUTING.md SECURITY.md CHANGELOG.md docs/*.md ch*/*.md exercises/*.md';
    return @documents unless $ENV{SUITE_ONLY};
    my %chapters = map { $_->{dir} => 1 } programs();
    return grep { $chapters{dirname($_)} } @documents;
}

sub text_without_code
{
    my ($text) = @_;
    return $text =~ s/^( *)```.*?^\1``` *$//gmsr =~ s/`[^`\n]*`//gr;
}

# What a reader may type: a hash for each line of a sh block, each line of a console block that
# begins with `$ `, and each command in a sentence. {command}, {line} where it stands, {in}: sh,
# console or text, {mark}: what the comment before the block says it needs, as in <!-- needs a GPU
# -->.
sub text_commands
{
    my ($text) = @_;
    my (@commands, $in, $mark, $goes_on);
    my $line = 0;
    for (split /\n/, $text)
    {
        $line++;
        if (/^ *```(\w*)/)
        {
            $in = defined $in ? undef : $1;
            $mark = undef unless defined $in;
            next;
        }
        if (defined $in)
        {
            next unless $goes_on || $in eq 'sh' || $in eq 'console' && /^ *\$ /;
            my $command = s/^ *(\$ )?//r =~ s/(^|\s)#.*//r =~ s/\s+$//r;
            if ($goes_on) { $commands[-1]{command} .= " $command" }
            elsif ($command ne '')
            {
                push @commands, {command => $command, line => $line, in => $in, mark => $mark};
            }
            $goes_on = @commands && $commands[-1]{command} =~ s/\s*\\$//;
            next;
        }
        $mark = $1 if /^ *<!-- needs (.*) -->$/;
        $mark = undef if /^[^ <]/;
        push @commands, map { {command => $_, line => $line, in => 'text', mark => undef} }
          grep { $_ !~ /\.\.\.|\b(?:NAME|FILE|OLD|SECONDS)\b/ && /$Documents::A_COMMAND/ }
          /`([^`\n]+)`/g;
    }
    return @commands;
}

# What a reader can type, of what stands in `...` within a sentence: a command with arguments.
our $A_COMMAND = qr{^(?:[A-Z_]+=\S*\s+)*(?:\./bin/(?:dp/)?[\w-]+|make|nvcc|compute-sanitizer|nsys|ncu|cuobjdump|bench/compare)\s+\S|^(?:[A-Z_]+=\S*\s+)+\./bin/[\w-]+$};

# The parts of a command as a shell sees them: `make reduce && ./bin/reduce` are two.
sub parts
{
    my ($command) = @_;
    return grep { $_ ne '' } map { s/^\s+|\s+$//gr } split /&&|;(?![^"']*["'][^"']*$)/, $command;
}

# The goals and variables of a command `make ...` that make does not know.
my (%goals, $variables);

sub unknown_to_make
{
    my ($command) = @_;
    if (!%goals)
    {
        my $makefile = read_text('Makefile');
        my ($commands) = $makefile =~ /^COMMANDS := ((?:.*\\\n)*.*)/m;
        %goals = map { $_ => 1 } split(/[\s\\]+/, $commands),
          map { ($_->{name}, substr $_->{dir}, 0, 4) } all_programs();
        $variables = join '', $makefile, map { read_text($_) } glob 'make/*.pm';
    }
    $command =~ s/ -C cpu\b//;    # cpu/Makefile has the same goals
    return grep { /^([A-Z_]+)=/ ? $variables !~ /\b$1\b/ : !/^(?:make|-.*)$/ && !$goals{$_} }
      $command =~ /((?:"[^"]*"|'[^']*'|\S)+)/g;
}

# The names of a page's headings, as GitHub makes them for links.
sub anchors
{
    my ($text) = @_;
    my (%anchors, %count);
    for ($text =~ s/^( *)```.*?^\1``` *$//gmsr =~ /^#{1,6} +(.*?) *$/gm)
    {
        my $name = lc decode_utf8(s/\[([^\]]*)\]\([^)]*\)/$1/gr =~ s/[`*]//gr =~ s/<[^>]*>//gr);
        $name = $name =~ s/[^\w\- ]//gr =~ s/ /-/gr;
        my $earlier = $count{$name}++;
        $anchors{$earlier ? "$name-$earlier" : $name} = 1;
    }
    $anchors{decode_utf8($_)} = 1 for $text =~ /<a (?:id|name)="([^"]+)"/g;
    return \%anchors;
}

1;
