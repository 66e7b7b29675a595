# The language of the reader, as the programs take it from the environment: common/said.cuh and the
# Makefile know the same rule. ./suite reads this first, because it then sets LC_ALL to C.
package Language;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(in_chinese_here say_in);

# LC_ALL counts most, then LC_MESSAGES and LANG. LANGUAGE is a list, and counts more than these, but
# not in the locale C.
my ($locale) = grep { ($_ // '') ne '' } @ENV{qw(LC_ALL LC_MESSAGES LANG)}, 'C';
my $list = $ENV{LANGUAGE} // '';
my $chinese = ($list ne '' && $locale !~ /^C/ ? $list : $locale) =~ /^zh/ ? 1 : 0;

sub in_chinese_here
{
    return $chinese;
}

# Of two texts that say the same.
sub say_in
{
    my ($english, $in_chinese) = @_;
    return $chinese ? $in_chinese : $english;
}

1;
