// shared: variables of every memory space, declared in every way.
//
// Conforms to: the CUDA C++ Programming Guide, "Variable Memory Space Specifiers": __shared__,
// extern __shared__, __constant__, __device__, __managed__.
#include <stdio.h>

static int failures = 0;
static int *d_out;

// Each kernel writes to d_out[0 .. 7]; their sum is looked at.
static void expect(const char *name, int should)
{
    int out[8], is = 0;
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t run = cudaDeviceSynchronize();
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaMemset(d_out, 0, sizeof(out));
    for (int i = 0; i < 8; ++i)
    {
        is += out[i];
    }
    if (launched == cudaSuccess && run == cudaSuccess && is == should)
    {
        printf("%s: ok\n", name);
    }
    else
    {
        printf("%s: %d, not %d, %s\n", name, is, should, cudaGetErrorName(run));
        ++failures;
    }
}

// --- static shared memory --------------------------------------------------------------------------

struct Particle
{
    float x, y, z;
    char kind;
};

union Word
{
    unsigned int whole;
    unsigned char bytes[4];
};

const int SIZE = 64;
__shared__ int s_of_file[SIZE]; // every block's own, like the others

__device__ int neighbour(int tid, int value)
{
    __shared__ int s_inside[SIZE];
    s_inside[tid] = value;
    __syncthreads();
    return s_inside[(tid + 1) % SIZE];
}

__global__ void declarators(int *out)
{
    __shared__ int s_a[SIZE], s_b[SIZE / 2][2], s_one, *s_pointer;
    volatile __shared__ int s_volatile[SIZE];
    int __shared__ s_after[SIZE];
    static __shared__ int s_static[SIZE];
    const int tid = threadIdx.x, next = (tid + 1) % SIZE;
    s_a[tid] = tid;
    s_b[tid / 2][tid % 2] = 2 * tid;
    s_volatile[tid] = 3 * tid;
    s_after[tid] = 4 * tid;
    s_static[tid] = 5 * tid;
    s_of_file[tid] = 6 * tid;
    if (tid == 0)
    {
        s_one = 1000;
        s_pointer = s_a;
    }
    __syncthreads();
    const int sum = s_a[next] + s_b[next / 2][next % 2] + s_volatile[next] + s_after[next] +
                    s_static[next] + s_of_file[next] + s_pointer[next];
    if (sum == 22 * next)
    {
        atomicAdd(&out[blockIdx.x], 1);
    }
    if (tid == 1)
    {
        atomicAdd(&out[blockIdx.x], s_one);
    }
}

__global__ void types(int *out)
{
    __shared__ Particle s_particles[SIZE];
    __shared__ Word s_word;
    __shared__ struct
    {
        int tid;
        double square;
    } s_unnamed[SIZE];
    __shared__ float4 s_vectors[SIZE];
    __shared__ __align__(16) unsigned char s_aligned[SIZE];
    __shared__ double s_cube[4][4][4];
    __shared__ bool s_flag;
    const int tid = threadIdx.x, next = (tid + 1) % SIZE;
    s_particles[tid].x = tid;
    s_particles[tid].kind = 'a' + tid % 26;
    s_unnamed[tid].tid = tid;
    s_unnamed[tid].square = (double)tid * tid;
    s_vectors[tid] = make_float4(tid, 1, 2, 3);
    s_aligned[tid] = tid;
    s_cube[tid / 16][tid / 4 % 4][tid % 4] = tid;
    if (tid == 0)
    {
        s_word.whole = 0x01020304;
        s_flag = true;
    }
    __syncthreads();
    const bool right = s_particles[next].x == next && s_particles[next].kind == 'a' + next % 26 &&
                       s_unnamed[next].square == (double)s_unnamed[next].tid * next &&
                       s_vectors[next].x + s_vectors[next].w == next + 3 &&
                       s_aligned[next] == next && (size_t)s_aligned % 16 == 0 &&
                       s_cube[next / 16][next / 4 % 4][next % 4] == next && s_flag &&
                       s_word.bytes[0] == 4 && sizeof(s_cube) == 64 * sizeof(double);
    if (right)
    {
        atomicAdd(&out[blockIdx.x], 1);
    }
}

