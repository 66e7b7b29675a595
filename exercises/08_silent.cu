// 08_silent: a launch that fails silently
// 08_silent.zh: 悄无声息地失败的核函数调用
//
// Kind: write
// Chapter: 4
// Program: ch04_errors/check2kernel.cu
// Book: 4.1.2
// Goal: gather_on_device launches a kernel with the blocks that it is given. With blocks of 2048 threads
//   no kernel runs, nothing is printed, and y keeps an old result. Let the function return the error
//   that CUDA has found, of the launch or of the kernel as it runs, and cudaSuccess only when y is
//   finished. The next call shall find nothing of an old error.
// Goal.zh: gather_on_device 按给定的线程块调用核函数。线程块为 2048 个线程时，核函数没有执行，
//   也没有任何提示，y 里还是旧的结果。请让函数返回 CUDA 发现的错误，不论它出在调用时还是
//   核函数执行时；y 已经算完才返回 cudaSuccess。下一次调用不应再看到旧的错误。
// Hint 1: A launch returns nothing, and it can go wrong at two moments: CUDA refuses it at once, or the
//   kernel fails later, while the host goes on. Each moment has a call that tells of it.
// Hint 1.zh: 核函数调用没有返回值，而它会在两个时刻出错：CUDA 当场拒绝，或者核函数后来在执行中失败，那
//   时主机早已往下走了。每个时刻各有一个函数能告诉你。
// Hint 2: CUDA keeps the last error. Two functions tell it: one only looks at the error, the other one
//   clears it as well. What goes wrong in a kernel is known when the kernel has ended, so the host has
//   to wait.
// Hint 2.zh: CUDA 会保留最近的错误。有两个函数能告诉你这个错误：一个只看一眼，另一个还会把它清除。
//   核函数执行中的错误要等它结束才知道，所以主机必须等待。
// Hint 3: Behind the launch: get the error of the launch. If there is none, wait, and look at what the
//   wait returns. Section 4.1.2 of the book has two lines for it.
// Hint 3.zh: 在核函数调用之后：先取得调用的错误；如果没有错误，就等待，并看等待函数返回什么。书的 4.1.2 节
//   为此写了两行。
// After: A refused launch changes nothing, so the program can go on with other numbers. After a kernel
//   that has used a bad address every later call fails, until the process ends. cudaGetLastError takes
//   far less than a microsecond. The wait keeps host and device from working at the same time, so large
//   programs wait only where they need the result. See ch04_errors/check2kernel.cu, and sticky-error.cu
//   for errors that stay.
// After.zh: 被拒绝的调用什么也没有改变，程序可以换一组数继续。核函数用了错误的地址之后，所有后续的调用
//   都会失败，直到进程结束。cudaGetLastError 几乎没有开销；等待则使主机和设备不能同时工作，所以大的程序
//   只在需要结果的地方等待。见 ch04_errors/check2kernel.cu；清除不掉的错误见 sticky-error.cu。

#include <stdio.h>
#include <stdlib.h>

// y[n] = x[index[n]] for all n, with any number of blocks of any size.
//zh 对所有 n，y[n] = x[index[n]]，线程块的个数和大小不限。
__global__ void gather(double *y, const double *x, const int *index, int N)
{
    for (int n = blockDim.x * blockIdx.x + threadIdx.x; n < N; n += gridDim.x * blockDim.x)
    {
        y[n] = x[index[n]];
    }
}

// The arrays are in memory of the device.
//zh 数组都在设备内存中。
cudaError_t gather_on_device(double *y, const double *x, const int *index, int N, int blocks,
                             int block)
{
    //[
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
    {
        error = cudaDeviceSynchronize();
    }
    return error;
    //| gather<<<blocks, block>>>(y, x, index, N);
    //| return cudaSuccess;
    //]
}

int main(void)
{
    const int N = 1000, sizes[2] = {128, 2048};
    double *x, *y;
    int *index;
    cudaMallocManaged((void **)&x, N * sizeof(double));
    cudaMallocManaged((void **)&y, N * sizeof(double));
    cudaMallocManaged((void **)&index, N * sizeof(int));
    for (int i = 0; i < 2; ++i)
    {
        for (int n = 0; n < N; ++n)
        {
            x[n] = 1000 * (i + 1) + n;
            index[n] = N - 1 - n;
        }
        const cudaError_t error = gather_on_device(y, x, index, N, 4, sizes[i]);
        cudaDeviceSynchronize();
        printf("blocks of %d threads: %s, y[0] = %g, and should be %g\n", sizes[i],
               cudaGetErrorString(error), y[0], x[N - 1]);
    }
    cudaFree(x);
    cudaFree(y);
    cudaFree(index);
    return 0;
}

#if 0
//== child
#include <signal.h>

// What the backend reports of a launch that shall fail is not for the reader.
static int hidden(int report)
{
    const int nowhere = open("/dev/null", O_WRONLY), kept = report < 0 ? dup(2) : report;
    dup2(report < 0 ? nowhere : report, 2);
    close(nowhere);
    if (report >= 0)
    {
        close(report);
    }
    return kept;
}

static void end(int) { kill(getpid(), SIGKILL); }

