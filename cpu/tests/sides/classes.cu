// Classes and templates with members for the host, for the device and for both, each used where it may be.
#include <cstdio>
#include <map>
#include <string>
#include <vector>
template <class T>
class Stack
{
    T *data;
    int n;

  public:
    Stack(int m) : data(new T[m]), n(m)
    {
    }
    __device__ T top() const
    {
        return data[n - 1];
    }
    int size() const
    {
        return n;
    }
};
class Matrix
{
    float *m;
    int rows;

  public:
    Matrix(int r) : rows(r)
    {
        cudaMallocManaged(&m, r * sizeof(float));
    }
    ~Matrix()
    {
        cudaFree(m);
    }
    __host__ __device__ float &at(int i)
    {
        return m[i];
    }
    __device__ float get(int i) const
    {
        return m[i];
    }
    float get(int i)
    {
        return m[i];
    }
    __device__ int size() const;
    int size(int) const
    {
        return rows;
    }
    float *begin()
    {
        return m;
    }
};
__device__ int Matrix::size() const
{
    return rows;
}
struct Vec
{
    float x, y;
    Vec()
    {
    }
    __host__ __device__ Vec(float a, float b) : x(a), y(b)
    {
    }
    __host__ __device__ float dot(const Vec &o) const
    {
        return x * o.x + y * o.y;
    }
    float length() const
    {
        return x;
    }
};
struct Particle
{
    Vec p;
    Vec v;
    __device__ void step(float dt)
    {
        p = Vec(p.x + v.x * dt, p.y);
        move(dt);
    }
    __device__ void move(float dt)
    {
        p.x += dt;
    }
    void print()
    {
        printf("%g", p.x);
    }
};
struct Ray
{
    float o;
    inline __device__ Ray()
    {
    }
    inline __device__ Ray(float a)
    {
        o = a;
    }
    __device__ float at(float t) const
    {
        return o + t;
    }
};
struct Iter
{
    int i;
    __host__ __device__ Iter &next()
    {
        ++i;
        return *this;
    }
    void reset()
    {
        i = 0;
    }
    __device__ void clear()
    {
        this->i = 0;
        next().next();
    }
};
template <class T>
__device__ T at(T *p, int i)
{
    return p[i];
}
#define HD __host__ __device__
struct Macro
{
    int v;
    HD int f() const
    {
        return v;
    }
    HD Macro() : v(0)
    {
    }
};
__device__ float helper(const Particle *list, int i)
{
    return list[i].p.dot(list[i].v);
}
__global__ void k(Matrix *a, Particle *p, Stack<int> *s, Vec v, float *out)
{
    Vec u(1, 2), zero(0.f, 1.f);
    Ray ray(3.f), other;
    Macro macro;
    Iter it = {3};
    it.clear();
    const Matrix &c = *a;
    p[0].step(0.1f);
    out[0] = u.dot(v) + ray.at(2) + zero.x + macro.f() + a->at(0) + c.get(1) + a->size() +
             s->top() + helper(p, 0) + at(out, 0) + other.o + it.i;
}
template <typename F, typename... A>
static void time_it(F f, A... a)
{
    f(a...);
}
int host_only(int x)
{
    return x;
}
int main()
{
    Matrix m(4);
    Stack<int> s(3);
    std::map<std::string, int> names;
    std::vector<Particle> list(3);
    for (auto &one : list)
    {
        one.print();
    }
    time_it(
        [&](int n)
        {
            k<<<1, 1>>>(&m, list.data(), &s, Vec(1, 2), m.begin());
            return n;
        },
        3);
    time_it(host_only, 3);
    const auto launch = [&]
    {
        k<<<1, 32>>>(&m, nullptr, &s, Vec(), nullptr);
    };
    launch();
    names["a"] = m.size(1) + s.size() + (int)m.get(0) + (int)list[0].p.length();
    int threads = 32, blocks = host_only(3);
    k<<<blocks, threads, host_only(0)>>>(&m, nullptr, &s, Vec(), nullptr);
}
