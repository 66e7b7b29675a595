// 02_index: the index of a thread over all blocks
// 02_index.zh: 线程在整个网格中的编号
//
// Kind: write
// Chapter: 2
// Program: ch02_threads/thread-index.cu
// Book: 2.3.2
// Compile: -DJUDGED_WRITES=4 -Wl,--wrap=__tsan_write4
// Goal: Several blocks work on one array. Each thread writes one element, and each element is
//   written by one thread: z[n] = n. Give n its value.
// Goal.zh: 若干个线程块共同处理一个数组：每个线程写一个元素，每个元素由一个线程写，z[n] = n。
//   请写出 n 的值。
// Hint 1: threadIdx.x begins again at 0 in each block. So threads of different blocks have the same
//   one, and write the same elements.
// Hint 1.zh: 每个线程块中的 threadIdx.x 都从 0 开始，所以不同线程块中的线程会有相同的编号，
//   写到相同的元素上。
// Hint 2: Think of pages in a book of equal chapters: how many pages come before chapter 3? That is
//   a number of chapters times the length of one. Here the chapters are the blocks.
// Hint 2.zh: 设想一本书，每章页数相同：第 3 章前面一共有多少页？前面有 2 章，2 乘以每章的页数。
//   这里的章就是线程块。
// Hint 3: In the line of n. What comes before a thread's block has blockIdx.x blocks, of blockDim.x
//   threads each.
// Hint 3.zh: 在 n 那一行。一个线程块前面有 blockIdx.x 个线程块，每个有 blockDim.x 个线程。
// After: Neighbouring threads get neighbouring elements, so a warp reads and writes whole lines of
//   memory. The index costs one multiplication and one addition. Nearly every kernel begins with this
//   line: see ch02_threads/thread-index.cu, with two and three dimensions, too, and section 3.2.
// After.zh: 相邻的线程得到相邻的元素，一个线程束读写的就是完整的缓存行。算这个编号只需一次乘法和一次加法。
//   几乎每个核函数都以这一行开头：见 ch02_threads/thread-index.cu（还有二维和三维的情形）和书的 3.2 节。

#include <stdio.h>

__global__ void number(int *z)
{
    //[
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    //| const int n = threadIdx.x; // and of which block?
    //zh const int n = threadIdx.x; // 是哪个线程块的？
    //]
    z[n] = n;
}

int main(void)
{
    const int N = 12;
    int h_z[N], *d_z;
    cudaMalloc((void **)&d_z, N * sizeof(int));
    cudaMemset(d_z, 0, N * sizeof(int));
    number<<<3, 4>>>(d_z);
    cudaMemcpy(h_z, d_z, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int n = 0; n < N; ++n)
    {
        printf("%d ", h_z[n]);
    }
    printf("\n");
    return cudaFree(d_z);
}

#if 0
//== child
static void run_case()
{
    int *d_z = judged::on_device<int>(0);
    judged::watch_writes(d_z, 0, 1);
    number<<<judged::number(0), judged::number(1)>>>(d_z);
    cudaDeviceSynchronize();
    judged::watch_writes(NULL, 0, 1);
    judged::from_device(0, d_z);
}

//== judge
#include "judge.h"

// Numbers of blocks and threads that are never equal, and no power of 2 beside the first ones.
static void add(long blocks, long threads)
{
    Case *c = add_case({blocks, threads});
    output<int>(c, blocks * threads);
    notes(c, blocks * threads);
}

static void prepare()
{
    add(3, 4);
    add(random_number(5, 9), random_number(33, 63));
    add(1, 31);
    add(random_number(40, 60), 32);
    add(random_number(2, 5), random_number(129, 1000));
}

