# ./suite index: writes the tables of programs in every README from the header comments, the
# measured figures from the result file that the README names, docs/map.md, all this in Chinese,
# too, and docs/add1.svg. What is right is left alone.
#
#   ./suite index --check     names the pages that it would write anew or cannot write
#
# A table stands between the lines <!-- programs --> and <!-- /programs -->. A chapter's README has
# one of its own programs, the README at the top one for each chapter. In a README.zh-CN.md the
# sentences come from Chinese:. The order is that of reading.
package Index;
use strict;
use warnings;
use Files;
use Map;
use Picture;
use Programs;

sub write_pages
{
    my ($check) = @_;
    my @all = read_programs(source_files());
    my @programs = grep { !$_->{extra} } @all;
    my @reading = grep { !$_->{extra} } in_reading_order(@all);
    my %folders = map { ("$_->{dir}/" => 1) } @all;
    my @pages;
    for my $folder ((sort keys %folders), '')
    {
        push @pages, map { my $readme = "$folder$_"; [$readme, sub { readme($readme, @reading) }] }
          'README.md', 'README.zh-CN.md';
    }
    # A copy of some chapters has neither docs/ nor, perhaps, add1.
    push @pages, ['docs/map.md', sub { map_page(0, @programs) }],
      ['docs/map.zh-CN.md', sub { map_page(1, @programs) }] if -d 'docs';
    my $add1 = 'ch03_framework/add1.cu';
    push @pages, ['docs/add1.svg', sub { picture_of($add1) }] if -e $add1;
    my $bad = grep { !settle($check, @$_) } @pages;
    return $bad ? 1 : 0;
}

# Whether a page is right in the end.
sub settle
{
    my ($check, $page, $make) = @_;
    my $text = eval { $make->() };
    print STDERR $@ =~ s/^\n//r unless defined $text;
    my $right = defined $text && -e $page && read_text($page) eq $text;
    if ($check)
    {
        print "$page\n" unless $right;
        return $right;
    }
    return defined $text && (eval { write_text($page, $text); 1 } || !print STDERR $@);
}

# The text of a README with its tables and figures written anew.
sub readme
{
    my ($readme, @programs) = @_;
    -e $readme or die "$readme is not there\n";
    my ($begin, $end) = map { "<!-- $_ -->\n" } 'programs', '/programs';
    my $text = read_text($readme) =~ s/\n?\z/\n/r;
    my @begins = $text =~ /^$begin/mg;
    my @tables = $text =~ /^$begin.*?^$end/msg;
    die "$readme has <!-- programs --> twice\n" if @begins > 1;
    die "$readme has <!-- /programs --> without <!-- programs --> before it\n"
      if $text =~ s/^$begin.*?^$end//msr =~ /^$end/m;
    die "$readme has no lines <!-- programs --> and <!-- /programs -->\n" unless @tables;
    my $table = dirname($readme) eq '' ? chapters($readme, @programs) : table($readme, @programs);
    $text =~ s/^$begin.*?^$end/$begin$table$end/ms;
    return $text =~ /^<!-- results: /m ? filled($readme, $text) : $text;
}

# With the measured figures, by bench/fill.pl.
sub filled
{
    my ($readme, $text) = @_;
    require File::Temp;
    my $part = File::Temp->new;
    print $part $text;
    close $part;
    open my $fill, '-|', $^X, 'bench/fill.pl', $readme, "$part" or die "$^X: $!\n";
    local $/;
    my $filled = <$fill>;
    close $fill or die "\n"; # it has said why
    return $filled;
}

sub chapters
{
    my ($readme, @programs) = @_;
    my %programs;
    push @{$programs{$_->{dir}}}, $_ for @programs;
    return join "\n", map { "**[$_]($_/$readme)**\n\n" . table($readme, @{$programs{$_}}) }
      sort keys %programs;
}

# Links start from the README's own directory.
sub table
{
    my ($readme, @programs) = @_;
    my $folder = dirname($readme);
    my $chinese = $readme =~ /\.zh-CN\.md$/;
    my $table = $chinese ? '| 程序 | 展示 | 出处 |' : '| program | shows | from |';
    $table .= "\n|---|---|---|\n";
    for my $program (grep { $folder eq '' || "$_->{dir}/" eq $folder } @programs)
    {
        my @keys = ($chinese ? 'Chinese' : 'sentence', 'From');
        my ($says, $from) = map { cell($program->{$_} // '') } @keys;
        my $link = substr $program->{file}, length $folder;
        $table .= "| [$program->{name}]($link) | $says | $from |\n";
    }
    return $table;
}

# Text as a cell of a table: nothing in it ends the cell or begins a tag of HTML.
sub cell
{
    my ($text) = @_;
    return $text =~ s/\|/\\|/gr =~ s/</&lt;/gr;
}

1;
