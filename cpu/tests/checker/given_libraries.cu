// What cuBLAS and its kin give to the program in managed memory is written from then on.
#include <cstdio>
#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

static int num_read;

// Reads each byte of what a call has given.
template <class T>
void read(const T *given, int num = 1)
{
    const char *bytes = (const char *)given;
    for (size_t i = 0; i < num * sizeof(T); ++i)
    {
        num_read += bytes[i] != 0;
    }
}

#define MUST(call)                                    \
    do                                                \
    {                                                 \
        const int error_ = (int)(call);               \
        if (error_ != 0)                              \
        {                                             \
            printf("%s: status %d\n", #call, error_); \
        }                                             \
    } while (0)

// Memory that nobody has written. It is never freed.
template <class T>
T *fresh(int num = 1)
{
    void *memory;
    MUST(cudaMallocManaged(&memory, num * sizeof(T)));
    return (T *)memory;
}

template <class T>
T *filled(int num, T value)
{
    T *memory = fresh<T>(num);
    for (int i = 0; i < num; ++i)
    {
        memory[i] = value;
    }
    return memory;
}

// The call gives a T to *p, which is then read.
#define GIVES(T, call)     \
    do                     \
    {                      \
        T *p = fresh<T>(); \
        MUST(call);        \
        read(p);           \
    } while (0)

static const int N = 100;

static void ask_cublas()
{
    cublasHandle_t *handle = fresh<cublasHandle_t>();
    MUST(cublasCreate(handle));
    read(handle);
    GIVES(int, cublasGetVersion(*handle, p));
    GIVES(cudaStream_t, cublasGetStream(*handle, p));
    GIVES(cublasPointerMode_t, cublasGetPointerMode(*handle, p));
    GIVES(cublasMath_t, cublasGetMathMode(*handle, p));
    float *x = filled(N, 1.5f), *y = filled(N, 0.5f);
    double *v = filled(N, 1.5);
    cuComplex *z = filled(N, make_cuComplex(1, 2));
    for (int on_device = 0; on_device < 2; ++on_device)
    {
        MUST(cublasSetPointerMode(*handle, on_device ? CUBLAS_POINTER_MODE_DEVICE
                                                     : CUBLAS_POINTER_MODE_HOST));
        float *result = fresh<float>(3);
        double *wide = fresh<double>(3);
        int *place = fresh<int>(2);
        cuComplex *both = fresh<cuComplex>(2);
        MUST(cublasSdot(*handle, N, x, 1, y, 1, &result[0]));
        MUST(cublasSnrm2(*handle, N, x, 1, &result[1]));
        MUST(cublasSasum(*handle, N, x, 1, &result[2]));
        MUST(cublasDdot(*handle, N, v, 1, v, 1, &wide[0]));
        MUST(cublasDnrm2(*handle, N, v, 1, &wide[1]));
        MUST(cublasDasum(*handle, N, v, 1, &wide[2]));
        MUST(cublasIsamax(*handle, N, x, 1, &place[0]));
        MUST(cublasIdamin(*handle, N, v, 1, &place[1]));
        MUST(cublasCdotu(*handle, N, z, 1, z, 1, &both[0]));
        MUST(cublasCdotc(*handle, N, z, 1, z, 1, &both[1]));
        MUST(cudaDeviceSynchronize());
        read(result, 3), read(wide, 3), read(place, 2), read(both, 2);
    }
    MUST(cublasSetPointerMode(*handle, CUBLAS_POINTER_MODE_HOST));
    float *to = fresh<float>(N), *c = fresh<float>(N);
    MUST(cublasScopy(*handle, N, x, 1, to, 1));
    const float one = 1, zero = 0;
    MUST(cublasSgemm(*handle, CUBLAS_OP_N, CUBLAS_OP_N, 10, 10, 10, &one, x, 10, y, 10, &zero, c,
                     10));
    MUST(cudaDeviceSynchronize());
    read(to, N), read(c, N);
    float host[N], *set = fresh<float>(N);
    MUST(cublasGetVector(N, 4, x, 1, host, 1));
    MUST(cublasSetVector(N, 4, host, 1, set, 1));
    read(set, N);
    MUST(cublasDestroy(*handle));
}

static void ask_cufft()
{
    cufftHandle *plan = fresh<cufftHandle>(2);
    MUST(cufftPlan1d(&plan[0], N, CUFFT_C2C, 1));
    MUST(cufftCreate(&plan[1]));
    GIVES(size_t, cufftMakePlan1d(plan[1], 64, CUFFT_R2C, 1, p));
    read(plan, 2);
    GIVES(int, cufftGetVersion(p));
    GIVES(size_t, cufftGetSize(plan[0], p));
    GIVES(size_t, cufftEstimate1d(N, CUFFT_C2C, 1, p));
    cufftComplex *x = filled(N, make_cuComplex(1, 2)), *y = fresh<cufftComplex>(N);
    MUST(cufftExecC2C(plan[0], x, y, CUFFT_FORWARD));
    MUST(cudaDeviceSynchronize());
    read(y, N);
    float *real = filled(64, 1.0f);
    cufftComplex *half = fresh<cufftComplex>(33);
    MUST(cufftExecR2C(plan[1], real, half));
    MUST(cudaDeviceSynchronize());
    read(half, 33);
}

static void ask_curand()
{
    curandGenerator_t *generator = fresh<curandGenerator_t>();
    MUST(curandCreateGenerator(generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    read(generator);
    GIVES(int, curandGetVersion(p));
    unsigned int *bits = fresh<unsigned int>(N);
    float *uniform = fresh<float>(N), *normal = fresh<float>(N);
    double *wide = fresh<double>(N), *log_normal = fresh<double>(N);
    MUST(curandGenerate(*generator, bits, N));
    MUST(curandGenerateUniform(*generator, uniform, N));
    MUST(curandGenerateNormal(*generator, normal, N, 0, 1));
    MUST(curandGenerateUniformDouble(*generator, wide, N));
    MUST(curandGenerateLogNormalDouble(*generator, log_normal, N, 0, 1));
    MUST(cudaDeviceSynchronize());
    read(bits, N), read(uniform, N), read(normal, N), read(wide, N), read(log_normal, N);
    curandGenerator_t host;
    MUST(curandCreateGeneratorHost(&host, CURAND_RNG_PSEUDO_XORWOW));
    float *numbers = fresh<float>(N);
    MUST(curandGenerateUniform(host, numbers, N));
    read(numbers, N);
}

static void ask_cusolver()
{
    cusolverDnHandle_t *handle = fresh<cusolverDnHandle_t>();
    MUST(cusolverDnCreate(handle));
    read(handle);
    const int n = 4;
    double *a = fresh<double>(n * n), *values = fresh<double>(n);
    for (int i = 0; i < n * n; ++i)
    {
        a[i] = i % (n + 1) == 0 ? 4 : 1;
    }
    int *bytes = fresh<int>(), *info = fresh<int>(2), *pivots = fresh<int>(n);
    MUST(cusolverDnDsyevd_bufferSize(*handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                                     a, n, values, bytes));
    read(bytes);
    double *work = fresh<double>(*bytes);
    MUST(cusolverDnDsyevd(*handle, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n, a, n,
                          values, work, *bytes, &info[0]));
    MUST(cudaDeviceSynchronize());
    read(values, n), read(&info[0]), read(a, n * n);
    MUST(cusolverDnDgetrf_bufferSize(*handle, n, n, a, n, bytes));
    work = fresh<double>(*bytes);
    MUST(cusolverDnDgetrf(*handle, n, n, a, n, work, pivots, &info[1]));
    MUST(cudaDeviceSynchronize());
    read(pivots, n), read(&info[1]);
    syevjInfo_t *parameters = fresh<syevjInfo_t>();
    MUST(cusolverDnCreateSyevjInfo(parameters));
    read(parameters);
}

static void ask_cusparse()
{
    cusparseHandle_t *handle = fresh<cusparseHandle_t>();
    MUST(cusparseCreate(handle));
    read(handle);
    GIVES(int, cusparseGetVersion(*handle, p));
    const int n = 8;
    int *rows = fresh<int>(n), *offsets = fresh<int>(n + 1), *back = fresh<int>(n);
    for (int i = 0; i < n; ++i)
    {
        rows[i] = i;
    }
    MUST(cusparseXcoo2csr(*handle, rows, n, n, offsets, CUSPARSE_INDEX_BASE_ZERO));
    MUST(cusparseXcsr2coo(*handle, offsets, n, n, back, CUSPARSE_INDEX_BASE_ZERO));
    MUST(cudaDeviceSynchronize());
    read(offsets, n + 1), read(back, n);
    float *numbers = filled(n, 2.0f), *x = filled(n, 1.0f), *y = fresh<float>(n);
    cusparseSpMatDescr_t *a = fresh<cusparseSpMatDescr_t>();
    cusparseDnVecDescr_t *vectors = fresh<cusparseDnVecDescr_t>(2);
    MUST(cusparseCreateCsr(a, n, n, n, offsets, back, numbers, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    MUST(cusparseCreateDnVec(&vectors[0], n, x, CUDA_R_32F));
    MUST(cusparseCreateDnVec(&vectors[1], n, y, CUDA_R_32F));
    read(a), read(vectors, 2);
    int64_t *sizes = fresh<int64_t>(3);
    MUST(cusparseSpMatGetSize(*a, &sizes[0], &sizes[1], &sizes[2]));
    read(sizes, 3);
    const float one = 1, zero = 0;
    size_t *bytes = fresh<size_t>();
    MUST(cusparseSpMV_bufferSize(*handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, *a, vectors[0],
                                 &zero, vectors[1], CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, bytes));
    read(bytes);
    char *work = fresh<char>(*bytes);
    MUST(cusparseSpMV(*handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, *a, vectors[0], &zero,
                      vectors[1], CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, work));
    MUST(cudaDeviceSynchronize());
    read(y, n);
}

int main()
{
    ask_cublas();
    ask_cufft();
    ask_curand();
    ask_cusolver();
    ask_cusparse();
    return num_read == 0;
}
