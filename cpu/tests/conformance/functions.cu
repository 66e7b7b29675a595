// Conforms to: device functions of every kind: recursion, pointers, functors, lambdas, templates,
// classes with static and virtual members, memory from malloc and new in a kernel, assert.
#include <assert.h>
#include "expect.cuh"

// --- plain functions -----------------------------------------------------------------------

__device__ unsigned long long fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__host__ __device__ bool is_odd(unsigned n);

__host__ __device__ bool is_even(unsigned n)
{
    return n == 0 || is_odd(n - 1);
}

__host__ __device__ bool is_odd(unsigned n)
{
    return n != 0 && is_even(n - 1);
}

__device__ int scale(int x, int factor = 3)
{
    return x * factor;
}

__device__ float scale(float x)
{
    return x * 0.5f;
}

__device__ __forceinline__ void swap_values(int &a, int &b)
{
    const int c = a;
    a = b;
    b = c;
}

static __device__ __noinline__ int add_one(int x)
{
    return x + 1;
}

extern "C" __device__ int twice(int x)
{
    return 2 * x;
}

typedef int (*Function)(int);
__device__ Function table[] = {add_one, twice};
__device__ Function one_function = twice;

__global__ void plain()
{
    const int tid = threadIdx.x;
    EXPECT(fibonacci(12) == 144);
    EXPECT(is_even(tid) == (tid % 2 == 0));
    EXPECT(scale(2) == 6 && scale(2, 5) == 10 && scale(3.0f) == 1.5f);
    int a = 1, b = 2;
    swap_values(a, b);
    EXPECT(a == 2 && b == 1);
    EXPECT(table[tid % 2](10) == (tid % 2 == 0 ? 11 : 20));
    EXPECT(one_function(4) == 8);
    Function local = tid % 2 == 0 ? add_one : twice;
    EXPECT(local(7) == (tid % 2 == 0 ? 8 : 14));
}

__global__ void call(Function function, int x, int expected)
{
    EXPECT(function(x) == expected);
}

// --- templates, functors, lambdas ----------------------------------------------------------

template <typename T>
struct Axpy
{
    T a;
    __host__ __device__ T operator()(T x, T y) const
    {
        return a * x + y;
    }
};

template <typename T, typename Operation>
__global__ void apply(T x, T y, T expected, Operation operation)
{
    EXPECT(operation(x, y) == expected);
}

template <int N>
__device__ int factorial()
{
    return N * factorial<N - 1>();
}

template <>
__device__ int factorial<0>()
{
    return 1;
}

__device__ int sum()
{
    return 0;
}

template <typename First, typename... Rest>
__device__ int sum(First first, Rest... rest)
{
    return first + sum(rest...);
}

template <typename T, int Size>
struct Stack
{
    T items[Size];
    int count = 0;
    __device__ void push(const T &item)
    {
        items[count++] = item;
    }
    __device__ T pop()
    {
        return items[--count];
    }
};

template <typename T>
struct Limits;
template <>
struct Limits<int>
{
    static const int bits = 32;
    static __host__ __device__ constexpr int largest()
    {
        return 0x7fffffff;
    }
};

template <typename T>
__device__ T clamp_to(T x, T low, T high)
{
    return x < low ? low : x > high ? high : x;
}

__global__ void templates()
{
    const int tid = threadIdx.x;
    EXPECT(factorial<6>() == 720 && sum(1, 2, 3u, 4) == 10);
    Stack<float, 8> stack;
    stack.push(1.5f);
    stack.push(tid);
    EXPECT(stack.pop() == tid && stack.pop() == 1.5f && stack.count == 0);
    EXPECT(Limits<int>::bits == 32 && Limits<int>::largest() == 2147483647);
    EXPECT(clamp_to(5, 0, 3) == 3 && clamp_to<double>(-1, 0, 3) == 0);
    int calls = 0;
    auto count = [&](int n)
    {
        return calls += n;
    };
    count(2);
    EXPECT(count(tid) == tid + 2 && calls == tid + 2);
    const auto compose = [](auto f, auto g)
    {
        return [=](int x)
        {
            return f(g(x));
        };
    };
    EXPECT(compose([](int x) { return x + 1; }, [](int x) { return x * x; })(3) == 10);
}

// --- classes -------------------------------------------------------------------------------

class Shape
{
  public:
    __device__ virtual int area() const = 0;
    __device__ virtual ~Shape()
    {
    }
};

class Square : public Shape
{
  public:
    __device__ explicit Square(int side) : side(side)
    {
    }
    __device__ int area() const override
    {
        return side * side;
    }

  private:
    int side;
};

class Rectangle : public Shape
{
  public:
    __device__ Rectangle(int width, int height) : width(width), height(height)
    {
    }
    __device__ int area() const override
    {
        return width * height;
    }

  private:
    int width, height;
};

struct Complex
{
    float re, im;
    __host__ __device__ Complex(float re, float im) : re(re), im(im)
    {
    }
    __device__ Complex operator*(const Complex &z) const
    {
        return Complex(re * z.re - im * z.im, re * z.im + im * z.re);
    }
    __device__ friend bool operator==(const Complex &a, const Complex &b)
    {
        return a.re == b.re && a.im == b.im;
    }
};

__global__ void classes(Complex z)
{
    const int tid = threadIdx.x;
    Shape *shape;
    if (tid % 2 == 0)
    {
        shape = new Square(tid);
    }
    else
    {
        shape = new Rectangle(tid, 2);
    }
    EXPECT(shape->area() == (tid % 2 == 0 ? tid * tid : 2 * tid));
    delete shape;
    EXPECT(z * z == Complex(-3, 4));
}

__global__ void allocate(int **kept)
{
    const int n = threadIdx.x + 1;
    int *x = (int *)malloc(n * sizeof(int));
    EXPECT(x != NULL);
    for (int i = 0; i < n; ++i)
    {
        x[i] = i * n;
    }
    __syncthreads();
    EXPECT(x[n - 1] == (n - 1) * n);
    kept[threadIdx.x] = x; // for another kernel
    double *y = new double[n]();
    EXPECT(y[n - 1] == 0.0);
    delete[] y;
    free(NULL);
}

__global__ void release(int **kept)
{
    const int n = threadIdx.x + 1;
    EXPECT(kept[threadIdx.x][n - 1] == (n - 1) * n);
    assert(kept[threadIdx.x] != NULL); // which holds
    free(kept[threadIdx.x]);
}

int main()
{
    plain<<<2, 32>>>();
    Function function;
    cudaMemcpyFromSymbol(&function, one_function, sizeof(function));
    call<<<1, 32>>>(function, 21, 42);
    report("functions and pointers to them");
    apply<<<1, 32>>>(2.0f, 1.0f, 7.0f, Axpy<float>{3.0f});
    apply<<<1, 32>>>(2, 1, 9, Axpy<int>{4});
#ifdef __CUDACC_EXTENDED_LAMBDA__
    const int factor = 5;
    apply<<<1, 32>>>(2, 1, 11, [=] __device__(int x, int y) { return factor * x + y; });
    apply<<<1, 32>>>(2.0, 1.0, 2.0, [] __host__ __device__(double x, double y) { return x * y; });
#endif
    templates<<<1, 32>>>();
    report("templates, functors, lambdas");
    classes<<<2, 64>>>(Complex(1, 2));
    report("classes");
    int **d_kept;
    cudaMalloc((void **)&d_kept, 128 * sizeof(*d_kept));
    allocate<<<1, 128>>>(d_kept);
    release<<<1, 128>>>(d_kept);
    report("malloc, new, assert");
    cudaFree(d_kept);
    return num_wrong;
}
