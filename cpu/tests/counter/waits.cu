// Lanes that wait for other lanes of their warp, and stops within a basic block.
#include <stdio.h>

// The even lanes read in vain until the odd ones have stored: 66 times; of the second launch once.
__global__ void hand_over(volatile unsigned *numbers)
{
    const unsigned lane = threadIdx.x;
    if (lane % 2 == 0)
    {
        unsigned number;
        while ((number = numbers[lane + 1]) == 0) // global load 4: 67 268 134
        {
        }
        numbers[lane] = 2 * number; // g++: global store 4: 2 8 4
    }
    else
    {
        numbers[lane] = lane; // g++: global store 4: 2 8 4
    }
}

// A rounded operation is one instruction: no other lane goes on within it, which would round so, too.
__global__ void roots(const double *x, double *down, double *nearest)
{
    const int n = threadIdx.x;
    down[n] = __dsqrt_rd(x[n]); // global load 8: 1 8 8; global store 8: 1 8 8
    nearest[n] = sqrt(x[n]);    // global load 8: 1 8 8; global store 8: 1 8 8
}

int main()
{
    unsigned *numbers;
    double *x, *y, *z;
    cudaMallocManaged(&numbers, 32 * sizeof(unsigned));
    cudaMallocManaged(&x, 32 * sizeof(double));
    cudaMallocManaged(&y, 32 * sizeof(double));
    cudaMallocManaged(&z, 32 * sizeof(double));
    for (int n = 0; n < 32; ++n)
    {
        x[n] = n + 0.1;
    }
    hand_over<<<1, 32>>>(numbers);
    roots<<<1, 32>>>(x, y, z);
    hand_over<<<1, 32>>>(numbers); // what is there already, nobody waits for
    cudaError_t error = cudaDeviceSynchronize();
    bool is_right = error == cudaSuccess;
    for (int n = 0; n < 32; ++n)
    {
        is_right = is_right && z[n] * z[n] < x[n] * (1 + 4e-16) && z[n] * z[n] > x[n] * (1 - 4e-16);
        is_right = is_right && numbers[n] == (n % 2 == 0 ? 2u * (n + 1) : (unsigned)n);
    }
    return is_right ? 0 : 1;
}
