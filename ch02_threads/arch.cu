// arch: which image of a kernel runs, machine code from the file or PTX compiled on the spot
//
// From:    Section 2.5; S1 4.1, 4.2
// Compile: nvcc -O3 arch.cu
// Run:     ./a.out
// Needs:   GPU, because a CPU has neither machine code for a GPU nor PTX to choose from
//
// nvcc puts images of a kernel into the program: machine code (a cubin) for a real architecture,
// sm_XY, and PTX for a virtual one, compute_XY. The driver first looks for a cubin of the device's
// own family. If there is none, the driver compiles the PTX when the kernel is first needed, and
// keeps the result in a cache. If there is no PTX either, the launch fails with error 209.
//
// Environment variables can forbid one kind of image. The driver reads them once in a process, so
// this program starts itself again, as `arch --once`, for each setting.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <algorithm>
#include <chrono>
#include "../common/on_gpu.cuh"

const int REPEATS = 5;

// __CUDA_ARCH__ exists only while nvcc compiles for a device. It names the virtual architecture,
// in a cubin too: a cubin is made from PTX.
__global__ void write_arch(int *arch)
{
    *arch = 0;
#ifdef __CUDA_ARCH__
    *arch = __CUDA_ARCH__;
#endif
}

// What one process reports: its first error, or else the image that ran.
struct Image
{
    int error, arch, binary, ptx;
    double ms; // of the first launch: to load the image, to compile it if it is PTX, and to run it
};

// The whole work of `arch --once`.
int run_once()
{
    Image image = {};
    int *d_arch = NULL;
    cudaMalloc(&d_arch, sizeof(int)); // starts the device: that time is not of interest here
    const auto start = std::chrono::steady_clock::now();
    write_arch<<<1, 1>>>(d_arch);
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::milli> elapsed =
        std::chrono::steady_clock::now() - start;
    image.ms = elapsed.count();
    cudaMemcpy(&image.arch, d_arch, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFuncAttributes attributes = {};
    cudaFuncGetAttributes(&attributes, write_arch);
    image.binary = attributes.binaryVersion;
    image.ptx = attributes.ptxVersion;
    image.error = (int)cudaGetLastError();
    printf("%d %d %d %d %g\n", image.error, image.arch, image.binary, image.ptx, image.ms);
    return image.error == 0 ? 0 : 3;
}

// Runs this program once more, as a shell would with `variables` before its name.
Image start_again(const char *variables)
{
    char command[256];
    snprintf(command, sizeof(command), "%s CUDA_MODULE_LOADING=LAZY \"$ARCH_PROGRAM\" --once",
             variables);
    Image image = {};
    FILE *child = popen(command, "r");
    if (child == NULL || fscanf(child, "%d %d %d %d %lf", &image.error, &image.arch, &image.binary,
                                &image.ptx, &image.ms) != 5)
    {
        fprintf(stderr, "arch: cannot start itself again\n");
        exit(3);
    }
    pclose(child);
    return image;
}

// Starts again several times, and prints a line with the median of the times.
Image measure(const char *what, const char *variables)
{
    Image image;
    double ms[REPEATS];
    for (double &time : ms)
    {
        image = start_again(variables);
        time = image.ms;
    }
    std::sort(ms, ms + REPEATS);
    image.ms = ms[REPEATS / 2];
    if (image.error != 0)
    {
        printf("%-26s none: error %d, %s\n", what, image.error,
               cudaGetErrorName((cudaError_t)image.error));
    }
    else
    {
        printf("%-26s %13d %8d %5d %13.2f\n", what, image.arch, image.binary, image.ptx, image.ms);
    }
    return image;
}

int g_checks = 0, g_failed = 0;

void check(const char *what, bool right)
{
    g_checks++;
    if (!right)
    {
        g_failed++;
        fprintf(stderr, "WRONG: %s\n", what);
    }
}

// Returns the status, or 2 if the printed text could not be written, as on a full disk.
int end_output(int status)
{
    if (fflush(stdout) != 0 || ferror(stdout))
    {
        fprintf(stderr, "arch: what was printed cannot be written\n");
        return 2;
    }
    return status;
}

// --help, another argument, or no GPU: each ends the program here. True for `arch --once`.
bool read_arguments(int argc, char **argv)
{
    const char *option = argc > 1 ? argv[1] : "";
    if (strcmp(option, "-h") == 0 || strcmp(option, "--help") == 0)
    {
        printf("arch: which image of a kernel runs, machine code from the file or PTX compiled\n"
               "on the spot\n\nusage: arch [--once] [-h]\n"
               "  --once         one line: error, __CUDA_ARCH__, binary and PTX version, ms of\n"
               "                 the first launch\n"
               "columns of the table:\n"
               "  __CUDA_ARCH__  the virtual architecture that the code was compiled for, as 900\n"
               "  binary ver.    the real architecture of the machine code that runs, as 90\n"
               "  PTX ver.       the virtual architecture of its PTX, as 90\n"
               "  first launch   to load the image, to compile it if it is PTX, and to run it\n");
        exit(end_output(0));
    }
    if (argc > 2 || (argc == 2 && strcmp(option, "--once") != 0))
    {
        fprintf(stderr, "arch: takes no argument but --once and --help\n");
        exit(2);
    }
    if (!ON_GPU)
    {
        fprintf(stderr, "arch: needs a GPU: on a CPU there is neither cubin nor PTX\n");
        exit(77);
    }
    int num_devices = 0;
    const cudaError_t status = cudaGetDeviceCount(&num_devices);
    if (num_devices == 0)
    {
        fprintf(stderr, "arch: no CUDA device to run on: %s\n", cudaGetErrorString(status));
        exit(77);
    }
    return argc == 2;
}

// The shell that start_again begins finds this program by a variable.
void set_program_variable()
{
    char program[4096] = "";
    if (readlink("/proc/self/exe", program, sizeof(program) - 1) < 0)
    {
        fprintf(stderr, "arch: cannot find itself in /proc\n");
        exit(3);
    }
    setenv("ARCH_PROGRAM", program, 1);
}

// As in sm_90: 90.
int compute_capability()
{
    int major = 0, minor = 0;
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0);
    cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0);
    return 10 * major + minor;
}

