// templates: kernels and device code that are templates, and C++ inside kernels.
//
// Conforms to: the CUDA C++ Programming Guide, "C++ Language Support": templates, explicit
// instantiation and specialization, packs, functors and lambdas, local types, function pointers.
#include <stdio.h>
#include <string.h>

static int failures = 0;
static int *d_sum;

static void expect(const char *name, int should)
{
    int is = -1;
    const cudaError_t launched = cudaGetLastError();
    const cudaError_t run = cudaDeviceSynchronize();
    cudaMemcpy(&is, d_sum, sizeof(is), cudaMemcpyDeviceToHost);
    cudaMemset(d_sum, 0, sizeof(is));
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

// --- kernels ---------------------------------------------------------------------------------------

template <typename T>
__global__ void add(int *sum, T x)
{
    atomicAdd(sum, (int)(10 * x));
}

template <>
__global__ void add<char>(int *sum, char x)
{
    atomicAdd(sum, 1000 + x);
}

template __global__ void add<float>(int *sum, float x);

template <typename T, int N = 3, bool TWICE = false>
__global__ void repeat(int *sum, T x)
{
#pragma unroll
    for (int i = 0; i < N; ++i)
    {
        atomicAdd(sum, x);
    }
#pragma unroll 4
    for (int i = 0; i < N; ++i)
    {
        if constexpr (TWICE)
        {
            atomicAdd(sum, x);
        }
    }
}

template <class... T>
__global__ void all(int *sum, T... xs)
{
    const int values[] = {(int)xs..., 0};
    int total = (0 + ... + (int)xs);
    for (int i = 0; i < (int)sizeof...(xs); ++i)
    {
        total += 100 * values[i];
    }
    atomicAdd(sum, total);
}

template <class First, class... Rest>
__device__ int count_bytes(First, Rest... rest)
{
    if constexpr (sizeof...(rest) > 0)
    {
        return sizeof(First) + count_bytes(rest...);
    }
    else
    {
        return sizeof(First);
    }
}

template <class... T>
__global__ void bytes(int *sum, T... xs)
{
    atomicAdd(sum, count_bytes(xs...));
}

template <class T, template <class> class Container>
__global__ void contained(int *sum, Container<T> x)
{
    atomicAdd(sum, x.value);
}

template <class T>
struct Box
{
    T value;
    typedef T Type;
    static void fill(int *sum, T x)
    {
        add<T><<<1, 1>>>(sum, x);
    }
    void fill(int *sum) const;
};

template <class T>
void Box<T>::fill(int *sum) const
{
    add<typename Box<T>::Type><<<dim3(1), 1>>>(sum, this->value);
}

struct Runner
{
    int factor;
    template <class T>
    void run(T x) const
    {
        add<<<1, 1>>>(d_sum, factor * x);
    }
};

template <class R, class T>
static void dependent(const R &runner, T x)
{
    runner.template run<T>(x);
    Box<T>::fill(d_sum, x);
}

template <class K>
static auto chosen()
{
    return add<K>;
}

static void kernels()
{
    add<int><<<1, 1>>>(d_sum, 2);
    add<<<1, 1>>>(d_sum, 0.5f);
    add<double><<<1, 1>>>(d_sum, 1);
    expect("deduced and given arguments", 35);
    add<char><<<1, 1>>>(d_sum, 5);
    add<<<1, 1>>>(d_sum, 'A');
    expect("specialization", 2005 + 'A');
    repeat<int><<<1, 1>>>(d_sum, 1);
    repeat<int, 5><<<1, 1>>>(d_sum, 1);
    repeat<int, (8 > 4 ? 2 : 1), true><<<1, 1>>>(d_sum, 1);
    expect("values as parameters", 12);
    all<<<1, 1>>>(d_sum);
    all<<<1, 1>>>(d_sum, 1, 2.5f, 'A');
    all<int, long><<<1, 1>>>(d_sum, 3, 4);
    expect("packs", 101 * (1 + 2 + 'A' + 7));
    bytes<<<1, 1>>>(d_sum, 'a', 1, 2.0, 3.0f, (short)4);
    expect("packs passed on", 1 + 4 + 8 + 4 + 2);
    contained<int, Box><<<1, 1>>>(d_sum, {3});
    contained<<<1, 1>>>(d_sum, Box<char>{4});
    add<Box<Box<int>>::Type::Type><<<1, 1>>>(d_sum, 1);
    expect("templates of templates", 17);
    Box<int>{4}.fill(d_sum);
    Box<float>::fill(d_sum, 2.5f);
    dependent(Runner{2}, 3);
    expect("launches in templates", 40 + 25 + 60 + 30);
    void (*pointer)(int *, long) = add<long>;
    pointer<<<1, 1>>>(d_sum, 2);
    chosen<short>()<<<1, 1>>>(d_sum, 3);
    expect("pointers to instances", 50);
}

// --- device functions ----------------------------------------------------------------------------------

__device__ int forward(int x);
__device__ __noinline__ int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}
static __device__ __forceinline__ int square(int x)
{
    return x * x;
}
__host__ __device__ inline int cube(int x)
{
    return x * x * x;
}
__device__ float square(float x)
{
    return x * x;
}
template <class T>
__host__ __device__ constexpr T half(T x)
{
    return x / 2;
}

