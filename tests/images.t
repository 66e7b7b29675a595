# grayscale and blur: no file may crash them, and small pictures come out as computed here.
# Inputs: programs backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use List::Util qw(min max sum);
use Suite;
use Test::More;

my %built = map { $_ => 1 } grep { program($_) && -x binary(program($_)) } qw(grayscale blur);
plan skip_all => 'grayscale and blur are not built' unless %built;

my $dir = tempdir(CLEANUP => 1);

sub picture
{
    my ($name, @text) = @_;
    return write_text("$dir/$name", join '', @text);
}

# ---- What is no picture: one line, status 2 ----

my $grey = 'x' x 12;
my %hostile = (
    'missing'                    => "$dir/missing.pgm",
    'a directory'                => $dir,
    'an endless file'            => '/dev/zero',
    'an empty file'              => picture('empty', ''),
    'garbage'                    => picture('garbage', map { chr($_ * 37 % 256) } 1 .. 999),
    'text instead of P5 or P6'   => picture('plain', "P2\n2 2\n255\n1 2 3 4\n"),
    'another letter'             => picture('letter', "Q5\n4 3\n255\n$grey"),
    'a header cut off'           => picture('cut-header', "P5\n4 3"),
    'a comment that never ends'  => picture('comment', "P5\n# 4 3 255 $grey"),
    'pixels cut off'             => picture('cut', "P5\n4 3\n255\n", substr $grey, 1),
    'a huge header'              => picture('huge', "P5\n99999999 99999999\n255\n$grey"),
    'sides whose product wraps'  => picture('wraps', "P6\n4294967296 4294967296\n255\n$grey"),
    'more digits than fit'       => picture('digits', 'P5 ', '9' x 400, " 1 255\n$grey"),
    'no pixels'                  => picture('none', "P5\n0 3\n255\n$grey"),
    'a negative side'            => picture('negative', "P5\n-4 3\n255\n$grey"),
    'letters for a side'         => picture('letters', "P5\n4x 3\n255\n$grey"),
    'maxval 0'                   => picture('maxval0', "P5\n4 3\n0\n$grey"),
    'maxval 65535'               => picture('maxval65535', "P5\n4 3\n65535\n$grey$grey"),
    'a sample above its maxval'  => picture('above', "P5\n4 3\n100\n$grey"),
    'no blank behind P5'         => picture('blank', "P54 3\n255\n$grey"),
    "a name\nof two lines"       => "$dir/no\nsuch\033[2J.pgm",
);
for my $what (sort keys %hostile)
{
    for my $name (sort keys %built)
    {
        note("$name and $what");
        refuses(program($name), ['-o', "$dir/", $hostile{$what}]);
    }
}
refuses(program('grayscale'), ['-o', "$dir/", picture('grey.pgm', "P5\n4 3\n255\n$grey")], qr/P6/)
  if $built{grayscale};
# Its header says how much memory it takes: nothing is allocated or read.
for my $size ('30000000000000 1', '1 30000000000000')
{
    my $large = picture('large', "P6\n$size\n255\n$grey");
    refuses(program($_), ['-o', "$dir/", $large], qr/GB/) for sort keys %built;
}

# ---- Where nothing can be written ----

my $full = "$dir/full";
mkdir $full;
for (grep { $built{$_->[0]} } ['grayscale', 'grayscale.pgm'], ['blur', 'blur.ppm'])
{
    my ($name, $file) = @$_;
    symlink '/dev/full', "$full/$file";
    for my $where ("$dir/no/such/", "$full/", '/dev/null/')
    {
        my $ran = run([binary(program($name)), '-n', '8x8', '-o', $where], dir => $dir);
        my $right = ($ran->{status} // 0) == 2 && $ran->{err} =~ /^[^\n]*cannot write[^\n]*\n\z/;
        ok($right, "$name -o $where: cannot write, status 2") or diag(describe($ran));
    }
}

# ---- Right ones ----

# Maxval and samples of a file a program wrote.
sub read_picture
{
    my ($file, $magic, $width, $height) = @_;
    my $text = -e $file ? read_text($file) : '';
    my ($maxval, $samples) = $text =~ /^$magic\n$width $height\n(\d+)\n(.*)\z/s or return (0, '');
    return ($maxval, $samples);
}

sub blurred
{
    my ($width, $height, $channels, $radius, @pixels) = @_;
    my @result;
    for my $n (0 .. $#pixels)
    {
        my ($channel, $x, $y) = ($n % $channels, int($n / $channels) % $width,
            int($n / $channels / $width));
        my @box;
        for my $v (max(0, $y - $radius) .. min($height - 1, $y + $radius))
        {
            push @box, map { $pixels[($v * $width + $_) * $channels + $channel] }
              max(0, $x - $radius) .. min($width - 1, $x + $radius);
        }
        push @result, int((sum(@box) + int(@box / 2)) / @box);
    }
    return @result;
}

sub makes
{
    my ($name, $file, $args, @expected) = @_;
    return unless $built{$name};
    my ($magic, $width, $height, $maxval, @samples) = @expected;
    my $output = $dir . '/out-' . $name . ($magic eq 'P5' ? '.pgm' : '.ppm');
    unlink $output;
    my $ran = run([binary(program($name)), '-o', "$dir/out-", @$args, $file], dir => $dir);
    my ($got_maxval, $got) = read_picture($output, $magic, $width, $height);
    my $right = ($ran->{status} // 1) == 0 && $ran->{err} eq '' && $got_maxval == $maxval
      && $got eq pack 'C*', @samples;
    ok($right, join ' ', $name, @$args, basename($file)) or diag(describe($ran));
}

my $state = 1;
for my $size ([1, 1], [7, 5], [33, 17], [1, 40], [40, 1])
{
    my ($width, $height) = @$size;
    for my $maxval (255, 100, 1)
    {
        my @samples = map { ($state = $state * 1103515245 + 12345 & 0x7fffffff) >> 8 }
          1 .. 3 * $width * $height;
        @samples = map { $_ % ($maxval + 1) } @samples;
        my $bytes = pack 'C*', @samples;
        my $name = "${width}x$height-$maxval";
        my $colour = picture("$name.ppm", "P6 # made by a test\n#\n$width\t$height\n# 7 7\n",
            "$maxval\n", $bytes);
        my @grey = map { int((21 * $samples[$_] + 72 * $samples[$_ + 1] + 7 * $samples[$_ + 2] + 50)
                  / 100) } map { 3 * $_ } 0 .. $width * $height - 1;
        makes('grayscale', $colour, [], 'P5', $width, $height, $maxval, @grey);
        for my $radius (0, 1, 5)
        {
            makes('blur', $colour, ['--radius', $radius], 'P6', $width, $height, $maxval,
                blurred($width, $height, 3, $radius, @samples));
        }
        my $one = picture("$name.pgm", "P5\n$width $height\n$maxval\n", pack 'C*', @grey);
        makes('blur', $one, ['--radius', 2], 'P5', $width, $height, $maxval,
            blurred($width, $height, 1, 2, @grey));
    }
}

# S4's picture of 76 x 62 pixels in blocks of 16 x 16: how many threads have a pixel.
my $ran = $built{grayscale} && run([binary(program('grayscale')), '-o', "$dir/"], dir => $dir);
for (grep { $ran } ['inside', 256], ['right edge', 192], ['bottom edge', 224], ['corner', 168])
{
    my ($region, $working) = @$_;
    like($ran->{out}, qr/^$region\s+\d+\s+256\s+$working\s/m, "grayscale: $working in $region");
}

done_testing();
