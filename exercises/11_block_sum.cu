// 11_block_sum: a barrier is missing: right 99 times of 100
// 11_block_sum.zh: 少了一个同步，结果却几乎总是对的
//
// Kind: mend
// Chapter: 9
// Program: ch09_shared_mem/reduce2gpu.cu
// Book: 9.1.2
// Goal: Each block of 128 threads adds its 128 numbers in shared memory. Then each thread writes what share
//   of this sum its own number has: share[n] = x[n] / sum. On a card it is right 99 times of 100. Mend it.
// Goal.zh: 每个线程块有 128 个线程，在共享内存中把自己的 128 个数加起来，然后每个线程写出自己的数占总和的
//   比例：share[n] = x[n] / sum。在显卡上运行 100 次，有 99 次是对的。请改正它。
// Hint 1: The result depends on who is faster. Look for a place where one thread reads what another one
//   has written, with nothing between the two that makes them wait.
// Hint 1.zh: 结果取决于谁快谁慢。找出这样一处：一个线程读另一个线程写的内容，而两者之间没有等待。
// Hint 2: The warps of a block go on at their own speed. Only at __syncthreads() all threads of the block
//   wait for each other, and what was written before it can be read after it.
// Hint 2.zh: 线程块中的各个线程束以各自的速度前进。只有在 __syncthreads() 处，线程块的所有线程才互相等待，
//   之前写的内容之后就能读到。
// Hint 3: Who writes s[0] last, in which line? And who reads it next? All 128 threads must come to what you
//   put between, also those that did not add.
// Hint 3.zh: 最后写 s[0] 的是谁，在哪一行？接着读它的又是谁？你加在两者之间的语句，128 个线程都必须执行到，
//   包括没有做加法的线程。
// After: The barrier in the loop comes before each step, so the last step had none behind it. Thread 0 adds the
//   last two numbers, and warps 1 to 3 may read s[0] before that. A barrier costs a block some 20 to 40
//   clock cycles on a card, a race costs days. `cpucc --check` names it even when the result is right.
//   See ch09_shared_mem/reduce2gpu.cu, and chapter 11 for sums within a warp that need no barrier.
// After.zh: 循环中的同步在每一步之前，所以最后一步之后没有同步。线程 0 加最后两个数，而线程束 1 到 3 可能在此之前
//   就读了 s[0]。在显卡上一次同步大约用 20 到 40 个时钟周期，而竞争会让人查上几天。即使结果碰巧正确，
//   `cpucc --check` 也能指出它。见 ch09_shared_mem/reduce2gpu.cu；线程束内不需要同步的求和见第 11 章。

#include <stdio.h>

__global__ void share_of_sum(const float *x, float *share)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    const int n = blockDim.x * blockIdx.x + t;
    s[t] = x[n];
    //[
    for (int half = 64; half > 0; half /= 2)
    {
        __syncthreads();
        if (t < half)
        {
            s[t] += s[t + half];
        }
    }
    __syncthreads();
    share[n] = x[n] / s[0];
    //| for (int half = 64; half > 0; half /= 2)
    //| {
    //|     __syncthreads();
    //|     if (t < half)
    //|     {
    //|         s[t] += s[t + half];
    //|     }
    //| }
    //| share[n] = x[n] / s[0];
    //]
}

int main(void)
{
    const int N = 256, bytes = N * sizeof(float);
    float *x, *share, sum = 0;
    cudaMallocManaged((void **)&x, bytes);
    cudaMallocManaged((void **)&share, bytes);
    for (int n = 0; n < N; ++n)
    {
        x[n] = 1 + n % 7;
    }
    share_of_sum<<<N / 128, 128>>>(x, share);
    cudaDeviceSynchronize();
    for (int n = 0; n < N; ++n)
    {
        sum += share[n];
    }
    printf("all shares of two blocks: %g\n", sum);
    cudaFree(x);
    cudaFree(share);
    return 0;
}

#if 0
//== child
static void run_case()
{
    float *x = judged::on_device<float>(0), *share = judged::on_device<float>(1);
    share_of_sum<<<judged::number(0), 128>>>(x, share);
    cudaDeviceSynchronize();
    judged::from_device(0, x);
    judged::from_device(1, share);
}

//== judge
#include "judge.h"

static bool is_before(const float *x, long count, float value)
{
    for (long i = 0; i < count; ++i)
    {
        if (x[i] == value)
        {
            return true;
        }
    }
    return false;
}

static void prepare()
{
    const long blocks[] = {2, 1, random_number(3, 9)};
    for (const long num : blocks)
    {
        Case *c = add_case({num});
        float *x = input<float>(c, num * 128);
        for (long n = 0; n < num * 128; ++n)
        {
            do // (no two of a block are the same)
            {
                x[n] = random_number(1, 4000) * 0.25f; // their sums are exact in any order
            } while (is_before(x + n / 128 * 128, n % 128, x[n]));
        }
        output<float>(c, num * 128);
    }
}

// Whether all shares of a block are those of this sum.
static bool all_of(const float *x, const float *share, double sum)
{
    for (int t = 0; t < 128; ++t)
    {
        if (!(fabs(share[t] - x[t] / sum) <= 1e-5 * fabs(x[t] / sum)))
        {
            return false;
        }
    }
    return true;
}

// What the steps leave in s if each of them does this to a pair.
static void do_steps(const float *x, double *s, char operation)
{
    for (int t = 0; t < 128; ++t)
    {
        s[t] = x[t];
    }
    for (int half = 64; half > 0; half /= 2)
    {
        for (int t = 0; t < half; ++t)
        {
            const double other = s[t + half];
            s[t] = operation == '+' ? s[t] + other : operation == '-' ? s[t] - other : other;
        }
    }
}

