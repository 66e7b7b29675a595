# The page of an exercise in the site: what is wanted, what is given, and its hints, folded. Neither
# solution nor judge.
package ExercisePage;
use strict;
use warnings;
use utf8;
use Exercise;

my %WORDS = (
    en => {chapter => 'chapter', section => 'section', of_book => 'of the book', program => 'a program on it',
        begin => 'To begin, type:', given => 'Given', hints => 'Hints', hint => 'Hint', stop => '. ', between => ', '},
    zh => {chapter => '第', section => '书中', of_book => '节', program => '相关的程序', begin => '开始做这道练习：',
        given => '给出的程序', hints => '提示', hint => '提示', stop => '。', between => '，'},
);

# Its Markdown. $link makes the link from the page to a file of the repository.
sub page
{
    my ($e, $language, $link) = @_;
    my $w = $WORDS{$language};
    my $text = sub { escaped(text_in($e, $_[0], $language)) };
    my $kind = Exercise::kind_in($e, $language);
    utf8::decode($kind);
    my $chapter = $language eq 'zh' ? "$w->{chapter} $e->{Chapter} 章" : "$w->{chapter} $e->{Chapter}";
    my @about = ("*$kind*", $chapter);
    push @about, $language eq 'zh' ? "$w->{section} $e->{Book} $w->{of_book}" : "$w->{section} $e->{Book} $w->{of_book}"
      if defined $e->{Book};
    push @about, "$w->{program}: [" . $e->{Program} =~ s{.*/}{}r . '](' . $link->($e->{Program}) . ')'
      if defined $e->{Program};
    my $fence = '~' x 12;
    my $stub = Exercise::stub($e, $language) =~ s/\A\n+//r;
    utf8::decode($stub);
    my $page = '# ' . ($e->{number} + 0) . '. ' . ucfirst($text->('title')) . "\n\n"
      . join($w->{between}, @about) . "\n\n" . $text->('Goal') . "\n\n"
      . "$w->{begin}\n\n$fence { .sh }\nmake learn N=" . ($e->{number} + 0) . "\n$fence\n\n"
      . "## $w->{given}\n\n$fence { .cuda }\n$stub$fence\n\n## $w->{hints}\n\n";
    for my $n (1 .. 3)
    {
        $page .= "<details markdown=\"1\"><summary>$w->{hint} $n</summary>\n\n" . $text->("Hint $n") . "\n\n</details>\n\n";
    }
    return $page;
}

sub text_in
{
    my $text = Exercise::text_in(@_);
    utf8::decode($text);
    return $text;
}

# A text without marks of Markdown: code of it is between backquotes already.
sub escaped
{
    my ($text) = @_;
    return join '', map { /^`/ ? $_ : s/([\\*_<>\[\]#|])/\\$1/gr } split /(`[^`]*`)/, $text;
}

1;
