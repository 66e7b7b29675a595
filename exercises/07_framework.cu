// 07_framework: an addition, from the host to the device and back
// 07_framework.zh: 一次加法的完整过程：从主机到设备，再回到主机
//
// Kind: write
// Chapter: 3
// Program: ch03_framework/add1.cu
// Book: 3.2
// Goal: The kernel add is there. Write the function of the host that uses it: x, y and z are arrays of N
//   numbers in memory of the host, and z shall become x + y, computed by the kernel. Take blocks of
//   128 threads, for any N from 1 on.
// Goal.zh: 核函数 add 已经写好。请写出使用它的主机函数：x、y、z 是主机内存中长为 N 的数组，
//   要用核函数算出 z = x + y。线程块取 128 个线程，N 是任意正整数。
// Hint 1: A kernel can only follow pointers to memory of the device. So what does it need before it can
//   begin, and where is its result when it has ended?
// Hint 1.zh: 核函数只能访问设备内存。那么它开始之前需要什么？结束之后结果又在哪里？
// Hint 2: There are five steps: memory on the device, the numbers there, the launch, the result back, the
//   memory freed. All sizes are in bytes: an array of N numbers has N * sizeof(double).
// Hint 2.zh: 共有五步：分配设备内存，把数据复制过去，调用核函数，把结果复制回来，释放内存。
//   大小都以字节计：N 个数是 N * sizeof(double) 字节。
// Hint 3: Each of the three arrays needs a pointer of its own, as double *d_x, whose address cudaMalloc
//   gets. The first argument of cudaMemcpy is where the bytes go.
// Hint 3.zh: 三个数组各需要一个自己的指针，如 double *d_x，把它的地址交给 cudaMalloc。
//   cudaMemcpy 的第一个参数是目的地。
// After: This is the frame of nearly every CUDA program. The two copies in and the one back cost more than the
//   addition on a card: 24 bytes cross the bus for one sum. Data should stay on the device as long as it
//   is worked on. The copy back waits for the kernel, so no cudaDeviceSynchronize is needed. See ch03_framework/add1.cu,
//   and chapter 4 for the errors that each call returns.
// After.zh: 几乎每个 CUDA 程序都是这个框架。在显卡上，两次复制过去、一次复制回来的开销比加法大：
//   算一个和要经过总线传 24 字节，所以数据应尽量留在设备上。复制回来时会等待核函数结束，
//   不需要另外等待。见 ch03_framework/add1.cu；每个调用返回的错误见第 4 章。

#include <stdio.h>
#include <stdlib.h>

