// 09_when: when does the host see the result?
// 09_when.zh: 主机什么时候看到结果？
//
// Kind: predict
// Chapter: 5
// Program: ch05_timing/add2gpu.cu
// Book: 5.1
// Goal: The kernel slow works for about 50 ms, and then writes 7. The host goes on after the launch, and
//   waits at some of its lines only. Read the function experiment, and type your five answers: what the
//   host finds, in which order the digits are printed, and how long a line takes.
// Goal.zh: 核函数 slow 工作大约 50 ms，然后写入 7。主机调用核函数后继续往下执行，只在某些行等待。请读函
//   数 experiment，填入五个答案：主机读到什么，数字按什么次序打印，一行代码用多长时间。
// Hint 1: Follow two things at once: which line the host has reached, and how far the device is. Only
//   few lines bring the two together.
// Hint 1.zh: 同时跟踪两件事：主机执行到哪一行，设备做到哪一步。只有少数几行让两者会合。
// Hint 2: A launch gives the device an order, and returns at once. So does cudaMemcpyAsync. The device
//   does its orders one after the other. cudaMemcpy and cudaDeviceSynchronize return when what was
//   ordered before is done.
// Hint 2.zh: 调用核函数只是给设备下达命令，随即返回；cudaMemcpyAsync 也是这样。
//   设备依次执行这些命令。函数 cudaMemcpy 和 cudaDeviceSynchronize 要等之前的命令都做完才返回。
// Hint 3: Write a time beside each line of experiment: 0 where the host does not wait for the kernel, 50
//   where it does. What the device prints is kept in a buffer, and shown where the host waits.
// Hint 3.zh: 在 experiment 的每一行旁边写上时间：主机不等核函数的写 0，要等的写 50。设备打印的内容先放
//   在缓冲区里，主机等待时才显示出来。
// After: So a clock around a launch alone measures a few microseconds, whatever the kernel does, and the
//   next copy seems to be slow. The timings of this suite let the device note the time by events, or
//   wait before they read the clock: see ch05_timing/add2gpu.cu and section 5.1 of the book. That the
//   host does not wait is no fault: it can work meanwhile, see ch12_streams/host-kernel.cu.
// After.zh: 所以只给核函数调用计时，不管核函数做什么，都只得到几微秒，后面的复制却显得很慢。本套程序用
//   事件让设备记下时间，或者先等待再读时钟：见 ch05_timing/add2gpu.cu 和书的 5.1 节。主机不等待并不是缺
//   点：它可以同时做别的事，见 ch12_streams/host-kernel.cu。

#include <stdio.h>
#include <time.h>

// -1: not answered yet.
//zh -1 表示还没有回答。
//[
static const int answer_1 = 1;
static const int answer_2 = 1324;
static const int answer_3 = 1;
static const int answer_4 = 0;
static const int answer_5 = 50;
//| static const int answer_1 = -1; // 1 or 7 or what?
//zh static const int answer_1 = -1; // 是 1、7，还是别的数？
//| static const int answer_2 = -1; // four digits as one number, such as 4321
//zh static const int answer_2 = -1; // 四个数字连成一个数，如 4321
//| static const int answer_3 = -1;
//| static const int answer_4 = -1; // in ms, rounded to tens
//zh static const int answer_4 = -1; // 单位为 ms，取整到十位
//| static const int answer_5 = -1; // in ms, rounded to tens
//zh static const int answer_5 = -1; // 单位为 ms，取整到十位
//]

// Works for so many clock cycles of the device, and then writes.
//zh 工作这么多个设备时钟周期，然后写入。
__global__ void slow(int *x, long long cycles)
{
    const long long start = clock64();
    while (clock64() - start < cycles)
    {
    }
    *x = 7;
}

__global__ void print(int digit) { printf("%d\n", digit); }

double host_clock(void) // in ms
//zh 单位为 ms
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e3 + t.tv_nsec * 1e-6;
}

