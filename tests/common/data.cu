// data: the same bits everywhere, evenly spread, and exact as small integers

#include <string.h>
#include "../../common/compare.cuh"
#include "../../common/data.cuh"
#include "../../common/error.cuh"
#include "../../common/sum.cuh"

__global__ void fill_on_device(double *x, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        x[n] = random_unit(7, n);
    }
}

int main(void)
{
    const int N = 100000;
    static double x[N], y[N];
    static float f[N];
    fill_random(x, N, 7);
    fill_random(f, N, 7);
    check_true("the known first numbers of seed 1", hash_bits(1, 0) == 0x6e789e6aa1b965f4ull &&
                                                        hash_bits(1, 1) == 0x75856f745165f252ull);
    check_elements("float and double hold the same numbers", f, x, N);

    double *d_x;
    CHECK(cudaMalloc(&d_x, sizeof(x)));
    fill_on_device<<<(N + 127) / 128, 128>>>(d_x, N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost));
    check_elements("the device makes the same numbers", y, x, N);
    CHECK(cudaFree(d_x));

    double mean = 0.0, variance = 0.0, product = 0.0;
    bool inside = true;
    fill_random(y, N, 8);
    for (int n = 0; n < N; ++n)
    {
        inside = inside && x[n] >= 0.0 && x[n] < 1.0;
        mean += x[n] / N;
        variance += (x[n] - 0.5) * (x[n] - 0.5) / N;
        product += (x[n] - 0.5) * (y[n] - 0.5) / N;
    }
    check_true("all in [0, 1)", inside);
    check_true("mean 1/2", fabs(mean - 0.5) < 0.005);
    check_true("variance 1/12", fabs(variance - 1.0 / 12.0) < 0.002);
    check_true("neighbouring seeds are not correlated", fabs(product) < 0.002);

    int counts[17] = {};
    fill_integers(f, N, 7);
    for (int n = 0; n < N; ++n)
    {
        counts[(int)f[n] + 8]++;
    }
    for (int count : counts)
    {
        check_true("each of -8 ... 8 a 17th of the time", fabs(count * 17.0 / N - 1.0) < 0.1);
    }
    float up = 0.0f, down = 0.0f;
    for (int n = 0; n < N; ++n)
    {
        up += f[n];
        down += f[N - 1 - n];
    }
    check_true("sums of small integers are exact in any order",
               up == down && up == sum_compensated(f, N));
    fill_constant(f, N, 1.23f);
    check_true("constant", f[0] == 1.23f && f[N - 1] == 1.23f);
    return verdict();
}
