// 03_grid: a grid rounded up
// 03_grid.zh: 向上取整的网格
//
// Kind: write
// Chapter: 3
// Program: ch03_framework/add3if.cu
// Book: 3.2.6
// Goal: The kernel doubles N numbers, one in each thread, and threads without a number do nothing. The
//   kernel stays as it is. Give grid_size its value: as many blocks of 128 threads as N numbers need, and no
//   block that has nothing to do. N may be any number from 1 on.
// Goal.zh: 核函数把 N 个数各乘以 2，每个线程算一个，没有数的线程什么也不做。核函数不用改。请写出 grid_size 的值：
//   每块 128 个线程，线程块的个数正好够 N 个数用，不要有整块无事可做。N 是任意正整数。
// Hint 1: Count the threads. How many does N / 128 give for N = 1000, and which numbers are left over?
// Hint 1.zh: 数一数线程。N = 1000 时，N / 128 个线程块一共有多少个线程？剩下的是哪些数？
// Hint 2: C throws away what is behind the point: 1000 / 128 is 7. The numbers that are left over need a block of
//   their own, even if it is only one number. If none is left over, they need none.
// Hint 2.zh: C 语言的整数除法舍去小数部分：1000 / 128 等于 7。剩下的数哪怕只有一个，也要占一个线程块；
//   如果一个不剩，就不用再加。
// Hint 3: In the line of grid_size. Try what you write by hand for N = 127, 128 and 129: it must be 1, 1 and 2.
// Hint 3.zh: 在 grid_size 那一行。取 N = 127、128、129 手算一下：应该得到 1、1、2。
// After: There are two usual ways to write it, (N + 127) / 128 and (N - 1) / 128 + 1. The kernel's if keeps
//   out the threads that are too many: the two belong together. An idle block costs next to nothing
//   on a card, a missing one costs the result. With N = 0 the grid would be of 0 blocks, which is an
//   error: a program tests for it first. See ch03_framework/add3if.cu, and section 3.2.6 of the book.
// After.zh: 常用的写法有两种：(N + 127) / 128 和 (N - 1) / 128 + 1。多出来的线程由核函数里的 if 挡住，两者要配合使用。
//   在显卡上，多一个空闲的线程块几乎没有开销；少一个线程块，结果就错了。N = 0 时网格会有 0 个线程块，这是错误，
//   程序要事先判断。见 ch03_framework/add3if.cu 和书的 3.2.6 节。

#include <stdio.h>

__global__ void twice(const double *x, double *y, int N)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        y[n] = 2 * x[n];
    }
}

// x and y point to memory of the device.
//zh x 和 y 指向设备内存。
void launch_twice(const double *x, double *y, int N)
{
    const int block_size = 128;
    //[
    const int grid_size = (N + block_size - 1) / block_size;
    //| const int grid_size = N / block_size; // and what is left over?
    //zh const int grid_size = N / block_size; // 剩下的数怎么办？
    twice<<<grid_size, block_size>>>(x, y, N);
    //| twice<<<grid_size, block_size>>>(x, y, N);
    //]
}

int main(void)
{
    const int N = 1000, bytes = N * sizeof(double);
    double *x, *y;
    cudaMallocManaged((void **)&x, bytes);
    cudaMallocManaged((void **)&y, bytes);
    for (int n = 0; n < N; ++n)
    {
        x[n] = n;
        y[n] = 0;
    }
    launch_twice(x, y, N);
    cudaDeviceSynchronize();
    printf("y[1] = %g, y[%d] = %g\n", y[1], N - 1, y[N - 1]);
    cudaFree(x);
    cudaFree(y);
    return 0;
}

#if 0
//== child
static void run_case()
{
    double *x = judged::on_device<double>(0), *y = judged::on_device<double>(1);
    launch_twice(x, y, judged::number(0));
    cudaDeviceSynchronize();
    judged::from_device(0, x);
    judged::from_device(1, y);
}

//== judge
#include "judge.h"

static void add(long N)
{
    Case *c = add_case({N});
    input<double>(c, N);
    output<double>(c, N);
}

static void prepare()
{
    add(1000);
    add(128 * random_number(3, 6) + random_number(2, 40)); // little is left over
    add(128 * random_number(9, 12)); // nothing is left over
    add(128 * random_number(4, 6) + 1); // one is left over
    add(128 * random_number(14, 19) + random_number(90, 127));
    add(128 * random_number(2, 4) + 127);
    add(random_number(140000, 150000)); // it tells divisors apart
    const long sizes[] = {1, 31, 127, 128, 129, 1025};
    for (const long N : sizes)
    {
        add(N);
    }
}

// Whether each N has got the same number of blocks.
static bool are_all(long blocks)
{
    Launch l;
    for (int i = 0; i < table->num_cases; ++i)
    {
        if (!launch_of(&table->cases[i], 0, &l) || l.grid[0] != blocks)
        {
            return false;
        }
    }
    return true;
}

