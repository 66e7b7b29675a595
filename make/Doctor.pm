# ./suite doctor PLAN CXX NVCC: what this machine has, what make would build here, and what to
# install. It works where there is nothing at all; its status is 0 if make can build.
package Doctor;
use strict;
use warnings;
use Cwd qw(abs_path);
use Files;
use Language;

my (@packages, @advice);

sub doctor
{
    my ($plan, $cxx, $nvcc) = @_;
    $cxx =~ s/.* //; # the compiler may stand behind another word: ccache g++
    my ($system) = text_of('/etc/os-release') =~ /^PRETTY_NAME="(.*)"/m;
    my ($memory) = text_of('/proc/meminfo') =~ /^MemTotal: *(\d*)\d{3} kB/m;
    row(say_in('system', '系统'), ($system // '') . say_in(', ', '，') . line_of('uname', '-m'));
    row(say_in('cores', '核心'), nproc() . say_in(', ' . ($memory // '') . ' MB of memory', '，内存 ' . ($memory // '') . ' MB'));
    need('make', 'make', say_in('everything', '一切'));
    need($cxx, $cxx =~ /^clang/ ? 'clang' : 'g++', say_in('both backends: nvcc calls it too', '两种后端：nvcc 也调用它'));
    need('prove', 'perl', 'make test');
    cuda($nvcc);
    built();
    row('make', say_in("builds for $plan", "为 $plan"));

    print map { "$_\n" } '', @advice if @advice;
    print say_in("\nTo install what is missing", "\n安装缺少的软件包"), ":\n  sudo apt-get install @packages\n" if @packages;
    return 0 if on_path($cxx);
    print say_in("\nNothing can be built here yet.\n", "\n现在还不能编译。\n");
    return 1;
}

sub row
{
    my ($name, $what) = @_;
    utf8::decode(my $letters = $name);
    my $wide = $letters =~ tr/\x{2e80}-\x{ffef}//; # such a character has two columns
    my $blanks = 11 - length($letters) - $wide;
    print $name, ' ' x ($blanks > 0 ? $blanks : 1), "$what\n";
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
    row($command, say_in("none: it is needed for $what_for", "没有：它用于$what_for"));
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
    row(say_in('toolkit', '工具箱'), $toolkit ? "CUDA $toolkit" . say_in(', ', '，') . $nvcc
        : say_in('none (no nvcc on the PATH, none in /usr/local/cuda)', '没有（PATH 和 /usr/local/cuda 中都没有 nvcc）'));
    push @advice, say_in('The toolkit is too old: CUDA 12.0 or later is needed.', '工具箱太旧：需要 CUDA 12.0 或更高版本。')
      if $toolkit && older($toolkit, '12.0');

    row('Thrust', line_of('cpu/cpucc', '-print-thrust')
          || say_in("none: BACKEND=cpu leaves out the programs that use it; Debian's libthrust-dev has it",
            '没有：BACKEND=cpu 不编译用到它的程序；Debian 的 libthrust-dev 中有它'));
    row('gnuplot', line_of('gnuplot', '--version')
          || say_in("none: make figures needs it; Debian's gnuplot-nox has it",
            '没有：make figures 需要它；Debian 的 gnuplot-nox 中有它'));
    devices($nvcc, $toolkit);
}

# The driver and its devices, and whether the toolkit is for them.
sub devices
{
    my ($nvcc, $toolkit) = @_;
    if (output_of('nvidia-smi', '-L') !~ /GPU/)
    {
        row(say_in('driver', '驱动程序'), say_in('none that answers nvidia-smi', '没有能回答 nvidia-smi 的'));
        row(say_in('device', '设备'), say_in('none: programs built with CUDA would exit with status 77',
                '没有：用 CUDA 编译的程序会以状态 77 结束'));
        push @advice, say_in('There is an NVIDIA card, but no driver: ', '有 NVIDIA 显卡，但没有驱动程序：')
          . 'https://www.nvidia.com/drivers'
          if output_of('lspci') =~ /nvidia/i;
        return;
    }
    my $driver = line_of(qw(nvidia-smi --query-gpu=driver_version), '--format=csv,noheader');
    my ($supports) = output_of('nvidia-smi') =~ /CUDA Version: *([0-9.]*)/;
    $supports //= '';
    row(say_in('driver', '驱动程序'), say_in("$driver, for CUDA up to $supports", "$driver，支持到 CUDA $supports"));
    my @capabilities;
    my $asked = '--query-gpu=index,name,compute_cap,memory.total,memory.free';
    for (split /\n/, output_of('nvidia-smi', $asked, '--format=csv,noheader'))
    {
        my ($index, $name, $capability, $total, $free) = split /, */;
        row(say_in("device $index", "设备 $index"),
            say_in("$name, compute capability $capability, $total of memory, $free free",
                "$name，计算能力 $capability，内存 $total，空闲 $free"));
        push @capabilities, $capability;
    }
    my ($oldest) = sort { $a <=> $b } @capabilities;
    push @advice, advice_for($nvcc, $toolkit, $supports, $oldest);
}

sub advice_for
{
    my ($nvcc, $toolkit, $supports, $oldest) = @_;
    return say_in('There is a GPU, but no toolkit: ', '有 GPU，但没有工具箱：')
      . 'https://developer.nvidia.com/cuda-downloads'
      unless $toolkit;
    return say_in("The driver is for CUDA $supports and the toolkit is $toolkit: update the driver, or "
          . 'install an older toolkit.', "驱动程序支持到 CUDA $supports，而工具箱是 $toolkit：请更新驱动程序，或装旧一些的工具箱。") if older($supports, $toolkit =~ s/\..*//r);
    my $architecture = 'sm_' . $oldest =~ tr/.//dr;
    return if output_of($nvcc, '--list-gpu-code') =~ /^$architecture$/m;
    return say_in("CUDA $toolkit does not compile for compute capability $oldest: another toolkit "
          . 'does, or ARCH=all-major, whose PTX newer GPUs can run.',
        "CUDA $toolkit 不能为计算能力 $oldest 编译：换一个工具箱，或用 ARCH=all-major，较新的 GPU 可以运行它的 PTX。");
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
            row("$folder/", join ', ', say_in('built for ', '已编译：') . basename($built), "@targets" || ());
        }
    }
    row('bin/', say_in('nothing is built yet', '还没有编译')) unless -e 'bin';
}

1;