__global__ void scopes(int *out)
{
    const int tid = threadIdx.x;
    int sum = 0;
    for (int round = 0; round < 3; ++round)
    {
        __shared__ int s_round[SIZE];
        s_round[tid] = tid + round;
        __syncthreads();
        sum += s_round[(tid + 1) % SIZE];
        __syncthreads();
        {
            __shared__ int s_inner; // a scope of its own
            if (tid == 0)
                s_inner = round;
            __syncthreads();
            sum += s_inner;
            __syncthreads();
        }
    }
    const int next = (tid + 1) % SIZE;
    if (sum == 3 * next + 3 + 3 && neighbour(tid, tid) == next)
    {
        atomicAdd(&out[blockIdx.x], 1);
    }
}

template <typename T, int N>
struct Tile
{
    // One array for each type and size, whoever asks.
    __device__ static T *storage()
    {
        __shared__ T s_tile[N];
        return s_tile;
    }
};

template <typename T, int N>
__global__ void in_template(int *out)
{
    __shared__ T s_data[N];
    T *s_tile = Tile<T, N>::storage();
    const int tid = threadIdx.x;
    s_data[tid] = tid;
    s_tile[tid] = 2 * tid;
    __syncthreads();
    if (s_data[N - 1 - tid] + s_tile[N - 1 - tid] == 3 * (N - 1 - tid) && s_tile != s_data)
    {
        atomicAdd(&out[blockIdx.x], 1);
    }
}

__global__ void lambdas(int *out)
{
    __shared__ int s_data[SIZE];
    __shared__ __align__(128) unsigned char s_byte;
    alignas(256) __shared__ int s_last;
    const int tid = threadIdx.x;
    const auto put = [=](int *value)
    {
        s_data[tid] = *value;
    };
    const auto last = []
    {
        return s_data[SIZE - 1];
    };
    const auto next = [tid]
    {
        return s_data[(tid + 1) % SIZE] + s_of_file[tid];
    };
    const auto all = [&]
    {
        return s_data[tid];
    };
    int value = tid;
    put(&value);
    s_of_file[tid] = 1;
    s_last = s_byte = 0;
    __syncthreads();
    if (last() == SIZE - 1 && next() == (tid + 1) % SIZE + 1 && all() == tid &&
        (size_t)&s_byte % 128 == 0 && (size_t)&s_last % 256 == 0)
    {
        atomicAdd(&out[blockIdx.x], 1);
    }
}

// --- dynamic shared memory -----------------------------------------------------------------------------

extern __shared__ int s_dynamic[];

__device__ void put(int tid, int value)
{
    extern __shared__ double s_other_type[];
    s_other_type[tid] = value;
}

__global__ void as_int(int *out)
{
    s_dynamic[threadIdx.x] = threadIdx.x;
    __syncthreads();
    atomicAdd(&out[blockIdx.x], s_dynamic[blockDim.x - 1 - threadIdx.x]);
}

__global__ void as_double(int *out)
{
    extern __shared__ double s_other_type[];
    put(threadIdx.x, 2 * threadIdx.x);
    __syncthreads();
    atomicAdd(&out[blockIdx.x], (int)s_other_type[blockDim.x - 1 - threadIdx.x]);
}

__global__ void as_aligned(int *out)
{
    extern __shared__ __align__(16) unsigned char s_raw[];
    float *s_x = (float *)s_raw;
    int *s_y = (int *)&s_x[blockDim.x];
    s_x[threadIdx.x] = 0.5f * threadIdx.x;
    s_y[threadIdx.x] = threadIdx.x;
    __syncthreads();
    const int other = blockDim.x - 1 - threadIdx.x;
    atomicAdd(&out[blockIdx.x], (int)(2 * s_x[other]) + s_y[other] + (int)((size_t)s_raw % 16));
}

template <class T>
struct Dynamic
{
    __device__ operator T *()
    {
        extern __shared__ float4 s_any[];
        return (T *)s_any;
    }
};

