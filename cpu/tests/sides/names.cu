// What nvcc takes, though it looks like what is refused.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>
__device__ int d_x, d_a[4], d_unused = 3;
__constant__ float c_t[3];
const __device__ int d_known = 4;
__managed__ int m_x, m_a[4];
struct Pod
{
    int x, y;
    int sum() const
    {
        return x + y;
    }
    __host__ __device__ int twice() const
    {
        return 2 * x;
    }
};
__device__ Pod d_pod;
struct Base
{
    int v;
    __host__ __device__ Base(int v) : v(v)
    {
    }
    int get()
    {
        return v;
    }
    __device__ int get() const
    {
        return v + 1;
    }
};
struct Derived : Base
{
    using Base::Base;
    __device__ int more()
    {
        return v + helper();
    }
    __device__ int helper()
    {
        return 1;
    }
};
struct Host
{
    std::vector<int> list;
    int size()
    {
        return (int)list.size();
    }
    int value = 3;
    __device__ int plain()
    {
        return value;
    }
};
struct Both
{
    int n;
    Both() = default;
    __host__ __device__ Both(int n) : n(n)
    {
    }
    static constexpr int three()
    {
        return 3;
    }
    static __device__ int four()
    {
        return 4;
    }
    int host()
    {
        return n;
    }
};
struct Virtual
{
    __device__ virtual int f()
    {
        return 1;
    }
    __device__ virtual ~Virtual()
    {
    }
};
struct Over : Virtual
{
    __device__ int f() override
    {
        return 2;
    }
};
struct Outer
{
    int apply(int x)
    {
        return x;
    }
    template <class F>
    __device__ int call(F apply, int x)
    {
        return apply(x);
    }
};
struct Op
{
    __device__ int operator()(int x) const
    {
        return x + 1;
    }
    int size() const
    {
        return 1;
    }
};
struct Late
{
    int x;
    __device__ int f();
    int g();
};
__device__ int Late::f()
{
    return x;
}
int Late::g()
{
    return 2;
}
namespace s
{
int f()
{
    return 1;
}
__device__ int g()
{
    return 2;
}
} // namespace s
namespace t
{
__host__ __device__ int f()
{
    return 3;
}
} // namespace t
template <class T>
T host_twice(T x)
{
    return x + x;
}
template <class T>
__host__ __device__ T both_twice(T x)
{
    return x + x;
}
template <class T>
__device__ T over(T x)
{
    return x;
}
template <class T>
T over(T x, T y)
{
    return x + y;
}
template <class T>
constexpr T always(T x)
{
    return x;
}
template <class F>
__global__ void run(F f, int *p)
{
    *p = f(1);
}
template <class T>
void copy_to(T &symbol, const T &value)
{
    cudaMemcpyToSymbol(symbol, &value, sizeof(T));
}
template <class T>
void show(const T &symbol)
{
    T value;
    cudaMemcpyFromSymbol(&value, symbol, sizeof(T));
}
typedef int (*Function)(int);
__device__ int plus(int x)
{
    return x + 1;
}
__device__ Function d_plus = plus;
__global__ void call(Function f, int *p)
{
    *p = f(1);
}
__global__ void k(Pod a, Base b, const Both *c, int *p, std::vector<int> *unused)
{
    Both local, other(3), third{4};
    Late late = {3};
    const Pod twin = a;
    Derived d(5);
    Op size;
    auto host_twice = [](int x)
    {
        return x;
    };
    *p = a.twice() + c->n + Both::three() + Both::four() + local.n + other.n + third.n + late.f() +
         twin.x + d.more() + size(3) + host_twice(2);
    *p +=
        s::g() + t::f() + both_twice(3) + over(4) + sizeof(std::vector<int>) + b.v + std::max(1, 2);
    std::vector<int> *none = unused;
    Virtual *v = new Over;
    *p += v->f() + (none == nullptr);
    delete v;
    int list[3] = {3, 1, 2};
    for (int &sort : list)
    {
        sort += 1;
    }
    decltype(a.sum()) type = 3;
    *p += type + Outer().call([](int x) { return x; }, 3) + d_x + d_a[0] + d_pod.x + d_pod.twice();
    const Base fixed(1);
    *p += fixed.get();
}
int twice_of(int d_x)
{
    return d_x + 1;
}
int main()
{
    int *p, one = 1, values[4];
    cudaMallocManaged(&p, sizeof(int));
    copy_to(d_x, one);
    show(d_x);
    show(d_pod);
    cudaMemcpyToSymbol(d_a, values, sizeof(values));
    cudaMemcpyFromSymbol(&one, d_x, sizeof d_x);
    cudaMemcpyFromSymbol(values, d_a, sizeof(d_a), 0, cudaMemcpyDeviceToHost);
    void *address;
    cudaGetSymbolAddress(&address, d_a);
    auto &r = d_x;
    cudaMemcpyToSymbol(r, &one, sizeof(r));
    cudaMemcpyToSymbol(c_t, values, sizeof(c_t[0]) * 3);
    m_x = 3;
    m_a[1] = m_x + d_known;
    int n = sizeof(d_a) / sizeof(d_a[0]), z = d_known;
    Function f;
    cudaMemcpyFromSymbol(&f, d_plus, sizeof(f));
    call<<<1, 1>>>(f, p);
    run<<<1, 1>>>([=] __device__(int x) { return x + n; }, p);
    run<<<1, 1>>>([] __host__ __device__(int x) { return x; }, p);
    run<<<1, 1>>>(Op(), p);
    auto g = [=] __device__(int x)
    {
        return x + z;
    };
    run<<<1, 1>>>(g, p);
    auto count = [&]()
    {
        return n;
    };
    run<<<1, 1>>>(Op{}, p + (count() - count()));
    std::function<int(int)> h = [](int x)
    {
        return x;
    };
    {
        int d_x = 4;
        one = d_x + 1;
        printf("%d", d_x);
    }
    Pod pod = {1, 2};
    Host host;
    k<<<1, 1>>>(pod, Base(3), nullptr, p, nullptr);
    std::string text = std::to_string(host_twice(pod.sum()) + host.size() + h(1) + Base(1).get() +
                                      s::f() + twice_of(3));
    std::vector<int> v(3);
    std::sort(v.begin(), v.end());
    return over(1, 2) + always(3) == (int)text.size();
}
