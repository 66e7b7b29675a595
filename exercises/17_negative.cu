// 17_negative: a picture's negative, made down its columns
// 17_negative.zh: 沿着列求图像的负片
//
// Kind: faster
// Chapter: 7
// Program: ch07_global_mem/coalescing.cu
// Book: 7.1
// Goal: A is a picture of M rows with N gray values each, and B becomes its negative. The result is right. But the
//   32 threads of a warp are in 32 rows, one below the other: they take 32 sectors a request, where 4 would do.
//   Let kernel and launch do the same with 4. What counts is counted, not timed.
// Goal.zh: A 是一幅 M 行、每行 N 个灰度值的图像，B 是它的负片。结果是对的，但线程束的 32 个线程在上下相邻的 32 行里：
//   一个请求要 32 个扇区，而 4 个就够了。请改核函数和它的调用，做到 4 个。判题看的是数出来的扇区，不是时间。
// Hint 1: Take the first warp of the first block: threadIdx.y is 0, and threadIdx.x goes from 0 to 31. Which element
//   of A does thread 0 read, which one thread 1, which one thread 2? How many numbers lie between them in memory?
// Hint 1.zh: 看第一个线程块的第一个线程束：threadIdx.y 是 0，threadIdx.x 从 0 到 31。线程 0 读 A 的哪个元素？
//   线程 1 呢？线程 2 呢？在内存中，它们之间隔着多少个数？
// Hint 2: A sector has 32 bytes: 8 floats that lie side by side. 32 threads need only 4 sectors if neighbouring
//   threads are at neighbouring columns of one row.
// Hint 2.zh: 一个扇区有 32 个字节，也就是并排的 8 个 float。如果相邻的线程在同一行的相邻的列上，32 个线程就只要
//   4 个扇区。
// Hint 3: Which of row and column should come from threadIdx.x? The launch has to follow: its first number counts
//   blocks along x, its second one along y.
// Hint 3.zh: 行和列中，哪一个应该来自 threadIdx.x？调用也要跟着改：它的第一个数是 x 方向的线程块数，第二个是
//   y 方向的。
// After: The work of a thread is the same as before: one number. What has changed is what the 32 threads of a warp do
//   together. On an H200 (27 November 2026) a picture of 10000 x 10000 takes 0.331 ms and not 1.504 ms. Counting
//   does not tell all: a thread for each column, with a loop over the rows, takes 4 sectors, too. But 10000
//   threads are too few to keep the memory busy, and it takes 3.77 ms there. bin/coalescing has other patterns,
//   and `bin/cpucc --count` counts those of any program.
// After.zh: 每个线程的工作和原来一样：一个数。变的是线程束的 32 个线程合起来做什么。在 H200 上（2026 年 11 月 27 日），
//   10000 x 10000 的图像从 1.504 ms 变成 0.331 ms。计数并不说明一切：每列一个线程、用循环走过各行，一个请求也是 4 个扇区，但 10000 个
//   线程太少，不能让内存一直忙着，在那里要 3.77 ms。bin/coalescing 中有别的访问方式；用 `bin/cpucc --count`
//   可以数任何程序的扇区。

#include <stdio.h>

//[
// A thread for each value: neighbouring threads are at neighbouring columns.
//zh 每个值一个线程：相邻的线程在相邻的列上。
__global__ void negative(const float *A, float *B, int M, int N)
{
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M && column < N)
    {
        B[row * N + column] = 1 - A[row * N + column];
    }
}

// A and B are on the device.
//zh A 和 B 在设备上。
void make_negative(const float *A, float *B, int M, int N)
{
    const dim3 grid((N + 31) / 32, (M + 7) / 8), block(32, 8);
    negative<<<grid, block>>>(A, B, M, N);
}
//| // A thread for each value.
//zh // 每个值一个线程。
//| __global__ void negative(const float *A, float *B, int M, int N)
//| {
//|     const int row = blockIdx.x * blockDim.x + threadIdx.x;
//|     const int column = blockIdx.y * blockDim.y + threadIdx.y;
//|     if (row < M && column < N)
//|     {
//|         B[row * N + column] = 1 - A[row * N + column];
//|     }
//| }
//|
//| // A and B are on the device.
//zh // A 和 B 在设备上。
//| void make_negative(const float *A, float *B, int M, int N)
//| {
//|     const dim3 grid((M + 31) / 32, (N + 7) / 8), block(32, 8);
//|     negative<<<grid, block>>>(A, B, M, N);
//| }
//]

