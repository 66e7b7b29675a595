// 06_host_pointer: a host pointer in a kernel
// 06_host_pointer.zh: 传给核函数的主机指针
//
// Kind: mend
// Chapter: 3
// Program: ch03_framework/add1.cu
// Book: 3.2.3
// Goal: x points to N numbers in memory of the host, as malloc gives it. The kernel shall double them where they
//   are. But a kernel cannot follow this pointer. Mend double_all: the kernel doubles the numbers,
//   x of the host has them in the end, and what double_all allocates it frees.
// Goal.zh: x 指向主机内存中的 N 个数，例如由 malloc 分配。要由核函数把它们各乘以 2，可是核函数不能使用这个指针。
//   请改正 double_all：由核函数来算，最后主机的 x 里就是结果，函数中分配的内存都要释放。
// Hint 1: Host and device have memory of their own. A pointer is an address, and this address is one of the host.
// Hint 1.zh: 主机和设备各有自己的内存。指针是地址，而这里是主机内存的地址。
// Hint 2: The numbers have to be where the kernel can reach them, and the result where the host expects it. A pointer
//   that is passed on moves no number.
// Hint 2.zh: 数据要放在核函数够得着的地方，结果要放在主机等着取的地方。传递指针并不会移动任何数据。
// Hint 3: The kernel needs another pointer, which an allocation on the device has set. Before the launch something has
//   to come there, and after it something has to come back. The book does the same for its arrays in section 3.2.
// Hint 3.zh: 核函数需要另一个指针，由分配设备内存的函数设置。调用核函数之前要把数据送过去，之后要把结果取回来。
//   书的 3.2 节对数组就是这样做的。
// After: A kernel that follows a pointer of the host ends with error 700 on most machines. Some GPUs can read
//   memory of malloc, which is why such a program may run on one machine and fail on another. The copies take longer
//   than the kernel, so data should stay on the device between kernels. The book calls such pointers d_x and h_x. With
//   cudaMallocManaged one pointer is good for both: see ch13_unified/add-managed.cu, and ch03_framework/add1.cu.
// After.zh: 核函数使用主机指针，在多数机器上会以错误 700 结束。有的 GPU 能访问 malloc 的内存，所以这样的程序可能在一台机器上
//   能用，换一台就出错。复制比核函数花的时间还长，所以在几个核函数之间，数据应留在设备上。书中把这两种指针叫作 d_x 和 h_x。
//   用 cudaMallocManaged 时一个指针两边都能用：见 ch13_unified/add-managed.cu 和 ch03_framework/add1.cu。

#include <stdio.h>
#include <stdlib.h>

__global__ void twice(double *x, int N)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        x[n] *= 2;
    }
}

// x points to memory of the host.
//zh x 指向主机内存。
void double_all(double *x, int N)
{
    const int grid_size = (N + 127) / 128;
    //[
    const size_t bytes = N * sizeof(double);
    double *d_x;
    cudaMalloc((void **)&d_x, bytes);
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    //| twice<<<grid_size, 128>>>(x, N); // whose memory is this?
    //zh twice<<<grid_size, 128>>>(x, N); // 这是谁的内存？
    //| cudaDeviceSynchronize();
    //]
}

int main(void)
{
    const int N = 1000;
    double *x = (double *)malloc(N * sizeof(double));
    for (int n = 0; n < N; ++n)
    {
        x[n] = n;
    }
    double_all(x, N);
    printf("x[1] = %g, x[%d] = %g\n", x[1], N - 1, x[N - 1]);
    free(x);
    return 0;
}

#if 0
//== child
static void run_case()
{
    setenv("CUDACPU_LATE", "1", 1); // a host that does not wait finds no result
    double *x = judged::on_heap<double>(0);
    double_all(x, judged::number(0));
    judged::from_heap(0, x);
}

//== judge
#include "judge.h"

static void prepare()
{
    const long sizes[] = {1000, random_number(130, 900), 1, 128, 1025, random_number(20000, 40000)};
    for (const long N : sizes)
    {
        output<double>(add_case({N}), N);
    }
}