static void look(const Case *c)
{
    const long blocks = c->number[0], threads = c->number[1], N = blocks * threads;
    const int *z = array<int>(c, 0);
    long first = -1, num_written = 0, num_own = 0;
    for (long n = N - 1; n >= 0; --n)
    {
        const bool written = !is_untouched(z[n]);
        num_written += written;
        num_own += written && z[n] == n;
        first = !written || z[n] != n ? n : first;
    }
    if (first < 0)
    {
        if (with_several(c, 1) > 0)
        {
            wrong("several_each");
        }
        return;
    }
    char got[200] = "", wanted[200] = "";
    for (long n = 0; n < N && n < 12; ++n)
    {
        snprintf(got + strlen(got), sizeof(got) - strlen(got), is_untouched(z[n]) ? "? " : "%d ", z[n]);
        snprintf(wanted + strlen(wanted), sizeof(wanted) - strlen(wanted), "%ld ", n);
    }
    show(got, wanted);
    value("blocks", "%ld", blocks);
    value("threads", "%ld", threads);
    value("i", "%ld", first);
    value("written", "%ld", num_written);
    value("N", "%ld", N);
    value("end", "%ld", 2 * threads - 1);
    value("block", "%ld", first / threads);
    value("thread", "%ld", first % threads);
    // Which indices would have written these elements?
    const long stride = blocks > 1 ? (num_written - threads) / (blocks - 1) : 0;
    value("stride", "%ld", stride);
    value("last", "%ld", threads - 1);
    bool in_first_block = num_written == threads, one_a_block = num_written == blocks,
         sum = num_written == blocks + threads - 1, product = true, is_grid = true,
         is_shifted = true, only_zero = num_written == 1 && !is_untouched(z[0]),
         of_block = true, of_place = true, on_top = true,
         is_prefix = stride > 0 && stride < threads && threads + stride * (blocks - 1) == num_written;
    for (long n = 0; n < N; ++n)
    {
        const bool written = !is_untouched(z[n]);
        in_first_block = in_first_block && written == (n < threads);
        one_a_block = one_a_block && written == (n < blocks);
        sum = sum && written == (n < blocks + threads - 1);
        is_prefix = is_prefix && written == (n < num_written);
        of_block = of_block && z[n] == n % threads;
        of_place = of_place && written == (n < threads) && (!written || z[n] % threads == n);
        on_top = on_top && z[n] == before<int>(c, 0)[n] + n;
        is_shifted = is_shifted && (!written || z[n] == n) && written == (n >= 1);
    }
    static char by_product[1 << 20], by_grid[1 << 20];
    memset(by_product, 0, N);
    memset(by_grid, 0, N);
    for (long b = 0; b < blocks; ++b)
    {
        for (long t = 0; t < threads; ++t)
        {
            by_product[b * t < N ? b * t : 0] = 1;
            by_grid[b * blocks + t < N ? b * blocks + t : 0] = 1;
        }
    }
    for (long n = 0; n < N; ++n)
    {
        product = product && by_product[n] == !is_untouched(z[n]);
        is_grid = is_grid && by_grid[n] == !is_untouched(z[n]);
    }
    if (num_written == 0)
    {
        wrong("nothing");
    }
    else if (only_zero)
    {
        wrong("only_zero");
    }
    else if (num_own < num_written)
    {
        wrong(blocks > 1 && of_block ? "value_in_block" : of_place ? "place_in_block" : on_top ? "on_top" : "other_value");
    }
    else if (is_grid && blocks != threads && blocks > 1)
    {
        wrong("grid_for_block");
    }
    else if (product && blocks > 1)
    {
        wrong("product");
    }
    else if (in_first_block)
    {
        wrong("no_block");
    }
    else if (one_a_block)
    {
        wrong("no_thread");
    }
    else if (sum)
    {
        wrong("sum");
    }
    else if (is_prefix && c == table->cases)
    {
        wrong("overlap");
    }
    else
    {
        wrong(is_shifted ? "shifted" : "other");
    }
}

//== time
static int *z;
static size_t blocks;

static void set_up()
{
    blocks = timed::elements(sizeof(int)) / 128;
    z = (int *)timed::memory(blocks * 128 * sizeof(int));
}
static void run_once() { number<<<blocks, 128>>>(z); }
static double bytes_moved() { return 1.0 * sizeof(int) * 128 * blocks; }

