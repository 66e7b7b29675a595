# No version passes on what the one before it left. A version that allocates may get the memory of the
# version before, with that one's right result in it. So here each function that allocates loses its
# launches, and the rows that call it must be WRONG: on a GPU, and on the CPU backend with
# CUDACPU_REUSE=1, which gives freed memory back as it was.
# Inputs: programs backend
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Suite;
use Parallel;
use Test::More;

my $nvcc = $BACKEND eq 'cuda' ? $ENV{NVCC} || 'nvcc' : '';
my $copies = tempdir(CLEANUP => 1);

# A function at the left margin, from its name to the brace that ends it.
my $FUNCTION = qr/^(?!static |const )[a-z][\w *]*?\b(\w+)\([^;{]*\)\n\{\n.*?^\}\n/ms;

# The functions of a program that allocate and launch, and that its versions call.
sub allocating
{
    my ($program) = @_;
    my ($text, @names) = read_text($program->{file});
    return unless $text =~ /^const Version /m;
    while ($text =~ /$FUNCTION/g)
    {
        my ($function, $name) = ($&, $1);
        my $is_called = $name =~ /^run_/ || $text =~ /^void run_\w+\(void\)\s*\{[^}]*\b\Q$name\E\(/m;
        push @names, $name if $is_called && $function =~ /\bcudaMalloc\(/ && $function =~ /<<</;
    }
    return @names;
}

my @programs = grep { allocating($_) } programs();
plan skip_all => 'none of the programs asked for has versions that allocate' unless @programs;

# The text of a program without the launches of one function.
sub without_launches
{
    my ($text, $function) = @_;
    my $found = 0;
    $text =~ s{$FUNCTION}{my ($all, $name) = ($&, $1);
        $name eq $function ? $all =~ s/\b[\w:]+(?:<[\w, ]+>)?<<<[^;]*>>>\([^;]*\);/++$found; ';'/gers : $all}gems;
    return $found ? $text : undef;
}

sub compile
{
    my ($program, $dir, $text, $name) = @_;
    my $source = write_text("$dir/$name.cu", $text);
    my @libs = split ' ', $program->{Libs} // '';
    my $made = $nvcc
      ? run([$nvcc, '-O1', '-arch=native', '-o', "$dir/$name", $source, @libs], dir => $dir, limit => 600)
      : compile_for_cpu($source, "$dir/$name", @libs);
    ok($made->{status} == 0, "$name compiles") or diag(describe($made));
    return $made->{status} == 0;
}

sub test_program
{
    my ($program) = @_;
    my $copy = "$copies/$program->{name}";
    mkdir $copy or die "$copy: $!\n";
    sh("cp -a common $program->{dir} '$copy'");
    my $dir = "$copy/$program->{dir}";
    my $text = read_text($program->{file});
    ok($text =~ /\.temporaries\[/, "$program->{name} tells its table what versions allocate");
    my %env = (CUDACPU_REUSE => 1);
    for my $function (sort(allocating($program)))
    {
        my $mutant = without_launches($text, $function) // next;
        compile($program, $dir, $mutant, $function) or next;
        my $ran = run(["$dir/$function", '-r', 1], env => \%env, limit => 300);
        ok($ran->{status} == 1 && $ran->{out} =~ /WRONG$/m,
            "$program->{name} is WRONG where $function launches nothing") or diag(describe($ran));
    }
}

test_in_parallel(\&test_program, sub { $_[0]{name} }, [@programs], 4);
