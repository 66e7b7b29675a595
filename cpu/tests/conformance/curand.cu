// cuRAND's host API: the numbers of XORWOW and Philox, their order, seeds and offsets, streams, and
// the statuses. The integers and the uniform numbers are printed as they are. What NVIDIA's libcurand
// gives, and the CPU backend without it does not, has no place here.
// Libs: -lcurand
#include <curand.h>
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "expect.cuh"

static const size_t MOST = 600000; // more than one turn of all of Philox's subsequences
static double *d_x, *h_x;

static unsigned long long hash_of(const void *data, size_t bytes)
{
    unsigned long long hash = 1469598103934665603ull;
    for (size_t i = 0; i < bytes; ++i)
    {
        hash = (hash ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
    }
    return hash;
}

static void fetch(size_t bytes)
{
    memset(h_x, 0x55, bytes);
    cudaMemcpy(h_x, d_x, bytes, cudaMemcpyDeviceToHost);
}

static void print_integers(const char *what, size_t n)
{
    const unsigned int *x = (const unsigned int *)h_x;
    fetch(n * sizeof(int));
    printf("  %s: %u %u %u ... %u, all %016llx\n", what, x[0], x[1], x[2], x[n - 1],
           hash_of(x, n * sizeof(int)));
}

static curandGenerator_t made(curandRngType_t type, unsigned long long seed)
{
    curandGenerator_t generator = NULL;
    if (curandCreateGenerator(&generator, type) != CURAND_STATUS_SUCCESS ||
        curandSetPseudoRandomGeneratorSeed(generator, seed) != CURAND_STATUS_SUCCESS)
    {
        printf("  cannot create generator %d\n", (int)type);
    }
    return generator;
}

static void numbers(const char *name, curandRngType_t type)
{
    printf("%s\n", name);
    for (const unsigned long long seed : {0ull, 1234ull, 0xfedcba9876543210ull})
    {
        const curandGenerator_t generator = made(type, seed);
        printf(" seed %llu\n", seed);
        curandGenerate(generator, (unsigned int *)d_x, MOST);
        print_integers("integers", MOST);
        curandGenerate(generator, (unsigned int *)d_x, 1001);
        print_integers("the next", 1001);
        curandGenerateUniform(generator, (float *)d_x, 100003);
        fetch(100003 * sizeof(float));
        printf("  float: %a %a, all %016llx\n", ((float *)h_x)[0], ((float *)h_x)[100002],
               hash_of(h_x, 100003 * sizeof(float)));
        curandGenerateUniformDouble(generator, d_x, 100003);
        fetch(100003 * sizeof(double));
        printf("  double: %a %a, all %016llx\n", h_x[0], h_x[100002],
               hash_of(h_x, 100003 * sizeof(double)));
        curandDestroyGenerator(generator);
    }
    for (const unsigned long long offset : {1ull, 4095ull, 262147ull, 12345678901ull})
    {
        const curandGenerator_t generator = made(type, 99);
        curandSetGeneratorOffset(generator, offset);
        curandGenerate(generator, (unsigned int *)d_x, 5000);
        printf(" offset %llu\n", offset);
        print_integers("integers", 5000);
        curandDestroyGenerator(generator);
    }
}

// Box and Muller: the two numbers of a pair have x^2 + y^2 = -2 ln u, with a uniform u.
static void normals(const char *name, curandRngType_t type, const double *float_is,
                    const double *double_is)
{
    const size_t n = 100000;
    curandGenerator_t generator = made(type, 1234);
    curandGenerateNormal(generator, (float *)d_x, n, 3.0f, 0.5f);
    fetch(n * sizeof(float));
    double sum = 0.0;
    bool right = true;
    for (size_t i = 0; i < n; ++i)
    {
        sum += ((float *)h_x)[i];
    }
    for (int i = 0; i < 4; ++i)
    {
        right = right && fabs(((float *)h_x)[i] - (3.0 + 0.5 * float_is[i])) <= 4e-6;
    }
    printf("%s: ", name);
    check("normal, float", right && fabs(sum / n - 3.0) < 0.01);
    curandDestroyGenerator(generator);

    generator = made(type, 1234);
    curandGenerateNormalDouble(generator, d_x, n, 0.0, 1.0);
    fetch(n * sizeof(double));
    right = true;
    for (int i = 0; i < 4; ++i)
    {
        right = right && fabs(h_x[i] - double_is[i]) <= 1e-14;
    }
    printf("%s: ", name);
    check("normal, double", right);
    curandDestroyGenerator(generator);

    generator = made(type, 1234);
    curandGenerateLogNormalDouble(generator, d_x, n, 1.0, 0.25);
    fetch(n * sizeof(double));
    right = true;
    for (int i = 0; i < 4; ++i)
    {
        right = right && fabs(log(h_x[i]) - (1.0 + 0.25 * double_is[i])) <= 1e-14;
    }
    printf("%s: ", name);
    check("log-normal, double", right);
    curandDestroyGenerator(generator);
}

static void host_generators(void)
{
    const size_t n = 70001;
    for (const curandRngType_t type : {CURAND_RNG_PSEUDO_XORWOW, CURAND_RNG_PSEUDO_PHILOX4_32_10})
    {
        curandGenerator_t host = NULL;
        const curandGenerator_t device = made(type, 5);
        curandCreateGeneratorHost(&host, type);
        curandSetPseudoRandomGeneratorSeed(host, 5);
        float *x = (float *)malloc(n * sizeof(float));
        const bool right = curandGenerateUniform(host, x, n) == CURAND_STATUS_SUCCESS &&
                           curandGenerateUniform(device, (float *)d_x, n) == CURAND_STATUS_SUCCESS;
        fetch(n * sizeof(float));
        check("host and device make the same numbers",
              right && memcmp(x, h_x, n * sizeof(float)) == 0);
        free(x);
        curandDestroyGenerator(host);
        curandDestroyGenerator(device);
    }
}

static volatile int is_open;

static void CUDART_CB wait_for_host(void *)
{
    while (!is_open)
    {
    }
}

// Work in the stream begins when the work before it has ended.
static void streams(void)
{
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    const curandGenerator_t generator = made(CURAND_RNG_PSEUDO_PHILOX4_32_10, 7);
    curandSetStream(generator, stream);
    curandGenerate(generator, (unsigned int *)d_x, 1000); // the first call may wait
    cudaStreamSynchronize(stream);
    cudaMemset(d_x, 0, 4000);
    cudaDeviceSynchronize();
    cudaLaunchHostFunc(stream, wait_for_host, NULL);
    curandGenerate(generator, (unsigned int *)d_x, 1000);
    const bool busy = cudaStreamQuery(stream) == cudaErrorNotReady;
    is_open = 1;
    cudaStreamSynchronize(stream);
    fetch(4000);
    check("generation waits in its stream", busy && ((unsigned int *)h_x)[999] != 0);
    curandDestroyGenerator(generator);
    cudaStreamDestroy(stream);
}

static void statuses(void)
{
    curandGenerator_t x = made(CURAND_RNG_PSEUDO_DEFAULT, 1), none = NULL;
    unsigned int *out = (unsigned int *)d_x;
    check("type 7", curandCreateGenerator(&none, (curandRngType_t)7) == CURAND_STATUS_TYPE_ERROR);
    check("no generator",
          curandGenerate(NULL, out, 4) == CURAND_STATUS_NOT_INITIALIZED &&
              curandSetPseudoRandomGeneratorSeed(NULL, 4) == CURAND_STATUS_NOT_INITIALIZED &&
              curandSetStream(NULL, 0) == CURAND_STATUS_NOT_INITIALIZED &&
              curandDestroyGenerator(NULL) == CURAND_STATUS_NOT_INITIALIZED);
    check("odd count of normal numbers",
          curandGenerateNormal(x, (float *)d_x, 3, 0.0f, 1.0f) ==
                  CURAND_STATUS_LENGTH_NOT_MULTIPLE &&
              curandGenerateNormalDouble(x, d_x, 5, 0.0, 1.0) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
    check("64-bit integers",
          curandGenerateLongLong(x, (unsigned long long *)d_x, 4) == CURAND_STATUS_TYPE_ERROR);
    check("dimensions of a pseudo-random generator",
          curandSetQuasiRandomGeneratorDimensions(x, 2) == CURAND_STATUS_TYPE_ERROR);
    check("an ordering of quasi-random generators",
          curandSetGeneratorOrdering(x, CURAND_ORDERING_QUASI_DEFAULT) ==
              CURAND_STATUS_OUT_OF_RANGE);
    check("orderings",
          curandSetGeneratorOrdering(x, CURAND_ORDERING_PSEUDO_LEGACY) == CURAND_STATUS_SUCCESS &&
              curandSetGeneratorOrdering(x, CURAND_ORDERING_PSEUDO_DEFAULT) ==
                  CURAND_STATUS_SUCCESS);
    check("no numbers", curandGenerate(x, out, 0) == CURAND_STATUS_SUCCESS);
    check("destroyed", curandDestroyGenerator(x) == CURAND_STATUS_SUCCESS);
    int version = 0, major = 0;
    check("version", curandGetVersion(&version) == CURAND_STATUS_SUCCESS &&
                         curandGetProperty(MAJOR_VERSION, &major) == CURAND_STATUS_SUCCESS &&
                         major == 10 && version / 1000 == 10);
}

int main()
{
    cudaMalloc(&d_x, MOST * sizeof(double));
    h_x = (double *)malloc(MOST * sizeof(double));
    numbers("XORWOW", CURAND_RNG_PSEUDO_XORWOW);
    numbers("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10);
    // By libcurand 10.4.0, mean 0 and deviation 1.
    const double xorwow_float[] = {0.780973554, -1.80157816, -0.280848563, 0.563546598};
    const double xorwow_double[] = {0.35873979852445503, -1.239592503223552, -0.091495399773608627,
                                    -0.38011893868395424};
    const double philox_float[] = {-1.61649048, 1.22915542, -1.56054044, 0.464621365};
    const double philox_double[] = {-0.53952669590731883, 0.16063334644202293, 1.0081967077372695,
                                    1.8322492478152392};
    normals("XORWOW", CURAND_RNG_PSEUDO_XORWOW, xorwow_float, xorwow_double);
    normals("Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10, philox_float, philox_double);
    host_generators();
    streams();
    statuses();
    check("no error", cudaDeviceSynchronize() == cudaSuccess);
    cudaFree(d_x);
    free(h_x);
    return num_wrong;
}
