// 14_histogram: a histogram that loses counts
// 14_histogram.zh: 会漏数的直方图
//
// Kind: mend
// Chapter: 10
// Program: ch10_atomics/histogram.cu
// Book: 10.2
// Goal: bins[k] shall become how many of the N numbers x[n] are k. All bins are 0 at first; numbers below 0 or from
//   num on belong to no bin and are not counted. On a card nearly all counts come out too small. Mend it.
// Goal.zh: 让 bins[k] 成为 N 个数 x[n] 中等于 k 的个数。所有 bins[k] 起初都是 0；小于 0 或者不小于 num 的数不属于
//   任何一格，不计入。在显卡上几乎所有的计数都偏小。请改正它。
// Hint 1: Think of two threads whose numbers are both 3. bins[3] is 10 before. Which values can it have after
//   both?
// Hint 1.zh: 设想有两个线程，它们的数都是 3，之前 bins[3] 是 10。两个线程都执行之后，它可能是哪些值？
// Hint 2: ++ on memory is three steps: read, add 1, write. Between the steps of one thread those of another
//   may come. There are functions that do the three as one step.
// Hint 2.zh: 对内存做 ++ 是三步：读、加 1、写。一个线程的几步之间可能插进另一个线程的步骤。有一类函数能把
//   这三步当作一步来做。
// Hint 3: Only the line with ++ must change. The function wants the address of the bin, and what comes on top.
// Hint 3.zh: 只需要改有 ++ 的那一行。这个函数要的是那一格的地址，以及要加上的数。
// After: An atomic function is carried out where the memory is, in the L2 cache, one after the other for one
//   address. (One thread that counts alone is right, too, but the others then do nothing.) Few bins mean long
//   queues. So blocks count in shared memory first and add their
//   counts at the end: with 256 bins that is more than 100 times as fast on an H200, as ch10_atomics/README.md
//   shows. See ch10_atomics/histogram.cu, and section 10.2 of the book for the other atomic functions.
// After.zh: 原子函数在内存所在的地方，也就是 L2 缓存中执行，对同一个地址只能一个接一个地做。
//   （由一个线程独自计数也是对的，但其余的线程就都闲着。）格数少，排队就长。
//   所以线程块常常先在共享内存中计数，最后再把各自的计数加到一起：256 格时，在 H200 上要快 100 倍以上，
//   见 ch10_atomics/README.zh-CN.md。接下来可以看 ch10_atomics/histogram.cu；其他原子函数见书的 10.2 节。

#include <stdio.h>

__global__ void count(const int *x, int N, int *bins, int num)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    //[
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&bins[x[n]], 1);
    }
    //| if (n < N && x[n] >= 0 && x[n] < num)
    //| {
    //|     ++bins[x[n]];
    //| }
    //]
}

int main(void)
{
    const int N = 10000, num = 4;
    int *x, *bins;
    cudaMallocManaged((void **)&x, N * sizeof(int));
    cudaMallocManaged((void **)&bins, num * sizeof(int));
    for (int n = 0; n < N; ++n)
    {
        x[n] = n % 5; // 4 belongs to no bin
        //zh 4 不属于任何一格
    }
    cudaMemset(bins, 0, num * sizeof(int));
    count<<<(N + 127) / 128, 128>>>(x, N, bins, num);
    cudaDeviceSynchronize();
    for (int k = 0; k < num; ++k)
    {
        printf("%d: %d\n", k, bins[k]);
    }
    cudaFree(x);
    cudaFree(bins);
    return 0;
}

#if 0
//== child
static void run_case()
{
    const int N = judged::number(0), num = judged::number(1), block = judged::number(2);
    int *x = judged::on_device<int>(0), *bins = judged::on_device<int>(1);
    cudaMemset(bins, 0, num * sizeof(int));
    count<<<(N + block - 1) / block, block>>>(x, N, bins, num);
    cudaDeviceSynchronize();
    judged::from_device(0, x);
    judged::from_device(1, bins);
}

//== judge
#include "judge.h"

static void add(long N, long num, long block)
{
    Case *c = add_case({N, num, block});
    int *x = input<int>(c, N);
    for (long n = 0; n < N; ++n)
    {
        // Bins are not equally full, and some numbers have none.
        const long k = random_number(0, random_number(0, num - 1));
        const long kind = random_number(0, 19);
        x[n] = kind == 0 ? -random_number(1, 3) : kind == 1 ? num + random_number(0, 3) : k;
    }
    if (N > 3)
    {
        x[0] = 0, x[1] = num - 1, x[2] = num, x[3] = -1;
        x[N - 1] = num > 1; // (the first and the last number are in two bins)
    }
    output<int>(c, num);
}

// Numbers that all differ: the bin of one tells how often it is counted, and no two threads meet there. Two have
// no bin. The first and the last number are in bins between the others.
static void add_distinct(long N, long num, long block)
{
    Case *c = add_case({N, num, block});
    int *x = input<int>(c, N);
    static int all[1024];
    for (long i = 0; i < num; ++i)
    {
        all[i] = i;
    }
    for (long n = 0; n < N; ++n)
    {
        const long i = random_number(n, num - 1);
        const int k = all[i];
        all[i] = all[n], all[n] = k;
    }
    for (long n = 0; n < N; ++n)
    {
        x[n] = all[n];
    }
    x[2] = num, x[3] = -1;
    for (const int k : {0, (int)num - 1})
    {
        long at = -1;
        for (long n = 0; n < N; ++n)
        {
            at = x[n] == k ? n : at;
        }
        // It gets a place that is neither the first nor the last one.
        const long there = k == 0 ? N / 3 : N / 2;
        const int other = x[there];
        if (at >= 0)
        {
            x[at] = other;
        }
        x[there] = k;
    }
    output<int>(c, num);
}

static void prepare()
{
    add_distinct(random_number(780, 860), 1000, 128);
    add(random_number(1500, 2500), 10, 128);
    add(1000, 300, 128);
    add(33, 5, 64);
    add(1, 1, 32);
    add(random_number(2000, 3000), 1, 256);
    add(1025, random_number(600, 1000), 32);
    add(127, 4, 128);
}

// How the counts would be under a mistake.
static const int *x;
static long N, num;
static int made[1024];

static bool is(const int *got)
{
    return memcmp(got, made, num * sizeof(int)) == 0;
}

// The counts of the numbers from `first` to `last`, each of them `times` as much: and `below` and
// `above` bins take those that belong to none.
static const int *counts(long first, long last, int times, long below, long above)
{
    memset(made, 0, sizeof(made));
    for (long n = first; n < last; ++n)
    {
        const long k = x[n] < 0 ? below : x[n] >= num ? above : x[n];
        if (k >= 0 && k < num)
        {
            made[k] += times;
        }
    }
    return made;
}

static void every(long step)
{
    memset(made, 0, sizeof(made));
    for (long n = 0; n < N; n += step)
    {
        if (x[n] >= 0 && x[n] < num)
        {
            ++made[x[n]];
        }
    }
}

