// 16_find_size: find the size for which a sum is wrong
// 16_find_size.zh: 找出使求和出错的规模
//
// Kind: test
// Chapter: 10
// Program: ch10_atomics/reduce-atomic.cu
// Book: 10.1
// Goal: Four functions add N numbers on the device. N may be 1 to 50000, and each number from -10000 to
//   10000. All four are wrong for some inputs, but the test at the end of the file sees nothing of it. Change
//   make_input so that each of the four gives a wrong sum for your input.
// Goal.zh: 四个函数各自在设备上把 N 个数相加。N 可以是 1 到 50000，每个数在 -10000 到 10000 之间。四个函数对某些
//   输入都会出错，可是文件末尾的测试一点也没有发现。请修改 make_input，使四个函数对你的输入都得出错误的和。
// Hint 1: The input that you find there is the one that everybody tries first. Take the four functions one after the
//   other, and work out on paper what each one does with a small, odd N.
// Hint 1.zh: 初始的输入正是人人首先会试的那种。请逐个看这四个函数，取一个不大、不整齐的 N，在纸上推一推它们各做了什么。
// Hint 2: Ask of each function: how many numbers does it take in all? Is a number left over when something is
//   halved or divided? How many threads are there for how many blocks? Which numbers has a float?
// Hint 2.zh: 对每个函数问一问：它一共处理了多少个数？折半或相除时有没有剩下的数？有多少个线程，对应多少个线程块？
//   float 能表示哪些数？
// Hint 3: What a function leaves out must also be missed: if it adds up to 0, the sum is right all the same. And the
//   last function needs a sum that is large.
// Hint 3.zh: 函数漏掉的数还要能看得出来：如果它们加起来是 0，和照样是对的。最后一个函数则需要较大的和。
// After: A test with N = 1024 and all ones passes nearly every reduction that is wrong. Good sizes are 1, one
//   less and one more than a block, a prime number, and more blocks than a block has threads; good numbers all
//   differ, and do not cancel. It costs milliseconds, and is run at each change. Of the float see
//   ch09_shared_mem/reduce1cpu.cu, and ch10_atomics/reduce-atomic.cu for a sum that takes any N.
// After.zh: 取 N = 1024、全是 1 的测试，几乎任何错误的归约都能通过。好的规模是：1，比线程块少 1 和多 1，质数，以及线程块数
//   超过每块线程数的情形；好的数据各不相同，而且不会互相抵消。这样的测试只要几毫秒，每次改动后都可以运行。
//   float 的问题见 ch09_shared_mem/reduce1cpu.cu，适用于任意 N 的求和见 ch10_atomics/reduce-atomic.cu。

#include <stdio.h>

// sums[b] becomes the sum of the 128 numbers of block b. There is nothing wrong with this kernel.
//zh sums[b] 等于线程块 b 的 128 个数的和。这个核函数没有错。
__global__ void sum_blocks(const int *x, int *sums, int N)
{
    __shared__ int sum;
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (threadIdx.x == 0)
    {
        sum = 0;
    }
    __syncthreads();
    if (n < N)
    {
        atomicAdd(&sum, x[n]);
    }
    __syncthreads();
    if (threadIdx.x == 0)
    {
        sums[blockIdx.x] = sum;
    }
}

// 1. The host adds the sums of the blocks.
//zh 1. 由主机把各线程块的和加起来。
int sum_whole_blocks(const int *x, int *sums, int N)
{
    const int blocks = N / 128;
    int sum = 0;
    if (blocks > 0)
    {
        sum_blocks<<<blocks, 128>>>(x, sums, N);
        cudaDeviceSynchronize();
    }
    for (int b = 0; b < blocks; ++b)
    {
        sum += sums[b];
    }
    return sum;
}

// 2. The upper half is added to the lower one, and so on. It changes x.
//zh 2. 把后一半加到前一半上，如此反复。x 会被改动。
__global__ void add_upper_half(int *x, int half)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < half)
    {
        x[n] += x[n + half];
    }
}

