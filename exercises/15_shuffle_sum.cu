// 15_shuffle_sum: a warp adds its 32 numbers by shuffles
// 15_shuffle_sum.zh: 线程束用洗牌函数把自己的 32 个数加起来
//
// Kind: write
// Chapter: 11
// Program: ch11_warp/reduce.cu
// Book: 11.3.2
// Goal: Each thread has one number in y, or 0 behind the end of the array. Let each warp add the 32 numbers
//   of its threads by shuffles, without shared memory, and write the sum to sums[n / 32]. A block has
//   several warps, and each of them has a sum of its own.
// Goal.zh: 每个线程的 y 中有一个数，超出数组末尾的线程为 0。请让每个线程束用洗牌函数（不用共享内存）把自己
//   32 个线程的数加起来，写入 sums[n / 32]。一个线程块有若干个线程束，每个线程束各有自己的和。
// Hint 1: y is a variable of one thread, and no other thread can read it. __shfl_down_sync(mask, y, d) is
//   called by all 32 threads of a warp, and gives each one the y of the thread d further on.
// Hint 1.zh: y 是线程自己的变量，别的线程读不到。__shfl_down_sync(mask, y, d) 由线程束的 32 个线程一起调用，
//   每个线程得到的是往后第 d 个线程的 y。
// Hint 2: If each thread adds the y of the thread 16 further on, the first 16 threads have all that is
//   needed. How far is it to the next number then, and after how many steps is there one sum?
// Hint 2.zh: 每个线程加上往后第 16 个线程的 y 之后，前 16 个线程就有了所需的全部内容。下一步要加的数相距多远？
//   几步之后只剩一个和？
// Hint 3: A loop over the distance. The mask has one bit for each of the 32 threads that come. At the end
//   ask which thread of its warp a thread is, and not which thread of its block.
// Hint 3.zh: 对距离写一个循环。掩码中，参加的 32 个线程各占一位。最后要问的是：这个线程是所在线程束的第几个
//   线程，而不是所在线程块的第几个线程。
// After: Five shuffles add 32 numbers. They go from register to register: no shared memory is taken, and no
//   barrier is needed, since a shuffle waits for the lanes of its mask itself. On a card one takes about as long as
//   one read of shared memory. With __shfl_xor_sync all 32 lanes would have the sum. For whole numbers
//   __reduce_add_sync does the same in one call, on cards from sm_80 on. See ch11_warp/reduce.cu,
//   where a block ends its sum so, and warp-functions.cu for the four shuffles side by side.
// After.zh: 五次洗牌就加完 32 个数。数据从寄存器到寄存器，不占用共享内存；洗牌函数自己会等待掩码中的线程，所以
//   也不需要另外同步。在显卡上，一次洗牌大约和读一次共享内存一样快。用 __shfl_xor_sync 则 32 个线程都会
//   得到总和。对于整数，在 sm_80 及以后的显卡上，__reduce_add_sync 一次调用就能做到同样的事。见 ch11_warp/reduce.cu（线程块求和的最后几步）和 warp-functions.cu（四个洗牌函数的对比）。

#include <stdio.h>

__global__ void sum_of_warps(const int *x, int *sums, int N)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    int y = n < N ? x[n] : 0;
    //[
    for (int offset = 16; offset > 0; offset /= 2)
    {
        y += __shfl_down_sync(0xffffffff, y, offset);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = y;
    }
    //| sums[n / 32] = y; // the number of which thread?
    //zh sums[n / 32] = y; // 这是哪个线程的数？
    //]
}

int main(void)
{
    const int N = 128;
    int *x, *sums;
    cudaMallocManaged((void **)&x, N * sizeof(int));
    cudaMallocManaged((void **)&sums, N / 32 * sizeof(int));
    for (int n = 0; n < N; ++n)
    {
        x[n] = n;
    }
    sum_of_warps<<<1, N>>>(x, sums, N);
    cudaDeviceSynchronize();
    for (int w = 0; w < N / 32; ++w)
    {
        printf("warp %d: %d, and should be %d\n", w, sums[w], 496 + 1024 * w);
    }
    cudaFree(x);
    cudaFree(sums);
    return 0;
}

#if 0
//== child
static void run_case()
{
    int *x = judged::on_device<int>(0), *sums = judged::on_device<int>(1);
    sum_of_warps<<<judged::number(1), judged::number(2)>>>(x, sums, judged::number(0));
    cudaDeviceSynchronize();
    judged::from_device(0, x);
    judged::from_device(1, sums);
}

//== judge
#include "judge.h"

// Sums of integers say all of a kernel that adds. In the first case warp w has 0 in all lanes but lane
// w. Its sum tells how often this lane's number is counted.
static void add(long N, long block)
{
    const long blocks = (N + block - 1) / block;
    Case *c = add_case({N, blocks, block});
    int *x = input<int>(c, N);
    for (long n = 0; n < N; ++n)
    {
        x[n] = random_number(1, 1000000);
    }
    output<int>(c, blocks * block / 32);
}

static void prepare()
{
    add(1024, 128);
    int *x = array<int>(&table->cases[0], 0);
    for (long n = 0; n < 1024; ++n)
    {
        x[n] = n % 32 == n / 32 ? 2 * random_number(0, 3) + 1 : 0;
    }
    add(256, 64);
    add(32, 32);
    add(1000, 128);
    add(random_number(130, 900), 96);
    const long sizes[] = {1, 31, 33, 127, 1025};
    for (const long N : sizes)
    {
        add(N, 128);
    }
    add(random_number(1030, 2000), 1024);
}

// How often a lane's number is counted in what lane `reader` has, after steps with these offsets.
static bool is_of(const long *times, bool is_up, int reader)
{
    for (int hot = 0; hot < 32; ++hot)
    {
        long y[32] = {};
        y[hot] = 1;
        for (int offset = 16; offset > 0; offset /= 2)
        {
            long before[32];
            memcpy(before, y, sizeof(y));
            for (int lane = 0; lane < 32; ++lane)
            {
                const int from = is_up ? lane - offset : lane + offset;
                y[lane] += before[from < 0 || from > 31 ? lane : from];
            }
        }
        if (y[reader] != times[hot])
        {
            return false;
        }
    }
    return true;
}

