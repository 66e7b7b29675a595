# What the neighbour programs do beyond the battery: files with coordinates, good and hostile, lists
# that are too short, and the files for the figures.
# Inputs: ch10_atomics/*.cu* common/*.cuh tests/programs.txt backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

# Each that is built: make plant builds one.
my ($on_host, $on_device) =
  map { -x binary($_) ? $_ : undef } map { program($_) } qw(neighbor1cpu neighbor2gpu);
my @built = grep { defined } $on_host, $on_device;
plan skip_all => 'neither neighbor1cpu nor neighbor2gpu is built' if !@built;
my $dir = tempdir(CLEANUP => 1);

sub file
{
    return write_text("$dir/file.xy", join '', @_);
}

for my $program (@built)
{
    my @bad = (
        ['no number', qr/line 2:/, "1 2\nhello\n"],
        ['one column', qr/line 1:/, "1\n2\n"],
        ['three columns', qr/line 3:/, "1 2\n\n1 2 3\n"],
        ['nan', qr/line 1:/, "nan 0\n"],
        ['infinity', qr/line 2:/, "0 0\n0 -inf\n"],
        ['a coordinate beyond measure', qr/line 1:/, "1e300 0\n"],
        ['a zero byte', qr/line 1:/, "1 2\0 3\n4 5\n"],
        ['a line without end', qr/line 1:/, '1 2 ' . ' ' x 100000],
        ['nothing', qr/no atom/, ''],
        ['empty lines only', qr/no atom/, "\n \n"],
    );
    for (@bad)
    {
        my ($what, $message, $text) = @$_;
        note "$program->{name}: a file with $what";
        refuses($program, ['--xy', file($text)], $message);
    }
    refuses($program, ['--xy', '/dev/zero'], qr/line 1:/);
    refuses($program, ['--xy', $dir], qr/directory/);
    refuses($program, ['--xy', "$dir/none"], qr/cannot read/);
    refuses($program, ['--mn', 0], qr/--mn/);
    refuses($program, ['--xy', file("0 0\n" x 12)], qr/it takes --mn 11 \(/);
    runs_right($program, 'float', '--xy', file("0 0\n" x 12), '--mn', 11);
    refuses($program, ['--xy', file("0 0\n" x 100000)], qr/it takes --mn 99999 or more/);

    # One place, a line in each direction, islands as far apart as may be; no end of line at the
    # end.
    my @good = (
        "0 0",
        join('', map { $_ * 1.4 . " 0\n" } 0 .. 2000),
        join('', map { "0 -" . $_ * 1.4 . "\n" } 0 .. 2000),
        join('', map { $_ . " $_\r\n" } 0 .. 2000),
        "-1e9 -1e9\n1e9 1e9\n0.5 0\n-0.5 0\n999999999 1e9\n",
    );
    my @precisions = grep { -x binary($program, $_) } qw(float double); # make plant builds float alone
    runs_right($program, $_->[0], '--xy', file($_->[1]), '-r', 1)
      for map { my $text = $_; map { [$_, $text] } @precisions } @good;
}

# The files for the figures. What one program writes of its own atoms, both must write of these.
my @names = qw(xy neighbor bonds);
for my $program (@built)
{
    my $made = run([binary($program), '-n', 777, '-r', 1, '-o', "$dir/made-"]);
    is($made->{status}, 0, "$program->{name}: files for the figures") or diag(describe($made));
    my @lines = split /\n/, read_text("$dir/made-neighbor.txt");
    is(scalar @lines, 777, 'a line for each atom');
    my @odd = grep { my ($count, @list) = split / /; $count != @list } @lines;
    ok(!@odd, 'with as many neighbours as it says');
    for my $reader (@built)
    {
        my $read = run([binary($reader), '-r', 1, '--xy', "$dir/made-xy.txt", '-o', "$dir/read-"]);
        is($read->{status}, 0, "$reader->{name} reads its atoms") or diag(describe($read));
        is(read_text("$dir/read-$_.txt"), read_text("$dir/made-$_.txt"), "$_.txt is the same")
          for @names;
    }
    my $nowhere = run([binary($program), '-n', 5, '-r', 1, '-o', "$dir/none/"]);
    is($nowhere->{status}, 2, 'a file that cannot be written');
}

if ($on_device)
{
    my $wrong = run([binary($on_device), '-n', 1000, '-r', 1, '--wrong']);
    ok($wrong->{status} == 0 && 2 == (() = $wrong->{out} =~ /^wrong, .* of 1000 differ$/mg),
        'the wrong ways say how wrong they are')
      or diag(describe($wrong));
}
done_testing();
