// 18_structures: from an array of structures to three arrays
// 18_structures.zh: 从结构体数组到三个数组
//
// Kind: faster
// Chapter: 7
// Program: ch07_global_mem/aos-soa.cu
// Book: 7.1
// Goal: The kernel computes the energy weight * z of each of N atoms, and nothing else of them. The result is right.
//   But the atoms lie on the device as an array of structures, so a request for 32 z takes 12 sectors, where 4
//   would do. Lay the coordinates on the device so that 4 are enough. That changes the kernel and what fills its
//   memory; `all_energies` keeps its parameters.
// Goal.zh: 核函数求 N 个原子各自的能量 weight * z，别的都不用。结果是对的。但在设备上，原子放在一个结构体数组中，所以读
//   32 个 z 的一个请求要 12 个扇区，而 4 个就够了。请改变坐标在设备上的存放方式，做到 4 个。核函数和填写它的内存的
//   代码都要改；`all_energies` 的参数不变。
// Hint 1: Thread n reads atoms[n].z, and thread n + 1 at the same time atoms[n + 1].z. How many bytes lie between the
//   two? What stands in these bytes, and who wants it?
// Hint 1.zh: 线程 n 读 atoms[n].z，同时线程 n + 1 读 atoms[n + 1].z。两者之间相隔多少个字节？这些字节里放的是什么？
//   有谁要用吗？
// Hint 2: A sector is moved as a whole, whatever of it is used. A request takes 4 sectors if the z of all atoms lie
//   side by side. Then x and y have arrays of their own, or stay at home.
// Hint 2.zh: 扇区总是整个搬运，不管用到其中多少。只有所有原子的 z 并排放在一起，一个请求才只要 4 个扇区。这时 x 和 y
//   各有自己的数组，或者留在主机上。
// Hint 3: The host has x, y and z in three arrays already. What has to be done so that the device has them so, too?
//   The kernel then gets a pointer to numbers in the place of one to structures.
// Hint 3.zh: 主机上的 x、y、z 本来就是三个数组。怎样让设备上也是这样？这时核函数得到的不是指向结构体的指针，
//   而是指向数的指针。
// After: This is called a structure of arrays, and the other one an array of structures. Of the 384 bytes of 12 sectors
//   128 were used. With 33 million atoms an H200 takes 0.105 ms and not 0.138 ms: the results have to be written
//   in both cases. Counting knows no cache. A kernel that wants x, y and z of each atom has three requests of 12
//   sectors, but the second and the third find theirs in the cache: there both layouts take 0.164 ms. So what
//   counts is which members a kernel wants at the same time: see the rows of bin/aos-soa.
// After.zh: 这种存放方式叫数组结构体（structure of arrays），原来的叫结构体数组（array of structures）。原来 12 个扇区的
//   384 个字节只用到 128 个。3300 万个原子，在 H200 上从 0.138 ms 变成 0.105 ms：两种情况都要写结果。计数不考虑缓存。
//   如果核函数要每个原子的 x、y 和 z，就有三个各要 12 个扇区的请求，但第二个和第三个能在缓存中找到它们的扇区：
//   在那里两种存放方式都是 0.164 ms。所以要看核函数同时要用哪些成员：见 bin/aos-soa 的各行。

#include <stdio.h>

//[
__global__ void energies(const float *z, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * z[n];
    }
}

