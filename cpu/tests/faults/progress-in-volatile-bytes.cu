// fault: none: the kernel counts in volatile bytes for seconds, and nothing else changes | no fault, and let go on
// env: CUDACPU_NOTICE=0.5
// stderr: kernel count, block \(0,0,0\): has not ended in
// stderr: 1 is running, FILE:
// stderr: counted
// out: ...
#include <cstdio>

// An odometer of bytes. It comes back to registers that it had before millions of times.
__global__ void count(volatile unsigned char *digits, int num_digits, int limit)
{
    for (int place = 0; place < num_digits;)
    {
        for (place = 0; place < num_digits && ++digits[place] == limit; ++place)
        {
            digits[place] = 0;
        }
    }
}

int main()
{
    const int NUM_DIGITS = 5;
    unsigned char *d_digits;
    cudaMalloc(&d_digits, NUM_DIGITS);
    cudaMemset(d_digits, 0, NUM_DIGITS);
    count<<<1, 1>>>(d_digits, NUM_DIGITS, 71);
    const cudaError_t error = cudaDeviceSynchronize();
    fprintf(stderr, "%s\n", error == cudaSuccess ? "counted" : cudaGetErrorString(error));
    return error;
}