static void run_case()
{
    setenv("CUDACPU_LATE", "1", 1); // no kernel begins before the host waits
    const int N = judged::number(0), blocks = judged::number(1), block = judged::number(2);
    const bool kernel_fails = judged::number(3), is_good = judged::number(4);
    signal(SIGALRM, end);
    alarm(8); // (a loop that asks CUDA again and again hardly computes)
    double *x = judged::on_device<double>(0), *y = judged::on_device<double>(2);
    int *index = judged::on_device<int>(1), *said = judged::array<int>(3);
    const int report = is_good ? -1 : hidden(-1);
    if (kernel_fails)
    {
        x = (double *)64; // no memory is there, with the checker neither
    }
    cudaSetDevice(0); // (a mark in the list of calls)
    said[0] = (int)gather_on_device(y, x, index, N, blocks, block);
    cudaSetDevice(0);
    cudaDeviceSynchronize();
    if (kernel_fails)
    {
        cudaDeviceReset();
    }
    else
    {
        cudaMemcpy(judged::array<double>(2), y, judged::bytes(2), cudaMemcpyDeviceToHost);
        said[1] = (int)gather_on_device(y, x, index, N, 4, 128);
        cudaDeviceSynchronize();
        cudaGetLastError();
        judged::from_device(0, x);
        judged::from_device(1, index);
        judged::from_device(4, y);
    }
    if (!is_good)
    {
        hidden(report);
    }
}

//== judge
#include "judge.h"

enum
{
    CONFIGURATION = 9, // cudaErrorInvalidConfiguration
    ADDRESS = 700      // cudaErrorIllegalAddress
};

static void add(long N, long blocks, long block, bool kernel_fails, bool is_good)
{
    Case *c = add_case({N, blocks, block, kernel_fails, is_good});
    input<double>(c, N);
    int *index = input<int>(c, N);
    const long first = random_number(0, N - 1);
    for (long n = 0; n < N; ++n)
    {
        index[n] = (first + N - n) % N;
    }
    output<double>(c, N);
    output<int>(c, 2);
    output<double>(c, N);
}

static void prepare()
{
    add(1000, random_number(5, 9), 96, false, true);
    add(random_number(100, 900), 4, 1025, false, false);
    add(1025, 4, 128, true, false);
    add(33, 0, 128, false, false);
    add(127, 3, 0, false, false);
    add(1, 2, 2048, false, false);
}

static const char *name_of(int error)
{
    static char number[40];
    snprintf(number, sizeof(number), "error %d", error);
    return error == 0               ? "cudaSuccess"
           : error == 1             ? "cudaErrorInvalidValue"
           : error == CONFIGURATION ? "cudaErrorInvalidConfiguration"
           : error == 600           ? "cudaErrorNotReady"
           : error == ADDRESS       ? "cudaErrorIllegalAddress"
           : error == 999           ? "cudaErrorUnknown"
                                    : number;
}

// What the reader's function has called.
struct Calls
{
    int launches, blocks, block;    // the last one
    int gets, peeks, waits;         // behind the last launch
    int gets_before, waits_before;  // before it
    bool is_launched;               // one of them, at least
    int told_line;                  // the call that has told an error
    bool told_by_get;
    bool is_told, told_by_wait;
};

static Calls calls_of(const Case *c)
{
    Calls all = {};
    Call call;
    int marks = 0;
    for (int i = 0; call_of(c, i, &call) && marks < 2; ++i)
    {
        if (strcmp(call.name, "cudaSetDevice") == 0)
        {
            ++marks;
        }
        else if (marks == 0)
        {
        }
        else if (is_launch(&call) || strncmp(call.name, "cudaLaunch", 10) == 0)
        {
            ++all.launches;
            all.is_launched = all.is_launched || call.result == 0;
            all.blocks = all.block = -1;
            sscanf(call.arguments, "%d, %*d, %*d), (%d", &all.blocks, &all.block);
            all.gets_before += all.gets + all.peeks;
            all.waits_before += all.waits;
            all.gets = all.peeks = all.waits = 0;
        }
        else
        {
            const bool is_get = strcmp(call.name, "cudaGetLastError") == 0;
            const bool is_peek = strcmp(call.name, "cudaPeekAtLastError") == 0;
            const bool is_wait = strstr(call.name, "Synchronize") != NULL ||
                                 strcmp(call.name, "cudaMemcpy") == 0;
            all.gets += is_get;
            all.peeks += is_peek;
            all.waits += is_wait;
            if (call.result != 0 && !all.is_told && all.launches > 0)
            {
                all.is_told = true;
                all.told_line = call.line;
                all.told_by_get = is_get;
                all.told_by_wait = is_wait;
            }
        }
    }
    return all;
}

static void say(const char *id, int line)
{
    if (line > 0)
    {
        value("line", "%d", line);
    }
    wrong(id);
}

// Whether y is what the kernel computes.
static bool is_gathered(const Case *c, int which)
{
    const double *x = array<double>(c, 0), *y = array<double>(c, which);
    const int *index = array<int>(c, 1);
    for (long n = 0; n < c->number[0]; ++n)
    {
        if (y[n] != x[index[n]])
        {
            value("i", "%ld", n);
            return false;
        }
    }
    return true;
}

static void look_at_good(const Case *c, const Calls *calls, const int *said)
{
    if (calls->launches == 0 && !is_gathered(c, 2))
    {
        wrong("no_launch");
    }
    else if (calls->launches > 0 && calls->blocks >= 0 && (calls->blocks != c->number[1] || calls->block != c->number[2]))
    {
        value("got_blocks", "%d", calls->blocks);
        value("got_block", "%d", calls->block);
        wrong("other_launch");
    }
    else if (said[0] != 0)
    {
        wrong(said[0] == 600 ? "not_ready" : "good_refused");
    }
    else if (calls->launches > 1)
    {
        wrong("twice");
    }
    else if (said[1] == 600)
    {
        wrong("query_stands");
    }
    else if (!is_gathered(c, 2) || !is_gathered(c, 4))
    {
        wrong("other");
    }
    else if (said[1] != 0)
    {
        value("got", "%s", name_of(said[1]));
        wrong("good_refused");
    }
}