// The first case: which lanes are counted how often?
static void look_at_lanes(const int *x, const int *sums)
{
    long times[32], num_counted = 0, last_counted = 0, num_right = 0, first_missing = -1;
    long most = 0, most_lane = 0;
    bool all_equal = true, even = true, first_half = true, powers = true, powers_only = true;
    int used = 0; // distances: a bit each
    for (int w = 0; w < 32; ++w)
    {
        const int hot = x[32 * w + w];
        if (sums[w] % hot != 0 || sums[w] < 0)
        {
            value("w", "%d", w);
            value("got", "%d", sums[w]);
            value("want", "%d", hot);
            value("N", "1024");
            value("block_size", "128");
            wrong("other");
            return;
        }
        times[w] = sums[w] / hot;
        num_counted += times[w] != 0;
        num_right += times[w] == 1;
        last_counted = times[w] != 0 ? w : last_counted;
        first_missing = times[w] == 0 && first_missing < 0 ? w : first_missing;
        most_lane = times[w] > most ? w : most_lane;
        most = times[w] > most ? times[w] : most;
        all_equal = all_equal && times[w] == times[0];
        even = even && times[w] == (w % 2 == 0);
        first_half = first_half && times[w] == (w < 16);
        powers_only = powers_only && times[w] == (w > 0 && (w & (w - 1)) == 0);
        used |= times[w] == 1 && (w & (w - 1)) == 0 ? w : 0;
        powers = powers && times[w] == ((w & (w - 1)) == 0); // 0 and the powers of 2
    }
    if (num_right == 32)
    {
        return;
    }
    // The sum of steps with these distances has the lanes whose number consists of these bits.
    bool is_of_steps = used > 0 && used < 31;
    char distances[40] = "";
    for (int w = 0; w < 32; ++w)
    {
        is_of_steps = is_of_steps && times[w] == ((w & ~used) == 0);
    }
    for (int d = 16; d > 0; d /= 2)
    {
        char *end = distances + strlen(distances);
        snprintf(end, distances + sizeof(distances) - end, (used & d) == 0 ? "" : end > distances ? ", %d" : "%d", d);
    }
    value("distances", "%s", distances);
    value("lane", "%ld", num_counted == 1 ? last_counted : most > 1 ? most_lane : first_missing);
    value("times", "%ld", most);
    value("missing", "%ld", 32 - num_counted);
    value("gap", "%ld", first_missing);
    int reader = -1;
    for (int lane = 31; lane > 0; --lane)
    {
        reader = is_of(times, false, lane) ? lane : reader;
    }
    for (int lane = 1; lane < 31; ++lane)
    {
        reader = is_of(times, true, lane) ? lane : reader;
    }
    value("reader", "%d", reader);
    if (num_counted == 0)
    {
        wrong("zero");
    }
    else if (num_counted == 1 && most == 1)
    {
        wrong(last_counted == 0 ? "own_number" : "one_number");
    }
    else if (reader > 0)
    {
        wrong("other_lane");
    }
    else if (num_counted == 1)
    {
        wrong("one_lane_often");
    }
    else if (all_equal)
    {
        wrong("all_often");
    }
    else if (even)
    {
        wrong("last_step");
    }
    else if (first_half)
    {
        wrong("first_half");
    }
    else if (times[0] == 0 && powers_only)
    {
        wrong("begins_at_0");
    }
    else if (powers)
    {
        wrong("not_handed_on");
    }
    else if (num_right == 31 && most == 2)
    {
        wrong("one_twice");
    }
    else if (is_of_steps)
    {
        wrong("steps_missing");
    }
    else if (most == 1)
    {
        wrong(num_counted == 31 ? "one_missing" : "some_missing");
    }
    else
    {
        wrong(num_counted == 32 ? "some_often" : "mixed");
    }
}

static void look(const Case *c)
{
    const long N = c->number[0], blocks = c->number[1], block = c->number[2];
    const long num = blocks * block / 32;
    const int *x = array<int>(c, 0), *sums = array<int>(c, 1), *old = before<int>(c, 1);
    long untouched = 0, first_untouched = -1, of_first = 0, of_block_0 = 0, num_full = 0;
    long first = -1, wanted = 0;
    bool on_top = true;
    for (long w = num - 1; w >= 0; --w)
    {
        long sum = 0;
        for (long n = 32 * w; n < 32 * (w + 1) && n < N; ++n)
        {
            sum += x[n];
        }
        if (32 * w >= N && (is_untouched(sums[w]) || sums[w] == 0))
        {
            continue; // a warp without numbers
        }
        ++num_full;
        if (is_untouched(sums[w]))
        {
            ++untouched;
            first_untouched = w;
            of_first += w % (block / 32) != 0;
            of_block_0 += w >= block / 32;
            continue;
        }
        on_top = on_top && sums[w] == old[w] + sum;
        first = sums[w] != sum ? w : first;
        wanted = sums[w] != sum ? sum : wanted;
    }
    value("N", "%ld", N);
    value("block_size", "%ld", block);
    value("num", "%ld", num_full);
    value("untouched", "%ld", untouched);
    value("w", "%ld", first_untouched);
    value("first_thread", "%ld", first_untouched * 32 % block);
    value("in_block", "%ld", first_untouched * 32 / block);
    if (untouched == num_full)
    {
        wrong("nothing");
    }
    else if (untouched > 0 && untouched == of_first && of_first == num_full - blocks)
    {
        wrong("first_warp");
    }
    else if (untouched > 0 && untouched == num_full - 1 && first_untouched == 1)
    {
        wrong("first_only");
    }
    else if (untouched > 0 && untouched == of_block_0)
    {
        wrong("few_elements");
    }
    else if (untouched > 0)
    {
        wrong("some_only");
    }
    if (first < 0 || untouched > 0)
    {
        return;
    }
    if (on_top)
    {
        wrong("on_top");
    }
    if (N == 1024)
    {
        look_at_lanes(x, sums);
    }
    value("w", "%ld", first);
    value("got", "%d", sums[first]);
    value("want", "%ld", wanted);
    wrong(N % 32 != 0 && first == N / 32 ? "last_warp" : "other");
}

//== time
static int *x, *sums;
static int size;

static void set_up()
{
    size = timed::elements(sizeof(int)) - 1;
    x = (int *)timed::memory(size * sizeof(int));
    sums = (int *)timed::memory((size + 31) / 32 * sizeof(int) + 128);
}
static void run_once() { sum_of_warps<<<(size + 127) / 128, 128>>>(x, sums, size); }
static double bytes_moved() { return 1.0 * sizeof(int) * size; }