int main(void)
{
    const int M = 40, N = 70;
    float *A, *B;
    cudaMallocManaged((void **)&A, M * N * sizeof(float));
    cudaMallocManaged((void **)&B, M * N * sizeof(float));
    for (int i = 0; i < M * N; ++i)
    {
        A[i] = i % 256 / 256.0f;
    }
    make_negative(A, B, M, N);
    cudaDeviceSynchronize();
    printf("B begins with %g, %g, %g\n", B[0], B[1], B[2]);
    cudaFree(A);
    cudaFree(B);
    return 0;
}

#if 0
//== child
static void run_case()
{
    const int M = judged::number(0), N = judged::number(1);
    float *A = judged::on_device<float>(0), *B = judged::on_device<float>(1);
    make_negative(A, B, M, N);
    cudaDeviceSynchronize();
    judged::from_device(0, A);
    judged::from_device(1, B);
}

//== judge
#include "judge.h"

static void add(long M, long N)
{
    Case *c = add_case({M, N});
    input<float>(c, M * N);
    output<float>(c, M * N);
}

static void prepare()
{
    if (is_counting())
    {
        add(128, 128);
        return;
    }
    add(40, 300);
    add(300, 40);
    add(64, 64);
    add(2, 1100);
    add(1, 33);
    add(random_number(2, 31), 1);
    add(random_number(129, 200), random_number(33, 60));
    add(random_number(33, 60), random_number(257, 400));
}

static void look_at_counts(long numbers)
{
    const Counted loads = weigh("global", "load", numbers, 32),
                  stores = weigh("global", "store", numbers, 32);
    const bool are_few = loads.lanes < 16 || stores.lanes < 16;
    if (is_wasteful(loads) != is_wasteful(stores) && !are_few && loads.now > 3.9 && stores.now > 3.9)
    {
        const Counted &c = is_wasteful(loads) ? loads : stores;
        if (c.worst->units >= GOOD_ENOUGH * c.worst->least)
        {
            wrong_at(is_wasteful(loads) ? "loads_only" : "stores_only", c, c.worst);
        }
    }
    for (const Counted &c : {loads, stores})
    {
        if (is_wasteful(c) && !are_few && c.worst->units > GOOD_ENOUGH * c.worst->least)
        {
            wrong_at(c.worst->units > 7.5 * c.worst->least ? "far_apart" : "pieces", c, c.worst);
        }
        look_at(c);
    }
}

static void look(const Case *c)
{
    const long M = c->number[0], N = c->number[1], num = M * N;
    const float *A = array<float>(c, 0), *B = array<float>(c, 1);
    long num_right = 0, num_untouched = 0, num_copies = 0, first = -1, first_untouched = -1;
    long rows_written = 0, columns_written = 0; // up to the last written one
    for (long i = num - 1; i >= 0; --i)
    {
        const bool right = B[i] == 1 - A[i], untouched = !right && is_untouched(B[i]);
        num_right += right;
        num_untouched += untouched;
        num_copies += B[i] == A[i];
        first = right ? first : i;
        first_untouched = untouched ? i : first_untouched;
        rows_written = !untouched && i / N >= rows_written ? i / N + 1 : rows_written;
        columns_written = !untouched && i % N >= columns_written ? i % N + 1 : columns_written;
    }
    if (num_right == num)
    {
        if (is_counting())
        {
            look_at_counts(num);
        }
        return;
    }
    value("M", "%ld", M);
    value("N", "%ld", N);
    value("R", "%ld", first / N);
    value("C", "%ld", first % N);
    value("got", "%s", text_of(B[first]));
    value("want", "%s", text_of(1 - A[first]));
    long source = 0;
    while (source < num && 1 - A[source] != B[first])
    {
        ++source;
    }
    value("from_row", "%ld", source / N);
    value("from_column", "%ld", source % N);
    value("rows", "%ld", rows_written);
    value("columns", "%ld", columns_written);
    value("untouched", "%ld", num_untouched);
    value("uR", "%ld", first_untouched / N);
    value("uC", "%ld", first_untouched % N);
    if (num_untouched == num)
    {
        wrong("nothing");
    }
    else if (num_copies == num)
    {
        wrong("copy");
    }
    else if (num_right + num_untouched == num)
    {
        const bool whole_rows = num_untouched == (M - rows_written) * N,
                   whole_columns = num_untouched == (N - columns_written) * M;
        wrong(whole_columns ? "columns_missing" : whole_rows ? "rows_missing" : "not_written");
    }
    else
    {
        wrong(is_untouched(B[first]) ? "not_written" : source < num ? "of_another" : "other");
    }
}

