// first-call: what the first call costs, the first launch, and both after a reset
//
// From:    Section 3.2.1; S1 4.3.1
// Compile: nvcc -O3 first-call.cu
// Run:     ./a.out -r 5
// Checks:  2
//
// Nothing in a program initializes CUDA: the first call that needs the device does it unasked, and
// takes thousands of times as long as any later one. And CUDA_MODULE_LOADING says when a kernel's
// code goes to the device: at its first launch (LAZY, the default since CUDA 12.2), or that of all
// kernels at the start (EAGER). CUDA reads it once, so each measurement is a process of its own:
// this program with --once. Try that yourself: CUDA_MODULE_LOADING=EAGER ./a.out --once

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/timing.cuh"

const int N = 1000;
const int BLOCK_SIZE = 128;
const int NUM_KERNELS = 100; // so that EAGER has something to load

const char *const STEPS[] = {
    "cudaFree(NULL), the first call",
    "again",
    "first launch of a kernel, and wait",
    "again",
    "first launch of another kernel",
    "again",
    "cudaDeviceReset",
    "cudaFree(NULL), the first after it",
    "first launch after it",
    "again",
};
const int NUM_STEPS = sizeof(STEPS) / sizeof(STEPS[0]);

template <int KERNEL>
__global__ void set(int *x, int N)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        x[n] = KERNEL + n;
    }
}

typedef void (*Kernel)(int *, int);

// Names NUM_KERNELS kernels, so that they are all compiled. Two are launched.
template <int KERNEL = 0>
Kernel find_kernel(int number)
{
    if constexpr (KERNEL < NUM_KERNELS)
    {
        return number == KERNEL ? set<KERNEL> : find_kernel<KERNEL + 1>(number);
    }
    return NULL;
}

template <typename Work>
double time_once(Work work)
{
    const double start = host_clock();
    work();
    return host_clock() - start;
}

// The first launch and the second, each with its wait.
void time_launches(int number, double *ms)
{
    int h_x[N], expected[N], *d_x;
    CHECK(cudaMalloc(&d_x, sizeof(h_x)));
    CHECK(cudaMemset(d_x, POISON_BYTE, sizeof(h_x)));
    const Kernel kernel = find_kernel(number);
    const auto launch = [&]
    {
        kernel<<<(N + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_x, N);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
    };
    ms[0] = time_once(launch);
    ms[1] = time_once(launch);

    CHECK(cudaMemcpy(h_x, d_x, sizeof(h_x), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    for (int n = 0; n < N; ++n)
    {
        expected[n] = number + n;
    }
    check_elements("x", h_x, expected, N);
}

// All of STEPS, in this process. No CUDA call may come before.
void measure_once(double *ms)
{
    const auto free_nothing = [] // does nothing but what every call has to
    {
        CHECK(cudaFree(NULL));
    };
    ms[0] = time_once(free_nothing);
    ms[1] = time_once(free_nothing);
    time_launches(0, &ms[2]);
    time_launches(1, &ms[4]);
    ms[6] = time_once([] { CHECK(cudaDeviceReset()); });
    ms[7] = time_once(free_nothing);
    time_launches(0, &ms[8]);
}

// Runs this program with --once under `loading` and reads its times. If that fails there is nothing
// to show: we end as the child did, which has said why. False if a time is missing.
bool measure_in_child(const char *loading, double *ms)
{
    int ends[2], status = 0, count = 0;
    const pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child < 0)
    {
        perror("first-call: cannot start a process");
        exit(3);
    }
    if (child == 0)
    {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        setenv("CUDA_MODULE_LOADING", loading, 1);
        execl("/proc/self/exe", "first-call", "--once", (char *)NULL);
        perror("first-call: cannot run itself");
        _exit(3);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    char line[256];
    while (fgets(line, sizeof(line), output) != NULL)
    {
        double time;
        if (sscanf(line, "%lf", &time) == 1 && count < NUM_STEPS)
        {
            ms[count++] = time;
        }
    }
    fclose(output);
    waitpid(child, &status, 0);
    if (!WIFEXITED(status))
    {
        fprintf(stderr, "first-call: a child died of signal %d\n", WTERMSIG(status));
        exit(3);
    }
    if (WEXITSTATUS(status) != 0)
    {
        exit(WEXITSTATUS(status));
    }
    return count == NUM_STEPS;
}

// Medians over `repeats` processes.
void measure(const char *loading, size_t repeats, double *medians)
{
    double *samples = (double *)malloc(NUM_STEPS * repeats * sizeof(double));
    bool complete = true;
    for (size_t i = 0; i < repeats; ++i)
    {
        double ms[NUM_STEPS] = {};
        complete = measure_in_child(loading, ms) && complete;
        for (int step = 0; step < NUM_STEPS; ++step)
        {
            samples[step * repeats + i] = ms[step];
        }
    }
    for (int step = 0; step < NUM_STEPS; ++step)
    {
        medians[step] = summarize(&samples[step * repeats], repeats).median;
    }
    check_true(loading, complete);
    free(samples);
}

int main(int argc, char **argv)
{
    bool once = false;
    Args args;
    args.repeats = 3;
    args.uses_device = false; // not before it is to be timed
    add_flag(&args, "once", &once, "one measurement, in this process");
    parse_args(&args, argc, argv, "-r R",
               "first-call: what the first call costs, the first launch, and both after a reset");
    double lazy[NUM_STEPS], eager[NUM_STEPS];
    if (once)
    {
        measure_once(lazy);
        print_device();
        for (int step = 0; step < NUM_STEPS; ++step)
        {
            printf("%12.6f %s  %s\n", lazy[step], TIME_UNIT, STEPS[step]);
        }
        return verdict();
    }

    measure_in_child("LAZY", lazy); // one that does not count: it may wake the driver
    measure("LAZY", args.repeats, lazy);
    measure("EAGER", args.repeats, eager);
    print_device();
    printf("%-36s %10s %10s   (%d kernels, median of %zu processes)\n", TIME_UNIT, "LAZY", "EAGER",
           NUM_KERNELS, args.repeats);
    for (int step = 0; step < NUM_STEPS; ++step)
    {
        printf("%-36s %10.4f %10.4f\n", STEPS[step], lazy[step], eager[step]);
    }
    return verdict();
}