static void look(const Case *c)
{
    const long N = c->number[0], bytes = N * sizeof(double);
    const double *x = array<double>(c, 0), *was = before<double>(c, 0);
    long first = -1, num_wrong = 0;
    bool untouched = true, four_times = true, is_first_bytes = N > 8, all_zero = true;
    for (long n = 0; n < N; ++n)
    {
        const bool right = x[n] == 2 * was[n];
        num_wrong += !right;
        first = first < 0 && !right ? n : first;
        untouched = untouched && is_untouched(x[n]);
        four_times = four_times && x[n] == 4 * was[n];
        all_zero = all_zero && x[n] == 0;
        is_first_bytes = is_first_bytes && (n < N / 8 ? right : is_untouched(x[n]));
    }
    // What has been called? (The last call is the child's own.)
    long mallocs = 0, frees = 0, in = 0, back = 0, launches = 0, waits = 0, late_line = 0, early_line = 0,
         short_line = 0, short_bytes = 0, num_targets = 0;
    char target[40] = "", source[40] = ""; // of the copies
    bool is_for_both = false, is_shared = false;
    Call call;
    for (int i = 0; call_of(c, i, &call); ++i)
    {
        unsigned long size = 0;
        if (strstr(lines_of(c, "calls")[i], "child.cuh:") != NULL)
        {
            continue;
        }
        if (strncmp(call.name, "cudaMalloc", 10) == 0 || strcmp(call.name, "cudaHostAlloc") == 0)
        {
            ++mallocs;
            is_for_both = is_for_both || strcmp(call.name, "cudaMalloc") != 0;
        }
        frees += strncmp(call.name, "cudaFree", 8) == 0;
        is_shared = is_shared || strstr(call.name, "Managed") != NULL || strstr(call.name, "Host") != NULL;
        waits += launches > 0 && (strstr(call.name, "Synchronize") != NULL || strstr(call.name, "Query") != NULL ||
                                  strcmp(call.name, "cudaMemcpy") == 0);
        launches += is_launch(&call);
        if (strncmp(call.name, "cudaMemcpy", 10) == 0)
        {
            const bool is_in = strstr(call.arguments, "cudaMemcpyHostToDevice") != NULL;
            const bool is_back = strstr(call.arguments, "cudaMemcpyDeviceToHost") != NULL;
            sscanf(call.arguments, "%*[^,], %*[^,], %lu", &size);
            in += is_in;
            back += is_back;
            if (is_in)
            {
                ++num_targets;
                sscanf(call.arguments, "%39[^,]", target);
            }
            else if (is_back)
            {
                sscanf(call.arguments, "%*[^,], %39[^,]", source);
            }
            late_line = is_in && launches > 0 && late_line == 0 ? call.line : late_line;
            early_line = is_back && launches == 0 ? call.line : early_line;
            if ((long)size < bytes && short_line == 0)
            {
                short_line = call.line;
                short_bytes = size;
            }
        }
    }
    value("N", "%ld", N);
    value("bytes", "%ld", bytes);
    value("size", "%ld", short_bytes);
    value("i", "%ld", first);
    value("num", "%ld", num_wrong);
    value("got", "%s", first >= 0 ? text_of(x[first]) : "");
    value("want", "%s", first >= 0 ? text_of(2 * was[first]) : "");
    value("mallocs", "%ld", mallocs);
    value("frees", "%ld", frees);
    Launch l = {};
    long threads = 0;
    for (int i = 0; launch_of(c, i, &l); ++i)
    {
        threads = (long)l.grid[0] * l.block[0];
        value("block", "%u", l.block[0]);
    }
    value("threads", "%ld", threads);
    const char *id = NULL;
    long line = 0;
    if (launches == 0)
    {
        id = first < 0 ? "on_host" : "no_launch";
    }
    else if (N > 128 && l.grid[0] == 128 && l.block[0] == (N + 127) / 128 && l.block[0] != 128)
    {
        id = "exchanged";
    }
    else if (is_shared && waits == 0 && (first < 0 || untouched))
    {
        id = "no_wait";
    }
    else if (first < 0)
    {
        id = frees < mallocs ? "not_freed" : NULL;
    }
    else if (launches > 2 && x[0] == ldexp(was[0], (int)launches))
    {
        value("launches", "%ld", launches);
        id = "launched_often";
    }
    else if (four_times)
    {
        id = "four_times";
    }
    else if (short_line > 0)
    {
        id = short_bytes == N ? "copy_elements" : "copy_size";
        line = short_line;
    }
    else if (early_line > 0)
    {
        id = "back_too_early";
        line = early_line;
    }
    else if (late_line > 0)
    {
        id = "copied_late";
        line = late_line;
    }
    else if (mallocs > 0 && !is_for_both && in > 0 && back == 0 && untouched)
    {
        id = "no_copy_back";
    }
    else if (mallocs > 0 && in == 0 && (is_for_both ? all_zero : back > 0))
    {
        id = "no_copy_in";
    }
    else if (num_targets == 1 && back == 1 && mallocs > 1 && strcmp(target, source) != 0)
    {
        id = "other_array";
    }
    else if (waits == 0 && untouched)
    {
        id = "no_wait";
    }
    else if (threads < N && threads == first)
    {
        id = "few_threads";
    }
    else
    {
        id = untouched ? "stays_there" : num_wrong < N ? "some" : "other";
    }
    if (id != NULL)
    {
        if (line > 0)
        {
            value("line", "%ld", line);
        }
        wrong(id);
    }
}