typedef int (*Function)(int);
__device__ Function d_table[2] = {forward, factorial};
__device__ int (*d_pointer)(int) = square;

class Counter
{
  public:
    __device__ Counter(int start) : value{start}, step(1)
    {
    }
    __device__ ~Counter()
    {
    }
    __device__ int next();
    __device__ int operator()(int x) const
    {
        return value + x;
    }
    __device__ friend int peek(const Counter &c)
    {
        return c.value;
    }
    __device__ Counter &operator+=(int x)
    {
        value += x;
        return *this;
    }

  private:
    int value, step;
};

__device__ int Counter::next()
{
    value += step;
    return value;
}

__device__ Counter operator+(const Counter &c, int x)
{
    Counter sum = c;
    sum += x;
    return sum;
}

__device__ int forward(int x)
{
    return x + 1;
}

template <class Op>
__global__ void apply(int *sum, Op op, int x)
{
    atomicAdd(sum, op(x));
}

struct Triple
{
    __host__ __device__ int operator()(int x) const
    {
        return 3 * x;
    }
};

__global__ void call_all(int *sum)
{
    Counter counter(5);
    counter.next();
    const int seven = peek(counter + 1);
    atomicAdd(sum, factorial(5) + square(3) + (int)square(0.5f * 4) + cube(2) + half(9));
    atomicAdd(sum, d_table[0](1) + d_table[1](3) + d_pointer(4) + counter(4) + seven);
}

static void device_functions()
{
    call_all<<<1, 1>>>(d_sum);
    expect("device functions", 120 + 9 + 4 + 8 + 4 + 2 + 6 + 16 + 10 + 7);
    apply<<<1, 1>>>(d_sum, Triple(), 4);
    expect("functors", 12 + 0 * cube(1));
}

// --- inside a kernel --------------------------------------------------------------------------------

enum class Color
{
    RED = 1,
    GREEN
};

__global__ void inside(int *sum, const int n, Color color)
{
    struct Local
    {
        int x;
        __device__ int twice() const
        {
            return 2 * x;
        }
    };
    auto add_to = [&](int x)
    {
        atomicAdd(sum, x);
    };
    const auto plus = [=](int x)
    {
        return x + n;
    };
    if (n < 0)
    {
        return;
    }
    const Local local = {3};
    add_to(local.twice());
    add_to(plus(4));
    switch (color)
    {
    case Color::RED:
        add_to(1000);
        break;
    case Color::GREEN:
        add_to(2000);
        break;
    }
    int left = 3;
again:
    add_to(100);
    if (--left > 0)
    {
        goto again;
    }
    const int table[2][2] = {{1, 2}, {3, 4}};
    for (const auto &row : table)
    {
        add_to(row[1]);
    }
    using Number = decltype(n);
    Number last = sizeof(n);
    add_to(last);
    using Matrix = int[2][3];
    add_to(sizeof(Matrix));
}

__global__ void named(int *sum)
{
    const char *name = __func__, *same = __FUNCTION__;
    int difference = 0;
    for (int i = 0; i < 6; ++i)
    {
        difference += name[i] != "named"[i] || same[i] != name[i];
    }
    atomicAdd(sum, difference + (int)sizeof(__func__));
}

__global__ void counts_calls(int *sum)
{
    static int calls = 40; // one for all launches, in global memory
    atomicAdd(&calls, 1);
    __threadfence();
    if (threadIdx.x == 0)
    {
        atomicAdd(sum, calls);
    }
}

template <class T>
__global__ void early(int *sum, const T *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    auto &&value = x == nullptr ? T(2) : x[i];
    atomicAdd(sum, value);
}

int main()
{
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemset(d_sum, 0, sizeof(int));
    kernels();
    device_functions();
    inside<<<1, 1>>>(d_sum, 5, Color::GREEN);
    expect("inside a kernel", 6 + 9 + 2000 + 300 + 6 + 4 + 24);
    inside<<<1, 1>>>(d_sum, -1, Color::RED);
    expect("return", 0);
    named<<<1, 1>>>(d_sum);
    expect("__func__", 6);
    counts_calls<<<1, 1>>>(d_sum);
    counts_calls<<<1, 1>>>(d_sum);
    expect("a static variable", 41 + 42);
    early<int><<<4, 32>>>(d_sum, nullptr, 100);
    expect("early return", 200);
    cudaFree(d_sum);
    return failures != 0;
}
