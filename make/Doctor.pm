# ./suite doctor PLAN CXX NVCC: what this machine has, what make would build here, and what to
# install. It works where there is nothing at all; its status is 0 if make can build.
package Doctor;
use strict;
use warnings;
use Cwd qw(abs_path);
use Files;

my (@packages, @advice);

sub doctor
{
    my ($plan, $cxx, $nvcc) = @_;
    $cxx =~ s/.* //; # the compiler may stand behind another word: ccache g++
    my ($system) = text_of('/etc/os-release') =~ /^PRETTY_NAME="(.*)"/m;
    my ($memory) = text_of('/proc/meminfo') =~ /^MemTotal: *(\d*)\d{3} kB/m;
    row('system', ($system // '') . ', ' . line_of('uname', '-m'));
    row('cores', nproc() . ', ' . ($memory // '') . ' MB of memory');
    need('make', 'make', 'everything');
    need($cxx, $cxx =~ /^clang/ ? 'clang' : 'g++', 'both backends: nvcc calls it too');
    need('prove', 'perl', 'make test');
    cuda($nvcc);
    built();
    row('make', "builds for $plan");

    print map { "$_\n" } '', @advice if @advice;
    print "\nTo install what is missing:\n  sudo apt-get install @packages\n" if @packages;
    return 0 if on_path($cxx);
    print "\nNothing can be built here yet.\n";
    return 1;
}

sub row
{
    printf "%-10s %s\n", @_;
}

# The version of a command, or a package to install.
sub need
{
    my ($command, $package, $what_for) = @_;
    if (on_path($command))
    {
        my ($version) = grep { /\d\.\d/ } split /\n/, output_of($command, '--version');
        return row($command, ($version // '') =~ s/^ *//r);
    }
    row($command, "none: it is needed for $what_for");
    push @packages, $package;
}

# Version A is older than B.
sub older
{
    my @versions = map { sprintf '%06d' x 3, (split(/\./), 0, 0, 0)[0 .. 2] } @_;
    return $versions[0] lt $versions[1];
}

# ---- CUDA: the toolkit compiles, the driver runs ----

sub cuda
{
    my ($nvcc) = @_;
    my $said = $nvcc eq '' ? '' : output_of($nvcc, '--version');
    my ($toolkit) = $said =~ /release ([0-9.]*)/;
    row('toolkit', $toolkit ? "CUDA $toolkit, $nvcc"
        : 'none (no nvcc on the PATH, none in /usr/local/cuda)');
    push @advice, 'The toolkit is too old: CUDA 12.0 or later is needed.'
      if $toolkit && older($toolkit, '12.0');

    row('Thrust', line_of('cpu/cpucc', '-print-thrust')
          || 'none: BACKEND=cpu leaves out the programs that use it; '
          . "Debian's libthrust-dev has it");
    row('gnuplot', line_of('gnuplot', '--version')
          || "none: make figures needs it; Debian's gnuplot-nox has it");
    devices($nvcc, $toolkit);
}

# The driver and its devices, and whether the toolkit is for them.
sub devices
{
    my ($nvcc, $toolkit) = @_;
    if (output_of('nvidia-smi', '-L') !~ /GPU/)
    {
        row('driver', 'none that answers nvidia-smi');
        row('device', 'none: programs built with CUDA would exit with status 77');
        push @advice, 'There is an NVIDIA card, but no driver: https://www.nvidia.com/drivers'
          if output_of('lspci') =~ /nvidia/i;
        return;
    }
    my $driver = line_of(qw(nvidia-smi --query-gpu=driver_version), '--format=csv,noheader');
    my ($supports) = output_of('nvidia-smi') =~ /CUDA Version: *([0-9.]*)/;
    $supports //= '';
    row('driver', "$driver, for CUDA up to $supports");
    my @capabilities;
    my $asked = '--query-gpu=index,name,compute_cap,memory.total,memory.free';
    for (split /\n/, output_of('nvidia-smi', $asked, '--format=csv,noheader'))
    {
        my ($index, $name, $capability, $total, $free) = split /, */;
        row("device $index",
            "$name, compute capability $capability, $total of memory, $free free");
        push @capabilities, $capability;
    }
    my ($oldest) = sort { $a <=> $b } @capabilities;
    push @advice, advice_for($nvcc, $toolkit, $supports, $oldest);
}

sub advice_for
{
    my ($nvcc, $toolkit, $supports, $oldest) = @_;
    return 'There is a GPU, but no toolkit: https://developer.nvidia.com/cuda-downloads'
      unless $toolkit;
    return "The driver is for CUDA $supports and the toolkit is $toolkit: update the driver, or "
      . 'install an older toolkit.' if older($supports, $toolkit =~ s/\..*//r);
    my $architecture = 'sm_' . $oldest =~ tr/.//dr;
    return if output_of($nvcc, '--list-gpu-code') =~ /^$architecture$/m;
    return "CUDA $toolkit does not compile for compute capability $oldest: another toolkit "
      . 'does, or ARCH=all-major, whose PTX newer GPUs can run.';
}

# ---- What is built ----

sub built
{
    for my $folder ('bin', 'bin/dp')
    {
        my %built = map { $_ => 1 } map { (abs_path($_) // '') =~ m{.*/(build/.*)/} }
          grep { -l } sorted("$folder/*");
        for my $built (sort keys %built)
        {
            my $flags = text_of("$built/flags");
            my @targets = map { tr/'//dr } $flags =~ /(code=[^ \n]*|-arch=[^ \n]*)/g;
            row("$folder/", join ', ', 'built for ' . basename($built), "@targets" || ());
        }
    }
    row('bin/', 'nothing is built yet') unless -e 'bin';
}

1;