// x, y, z and e are arrays of the host. (Other kernels would want x and y.)
//zh x、y、z 和 e 是主机上的数组。（x 和 y 是给别的核函数用的。）
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    const size_t bytes = N * sizeof(float);
    float *x_there, *y_there, *z_there, *e_there;
    cudaMalloc((void **)&x_there, bytes);
    cudaMalloc((void **)&y_there, bytes);
    cudaMalloc((void **)&z_there, bytes);
    cudaMalloc((void **)&e_there, bytes);
    cudaMemcpy(x_there, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(y_there, y, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(z_there, z, bytes, cudaMemcpyHostToDevice);
    energies<<<(N + 255) / 256, 256>>>(z_there, weight, e_there, N);
    cudaMemcpy(e, e_there, bytes, cudaMemcpyDeviceToHost);
    cudaFree(x_there);
    cudaFree(y_there);
    cudaFree(z_there);
    cudaFree(e_there);
}
//| struct Atom
//| {
//|     float x, y, z;
//| };
//|
//| __global__ void energies(const Atom *atoms, float weight, float *e, int N)
//| {
//|     const int n = blockIdx.x * blockDim.x + threadIdx.x;
//|     if (n < N)
//|     {
//|         e[n] = weight * atoms[n].z;
//|     }
//| }
//|
//| // x, y, z and e are arrays of the host. (Other kernels would want x and y.)
//zh // x、y、z 和 e 是主机上的数组。（x 和 y 是给别的核函数用的。）
//| void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
//| {
//|     Atom *atoms;
//|     float *e_there;
//|     cudaMallocManaged((void **)&atoms, N * sizeof(Atom)); // for host and device
//zh     cudaMallocManaged((void **)&atoms, N * sizeof(Atom)); // 主机和设备都可以访问
//|     cudaMalloc((void **)&e_there, N * sizeof(float));
//|     for (int n = 0; n < N; ++n)
//|     {
//|         atoms[n].x = x[n];
//|         atoms[n].y = y[n];
//|         atoms[n].z = z[n];
//|     }
//|     energies<<<(N + 255) / 256, 256>>>(atoms, weight, e_there, N);
//|     cudaMemcpy(e, e_there, N * sizeof(float), cudaMemcpyDeviceToHost);
//|     cudaFree(atoms);
//|     cudaFree(e_there);
//| }
//]

int main(void)
{
    const int N = 1000;
    static float x[N], y[N], z[N], e[N];
    for (int n = 0; n < N; ++n)
    {
        x[n] = n % 10, y[n] = n / 10 % 10, z[n] = n / 100;
    }
    all_energies(x, y, z, 9.8f, e, N);
    printf("atom 123: %g\n", e[123]);
    return 0;
}

#if 0
//== child
static void run_case()
{
    const int N = judged::number(0);
    float *x = judged::on_heap<float>(0), *y = judged::on_heap<float>(1), *z = judged::on_heap<float>(2),
          *e = judged::on_heap<float>(3);
    all_energies(x, y, z, judged::number(1) / 8.0f, e, N);
    cudaDeviceSynchronize();
    judged::from_heap(0, x);
    judged::from_heap(1, y);
    judged::from_heap(2, z);
    judged::from_heap(3, e);
}

//== judge
#include "judge.h"

static void add(long N)
{
    Case *c = add_case({N, random_number(9, 15)});
    for (int k = 0; k < 3; ++k)
    {
        input<float>(c, N);
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
    add(random_number(257, 900));
    add(random_number(2, 31));
}

static void look_at_counts(long N)
{
    const Counted loads = weigh("global", "load", N, 12), stores = weigh("global", "store", N, 4);
    if (!is_wasteful(loads) && is_wasteful(stores) && stores.lanes >= 16 &&
        stores.worst->units >= GOOD_ENOUGH * stores.worst->least)
    {
        wrong_at("stores_only", stores, stores.worst);
    }
    if (is_wasteful(loads) && loads.lanes >= 16 && loads.now > 1.01 * loads.least)
    {
        const Access *a = loads.worst;
        const double apart = (double)a->units / a->requests;
        if (a->bytes > 4 && a->units < GOOD_ENOUGH * a->least)
        {
            wrong_at("whole_structure", loads, a);
        }
        else if (a->units >= GOOD_ENOUGH * a->least)
        {
            wrong_at(apart > 11.9 && apart < 12.1   ? "between"
                     : apart > 15.9 && apart < 16.1 ? "padded"
                                                    : "far_apart",
                     loads, a);
        }
    }
    look_at(loads);
    look_at(stores);
}

static void look(const Case *c)
{
    const long N = c->number[0];
    const float weight = c->number[1] / 8.0f;
    const float *r[3] = {array<float>(c, 0), array<float>(c, 1), array<float>(c, 2)}, *e = array<float>(c, 3);
    long num_right = 0, num_untouched = 0, num_of[2] = {0, 0}, first = -1, first_untouched = -1;
    for (long n = N - 1; n >= 0; --n)
    {
        const bool right = e[n] == weight * r[2][n], untouched = !right && is_untouched(e[n]);
        num_right += right;
        num_untouched += untouched;
        num_of[0] += e[n] == weight * r[0][n];
        num_of[1] += e[n] == weight * r[1][n];
        first = right || untouched ? first : n;
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
    value("N", "%ld", N);
    value("untouched", "%ld", num_untouched);
    value("first", "%ld", first_untouched);
    if (first < 0)
    {
        wrong(num_untouched == N ? "nothing" : "not_written");
        return;
    }
    value("n", "%ld", first);
    value("got", "%s", text_of(e[first]));
    value("want", "%s", text_of(weight * r[2][first]));
    long source = 0;
    while (source < N && e[first] != weight * r[2][source])
    {
        ++source;
    }
    value("source", "%ld", source);
    long num_before = 0;
    while (num_before < N && e[num_before] == weight * r[2][num_before])
    {
        ++num_before;
    }
    value("before", "%ld", num_before);
    value("axis", "%s", num_of[0] > num_of[1] ? "x" : "y");
    wrong(N > 2 && (num_of[0] == N || num_of[1] == N) ? "other_axis"
          : num_before > 0 && num_before + 1 < N && num_right == num_before ? "tail"
          : source < N                                                      ? "of_another"
                                                                            : "other");
}

//== says
between: A request of this load takes {units} sectors, and {least} would do. Between the numbers that two neighbouring threads want here lie two others, which nobody wants.
between.zh: 一个读请求要 {units} 个扇区，而 {least} 个就够了。相邻两个线程在这里要的两个数之间还隔着两个数，那两个数没有线程要。
padded: A request of this load takes {units} sectors, and {least} would do. The numbers that neighbouring threads want here are 16 bytes apart: a fourth number in the structure only makes it longer.
padded.zh: 一个读请求要 {units} 个扇区，而 {least} 个就够了。相邻线程在这里要的数相隔 16 个字节：结构体里多加一个数，只会让它更长。
whole_structure: Each request by itself is good, since it takes whole structures. But of what it takes the kernel uses one number in each: {now} sectors for 32 numbers, where {all_least} would do.
whole_structure.zh: 每个请求本身是好的，因为读的是整个结构体。但读来的每个结构体只用到一个数：每 32 个数要 {now} 个扇区，而 {all_least} 个就够了。
far_apart: A request of this load takes {units} sectors, and {least} would do. What neighbouring threads want at the same time lies far apart.
far_apart.zh: 一个读请求要 {units} 个扇区，而 {least} 个就够了。相邻的线程同时要的数相距很远。
stores_only: The loads are good. But now a request of this store takes {units} sectors, and {least} would do. Where does the next thread write?
stores_only.zh: 读已经改好了。但现在一个写请求要 {units} 个扇区，而 {least} 个就够了。下一个线程写在哪里？
loads_several_times: Each load by itself is good. But all of them take {now} sectors for 32 numbers, and {all_least} would do. What is read that the kernel does not need?
loads_several_times.zh: 每次读本身都是好的。但合起来，每 32 个数要 {now} 个扇区，而 {all_least} 个就够了。读的内容中，有哪些是核函数不需要的？
nothing: e is not written at all. Is the result copied back to the host?
nothing.zh: e 完全没有被写。结果复制回主机了吗？
not_written: {untouched} of {N} energies are not written. The first one is that of atom {first}. Which thread has this atom, and how many bytes are copied back?
not_written.zh: {N} 个能量中有 {untouched} 个没有写，第一个是原子 {first} 的。这个原子由哪个线程处理？复制回来的是多少个字节？
other_axis: What is computed is weight * {axis}. Which array gets which numbers, and which one does the kernel use?
other_axis.zh: 算出的是 weight * {axis}。哪个数组放的是哪些数？核函数用的是哪一个？
tail: The energies of the first {before} of {N} atoms are right, and those of all others are not. How many threads does the launch make, and how many bytes are copied?
tail.zh: {N} 个原子中，前 {before} 个的能量是对的，其余都不对。这里的调用产生多少个线程？复制了多少个字节？
of_another: Atom {n} has got the energy of atom {source}. All indices must be the same.
of_another.zh: 原子 {n} 得到的是原子 {source} 的能量。所有下标必须相同。
other?: Atom {n} has {got}. It should be {want}. Has the array on the device got its numbers, and all of them?
other.zh: 原子 {n} 得到 {got}，应该是 {want}。设备上的数组得到它的数了吗？全部得到了吗？
never_written: This line reads memory that nobody has filled. Has the array on the device got its numbers, and all of them?
never_written.zh: 这一行读了没有填写过的内存。设备上的数组得到它的数了吗？全部得到了吗？
no_wait for race_in_block or race_update or race_between_blocks when /^(?!.*cudaDeviceSynchronize)(?!.*cudaStreamSynchronize)(?!.*cudaMemcpy\s*\(\s*e\b).*cudaMallocManaged/: The host reads here what the kernel writes, and nothing makes it wait until the kernel has ended. A launch returns at once.
no_wait.zh: 主机在这里读核函数写的内容，而没有任何东西让它等到核函数结束。调用核函数会立即返回。
interleaved_index for past_end or of_another or other or never_written when /\bz\w*\s*\[\s*3\s*\*/ at /\bz\w*\s*\[\s*3\s*\*/: In an array of its own the z of atom n is number n, and not number 3 n: no x and y lie between.
interleaved_index.zh: 在单独的数组中，原子 n 的 z 是第 n 个数，不是第 3 n 个：中间没有 x 和 y。

//== wrong still_one_array: between
__global__ void energies(const float *atoms, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * atoms[3 * n + 2];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    float *atoms;
    float *e_there;
    cudaMallocManaged((void **)&atoms, 3 * N * sizeof(float));
    cudaMalloc((void **)&e_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[3 * n] = x[n];
        atoms[3 * n + 1] = y[n];
        atoms[3 * n + 2] = z[n];
    }
    energies<<<(N + 255) / 256, 256>>>(atoms, weight, e_there, N);
    cudaMemcpy(e, e_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(e_there);
}
//== wrong of_float3: between
__global__ void energies(const float3 *atoms, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * atoms[n].z;
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    float3 *atoms;
    float *e_there;
    cudaMallocManaged((void **)&atoms, N * sizeof(float3));
    cudaMalloc((void **)&e_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[n].x = x[n];
        atoms[n].y = y[n];
        atoms[n].z = z[n];
    }
    energies<<<(N + 255) / 256, 256>>>(atoms, weight, e_there, N);
    cudaMemcpy(e, e_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(e_there);
}
//== wrong fourth_member: padded
struct Atom
{
    float x, y, z, unused;
};
__global__ void energies(const Atom *atoms, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * atoms[n].z;
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    Atom *atoms;
    float *e_there;
    cudaMallocManaged((void **)&atoms, N * sizeof(Atom));
    cudaMalloc((void **)&e_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[n].x = x[n];
        atoms[n].y = y[n];
        atoms[n].z = z[n];
    }
    energies<<<(N + 255) / 256, 256>>>(atoms, weight, e_there, N);
    cudaMemcpy(e, e_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(e_there);
}
//== wrong fours: whole_structure
__global__ void energies(const float4 *atoms, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        const float4 a = atoms[n];
        e[n] = weight * a.z;
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    float4 *atoms;
    float *e_there;
    cudaMallocManaged((void **)&atoms, N * sizeof(float4));
    cudaMalloc((void **)&e_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[n] = make_float4(x[n], y[n], z[n], 0);
    }
    energies<<<(N + 255) / 256, 256>>>(atoms, weight, e_there, N);
    cudaMemcpy(e, e_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(e_there);
}
//== wrong by_shared_memory: loads_several_times
__global__ void energies(const float *atoms, float weight, float *e, int N)
{
    __shared__ float s[768];
    for (int i = threadIdx.x; i < 768 && 768 * blockIdx.x + i < 3 * N; i += 256)
    {
        s[i] = atoms[768 * blockIdx.x + i];
    }
    __syncthreads();
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * s[3 * threadIdx.x + 2];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    float *atoms;
    float *e_there;
    cudaMallocManaged((void **)&atoms, 3 * N * sizeof(float));
    cudaMalloc((void **)&e_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[3 * n] = x[n];
        atoms[3 * n + 1] = y[n];
        atoms[3 * n + 2] = z[n];
    }
    energies<<<(N + 255) / 256, 256>>>(atoms, weight, e_there, N);
    cudaMemcpy(e, e_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(e_there);
}
//== wrong result_in_structure: stores_only
struct Atom
{
    float e, y, x;
};
__global__ void energies(const float *z, Atom *atoms, float weight, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        atoms[n].e = weight * z[n];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    Atom *atoms;
    float *z_there;
    cudaMallocManaged((void **)&atoms, N * sizeof(Atom));
    cudaMalloc((void **)&z_there, N * sizeof(float));
    cudaMemcpy(z_there, z, N * sizeof(float), cudaMemcpyHostToDevice);
    energies<<<(N + 255) / 256, 256>>>(z_there, atoms, weight, N);
    cudaDeviceSynchronize();
    for (int n = 0; n < N; ++n)
    {
        e[n] = atoms[n].e;
    }
    cudaFree(atoms);
    cudaFree(z_there);
}
//== wrong own_piece: far_apart
//- const int n = blockIdx.x * blockDim.x + threadIdx.x;
//- if (n < N)
//+ const int first = 8 * (blockIdx.x * blockDim.x + threadIdx.x);
//+ for (int n = first; n < first + 8 && n < N; ++n)

//- (N + 255) / 256
//+ (N + 2047) / 2048
//== wrong one_thread: one_thread
//- const int n = blockIdx.x * blockDim.x + threadIdx.x;
//- if (n < N)
//+ for (int n = 0; n < N; ++n)

//- (N + 255) / 256, 256
//+ 1, 1
//== wrong blocks_of_one: one_lane
//- (N + 255) / 256, 256
//+ N, 1
//== wrong on_the_host: loads_too_few
__global__ void energies(float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = n;
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    float *there;
    cudaMalloc((void **)&there, N * sizeof(float));
    energies<<<(N + 255) / 256, 256>>>(there, N);
    for (int n = 0; n < N; ++n)
    {
        e[n] = weight * z[n];
    }
    cudaFree(there);
}
//== wrong z_forgotten: never_written
//- cudaMemcpy(z_there, z, bytes, cudaMemcpyHostToDevice);
//== wrong x_for_z: other_axis
//- (z_there, z, bytes
//+ (z_there, x, bytes
//== wrong kernel_of_y: other_axis
//- (z_there, weight
//+ (y_there, weight
//== wrong of_the_host: host_pointer
//- (z_there, weight
//+ (z, weight
//== wrong numbers_not_bytes: past_end
//- const size_t bytes = N * sizeof(float);
//+ const size_t bytes = N;
//== wrong three_apart: interleaved_index
//- z[n];
//+ z[3 * n];
//== wrong not_back: nothing
//- cudaMemcpy(e, e_there, bytes, cudaMemcpyDeviceToHost);
//== wrong no_condition: past_end
//- if (n < N)
//+ if (true)
//== wrong one_block_less: tail
//- (N + 255) / 256
//+ N / 256
//== wrong not_waited: no_wait
__global__ void energies(const float *z, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * z[n];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    float *z_there, *e_there;
    cudaMallocManaged((void **)&z_there, N * sizeof(float));
    cudaMallocManaged((void **)&e_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        z_there[n] = z[n];
    }
    energies<<<(N + 255) / 256, 256>>>(z_there, weight, e_there, N);
    for (int n = 0; n < N; ++n)
    {
        e[n] = e_there[n];
    }
    cudaFree(z_there);
    cudaFree(e_there);
}
//== wrong one_further: past_end
//- weight * z[n]
//+ weight * z[n + 1]
//== wrong own_name: not_called (whole file)
//- all_energies(
//+ every_energy(

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
//== right only_z
//- cudaMemcpy(x_there, x, bytes, cudaMemcpyHostToDevice);
//- cudaMemcpy(y_there, y, bytes, cudaMemcpyHostToDevice);

//- cudaMalloc((void **)&x_there, bytes);
//- cudaMalloc((void **)&y_there, bytes);

//- cudaFree(x_there);
//- cudaFree(y_there);

//- float *x_there, *y_there, *z_there, *e_there
//+ float *z_there, *e_there
//== right one_piece
__global__ void energies(const float *r, float weight, float *e, int N)
{
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < N; n += gridDim.x * blockDim.x)
    {
        e[n] = weight * r[2 * N + n];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    const size_t bytes = N * sizeof(float);
    float *r, *e_there;
    cudaMalloc((void **)&r, 3 * bytes);
    cudaMalloc((void **)&e_there, bytes);
    cudaMemcpy(r, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(r + N, y, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(r + 2 * N, z, bytes, cudaMemcpyHostToDevice);
    energies<<<3, 96>>>(r, weight, e_there, N);
    cudaMemcpy(e, e_there, bytes, cudaMemcpyDeviceToHost);
    cudaFree(r);
    cudaFree(e_there);
}
//== right structure_of_arrays
struct Atoms
{
    float *x, *y, *z;
};
__global__ void energies(Atoms atoms, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * atoms.z[n];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    const size_t bytes = N * sizeof(float);
    Atoms atoms;
    float *e_there;
    cudaMalloc((void **)&atoms.x, bytes);
    cudaMalloc((void **)&atoms.y, bytes);
    cudaMalloc((void **)&atoms.z, bytes);
    cudaMalloc((void **)&e_there, bytes);
    cudaMemcpy(atoms.x, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(atoms.y, y, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(atoms.z, z, bytes, cudaMemcpyHostToDevice);
    energies<<<(N + 99) / 100, 100>>>(atoms, weight, e_there, N);
    cudaMemcpy(e, e_there, bytes, cudaMemcpyDeviceToHost);
    cudaFree(atoms.x);
    cudaFree(atoms.y);
    cudaFree(atoms.z);
    cudaFree(e_there);
}
//== right by_32
struct Atoms
{
    float x[32], y[32], z[32];
};
__global__ void energies(const Atoms *atoms, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * atoms[n / 32].z[n % 32];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    Atoms *atoms;
    float *e_there;
    cudaMallocManaged((void **)&atoms, (N + 31) / 32 * sizeof(Atoms));
    cudaMalloc((void **)&e_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        atoms[n / 32].x[n % 32] = x[n];
        atoms[n / 32].y[n % 32] = y[n];
        atoms[n / 32].z[n % 32] = z[n];
    }
    energies<<<(N + 255) / 256, 256>>>(atoms, weight, e_there, N);
    cudaMemcpy(e, e_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(atoms);
    cudaFree(e_there);
}
//== right twos_and_ones
__global__ void energies(const float *z, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * z[n];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    float2 *xy;
    float *z_there, *e_there;
    cudaMallocManaged((void **)&xy, N * sizeof(float2));
    cudaMallocManaged((void **)&z_there, N * sizeof(float));
    cudaMallocManaged((void **)&e_there, N * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        xy[n] = make_float2(x[n], y[n]);
        z_there[n] = z[n];
    }
    energies<<<(N + 63) / 64, 64>>>(z_there, weight, e_there, N);
    cudaDeviceSynchronize();
    for (int n = 0; n < N; ++n)
    {
        e[n] = e_there[n];
    }
    cudaFree(xy);
    cudaFree(z_there);
    cudaFree(e_there);
}
//== right pointers
__global__ void energies(float **r, float weight, float *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < N)
    {
        e[n] = weight * r[2][n];
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    const float *here[3] = {x, y, z};
    float **r, *e_there;
    cudaMallocManaged((void **)&r, 3 * sizeof(float *));
    for (int k = 0; k < 3; ++k)
    {
        cudaMalloc((void **)&r[k], N * sizeof(float));
        cudaMemcpy(r[k], here[k], N * sizeof(float), cudaMemcpyHostToDevice);
    }
    cudaMalloc((void **)&e_there, N * sizeof(float));
    energies<<<(N + 127) / 128, 128>>>(r, weight, e_there, N);
    cudaMemcpy(e, e_there, N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int k = 0; k < 3; ++k)
    {
        cudaFree(r[k]);
    }
    cudaFree(r);
    cudaFree(e_there);
}
//== right four_atoms
__global__ void energies(const float4 *z, float weight, float4 *e, int N)
{
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (4 * n < N)
    {
        const float4 a = z[n];
        e[n] = make_float4(weight * a.x, weight * a.y, weight * a.z, weight * a.w);
    }
}
void all_energies(const float *x, const float *y, const float *z, float weight, float *e, int N)
{
    const size_t bytes = N * sizeof(float);
    float4 *z_there, *e_there;
    cudaMalloc((void **)&z_there, bytes + 16);
    cudaMalloc((void **)&e_there, bytes + 16);
    cudaMemset(z_there, 0, bytes + 16);
    cudaMemcpy(z_there, z, bytes, cudaMemcpyHostToDevice);
    energies<<<(N + 511) / 512, 128>>>(z_there, weight, e_there, N);
    cudaMemcpy(e, e_there, bytes, cudaMemcpyDeviceToHost);
    cudaFree(z_there);
    cudaFree(e_there);
}
#endif
