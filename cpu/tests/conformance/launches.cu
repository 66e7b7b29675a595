// launches: every way to write a launch and to declare a kernel.
//
// Conforms to: the CUDA C++ Programming Guide, "Kernels" and "Execution Configuration"; kernels are
// functions: C++'s rules for overloads, default arguments, conversions and linkage hold.
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call) check(#call, call)

static int failures = 0;

static void check(const char *call, cudaError_t error)
{
    if (error != cudaSuccess)
    {
        printf("%s: %s\n", call, cudaGetErrorName(error));
        ++failures;
    }
}

static void expect(const char *name, int is, int should)
{
    if (is == should)
    {
        printf("%s: ok\n", name);
    }
    else
    {
        printf("%s: %d, not %d\n", name, is, should);
        ++failures;
    }
}

// All kernels add to *d_sum; taken() reads it and sets it back to 0.
static int *d_sum;

static int taken()
{
    int sum = -1;
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(&sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(d_sum, 0, sizeof(sum)));
    return sum;
}

// --- declarations --------------------------------------------------------------------------------

__global__ void declared_first(int *sum, int x = 7);
void __global__ word_in_between(int *sum);
extern "C" __global__ void c_linkage(int *sum);
extern "C"
{
    __global__ void c_block(int *sum)
    {
        atomicAdd(sum, 1);
    }
}
static __global__ void is_static(int *sum)
{
    atomicAdd(sum, 1);
}
__global__ static void is_static_too(int *sum)
{
    atomicAdd(sum, 1);
}
__global__ __launch_bounds__(64) void bounded(int *sum)
{
    atomicAdd(sum, 1);
}
__global__ void __launch_bounds__(64, 2) bounded_between(int *sum)
{
    atomicAdd(sum, 1);
}
template <int N>
__global__ void __launch_bounds__(N) bounded_template(int *sum)
{
    atomicAdd(sum, N);
}
__global__ auto trailing(int *sum) -> void
{
    atomicAdd(sum, 1);
}
[[maybe_unused]] __global__ void with_attribute(int *sum)
{
    atomicAdd(sum, 1);
}

__global__ void declared_first(int *sum, int x)
{
    atomicAdd(sum, x);
}

void __global__ word_in_between(int *sum)
{
    atomicAdd(sum, 1);
} // a comment right after

extern "C" __global__ void c_linkage(int *sum)
{
    atomicAdd(sum, 1);
}

static void declarations()
{
    declared_first<<<1, 1>>>(d_sum);
    declared_first<<<1, 1>>>(d_sum, 3);
    expect("declared first, default argument", taken(), 10);
    word_in_between<<<2, 2>>>(d_sum);
    c_linkage<<<2, 2>>>(d_sum);
    c_block<<<2, 2>>>(d_sum);
    is_static<<<2, 2>>>(d_sum);
    is_static_too<<<2, 2>>>(d_sum);
    bounded<<<2, 2>>>(d_sum);
    bounded_between<<<2, 2>>>(d_sum);
    trailing<<<2, 2>>>(d_sum);
    with_attribute<<<2, 2>>>(d_sum);
    expect("specifiers everywhere", taken(), 36);
    bounded_template<64><<<1, 2>>>(d_sum);
    expect("launch bounds in a template", taken(), 128);
}

// --- configurations ------------------------------------------------------------------------------

__global__ void count(int *sum)
{
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int blocks = gridDim.x * gridDim.y * gridDim.z;
    if (threadIdx.x + threadIdx.y + threadIdx.z + blockIdx.x + blockIdx.y + blockIdx.z == 0)
    {
        atomicAdd(sum, 1000 * blocks + threads);
    }
}

#define BLOCK 256
#define BLOCKS_FOR(n) (((n) + BLOCK - 1) / BLOCK)
#define CONFIGURATION(n) BLOCKS_FOR(n), BLOCK
#define LAUNCH(kernel, blocks, threads, ...) kernel<<<blocks, threads>>>(__VA_ARGS__)
#define RUN(kernel, ...)               \
    do                                 \
    {                                  \
        kernel<<<3, 4>>>(__VA_ARGS__); \
    } while (0)

struct Shape
{
    dim3 grid, block;
};

static dim3 twice(dim3 d)
{
    return dim3(2 * d.x, d.y, d.z);
}

template <class T>
struct Wide
{
    static const int value = sizeof(T);
};

static void configurations()
{
    const int n = 1000;
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    count<<<(n + 255) / 256, 256>>>(d_sum);
    expect("expressions", taken(), 4256);
    count<<<(n + 255) / 256, 256, n * sizeof(float), stream>>>(d_sum);
    expect("four parts", taken(), 4256);
    count<<<{2, 2}, dim3(4)>>>(d_sum);
    expect("braces", taken(), 4004);
    count<<<dim3{2, 3}, {4, 5, 6}>>>(d_sum);
    expect("braces of three", taken(), 6120);
    count<<<twice(dim3(3)), twice({2, 2})>>>(d_sum);
    expect("calls", taken(), 6008);
    const Shape shape = {dim3(2), dim3(3)}, *there = &shape;
    count<<<shape.grid, there->block, 0>>>(d_sum);
    expect("members", taken(), 2003);
    // clang-format off
    count<<<n > 5 ? 2 : 1, (n >> 3) > 5 ? 7 : n << 2>>>(d_sum);
    // clang-format on
    expect("conditions and shifts", taken(), 2007);
    count<<<Wide<double>::value, Wide<int>::value>>>(d_sum);
    expect("templates", taken(), 8004);
    count<<<CONFIGURATION(n)>>>(d_sum);
    expect("a macro's", taken(), 4256);
    LAUNCH(count, 3, 5, d_sum);
    expect("a launch in a macro", taken(), 3005);
    RUN(count, d_sum);
    expect("a launch in a loop in a macro", taken(), 3004);
    // clang-format off
    count <<< 2 , 3 >>> ( d_sum ) ;
    count
        <<<
            2, // blocks
            3  /* threads */
        >>>(
            d_sum);
    count<<<2,3>>>(d_sum);count<<<2,3>>>(d_sum); // two on a line
    // clang-format on
    expect("white space", taken(), 8012);
    if (n > 5)
        count<<<2, 3>>>(d_sum);
    else
        count<<<3, 3>>>(d_sum);
    for (int i = 0; i < 2; ++i)
        count<<<1, 1>>>(d_sum);
    expect("without braces around it", taken(), 4005);
    n > 5 ? count<<<2, 3>>>(d_sum) : count<<<3, 3>>>(d_sum);
    (count<<<2, 3>>>(d_sum), count<<<2, 3>>>(d_sum));
    expect("as an expression", taken(), 6009);
    auto launch = [&](int blocks)
    {
        count<<<blocks, 1>>>(d_sum);
    };
    launch(5);
    expect("in a lambda", taken(), 5001);
    CHECK(cudaStreamDestroy(stream));
}

// --- which kernel --------------------------------------------------------------------------------

namespace outer
{
__global__ void one(int *sum)
{
    atomicAdd(sum, 1);
}
namespace inner
{
__global__ void two(int *sum)
{
    atomicAdd(sum, 2);
}
} // namespace inner
} // namespace outer

namespace
{
__global__ void three(int *sum)
{
    atomicAdd(sum, 3);
}
} // namespace

__global__ void one(int *sum)
{
    atomicAdd(sum, 10);
}

typedef void (*Kernel)(int *);
using SameKernel = void (*)(int *sum);

struct Launcher
{
    Kernel kernel;
    Kernel table[2];
    int *sum;
    void run() const
    {
        kernel<<<1, 1>>>(sum);
        this->kernel<<<1, 1>>>(this->sum);
        (*this).table[1]<<<1, 1>>>((*this).sum);
    }
    static void run_static(Kernel kernel)
    {
        kernel<<<1, 1>>>(d_sum);
    }
};

static Kernel choose(int i)
{
    return i == 1 ? outer::one : three;
}

static const Launcher &the_launcher()
{
    static const Launcher launcher = {outer::one, {one, three}, d_sum};
    return launcher;
}

template <Kernel K>
static void run_parameter()
{
    K<<<1, 1>>>(d_sum);
}

template <class K, class... Args>
static void run_any(K kernel, Args... args)
{
    kernel<<<1, 1>>>(args...);
}

static void which_kernel()
{
    using namespace outer;
    outer::one<<<1, 1>>>(d_sum);
    outer::inner::two<<<1, 1>>>(d_sum);
    inner::two<<<1, 1>>>(d_sum);
    three<<<1, 1>>>(d_sum);
    expect("namespaces", taken(), 8);
    ::one<<<1, 1>>>(d_sum);
    if (failures == 0)
        ::one<<<1, 1>>>(d_sum);
    else
        ::outer::one<<<1, 1>>>(d_sum);
    expect("the outermost", taken(), 20);

    Kernel pointer = three;
    SameKernel same = &three;
    Kernel &reference = pointer;
    void (*plain)(int *) = outer::one;
    pointer<<<1, 1>>>(d_sum);
    (*pointer)<<<1, 1>>>(d_sum);
    (same)<<<1, 1>>>(d_sum);
    reference<<<1, 1>>>(d_sum);
    plain<<<1, 1>>>(d_sum);
    expect("pointers and references", taken(), 13);
    const Kernel table[2][2] = {{outer::one, inner::two}, {three, ::one}};
    for (int i = 0; i < 4; ++i)
    {
        table[i / 2][i % 2]<<<1, 1>>>(d_sum);
    }
    expect("a table", taken(), 16);
    choose(1)<<<1, 1>>>(d_sum);
    ::choose(2)<<<1, 1>>>(d_sum);
    (failures == 0 ? three : plain)<<<1, 1>>>(d_sum);
    if (failures == 0)
        (three)<<<1, 1>>>(d_sum);
    expect("chosen", taken(), 10);
    const Launcher launcher = {outer::one, {::one, three}, d_sum}, *there = &launcher;
    launcher.run();
    Launcher::run_static(three);
    there->table[0]<<<1, 1>>>(there->sum);
    the_launcher().kernel<<<1, 1>>>(d_sum);
    expect("members", taken(), 19);
    run_parameter<three>();
    run_any(inner::two, d_sum);
    run_any(declared_first, d_sum, 5);
    expect("parameters of a template", taken(), 10);
}

// --- arguments -----------------------------------------------------------------------------------

struct Pair
{
    int a, b;
};

struct Large
{
    int values[1000];
};

struct Counted // has a constructor, a copy constructor and methods
{
    int value;
    __host__ __device__ Counted(int value) : value(value)
    {
    }
    __host__ __device__ Counted(const Counted &other) : value(other.value)
    {
    }
    __host__ __device__ int twice() const
    {
        return 2 * value;
    }
};

__global__ void overloaded(int *sum, int x)
{
    atomicAdd(sum, x);
}

__global__ void overloaded(int *sum, double x)
{
    atomicAdd(sum, (int)(10 * x));
}

__global__ void overloaded(int *sum, Pair x)
{
    atomicAdd(sum, 100 * x.a + x.b);
}

__global__ void pointers(int *sum, const float *x, float *y, void *z)
{
    atomicAdd(sum, (x == NULL) + 2 * (y == nullptr) + 4 * (z == 0));
}

__global__ void by_value(int *sum, Pair p, const Large large, Counted c)
{
    p.a += large.values[999]; // its own copy, in every thread
    atomicAdd(sum, p.a + p.b + c.twice());
}

__global__ void changes(int *sum, int n)
{
    while (n > 0)
    {
        atomicAdd(sum, 1);
        --n;
    }
}

__global__ void unnamed(int *sum, int, float unused, Pair)
{
    atomicAdd(sum, 1);
}

__global__ void many_types(int *__restrict__ sum, const int a[], char c, bool b, size_t s,
                           unsigned long long u, const float f, double (*)[4])
{
    atomicAdd(sum, (a == NULL) + c + b + (int)s + (int)u + (int)f);
}

__global__ void function_of(int *sum, int (*)(int))
{
    atomicAdd(sum, 1);
}

__global__ void nothing()
{
}

__global__ void nothing_either(void)
{
    return;
}

static int next()
{
    static int calls = 0;
    return ++calls;
}

static void arguments()
{
    overloaded<<<1, 1>>>(d_sum, 1);
    overloaded<<<1, 1>>>(d_sum, 1.5);
    overloaded<<<1, 1>>>(d_sum, Pair{2, 3});
    overloaded<<<1, 1>>>(d_sum, {4, 5});
    expect("overloads", taken(), 624);
    void (*exact)(int *, double) = overloaded;
    exact<<<1, 1>>>(d_sum, 2);
    expect("an overload's address", taken(), 20);
    pointers<<<1, 1>>>(d_sum, NULL, nullptr, 0);
    expect("null pointers", taken(), 7);
    pointers<<<1, 1>>>(d_sum, {}, {}, d_sum);
    expect("empty braces", taken(), 3);
    Large large = {};
    large.values[999] = 4;
    const Counted counted(3);
    by_value<<<2, 32>>>(d_sum, Pair{1, 2}, large, counted);
    large.values[999] = 0; // the launch has its copy
    expect("structures by value", taken(), 64 * 13);
    by_value<<<1, 1>>>(d_sum, {1, 2}, {}, 5);
    expect("structures from braces and conversions", taken(), 13);
    changes<<<1, 10>>>(d_sum, 3);
    expect("a parameter is each thread's own", taken(), 30);
    unnamed<<<1, 1>>>(d_sum, 1, 2.0f, {3, 4});
    expect("unnamed and unused", taken(), 1);
    many_types<<<1, 1>>>(d_sum, 0, 'a', true, sizeof(int), 5, 6, NULL);
    expect("many types", taken(), 1 + 'a' + 1 + 4 + 5 + 6);
    function_of<<<1, 1>>>(d_sum, 0);
    nothing<<<1, 1>>>();
    nothing_either<<<1, 1>>>();
    expect("none", taken(), 1);
    for (int i = 0; i < 3; ++i)
    {
        changes<<<1, 1>>>(d_sum, next());
    }
    expect("evaluated once", taken(), 6);
}

// --- cudaLaunchKernel ------------------------------------------------------------------------------

__global__ void scaled(int *sum, int x, double factor)
{
    atomicAdd(sum, (int)(x * factor));
}

static void launch_kernel()
{
    int x = 3;
    double factor = 2.5;
    void *arguments[] = {&d_sum, &x, &factor};
    CHECK(cudaLaunchKernel((void *)scaled, dim3(2), dim3(4), arguments, 0, 0));
    CHECK(cudaLaunchKernel((const void *)scaled, 2, 4, arguments, 0, NULL));
    CHECK(cudaLaunchKernel(reinterpret_cast<void *>(&scaled), dim3(1), dim3(1), arguments, 0, 0));
    CHECK(cudaLaunchKernel(scaled, dim3(1), dim3(1), arguments, 0, 0));
    expect("cudaLaunchKernel", taken(), 18 * 7);
}

// --- text that only looks like one -------------------------------------------------------------------

// k<<<1, 1>>>() in a comment; __global__ and __shared__, too.
static const char *const TEXT = "k<<<1, 1>>>(); __shared__ int s; \" __global__ void k(";
static const char *const RAW = R"x(k<<<1, 1>>>() __global__ " )y" asm("mov") )x";

struct Stream
{
    int value;
    Stream &operator<<(int x)
    {
        value += x;
        return *this;
    }
};

template <class T>
struct Box
{
    T value;
};

static void look_alikes()
{
    const char quote = '"', apostrophe = '\'';
    const int million = 1'000'000;
    Box<Box<Box<int>>> nested = {{{5}}};
    Stream stream = {0};
    stream << 1 << (2 << 3) << (256 >> 2 >> 1);
    int x = 1;
    x <<= 3;
    x >>= 1;
    int right = TEXT[0] == 'k' && RAW[0] == 'k' && quote == 34 && apostrophe == 39;
    expect("strings, comments and operators", right + million + nested.value.value.value + x,
           1000010);
    expect("shifts", stream.value, 49);
}

int main()
{
    CHECK(cudaMalloc(&d_sum, sizeof(int)));
    CHECK(cudaMemset(d_sum, 0, sizeof(int)));
    declarations();
    configurations();
    which_kernel();
    arguments();
    launch_kernel();
    look_alikes();
    CHECK(cudaFree(d_sum));
    return failures != 0;
}