void experiment(long long cycles, double *found)
{
    int *x, *d_x, copy;
    cudaMallocHost((void **)&x, sizeof(int)); // memory of the host that kernels can use, too
    //zh 核函数也能使用的主机内存
    cudaMalloc((void **)&d_x, sizeof(int));

    // Question 1: what does the host find in x?
    //zh 问题 1：主机在 x 中读到什么？
    *x = 1;
    slow<<<1, 1>>>(x, cycles);
    found[1] = *(volatile int *)x;
    cudaDeviceSynchronize();

    // Question 2: in which order do the four digits appear?
    //zh 问题 2：四个数字按什么次序出现？
    printf("1\n");
    print<<<1, 1>>>(2);
    printf("3\n");
    cudaDeviceSynchronize();
    printf("4\n");

    // Question 3: what does the host find in x?
    //zh 问题 3：主机在 x 中读到什么？
    *x = 1;
    slow<<<1, 1>>>(d_x, cycles);
    cudaMemcpyAsync(x, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    found[3] = *(volatile int *)x;
    cudaDeviceSynchronize();

    // Question 4: how long is it from clock_1 to clock_2?
    //zh 问题 4：从 clock_1 到 clock_2 有多长时间？
    const double clock_1 = host_clock();
    slow<<<1, 1>>>(d_x, cycles);
    const double clock_2 = host_clock();
    found[4] = clock_2 - clock_1;

    // Question 5: how long is it from clock_2 to clock_3?
    //zh 问题 5：从 clock_2 到 clock_3 有多长时间？
    cudaMemcpy(&copy, d_x, sizeof(int), cudaMemcpyDeviceToHost);
    const double clock_3 = host_clock();
    found[5] = clock_3 - clock_2;

    cudaFreeHost(x);
    cudaFree(d_x);
}

int main(void)
{
    const int answers[6] = {0, answer_1, answer_2, answer_3, answer_4, answer_5};
    double found[6] = {};
    experiment(100000000, found);
    for (int i = 1; i <= 5; ++i)
    {
        // Question 2 has answered itself above.
        //zh 问题 2 的答案在上面打印出来了。
        if (answers[i] >= 0 && i != 2)
        {
            printf("question %d: your answer is %d, and found is %.0f\n", i, answers[i], found[i]);
        }
    }
    return 0;
}

#if 0
//== child
static void run_case()
{
    setenv("CUDACPU_LATE", "1", 1); // nothing begins before the host waits
    const int answers[6] = {0, answer_1, answer_2, answer_3, answer_4, answer_5};
    memcpy(judged::array<int>(0), answers, sizeof(answers));
    experiment(3000000, judged::array<double>(1));
}

//== judge
#include "judge.h"

static void prepare()
{
    Case *c = add_case({});
    output<int>(c, 6);
    output<double>(c, 6);
}

// The four digits in the order of the lines that have nothing else; 0 if one of them is missing.
static int order_of(char *text)
{
    int order = 0, seen = 0;
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"))
    {
        if (strlen(line) == 1 && line[0] >= '1' && line[0] <= '4' && (seen >> (line[0] - '0') & 1) == 0)
        {
            order = 10 * order + line[0] - '0';
            seen |= 1 << (line[0] - '0');
        }
    }
    return seen == 30 ? order : 0;
}

// Whether a number has each of the digits 1 to 4 once.
static bool has_four_digits(int number)
{
    int seen = 0, num = 0;
    for (; number > 0; number /= 10, ++num)
    {
        seen |= 1 << number % 10;
    }
    return seen == 30 && num == 4;
}

static void ask(int question, int answer, const char *id)
{
    if (said_id != NULL || id == NULL)
    {
        return;
    }
    value("question", "%d", question);
    value("answer", "%d", answer);
    wrong(answer == -1 ? "unanswered" : answer < -1 ? "negative" : id);
}

// What the answer to question 2 says of the host, without the digit of the kernel.
static int of_host(int number)
{
    int rest = 0;
    for (int unit = 1000; unit > 0; unit /= 10)
    {
        const int digit = number / unit % 10;
        rest = digit == 2 ? rest : 10 * rest + digit;
    }
    return rest;
}

// The program must be the one that is asked about: nothing waits where it should not.
static bool is_as_given(const Case *c)
{
    const char *const calls[] = {"slow", "cudaDeviceSynchronize", "print",
                                 "cudaDeviceSynchronize", "slow", "cudaMemcpyAsync",
                                 "cudaDeviceSynchronize", "slow", "cudaMemcpy"};
    const int most = sizeof(calls) / sizeof(calls[0]);
    int num = 0;
    Call call;
    for (int i = 0; call_of(c, i, &call); ++i)
    {
        if (strncmp(call.name, "cudaMalloc", 10) == 0 || strncmp(call.name, "cudaFree", 8) == 0)
        {
            continue;
        }
        if (num < most && strcmp(call.name, calls[num]) != 0)
        {
            return false;
        }
        ++num; // (behind them are those of the child)
    }
    return num >= most;
}

static void look(const Case *c)
{
    const int *answer = array<int>(c, 0);
    const double *found = array<double>(c, 1);
    const int order = order_of(printed(c));
    // Where the host is held up for long, the device may have done all: that is not asked for.
    if (!is_as_given(c) || order == 0 || (found[1] != 1 && found[1] != 7) ||
        (found[3] != 1 && found[3] != 7))
    {
        wrong("changed");
    }
    int a = answer[1];
    ask(1, a, a == 1 ? NULL : a == 7 ? "kernel_ended" : "other_value");
    a = answer[2];
    ask(2, a,
        a == 1324             ? NULL
        : a == 134            ? "kernel_prints"
        : !has_four_digits(a) ? "four_digits"
        : of_host(a) != 134   ? "order_of_host"
        : a == 1234           ? "order_of_lines"
        : a == 2134           ? "before_launch"
                              : "after_wait");
    a = answer[3];
    ask(3, a, a == 1 ? NULL : a == 7 ? "copy_ordered" : "other_value");
    a = answer[4]; // (a reader may have measured it, and be right by a few ms)
    ask(4, a, a >= 0 && a < 5 ? NULL : a > 40 && a < 60 ? "kernel_time" : "other_time");
    a = answer[5];
    ask(5, a,
        a > 40 && a < 60     ? NULL
        : a >= 0 && a < 5    ? "few_bytes"
        : a >= 80 && a < 130 ? "counted_twice"
                             : "other_wait");
}

//== says
fraction for passed or other_value or kernel_ended or copy_ordered or four_digits when /\banswer_[123]\s*=\s*-?\d*\.0*[1-9]/ at /\banswer_[123]\s*=\s*-?\d*\.0*[1-9]/: Questions 1 to 3 ask for whole numbers. What stands behind the point is lost here.
fraction.zh: 问题 1 到 3 要的是整数，这里小数点后面的部分会丢掉。
quoted for other_value or kernel_ended or copy_ordered or four_digits or order_of_host or other_time or kernel_time or few_bytes or other_wait or counted_twice when /\banswer_\d\s*=\s*'/ at /\banswer_\d\s*=\s*'/: Between quotes stands a character, and its code is {answer}. Type the number without them.
quoted.zh: 引号中的是字符，它的编码是 {answer}。请直接写数，不加引号。
octal for four_digits when /\banswer_2\s*=\s*0\d/ at /\banswer_2\b/: Question 2: in C a number that begins with 0 is read in base 8, and here {answer} comes out. Type it without the 0.
octal.zh: 问题 2：C 语言中以 0 开头的数按八进制读，这里得到的是 {answer}。请去掉开头的 0。
other_unit for few_bytes or other_wait when /\banswer_5\s*=\s*(?:0?\.0\d|\d{4,}|[\d.]+[eE]-\d)/ at /\banswer_5\b/: Question 5 asks for ms: a second has 1000 of them, and each has 1000 microseconds.
other_unit.zh: 问题 5 要的是 ms：一秒是 1000 ms，1 ms 是 1000 微秒。
changed at /void\s+experiment\b/: The function experiment no longer does what the questions ask about. Change your numbers only; [r] brings the rest back.
changed.zh: 函数 experiment 做的已经不是问题所问的事了。请只改自己的数；按 [r] 可以恢复其余内容。
with_unit for compile or expected or no_semicolon when /answer_\d\s*=\s*[\d.]+[ \t]*[A-Za-z]/ at /answer_\d\s*=\s*[\d.]+[ \t]*[A-Za-z]/: An answer is a number only. The unit is given in the question.
with_unit.zh: 答案只是一个数，不带单位。单位在问题中已经给出。
digits_apart for compile or expected or no_semicolon or negative when /answer_2\s*=\s*\d+[ \t]*[-,. \t>][> \t]*\d/ at /answer_2\s*=/: The four digits are one number: nothing stands between them.
digits_apart.zh: 四个数字连成一个数，中间什么也不写。
no_equals for compile or expected or no_semicolon when /\banswer_\d[ \t]+\d/ at /\banswer_\d[ \t]+\d/: Between the name and its number stands a =.
no_equals.zh: 名称和数之间要有等号 =。
reason for not_declared or spelled or expected or compile or no_semicolon when /\banswer_\d\s*=\s*[\d.]+[ \t]*;[ \t]*[A-Za-z]/ at /\banswer_\d\s*=\s*[\d.]+[ \t]*;[ \t]*[A-Za-z]/: What stands behind the ; is read as code. A comment begins with //.
reason.zh: 分号 ; 后面的内容被当作代码。注释要以 // 开头。
as_text for types or compile when /\banswer_\d\s*=\s*"/ at /\banswer_\d\s*=\s*"/: Between double quotes stands a text, and a text is no number. Type the number without them.
as_text.zh: 双引号中的是字符串，不是数。请直接写数，不加引号。
type_gone for not_declared or spelled or twice when /(?:^|\n)[ \t]*answer_\d\s*=/ at /^[ \t]*answer_\d\s*=/: The beginning of this line has gone: without static const int it declares nothing. Change the number only; [r] brings the rest back.
type_gone.zh: 这一行开头的 static const int 不见了，没有它就不是声明。请只改数；按 [r] 可以恢复其余内容。
number_only for expected or compile or not_declared or spelled when /\banswer_\d\s*=[ \t]*(?:\d+[ \t]*,[ \t]*\d|(?![ \t\d.+*()-]*[;,\n])(?!\s*answer_\d)[^;\n]*)/ at /\banswer_\d\s*=[ \t]*(?:\d+[ \t]*,[ \t]*\d|(?![ \t\d.+*()-]*(?:[;,]|$)))/: Behind the = stands a number and nothing else, and behind the number a ; ends the line.
number_only.zh: 等号后面只写一个数，数的后面用分号 ; 结束。
misnamed for spelled or not_declared when /\banswer_(?![1-5]\b)\w+\s*=/ at /\banswer_(?![1-5]\b)\w+\s*=/: This name was another one before: the five names are answer_1 to answer_5. Change the numbers only; [r] brings the rest back.
misnamed.zh: 这个名称原来不是这样写的：五个名称是 answer_1 到 answer_5。请只改数；按 [r] 可以恢复其余内容。
line_gone for spelled or not_declared when /^(?!(?=.*\banswer_1\b)(?=.*\banswer_2\b)(?=.*\banswer_3\b)(?=.*\banswer_4\b)(?=.*\banswer_5\b))/ at /\banswer_\d\s*=/: The line of {name} is no longer there. Change the numbers only; [r] brings the rest back.
line_gone.zh: {name} 的那一行不见了。请只改数；按 [r] 可以恢复其余内容。
about for negative or other_wait or other_time or few_bytes when /\banswer_\d\s*=\s*~/ at /\banswer_\d\s*=\s*~/: ~ does not mean "about" in C: it turns all bits of a number, and {answer} comes out. Type the number alone.
about.zh: 在 C 语言中 ~ 不表示“大约”：它把数的各个位取反，得到的是 {answer}。请只写数。
unanswered at /\banswer_{question}\b/: Question {question} is not answered yet. Read its lines in experiment, and ask at each of them: does the host wait here?
unanswered.zh: 问题 {question} 还没有回答。请读 experiment 中的这几行，每一行都问一问：主机在这里等待吗？
negative at /\banswer_{question}\b/: Question {question}: {answer} is less than 0, and nothing here can be.
negative.zh: 问题 {question}：{answer} 小于 0，这里的数都不可能是负的。
kernel_ended at /\banswer_{question}\b/: Question {question}: {answer} is there when the kernel has ended. It works for 50 ms. How much time has passed when the host reads x?
kernel_ended.zh: 问题 {question}：核函数结束时才是 {answer}，而它要工作 50 ms。主机读 x 时过了多长时间？
other_value at /\banswer_{question}\b/: Question {question}: only two values are written to x, one by the host and one by the device. {answer} is neither of them.
other_value.zh: 问题 {question}：写入 x 的只有两个值，一个由主机写，一个由设备写。{answer} 不是其中之一。
copy_ordered at /\banswer_{question}\b/: Question {question}: {answer} comes with the copy, and the device copies when the kernel has ended. Does cudaMemcpyAsync return before that or after it?
copy_ordered.zh: 问题 {question}：{answer} 要靠复制送来，而设备在核函数结束后才复制。cudaMemcpyAsync 是在那之前返回，还是在那之后？
kernel_prints at /\banswer_{question}\b/: Question {question}: the kernel prints its digit, too. Where does the host show what the device has printed?
kernel_prints.zh: 问题 {question}：核函数也打印了它的数字。主机在哪里显示设备打印的内容？
four_digits at /\banswer_{question}\b/: Question {question}: each of 1, 2, 3 and 4 is printed once. Type these four digits as one number, in the order in which they appear.
four_digits.zh: 问题 {question}：1、2、3、4 各打印一次。请按出现的次序把这四个数字连成一个数。
order_of_host at /\banswer_{question}\b/: Question {question}: the host prints 1, 3 and 4, in the order of its lines. Only the place of 2 is open, which the device prints.
order_of_host.zh: 问题 {question}：主机按代码的次序打印 1、3、4。不确定的只是设备打印的 2 的位置。
order_of_lines at /\banswer_{question}\b/: Question {question}: this is the order of the lines. What the device prints is kept in a buffer. Which line of the host shows it?
order_of_lines.zh: 问题 {question}：这是代码行的次序。设备打印的内容先放在缓冲区里，主机的哪一行把它显示出来？
before_launch at /\banswer_{question}\b/: Question {question}: the 2 cannot come before the 1: the host prints the 1 before it launches the kernel.
before_launch.zh: 问题 {question}：2 不会在 1 之前：主机先打印 1，然后才调用核函数。
after_wait at /\banswer_{question}\b/: Question {question}: before the host prints its last digit, it waits for the device. What has the device done by then?
after_wait.zh: 问题 {question}：主机打印最后一个数字之前先等待设备。那时设备已经做完了什么？
kernel_time at /\banswer_{question}\b/: Question {question}: {answer} ms is how long the kernel works. Is there a line between clock_1 and clock_2 in which the host waits for it?
kernel_time.zh: 问题 {question}：{answer} ms 是核函数工作的时间。clock_1 和 clock_2 之间，有没有一行让主机等它？
other_time at /\banswer_{question}\b/: Question {question}: {answer} ms does not come out here. Only the launch stands between clock_1 and clock_2. What does the host do in it, and for what does it wait?
other_time.zh: 问题 {question}：这里得不到 {answer} ms。clock_1 和 clock_2 之间只有核函数调用。主机在这一行做什么，等什么？
few_bytes at /\banswer_{question}\b/: Question {question}: 4 bytes alone are copied in microseconds. But this copy brings the result of the kernel. When can it begin?
few_bytes.zh: 问题 {question}：单独复制 4 字节只要几微秒。但这里复制的是核函数的结果，什么时候才能开始？
counted_twice at /\banswer_{question}\b/: Question {question}: {answer} ms would be two kernels. One kernel works between clock_2 and clock_3, and for how long?
counted_twice.zh: 问题 {question}：{answer} ms 相当于两个核函数。从 clock_2 到 clock_3 只有一个核函数在工作，要多长时间？
other_wait at /\banswer_{question}\b/: Question {question}: {answer} ms does not come out here. What is the device still doing at clock_2, and does cudaMemcpy wait for it?
other_wait.zh: 问题 {question}：这里得不到 {answer} ms。在 clock_2 时设备还在做什么？cudaMemcpy 等它吗？

//== wrong stub_again: unanswered
static const int answer_1 = -1, answer_2 = -1, answer_3 = -1, answer_4 = -1, answer_5 = -1;
//== wrong only_first: unanswered
static const int answer_1 = 1, answer_2 = -1, answer_3 = -1, answer_4 = -1, answer_5 = -1;
//== wrong four_of_five: unanswered
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = -1;
//== wrong launch_waits: kernel_ended
static const int answer_1 = 7, answer_2 = 1234, answer_3 = 7, answer_4 = 50, answer_5 = 0;
//== wrong all_zero: other_value
static const int answer_1 = 0, answer_2 = 0, answer_3 = 0, answer_4 = 0, answer_5 = 0;
//== wrong pointer: other_value
static const int answer_1 = 50, answer_2 = -1, answer_3 = -1, answer_4 = -1, answer_5 = -1;
//== wrong minus_two: negative
static const int answer_1 = -2, answer_2 = -1, answer_3 = -1, answer_4 = -1, answer_5 = -1;
//== wrong as_the_lines: order_of_lines
static const int answer_1 = 1, answer_2 = 1234, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong at_the_end: after_wait
static const int answer_1 = 1, answer_2 = 1342, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong at_once: before_launch
static const int answer_1 = 1, answer_2 = 2134, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong never: kernel_prints
static const int answer_1 = 1, answer_2 = 134, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong one_digit: four_digits
static const int answer_1 = 1, answer_2 = 3, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong five_digits: four_digits
static const int answer_1 = 1, answer_2 = 13324, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong host_turned: order_of_host
static const int answer_1 = 1, answer_2 = 3124, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong async_waits: copy_ordered
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 7, answer_4 = 0, answer_5 = 50;
//== wrong nothing_in_x: other_value
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 0, answer_4 = 0, answer_5 = 50;
//== wrong clock_of_kernel: kernel_time
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 50, answer_5 = 0;
//== wrong launch_is_slow: other_time
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 10, answer_5 = 50;
//== wrong copy_is_fast: few_bytes
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 0;
//== wrong both: counted_twice
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 100;
//== wrong between: other_wait
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 10;
//== wrong with_unit: with_unit
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 50ms;
//== wrong digits_apart: digits_apart
static const int answer_1 = 1, answer_2 = 1 3 2 4, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong with_wait: changed (whole file)
#include <stdio.h>
static const int answer_1 = 7, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 50;
__global__ void slow(int *x, long long cycles) { *x = 7; }
__global__ void print(int digit) { printf("%d\n", digit); }
void experiment(long long cycles, double *found)
{
    int *x;
    cudaMallocHost((void **)&x, sizeof(int));
    slow<<<1, 1>>>(x, cycles);
    cudaDeviceSynchronize();
    found[1] = *x;
    cudaFreeHost(x);
}
int main(void) { return 0; }
//== wrong one_line_gone: line_gone
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0;
//== wrong with_zero: octal
static const int answer_1 = 1, answer_2 = 01324, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong in_seconds: other_unit
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 0.05;
//== wrong with_fraction: fraction
static const int answer_1 = 1.9, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong in_quotes: quoted
static const int answer_1 = '7', answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong not_quite: other_wait
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 60;
//== wrong launch_of_40: other_time
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 40, answer_5 = 50;

//== wrong no_semicolon: no_semicolon
static const int answer_1 = 1 // 1 or 7 or what?
static const int answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 50;
//== wrong last_semicolon: no_semicolon
//- answer_5 = 50;
//+ answer_5 = 50
//== wrong two_pairs: digits_apart
//- answer_2 = 1324
//+ answer_2 = 13 24
//== wrong as_a_text: as_text
//- answer_2 = 1324
//+ answer_2 = "1324"
//== wrong no_type: type_gone
//- static const int answer_3
//+ answer_3
//== wrong a_variable: number_only
//- answer_1 = 1
//+ answer_1 = *x
//== wrong question_mark: number_only
//- answer_1 = 1
//+ answer_1 = 7?
//== wrong colon: number_only
//- answer_5 = 50;
//+ answer_5 = 50:
//== wrong other_name: misnamed
//- answer_1
//+ answer_l
//== wrong about_50: about
//- answer_5 = 50
//+ answer_5 = ~50
//== wrong comma_for_point: number_only
//- answer_4 = 0;
//+ answer_4 = 0,0;
//== wrong no_equals: no_equals
//- answer_4 = 0
//+ answer_4 0
//== wrong with_reason: reason
//- answer_3 = 1;
//+ answer_3 = 1; because the copy is asynchronous

//== right measured
static const int answer_1 = 1, answer_2 = 1324, answer_3 = 1, answer_4 = 0, answer_5 = 43;
//== right by_arithmetic
static const int answer_1 = 1;
static const int answer_2 = 1000 * answer_1 + 300 + 20 + 4;
static const int answer_3 = answer_1;
static const int answer_4 = 0;
static const int answer_5 = 50 - answer_4;
//== right with_fractions
static const double answer_1 = 1;
static const int answer_2 = 1324;
static const int answer_3 = 1;
static const double answer_4 = 0.01, answer_5 = 49.9;
//== right defined
#define answer_1 1
#define answer_2 1324
#define answer_3 1
#define answer_4 0
#define answer_5 50
#endif