// Of different numbers: how often each is counted, and how often it would be. Thread t of block b begins with
// number b * of_block + t * of_thread, and goes on by `step`, if this is not 0. With `guard` only those do
// whose own number is there.
static long times_of[1024], expected[1024];

static bool fits(long blocks, long block, long of_block, long of_thread, long step, bool guard = false)
{
    memset(expected, 0, sizeof(expected));
    for (long b = 0; b < blocks; ++b)
    {
        for (long t = 0; t < block; ++t)
        {
            for (long n = b * of_block + t * of_thread; n < N && (!guard || b * block + t < N); n += step)
            {
                ++expected[n];
                if (step == 0)
                {
                    break;
                }
            }
        }
    }
    for (long n = 0; n < N; ++n)
    {
        if (times_of[n] >= 0 && times_of[n] != expected[n])
        {
            return false;
        }
    }
    return true;
}

static void look_at_numbers(const int *got, long block)
{
    const long blocks = (N + block - 1) / block;
    long sum = 0, all = 0, num_missing = 0, missing = -1, often = -1;
    for (long n = N - 1; n >= 0; --n)
    {
        times_of[n] = -1; // it has no bin
        if (x[n] < 0 || x[n] >= num)
        {
            continue;
        }
        times_of[n] = got[x[n]];
        sum += times_of[n];
        num_missing += times_of[n] == 0;
        missing = times_of[n] == 0 ? n : missing;
        often = times_of[n] > 1 ? n : often;
    }
    for (long i = 0; i < num; ++i)
    {
        all += got[i];
    }
    if (sum != all) // other bins have got something, too
    {
        return;
    }
    value("blocks", "%ld", blocks);
    value("threads", "%ld", blocks * block);
    value("missing", "%ld", num_missing);
    value("n", "%ld", often >= 0 ? often : missing);
    value("times", "%ld", often >= 0 ? times_of[often] : 0);
    if (fits(blocks, block, 0, 1, 0) || fits(blocks, block, 0, 1, 0, true))
    {
        wrong("no_block");
    }
    else if (fits(blocks, block, block, 0, 0) || fits(blocks, block, 1, 0, 0))
    {
        wrong("no_thread");
    }
    for (long step = 1; step < 2 * block; ++step)
    {
        value("step", "%ld", step);
        if (step != block && fits(blocks, block, step, 1, 0))
        {
            wrong("step_of_blocks");
        }
        else if (step != blocks && fits(blocks, block, 1, step, 0))
        {
            wrong("index_exchanged");
        }
        else if (step < blocks * block && fits(blocks, block, block, 1, step))
        {
            wrong("step_of_loop");
        }
        if (said_id != NULL)
        {
            return;
        }
    }
    wrong(often >= 0 ? "counted_often" : "not_counted");
}

static void look(const Case *c)
{
    const bool is_distinct = c == table->cases;
    N = c->number[0], num = c->number[1];
    const long block = c->number[2], threads = (N + block - 1) / block * block;
    x = array<int>(c, 0);
    const int *got = array<int>(c, 1);
    static int wanted[1024];
    memcpy(wanted, counts(0, N, 1, -1, -1), sizeof(wanted));
    const long k = first_wrong(got, wanted, num);
    if (k < 0)
    {
        return;
    }
    long total = 0, sum = 0, num_wrong = 0, num_less = 0, num_full = 0, factor = 0, most = 0;
    bool ones = true, weighted = true, up = true, down = true, zero = true, negative = true;
    bool times = true, past_block = num > block, numbers = true, first_of_all = true, bounded = true;
    for (long i = 0; i < num; ++i)
    {
        const int w = wanted[i], g = got[i];
        total += w, sum += g;
        num_full += w > 0;
        num_wrong += g != w;
        num_less += g < w;
        most = g > most ? g : most;
        ones = ones && g == (w > 0);
        zero = zero && g == 0;
        negative = negative && g == -w;
        weighted = weighted && g == i * w;
        up = up && g == (i > 0 ? wanted[i - 1] : g);
        down = down && g == (i < num - 1 ? wanted[i + 1] : g);
        numbers = numbers && g == (i < N);
        past_block = past_block && g == (i < block ? w : 0);
        if (w > 0 && factor == 0)
        {
            factor = g / w;
        }
        times = times && g == factor * w;
    }
    for (long i = 1; i < num; ++i)
    {
        first_of_all = first_of_all && got[i] == 0;
    }
    value("k", "%ld", k);
    value("N", "%ld", N);
    value("num", "%ld", num);
    value("last", "%ld", num - 1);
    value("block", "%ld", block);
    value("lost", "%ld", total - sum);
    value("total", "%ld", total);
    value("sum", "%ld", sum);
    value("wrong", "%ld", num_wrong);
    value("factor", "%ld", factor);
    if (zero)
    {
        wrong("nothing");
    }
    else if (ones && total > num_full)
    {
        wrong("ones");
    }
    else if (negative)
    {
        wrong("negative");
    }
    else if (times && factor > 1)
    {
        wrong(factor == threads           ? "each_counts_all"
              : factor == block           ? "block_counts_all"
              : factor == threads / block ? "blocks_count_all"
                                          : "several_times");
    }
    else if (past_block && num_wrong > 0 && k >= block)
    {
        wrong("past_block");
    }
    else if (num > 2 && weighted)
    {
        wrong("weighted");
    }
    else if (num > 2 && up)
    {
        wrong("one_up");
    }
    else if (num > 2 && down)
    {
        wrong("one_down");
    }
    else if (num > 2 && first_of_all && got[0] >= total)
    {
        wrong("one_bin");
    }
    else if (is_distinct && num_wrong == 1 && k == num - 1 && got[k] == 0)
    {
        wrong("last_bin");
    }
    else if (is_distinct && num_wrong == 1 && k == 0 && got[k] == 0)
    {
        wrong("first_bin");
    }
    else if (counts(0, N, 1, 0, -1), is(got))
    {
        wrong("below_counted");
    }
    else if (counts(0, N, 1, -1, num - 1), is(got))
    {
        wrong("above_counted");
    }
    else if (counts(0, N, 1, 0, num - 1), is(got))
    {
        wrong("both_counted");
    }
    else if (!is_distinct) // (what a race has lost may look like anything)
    {
        wrong(num_less == num_wrong ? "lost" : "other");
    }
    else if (counts(0, block, 1, -1, -1), is(got))
    {
        wrong("first_block");
    }
    else if (counts(0, N / block * block, 1, -1, -1), is(got))
    {
        wrong("last_block");
    }
    else if (counts(0, N - 1, 1, -1, -1), is(got))
    {
        wrong("last_number");
    }
    else if (counts(1, N, 1, -1, -1), is(got))
    {
        wrong("first_number");
    }
    else if (every(block), is(got))
    {
        wrong("thread_0");
    }
    else if (every(32), is(got))
    {
        wrong("lane_0");
    }
    else if (numbers)
    {
        wrong("by_n");
    }
    else
    {
        look_at_numbers(got, block);
        wrong(num_less == num_wrong ? "lost" : "other");
    }
}