static void look_at_refused(const Case *c, const Calls *calls, const int *said)
{
    if (calls->is_launched)
    {
        wrong("mended");
    }
    else if (said[0] == CONFIGURATION || (calls->launches == 0 && said[0] == 1))
    {
        if (said[1] != 0)
        {
            wrong("stands");
        }
        else if (!is_gathered(c, 4))
        {
            wrong("other");
        }
    }
    else if (said[0] != 0)
    {
        wrong("other_code");
    }
    else if (calls->launches == 0)
    {
        wrong("skipped");
    }
    else if (calls->is_told)
    {
        say(calls->told_by_get && calls->gets > 1 ? "second_ask" : "swallowed", calls->told_line);
    }
    else if (calls->gets_before > 0 && calls->gets + calls->peeks == 0)
    {
        wrong("asked_early");
    }
    else if (calls->waits > 0)
    {
        wrong("only_waits");
    }
    else
    {
        wrong("silent");
    }
}

static void look_at_failed(const Calls *calls, const int *said)
{
    if (said[0] == ADDRESS)
    {
        return;
    }
    if (calls->launches == 0)
    {
        wrong("no_launch");
    }
    else if (said[0] != 0)
    {
        wrong("other_code");
    }
    else if (calls->is_told)
    {
        say(calls->told_by_wait ? "wait_ignored" : "swallowed", calls->told_line);
    }
    else
    {
        wrong(calls->waits_before > 0 ? "waited_early" : "not_waited");
    }
}

static void look(const Case *c)
{
    const int *said = array<int>(c, 3);
    const bool kernel_fails = c->number[3], is_good = c->number[4];
    const Calls calls = calls_of(c);
    value("blocks", "%ld", c->number[1]);
    value("block", "%ld", c->number[2]);
    value("got", "%s", name_of(said[0]));
    value("again", "%s", name_of(said[1]));
    value("want", "%s", name_of(is_good ? 0 : kernel_fails ? ADDRESS : CONFIGURATION));
    if (is_good)
    {
        look_at_good(c, &calls, said);
    }
    else if (kernel_fails)
    {
        look_at_failed(&calls, said);
    }
    else
    {
        look_at_refused(c, &calls, said);
    }
}

