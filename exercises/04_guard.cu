// 04_guard: a thread without an element does nothing
// 04_guard.zh: 没有元素的线程什么也不做
//
// Kind: write
// Chapter: 3
// Program: ch03_framework/add3if.cu
// Book: 3.2.6
// Compile: -O0 -DJUDGED_WRITES=8 -Wl,--wrap=__tsan_write8
// Goal: The kernel adds two arrays of N numbers. The grid is rounded up to whole blocks of 128 threads,
//   so with N = 1000 there are 24 more threads than numbers. Let each thread with an element add, and
//   the others do nothing.
// Goal.zh: 核函数把两个长为 N 的数组相加。网格按每块 128 个线程向上取整，所以 N = 1000 时线程比元素多 24 个。
//   让有元素的线程做加法，其余的线程什么也不做。
// Hint 1: The arrays end at element N - 1. The last block has threads whose n is larger than that.
// Hint 1.zh: 数组的最后一个元素是 N - 1，而最后一个线程块中有些线程的 n 比它大。
// Hint 2: A kernel is an ordinary function: a thread may skip a line by an if. Which threads have an
//   element is a question to n and N.
// Hint 2.zh: 核函数和普通函数一样，线程可以用 if 跳过一行。哪些线程有元素，要看 n 和 N。
// Hint 3: Put the addition into an if. Try its condition by hand for N = 5 with n = 4 and n = 5.
// Hint 3.zh: 把加法放进一个 if 里。取 N = 5，用 n = 4 和 n = 5 手算一下这个条件。
// After: Only whole blocks can be launched, so nearly every kernel has this if. On a card it costs one
//   comparison, and only the warp at the end has lanes that wait. Without it the kernel writes into what lies
//   behind the array: often nothing happens, until another array lies there. See
//   ch03_framework/add3if.cu, and grid-stride.cu for a loop that does without.
// After.zh: 核函数只能以整个线程块启动，所以几乎每个核函数都有这个 if。它在显卡上只是一次比较，只有末尾的
//   线程束中有线程空等。没有它，核函数就会写到数组后面的内存里：多数时候什么也看不出来，直到那里放了
//   别的数组。见 ch03_framework/add3if.cu，以及不需要它的循环写法 grid-stride.cu。

#include <stdio.h>

__global__ void add(const double *x, const double *y, double *z, int N)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    //[
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
    //| z[n] = x[n] + y[n]; // not in each thread
    //zh z[n] = x[n] + y[n]; // 不是每个线程都做
    //]
}

int main(void)
{
    const int N = 1000, bytes = N * sizeof(double);
    double *x, *y, *z;
    cudaMallocManaged((void **)&x, bytes);
    cudaMallocManaged((void **)&y, bytes);
    cudaMallocManaged((void **)&z, bytes);
    for (int n = 0; n < N; ++n)
    {
        x[n] = n;
        y[n] = 2 * n;
    }
    add<<<(N + 127) / 128, 128>>>(x, y, z, N);
    cudaDeviceSynchronize();
    printf("z[0] = %g, z[%d] = %g\n", z[0], N - 1, z[N - 1]);
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    return 0;
}

#if 0
//== child
static void run_case()
{
    const int N = judged::number(0), block = judged::number(1), blocks = judged::number(2);
    double *x = judged::on_device<double>(0), *y = judged::on_device<double>(1), *z = judged::on_device<double>(2);
    judged::watch_writes(z, 2, 3);
    add<<<blocks, block>>>(x, y, z, N);
    cudaDeviceSynchronize();
    judged::watch_writes(NULL, 2, 3);
    judged::from_device(0, x);
    judged::from_device(1, y);
    judged::from_device(2, z);
}

//== judge
#include "judge.h"

static void add(long N, long block)
{
    Case *c = add_case({N, block, (N + block - 1) / block});
    // (Negative ones, too, and none that fits a float. Sums of two are exact.)
    double *x = input<double>(c, N), *y = input<double>(c, N);
    for (long n = 0; n < N; ++n)
    {
        x[n] = (n % 3 == 0 ? -x[n] : x[n]) + 1 / 1073741824.0;
        y[n] = (n % 3 == 0 ? -y[n] : y[n]) + 3 / 1073741824.0;
    }
    output<double>(c, N);
    notes(c, N + block);
}

static void prepare()
{
    add(1000, 128);
    add(1024, 128); // no thread is left over
    add(random_number(130, 900), 128);
    const long sizes[] = {1, 31, 32, 33, 127, 129, 1025};
    for (const long N : sizes)
    {
        add(N, 128);
    }
    add(random_number(500, 999), 96);
    add(random_number(2, 31), 32);
}