int sum_by_halves(int *x, int N)
{
    for (int half = N / 2; half > 0; half /= 2)
    {
        add_upper_half<<<(half + 127) / 128, 128>>>(x, half);
    }
    cudaDeviceSynchronize();
    return x[0];
}

// 3. One more block adds the sums of the blocks.
//zh 3. 再用一个线程块把各线程块的和加起来。
int sum_in_two_stages(const int *x, int *sums, int N)
{
    const int blocks = (N + 127) / 128;
    sum_blocks<<<blocks, 128>>>(x, sums, N);
    sum_blocks<<<1, 128>>>(sums, sums + blocks, blocks);
    cudaDeviceSynchronize();
    return sums[blocks];
}

// 4. One thread adds the sums of the blocks.
//zh 4. 由一个线程把各线程块的和加起来。
__global__ void add_as_float(int *sums, int blocks)
{
    float sum = 0;
    for (int b = 0; b < blocks; ++b)
    {
        sum += sums[b];
    }
    sums[0] = (int)sum;
}

int sum_as_float(const int *x, int *sums, int N)
{
    const int blocks = (N + 127) / 128;
    sum_blocks<<<blocks, 128>>>(x, sums, N);
    add_as_float<<<1, 1>>>(sums, blocks);
    cudaDeviceSynchronize();
    return sums[0];
}

// The test: it writes the numbers to x[0] to x[N - 1], and returns N. x has room for 50000.
//zh 测试：把数写到 x[0] 到 x[N - 1]，返回 N。x 最多放 50000 个数。
int make_input(int *x)
{
    //[
    const int N = 20001;
    for (int n = 0; n < N; ++n)
    {
        x[n] = n % 9973 + 1;
    }
    return N;
    //| const int N = 1024;
    //| for (int n = 0; n < N; ++n)
    //| {
    //|     x[n] = 1;
    //| }
    //| return N;
    //]
}

int main(void)
{
    int *x, *sums, sum = 0;
    cudaMallocManaged((void **)&x, 50000 * sizeof(int));
    cudaMallocManaged((void **)&sums, 500 * sizeof(int));
    const int num = make_input(x);
    for (int n = 0; n < num; ++n)
    {
        sum += x[n];
    }
    printf("the right sum     %d\n", sum);
    printf("sum_whole_blocks  %d\n", sum_whole_blocks(x, sums, num));
    printf("sum_in_two_stages %d\n", sum_in_two_stages(x, sums, num));
    printf("sum_as_float      %d\n", sum_as_float(x, sums, num));
    printf("sum_by_halves     %d\n", sum_by_halves(x, num));
    cudaFree(x);
    cudaFree(sums);
    return 0;
}

#if 0
//== child
// (With more room than is told, so that the judge sees an N that is too large.)
static int *room = NULL;

static void run_case()
{
    const int most = 50000;
    const int margin = 1024, poison = -2000000000; // before and behind x, where nobody may write
    const size_t bytes = (size_t)(1 << 25) * sizeof(int);
    room = room == NULL ? (int *)calloc(1, bytes) + margin : room;
    int *result = judged::array<int>(0);
    memcpy(room, judged::array<int>(1), judged::bytes(1));
    for (int i = 0; i < margin; ++i)
    {
        room[-1 - i] = room[most + i] = poison;
    }
    const int N = make_input(room);
    result[0] = N;
    result[5] = 0;
    for (int i = margin - 1; i >= 0; --i)
    {
        result[5] = room[-1 - i] != poison ? -1 - i : room[most + i] != poison ? most + i : result[5];
    }
    memcpy(judged::array<int>(1), room, judged::bytes(1));
    if (N < 1 || N > most)
    {
        return;
    }
    for (int i = 0; i < 4; ++i)
    {
        int *x, *sums;
        cudaMallocManaged((void **)&x, most * sizeof(int));
        cudaMallocManaged((void **)&sums, 500 * sizeof(int));
        memcpy(x, room, N * sizeof(int));
        result[1 + i] = i == 0   ? sum_whole_blocks(x, sums, N)
                        : i == 1 ? sum_by_halves(x, N)
                        : i == 2 ? sum_in_two_stages(x, sums, N)
                                 : sum_as_float(x, sums, N);
        cudaFree(x);
        cudaFree(sums);
    }
}

