// 18_structures: from an array of structures to three arrays
// 18_structures.zh: 从结构体数组到三个数组
//
// Kind: faster
// Chapter: 7
// Program: ch07_global_mem/aos-soa.cu
// Book: 7.1
// Goal: For each of N atoms the kernel computes the square of its distance from the origin. The result is right.
//   But the atoms lie on the device as an array of structures, and each load takes 12 sectors a request, where 4
//   would do. Lay x, y and z on the device so that 4 are enough. That changes the kernel and what fills its
//   memory; `all_squares` keeps its parameters.
// Goal.zh: 核函数求 N 个原子各自到原点距离的平方。结果是对的。但在设备上，原子放在一个结构体数组中，每次读的一个请求
//   要 12 个扇区，而 4 个就够了。请改变 x、y、z 在设备上的存放方式，做到 4 个。核函数和填写它的内存的代码都要改；
//   `all_squares` 的参数不变。
// Hint 1: Thread n reads atoms[n].x, and thread n + 1 at the same time atoms[n + 1].x. How many bytes lie between the
//   two? What stands in these bytes?
// Hint 1.zh: 线程 n 读 atoms[n].x，同时线程 n + 1 读 atoms[n + 1].x。两者之间相隔多少个字节？这些字节里放的是什么？
// Hint 2: A request is for one member only: all 32 threads want their x. It takes 4 sectors if the x of all atoms lie
//   side by side, and then all y, and then all z.
// Hint 2.zh: 一个请求只要一个成员：32 个线程都要自己的 x。只有所有原子的 x 并排放在一起，然后是所有的 y，
//   再是所有的 z，它才只要 4 个扇区。
// Hint 3: The host has x, y and z in three arrays already. What has to be done so that the device has them so, too?
//   The kernel then gets three pointers in the place of one.
// Hint 3.zh: 主机上的 x、y、z 本来就是三个数组。怎样让设备上也是这样？这时核函数得到的不是一个指针，而是三个。
// After: This is called a structure of arrays, and the other one an array of structures. A request that takes 12
//   sectors of 32 bytes has 384 bytes, and uses 128. Counting knows no cache. Here the kernel wants all three
//   members, so on a card the loads of y and z find most of their sectors in the cache, and the time changes
//   little. A kernel that wants only x, or that writes the members, pays for it: see the rows `8 aos` and `8 soa`
//   of bin/aos-soa. A float4 for each atom is good, too: one request of 16 bytes, of which 12 are used.
// After.zh: 这种存放方式叫数组结构体（structure of arrays），原来的叫结构体数组（array of structures）。一个请求要 12 个
//   32 字节的扇区，共 384 个字节，只用到 128 个。计数不考虑缓存。这里的核函数三个成员都要，所以在显卡上，
//   读 y 和 z 时多半能在缓存中找到扇区，时间相差不大。只要 x 的核函数，或者要写这些成员的核函数，就要付出代价：
//   见 bin/aos-soa 的 `8 aos` 和 `8 soa` 两行。每个原子一个 float4 也很好：一个 16 字节的请求，用到 12 个字节。

#include <stdio.h>

//[
__global__ void squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        r2[n] = x[n] * x[n] + y[n] * y[n] + z[n] * z[n];
    }
}