void explain_choice(const Image *cubin, const Image *ptx, int device)
{
    if (cubin->error == 0)
    {
        printf("Runs here: the cubin for sm_%d that is in the file.\n", cubin->binary);
    }
    else
    {
        printf("Runs here: PTX for compute_%d, compiled on the spot, as the file has no cubin for "
               "this device.\nnvcc -arch=sm_%d would put one in.\n",
               ptx->ptx, device);
    }
}

void check_images(const Image *cubin, const Image *ptx, const Image *free_choice, int device)
{
    check("no kernel is compiled for more than the device can",
          free_choice->arch > 0 && free_choice->arch <= 10 * device);
    check("a cubin runs on its own family only, and not on an older member of it",
          cubin->error != 0 || (cubin->binary / 10 == device / 10 && cubin->binary <= device));
    check("PTX becomes machine code of this very device, and __CUDA_ARCH__ stays the PTX's",
          ptx->error != 0 || (ptx->binary == device && ptx->arch == 10 * ptx->ptx));
    const Image *expected = cubin->error == 0 ? cubin : ptx;
    check("the driver prefers the cubin",
          free_choice->arch == expected->arch && free_choice->binary == expected->binary);
}

int verdict()
{
    if (g_failed > 0)
    {
        printf("FAIL: %d of %d checks\n", g_failed, g_checks);
        return end_output(1);
    }
    printf("PASS: %d checks\n", g_checks);
    return end_output(0);
}

int main(int argc, char **argv)
{
    if (read_arguments(argc, argv))
    {
        return run_once();
    }
    set_program_variable();

    const int device = compute_capability();
    printf("This device has compute capability %d.%d\n\n", device / 10, device % 10);
    printf("%-26s %13s %8s %5s %13s\n", "image", "__CUDA_ARCH__", "binary", "PTX", "first launch");
    printf("%-26s %13s %8s %5s %13s\n", "", "", "version", "ver.", "median ms");
    const Image cubin = measure("cubin", "CUDA_DISABLE_PTX_JIT=1");
    const Image ptx =
        measure("PTX, compiled each time", "CUDA_FORCE_PTX_JIT=1 CUDA_CACHE_DISABLE=1");
    const Image free_choice = measure("what the driver chooses", "");
    printf("\n");
    if (free_choice.error != 0)
    {
        printf("No image in this file suits the device. Compile with nvcc -arch=sm_%d\n", device);
        return 3;
    }
    explain_choice(&cubin, &ptx, device);
    check_images(&cubin, &ptx, &free_choice, device);
    return verdict();
}
