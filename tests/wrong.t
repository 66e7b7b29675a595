# The programs that are wrong on purpose fail as they should, and say where.
# Inputs: programs backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Test::More;

# The number of the first line of a file that matches: what an error message must name.
sub line_of
{
    my ($file, $pattern) = @_;
    my @lines = split /\n/, read_text($file);
    my ($line) = grep { $lines[$_ - 1] =~ /$pattern/ } 1 .. @lines;
    return $line // "(no line of $file matches $pattern)";
}

sub ends_with
{
    my ($ran, $status, $title, @patterns) = @_;
    local $Test::Builder::Level = $Test::Builder::Level + 1;
    my @missing = grep { $ran->{err} !~ $_ } @patterns;
    my $right = defined $ran->{status} && $ran->{status} == $status && !@missing;
    ok($right, $title) or diag(Suite::describe($ran), map { "stderr lacks $_\n" } @missing);
}

sub cuda_error
{
    my ($file, $line, $code, $text) = @_;
    return (qr/^\s*File:\s+\S*\Q$file\E$/m, qr/^\s*Line:\s+$line$/m, qr/^\s*Error code:\s+$code$/m,
        qr/^\s*Error text:\s+$text$/m);
}

for my $program (grep { $_->{Expect} != 0 } programs())
{
    my $ran = run([binary($program)], dir => tempdir(CLEANUP => 1));
    my ($name, $expected) = @{$program}{qw(name Expect)};
    ends_with($ran, $expected, "$name exits with $expected, as its Expect: says");
    ok("$ran->{out}$ran->{err}" ne '', "$name says what went wrong");
}

SKIP:
{
    my $program = program('add2wrong') or skip 'add2wrong is not there', 1;
    ends_with(run([binary($program), '-n', 1000]), 1, 'add2wrong: only the comparison notices',
        qr/^WRONG: /m);
}

SKIP:
{
    my $program = program('check1api') or skip 'check1api is not there', 1;
    my $line = line_of($program->{file}, qr/CHECK\(cudaMemcpy\(/);
    ends_with(run([binary($program)]), 3, 'check1api names the first wrong copy',
        cuda_error('check1api.cu', $line, 1, 'invalid argument'));
}

SKIP:
{
    my $program = program('check2kernel') or skip 'check2kernel is not there', 2;
    # The runtime of CUDA 13.0 says 1 where all others say 9.
    my ($code, $text) = (9, 'invalid configuration argument');
    ($code, $text) = ('(?:1|9)', 'invalid (?:configuration )?argument') if $BACKEND eq 'cuda';
    my @patterns = cuda_error('check2kernel.cu', '\d+', $code, $text);
    ends_with(run([binary($program)]), 3, 'check2kernel names the launch', @patterns);
    ends_with(run([binary($program)], env => {CUDA_LAUNCH_BLOCKING => 1}),
        3, 'check2kernel with CUDA_LAUNCH_BLOCKING', @patterns);
}

SKIP:
{
    skip "memcheck's faults are compute-sanitizer's to find on a GPU", 4 if $BACKEND ne 'cpu';
    my $program = program('memcheck') or skip 'memcheck is not there', 4;
    my $source = read_text($program->{file});
    my $place = qr/memcheck\.cu:(\d+)/;
    # A GPU lets the skipped barrier pass, so for the backend it is no error either.
    for (['oob', 3], ['sync', 0])
    {
        my ($fault, $status) = @$_;
        my $ran = run([binary($program), '-k', $fault]);
        ends_with($ran, $status, "memcheck -k $fault: named with kernel, block, thread and line",
            qr/kernel/i, qr/block/i, qr/thread/i, $place);
        my ($line) = $ran->{err} =~ $place;
        my $text = defined $line ? (split /\n/, $source)[$line - 1] // '' : '';
        my $means = $fault eq 'oob' ? qr/\[.*\]/ : qr/__syncthreads\(\)/;
        like($text, $means, "memcheck -k $fault: the line it names is the fault's");
    }
    like(run([binary($program), '-k', 'sync'])->{err}, qr/barrier|__syncthreads/,
        'memcheck -k sync: the barrier is named');
    for my $fault (qw(race uninit))
    {
        my $ran = run([binary($program), '-k', $fault]);
        like("$ran->{out}$ran->{err}", qr/CHECKER=1|checker/,
            "memcheck -k $fault says that it takes the checker");
    }
}

done_testing();
