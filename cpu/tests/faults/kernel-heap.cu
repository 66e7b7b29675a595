// Wrong uses of malloc, free, new and delete in kernels.
//
// env: CUDACPU_LEAKS=
#include "cases.cuh"

// case: freed_twice
// fault: memory of `malloc` or `new` freed twice in a kernel | found with its line, error 719
// stderr: kernel freed_twice, block \(0,0,0\), thread \(0,0,0\), FILE:SECOND_FREE:
// stderr: memory is freed twice: these 100 bytes were freed before
// out: 719 cudaErrorLaunchFailure
__global__ void freed_twice(volatile int *out)
{
    int *p = (int *)malloc(100);
    int *volatile hidden = p; // compilers see a plain second free
    free(p);
    free(hidden); // SECOND_FREE
    out[0] = 1;
}
CASE(freed_twice)
{
    freed_twice<<<1, 1>>>(device_array<int>(1));
}

// case: deleted_twice
// stderr: kernel deleted_twice, block \(0,0,0\), thread \(0,0,0\), FILE:SECOND_DELETE:
// stderr: memory is freed twice: these 8 bytes were freed before
// out: 719 cudaErrorLaunchFailure
__global__ void deleted_twice(volatile int *out)
{
    double *p = new double(out[0]);
    double *volatile hidden = p;
    out[0] = (int)*p;
    delete p;
    delete hidden; // SECOND_DELETE
    out[0] = 1;
}
CASE(deleted_twice)
{
    deleted_twice<<<1, 1>>>(device_array<int>(1));
}

// case: not_the_start
// fault: `free` in a kernel of an address that `malloc` did not give | found with its line, error 719
// stderr: kernel not_the_start, block \(0,0,0\), thread \(0,0,0\), FILE:NOT_THE_START:
// stderr: 0x[0-9a-f]+ is freed, which is not the start of memory of malloc or new
// out: 719 cudaErrorLaunchFailure
__global__ void not_the_start(int **kept)
{
    int *volatile p = (int *)malloc(100);
    *kept = p;
    free(p + 1); // NOT_THE_START
}
CASE(not_the_start)
{
    not_the_start<<<1, 1>>>(device_array<int *>(1));
}

// case: not_ours
// stderr: kernel not_ours, block \(0,0,0\), thread \(0,0,0\), FILE:NOT_OURS:
// stderr: 0x[0-9a-f]+ is freed, which malloc or new did not give in a kernel
// out: 719 cudaErrorLaunchFailure
__global__ void not_ours(int *x)
{
    free(x); // NOT_OURS
}
CASE(not_ours)
{
    not_ours<<<1, 1>>>(device_array<int>(1));
}

// case: overrun_and_freed
// fault: write past the end of memory of `malloc` in a kernel, which is freed later | found with its line where it is freed, and that of malloc
// stderr: kernel overrun_and_freed, block \(0,0,0\), thread \(0,0,0\), FILE:FREE:
// stderr: illegal address: a write past the end of memory of 40 bytes that malloc or new gave at FILE:GIVEN$
// out: 700 cudaErrorIllegalAddress
__global__ void overrun_and_freed(int n)
{
    int *x = (int *)malloc(n * sizeof(int)); // GIVEN
    for (int i = 0; i <= n; ++i)
    {
        x[i] = i;
    }
    free(x); // FREE
}
CASE(overrun_and_freed)
{
    overrun_and_freed<<<1, 1>>>(10);
}

// case: overrun
// fault: the same where it is not freed | found with its line of malloc, after the kernel
// stderr: kernel overrun wrote past the end of memory of 4000 bytes that malloc or new gave at FILE:MALLOC_OF_ROW$
// out: 700 cudaErrorIllegalAddress
__global__ void overrun(int n, int **rows)
{
    rows[0] = (int *)malloc(n * sizeof(int));
    rows[1] = (int *)malloc(n * sizeof(int)); // MALLOC_OF_ROW
    for (int i = 0; i < n + 2000; ++i)
    {
        rows[1][i] = i; // into nobody's memory
    }
}
__global__ void nothing()
{
}
CASE(overrun)
{
    int **d_rows = device_array<int *>(2);
    overrun<<<1, 1>>>(1000, d_rows);
}

// case: used_up
// stderr: kernel used_up, block \(0,0,0\), thread \(0,0,0\), FILE:USED_UP:\n  illegal address: write of \(nil\), a null pointer
// out: 700 cudaErrorIllegalAddress
__global__ void used_up(int **last)
{
    for (int i = 0; i < 9; ++i)
    {
        int *x = (int *)malloc(1 << 20);
        *x = i; // USED_UP
        *last = x;
    }
}
CASE(used_up)
{
    used_up<<<1, 1>>>(device_array<int *>(1));
}