//== says
no_value for past_end or before_start or other or illegal_address or race_same_place or race_in_block or no_block or only_zero or never_written or other_value or nothing when /\bint\s+n\s*;(?!.*\bn\s*=(?!=))(?!.*\bn\s*\+=)/ at /\bint\s+n\s*;/: n is declared here, and gets no value anywhere.
no_value.zh: 这里声明了 n，却没有给它赋值。
minus_thread for past_end or before_start or other or race_same_place when /-\s*threadIdx\.x/ at /-\s*threadIdx\.x/: The number of the thread is subtracted here, so the indices run backwards into the block before. Thread 0 has the first element of its block.
minus_thread.zh: 这里减去了线程的编号，于是编号倒着数到了前一个线程块里。线程 0 对应本线程块的第一个元素。
other_part for no_block or no_thread or sum or product or overlap or other or only_zero or past_end or one_block or race_same_place when /^(?!.*\bblockIdx\s*\.\s*x).*\bblockIdx\s*\.\s*[yz]|^(?!.*\bthreadIdx\s*\.\s*x).*\bthreadIdx\s*\.\s*[yz]|^(?!.*\bblockDim\s*\.\s*x).*\bblockDim\s*\.\s*[yz]/ at /\b(?:blockIdx|threadIdx|blockDim)\s*\.\s*[yz]/: Blocks and threads are counted along x here. In y and z there is one block of one thread, with number 0.
other_part.zh: 这里的线程块和线程都只沿 x 方向编号。y 和 z 方向的编号是 0，大小是 1。
kept_out for no_block or nothing or other or shifted when /^(?=.*\bif\s*\()(?!.*=[^=;{}]*%).*(?:(?:blockIdx\.x\s*\*\s*blockDim\.x|blockDim\.x\s*\*\s*blockIdx\.x)\s*\+\s*threadIdx\.x|threadIdx\.x\s*\+\s*(?:blockIdx\.x\s*\*\s*blockDim\.x|blockDim\.x\s*\*\s*blockIdx\.x))\s*;(?!.*\belse\b).*\bif\s*\(/ at /\bif\s*\(/: This condition keeps out threads that have an element: only {written} of {N} elements are written. Here there are as many threads as elements.
kept_out.zh: 这个条件挡住了有元素的线程：{N} 个元素中只写了 {written} 个。这里的线程正好和元素一样多。
begins_again for no_block or only_zero or no_thread when /%/ at /%/: What % gives begins at 0 again and again. So threads of different blocks get the same index.
begins_again.zh: % 的结果总是又从 0 开始，所以不同线程块中的线程得到相同的编号。
divided for no_block or no_thread or sum or overlap or other when /\bblockIdx\.x\s*\/|\/\s*\(?\s*(?:blockDim\.x|\d)/ at /\/\s*\(?\s*\w/: A division stands here. Before block 2 there are two whole blocks: how many threads are these?
divided.zh: 这里用了除法。线程块 2 的前面有两个完整的线程块：一共多少个线程？
of_bytes for past_end or other when /\bsizeof\b/ at /\bsizeof\b/: An index counts elements, and not bytes: z[1] is the element behind z[0], however long it is.
of_bytes.zh: 下标数的是元素，不是字节：不论一个元素多长，z[1] 都是 z[0] 后面的那一个。
of_warp for past_end or other or overlap when /\bwarpSize\b/ at /\bwarpSize\b/: warpSize is the number of threads in a warp. How many threads a block has is another number.
of_warp.zh: warpSize 是一个线程束的线程数。一个线程块有多少个线程，是另一个数。
whole_block for race_in_block or race_same_place when /\bfor\b[^;]*=[^;]*\bblockDim\.x\s*\*\s*blockIdx\.x\s*;|\bfor\b[^;]*=[^;]*\bblockIdx\.x\s*\*\s*blockDim\.x\s*;/ at /\bfor\b/: Each thread goes through all the elements of its block here. Each thread has one element of its own, so no loop is needed.
whole_block.zh: 这里每个线程都把本线程块的所有元素写了一遍。每个线程只写自己的一个元素，不需要循环。
whole_array for race_in_block or race_same_place or race_between_blocks when /\b(?:for|while)\s*(\((?:[^()]++|(?1))*\))\s*(?:\{[^{}]*(?:\bz\s*\[|\*\s*\(?\s*z\b)|[^;{}]*(?:\bz\s*\[|\*\s*\(?\s*z\b))/ at /\b(?:for|while)\b/: This loop writes several elements, and other threads write the same ones. Each thread has one element of its own, so no loop is needed.
whole_array.zh: 这个循环写了好几个元素，别的线程也在写它们。每个线程只写自己的一个元素，不需要循环。
several_each at /\b(?:for|while|do|goto)\b|z\[/: All elements are right, but a thread writes several of them, and others write none. Each thread has one element of its own.
several_each.zh: 所有元素都对，但有的线程写了好几个元素，有的一个也没有写。每个线程写自己的那一个元素。
every_second for past_end or other when /\b2\s*\*\s*(?:\([^()]*)?threadIdx|threadIdx\.x\s*\)\s*\*\s*2\b|threadIdx\.x\s*\*\s*2\b|threadIdx\.x\s*\+\s*threadIdx\.x/ at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: Neighbouring threads have elements here that are 2 apart, so every second element is left out.
every_second.zh: 这里相邻线程对应的元素相隔 2 个，所以每隔一个就漏掉一个元素。
blocks_apart for past_end when /\b2\s*\*\s*(?:blockIdx|blockDim)|\b(?:blockIdx|blockDim)\.x\s*\*\s*2\b/ at /\b2\b/: With the factor 2 the next block begins twice as far as the block before it reaches. Elements between them are left out.
blocks_apart.zh: 乘了 2，下一个线程块开始的位置就是前一块长度的两倍，中间的元素漏掉了。
small_type for other or overlap or past_end or before_start or race_same_place or other_value when /\b(?:char|bool|u?int8_t)\s+\w+\s*=/ at /\b(?:char|bool|u?int8_t)\b/: A variable of this type has one byte. It cannot hold index {i}.
small_type.zh: 这种类型的变量只有一个字节，放不下编号 {i}。
of_fraction for compile when /\b(?:float|double)\s+n\b/ at /\b(?:float|double)\s+n\b/: An index is a whole number. float and double are for numbers with a fraction.
of_fraction.zh: 下标是整数，而 float 和 double 是带小数的类型。
static for past_end or other or race_same_place or before_start or race_update or other_value or no_block or shifted when /\bstatic\b/ at /\bstatic\b/: A static variable is shared by all threads. Each thread needs a number of its own.
static.zh: static 变量由所有线程共用。每个线程需要自己的编号。
one_back for before_start or illegal_address or past_end when /\bblockIdx\.x\s*-\s*1\b|\bthreadIdx\.x\s*\)?\s*-\s*1\b|^(?!.*\(\s*(?:gridDim|blockDim)\.x\s*-\s*1).*-\s*1\b/ at /-\s*1\b/: The 1 that is subtracted here shifts the indices to the front, and some are less than 0. Blocks and threads are counted from 0 on.
one_back.zh: 这里减去的 1 使编号前移，有的就小于 0 了。线程块和线程都从 0 开始计数。
three_factors for past_end or other when /blockIdx\.x\s*\*\s*blockDim\.x\s*\*|threadIdx\.x\s*\*\s*blockIdx\.x\s*\*/ at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: The number of the thread is multiplied here. What comes before its block is a product; the thread itself is added.
three_factors.zh: 这里把线程编号也乘了进去。前面各线程块的线程数是乘积，线程自己的编号应再加上去。
exchanged for past_end or other when /^(?=.*blockIdx).*(?:threadIdx\.x\s*\*\s*blockDim\.x|blockDim\.x\s*\*\s*threadIdx\.x)/ at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: Block and thread are exchanged here: neighbouring threads of a block shall have neighbouring elements.
exchanged.zh: 线程块和线程的编号用反了：同一线程块中相邻的线程应对应相邻的元素。
brackets for past_end or other when /\([^()]*threadIdx\.x[^()]*\)\s*\*|\*\s*\([^()]*threadIdx\.x/ at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: By the brackets the number of the thread is multiplied, too. Only the number of the block is.
brackets.zh: 有了括号，线程编号也被乘了。只有线程块编号要乘。
one_too_far for past_end when /threadIdx\.x\s*\+\s*1\b|blockIdx\.x\s*\+\s*1\b/ at /\+\s*1\b/: The 1 shifts all indices by one or by a whole block. Blocks and threads are counted from 0 on.
one_too_far.zh: 加 1 使所有编号后移了一个元素或一整块。线程块和线程都从 0 开始计数。
by_grid for past_end or other when /gridDim/ at /gridDim/: gridDim.x is how many blocks there are. How many threads are before a block depends on something else.
by_grid.zh: gridDim.x 是线程块的个数。一个线程块前面有多少个线程，取决于别的量。
without_block for past_end or other when /^(?!.*\bblockIdx\b)(?=.*\bthreadIdx\b)(?!.*\b(?:for|while|atomic\w*)\b)(?!.*[=(]\s*(?:blockDim\.x\s*\+\s*threadIdx|threadIdx\.x\s*\+\s*blockDim\.x\s*;))/ at /\bn\s*=|\bthreadIdx\b/: Nothing in the index says which block it is: threads of different blocks get the same one.
without_block.zh: 编号中没有体现是哪个线程块：不同线程块中的线程得到相同的编号。
bit_sign for other or past_end or before_start or overlap or sum when /\b(?:blockIdx|threadIdx|blockDim|gridDim)\.x\s*[|^&](?![|&])\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)/ at /\.x\s*[|^&]/: |, & and ^ work on the single bits of numbers. They are no addition and no power.
bit_sign.zh: |、& 和 ^ 是对数的每一位做的运算，不是加法，也不是乘方。
place_shifted for past_end or before_start or other_value or shifted or other when /\bz\s*\[\s*\w+\s*[-+]\s*\d+\s*\]/ at /\bz\s*\[/: Something is added to the index in the brackets of z. Leave the line z[n] = n as it is.
place_shifted.zh: 在 z 的方括号里，编号又加减了一个数。z[n] = n 这一行请保持原样。
counter for past_end or other or race_same_place when /\batomic(?:Add|Inc)\b/ at /\batomic(?:Add|Inc)\b/: The counter begins with 0 only once, and goes on with the next launch. A thread can tell its number from where it is.
counter.zh: 计数器只有一次从 0 开始，下一次启动会接着数。线程的编号可以由它所在的位置算出，不用计数。
fixed for past_end or other or overlap or grid_for_block or sum when /^(?!.*blockDim)(?=.*blockIdx).*(?<![\w.\[])(?:[2-9]|[1-9]\d+)\b|[<>]=?\s*(?:[2-9]|[1-9]\d+)\b/ at /(?<![\w.\[])(?:[2-9]|[1-9]\d+)\b/: A number is written here that fits one launch only. How many threads a block has may differ: which variable says so?
fixed.zh: 这里写的数只适合某一次启动。每块的线程数可以不同：哪个变量是这个数？
wrong_factor for past_end or other when /blockIdx\.x\s*\*\s*threadIdx|threadIdx\.x\s*\*\s*blockIdx/ at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: The number of the block is multiplied by the number of the thread. Before block 2 there are two whole blocks: how many threads are these?
wrong_factor.zh: 这里用线程块的编号乘了线程的编号。线程块 2 的前面有两个完整的线程块：一共多少个线程？
one_block for other when /^(?!.*\bblockIdx\b).*(?:blockDim\.x\s*\+\s*threadIdx\.x|threadIdx\.x\s*\+\s*blockDim\.x)/ at /\bn\s*=|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\b/: Each block writes the same elements, {threads} to {end}: nothing in the index says which block it is.
one_block.zh: 每个线程块写的都是同一批元素，从 {threads} 到 {end}：编号中没有体现是哪个线程块。
one_thread for other when /^(?!.*threadIdx\.x)/ at /\bn\s*=|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\b/: Only one element of a block is written: nothing in the index says which thread it is.
one_thread.zh: 每个线程块只写了一个元素：编号中没有体现是哪个线程。
no_block at /\bn\s*=|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\b/: Only the first {written} of {N} elements are written: each of the {blocks} blocks writes the same ones. Nothing in the index says which block it is.
no_block.zh: {N} 个元素中只写了前 {written} 个：{blocks} 个线程块写的都是同一批元素。编号中没有体现是哪个线程块。
no_thread at /\bn\s*=|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\b/: Only the first {written} of {N} elements are written: all threads of a block write the same one. Nothing in the index says which thread it is.
no_thread.zh: {N} 个元素中只写了前 {written} 个：同一线程块的线程写的是同一个元素。编号中没有体现是哪个线程。
sum at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: Only the first {written} of {N} elements are written. Block 1 begins at element 1, but block 0 has {threads} threads: where must block 1 begin?
sum.zh: {N} 个元素中只写了前 {written} 个。线程块 1 从元素 1 开始，可是线程块 0 有 {threads} 个线程：线程块 1 应该从哪里开始？
product at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: Element {i} is never written. The threads of block 0 all get index 0, because block and thread are multiplied.
product.zh: 元素 {i} 没有写。线程块和线程的编号相乘，于是线程块 0 的线程得到的都是 0。
begins_early for grid_for_block when /^(?!.*gridDim)/ at /\bn\s*=|\bblockIdx\.x/: Only the first {written} of {N} elements are written. Block 1 begins at element {stride}, but block 0 has {threads} threads.
begins_early.zh: {N} 个元素中只写了前 {written} 个。线程块 1 从元素 {stride} 开始，可是线程块 0 有 {threads} 个线程。
overlap at /\bn\s*=|\bblockIdx\.x/: Only the first {written} of {N} elements are written. Block 1 begins at element {stride}, but block 0 has {threads} threads.
overlap.zh: {N} 个元素中只写了前 {written} 个。线程块 1 从元素 {stride} 开始，可是线程块 0 有 {threads} 个线程。
grid_for_block at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: Block 1 begins at element {blocks}, the number of blocks. How many threads are before it?
grid_for_block.zh: 线程块 1 从元素 {blocks} 开始，这是线程块的个数。它前面有多少个线程？
no_index for only_zero when /(?:^|[;{)])\s*\*\s*z\s*=/ at /(?:^|[;{)])\s*\*\s*z\s*=/: *z is element 0: all threads write this one.
no_index.zh: *z 就是元素 0：所有线程写的都是它。
only_zero at /\bn\s*=|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\b/: All threads write element 0.
only_zero.zh: 所有线程写的都是元素 0。
shifted at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: Element 0 is never written. The first thread of the first block has index 0.
shifted.zh: 元素 0 没有写。第一个线程块的第一个线程编号应为 0。
past_end: Thread {thread} of block {block} writes past the end of the array. Each index must be less than the number of threads in all blocks.
past_end.zh: 线程块 {block} 的线程 {thread} 写到了数组末尾之后。每个编号都应小于所有线程块的线程总数。
before_start: Thread {thread} of block {block} writes before the array. No index may be less than 0.
before_start.zh: 线程块 {block} 的线程 {thread} 写到了数组开头之前。编号不能小于 0。
value_in_block at /\bz\s*\[|(?:^|[;{)])\s*\*\s*\(?\s*z\b/: Each thread writes its own element, but the value is its number in the block: block 1 begins with 0 again. Leave the line z[n] = n as it is.
value_in_block.zh: 每个线程写的是自己的元素，但写入的值是它在块内的编号：到线程块 1 又从 0 开始了。z[n] = n 这一行请保持原样。
place_in_block at /\bz\s*\[|(?:^|[;{)])\s*\*\s*\(?\s*z\b/: The values are right, but they go to the wrong place: all {blocks} blocks write elements 0 to {last}. What stands between [ and ]?
place_in_block.zh: 值是对的，但写错了地方：{blocks} 个线程块写的都是元素 0 到 {last}。方括号 [ ] 里是什么？
on_top at /\+=|\bz\s*\[/: The index is added to what z held before. Leave the line z[n] = n as it is.
on_top.zh: 编号加到了 z 原来的值上面。z[n] = n 这一行请保持原样。
other_value at /\bz\s*\[|(?:^|[;{)])\s*\*\s*\(?\s*z\b/: An element has another value than its own number. Leave the line z[n] = n as it is.
other_value.zh: 有的元素的值不是它自己的编号。z[n] = n 这一行请保持原样。
nothing at /z\[/: No element is written. Is the line z[n] = n still there?
nothing.zh: 没有写任何元素。z[n] = n 这一行还在吗？
race_same_place: Several threads write one element here. Each thread needs an index of its own.
race_same_place.zh: 这里有多个线程写同一个元素。每个线程需要自己的编号。
other at /\bn\s*=|[-+*\/%]\s*\(?\s*(?:blockIdx|threadIdx|blockDim|gridDim)\b|\b(?:blockIdx|threadIdx|blockDim|gridDim)\.[xyz]\s*[-+*\/%]/: Element {i} is wrong. Thread {thread} of block {block} should write it. Work out by hand which index it gets.
other.zh: 元素 {i} 不对。它应由线程块 {block} 的线程 {thread} 写。请手算一下这个线程得到的编号。

//== wrong stub_again: no_block
    const int n = threadIdx.x;
//== wrong only_block: no_thread
    const int n = blockIdx.x;
//== wrong added: sum
    const int n = blockIdx.x + threadIdx.x;
//== wrong multiplied: product
    const int n = blockIdx.x * threadIdx.x;
//== wrong grid: grid_for_block
    const int n = blockIdx.x * gridDim.x + threadIdx.x;
//== wrong zero: only_zero
    const int n = 0;
//== wrong exchanged: exchanged
    const int n = threadIdx.x * blockDim.x + blockIdx.x;
//== wrong from_one: one_too_far
    const int n = blockIdx.x * blockDim.x + threadIdx.x + 1;
//== wrong minus: one_back
    const int n = blockIdx.x * blockDim.x + threadIdx.x - 1;
//== wrong y: other_part
    const int n = blockIdx.x + threadIdx.y;
//== wrong all_blocks: one_too_far
    const int n = (blockIdx.x + 1) * blockDim.x + threadIdx.x;
//== wrong wrong_size: fixed
    const int n = blockIdx.x * 32 + threadIdx.x;
//== wrong brackets: brackets
    const int n = blockIdx.x * (blockDim.x + threadIdx.x);
//== wrong no_offset: one_thread
    const int n = blockIdx.x * blockDim.x;
//== wrong one_block: one_block
    const int n = blockDim.x + threadIdx.x;
//== wrong whole: whole_index
    const int n = blockIdx * blockDim + threadIdx;
//== wrong three: three_factors
    const int n = blockIdx.x * blockDim.x * threadIdx.x;
//== wrong not_there: spelled
    const int n = blockidx.x * blockDim.x + threadIdx.x;

//== wrong first_thread_does_all: several_each
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > 0) return;
    for (int i = 1; i < gridDim.x * blockDim.x; ++i) z[i] = i;
//== wrong first_block_does_all: several_each
    if (blockIdx.x == 0)
    for (int n = threadIdx.x; n < gridDim.x * blockDim.x; n += blockDim.x)
//== wrong twice: every_second
    const int n = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
//== wrong one_byte: small_type
    const unsigned char n = blockIdx.x * blockDim.x + threadIdx.x;
//== wrong with_fraction: of_fraction
    const float n = blockIdx.x * blockDim.x + threadIdx.x;

//== wrong number_first: fixed
    const int n = 32 * blockIdx.x + threadIdx.x;
//== wrong loop_over_block: whole_block
    for (int n = blockDim.x * blockIdx.x; n < blockDim.x * (blockIdx.x + 1); ++n)
//== wrong without_value: no_value
    int n;
//== wrong subtracted: minus_thread
    const int n = blockIdx.x * blockDim.x - threadIdx.x;
//== wrong block_of_y: other_part
    const int n = blockIdx.y * blockDim.y + threadIdx.x;
//== wrong only_first_block: kept_out
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < blockDim.x)
//== wrong in_its_block: begins_again
    const int n = (blockIdx.x * blockDim.x + threadIdx.x) % blockDim.x;
//== wrong quotient: divided
    const int n = blockIdx.x / blockDim.x + threadIdx.x;
//== wrong in_bytes: of_bytes
    const int n = (blockIdx.x * blockDim.x + threadIdx.x) * sizeof(int);
//== wrong in_warps: of_warp
    const int n = blockIdx.x * warpSize + threadIdx.x;
//== wrong one_less: overlap or begins_early
    const int n = blockIdx.x * (blockDim.x - 1) + threadIdx.x;
//== wrong blocks_from_one: one_back
    const int b = blockIdx.x, t = threadIdx.x;
    const int n = (b - 1) * (int)blockDim.x + t;
//== wrong every_block_all: whole_array
    for (int n = threadIdx.x; n < gridDim.x * blockDim.x; n += blockDim.x)
//== wrong number_of_block_named: fixed
    const int size = 4, b = blockIdx.x;
    const int n = b * size + threadIdx.x;
//== wrong value_in_block: value_in_block (whole file)
//- z[n] = n;
//+ z[n] = threadIdx.x;
//== wrong place_in_block: place_in_block (whole file)
//- z[n] = n;
//+ z[threadIdx.x] = n;
//== wrong added_to: on_top (whole file)
//- z[n] = n;
//+ z[n] += n;
//== wrong first_element: no_index (whole file)
//- z[n] = n;
//+ *z = n;
//== wrong two_blocks: blocks_apart
    const int n = 2 * blockIdx.x * blockDim.x + threadIdx.x;
//== wrong half_of_it: divided
    const int n = (blockIdx.x * blockDim.x + threadIdx.x) / 2;
//== wrong without_block: without_block
    const int n = threadIdx.x * blockDim.x + threadIdx.x;
//== wrong by_bits: bit_sign
    const int n = blockIdx.x * blockDim.x | threadIdx.x;
//== wrong one_back_at_the_end: one_back
    const int n = threadIdx.x + blockIdx.x * blockDim.x - 1;
//== wrong even_threads: kept_out
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n % 2 == 0)
//== wrong not_the_first: kept_out
    const int n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n > 0)
//== wrong brackets_named: brackets
    int b = blockIdx.x, t = threadIdx.x, d = blockDim.x;
    int n = b * (d + t);
//== wrong exchanged_named: exchanged
    int b = blockIdx.x, t = threadIdx.x, d = blockDim.x;
    int n = t * d + b;
//== wrong from_one_named: one_too_far
    int b = blockIdx.x, t = threadIdx.x, d = blockDim.x;
    int n = b * d + t + 1;
//== wrong static_number: static
    static int n = -1;
    n++;
//== wrong counted: counter (whole file)
//- __global__
//+ __device__ int next = 0;
//+ __global__

//- blockIdx.x * blockDim.x + threadIdx.x
//+ atomicAdd(&next, 1)
//== wrong place_shifted: place_shifted (whole file)
//- z[n] = n;
//+ z[n + 1] = n;
//== wrong as_a_call: not_a_function (whole file)
//- z[n] = n;
//+ z(n) = n;
//== wrong not_block_0: other
    int n = 0;
    if (blockIdx.x > 0) n = blockIdx.x * blockDim.x + threadIdx.x;
//== right by_pointer
    z += blockDim.x * blockIdx.x;
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    z -= blockDim.x * blockIdx.x;
//== right block_by_block
    const int n = threadIdx.x * gridDim.x + blockIdx.x;
//== right other_order
    const int n = threadIdx.x + blockDim.x * blockIdx.x;
//== right in_steps
    const int before = blockIdx.x * blockDim.x;
    int n = before;
    n += threadIdx.x;
//== right backwards
    const int n = (gridDim.x - 1 - blockIdx.x) * blockDim.x + (blockDim.x - 1 - threadIdx.x);
#endif