__global__ void add(const double *x, const double *y, double *z, int N)
{
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

void add_on_device(const double *x, const double *y, double *z, int N)
{
    //[
    const size_t bytes = N * sizeof(double);
    double *d_x, *d_y, *d_z;
    cudaMalloc((void **)&d_x, bytes);
    cudaMalloc((void **)&d_y, bytes);
    cudaMalloc((void **)&d_z, bytes);
    cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
    add<<<(N + 127) / 128, 128>>>(d_x, d_y, d_z, N);
    cudaMemcpy(z, d_z, bytes, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    //| // memory on the device
    //zh // 设备上的内存
    //| // x and y go there
    //zh // 把 x 和 y 复制过去
    //| // the kernel
    //zh // 核函数
    //| // z comes back
    //zh // 把 z 复制回来
    //| // the memory is freed
    //zh // 释放内存
    //]
}

int main(void)
{
    const int N = 1000;
    double x[N], y[N], z[N];
    for (int n = 0; n < N; ++n)
    {
        x[n] = n;
        y[n] = 2 * n;
        z[n] = 0;
    }
    add_on_device(x, y, z, N);
    printf("z[1] = %g, z[%d] = %g\n", z[1], N - 1, z[N - 1]);
    return 0;
}

#if 0
//== child
static void run_case()
{
    double *x = judged::on_heap<double>(0), *y = judged::on_heap<double>(1), *z = judged::on_heap<double>(2);
    add_on_device(x, y, z, judged::number(0));
    judged::from_heap(0, x);
    judged::from_heap(1, y);
    judged::from_heap(2, z);
}

//== judge
#include "judge.h"

static void prepare()
{
    const long sizes[] = {random_number(901, 999), random_number(130, 900), 1000, 1, 31, 128, 129, 1025};
    for (const long N : sizes)
    {
        Case *c = add_case({N});
        input<double>(c, N);
        input<double>(c, N);
        output<double>(c, N);
    }
}

static void look(const Case *c)
{
    const long N = c->number[0], bytes = N * sizeof(double);
    const double *x = array<double>(c, 0), *y = array<double>(c, 1), *z = array<double>(c, 2);
    // What has been called?
    long mallocs = 0, odd_malloc = -1, odd_malloc_line = 0, frees = 0, copies_in = 0, copies_back = 0, short_line = 0,
         short_bytes = -1, launches = 0, waits = 0, launch_line = 0, threads = 0, back_line = 0, late_copy = 0;
    bool back_before_launch = false;
    char target[20][40] = {};
    long again_line = 0;
    Call call;
    Launch l = {};
    bool is_managed = false;
    for (int i = 0; call_of(c, i, &call); ++i)
    {
        unsigned long size = 0;
        if (strstr(lines_of(c, "calls")[i], "child.cuh:") != NULL)
        {
            continue;
        }
        const bool for_both = strncmp(call.name, "cudaMallocManaged", 17) == 0 || strncmp(call.name, "cudaHost", 8) == 0;
        is_managed = is_managed || for_both;
        waits += launches > 0 && (strstr(call.name, "Synchronize") != NULL || strstr(call.name, "Query") != NULL || strcmp(call.name, "cudaMemcpy") == 0);
        if (strcmp(call.name, "cudaMalloc") == 0 || strcmp(call.name, "cudaMallocManaged") == 0)
        {
            ++mallocs;
            sscanf(call.arguments, "%*[^,], %lu", &size);
            if (size < (unsigned long)bytes && odd_malloc < 0)
            {
                odd_malloc = size;
                odd_malloc_line = call.line;
            }
        }
        else if (strcmp(call.name, "cudaFree") == 0)
        {
            ++frees;
        }
        else if (strncmp(call.name, "cudaMemcpy", 10) == 0)
        {
            sscanf(call.arguments, "%*[^,], %*[^,], %lu", &size);
            const bool by_pointer = strstr(call.arguments, "cudaMemcpyDefault") != NULL;
            const bool back = strstr(call.arguments, "cudaMemcpyDeviceToHost") != NULL || (by_pointer && launches > 0);
            const bool in = strstr(call.arguments, "cudaMemcpyHostToDevice") != NULL || (by_pointer && launches == 0);
            if (in && copies_in < 20)
            {
                sscanf(call.arguments, "%39[^,]", target[copies_in]);
                for (int k = 0; k < copies_in; ++k)
                {
                    again_line = strcmp(target[k], target[copies_in]) == 0 ? call.line : again_line;
                }
            }
            copies_in += in;
            copies_back += back;
            back_line = back ? call.line : back_line;
            back_before_launch = back_before_launch || (back && launches == 0);
            late_copy = in && launches > 0 && late_copy == 0 ? call.line : late_copy;
            if (size < (unsigned long)bytes && short_bytes < 0)
            {
                short_bytes = size;
                short_line = call.line;
            }
        }
        else if (is_launch(&call))
        {
            ++launches;
            launch_line = call.line;
        }
    }
    for (int i = 0; launch_of(c, i, &l); ++i)
    {
        threads = (long)l.grid[0] * l.block[0];
    }
    bool is_right = true, is_x = true, is_y = true, untouched = true, is_twice = true;
    long first = -1, num_wrong = 0;
    for (long n = N - 1; n >= 0; --n)
    {
        const bool right = z[n] == x[n] + y[n];
        is_right = is_right && right;
        num_wrong += !right;
        first = right ? first : n;
        is_x = is_x && z[n] == x[n];
        is_y = is_y && z[n] == y[n];
        is_twice = is_twice && (z[n] == x[n] + x[n] || z[n] == y[n] + y[n]);
        untouched = untouched && is_untouched(z[n]);
    }
    value("N", "%ld", N);
    value("bytes", "%ld", bytes);
    value("i", "%ld", first);
    value("mallocs", "%ld", mallocs);
    value("frees", "%ld", frees);
    value("threads", "%ld", threads);
    value("grid", "%u", l.grid[0]);
    value("block", "%u", l.block[0]);
    const char *id = NULL;
    long line = 0;
    if (mallocs == 0 && launches == 0 && untouched)
    {
        id = "unbegun";
    }
    else if (launches == 0)
    {
        id = is_right ? "on_host" : "no_launch";
    }
    else if (odd_malloc >= 0)
    {
        value("size", "%ld", odd_malloc);
        id = odd_malloc == N ? "malloc_elements" : "malloc_size";
        line = odd_malloc_line;
    }
    else if (mallocs < 3 && !is_right)
    {
        id = "too_few_mallocs";
    }
    else if (short_bytes >= 0)
    {
        value("size", "%ld", short_bytes);
        id = short_bytes == N ? "copy_elements" : "copy_size";
        line = short_line;
    }
    else if (late_copy > 0)
    {
        id = "copied_late";
        line = late_copy;
    }
    else if (copies_in == 0 && !is_managed)
    {
        id = "no_copy_in";
    }
    else if (copies_back == 0 && !is_managed)
    {
        id = "no_copy_back";
    }
    else if (is_managed && waits == 0)
    {
        id = "no_wait";
    }
    else if (back_before_launch)
    {
        id = "back_too_early";
        line = back_line;
    }
    else if (is_right && launches == N && N > 1)
    {
        value("launches", "%ld", launches);
        id = "one_each";
        line = launch_line;
    }
    else if (threads < N && !is_right)
    {
        id = l.block[0] == 128 && l.grid[0] == N / 128 ? "grid" : "few_threads";
        line = launch_line;
    }
    else if (l.block[0] != 128)
    {
        id = l.grid[0] == 128 ? "block_of_128" : l.grid[0] == 1 && l.block[0] == N ? "one_block" : "other_block";
        line = launch_line;
    }
    else if (copies_in == 1 && !is_right)
    {
        id = "one_copy_in";
    }
    else if (!is_right && (is_x || is_y))
    {
        id = "wrong_array";
        line = back_line;
    }
    else if (!is_right && again_line > 0)
    {
        id = "two_copies";
        line = again_line;
    }
    else if (!is_right && is_twice)
    {
        id = "twice";
    }
    else if (!is_right)
    {
        id = untouched ? (copies_back > 0 ? "not_to_z" : "no_copy_back") : num_wrong == 1 && first == N - 1 ? "last_one" : "other";
    }
    else if (frees < mallocs)
    {
        id = "not_freed";
    }
    else if (threads >= N + 128)
    {
        id = l.grid[0] == N && N > 1 ? "block_each" : "too_many_blocks";
        line = launch_line;
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
unbegun at /add_on_device/: z is as it was before. The first step is memory on the device for the three arrays.
unbegun.zh: z 还是原来的样子。第一步是在设备上为三个数组分配内存。
on_host at /add_on_device/: The sums are right, but no kernel has run: the host has computed them.
on_host.zh: 和是对的，但没有执行核函数：是主机自己算的。
no_launch at /add_on_device/: The kernel is never launched.
no_launch.zh: 没有调用核函数。
too_few_mallocs at /cudaMalloc/: Memory of the device is allocated {mallocs} times, and there are three arrays: x, y and z.
too_few_mallocs.zh: 设备上分配了 {mallocs} 次内存，而数组有三个：x、y 和 z。
malloc_elements: cudaMalloc gets {size} bytes for {N} numbers. It counts in bytes: how many has one double?
malloc_elements.zh: cudaMalloc 为 {N} 个数分配了 {size} 字节。它以字节计：一个 double 有多少字节？
malloc_size: cudaMalloc gets {size} bytes, and {N} numbers of type double have {bytes}. Of what is the sizeof?
malloc_size.zh: cudaMalloc 分配了 {size} 字节，而 {N} 个 double 有 {bytes} 字节。sizeof 的是什么？
of_float for past_end or copy_too_long when /sizeof\s*\(\s*(?:float|int)\s*\)/ at /sizeof\s*\(\s*(?:float|int)\s*\)/: The arrays are of type double. sizeof of another type gives other bytes, here {size} in all.
of_float.zh: 数组的类型是 double。这里 sizeof 用的是别的类型，一共只有 {size} 字节。
four_each for past_end or copy_too_long when /\bN\s*\*\s*4\b|\b4\s*\*\s*N\b/ at /\bN\s*\*\s*4\b|\b4\s*\*\s*N\b/: The arrays are of type double, and a double has more than 4 bytes.
four_each.zh: 数组的类型是 double，一个 double 不止 4 字节。
lost_x for no_value or copy_null or copy_kind or copy_to_host or copy_from_host or copy_not_device or host_touches_device or null_pointer or illegal_address or host_pointer or call_failed or arguments or types or crash or not_ended or unbegun or wrote_outside or no_copy_in or other when /cudaMalloc\w*\s*\(\s*(?:\(\s*void\s*\*\s*\*\s*\)\s*)?&\s*[xyz]\s*,/ at /cudaMalloc\w*\s*\([^,;]*&\s*[xyz]\s*,/: cudaMalloc sets the pointer of the host's own array here, and from then on nothing says where the host's numbers are.
lost_x.zh: 这里 cudaMalloc 改写了主机数组自己的指针，此后就找不到主机的数据了。
frees_host for call_failed or host_address or crash or freed_twice or copy_freed or types when /\b(?:cudaFree|free)\s*\(\s*(?:(?:\([^()]*\)|const_cast\s*<[^<>]*>)\s*\(?)?\s*[xyz]\s*\)/ at /\b(?:cudaFree|free)\s*\([^;]*?\b[xyz]\s*\)/: x, y and z belong to the caller of add_on_device. Free only what this function has allocated.
frees_host.zh: x、y、z 的内存属于 add_on_device 的调用者。这里只应释放这个函数自己分配的内存。
address_of_pointer for copy_not_device or copy_kind or copy_to_host or copy_from_host or copy_too_long or call_failed or host_pointer or host_address or crash when /cudaMemcpy\w*\s*\([^;]*&\s*\w+\s*,/ at /cudaMemcpy\w*\s*\([^;]*&/: & gives the address of the pointer itself. cudaMemcpy needs the pointer as it is.
address_of_pointer.zh: & 取的是指针变量自己的地址。cudaMemcpy 需要的就是这个指针本身。
by_malloc for host_pointer or copy_to_host or copy_from_host or copy_not_device or copy_kind when /\badd_on_device\b.*(?:\bmalloc\s*\(|\bnew\s+double|\bcalloc\s*\()/ at /\bmalloc\s*\(|\bnew\s+double|\bcalloc\s*\(/: malloc and new give memory of the host, again. Which function allocates on the device?
by_malloc.zh: malloc 和 new 分配的还是主机内存。哪个函数在设备上分配内存？
host_array for host_pointer or copy_to_host or copy_from_host or copy_not_device or copy_kind or host_address or wrote_outside or crash when /\badd_on_device\b.*\bdouble\s+(?:\w+\s*,\s*)*\w+\s*\[/ at /^\s*(?:const\s+|static\s+)*double\s+(?:\w+\s*,\s*)*\w+\s*\[/: An array that a function of the host declares is in memory of the host. The kernel cannot reach it: memory of the device has to be allocated.
host_array.zh: 主机函数里声明的数组在主机内存中，核函数够不着。要另外分配设备内存。
each_star for compile or types or arguments or expected when /\bdouble\s*\*\s*\w+(?:\s*=\s*\w+)?\s*,\s*(?!int\b|const\b|double\b)\w+\s*[,;=]/ at /\bdouble\s*\*\s*\w+(?:\s*=\s*\w+)?\s*,\s*(?!int\b|const\b|double\b)\w+\s*[,;=]/: The star belongs to the first name only. Each pointer needs a star of its own here.
each_star.zh: 星号只属于第一个变量名。这里每个指针都要有自己的星号。
no_room for null_pointer when /cudaMalloc/ at /cudaMalloc/: The kernel follows a pointer that points to nothing. Does each of its three arrays have a cudaMalloc of its own?
no_room.zh: 核函数使用了空指针。传给它的三个数组各有自己的 cudaMalloc 吗？
no_room_there for illegal_address when /cudaMalloc/ at /cudaMalloc/: The kernel follows a pointer that points to no memory of the device. Does each of its three arrays have a cudaMalloc of its own?
no_room_there.zh: 核函数使用的指针没有指向设备内存。传给它的三个数组各有自己的 cudaMalloc 吗？
kernel_changed for other when /\bz\s*\[\s*n\s*\]\s*\+=/ at /\+=/: The kernel was right as it was given: z[n] becomes the sum, and nothing says what was there before.
kernel_changed.zh: 给出的核函数本来是对的：z[n] 等于两数之和。里面原来是什么，并不确定。
z_there for other or one_copy_in when /cudaMemcpy\w*\s*\(\s*\w+\s*,\s*z\s*,[^;]*HostToDevice/ at /cudaMemcpy\w*\s*\(\s*\w+\s*,\s*z\s*,/: z is copied to the device here, though the kernel does not read it. Does each array that it reads have a copy?
z_there.zh: 这里把 z 复制到了设备上，可核函数并不读它。核函数要读的数组都复制过去了吗？
two_copies: The copy goes to an array on the device that has had one before. So nothing comes into another one.
two_copies.zh: 这次复制的目的地是设备上已经复制过的那个数组，于是另一个数组里什么也没有。
past_end at /<<</: The kernel goes past the end of an array of {size} bytes. Was room for N numbers allocated, and is N what the kernel gets?
past_end.zh: 核函数越过了长 {size} 字节的数组末尾。分配的是 N 个数的空间吗？传给核函数的是 N 吗？
to_const for types when /cudaMemcpy\s*\(\s*[xy]\s*,/ at /cudaMemcpy\s*\(\s*[xy]\s*,/: The first argument of cudaMemcpy is where the bytes go. x and y of the host are only read.
to_const.zh: cudaMemcpy 的第一个参数是目的地。主机的 x 和 y 只用来读取。
too_few_arguments for types or arguments when />>>\s*\([^,;]*(?:,[^,;]*){0,2}\)\s*;/ at />>>/: The kernel has four parameters, and gets fewer here.
too_few_arguments.zh: 核函数有四个参数，这里给的不够。
block_of_128 at /<<</: Here a block has {block} threads, and shall have 128. In <<< >>> the number of blocks comes first.
block_of_128.zh: 这里每个线程块有 {block} 个线程，应为 128 个。<<< >>> 中先写线程块的个数。
one_block: All {N} threads are in one block here, and a block has 1024 at most. N may be larger: take more blocks, of 128 threads each.
one_block.zh: 这里 {N} 个线程都在一个线程块里，而一个线程块最多有 1024 个线程。N 可以更大：要用更多的线程块，每块 128 个线程。
other_block: Here a block has {block} threads, and shall have 128.
other_block.zh: 这里每个线程块有 {block} 个线程，应为 128 个。
few_threads: The launch has {grid} x {block} = {threads} threads for {N} elements, so element {i} is left out.
few_threads.zh: 这里启动了 {grid} x {block} = {threads} 个线程，而元素有 {N} 个，元素 {i} 没有算。
one_less for last_one when />>>\s*\([^;]*\bN\s*-\s*1\b/ at />>>\s*\([^;]*\bN\s*-\s*1\b/: Only the last element, {i}, is wrong: the kernel is told here that there is one element less.
one_less.zh: 只有最后一个元素（元素 {i}）不对：这里传给核函数的个数少了一个。
last_one at /<<</: Only the last element, {i}, is wrong. How many elements does the kernel get, and are they {N}?
last_one.zh: 只有最后一个元素（元素 {i}）不对。传给核函数的元素个数是 {N} 吗？
same_pointer for twice when />>>\s*\(\s*(\w+)\s*,\s*\1\s*,/ at />>>/: z is the sum of one array with itself: the kernel gets one pointer twice.
same_pointer.zh: z 是一个数组与自己的和：传给核函数的两个指针是同一个。
y_from_x for twice when /cudaMemcpy\s*\(\s*\w*y\w*\s*,\s*x\s*,/ at /cudaMemcpy\s*\(\s*\w*y\w*\s*,\s*x\s*,/: z is the sum of one array with itself: x goes to the place of y here.
y_from_x.zh: z 是一个数组与自己的和：这里把 x 复制到了 y 的位置。
x_from_y for twice when /cudaMemcpy\s*\(\s*\w*x\w*\s*,\s*y\s*,/ at /cudaMemcpy\s*\(\s*\w*x\w*\s*,\s*y\s*,/: z is the sum of one array with itself: y goes to the place of x here.
x_from_y.zh: z 是一个数组与自己的和：这里把 y 复制到了 x 的位置。
host_loop for passed when /\badd_on_device\b.*\bz\s*\[\s*(\w+)\s*\]\s*=\s*[xy]\s*\[\s*\1\s*\]\s*\+\s*[xy]\s*\[/ at /\b(?:for|while)\b/: The sums are right, but a loop of the host has computed them. That is the kernel's work.
host_loop.zh: 和是对的，但它们是主机的循环算出来的。这是核函数的工作。
one_each: The kernel is launched {launches} times, once for each element. In one launch there can be a thread for each.
one_each.zh: 核函数调用了 {launches} 次，每次只算一个元素。一次调用就可以让每个元素都有一个线程。
freed_early for freed or copy_freed when /\bcudaFree\b.*<<</ at /cudaFree/: This memory is freed, and the kernel still comes. Free it after its last use.
freed_early.zh: 这里释放了内存，而核函数在后面才执行。应在最后一次使用之后再释放。
no_wait at /<<</: The host goes on at once after the launch, and takes the sums before the kernel has computed them. Nothing waits for the kernel.
no_wait.zh: 调用核函数之后，主机立即继续执行，核函数还没有算完，主机就取走了结果。没有等待核函数。
one_size for copy_too_long or call_failed or host_address or crash or wrote_outside or past_end or copy_size or malloc_size or grid when /\b1000\b|\b8000\b/ at /\b1000\b|\b8000\b/: A number is written here that fits N = 1000 only, and N may be any number.
one_size.zh: 这里写的数只适合 N = 1000，而 N 可以是任何数。
sums_exchanged for other when />>>\s*\(\s*\w*z\w*\s*,/ at />>>/: The kernel writes into its third array, and here it gets z as its first one.
z_second for other when />>>\s*\(\s*\w+\s*,\s*\w*z\w*\s*,/ at />>>/: The kernel writes into its third array, and here it gets z as its second one.
z_second.zh: 核函数写的是它的第三个数组，而这里 z 传给了第二个。
sums_exchanged.zh: 核函数写的是它的第三个数组，而这里 z 传给了第一个。
twice at /cudaMemcpy/: z is the sum of one array with itself: one of the two inputs has been copied twice.
twice.zh: z 是一个数组与自己的和：两个输入中有一个复制了两次。
bytes_to_kernel for past_end when />>>\s*\([^;]*,[^,;]*(?:\bsizeof\b|\bbytes\b|\bsize\b|\b8\b)[^,;]*\)/ at />>>/: The kernel counts in numbers, and here it gets the bytes: so it takes far more numbers than there are.
bytes_to_kernel.zh: 核函数按数的个数计，而这里传给它的是字节数：于是它处理的数远远多于实际的个数。
one_element for copy_size or copy_too_long or past_end or malloc_size when /[,=]\s*sizeof\s*\(\s*(?:double|\*\s*[xyz])\s*\)\s*[,;)]/ at /[,=]\s*sizeof\s*\(\s*(?:double|\*\s*[xyz])\s*\)\s*[,;)]/: That is the size of one number. There are N of them.
one_element.zh: 这是一个数的大小，而数有 N 个。
malloc_by_count for past_end or copy_too_long when /^(?!.*\*=\s*(?:sizeof|8)).*\b(\w+)\s*(?:=|\{)\s*N\s*\}?\s*[;,].*\bcudaMalloc\w*\s*\([^;]*,\s*\g1\s*[,)]/ at /\w\s*(?:=|\{)\s*N\s*\}?\s*[;,]/: cudaMalloc gets this as its size, and counts in bytes. It is the number of elements, so there is room for {size} bytes only.
malloc_by_count.zh: cudaMalloc 用它作为大小，而 cudaMalloc 以字节计。这是元素个数，所以只有 {size} 字节的空间。
malloc_by_number for past_end or copy_too_long when /\bcudaMalloc\w*\s*\([^;]*,\s*N\s*[,)]/ at /\bcudaMalloc\w*\s*\([^;]*,\s*N\s*[,)]/: cudaMalloc counts in bytes. Here it gets the number of elements, so there is room for {size} bytes only.
malloc_by_number.zh: cudaMalloc 以字节计。这里给的是元素个数，所以只有 {size} 字节的空间。
sizeof_pointer for copy_too_long or past_end when /sizeof\s*\(\s*(?:d_)?[xyz]\s*\)/ at /sizeof\s*\(\s*(?:d_)?[xyz]\s*\)/: sizeof of a pointer is the size of the pointer itself, not that of the array behind it.
sizeof_pointer.zh: 对指针用 sizeof，得到的是指针本身的大小，不是它指向的数组的大小。
copy_elements: cudaMemcpy brings {size} bytes of {bytes}. It counts in bytes, and here it gets the number of elements.
copy_elements.zh: cudaMemcpy 只复制了 {bytes} 字节中的 {size} 字节。它以字节计，而这里给的是元素个数。
copy_size: cudaMemcpy brings {size} bytes of {bytes}. How many bytes has a number, and how many numbers are there?
copy_size.zh: cudaMemcpy 只复制了 {bytes} 字节中的 {size} 字节。一个数有多少字节，一共有多少个数？
copied_late: The kernel has run before these numbers come. They must be on the device first.
copied_late.zh: 这些数据到达之前，核函数已经执行了。要先把它们复制到设备上。
no_copy_in at /<<</: The kernel reads memory that nothing was copied to: x and y are still on the host only.
no_copy_in.zh: 核函数读取的内存里什么也没有复制进去：x 和 y 还只在主机上。
one_copy_in at /cudaMemcpyHostToDevice/: Only one array goes to the device, and the kernel reads two.
one_copy_in.zh: 只有一个数组复制到了设备上，而核函数要读两个。
no_copy_back at /<<</: The kernel has run, but its result stays on the device: z of the host is as it was.
no_copy_back.zh: 核函数执行了，但结果还留在设备上：主机的 z 没有变。
not_to_z at /cudaMemcpyDeviceToHost|cudaMemcpyDefault/: Something is copied back, but z of the host is as it was. Where does the copy go?
not_to_z.zh: 有数据复制回来了，但主机的 z 没有变。它复制到哪里去了？
back_too_early: z is copied back before the kernel is launched.
back_too_early.zh: 在调用核函数之前就把 z 复制回来了。
grid: {threads} threads are launched for {N} elements, so element {i} is left out. Whole numbers are rounded down: N / 128 is not enough.
grid.zh: 为 {N} 个元素只启动了 {threads} 个线程，元素 {i} 没有算。整数除法向下取整：N / 128 不够。
divided_first for too_many_blocks or block_each when /\bN\s*\+\s*12[78]\s*\/\s*128|\b12[78]\s*\/\s*128\s*\+\s*N\b/ at /12[78]\s*\/\s*128/: {grid} blocks are launched for {N} elements: without brackets / comes before +, so only 127 or 128 is divided here, and not N.
divided_first.zh: 为 {N} 个元素启动了 {grid} 个线程块：没有括号时先算 / 后算 +，这里除的只是 127 或 128，而不是 N。
fixed_grid for too_many_blocks or few_threads when /<<<\s*\d+\s*,/ at /<<<\s*\d+\s*,/: The number of blocks is fixed here: {grid} x {block} = {threads} threads, and here N is {N}. N may be any number.
fixed_grid.zh: 这里线程块的个数写死了：共 {grid} x {block} = {threads} 个线程，而这时 N 是 {N}。N 可以是任何数。
block_each: {grid} blocks of {block} threads are launched for {N} elements, a whole block for each of them. An element needs one thread.
block_each.zh: 为 {N} 个元素启动了 {grid} 个线程块，每块 {block} 个线程：每个元素占了一整个线程块。一个元素只需要一个线程。
too_many_blocks: {threads} threads are launched for {N} elements: a whole block has nothing to do. Round up, and no more.
too_many_blocks.zh: 为 {N} 个元素启动了 {threads} 个线程：有一整个线程块无事可做。向上取整就够了。
block_size at /<<</: A block has 1 to 1024 threads, and here it would have {shape}. Grid comes first in <<< >>>, then block.
block_size.zh: 一个线程块有 1 到 1024 个线程，这里却是 {shape}。<<< >>> 里先写网格，再写线程块。
grid_size at /<<</: The grid has {shape} blocks, so nothing runs. N / 128 is rounded down: what is it for a small N?
grid_size.zh: 网格是 {shape} 个线程块，所以什么也没有执行。N / 128 向下取整：N 很小时它是多少？
wrong_array: What comes back is one of the inputs. Where does the kernel write its result?
wrong_array.zh: 复制回来的是其中一个输入。核函数把结果写到了哪里？
not_freed at /add_on_device/: The sums are right. But memory was allocated {mallocs} times, and freed {frees} times: a program that calls this often runs out of memory.
not_freed.zh: 和是对的。但分配了 {mallocs} 次，只释放了 {frees} 次：多次调用后内存会用完。
other at /<<</: Element {i} is wrong. Which arrays does the kernel get, and in which order?
other.zh: 元素 {i} 不对。传给核函数的是哪些数组，次序对吗？

//== wrong empty: unbegun
//== wrong on_host: on_host
    for (int n = 0; n < N; ++n)
    {
        z[n] = x[n] + y[n];
    }
//== wrong host_pointers: host_pointer
    add<<<(N + 127) / 128, 128>>>(x, y, z, N);
    cudaDeviceSynchronize();
//== wrong elements_for_bytes: malloc_by_number
//- const size_t bytes = N * sizeof(double);

//- , bytes);
//+ , N);

//- bytes
//+ N * sizeof(double)
//== wrong copies_elements: copy_elements
//- bytes, cudaMemcpy
//+ N, cudaMemcpy
//== wrong of_pointer: sizeof_pointer
//- d_x, bytes);
//+ d_x, sizeof(x));
//- d_y, bytes);
//+ d_y, sizeof(y));
//- d_z, bytes);
//+ d_z, sizeof(z));
//== wrong direction: copy_kind
//- HostToDevice
//+ THERE
//- DeviceToHost
//+ HostToDevice
//- THERE
//+ DeviceToHost
//== wrong no_way_back: no_copy_back
//- cudaMemcpy(z, d_z, bytes, cudaMemcpyDeviceToHost);
//+ cudaDeviceSynchronize();
//== wrong rounded_down: grid
//- (N + 127) / 128
//+ N / 128
//== wrong one_more_block: too_many_blocks
//- (N + 127) / 128
//+ N / 128 + 1
//== wrong grid_and_block_exchanged: block_of_128
//- (N + 127) / 128, 128
//+ 128, (N + 127) / 128
//== wrong all_in_one_block: one_block
//- (N + 127) / 128, 128
//+ 1, N
//== wrong blocks_of_256: other_block
//- (N + 127) / 128, 128
//+ (N + 255) / 256, 256
//== wrong one_thread_each: few_threads
//- (N + 127) / 128, 128
//+ (N + 127) / 128, 1
//== wrong no_brackets: divided_first
//- (N + 127) / 128, 128
//+ N + 127 / 128, 128
//== wrong block_for_each: block_each
//- (N + 127) / 128, 128
//+ N, 128
//== wrong eight_blocks: fixed_grid
//- (N + 127) / 128, 128
//+ 8, 128
//== wrong z_second: z_second
//- d_y, d_z, N
//+ d_z, d_y, N
//== wrong bytes_to_kernel: bytes_to_kernel
//- d_z, N)
//+ d_z, bytes)
//== wrong bytes_before_pointer: malloc_arguments
//- cudaMalloc((void **)&d_x, bytes);
//+ cudaMalloc(bytes, (void **)&d_x);
//== wrong offset_in_bytes: pointer_in_bytes
    double *d;
    cudaMalloc((void **)&d, 3 * N * sizeof(double));
    cudaMemcpy(d, x, N * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d + N * sizeof(double), y, N * sizeof(double), cudaMemcpyHostToDevice);
    add<<<(N + 127) / 128, 128>>>(d, d + N, d + 2 * N, N);
    cudaMemcpy(z, d + 2 * N, N * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(d);
//== wrong of_one_number: one_element
//- N * sizeof(double)
//+ sizeof(double)
//== wrong half_comes_back: copy_size
//- z, d_z, bytes
//+ z, d_z, bytes / 2
//== wrong into_another: not_to_z
//- cudaMemcpy(z, d_z
//+ double *h_z = (double *)malloc(bytes);
//+ cudaMemcpy(h_z, d_z
//== wrong one_number_less: one_less
//- d_z, N)
//+ d_z, N - 1)
//== wrong z_by_number: malloc_by_number
//- &d_z, bytes
//+ &d_z, N
//== wrong all_by_number: malloc_by_count
//- bytes = N * sizeof(double)
//+ count = N

//- bytes
//+ count
//== wrong frees_of_caller: frees_host
//- cudaFree(d_z);
//+ cudaFree(d_z);
//+ cudaFree(z);
//== wrong address_of_d_x: address_of_pointer
//- cudaMemcpy(d_x
//+ cudaMemcpy(&d_x
//== wrong memory_of_malloc: by_malloc
//- cudaMalloc((void **)&d_y, bytes);
//+ d_y = (double *)malloc(bytes);
//== wrong declared_array: host_array
//- *d_x, *d_y, *d_z;
//- cudaMalloc((void **)&d_x, bytes);
//+ d_x[N], *d_y, *d_z;
//== wrong malloc_returns: malloc_result
//- cudaMalloc((void **)&d_x, bytes);
//+ d_x = (double *)cudaMalloc(bytes);
//== wrong leaks: not_freed
//- cudaFree(d_x);
//- cudaFree(d_y);
//- cudaFree(d_z);
//== wrong freed_first: copy_freed
//- cudaMemcpy(z, d_z, bytes, cudaMemcpyDeviceToHost);
//- cudaFree(d_x);
//- cudaFree(d_y);
//- cudaFree(d_z);
//+ cudaFree(d_x);
//+ cudaFree(d_y);
//+ cudaFree(d_z);
//+ cudaMemcpy(z, d_z, bytes, cudaMemcpyDeviceToHost);
//== wrong wrong_back: wrong_array
//- z, d_z, bytes
//+ z, d_x, bytes
//== wrong not_allocated: copy_null
//- *d_x, *d_y, *d_z;
//- cudaMalloc((void **)&d_x, bytes);
//- cudaMalloc((void **)&d_y, bytes);
//- cudaMalloc((void **)&d_z, bytes);
//+ *d_x = NULL, *d_y = NULL, *d_z = NULL;

//- cudaFree(d_x);
//- cudaFree(d_y);
//- cudaFree(d_z);
//== wrong host_follows: host_touches_device
//- cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
//- cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
//+ for (int n = 0; n < N; ++n)
//+ {
//+     d_x[n] = x[n];
//+     d_y[n] = y[n];
//+ }

//- cudaFree(d_x);
//- cudaFree(d_y);
//- cudaFree(d_z);
//== wrong one_copy: one_copy_in
//- cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
//== wrong no_address: malloc_value
    const size_t bytes = N * sizeof(double);
    double *d_x;
    cudaMalloc(d_x, bytes);

//== wrong called: called_kernel
//- add<<<(N + 127) / 128, 128>>>
//+ add

//- cudaFree(d_x);
//- cudaFree(d_y);
//- cudaFree(d_z);

//== wrong blockDim_of_the_host: host_variable
//- (N + 127) / 128
//+ (N + blockDim.x - 1) / blockDim.x
//== wrong x_twice: y_from_x
//- cudaMemcpy(d_y, y
//+ cudaMemcpy(d_y, x
//== wrong pointer_twice: same_pointer
//- (d_x, d_y, d_z, N)
//+ (d_x, d_x, d_z, N)
//== wrong z_first: sums_exchanged
//- (d_x, d_y, d_z, N)
//+ (d_z, d_x, d_y, N)
//== wrong size_of_main: one_size
//- &d_x, bytes
//+ &d_x, 8000
//== wrong copied_before_there_is_room: no_value or copy_to_host or copy_null
    double *d_x, *d_y, *d_z;
    cudaMemcpy(d_x, x, N * sizeof(double), cudaMemcpyHostToDevice);
//== wrong managed_no_wait: no_wait
    double *a, *b, *c;
    cudaMallocManaged(&a, N * sizeof(double));
    cudaMallocManaged(&b, N * sizeof(double));
    cudaMallocManaged(&c, N * sizeof(double));
    for (int n = 0; n < N; ++n) a[n] = x[n], b[n] = y[n];
    add<<<(N + 127) / 128, 128>>>(a, b, c, N);
    for (int n = 0; n < N; ++n) z[n] = c[n];
//== wrong launch_for_each: one_each
//- add<<<(N + 127) / 128, 128>>>(d_x, d_y, d_z, N);
//+ for (int n = 0; n < N; ++n)
//+     add<<<1, 128>>>(d_x + n, d_y + n, d_z + n, 1);
//== wrong freed_before_launch: freed_early
//- add<<<(N + 127) / 128, 128>>>
//+ cudaFree(d_x);
//+ add<<<(N + 127) / 128, 128>>>
//== wrong host_after_kernel: host_loop
//- cudaFree(d_z);
//+ cudaFree(d_z);
//+ for (int n = 0; n < N; ++n) z[n] = x[n] + y[n];

//== wrong y_into_x: two_copies
//- cudaMemcpy(d_y, y
//+ cudaMemcpy(d_x, y
//== wrong x_into_y: two_copies
//- cudaMemcpy(d_x, x
//+ cudaMemcpy(d_y, x
//== wrong z_for_y: z_there
//- cudaMemcpy(d_y, y
//+ cudaMemcpy(d_z, z
//== wrong kernel_adds: kernel_changed (whole file)
//- z[n] = x[n] + y[n];
//+ z[n] += x[n] + y[n];
//== wrong thousand: one_size
//- bytes = N * sizeof
//+ bytes = 1000 * sizeof
//== wrong and_too_much: free_address
//- cudaFree(d_z)
//+ cudaFree(&d_z)
//== wrong y_twice: no_room or no_room_there or copy_null
//- *d_z;
//+ *d_z = NULL;

//- &d_z, bytes
//+ &d_y, bytes
//== wrong no_z: no_room or no_room_there or copy_null
//- *d_z;
//+ *d_z = NULL;

//- cudaMalloc((void **)&d_z, bytes);
//== wrong own_array: lost_x
//- &d_x
//+ &x
//== wrong one_star: each_star
//- *d_x, *d_y, *d_z
//+ *d_x, d_y, d_z
//== wrong pointer_for_all: sizeof_pointer
//- N * sizeof(double)
//+ sizeof(z)
//== wrong four_bytes: four_each
//- N * sizeof(double)
//+ N * 4
//== right one_allocation
    double *d;
    cudaMalloc(&d, 3 * N * sizeof(double));
    cudaMemcpy(d, x, N * sizeof(double), cudaMemcpyDefault);
    cudaMemcpy(d + N, y, N * sizeof(double), cudaMemcpyDefault);
    add<<<(N + 127) / 128, 128>>>(d, d + N, d + 2 * N, N);
    cudaMemcpy(z, d + 2 * N, N * sizeof(double), cudaMemcpyDefault);
    cudaFree(d);
//== right other_order
    double *a, *b, *c;
    const int blocks = N % 128 == 0 ? N / 128 : N / 128 + 1;
    cudaMalloc(&a, sizeof(double) * N);
    cudaMemcpy(a, x, sizeof(double) * N, cudaMemcpyHostToDevice);
    cudaMalloc(&b, sizeof(double) * N);
    cudaMemcpy(b, y, sizeof(double) * N, cudaMemcpyHostToDevice);
    cudaMalloc(&c, sizeof(double) * N);
    add<<<blocks, 128>>>(a, b, c, N);
    cudaDeviceSynchronize();
    cudaMemcpy(z, c, sizeof(double) * N, cudaMemcpyDeviceToHost);
    cudaFree(c);
    cudaFree(b);
    cudaFree(a);
//== right checked
    const size_t bytes = sizeof(double) * N;
    double *d[3];
    for (int i = 0; i < 3; ++i)
    {
        if (cudaMalloc((void **)&d[i], bytes) != cudaSuccess)
        {
            return;
        }
    }
    cudaMemcpy(d[0], x, bytes, cudaMemcpyDefault);
    cudaMemcpy(d[1], y, bytes, cudaMemcpyHostToDevice);
    add<<<dim3((N - 1) / 128 + 1), dim3(128)>>>(d[0], d[1], d[2], N);
    if (cudaGetLastError() == cudaSuccess)
    {
        cudaMemcpy(z, d[2], bytes, cudaMemcpyDeviceToHost);
    }
    for (int i = 0; i < 3; ++i)
    {
        cudaFree(d[i]);
    }
//== right asynchronous
    const size_t bytes = N * sizeof(*x);
    double *d_x, *d_y, *d_z;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc((void **)&d_x, bytes);
    cudaMalloc((void **)&d_y, bytes);
    cudaMalloc((void **)&d_z, bytes);
    cudaMemcpyAsync(d_x, x, bytes, cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(d_y, y, bytes, cudaMemcpyHostToDevice, stream);
    add<<<(N + 127) / 128, 128, 0, stream>>>(d_x, d_y, d_z, N);
    cudaMemcpyAsync(z, d_z, bytes, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
//== right managed
    double *a, *b, *c;
    cudaMallocManaged(&a, N * sizeof(double));
    cudaMallocManaged(&b, N * sizeof(double));
    cudaMallocManaged(&c, N * sizeof(double));
    for (int n = 0; n < N; ++n)
    {
        a[n] = x[n];
        b[n] = y[n];
    }
    add<<<(N + 127) / 128, 128>>>(a, b, c, N);
    cudaDeviceSynchronize();
    for (int n = 0; n < N; ++n)
    {
        z[n] = c[n];
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
#endif