//== time
static float *A, *B;
static int rows, columns;

static void set_up()
{
    columns = ON_GPU ? 16000 : 300;
    rows = timed::elements(2 * sizeof(float)) / columns;
    A = (float *)timed::memory(sizeof(float) * rows * columns);
    B = (float *)timed::memory(sizeof(float) * rows * columns);
}
static void run_once() { make_negative(A, B, rows, columns); }
static double bytes_moved() { return 2.0 * sizeof(float) * rows * columns; }

//== says
x_is_row for far_apart or pieces when /\b(\w+)\s*=[^;,]*\bthreadIdx\.x\b[^;]*;(?s:.*)\[[^\[\]]*\b\g1\s*\*\s*N\b|\[[^\[\]]*\bthreadIdx\.x\b[^\[\]+]*\*\s*N\b/: A request of this {access} takes {units} sectors, and {least} would do. In the index, what comes from threadIdx.x is multiplied by N: the next thread of the warp is a whole row further on. It should be one number further on.
x_is_row.zh: 一个{access}请求要 {units} 个扇区，而 {least} 个就够了。在下标中，由 threadIdx.x 得到的数乘了 N：线程束的下一个线程在整整一行之后，而它应该只在一个数之后。
far_apart: A request of this {access} takes {units} sectors, and {least} would do. Each thread of the warp is in a sector of its own and uses 4 of its 32 bytes: what neighbouring threads want at the same time lies far apart.
far_apart.zh: 一个{access}请求要 {units} 个扇区，而 {least} 个就够了。线程束的每个线程各在一个扇区里，32 个字节只用到 4 个：相邻的线程同时要的数相距很远。
pieces: A request of this {access} takes {units} sectors, and {least} would do. A sector has 8 numbers side by side, and here fewer than 8 neighbouring threads share one. Are there gaps between them, or does a warp have pieces of too many rows?
pieces.zh: 一个{access}请求要 {units} 个扇区，而 {least} 个就够了。一个扇区有并排的 8 个数，而这里共用一个扇区的相邻线程不到 8 个。是它们之间有空隙，还是一个线程束分在太多的行里？
loads_only: The stores are mended. But this load still takes {units} sectors a request, and {least} would do.
loads_only.zh: 写已经改好了。但一个读请求还是要 {units} 个扇区，而 {least} 个就够了。
stores_only: The loads are mended. But this store still takes {units} sectors a request, and {least} would do.
stores_only.zh: 读已经改好了。但一个写请求还是要 {units} 个扇区，而 {least} 个就够了。
mixed for not_written or columns_missing or rows_missing or past_end or of_another or race_same_place when /=\s*blockIdx\.x[^;,]*threadIdx\.y|=\s*blockIdx\.y[^;,]*threadIdx\.x/ at /=\s*blockIdx\.x[^;,]*threadIdx\.y|=\s*blockIdx\.y[^;,]*threadIdx\.x/: x and y are mixed here: blockIdx.x, blockDim.x and threadIdx.x belong together.
mixed.zh: 这里 x 和 y 混在一起了：blockIdx.x、blockDim.x 和 threadIdx.x 是一组。
nothing: B is not written at all. Does the kernel run, and has it a thread for which the condition holds?
nothing.zh: B 完全没有被写。核函数执行了吗？有没有线程满足条件？
copy: B is a copy of A. The negative of a value a is 1 - a.
copy.zh: B 是 A 的副本。值 a 的负片是 1 - a。
columns_missing at /<<</: Of the {N} columns the first {columns} are right, and the others are not written. How many threads does the launch make, and how many are needed now?
columns_missing.zh: {N} 列中前 {columns} 列是对的，其余的没有写。这里的调用产生多少个线程？现在需要多少个？
rows_missing: Of the {M} rows the first {rows} are right, and the others are not written. Which thread, or which turn of a loop, has the next row?
rows_missing.zh: {M} 行中前 {rows} 行是对的，其余的没有写。下一行由哪个线程、在循环的哪一轮写？
not_written: {untouched} values of B are not written. The first one is in row {uR}, column {uC} of {M} x {N}. Which thread should write it?
not_written.zh: B 有 {untouched} 个值没有写。第一个在 {M} x {N} 的第 {uR} 行第 {uC} 列。应该由哪个线程写？
of_another: Row {R}, column {C} of B is made from row {from_row}, column {from_column} of A. Both indices must be the same. A row has {N} values.
of_another.zh: B 的第 {R} 行第 {C} 列是由 A 的第 {from_row} 行第 {from_column} 列得到的。两个下标必须相同。一行有 {N} 个值。
other: Row {R}, column {C} of B is {got}. It should be {want}.
other.zh: B 的第 {R} 行第 {C} 列是 {got}，应该是 {want}。
past_end: Thread {thread} of block {block} {how} past the end of a picture. Which index comes out for it, and what does the condition say to it?
past_end.zh: 线程块 {block} 的线程 {thread} 在图像末尾之后{how}。它算出的下标是多少？条件对它成立吗？

//== wrong kernel_only: columns_missing
//- grid((N + 31) / 32, (M + 7) / 8)
//+ grid((M + 31) / 32, (N + 7) / 8)
//== wrong launch_only: columns_missing
//- row = blockIdx.y * blockDim.y + threadIdx.y
//+ row = blockIdx.x * blockDim.x + threadIdx.x

//- column = blockIdx.x * blockDim.x + threadIdx.x
//+ column = blockIdx.y * blockDim.y + threadIdx.y
//== wrong half_exchanged: mixed
//- row = blockIdx.y * blockDim.y + threadIdx.y
//+ row = blockIdx.x * blockDim.x + threadIdx.y
//== wrong row_of_its_own: x_is_row
__global__ void negative(const float *A, float *B, int M, int N)
{
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < M)
    {
        for (int column = 0; column < N; ++column)
        {
            B[row * N + column] = 1 - A[row * N + column];
        }
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(M + 127) / 128, 128>>>(A, B, M, N);
}
//== wrong x_down: x_is_row
__global__ void negative(const float *A, float *B, int M, int N)
{
    const int row = blockIdx.x * 16 + threadIdx.x, column = blockIdx.y * 16 + threadIdx.y;
    if (row < M && column < N)
    {
        B[row * N + column] = 1 - A[row * N + column];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<dim3((M + 15) / 16, (N + 15) / 16), dim3(16, 16)>>>(A, B, M, N);
}
//== wrong own_piece: far_apart
__global__ void negative(const float *A, float *B, int num)
{
    const int first = 16 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int i = first; i < first + 16 && i < num; ++i)
    {
        B[i] = 1 - A[i];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(M * N + 2047) / 2048, 128>>>(A, B, M * N);
}
//== wrong two_each: pieces
__global__ void negative(const float *A, float *B, int M, int N)
{
    const int column = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    for (int row = 0; row < M; ++row)
    {
        for (int k = column; k < column + 2 && k < N; ++k)
        {
            B[row * N + k] = 1 - A[row * N + k];
        }
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(N + 255) / 256, 128>>>(A, B, M, N);
}
//== wrong narrow: pieces
__global__ void negative(const float *A, float *B, int M, int N)
{
    const int column = blockIdx.x * 4 + threadIdx.x, row = blockIdx.y * 64 + threadIdx.y;
    if (row < M && column < N)
    {
        B[row * N + column] = 1 - A[row * N + column];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<dim3((N + 3) / 4, (M + 63) / 64), dim3(4, 64)>>>(A, B, M, N);
}
//== wrong four_stores: stores_only
__global__ void negative(const float *A, float *B, int num)
{
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < num)
    {
        const float4 a = *(const float4 *)(A + i);
        const float b[4] = {1 - a.x, 1 - a.y, 1 - a.z, 1 - a.w};
        for (int k = 0; k < 4; ++k)
        {
            B[i + k] = b[k];
        }
        return;
    }
    for (int k = i; k < num; ++k)
    {
        B[k] = 1 - A[k];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(M * N + 511) / 512, 128>>>(A, B, M * N);
}
//== wrong four_loads: loads_only
__global__ void negative(const float *A, float *B, int num)
{
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < num)
    {
        *(float4 *)(B + i) = make_float4(1 - A[i], 1 - A[i + 1], 1 - A[i + 2], 1 - A[i + 3]);
        return;
    }
    for (int k = i; k < num; ++k)
    {
        B[k] = 1 - A[k];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(M * N + 511) / 512, 128>>>(A, B, M * N);
}
//== wrong blocks_of_one: one_lane
__global__ void negative(const float *A, float *B, int N)
{
    B[blockIdx.x * N + blockIdx.y] = 1 - A[blockIdx.x * N + blockIdx.y];
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<dim3(M, N), 1>>>(A, B, N);
}
//== wrong one_thread: one_thread
__global__ void negative(const float *A, float *B, int num)
{
    for (int i = 0; i < num; ++i)
    {
        B[i] = 1 - A[i];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<1, 1>>>(A, B, M * N);
}
//== wrong first_of_block: one_lane
__global__ void negative(const float *A, float *B, int N)
{
    if (threadIdx.x == 0)
    {
        for (int i = blockIdx.x * N; i < (blockIdx.x + 1) * N; ++i)
        {
            B[i] = 1 - A[i];
        }
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<M, 128>>>(A, B, N);
}
//== wrong blocks_of_eight: few_lanes
__global__ void negative(const float *A, float *B, int num)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < num && threadIdx.x % 4 == 0)
    {
        for (int k = i; k < i + 4 && k < num; ++k)
        {
            B[k] = 1 - A[k];
        }
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(M * N + 127) / 128, 128>>>(A, B, M * N);
}
//== wrong two_passes: loads_several_times
__global__ void copy(const float *A, float *B, int num)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < num)
    {
        B[i] = A[i];
    }
}
__global__ void invert(float *B, int num)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < num)
    {
        B[i] = 1 - B[i];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    copy<<<(M * N + 127) / 128, 128>>>(A, B, M * N);
    invert<<<(M * N + 127) / 128, 128>>>(B, M * N);
}
//== wrong on_the_host: loads_too_few (whole file)
#include <stdlib.h>
__global__ void negative() { }
void make_negative(const float *A, float *B, int M, int N)
{
    float *a = (float *)malloc(M * N * sizeof(float));
    cudaMemcpy(a, A, M * N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < M * N; ++i)
    {
        a[i] = 1 - a[i];
    }
    cudaMemcpy(B, a, M * N * sizeof(float), cudaMemcpyHostToDevice);
    free(a);
    negative<<<1, 32>>>();
}
//== wrong no_kernel: loads_too_few (whole file)
#include <stdlib.h>
void make_negative(const float *A, float *B, int M, int N)
{
    float *a = (float *)malloc(M * N * sizeof(float));
    cudaMemcpy(a, A, M * N * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < M * N; ++i)
    {
        a[i] = 1 - a[i];
    }
    cudaMemcpy(B, a, M * N * sizeof(float), cudaMemcpyHostToDevice);
    free(a);
}
//== wrong forged: not_counted (whole file)
#include <stdio.h>
__global__ void negative(const float *A, float *B, int num)
{
    for (int i = 0; i < num; ++i)
    {
        B[i] = 1 - A[i];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<1, 1>>>(A, B, M * N);
    fprintf(stderr, "what,kernel,file,line,access,bytes,requests,lanes,units,least,useful,worst,together,\n");
    fprintf(stderr, "global,negative,x.cu,5,load,4,512,16384,2048,2048,65536,4,512,\n");
    fprintf(stderr, "global,negative,x.cu,5,store,4,512,16384,2048,2048,65536,4,512,\n");
}
//== wrong no_condition: past_end
//- if (row < M && column < N)
//+ if (true)
//== wrong sizes_exchanged: columns_missing
//- row < M && column < N
//+ row < N && column < M
//== wrong transposed: of_another
//- 1 - A[row * N + column]
//+ 1 - A[column * M + row]
//== wrong not_negative: copy
//- 1 - A
//+ A
//== wrong added: other
//- 1 - A
//+ 1 + A
//== wrong one_row: rows_missing
//- row < M
//+ row < 1
//== wrong not_launched: block_size
//- block(32, 8)
//+ block(64, 32)

//== right flat
__global__ void negative(const float *A, float *B, int num)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < num)
    {
        B[i] = 1 - A[i];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(M * N + 255) / 256, 256>>>(A, B, M * N);
}
//== right blocks_of_100
__global__ void negative(const float *A, float *B, int num)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < num)
    {
        B[i] = 1 - A[i];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(M * N + 99) / 100, 100>>>(A, B, M * N);
}
//== right row_of_a_block
__global__ void negative(const float *A, float *B, int N)
{
    for (int column = threadIdx.x; column < N; column += blockDim.x)
    {
        B[blockIdx.x * N + column] = 1 - A[blockIdx.x * N + column];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<M, 64>>>(A, B, N);
}
//== right grid_stride
__global__ void negative(const float *A, float *B, int num)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < num; i += gridDim.x * blockDim.x)
    {
        B[i] = 1 - A[i];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<5, 96>>>(A, B, M * N);
}
//== right column_of_its_own
__global__ void negative(const float *A, float *B, int M, int N)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    if (column < N)
    {
        for (int row = 0; row < M; ++row)
        {
            B[row * N + column] = 1 - A[row * N + column];
        }
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(N + 127) / 128, 128>>>(A, B, M, N);
}
//== right blocks_of_16
//- grid((N + 31) / 32, (M + 7) / 8), block(32, 8)
//+ grid((N + 15) / 16, (M + 15) / 16), block(16, 16)
//== right fours
__global__ void negative(const float *A, float *B, int num)
{
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 3 < num)
    {
        const float4 a = *(const float4 *)(A + i);
        *(float4 *)(B + i) = make_float4(1 - a.x, 1 - a.y, 1 - a.z, 1 - a.w);
        return;
    }
    for (int k = i; k < num; ++k)
    {
        B[k] = 1 - A[k];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<(M * N + 511) / 512, 128>>>(A, B, M * N);
}
//== right exchanged
__global__ void negative(const float *A, float *B, int M, int N)
{
    const int column = blockIdx.y * blockDim.x + threadIdx.x, row = blockIdx.x;
    if (column < N)
    {
        B[row * N + column] = 1 - A[row * N + column];
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<dim3(M, (N + 127) / 128), 128>>>(A, B, M, N);
}
//== right by_tiles
__global__ void negative(const float *A, float *B, int M, int N)
{
    __shared__ float tile[32][33];
    const int row = blockIdx.y * 32, column = blockIdx.x * 32 + threadIdx.x;
    for (int r = threadIdx.y; r < 32 && row + r < M; r += 8)
    {
        tile[r][threadIdx.x] = column < N ? A[(row + r) * N + column] : 0;
    }
    __syncthreads();
    for (int r = threadIdx.y; r < 32 && row + r < M; r += 8)
    {
        if (column < N)
        {
            B[(row + r) * N + column] = 1 - tile[r][threadIdx.x];
        }
    }
}
void make_negative(const float *A, float *B, int M, int N)
{
    negative<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 8)>>>(A, B, M, N);
}
#endif
