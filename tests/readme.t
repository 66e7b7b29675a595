# What the documents say holds: their sh blocks run, their links lead to a file and its heading.
# (tests/commands.t tries the other commands.)
#
# Every ```sh block runs by `sh -e` in a copy of the repository, from its root. A line that ends
# with `# exit status 1` must have this status, and any other line 0. Of the lines, those that test,
# clean, install or fetch are not run (tests/learn-class.t judges a class); they may only name goals that make has. Beside a GPU, where
# nothing is built for the CPU yet, one chapter stands for the whole suite. A README.zh-CN.md has
# the same commands as its README.md (tests/index.t), which are run once. Documents run side by
# side. Those that call make with a variable change what is built: they have a copy of their own,
# one after another.
#
# Inputs: programs backend docs make figures chinese tests/* LICENSE CITATION.cff
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Documents;
use Encode qw(decode_utf8);
use List::Util qw(min);
use Suite;
use Parallel;
use Device;
use Test::More;

my @documents = documents();
plan skip_all => 'there are no documents yet' unless @documents;

my $LONG_GOAL = qr/make .*\b(?:tour|learn CHECK|test|plant|bench|sanitize|toolkits|figures|drawings|site|roots|dist|clean)/;
my %buildable = map { $_->{name} => 1 } buildable_programs();
my $LEFT_OUT = join '|',
  map({ "\\./bin/$_(?![\\w-])" } grep { !$buildable{$_} } map { $_->{name} } programs()), '(?!)';
my $NOT_RUN = qr/\b(?:$LONG_GOAL|prove|sudo|apt-get|pip|git)\b|$LEFT_OUT/;

# make's variables are those of a user who types the command. What is built stays so only if the
# compilers stay the same.
my %env = without_make();
delete @env{qw(NVCC CXX)};
# What a reader puts into a folder of his own lies in no one's.
$env{HOME} = tempdir(CLEANUP => 1);

sub leads_to_heading
{
    my ($document, $link) = @_;
    my ($file, $heading) = split /#/, $link, 2;
    my $page = $file eq '' ? $document : dirname($document) . "/$file";
    return $page !~ /\.md$/ || -e $page && anchors(read_text($page))->{decode_utf8($heading)};
}

# Whether the same program has run with the same arguments in an earlier block of this job and still
# is the same one: a make with other variables may have made another. What writes a file is run each
# time.
my %has_run;

sub has_run
{
    my ($line) = @_;
    %has_run = () if $line =~ /\bmake\b.*=/;
    my ($command) = $line =~ m{^(\./bin/(?:dp/)?[\w-]+(?: [\w.,+-]+)*)\s*(?:#.*)?$};
    return defined $command && $command !~ / -o / && $has_run{$command}++;
}

sub test_document
{
    my ($document, $copy) = @_;
    my $text = read_text($document);
    my $is_translation = $document =~ /\.zh-CN\.md$/;
    while (!$is_translation && $text =~ /^( *)```sh\n(.*?)^\1``` *$/gms)
    {
        my ($block, $before) = ($2, substr $text, 0, $-[0]);
        my $line = 1 + ($before =~ tr/\n//);
        my @unknown = map { unknown_to_make($_) } grep { /^make\b/ } map { parts(s/(^|\s)#.*//r) }
          grep { /$NOT_RUN/ } split /\n/, $block;
        is("@unknown", '', "$document:$line: make knows its goals");
        my $script = join "\n", map { /$NOT_RUN/ || has_run($_) ? ':' : $_ } split /\n/, $block;
        $script =~ s/^make BACKEND=cpu\K(?= *(?:#|$))/ ch03/gm if $BACKEND eq 'cuda';
        $script =~
          s/^(.*\S) *# exit status (\d+)$/status=0; $1 || status=\$?; test \$status = $2/gm;
        my $ran = sh($script, dir => $copy, env => \%env, limit => 600);
        ok(($ran->{status} // 1) == 0, "$document:$line: its sh block runs")
          or diag(describe($ran));
    }

    my @links = text_without_code($text) =~ /\]\(([^)\s]+)\)/g;
    my @dead = grep { !-e dirname($document) . '/' . s/#.*//r }
      grep { !/^(?:https?:|mailto:|#)/ } @links;
    ok(!@dead, "$document: its links lead somewhere") or diag("  @dead");
    my @no_test = grep { !-e && !-e dirname($document) . "/$_" } $text =~ m{`((?:cpu/)?tests/[\w-]+\.t)`}g;
    ok(!@no_test, "$document: the tests that it names are there") or diag("  @no_test");
    my @no_heading = grep { !leads_to_heading($document, $_) } grep { /^[^:]*#/ } @links;
    ok(!@no_heading, "$document: its links lead to headings") or diag("  @no_heading");

    # What writes the data of a picture stands in a sentence, and gnuplot has the data from there and
    # from the blocks. Without gnuplot, they must be there.
    for my $command ($is_translation ? () : grep { m{^\./bin/[\w-]+ -o build/my-$|^gnuplot.*'build/} }
        map { $_->{command} } text_commands($text))
    {
        my $script = $command !~ /^gnuplot/ || on_path('gnuplot') ? $command
          : join '; ', map { "test -s '$_'" } $command =~ m{'(build/[\w-]+\.txt)'}g;
        my $ran = sh($script, dir => $copy, env => {GNUTERM => 'dumb'});
        ok(($ran->{status} // 1) == 0, "$document: $command") or diag(describe($ran));
    }
}

sub copy_of_repository
{
    my $copy = tempdir(CLEANUP => 1);
    sh("for f in * .clang-format .ci .github; do if [ -e \$f ]; then cp -a \$f '$copy'; fi; done");
    return $copy;
}

sub sets_variables
{
    my ($document) = @_;
    return $document !~ /\.zh-CN/
      && read_text($document) =~ /^ *make (?!find|test|bench|figures).*=/m;
}

my @alone = grep { sets_variables($_) } @documents;
my @jobs = @alone ? [copy_of_repository(), @alone] : ();
my $copy = copy_of_repository();
push @jobs, map { [$copy, $_] } grep { !sets_variables($_) } @documents;
sh('make', dir => $copy, env => \%env, limit => 600); # so that no two of them build the same
test_in_parallel(
    sub { my ($where, @names) = @{$_[0]}; test_document($_, $where) for @names },
    sub { $_[0][1] },
    \@jobs, min(4, room_for(16384) // 4));
