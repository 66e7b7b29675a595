# The page of an exercise in the site: what is wanted, what is given, and its hints, folded. Neither
# solution nor judge.
package ExercisePage;
use strict;
use warnings;
use utf8;
use Exercise;

my %WORDS = (
    en => {chapter => 'Chapter %s', section => ', section %s of the book', program => '. A program on it: %s.',
        stop => '. ', begin => 'To begin, type:', given => 'Given', hints => 'Hints', hint => 'Hint',
        write => 'Write it', mend => 'Mend it', faster => 'Make it faster', predict => 'Predict it', test => 'Test it'},
    zh => {chapter => '第 %s 章', section => '，书中 %s 节', program => '。相关的程序：%s。', stop => '。',
        begin => '开始做这道练习：', given => '给出的程序', hints => '提示', hint => '提示',
        write => '自己写', mend => '改错', faster => '加速', predict => '预测', test => '测试'},
);

# Its Markdown. $link makes the link from the page to a file of the repository.
sub page
{
    my ($e, $language, $link) = @_;
    my $w = $WORDS{$language};
    my $text = sub { escaped(text_in($e, $_[0], $language)) };
    my $about = "$w->{$e->{Kind}}$w->{stop}" . sprintf $w->{chapter}, $e->{Chapter};
    $about .= sprintf $w->{section}, $e->{Book} if defined $e->{Book};
    $about .= defined $e->{Program}
      ? sprintf $w->{program}, '[' . $e->{Program} =~ s{.*/}{}r . '](' . $link->($e->{Program}) . ')' : $w->{stop};
    my $fence = '~' x 12;
    my $stub = Exercise::stub($e, $language) =~ s/\A\n+//r;
    utf8::decode($stub);
    my $page = '# ' . ($e->{number} + 0) . '. ' . ucfirst($text->('title')) . "\n\n"
      . "$about\n\n" . $text->('Goal') . "\n\n"
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