static void look(const Case *c)
{
    const long N = c->number[0], block = c->number[1], blocks = c->number[2], threads = block * blocks;
    const double *x = array<double>(c, 0), *y = array<double>(c, 1), *z = array<double>(c, 2);
    long num_untouched = 0, first_untouched = -1;
    bool only_x = true, only_y = true, product = true, difference = true, added = true, as_float = true, no_sign = true,
         as_int = true, doubled = true;
    for (long n = N - 1; n >= 0; --n)
    {
        if (is_untouched(z[n]))
        {
            ++num_untouched;
            first_untouched = n;
            continue;
        }
        only_x = only_x && z[n] == x[n];
        only_y = only_y && z[n] == y[n];
        product = product && z[n] == x[n] * y[n];
        as_float = as_float && fabs(z[n] - x[n] - y[n]) < 0.01;
        no_sign = no_sign && (z[n] == fabs(x[n] + y[n]) || z[n] == fabs(x[n]) + fabs(y[n]));
        as_int = as_int && z[n] == floor(z[n]) && fabs(z[n] - x[n] - y[n]) < 2;
        doubled = doubled && (z[n] == 2 * x[n] || z[n] == 2 * y[n]);
        difference = difference && z[n] == x[n] - y[n];
        added = added && z[n] == x[n] + y[n];
    }
    if (num_untouched == 0 && added)
    {
        if (with_several(c, 3) > 0)
        {
            wrong("one_thread");
        }
        return;
    }
    value("N", "%ld", N);
    value("threads", "%ld", threads);
    value("block", "%ld", block);
    value("i", "%ld", first_untouched);
    value("n", "%ld", first_untouched);
    value("num", "%ld", num_untouched);
    value("last", "%ld", N - 1);
    if (num_untouched == N && N > 1)
    {
        wrong("nothing");
    }
    else if (!added)
    {
        long i = 0;
        while (is_untouched(z[i]) || z[i] == x[i] + y[i])
        {
            ++i;
        }
        value("i", "%ld", i);
        value("got", "%s", text_of(z[i]));
        value("want", "%s", text_of(x[i] + y[i]));
        if (z[i] == before<double>(c, 2)[i] + x[i] + y[i])
        {
            wrong("on_top");
        }
        wrong(only_x || only_y ? "no_sum" : as_int ? "as_int" : doubled ? "doubled" : as_float ? "as_float" : no_sign ? "no_sign" : product || difference ? "other_sign" : "other");
    }
    else if (num_untouched == 1 && first_untouched == N - 1)
    {
        wrong("one_too_few");
    }
    else if (num_untouched == 1 && first_untouched == 0)
    {
        wrong("first_left_out");
    }
    else if (N % block != 0 && first_untouched == N / block * block && num_untouched == N % block)
    {
        wrong("last_block");
    }
    else if (N > block && first_untouched == block && num_untouched == N - block)
    {
        wrong("only_first_block");
    }
    else
    {
        wrong(first_untouched > 0 && num_untouched == N - first_untouched ? "rest" : "left_out");
    }
}

//== time
static double *x, *y, *z;
static size_t size;

static void set_up()
{
    size = timed::elements(3 * sizeof(double)) - 1;
    x = (double *)timed::memory(size * sizeof(double));
    y = (double *)timed::memory(size * sizeof(double));
    z = (double *)timed::memory(size * sizeof(double));
}
static void run_once() { add<<<(size + 127) / 128, 128>>>(x, y, z, size); }
static double bytes_moved() { return 3.0 * sizeof(double) * size; }

