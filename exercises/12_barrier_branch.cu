// 12_barrier_branch: a barrier that some threads never reach
// 12_barrier_branch.zh: 有些线程到不了的同步
//
// Kind: mend
// Chapter: 9
// Program: ch09_shared_mem/reduce2gpu.cu
// Book: 9.1.2
// Goal: Each block of 128 threads adds its part of x, and thread 0 writes the sum of the block. With N = 256 it
//   is right. With N = 300 the last block has only 44 elements, and what its sum becomes is not defined.
//   Mend it for every N.
// Goal.zh: 每个线程块有 128 个线程，把 x 中自己的那一段加起来，由线程 0 写出这个线程块的和。N = 256 时结果正确；
//   N = 300 时最后一个线程块只有 44 个元素，它的和是什么就没有保证了。请改正它，使它对任何 N 都正确。
// Hint 1: Take N = 300 and thread 100 of the last block. Go through the kernel line by line with it: which
//   lines does it execute?
// Hint 1.zh: 取 N = 300，看最后一个线程块的线程 100。替它把核函数逐行走一遍：它执行了哪些行？
// Hint 2: A barrier counts the threads of the whole block. A thread that has no element takes no part in
//   reading x, but it takes part in the waiting.
// Hint 2.zh: 同步的对象是整个线程块的线程。没有元素的线程不读 x，但要参与等待。
// Hint 3: Only the line that reads x needs the guard. And what must a thread without an element leave in
//   its place of s, so that the sum stays right?
// Hint 3.zh: 只有读 x 的那一行需要判断有没有元素。另外，没有元素的线程应该在 s 的自己的位置上放什么，
//   和才不受影响？
// After: The threads without an element stay until the end and add zeros. Only the last block has such threads, so
//   that costs next to nothing. Many kernels look like this: a guard around the loads, barriers outside, a guard around the
//   stores. A return at the top is good only in kernels without a barrier. Since Volta a card waits for all
//   threads of the block that have not ended, so the mistake may stay hidden there; older cards could hang.
//   See ch09_shared_mem/reduce2gpu.cu, and line 7 of Listing 9.4 in section 9.1.2 of the book.
// After.zh: 没有元素的线程一直留到最后，加的是 0。只有最后一个线程块有这样的线程，所以几乎没有代价。许多核函数都是
//   这个样子：读数据时判断，同步在判断之外，写结果时再判断。开头就 return 的写法只适合没有同步的核函数。从伏特架构
//   开始，显卡等待的是线程块中所有尚未结束的线程，所以这个错误可能看不出来；在更早的显卡上则可能一直停在那里。
//   见 ch09_shared_mem/reduce2gpu.cu，以及书 9.1.2 节中 Listing 9.4 的第 7 行。

#include <stdio.h>

__global__ void block_sums(const float *x, float *sum, int N)
{
    __shared__ float s[128];
    const int t = threadIdx.x;
    const int n = blockDim.x * blockIdx.x + t;
    //[
    s[t] = n < N ? x[n] : 0;
    for (int half = 64; half > 0; half /= 2)
    {
        __syncthreads();
        if (t < half)
        {
            s[t] += s[t + half];
        }
    }
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
    //| if (n < N)
    //| {
    //|     s[t] = x[n];
    //|     for (int half = 64; half > 0; half /= 2)
    //|     {
    //|         __syncthreads();
    //|         if (t < half)
    //|         {
    //|             s[t] += s[t + half];
    //|         }
    //|     }
    //|     if (t == 0)
    //|     {
    //|         sum[blockIdx.x] = s[0];
    //|     }
    //| }
    //]
}

int main(void)
{
    const int N = 300, num = (N + 127) / 128;
    float *x, *sum;
    cudaMallocManaged((void **)&x, N * sizeof(float));
    cudaMallocManaged((void **)&sum, num * sizeof(float));
    for (int n = 0; n < N; ++n)
    {
        x[n] = 1;
    }
    block_sums<<<num, 128>>>(x, sum, N);
    cudaDeviceSynchronize();
    for (int b = 0; b < num; ++b)
    {
        printf("block %d: %g\n", b, sum[b]);
    }
    cudaFree(x);
    cudaFree(sum);
    return 0;
}

#if 0
//== child
static void run_case()
{
    const int N = judged::number(0), num = judged::number(1);
    float *x = judged::on_device<float>(0), *sum = judged::on_device<float>(1);
    block_sums<<<num, 128>>>(x, sum, N);
    cudaDeviceSynchronize();
    judged::from_device(0, x);
    judged::from_device(1, sum);
}

//== judge
#include "judge.h"

static bool is_before(const float *x, long count, float value)
{
    for (long i = 0; i < count; ++i)
    {
        if (fabs(x[i]) == fabs(value))
        {
            return true;
        }
    }
    return false;
}

static void prepare()
{
    const long sizes[] = {300, 256, random_number(385, 510), 33, 129, random_number(650, 760), 1, 127, 1025};
    for (const long N : sizes)
    {
        const long num = (N + 127) / 128;
        Case *c = add_case({N, num});
        float *x = input<float>(c, N);
        for (long n = 0; n < N; ++n)
        {
            do // (no two of a block are the same)
            {
                // Their sums are exact in any order.
                x[n] = (n % 7 == 5 ? -1 : 1) * (random_number(5, 4000) + 0.5f);
            } while (is_before(x + n / 128 * 128, n % 128, x[n]));
        }
        output<float>(c, num);
    }
}

// The sum of the elements of block b whose number in the block is below `end`, every `step`th.
static double sum_of(const float *x, long N, long b, long end, long step)
{
    double sum = 0;
    for (long t = 0; t < end && 128 * b + t < N; t += step)
    {
        sum += x[128 * b + t];
    }
    return sum;
}

// What comes out if each step subtracts: of the element with the number t it is - where t has an odd number
// of bits.
static double differences_of(const float *x, long N, long b)
{
    double sum = 0;
    for (long t = 0; t < 128 && 128 * b + t < N; ++t)
    {
        sum += (__builtin_parityl(t) ? -1 : 1) * x[128 * b + t];
    }
    return sum;
}

