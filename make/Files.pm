# Files and commands, for the other modules here: reading, writing whole or not at all, and asking
# another program.
package Files;
use strict;
use warnings;
use Exporter 'import';

our @EXPORT = qw(basename dirname read_text text_of write_text sorted source_files further_pages
  on_path output_of said_by line_of nproc version fail);

# A message in one line, and the end of the command.
sub fail
{
    print STDERR "@_\n";
    exit 1;
}

sub basename
{
    my ($path) = @_;
    return $path =~ s{.*/}{}sr;
}

# With its slash, so that dirname and basename make a path again: `ch02_threads/`, or nothing.
sub dirname
{
    my ($path) = @_;
    return $path =~ s{[^/]*\z}{}r;
}

# Files that match, in the order of their bytes on every machine.
sub sorted
{
    return sort map { glob } @_;
}

sub source_files
{
    return sorted('ch*/*.cu', 'ch*/*.cpp');
}

# The English names of a folder's further pages, as ch15_libs/cufft.md: first those that its
# README.md links to, in this order. One that is there in Chinese only is among them, too.
sub further_pages
{
    my ($folder) = @_;
    my %names = map { basename($_) =~ s/(?:\.zh-CN)?\.md$/.md/r => 1 } glob "$folder/*.md";
    my @linked = grep { delete $names{$_} } 'README.md',
      text_of("$folder/README.md") =~ /\]\(([\w.-]+\.md)[#)]/g;
    return map { "$folder/$_" } grep { $_ ne 'README.md' } @linked, sort keys %names;
}

sub read_text
{
    my ($file) = @_;
    open my $in, '<:raw', $file or die "$file: $!\n";
    local $/;
    return scalar <$in> // '';
}

# The same, or '' where there is no such file.
sub text_of
{
    my ($file) = @_;
    return -f $file ? read_text($file) : '';
}

# The comment at the top of a file, without its marks.
sub top_comment
{
    my ($file) = @_;
    my ($comment) = read_text($file) =~ /\A(?:#!.*\n)?((?:#.*\n)*)/;
    return $comment =~ s/^# ?//mgr;
}

# Files that are being written. They go if the command is stopped before they are whole.
my %unfinished;

END
{
    unlink grep { $unfinished{$_} == $$ } keys %unfinished;
}

# A file has all of a text or is as it was. It is left alone where it has the text already, so that
# nothing looks newer than it is. By the rename two makes may write it at once.
sub write_text
{
    my ($file, $text) = @_;
    return if -e $file && read_text($file) eq $text;
    local @SIG{qw(HUP INT TERM)} = (sub { exit 130 }) x 3;
    $unfinished{"$file.$$"} = $$;
    open my $out, '>:raw', "$file.$$" or die "$file cannot be written: $!\n";
    print $out $text;
    close $out && rename("$file.$$", $file) or die "$file cannot be written: $!\n";
    delete $unfinished{"$file.$$"};
    return;
}

# Where a command is, or nothing. A name with a slash is a file already.
sub on_path
{
    my ($command) = @_;
    my @places = $command =~ m{/} ? $command : map { "$_/$command" } split /:/, $ENV{PATH} // '';
    return (grep { -f && -x } @places)[0];
}

# What a command prints on its standard output; '' if there is no such command. $? is its status.
sub output_of
{
    return captured('/dev/null', @_);
}

# With what it says on its standard error.
sub said_by
{
    return captured('&STDOUT', @_);
}

sub captured
{
    my ($errors, @command) = @_;
    my $pid = open(my $out, '-|') // die "fork: $!\n";
    if (!$pid)
    {
        no warnings 'exec';
        open STDIN, '<', '/dev/null';
        open STDERR, ">$errors";
        exec {$command[0]} @command or kill KILL => $$;
    }
    local $/;
    my $text = <$out> // '';
    close $out;
    return $text;
}

# Its first line.
sub line_of
{
    my ($line) = split /\n/, output_of(@_);
    return $line // '';
}

# The version of the suite: the first one of CHANGELOG.md; '' if there is none.
sub version
{
    my ($version) = text_of('CHANGELOG.md') =~ /^## (\d[\d.]*)/m;
    return $version // '';
}

sub nproc
{
    return line_of('nproc') || 1;
}

1;
