// 01_hello: each thread prints its own number
// 01_hello.zh: 每个线程打印自己的编号
//
// Kind: write
// Chapter: 2
// Program: ch02_threads/hello4.cu
// Book: 2.3.2
// Compile: -Wl,--wrap=cudacpu_printf
// Goal: The kernel runs in one block of several threads. Each thread shall print its own number,
//   0, 1, 2 and so on, each on a line of its own.
// Goal.zh: 核函数在一个线程块中由若干个线程执行。让每个线程打印自己的编号 0、1、2……，每个编号一行。
// Hint 1: All threads run the same line. What they print can only differ if the line names something
//   that differs from thread to thread.
// Hint 1.zh: 所有线程执行的是同一行代码。只有这一行用到因线程而异的量，打印的内容才会不同。
// Hint 2: In a kernel there are variables that nobody declares. One of them is the number of the
//   thread within its block. It has three parts, x, y and z, and here only x counts.
// Hint 2.zh: 核函数里有一些无需声明的内建变量，其中一个是线程在线程块中的编号。它有 x、y、z
//   三个分量，这里只用 x。
// Hint 3: In the line of printf, replace the 0 after the comma.
// Hint 3.zh: 把 printf 那一行逗号后面的 0 换掉。
// After: threadIdx.x is a register that each thread finds filled. To read it costs nothing on a card.
//   Printing costs much: it goes through a buffer of the device, and appears when the host waits.
//   Look at ch02_threads/hello4.cu, where several blocks print, and at section 2.3 of the book.
// After.zh: threadIdx.x 相当于每个线程自己的一个寄存器，启动时已经有值，在显卡上读它几乎没有开销。
//   打印的开销却很大：内容先写入设备的缓冲区，主机同步时才显示出来。
//   接下来可以看 ch02_threads/hello4.cu（多个线程块打印）和书的 2.3 节。

#include <stdio.h>

__global__ void hello()
{
    //[
    printf("%d\n", threadIdx.x);
    //| printf("%d\n", 0); // which number does each thread have?
    //zh printf("%d\n", 0); // 每个线程的编号是什么？
    //]
}

int main(void)
{
    hello<<<1, 4>>>();
    return cudaDeviceSynchronize();
}

#if 0
//== child
#include <stdarg.h>

// How often each thread prints goes into array 0.
static int *printed;

extern "C" int cudacpu_vprintf(int position, const char *format, va_list values);
extern "C" __attribute__((no_sanitize("thread"))) int __wrap_cudacpu_printf(int position, const char *format, ...)
{
    if (printed != NULL && threadIdx.x < judged::number(0))
    {
        ++printed[threadIdx.x];
    }
    va_list values;
    va_start(values, format);
    const int num = cudacpu_vprintf(position, format, values);
    va_end(values);
    return num;
}

static void run_case()
{
    printed = judged::array<int>(0);
    hello<<<1, judged::number(0)>>>();
    cudaDeviceSynchronize();
    printed = NULL;
}

//== judge
#include "judge.h"

static void add(long threads)
{
    int *calls = output<int>(add_case({threads}), threads);
    memset(calls, 0, threads * sizeof(int));
}

static void prepare()
{
    add(4);
    add(random_number(40, 100));
    add(random_number(5, 31));
}

// All whole numbers of a text.
static int numbers_in(char *text, long *numbers, int most)
{
    int num = 0;
    for (char *p = text, *end; *p != '\0';)
    {
        const long number = strtol(p, &end, 10);
        if (end == p)
        {
            ++p;
            continue;
        }
        if (num < most)
        {
            numbers[num] = number;
        }
        ++num;
        p = end;
    }
    return num;
}

static bool all_are(const long *numbers, int num, long wanted)
{
    for (int i = 0; i < num; ++i)
    {
        if (numbers[i] != wanted)
        {
            return false;
        }
    }
    return true;
}