//== says
guarded_active for shuffle or last_warp or deadlock when /if\s*\(\s*n\s*<\s*N\s*\)[^}]*__shfl\w*\s*\(\s*__activemask/ at /if\s*\(\s*n\s*<\s*N\s*\)/: Threads without an element do not come to the shuffle here, and the mask leaves them out. What another thread gets from them is not defined. Their y is 0: they can take part.
guarded_active.zh: 没有元素的线程到不了这里的洗牌函数，掩码也没有包含它们，别的线程从它们那里取到什么就没有保证了。它们的 y 是 0，可以一起参加。
drops_last for few_elements or some_only or last_warp when /\bn\s*<=?\s*N\s*-\s*\d|\bn\s*\+\s*\d+\s*<=?\s*N\b/ at /\bn\s*<=?\s*N\s*-\s*\d|\bn\s*\+\s*\d+\s*<=?\s*N\b/: This condition leaves out a warp at the end: nobody writes sums[{w}], and the warp has elements.
drops_last.zh: 这个条件漏掉了末尾的线程束：没有人写 sums[{w}]，而这个线程束是有元素的。
times_sign for other or zero or mixed or some_often or all_often or some_missing or one_missing or one_twice or one_number or own_number or one_lane_often or other_lane or first_half or last_step or not_handed_on when /\*=\s*__shfl/ at /\*=\s*__shfl/: The operator *= multiplies. What is asked for is a sum.
times_sign.zh: 运算符 *= 是相乘，而题目要的是和。
added_to_itself for other or zero or mixed or some_often or all_often or some_missing or one_missing or one_twice or one_number or own_number or one_lane_often or other_lane or first_half or last_step or not_handed_on when /\b(\w+)\s*\+=\s*\g1\s*\+/ at /\+=/: The operator += adds to a variable what stands on its right, and there the variable stands once more. So its own number is counted twice in each step.
added_to_itself.zh: 运算符 += 把右边的内容加到变量上，而这里右边又写了一次这个变量，所以每一步中它自己的数都多加了一次。
each_distance for other or zero or mixed or some_often or all_often or some_missing or one_missing or one_twice or one_number or own_number or one_lane_often or other_lane or first_half or last_step or not_handed_on when /\bfor\s*\(\s*(?:\w+\s+)?(\w+)\s*=[^;]*;[^;]*;\s*(?:\+\+\s*\g1|\g1\s*\+\+|--\s*\g1|\g1\s*--|\g1\s*[-+]=\s*1|\g1\s*=\s*\g1\s*[-+]\s*1)\s*\).*\b(\w+)\s*(?:\+=|=\s*\g2\s*\+)\s*__shfl_(?:down|up|xor)_sync\s*\([^,]+,\s*\g2\s*,\s*\g1\s*\)/ at /\bfor\b/: Each distance is taken here, one after another. But after the first step a thread hands on a sum of two numbers, after the second one more, so numbers are counted several times.
each_distance.zh: 这里每个距离都用了一遍。但是第一步之后，线程传出去的已经是两个数的和，第二步之后更多，所以有些数加了好几次。
small_type for other when /\b(?:short|char|bool|u?int(?:8|16)_t)\s+\w+\s*[=;,]/ at /\b(?:short|char|bool|u?int(?:8|16)_t)\s+\w+\s*[=;,]/: A variable of this type holds small numbers only. The sum is {want}, and it does not fit.
small_type.zh: 这种类型的变量只能存放较小的数，和是 {want}，放不下。
by_atomics for on_top or other or passed when /^(?!.*(?:shfl|reduce)).*atomicAdd/ at /atomicAdd/: Here each thread adds its number in memory. The exercise wants it without: the threads of a warp hand on their numbers by shuffles, and one of them writes the sum.
by_atomics.zh: 这里每个线程都在内存里做加法。本练习要的不是这样：线程束的线程用洗牌函数传递各自的数，最后由一个线程写出和。
last_lane for few_elements or some_only or last_warp when /==\s*31\b[^;{}]*\bn\s*<\s*N|\bn\s*<\s*N\b[^;{}]*==\s*31\b/ at /==\s*31\b/: In the last warp thread 31 may have no element, and then nobody writes there. The warp has a sum all the same.
last_lane.zh: 在最后一个线程束中，线程 31 可能没有元素，于是没有人写。而这个线程束同样有和。
lane_and_warp for own_number or first_only or some_only or few_elements or same_element or past_end or race_same_place or race_between_blocks or other when /\blane\w*\s*=\s*[\w.]+\s*(?:\/\s*32|>>\s*5)|\bwarp\w*\s*=\s*[\w.]+\s*(?:%\s*32|&\s*31)/ at /\blane\w*\s*=|\bwarp\w*\s*=/: n / 32 counts the warps, and n % 32 the threads of one of them. Here the two are exchanged.
lane_and_warp.zh: n / 32 数的是线程束，n % 32 数的是一个线程束中的线程。这里两者写反了。
as_float for other when /\bfloat\b/ at /\bfloat\b/: The sum is rounded: {got} instead of {want}. A float keeps 24 bits of a number, and an int keeps all 32.
as_float.zh: 和被舍入了：得到 {got}，应为 {want}。float 只保留 24 位，int 保留全部 32 位。
by_number for mixed or some_often or other_lane or one_lane_often or some_missing or one_number or all_often or steps_missing when /\b(\w+)\s*=[^;=]*;[^;]*;[^;]*\b\g1\s*(?:[\/*]|<<|>>)=?\s*\d*[^;]*\).*__shfl_sync\s*\([^,]+,[^,]+,\s*\g1\s*\)|__shfl_sync\s*\([^,]+,[^,]+,\s*(?:offset|delta|step|half|dist|distance)\s*\)/ at /__shfl_sync/: The third argument of __shfl_sync is the number of a thread, and not a distance. Here all threads get the number of the same one.
by_number.zh: __shfl_sync 的第三个参数是线程的编号，不是距离。这里所有线程取到的都是同一个线程的数。
computed for other when /\bsums\s*\[[^;]*\]\s*=[^;]*\d{3}/ at /\bsums\s*\[[^;]*\]\s*=[^;]*\d{3}/: These are the sums for the numbers of main. The numbers in x are others in each call.
computed.zh: 这只是 main 中那些数的和，而每次调用时 x 中的数都不同。
old_shuffle for not_declared or spelled or compile when /\b__shfl(?:_down|_up|_xor)?\s*\(/ at /\b__shfl(?:_down|_up|_xor)?\s*\(/: This shuffle of older cards has no _sync in its name. Since CUDA 9 a shuffle says by a mask which threads come.
old_shuffle.zh: 这是旧显卡用的洗牌函数，名称里没有 _sync。从 CUDA 9 起，洗牌函数要用掩码说明哪些线程参加。
full_mask for not_declared or spelled when /\b(?:FULL_MASK|FULLMASK|full_mask|MASK)\b/ at /\b(?:FULL_MASK|FULLMASK|full_mask|MASK)\b/: This name is declared in the book's program, and not in this file. Write the mask as a number with a bit for each of the 32 threads.
full_mask.zh: 这个名称是书中的程序定义的，本文件里没有。请把掩码写成一个数，32 个线程各占一位。
no_mask for arguments or types or compile when /__shfl_\w+_sync\s*\(\s*\w+\s*,\s*[^,()]+\)/ at /__shfl_\w+_sync/: The shuffle gets two arguments, and takes three: the mask comes first.
no_mask.zh: 洗牌函数要三个参数，这里只有两个：第一个是掩码。
mask_second for mask or shuffle or all_often or other or some_often or mixed or one_number or own_number or one_lane_often or zero when /__shfl_\w+_sync\s*\(\s*(?:y|sum|s|v|value)\s*,/ at /__shfl_\w+_sync/: The mask is the first argument of a shuffle, the number that is handed on the second.
mask_second.zh: 洗牌函数的第一个参数是掩码，第二个才是要传递的数。
exchanged for all_often or some_often or some_missing or mixed or one_number or own_number or one_lane_often or other or zero or other_lane or one_twice or mask or shuffle when /__shfl_\w+_sync\s*\(\s*[^,]+,\s*(?:offset|delta|d|i|s|step|half|\d+)\s*,\s*\w+\s*\)/ at /__shfl_\w+_sync/: Second comes the number that is handed on, third the distance. Here they are the other way round.
exchanged.zh: 第二个参数是要传递的数，第三个是距离。这里写反了。
counted_mask for mask or shuffle when /_sync\s*\(\s*(?:32|31|16)\s*,/ at /_sync\s*\(/: The mask is no number of threads: each of its 32 bits stands for one thread.
counted_mask.zh: 掩码不是线程的个数：它的 32 位各代表一个线程。
small_mask for mask or shuffle when /_sync\s*\(\s*(?!0[xX][fF]{8}\b)(?:0[xX]\w+|\d+)[uU]?\s*,/ at /_sync\s*\(/: The mask does not name all threads that come: it needs a bit for each of the 32 threads of a warp.
small_mask.zh: 掩码没有包含所有参加的线程：线程束的 32 个线程各要占一位。
own_mask for mask or shuffle when /1[uU]?[lL]*\s*<</ at /1[uU]?[lL]*\s*<</: This mask names one thread only. It must name all threads of the warp that take part, and be the same in all of them.
own_mask.zh: 这个掩码只包含一个线程。它应包含线程束中参加的所有线程，而且这些线程的掩码要相同。
mask at /_sync\s*\(/: Thread {thread} of block {block} comes to this shuffle, and the mask does not name it. All 32 threads of the warp take part: how many bits are that?
mask.zh: 线程块 {block} 的线程 {thread} 执行到这个洗牌函数，掩码却没有包含它。线程束的 32 个线程都参加：一共是多少位？
returned for shuffle or last_warp when /if\s*\(\s*(?:n\s*>=?\s*N|N\s*<=?\s*n)[^{};]*\{?\s*return\b.*__shfl/ at /\breturn\b/: Some threads of a warp return here, and the others wait for their numbers in the shuffle. A thread without an element has y = 0: it can take part.
returned.zh: 线程束中有些线程在这里返回了，其他线程还要在洗牌函数中取它们的数。没有元素的线程 y = 0，可以一起参加。
left_early for shuffle or deadlock when /\b(?:return|break)\b.*__shfl/ at /\b(?:return|break)\b/: Some threads of a warp leave here, and others still ask for their numbers. In a shuffle each thread of the mask takes part, also one that only gives its number.
left_early.zh: 线程束中有些线程在这里离开了，其他线程还要取它们的数。掩码中的每个线程都要参加洗牌，只提供数的线程也一样。
guarded for shuffle or last_warp or deadlock when /if\s*\(\s*n\s*<\s*N\s*\)[^}]*__shfl/ at /if\s*\(\s*n\s*<\s*N\s*\)/: Threads without an element do not come to the shuffle here, but the mask names them. Their y is 0: they can take part.
guarded.zh: 没有元素的线程到不了这里的洗牌函数，而掩码包含了它们。它们的 y 是 0，可以一起参加。
in_if for shuffle or deadlock or hang or one_missing or some_missing or mixed or some_often or one_lane_often or last_warp or other or other_lane or all_often when /\bif\s*\((?:[^()]|\([^()]*\))*\)\s*(?:\{\s*(?:\w[^;{}]*;\s*)?)?(?:for\s*\([^()]*\)\s*\{?\s*)?[^;{}]*__shfl|\?\s*__shfl/ at /\bif\b|\?\s*__shfl/: Only some threads come to this shuffle, and the mask names others, too. In a shuffle each thread of the mask takes part, also one that only gives its number.
in_if.zh: 只有部分线程执行到这个洗牌函数，而掩码还包含别的线程。掩码中的每个线程都要参加，只提供数的线程也一样。
shuffle at /__shfl/: A thread reads here from a thread that brings nothing: it is not in the mask, or has returned, or does not come here.
shuffle.zh: 这里读取的那个线程没有提供数：它不在掩码中，或者已经返回，或者没有执行到这里。
not_kept for hang or timeout or deadlock when /\bfor\s*\([^;]*;[^;]*;\s*\w+\s*(?:[\/*]\s*2|>>\s*1|<<\s*1)?\s*\)/ at /\bfor\b/: The third part of this loop keeps nothing: the variable never changes, and the loop does not end.
not_kept.zh: 这个循环的第三部分没有把结果存下来：变量一直不变，循环停不下来。
by_no_step for hang or timeout when /\boffset\s*=\s*0\b.*\*=|<<=/ at /\bfor\b|\bwhile\b/: Twice 0 is 0 again, so this loop never ends.
by_no_step.zh: 0 的两倍还是 0，所以这个循环永远不会结束。
endless_zero for hang or timeout or deadlock when />=\s*0/ at />=\s*0/: Half of 0 is 0 again, so this condition always holds.
endless_zero.zh: 0 的一半还是 0，所以这个条件永远成立。
elements_for_sums for past_end or some_only or few_elements or other or zero or mixed or some_often or all_often or some_missing or one_missing or one_twice or one_number or own_number or one_lane_often or other_lane or first_half or last_step or not_handed_on when /sums\[\s*(?:n|threadIdx\.x|tid|t)\s*\]/ at /sums\[/: sums has one element for each warp, and this index counts the threads.
elements_for_sums.zh: sums 中每个线程束有一个元素，而这个下标是线程的编号。
fixed_block for past_end or some_only or other or race_same_place or race_between_blocks when /blockIdx\.x\s*\*\s*\d|\d\s*\*\s*blockIdx\.x/ at /blockIdx\.x\s*\*\s*\d|\d\s*\*\s*blockIdx\.x/: A number is written here that fits one block size only. In this launch a block has {block_size} threads.
fixed_block.zh: 这里写的数只适合一种线程块大小。这次每块有 {block_size} 个线程。
half_of_warp for past_end or first_half or other or some_only or mixed when /(?:\bn|threadIdx\.x)\s*[%\/]\s*(?!32\b)\d+/ at /(?:\bn|threadIdx\.x)\s*[%\/]\s*(?!32\b)\d+/: A warp has 32 threads. Here they are counted in another number.
half_of_warp.zh: 线程束有 32 个线程，而这里按另一个数来分。
one_behind for past_end or few_elements or some_only when /\bsums\s*\[[^\];]*\+\s*1\s*\]/ at /\bsums\s*\[/: Warps are counted from 0, and so are the elements of sums. Here sums[0] is left out.
one_behind.zh: 线程束从 0 数起，sums 的元素也是。这里漏掉了 sums[0]。
past_end at /sums\[|x\[/: Thread {thread} of block {block} {how} past the end of an array. x has N elements, and sums has one for each warp.
past_end.zh: 线程块 {block} 的线程 {thread} 在数组末尾之后{how}。x 有 N 个元素，sums 中每个线程束有一个元素。
of_block for few_elements or some_only or first_warp or race_same_place or race_between_blocks or other when /sums\[\s*blockIdx\.x\s*\]/ at /sums\[\s*blockIdx\.x\s*\]/: sums has one element for each warp, and here each block writes one. A block of {block_size} threads has several warps.
of_block.zh: sums 中每个线程束有一个元素，而这里每个线程块写一个。{block_size} 个线程的线程块有若干个线程束。
no_block for few_elements or some_only or race_same_place or race_between_blocks or other when /sums\[\s*threadIdx\.x\s*(?:\/\s*32|>>\s*5)\s*\]/ at /sums\[/: threadIdx.x begins again at 0 in each block, so all blocks write the same elements of sums.
no_block.zh: 每个线程块的 threadIdx.x 都从 0 开始，所以各线程块写的是 sums 的同一批元素。
block_for_lane for few_elements or some_only or race_same_place or other_lane or first_only or first_warp when /\bif\s*\([^;{}]*blockIdx\.x\s*(?:%|&(?!&)|==)/ at /\bif\s*\([^;{}]*blockIdx\.x\s*(?:%|&(?!&)|==)/: blockIdx.x is the same for all threads of a block. It does not tell which thread of its warp a thread is.
block_for_lane.zh: 一个线程块的所有线程，blockIdx.x 都相同。它不能说明线程是线程束中的第几个。
warp_for_lane for first_only or first_warp when /(?:\bn|threadIdx\.x|\btid)\s*(?:\/\s*(?:32|warpSize)|>>\s*5)\s*\)?\s*==\s*0|\b(\w+)\s*=\s*(?:n|threadIdx\.x|tid)\s*(?:\/\s*(?:32|warpSize)|>>\s*5)\s*;.*\bif\s*\(\s*\g1\s*==\s*0/ at /==\s*0/: A division by 32 gives the number of the warp. So this condition chooses a whole warp, and it shall choose one thread in each.
warp_for_lane.zh: 除以 32 得到的是线程束的编号，所以这个条件选出了整个一个线程束，而应该在每个线程束中选一个线程。
thread_for_lane for first_warp when /threadIdx\.x\s*==\s*0|\b(\w+)\s*=\s*threadIdx\.x\s*;.*\b\g1\s*==\s*0/ at /==/: Of a block only one warp writes its sum: {untouched} of {num} sums are missing. threadIdx.x counts through the whole block; which threads begin a warp?
thread_for_lane.zh: 每个线程块只有一个线程束写了和：{num} 个和少了 {untouched} 个。threadIdx.x 在整个线程块中连续编号；每个线程束从哪些线程开始？
first_warp at /\bif\b/: Of a block only the first warp writes its sum: {untouched} of {num} sums are missing. In each warp one thread shall write.
first_warp.zh: 每个线程块只有第一个线程束写了和：{num} 个和少了 {untouched} 个。每个线程束都要有一个线程来写。
same_element for first_only when /sums\[\s*(?:0|lane|n\s*%\s*32|n\s*&\s*31|threadIdx\.x\s*%\s*32)\s*\]|\*\s*sums\s*=/ at /sums\[|\*\s*sums\s*=/: All {num} warps write to sums[0] here. Each has an element of its own.
same_element.zh: {num} 个线程束都写到了 sums[0]。每个线程束有自己的元素。
first_only at /\bif\b|sums\[/: Only sums[0] is written, and there are {num} warps. In each of them one thread shall write.
first_only.zh: 只写了 sums[0]，而线程束有 {num} 个。每个线程束都要有一个线程来写。
few_elements at /sums\[/: Only the first elements of sums are written: {untouched} are missing, from sums[{w}] on. Which number has a warp in the whole grid?
few_elements.zh: 只写了 sums 的前几个元素：从 sums[{w}] 起少了 {untouched} 个。一个线程束在整个网格中的编号是多少？
some_only at /\bif\b|sums\[/: {untouched} of {num} sums are not written, the first of them sums[{w}]. It is that of the warp of block {in_block} which begins with thread {first_thread}.
some_only.zh: {num} 个和中有 {untouched} 个没有写，第一个是 sums[{w}]。它属于线程块 {in_block} 中从线程 {first_thread} 开始的线程束。
nothing_if for nothing when /\bif\b/ at /\bif\b/: No sum is written. For which threads is your condition true?
nothing_if.zh: 没有写任何和。你的条件对哪些线程成立？
nothing at /sums\[/: No sum is written to sums.
nothing.zh: 没有向 sums 写任何和。
on_top at /\+=.*sums|sums\[|atomicAdd/: Element {w} of sums was not 0 before, and the sum has come on top of what was there.
on_top.zh: sums 的元素 {w} 原来不是 0，和加到了原来的值上面。
zero at /sums\[/: All sums are 0. What does the thread that writes have in its variable?
zero.zh: 所有的和都是 0。负责写的线程，它的变量里是什么？
not_added for one_number or own_number when /^(?!.*(?:shfl|reduce))/ at /sums\[/: Nothing is added yet: sums has the number of thread {lane} of its warp, and those of the other 31 are missing.
not_added.zh: 还没有相加：sums 里是线程束中线程 {lane} 的数，少了其他 31 个。
own_number at /sums\[/: sums has the number of thread {lane} alone, as it was. Is what the shuffle brings added to the variable that is written here, and before it is written?
own_number.zh: sums 里只有线程 {lane} 原来的数。洗牌函数取来的数，加到这里写出的变量上了吗？是在写之前加的吗？
one_number at /__shfl/: No sum comes out, but one number: that of thread {lane} of the warp. What the shuffle brings should be added to what the thread has.
one_number.zh: 得到的不是和，而是一个数：线程束中线程 {lane} 的数。洗牌函数取来的数应加到线程已有的数上。
up for one_lane_often when /__shfl_up/ at /__shfl_up/: The number of thread 0 is counted {times} times, and no other one. __shfl_up_sync brings numbers from threads with smaller numbers, and before thread 0 there is none: it gets its own.
up.zh: 和里只有线程 0 的数，加了 {times} 次。__shfl_up_sync 取来的是编号较小的线程的数，而线程 0 前面没有线程：它得到的是自己的数。
neighbour for some_often or mixed or other_lane when /__shfl_(?:\w+_)?sync\s*\([^,]+,[^,]+,\s*(?:(?:lane|threadIdx\.x)\s*\+\s*)?1\s*\)/ at /__shfl/: Each step brings the y of the same neighbour, which already has other numbers in it. So the number of thread {lane} is counted {times} times.
neighbour.zh: 每一步取来的都是同一个相邻线程的 y，而它已经包含了别的数。所以线程 {lane} 的数加了 {times} 次。
all_write for other_lane when /^(?!.*\bif\b)/ at /sums\[/: All 32 threads of a warp write here, and their sums differ: that of thread {reader} is left. Behind the last thread there is none, so it gets its own number again and again. Which thread has all 32?
all_write.zh: 线程束的 32 个线程都在这里写，它们的和并不相同：留下的是线程 {reader} 的。最后一个线程后面没有线程，它取到的总是自己的数。哪个线程加到了全部 32 个数？
other_lane at /==|sums\[/: Here the sum of thread {reader} of the warp is written. Some numbers never came to it, and its own came several times. Which thread has all 32?
other_lane.zh: 这里写的是线程束中线程 {reader} 的和。有些数没有传到它那里，而它自己的数加了几次。哪个线程加到了全部 32 个数？
by_xor for other_lane when /__shfl_xor/ at /for|while|__shfl/: In the sum the number of thread {lane} is counted {times} times, and that of thread {gap} is missing. __shfl_xor_sync changes those bits of a thread's number that the third argument has. Which ones does the loop take?
by_xor.zh: 和里线程 {lane} 的数加了 {times} 次，而线程 {gap} 的数没有加进来。__shfl_xor_sync 翻转线程编号中第三个参数所含的那些位。循环用了哪些？
lane_as_distance for mixed or some_often or some_missing or steps_missing or other_lane or all_often or one_lane_often or other when /__shfl_(?:down|up)_sync\s*\([^,]+,[^,]+,[^,;]*(?:threadIdx\.x|\blane\w*)[^,;]*\)/ at /__shfl_(?:down|up)/: The third argument of this shuffle is a distance: how far the other thread is from the thread itself. Here the number of the thread stands in it, too.
lane_as_distance.zh: 这个洗牌函数的第三个参数是距离，即另一个线程离自己有多远，而这里把线程的编号也写了进去。
broadcast for one_lane_often or one_number or own_number or some_often or mixed or one_twice when /__shfl_sync\s*\([^,]+,[^,]+,\s*0\s*\)/ at /__shfl_sync/: __shfl_sync with 0 gives all threads the number of thread 0. Where do the other numbers come from?
broadcast.zh: __shfl_sync 的第三个参数为 0 时，所有线程得到的都是线程 0 的数。其他的数从哪里来？
one_lane_often at /__shfl/: In the sum there is one number only, that of thread {lane} of the warp, {times} times.
one_lane_often.zh: 和里只有一个数：线程束中线程 {lane} 的数，加了 {times} 次。
around for all_often when /__shfl_sync/ at /for|while|__shfl/: The sum is {times} times what it should be. A warp has 32 threads, and with larger numbers __shfl_sync begins again at the first one.
around.zh: 和是应有的 {times} 倍。线程束只有 32 个线程，编号更大时 __shfl_sync 又从第一个线程数起。
by_block_size for all_often when /blockDim\.x\s*(?:\/\s*2|>>\s*1)/ at /blockDim\.x\s*(?:\/\s*2|>>\s*1)/: The first steps reach further than a warp has threads. There a thread gets its own number, and the sum is {times} times too large. A warp has 32 threads, whatever the block has.
by_block_size.zh: 开头几步的距离超出了线程束，线程得到的是自己的数，于是和大了 {times} 倍。不论线程块多大，线程束都是 32 个线程。
all_often at /__shfl|for/: The sum is {times} times what it should be. If there is no thread so far on in the warp, a thread gets its own number. Which distances does the loop take?
all_often.zh: 和是应有的 {times} 倍。线程束中没有那么远的线程时，线程得到的是自己的数。循环用了哪些距离？
last_step at /for|while|__shfl/: Only the numbers of threads 0, 2, 4 and so on are in the sum. Which distance is missing?
last_step.zh: 和里只有线程 0、2、4……的数。少了哪个距离？
first_half at /for|while|__shfl/: Only the first 16 threads' numbers are in the sum. A warp has 32 threads. Which distance is missing?
first_half.zh: 和里只有前 16 个线程的数，而线程束有 32 个线程。少了哪个距离？
not_handed_on at /__shfl/: Only the numbers of threads 0, 1, 2, 4, 8 and 16 are in the sum. Each step hands on the number a thread began with, and not the sum that it has so far.
not_handed_on.zh: 和里只有线程 0、1、2、4、8、16 的数。每一步传出去的都是线程最初的数，不是它已经加好的部分和。
one_twice at /int\s+\w+\s*=\s*y\b|for|while|__shfl/: The number of thread {lane} is in the sum twice, the others once. What does the sum have before the loop begins?
one_twice.zh: 线程 {lane} 的数加了两次，其他的一次。循环开始之前，和里已经有什么？
one_missing at /for|while|__shfl/: The number of thread {gap} of the warp is missing in the sum, all others are there.
one_missing.zh: 和里少了线程束中线程 {gap} 的数，其他的都有。
begins_at_0 at /=\s*0\b|__shfl/: Only the numbers of threads 1, 2, 4, 8 and 16 are in the sum. The number of the thread itself is missing, and each step hands on what a thread began with, and not the sum that it has so far.
begins_at_0.zh: 和里只有线程 1、2、4、8、16 的数。少了线程自己的数，而且每一步传出去的都是线程最初的数，不是它已经加好的部分和。
written_early for last_step or first_half or steps_missing or some_missing or own_number or zero when /\bsums\s*\[[^;]*;.*__shfl/ at /\bsums\s*\[/: What is written here is not yet the whole sum: a shuffle comes behind it, and the number that it brings is not in.
written_early.zh: 这里写出的还不是全部的和：后面还有一次洗牌，那次取来的数没有加进去。
steps_missing at /for|while|__shfl/: {missing} of the warp's 32 numbers are missing in the sum. There were only steps with the distance {distances}. How many steps does it take until two numbers have become 32?
steps_missing.zh: 线程束的 32 个数中有 {missing} 个没有加进来。只做了距离为 {distances} 的步骤。从两个数到 32 个数要几步？
some_missing at /for|while|__shfl/: {missing} of the warp's 32 numbers are missing in the sum, the first of them that of thread {gap}. Which distances does the loop take?
some_missing.zh: 线程束的 32 个数中有 {missing} 个没有加进来，第一个是线程 {gap} 的。循环用了哪些距离？
by_width for mixed or first_half or some_often or all_often or one_lane_often or some_missing or other_lane when /__shfl_\w+_sync\s*\([^;]*?,[^;]*?,[^;]*?,\s*(?!32\b|warpSize\b)[^;]*?\)\s*;/ at /__shfl/: The fourth argument splits the warp into parts, and no number goes from one part to another. Here the whole warp adds.
by_width.zh: 第四个参数把线程束分成几段，段与段之间不传数。这里要整个线程束一起加。
not_begun for other or zero or mixed or some_often or some_missing or one_number or own_number or one_lane_often when /\bint\s+(\w+)\s*;(?!.*\b\g1\s*=[^=]).*\b\g1\s*\+=/ at /\bint\s+\w+\s*;/: This variable has no value yet when something is added to it.
not_begun.zh: 往这个变量上加数的时候，它还没有初值。
some_often? at /for|while|__shfl/: The number of thread {lane} of the warp is counted {times} times, and should be once. Which distances does the loop take?
some_often.zh: 线程束中线程 {lane} 的数加了 {times} 次，应该只加一次。循环用了哪些距离？
mixed? at /for|while|__shfl/: The number of thread {gap} of the warp is missing in the sum, and that of thread {lane} is counted {times} times. Which distances does the loop take?
mixed.zh: 和里少了线程束中线程 {gap} 的数，而线程 {lane} 的数加了 {times} 次。循环用了哪些距离？
last_warp at /__shfl|sums\[/: With N = {N} the last warp has fewer than 32 numbers. Its sum is {got}, and should be {want}.
last_warp.zh: N = {N} 时，最后一个线程束不足 32 个数。它的和是 {got}，应为 {want}。
other? at /sums\[/: With N = {N} and {block_size} threads in a block, sums[{w}] is {got}, and should be {want}.
other.zh: N = {N}、每块 {block_size} 个线程时，sums[{w}] 是 {got}，应为 {want}。
race_same_place at /sums\[/: Several threads write one element of sums here, with different values. One thread of each warp shall write, to the element of its warp.
race_same_place.zh: 若干个线程在这里向 sums 的同一个元素写了不同的值。每个线程束应只有一个线程写，写到这个线程束的元素。
dynamic for illegal_address or past_dynamic or past_end or null_pointer when /extern\s+__shared__/ at /extern\s+__shared__/: The launch gives no dynamic shared memory. This exercise needs none: numbers go from register to register.
dynamic.zh: 启动时没有分配动态共享内存。本练习也不需要：数据直接从寄存器到寄存器。
by_shared for passed when /__shared__/ at /__shared__/: The sums are right. But they go through shared memory, and this exercise wants them from register to register.
by_shared.zh: 和是对的，但用了共享内存。本练习要求数据直接从寄存器到寄存器。
no_shuffle for passed when /^(?!.*(?:shfl|reduce))/ at /sums\[/: The sums are right, but there is no shuffle. Let each thread hand on the number that it has in y.
no_shuffle.zh: 和是对的，但没有用洗牌函数。请让各个线程把自己 y 中的数传出去。

//== wrong stub_again: not_added
    sums[n / 32] = y;
//== wrong from_32: all_often
//- offset = 16
//+ offset = 32
//== wrong from_8: first_half
//- offset = 16
//+ offset = 8
//== wrong from_block: by_block_size
//- offset = 16
//+ offset = blockDim.x / 2
//== wrong to_2: last_step
//- offset > 0
//+ offset > 1
//== wrong to_0: endless_zero
//- offset > 0
//+ offset >= 0
//== wrong by_four: steps_missing
//- offset /= 2
//+ offset /= 4
//== wrong by_one: each_distance
//- offset /= 2
//+ --offset
//== wrong assigned: one_number
//- y +=
//+ y =
//== wrong not_used: own_number
//- y +=
//== wrong lane_31: other_lane
//- % 32 == 0
//+ % 32 == 31
//== wrong lane_1: other_lane
//- % 32 == 0
//+ % 32 == 1
//== wrong no_if: all_write or race_same_place
//- if (threadIdx.x % 32 == 0)
//== wrong upwards: up
//- shfl_down
//+ shfl_up
//== wrong loop_left: left_early
//- y += __shfl
//+ if (threadIdx.x % 32 >= offset)
//+ {
//+     break;
//+ }
//+ y += __shfl
//== wrong only_computed: not_kept
//- offset /= 2
//+ offset / 2
//== wrong empty_loop: empty_loop
//- offset /= 2)
//+ offset /= 2);
//== wrong half_mask: small_mask
//- 0xffffffff
//+ 0xffff
//== wrong seven_digits: small_mask
//- 0xffffffff
//+ 0xfffffff
//== wrong mask_of_one: small_mask
//- 0xffffffff
//+ 0x1
//== wrong mask_of_32: counted_mask
//- 0xffffffff
//+ 32
//== wrong mask_of_lane: own_mask
//- 0xffffffff
//+ 1u << threadIdx.x % 32
//== wrong other_variable: own_number
    int sum = y;
    for (int offset = 16; offset > 0; offset /= 2)
    {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = y;
    }
//== wrong whole_block: around
    int sum = 0;
    for (int i = 0; i < blockDim.x; ++i)
    {
        sum += __shfl_sync(0xffffffff, y, i);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = sum;
    }
//== wrong number_first: mask_second
//- 0xffffffff, y, offset
//+ y, offset, 0xffffffff
//== wrong before_the_end: in_if
//- y +=
//+ if (n + offset < N)
//+     y +=
//== wrong some_come: in_if
//- y +=
//+ if (threadIdx.x % 32 < offset)
//+     y +=
//== wrong lane_0_comes: in_if
    if (threadIdx.x % 32 == 0)
    {
        for (int offset = 16; offset > 0; offset /= 2)
        {
            y += __shfl_down_sync(0xffffffff, y, offset);
        }
        sums[n / 32] = y;
    }
//== wrong of_lane_0: broadcast
//- __shfl_down_sync(0xffffffff, y, offset)
//+ __shfl_sync(0xffffffff, y, 0)
//== wrong older: old_shuffle
//- __shfl_down_sync(0xffffffff, y, offset)
//+ __shfl_down(y, offset)
//== wrong without_mask: no_mask
//- 0xffffffff, 
//== wrong books_mask: full_mask
//- 0xffffffff
//+ FULL_MASK
//== wrong arguments_exchanged: exchanged
//- y, offset
//+ offset, y
//== wrong returned: returned
//- for (int
//+ if (n >= N)
//+ {
//+     return;
//+ }
//+ for (int
//== wrong only_with_element: guarded
    if (n < N)
    {
        for (int offset = 16; offset > 0; offset >>= 1)
        {
            y += __shfl_down_sync(0xffffffff, y, offset);
        }
        if (threadIdx.x % 32 == 0)
        {
            sums[n / 32] = y;
        }
    }
//== wrong thread_0: thread_for_lane
//- % 32 == 0
//+ == 0
//== wrong n_0: first_only
//- threadIdx.x % 32
//+ n
//== wrong warp_0: warp_for_lane
//- % 32 == 0
//+ / 32 == 0
//== wrong of_block: of_block
//- n / 32
//+ blockIdx.x
//== wrong warp_in_block: no_block
//- n / 32
//+ threadIdx.x / 32
//== wrong at_n: elements_for_sums
//- n / 32
//+ n
//== wrong on_top: on_top
//- sums[n / 32] =
//+ sums[n / 32] +=
//== wrong neighbours: neighbour
//- for (int offset = 16; offset > 0; offset /= 2)
//+ for (int i = 0; i < 31; ++i)

//- y += __shfl_down_sync(0xffffffff, y, offset);
//+ y += __shfl_down_sync(0xffffffff, y, 1);
//== wrong one_step: steps_missing
    y += __shfl_down_sync(0xffffffff, y, 16);
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = y;
    }
//== wrong first_numbers: not_handed_on
    int sum = y;
    for (int offset = 16; offset > 0; offset /= 2)
    {
        sum += __shfl_down_sync(0xffffffff, y, offset);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = sum;
    }
//== wrong to_32: all_often
    for (int offset = 1; offset <= 32; offset *= 2)
    {
        y += __shfl_xor_sync(0xffffffff, y, offset);
    }
    sums[n / 32] = y;
//== wrong from_nothing: not_begun
    int sum;
    for (int offset = 16; offset > 0; offset /= 2)
    {
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = sum;
    }
//== wrong precedence: nothing_if
//- threadIdx.x % 32 == 0
//+ threadIdx.x & 32 == 0
//== wrong in_question: in_if
//- __shfl_down_sync(0xffffffff, y, offset)
//+ threadIdx.x % 32 < offset ? __shfl_down_sync(0xffffffff, y, offset) : 0
//== wrong lane_as_index: same_element
//- n / 32
//+ n % 32
//== wrong four_warps: fixed_block
//- n / 32
//+ blockIdx.x * 4 + threadIdx.x / 32
//== wrong own_twice: one_twice
    int sum = y;
    for (int i = 0; i < 32; ++i)
    {
        sum += __shfl_sync(0xffffffff, y, i);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = sum;
    }
//== wrong of_16: by_width
//- y, offset
//+ y, offset, 16
//== wrong in_shared_memory: by_shared
    __shared__ int s[1024];
    s[threadIdx.x] = y;
    __syncthreads();
    if (threadIdx.x % 32 == 0)
    {
        for (int i = 1; i < 32; ++i)
        {
            y += s[threadIdx.x + i];
        }
        sums[n / 32] = y;
    }
//== wrong one_thread_reads: no_shuffle
    if (threadIdx.x % 32 == 0)
    {
        for (int i = n + 1; i < n + 32 && i < N; ++i)
        {
            y += x[i];
        }
        sums[n / 32] = y;
    }
//== wrong number_for_distance: by_number
    for (int d = 16; d > 0; d /= 2)
    {
        y += __shfl_sync(0xffffffff, y, d);
    }
    if (threadIdx.x % 32 == 0 && n < N)
    {
        sums[n / 32] = y;
    }
//== wrong sums_of_main: computed
    sums[n / 32] = 496 + 1024 * (n / 32);
//== wrong lane_for_warp: lane_and_warp
    for (int d = 16; d > 0; d /= 2)
    {
        y += __shfl_down_sync(0xffffffff, y, d);
    }
    const int lane = n / 32, warp = n % 32;
    if (lane == 0 && n < N)
    {
        sums[warp] = y;
    }
//== wrong last_thread_without_element: last_lane
    for (int d = 16; d > 0; d /= 2)
    {
        y += __shfl_up_sync(0xffffffff, y, d);
    }
    if (threadIdx.x % 32 == 31 && n < N)
    {
        sums[n / 32] = y;
    }
//== wrong active_only: guarded_active
    if (n < N)
    {
        for (int offset = 16; offset > 0; offset /= 2)
        {
            y += __shfl_down_sync(__activemask(), y, offset);
        }
        if (threadIdx.x % 32 == 0)
        {
            sums[n / 32] = y;
        }
    }
//== wrong without_last_warp: drops_last
//- threadIdx.x % 32 == 0
//+ n % 32 == 0 && n < N - 32
//== wrong first_threads_write: elements_for_sums
//- threadIdx.x % 32 == 0
//+ n < 32

//- n / 32
//+ n
//== wrong in_short: small_type
//- for (int
//+ short s = y;
//+ for (int

//- y += __shfl_down_sync(0xffffffff, y, offset)
//+ s += __shfl_down_sync(0xffffffff, s, offset)

//- = y;
//- }
//+ = s;
//+ }
//== wrong atomics_only: by_atomics
    atomicAdd(&sums[n / 32], y);
//== wrong xor_each: each_distance
    for (int d = 1; d < 32; ++d)
    {
        y += __shfl_xor_sync(0xffffffff, y, d);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = y;
    }
//== wrong multiplied: times_sign
//- y +=
//+ y *=
//== wrong y_again: added_to_itself
//- y +=
//+ y += y +
//== wrong from_0_and_first: begins_at_0
    int sum = 0;
    for (int offset = 16; offset > 0; offset /= 2)
    {
        sum += __shfl_down_sync(0xffffffff, y, offset);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = sum;
    }
//== wrong written_in_loop: written_early
    for (int offset = 16; offset > 0; offset /= 2)
    {
        if (threadIdx.x % 32 == 0)
        {
            sums[n / 32] = y;
        }
        y += __shfl_down_sync(0xffffffff, y, offset);
    }
//== wrong lane_of_block: block_for_lane
//- threadIdx.x % 32 == 0
//+ blockIdx.x % 32 == 0
//== wrong first_of_all_warps: warp_for_lane
//- threadIdx.x % 32 == 0
//+ n / 32 == 0
//== wrong own_names_for_lane: by_number
    int total = y;
    for (int k = 16; k > 0; k /= 2)
    {
        total += __shfl_sync(0xffffffff, total, k);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = total;
    }
//== wrong one_further: one_behind
//- n / 32
//+ n / 32 + 1
//== wrong warps_of_16: half_of_warp
    for (int d = 8; d > 0; d /= 2)
    {
        y += __shfl_down_sync(0xffffffff, y, d);
    }
    if (n % 16 == 0)
    {
        sums[n / 16] = y;
    }
//== wrong xor_of_one_less: by_xor
    for (int d = 16; d > 0; d /= 2)
    {
        y += __shfl_xor_sync(0xffffffff, y, d - 1);
    }
    if (threadIdx.x % 32 == 0)
    {
        sums[n / 32] = y;
    }
//== wrong from_thread: lane_as_distance
//- y, offset)
//+ y, threadIdx.x + offset)
//== wrong in_question_of_lane: in_if
    const int lane = threadIdx.x % 32;
    for (int d = 16; d > 0; d /= 2)
    {
        int other = 0;
        if (lane + d < 32)
        {
            other = __shfl_down_sync(0xffffffff, y, d);
        }
        y += other;
    }
    if (lane == 0)
    {
        sums[n / 32] = y;
    }

//== right all_lanes
    for (int mask = 1; mask < 32; mask *= 2)
    {
        y += __shfl_xor_sync(0xffffffff, y, mask);
    }
    sums[n / 32] = y;
//== right last_lane
    const int lane = threadIdx.x & 31;
    for (int d = 1; d <= 16; d <<= 1)
    {
        y += __shfl_up_sync(~0u, y, d);
    }
    if (lane == 31)
    {
        sums[n >> 5] = y;
    }
//== right each_in_turn
    int sum = 0;
    for (int i = 0; i < 32; ++i)
    {
        sum += __shfl_sync(0xffffffff, y, i);
    }
    if (n % 32 == 7 && n / 32 * 32 < N)
    {
        sums[n / 32] = sum;
    }
//== right moving_on
    int v = y;
    for (int i = 1; i < warpSize; ++i)
    {
        v = __shfl_down_sync(0xffffffffu, v, 1);
        y += v;
    }
    if (threadIdx.x % warpSize == 0)
    {
        *(sums + n / warpSize) = y;
    }
//== right written_out
    y += __shfl_down_sync(-1, y, 16);
    y += __shfl_down_sync(-1, y, 8);
    y += __shfl_down_sync(-1, y, 4);
    y += __shfl_down_sync(-1, y, 2);
    y += __shfl_down_sync(-1, y, 1);
    if (threadIdx.x % 32 != 0)
    {
        return;
    }
    sums[n / 32] = y;
//== right in_one_call
    const int sum = __reduce_add_sync(0xffffffff, y);
    if (n % 32 == 0)
    {
        sums[n / 32] = sum;
    }
//== right by_group (whole file)
//- #include <stdio.h>
//+ #include <cooperative_groups.h>
//+ #include <stdio.h>

//- for (int offset
//+ auto block = cooperative_groups::this_thread_block();
//+ auto warp = cooperative_groups::tiled_partition<32>(block);
//+ for (int offset

//- __shfl_down_sync(0xffffffff, y, offset)
//+ warp.shfl_down(y, offset)
//== right only_writers_guarded
    int left = 32;
    while (left > 1)
    {
        left /= 2;
        int other = __shfl_down_sync(0xffffffff, y, left);
        y = y + other;
    }
    if (threadIdx.x % 32 == 0 && n < N) sums[n / 32] = y;
#endif