//== says
else_counted for other or lost or several_times or below_counted or above_counted or both_counted or counted_often or not_counted when /\belse\b[^;]*\bbins\b/ at /\belse\b/: In this else numbers are counted that your condition has sent away. They belong to no bin.
else_counted.zh: 这个 else 把你的条件排除的数也计了进去，而它们不属于任何一格。
by_abs for other or lost or several_times or below_counted or above_counted or both_counted or past_end or counted_often or not_counted when /\babs\s*\(\s*x\b/ at /\babs\s*\(\s*x\b/: abs makes a number from a negative one that may have a bin. Numbers below 0 belong to none.
by_abs.zh: abs 把负数变成了可能有格子的数，而小于 0 的数不属于任何一格。
lock_unordered for race_update or race_between_blocks or race_in_block or race_same_place or lost when /\b(?:while|do)\b.*atomic(?:Exch|CAS)\s*\(\s*&?\s*(?!bins\b|s\b)\w+\s*,/ at /atomic(?:Exch|CAS)/: One thread at a time holds this lock. But what it has written need not be visible yet to the next one. Nothing here orders the accesses to memory.
lock_unordered.zh: 同一时刻只有一个线程持有这个锁。但它写的内容，下一个持有锁的线程不一定已经能看到：这里没有规定内存访问的先后。
back_later for race_update or race_in_block or race_between_blocks or lost or other or counted_often or not_counted when /\b(\w+)\s*=\s*atomic\w+[^;]*;.*\bbins\s*\[[^;=]*\]\s*=\s*\1\b/ at /\bbins\s*\[[^;=]*\]\s*=[^=]/: The atomic function has counted already. This line writes an older count over what others have counted since.
back_later.zh: 原子函数已经计了数。这一行用较旧的计数覆盖了别的线程后来的计数。
larger_only for last_number or first_number or race_in_block or race_between_blocks or race_update or lost or other or counted_often or not_counted when /atomicMax/ at /atomicMax/: atomicMax keeps the larger one of two numbers. Two threads that have read the same count bring the same number, and one of them is lost.
larger_only.zh: atomicMax 只保留两个数中较大的一个。两个线程读到同样的计数，送来的数也相同，于是丢了一个。
same_old for timeout or hang or deadlock when /\b(\w+)\s*=\s*bins\s*\[[^;]*;\s*while\s*\([^{};]*atomicCAS[^;{}]*\)\s*!=\s*\1\b/ at /\bwhile\b/: Once another thread has counted, the count is never again what was read before this loop. And the loop asks for that each time.
same_old.zh: 别的线程计过数之后，计数就不会再等于循环之前读到的值，而循环每次要的还是那个值。
one_thread for passed when /^(?!.*(?:atomic|__shared__)).*\bif\s*\(\s*(?:\(?\s*(?:n|threadIdx\.x|blockIdx\.x)\s*(?:==\s*0|<\s*1)\s*\)?\s*(?:&&)?\s*)+\)\s*\{?\s*for\b[^{}]*<\s*N\b/ at /\bfor\b/: The counts are right. But one thread counts all the numbers here, and the others do nothing. Each thread has a number of its own.
one_thread.zh: 计数是对的。但这里由一个线程数完所有的数，其余线程什么也不做。每个线程有自己的一个数。
lock_or_nothing for race_update or race_between_blocks or race_same_place or race_in_block or lost or other or counted_often or not_counted when /^(?!.*\b(?:while|do)\b).*\bif\s*\([^{};]*atomic(?:Exch|CAS)\s*\(\s*&?\s*(?!bins\b|s\b)\w+\s*,/ at /atomic(?:Exch|CAS)/: A thread that finds this lock taken goes on, and its number is not counted at all.
lock_or_nothing.zh: 线程发现锁已被占用时就走开了，它的数根本没有计入。
wraps_round for lost or other or several_times or above_counted or counted_often or not_counted or below_counted or both_counted when /\bbins\b[^;]*%\s*num\b|=\s*[^;]*%\s*num\b/ at /%\s*num/: By this % the numbers from num on come into a bin, too. They belong to none.
wraps_round.zh: 这个 % 把不小于 num 的数也放进了某一格，而它们不属于任何一格。
no_block for lost or other or several_times or blocks_count_all or counted_often or not_counted when /\bn\s*=\s*threadIdx\.x\s*;/ at /^(?!.*blockIdx\.x).*threadIdx\.x/: threadIdx.x begins again at 0 in each block. So all blocks count the same numbers, and nobody counts the rest.
no_block.zh: 每个线程块的 threadIdx.x 都从 0 开始，于是各线程块数的是同样的一些数，其余的没有人数。
first_of_each for past_end or before_start or illegal_address when /\bx\s*\[\s*threadIdx\.x\s*\]/ at /\bx\s*\[\s*threadIdx\.x\s*\]/: threadIdx.x begins again at 0 in each block. So x[threadIdx.x] is one of the first numbers in all blocks, and the condition asks for another number.
first_of_each.zh: 每个线程块的 threadIdx.x 都从 0 开始，所以 x[threadIdx.x] 在所有线程块中都是最前面的某个数，而条件判断的是另一个数。
no_thread at /\bblockIdx|atomic/: All {block} threads of a block count the same number here. What makes the threads of a block differ?
no_thread.zh: 一个线程块的 {block} 个线程在这里计的都是同一个数。线程块中的各个线程靠什么区分？
step_of_blocks at /\bblockIdx|atomic/: From one block to the next the index goes on by {step}, and a block has {block} threads. So some numbers are counted by two blocks or by none.
step_of_blocks.zh: 从一个线程块到下一个，下标增加了 {step}，而一个线程块有 {block} 个线程。于是有些数由两个线程块计入，或者没有人计。
index_exchanged at /\bblockIdx|atomic/: From one thread to the next the index goes on by {step}, and from one block to the next by 1. There are {blocks} blocks of {block} threads. Which number goes with which?
index_exchanged.zh: 从一个线程到下一个，下标增加了 {step}，从一个线程块到下一个只增加了 1。线程块有 {blocks} 个，每个 {block} 个线程。谁该配谁？
step_of_loop at /\bfor\b|\bwhile\b/: The loop of each thread goes on by {step}. But {threads} threads count together, so a number is counted by several of them: x[{n}] {times} times.
step_of_loop.zh: 每个线程的循环每次前进 {step}。可是一起计数的有 {threads} 个线程，于是同一个数被几个线程计入：x[{n}] 计了 {times} 次。
counted_often? at /\bfor\b|\bwhile\b|\bblockIdx|atomic/: The number x[{n}] is counted {times} times. Each number is to be counted once, by one thread. Which threads come to it?
counted_often.zh: 数 x[{n}] 计了 {times} 次。每个数应该只由一个线程计一次。哪些线程计了它？
not_counted? at /\bif\b|\bfor\b|\bwhile\b|\bblockIdx|atomic/: {missing} of the {N} numbers are not counted, the first of them x[{n}]. Which thread should count it?
not_counted.zh: {N} 个数中有 {missing} 个没有计入，第一个是 x[{n}]。它应该由哪个线程来计？
asked_late for past_end when /\bx\s*\[\s*n\s*\][^;{}]*&&\s*(?:n\s*<\s*N|N\s*>\s*n)/ at /\bx\s*\[\s*n\s*\].*&&/: && asks its parts from left to right. For thread {thread} of block {block} the first one reads x[n], and n < N is asked behind it.
asked_late.zh: && 从左到右依次判断各个部分。线程块 {block} 的线程 {thread} 在第一部分就读了 x[n]，后面才判断 n < N。
fixed_bins for past_shared when /__shared__[^;]*\[\s*\d+\s*\]/ at /__shared__/: The shared array has a fixed number of counts. How many bins there are differs from call to call.
fixed_bins.zh: 共享内存数组的计数个数是固定的，而每次调用时格子的个数都不同。
back for race_update or race_same_place or race_between_blocks or race_in_block or lost or other or nothing or ones or first_number or last_number or counted_often or not_counted when /\bbins\s*\[[^;]*\]\s*[-+]?=\s*atomic/ at /=\s*atomic/: An atomic function has already written the new count. What it gives back is the old one, and the = writes that over it.
back.zh: 原子函数已经写入了新的计数。它返回的是旧的计数，而这里的 = 又把旧值写了回去。
exchanged for race_update or race_same_place or race_between_blocks or race_in_block or lost or first_number or last_number when /atomicExch\s*\(\s*&?\s*(?:bins|s)\b/ at /atomicExch/: atomicExch writes a number that was computed before. Between reading the old count and writing, other threads have counted too.
exchanged.zh: atomicExch 写入的是事先算好的数。在读出旧的计数和写入之间，别的线程也计了数。
once for race_update or race_same_place or race_between_blocks or race_in_block or lost or first_number or last_number when /^(?!.*\b(?:while|for)\b).*atomicCAS/ at /atomicCAS/: atomicCAS writes only if the count is still the old one. If another thread came between, nothing is written, and nobody tries again.
once.zh: atomicCAS 只在计数还是旧值时才写入。如果中间有别的线程改过，就什么也不写，这里也没有再试一次。
of_copy for race_update or race_same_place or race_between_blocks or race_in_block or lost or nothing or other or ones or counted_often or not_counted when /(?<!__shared__ )(?<!__device__ )\bint\s+(\w+)\b(?!\s*\[).*atomic\w+\s*\(\s*&\s*\1\s*,/ at /atomic/: The atomic function works on a variable of this thread. The count that all threads share is in bins.
of_copy.zh: 这里的原子函数操作的是线程自己的变量，而所有线程共用的计数在 bins 中。
is_volatile for race_update or race_same_place or race_between_blocks or race_in_block or lost when /volatile/ at /volatile/: volatile makes each thread really read and write. It does not keep the others out between the two.
is_volatile.zh: volatile 只保证每个线程真的去读、去写，并不能阻止别的线程插到这两步之间。
pragma for race_update or race_same_place or race_between_blocks or race_in_block or lost or other or counted_often or not_counted when /#\s*pragma\s+omp/ at /\bbins\s*\[/: #pragma omp is for the threads of a CPU. In a kernel it does nothing, and this is still three steps.
pragma.zh: #pragma omp 只用于 CPU 的线程。在核函数中它不起作用，这里仍然是三步。
barrier_in_if for barrier_not_reached or barrier_branches when /^(?!.*(?:__shared__|atomic)).*__syncthreads/: Not all threads come to this barrier. And it would not help if they did: behind it all threads change the counts at the same time.
barrier_in_if.zh: 不是所有线程都会到达这个同步。即使都到达了也没有用：同步之后，所有线程又同时去改计数。
waits for race_update or race_same_place or race_between_blocks or race_in_block or lost when /^(?!.*(?:__shared__[^;]*\[|atomic)).*__sync/ at /__sync/: The threads wait for each other here, and then they all change the counts at the same time. Other blocks do not wait at all.
waits.zh: 线程在这里互相等待，然后又同时去改计数。别的线程块则根本不等。
fence for race_update or race_same_place or race_between_blocks or race_in_block or lost when /^(?!.*atomic).*__threadfence/ at /__threadfence/: A fence orders the writes of one thread. It does not keep other threads out between reading and writing.
fence.zh: __threadfence 只规定一个线程自己写内存的先后，并不能阻止别的线程插到读和写之间。
not_shared for race_update or never_written or nothing or lost or other or counted_often or not_counted when /^(?!.*__shared__).*\bint\s+\w+\s*\[/ at /\bint\s+\w+\s*\[/: Without __shared__ this array belongs to one thread. Each thread has its own.
not_shared.zh: 没有 __shared__，这个数组就属于单个线程，每个线程各有一份。
added_plainly for race_update or race_between_blocks when /__shared__.*\bbins\s*\[[^;=]*\]\s*\+=/ at /\bbins\s*\[[^;=]*\]\s*\+=/: All blocks add to the same bins here, and += lets the one of them come between the reading and the writing of the other.
added_plainly.zh: 所有线程块在这里加到同一个 bins 上，而用 += 时，一个线程块可能插到另一个的读和写之间。
shared_race for race_update when /__shared__[^;]*\b(\w+)\s*\[.*(?:\+\+\s*\g1\s*\[|\b\g1\s*\[(?:[^\[\];]|\[[^\[\]]*\])*\]\s*(?:\+\+|\+=|=[^=;]*\b\g1\b))/: In this line several threads of a block change one count at the same time. Shared memory does not change that.
shared_race.zh: 在这一行中，一个线程块的若干个线程同时修改同一个计数。放在共享内存中也是一样。
not_added for race_same_place or race_between_blocks or lost or other or counted_often or not_counted when /__shared__.*\bbins\s*\[[^;=]*\]\s*=[^=]/ at /\bbins\s*\[[^;=]*\]\s*=[^=]/: Each block writes its own counts over those of the other blocks. They must come together.
not_added.zh: 每个线程块用自己的计数覆盖了别的线程块的计数。它们应该合到一起。
too_early for race_in_block when /__shared__/: This line {how} what another thread of the block {other_how} in line {other}. Nothing makes them wait in between.
too_early.zh: 这一行{how}的内容，线程块的另一个线程在第 {other} 行{other_how}，两者之间没有等待。
set for race_same_place or ones when /\bbins\s*\[[^;=]*\]\s*=\s*1\s*;/ at /\bbins\s*\[[^;=]*\]\s*=\s*1/: = 1 makes the count 1, however often the number occurs. A further one must come on top of what is there.
set.zh: = 1 把计数变成 1，不管这个数出现了多少次。再出现一次时，应该加到已有的计数上。
zeroed for race_between_blocks or race_in_block or race_same_place or lost or other or counted_often or not_counted when /\bbins\s*\[[^;=]*\]\s*=\s*0\s*;|memset\s*\(\s*bins/ at /\bbins\s*\[[^;=]*\]\s*=\s*0\s*;|memset\s*\(\s*bins/: Here bins is set to 0 while other blocks may be counting already, and their counts are lost. It is 0 at first.
zeroed.zh: 这里把 bins 清零时，别的线程块可能已经在计数，它们的计数就丢了。bins 起初已经是 0。
wraps for ones or lost or other or nothing or counted_often or not_counted when /atomicInc/ at /atomicInc/: The second argument of atomicInc is not what is added: when the count has reached it, the count goes back to 0.
wraps.zh: atomicInc 的第二个参数不是要加的数：计数达到它时，就会回到 0。
hard_coded for lost or other or last_bin or past_end or last_block or past_block or counted_often or not_counted when /(?:\bn|\])\s*(?:<=?|>=?)\s*[1-9]\d*\b/ at /(?:\bn|\])\s*(?:<=?|>=?)\s*[1-9]/: A fixed number stands in this condition. How many numbers and bins there are differs from call to call.
hard_coded.zh: 这个条件里写了一个固定的数，而每次调用时数和格子的个数都不同。
in_block_only for race_between_blocks or scope or lost when /atomic\w+_block/ at /atomic\w+_block/: With _block the step cannot be interrupted by threads of the same block only. Threads of all blocks count in bins.
in_block_only.zh: 带 _block 的原子函数只保证不被同一线程块的线程打断，而在 bins 中计数的是所有线程块的线程。
both_return for past_end or before_start or illegal_address or below_counted or above_counted or both_counted when /&&[^;{}]*\)\s*\{?\s*(?:return|continue)\b/ at /&&/: With && a thread leaves only if both hold at once. Which numbers are counted then?
both_return.zh: 用 && 时，两个条件同时成立才离开。那么哪些数会被计入？
either for past_end or before_start when /\|\|(?![^;{}]*\)\s*\{?\s*(?:return|continue)\b)/ at /\|\|/: || lets a thread through when one of the two holds. Here it lets through thread {thread} of block {block}.
either.zh: 用 || 时，两个条件有一个成立就放行。这里放行了线程块 {block} 的线程 {thread}。
race_update: Several threads change one count here at the same time. Each reads it, adds 1 and writes it back, and what the others have added in between is lost.
race_update.zh: 若干个线程在这里同时修改同一个计数：各自读出、加 1、写回，其间别的线程加上的就丢了。
race_in_block: What this line {how}, another thread {other_how} in line {other}. The steps of the threads mix: one reads a count while the other is about to change it.
race_in_block.zh: 这一行{how}的内容，另一个线程在第 {other} 行{other_how}。各个线程的步骤混在了一起：一个读计数时，另一个正要改它。
race_between_blocks: What this line {how}, a thread of another block {other_how} in line {other}. The steps of the threads mix: one reads a count while the other is about to change it.
race_between_blocks.zh: 这一行{how}的内容，另一个线程块的线程在第 {other} 行{other_how}。各个线程的步骤混在了一起：一个读计数时，另一个正要改它。
race_same_place: Several threads write to one count here, and one of them comes last.
race_same_place.zh: 若干个线程在这里写同一个计数，最后只留下其中一个写的值。
never_written: This line uses a count that nobody has set before. Which value does shared memory have at the beginning?
never_written.zh: 这一行用到的计数之前没有任何线程设置过。共享内存起初是什么值？
adds_count for race_update or race_in_block or race_between_blocks or other or counted_often or not_counted when /atomicAdd\s*\([^;,]*,\s*bins\s*\[/ at /atomicAdd/: The second argument is what comes on top of the count. Here the count itself comes on top once more.
adds_count.zh: 第二个参数是要加到计数上的数，而这里又把计数本身加了一遍。
stays_shared for nothing when /__shared__/: All bins are still 0. What the threads have counted is in shared memory, which ends with the block.
stays_shared.zh: 所有 bins[k] 还是 0。线程数出的结果在共享内存中，线程块结束时它就没有了。
semicolon for past_end or before_start when /if\s*\([^;{}]*\)\s*;/ at /if.*;/: The ; behind the condition ends the if here: what follows is done by every thread.
semicolon.zh: 条件后面的分号 ; 使 if 到此为止：后面的语句每个线程都会执行。
address_of_pointer for arguments or types when /atomic\w+\s*\(\s*&\s*bins\s*[,+]/ at /atomic/: bins is an address already, that of bin 0. &bins is where this address itself is kept. Which bin is meant?
address_of_pointer.zh: bins 本身已经是地址，即第 0 格的地址。&bins 是存放这个地址的地方。要的是哪一格？
of_x for arguments or types or read_only or compile or input_changed when /atomic\w+\s*\(\s*(?:\([^()]*\)\s*)?&\s*x\s*\[/ at /atomic/: x holds the numbers and is only read. The counts are in bins.
of_x.zh: x 中是那些数，只能读。计数在 bins 中。
number_first for arguments or types or compile when /atomic\w+\s*\(\s*\d+\s*,/ at /atomic/: First comes where the count is, and second what comes on top. Here they are the other way round.
number_first.zh: 第一个参数是计数的地址，第二个才是要加上的数。这里写反了。
by_value for arguments or types or compile when /atomic\w+\s*\(\s*(?:bins\s*\[|\*)/ at /atomic/: An atomic function must know where the count is, and not what it is. It takes an address.
by_value.zh: 原子函数要知道的是计数在哪里，而不是计数是多少。它的参数是地址。
too_few_arguments for arguments when /atomic\w+\s*\([^,;]*\)\s*;/ at /atomic/: An atomic function takes two things: where the count is, and what comes on top.
too_few_arguments.zh: 这个原子函数要两样东西：计数的地址，以及要加上的数。
num_itself for past_end when /\bx\s*\[\s*n\s*\]\s*<=\s*num\b|\bnum\s*>=\s*x\b/ at /<=\s*num|num\s*>=/: The number num has come through. The bins are counted from 0, so the last one is num - 1.
num_itself.zh: 等于 num 的数被放行了。格子从 0 数起，最后一格是第 num - 1 格。
n_itself for past_end when /\bn\s*<=\s*N\b|\bN\s*>=\s*n\b/ at /<=\s*N|N\s*>=/: Thread {thread} of block {block} has n = N, and is let through. The last number is x[N - 1].
n_itself.zh: 线程块 {block} 的线程 {thread} 的 n 等于 N，却被放行了。最后一个数是 x[N - 1]。
before_start: Thread {thread} of block {block} {how} before the beginning of an array: its bin comes out negative. Which numbers must not come through?
before_start.zh: 线程块 {block} 的线程 {thread} 在数组开头之前{how}：它算出的格号是负数。哪些数不应放行？
past_end: Thread {thread} of block {block} {how} past the end of an array. x has N numbers and bins has num counts: which n and which numbers must not come through?
past_end.zh: 线程块 {block} 的线程 {thread} 在数组末尾之后{how}。x 有 N 个数，bins 有 num 个计数：哪些 n、哪些数不应放行？
adds_nothing for nothing when /atomic\w+\s*\([^;]*,\s*0\s*\)/ at /atomic/: What comes on top of the count here is 0.
adds_nothing.zh: 这里加到计数上的是 0。
none_passes for nothing when /\bif\b.*atomicAdd\s*\([^;]*,\s*1\s*\)/ at /\bif\b/: Nothing is counted: no number comes to the atomic function. For which numbers does your condition hold?
none_passes.zh: 什么也没有计入：没有一个数到达原子函数。你的条件对哪些数成立？
nothing at /atomic/: Nothing is counted: all bins are 0.
nothing.zh: 什么也没有计入：所有 bins[k] 都是 0。
ones? at /atomic|\bbins\s*\[/: Each number that occurs has count 1, however often it occurs. A further one must come on top of what is there.
ones.zh: 凡是出现过的数，计数都是 1，不管出现了多少次。再出现一次时，应该加到已有的计数上。
negative at /atomic|\bbins\s*\[/: The counts are negative: bin {k} has {got} instead of {want}. Look at what is added.
negative.zh: 计数成了负的：第 {k} 格是 {got}，应为 {want}。看看加的是什么。
each_counts_all at /for|while/: Each count is {factor} times what it should be, and there are {factor} threads. Each thread counts all numbers, and it should count its own.
each_counts_all.zh: 每个计数都是应有的 {factor} 倍，而线程正好有 {factor} 个。每个线程把所有的数都计了一遍，它应该只计自己的那个。
block_counts_all at /for|while|atomic/: Each count is {factor} times what it should be, and a block has {factor} threads. What does each of them add?
block_counts_all.zh: 每个计数都是应有的 {factor} 倍，而一个线程块正好有 {factor} 个线程。每个线程加了什么？
blocks_count_all at /for|while/: Each count is {factor} times what it should be, and there are {factor} blocks. Each block counts all numbers, and it should count its own.
blocks_count_all.zh: 每个计数都是应有的 {factor} 倍，而线程块正好有 {factor} 个。每个线程块把所有的数都计了一遍，它应该只计自己的那些。
several_times at /atomic|\bbins\s*\[/: Each count is {factor} times what it should be. How often is a number counted, and how much comes on top?
several_times.zh: 每个计数都是应有的 {factor} 倍。一个数计了几次，每次加了多少？
past_block at /atomic\w+\s*\([^;]*bins|\bbins\s*\[/: With {num} bins and blocks of {block} threads, the bins from {block} on stay 0. Which thread takes care of bin {k}?
past_block.zh: 有 {num} 格，线程块有 {block} 个线程时，从第 {block} 格起都是 0。第 {k} 格由哪个线程负责？
weighted at /atomic|\bbins\s*\[/: Bin {k} has {got} instead of {want}: the numbers themselves are added up there. Each of them counts as one.
weighted.zh: 第 {k} 格是 {got}，应为 {want}：加上的是数本身，而每个数应该只算一个。
one_up for past_end when /\bbins\s*(?:\[|\+)[^\];&]*(?:\[[^\[\]]*\])?\s*\+\s*1\s*[\],]/ at /atomic|\bbins\s*\[/: Each count is one bin too far up: number 0 is counted in bin 1.
one_up.zh: 每个计数都错到了后一格：数 0 计到了第 1 格。
one_down for before_start when /\bbins\s*(?:\[|\+)[^\];&]*(?:\[[^\[\]]*\])?\s*-\s*1\s*[\],]/ at /atomic|\bbins\s*\[/: Each count is one bin too far down: number 1 is counted in bin 0.
one_down.zh: 每个计数都错到了前一格：数 1 计到了第 0 格。
one_bin at /atomic|\bbins\s*\[/: All numbers are counted in bin 0. Which bin does a number belong to?
one_bin.zh: 所有的数都计到了第 0 格。一个数应该计到哪一格？
last_bin? at /[<>]=?\s*num|num\s*[-<>]|\bif\b/: Bin {last}, the last one, stays 0, and should be {want}. What does your condition say to the number {last}?
last_bin.zh: 最后一格（第 {last} 格）是 0，应为 {want}。数等于 {last} 时，你的条件成立吗？
first_bin? at /\bif\b|<|>/: Bin 0 stays 0, and should be {want}. What does your condition say to the number 0?
first_bin.zh: 第 0 格还是 0，应为 {want}。数等于 0 时，你的条件成立吗？
below_counted at /\bif\b|max|\?/: Bin 0 has {got} instead of {want}: numbers below 0 are counted there. They belong to no bin.
below_counted.zh: 第 0 格是 {got}，应为 {want}：小于 0 的数也计到了那里。它们不属于任何一格。
above_counted at /\bif\b|min|\?/: The last bin has {got} instead of {want}: numbers from {num} on are counted there. They belong to no bin.
above_counted.zh: 最后一格是 {got}，应为 {want}：不小于 {num} 的数也计到了那里。它们不属于任何一格。
both_counted at /\bif\b|min|max|\?/: Bin {k} has {got} instead of {want}. Numbers that belong to no bin are counted in the first and in the last one.
both_counted.zh: 第 {k} 格是 {got}，应为 {want}。不属于任何一格的数计到了第一格和最后一格。
first_block at /\bif\b|\bbins\s*\[/: Only the first {block} numbers are counted, those of block 0.
first_block.zh: 只计了前 {block} 个数，也就是线程块 0 的。
last_block at /\bif\b|return/: With N = {N} the numbers of the last block are not counted. It has threads with a number, too.
last_block.zh: N = {N} 时，最后一个线程块的数没有计入。它里面也有带数的线程。
last_number? at /\bif\b|<|>/: The last number, x[N - 1], is not counted. What does your condition say to n = N - 1?
last_number.zh: 最后一个数 x[N - 1] 没有计入。n = N - 1 时你的条件成立吗？
first_number? at /\bif\b|<|>/: The first number, x[0], is not counted. What does your condition say to n = 0?
first_number.zh: 第一个数 x[0] 没有计入。n = 0 时你的条件成立吗？
thread_0 at /\bif\b/: Of each block only thread 0 counts its number. Each of the {block} threads has one.
thread_0.zh: 每个线程块中只有线程 0 计了自己的数，而 {block} 个线程各有一个数。
lane_0 at /\bif\b/: Only every 32nd number is counted: one thread of each warp. Each thread has a number.
lane_0.zh: 每 32 个数只计了一个：每个线程束中只有一个线程计了数，而每个线程都有一个数。
by_n for past_end or race_between_blocks when /\bbins\s*\[\s*n\s*\]|\bbins\s*\+\s*n\b/ at /atomic|\bbins\s*\[/: Bin n is counted here, with n as the number of the thread. The bin is told by the number x[n].
by_n.zh: 这里计的是第 n 格，而 n 是线程的编号。应该计到哪一格，要看 x[n]。
lost? at /atomic|\bbins\s*\[/: With N = {N}, {total} numbers belong to bins, and {sum} are counted. Bin {k} has {got} instead of {want}.
lost.zh: N = {N} 时有 {total} 个数应该计入，实际只计了 {sum} 个。第 {k} 格是 {got}，应为 {want}。
other? at /atomic|\bbins\s*\[/: With N = {N} and {num} bins, bin {k} has {got} instead of {want}.
other.zh: N = {N}、共 {num} 格时，第 {k} 格是 {got}，应为 {want}。

//== wrong stub_again: race_update
//- atomicAdd(&bins[x[n]], 1);
//+ ++bins[x[n]];
//== wrong plus_one: race_update
//- atomicAdd(&bins[x[n]], 1);
//+ bins[x[n]] = bins[x[n]] + 1;
//== wrong given_back: back
//- atomicAdd(&bins[x[n]], 1);
//+ bins[x[n]] = atomicAdd(&bins[x[n]], 1);
//== wrong added_back: back
//- atomicAdd(&bins[x[n]], 1);
//+ bins[x[n]] += atomicAdd(&bins[x[n]], 1);
//== wrong of_copy: of_copy
//- atomicAdd(&bins[x[n]], 1);
//+ int old = bins[x[n]];
//+ atomicAdd(&old, 1);
//+ bins[x[n]] = old;
//== wrong exchanged: exchanged
//- atomicAdd(&bins[x[n]], 1);
//+ atomicExch(&bins[x[n]], bins[x[n]] + 1);
//== wrong one_try: once
//- atomicAdd(&bins[x[n]], 1);
//+ const int old = bins[x[n]];
//+ atomicCAS(&bins[x[n]], old, old + 1);
//== wrong made_volatile: is_volatile
//- atomicAdd(&bins[x[n]], 1);
//+ volatile int *count = bins;
//+ count[x[n]] = count[x[n]] + 1;
//== wrong barrier: waits
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        ++bins[x[n]];
    }
    __syncthreads();
//== wrong warp_barrier: waits
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        ++bins[x[n]];
    }
    __syncwarp();
//== wrong fenced: fence
//- atomicAdd(&bins[x[n]], 1);
//+ ++bins[x[n]];
//+ __threadfence();
//== wrong set_to_one: set
//- atomicAdd(&bins[x[n]], 1);
//+ bins[x[n]] = 1;
//== wrong largest: ones
//- atomicAdd(&bins[x[n]], 1);
//+ atomicMax(&bins[x[n]], 1);
//== wrong value_for_address: by_value
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(bins[x[n]], 1);
//== wrong no_number: too_few_arguments
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins[x[n]]);
//== wrong number_itself: weighted
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins[x[n]], x[n]);
//== wrong minus: negative
//- atomicAdd(&bins[x[n]], 1);
//+ atomicSub(&bins[x[n]], 1);
//== wrong twice: several_times
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins[x[n]], 1);
//== wrong first_only: one_bin
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(bins, 1);
//== wrong next_bin: one_up or past_end
    if (n < N && x[n] >= 0 && x[n] + 1 < num)
    {
        atomicAdd(&bins[x[n] + 1], 1);
    }
//== wrong bin_before: one_down or before_start
    if (n < N && x[n] > 0 && x[n] < num)
    {
        atomicAdd(&bins[x[n] - 1], 1);
    }
//== wrong of_thread: past_end or by_n
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins[n], 1);
//== wrong no_lower_bound: before_start
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N && x[n] < num)
//== wrong no_upper_bound: past_end
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N && x[n] >= 0)
//== wrong num_too: num_itself
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N && x[n] >= 0 && x[n] <= num)
//== wrong no_guard: past_end
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (x[n] >= 0 && x[n] < num)
//== wrong N_too: n_itself
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n <= N && x[n] >= 0 && x[n] < num)
//== wrong without_last_bin: last_bin
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N && x[n] >= 0 && x[n] < num - 1)
//== wrong without_first_bin: first_bin
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N && x[n] > 0 && x[n] < num)
//== wrong without_last: last_number
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N - 1 && x[n] >= 0 && x[n] < num)
//== wrong without_first: first_number
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n > 0 && n < N && x[n] >= 0 && x[n] < num)
//== wrong clamped: both_counted
    if (n < N)
    {
        atomicAdd(&bins[min(max(x[n], 0), num - 1)], 1);
    }
//== wrong below_in_first: below_counted
    if (n < N && x[n] < num)
    {
        atomicAdd(&bins[max(x[n], 0)], 1);
    }
//== wrong above_in_last: above_counted
    if (n < N && x[n] >= 0)
    {
        atomicAdd(&bins[min(x[n], num - 1)], 1);
    }
//== wrong all_in_each: each_counts_all
    for (int i = 0; i < N; ++i)
    {
        if (x[i] >= 0 && x[i] < num)
        {
            atomicAdd(&bins[x[i]], 1);
        }
    }
//== wrong only_block_0: first_block
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < blockDim.x && n < N && x[n] >= 0 && x[n] < num)
//== wrong nothing_counted: nothing
    (void)n;
//== wrong shared_not_zero: never_written
    __shared__ int s[1024];
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== wrong shared_no_barrier: too_early
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== wrong shared_no_second: too_early
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== wrong shared_plain: shared_race
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        ++s[x[n]];
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== wrong shared_over: not_added
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        bins[k] = s[k];
    }
//== wrong shared_plus: added_plainly
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        bins[k] += s[k];
    }
//== wrong shared_one_each: past_block
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    if (threadIdx.x < num)
    {
        atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
    }
//== wrong shared_zero_each: never_written
    __shared__ int s[1024];
    if (threadIdx.x < num)
    {
        s[threadIdx.x] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== wrong shared_all_add: block_counts_all
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = 0; k < num; ++k)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== wrong shared_small: fixed_bins
    __shared__ int s[128];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== wrong own_array: not_shared
    int s[1024];
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== wrong in_three_lines: race_in_block
//- atomicAdd(&bins[x[n]], 1);
//+ int count = bins[x[n]];
//+ count = count + 1;
//+ bins[x[n]] = count;
//== wrong count_on_top: adds_count
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins[x[n]], bins[x[n]] + 1);
//== wrong only_shared: stays_shared
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
//== wrong semicolon: semicolon
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N && x[n] >= 0 && x[n] < num);
//== wrong of_pointer: address_of_pointer
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins, 1);
//== wrong of_input: of_x
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&x[n], 1);
//== wrong lower_case: spelled
//- atomicAdd(&bins[x[n]], 1);
//+ atomicadd(&bins[x[n]], 1);
//== wrong remainder: before_start
    if (n < N)
    {
        atomicAdd(&bins[x[n] % num], 1);
    }
//== wrong atomic_inc: wraps
//- atomicAdd(&bins[x[n]], 1);
//+ atomicInc((unsigned int *)&bins[x[n]], 1);
//== wrong of_block: in_block_only
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd_block(&bins[x[n]], 1);
//== wrong zeroed: zeroed
    if (n < num)
    {
        bins[n] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&bins[x[n]], 1);
    }
//== wrong four_bins: hard_coded
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N && x[n] >= 0 && x[n] < 4)
//== wrong or: either
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (n < N && (x[n] >= 0 || x[n] < num))
//== wrong first_of_block: thread_0
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (threadIdx.x == 0 && n < N && x[n] >= 0 && x[n] < num)
//== wrong first_of_warp: lane_0
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (threadIdx.x % 32 == 0 && n < N && x[n] >= 0 && x[n] < num)
//== wrong block_does_all: blocks_count_all
    if (threadIdx.x == 0)
    {
        for (int i = 0; i < N; ++i)
        {
            if (x[i] >= 0 && x[i] < num)
            {
                atomicAdd(&bins[x[i]], 1);
            }
        }
    }
//== wrong whole_blocks: last_block
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if ((blockIdx.x + 1) * blockDim.x <= N && x[n] >= 0 && x[n] < num)
//== wrong one_thread_counts: one_thread
    if (n == 0)
    {
        for (int i = 0; i < N; ++i)
        {
            if (x[i] >= 0 && x[i] < num)
            {
                ++bins[x[i]];
            }
        }
    }
//== wrong by_number_of_thread: by_n
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins[n], 1);
//== wrong lock_tried_once: lock_or_nothing
    __shared__ int lock;
    lock = 0;
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        if (atomicExch(&lock, 1) == 0)
        {
            ++bins[x[n]];
            atomicExch(&lock, 0);
        }
    }
//== wrong by_remainder: wraps_round
    if (n < N && x[n] >= 0)
    {
        atomicAdd(&bins[x[n] % num], 1);
    }
//== wrong order_of_conditions: asked_late
//- if (n < N && x[n] >= 0 && x[n] < num)
//+ if (x[n] >= 0 && x[n] < num && n < N)
//== wrong written_back_later: back_later
//- atomicAdd(&bins[x[n]], 1);
//+ const int old = atomicAdd(&bins[x[n]], 1);
//+ bins[x[n]] = old + 1;
//== wrong maximum: larger_only
//- atomicAdd(&bins[x[n]], 1);
//+ atomicMax(&bins[x[n]], bins[x[n]] + 1);
//== wrong lock_without_fence: lock_unordered (whole file)
//- __global__
//+ __device__ int lock;
//+
//+ __global__

//- atomicAdd(&bins[x[n]], 1);
//+ bool done = false;
//+ while (!done)
//+ {
//+     if (atomicExch(&lock, 1) == 0)
//+     {
//+         ++bins[x[n]];
//+         atomicExch(&lock, 0);
//+         done = true;
//+     }
//+ }
//== wrong rest_in_bin_0: else_counted
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&bins[x[n]], 1);
    }
    else if (n < N)
    {
        atomicAdd(&bins[0], 1);
    }
//== wrong without_sign: by_abs
    if (n < N && abs(x[n]) < num)
    {
        atomicAdd(&bins[abs(x[n])], 1);
    }
//== wrong loop_by_block: step_of_loop
    for (int i = n; i < N; i += blockDim.x)
    {
        if (x[i] >= 0 && x[i] < num)
        {
            atomicAdd(&bins[x[i]], 1);
        }
    }
//== wrong loop_to_the_end: step_of_loop
    for (int i = n; i < N; ++i)
    {
        if (x[i] >= 0 && x[i] < num)
        {
            atomicAdd(bins + x[i], 1);
        }
    }
//== wrong start_of_block: no_thread
    const int i = blockIdx.x * blockDim.x;
    if (i < N && x[i] >= 0 && x[i] < num)
    {
        atomicAdd(&bins[x[i]], 1);
    }
//== wrong grid_for_block: step_of_blocks
    const int i = gridDim.x * blockIdx.x + threadIdx.x;
    if (i < N && x[i] >= 0 && x[i] < num)
    {
        atomicAdd(&bins[x[i]], 1);
    }
//== wrong block_for_thread: index_exchanged
    const int i = blockDim.x * threadIdx.x + blockIdx.x;
    if (i < N && x[i] >= 0 && x[i] < num)
    {
        atomicAdd(&bins[x[i]], 1);
    }
//== wrong number_of_thread_in_block: first_of_each
//- atomicAdd(&bins[x[n]], 1);
//+ atomicAdd(&bins[x[threadIdx.x]], 1);
//== wrong every_second: not_counted
//- n < N &&
//+ n < N && n % 2 == 0 &&
//== wrong by_openmp: pragma
//- atomicAdd(&bins[x[n]], 1);
//+ #pragma omp atomic
//+ ++bins[x[n]];
//== wrong barrier_within: barrier_in_if
//- atomicAdd(&bins[x[n]], 1);
//+ __syncthreads();
//+ ++bins[x[n]];
//+ __syncthreads();
//== wrong in_turn: waits
    for (int t = 0; t < blockDim.x; ++t)
    {
        if (t == threadIdx.x && n < N && x[n] >= 0 && x[n] < num)
        {
            ++bins[x[n]];
        }
        __syncthreads();
    }
//== wrong returns_if_both: both_return
    if (n >= N)
    {
        return;
    }
    if (x[n] < 0 && x[n] >= num)
    {
        return;
    }
    atomicAdd(&bins[x[n]], 1);
//== wrong number_before_address: number_first
//- (&bins[x[n]], 1)
//+ (1, &bins[x[n]])
//== wrong with_0: adds_nothing
//- , 1)
//+ , 0)
//== wrong above_num: none_passes
//- x[n] < num
//+ x[n] > num
//== wrong returns_below_only: past_end
    if (n >= N || x[n] < 0)
    {
        return;
    }
    atomicAdd(&bins[x[n]], 1);

//== right shared_counts
    __shared__ int s[1024];
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        s[k] = 0;
    }
    __syncthreads();
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        atomicAdd(&s[x[n]], 1);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < num; k += blockDim.x)
    {
        atomicAdd(&bins[k], s[k]);
    }
//== right early_return
    if (n >= N)
        return;
    const int k = x[n];
    if (k < 0 || k > num - 1)
        return;
    atomicAdd(bins + k, 1);
//== right stride
    for (int i = n; i < N; i += gridDim.x * blockDim.x)
    {
        int key = x[i];
        if ((unsigned int)key < (unsigned int)num)
        {
            int *bin = &bins[key];
            atomicSub(bin, -1);
        }
    }
//== right until_it_is_in
//- atomicAdd(&bins[x[n]], 1);
//+ int old = bins[x[n]], seen;
//+ do
//+ {
//+     seen = old;
//+     old = atomicCAS(&bins[x[n]], seen, seen + 1);
//+ } while (old != seen);
//== right per_warp
    if (n < N && x[n] >= 0 && x[n] < num)
    {
        const int k = x[n];
        const unsigned int same = __match_any_sync(__activemask(), k);
        if (__ffs(same) - 1 == threadIdx.x % 32)
        {
            atomicAdd(&bins[k], __popc(same));
        }
    }
//== right thread_of_bin
    for (int k = n; k < num; k += gridDim.x * blockDim.x)
    {
        int mine = 0;
        for (int i = 0; i < N; ++i)
        {
            mine += x[i] == k;
        }
        bins[k] = mine;
    }
#endif