//== judge
#include "judge.h"

enum
{
    MOST = 50000,
    LARGEST = 10000,
    BLOCK = 128
};

static void prepare()
{
    Case *c = add_case({});
    output<int>(c, 6); // N, the four sums, and an index outside that was written, or 0
    int *x = output<int>(c, MOST);
    for (int n = 0; n < MOST; ++n)
    {
        x[n] = -2000000000 + n; // no number that is allowed
    }
}

static int sum_from(const int *x, int from, int to)
{
    int sum = 0;
    for (int n = from; n < to; ++n)
    {
        sum += x[n];
    }
    return sum;
}

static void look(const Case *c)
{
    const int *result = array<int>(c, 0), *x = array<int>(c, 1), N = result[0];
    value("N", "%d", N);
    int num_filled = 0, last_filled = 0, filled_to = 0, step = 0;
    long sum = 0; // of the first numbers, as long as each is filled
    for (int n = 0; n < MOST; ++n)
    {
        if (!is_untouched(x[n]))
        {
            step = num_filled > 0 && (step == 0 || step == n - last_filled) ? n - last_filled : num_filled > 0 ? -1 : 0;
            last_filled = n;
            ++num_filled;
            sum += filled_to == n ? x[n] : 0;
            filled_to += filled_to == n;
        }
    }
    value("i", "%d", last_filled);
    value("step", "%d", step);
    value("second", "%d", 2 * step);
    value("count", "%d", num_filled);
    if (num_filled > 1 && filled_to == num_filled && N == sum && N != num_filled)
    {
        wrong("returns_sum");
        return;
    }
    if (num_filled == 1 && N > 1 && result[5] == 0)
    {
        wrong("one_element");
        return;
    }
    if (num_filled > 2 && step > 1 && !is_untouched(x[0]) && N > 1 && N <= MOST)
    {
        wrong("steps_over");
        return;
    }
    if (N < 1 || N > MOST)
    {
        wrong(N < 1 ? "too_small" : "too_large");
        return;
    }
    if (result[5] != 0)
    {
        value("i", "%d", result[5]);
        wrong(result[5] < 0 ? "before_first" : "behind_last");
        return;
    }
    bool all_zero = true;
    for (int n = 0; n < N; ++n)
    {
        if (is_untouched(x[n]) || abs(x[n]) > LARGEST)
        {
            value("i", "%d", n);
            value("x", "%d", x[n]);
            wrong(is_untouched(x[n]) ? "unfilled" : "not_allowed");
            return;
        }
        all_zero = all_zero && x[n] == 0;
    }
    // What each of the four gives.
    const int blocks = (N + BLOCK - 1) / BLOCK, right = sum_from(x, 0, N);
    static int y[MOST];
    memcpy(y, x, N * sizeof(int));
    bool is_even = true; // as long as no half leaves a number over
    for (int half = N / 2, num = N; half > 0; num = half, half /= 2)
    {
        is_even = is_even && num % 2 == 0;
        for (int n = 0; n < half; ++n)
        {
            y[n] += y[n + half];
        }
    }
    volatile float as_float = 0;
    double largest = 0, exact = 0;
    bool is_rounded = false;
    for (int b = 0; b < blocks; ++b)
    {
        const int sum = sum_from(x, b * BLOCK, b < blocks - 1 ? (b + 1) * BLOCK : N);
        as_float = as_float + sum;
        exact += sum;
        is_rounded = is_rounded || as_float != exact;
        largest = fmax(largest, fabs(as_float));
    }
    const int in_two_stages = BLOCK * BLOCK < N ? BLOCK * BLOCK : N;
    const int given[4] = {sum_from(x, 0, N / BLOCK * BLOCK), y[0], sum_from(x, 0, in_two_stages),
                          (int)as_float};
    int caught = 0;
    bool is_changed = false;
    for (int i = 0; i < 4; ++i)
    {
        caught += given[i] != right;
        is_changed = is_changed || given[i] != result[1 + i];
    }
    value("sum", "%d", right);
    value("caught", "%d", caught);
    value("blocks", "%d", blocks);
    value("whole", "%d", N / BLOCK);
    value("left", "%d", N % BLOCK);
    value("behind", "%d", N - in_two_stages);
    value("largest", "%.0f", largest);
    if (is_changed)
    {
        wrong("changed");
    }
    else if (all_zero)
    {
        wrong("all_zero");
    }
    else if (N == 1)
    {
        wrong("one_number");
    }
    else if (caught == 0 && N % BLOCK == 0)
    {
        wrong("none_caught");
    }
    else if (given[0] == right)
    {
        wrong(N % BLOCK == 0 ? "whole_blocks" : "whole_blocks_hidden");
    }
    else if (given[1] == right)
    {
        wrong(is_even ? "halves" : "halves_hidden");
    }
    else if (given[2] == right)
    {
        wrong(N <= BLOCK * BLOCK ? "two_stages" : "two_stages_hidden");
    }
    else if (given[3] == right)
    {
        wrong(is_rounded ? "as_float_luck" : largest <= 1 << 24 ? "as_float" : "as_float_hidden");
    }
}