template <class T>
__global__ void as_any(int *out)
{
    extern __shared__ float4 s_any[];
    T *s_data = (void *)s_any == out ? NULL : (T *)Dynamic<T>();
    s_data[threadIdx.x] = threadIdx.x;
    __syncthreads();
    atomicAdd(&out[blockIdx.x], (int)s_data[blockDim.x - 1 - threadIdx.x]);
}

__global__ void two_names(int *out)
{
    extern __shared__ float s_float[];
    extern __shared__ unsigned int s_bits[]; // the same memory
    s_float[threadIdx.x] = 1.0f;
    if (s_bits[threadIdx.x] == 0x3f800000u)
    {
        atomicAdd(&out[blockIdx.x], 1);
    }
}

// --- the device's and constant memory ------------------------------------------------------------------

struct Vector
{
    int x, y;
    __host__ __device__ int sum() const
    {
        return x + y;
    }
};

__constant__ int c_initialized[] = {1, 2, 3};
__constant__ int c_partly[4] = {4};
__constant__ Vector c_vector = {5, 6};
__constant__ float c_filled[2][2];
static __constant__ const int c_const = 7;
__device__ int d_counter;
__device__ int d_array[3] = {1, 2, 3}, d_more = 4;
__device__ Vector d_vector = {10, 20};
static __device__ int *d_pointer;
__device__ volatile int d_volatile = 8;
__managed__ int m_value = 9;
__device__ __managed__ int m_array[2] = {1, 2};

namespace space
{
__device__ int d_counter = 100; // another one
static __constant__ int c_const = 11;
} // namespace space

__global__ void read_all(int *out)
{
    const int constants = c_initialized[2] + c_partly[0] + c_vector.sum() + (int)c_filled[1][0] +
                          c_const + space::c_const;
    const int variables = d_array[1] + d_more + d_vector.sum() + d_volatile + m_value + m_array[1] +
                          space::d_counter + (d_pointer == out ? 1000 : 0);
    out[0] = constants + variables;
    atomicAdd(&d_counter, 1);
    m_value = 90;
}

static void global_variables()
{
    const float filled[2][2] = {{0, 0}, {50, 0}};
    int counter = 41;
    cudaMemcpyToSymbol(c_filled, filled, sizeof(filled));
    cudaMemcpyToSymbol(d_counter, &counter, sizeof(counter));
    cudaMemcpyToSymbol(d_pointer, &d_out, sizeof(d_out));
    read_all<<<1, 1>>>(d_out);
    expect("constants and variables",
           3 + 4 + 11 + 50 + 7 + 11 + 2 + 4 + 30 + 8 + 9 + 2 + 100 + 1000);
    cudaMemcpyFromSymbol(&counter, d_counter, sizeof(counter));
    const bool right = counter == 42 && m_value == 90;
    printf("changed by the kernel: %s\n", right ? "ok" : "wrong");
    failures += !right;
}

int main()
{
    cudaMalloc(&d_out, 8 * sizeof(int));
    cudaMemset(d_out, 0, 8 * sizeof(int));
    declarators<<<8, SIZE>>>(d_out);
    expect("declarators", 8 * (SIZE + 1000));
    types<<<8, SIZE>>>(d_out);
    expect("types", 8 * SIZE);
    scopes<<<8, SIZE>>>(d_out);
    expect("scopes", 8 * SIZE);
    lambdas<<<8, SIZE>>>(d_out);
    expect("lambdas", 8 * SIZE);
    in_template<int, 32><<<2, 32>>>(d_out);
    in_template<double, 32><<<2, 32>>>(d_out);
    in_template<short, 64><<<2, 64>>>(d_out);
    expect("templates", 256);
    as_int<<<2, 10, 10 * sizeof(int)>>>(d_out);
    as_double<<<2, 10, 10 * sizeof(double)>>>(d_out);
    as_aligned<<<1, 10, 10 * (sizeof(float) + sizeof(int))>>>(d_out);
    as_any<char><<<1, 10, 16>>>(d_out);
    as_any<long long><<<1, 10, 80>>>(d_out);
    expect("dynamic", 90 + 180 + 90 + 45 + 45);
    two_names<<<1, 32, 32 * sizeof(float)>>>(d_out);
    expect("two names for dynamic memory", 32);
    global_variables();
    cudaFree(d_out);
    return failures != 0;
}