//== says
on_the_host for crash or host_address or host_null or host_touches_device or not_ended or backend or cuda_error or call_failed or mended when /\bgather_on_device\b.*\by\s*\[[^\]]*\]\s*=\s*x\s*\[/ at last /\by\s*\[[^\]]*\]\s*=\s*x\s*\[/: The host touches memory of the device here. The arrays are on the device, where only kernels and copies come; the function shall only tell the error.
on_the_host.zh: 这里主机直接访问了设备内存。数组都在设备上，只有核函数和复制函数可以访问；这个函数只需报告错误。
no_return at /cudaError_t\s+gather_on_device/: The function can end without a return, and then what its caller gets is luck.
no_return.zh: 函数可能没有 return 就结束，这时调用者得到什么全凭运气。
check_macro for not_declared or spelled when /\bCHECK\s*\(/ at /\bCHECK\s*\(/: There is no CHECK here. The book's macro of this name ends the program, and this function shall return the error.
check_macro.zh: 这里没有 CHECK。书中的这个宏会结束程序，而这个函数要把错误返回。
text_compared for compile or types when /[!=]=\s*"cuda/ at /[!=]=\s*"cuda/: cudaSuccess is a value and not a text: it stands without quotation marks.
text_compared.zh: cudaSuccess 是一个值，不是文字，不加引号。
of_threads for host_null or host_address or backend or only_waits or silent when /__syncthreads/ at /__syncthreads/: __syncthreads is for the threads of a block, in a kernel. The host waits by another call.
of_threads.zh: __syncthreads 用于核函数中同一线程块的线程。主机要用另一个函数等待。
frees for copy_freed or freed_twice or freed when /cudaFree\s*\(\s*(?:x|y|index)\s*\)/ at /cudaFree\s*\(\s*(?:x|y|index)\s*\)/: The arrays are the caller's: the next call needs this memory.
frees.zh: 数组属于调用者：下一次调用还要用这块内存。
reset for freed or cuda_error or call_failed or copy_freed or freed_twice or other when /cudaDeviceReset/ at /cudaDeviceReset/: cudaDeviceReset frees all memory of the device, the arrays of the caller, too. The function shall only tell the error.
reset.zh: cudaDeviceReset 会释放设备上的全部内存，包括调用者的数组。这个函数只需报告错误。
asks_for_ever for writes_much when /\bdo\b|\bwhile\b|\bgoto\b/ at /\bdo\b|\bwhile\b|\bgoto\b/: The function has not ended after some seconds. Which loop waits for something that never comes? A launch that is refused is refused each time.
asks_for_ever.zh: 函数过了几秒还没有结束。哪个循环在等一件不会发生的事？被拒绝的调用，再试多少次也会被拒绝。
endless at /\bwhile\b|\bdo\b|\bgoto\b|for\s*\(\s*;|for\s*\(\s*int\s+[^n]/: The function has not ended after some seconds. Which loop waits for something that never comes? A launch that is refused is refused each time.
endless.zh: 函数过了几秒还没有结束。哪个循环在等一件不会发生的事？被拒绝的调用，再试多少次也会被拒绝。
launch_returns for compile or types or expected when /=\s*gather\s*<<<|return\s+gather\s*<<<|\(\s*gather\s*<<</ at /gather\s*<<</: A launch returns nothing, so it cannot stand where a value is wanted. Another call tells how it went.
launch_returns.zh: 核函数调用没有返回值，不能放在需要值的地方。调用的结果，要用另一个函数查询。
no_brackets for compile or types when /cuda(?:GetLastError|PeekAtLastError|DeviceSynchronize)\s*(?![\w\s(])/ at /cuda(?:GetLastError|PeekAtLastError|DeviceSynchronize)\s*(?![\w\s(])/: The name of a function without () does not call it.
no_brackets.zh: 只写函数名而没有 ()，并没有调用它。
returns_text for types when /return\s+cudaGetErrorString/ at /return\s+cudaGetErrorString/: cudaGetErrorString gives a text. The function returns the error itself.
returns_text.zh: cudaGetErrorString 给出的是文字，而函数要返回错误本身。
own_limits for silent or only_waits when /\bblocks?\s*(?:<=?(?!<)|>=?(?!>)|[!=]=)|(?<![<>])[<>]=?\s*blocks?\b/ at /\bblocks?\s*(?:<=?(?!<)|>=?(?!>)|[!=]=)|(?<![<>])[<>]=?\s*blocks?\b/: Your own test lets {blocks} blocks of {block} threads through, and CUDA refuses them. CUDA knows all its limits, and tells of each launch that it refuses.
own_limits.zh: 你自己的判断放行了 {blocks} 个线程块、每块 {block} 个线程，而 CUDA 拒绝了。CUDA 知道自己的全部限制，拒绝了哪次调用，它都能告诉你。
silent at /<<</: CUDA refuses {blocks} blocks of {block} threads: no kernel runs, and y stays as it was. The function returns cudaSuccess all the same, as nothing in it asks how the launch went.
silent.zh: CUDA 拒绝了 {blocks} 个线程块、每块 {block} 个线程的调用：核函数没有执行，y 没有变。函数却照样返回 cudaSuccess，因为里面没有询问调用是否成功。
only_waits at /Synchronize|cudaMemcpy/: CUDA refuses {blocks} blocks of {block} threads, so there is no kernel to wait for, and this wait returns cudaSuccess. The error of a refused launch is told by another call.
only_waits.zh: CUDA 拒绝了 {blocks} 个线程块、每块 {block} 个线程的调用，没有核函数可等，所以这里的等待返回 cudaSuccess。调用被拒绝的错误，要用另一个函数查询。
asked_early at /cuda(?:Get|PeekAt)LastError/: The last error is asked for before the launch, and the launch of {blocks} blocks of {block} threads is refused after that.
asked_early.zh: 询问最近的错误是在核函数调用之前，而 {blocks} 个线程块、每块 {block} 个线程的调用是在那之后被拒绝的。
static_once for only_waits or swallowed or silent or asked_early or wait_ignored or not_waited or stands when /\bstatic\s+(?:const\s+)?cudaError_t\s+\w+\s*=\s*cuda\w+\s*\(/ at /\bstatic\s+(?:const\s+)?cudaError_t/: What is static gets its first value in the first call of the function only. Later calls do not ask CUDA here: they keep the old answer.
static_once.zh: static 变量只在函数第一次被调用时初始化。以后的调用不会在这里再问 CUDA，用的还是旧的答案。
unreachable for swallowed or wait_ignored or not_waited or only_waits or silent when /[;}]\s*return\s+\w+\s*(?:\(\s*\))?\s*;\s*(?!\}|\w+\s*:|case\b|default\b|[#\\])\S/ at last /^\s*return\s+\w+\s*(?:\(\s*\))?\s*;/: This return, or the one above it, ends the function in every case, so what stands behind it is never done. An if without braces has one statement only.
unreachable.zh: 这个 return（或上面那个）不论怎样都会结束函数，它后面的语句永远执行不到。if 后面没有花括号时，只管一条语句。
in_braces for swallowed or wait_ignored or stands or not_waited or silent or only_waits when /\bcudaError_t\s+(\w+)\s*(?:=[^;{}]*)?;[^}]*\{[^{}]*\bcudaError_t\s+\g1\s*=/ at last /\bcudaError_t\s+\w+\s*=/: This declares a second variable of the same name, inside the braces. What comes into it is gone at the closing brace, and the first one stays as it was.
in_braces.zh: 这里在花括号里又声明了一个同名变量。存进它的值到右花括号就没有了，外面的那个变量并没有变。
turned_round for swallowed or not_waited or only_waits when /\bif\s*\(\s*(?:(?:\w+|cuda\w+LastError\s*\(\s*\))\s*==\s*(?:cudaSuccess|0)|(?:cudaSuccess|0)\s*==\s*\w+|!\s*(?:e|err\w*|error\w*|status|stat|ret|rc|code|result|res))\s*\)\s*\{?\s*return\s+(?!cuda\w+Synchronize)\w+\s*;|\bif\s*\(\s*(?:\w+\s*!=\s*(?:cudaSuccess|0)|(?:cudaSuccess|0)\s*!=\s*\w+|(?:e|err\w*|error\w*|status|stat|ret|rc|code|result|res))\s*\)\s*\{?\s*(?:\w+\s*=|return)\s*cuda\w+Synchronize|==\s*(?:cudaSuccess|0)\s*\)?\s*\?\s*\w+\s*:\s*cuda\w+Synchronize|!=\s*(?:cudaSuccess|0)\s*\)?\s*\?\s*cuda\w+Synchronize/ at /\bif\b|\?/: The condition is the other way round: without an error the function is done here, and with an error it goes on to the wait.
turned_round.zh: 这个条件反了：没有错误时函数到此为止，有错误时却接着去等待。
both_needed for swallowed or wait_ignored when /!=\s*(?:cudaSuccess|0)\s*\)?\s*&&[^;{}]*!=\s*(?:cudaSuccess|0)/ at /&&/: && wants both errors at once. A refused launch gives only the first one, and a kernel that fails only the second one.
both_needed.zh: && 要求两个错误同时出现。调用被拒绝时只有第一个错误，核函数执行失败时只有第二个。
one_enough for swallowed or wait_ignored when /==\s*(?:cudaSuccess|0)\s*\)?\s*\|\|[^;{}]*==\s*(?:cudaSuccess|0)/ at /\|\|/: With || it is enough that one of the two is cudaSuccess. y is finished only if both are.
one_enough.zh: 用 || 时，两者之中有一个是 cudaSuccess 就够了。而两者都是 cudaSuccess，y 才算完成。
overwritten for swallowed when /\b(\w+)\s*=\s*cuda(?:Get|PeekAt)LastError\s*\(\s*\)\s*;\s*\g1\s*=\s*cuda(?:\w+Synchronize|Memcpy)/ at /(?<![=!<>])=\s*cuda(?:\w+Synchronize|Memcpy)/: Here the answer of the wait takes the place of the error that the launch gave. After a refused launch the wait finds nothing wrong.
overwritten.zh: 这里等待的返回值盖掉了核函数调用的错误。调用被拒绝之后，等待并不会发现问题。
printed_only for second_ask when /(?:printf|puts|cerr|cout|perror).*return\s*\(?\s*cudaSuccess/ at /printf|puts|cerr|cout|perror/: The error is printed, but the function returns cudaSuccess. The program that has called it does not see the screen.
printed_only.zh: 错误打印出来了，函数却返回 cudaSuccess。调用它的程序看不到屏幕。
printed for swallowed or wait_ignored when /printf|\bputs|\bcerr|\bcout|\bperror/ at /printf|puts|cerr|cout|perror/: The error is printed, but the function returns cudaSuccess. The program that has called it does not see the screen.
printed.zh: 错误打印出来了，函数却返回 cudaSuccess。调用它的程序看不到屏幕。
thrown_away for swallowed when />>>\s*\([^;]*\)(?=\s*;)(?!.*LastError.*LastError).*[;{}]\s*(?:\(\s*void\s*\)\s*)?cuda(?:Get|PeekAt)LastError\s*\(\s*\)\s*;/ at last /^\s*(?:\(\s*void\s*\)\s*)?cuda(?:Get|PeekAt)LastError\s*\(\s*\)\s*;/: The answer of this call goes nowhere: it is the error, and nothing takes it.
thrown_away.zh: 这个函数的返回值就是错误，却没有任何地方接收它。
never_used for swallowed when /\b(\w+)\s*=\s*cuda(?:Get|PeekAt)LastError\s*\(\s*\)\s*;(?!.*\b\g1\b)/ at last /\b\w+\s*=\s*cuda(?:Get|PeekAt)LastError/: This keeps the error in a variable, and nothing looks at the variable after that.
never_used.zh: 这里把错误存进了变量，之后却没有任何地方用到这个变量。
always_success for swallowed or wait_ignored when /gather_on_device\s*\([^)]*\)\s*\{(?=.*\breturn\s*\(?\s*cudaSuccess)(?!.*\breturn\b(?!\s*\(?\s*cudaSuccess\s*\)?\s*;))/ at last /\breturn\s*\(?\s*cudaSuccess/: The error is asked for, but the function returns cudaSuccess in every case.
always_success.zh: 错误问到了，可是不论怎样，函数返回的都是 cudaSuccess。
second_ask at /cudaGetLastError/: In this line cudaGetLastError gives the error, and clears it. When the function asks again, there is none.
second_ask.zh: 这一行的 cudaGetLastError 给出了错误，同时把它清除了。函数再问时，已经没有错误。
swallowed at /LastError|Synchronize/: With {blocks} blocks of {block} threads this line gets {want} from CUDA. But the function returns cudaSuccess: follow the error from here to the return.
swallowed.zh: {blocks} 个线程块、每块 {block} 个线程时，这一行从 CUDA 得到了 {want}，函数却返回 cudaSuccess。请从这里顺着错误一直看到 return。
peeked for stands when /cudaPeekAtLastError/ at /cudaPeekAtLastError/: cudaPeekAtLastError looks at the error and lets it stand. The next call, with 4 blocks of 128 threads, computes y and still returns the old {again}.
peeked.zh: cudaPeekAtLastError 只看一眼，错误还留在那里。下一次用 4 个线程块、每块 128 个线程调用时，y 算出来了，返回的却还是旧的 {again}。
stands at /return/: After the refused launch the function is called again, with 4 blocks of 128 threads. The kernel runs, but the function returns the old {again}.
stands.zh: 调用被拒绝之后，又用 4 个线程块、每块 128 个线程调用了这个函数。核函数执行了，函数返回的却是旧的 {again}。
not_waited at /<<</: This launch is accepted, but its kernel fails later, as x points to no memory. By then the function has returned cudaSuccess, because a launch does not wait.
not_waited.zh: 这次调用被接受了，但核函数后来失败了，因为 x 指向的地方没有内存。那时函数早已返回 cudaSuccess，因为主机调用核函数后并不等待。
waited_early at /Synchronize|cudaMemcpy/: The function waits before the launch. The kernel fails after that, as x points to no memory.
waited_early.zh: 函数在核函数调用之前等待，而核函数是在那之后失败的，因为 x 指向的地方没有内存。
wait_ignored at /Synchronize|cudaMemcpy/: This wait returns {want}, as x points to no memory. But the function returns cudaSuccess.
wait_ignored.zh: x 指向的地方没有内存，所以这里的等待返回 {want}，函数却返回 cudaSuccess。
mended at /<<</: {blocks} blocks of {block} threads cannot be launched, and the function launches others in their place. It shall tell the error and leave y as it was.
mended.zh: {blocks} 个线程块、每块 {block} 个线程不能调用，函数却改用了别的数。它应该报告错误，不改动 y。
skipped at /if|\?|&&/: With {blocks} blocks of {block} threads the function launches nothing, and returns cudaSuccess as if y were finished.
skipped.zh: {blocks} 个线程块、每块 {block} 个线程时，函数没有调用核函数，却返回 cudaSuccess，好像 y 已经算完。
no_launch at /gather_on_device/: The kernel is not launched, with {blocks} blocks of {block} threads.
no_launch.zh: {blocks} 个线程块、每块 {block} 个线程时，没有调用核函数。
other_launch at /<<</: The function is asked for {blocks} blocks of {block} threads, and launches {got_blocks} of {got_block}.
other_launch.zh: 要求的是 {blocks} 个线程块、每块 {block} 个线程，函数调用的却是 {got_blocks} 个线程块、每块 {got_block} 个线程。
not_ready at /Query/: A query does not wait. The kernel still runs, and the function returns cudaErrorNotReady.
not_ready.zh: 查询并不等待。核函数还在执行，函数返回了 cudaErrorNotReady。
query_stands for good_refused when /Query/ at /Query/: A query that finds the kernel still running leaves cudaErrorNotReady as the last error. The next call of the function takes it for an error of its launch.
query_stands.zh: 查询时核函数还在执行，就会把 cudaErrorNotReady 留作最近的错误。下一次调用这个函数时，会把它当成自己的错误。
good_refused at /return/: {blocks} blocks of {block} threads are launched, and nothing goes wrong. But the function returns {got}.
good_refused.zh: {blocks} 个线程块、每块 {block} 个线程的调用没有任何问题，函数却返回 {got}。
twice at /<<</: The kernel is launched more than once in one call of the function. The launch is asked about, not repeated.
twice.zh: 函数调用一次，核函数却执行了不止一次。应该询问调用的结果，而不是再调用一次。
other_code at /return/: CUDA has said {want}, and the function returns {got}. The caller needs the error as CUDA gives it.
other_code.zh: CUDA 给出的是 {want}，函数返回的是 {got}。调用者需要 CUDA 给出的那个错误。
exits at /exit|abort|CHECK/: When a launch is refused, the function ends the whole program. It shall return the error: what is to be done then, the caller decides.
exits.zh: 调用被拒绝时，函数结束了整个程序。它应该返回错误，怎么处理由调用者决定。
exits_well for not_ended when /\bexit\s*\(/ at /\bexit\s*\(/: When a launch is refused, the function ends the whole program. It shall return the error: what is to be done then, the caller decides.
exits_well.zh: 调用被拒绝时，函数结束了整个程序。它应该返回错误，怎么处理由调用者决定。
crash at /cudaError_t\s+gather_on_device/: When a launch is refused or a kernel fails, the function ends with signal {signal}. Does each way through it come to a return?
crash.zh: 调用被拒绝或核函数失败时，函数因信号 {signal} 而结束。其中的每条路径都会到达 return 吗？
aborts for crash when /\bassert|\babort|\bthrow/ at /\bassert|\babort|\bthrow/: When a launch is refused, the function ends the whole program (signal {signal}). It shall return the error: what is to be done then, the caller decides.
aborts.zh: 调用被拒绝时，函数结束了整个程序（信号 {signal}）。它应该返回错误，怎么处理由调用者决定。
other at /<<</: The function returns cudaSuccess, but element {i} of y is wrong. What does the kernel get?
other.zh: 函数返回 cudaSuccess，但 y 的元素 {i} 不对。传给核函数的是什么？

//== wrong stub_again: silent
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaSuccess;
//== wrong sync_only: only_waits
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaDeviceSynchronize();
//== wrong sync_of_stream: only_waits
    gather<<<blocks, block>>>(y, x, index, N);
    const cudaError_t error = cudaStreamSynchronize(0);
    return error;
//== wrong host_does_it: on_the_host
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
    {
        for (int n = 0; n < N; ++n) y[n] = x[index[n]];
        return error;
    }
    return cudaDeviceSynchronize();
//== wrong get_only: not_waited
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaGetLastError();
//== wrong get_before: asked_early
    cudaError_t error = cudaGetLastError();
    gather<<<blocks, block>>>(y, x, index, N);
    return error;
//== wrong get_before_sync_behind: asked_early
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
    {
        return error;
    }
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaDeviceSynchronize();
//== wrong peek: peeked
//- cudaError_t error = cudaGetLastError();
//+ cudaError_t error = cudaPeekAtLastError();
//== wrong kept: stands
    static cudaError_t error = cudaSuccess;
    gather<<<blocks, block>>>(y, x, index, N);
    if (error == cudaSuccess)
    {
        error = cudaGetLastError();
    }
    if (error == cudaSuccess)
    {
        error = cudaDeviceSynchronize();
    }
    return error;
//== wrong printed: printed
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
    {
        printf("error: %s\n", cudaGetErrorString(error));
    }
    return cudaSuccess;
//== wrong printed_by_macro: printed
#define SHOW(call) printf("CUDA: %s\n", cudaGetErrorString(call))
    gather<<<blocks, block>>>(y, x, index, N);
    SHOW(cudaGetLastError());
    SHOW(cudaDeviceSynchronize());
    return cudaSuccess;
//== wrong limit_of_block: own_limits
    if (block > 1024)
    {
        return cudaErrorInvalidConfiguration;
    }
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaDeviceSynchronize();
//== wrong limit_of_2048: own_limits
    if (block >= 2048)
    {
        return cudaErrorInvalidConfiguration;
    }
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaSuccess;
//== wrong asked_twice: second_ask
    gather<<<blocks, block>>>(y, x, index, N);
    if (cudaGetLastError() != cudaSuccess)
    {
        return cudaGetLastError();
    }
    return cudaDeviceSynchronize();
//== wrong dropped: thrown_away
    gather<<<blocks, block>>>(y, x, index, N);
    cudaGetLastError();
    return cudaDeviceSynchronize();
//== wrong overwritten: overwritten
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaGetLastError();
    error = cudaDeviceSynchronize();
    return error;
//== wrong turned: turned_round
//- if (error == cudaSuccess)
//+ if (error != cudaSuccess)
//== wrong returned_if_right: turned_round
    gather<<<blocks, block>>>(y, x, index, N);
    const cudaError_t e = cudaGetLastError();
    if (!e) return cudaSuccess;
    cudaDeviceSynchronize();
    return e;
//== wrong second_variable: in_braces
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t status = cudaSuccess;
    if (cudaPeekAtLastError() != cudaSuccess)
    {
        cudaError_t status = cudaGetLastError();
    }
    else
    {
        status = cudaDeviceSynchronize();
    }
    return status;
//== wrong both_errors: both_needed
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t a = cudaGetLastError(), b = cudaDeviceSynchronize();
    if (a != cudaSuccess && b != cudaSuccess) return a;
    return cudaSuccess;
//== wrong one_of_both: one_enough
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t a = cudaGetLastError();
    cudaError_t b = cudaDeviceSynchronize();
    if (a == cudaSuccess || b == cudaSuccess) return cudaSuccess;
    return a;
//== wrong turned_in_return: turned_round
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t status = cudaGetLastError();
    return status == cudaSuccess ? status : cudaDeviceSynchronize();
//== wrong of_launch_unused: never_used
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t of_launch = cudaGetLastError();
    cudaError_t of_kernel = cudaDeviceSynchronize();
    return of_kernel;
//== wrong static_error: static_once
    gather<<<blocks, block>>>(y, x, index, N);
    static cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess) return status;
    return cudaDeviceSynchronize();
//== wrong if_without_braces: unreachable
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t status = cudaGetLastError();
    if (status != cudaSuccess)
        printf("no launch\n");
        return status;
    return cudaDeviceSynchronize();
//== wrong never_told: always_success
//- return error;
//+ return cudaSuccess;
//== wrong only_if_it_fails: swallowed
//- if (error == cudaSuccess)
//+ const cudaError_t of_kernel = cudaDeviceSynchronize();

//- {
//-     error = cudaDeviceSynchronize();
//- }
//- return error;
//+ return of_kernel == cudaSuccess ? cudaSuccess : error;
//== wrong asserted: aborts
    gather<<<blocks, block>>>(y, x, index, N);
    if (cudaGetLastError() != cudaSuccess)
    {
        abort();
    }
    return cudaDeviceSynchronize();
//== wrong printed_both: printed_only
    gather<<<blocks, block>>>(y, x, index, N);
    if (cudaGetLastError() != cudaSuccess)
    {
        fprintf(stderr, "CUDA: %s\n", cudaGetErrorString(cudaGetLastError()));
    }
    cudaDeviceSynchronize();
    return cudaSuccess;
//== wrong as_int: types
//- cudaError_t error = cudaGetLastError();
//- if (error == cudaSuccess)
//+ int error = cudaGetLastError();
//+ if (error == 0)
//== wrong wait_dropped: wait_ignored
    gather<<<blocks, block>>>(y, x, index, N);
    const cudaError_t error = cudaGetLastError();
    cudaDeviceSynchronize();
    return error;
//== wrong wait_first: waited_early
    cudaDeviceSynchronize();
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaGetLastError();
//== wrong exits: exits
    gather<<<blocks, block>>>(y, x, index, N);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
    {
        printf("%s\n", cudaGetErrorString(error));
        exit(1);
    }
    return cudaDeviceSynchronize();
//== wrong clamped: mended
    if (block > 1024)
    {
        block = 1024;
    }
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
//== wrong launched_again: mended
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
    {
        gather<<<4, 128>>>(y, x, index, N);
        error = cudaGetLastError();
    }
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
//== wrong only_if_it_fits: skipped
    if (block > 0 && block <= 1024)
    {
        gather<<<blocks, block>>>(y, x, index, N);
    }
    return cudaDeviceSynchronize();
//== wrong always: good_refused
    gather<<<blocks, block>>>(y, x, index, N);
    cudaDeviceSynchronize();
    return cudaErrorInvalidConfiguration;
//== wrong unknown: other_code
    gather<<<blocks, block>>>(y, x, index, N);
    if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess)
    {
        return cudaErrorUnknown;
    }
    return cudaSuccess;
//== wrong or: other_code
    gather<<<blocks, block>>>(y, x, index, N);
    return (cudaError_t)(cudaGetLastError() || cudaDeviceSynchronize());
//== wrong without_launch: no_launch
    return cudaGetLastError();
//== wrong fixed: other_launch
    gather<<<4, 256>>>(y, x, index, N);
    const cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
//== wrong two_launches: twice
    gather<<<blocks, block>>>(y, x, index, N);
    gather<<<blocks, block>>>(y, x, index, N);
    const cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
//== wrong query: not_ready
    gather<<<blocks, block>>>(y, x, index, N);
    const cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : cudaStreamQuery(0);
//== wrong query_in_loop: query_stands
//- if (error == cudaSuccess)
//+ while (error == cudaSuccess && (error = cudaStreamQuery(0)) == cudaErrorNotReady)

//- error = cudaDeviceSynchronize();
//+ error = cudaSuccess;
//== wrong no_return: no_return
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaGetLastError();
//== wrong return_in_if: no_return
//- error = cudaDeviceSynchronize();
//+ return cudaDeviceSynchronize();

//- return error;
//== wrong exits_with_0: exits_well
    gather<<<blocks, block>>>(y, x, index, N);
    if (cudaGetLastError() != cudaSuccess)
    {
        exit(0);
    }
    return cudaDeviceSynchronize();
//== wrong frees: frees
//- }
//+ }
//+ cudaFree(y);
//== wrong resets_first: reset
    cudaDeviceReset();
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaGetLastError();
//== wrong resets: reset
//- }
//+ }
//+ if (error != cudaSuccess)
//+ {
//+     cudaDeviceReset();
//+ }
//== wrong macro_of_book: check_macro
    gather<<<blocks, block>>>(y, x, index, N);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    return cudaSuccess;
//== wrong compares_text: text_compared
    gather<<<blocks, block>>>(y, x, index, N);
    if (cudaGetLastError() != "cudaSuccess")
    {
        return cudaErrorInvalidConfiguration;
    }
    return cudaDeviceSynchronize();
//== wrong waits_for_threads: of_threads
    gather<<<blocks, block>>>(y, x, index, N);
    __syncthreads();
    return cudaGetLastError();
//== wrong tries_again: endless
    do
    {
        gather<<<blocks, block>>>(y, x, index, N);
    } while (cudaGetLastError() != cudaSuccess);
    return cudaDeviceSynchronize();
//== wrong equal_not: equal_not
//- error == cudaSuccess
//+ error =! cudaSuccess
//== wrong asks_for_ever: asks_for_ever or endless
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t status;
    do
    {
        status = cudaGetLastError();
    } while (status == cudaSuccess);
    return status;
//== wrong value_of_launch: launch_returns
    cudaError_t error = gather<<<blocks, block>>>(y, x, index, N);
    return error;
//== wrong no_call: no_brackets
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaGetLastError;
//== wrong text: returns_text
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaGetErrorString(cudaGetLastError());
//== wrong caught: silent
    try
    {
        gather<<<blocks, block>>>(y, x, index, N);
    }
    catch (...)
    {
        return cudaErrorUnknown;
    }
    return cudaSuccess;
//== wrong null_checked: silent
    if (x == NULL || y == NULL || index == NULL || N <= 0)
    {
        return cudaErrorInvalidValue;
    }
    gather<<<blocks, block>>>(y, x, index, N);
    return cudaSuccess;
//== wrong fewer: other
    gather<<<blocks, block>>>(y, x, index, N - 1);
    const cudaError_t error = cudaGetLastError();
    return error != cudaSuccess ? error : cudaDeviceSynchronize();

//== right early_return
    gather<<<blocks, block>>>(y, x, index, N);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
    {
        return error;
    }
    return cudaDeviceSynchronize();
//== right wait_then_get
    gather<<<blocks, block>>>(y, x, index, N);
    cudaDeviceSynchronize();
    return cudaGetLastError();
//== right cleared_first
    cudaGetLastError();
    gather<<<blocks, block>>>(y, x, index, N);
    const cudaError_t of_launch = cudaPeekAtLastError(), of_kernel = cudaStreamSynchronize(0);
    return of_launch != cudaSuccess ? of_launch : of_kernel;
//== right with_event
    cudaEvent_t end;
    cudaError_t error = cudaEventCreate(&end);
    gather<<<dim3(blocks), dim3(block)>>>(y, x, index, N);
    if (error == cudaSuccess) error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaEventRecord(end);
    if (error == cudaSuccess) error = cudaEventSynchronize(end);
    cudaEventDestroy(end);
    return error;
//== right own_limits_too
    if (block < 1 || block > 1024 || blocks < 1)
    {
        return cudaErrorInvalidConfiguration;
    }
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaDeviceSynchronize();
    return error == cudaSuccess ? cudaGetLastError() : error;
//== right by_function
    void *arguments[] = {&y, &x, &index, &N};
    cudaError_t error = cudaLaunchKernel((const void *)gather, dim3(blocks), dim3(block), arguments, 0, 0);
    return error != cudaSuccess ? error : cudaDeviceSynchronize();
//== right cleared_y
    cudaMemset(y, 0, N * sizeof(double));
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess) error = cudaDeviceSynchronize();
    return error;
//== right by_macro
#define TRY(call)                   \
    if (cudaError_t error = (call)) \
    return error
    gather<<<blocks, block>>>(y, x, index, N);
    TRY(cudaGetLastError());
    TRY(cudaDeviceSynchronize());
    return cudaSuccess;
//== right by_copy
    double last;
    gather<<<blocks, block>>>(y, x, index, N);
    cudaError_t error = cudaPeekAtLastError();
    if (error != cudaSuccess)
    {
        return cudaGetLastError();
    }
    return cudaMemcpy(&last, y + N - 1, sizeof(double), cudaMemcpyDeviceToHost);
#endif