//== says
cut_to_zero for all_zero when /\bx\s*\[[^\]]*\]\s*=\s*[^;]*\b0?\.\d/ at /\bx\s*\[[^\]]*\]\s*=\s*[^;]*\b0?\.\d/: The elements of x are of type int. What stands behind the point is lost, and 0 is left, so every sum is 0.
cut_to_zero.zh: x 的元素是 int 类型，小数部分会丢掉，只剩下 0，于是所有的和都是 0。
on_nothing for not_allowed or unfilled or never_written when /int make_input.*\bx\s*\[[^\]]*\]\s*[-+*]=/ at /\bx\s*\[[^\]]*\]\s*[-+*]=/: This changes what x[{i}] had before, and it had no value yet: make_input shall give it one.
on_nothing.zh: 这一行是在 x[{i}] 原有的值上改动，而它还没有值：要由 make_input 赋值。
unchanged: All four are right for this input: N = 1024, and each number is 1. So the test sees nothing. Which function leaves numbers out for another N?
unchanged.zh: 对 N = 1024、全是 1 的输入，四个函数都得出正确的和，测试什么也没有发现。换一个 N，哪个函数会漏掉一些数？
no_value for host_address or host_null or crash or too_small or too_large or wrote_outside or stack or illegal_address or unfilled when /int make_input\(int \*\w+\)\s*\{(?!.*\breturn\b)/ at /int make_input/: make_input returns nothing. At its end it says how many numbers there are.
no_value.zh: make_input 没有返回值。它在末尾要说明有多少个数。
too_small at /\bN\s*=|return (?:N|-?\d)/: N is {N}. There is at least one number to add.
too_small.zh: N 是 {N}。至少要有一个数可加。
in_bytes for too_large when /return[^;]*sizeof/ at /return[^;]*sizeof/: make_input returns a number of elements, and not of bytes: {N} is too many.
in_bytes.zh: make_input 返回的是元素个数，不是字节数：{N} 太多了。
too_large at /\bN\s*=|return (?:N|-?\d)/: N is {N}, and the functions are made for up to 50000 numbers. What they do beyond that is no fault of theirs.
too_large.zh: N 是 {N}，而这些函数最多用于 50000 个数。超出之后的结果不算它们的错。
host_address at /\bx\[.*\]\s*=|\*\w+\s*=/: make_input writes far past the end of x, which has room for 50000 numbers.
host_address.zh: make_input 写到了 x 末尾之后很远的地方。x 最多放 50000 个数。
wrote_outside at /\bx\[.*\]\s*=|\*\w+\s*=/: make_input writes outside x, which has room for 50000 numbers.
wrote_outside.zh: make_input 写到了 x 之外。x 最多放 50000 个数。
returns_number for one_element or one_number or too_small or too_large or unfilled or two_stages or halves or whole_blocks or none_caught or as_float when /int make_input.*\breturn\s+(?:x\s*\[|\*\s*x)/ at /int make_input/: What make_input returns is one of the numbers. The caller wants to know how many there are.
returns_number.zh: make_input 返回的是其中一个数，而调用者要知道的是一共有多少个数。
before_first at /\bx\[.*\]\s*=|\*\w+\s*=/: x[{i}] is written, and the first element is x[0]. From which n on does the loop go?
before_first.zh: 写了 x[{i}]，而第一个元素是 x[0]。循环的 n 从几开始？
end_mark for behind_last when /\bx\s*\[\s*(?:N|50000)\s*\]\s*=/ at /\bx\s*\[\s*(?:N|50000)\s*\]\s*=/: x[{i}] is behind the last number, and x has room for 50000. The numbers need no mark at their end: N tells how many they are.
end_mark.zh: x[{i}] 在最后一个数之后，而 x 只能放 50000 个数。末尾不需要标记：有多少个数，由 N 说明。
behind_last at /\bx\[.*\]\s*=|\*\w+\s*=/: x[{i}] is written, and x has room for 50000 numbers, counted from 0. Up to which n does the loop go?
behind_last.zh: 写了 x[{i}]，而 x 只能放 50000 个数，从 0 数起。循环的 n 到几为止？
own_array for one_element or unfilled when /int make_input.*\bint\s+\w+\s*\[/ at /^\s+(?:static\s+)?int\s+\w+\s*\[/: The numbers go into an array of your own here, and x[{i}] gets none. The functions get x.
own_array.zh: 这里的数写进了你自己的数组，x[{i}] 没有赋值。那些函数用的是 x。
own_memory for unfilled when /int make_input.*(?:\bmalloc|cudaMalloc|\bnew\b)/ at /\bx\b.*(?:\bmalloc|cudaMalloc|\bnew\b)/: x points to memory already, with room for 50000 numbers. Yours went elsewhere, and x[{i}] got none.
own_memory.zh: x 已经指向能放 50000 个数的内存。你的数写到了别处，x[{i}] 没有赋值。
endless at /\b(?:while|do|goto)\b|for \((?!int (?:half|b) )/: make_input has not ended after some seconds. Which loop of it does not end?
endless.zh: make_input 过了几秒还没有结束。它的哪个循环停不下来？
returns_sum at last /\breturn\b/: make_input returns {N}, which is the sum of its {count} numbers. The caller wants to know how many there are.
returns_sum.zh: make_input 返回的 {N} 是 {count} 个数的和，而调用者要知道的是一共有多少个数。
one_element at /\bx\[.*\]\s*=|\*\w+\s*=/: Only x[{i}] gets a number, again and again. N is {N}: which element shall each turn of the loop write?
one_element.zh: 只有 x[{i}] 被赋值，而且一再赋值。N 是 {N}：循环的每一轮应该写哪一个元素？
steps_over at last /\bfor\b|\bwhile\b/: x[0], x[{step}], x[{second}] get numbers, and those in between none. How far does the loop go on each time?
steps_over.zh: x[0]、x[{step}]、x[{second}] 有了值，它们之间的没有。循环每次前进多少？
size_of_pointer for halves or one_number or unfilled or two_stages or whole_blocks or none_caught or one_element when /\bsizeof\s*\(\s*x\s*\)|\bsizeof\s+x\b/ at /\bsizeof\s*\(\s*x\s*\)|\bsizeof\s+x\b/: x is a pointer here, so sizeof(x) is the size of the pointer. It does not tell how many numbers there are.
size_of_pointer.zh: x 在这里是指针，sizeof(x) 是指针的大小，不能说明有多少个数。
unfilled at /\bx\[.*\]\s*=|\*\w+\s*=/: N is {N}, but x[{i}] gets no number. From which n to which does the loop go?
unfilled.zh: N 是 {N}，但 x[{i}] 没有赋值。循环的 n 从几到几？
bytes_set for not_allowed or unfilled or one_element when /int make_input.*\bmemset\s*\(\s*x\s*,(?!\s*0\s*,)/ at /\bmemset\b/: memset sets each byte, and an int has four. So it cannot give this number to the elements.
bytes_set.zh: memset 设置的是每个字节，而一个 int 有四个字节，所以不能用它给元素赋这个数。
length_in_bytes for not_allowed or unfilled when /int make_input.*\bmemset\s*\((?![^;]*sizeof)[^;]*;/ at /\bmemset\b/: memset counts in bytes, and an int has four of them. So some elements have got no number.
length_in_bytes.zh: memset 按字节计，而一个 int 有四个字节，所以有些元素没有赋值。
asks for too_small or too_large or one_number or unfilled when /int make_input.*\b(?:scanf|cin|getchar|fgets)\b/ at /\b(?:scanf|cin|getchar|fgets)\b/: Nobody types anything while a test runs. Write the number into the program.
asks.zh: 测试运行时没有人输入。请把数写进程序里。
not_allowed at /\bx\[.*\]\s*=|\*\w+\s*=/: x[{i}] is {x}. Only numbers from -10000 to 10000 are allowed.
not_allowed.zh: x[{i}] 是 {x}。只允许 -10000 到 10000 之间的数。
changed at /sum_whole_blocks/: The four functions no longer do what they did. Find an input for them as they were; [r] brings them back.
changed.zh: 四个函数和原来不同了。请针对原来的函数找输入；按 [r] 可以恢复。
all_zero at /\bx\[.*\]\s*=|\*\w+\s*=/: All numbers are 0. Then the sum is 0 whatever a function leaves out.
all_zero.zh: 所有的数都是 0。这样无论函数漏掉什么，和都是 0。
one_number at /\bN\s*=|return (?:N|-?\d)/: With one number there is hardly anything to add. Caught: {caught} of 4.
one_number.zh: 只有一个数，几乎没有什么可加：4 个中只查出了 {caught} 个。
none_caught at /\bN\s*=|return (?:N|-?\d)/: With N = {N} all four functions give the right sum, {sum}. Take the first one: how many blocks does it launch, and how many numbers do they have?
none_caught.zh: N = {N} 时，四个函数都得出正确的和 {sum}。先看第一个：它启动多少个线程块，一共处理多少个数？
whole_blocks at /\bN\s*=|return (?:N|-?\d)/: Caught: {caught} of 4. But sum_whole_blocks is right for your input: its {whole} blocks have all {N} numbers. When does this division leave something over?
whole_blocks.zh: 查出了 4 个中的 {caught} 个，但 sum_whole_blocks 对你的输入是对的：它的 {whole} 个线程块处理了全部 {N} 个数。这个除法什么时候有余数？
whole_blocks_hidden at /\bx\[.*\]\s*=|\*\w+\s*=/: Caught: {caught} of 4. sum_whole_blocks leaves out your last numbers, {left} of them, but they add up to 0, and nobody misses them.
whole_blocks_hidden.zh: 查出了 4 个中的 {caught} 个。sum_whole_blocks 漏掉了最后 {left} 个数，可是你的数在那里加起来是 0，看不出来。
halves at /\bN\s*=|return (?:N|-?\d)/: Caught: {caught} of 4. But sum_by_halves is right for your input: from N = {N} on no half leaves a number over. For which N does one?
halves.zh: 查出了 4 个中的 {caught} 个，但 sum_by_halves 对你的输入是对的：从 N = {N} 开始，每次折半都没有剩下的数。哪些 N 会有？
halves_hidden at /\bx\[.*\]\s*=|\*\w+\s*=/: Caught: {caught} of 4. sum_by_halves leaves out numbers when N = {N}, but yours add up to 0 there, and nobody misses them.
halves_hidden.zh: 查出了 4 个中的 {caught} 个。N = {N} 时 sum_by_halves 漏掉了一些数，可是你的这些数加起来是 0，看不出来。
two_stages at /\bN\s*=|return (?:N|-?\d)/: Caught: {caught} of 4. But sum_in_two_stages is right for your input. The second stage gets one sum from each block, {blocks} in all. How many can it add?
two_stages.zh: 查出了 4 个中的 {caught} 个，但 sum_in_two_stages 对你的输入是对的。第二步得到 {blocks} 个和，每个线程块一个。它能加多少个？
two_stages_hidden at /\bx\[.*\]\s*=|\*\w+\s*=/: Caught: {caught} of 4. sum_in_two_stages leaves out your last numbers, {behind} of them, but they add up to 0, and nobody misses them.
two_stages_hidden.zh: 查出了 4 个中的 {caught} 个。sum_in_two_stages 漏掉了最后 {behind} 个数，可是你的数在那里加起来是 0，看不出来。
as_float at /\bx\[.*\]\s*=|\*\w+\s*=/: Caught: {caught} of 4. But sum_as_float is right for your input. Its largest sum on the way is {largest}. Does that need more bits than a float has?
as_float.zh: 查出了 4 个中的 {caught} 个，但 sum_as_float 对你的输入是对的。它中途最大的和是 {largest}。这需要的位数超过 float 了吗？
as_float_luck at /\bx\[.*\]\s*=|\*\w+\s*=/: Caught: {caught} of 4. sum_as_float rounds on the way, but the sum that comes out happens to be right. Larger sums are rounded more.
as_float_luck.zh: 查出了 4 个中的 {caught} 个。sum_as_float 中途有舍入，但最后的和碰巧是对的。和越大，舍入越多。
as_float_hidden at /\bx\[.*\]\s*=|\*\w+\s*=/: Caught: {caught} of 4. But sum_as_float is right for your input. Its sums are large enough, up to {largest}, but each of them happens to be a number that a float has.
as_float_hidden.zh: 查出了 4 个中的 {caught} 个，但 sum_as_float 对你的输入是对的。它的和够大，达到 {largest}，但恰好每一个都是 float 能精确表示的数。

//== wrong one_block: none_caught
//- N = 20001
//+ N = 128

//- n % 9973 + 1
//+ 1
//== wrong zeros: all_zero
//- n % 9973 + 1
//+ 0
//== wrong one: one_number
//- N = 20001
//+ N = 1
//== wrong nothing: too_small
//- N = 20001
//+ N = 0
//== wrong million: too_large
//- N = 20001
//+ N = 1000000
//== wrong far_too_many: host_address or wrote_outside
//- N = 20001
//+ N = 1000000000
//== wrong bytes: in_bytes
//- return N;
//+ return N * sizeof(int);
//== wrong power_of_two: whole_blocks
//- N = 20001
//+ N = 32768
//== wrong two_times_wide: whole_blocks
//- N = 20001
//+ N = 20096
//== wrong thousand: two_stages
//- N = 20001
//+ N = 1000
//== wrong one_block_more: two_stages
//- N = 20001
//+ N = 129
//== wrong power_below_block: halves
//- N = 20001
//+ N = 64
//== wrong last_full: two_stages
//- N = 20001
//+ N = 16383
//== wrong ones: as_float
//- n % 9973 + 1
//+ 1
//== wrong last_is_zero: whole_blocks_hidden
//- N = 20001
//+ N = 16385

//- n % 9973 + 1
//+ (16384 - n) % 9973
//== wrong plus_and_minus: two_stages_hidden
//- n % 9973 + 1
//+ n < 16384 ? n % 9973 + 1 : n == 20000 ? 7 : n == 16384 ? -7 : 0
//== wrong round_numbers: as_float_hidden
//- N = 20001
//+ N = 50000

//- n % 9973 + 1
//+ 10000
//== wrong alternating: whole_blocks_hidden
//- N = 20001
//+ N = 20000

//- n % 9973 + 1
//+ n % 2 == 0 ? 10000 : -10000
//== wrong left_over_is_zero: halves_hidden
//- N = 20001
//+ N = 16386

//- n % 9973 + 1
//+ n == 16385 ? -5001 : n == 16384 ? 1 : 5001
//== wrong only_first: whole_blocks_hidden
//- n % 9973 + 1
//+ n < 16000 ? n % 9973 + 1 : 0
//== wrong first_left_out: unfilled
//- int n = 0
//+ int n = 1
//== wrong last_left_out: unfilled
//- n < N
//+ n < N - 1
//== wrong one_element: one_element
//- x[n]
//+ x[0]
//== wrong too_large_numbers: not_allowed
//- n % 9973 + 1
//+ n
//== wrong memory_of_its_own: own_memory
//- for (int n
//+ x = (int *)malloc(N * sizeof(int));
//+ for (int n
//== wrong more_returned: unfilled
//- return N;
//+ return N + 1;
//== wrong no_return: no_value or no_return
//- return N;
//== wrong functions_changed: changed (whole file)
//- N = 20001
//+ N = 1000

//- (N + 127) / 128
//+ N / 128
//== wrong one_too_many: behind_last
//- N = 20001
//+ N = 50000

//- n < N
//+ n <= N
//== wrong one_too_few: before_first
//- int n = 0
//+ int n = -1
//== wrong returns_first: returns_number
//- return N;
//+ return x[0];
//== wrong array_of_its_own: own_array
//- for (int n
//+ static int y[50000];
//+ for (int n

//- x[n]
//+ y[n]
//== wrong one_half: cut_to_zero
//- n % 9973 + 1
//+ 0.5
//== wrong added: on_nothing
//- x[n] = n
//+ x[n] += n
//== wrong behind_all: one_element
//- x[n]
//+ x[N]
//== wrong every_second: steps_over
//- ++n
//+ n += 2
//== wrong sum_returned: returns_sum
//- for (int n
//+ int sum = 0;
//+ for (int n

//- x[n] = n % 9973 + 1;
//+ sum += x[n] = n % 9973 + 1;

//- return N;
//+ return sum;
//== wrong size_of_pointer: size_of_pointer
//- N = 20001
//+ N = sizeof(x) / sizeof(x[0])
//== wrong by_memset: bytes_set (whole file)
//- #include <stdio.h>
//+ #include <stdio.h>
//+ #include <string.h>

//- for (int n = 0; n < N; ++n)
//- {
//- x[n] = n % 9973 + 1;
//- }
//+ memset(x, 1, N * sizeof(int));
//== wrong zeros_by_memset: length_in_bytes (whole file)
//- #include <stdio.h>
//+ #include <stdio.h>
//+ #include <string.h>

//- for (int n = 0; n < N; ++n)
//+ memset(x, 0, N);
//+ for (int n = 0; n < 3000; ++n)
//== wrong typed: asks
//- const int N = 20001;
//+ int N = 0;
//+ scanf("%d", &N);

//== right all_that_is_allowed
//- N = 20001
//+ N = 49999
//== right by_macro
#define N 20001
    for (int n = 0; n < N; n++) x[n] = 9999;
    return N;
//== right backwards
    int N = 0;
    while (N < 16385)
    {
        x[N] = 9999 - N % 3000;
        N++;
    }
    return N;
//== right negative
//- n % 9973 + 1
//+ -(n * 7 % 10000) - 1
//== right random
    const int N = 30011;
    unsigned state = 1;
    for (int *p = x; p < x + N; ++p)
    {
        state = state * 1664525u + 1013904223u;
        *p = state >> 16 & 4095;
    }
    return N;
//== right more_than_told
    for (int n = 0; n < 50000; ++n)
    {
        x[n] = 9999;
    }
    return 23457;
#endif
