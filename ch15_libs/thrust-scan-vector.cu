// thrust-scan-vector: prefix sums and products of a vector that Thrust keeps on the device
//
// From:    Listings 16.1, 16.3; sections 16.1.1, 16.1.2, 16.1.4; sections 16.2.3 to 16.2.5, which
//          repeat them; file thrust-scan-vector.cu
// Compile: nvcc -O3 thrust-scan-vector.cu
// Run:     ./a.out
// Uses:    Thrust
//
// This folder has the libraries of the book's chapters 15 to 20. Thrust is in chapter 16.

#include <stdio.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/scan.h>
#include "../common/args.cuh"
#include "../common/check_thrust.cuh"
#include "../common/compare.cuh"

const int N = 10;

// `&`: the function gets the vector itself, not a copy of it.
void print_and_check(const char *name, const thrust::device_vector<int> &y, const int *expected)
{
    printf("%-10s", name);
    for (size_t i = 0; i < y.size(); ++i)
    {
        printf(" %d", (int)y[i]); // y[i] is no int: it stands for an element on the device
    }
    printf("\n");
    const thrust::host_vector<int> h_y = y; // copies y from the device
    check_elements(name, &h_y[0], expected, N);
}

// Listing 16.1, with the other two scans of section 16.1.4. begin() and end() stand for pointers to
// the first element and behind the last one. multiplies<int>() is an object that multiplies two
// ints.
int main(int argc, char **argv)
{
    parse_args(argc, argv, "",
               "thrust-scan-vector: prefix sums and products of a vector that Thrust keeps on the "
               "device");
    report_thrust_errors(); // Thrust returns no status: it throws exceptions
    thrust::device_vector<int> x(N, 0);
    thrust::device_vector<int> y(N, 0);
    for (size_t i = 0; i < x.size(); ++i)
    {
        x[i] = i + 1; // a copy of one element to the device each time
    }

    thrust::inclusive_scan(x.begin(), x.end(), y.begin());
    const int sums[] = {0, 1, 3, 6, 10, 15, 21, 28, 36, 45, 55};
    print_and_check("inclusive", y, sums + 1);

    thrust::exclusive_scan(x.begin(), x.end(), y.begin());
    print_and_check("exclusive", y, sums);

    thrust::inclusive_scan(x.begin(), x.end(), y.begin(), thrust::multiplies<int>());
    const int products[] = {1, 2, 6, 24, 120, 720, 5040, 40320, 362880, 3628800};
    print_and_check("product", y, products);
    return verdict();
}