static void look(const Case *c)
{
    const long num = c->number[0];
    for (long b = 0; b < num; ++b)
    {
        const float *x = array<float>(c, 0) + 128 * b, *share = array<float>(c, 1) + 128 * b;
        double of_all = 0, of_block_0 = 0;
        for (long n = 0; n < 128 * num; ++n)
        {
            of_all += array<float>(c, 0)[n];
            of_block_0 += n < 128 ? array<float>(c, 0)[n] : 0;
        }
        double sum = 0, odd_sum = 0, first_half = 0, without_last = 0, warp = 0;
        for (int t = 0; t < 128; ++t)
        {
            sum += x[t];
            odd_sum += t % 2 == 0 ? x[t] : 0;
            first_half += t < 64 ? x[t] : 0;
            warp += t < 32 ? x[t] : 0;
            without_last += t < 127 ? x[t] : 0;
        }
        double s[128], minus[128], moved[128];
        do_steps(x, s, '+');
        do_steps(x, minus, '-');
        do_steps(x, moved, '=');
        long place = 0; // of s: all threads divide by what is left there
        for (int t = 1; t < 128; ++t)
        {
            place = all_of(x, share, s[t]) ? t : place;
        }
        if (all_of(x, share, sum))
        {
            continue;
        }
        long num_untouched = 0, num_wrong = 0, first = -1;
        bool by_itself = true, not_divided = true, is_sum = true, upside_down = true;
        for (int t = 127; t >= 0; --t)
        {
            const bool right = fabs(share[t] - x[t] / sum) <= 1e-5 * x[t] / sum;
            num_untouched += is_untouched(share[t]);
            num_wrong += !right;
            first = right ? first : t;
            by_itself = by_itself && (share[t] == 1 || t == 0);
            not_divided = not_divided && share[t] == x[t];
            is_sum = is_sum && share[t] == (float)sum;
            upside_down = upside_down && fabs(share[t] - sum / x[t]) <= 1e-5 * sum / x[t];
        }
        value("block", "%ld", b);
        value("i", "%ld", 128 * b + first);
        value("thread", "%ld", first);
        value("got", "%s", text_of(share[first]));
        value("want", "%s", text_of(x[first] / sum));
        value("num", "%ld", num_wrong);
        value("place", "%ld", place);
        long others = 0, other = -1; // threads that write the share of another one's number
        for (int t = 127; t >= 0; --t)
        {
            for (int u = 0; u < 128; ++u)
            {
                if (u != t && fabs(share[t] - x[u] / sum) <= 1e-6 * x[u] / sum)
                {
                    ++others;
                    other = t == first ? u : other;
                }
            }
        }
        value("other_thread", "%ld", other);
        value("sum", "%s", text_of(sum));
        value("used", "%s", text_of(x[first] / share[first]));
        if (num_untouched == 128)
        {
            wrong("nothing");
        }
        else if (num_untouched > 0)
        {
            wrong(num_untouched == 127 ? "only_first" : "some_only");
        }
        else if (is_sum || not_divided)
        {
            wrong("no_share");
        }
        else if (upside_down)
        {
            wrong("upside_down");
        }
        else if (by_itself)
        {
            wrong("own_sum");
        }
        else if (all_of(x, share, odd_sum))
        {
            wrong("last_step");
        }
        else if (all_of(x, share, sum + x[0]))
        {
            wrong("first_twice");
        }
        else if (all_of(x, share, sum - x[0]))
        {
            wrong("first_missing");
        }
        else if (all_of(x, share, without_last))
        {
            wrong("last_missing");
        }
        else if (all_of(x, share, 128) || all_of(x, share, 128 * num))
        {
            wrong("by_count");
        }
        else if (num > 1 && all_of(x, share, of_all))
        {
            wrong("grand_total");
        }
        else if (b > 0 && all_of(x, share, of_block_0))
        {
            wrong("of_block_0");
        }
        else if (all_of(x, share, sum / 100))
        {
            wrong("percent");
        }
        else if (all_of(x, share, minus[0]))
        {
            wrong("subtracted");
        }
        else if (all_of(x, share, moved[0]))
        {
            wrong("moved_only");
        }
        else if (sum != floor(sum) && all_of(x, share, floor(sum)))
        {
            wrong("whole_number");
        }
        else if (all_of(x, share, x[0]))
        {
            wrong("no_sum");
        }
        else if (all_of(x, share, first_half) || all_of(x, share, warp))
        {
            wrong("half");
        }
        else if (num_wrong > 64 && others >= num_wrong && other >= 0)
        {
            wrong("of_another");
        }
        else if (place > 0)
        {
            wrong("other_place");
        }
        else if (num_wrong < 128)
        {
            wrong("some_too_early");
        }
        else
        {
            wrong("other_sum");
        }
        return;
    }
}

//== time
static float *x, *share;
static size_t blocks;

static void set_up()
{
    blocks = timed::elements(2 * sizeof(float)) / 128;
    x = (float *)timed::memory(blocks * 128 * sizeof(float));
    share = (float *)timed::memory(blocks * 128 * sizeof(float));
}
static void run_once() { share_of_sum<<<blocks, 128>>>(x, share); }
static double bytes_moved() { return 2.0 * sizeof(float) * 128 * blocks; }

