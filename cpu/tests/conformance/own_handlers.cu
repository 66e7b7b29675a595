// The program's own handlers, and launches before main.
//
// A kernel's memory is watched by signals, but a program's handler of SIGSEGV is its own. The
// constructor of a global object may use the device.
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <vector>
#include "expect.cuh"

__constant__ int c_before = 3;

__global__ void add(int *x)
{
    *x += c_before;
}

struct Early
{
    int value;
    Early()
    {
        int *d_x;
        const int four = 4;
        cudaMalloc(&d_x, sizeof(int));
        cudaMemcpy(d_x, &four, sizeof(int), cudaMemcpyHostToDevice);
        add<<<1, 1>>>(d_x);
        cudaMemcpy(&value, d_x, sizeof(int), cudaMemcpyDeviceToHost);
        cudaFree(d_x);
    }
};
Early early;

static sigjmp_buf back;
static volatile int how_often;

static void by_number(int number)
{
    ++how_often;
    siglongjmp(back, number);
}

static void with_info(int number, siginfo_t *info, void *)
{
    how_often += info->si_addr == (void *)16;
    siglongjmp(back, number);
}

__global__ void fill(int *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        x[i] = i;
    }
}

static int last_of(int *d_x, int n)
{
    int last = -1;
    fill<<<(n + 127) / 128, 128>>>(d_x, n);
    cudaMemcpy(&last, d_x + n - 1, sizeof(int), cudaMemcpyDeviceToHost);
    return last;
}

static void touch(size_t address)
{
    if (sigsetjmp(back, 1) == 0)
    {
        *(volatile int *)address = 1;
    }
}

// As many events and streams as nobody needs: the time must not grow as their square.
static void make_many(void)
{
    const int n = 20000;
    std::vector<cudaEvent_t> events(n);
    for (int i = 0; i < n; ++i)
    {
        cudaEventCreate(&events[i]);
    }
    for (int i = 0; i < n; ++i)
    {
        cudaEventDestroy(events[i]);
    }
    cudaEvent_t one, other;
    cudaEventCreate(&one), cudaEventCreate(&other);
    printf("two events: %d\n", one != other);
    cudaEventRecord(one);
    printf("still there: %d\n", cudaEventQuery(other) == cudaSuccess);
    cudaEventDestroy(one), cudaEventDestroy(other);
}

int main(void)
{
    printf("before main: %d\n", early.value);
    int *d_x;
    cudaMalloc(&d_x, 1000 * sizeof(int));

    printf("none before: %d\n", signal(SIGSEGV, by_number) == SIG_DFL);
    printf("the kernel runs: %d\n", last_of(d_x, 1000));
    touch(8);
    printf("caught %d times\n", how_often);
    printf("the kernel still runs: %d\n", last_of(d_x, 500));

    struct sigaction action = {}, old;
    action.sa_sigaction = with_info;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, &old);
    printf("by_number before: %d\n", old.sa_handler == by_number);
    touch(16);
    printf("caught %d times\n", how_often);
    printf("and still: %d\n", last_of(d_x, 800));
    signal(SIGSEGV, SIG_DFL);
    make_many();
    cudaFree(d_x);
    return 0;
}