// x, y, z and r2 are arrays of the host.
//zh x、y、z 和 r2 是主机上的数组。
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    const size_t bytes = N * sizeof(float);
    float *x_there, *y_there, *z_there, *r2_there;
    cudaMalloc((void **)&x_there, bytes);
    cudaMalloc((void **)&y_there, bytes);
    cudaMalloc((void **)&z_there, bytes);
    cudaMalloc((void **)&r2_there, bytes);
    cudaMemcpy(x_there, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(y_there, y, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(z_there, z, bytes, cudaMemcpyHostToDevice);
    squares<<<(N + 127) / 128, 128>>>(x_there, y_there, z_there, r2_there, N);
    cudaMemcpy(r2, r2_there, bytes, cudaMemcpyDeviceToHost);
    cudaFree(x_there);
    cudaFree(y_there);
    cudaFree(z_there);
    cudaFree(r2_there);
}
//| struct Atom
//| {
//|     float x, y, z;
//| };
//|
//| __global__ void squares(const Atom *atoms, float *r2, int N)
//| {
//|     const int n = blockIdx.x * blockDim.x + threadIdx.x;
//|     if (n < N)
//|     {
//|         const float x = atoms[n].x;
//|         const float y = atoms[n].y;
//|         const float z = atoms[n].z;
//|         r2[n] = x * x + y * y + z * z;
//|     }
//| }
//|
//| // x, y, z and r2 are arrays of the host.
//zh // x、y、z 和 r2 是主机上的数组。
//| void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
//| {
//|     Atom *atoms;
//|     float *r2_there;
//|     cudaMallocManaged((void **)&atoms, N * sizeof(Atom)); // for host and device
//zh     cudaMallocManaged((void **)&atoms, N * sizeof(Atom)); // 主机和设备都可以访问
//|     cudaMalloc((void **)&r2_there, N * sizeof(float));
//|     for (int n = 0; n < N; ++n)
//|     {
//|         atoms[n].x = x[n];
//|         atoms[n].y = y[n];
//|         atoms[n].z = z[n];
//|     }
//|     squares<<<(N + 127) / 128, 128>>>(atoms, r2_there, N);
//|     cudaMemcpy(r2, r2_there, N * sizeof(float), cudaMemcpyDeviceToHost);
//|     cudaFree(atoms);
//|     cudaFree(r2_there);
//| }
//]

int main(void)
{
    const int N = 1000;
    static float x[N], y[N], z[N], r2[N];
    for (int n = 0; n < N; ++n)
    {
        x[n] = n % 10, y[n] = n / 10 % 10, z[n] = n / 100;
    }
    all_squares(x, y, z, r2, N);
    printf("atom 123: %g\n", r2[123]);
    return 0;
}

#if 0
//== child
static void run_case()
{
    const int N = judged::number(0);
    float *x = judged::on_heap<float>(0), *y = judged::on_heap<float>(1), *z = judged::on_heap<float>(2),
          *r2 = judged::on_heap<float>(3);
    all_squares(x, y, z, r2, N);
    cudaDeviceSynchronize();
    judged::from_heap(0, x);
    judged::from_heap(1, y);
    judged::from_heap(2, z);
    judged::from_heap(3, r2);
}

//== judge
#include "judge.h"

// Quarters up to 128: sums of their squares are exact in float.
static void add(long N)
{
    Case *c = add_case({N});
    for (int k = 0; k < 3; ++k)
    {
        float *x = input<float>(c, N);
        for (long n = 0; n < N; ++n)
        {
            x[n] = random_number(1, 512) / 4.0f * (random_number(0, 1) == 0 ? 1 : -1);
        }
    }
    output<float>(c, N);
}

static void prepare()
{
    if (is_counting())
    {
        add(4096);
        return;
    }
    add(1000);
    add(1024);
    add(1);
    add(33);
    add(127);
    add(random_number(129, 900));
    add(random_number(2, 31));
}

static void look_at_counts(long N)
{
    const Counted loads = weigh("global", "load", 3 * N, 12), stores = weigh("global", "store", N, 4);
    if (!is_wasteful(loads) && is_wasteful(stores) && stores.lanes >= 16 &&
        stores.worst->units >= GOOD_ENOUGH * stores.worst->least)
    {
        wrong_at("stores_only", stores, stores.worst);
    }
    if (is_wasteful(loads) && loads.lanes >= 16 && loads.worst->units >= GOOD_ENOUGH * loads.worst->least)
    {
        // Of three loads of 4 bytes some may be good already.
        long good = 0;
        for (int i = 0; i < num_accesses; ++i)
        {
            const Access *a = &accesses[i];
            good += strcmp(a->space, "global") == 0 && strcmp(a->access, "load") == 0 && a->units == a->least;
        }
        const double apart = (double)loads.worst->units / loads.worst->requests;
        wrong_at(good > 0                         ? "some_good"
                 : apart > 11.9 && apart < 12.1   ? "between"
                 : apart > 15.9 && apart < 16.1   ? "padded"
                                                  : "far_apart",
                 loads, loads.worst);
    }
    look_at(loads);
    look_at(stores);
}

static void look(const Case *c)
{
    const long N = c->number[0];
    const float *r[3] = {array<float>(c, 0), array<float>(c, 1), array<float>(c, 2)}, *r2 = array<float>(c, 3);
    long num_right = 0, num_untouched = 0, first = -1, first_untouched = -1;
    for (long n = N - 1; n >= 0; --n)
    {
        const float want = r[0][n] * r[0][n] + r[1][n] * r[1][n] + r[2][n] * r[2][n];
        const bool right = r2[n] == want, untouched = !right && is_untouched(r2[n]);
        num_right += right;
        num_untouched += untouched;
        first = right ? first : n;
        first_untouched = untouched ? n : first_untouched;
    }
    if (num_right == N)
    {
        if (is_counting())
        {
            look_at_counts(N);
        }
        return;
    }
    const float xx = r[0][first] * r[0][first], yy = r[1][first] * r[1][first], zz = r[2][first] * r[2][first];
    value("N", "%ld", N);
    value("n", "%ld", first);
    value("got", "%s", text_of(r2[first]));
    value("want", "%s", text_of(xx + yy + zz));
    value("untouched", "%ld", num_untouched);
    value("first", "%ld", first_untouched);
    // How many times each square is in it, the same in all wrong ones.
    int times[3] = {-1, -1, -1};
    for (int code = 0; code < 64 && times[0] < 0; ++code)
    {
        const int a = code % 4, b = code / 4 % 4, d = code / 16;
        bool fits = code != 0;
        for (long n = 0; n < N && fits; ++n)
        {
            fits = is_untouched(r2[n]) ||
                   r2[n] == a * r[0][n] * r[0][n] + b * r[1][n] * r[1][n] + d * r[2][n] * r[2][n];
        }
        if (fits)
        {
            times[0] = a, times[1] = b, times[2] = d;
        }
    }
    long source = 0;
    while (source < N && r2[first] != r[0][source] * r[0][source] + r[1][source] * r[1][source] +
                                          r[2][source] * r[2][source])
    {
        ++source;
    }
    value("source", "%ld", source);
    if (num_untouched == N)
    {
        wrong("nothing");
    }
    else if (num_right + num_untouched == N)
    {
        wrong("not_written");
    }
    else if (N > 2 && times[0] >= 0)
    {
        value("xs", "%d", times[0]);
        value("ys", "%d", times[1]);
        value("zs", "%d", times[2]);
        wrong("other_parts");
    }
    else
    {
        wrong(source < N && !is_untouched(r2[first]) ? "of_another" : "other");
    }
}

//== says
some_good: A request of this load takes {units} sectors, and {least} would do. Other loads are mended, but this one still reads from structures.
some_good.zh: 一个读请求要 {units} 个扇区，而 {least} 个就够了。别的读已经改好，但这一行还是从结构体中读。
between: A request of this load takes {units} sectors, and {least} would do. Between the numbers that two neighbouring threads want here lie two others, for which another load comes.
between.zh: 一个读请求要 {units} 个扇区，而 {least} 个就够了。相邻两个线程在这里要的两个数之间还隔着两个数，那两个数要由别的读来取。
padded: A request of this load takes {units} sectors, and {least} would do. The numbers that neighbouring threads want here are now 16 bytes apart. A fourth number in the structure makes it worse, unless one load takes all 16 bytes.
padded.zh: 一个读请求要 {units} 个扇区，而 {least} 个就够了。相邻线程在这里要的数现在相隔 16 个字节。结构体里多加一个数只会更糟，除非用一次读取走全部 16 个字节。
far_apart: A request of this load takes {units} sectors, and {least} would do. What neighbouring threads want at the same time lies far apart.
far_apart.zh: 一个读请求要 {units} 个扇区，而 {least} 个就够了。相邻的线程同时要的数相距很远。
stores_only: The loads are good. But now a request of this store takes {units} sectors, and {least} would do. Where does the next thread write?
stores_only.zh: 读已经改好了。但现在一个写请求要 {units} 个扇区，而 {least} 个就够了。下一个线程写在哪里？
loads_several_times: Each load by itself is good. But all of them take {now} sectors for 32 numbers, and {all_least} would do. x, y and z of an atom need be read once, and nothing else.
loads_several_times.zh: 每次读本身都是好的。但合起来，每 32 个数要 {now} 个扇区，而 {all_least} 个就够了。一个原子的 x、y、z 各读一次就够，不用再读别的。
nothing: r2 is not written at all. Is the result copied back to the host?
nothing.zh: r2 完全没有被写。结果复制回主机了吗？
not_written: {untouched} of {N} numbers are not written. The first one is that of atom {first}. Which thread has this atom, and how many bytes are copied back?
not_written.zh: {N} 个数中有 {untouched} 个没有写，第一个是原子 {first} 的。这个原子由哪个线程处理？复制回来的是多少个字节？
other_parts: What is computed is {xs} x x + {ys} y y + {zs} z z. Which array gets which numbers, and which does the kernel use?
other_parts.zh: 算出的是 {xs} x x + {ys} y y + {zs} z z。哪个数组放的是哪些数？核函数用的是哪些？
of_another: Atom {n} has got the result of atom {source}. All indices must be the same.
of_another.zh: 原子 {n} 得到的是原子 {source} 的结果。所有下标必须相同。
other?: Atom {n} has {got}. It should be {want}. Has each array on the device got its numbers, and all of them?
other.zh: 原子 {n} 得到 {got}，应该是 {want}。设备上的每个数组都得到它的数了吗？全部得到了吗？
never_written: This line reads memory that nobody has filled. Has each array on the device got its numbers, and all of them?
never_written.zh: 这一行读了没有填写过的内存。设备上的每个数组都得到它的数了吗？全部得到了吗？
no_wait for race_in_block or race_update or race_between_blocks when /^(?!.*cudaDeviceSynchronize)(?!.*cudaStreamSynchronize)(?!.*cudaMemcpy\s*\(\s*r2\b).*cudaMallocManaged/: The host reads here what the kernel writes, and nothing makes it wait until the kernel has ended. A launch returns at once.
no_wait.zh: 主机在这里读核函数写的内容，而没有任何东西让它等到核函数结束。调用核函数会立即返回。
interleaved_index for past_end or of_another or other or never_written when /\b[xyz]\w*\s*\[\s*3\s*\*/ at /\b[xyz]\w*\s*\[\s*3\s*\*/: In an array of its own the x of atom n is number n, and not number 3 n: no y and z lie between.
interleaved_index.zh: 在单独的数组中，原子 n 的 x 是第 n 个数，不是第 3 n 个：中间没有 y 和 z。

//== wrong still_one_array: between
__global__ void squares(const float *r, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        r2[n] = r[3 * n] * r[3 * n] + r[3 * n + 1] * r[3 * n + 1] + r[3 * n + 2] * r[3 * n + 2];
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    float *r, *r2_there;
    cudaMallocManaged((void **)&r, 3 * N * sizeof(float));
    cudaMalloc((void **)&r2_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        r[3 * n] = x[n];
        r[3 * n + 1] = y[n];
        r[3 * n + 2] = z[n];
    }
    squares<<<(N + 127) / 128, 128>>>(r, r2_there, N);
    cudaMemcpy(r2, r2_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(r);
    cudaFree(r2_there);
}
//== wrong fourth_member: padded
struct Atom
{
    float x, y, z, unused;
};
__global__ void squares(const Atom *atoms, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        r2[n] = atoms[n].x * atoms[n].x + atoms[n].y * atoms[n].y + atoms[n].z * atoms[n].z;
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    Atom *atoms;
    float *r2_there;
    cudaMallocManaged((void **)&atoms, N * sizeof(Atom));
    cudaMalloc((void **)&r2_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[n].x = x[n];
        atoms[n].y = y[n];
        atoms[n].z = z[n];
    }
    squares<<<(N + 127) / 128, 128>>>(atoms, r2_there, N);
    cudaMemcpy(r2, r2_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(r2_there);
}
//== wrong only_x: some_good
struct Atom
{
    float x, y, z;
};
__global__ void squares(const float *x, const Atom *atoms, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        r2[n] = x[n] * x[n] + atoms[n].y * atoms[n].y + atoms[n].z * atoms[n].z;
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    Atom *atoms;
    float *x_there, *r2_there;
    cudaMallocManaged((void **)&atoms, N * sizeof(Atom));
    cudaMalloc((void **)&x_there, N * sizeof(float));
    cudaMalloc((void **)&r2_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[n].y = y[n];
        atoms[n].z = z[n];
    }
    cudaMemcpy(x_there, x, N * sizeof(float), cudaMemcpyHostToDevice);
    squares<<<(N + 127) / 128, 128>>>(x_there, atoms, r2_there, N);
    cudaMemcpy(r2, r2_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(x_there);
    cudaFree(r2_there);
}
//== wrong result_in_structure: stores_only
__global__ void squares(float4 *atoms, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const float4 a = atoms[n];
        atoms[n].w = a.x * a.x + a.y * a.y + a.z * a.z;
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    float4 *atoms;
    cudaMallocManaged((void **)&atoms, N * sizeof(float4));
    for (int n = 0; n < N; ++n)
    {
        atoms[n] = make_float4(x[n], y[n], z[n], 0);
    }
    squares<<<(N + 127) / 128, 128>>>(atoms, N);
    cudaDeviceSynchronize();
    for (int n = 0; n < N; ++n)
    {
        r2[n] = atoms[n].w;
    }
    cudaFree(atoms);
}
//== wrong own_piece: far_apart
//- const int n = blockIdx.x * blockDim.x + threadIdx.x;
//- if (n < N)
//+ const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
//+ for (int n = first; n < first + 8 && n < N; ++n)

//- (N + 127) / 128
//+ (N + 1023) / 1024
//== wrong three_kernels: loads_several_times
__global__ void add_square(const float *x, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        r2[n] += x[n] * x[n];
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    const size_t bytes = N * sizeof(float);
    const float *r[3] = {x, y, z};
    float *there, *r2_there;
    cudaMalloc((void **)&there, bytes);
    cudaMalloc((void **)&r2_there, bytes);
    cudaMemset(r2_there, 0, bytes);
    for (int k = 0; k < 3; ++k)
    {
        cudaMemcpy(there, r[k], bytes, cudaMemcpyHostToDevice);
        add_square<<<(N + 127) / 128, 128>>>(there, r2_there, N);
    }
    cudaMemcpy(r2, r2_there, bytes, cudaMemcpyDeviceToHost);
    cudaFree(there);
    cudaFree(r2_there);
}
//== wrong one_thread: one_thread
//- const int n = blockIdx.x * blockDim.x + threadIdx.x;
//- if (n < N)
//+ for (int n = 0; n < N; ++n)

//- (N + 127) / 128, 128
//+ 1, 1
//== wrong blocks_of_one: one_lane
//- (N + 127) / 128, 128
//+ N, 1
//== wrong on_the_host: loads_too_few
__global__ void squares(float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        r2[n] = r2[n] + 0;
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    float *there;
    cudaMallocManaged((void **)&there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        there[n] = x[n] * x[n] + y[n] * y[n] + z[n] * z[n];
    }
    squares<<<(N + 127) / 128, 128>>>(there, N);
    cudaDeviceSynchronize();
    for (int n = 0; n < N; ++n)
    {
        r2[n] = there[n];
    }
    cudaFree(there);
}
//== wrong z_forgotten: never_written
//- cudaMemcpy(z_there, z, bytes, cudaMemcpyHostToDevice);
//== wrong x_two_times: other_parts
//- cudaMemcpy(z_there, z, bytes
//+ cudaMemcpy(z_there, x, bytes
//== wrong kernel_of_x: other_parts
//- y[n] * y[n]
//+ x[n] * x[n]
//== wrong of_the_host: host_pointer
//- >>>(x_there, y_there, z_there, r2_there, N)
//+ >>>(x, y, z, r2_there, N)
//== wrong numbers_not_bytes: past_end or never_written or not_written or other
//- const size_t bytes = N * sizeof(float);
//+ const size_t bytes = N;
//== wrong three_apart: interleaved_index
//- x[n] * x[n]
//+ x[3 * n] * x[3 * n]
//== wrong not_back: nothing
//- cudaMemcpy(r2, r2_there, bytes, cudaMemcpyDeviceToHost);
//== wrong no_condition: past_end
//- if (n < N)
//+ if (true)
//== wrong one_block_less: not_written
//- (N + 127) / 128
//+ N / 128
//== wrong not_waited: no_wait
__global__ void squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        r2[n] = x[n] * x[n] + y[n] * y[n] + z[n] * z[n];
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    float *r[4];
    for (int k = 0; k < 4; ++k)
    {
        cudaMallocManaged((void **)&r[k], N * sizeof(float));
    }
    for (int n = 0; n < N; ++n)
    {
        r[0][n] = x[n], r[1][n] = y[n], r[2][n] = z[n];
    }
    squares<<<(N + 127) / 128, 128>>>(r[0], r[1], r[2], r[3], N);
    for (int n = 0; n < N; ++n)
    {
        r2[n] = r[3][n];
    }
    for (int k = 0; k < 4; ++k)
    {
        cudaFree(r[k]);
    }
}
//== wrong one_further: past_end
//- z[n] * z[n]
//+ z[n + 1] * z[n]
//== wrong own_names: not_called
//- void all_squares(
//+ void every_square(

//== right managed
//- cudaMalloc(
//+ cudaMallocManaged(

//- cudaMemcpy(x_there, x, bytes, cudaMemcpyHostToDevice);
//- cudaMemcpy(y_there, y, bytes, cudaMemcpyHostToDevice);
//- cudaMemcpy(z_there, z, bytes, cudaMemcpyHostToDevice);
//+ for (int n = 0; n < N; ++n)
//+ {
//+     x_there[n] = x[n], y_there[n] = y[n], z_there[n] = z[n];
//+ }
//== right one_piece
__global__ void squares(const float *r, float *r2, int N)
{
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < N; n += gridDim.x * blockDim.x)
    {
        const float x = r[n], y = r[N + n], z = r[2 * N + n];
        r2[n] = x * x + y * y + z * z;
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    const size_t bytes = N * sizeof(float);
    float *r, *r2_there;
    cudaMalloc((void **)&r, 3 * bytes);
    cudaMalloc((void **)&r2_there, bytes);
    cudaMemcpy(r, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(r + N, y, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(r + 2 * N, z, bytes, cudaMemcpyHostToDevice);
    squares<<<3, 96>>>(r, r2_there, N);
    cudaMemcpy(r2, r2_there, bytes, cudaMemcpyDeviceToHost);
    cudaFree(r);
    cudaFree(r2_there);
}
//== right structure_of_arrays
struct Atoms
{
    float *x, *y, *z;
};
__global__ void squares(Atoms atoms, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        r2[n] = atoms.x[n] * atoms.x[n] + atoms.y[n] * atoms.y[n] + atoms.z[n] * atoms.z[n];
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    const size_t bytes = N * sizeof(float);
    Atoms atoms;
    float *r2_there;
    cudaMalloc((void **)&atoms.x, bytes);
    cudaMalloc((void **)&atoms.y, bytes);
    cudaMalloc((void **)&atoms.z, bytes);
    cudaMalloc((void **)&r2_there, bytes);
    cudaMemcpy(atoms.x, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(atoms.y, y, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(atoms.z, z, bytes, cudaMemcpyHostToDevice);
    squares<<<(N + 255) / 256, 256>>>(atoms, r2_there, N);
    cudaMemcpy(r2, r2_there, bytes, cudaMemcpyDeviceToHost);
    cudaFree(atoms.x);
    cudaFree(atoms.y);
    cudaFree(atoms.z);
    cudaFree(r2_there);
}
//== right fours
__global__ void squares(const float4 *atoms, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const float4 a = atoms[n];
        r2[n] = a.x * a.x + a.y * a.y + a.z * a.z;
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    float4 *atoms;
    float *r2_there;
    cudaMallocManaged((void **)&atoms, N * sizeof(float4));
    cudaMalloc((void **)&r2_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[n] = make_float4(x[n], y[n], z[n], 0);
    }
    squares<<<(N + 127) / 128, 128>>>(atoms, r2_there, N);
    cudaMemcpy(r2, r2_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(r2_there);
}
//== right by_shared_memory
__global__ void squares(const float *r, float *r2, int N)
{
    __shared__ float s[384];
    const int first = 384 * blockIdx.x;
    for (int i = threadIdx.x; i < 384 && first + i < 3 * N; i += 128)
    {
        s[i] = r[first + i];
    }
    __syncthreads();
    const int n = 128 * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        const float *a = s + 3 * threadIdx.x;
        r2[n] = a[0] * a[0] + a[1] * a[1] + a[2] * a[2];
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    float *r, *r2_there;
    cudaMallocManaged((void **)&r, 3 * N * sizeof(float));
    cudaMalloc((void **)&r2_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        r[3 * n] = x[n];
        r[3 * n + 1] = y[n];
        r[3 * n + 2] = z[n];
    }
    squares<<<(N + 127) / 128, 128>>>(r, r2_there, N);
    cudaMemcpy(r2, r2_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(r);
    cudaFree(r2_there);
}
//== right twos_and_ones
__global__ void squares(const float2 *xy, const float *z, float *r2, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const float2 a = xy[n];
        r2[n] = a.x * a.x + a.y * a.y + z[n] * z[n];
    }
}
void all_squares(const float *x, const float *y, const float *z, float *r2, int N)
{
    float2 *xy;
    float *z_there, *r2_there;
    cudaMallocManaged((void **)&xy, N * sizeof(float2));
    cudaMallocManaged((void **)&z_there, N * sizeof(float));
    cudaMallocManaged((void **)&r2_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        xy[n] = make_float2(x[n], y[n]);
        z_there[n] = z[n];
    }
    squares<<<(N + 63) / 64, 64>>>(xy, z_there, r2_there, N);
    cudaDeviceSynchronize();
    for (int n = 0; n < N; ++n)
    {
        r2[n] = r2_there[n];
    }
    cudaFree(xy);
    cudaFree(z_there);
    cudaFree(r2_there);
}
#endif