// How many blocks the first cases have got.
enum
{
    FIRST = 7
};
static long given[FIRST];

static void read_launches()
{
    for (int i = 0; i < FIRST; ++i)
    {
        Launch l;
        given[i] = launch_of(&table->cases[i], 0, &l) ? l.grid[0] : -1;
    }
}

// Whether these are f(N, k).
template <class Function>
static bool are(int cases, long k, Function f)
{
    for (int i = 0; i < cases; ++i)
    {
        if (given[i] != f(table->cases[i].number[0], k))
        {
            return false;
        }
    }
    return true;
}

static bool is_too_little_added()
{
    for (long k = 1; k < 127; ++k)
    {
        if (are(6, k, [](long N, long k) { return (N + k) / 128; }))
        {
            return true;
        }
    }
    return false;
}

// By which number, other than 128, N is divided: 0 if by none, or if it may be one of several.
static long other_divisor()
{
    long divisor = 0;
    for (long d = 2; d < 2049; ++d)
    {
        if (d != 128 && (are(FIRST, d, [](long N, long d) { return N / d; }) ||
                         are(FIRST, d, [](long N, long d) { return (N + d - 1) / d; })))
        {
            if (divisor != 0)
            {
                return 0;
            }
            divisor = d;
        }
    }
    return divisor;
}

static void look(const Case *c)
{
    const long N = c->number[0], need = (N - 1) / 128 + 1;
    const double *x = array<double>(c, 0), *y = array<double>(c, 1);
    long first = -1, last = -1, blocks = 0, launches = 0;
    for (long n = 0; n < N; ++n)
    {
        if (y[n] != 2 * x[n])
        {
            first = first < 0 ? n : first;
            last = n;
        }
    }
    Launch l;
    bool is_other_block = false;
    long grid = 0, block = 0;
    for (; launch_of(c, launches, &l); ++launches)
    {
        blocks += l.grid[0];
        if (is_other_block)
        {
            continue;
        }
        value("block", l.block[1] * l.block[2] > 1 ? "%u x %u x %u" : "%u", l.block[0], l.block[1], l.block[2]);
        value("grid", "%u", l.grid[0]);
        value("directions", "%u x %u x %u", l.grid[0], l.grid[1], l.grid[2]);
        if (l.block[0] != 128 || l.block[1] * l.block[2] != 1)
        {
            is_other_block = true;
            grid = l.grid[0], block = l.block[0];
        }
        else if (l.grid[1] * l.grid[2] != 1)
        {
            wrong("directions");
        }
    }
    if (launches > 1)
    {
        wrong("several_launches");
    }
    if (is_other_block)
    {
        wrong(grid == 128                           ? "exchanged"
              : grid == 1 && block == N && N != 128 ? "one_block"
                                                    : "block_of_128");
    }
    read_launches();
    const long divisor = blocks != need ? other_divisor() : 0;
    value("divisor", "%ld", divisor);
    value("N", "%ld", N);
    value("need", "%ld", need);
    value("blocks", "%ld", blocks);
    value("threads", "%ld", blocks * 128);
    value("launches", "%ld", launches);
    value("first", "%ld", blocks * 128);
    value("last", "%ld", N - 1);
    value("left", "%ld", N % 128);
    value("i", "%ld", first);
    value("got", "%s", first >= 0 ? text_of(y[first]) : "");
    value("want", "%s", first >= 0 ? text_of(2 * x[first]) : "");
    if (launches == 0)
    {
        wrong(first < 0 ? "on_host" : "no_launch");
    }
    else if (blocks < need && first < 0)
    {
        wrong("kernel_changed");
    }
    else if (blocks != need && blocks > 1 && are_all(blocks))
    {
        wrong("fixed");
    }
    else if (blocks < need)
    {
        wrong(blocks * 128 == N - 1   ? "last_one"
              : divisor > 0           ? "other_divisor"
              : is_too_little_added() ? "too_little_added"
              : are(5, 0, [](long N, long) { return N / 128 + (N % 128 == 0); }) ? "turned"
              : blocks == N / 128     ? "rest"
              : blocks == 1           ? "only_one"
                                      : "too_few");
    }
    else if (blocks > need)
    {
        // (The first N is 1000: nothing of this comes out by chance.)
        const bool is_first = c == table->cases;
        const long bytes = N * sizeof(double);
        wrong(blocks == need + 1            ? N % 128 == 0 ? "one_more" : "one_too_many"
              : !is_first                   ? divisor > 0 ? "other_divisor" : "too_many"
              : blocks == N                 ? "block_each"
              : blocks == need * 128 || blocks == N / 128 * 128 ? "threads_for_blocks"
              : blocks > N && blocks <= N + 128 ? "not_divided"
              : blocks == (N + 127) % 128   ? "of_remainder"
              : blocks == N % 128           ? "remainder"
              : blocks == N / 128 + N % 128 ? "remainder_added"
              : blocks == bytes / 128 || blocks == (bytes + 127) / 128 ? "bytes"
              : divisor > 0                 ? "other_divisor"
                                            : "too_many");
    }
    else if (first >= 0)
    {
        wrong(is_untouched(y[first]) ? "left_out" : "other");
    }
}

