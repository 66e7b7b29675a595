# What the documents say holds: their sh blocks run, their links lead somewhere, the programs they
# name are there.
#
# Every ```sh block runs by `sh -e` in a copy of the repository, from its root. Of its lines, those
# that test, clean, install or fetch are not run; they may only name goals that make has. A
# README.zh-CN.md has the same commands as its README.md (tests/index.t), which are run once.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

my @documents = grep { -e } glob 'README*.md CONTRIBUTING.md docs/*.md bench/*.md ch*/README*.md';
if ($ENV{SUITE_ONLY})
{
    my %chapters = map { $_->{dir} => 1 } programs();
    @documents = grep { $chapters{dirname($_)} } @documents;
}
plan skip_all => 'there are no documents yet' unless @documents;

my $LONG_GOAL = qr/make .*\b(?:tour|test|mutants|plant|bench|sanitize|toolkits|figures|drawings|report|site|dist|clean)/;
my %buildable = map { $_->{name} => 1 } buildable_programs();
my $LEFT_OUT = join '|', map({ "\\./bin/$_(?![\\w-])" } grep { !$buildable{$_} } map { $_->{name} } programs()), '(?!)';
my $NOT_RUN = qr/\b(?:$LONG_GOAL|prove|sudo|apt-get|pip|git)\b|$LEFT_OUT/;

my $copy = tempdir(CLEANUP => 1);
sh("for f in * .clang-format .ci .github; do if [ -e \$f ]; then cp -a \$f '$copy'; fi; done");

my ($commands) = read_text('Makefile') =~ /^COMMANDS := ((?:.*\\\n)*.*)/m;
my %goals = map { $_ => 1 } split(/[\s\\]+/, $commands),
  map({ $_->{name} } all_programs()), map { $_->{file} =~ /^(ch\d+)/ } all_programs();

sub text_without_code
{
    my ($text) = @_;
    return $text =~ s/^ *```.*?^ *``` *$//gmsr =~ s/`[^`\n]*`//gr;
}

for my $document (@documents)
{
    my $text = read_text($document);
    my $is_translation = $document =~ /\.zh-CN\.md$/;
    while (!$is_translation && $text =~ /^( *)```sh\n(.*?)^\1``` *$/gms)
    {
        my ($block, $before) = ($2, substr $text, 0, $-[0]);
        my $line = 1 + ($before =~ tr/\n//);
        for (grep { /$NOT_RUN/ } split /\n/, $block)
        {
            my @unknown = grep { !$goals{$_} } /(?:^|[;&|] *)make ((?:\w\S* ?)*)/
              ? grep({ !/=/ } split ' ', $1) : ();
            ok(!@unknown, "$document:$line: make has @unknown") if @unknown;
        }
        my $script = join "\n", map { /$NOT_RUN/ ? ':' : $_ } split /\n/, $block;
        my $ran = sh($script, dir => $copy, env => {without_make()}, limit => 600);
        ok(($ran->{status} // 1) == 0, "$document:$line: its sh block runs")
          or diag(describe($ran));
    }

    my @links = text_without_code($text) =~ /\]\(([^)\s]+)\)/g;
    my @dead = grep { !-e dirname($document) . '/' . s/#.*//r }
      grep { !/^(?:https?:|mailto:|#)/ } @links;
    ok(!@dead, "$document: its links lead somewhere") or diag("  @dead");

    # In a table with a column of programs: each `name` and each [name](file) in that column.
    my ($column, @missing);
    for (split /\n/, $text)
    {
        my @cells = /^\s*\|(.*)\|\s*$/ ? map { s/^\s+|\s+$//gr } split /\|/, $1 : ();
        $column = undef unless @cells;
        ($column) = grep { $cells[$_] =~ /^(programs?|程序)$/i } 0 .. $#cells
          if @cells && !defined $column;
        next unless defined $column;
        push @missing, grep { !program($_) }
          ($cells[$column] // '') =~ /(?<=[`\[])([\w-]+)(?=[`\]])/g;
    }
    ok(!@missing, "$document: the programs in its tables are there") or diag("  @missing");
}

for my $readme (grep { m{^ch\d+_\w+/README} } @documents)
{
    my $text = read_text($readme);
    my @unnamed = grep { $text !~ /(?<![\w-])\Q$_->{name}\E(?![\w-])/ }
      grep { $_->{dir} eq dirname($readme) } all_programs();
    ok(!@unnamed, "$readme names every program of its chapter")
      or diag(map { "  $_->{name}\n" } @unnamed);
}

done_testing();