static void look(const Case *c)
{
    static long numbers[4096];
    const long threads = c->number[0];
    char *text = printed(c);
    const int num = numbers_in(text, numbers, 4096);
    char got[60] = "", wanted[60] = "";
    for (int i = 0; i < 4; ++i)
    {
        snprintf(got + strlen(got), sizeof(got) - strlen(got), i < num ? "%ld " : "", numbers[i]);
        snprintf(wanted + strlen(wanted), sizeof(wanted) - strlen(wanted), i < threads ? "%d " : "", i);
    }
    snprintf(got + strlen(got), sizeof(got) - strlen(got), num > 4 ? "..." : "");
    snprintf(wanted + strlen(wanted), sizeof(wanted) - strlen(wanted), threads > 4 ? "..." : "");
    show(num > 0 ? got : "-", wanted);
    value("threads", "%ld", threads);
    value("got", "%ld", num > 0 ? numbers[0] : -1);
    const int *calls = array<int>(c, 0);
    long printing = 0;
    for (long t = 0; t < threads; ++t)
    {
        printing += calls[t] > 0;
    }
    value("printing", "%ld", printing);
    value("more", "%ld", num > 0 ? numbers[0] : 0);
    value("times", "%ld", num / threads);
    bool is_right = num == threads, is_shifted = num == threads, is_product = num == threads,
         is_down = num == threads, is_lane = num == threads && threads > 32,
         is_repeated = num > threads && num % threads == 0 && calls[0] == num / threads;
    for (long t = 0; t < threads && t < num && t < 4096; ++t)
    {
        is_right = is_right && numbers[t] == t;
        is_shifted = is_shifted && numbers[t] == t + numbers[0];
        is_down = is_down && numbers[t] == numbers[0] - t;
        is_repeated = is_repeated && numbers[t] == (t < 32 ? t : numbers[t]);
        is_lane = is_lane && numbers[t] == t % 32;
        is_product = is_product && numbers[t] == t * numbers[num - 1] / (threads > 1 ? threads - 1 : 1);
    }
    static bool seen[4096];
    memset(seen, 0, sizeof(seen));
    bool is_a_permutation = num == threads;
    for (int i = 0; i < num && i < 4096; ++i)
    {
        is_a_permutation = is_a_permutation && numbers[i] >= 0 && numbers[i] < threads && !seen[numbers[i]];
        seen[numbers[i] & 4095] = true;
    }
    // Within a warp the first lane prints first. Nothing says which warp prints first.
    if (is_right || (is_a_permutation && threads > 32))
    {
        int lines = 0;
        for (const char *p = text; *p != '\0'; ++p)
        {
            lines += *p == '\n';
        }
        if (lines < threads - 1)
        {
            wrong("one_line");
        }
        if (printing < threads)
        {
            wrong("by_few");
        }
        return;
    }
    if (num == 0)
    {
        wrong(text[0] == '\0' ? "nothing" : "no_number");
    }
    else if (is_shifted)
    {
        wrong(numbers[0] == 1 ? "from_one" : "shifted");
    }
    else if (num > threads)
    {
        wrong(is_repeated ? "repeated" : num == threads * threads ? "loop" : "too_many");
    }
    else if (num < threads)
    {
        wrong("too_few");
    }
    else if (is_lane)
    {
        wrong("lane");
    }
    else if (all_are(numbers, num, threads) && threads > 1)
    {
        wrong("number_of_threads");
    }
    else if (all_are(numbers, num, numbers[0]))
    {
        wrong("all_equal");
    }
    else
    {
        wrong(is_down ? "counted_down" : is_a_permutation ? "order" : is_product && threads > 1 ? "multiple" : "other");
    }
}