static void look(const Case *c)
{
    const long N = c->number[0], num = c->number[1];
    const float *x = array<float>(c, 0), *sum = array<float>(c, 1);
    double all = 0;
    long num_untouched = 0, num_first = 0, num_zero = 0, b = -1;
    for (long i = num - 1; i >= 0; --i)
    {
        const double wanted = sum_of(x, N, i, 128, 1);
        all += wanted;
        num_untouched += is_untouched(sum[i]);
        num_first += sum[i] == x[128 * i];
        num_zero += sum[i] == 0;
        b = sum[i] == wanted ? b : i;
    }
    if (b < 0)
    {
        return;
    }
    const double wanted = sum_of(x, N, b, 128, 1), got = sum[b], first = x[128 * b];
    const long elements = N - 128 * b < 128 ? N - 128 * b : 128, others = 128 - elements;
    const double last = x[128 * b + elements - 1];
    const double each = others > 0 ? (got - wanted) / others : 0;
    double absolute = 0;
    for (long n = 128 * b; n < 128 * b + elements; ++n)
    {
        absolute += fabs(x[n]);
    }
    value("N", "%ld", N);
    value("block", "%ld", b);
    value("num", "%ld", num);
    value("elements", "%ld", elements);
    value("others", "%ld", others);
    value("got", "%s", text_of(got));
    value("want", "%s", text_of(wanted));
    value("each", "%s", text_of(each));
    value("untouched", "%ld", num_untouched);
    value("rest", "%ld", N % 128);
    if (num_untouched == num)
    {
        wrong("nothing");
    }
    else if (num_untouched == num - 1 && num > 1 && !is_untouched(sum[0]))
    {
        wrong(sum[0] == (float)all ? "grand_total" : "only_block_0");
    }
    else if (is_untouched(sum[b]))
    {
        wrong(others > 0 && num_untouched == 1 ? "last_block" : "some_blocks");
    }
    else if (got == (float)(before<float>(c, 1)[b] + wanted))
    {
        wrong("on_top");
    }
    else if (got == elements && wanted != elements)
    {
        wrong("counted");
    }
    else if (got == absolute)
    {
        wrong("without_signs");
    }
    else if (others == 0 && got == x[128 * b + 127])
    {
        wrong("moved");
    }
    else if (others == 0 && N % 128 > 0 && got == sum_of(x, N, b, N % 128, 1))
    {
        wrong("as_last_block");
    }
    else if (num_zero == num)
    {
        wrong("zero");
    }
    else if (num_first >= num - 1 && num > 2 && sum[0] == (float)sum_of(x, N, 0, 128, 1))
    {
        wrong("block_0_adds");
    }
    else if (b > 0 && got == (float)sum_of(x, N, 0, elements, 1))
    {
        wrong("same_elements");
    }
    else if (num_first == num && (elements > 1 || num > 1))
    {
        wrong("not_added");
    }
    else if (elements > 1 && (got == wanted - first || got == wanted - last))
    {
        wrong(got == wanted - first ? "first_missing" : "last_missing");
    }
    else if (got == differences_of(x, N, b))
    {
        wrong("subtracted");
    }
    else if (others > 0 && (each == 1 || each == -1 || each == x[0] || each == x[N - 1] || each == first || each == N))
    {
        wrong("not_neutral");
    }
    else if (got == wanted / elements || got == (float)(wanted / 128))
    {
        wrong("mean");
    }
    else if (got == (float)all)
    {
        wrong("grand_total");
    }
    else if (others == 0 && got == sum_of(x, N, b, 128, 2))
    {
        wrong("last_step");
    }
    else if (got == wanted + first)
    {
        wrong("first_twice");
    }
    else if (others == 0 && (got == sum_of(x, N, b, 64, 1) || got == sum_of(x, N, b, 32, 1)))
    {
        wrong("half");
    }
    else
    {
        wrong(others > 0 ? "last_sum" : "other_sum");
    }
}

//== time
static float *x, *sum;
static int size;

static void set_up()
{
    size = timed::elements(sizeof(float)) - 1;
    x = (float *)timed::memory(size * sizeof(float));
    sum = (float *)timed::memory((size + 127) / 128 * sizeof(float));
}
static void run_once() { block_sums<<<(size + 127) / 128, 128>>>(x, sum, size); }
static double bytes_moved() { return 1.0 * sizeof(float) * size; }