//== says
element for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or race_same_place or race_between_blocks or race_in_block or some_only or nothing or only_first or past_end when /\b(?:int|unsigned|long|size_t|auto)\s+(?:[^;(){}]*,\s*)?(?:n\s*=(?!\s*(?:\(?\s*(?:(?:blockDim\.x|128)\s*\*\s*blockIdx\.x|blockIdx\.x\s*(?:\*\s*(?:blockDim\.x|128)|<<\s*7))\s*\)?\s*\+\s*(?:t|tid|threadIdx\.x)|(?:t|tid|threadIdx\.x)\s*\+\s*\(?\s*(?:(?:blockDim\.x|128)\s*\*\s*blockIdx\.x|blockIdx\.x\s*(?:\*\s*(?:blockDim\.x|128)|<<\s*7))\s*\)?)\s*[;,])|\w+\s*=(?!\s*(?:\(?\s*(?:(?:blockDim\.x|128)\s*\*\s*blockIdx\.x|blockIdx\.x\s*(?:\*\s*(?:blockDim\.x|128)|<<\s*7))\s*\)?\s*\+\s*(?:t|tid|threadIdx\.x)|(?:t|tid|threadIdx\.x)\s*\+\s*\(?\s*(?:(?:blockDim\.x|128)\s*\*\s*blockIdx\.x|blockIdx\.x\s*(?:\*\s*(?:blockDim\.x|128)|<<\s*7))\s*\)?)\s*[;,])(?=[^;,=]*\bblockIdx\.x)(?=[^;,=]*\b(?:threadIdx\.x|tid|t)\b))/ at /\bn\s*=|=(?=[^;,=]*\bblockIdx\.x)[^;,=]*\b(?:threadIdx\.x|tid|t)\b/: The number of an element counts through all blocks, and here another number comes out. How many threads come before those of this block?
element.zh: 元素的编号在所有线程块中连续，而这里算出的是另一个数。这个线程块之前有多少个线程？
no_start for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /(?<!__shared__ )\b(?:float|double)\s+(\w+)\s*;(?:(?!\b\g1\s*=(?!=)).)*\b\g1\s*\+=/ at /\b(?:float|double)\s+\w+\s*;/: Numbers are added to a variable that has no value at the beginning.
no_start.zh: 这里把数加到一个变量上，而它一开始没有值。
whole_numbers for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /__shared__\s+(?:volatile\s+)?(?:unsigned|int|long|short|char)\b/ at /__shared__/: The elements are of type float. In an array of whole numbers they lose what stands behind the point.
whole_numbers.zh: 元素是 float 类型，放进整数类型的数组就丢掉了小数部分。
in_loop for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or some_only or only_first or race_in_block or race_update or race_same_place when /\b(?:for|while)\s*\([^{}]*\bhalf\b[^{}]*\)\s*\{(?:[^{}]|\{[^{}]*\})*(?:\{[^{}]*)?\bshare\[/ at /share\[/: The shares are written within the loop here, in each of its steps. The sum is finished only behind the last one.
in_loop.zh: 这里在循环之内写比例，每一步都写。而总和要到最后一步之后才加完。
one_more for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or past_shared or race_in_block or race_update when /\bt\s*<=\s*half\b|\bhalf\s*>=\s*t\b|\b(tid|threadIdx\.x|\w+)\s*<=\s*(\w+)\s*\)\s*\{?[^;{}]*\[\s*\g1\s*\+\s*\g2\s*\]/ at /\b(?:t|tid|threadIdx\.x)\s*<=\s*\w+|\bhalf\s*>=\s*t\b/: With the equals sign one thread more adds in each step. The threads count from 0: which is the last one that has a pair?
one_more.zh: 有了等号，每一步都多一个线程做加法。线程从 0 开始编号：最后一对数属于哪个线程？
too_high for past_shared when /\b(\w+)\s*=\s*(?:128|blockDim\.x)\s*;[^{}]*\{.*\[\s*(?:\w+|threadIdx\.x)\s*\+\s*\g1\s*\]/ at /=\s*(?:128|blockDim\.x)\s*;/: A step adds pairs of numbers. The first one has 128 numbers: how many pairs are these?
too_high.zh: 每一步把数两两相加。第一步有 128 个数：这是多少对？
whole_index for past_shared when /\bs\[\s*n\s*\]|__shared__\s+\w+\s+(\w+)\[.*?\b(\w+)\s*=[^;=]*\bblockIdx\b[^;=]*;.*\b\g1\[\s*\g2\s*\]/: The number of an element counts through all blocks. Each block has a shared array of its own, with 128 places.
whole_index.zh: 元素的编号在所有线程块中连续，而每个线程块有自己的共享内存数组，只有 128 个位置。
wrong_step for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or past_shared when /\b(\w+)\s*=\s*(?:64|blockDim\.x\s*(?:\/\s*2|>>\s*1))\s*;.*\b\g1\s*(?:\/=\s*(?!2\b)\d|\*=|<<=|\+\+|-=|--|>>=\s*(?!1\b)\d|=\s*\g1\s*(?:-|\/\s*(?!2\b)\d|>>\s*(?!1\b)\d))/ at /\b\w+\s*(?:\/=|\*=|<<=|-=|--|>>=)\s*[^;]*\)|\bhalf\+\+|\b\w+\s*(?:\/=|-=|--|>>=)|=\s*half/: After a step half as many numbers are left, and half as many threads add in the next one. Here it is another part of them.
wrong_step.zh: 每一步之后剩下一半的数，下一步做加法的线程也只有一半。这里却不是一半。
same_partner for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or race_in_block or race_update when /\bs\[\s*(?:t|threadIdx\.x)\s*\][^;]*\+\s*=?\s*s\[\s*half\s*\]/ at /\+\s*=?\s*s\[\s*half\s*\]/: All threads of a step add the same number here, that in s[half]. Each thread has another partner.
same_partner.zh: 这里一步中的所有线程加的是同一个数，即 s[half] 中的数。每个线程的搭档各不相同。
neighbour for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or race_in_block or race_update when /^(?!.*\[\s*(?:t|threadIdx\.x)\s*\+\s*(?!\s*1\s*\])).*\bs\[\s*(?:t|threadIdx\.x)\s*\][^;]*\bs\[\s*(?:t|threadIdx\.x)\s*\+\s*1\s*\]/ at /\bs\[\s*(?:t|threadIdx\.x)\s*\+\s*1\s*\]/: The number of the next thread is added in each step here. How far away is the partner while half threads add?
neighbour.zh: 这里每一步加的都是下一个线程的数。有 half 个线程做加法时，搭档相距多远？
other_half for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or past_shared or race_in_block or race_update or never_written when /\bif\s*\(\s*(?:t\s*>=?\s*half|half\s*<=?\s*t)\s*\)\s*\{?\s*s\[\s*t\s*\]\s*\+=/ at /\bif\s*\(\s*(?:t\s*>=?\s*half|half\s*<=?\s*t)\s*\)/: This condition chooses the threads from half on. Which threads have a partner that is half further on?
other_half.zh: 这个条件选中的是编号从 half 开始的线程。哪些线程往后 half 个位置还有搭档？
partner for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or past_shared or race_in_block or race_update or before_start or past_end or never_written when /\bs\[\s*t\s*\]\s*\+=\s*[sx]\[(?!\s*(?:t\s*\+\s*half|half\s*\+\s*t)\s*\])[^\]()%]*\bhalf\b[^\]()%]*\]/ at /\bs\[\s*t\s*\]\s*\+=/: In the first step 64 pairs are added, and each number belongs to one pair. Which place comes out here for t = 0, for t = 1 and for t = 63?
partner.zh: 第一步加 64 对数，每个数只属于一对。t 为 0、1 和 63 时，这里算出的是哪个位置？
bad_start for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /\bhalf\s*=\s*(?!(?:64|32|16|8|4|2|1|128)\b)\d+/ at /\bhalf\s*=\s*\d+/: Write down the values of half, and which places are added in each step: some numbers are left over.
bad_start.zh: 把 half 的各个值写下来，再看每一步加的是哪些位置：有些数被漏掉了。
larger_one for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /\bf?maxf?\s*\(\s*s\[/ at /\bf?maxf?\s*\(/: This keeps the larger one of two numbers, and adds nothing.
larger_one.zh: 这里取的是两个数中较大的一个，没有相加。
reciprocal for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /\bshare\[[^;]*=\s*1(?:\.0?)?f?\s*\/\s*s\[/ at /\bshare\[/: This is 1 divided by the sum. What is wanted is how much of the sum the number of the thread is.
reciprocal.zh: 这里是 1 除以总和。要求的是线程自己的数占总和的多少。
times for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /\]\s*\*=\s*s\[|=\s*s\[[^;]*\]\s*\*\s*s\[/ at /\*=?\s*s\[/: The numbers are multiplied by each other here, and not added.
times.zh: 这里把数相乘了，没有相加。
flag for race_in_block or in_step or race_update or never_written or hang or deadlock or timeout when /__shared__[^;]*\b(\w+)\s*;.*\bwhile\s*\([^(){};]*\b\g1\b[^(){};]*\)\s*(?:;|\{\s*;?\s*\})/ at /\bwhile\b/: This loop waits until a variable of the block changes. Nobody has set it before, and such a variable does not tell when everything else is written.
flag.zh: 这个循环等待线程块的一个变量改变。之前没有线程设置过它，而且它也说明不了其他内容是否都已写好。
passes_time for race_in_block or in_step or race_update when /__nanosleep|\bclock(?:64)?\s*\(|\bfor\s*(\((?:[^()]++|(?1))*\))\s*(?:;|\{\s*;?\s*\})|\bwhile\s*((?1))\s*\{\s*;?\s*\}|[;{)]\s*while\s*((?1))\s*;/ at last /__nanosleep|\bclock|\bfor\b|\bwhile\b/: Passing the time makes no thread wait for another one. How long the others still need nobody knows.
passes_time.zh: 消磨时间并不能让线程互相等待：别的线程还要多久，谁也不知道。
in_condition for race_in_block or in_step when /\bif\s*\((?:[^(){};]|\([^()]*\))*\)\s*\{?\s*__syncthreads\s*\(/ at last /__syncthreads/: This __syncthreads() stands under a condition. Where it does not hold, nothing makes the threads wait.
in_condition.zh: 这个 __syncthreads() 前面有条件。条件不成立时，就没有任何等待。
no_bytes for illegal_address or past_dynamic when /\bextern\s+__shared__/ at /\bextern\b/: An array that is extern __shared__ has as many bytes as the launch gives it. This launch gives none.
no_bytes.zh: extern __shared__ 数组有多少字节，由调用核函数时给出。这里的调用没有给。
never_cleared for never_written when /\batomicAdd\s*\(/ at /\batomicAdd\s*\(/: Shared memory begins with any values. Before the first addition nobody has put a 0 here.
never_cleared.zh: 共享内存中起初是任意的值。第一次相加之前，没有线程在这里放过 0。
by_mean for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /s\[0\]\s*\/\s*(?:128|blockDim)/ at /s\[0\]\s*\/\s*(?:128|blockDim)/: The sum divided by the number of threads is the mean. A share is a part of the sum itself.
by_mean.zh: 总和除以线程个数得到的是平均值，而比例是相对于总和本身的。
by_half for barrier_branches or barrier_not_reached when /if\s*\([^(){}]*\bt\b[^(){};]*\bhalf\b[^{};]*\)\s*\{[^{}]*__syncthreads/ at /if.*half/: A barrier stands in the if of the addition. The threads that do not add in this step go past it, and do not meet the others there.
by_half.zh: 做加法的 if 里有一个同步。这一步不做加法的线程绕过了它，没有在那里和其他线程会合。
endless_zero for hang or timeout or deadlock when />=\s*0/ at />=\s*0/: Half of 0 is 0 again, so this condition always holds.
endless_zero.zh: 0 的一半还是 0，所以这个条件永远成立。
array_itself for types or compile or arguments when /[\/*]\s*s\s*;/ at /[\/*]\s*s\s*;/: s is the whole array here, and no number. Which of its places holds the sum?
array_itself.zh: 这里的 s 是整个数组，不是一个数。和在它的哪个位置上？
own_place for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /\/\s*s\[\s*(?:t|threadIdx\.x)\s*\]/ at /\/\s*s\[\s*(?:t|threadIdx\.x)\s*\]/: Each thread divides by its own place of s. The sum of the block is in one of these places only.
own_place.zh: 每个线程除以的是 s 中自己的那个位置，而整个线程块的和只在其中一个位置上。
wrong_place? for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /^(?!.*\[\s*\w+\s*-\s*\w+\s*\]).*\/\s*s\[\s*(?:[1-9]\d*|half|blockDim[^\]]*)\s*\]/ at /\/\s*s\[\s*(?:[1-9]\d*|half|blockDim[^\]]*)\s*\]/: The sum is in another place of s. In which one does the last step of the addition put it?
wrong_place.zh: 和在 s 的另一个位置上。加法的最后一步把它放在哪里？
multiplied for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /\bx\[\w+\]\s*\*\s*s\[|\bs\[0\]\s*\*\s*x\[/ at /\*\s*(?:s|x)\[/: The number is multiplied by the sum here, and a share comes by a division.
multiplied.zh: 这里把自己的数和总和相乘了，而比例要用除法得到。
cut_off for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /\(\s*int\s*\)/ at /\(\s*int\s*\)/: (int) takes away what stands behind the point. Sum and share are numbers with a fraction.
cut_off.zh: (int) 去掉了小数部分，而和与比例都是带小数的数。
added_to_share for nothing or some_only or only_first or never_written or other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 when /\bshare\[[^\]]*\]\s*(?:\+=|=\s*share\[)/ at /\bshare\[/: This adds to what stood in share before, and nobody has put anything there.
added_to_share.zh: 这里是在 share 原有的值上再加，而之前没有线程在那里放过数。
both_add for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or past_shared or race_in_block or race_update when /%\s*(\w+)\s*==\s*0\s*\)\s*\{?[^;{}]*\[\s*[\w.]+\s*\+\s*\g1\s*\]/ at /%\s*\w+\s*==\s*0/: If the remainder is 0 for one thread of a pair, it is 0 for its partner, too, and both of them add.
both_add.zh: 一对线程中，如果一个的余数是 0，另一个的余数也是 0，于是两个都做了加法。
of_thread_0 for other_sum or some_too_early or own_sum or no_share or whole_number or no_sum or half or last_step or other_place or first_missing or last_missing or moved_only or subtracted or grand_total or of_block_0 or never_written or some_only or nothing or only_first or race_in_block when /[;{}]\s*(?:volatile\s+)?float\s+(\w+)\s*(?:=[^;]*)?;.*\bif\s*\(\s*t\s*==\s*0\s*\)\s*\{?\s*\g1\s*=/ at /\bif\s*\(\s*t\s*==\s*0/: A variable that is not shared belongs to each thread alone. What thread 0 puts in its own, the other 127 do not see.
of_thread_0.zh: 没有 __shared__ 的变量是每个线程各有一份的。线程 0 放进自己那一份的数，其他 127 个线程看不到。
x_of_thread for other_sum or some_too_early or of_block_0 when /\bx\[(?:t|threadIdx\.x)\]/ at /\bx\[(?:t|threadIdx\.x)\]/: Here the threads of each block take the first 128 numbers, those of block 0.
x_of_thread.zh: 这里每个线程块的线程取的都是前 128 个数，也就是线程块 0 的数。
warp_sum? for other_sum or some_too_early or half or last_step when /__shfl_/ at /__shfl_/: A shuffle hands numbers on within one warp. The block has four warps, and the sum is that of all their numbers.
warp_sum.zh: 洗牌函数只在一个线程束之内传数。线程块有四个线程束，要的是它们所有数的和。
race_in_block: This line {how} what another thread {other_how} in line {other}, and nothing makes the two wait for each other. Whether the result comes out right is luck.
race_in_block.zh: 这一行{how}的内容，另一个线程在第 {other} 行{other_how}，两者之间没有等待。结果对不对，全凭运气。
race_update: In this line a thread reads what another one writes in the same line, and nothing makes the two wait for each other.
race_update.zh: 在这一行中，一个线程读的内容正是另一个线程在同一行写的，两者之间没有等待。
fence for race_in_block when /__threadfence/ at /__threadfence/: A fence orders the writes of one thread. It does not make the other threads wait.
fence.zh: __threadfence 只规定一个线程自己写内存的先后，并不让其他线程等待。
warp_only for race_in_block when /__syncwarp/ at /__syncwarp/: Here only the 32 threads of a warp wait for each other. The block has four warps, and all of them read s[0].
warp_only.zh: 这里只有同一线程束的 32 个线程互相等待。线程块有四个线程束，它们都要读 s[0]。
barrier_not_reached: Only some of the block's {all} threads come to this __syncthreads(): {missing} never do. All of them must reach it, also those that have nothing to add.
barrier_not_reached.zh: 线程块的 {all} 个线程中，有 {missing} 个没有到达这个 __syncthreads()。所有线程都必须到达它，包括不做加法的线程。
is_volatile for race_in_block or in_step when /\bvolatile\s+float\b|\bfloat\s+volatile\b/ at /volatile/: volatile makes each thread really read and write. It does not make the other threads wait.
is_volatile.zh: volatile 只保证每个线程真的去读、去写，并不让其他线程等待。
upside_down at /share\[/: The sum is divided by the number here. A share is a part of the whole, and less than 1.
upside_down.zh: 这里用总和除以自己的数，除反了。比例是整体的一部分，小于 1。
whole_number at /\b(?:int|unsigned|long)\s+(?!t\b|n\b|half\b)\w+|\(int\)/: The sum has lost what stands behind the point: {used} instead of {sum}. Which type does it have on its way?
whole_number.zh: 总和丢掉了小数部分：是 {used}，应为 {sum}。它中途用的是什么类型？
not_shared for other_sum or never_written or own_sum or no_sum or some_too_early when /^(?!.*__shared__).*\bfloat\s+s\s*\[/ at /\bs\s*\[\d/: Without __shared__ each thread has an array s of its own, in which it finds only what it has put there itself.
not_shared.zh: 没有 __shared__，每个线程就有自己的一个数组 s，其中只有它自己放进去的数。
part_sum for some_too_early or other_sum when /share\[[^;]*=\s*s\[(?!0\])[^;]*\/\s*s\[0\]/ at /share\[/: This divides s[t]. In the additions many places of s got other numbers. Where is the number of a thread still as it was?
part_sum.zh: 这里被除的是 s[t]。相加时，s 的许多位置已经换成了别的数。线程自己的数在哪里还保持原样？
by_block for other_sum or some_too_early when /\bs\[blockIdx/ at /\bs\[blockIdx/: Each block has an array s of its own, and its sum is at the same place of it in every block.
by_block.zh: 每个线程块有自己的数组 s，各块的和都在 s 的同一个位置。
fixed_sum for other_sum when /share\[[^;]*\/\s*\d+\.?\d*f?\s*;/ at /share\[[^;]*\/\s*\d/: A fixed number is the sum of one call only. The numbers are others in each call.
fixed_sum.zh: 固定的数只是某一次调用的总和，而每次调用的数都不同。
by_thread for race_same_place or some_only or nothing or race_between_blocks when /share\[(?:t|threadIdx\.x)\]/ at /share\[(?:t|threadIdx\.x)\]/: The threads of all blocks write to the same 128 places here. The number of an element counts through all blocks.
by_thread.zh: 各线程块的线程都写到同样的 128 个位置。元素的编号是在所有线程块中连续的。
nothing at /share\[/: No share is written.
nothing.zh: 没有写任何比例。
only_first at /share\[/: Only thread 0 writes its share. Each of the 128 threads has a number of its own.
only_first.zh: 只有线程 0 写了自己的比例。128 个线程各有自己的数。
some_only at /share\[/: {num} of the 128 threads of block {block} do not write a right share, the first of them thread {thread}. Each thread writes its own.
some_only.zh: 线程块 {block} 的 128 个线程中有 {num} 个没有写出正确的比例，第一个是线程 {thread}。每个线程都要写自己的。
no_share at /share\[/: What is written is not a share: it should be {want}, and is {got}.
no_share.zh: 写的不是比例：应为 {want}，实为 {got}。
own_sum at /share\[/: A thread divides by its own number, and its share is 1. The sum of the block is in one place of s only.
own_sum.zh: 线程除以了自己的数，比例成了 1。整个线程块的和只在 s 的一个位置上。
last_step at /for|while/: Only every other number is in the sum: the last step is missing, which adds s[1] to s[0].
last_step.zh: 和里只有一半的数：缺了最后一步，即把 s[1] 加到 s[0]。
no_sum? at /for|while|if/: Nothing has been added: s[0] is still the number of thread 0.
no_sum.zh: 什么也没有加：s[0] 还是线程 0 的数。
first_twice at /for|while/: The number of thread 0 is in the sum twice: {used} instead of {sum}.
first_twice.zh: 线程 0 的数加了两次：得到 {used}，应为 {sum}。
first_missing? at /\bs\[0\]\s*=(?!=)|for|while/: The number of thread 0 is not in the sum: {used} instead of {sum}.
first_missing.zh: 线程 0 的数不在和里：得到 {used}，应为 {sum}。
last_missing? at /for|while/: The number of the last thread is not in the sum: {used} instead of {sum}.
last_missing.zh: 最后一个线程的数不在和里：得到 {used}，应为 {sum}。
by_count at /share\[/: Each number is divided by how many numbers there are. A share says how much of their sum it is.
by_count.zh: 这里用每个数除以数的个数。比例是指这个数占总和的多少。
grand_total? at /for|while|share\[/: The numbers are divided by the sum of all blocks. Each block takes the sum of its own 128 numbers.
grand_total.zh: 这里除以的是所有线程块的总和。每个线程块用的是自己那 128 个数的和。
of_block_0? at /\bx\[(?!n\])|for|while/: Block {block} has taken the sum of block 0. With which element do its own 128 numbers begin?
of_block_0.zh: 线程块 {block} 用了线程块 0 的和。它自己的 128 个数从哪个元素开始？
percent? at /share\[/: The shares are 100 times too large. All shares of a block make 1 together, and not 100.
percent.zh: 比例大了 100 倍。一个线程块的所有比例合起来是 1，不是 100。
subtracted? at /-/: The numbers are subtracted here, and not added: {used} comes out, and the sum is {sum}.
subtracted.zh: 这里把数相减了，没有相加：得到 {used}，而总和是 {sum}。
moved_only? at /\bs\[[^\]]*\]\s*=\s*s\[/: The number of the other thread comes in the place of one's own here, and nothing is added.
moved_only.zh: 这里用另一个线程的数取代了自己的数，没有相加。
of_another? at /\bshare\[/: Thread {thread} of block {block} writes the share of the number of thread {other_thread}. Which element is its own?
of_another.zh: 线程块 {block} 的线程 {thread} 写的是线程 {other_thread} 的数的比例。它自己的元素是哪个？
other_place? at /share\[/: The shares are divided by what is left in s[{place}]. In which place does the last step of the addition leave the sum?
other_place.zh: 这里除以的是留在 s[{place}] 中的数。加法的最后一步把和留在哪个位置？
half? at /for|while/: Only the first threads' numbers are in the sum. How many numbers are left after the first step?
half.zh: 和里只有前面一部分线程的数。第一步之后应该剩下多少个数？
some_too_early? at /share\[/: {num} threads of block {block} divide by a sum that is not finished, the first of them thread {thread}: by {used} and not by {sum}.
some_too_early.zh: 线程块 {block} 中有 {num} 个线程除以了还没有加完的和，第一个是线程 {thread}：用的是 {used}，不是 {sum}。
other_sum? at /share\[/: Thread {thread} of block {block} divides by {used}, and the sum is {sum}.
other_sum.zh: 线程块 {block} 的线程 {thread} 除以了 {used}，而总和是 {sum}。

//== wrong stub_again: race_in_block
//- __syncthreads();
//- share
//+ share
//== wrong in_if: by_half
//- s[t] += s[t + half];
//+ s[t] += s[t + half];
//+ __syncthreads();

//- __syncthreads();
//- share
//+ share
//== wrong of_warp: warp_only
//- __syncthreads();
//- share
//+ __syncwarp();
//+ share
//== wrong fenced: fence
//- __syncthreads();
//- share
//+ __threadfence_block();
//+ share
//== wrong moved: race_update or race_in_block
//- __syncthreads();
//- if
//+ if

//- for
//+ __syncthreads();
//+ for
//== wrong too_late: race_in_block
//- __syncthreads();
//- share[n] = x[n] / s[0];
//+ share[n] = x[n] / s[0];
//+ __syncthreads();
//== wrong only_thread_0: barrier_not_reached
//- __syncthreads();
//- share
//+ if (t == 0)
//+ {
//+     __syncthreads();
//+ }
//+ share
//== wrong thread_0_writes: only_first
//- __syncthreads();
//- share[n] = x[n] / s[0];
//+ if (t == 0)
//+ {
//+     share[n] = x[n] / s[0];
//+ }
//== wrong own: own_place
    __syncthreads();
    share[n] = x[n] / s[t];
//== wrong ends_too_early: last_step
//- half > 0
//+ half > 1
//== wrong begins_too_late: half
//- half = 64
//+ half = 32
//== wrong past_the_array: too_high
//- half = 64
//+ half = 128
//== wrong all_add: race_update or race_in_block
//- if (t < half)
//- {
//-     s[t] += s[t + half];
//- }
//+ s[t] += s[(t + half) % 128];
//== wrong returns: barrier_not_reached
//- if (t < half)
//- {
//-     s[t] += s[t + half];
//- }
//+ if (t >= half)
//+ {
//+     return;
//+ }
//+ s[t] += s[t + half];
//== wrong only_sum: no_share
//- x[n] / s[0]
//+ s[0]
//== wrong zero_again: first_twice
    __syncthreads();
    if (t == 0)
    {
        for (int i = 0; i < 128; ++i)
        {
            s[0] += s[i];
        }
    }
    __syncthreads();
    share[n] = x[n] / s[0];
//== wrong host_waits: host_call
//- __syncthreads();
//- share
//+ cudaDeviceSynchronize();
//+ share
//== wrong no_brackets: not_a_call
//- __syncthreads();
//- share
//+ __syncthreads;
//+ share
//== wrong barrier_too_late_in_loop: race_in_block
//- __syncthreads();
//- share
//+ share

//- __syncthreads();
//- if (t < half)
//- {
//-     s[t] += s[t + half];
//- }
//+ if (t < half)
//+ {
//+     s[t] += s[t + half];
//+ }
//+ __syncthreads();
//== wrong volatile_sum: is_volatile (whole file)
//- __shared__ float
//+ __shared__ volatile float

//- __syncthreads();
//- share
//+ share
//== wrong upside_down: upside_down
//- x[n] / s[0]
//+ s[0] / x[n]
//== wrong int_sum: whole_number
//- share[n] = x[n] / s[0]
//+ const int sum = s[0];
//+ share[n] = x[n] / sum
//== wrong part_of_sum: part_sum
//- x[n] / s[0]
//+ s[t] / s[0]
//== wrong of_each_thread: not_shared (whole file)
//- __shared__ float
//+ float
//== wrong share_of_thread: by_thread
//- share[n]
//+ share[t]
//== wrong with_argument: no_argument
//- __syncthreads();
//- share
//+ __syncthreads(t);
//+ share
//== wrong sum_of_warp: warp_sum
    float y = x[n];
    for (int d = 16; d > 0; d /= 2)
    {
        y += __shfl_xor_sync(0xffffffff, y, d);
    }
    share[n] = x[n] / y;
//== wrong divided_by_mean: by_mean
//- x[n] / s[0]
//+ x[n] / (s[0] / 128)
//== wrong another_in_if: by_half
//- s[t] += s[t + half];
//+ s[t] += s[t + half];
//+ __syncthreads();
//== wrong to_zero: endless_zero
//- half > 0
//+ half >= 0
//== wrong whole_array: array_itself
//- x[n] / s[0]
//+ x[n] / s
//== wrong place_of_thread: own_place
//- x[n] / s[0]
//+ x[n] / s[t]
//== wrong place_1: wrong_place
//- x[n] / s[0]
//+ x[n] / s[1]
//== wrong product: multiplied
//- x[n] / s[0]
//+ x[n] * s[0]
//== wrong in_int: cut_off
//- x[n] / s[0]
//+ x[n] / (int)s[0]
//== wrong register_of_thread_0: of_thread_0
//- share[n] = x[n] / s[0]
//+ float all = 1;
//+ if (t == 0)
//+ {
//+     all = s[0];
//+ }
//+ share[n] = x[n] / all
//== wrong equal: one_more
//- t < half
//+ t <= half
//== wrong quarter: wrong_step
//- half /= 2
//+ half /= 4
//== wrong two_less: wrong_step
//- half /= 2
//+ half -= 2
//== wrong one_partner: same_partner
//- s[t + half]
//+ s[half]
//== wrong next_thread: neighbour
//- s[t + half]
//+ s[t + 1]
//== wrong minus: subtracted
//- s[t] += s
//+ s[t] -= s
//== wrong moved_only: moved_only
//- s[t] += s
//+ s[t] = s
//== wrong without_first: first_missing
//- for
//+ if (t == 0)
//+ {
//+     s[0] = 0;
//+ }
//+ for
//== wrong in_percent: percent
//- x[n] / s[0]
//+ 100 * x[n] / s[0]
//== wrong left_in_1: other_place
//- x[n] / s[0]
//+ x[n] / *(s + 1)
//== wrong each_step: in_loop
//- s[t] += s[t + half];
//+ s[t] += s[t + half];
//+ share[n] = x[n] / s[0];

//- __syncthreads();
//- share[n] = x[n] / s[0];
//== wrong first_block_waits: in_condition
//- __syncthreads();
//- share
//+ if (blockIdx.x == 0)
//+ {
//+     __syncthreads();
//+ }
//+ share
//== wrong long_way: passes_time
//- __syncthreads();
//- share
//+ for (volatile int i = 0; i < 1000; ++i)
//+ {
//+ }
//+ share
//== wrong waits_for_flag: flag (whole file)
//- const int t
//+ __shared__ volatile int done;
//+ const int t

//- __syncthreads();
//- share
//+ if (t == 0)
//+ {
//+     done = 1;
//+ }
//+ while (done != 1)
//+ {
//+ }
//+ share
//== wrong sum_of_block: race_in_block (whole file)
//- const int t
//+ __shared__ float total;
//+ const int t

//- __syncthreads();
//- share[n] = x[n] / s[0];
//+ if (t == 0)
//+ {
//+     total = s[0];
//+ }
//+ share[n] = x[n] / total;
//== wrong of_whole_numbers: whole_numbers (whole file)
//- __shared__ float
//+ __shared__ int
//== wrong other_names: one_more (whole file)
#include <stdio.h>

__global__ void share_of_sum(const float *x, float *share)
{
    __shared__ float cache[128];
    int tid = threadIdx.x;
    int idx = blockIdx.x * blockDim.x + tid;
    cache[tid] = x[idx];
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 2)
    {
        if (tid <= i)
            cache[tid] += cache[tid + i];
        __syncthreads();
    }
    share[idx] = x[idx] / cache[0];
}
int main(void) { return 0; }
//== wrong names_and_quarter: wrong_step (whole file)
#include <stdio.h>

__global__ void share_of_sum(const float *x, float *share)
{
    __shared__ float cache[128];
    int tid = threadIdx.x;
    int idx = blockIdx.x * blockDim.x + tid;
    cache[tid] = x[idx];
    __syncthreads();
    for (int i = blockDim.x / 2; i != 0; i /= 4)
    {
        if (tid < i)
            cache[tid] += cache[tid + i];
        __syncthreads();
    }
    share[idx] = x[idx] / cache[0];
}
int main(void) { return 0; }
//== wrong remainder: both_add
    for (int step = 1; step < 128; step *= 2)
    {
        __syncthreads();
        if (t % step == 0)
        {
            s[t] += s[t + step];
        }
    }
    __syncthreads();
    share[n] = x[n] / s[0];
//== wrong of_first_128: of_block_0
    float all = 0;
    for (int i = 0; i < 128; ++i)
    {
        all += x[i];
    }
    share[n] = x[n] / all;
//== wrong of_all_blocks: grand_total
    float all = 0;
    for (int i = 0; i < blockDim.x * gridDim.x; ++i)
    {
        all += x[i];
    }
    share[n] = x[n] / all;
//== wrong by_count: by_count
//- x[n] / s[0]
//+ x[n] / 128
//== wrong added: added_to_share
//- share[n] = x
//+ share[n] += x
//== wrong each_sets_0: race_in_block or race_same_place (whole file)
#include <stdio.h>

__global__ void share_of_sum(const float *x, float *share)
{
    __shared__ float total;
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    total = 0;
    atomicAdd(&total, x[n]);
    __syncthreads();
    share[n] = x[n] / total;
}
int main(void) { return 0; }
//== wrong warps_at_once: race_in_block (whole file)
#include <stdio.h>

__global__ void share_of_sum(const float *x, float *share)
{
    __shared__ float w[4];
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    float v = x[n];
    for (int d = 16; d > 0; d /= 2)
    {
        v += __shfl_down_sync(0xffffffff, v, d);
    }
    if (threadIdx.x % 32 == 0)
    {
        w[threadIdx.x / 32] = v;
    }
    share[n] = x[n] / (w[0] + w[1] + w[2] + w[3]);
}
int main(void) { return 0; }
//== wrong upper_half: other_half
//- t < half
//+ t >= half
//== wrong one_before: partner
//- t + half]
//+ t + half - 1]
//== wrong begins_at_63: bad_start
//- half = 64
//+ half = 63
//== wrong maximum: larger_one
//- s[t] += s[t + half]
//+ s[t] = fmaxf(s[t], s[t + half])
//== wrong doubled: wrong_step
//- half /= 2
//+ half *= 2
//== wrong one_by_sum: reciprocal
//- x[n] / s[0]
//+ 1 / s[0]
//== wrong backwards: of_another
//- x[n] / s[0]
//+ x[128 * blockIdx.x + 127 - t] / s[0]
//== wrong scan: race_in_block or race_update
    for (int d = 1; d < 128; d *= 2)
    {
        __syncthreads();
        if (t >= d)
        {
            s[t] += s[t - d];
        }
    }
    __syncthreads();
    share[n] = x[n] / s[127];
//== wrong of_other_blocks: element (whole file)
//- blockDim.x * blockIdx.x
//+ blockIdx.x
//== wrong number_in_grid: whole_index (whole file)
//- s[t] = x[n]
//+ s[n] = x[n]
//== wrong without_bytes: no_bytes (whole file)
//- __shared__ float s[128]
//+ extern __shared__ float s[]
//== wrong main_waits: of_threads (whole file)
//- share_of_sum<<<N / 128, 128>>>(x, share);
//+ share_of_sum<<<N / 128, 128>>>(x, share);
//+ __syncthreads();
//== wrong added_to_anything: never_cleared (whole file)
//- s[t] = x[n];
//+ atomicAdd(&s[0], x[n]);

//- for (int half = 64; half > 0; half /= 2)
//- {
//- __syncthreads();
//- if (t < half)
//- {
//- s[t] += s[t + half];
//- }
//- }

//== right barrier_behind
//- __syncthreads();
//- if (t < half)
//- {
//-     s[t] += s[t + half];
//- }
//+ if (t < half)
//+ {
//+     s[t] += s[t + half];
//+ }
//+ __syncthreads();

//- __syncthreads();
//- share
//+ share

//- for
//+ __syncthreads();
//+ for
//== right one_thread_adds
    __syncthreads();
    if (t == 0)
    {
        for (int i = 1; i < 128; ++i)
        {
            s[0] += s[i];
        }
    }
    __syncthreads();
    const float sum = s[0];
    share[n] = x[n] / sum;
//== right each_thread_adds
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 128; ++i)
    {
        sum += s[i];
    }
    share[n] = x[n] / sum;
#endif
