// first-call: what the first call costs, the first launch, and both after a reset
//
// From:    section 3.2.1; S1 4.3.1
// Compile: nvcc -O3 first-call.cu
// Run:     ./a.out -r 5
//
// No program has to initialize CUDA: the first call that needs the device does it. That call takes
// a few 10^5 times as long as the same call later. The variable CUDA_MODULE_LOADING says when the
// code of a kernel is copied to the device. With LAZY, the default since CUDA 12.2, that happens at
// the kernel's first launch. With EAGER the code of all kernels is copied at the start. CUDA reads
// the variable only once in a process. So the program starts itself again for each measurement,
// with --once. You can do that too: CUDA_MODULE_LOADING=EAGER ./a.out --once

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"

const int N = 1000;
const int BLOCK_SIZE = 128;

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

// One text, many kernels: set100(x, N) writes 100, 101, ... to x, set101(x, N) writes 101, 102, ...
#define DEFINE(KERNEL)                                       \
    __global__ void set##KERNEL(int *x, int N)               \
    {                                                        \
        const int n = blockDim.x * blockIdx.x + threadIdx.x; \
        if (n < N)                                           \
        {                                                    \
            x[n] = KERNEL + n;                               \
        }                                                    \
    }

// TEN(f, 13) is f(130) f(131) ... f(139): 13##7 becomes 137. HUNDRED(f) is f(100) ... f(199).
#define TEN(f, n) f(n##0) f(n##1) f(n##2) f(n##3) f(n##4) f(n##5) f(n##6) f(n##7) f(n##8) f(n##9)
#define FIFTY(f, a, b, c, d, e) TEN(f, a) TEN(f, b) TEN(f, c) TEN(f, d) TEN(f, e)
#define HUNDRED(f) FIFTY(f, 10, 11, 12, 13, 14) FIFTY(f, 15, 16, 17, 18, 19)
HUNDRED(DEFINE)

// All kernels are named here, so all are compiled. Two are launched.
#define NAME(KERNEL) set##KERNEL,
void (*const KERNELS[])(int *x, int N) = {HUNDRED(NAME)};
const int NUM_KERNELS = sizeof(KERNELS) / sizeof(KERNELS[0]); // enough that loading takes time

// The time of a call that needs an initialized CUDA, and does nothing else.
double time_free_nothing(void)
{
    const double start = host_clock();
    CHECK(cudaFree(NULL));
    return host_clock() - start;
}

double time_reset(void)
{
    const double start = host_clock();
    CHECK(cudaDeviceReset());
    return host_clock() - start;
}

// Times the first launch of a kernel and the second one, each with the wait for its end: ms[0] and
// ms[1].
void time_launches(int number, double *ms)
{
    int h_x[N], expected[N], *d_x;
    CHECK(cudaMalloc(&d_x, sizeof(h_x)));
    CHECK(cudaMemset(d_x, POISON_BYTE, sizeof(h_x)));
    for (int launch = 0; launch < 2; ++launch)
    {
        const double start = host_clock();
        KERNELS[number]<<<(N + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(d_x, N);
        CHECK_LAUNCH();
        CHECK(cudaDeviceSynchronize());
        ms[launch] = host_clock() - start;
    }

    CHECK(cudaMemcpy(h_x, d_x, sizeof(h_x), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    for (int n = 0; n < N; ++n)
    {
        expected[n] = 100 + number + n;
    }
    check_elements("x", h_x, expected, N);
}

// The measurement of one process, step by step. No CUDA call may come before it.
void measure_in_this_process(double *ms)
{
    ms[0] = time_free_nothing();
    ms[1] = time_free_nothing();
    time_launches(0, &ms[2]);
    time_launches(1, &ms[4]);
    ms[6] = time_reset();
    ms[7] = time_free_nothing();
    time_launches(0, &ms[8]);
}

// Starts this program with --once and reads the steps that it prints. If the new process fails, it
// has said why, and this one ends with the same status. Returns false if a step or its time is
// missing. Without a GPU there are steps, and no times.
bool measure_in_new_process(const char *loading, double *ms)
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
        execl("/proc/self/exe", "first-call", "--once", "--csv", (char *)NULL);
        perror("first-call: cannot run itself");
        _exit(3);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    char line[256];
    while (fgets(line, sizeof(line), output) != NULL)
    {
        const double time = atof(line); // the line: 0.0007,again
        const char *comma = strchr(line, ',');
        const bool is_step =
            comma != NULL && count < NUM_STEPS && strstr(comma, STEPS[count]) != NULL;
        if (is_step && (time > 0.0 || !ON_GPU)) // a step without a time was not measured
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

// The medians of `repeats` processes.
void measure(const char *loading, size_t repeats, double *medians)
{
    double *samples = (double *)malloc(NUM_STEPS * repeats * sizeof(double));
    bool complete = true;
    for (size_t i = 0; i < repeats; ++i)
    {
        double ms[NUM_STEPS] = {};
        if (!measure_in_new_process(loading, ms))
        {
            complete = false;
        }
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

// What --once prints. measure_in_new_process reads it as --csv writes it.
void print_steps(const double *ms)
{
    const Column COLUMNS[] = {{TIME_UNIT, "%12.6f"}, {"step", " %s"}};
    begin_timed_table(COLUMNS, 2);
    for (int step = 0; step < NUM_STEPS; ++step)
    {
        put(ON_GPU ? ms[step] : NAN);
        put_text(STEPS[step]);
        end_row();
    }
}

void print_table(const double *lazy, const double *eager, size_t repeats)
{
    print_timed_note("%d kernels, median of %zu processes\n", NUM_KERNELS, repeats);
    const Column COLUMNS[] = {{"step", "%-36s", TIME_UNIT},
                              {ON_GPU ? "LAZY ms" : "LAZY CPU ms", "%10.4f", "LAZY"},
                              {ON_GPU ? "EAGER ms" : "EAGER CPU ms", "%10.4f", "EAGER"}};
    begin_timed_table(COLUMNS, 3);
    for (int step = 0; step < NUM_STEPS; ++step)
    {
        put_text(STEPS[step]);
        put(ON_GPU ? lazy[step] : NAN);
        put(ON_GPU ? eager[step] : NAN);
        end_row();
    }
}

int main(int argc, char **argv)
{
    bool once = false;
    args.repeats = 3;
    args.uses_device = false; // else parse_args would make the first call
    args.columns = "  LAZY   the times with CUDA_MODULE_LOADING=LAZY\n"
                   "  EAGER  the times with CUDA_MODULE_LOADING=EAGER\n";
    add_flag("once", &once, "one measurement, in this process");
    parse_args(argc, argv, "-r R --csv",
               "first-call: what the first call costs, the first launch, and both after a reset");
    if (once)
    {
        double ms[NUM_STEPS];
        measure_in_this_process(ms);
        print_device();
        print_steps(ms);
        return verdict();
    }

    double lazy[NUM_STEPS], eager[NUM_STEPS];
    measure_in_new_process("LAZY", lazy); // does not count: the driver may have to wake up
    measure("LAZY", args.repeats, lazy);
    measure("EAGER", args.repeats, eager);
    print_device();
    print_table(lazy, eager, args.repeats);
    return verdict();
}
