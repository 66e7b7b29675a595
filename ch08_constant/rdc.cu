// rdc: two source files, and whether one name in both is one variable or two
//
// From:    Section 6.2.2
// Compile: nvcc -O3 -rdc=true rdc.cu rdc-there.cu
// Run:     ./a.out
// Sources: rdc-there.cu
// Flags:   -rdc=true
//
// If a header defines a `__constant__` variable and two files include it, there are two variables.
// A copy to one of them leaves the other as it was: 0. For one variable in both files, one file
// defines it, the other declares it `extern`, and both are compiled as relocatable device code,
// -rdc=true. Only then does a linker (nvlink) join the device's parts of the two files. This
// program has one variable of each kind.

#include <stdio.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/data.cuh"
#include "../common/timing.cuh"
#include "rdc.cuh"

__constant__ int c_shared[NUM_VALUES]; // the only definition; rdc.cuh declares it for both files

__global__ void read_here(View *view)
{
    const int tid = threadIdx.x;
    view->own[tid] = c_own[tid];
    view->shared[tid] = c_shared[tid];
}

View view_here(void)
{
    View *d_view, view;
    CHECK(cudaMalloc(&d_view, sizeof(View)));
    CHECK(cudaMemset(d_view, POISON_BYTE, sizeof(View)));
    read_here<<<1, NUM_VALUES>>>(d_view);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&view, d_view, sizeof(View), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_view));
    CHECK(cudaGetSymbolAddress(&view.own_address, c_own));
    CHECK(cudaGetSymbolAddress(&view.shared_address, c_shared));
    return view;
}

void set_here(const int *own, const int *shared)
{
    CHECK(cudaMemcpyToSymbol(c_own, own, sizeof(c_own)));
    CHECK(cudaMemcpyToSymbol(c_shared, shared, sizeof(c_shared)));
}

bool are_same(const int *a, const int *b) { return memcmp(a, b, NUM_VALUES * sizeof(int)) == 0; }

// Whether these values stand at an address of the device.
bool holds(const void *address, const int *values)
{
    int there[NUM_VALUES];
    CHECK(cudaMemcpy(there, address, sizeof(there), cudaMemcpyDeviceToHost));
    return are_same(there, values);
}

// Prints the values that the two files see, and checks them.
void print_and_check(const char *moment, const int *own_here, const int *own_there,
                     const int *shared)
{
    const View here = view_here(), there = view_there();
    printf("%-20s %5d %3d %5d %3d %8d %3d %5d %3d\n", moment, here.own[0], here.own[1],
           there.own[0], there.own[1], here.shared[0], here.shared[1], there.shared[0],
           there.shared[1]);
    check_true("c_own of this file", are_same(here.own, own_here));
    check_true("c_own of the other file", are_same(there.own, own_there));
    check_true("c_shared in this file", are_same(here.shared, shared));
    check_true("c_shared in the other file (needs -rdc=true)", are_same(there.shared, shared));
}

int main(int argc, char **argv)
{
    parse_args(argc, argv, "-s S",
               "rdc: two source files, and whether one name in both is one variable or two");
    print_device();
    int values[4][NUM_VALUES]; // all different, and none of them 0
    int number = 0;
    for (int call = 0; call < 4; ++call)
    {
        for (int i = 0; i < NUM_VALUES; ++i)
        {
            ++number;
            values[call][i] = 10 * number + random_below(args.seed, number, 10);
        }
        values[call][NUM_VALUES - 1] *= -1;
    }
    values[3][NUM_VALUES - 1] *= -1; // so no call leaves the last byte of a variable as it was
    const int zero[NUM_VALUES] = {};

    printf("%-20s %9s %9s %12s %9s\n", "", "c_own", "", "c_shared", "");
    printf("%-20s %9s %9s %12s %9s\n", "", "here", "there", "here", "there");
    print_and_check("at first", zero, zero, zero);
    set_here(values[0], values[1]);
    print_and_check("set by rdc.cu", values[0], zero, values[1]);
    set_there(values[2], values[3]);
    print_and_check("set by rdc-there.cu", values[0], values[2], values[3]);

    const View here = view_here(), there = view_there();
    check_true("c_own's address here", holds(here.own_address, values[0]));
    check_true("c_own's address there", holds(there.own_address, values[2]));
    check_true("c_shared's address here", holds(here.shared_address, values[3]));
    check_true("c_shared's address there", holds(there.shared_address, values[3]));
    const bool one_own = here.own_address == there.own_address;
    const bool one_shared = here.shared_address == there.shared_address;
    printf("addresses: c_own has %s, c_shared %s\n", one_own ? "one" : "two",
           one_shared ? "one" : "two");
    check_true("c_own is two variables", !one_own);
    check_true("c_shared is one", one_shared);
    return verdict();
}