//== says
malloc_value for arguments or types or copy_null or copy_not_device or copy_to_host or copy_kind or call_failed or host_address or host_null or crash when /\bcudaMalloc(?:Managed)?\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?\w+\s*,/ at /\bcudaMalloc(?:Managed)?\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?\w+\s*,/: cudaMalloc gets what the pointer holds, which is nothing yet. It shall set the pointer, so it must know where the pointer itself lies: a & is missing.
malloc_value.zh: 传给 cudaMalloc 的是指针的值，而它现在还没有值。cudaMalloc 要设置这个指针，必须知道指针变量本身在哪里：这里少了 &。
never_reached for not_freed or no_copy_back or stays_there when /\breturn\s*;\s*cuda(?:Free|Memcpy)/ at /\breturn\s*;/: What stands behind this return is never reached.
never_reached.zh: 这个 return 之后的语句永远执行不到。
bytes_to_kernel for past_end when />>>\s*\([^;]*(?:\bsizeof\b|\bbytes\b|\bsize\b|\b8\b)/ at />>>\s*\([^;]*(?:\bsizeof\b|\bbytes\b|\bsize\b|\b8\b)/: The kernel counts in numbers, and here it gets the bytes: so it takes far more numbers than there are.
bytes_to_kernel.zh: 核函数按数的个数计，而这里传给它的是字节数：于是它处理的数远远多于实际的个数。
freed_early for freed or copy_freed when /\bcudaFree\b.*<<</ at /cudaFree/: This memory is freed, and the kernel still comes. Free it after its last use.
freed_early.zh: 这里释放了内存，而核函数在后面才执行。应在最后一次使用之后再释放。
kernel_shifted for past_end when />>>\s*\(\s*\w+\s*\+\s*[1-9]/ at />>>\s*\(\s*\w+\s*\+\s*[1-9]/: The kernel begins behind the first number here, and still counts N of them: so it goes past the last one.
kernel_shifted.zh: 这里核函数不是从第一个数开始，却仍然处理 N 个数，于是越过了最后一个。
one_less for some when />>>\s*\([^;]*\bN\s*-\s*1\b/ at />>>\s*\([^;]*\bN\s*-\s*1\b/: Number {i} is not doubled: the kernel is told that there is one number less.
one_less.zh: 第 {i} 个数没有乘以 2：传给核函数的个数少了一个。
lost_x for no_value or stays_there or no_wait or no_copy_in or other or copy_too_long or host_touches_device or past_end or not_freed or copy_kind or copy_to_host or copy_from_host or no_copy_back or host_address when /cuda(?:Malloc|Host)\w*\s*\(\s*(?:\([^()]*\)\s*)?&\s*x\b/ at /cuda(?:Malloc|Host)\w*\s*\(\s*(?:\([^()]*\)\s*)?&\s*x\b/: After this line x points to the new memory, and where the host's numbers are is lost. The new memory needs a pointer of its own.
lost_x.zh: 执行这一行之后，x 就指向新分配的内存，主机的数据在哪里就不知道了。新分配的内存需要另一个指针。
pointer_back for stays_there or no_copy_back or no_wait or not_freed or copy_freed when /\bx\s*=\s*\w+\s*;/ at /\bx\s*=\s*\w+\s*;/: This changes where x points to, in this function only. It moves no number: the host's memory is as it was.
pointer_back.zh: 这一行只改变这个函数里 x 指向哪里，没有移动任何数据：主机的内存还是原样。
frees_x for host_address or crash or call_failed or freed_twice or copy_freed when /\b(?:cudaFree|free)\s*\(\s*(?:\([^()]*\)\s*)?x\s*\)/ at /\b(?:cudaFree|free)\s*\(\s*(?:\([^()]*\)\s*)?x\s*\)/: x belongs to the caller of double_all. Free only what this function has allocated.
frees_x.zh: x 的内存属于 double_all 的调用者。这里只应释放这个函数自己分配的内存。
pointer_there for host_pointer when /=\s*(?:\([^()]*\)\s*)?x\s*;/ at /=\s*(?:\([^()]*\)\s*)?x\s*;/: This line copies the pointer, and not the numbers. It is still an address of the host.
pointer_there.zh: 这一行复制的是指针，不是数据。它仍然是主机的地址。
still_x for host_pointer when /cudaMalloc.*>>>\s*\(\s*x\b/ at />>>/: There is memory on the device now, but the kernel still gets x, which is an address of the host.
still_x.zh: 设备上已经分配了内存，可是传给核函数的还是 x，即主机的地址。
by_malloc for host_pointer or copy_to_host or copy_from_host or copy_not_device or copy_kind when /\bdouble_all\b.*(?:\bmalloc\s*\(|\bnew\s+double|\bcalloc\s*\()/ at /\bmalloc\s*\(|\bnew\s+double|\bcalloc\s*\(/: malloc and new give memory of the host, again. Which function allocates on the device?
by_malloc.zh: malloc 和 new 分配的还是主机内存。哪个函数在设备上分配内存？
host_array for host_pointer or copy_to_host or copy_from_host or copy_not_device or copy_kind or host_address or wrote_outside or crash when /\bdouble_all\b.*\bdouble\s+(?:\w+\s*,\s*)*\w+\s*\[/ at /^\s*(?:const\s+|static\s+)*double\s+(?:\w+\s*,\s*)*\w+\s*\[/: An array that a function of the host declares is in memory of the host, as x is. The kernel cannot reach it: memory of the device has to be allocated.
host_array.zh: 主机函数里声明的数组和 x 一样在主机内存中，核函数够不着。要另外分配设备内存。
host_pointer at />>>/: The kernel gets {parameter}, an address in the host's memory, and cannot follow it. The numbers have to be on the device.
host_pointer.zh: 传给核函数的 {parameter} 是主机内存的地址，核函数不能使用。数据要在设备上才行。
not_allocated for copy_not_device or copy_to_host or copy_null or illegal_address or null_pointer when /^(?!.*cudaMalloc)/ at /\*\s*d\w*/: This pointer points nowhere: no memory of the device was allocated for it.
not_allocated.zh: 这个指针没有指向任何地方：没有为它分配设备内存。
address_of_pointer for copy_not_device or copy_kind or copy_to_host or copy_from_host or copy_too_long or call_failed or host_pointer when /cudaMemcpy\w*\s*\([^;]*&\s*\w+\s*,/ at /cudaMemcpy\w*\s*\([^;]*&/: & gives the address of the pointer itself. cudaMemcpy needs the pointer as it is.
address_of_pointer.zh: & 取的是指针变量自己的地址。cudaMemcpy 需要的就是这个指针本身。
bytes_of_count for copy_too_long or past_end when /^(?!.*\*=\s*(?:sizeof|8)).*\b(\w+)\s*(?:=|\{)\s*N\s*\}?\s*[;,].*\bcudaMalloc\w*\s*\([^;]*,\s*\g1\s*[,)]/ at /\w\s*(?:=|\{)\s*N\s*\}?\s*[;,]/: cudaMalloc gets this as its size, and counts in bytes. It is the number of elements, so there is room for {size} bytes only.
bytes_of_count.zh: cudaMalloc 用它作为大小，而 cudaMalloc 以字节计。这是元素个数，所以只有 {size} 字节的空间。
bytes_of_array for copy_too_long or past_end when /\bcudaMalloc\w*\s*\([^;]*,\s*N\s*[,)]/ at /\bcudaMalloc\w*\s*\([^;]*,\s*N\s*[,)]/: cudaMalloc counts in bytes. Here it gets the number of elements, so there is room for {size} bytes only.
bytes_of_array.zh: cudaMalloc 以字节计。这里给的是元素个数，所以只有 {size} 字节的空间。
of_pointer for copy_too_long or past_end or copy_size or copy_elements when /sizeof\s*\(\s*(?:\w*x|double\s*\*)\s*\)|sizeof\s+x/ at /sizeof\s*\(\s*(?:\w*x|double\s*\*)\s*\)|sizeof\s+x/: sizeof of a pointer is the size of the pointer itself, not that of the numbers behind it.
of_pointer.zh: 对指针用 sizeof，得到的是指针本身的大小，不是它指向的数据的大小。
of_float for copy_too_long or past_end or copy_size when /sizeof\s*\(\s*(?:float|int)\s*\)/ at /sizeof\s*\(\s*(?:float|int)\s*\)/: The numbers are of type double. sizeof of another type gives other bytes.
of_float.zh: 数据的类型是 double。这里 sizeof 用的是别的类型，字节数不同。
four_each for copy_too_long or past_end or copy_size when /\bN\s*\*\s*4\b|\b4\s*\*\s*N\b/ at /\bN\s*\*\s*4\b|\b4\s*\*\s*N\b/: The numbers are of type double, and a double has more than 4 bytes.
four_each.zh: 数据的类型是 double，一个 double 不止 4 字节。
one_element for copy_size or copy_too_long or past_end when /,\s*sizeof\s*\(\s*(?:double|\*\s*x)\s*\)\s*[,)]/ at /,\s*sizeof\s*\(\s*(?:double|\*\s*x)\s*\)\s*[,)]/: That is the size of one number. There are N of them.
one_element.zh: 这是一个数的大小，而数有 N 个。
fixed for copy_too_long or past_end or copy_size or some when /\b1000\b|\b8000\b/ at /\b1000\b|\b8000\b/: A number is written here that fits N = 1000 only. Here N is {N}.
fixed.zh: 这里写的数只适合 N = 1000，而这时 N 是 {N}。
host_loop for passed when /\bdouble_all\b.*(?:\]\s*\*=\s*2|\b2(?:\.0*)?\s*\*\s*\w+\[|\w\]\s*\*\s*2\b|\]\s*\+=\s*\w+\[)/ at /\b(?:for|while)\b/: The numbers are right, but a loop of the host has doubled them. That is the kernel's work.
host_loop.zh: 数是对的，但它们是主机的循环乘以 2 的。这是核函数的工作。
past_end at />>>|cudaMalloc/: The kernel goes past the end of memory of {size} bytes. Is there room for N numbers of type double?
past_end.zh: 核函数越过了长 {size} 字节的内存末尾。分配的空间够放 N 个 double 吗？
grid_size at /<<</: The grid has {shape} blocks, so nothing runs. grid_size was right as it was given.
grid_size.zh: 网格是 {shape} 个线程块，所以什么也没有执行。练习给出的 grid_size 是对的。
on_host at /double_all/: The numbers are doubled, but no kernel has run: the host has computed them.
on_host.zh: 数都乘以 2 了，但没有执行核函数：是主机自己算的。
no_launch at /double_all/: The kernel is not launched. Is the line with <<< >>> still there?
no_launch.zh: 没有调用核函数。有 <<< >>> 的那一行还在吗？
not_freed at /cuda(?:Malloc|HostAlloc)/: The numbers are right. But memory was allocated {mallocs} times, and freed {frees} times: a program that calls this often runs out of memory.
not_freed.zh: 数是对的。但分配了 {mallocs} 次，只释放了 {frees} 次：多次调用后内存会用完。
exchanged at /<<</: Here 128 is the number of blocks, and a block has {block} threads. In <<< >>> the number of blocks comes first, then the threads of a block.
exchanged.zh: 这里 128 成了线程块的个数，而每块有 {block} 个线程。<<< >>> 中先写线程块的个数，再写每块的线程数。
few_threads at /<<</: {threads} threads are launched for {N} numbers, so number {i} is left out. The launch was right as it was given.
few_threads.zh: {N} 个数只用了 {threads} 个线程，第 {i} 个数没有算。练习给出的执行配置是对的。
launched_often at /<<</: The kernel is launched {launches} times here, and each launch doubles the numbers again. One launch has a thread for each number.
launched_often.zh: 这里核函数调用了 {launches} 次，每次都又乘以 2。一次调用就可以让每个数都有一个线程。
other_array at last /cudaMemcpy/: The numbers went to one array on the device, and what comes back is from another one. The kernel doubles the numbers where they are.
other_array.zh: 数据送到设备上的一个数组，取回来的却是另一个数组。核函数是就地乘以 2 的。
wrote_outside at last /cudaMemcpy\w*\s*\(\s*&?\s*x\b/: What is written into x goes past its end, or begins before it. Where does the copy back begin, and how many bytes has it?
wrote_outside.zh: 写入 x 的内容超出了它的末尾，或者从它开头之前写起。复制回来从哪里开始，有多少字节？
four_times at /<<</: Each number is four times what it was: it has been doubled twice.
four_times.zh: 每个数变成了原来的四倍：乘以 2 做了两次。
copy_elements: cudaMemcpy brings {size} bytes of {bytes}. It counts in bytes, and here it gets the number of elements.
copy_elements.zh: cudaMemcpy 只复制了 {bytes} 字节中的 {size} 字节。它以字节计，而这里给的是元素个数。
copy_size: cudaMemcpy brings {size} bytes of {bytes}. How many bytes has a number, and how many numbers are there?
copy_size.zh: cudaMemcpy 只复制了 {bytes} 字节中的 {size} 字节。一个数有多少字节，一共有多少个数？
back_too_early: The copy back to the host comes before the launch, when nothing has been computed yet.
back_too_early.zh: 复制回主机的这一步在调用核函数之前，那时还什么都没有算。
copied_late: The kernel has run before the numbers come. They must be on the device first.
copied_late.zh: 数据到达之前，核函数已经执行了。要先把数据复制到设备上。
no_copy_back at /<<</: The kernel has run, but its result stays on the device: x of the host is as it was.
no_copy_back.zh: 核函数执行了，但结果还留在设备上：主机的 x 没有变。
no_copy_in at /<<</: The kernel doubles what happens to lie in its memory: the host's numbers never come there.
no_copy_in.zh: 核函数把它那块内存里碰巧有的值乘以 2：主机的数据没有送过去。
no_wait at /<<</: The host goes on at once after the launch, and takes the numbers before the kernel has changed them. Nothing waits for the kernel.
no_wait.zh: 调用核函数之后，主机立即继续执行，核函数还没有改数据，主机就取走了。没有等待核函数。
other_stream for stays_there when /cudaMemcpyAsync\s*\([^;]*(?:DeviceToHost|Default)/ at last /cudaMemcpyAsync\s*\(/: Nothing makes this copy come after the kernel, or the end of the function after both. Which streams are they in, and which stream is waited for?
other_stream.zh: 没有什么保证这次复制在核函数之后，也没有什么保证两者都完成后函数才结束。它们各在哪个流中？等待的又是哪个流？
stays_there at /<<</: The kernel has run, but x of the host is as it was. How does the result come back to it?
stays_there.zh: 核函数执行了，但主机的 x 没有变。结果怎样回到主机？
some at /cudaMemcpy|<<</: {num} of {N} numbers are wrong, the first of them number {i}: {got} and not {want}. How many bytes are copied, and how many threads run?
some.zh: {N} 个数中有 {num} 个不对，第一个是第 {i} 个：{got}，应为 {want}。复制了多少字节，有多少个线程？
other at /cudaMemcpy|<<</: Number {i} is {got} and should be {want}. Follow it: where is it before the launch, after it, and at the end?
other.zh: 第 {i} 个数是 {got}，应为 {want}。请跟踪它：调用核函数之前、之后和最后，它分别在哪里？

//== wrong stub_again: host_pointer
    twice<<<grid_size, 128>>>(x, N);
    cudaDeviceSynchronize();
//== wrong pointer_copied: pointer_there
    double *d_x = x;
    twice<<<grid_size, 128>>>(d_x, N);
    cudaDeviceSynchronize();
//== wrong still_x: still_x
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong address_of_x: lost_x
    cudaMalloc((void **)&x, N * sizeof(double));
    twice<<<grid_size, 128>>>(x, N);
    cudaDeviceSynchronize();
//== wrong managed_x: lost_x
    cudaMallocManaged((void **)&x, N * sizeof(double));
    twice<<<grid_size, 128>>>(x, N);
    cudaDeviceSynchronize();
    cudaFree(x);
//== wrong no_way_there: no_copy_in
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong no_way_back: no_copy_back
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaDeviceSynchronize();
    cudaFree(d_x);
//== wrong pointer_back: pointer_back
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaDeviceSynchronize();
    x = d_x;
//== wrong wrong_way: copy_kind
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyDeviceToHost);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong arguments_exchanged: copy_kind
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong back_first: back_too_early
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaFree(d_x);
//== wrong there_last: copied_late
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong elements_for_bytes: bytes_of_array
    double *d_x;
    cudaMalloc((void **)&d_x, N);
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong copies_elements: copy_elements
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N, cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong size_of_pointer: of_pointer
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong one_number: one_element
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong floats: of_float
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(float));
    cudaMemcpy(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong of_the_example: fixed
    double *d_x;
    cudaMalloc((void **)&d_x, 1000 * sizeof(double));
    cudaMemcpy(d_x, x, 1000 * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, 1000 * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong not_allocated: not_allocated
    double *d_x = NULL;
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
//== wrong by_malloc: by_malloc
    double *d_x = (double *)malloc(N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToHost);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaDeviceSynchronize();
    free(d_x);
//== wrong leak: not_freed
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
//== wrong freed_by_free: freed_by_host
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    free(d_x);
//== wrong freed_first: copy_freed
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaFree(d_x);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
//== wrong host_writes: host_touches_device
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    for (int n = 0; n < N; ++n)
    {
        d_x[n] = x[n];
    }
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong on_the_host: on_host
    for (int n = 0; n < N; ++n)
    {
        x[n] *= 2;
    }
//== wrong both: host_loop
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaFree(d_x);
    for (int n = 0; n < N; ++n)
    {
        x[n] *= 2;
    }
//== wrong managed_too_fast: no_wait
    double *m;
    cudaMallocManaged((void **)&m, N * sizeof(double));
    memcpy(m, x, N * sizeof(double));
    twice<<<grid_size, 128>>>(m, N);
    memcpy(x, m, N * sizeof(double));
    cudaFree(m);
//== wrong twice_twice: four_times
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong one_thread: few_threads
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<1, 1>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong grid_for_block: exchanged
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<128, grid_size>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong frees_too_much: frees_x
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(x);
//== wrong no_kind: three_arguments
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double));
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong called: called_kernel
    twice(x, N);
//== wrong address_of_d_x: address_of_pointer
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(&d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong star: types
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(*d_x, *x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);

//== wrong one_number_less: one_less
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N - 1);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
//== wrong value_of_pointer: malloc_value
    double *d_x;
    cudaMalloc((void **)d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
//== wrong memory_of_malloc: by_malloc
    double *d_x = (double *)malloc(N * sizeof(double));
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaMemcpy(x, d_x, N * sizeof(double), cudaMemcpyDeviceToHost);
    free(d_x);
//== wrong kind_before_bytes: kind_third
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, cudaMemcpyHostToDevice, N * sizeof(double));
//== wrong no_number_of_bytes: three_arguments
    double *d_x;
    cudaMalloc((void **)&d_x, N * sizeof(double));
    cudaMemcpy(d_x, x, cudaMemcpyHostToDevice);

//== wrong value_of_d: malloc_value
    double *d;
    cudaMalloc(d, N * sizeof(double));
//== wrong return_before_free: never_reached
//- cudaFree(d_x);
//+ return;
//+ cudaFree(d_x);
//== wrong bytes_to_kernel: bytes_to_kernel
//- (d_x, N)
//+ (d_x, N * sizeof(double))
//== wrong all_by_number: bytes_of_count
//- bytes = N * sizeof(double)
//+ count = N

//- bytes
//+ count
//== wrong declared_array: host_array
//- *d_x;
//- cudaMalloc((void **)&d_x, bytes);
//+ d_x[N];
//== wrong pinned_and_empty: no_copy_in
    double *h;
    cudaMallocHost((void **)&h, N * sizeof(double));
    twice<<<grid_size, 128>>>(h, N);
    cudaDeviceSynchronize();
    memcpy(x, h, N * sizeof(double));
    cudaFreeHost(h);
//== wrong copied_in_another_stream: other_stream
//- cudaMemcpy(x, d_x, bytes, cudaMemcpyDeviceToHost);
//+ cudaStream_t s;
//+ cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
//+ cudaMemcpyAsync(x, d_x, bytes, cudaMemcpyDeviceToHost, s);
//+ cudaStreamSynchronize(s);
//+ cudaStreamDestroy(s);
//== wrong large_ones_stay: not_freed or call_failed
//- cudaFree(d_x);
//+ if (N < 2000) cudaFree(d_x);
//== wrong eight_to_kernel: bytes_to_kernel
//- (d_x, N)
//+ (d_x, 8 * N)
//== wrong four_bytes: four_each
//- bytes = N * sizeof(double)
//+ bytes = N * 4
//== wrong other_array_back: other_array
//- *d_x;
//+ *d_x, *d_y;
//+ cudaMalloc((void **)&d_y, bytes);

//- x, d_x
//+ x, d_y

//- cudaFree(d_x);
//+ cudaFree(d_x);
//+ cudaFree(d_y);
//== wrong back_too_far: wrote_outside
//- (x, d_x
//+ (x + 1, d_x
//== wrong launched_five_times: launched_often
//- twice<<<grid_size, 128>>>(d_x, N);
//+ for (int i = 0; i < 5; ++i) twice<<<grid_size, 128>>>(d_x, N);
//== wrong and_too_much: free_address
//- cudaFree(d_x)
//+ cudaFree(&d_x)
//== wrong set_in_a_helper: copy_of_pointer
//- cudaMalloc((void **)&d_x, bytes);
//+ d_x = NULL;
//+ auto make = [](double *there, size_t size) { cudaMalloc((void **)&there, size); };
//+ make(d_x, bytes);
//== wrong only_a_pointer: malloc_arguments
//- cudaMalloc((void **)&d_x, bytes);
//+ cudaMalloc((void **)&d_x);
//== wrong return_before_copy: never_reached
//- cudaMemcpy(x
//+ return;
//+ cudaMemcpy(x
//== wrong kernel_from_second: kernel_shifted
//- (d_x, N)
//+ (d_x + 1, N)
//== wrong sizeof_N: sizeof_count
//- N * sizeof(double)
//+ sizeof(N)
//== wrong cast_with_one_star: cast_of_address
//- (void **)
//+ (void *)
//== right block_for_each
    double *h;
    cudaMallocHost((void **)&h, sizeof(double[N]));
    memcpy(h, x, sizeof(double[N]));
    twice<<<dim3(N), dim3(1)>>>(h, N);
    cudaMemcpy(x, h, sizeof(double[N]), cudaMemcpyHostToHost);
    cudaFreeHost(h);
//== right managed
    double *m;
    cudaMallocManaged(&m, N * sizeof(double));
    for (int n = 0; n < N; ++n)
    {
        m[n] = x[n];
    }
    twice<<<grid_size, 128>>>(m, N);
    cudaDeviceSynchronize();
    for (int n = 0; n < N; ++n)
    {
        x[n] = m[n];
    }
    cudaFree(m);
//== right registered
    cudaHostRegister(x, N * sizeof(double), cudaHostRegisterDefault);
    twice<<<grid_size, 128>>>(x, N);
    cudaDeviceSynchronize();
    cudaHostUnregister(x);
//== right registered_with_its_pointer
    double *d_x;
    cudaHostRegister(x, N * sizeof(*x), cudaHostRegisterMapped);
    cudaHostGetDevicePointer((void **)&d_x, x, 0);
    twice<<<grid_size, 128>>>(d_x, N);
    cudaStreamSynchronize(0);
    cudaHostUnregister(x);
//== right pinned
    double *h;
    cudaMallocHost((void **)&h, N * sizeof(double));
    memcpy(h, x, N * sizeof(double));
    twice<<<grid_size, 128>>>(h, N);
    cudaDeviceSynchronize();
    memcpy(x, h, N * sizeof(double));
    cudaFreeHost(h);
//== right by_stream
    const size_t bytes = sizeof(double) * N;
    double *a = NULL;
    cudaMallocAsync((void **)&a, bytes, 0);
    cudaMemcpyAsync(a, x, bytes, cudaMemcpyDefault, 0);
    twice<<<grid_size, 128, 0, 0>>>(a, N);
    cudaMemcpyAsync(x, a, bytes, cudaMemcpyDefault, 0);
    cudaFreeAsync(a, 0);
    cudaStreamSynchronize(0);
//== right in_halves
    double *there;
    const int half = N / 2, rest = N - half;
    cudaMalloc((void **)&there, sizeof(*there) * N);
    if (half > 0)
    {
        cudaMemcpy(there, x, half * sizeof(double), cudaMemcpyHostToDevice);
    }
    cudaMemcpy(there + half, x + half, rest * sizeof(double), cudaMemcpyHostToDevice);
    twice<<<grid_size, 128>>>(there, N);
    cudaDeviceSynchronize();
    cudaMemcpy(x, there, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(there);
#endif