//== says
no_value for other or all_equal or order or multiple or never_written or number_of_threads or from_one when /\bint\s+(\w+)\s*;(?!.*\b\g1\s*=[^=]).*printf\s*\([^;]*,\s*\g1\s*\)/ at /\bint\s+\w+\s*;/: This variable has no value. A thread finds its number in a variable of CUDA, whatever name yours has.
no_value.zh: 这个变量没有值。线程的编号在 CUDA 的内建变量里，和你给自己的变量取什么名称无关。
nothing_behind for compile or arguments or other or all_equal or order or multiple or too_few or too_many or number_of_threads or from_one or never_written when /printf\s*\(\s*"[^"]*%[di][^"]*"\s*\)/ at /printf/: %d stands for a number, and behind the text no number is given.
nothing_behind.zh: %d 代表一个数，而格式串后面没有给出这个数。
no_text for types or compile when /\bprintf\s*\(\s*[A-Za-z_]/ at /\bprintf\s*\(\s*[A-Za-z_]/: printf begins with a text in double quotes. The text says how the number is printed.
no_text.zh: printf 的第一个参数是双引号中的格式串，它说明怎样打印后面的数。
in_quotes for all_equal or other or order or multiple or shifted or too_many or too_few when /\bprintf\s*\(\s*"[^"]*%[diu][^"]*"\s*,\s*"/ at /\bprintf\b/: What is behind the comma stands in quotes, so it is a text and no number.
in_quotes.zh: 逗号后面的内容加了引号，所以它是字符串，不是数。
plus_for_comma for too_few or too_many or other or all_equal or order or multiple or shifted or nothing or no_number or compile or types when /\bprintf\s*\(\s*"[^"]*"\s*\+/ at /\bprintf\b/: + does not join a text and a number in C. A comma stands between the text and the number.
plus_for_comma.zh: C 语言中 + 不能把字符串和数连起来。格式串和数之间用逗号隔开。
more_places for too_many or too_few when /\bprintf\s*\(\s*"(?:[^"%]*%[diu]){2}[^"]*"\s*,[^,;]*\)\s*;/ at /\bprintf\b/: The text has more % than there are numbers behind it.
more_places.zh: 格式串中的 % 比后面的数多。
times_block for all_equal when /\bblockIdx\.x\s*\*\s*threadIdx|\bthreadIdx\.x\s*\*\s*blockIdx/ at /\*/: blockIdx.x is 0 here, and 0 times a number is 0.
times_block.zh: 这里 blockIdx.x 是 0，0 乘任何数都是 0。
counted_down at /-\s*(?:1\s*-\s*)?threadIdx|-\s*\w|printf/: The numbers are counted down here: thread 0 prints {got}. Each thread prints its number as it is.
counted_down.zh: 这里的编号是倒着数的：线程 0 打印了 {got}。每个线程应照原样打印自己的编号。
one_by_one for too_few when /(?:threadIdx\.x\s*==\s*\d.*){3}/ at /threadIdx\.x\s*==/: Here stands a line for each thread of a block of one size. This block has {threads} threads, and all of them can print by one line.
one_by_one.zh: 这里为某一种大小的线程块逐个线程写了一行。这次的线程块有 {threads} 个线程，用一行就能让它们都打印。
slash_n for one_line when /"[^"]*\/n"/ at /\/n"/: The numbers are right, but /n is printed as it stands. The mark of the end of a line has the other slash.
slash_n.zh: 编号是对的，但 /n 原样打印出来了。换行符用的是另一个方向的斜杠。
one_line at /printf/: The numbers are right, but they are all in one line. \n in the text ends a line.
one_line.zh: 编号是对的，但都在同一行。格式串中的 \n 表示换行。
lane at /%\s*(?:32|warpSize)|&\s*31|printf/: After 31 the numbers begin with 0 again. That is the number of a thread within its warp, and a block has more than one.
lane.zh: 31 之后编号又从 0 开始了。那是线程在线程束中的编号，而一个线程块不止一个线程束。
stuck for too_few when /printf\s*\(\s*"[^"\\ ,;]*%[diu]"/ at /printf/: The numbers stand together as one. \n in the text ends a line.
stuck.zh: 数字都连在一起了。格式串中的 \n 表示换行。
address for all_equal or other or order or multiple or shifted when /&\s*threadIdx|\bprintf\s*\([^;]*,\s*&\s*\w/ at /&\s*threadIdx|\bprintf\s*\([^;]*,\s*&/: & asks for the address of a variable, and not for its value.
address.zh: & 取的是变量的地址，不是它的值。
format for other or too_many or too_few or null_pointer or no_number when /printf\s*\([^;]*%[0-9.l]*[feEgGxXscp]/ at /printf/: threadIdx.x is a whole number, and %d prints one.
format.zh: threadIdx.x 是整数，用 %d 打印。
whole for passed or all_equal or number_of_threads or order or multiple or other or too_many or too_few when /printf\s*\([^;]*,\s*(?:threadIdx|blockIdx|blockDim|gridDim)\s*[,)]|\b(\w+)\s*=\s*(?:threadIdx|blockIdx)\s*;.*printf\s*\([^;]*,\s*\1\s*[,)]/ at /printf/: What stands behind the comma is three numbers together, x, y and z. %d prints one of them: say which one.
whole.zh: 逗号后面的变量是 x、y、z 三个数放在一起。%d 只打印一个数：要说明打印哪一个。
own_counter for all_equal when /^(?!.*(?:\bstatic\b|__shared__|__device__)).*\bint\s+(\w+)\s*=\s*\d+\s*;.*(?:\+\+\s*\g1\b|\b\g1\s*(?:\+\+|\+=|=\s*\g1\s*\+))/ at /\+\+|\+=|=\s*\w+\s*\+/: Each thread has a variable of its own here, and all of them count it from the same number. Nothing is counted from thread to thread.
own_counter.zh: 这里每个线程都有自己的一个变量，都从同一个数开始计数。线程之间不会接着数。
block_number for all_equal when /^(?!.*\bthreadIdx\b).*\bblockIdx\b/ at /\bblockIdx\b/: blockIdx is the number of the block, and all threads are in one block here. Inside it each thread has another number.
block_number.zh: blockIdx 是线程块的编号，而这里所有线程都在同一个线程块里。线程在块内另有自己的编号。
grid_number for all_equal when /^(?!.*\bthreadIdx\b).*\bgridDim\b/ at /\bgridDim\b/: gridDim is how many blocks there are. That is the same for all threads.
grid_number.zh: gridDim 是线程块的个数，对所有线程都一样。
other_part for all_equal when /^(?!.*\.\s*x\b).*\.\s*[yz]\b/ at /\.\s*[yz]\b/: The threads of this block stand in one direction, x. The numbers in y and z are 0 in all of them.
other_part.zh: 这个线程块中的线程只沿 x 方向排列，y 和 z 方向的编号对所有线程都是 0。
divided for all_equal or other or order when /\bthreadIdx\.x\s*\// at /\bthreadIdx\.x\s*\//: The number of the thread is divided here, and what is behind the point is thrown away: so many threads print the same.
divided.zh: 这里把线程编号做了整数除法，小数部分舍去了，所以许多线程打印的数相同。
begins_again for all_equal or other or order when /\bthreadIdx\.x\s*(?:%|&(?!&))/ at /\bthreadIdx\.x\s*(?:%|&)/: What is behind the number of the thread here lets it begin at 0 again. So some threads print the same.
begins_again.zh: 线程编号后面的运算使它又从 0 开始，所以有的线程打印的数相同。
counted for other or order or race_update or all_equal or race_in_block or race_same_place or shifted or from_one when /^(?=.*(?:\bstatic\b|__shared__|__device__|atomic)|(?!.*threadIdx)).*(?:\+\+|\+=|atomic(?:Add|Inc)|\b(\w+)\s*=\s*\g1\s*\+)/ at /\+\+|\+=|atomic(?:Add|Inc)|\b(\w+)\s*=\s*\g1\s*\+/: A thread does not count: all threads run at once, and which comes first is not said. Each one knows its number.
counted.zh: 线程不用计数：所有线程同时执行，没有先后之分。每个线程都知道自己的编号。
all_equal at /printf/: All {threads} threads print {got}. Each thread has its own threadIdx.x.
all_equal.zh: {threads} 个线程都打印 {got}。每个线程有自己的 threadIdx.x。
number_of_threads at /printf/: All threads print {got}, which is how many there are. That is blockDim.x; which variable has the thread's own number?
number_of_threads.zh: 所有线程都打印 {got}，那是线程的个数，即 blockDim.x。线程自己的编号在哪个变量里？
shifted at /printf/: The numbers are all too large by {more}: thread 0 prints {got}. Which number has the first thread?
shifted.zh: 所有的数都大了 {more}：线程 0 打印了 {got}。第一个线程的编号是几？
from_one at /printf/: The numbers begin with 1. In CUDA the first thread is number 0.
from_one.zh: 编号从 1 开始了。在 CUDA 中，第一个线程的编号是 0。
loop at /for|while|printf/: Each of the {threads} threads prints all the numbers. The kernel runs once for each thread, so one number in each is enough.
loop.zh: {threads} 个线程各自打印了全部编号。核函数由每个线程各执行一次，每次打印一个数就够了。
by_few at /\bif\b|\b(?:for|while)\b|\?|printf/: The numbers are right, but only {printing} of the {threads} threads printed them. Each thread prints one number, its own.
by_few.zh: 编号是对的，但 {threads} 个线程中只有 {printing} 个在打印。每个线程只打印一个数，即自己的编号。
repeated at /for|while|printf/: Each thread prints its own number, but {times} times. Once is enough.
repeated.zh: 每个线程打印的是自己的编号，但打印了 {times} 次。打印一次就够了。
no_wait for passed when main /^(?!.*(?:Synchronize|cudaDeviceReset|cudaMemcpy|cudaFree)).*<<</ at /<<</: The kernel is right, but main ends without waiting for it. Then nothing is printed.
no_wait.zh: 核函数是对的，但 main 没有等它执行完就结束了，那样什么也打印不出来。
too_many at /printf/: There are {threads} threads, and more numbers than that. Print one number in each thread, and nothing else.
too_many.zh: 只有 {threads} 个线程，打印的数却更多。每个线程只打印一个数。
too_few at /if/: There are {threads} threads, but fewer numbers. Which threads do not come to the printf?
too_few.zh: 有 {threads} 个线程，打印的数却更少。哪些线程没有执行到 printf？
return_first for nothing when /\breturn\s*;.*\bprintf\b/ at /\breturn\b/: This return ends the thread before it comes to the printf.
return_first.zh: 线程还没有执行到 printf，就在这个 return 结束了。
nothing: The kernel prints nothing. Is the printf still there?
nothing.zh: 核函数没有打印任何内容。printf 还在吗？
no_number at /printf/: There is text, but no number in it. A %d in the text stands for the number after the comma.
no_number.zh: 打印了文字，但没有数字。格式串中的 %d 对应逗号后面的数。
order at /printf/: All the numbers are there, but not each at its own thread. Thread 0 prints {got}.
order.zh: 编号都有，但不是各自线程的编号：线程 0 打印了 {got}。
multiple at /printf/: The numbers grow by more than 1 from thread to thread. What else stands there beside the number of the thread?
multiple.zh: 相邻线程的数相差不是 1。除了线程编号，还用到了什么？
other at /printf/: These are not the numbers 0, 1, 2 and so on, one from each thread. Print threadIdx.x as it is, with %d.
other.zh: 打印的不是 0、1、2……这样每个线程一个的编号。请用 %d 直接打印 threadIdx.x。

//== wrong stub_again: all_equal
    printf("%d\n", 0);
//== wrong block_number: block_number
    printf("%d\n", blockIdx.x);
//== wrong constant: all_equal
    printf("%d\n", 3);
//== wrong size_of_block: number_of_threads
    printf("%d\n", blockDim.x);
//== wrong begins_with_one: from_one
    printf("%d\n", threadIdx.x + 1);
//== wrong with_loop: loop
    for (int i = 0; i < blockDim.x; ++i)
    {
        printf("%d\n", i);
    }
//== wrong four_lines: loop
    printf("0\n1\n2\n3\n");
//== wrong only_first: too_few
    if (threadIdx.x == 0)
    {
        printf("%d\n", threadIdx.x);
    }
//== wrong no_percent: no_number
    printf("threadIdx.x\n");
//== wrong empty: nothing
//== wrong backwards: counted_down
    printf("%d\n", blockDim.x - 1 - threadIdx.x);
//== wrong times: multiple
    printf("%d\n", threadIdx.x * blockDim.x);
//== wrong whole: whole
    printf("%d\n", threadIdx);
//== wrong whole_in_variable: whole
    const uint3 me = threadIdx;
    printf("I am %d\n", me);
//== wrong two_numbers: too_many
    printf("%d %d\n", blockIdx.x, threadIdx.x);
//== wrong another_part: other_part
    printf("%d\n", threadIdx.y);
//== wrong wrong_name: spelled
    printf("%d\n", threadidx.x);
//== wrong no_semicolon: no_semicolon
    printf("%d\n", threadIdx.x)

//== wrong no_end_of_line: stuck
    printf("%d", threadIdx.x);
//== wrong as_float: format
    printf("%f\n", threadIdx.x);
//== wrong by_address: address
    printf("%d\n", &threadIdx.x);
//== wrong counter: counted
    static int i = 0;
    printf("%d\n", i++);
//== wrong no_comma: expected
    printf("%d\n" threadIdx.x);
//== wrong stream: cout
    std::cout << threadIdx.x;

//== wrong blanks: one_line
    printf("%d ", threadIdx.x);
//== wrong other_slash: slash_n
    printf("%d/n", threadIdx.x);
//== wrong number_in_warp: lane
    printf("%d\n", threadIdx.x % 32);
//== wrong atomic_counter: counted (whole file)
//- __global__
//+ __device__ int counter = 0;
//+ __global__

//- threadIdx.x
//+ atomicAdd(&counter, 1)
//== wrong stream_included: cout (whole file)
//- <stdio.h>
//+ <iostream>
//- printf("%d\n", threadIdx.x)
//+ std::cout << threadIdx.x << std::endl
//== wrong unset: no_value
    int tid;
    printf("%d\n", tid);
//== wrong no_number_given: nothing_behind
    printf("%d\n");
//== wrong chain_of_ifs: one_by_one
    if (threadIdx.x == 0)
        printf("0\n");
    else if (threadIdx.x == 1)
        printf("1\n");
    else if (threadIdx.x == 2)
        printf("2\n");
    else if (threadIdx.x == 3)
        printf("3\n");

//== wrong first_prints_all: by_few
    if (threadIdx.x == 0)
    {
        for (int i = 0; i < blockDim.x; ++i)
        {
            printf("%d\n", i);
        }
    }
//== wrong first_prints_a_text: by_few
    if (threadIdx.x == 0)
    {
        printf("0\n1\n2\n3\n");
    }
//== wrong local_counter: own_counter
    int i = 0;
    printf("%d\n", i);
    i++;
//== wrong shared_counter: counted
    __shared__ int count;
    count = 0;
    __syncthreads();
    printf("%d\n", count);
    count = count + 1;
//== wrong number_of_blocks: grid_number
    printf("%d\n", gridDim.x);
//== wrong warp_number: divided
    printf("%d\n", threadIdx.x / 32);
//== wrong of_four: begins_again
    printf("%d\n", threadIdx.x % 4);
//== wrong behind_the_block: shifted
    printf("%d\n", blockDim.x + threadIdx.x);
//== wrong down_to_one: counted_down
    printf("%d\n", blockDim.x - threadIdx.x);
//== wrong address_of_variable: address
    int id = threadIdx.x;
    printf("%d\n", &id);
//== wrong four_times: repeated
    for (int i = 0; i < 4; ++i)
    {
        printf("%d\n", threadIdx.x);
    }
//== wrong returned: return_first
    int id = threadIdx.x;
    return;
    printf("%d\n", id);
//== wrong single_quotes: single_quotes
    printf('%d\n', threadIdx.x);
//== wrong no_text: no_text
    printf(threadIdx.x);
//== wrong in_quotes: in_quotes
    printf("%d\n", "threadIdx.x");
//== wrong plus: plus_for_comma
    printf("%d\n" + threadIdx.x);
//== wrong two_places: more_places
    printf("%d %d\n", threadIdx.x);
//== wrong product_with_block: times_block
    int id = blockIdx.x * threadIdx.x;
    printf("%d\n", id);
//== wrong host_function: no_device (whole file)
//- threadIdx.x
//+ me()
//- __global__
//+ int me() { return threadIdx.x; }
//+ __global__
//== wrong two_angles: angles_of_main (whole file)
//- <<<1, 4>>>
//+ <<1, 4>>
//== wrong no_wait: no_wait (whole file)
//- return cudaDeviceSynchronize();
//+ return 0;
//== wrong no_launch: called_kernel (whole file)
//- hello<<<1, 4>>>();
//+ hello();

//== right new_line_first
    printf("\n%d", threadIdx.x);
//== right with_words
    printf("Thread %d\n", threadIdx.x);
//== right by_variable
    const int tid = threadIdx.x;
    printf("%d\n", tid);
//== right of_variable
    const uint3 me = threadIdx;
    printf("%d\n", me.x);
//== right found_by_loop
    for (int i = 0; i < blockDim.x; ++i)
    {
        if (i == threadIdx.x)
        {
            printf("%d\n", i);
        }
    }
//== right in_grid
    int n = blockIdx.x * blockDim.x + threadIdx.x;
    printf("I am thread %i.\n", n);
#endif