//== says
past_end at /z\[/: Thread {thread} of block {block} {how} past the end of the arrays: they end at element N - 1, and there are more threads than elements.
past_end.zh: 线程块 {block} 的线程 {thread} 在数组末尾之后{how}：数组到元素 N - 1 为止，而线程比元素多。
element_first for past_end when /if\s*\(\s*[xyz]\[/ at /\bif\b/: The condition looks at the element itself, which thread {thread} of block {block} does not have. Ask n.
element_first.zh: 条件看的是元素本身，而线程块 {block} 的线程 {thread} 没有元素。要看的是 n。
constant_place for other or left_out or rest or nothing or no_sum or race_same_place or race_in_block or race_between_blocks or doubled or one_too_few when /\b[xyz]\s*\[\s*\d+\s*\]/ at /\b[xyz]\s*\[\s*\d+\s*\]/: With a fixed number in the brackets it is the same element for all threads. Each thread has element n.
constant_place.zh: 方括号里是固定的数，所有线程用的就是同一个元素。每个线程的元素是 n。
not_first for past_end or rest or left_out or nothing or only_first_block or one_too_few when /!\s*\w+\s*(?:[<>]=?|==)/ at /!\s*\w+\s*(?:[<>]=?|==)/: ! comes before the comparison: it turns the number, and not what the comparison says.
not_first.zh: ! 先于比较运算：它作用在这个数上，而不是作用在比较的结果上。
part_of_N for rest or left_out when /<=?\s*N\s*(?:\/|>>)\s*\w+(?!\s*\*)/ at /N\s*(?:\/|>>)/: n is compared with a part of N only. The array has N elements.
part_of_N.zh: 这里只拿 n 和 N 的一部分作了比较，而数组有 N 个元素。
asserted for cuda_error when /\bassert\s*\(/ at /\bassert\s*\(/: Where the condition of an assert is not true, the whole kernel ends with an error. Threads without an element shall do nothing.
asserted.zh: assert 的条件不成立时，整个核函数会报错终止。没有元素的线程应该什么也不做。
at_N for past_end when /\b[xyz]\s*\[\s*N\s*\]/ at /\b[xyz]\s*\[\s*N\s*\]/: N is how many elements there are, the same for all threads, and no element has this number. Which number tells which element a thread has?
at_N.zh: N 是元素的个数，对所有线程都一样，而且没有编号为 N 的元素。哪个量说明线程对应哪个元素？
ternary for past_end when /\bz\s*\[[^\]=;]*\]\s*=[^=;][^;]*\?[^;]*:/ at /\?/: The ? decides what is written, and each thread writes: also thread {thread} of block {block}, which has no element.
ternary.zh: 问号 ? 决定的是写什么，而每个线程都会写：没有元素的线程（线程块 {block} 的线程 {thread}）也不例外。
empty_if for past_end when /\bif\s*(\((?:[^();{}]++|(?1))*\))\s*\{\s*\}/ at /\bif\b/: Nothing stands in the braces of this if. Thread {thread} of block {block} goes on with the next line, and has no element.
empty_if.zh: 这个 if 的大括号里什么也没有。线程块 {block} 的线程 {thread} 没有元素，却接着执行了下一行。
only_equal for past_end when /\bif\s*\(\s*(?:\w+\s*==\s*N|N\s*==\s*\w+)\s*\)(?!\s*\{?\s*return)/ at /==/: This is true for n = N only, and no element has this number. Which n have one?
only_equal.zh: 这个条件只对 n = N 成立，而没有编号为 N 的元素。哪些 n 有元素？
with_itself for past_end or nothing or rest or left_out when /\b(\w+)\s*[<>]=?\s*\g1\b(?!\s*[-+*\/.(\[])/ at /\b(\w+)\s*[<>]=?\s*\g1\b/: Here a number is compared with itself. n and N are two names.
with_itself.zh: 这里把一个数和它自己作了比较。n 和 N 是两个不同的名称。
otherwise for past_end when /\belse\b/ at /\belse\b/: The threads without an element have an else: thread {thread} of block {block} writes there past the end of the arrays. They shall do nothing.
otherwise.zh: 没有元素的线程执行了 else：线程块 {block} 的线程 {thread} 在那里写到了数组末尾之后。它们应该什么也不做。
neighbour for past_end or before_start or other when /\b[xyz]\s*\[\s*\w+\s*[-+]/ at /\b[xyz]\s*\[\s*\w+\s*[-+]/: The index here is not n itself. Element n of z is the sum of elements n of x and y.
neighbour.zh: 这里的下标不是 n 本身。z 的第 n 个元素是 x 和 y 的第 n 个元素的和。
only_N for past_end when /\b\w+\s*!=\s*N\b|N\s*!=\s*\w|\bif\s*\(\s*\w+\s*==\s*N\s*\)\s*\{?\s*return/ at /!=|\bif\b/: Only n = N is kept out. Thread {thread} of block {block} has a larger n, and is let through.
only_N.zh: 这样只挡住了 n = N。线程块 {block} 的线程 {thread} 的 n 更大，却放行了。
no_comparison for past_end or rest or left_out or nothing or one_too_few or first_left_out or last_block or only_first_block or race_same_place when /\bif\s*\(\s*(?:\w+\s*[&|,^]\s*N|N\s*[&|,^]\s*\w+|N|n)\s*\)/ at /\bif\b/: This condition does not compare n with N. Is n less, equal or more: which sign asks that?
no_comparison.zh: 这个条件没有拿 n 和 N 比较大小。比较大小要用哪种运算符？
of_block for race_between_blocks or race_same_place or nothing or other or rest or only_first_block or left_out or past_end when /\bz\s*\[\s*threadIdx\.x\s*\]|[;{}]\s*(?:const\s+)?\w+\s+(\w+)\s*=\s*threadIdx\.x\s*;.*\bz\s*\[\s*\g1\s*\]/ at /\bz\s*\[/: threadIdx.x begins at 0 in each block, so all blocks write the same elements of z here. Which number tells which element a thread has?
of_block.zh: threadIdx.x 在每个线程块中都从 0 开始，所以这里所有线程块写的是 z 的同一批元素。哪个量说明线程对应哪个元素？
x_is_const for read_only or compile when /\b[xy]\s*\[[^\]]*\]\s*[-+*\/]?=(?!=)/ at /\b[xy]\s*\[[^\]]*\]\s*[-+*\/]?=(?!=)/: x and y are const here: they are only read. Where does the sum go?
x_is_const.zh: 这里的 x 和 y 是 const，只能读取。和应该写到哪里？
all_threads for past_end when /if\s*\([^)]*gridDim/ at /gridDim/: gridDim.x * blockDim.x is the number of threads, and each n is less than that. How many elements are there?
all_threads.zh: gridDim.x * blockDim.x 是线程总数，每个 n 都比它小。元素有多少个？
block_only for past_end when /if\s*\([^)]*blockIdx/ at /\bif\b/: The condition asks for the block. In the last block some threads have an element and some have none.
block_only.zh: 条件判断的是线程块。最后一个线程块中，有的线程有元素，有的没有。
of_pointer for rest or left_out or nothing or past_end when /sizeof/ at /sizeof/: sizeof of a pointer is the size of the pointer itself. How many elements the array has is in N.
of_pointer.zh: 对指针用 sizeof，得到的是指针本身的大小。数组有多少个元素，N 已经给出。
one_thread at /\b(?:for|while|do|goto)\b|z\[/: The sums are right, but a thread adds several elements here, and others with an element add none. Each thread with an element adds its own.
one_thread.zh: 和是对的，但这里有的线程加了好几个元素，别的有元素的线程却一个也没有加。每个有元素的线程加自己的那一个。
each_block for race_same_place when /\bfor\s*\([^;]*=\s*threadIdx\.x\s*;/ at /\bfor\b/: Each block goes through all the elements here, so each element is added by every block. A thread has one element, number n.
each_block.zh: 这里每个线程块都把所有元素处理了一遍，每个元素被所有线程块各加了一次。一个线程只有一个元素，编号为 n。
each_all for race_same_place when /\bfor\s*\(\s*int\s+\w+\s*=\s*0/ at /\bfor\b/: Each thread adds all the elements here. A thread has one element, number n, so it needs no loop.
each_all.zh: 这里每个线程都把所有元素加了一遍。一个线程只有一个元素，编号为 n，不需要循环。
over_others for race_same_place or race_in_block or race_between_blocks when /\b(?:for|while|do)\b\s*(?:(\((?:[^()]++|(?1))*\))\s*)?(?:\{[^{}]*(?:\bz\s*\[|\*\s*\(?\s*z\b)|[^;{}]*(?:\bz\s*\[|\*\s*\(?\s*z\b))/ at /\b(?:for|while|do)\b/: In this loop a thread adds elements that other threads add, too. A thread has one element, number n, so it needs no loop.
over_others.zh: 在这个循环里，一个线程加了别的线程也在加的元素。一个线程只有一个元素，编号为 n，不需要循环。
race_same_place at /z\[/: Threads without an element work on another thread's element here. They shall do nothing.
race_same_place.zh: 没有元素的线程在这里处理了别的线程的元素。它们应该什么也不做。
semicolon for past_end when /\bif\s*(\((?:[^();{}]++|(?1))*\))\s*;/ at /\bif\b/: The ; behind the condition ends the if here: what follows is done by every thread.
semicolon.zh: 条件后面的分号 ; 使 if 到此为止：后面的语句每个线程都会执行。
more_than_N for past_end when /<=?\s*N\s*\+\s*(?!1\b)\w/ at /<=?\s*N\s*\+/: Something is added to N here, so threads without an element are let through. The last element has the number N - 1.
more_than_N.zh: 这里给 N 加了一个数，于是放行了没有元素的线程。最后一个元素的编号是 N - 1。
one_too_many for past_end when /\b\w+\s*<=\s*N\b(?!\s*-)|\bN\s*>=\s*\w+\b|\b\w+\s*>\s*N\s*\)+\s*\{?\s*return|\bN\s*<\s*\w+\s*\)+\s*\{?\s*return|!\s*\(\s*\w+\s*>\s*N\s*\)|!\s*\(\s*N\s*<\s*\w+\s*\)|\bN\s*-\s*\w+\s*>=\s*0|\b\w+\s*-\s*N\s*<=\s*0|<\s*N\s*\+\s*1\b|\w\s*-\s*1\s*<\s*N\b|\breturn\s+\w+\s*<=\s*\w+\s*;/ at /(?:[<>]=?|>=)\s*N\b|\bN\s*[<>]|<=|\b0\b/: Thread {thread} of block {block} has n = N, and is let through. The last element has the number N - 1.
one_too_many.zh: 线程块 {block} 的线程 {thread} 的 n 等于 N，条件却放行了。最后一个元素的编号是 N - 1。
either for past_end when /\bif\s*\([^;{}]*\|\|[^;{}]*\)(?!\s*\{?\s*return)/ at /\|\|/: || lets a thread through if one of the two sides is true. One of them is true for thread {thread} of block {block}, too.
either.zh: 用 || 时，两边只要有一边成立就放行。对线程块 {block} 的线程 {thread}，也有一边成立。
return_late for past_end when /z\[n\].*return/ at /return/: The return comes after the addition. By then thread {thread} of block {block} has already gone past the end of the arrays.
return_late.zh: return 在加法之后。到那时，线程块 {block} 的线程 {thread} 已经越过了数组末尾。
write_before for past_end when /\bz\s*\[[^\]]*\]\s*=[^=;{}][^;{}]*;[^{}]*\bif\s*\([^;{}]*\bN\b/: This line stands before your condition: each thread does it, also thread {thread} of block {block}, which has no element.
write_before.zh: 这一行在条件之前：每个线程都会执行，没有元素的线程（线程块 {block} 的线程 {thread}）也不例外。
before_condition for past_end when /(?:=|^)[^=;{}]*\b[xy]\s*\[\s*\w+\s*\][^;{}]*;[^{}]*\bif\s*\([^;{}]*\bN\b/: This read stands before your condition, or outside of it: each thread does it, also thread {thread} of block {block}, which has no element.
before_condition.zh: 这一行的读取在条件之前，或者不受条件限制：每个线程都会执行，没有元素的线程（线程块 {block} 的线程 {thread}）也不例外。
turned for past_end when /\bif\s*\(\s*(?:\w+\s*<=?\s*N\s*\)\s*\{?\s*return\b|(?:\w+\s*>=?\s*N|N\s*<=?\s*\w+)\s*\)\s*(?:\{[^{}]*\bz\s*\[|[^{};]*\bz\s*\[))/ at /\bif\b/: The condition is the other way round: it lets through thread {thread} of block {block}, which has no element.
turned.zh: 条件反了：它放行了没有元素的线程（线程块 {block} 的线程 {thread}）。
second_line for past_end when /\bif\s*\((?:[^();{}]|\([^();{}]*\))*\bN\b(?:[^();{}]|\([^();{}]*\))*\)\s*(?![{;\s]|return\b)[^;{}]*;\s*[^;{}]*\b[xyz]\s*\[/: Without braces an if is about one statement. This one is the next, and each thread does it: also thread {thread} of block {block}, which has no element.
second_line.zh: 没有大括号时，if 只管一条语句。这里是下一条，每个线程都会执行：没有元素的线程（线程块 {block} 的线程 {thread}）也不例外。
fixed for rest or left_out or past_end or nothing or last_block or one_too_few when /(?:\bif\s*\(|\?|&&|\|\|)[^;{}]*(?:[<>]=?|==|!=)\s*(?:[2-9]|[1-9]\d+)\b(?!\s*[*\/%.])|(?<![\w.])(?:[1-9]\d{2,})\s*(?:[<>]=?|==|!=)|[<>]=?\s*(?:\d+e\d|\d+\.)|[<>]=?(?:(?!\bN\b)[^;{}()&|?])*(?<![\w.])(?:[1-9]\d+)\b|#\s*define\s+(\w+)\s+\(?\d{2,}.*[<>]=?\s*\g1\b|\b(\w+)\s*=\s*\d{2,}\s*;.*[<>]=?\s*\g2\b/ at /(?:[<>]=?|==|!=)\s*(?:[2-9]|[1-9]\d+)\b|\b[1-9]\d+\s*[<>]|[<>]=?\s*(?:\d+e\d|\d+\.)|(?:\bif\b|\?|[<>]).*(?<![\w.])[1-9]\d|=\s*\d{2,}\s*;|\bif\b/: The number in this condition fits one N only, and N may be any number.
fixed.zh: 条件里的这个数只适合某一个 N，而 N 可以是任何数。
thread_only for past_end when /if\s*\([^)]*threadIdx/ at /\bif\b/: threadIdx.x begins at 0 in each block, so it says nothing of the end of the array. Which number tells which element a thread has?
thread_only.zh: threadIdx.x 在每个线程块中都从 0 开始，看不出是否到了数组末尾。哪个量说明线程对应哪个元素？
one_too_few at /\bif\b|\?|while/: Element {i}, the last one, is not added. Which n does it have, and what does your condition say to it?
one_too_few.zh: 最后一个元素 {i} 没有相加。它的 n 是多少？你的条件对它成立吗？
first_left_out at /\bif\b|\?|while/: Element 0 is not added. What does your condition say to n = 0?
first_left_out.zh: 元素 0 没有相加。n = 0 时你的条件成立吗？
last_block at /\bif\b|return/: With N = {N} the last block adds nothing, from element {i} on. It has threads with elements, too: ask for each thread, not for its block.
last_block.zh: N = {N} 时，最后一个线程块从元素 {i} 起什么也没有算。它里面也有带元素的线程：要对每个线程判断，不是对线程块判断。
only_first_block at /\bif\b|return/: Only the first {i} elements are added, those of block 0. Which number tells a thread apart from those of the other blocks?
only_first_block.zh: 只有前 {i} 个元素（线程块 0 的）相加了。哪个量能把一个线程和其他线程块的线程区别开？
rest at /\bif\b|return/: With N = {N}, from element {i} on nothing is added. What does your condition say to n = {n}?
rest.zh: N = {N} 时，从元素 {i} 起没有相加。n = {n} 时你的条件成立吗？
left_out at /\bif\b|return/: With N = {N}, {num} elements are not added, the first of them {i}. What does your condition say to n = {n}?
left_out.zh: N = {N} 时有 {num} 个元素没有相加，第一个是元素 {i}。n = {n} 时你的条件成立吗？
nothing at /\bif\b|return/: No element is added, with N = {N}. For which n is your condition true?
nothing.zh: N = {N} 时没有任何元素相加。你的条件对哪些 n 成立？
on_top at /\+=/: Element {i} was not 0 before, and the sum was added to what was there. z[n] shall become the sum.
on_top.zh: 元素 {i} 原来不是 0，和加到了原来的值上面。z[n] 应该等于这个和。
as_int at /\b(?:int|long)\s+\w+\s*=(?!\s*\(?\s*(?:block|thread))|\(\s*(?:int|long)\s*\)|\b(?:floor|ceil|l?l?r(?:ound|int)|trunc)\w*\s*\(|z\[/: Element {i} is {got}, and should be {want}: what is behind the point is lost. The arrays are of type double.
as_int.zh: 元素 {i} 是 {got}，应为 {want}：小数部分丢了。数组的类型是 double。
doubled at /z\[/: Element {i} is {got}: twice one of the two numbers, and not the sum of both.
doubled.zh: 元素 {i} 是 {got}：它是其中一个数的两倍，不是两个数的和。
as_float at /float|z\[/: Element {i} is not exact: the sum has lost digits. The arrays are of type double.
as_float.zh: 元素 {i} 不精确：和丢掉了一些位数。数组的类型是 double。
no_sign at /abs|z\[/: Element {i} has lost its sign: it is {got}, and should be {want}.
no_sign.zh: 元素 {i} 丢了符号：它是 {got}，应为 {want}。
no_sum at /z\[/: Element {i} is {got}, one of the two numbers and not their sum.
no_sum.zh: 元素 {i} 是 {got}，它是两个数中的一个，不是它们的和。
other_sign at /z\[/: Element {i} is {got}, and should be {want}. Look at the sign between the two numbers.
other_sign.zh: 元素 {i} 是 {got}，应为 {want}。看看两个数之间的运算符。
other at /z\[/: Element {i} is {got}, and should be {want}.
other.zh: 元素 {i} 是 {got}，应为 {want}。

//== wrong stub_again: past_end
    z[n] = x[n] + y[n];
//== wrong less_or_equal: one_too_many
//- if (n < N)
//+ if (n <= N)
//== wrong one_less: one_too_few
//- if (n < N)
//+ if (n < N - 1)
//== wrong not_zero: first_left_out
//- if (n < N)
//+ if (n > 0 && n < N)
//== wrong turned: turned
//- if (n < N)
//+ if (n > N)
//== wrong thread_only: thread_only
//- if (n < N)
//+ if (threadIdx.x < N)
//== wrong whole_blocks: last_block
//- if (n < N)
//+ if ((blockIdx.x + 1) * blockDim.x <= N)
//== wrong not_last_block: last_block
//- if (n < N)
//+ if (blockIdx.x < gridDim.x - 1)
//== wrong constant: fixed
//- if (n < N)
//+ if (n < 1000)
//== wrong block_size: only_first_block
//- if (n < N)
//+ if (n < blockDim.x)
//== wrong semicolon: semicolon
//- if (n < N)
//+ if (n < N);
//== wrong return_turned: turned
    if (n < N)
    {
        return;
    }
    z[n] = x[n] + y[n];
//== wrong return_late: return_late
    z[n] = x[n] + y[n];
    if (n >= N)
    {
        return;
    }
//== wrong equal: only_equal
//- if (n < N)
//+ if (n == N)
//== wrong never: nothing
//- if (n < N)
//+ if (n < 0)
//== wrong return_one_late: one_too_many
    if (n > N)
    {
        return;
    }
    z[n] = x[n] + y[n];
//== wrong assign: assigned_in_if
//- if (n < N)
//+ if (n = N)
//== wrong minus: other_sign
//- z[n] = x[n] + y[n];
//+ z[n] = x[n] - y[n];
//== wrong read_first: before_condition
    const double sum = x[n] + y[n];
    if (n < N)
    {
        z[n] = sum;
    }

//== wrong added_to: on_top
//- z[n] = x[n] + y[n];
//+ z[n] += x[n] + y[n];
//== wrong all_in_each: each_all
    for (int i = 0; i < N; ++i)
    {
        z[i] = x[i] + y[i];
    }
//== wrong first_thread_only: one_thread
    if (n == 0)
    {
        for (int i = 0; i < N; ++i)
        {
            z[i] = x[i] + y[i];
        }
    }
//== wrong others_return: one_thread
    if (n > 0) return;
    for (int i = 0; i < N; i++)
        z[i] = x[i] + y[i];
//== wrong first_block_only: one_thread
    if (blockIdx.x == 0)
    {
        for (int i = threadIdx.x; i < N; i += blockDim.x)
        {
            z[i] = x[i] + y[i];
        }
    }
//== wrong one_of_a_block: one_thread
    if (threadIdx.x == 0)
    {
        for (int i = n; i < n + blockDim.x && i < N; ++i)
        {
            z[i] = x[i] + y[i];
        }
    }
//== wrong by_another_name: one_thread
    const int me = n;
    if (!(me >= 1))
    {
        while (N-- > 0) z[N] = x[N] + y[N];
    }
//== wrong two_of_each: one_thread
    if (n % 2 == 0 && n < N)
    {
        z[n] = x[n] + y[n];
        if (n + 1 < N) z[n + 1] = x[n + 1] + y[n + 1];
    }
//== wrong all_in_each_block: each_block
    for (int i = threadIdx.x; i < N; i += blockDim.x)
    {
        z[i] = x[i] + y[i];
    }
//== wrong clamped: race_same_place
    const int m = min(n, N - 1);
    z[m] = x[m] + y[m];
//== wrong else_zero: otherwise
//- }
//+ }
//+ else
//+ {
//+     z[n] = 0;
//+ }
//== wrong size_of_pointer: of_pointer
//- if (n < N)
//+ if (n < sizeof(x))
//== wrong half_guarded: before_condition
    double s = 0;
    if (n < N) s = x[n];
    s += y[n];
    if (n < N) z[n] = s;
//== wrong of_floats: as_float
//- x[n] + y[n]
//+ (float)x[n] + (float)y[n]
//== wrong absolute: no_sign
//- x[n] + y[n]
//+ fabs(x[n] + y[n])
//== wrong into_x: x_is_const
//- z[n] =
//+ x[n] =
//== wrong only_N_returns: only_N
    if (n == N) return;
    z[n] = x[n] + y[n];
//== wrong and_bits: no_comparison
//- n < N
//+ n & N
//== wrong with_comma: no_comparison
//- n < N
//+ n, N
//== wrong place_in_block: of_block
//- z[n] =
//+ z[threadIdx.x] =
//== wrong place_N: at_N
//- z[n] = x[n] + y[n];
//+ z[N] = x[N] + y[N];
//== wrong one_side: either
//- n < N
//+ n >= 0 || n < N
//== wrong no_number_asked: no_comparison
//- n < N
//+ N
//== wrong with_itself: with_itself
//- n < N
//+ n < n
//== wrong not_more: one_too_many
//- n < N
//+ !(n > N)
//== wrong difference: one_too_many
//- n < N
//+ N - n >= 0
//== wrong empty_braces: empty_if
    if (n >= N)
    {
    }
    z[n] = x[n] + y[n];
//== wrong written_in_any_case: ternary
    z[n] = n < N ? x[n] + y[n] : 0;
//== wrong zero_first: write_before
    z[n] = 0;
    if (n < N) z[n] = x[n] + y[n];
//== wrong without_braces: second_line
    double s;
    if (n < N)
        s = x[n] + y[n];
        z[n] = s;
//== wrong half_in_if: second_line
    double a = 0;
    if (n < N) a = x[n];
    z[n] = a + y[n];
//== wrong block_and_thread: fixed
    if (blockIdx.x == 7 && threadIdx.x >= 104) return;
    z[n] = x[n] + y[n];
//== wrong whole_number: as_int
//- z[n] = x[n] + y[n];
//+ int s = x[n] + y[n];
//+ z[n] = s;
//== wrong x_and_x: doubled
//- x[n] + y[n]
//+ x[n] + x[n]
//== wrong stride_of_a_block: over_others
    for (int i = n; i < N; i += blockDim.x)
    {
        z[i] = x[i] + y[i];
    }
//== wrong from_n_on: over_others
    int i = n;
    while (i < N)
    {
        z[i] = x[i] + y[i];
        i++;
    }
//== wrong place_in_block_named: of_block
    if (n < N)
    {
        int i = threadIdx.x;
        z[i] = x[i] + y[i];
    }
//== wrong break_alone: no_loop
    if (n >= N) break;
    z[n] = x[n] + y[n];
//== wrong continue_alone: no_loop
    if (n >= N) continue;
    z[n] = x[n] + y[n];
//== wrong size_of_python: no_parts
//- n < N
//+ n < x.size()
//== wrong then: other_language
//- if (n < N)
//+ if (n < N) then
//== wrong sign_turned: signs_turned
//- n < N
//+ n =< N
//== wrong place_0: constant_place
//- z[n] = x[n] + y[n];
//+ z[0] = x[n] + y[n];
//== wrong not_before: not_first
    if (!n >= N) return;
    z[n] = x[n] + y[n];
//== wrong half_of_N: part_of_N
//- n < N
//+ n < N / 2
//== wrong asserted: asserted (whole file)
//- <stdio.h>
//+ <stdio.h>
//+ #include <assert.h>

//- if (n < N)
//+ assert(n < N);
//== wrong one_before: neighbour
//- z[n] =
//+ z[n - 1] =
//== wrong from_behind: neighbour
//- y[n]
//+ y[N - 1 - n]
//== wrong in_function: one_too_many (whole file)
//- n < N
//+ inside(n, N)

//- __global__
//+ __device__ bool inside(int i, int size) { return i <= size; }
//+ __global__
//== wrong a_block_more: more_than_N
//- n < N
//+ n < N + blockDim.x
//== wrong by_macro: fixed (whole file)
//- n < N
//+ n < LEN

//- __global__
//+ #define LEN 1000
//+ __global__
//== wrong by_constant: fixed
    const int size = 1000;
    if (n < size) z[n] = x[n] + y[n];
//== wrong computed: fixed
//- n < N
//+ n < blockDim.x * 7 + 104
//== right early_return
    if (n >= N)
    {
        return;
    }
    z[n] = x[n] + y[n];
//== right in_two_steps
//- z[n] = x[n] + y[n];
//+ z[n] = x[n];
//+ z[n] += y[n];
//== right stride
    for (int i = n; i < N; i += gridDim.x * blockDim.x)
    {
        z[i] = x[i] + y[i];
    }
//== right one_turn
    for (int i = n; i < N; i = N)
    {
        if (i != 0 || n == 0)
        {
            z[i] = x[i] + y[i];
        }
    }
//== right with_a_print
    if (n == 0) printf("begins\n");
    for (int i = n; i < N; i += gridDim.x * blockDim.x)
    {
        z[i] = x[i] + y[i];
    }
//== right searched
    for (int i = 0; i < N; ++i)
    {
        if (i == n)
        {
            z[i] = x[i] + y[i];
        }
    }
//== right question
    const int last = N - 1;
    if (!(n > last)) z[n] = y[n] + x[n];
#endif