//== says
threads_of_y for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or nothing or some_blocks or past_end or never_written or race_same_place or race_in_block or race_update when /\bt\s*=\s*threadIdx\.[yz]\b/ at /threadIdx\.[yz]/: The 128 threads of a block differ in x only. This number is 0 in each of them.
threads_of_y.zh: 线程块的 128 个线程只在 x 方向编号不同。这个数在每个线程中都是 0。
element for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or same_elements or only_block_0 or some_blocks or last_block or nothing or past_end or never_written or race_between_blocks when /\b(?:int|unsigned|long|size_t|auto)\s+(?:[^;(){}]*,\s*)?(?:n\s*=(?!\s*(?:\(?\s*(?:(?:blockDim\.x|128)\s*\*\s*blockIdx\.x|blockIdx\.x\s*(?:\*\s*(?:blockDim\.x|128)|<<\s*7))\s*\)?\s*\+\s*(?:t|tid|threadIdx\.x)|(?:t|tid|threadIdx\.x)\s*\+\s*\(?\s*(?:(?:blockDim\.x|128)\s*\*\s*blockIdx\.x|blockIdx\.x\s*(?:\*\s*(?:blockDim\.x|128)|<<\s*7))\s*\)?)\s*[;,])|\w+\s*=(?!\s*(?:\(?\s*(?:(?:blockDim\.x|128)\s*\*\s*blockIdx\.x|blockIdx\.x\s*(?:\*\s*(?:blockDim\.x|128)|<<\s*7))\s*\)?\s*\+\s*(?:t|tid|threadIdx\.x)|(?:t|tid|threadIdx\.x)\s*\+\s*\(?\s*(?:(?:blockDim\.x|128)\s*\*\s*blockIdx\.x|blockIdx\.x\s*(?:\*\s*(?:blockDim\.x|128)|<<\s*7))\s*\)?)\s*[;,])(?=[^;,=]*\bblockIdx\.x)(?=[^;,=]*\b(?:threadIdx\.x|tid|t)\b))/ at /\bn\s*=|=(?=[^;,=]*\bblockIdx\.x)[^;,=]*\b(?:threadIdx\.x|tid|t)\b/: The number of an element counts through all blocks, and here another number comes out. How many threads come before those of this block?
element.zh: 元素的编号在所有线程块中连续，而这里算出的是另一个数。这个线程块之前有多少个线程？
one_more for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or past_shared or race_in_block or race_update or never_written when /\bt\s*<=\s*half\b|\bhalf\s*>=\s*t\b|\b(tid|threadIdx\.x|\w+)\s*<=\s*(\w+)\s*\)\s*\{?[^;{}]*\[\s*\g1\s*\+\s*\g2\s*\]/ at /\b(?:t|tid|threadIdx\.x)\s*<=\s*\w+|\bhalf\s*>=\s*t\b/: With the equals sign one thread more adds in each step. The threads count from 0: which is the last one that has a pair?
one_more.zh: 有了等号，每一步都多一个线程做加法。线程从 0 开始编号：最后一对数属于哪个线程？
too_high for past_shared when /\b(\w+)\s*=\s*(?:128|blockDim\.x)\s*;[^{}]*\{.*\[\s*(?:\w+|threadIdx\.x)\s*\+\s*\g1\s*\]/ at /=\s*(?:128|blockDim\.x)\s*;/: A step adds pairs of numbers. The first one has 128 numbers: how many pairs are these?
too_high.zh: 每一步把数两两相加。第一步有 128 个数：这是多少对？
whole_index for past_shared when /\bs\[\s*n\s*\]|__shared__\s+\w+\s+(\w+)\[.*?\b(\w+)\s*=[^;=]*\bblockIdx\b[^;=]*;.*\b\g1\[\s*\g2\s*\]/: The number of an element counts through all blocks. Each block has a shared array of its own, with 128 places.
whole_index.zh: 元素的编号在所有线程块中连续，而每个线程块有自己的共享内存数组，只有 128 个位置。
wrong_step for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or past_shared when /\b(\w+)\s*=\s*(?:64|blockDim\.x\s*(?:\/\s*2|>>\s*1))\s*;.*\b\g1\s*(?:\/=\s*(?!2\b)\d|\*=|<<=|\+\+|-=(?!\s*1\b)|>>=\s*(?!1\b)\d|=\s*\g1\s*(?:-|\/\s*(?!2\b)\d|>>\s*(?!1\b)\d))/ at /\b\w+\s*(?:\/=|\*=|<<=|-=|--|>>=)\s*[^;]*\)|\bhalf\+\+|\b\w+\s*(?:\/=|-=|--|>>=)|=\s*half/: After a step half as many numbers are left, and half as many threads add in the next one. Here it is another part of them.
wrong_step.zh: 每一步之后剩下一半的数，下一步做加法的线程也只有一半。这里却不是一半。
same_partner for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or race_in_block or race_update or never_written when /\bs\[\s*(?:t|threadIdx\.x)\s*\][^;]*\+\s*=?\s*s\[\s*half\s*\]/ at /\+\s*=?\s*s\[\s*half\s*\]/: All threads of a step add the same number here, that in s[half]. Each thread has another partner.
same_partner.zh: 这里一步中的所有线程加的是同一个数，即 s[half] 中的数。每个线程的搭档各不相同。
neighbour for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or race_in_block or race_update when /^(?!.*\[\s*(?:t|threadIdx\.x)\s*\+\s*(?!\s*1\s*\])).*\bs\[\s*(?:t|threadIdx\.x)\s*\][^;]*\bs\[\s*(?:t|threadIdx\.x)\s*\+\s*1\s*\]/ at /\bs\[\s*(?:t|threadIdx\.x)\s*\+\s*1\s*\]/: The number of the next thread is added in each step here. How far away is the partner while half threads add?
neighbour.zh: 这里每一步加的都是下一个线程的数。有 half 个线程做加法时，搭档相距多远？
other_half for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or past_shared or race_in_block or race_update or never_written when /\bif\s*\(\s*(?:t\s*>=?\s*half|half\s*<=?\s*t)\s*\)\s*\{?\s*s\[\s*t\s*\]\s*\+=/ at /\bif\s*\(\s*(?:t\s*>=?\s*half|half\s*<=?\s*t)\s*\)/: This condition chooses the threads from half on. Which threads have a partner that is half further on?
other_half.zh: 这个条件选中的是编号从 half 开始的线程。哪些线程往后 half 个位置还有搭档？
partner for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or past_shared or race_in_block or race_update or before_start or past_end or never_written when /\bs\[\s*t\s*\]\s*\+=\s*[sx]\[(?!\s*(?:t\s*\+\s*half|half\s*\+\s*t)\s*\])[^\]()%]*\bhalf\b[^\]()%]*\]/ at /\bs\[\s*t\s*\]\s*\+=/: In the first step 64 pairs are added, and each number belongs to one pair. Which place comes out here for t = 0, for t = 1 and for t = 63?
partner.zh: 第一步加 64 对数，每个数只属于一对。t 为 0、1 和 63 时，这里算出的是哪个位置？
bad_start for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block when /\bhalf\s*=\s*(?!(?:64|32|16|8|4|2|1|128)\b)\d+/ at /\bhalf\s*=\s*\d+/: Write down the values of half, and which places are added in each step: some numbers are left over.
bad_start.zh: 把 half 的各个值写下来，再看每一步加的是哪些位置：有些数被漏掉了。
larger_one for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block when /\bf?maxf?\s*\(\s*s\[/ at /\bf?maxf?\s*\(/: This keeps the larger one of two numbers, and adds nothing.
larger_one.zh: 这里取的是两个数中较大的一个，没有相加。
wrong_place? for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block when /\bsum\[[^;]*=\s*s\[\s*[1-9]\d*\s*\]/ at /\bsum\[/: The sum is in another place of s. In which one does the last step of the addition put it?
wrong_place.zh: 和在 s 的另一个位置上。加法的最后一步把它放在哪里？
sum_place for past_end when /\bsum\[[^\]]*(?:gridDim|blockDim|blockIdx\.x\s*[-+*]\s*\d)[^\]]*\]/ at /\bsum\[/: sum has one element for each block, and they count from 0. Which one comes out here?
sum_place.zh: sum 中每个线程块有一个元素，从 0 开始编号。这里算出的是哪一个？
neighbour_of_x for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or past_end or before_start when /\bx\[\s*n\s*[-+]\s*1\s*\]/ at /\bx\[\s*n\s*[-+]\s*1\s*\]/: This is the element beside that of the thread.
neighbour_of_x.zh: 这是线程自己的元素旁边的那一个。
warp_sum? for half or other_sum or last_sum when /__shfl_/ at /__shfl_/: A shuffle hands numbers on within one warp. The block has four warps, and the sum is that of all their numbers.
warp_sum.zh: 洗牌函数只在一个线程束之内传数。线程块有四个线程束，要的是它们所有数的和。
full_mask for deadlock or mask or shuffle when /__shfl_\w+\s*\(\s*(?:0x[fF]{8}|~0)/ at /__shfl_/: The mask names 32 lanes. Those without an element do not come to this shuffle, and the others wait for them.
full_mask.zh: 掩码包含全部 32 个线程。没有元素的线程不会执行到这个洗牌函数，其余线程却在等它们。
own_half for barrier_not_reached or barrier_branches or hang or timeout or deadlock when /\bif\s*\([^{};]*\bhalf\s*\)\s*\{[^{}]*\bhalf\s*(?:\/=|>>=|=\s*half)/ at /\bhalf\s*(?:\/=|>>=|=\s*half)/: half changes only in the threads that add in this step. Each thread has a variable half of its own.
own_half.zh: 只有这一步做加法的线程改变了 half，而每个线程的 half 是各自的变量。
times for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block when /\]\s*\*=\s*s\[|=\s*s\[[^;]*\]\s*\*\s*s\[/ at /\*=?\s*s\[/: The numbers are multiplied by each other here, and not added.
times.zh: 这里把数相乘了，没有相加。
too_late for race_in_block or race_same_place or never_written or last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block when /\bs\[\s*\w+\s*\]\s*\+=.*\bs\[\s*t\s*\]\s*=\s*0(?:\.0?)?f?\s*;/ at last /\bs\[\s*t\s*\]\s*=\s*0/: The 0 comes into its place only when the addition has begun. What is added must be there before.
too_late.zh: 加法已经开始，这里才放 0。要加的数必须事先放好。
parts_again for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block when /\bs\[[^;]*\+=.*\batomicAdd\s*\(\s*&?\s*\(?\s*sum\b[^;]*\bs\[\s*(?:t|threadIdx\.x)\s*\]/ at /\batomicAdd/: Each thread adds its place of s to the sum here. Behind the loop these places hold parts of the sum, and only one of them the whole.
parts_again.zh: 这里每个线程都把自己在 s 中的位置加进和里。循环之后，这些位置放的是部分和，只有一个位置是全部的和。
each_clears for race_same_place when /\bmemset\s*\(\s*s\b|\bfor\s*\([^{}]*\)\s*\{?\s*s\[\s*(?!t\b)\w+\s*\]\s*=\s*0/ at /\bmemset\s*\(\s*s\b|\bs\[\s*(?!t\b)\w+\s*\]\s*=\s*0/: Each thread clears the whole array here, also the places in which others have already put their numbers.
each_clears.zh: 这里每个线程都把整个数组清零，包括别的线程已经放了数的位置。
x_read_only for read_only when /\bx\[[^\]]*\]\s*=(?!=)/ at /\bx\[[^\]]*\]\s*=(?!=)/: x is the input, which is only read. For its number each thread has a place in s.
x_read_only.zh: x 是输入，只能读。每个线程的数应放在 s 中自己的位置上。
no_thread for nothing when /\bif\s*\(\s*(?:t|threadIdx\.x)\s*==\s*(?:N|N\s*-\s*1|128|blockDim\.x)\s*\)/ at /\bif\s*\(\s*(?:t|threadIdx\.x)\s*==/: The threads of a block have the numbers t from 0 to 127. Which of them does this condition choose?
no_thread.zh: 线程块中线程的编号 t 是 0 到 127。这个条件选中的是哪个线程？
one_of_all for some_blocks or only_block_0 or last_block when /\bif\s*\(\s*n\s*==[^{};]*\)\s*\{?\s*sum\[/ at /\bif\s*\(\s*n\s*==/: n counts through all blocks, so this condition chooses one thread of the whole grid. In each block one thread must write.
one_of_all.zh: n 在所有线程块中连续编号，所以这个条件在整个网格中只选中一个线程。而每个线程块都要有一个线程来写。
other_writer for race_in_block when /__syncthreads.*\bif\s*\(\s*(?:t|threadIdx\.x)\s*==(?!\s*0\b)[^{};]*\)\s*\{?\s*sum\[[^;]*=\s*s\[\s*0\s*\]/ at /\bif\s*\(\s*(?:t|threadIdx\.x)\s*==(?!\s*0\b)/: Thread 0 has put the sum into s[0]. Another thread reads it here, and nothing makes it wait for thread 0.
other_writer.zh: 把和放进 s[0] 的是线程 0。这里读它的是另一个线程，而它没有等线程 0。
passes_time for race_in_block or in_step or race_update when /__nanosleep|\bclock(?:64)?\s*\(|\bfor\s*(\((?:[^()]++|(?1))*\))\s*(?:;|\{\s*;?\s*\})|\bwhile\s*((?1))\s*\{\s*;?\s*\}|[;{)]\s*while\s*((?1))\s*;/ at last /__nanosleep|\bclock|\bfor\b|\bwhile\b/: Passing the time makes no thread wait for another one. How long the others still need nobody knows.
passes_time.zh: 消磨时间并不能让线程互相等待：别的线程还要多久，谁也不知道。
in_condition for race_in_block or race_update or in_step when /\bif\s*\((?:[^(){};]|\([^()]*\))*\)\s*\{?\s*__syncthreads\s*\(/ at last /__syncthreads/: This __syncthreads() stands under a condition. Where it does not hold, nothing makes the threads wait.
in_condition.zh: 这个 __syncthreads() 前面有条件。条件不成立时，就没有任何等待。
no_bytes for illegal_address or past_dynamic when /\bextern\s+__shared__/ at /\bextern\b/: An array that is extern __shared__ has as many bytes as the launch gives it. This launch gives none.
no_bytes.zh: extern __shared__ 数组有多少字节，由调用核函数时给出。这里的调用没有给。
clamped for last_sum or other_sum or half or not_neutral or not_added when /\bf?maxf?\s*\([^;]*\bx\[/ at /\bf?maxf?\s*\(/: Elements below 0 belong to the sum, too. This makes 0 of them.
clamped.zh: 小于 0 的元素也要加进和里，而这里把它们变成了 0。
empty_else for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or past_end or never_written when /\belse\s*;/ at /\belse\s*;/: The ; behind else is its whole body: in this case nothing is done, and what stands below is done by all threads.
empty_else.zh: else 后面的分号 ; 就是它的全部内容：这种情况下什么也不做，而下面的语句所有线程都执行。
past_in_loop for past_end or no_barrier or race_in_block or race_same_place or race_between_blocks when /\bfor\s*\([^{}]*\)\s*\{?[^{};]*\bx\[[^\]]*\bn\s*\+\s*\w+\s*\]|\bfor\s*\(\s*int\s+(\w+)\s*=\s*0\s*;\s*\g1\s*<\s*(?:128|blockDim\.x)\s*;[^{}]*\)\s*\{?[^{};]*\bx\[[^\]]*\b\g1\b[^\]]*\]/ at /\bx\[[^\]]*\+[^\]]*\]/: In this loop one thread reads a number for each thread of its block. In the last block there are not so many, and it reads past the end of x.
past_in_loop.zh: 在这个循环中，一个线程为线程块的每个线程读一个数。最后一个线程块没有这么多元素，于是它读到了 x 的末尾之后。
fixed_threads for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or never_written or no_barrier when /\bt\s*(?:<=?|>=?)\s*(?:4[345]|83|84)\b/ at /\bt\s*(?:<=?|>=?)\s*(?:4[345]|83|84)\b/: The last block of one call has this number of elements. In other blocks and other calls it is another one, and N tells it.
fixed_threads.zh: 只有某一次调用的最后一个线程块才是这么多元素。别的线程块、别的调用都不同，要由 N 得出。
by_remainder for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or race_in_block or race_update or past_shared when /\bt\s*%\s*half\b/ at /\bt\s*%\s*half\b/: t % half is a remainder, the same in several threads, so this does not choose the first threads of the block.
by_remainder.zh: t % half 是余数，若干个线程的余数相同，所以这样选出的不是线程块的前面一部分线程。
cut_off for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or mean when /\(\s*int\s*\)\s*[sx]\b|\b(?:int|long|short)\s+(?!t\b|n\b|half\b)\w+\s*=[^;]*\b[sx]\[/ at /\(\s*int\s*\)\s*[sx]\b|\b(?:int|long|short)\s+(?!t\b|n\b|half\b)\w+\s*=[^;]*\b[sx]\[/: Here a number becomes a whole one, and what stands behind the point is lost. The elements are of type float.
cut_off.zh: 数在这里变成了整数，丢掉了小数部分。元素是 float 类型。
moved_only for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block when /\bs\[t\]\s*=\s*s\[t\s*\+\s*\w+\]\s*;/ at /\bs\[t\]\s*=\s*s\[t\s*\+/: The number of the other thread comes in the place of one's own here, and nothing is added.
moved_only.zh: 这里用另一个线程的数取代了自己的数，没有相加。
by_one_less for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block or past_shared or race_in_block when /--\s*half|half\s*--|half\s*-=\s*1/ at /--\s*half|half\s*--|half\s*-=\s*1/: The number of threads that add becomes smaller by 1 only. Then numbers are added that others have already added.
by_one_less.zh: 做加法的线程每一步只少一个，于是有些数别的线程已经加过，又加了一次。
two_values for compile or expected when /=[^;?:{}]*:[^;?:{}]*\?/ at /:.*\?/: Of ? and : the ? comes first, behind the condition.
two_values.zh: ? 和 : 中先写 ?，它紧跟在条件后面。
no_start for last_sum or other_sum or half or not_neutral or not_added or last_step or first_twice or block_0_adds or first_missing or last_missing or subtracted or zero or moved or as_last_block when /(?<!__shared__ )\b(?:float|double)\s+(\w+)\s*;(?:(?!\b\g1\s*=(?!=)).)*\b\g1\s*\+=/ at /\b(?:float|double)\s+\w+\s*;/: Numbers are added to a variable that has no value at the beginning.
no_start.zh: 这里把数加到一个变量上，而它一开始没有值。
whole_numbers for last_sum or other_sum or not_neutral or half or first_twice when /__shared__\s+(?:unsigned|int|long|short|char)\b/ at /__shared__/: The elements are of type float. In an array of whole numbers they lose what stands behind the point.
whole_numbers.zh: 元素是 float 类型，放进整数类型的数组就丢掉了小数部分。
fence for race_in_block or race_update when /^(?!.*__syncthreads).*__threadfence/ at /__threadfence/: A fence orders the writes of one thread. It does not make the other threads wait.
fence.zh: __threadfence 只规定一个线程自己写内存的先后，并不让其他线程等待。
warp_only for race_in_block or race_update when /__syncwarp/ at /__syncwarp/: Here only the 32 threads of a warp wait for each other. The block has four warps, which add each other's numbers.
warp_only.zh: 这里只有同一线程束的 32 个线程互相等待。线程块有四个线程束，它们要加彼此的数。
no_barrier for race_in_block or race_update or race_same_place when /^(?!.*(?:sync|barrier))/ at /s\[t\]/: No thread waits for another one any more. Without a barrier a thread adds what the other one may not have written yet.
no_barrier.zh: 现在没有任何线程等待别的线程了。没有同步，一个线程加的数可能还没有被另一个线程写好。
race_in_block: This line {how} what another thread {other_how} in line {other}, and nothing makes the two wait for each other in between.
race_in_block.zh: 这一行{how}的内容，另一个线程在第 {other} 行{other_how}，两者之间没有等待。
race_update: In this line a thread reads what another one writes in the same line, and nothing makes the two wait for each other.
race_update.zh: 在这一行中，一个线程读的内容正是另一个线程在同一行写的，两者之间没有等待。
two_places for barrier_branches or barrier_not_reached when /else\s*(?:\{[^{}]*(?:\{[^{}]*)?)?__syncthreads/ at /else/: Each __syncthreads() is a meeting place of its own. Some threads wait at the one in the else and the others somewhere else, so they do not meet.
two_places.zh: 每个 __syncthreads() 是一个单独的会合处。一些线程在 else 里的那个等待，其余的在别处等待，它们碰不到一起。
by_half for barrier_branches or barrier_not_reached when /if\s*\([^(){}]*\bt\b[^(){};]*\bhalf\b[^{};]*\)\s*\{[^{}]*__syncthreads/ at /if.*half/: The barrier stands in the if of the addition. The threads that do not add in this step go past it, and do not meet the others there.
by_half.zh: 同步放在了做加法的 if 里。这一步不做加法的线程绕过了它，没有在那里和其他线程会合。
rounds for barrier_branches or barrier_not_reached when /\b(?:for\s*\([^;{}]*;[^;{}]*\bt\b[^;{}]*;|while\s*\([^{}]*\bt\b)/ at /for|while/: The loop does not have the same number of rounds in all threads, as its condition asks for t. Each round has a barrier, and all threads must come to it.
rounds.zh: 循环的条件里有 t，所以各个线程的循环次数不同。每一次循环都有同步，所有线程都必须到达。
breaks for barrier_branches or barrier_not_reached when /(?:for|while)\s*\([^{}]*\)\s*\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\{?[^{}]*\b(?:return|break|goto)\b/ at /\b(?:return|break|goto)\b/: Some threads leave the loop here, and the others wait for them at the next barrier.
breaks.zh: 一些线程在这里离开了循环，其余线程在下一次同步处等待它们。
returned for barrier_branches or barrier_not_reached when /return.*__syncthreads/ at /return/: The threads that return here do not come to the barriers below. A thread that has no element must still wait with the others.
returned.zh: 在这里 return 的线程到不了下面的同步。没有元素的线程也必须和其他线程一起等待。
barrier_not_reached: {missing} of the {all} threads of block {block} never come to this __syncthreads(). Which condition leads them past it?
barrier_not_reached.zh: 线程块 {block} 的 {all} 个线程中有 {missing} 个没有到达这个 __syncthreads()。是哪个条件让它们绕过去了？
barrier_branches: In block {block} some threads wait at this __syncthreads() and others at another one. All threads of a block must meet at the same one.
barrier_branches.zh: 在线程块 {block} 中，一些线程在这个 __syncthreads() 等待，另一些在别的 __syncthreads() 等待。线程块的所有线程必须在同一处会合。
guard_turned for past_end when /\bn\s*>=?\s*N\s*\?\s*x\[|!\s*\(\s*n\s*<\s*N\s*\)\s*\?\s*x\[/ at /\?/: The two values behind the condition are exchanged: thread {thread} of block {block} has no element and reads x all the same.
guard_turned.zh: 条件后面的两个值反了：线程块 {block} 的线程 {thread} 没有元素，却读了 x。
hard_coded for last_sum or other_sum or past_end or never_written or some_blocks when /\bn\s*(?:<=?|>=?)\s*\d\d/ at /\bn\s*(?:<=?|>=?)\s*\d\d/: Here stands a number of elements of one call only. How many there are in this call is in N.
hard_coded.zh: 这里写的是某一次调用的元素个数。这一次有多少个元素，要看 N。
thread_only for past_end when /\b(?:t|tid|threadIdx\.x)\s*<=?\s*N\b/ at /<=?\s*N/: The threads of each block count from 0, so thread {thread} of block {block} is let through, and has no element. Which number tells which element a thread has?
thread_only.zh: 每个线程块的线程都从 0 开始编号，所以线程块 {block} 的线程 {thread} 没有元素也被放行了。哪个量说明线程对应哪个元素？
odd_half for last_sum or other_sum when /for\s*\(\s*int\s+\w+\s*=\s*(?!blockDim|128|64)[^;{}]*\/\s*2\s*;/ at /for/: The number of elements of a block may be odd, or become odd when it is halved. Then the last element is left over.
odd_half.zh: 线程块的元素个数可能是奇数，也可能在减半之后变成奇数，这时最后一个元素就被漏掉了。
guard_equal for past_end when /[(&|=]\s*(?!t\b|tid\b|threadIdx)\w+\s*<=\s*N\b|\bN\s*>=\s*(?!t\b|tid\b|threadIdx)\w+\s*[)&|?]/ at /<=\s*N\b|\bN\s*>=/: Thread {thread} of block {block} has the number N, and is let through. The last element of x has the number N - 1.
guard_equal.zh: 线程块 {block} 的线程 {thread} 的编号等于 N，却被放行了。x 的最后一个元素的编号是 N - 1。
sum_index for past_end when /\bsum\[\s*(?:n|t|tid|threadIdx\.x)\s*\]|\b(\w+)\s*=[^;=]*\bthreadIdx[^;=]*;.*\bsum\[\s*\g1\s*\]|\bint\s+(\w+)\s*=[^;=]*\b(?:t|tid)\b[^;=]*;.*\bsum\[\s*\g2\s*\]/ at /sum\[/: sum has one element for each block. Thread {thread} of block {block} writes past its end: which number tells the blocks apart?
sum_index.zh: sum 中每个线程块只有一个元素。线程块 {block} 的线程 {thread} 写到了它的末尾之后：哪个编号能区别各个线程块？
past_end: Thread {thread} of block {block} {how} past the end of an array. A thread without an element waits with the others, but it must not use an element.
past_end.zh: 线程块 {block} 的线程 {thread} 在数组末尾之后{how}。没有元素的线程要和其他线程一起等待，但不能使用元素。
never_written: This line uses a place of s or sum in which no thread has put anything. In the last block, what is in the places of the threads without an element?
never_written.zh: 这一行用到了 s 或 sum 中没有任何线程写过的位置。在最后一个线程块中，没有元素的线程的位置上是什么？
race_same_place: Several threads of a block write to one element here. One of them is enough.
race_same_place.zh: 线程块的若干个线程在这里写同一个元素，由其中一个来写就够了。
race_between_blocks at /sum\[/: All blocks write to the same element of sum. Each block has an element of its own there.
race_between_blocks.zh: 所有线程块写了 sum 的同一个元素。每个线程块在 sum 中有自己的元素。
nothing at /sum\[/: No sum is written.
nothing.zh: 没有写任何和。
only_block_0 at /sum\[/: Only sum[0] is written. There are {num} blocks, and each has a sum of its own.
only_block_0.zh: 只写了 sum[0]。线程块有 {num} 个，每个都有自己的和。
last_block at /\bif\b.*\b(?:N|num|gridDim)\b|return/: With N = {N} the sum of the last block is not written. It has {elements} elements: the question is for each thread, and not for the block.
last_block.zh: N = {N} 时没有写最后一个线程块的和。它有 {elements} 个元素：要对每个线程判断，而不是对线程块判断。
some_blocks at /sum\[/: With N = {N}, {untouched} of the {num} sums are not written, the first of them that of block {block}.
some_blocks.zh: N = {N} 时，{num} 个和中有 {untouched} 个没有写，第一个是线程块 {block} 的。
on_top at /sum\[/: The sum of block {block} was added to what was in sum before. Nobody has made it 0.
on_top.zh: 线程块 {block} 的和加到了 sum 原有的值上面，而没有人把它清零。
not_added at /for|while|sum\[/: What is written is the number of thread 0 alone: no step of the addition has been done.
not_added.zh: 写出的只是线程 0 的数：一步加法也没有做。
not_shared for not_added or last_sum or other_sum or never_written when /(?<!__shared__ )\bfloat\s+\w+\s*\[/ at /(?<!__shared__ )\bfloat\s+\w+\s*\[/: Without __shared__ each thread has an array of its own, in which it finds only what it has put there itself.
not_shared.zh: 没有 __shared__，每个线程就有自己的一个数组，其中只有它自己放进去的数。
block_0_adds at /\bif\b.*\bn\b/: Only block 0 adds. In the other blocks no step is done, and the number of thread 0 is written.
block_0_adds.zh: 只有线程块 0 做了加法。其余线程块一步也没有做，写出的是线程 0 的数。
same_elements at /\bx\[/: Block {block} has added the elements of block 0. Which number tells the elements of a block?
same_elements.zh: 线程块 {block} 加的是线程块 0 的元素。哪个量能说明一个线程块有哪些元素？
not_neutral at /\?|else|s\[t\]\s*=/: With N = {N} block {block} has {others} threads without an element, and each of them has added {each}. Which number changes no sum?
not_neutral.zh: N = {N} 时，线程块 {block} 中有 {others} 个线程没有元素，它们各加了 {each}。加上哪个数，和不变？
mean at /sum\[/: The sum of block {block} is divided by a number of elements. The exercise asks for the sum: {want}.
mean.zh: 线程块 {block} 的和被除以了元素个数。题目要的是和：{want}。
grand_total at /sum\[/: Here is the sum of all of x. Each block writes the sum of its own part.
grand_total.zh: 这里得到的是整个 x 的和。每个线程块只写自己那一段的和。
last_step? at /for|while/: Only every other number is in the sum of block {block}: the last step is missing, which adds s[1] to s[0].
last_step.zh: 线程块 {block} 的和里只有一半的数：缺了最后一步，即把 s[1] 加到 s[0]。
first_twice? at /for|while/: The number of thread 0 is in the sum of block {block} twice: {got} instead of {want}.
first_twice.zh: 线程块 {block} 的线程 0 的数加了两次：得到 {got}，应为 {want}。
counted at /\bs\[[^\]]*\]\s*=/: What is written is how many elements block {block} has. What is wanted is the sum of their values.
counted.zh: 写出的是线程块 {block} 有多少个元素，而要的是这些元素的值之和。
without_signs at /abs|-/: Elements below 0 were added without their signs.
without_signs.zh: 小于 0 的元素在相加时丢掉了负号。
moved? at /\]\s*=\s*\w+\[/: What is written is the number of the last thread alone. The numbers were moved from place to place, and not added.
moved.zh: 写出的只是最后一个线程的数。数只是换了位置，没有相加。
as_last_block? at /\bN\s*%|%|\bx\[/: Block {block} has added only its first {rest} elements, as many as the last block has. All other blocks are full.
as_last_block.zh: 线程块 {block} 只加了前 {rest} 个元素，和最后一个线程块的一样多。而其他线程块都是满的。
zero? at /\bs\[[^\]]*\]\s*=\s*0|\bsum\[/: All sums are 0. Is there still a number in s when the addition begins?
zero.zh: 所有的和都是 0。加法开始时，s 中还有数吗？
first_missing? at /\bs\[0\]\s*=(?!=)|\?|\bif\b|for|while/: The number of thread 0 is not in the sum of block {block}: {got} instead of {want}.
first_missing.zh: 线程块 {block} 的和里缺了线程 0 的数：得到 {got}，应为 {want}。
last_missing? at /\?|\bif\b|for|while/: With N = {N} the last element of block {block} is not in its sum: {got} instead of {want}.
last_missing.zh: N = {N} 时，线程块 {block} 的和里缺了它的最后一个元素：得到 {got}，应为 {want}。
subtracted? at /\]\s*-|-\s*s/: The numbers are subtracted here, and not added: {got} comes out, and the sum is {want}.
subtracted.zh: 这里把数相减了，没有相加：得到 {got}，而和是 {want}。
half? at /for|while/: Only the first threads' numbers are in the sum of block {block}. How many numbers are left after the first step?
half.zh: 线程块 {block} 的和里只有前面一部分线程的数。第一步之后应该剩下多少个数？
last_sum? at /\bs\[t\]\s*=|\bx\[/: With N = {N} block {block} has {elements} elements. Their sum is {want}, and {got} is written.
last_sum.zh: N = {N} 时线程块 {block} 有 {elements} 个元素，它们的和是 {want}，写出的却是 {got}。
other_sum? at /\bsum\[/: With N = {N} the sum of block {block} is {want}, and {got} is written.
other_sum.zh: N = {N} 时线程块 {block} 的和是 {want}，写出的却是 {got}。

//== wrong stub_again: barrier_not_reached
    if (n < N)
    {
        s[t] = x[n];
        for (int half = 64; half > 0; half /= 2)
        {
            __syncthreads();
            if (t < half)
            {
                s[t] += s[t + half];
            }
        }
        if (t == 0)
        {
            sum[blockIdx.x] = s[0];
        }
    }
//== wrong return_first: returned
//- s[t] = n < N ? x[n] : 0;
//+ if (n >= N)
//+ {
//+     return;
//+ }
//+ s[t] = x[n];
//== wrong other_barrier: two_places
    if (n < N)
    {
        s[t] = x[n];
        __syncthreads();
    }
    else
    {
        s[t] = 0;
        __syncthreads();
    }
    for (int half = 64; half > 0; half /= 2)
    {
        __syncthreads();
        if (t < half)
        {
            s[t] += s[t + half];
        }
    }
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== wrong barrier_in_else: two_places
    if (n < N)
    {
        s[t] = x[n];
        for (int half = 64; half > 0; half /= 2)
        {
            __syncthreads();
            if (t < half)
            {
                s[t] += s[t + half];
            }
        }
        if (t == 0)
        {
            sum[blockIdx.x] = s[0];
        }
    }
    else
    {
        __syncthreads();
    }
//== wrong no_barrier: no_barrier
//- __syncthreads();
//== wrong of_warp: warp_only
//- __syncthreads();
//+ __syncwarp();
//== wrong fenced: fence
//- __syncthreads();
//+ __threadfence_block();
//== wrong no_guard: past_end
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = x[n];
//== wrong nothing_put: never_written
//- s[t] = n < N ? x[n] : 0;
//+ if (n < N)
//+ {
//+     s[t] = x[n];
//+ }
//== wrong loop_outside: never_written
//- s[t] = n < N ? x[n] : 0;
//+ if (n < N)
//+ {
//+     s[t] = x[n];
//+ }
//+ __syncthreads();

//- if (t == 0)
//+ if (n < N && t == 0)
//== wrong ones: not_neutral
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = n < N ? x[n] : 1;
//== wrong last_again: not_neutral
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = x[min(n, N - 1)];
//== wrong first_again: not_neutral
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = n < N ? x[n] : x[0];
//== wrong equal: guard_equal
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = n <= N ? x[n] : 0;
//== wrong turned: guard_turned
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = n >= N ? x[n] : 0;
//== wrong whole_blocks_only: last_block
    if ((blockIdx.x + 1) * blockDim.x <= N)
    {
        s[t] = x[n];
        for (int half = 64; half > 0; half /= 2)
        {
            __syncthreads();
            if (t < half)
            {
                s[t] += s[t + half];
            }
        }
        if (t == 0)
        {
            sum[blockIdx.x] = s[0];
        }
    }
//== wrong in_step: by_half
    s[t] = n < N ? x[n] : 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
    {
        if (t < half)
        {
            s[t] += s[t + half];
            __syncthreads();
        }
    }
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== wrong rounds_of_thread: rounds
    s[t] = n < N ? x[n] : 0;
    __syncthreads();
    for (int half = 64; t < half; half /= 2)
    {
        s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== wrong leaves_loop: breaks
    s[t] = n < N ? x[n] : 0;
    for (int half = 64; half > 0; half /= 2)
    {
        __syncthreads();
        if (t >= half)
        {
            break;
        }
        s[t] += s[t + half];
    }
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== wrong guard_in_step: barrier_not_reached or barrier_branches
//- {
//- __syncthreads();
//+ {
//+     if (n < N)
//+     {
//+         __syncthreads();

//- __syncthreads();
//+ __syncthreads();
//+ }
//== wrong one_barrier: race_update
    s[t] = n < N ? x[n] : 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
    {
        if (t < half)
        {
            s[t] += s[t + half];
        }
    }
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== wrong loop_ends_early: last_step
//- for (int half = 64; half > 0; half /= 2)
//+ for (int half = 64; half > 1; half /= 2)
//== wrong begins_late: half
//- for (int half = 64; half > 0; half /= 2)
//+ for (int half = 32; half > 0; half /= 2)
//== wrong zero_twice: first_twice
    s[t] = n < N ? x[n] : 0;
    __syncthreads();
    if (t == 0)
    {
        for (int i = 0; i < 128; ++i)
        {
            s[0] += s[i];
        }
        sum[blockIdx.x] = s[0];
    }
//== wrong into_first: only_block_0
//- sum[blockIdx.x] = s[0];
//+ sum[0] = s[0];
//== wrong each_writes: sum_index
//- if (t == 0)
//- {
//- sum[blockIdx.x] = s[0];
//- }
//+ sum[n] = s[0];
//== wrong atomics: on_top
    if (n < N)
    {
        atomicAdd(&sum[blockIdx.x], x[n]);
    }
//== wrong never_written_out: nothing
//- if (t == 0)
//- {
//- sum[blockIdx.x] = s[0];
//- }
//== wrong last_barrier: in_condition
//- {
//- __syncthreads();
//+ {
//+     if (half == 64)
//+     {
//+         __syncthreads();

//- __syncthreads();
//+ __syncthreads();
//+ }
//== wrong no_end: hang or timeout
//- for (int half = 64; half > 0; half /= 2)
//+ for (int half = 64; half > 0; half / 2)
//== wrong no_loop: not_added
    s[t] = n < N ? x[n] : 0;
    __syncthreads();
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== wrong by_n: block_0_adds
//- if (t < half)
//+ if (n < half)
//== wrong elements_of_thread: same_elements
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = n < N ? x[t] : 0;
//== wrong own_array: not_shared
//- s[t] = n < N ? x[n] : 0;
//+ float mine[128];
//+ mine[t] = n < N ? x[n] : 0;

//- s[t] += s[t + half];
//+ mine[t] += mine[t + half];

//- sum[blockIdx.x] = s[0];
//+ sum[blockIdx.x] = mine[0];
//== wrong waits_in_else: two_places
    if (n < N)
    {
        s[t] = x[n];
        for (int half = 64; half > 0; half /= 2)
        {
            __syncthreads();
            if (t < half)
            {
                s[t] += s[t + half];
            }
        }
        if (t == 0)
        {
            sum[blockIdx.x] = s[0];
        }
    }
    else
    {
        s[t] = 0;
        for (int half = 64; half > 0; half /= 2)
        {
            __syncthreads();
        }
    }
//== wrong each_thread_writes: race_in_block
//- if (t == 0)
//- {

//- sum[blockIdx.x] = s[0];
//- }
//+ sum[blockIdx.x] = s[0];
//== wrong all_write: race_same_place
//- if (t == 0)
//- {
//+ __syncthreads();

//- sum[blockIdx.x] = s[0];
//- }
//+ sum[blockIdx.x] = s[0];
//== wrong guard_of_thread: thread_only
    s[t] = t < N ? x[n] : 0;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2)
    {
        if (t < half)
        {
            s[t] += s[t + half];
        }
        __syncthreads();
    }
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== wrong of_main: hard_coded
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = n < 300 ? x[n] : 0;
//== wrong of_elements: odd_half
//- s[t] = n < N ? x[n] : 0;
//- for (int half = 64; half > 0; half /= 2)
//+ const int elements = min(128, N - (int)(blockIdx.x * blockDim.x));
//+ if (t < elements)
//+ {
//+     s[t] = x[n];
//+ }
//+ for (int half = elements / 2; half > 0; half /= 2)
//== wrong whole_array: grand_total
    float all = 0;
    for (int i = 0; i < N; ++i)
    {
        all += x[i];
    }
    if (t == 0)
    {
        sum[blockIdx.x] = all;
    }
//== wrong divided: mean
//- sum[blockIdx.x] = s[0];
//+ sum[blockIdx.x] = s[0] / 128;
//== wrong sum_in_int: whole_numbers (whole file)
//- __shared__ float
//+ __shared__ int
//== wrong past_in_loop: past_in_loop
    if (t == 0)
    {
        float all = 0;
        for (int i = 0; i < 128; ++i)
        {
            all += x[n + i];
        }
        sum[blockIdx.x] = all;
    }
//== wrong of_one_call: fixed_threads
//- n < N ? x[n]
//+ n < N && t < 44 ? x[n]
//== wrong remainder: by_remainder
//- t < half
//+ t % half == 0
//== wrong cut_off: cut_off
//- sum[blockIdx.x] = s[0];
//+ sum[blockIdx.x] = (int)s[0];
//== wrong in_int: cut_off
//- s[t] = n < N ? x[n] : 0;
//+ int v = n < N ? x[n] : 0;
//+ s[t] = v;
//== wrong moved: moved_only
//- s[t] += s[t + half]
//+ s[t] = s[t + half]
//== wrong one_less: by_one_less
//- half /= 2
//+ half--
//== wrong empty_else: empty_else
//- s[t] = n < N ? x[n] : 0;
//+ if (n < N)
//+     s[t] = x[n];
//+ else;
//+ s[t] = 0;
//== wrong without_negative: clamped
//- n < N ? x[n] : 0
//+ n < N ? fmaxf(x[n], 0) : 0
//== wrong without_last: last_missing
//- n < N
//+ n < N - 1
//== wrong without_first: first_missing
//- n < N
//+ n < N && t > 0
//== wrong zero_behind: zero
//- s[t] = n < N ? x[n] : 0;
//+ if (n < N)
//+ {
//+     s[t] = x[n];
//+ }
//+ s[t] = 0;
//== wrong equal_half: one_more
//- t < half
//+ t <= half
//== wrong begins_high: too_high
//- half = 64
//+ half = 128
//== wrong number_in_grid: whole_index
//- s[t] = n < N ? x[n] : 0;
//+ if (n < N)
//+ {
//+     s[t] = x[n];
//+ }
//+ else
//+ {
//+     s[n] = 0;
//+ }
//== wrong quarter: wrong_step
//- half /= 2
//+ half /= 4
//== wrong one_partner: same_partner
//- s[t + half]
//+ s[half]
//== wrong next_thread: neighbour
//- s[t + half]
//+ s[t + 1]
//== wrong minus: subtracted
//- s[t] += s
//+ s[t] -= s
//== wrong too_late: too_late
//- s[t] = n < N ? x[n] : 0;
//+ if (n < N)
//+ {
//+     s[t] = x[n];
//+ }

//- if (t == 0)
//+ if (n >= N)
//+ {
//+     s[t] = 0;
//+ }
//+ if (t == 0)
//== wrong parts_again: parts_again
//- if (t == 0)
//- {

//- sum[blockIdx.x] = s[0];
//- }
//+ atomicAdd(&sum[blockIdx.x], s[t]);
//== wrong each_clears: each_clears
//- s[t] = n < N ? x[n] : 0;
//+ memset(s, 0, sizeof(s));
//+ if (n < N)
//+ {
//+     s[t] = x[n];
//+ }
//== wrong zero_in_x: x_read_only
//- s[t] = n < N ? x[n] : 0;
//+ if (n >= N)
//+ {
//+     x[n] = 0;
//+ }
//+ s[t] = x[n];
//== wrong thread_N_writes: no_thread
//- t == 0
//+ t == N
//== wrong last_of_all_writes: one_of_all
//- t == 0
//+ n == N - 1
//== wrong last_thread_writes: other_writer
//- t == 0
//+ t == 127
//== wrong other_names: guard_equal (whole file)
#include <stdio.h>

__global__ void block_sums(const float *x, float *sum, int N)
{
    __shared__ float cache[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    cache[tid] = 0;
    if (i <= N)
        cache[tid] = x[i];
    __syncthreads();
    for (int d = 64; d > 0; d /= 2)
    {
        if (tid < d)
            cache[tid] += cache[tid + d];
        __syncthreads();
    }
    if (tid == 0)
        sum[blockIdx.x] = cache[0];
}
int main(void) { return 0; }
//== wrong names_one_more: one_more (whole file)
#include <stdio.h>

__global__ void block_sums(const float *x, float *sum, int N)
{
    __shared__ float cache[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    cache[tid] = i < N ? x[i] : 0;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2)
    {
        if (tid <= d)
            cache[tid] += cache[tid + d];
        __syncthreads();
    }
    if (tid == 0)
        sum[blockIdx.x] = cache[0];
}
int main(void) { return 0; }
//== wrong names_moved: moved (whole file)
#include <stdio.h>

__global__ void block_sums(const float *x, float *sum, int N)
{
    __shared__ float cache[128];
    int tid = threadIdx.x;
    int i = blockIdx.x * blockDim.x + tid;
    cache[tid] = i < N ? x[i] : 0;
    __syncthreads();
    for (int d = 64; d > 0; d /= 2)
    {
        if (tid < d)
            cache[tid] = cache[tid + d];
        __syncthreads();
    }
    if (tid == 0)
        sum[blockIdx.x] = cache[0];
}
int main(void) { return 0; }
//== wrong exchanged: element (whole file)
#include <stdio.h>

__global__ void block_sums(const float *x, float *sum, int N)
{
    __shared__ float cache[128];
    int tid = threadIdx.x;
    int i = threadIdx.x * blockDim.x + blockIdx.x;
    cache[tid] = i < N ? x[i] : 0;
    for (int d = 64; d > 0; d /= 2)
    {
        __syncthreads();
        if (tid < d)
            cache[tid] += cache[tid + d];
    }
    if (tid == 0)
        sum[blockIdx.x] = cache[0];
}
int main(void) { return 0; }
//== wrong remainder_of_all: as_last_block
//- n < N ? x[n] : 0
//+ t < N % 128 ? x[n] : 0
//== wrong no_start: no_start
    s[t] = n < N ? x[n] : 0;
    __syncthreads();
    if (t == 0)
    {
        float all;
        for (int i = 0; i < 128; ++i)
        {
            all += s[i];
        }
        sum[blockIdx.x] = all;
    }
//== wrong if_ends: semicolon
//- s[t] = n < N ? x[n] : 0;
//+ s[t] = 0;
//+ if (n < N);
//+ s[t] = x[n];
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
//== wrong place_127: wrong_place
//- = s[0]
//+ = s[127]
//== wrong sum_of_next: sum_place
//- sum[blockIdx.x]
//+ sum[blockIdx.x + 1]
//== wrong next_element: neighbour_of_x
//- x[n]
//+ x[n + 1]
//== wrong how_many: counted
//- n < N ? x[n] : 0
//+ n < N
//== wrong without_signs: without_signs
//- n < N ? x[n] : 0
//+ n < N ? fabsf(x[n]) : 0
//== wrong own_half: own_half
    s[t] = n < N ? x[n] : 0;
    int half = 64;
    while (half > 0)
    {
        __syncthreads();
        if (t < half)
        {
            s[t] += s[t + half];
            half /= 2;
        }
    }
    if (t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== wrong sum_of_warp: warp_sum
    float mine = n < N ? x[n] : 0;
    for (int d = 16; d > 0; d /= 2)
    {
        mine += __shfl_down_sync(0xffffffff, mine, d);
    }
    if (t == 0)
    {
        sum[blockIdx.x] = mine;
    }
//== wrong in_y: threads_of_y (whole file)
//- t = threadIdx.x
//+ t = threadIdx.y
//== wrong plus_for_times: element (whole file)
//- blockDim.x * blockIdx.x
//+ blockDim.x + blockIdx.x
//== wrong without_bytes: no_bytes (whole file)
//- __shared__ float s[128]
//+ extern __shared__ float s[]
//== wrong with_values: shared_values (whole file)
//- s[128]
//+ s[128] = {0}
//== wrong of_size_N: shared_size (whole file)
//- s[128]
//+ s[N]
//== wrong no_colon: no_colon
//- x[n] : 0
//+ x[n]

//== right by_shuffles
    float mine = n < N ? x[n] : 0;
    for (int half = 16; half > 0; half /= 2)
    {
        mine += __shfl_down_sync(0xffffffff, mine, half);
    }
    if (t % 32 == 0)
    {
        s[t / 32] = mine;
    }
    __syncthreads();
    if (t == 0)
    {
        sum[blockIdx.x] = s[0] + s[1] + s[2] + s[3];
    }
//== right barrier_behind
    float mine = 0;
    if (n < N)
    {
        mine = x[n];
    }
    s[t] = mine;
    __syncthreads();
    for (int half = blockDim.x / 2; half >= 1; half >>= 1)
    {
        if (t < half) s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0) sum[blockIdx.x] = s[t];
//== right only_with_partner
    if (n < N)
    {
        s[t] = x[n];
    }
    for (int half = 64; half > 0; half /= 2)
    {
        __syncthreads();
        if (t < half && n + half < N)
        {
            s[t] += s[t + half];
        }
    }
    if (n < N && t == 0)
    {
        sum[blockIdx.x] = s[0];
    }
//== right thread_0_adds
    if (n < N)
        s[t] = x[n];
    __syncthreads();
    if (t != 0)
        return;
    const int elements = min(128, N - n);
    float all = 0;
    for (int i = 0; i < elements; i++)
        all += s[i];
    sum[blockIdx.x] = all;
//== right upwards
    s[t] = 0;
    if (!(n >= N))
    {
        s[t] = *(x + n);
    }
    __syncthreads();
    for (int step = 1; step < 128; step *= 2)
    {
        if (t % (2 * step) == 0)
        {
            s[t] += s[t + step];
        }
        __syncthreads();
    }
    if (threadIdx.x == 0)
    {
        *(sum + blockIdx.x) = *s;
    }
//== right return_behind
    s[t] = n < N ? x[n] : 0.0f;
    __syncthreads();
    int half = 64;
    while (half > 0)
    {
        float other = t < half ? s[t + half] : 0.0f;
        __syncthreads();
        s[t] += other;
        __syncthreads();
        half /= 2;
    }
    if (t > 0 || n >= N)
    {
        return;
    }
    sum[blockIdx.x] = s[0];
//== right block_condition
    if (blockIdx.x * blockDim.x < N)
    {
        s[t] = n < N ? x[n] : 0;
        for (int half = 64; half > 0; half /= 2)
        {
            __syncthreads();
            if (t < half)
            {
                s[t] = s[t] + s[t + half];
            }
        }
        if (t == 0)
        {
            sum[blockIdx.x] = s[0];
        }
    }
//== right by_atomics
    if (t == 0)
    {
        sum[blockIdx.x] = 0;
    }
    __syncthreads();
    if (n < N)
    {
        atomicAdd(&sum[blockIdx.x], x[n]);
    }
#endif
