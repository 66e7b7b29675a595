# How long the reader's kernel takes on the GPU of this machine, told when it has passed. The judge is the
# CPU; without a GPU, or without nvcc, nothing is told.
package GpuTime;
use strict;
use warnings;
use utf8;
use Cwd ();
use Files;
use Judge;

my $LIMIT = 60; # seconds

# The compiler for the GPU: undef where there is no GPU, or no compiler. (A test has another one.)
sub compiler
{
    return $ENV{SUITE_LEARN_NVCC} if ($ENV{SUITE_LEARN_NVCC} // '') ne '';
    return if !-e '/dev/nvidiactl' && !-e '/dev/dxg';
    return on_path('nvcc') ? 'nvcc' : (grep { -x } '/usr/local/cuda/bin/nvcc')[0];
}

# Whether there is something to time.
sub can_time
{
    my ($e) = @_;
    return ($e->{time} // '') ne '' && defined compiler();
}

# What is said of the time, in English and in Chinese. Or undef, if it cannot be measured.
sub time_of
{
    my ($e, $file) = @_;
    my $compiler = compiler() // return;
    my $folder = "build/learn/$e->{name}/time.$$";
    Judge::make_folders('build', 'build/learn', $folder);
    my $root = Cwd::abs_path('.');
    my @flags = $compiler =~ /nvcc$/ ? ('-O3', '-arch=native', '-w') : ('-O3');
    my $said = eval {
        write_text("$folder/$e->{name}.cu", read_text($file));
        write_text("$folder/time.cu", "#define main reader_main\n#include \"$e->{name}.cu\"\n#undef main\n"
              . "#include \"$root/exercises/timer.cuh\"\n$e->{time}");
        system_limited("$folder/said", $compiler, @flags, "$folder/time.cu", '-o', "$folder/time") == 0
          && system_limited("$folder/said", "$folder/time") == 0 ? read_text("$folder/said") : undef;
    };
    Judge::remove($folder);
    my %v = ($said // '') =~ /^(\w+) (.*)$/mg;
    return if !defined $v{ms} || !defined $v{device};
    my ($en, $zh) = ("On the $v{device} here: $v{ms} ms", "在这里的 $v{device} 上：$v{ms} ms");
    return ("$en.", "$zh。") if $v{copy} <= 0;
    my $percent = sprintf '%.0f', 100 * $v{rate} / $v{copy};
    return ("$en, $v{rate} GB/s. Copying the same bytes reaches $v{copy} GB/s: this is $percent % of it.",
        "$zh，$v{rate} GB/s。复制同样多的字节达到 $v{copy} GB/s，这是它的 $percent %。");
}

sub system_limited
{
    my ($output, @command) = @_;
    my $pid = Judge::start("$output.errors", $output, 'timeout', $LIMIT, @command);
    return Judge::finish($pid);
}

1;