//== time
static double *x, *y;
static int size;

static void set_up()
{
    size = timed::elements(2 * sizeof(double)) - 1;
    x = (double *)timed::memory(size * sizeof(double));
    y = (double *)timed::memory(size * sizeof(double));
}
static void run_once() { launch_twice(x, y, size); }
static double bytes_moved() { return 2.0 * sizeof(double) * size; }

//== says
of_float for passed when /\blaunch_twice\b.*(?:\bceilf\s*\(|\bfloat\b|\b\d+\.\d*f\b)/ at /\bceilf\s*\(|\bfloat\b|\b\d+\.\d*f\b/: A float keeps about 7 digits of a number. With N = 33554433 the last number gets no block. Can it be done in whole numbers, or in double?
of_float.zh: float 只有大约 7 位有效数字。N = 33554433 时，最后一个数就没有线程块了。能用整数或 double 来算吗？
small_type for passed or too_few or grid_size when /\blaunch_twice\b.*\b(?:short|char)\b/ at /\b(?:short|char)\b/: A variable of this type holds small numbers only, and N may be any number. How many blocks do ten million numbers need?
small_type.zh: 这种类型的变量只能存放很小的数，而 N 可以是任何数。一千万个数需要多少个线程块？
capped for passed when /[<>?,:]=?\s*(?:6553[56]|104857[56]|1\s*<<\s*20)\b/ at /[<>?,:]=?\s*(?:6553[56]|104857[56]|1\s*<<\s*20)\b/: The number of blocks has a limit here, and N may be any number. Numbers behind the last block have no thread.
capped.zh: 这里限制了线程块的个数，而 N 可以是任何数。最后一个线程块之后的数没有线程。
no_value for grid_size or block_size or not_launched or too_many or too_few or only_one or rest or one_more or one_too_many or block_each or bytes or fixed or last_one or remainder when /\bint\s+grid_size\s*;(?!.*\bgrid_size\s*(?:=(?!=)|[-+*\/]=|\+\+))(?!.*\+\+\s*grid_size)/ at /\bint\s+grid_size\s*;/: grid_size is declared here, and gets no value anywhere.
no_value.zh: 这里声明了 grid_size，却没有给它赋值。
semicolon for one_more or one_too_many or rest or too_many or too_few or grid_size when /\bif\s*(\((?:[^();{}]++|(?1))*\))\s*;/ at /\bif\b/: The ; behind the condition ends the if here: what follows is done for every N.
semicolon.zh: 条件后面的分号 ; 使 if 到此为止：不论 N 是多少，后面的语句都会执行。
launched_N for block_each when /<<<\s*N\s*,/ at /<<<\s*N\s*,/: For {N} numbers you launch {blocks} blocks, a whole block for each number. But each of its 128 threads can do one.
launched_N.zh: {N} 个数用了 {blocks} 个线程块，每个数占了一整块。可是一块有 128 个线程，每个线程都能算一个数。
shadowed for rest or one_more or too_few or only_one or turned or too_many when /\b(?:int|dim3|unsigned|auto)\s+(\w+)\s*=[^;]*;.*\bif\b[^{};]*(?:\{[^{}]*)?\b(?:int|dim3|unsigned|auto)\s+\g1\s*=/ at last /\b(?:int|dim3|unsigned|auto)\s+grid\w*\s*=/: Here a new variable begins. It ends with its braces, and the one above keeps its value.
shadowed.zh: 这里又声明了一个新变量，它只在自己的大括号内有效，上面那个变量的值没有变。
shift_first for other_divisor or too_few or rest or only_one or fixed or grid_size when /[^>]>>(?!>)\s*\w+\s*[-+]/ at /[^>]>>(?!>)\s*\w+\s*[-+]/: C does + and - before >>, so this shifts by another number than it seems.
shift_first.zh: C 语言先算 + 和 -，后算 >>，所以这里移的位数和看上去的不同。
divided_by_N for only_one or too_few or grid_size or fixed or rest when /[^\/]\/\s*N\b/ at /\/\s*N\b/: The division is by N here. How many blocks of 128 go into N, or how many N go into a block: which one is asked for?
divided_by_N.zh: 这里除以了 N。N 里有多少个 128，还是一个线程块里有多少个 N：要算的是哪一个？
one_less_divided for other_divisor or rest or too_few or too_many or one_more or one_too_many when /\/\s*\(\s*(?:block_size|128)\s*-\s*1\s*\)|\/\s*127\b/ at /\/\s*\(|\/\s*127\b/: The division is by 127 here, and a block has 128 threads.
one_less_divided.zh: 这里除以的是 127，而一个线程块有 128 个线程。
subtracted for too_few or rest or grid_size or other_divisor when /\bN\s*-\s*(?:block_size|128|127)\b[^;]*\// at /\bN\s*-/: What is taken away from N makes the grid smaller: for N = {N} it has {blocks} blocks. The numbers that are left over need one block more, not less.
subtracted.zh: 从 N 中减去一些，网格就更小了：N = {N} 时只有 {blocks} 个线程块。剩下的数要多占一个线程块，而不是更少。
set_sometimes for grid_size or not_launched or illegal_address or rest or too_few or too_many or only_one or one_more or one_too_many or fixed or hang or timeout or not_ended or crash or no_value or endless or cuda_error or turned when /\b(?:int|unsigned|size_t|long)\s+(\w+)\s*;\s*if\s*\([^{};]*\)\s*\{?\s*\g1\s*=[^;]*;\s*+\}?+\s*+(?!else\b|if\b|\g1\s*=)/ at /\b(?:int|unsigned|size_t|long)\s+\w+\s*;/: This variable gets its value only if the condition is true. Else nobody knows what is in it.
set_sometimes.zh: 只有条件成立时，这个变量才有值。不成立时，里面是什么谁也不知道。
third_number for not_launched when /<<<[^;,]*,[^;,]*,/ at /<<</: The third number in <<< >>> is how many bytes of shared memory a block gets. This kernel needs none.
third_number.zh: <<< >>> 的第三个数是每个线程块的共享内存字节数。这个核函数不需要。
limited for too_few when /\bmin\s*\(|[<>?:]=?\s*\d{4,}\b/ at /\bmin\s*\(|[<>?:]=?\s*\d{4,}\b/: The number of blocks has a limit here, and N may be any number: with N = {N}, numbers {first} to {last} have no thread.
limited.zh: 这里限制了线程块的个数，而 N 可以是任何数：N = {N} 时，第 {first} 到第 {last} 个数没有线程。
one_rest for rest or last_one when /%\s*(?:block_size|128)\s*==\s*[1-9]/ at /%\s*(?:block_size|128)\s*==/: What is left over may be any number from 1 to 127, and the condition asks for one of them.
one_rest.zh: 剩下的数可能有 1 到 127 个，而条件只问了其中一种。
divided_first for rest when /\bceil/ at /\bceil/: ceil comes too late: the division of whole numbers has given {blocks} already, and no fraction is left that could be rounded up.
divided_first.zh: ceil 来得太晚了：整数相除已经得到 {blocks}，没有小数部分可以向上取整。
floor for rest when /\bfloor/ at /\bfloor/: floor rounds down, so {blocks} blocks are launched. The numbers that are left over need one, too.
floor.zh: floor 是向下取整，所以只有 {blocks} 个线程块。剩下的数也要占一个线程块。
one_forgotten for rest or too_few when /\(\s*N\s*-\s*1\s*\)\s*\/(?!.*\+)/ at /N\s*-\s*1/: For N = {N} this gives {blocks} blocks, which are {threads} threads. For N = 1 it gives none. By how many is it always too little?
one_forgotten.zh: N = {N} 时这样得到 {blocks} 个线程块，即 {threads} 个线程；N = 1 时得到 0 个。线程块总是少几个？
nearest for too_few or rest or too_little_added when /\b(?:l?l?r(?:ound|int)|nearbyint)\w*\s*\(|\+\s*0?\.5/ at /\b(?:l?l?r(?:ound|int)|nearbyint)|\.5/: This rounds to the nearest number: for N = {N} it gives {blocks}. But {left} numbers are left over, and they need a block, too.
nearest.zh: 这是四舍五入：N = {N} 时得到 {blocks}，可是还剩 {left} 个数，它们也要占一个线程块。
half_added for rest or too_few or too_little_added when /\(\s*N\s*\+\s*(?:64|block_size\s*\/\s*2)\s*\)\s*\// at /N\s*\+/: This rounds to the nearest number: for N = {N} it gives {blocks}. But {left} numbers are left over, and they need a block, too.
half_added.zh: 这是四舍五入：N = {N} 时得到 {blocks}，可是还剩 {left} 个数，它们也要占一个线程块。
fraction for rest or too_little_added when /128\.|\(\s*(?:double|float)\s*\)\s*N|\bN\s*\*\s*1\.|1\.0*f?\s*\*\s*N/ at /grid_size\s*=|<<</: The number with a fraction becomes a whole number of blocks, and C throws the fraction away: {blocks} blocks are left.
fraction.zh: 带小数的值变成整数时，C 语言舍去小数部分，只剩 {blocks} 个线程块。
brackets for block_each or too_many or not_divided when /\bN\s*[+-][^();]*\/\s*(?:128|block_size)|\bN\s*[+-]\s*\([^();]*\)\s*\/\s*(?:128|block_size)|-\s*1\s*\/\s*(?:128|block_size)/ at /\bN\s*[+-]\s*\(?[^();]*\)?\s*\/|-\s*1\s*\//: The division comes before the sum here, so N itself is not divided: {blocks} blocks for {N} numbers.
brackets.zh: 这里先算除法，后算加减，N 本身没有除：{N} 个数用了 {blocks} 个线程块。
host_variable: {name} exists in kernels only, and this is code of the host. What it stands for has another name here.
host_variable.zh: {name} 只在核函数中有，而这里是主机代码。它所表示的数，在这里是另一个变量。
of_pointer for only_one or too_few or too_many when /sizeof\s*\(?\s*[xy]\b/ at /sizeof/: sizeof of a pointer is the size of the pointer itself. How many numbers there are is in N.
of_pointer.zh: 对指针用 sizeof，得到的是指针本身的大小。数有多少个，N 已经给出。
empty_loop for only_one or too_few or rest or endless or grid_size when /\b(?:while|for)\s*(\((?:[^(){}]++|(?1))*\))\s*;/ at /\b(?:while|for)\b/: The ; behind the bracket ends the loop here: it does nothing in each turn.
empty_loop.zh: 括号后面的分号 ; 使循环到此为止：循环体是空的。
past_end at />>>|n\s*<=?\s*N/: Thread {thread} of block {block} has no number, and the kernel lets it through: it {how} past the end of the arrays. Does the kernel get N, and is its if as it was given?
past_end.zh: 线程块 {block} 的线程 {thread} 没有对应的数，核函数却放行了，它在数组末尾之后{how}。传给核函数的是 N 吗？核函数里的 if 还是原样吗？
last_one at /grid_size\s*=|<<</: For N = {N} you launch {blocks} blocks, which are {threads} threads. The last number, {last}, has no thread.
last_one.zh: N = {N} 时用了 {blocks} 个线程块，共 {threads} 个线程。最后一个数，即第 {last} 个，没有线程。
no_launch at /launch_twice/: The kernel is not launched, and no number is doubled.
no_launch.zh: 没有调用核函数，什么数也没有乘以 2。
on_host at /launch_twice/: The numbers are doubled, but no kernel has done it.
on_host.zh: 数都乘以 2 了，但不是核函数算的。
several_launches at /<<</: The kernel is launched {launches} times, with {blocks} blocks in all. One launch with {need} blocks has a thread for each number.
several_launches.zh: 核函数调用了 {launches} 次，一共 {blocks} 个线程块。调用一次、用 {need} 个线程块，每个数就都有线程了。
exchanged at /<<</: Here 128 is the number of blocks, and a block has {block} threads. In <<< >>> the number of blocks comes first, then the threads of a block.
exchanged.zh: 这里 128 成了线程块的个数，而每块有 {block} 个线程。<<< >>> 中先写线程块的个数，再写每块的线程数。
one_block at /<<</: All {N} numbers are in one block. A block has 1024 threads at most, so this ends there. Take blocks of 128 threads.
one_block.zh: {N} 个数都在一个线程块里。一个线程块最多有 1024 个线程，数再多就不行了。请用 128 个线程的线程块。
block_of_128 at /block_size\s*=(?!\s*128\b)|<<</: The number of threads in a block is {block} here, and shall be 128. Only the number of blocks is asked for.
block_of_128.zh: 这里每块的线程数是 {block}，应为 128。要写的只是线程块的个数。
directions at /dim3|<<</: The grid is {directions} here. The kernel looks at x only, so the other blocks do the same numbers again.
directions.zh: 这里的网格是 {directions}。核函数只看 x 方向，其余的线程块会把同样的数再算一遍。
kernel_changed at /__global__/: All numbers are doubled, but {blocks} blocks have only {threads} threads for {N} numbers. The kernel stays as it is: each thread does one number.
kernel_changed.zh: 数都乘以 2 了，但 {blocks} 个线程块只有 {threads} 个线程，而数有 {N} 个。核函数不用改：每个线程只算一个数。
fixed at /grid_size\s*=|<<</: You launch {blocks} blocks for every N. N = {N} needs {need}: the number of blocks depends on N.
fixed.zh: 不论 N 是多少，都用了 {blocks} 个线程块。N = {N} 时需要 {need} 个：线程块的个数取决于 N。
turned at /%|\?|grid_size\s*=/: With N = {N}, where {left} numbers are left over, there is no block for them, and where none is left over there is one more. Which way round is the condition?
turned.zh: N = {N} 时剩下 {left} 个数，却没有给它们的线程块；一个也不剩时反而多一个。条件是不是反了？
too_little_added at /\bN\s*\+|grid_size\s*=|<<</: With N = {N}, {left} numbers are left over, and they get no block: that is so until more are left over. Even one number that is left over needs a block.
too_little_added.zh: N = {N} 时剩下 {left} 个数，却没有给它们的线程块：剩下的数更多时才有。哪怕只剩一个数，也要占一个线程块。
other_divisor at /\/(?!\/)|>>(?!>)|grid_size\s*=|<<</: N is divided by {divisor} here, and a block has 128 threads. For {N} numbers this gives {blocks} as the number of blocks.
other_divisor.zh: 这里 N 除以的是 {divisor}，而一个线程块有 128 个线程：{N} 个数用了 {blocks} 个线程块。
not_divided at /\bN\s*\+|grid_size\s*=|<<</: Nothing divides N here: {blocks} blocks for {N} numbers. But each of the 128 threads of a block can do one.
not_divided.zh: 这里没有除：{N} 个数用了 {blocks} 个线程块。可是一块有 128 个线程，每个线程都能算一个数。
threads_for_blocks at /<<<[^,]*\*|\*\s*(?:block_size|128)|(?:block_size|128)\s*\*|<<</: {blocks} is how many threads are needed, and here it is the number of blocks. In <<< >>> the blocks are counted first, each of 128 threads.
threads_for_blocks.zh: {blocks} 是所需线程的个数，这里却成了线程块的个数。<<< >>> 中第一个数是线程块的个数，每块有 128 个线程。
of_remainder at /%|grid_size\s*=/: % gives what a division leaves over: for N = {N} that is {blocks}. How many blocks there are is the other result of a division.
of_remainder.zh: % 得到的是除法剩下的余数：N = {N} 时是 {blocks}。线程块的个数是除法的另一个结果。
rest at /grid_size\s*=|<<</: {blocks} blocks are {threads} threads, and there are {N} numbers: numbers {first} to {last} have no thread. A division of whole numbers throws away what is left over.
rest.zh: {blocks} 个线程块共有 {threads} 个线程，而数有 {N} 个：第 {first} 到第 {last} 个没有线程。整数除法把余数丢掉了。
only_one at /grid_size\s*=|<<</: One block of 128 threads is launched for {N} numbers. Numbers {first} to {last} have no thread.
only_one.zh: {N} 个数只用了一个 128 个线程的线程块，第 {first} 到第 {last} 个没有线程。
too_few at /grid_size\s*=|<<</: For N = {N} you launch {blocks} blocks, which are {threads} threads. Numbers {first} to {last} have no thread.
too_few.zh: N = {N} 时用了 {blocks} 个线程块，共 {threads} 个线程。第 {first} 到第 {last} 个数没有线程。
one_more at /grid_size\s*=|<<</: With N = {N} no number is left over: {need} blocks have a thread for each. You launch {blocks}, and the last one has nothing to do.
one_more.zh: N = {N} 时一个数也不剩：{need} 个线程块正好每个数一个线程。这里用了 {blocks} 个，最后一个无事可做。
one_too_many at /grid_size\s*=|<<</: For N = {N} you launch {blocks} blocks, and {need} have a thread for each number. The last block has nothing to do.
one_too_many.zh: N = {N} 时用了 {blocks} 个线程块，而 {need} 个就够每个数一个线程。最后一个线程块无事可做。
block_each at /grid_size\s*=|<<</: For {N} numbers you launch {blocks} blocks, a whole block for each number. But each of its 128 threads can do one.
block_each.zh: {N} 个数用了 {blocks} 个线程块，每个数占了一整块。可是一块有 128 个线程，每个线程都能算一个数。
remainder at /%|grid_size\s*=|<<</: For N = {N} you launch {blocks} blocks: that is how many numbers are left over, and not how many blocks are needed.
remainder.zh: N = {N} 时用了 {blocks} 个线程块：那是剩下的数的个数，不是需要的线程块的个数。
remainder_added at /%|grid_size\s*=|<<</: {left} numbers are left over for N = {N}, and each of them gets a block here: {blocks} blocks in all. How many blocks do {left} numbers need?
remainder_added.zh: N = {N} 时剩下 {left} 个数，这里每个剩下的数都占了一个线程块，一共 {blocks} 个。{left} 个数需要几个线程块？
bytes at /sizeof|grid_size\s*=|<<</: For N = {N} you launch {blocks} blocks: as many as there were numbers if each byte were one. A thread does a number, not a byte.
bytes.zh: N = {N} 时用了 {blocks} 个线程块，好像每个字节都是一个数。一个线程算的是一个数，不是一个字节。
too_many at /grid_size\s*=|<<</: For N = {N} you launch {blocks} blocks, and {need} have a thread for each number. The others have nothing to do.
too_many.zh: N = {N} 时用了 {blocks} 个线程块，而 {need} 个就够每个数一个线程。其余的都无事可做。
grid_size at /grid_size\s*=|<<</: For some N the grid has {shape} blocks here, and nothing runs. Work out by hand what comes out for N = 1 and for N = 128.
grid_size.zh: 对有的 N，这里的网格是 {shape} 个线程块，什么也没有执行。取 N = 1 和 N = 128 手算一下。
left_out at />>>/: The grid is right, but number {i} is not doubled. Look at what the kernel gets as its N, and at its condition: it was right as it was given.
left_out.zh: 网格是对的，但第 {i} 个数没有乘以 2。看看传给核函数的 N 和核函数里的条件：练习给出的核函数是对的。
other at />>>/: The grid is right, but number {i} is {got} and should be {want}. Look at what the kernel gets, and at its line with y[n]: it was right as it was given.
other.zh: 网格是对的，但第 {i} 个数是 {got}，应为 {want}。看看传给核函数的参数和核函数里 y[n] 那一行：练习给出的核函数是对的。

//== wrong stub_again: rest
    const int grid_size = N / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong always_one_more: one_more
    const int grid_size = N / block_size + 1;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong adds_128: one_more
    const int grid_size = (N + 128) / 128;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong two_more: one_too_many
    const int grid_size = N / block_size + 2;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong no_brackets: brackets
    const int grid_size = N + block_size - 1 / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong no_brackets_127: brackets
    twice<<<N + 127 / 128, 128>>>(x, y, N);
//== wrong a_block_each: launched_N
    const int grid_size = (N + block_size - 1) / block_size;
    twice<<<N, block_size>>>(x, y, N);
//== wrong exchanged: exchanged
    const int grid_size = (N + block_size - 1) / block_size;
    twice<<<block_size, grid_size>>>(x, y, N);
//== wrong one_large_block: one_block
    twice<<<1, N>>>(x, y, N);
//== wrong one_block_only: only_one
    const int grid_size = 1;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong of_the_example: fixed
    const int grid_size = 8;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong hard_coded_size: fixed
    const int grid_size = (1000 + block_size - 1) / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong ceil_of_whole: divided_first
    const int grid_size = ceil(N / block_size);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong with_fraction: fraction
    twice<<<N / 128.0, 128>>>(x, y, N);
//== wrong ceil_of_variable: divided_first
    const double blocks = N / block_size;
    twice<<<ceil(blocks), block_size>>>(x, y, N);
//== wrong by_floor: floor
    twice<<<(int)floor(N / 128.0), 128>>>(x, y, N);
//== wrong minus_one_only: one_forgotten
    const int grid_size = (N - 1) / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong to_the_nearest: nearest
    const int grid_size = round((double)N / block_size);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong half_a_block: half_added
    const int grid_size = (N + 64) / 128;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong modulo: remainder
    const int grid_size = N % block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong modulo_added: remainder_added
    const int grid_size = N / block_size + N % block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong multiples_forgotten: grid_size
    int grid_size = 0;
    if (N % 128 != 0)
    {
        grid_size = N / 128 + 1;
    }
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong of_bytes: bytes
    const int grid_size = (N * sizeof(double) + block_size - 1) / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong another_size: block_of_128
    twice<<<(N + 255) / 256, 256>>>(x, y, N);
//== wrong half_the_grid: other_divisor
    twice<<<(N + 255) / 256, 128>>>(x, y, N);
//== wrong times: too_many
    const int grid_size = N * block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong another_divisor: other_divisor
    const int grid_size = (N + 99) / 100;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong one_left_over: last_one
    const int grid_size = (N + 126) / 128;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong doubled: too_many or one_too_many
    int grid_size = 4;
    while (grid_size * block_size < N) grid_size *= 2;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong blockDim_of_the_host: host_variable
    const int grid_size = (N + blockDim.x - 1) / blockDim.x;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong N_of_the_example: past_end
    twice<<<(N + 127) / 128, 128>>>(x, y, 1000);
//== wrong one_number_less: left_out
    twice<<<(N + 127) / 128, 128>>>(x, y, N - 1);
//== wrong no_launch: no_launch
    const int grid_size = (N + block_size - 1) / block_size;
//== wrong called: called_kernel
    const int grid_size = (N + block_size - 1) / block_size;
    twice(x, y, N);
//== wrong by_the_host: host_touches_device
    for (int n = 0; n < N; ++n)
    {
        y[n] = 2 * x[n];
    }
//== wrong of_two_directions: directions
    const dim3 grid((N + 127) / 128, 2);
    twice<<<grid, block_size>>>(x, y, N);
//== wrong in_two_parts: several_launches
    twice<<<(N + 127) / 128, block_size>>>(x, y, N);
    twice<<<1, block_size>>>(x, y, N);
//== wrong input_is_output: input_changed
    const int grid_size = (N + block_size - 1) / block_size;
    twice<<<grid_size, block_size>>>(y, (double *)x, N);

//== wrong in_float: of_float
    const int grid_size = (int)ceilf((float)N / block_size);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong in_short: small_type
    const short grid_size = (N + block_size - 1) / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);

//== wrong block_by_block: several_launches
    for (int n = 0; n < N; n += 128)
    {
        twice<<<1, block_size>>>(x + n, y + n, N - n);
    }
//== wrong without_value: no_value
    int grid_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong semicolon: semicolon
    int grid_size = N / block_size;
    if (N % block_size);
        ++grid_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong at_most_65535: capped
    const int grid_size = min((N + 127) / 128, 65535);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong at_most_1024: limited
    const int grid_size = N > 131072 ? 1024 : (N + 127) / 128;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong condition_turned: turned
    int grid_size = N / block_size;
    if (N % block_size == 0)
    {
        grid_size = grid_size + 1;
    }
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong question_turned: turned
    const int grid_size = N / block_size + (N % block_size ? 0 : 1);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong at_least_one: rest
    const int grid_size = max(1, N / block_size);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong one_added: too_little_added
    const int grid_size = (N + 1) / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong divided_by_N: divided_by_N
    const int grid_size = (N + block_size - 1) / N;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong size_by_N: divided_by_N
    const int grid_size = block_size / N;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong divided_by_127: one_less_divided
    const int grid_size = N / (block_size - 1);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong shifted_by_8: shift_first
    const int grid_size = N >> 7 + 1;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong warps: other_divisor
    const int grid_size = (N + 31) / 32;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong minus: subtracted
    const int grid_size = (N - block_size + 1) / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong modulo_of_sum: of_remainder
    const int grid_size = (N + block_size - 1) % block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong not_divided: not_divided
    const int grid_size = N + block_size - 1;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong brackets_elsewhere: brackets
    const int grid_size = N + (block_size - 1) / block_size;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong shadowed: shadowed
    int grid_size = N / block_size;
    if (N % block_size != 0)
    {
        int grid_size = N / block_size + 1;
    }
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong all_threads: threads_for_blocks
    const int grid_size = (N + block_size - 1) / block_size;
    twice<<<grid_size * block_size, block_size>>>(x, y, N);
//== wrong block_of_N: block_of_128
    const int grid_size = (N + block_size - 1) / block_size;
    twice<<<grid_size, N>>>(x, y, N);
//== wrong rest_alone: several_launches
    const int grid_size = N / block_size;
    twice<<<1, N % block_size>>>(x, y, N);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong nearby: nearest
    const int grid_size = (int)nearbyint(N / 128.0);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong in_char: small_type
    const unsigned char grid_size = (N + 127) / 128;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong large_rest_only: too_little_added
    int grid_size = N / block_size;
    if (N % block_size > block_size / 2) grid_size++;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong set_sometimes: set_sometimes
    int grid_size;
    if (N % block_size) grid_size = N / block_size + 1;
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong third_number: third_number
    const int grid_size = (N + 127) / 128;
    twice<<<grid_size, block_size, N>>>(x, y, N);
//== wrong limited_by_min: limited
    const int grid_size = min((N + 127) / 128, 1024);
    twice<<<grid_size, block_size>>>(x, y, N);
//== wrong rest_of_one: one_rest
    int grid_size = N / block_size;
    if (N % block_size == 1) grid_size++;
    twice<<<grid_size, block_size>>>(x, y, N);
//== right in_two_ways
    int grid_size;
    if (N % 128)
        grid_size = N / 128 + 1;
    else
        grid_size = N / 128;
    twice<<<grid_size, block_size>>>(x, y, N);
//== right from_below
    const int grid_size = (N - 1) / block_size + 1;
    twice<<<grid_size, block_size>>>(x, y, N);
//== right by_question
    const int grid_size = N % block_size == 0 ? N / block_size : N / block_size + 1;
    twice<<<dim3(grid_size), dim3(block_size)>>>(x, y, N);
//== right by_ceil
    const int grid_size = (int)ceil((double)N / block_size);
    twice<<<grid_size, block_size>>>(x, y, N);
//== right by_loop
    int grid_size = 0;
    while (grid_size * block_size < N)
    {
        ++grid_size;
    }
    if (N > 0)
    {
        twice<<<grid_size, block_size>>>(x, y, N);
    }
//== right with_shift
    dim3 grid;
    grid.x = (N + 127) >> 7;
    twice<<<grid, 128>>>(x, y, N);
    cudaDeviceSynchronize();
//== right with_truth
    int grid_size = N / 128;
    grid_size += N % 128 > 0;
    twice<<<grid_size, block_size>>>(x, y, N);
#endif
