// 10_column: how many sectors does a warp read?
// 10_column.zh: 一个线程束读取多少个扇区？
//
// Kind: predict
// Chapter: 7
// Program: ch07_global_mem/coalescing.cu
// Book: 7.1
// Goal: Memory is read in sectors: 32 bytes that begin at a multiple of 32. A read of one byte brings
//   its whole sector. The 32 threads of a warp read one element each, in seven ways. Type for each way
//   how many different sectors these 32 elements lie in.
// Goal.zh: 内存按扇区读取：一个扇区是 32 字节，从 32 的倍数开始。只需要其中一个字节，也要读整个扇区。
//   一个线程束的 32 个线程各读一个元素，共有七种读法。请填写每种读法中这 32 个元素位于多少个不同的扇区。
// Hint 1: The number of threads does not matter, nor that of elements. What counts is which bytes are
//   read, and in which sectors they lie.
// Hint 1.zh: 有多少个线程、多少个元素都不重要。重要的是读了哪些字节，这些字节在哪些扇区里。
// Hint 2: Byte b lies in sector b / 32, rounded down. Write down the bytes of thread 0, of thread 1 and
//   of thread 31, and mark every multiple of 32 between them.
// Hint 2.zh: 字节 b 在第 b / 32 个扇区里（向下取整）。写出线程 0、线程 1 和线程 31 读的字节，再标出它们
//   之间 32 的所有倍数。
// Hint 3: Run the file: it prints the bytes of these three threads for each line. Where neighbours are
//   less than 32 bytes apart, count from the first sector to the last. Where they are further apart, no
//   two threads share a sector.
// Hint 3.zh: 运行这个文件，它会打印每种读法中这三个线程读的字节。相邻线程的距离小于 32 字节时，从第一个
//   扇区数到最后一个扇区；距离更大时，没有两个线程共用一个扇区。
// After: A row is the best case: every byte that is read is used, 128 of 128. Down a column 128 of 1024
//   bytes are used, so a kernel that waits for memory takes up to eight times as long. The shift by one
//   costs a fifth sector, but often another warp has just brought it into a cache.
//   ch07_global_mem/coalescing.cu measures these ways, and matrix.cu a transpose. The book has them in
//   section 7.1 (缓存片段).
// After.zh: 沿行读最好：读来的 128 字节全部用上。沿列读时 1024 字节中只用上 128 字节，所以受内存限制的
//   核函数最多要用八倍的时间。错开一个元素要多读第五个扇区，不过别的线程束往往刚把它读进缓存。
//   程序 ch07_global_mem/coalescing.cu 测量了这些读法，matrix.cu 测量了转置。
//   见书的 7.1 节（书中称扇区为缓存片段）。

#include <stdio.h>

// Sectors that the warp reads. 0: not answered yet.
//zh 线程束读取的扇区数。0 表示还没有回答。
//[
static const int row = 4;
static const int shifted = 5;
static const int by_eight = 4;
static const int every_second = 8;
static const int column = 32;
static const int doubles = 8;
static const int same = 1;
//| static const int row = 0;
//| static const int shifted = 0;
//| static const int by_eight = 0;
//| static const int every_second = 0;
//| static const int column = 0;
//| static const int doubles = 0;
//| static const int same = 0;
//]

#define WIDTH 1024 // elements in a row of A
//zh A 的一行有多少个元素

// One warp. Thread t writes down where the element lies that it reads.
//zh 一个线程束。线程 t 记下它读的元素的地址。
// A and B begin at a multiple of 256 bytes, like all that cudaMalloc gives.
//zh A 和 B 从 256 字节的倍数开始，cudaMalloc 分配的内存都是这样。
__global__ void read(const float *A, const double *B, const void **address)
{
    const int t = threadIdx.x;
    address[0 * 32 + t] = &A[t];         // row
    address[1 * 32 + t] = &A[t + 1];     // shifted
    address[2 * 32 + t] = &A[t + 8];     // by_eight
    address[3 * 32 + t] = &A[2 * t];     // every_second
    address[4 * 32 + t] = &A[t * WIDTH]; // column
    address[5 * 32 + t] = &B[t];         // doubles
    address[6 * 32 + t] = &A[7];         // same
}

int main(void)
{
    const char *const names[7] = {"row",    "shifted", "by_eight", "every_second",
                                  "column", "doubles", "same"};
    const int guesses[7] = {row, shifted, by_eight, every_second, column, doubles, same};
    float *A;
    double *B;
    const void **address;
    cudaMalloc((void **)&A, 32 * WIDTH * sizeof(float));
    cudaMalloc((void **)&B, 32 * sizeof(double));
    cudaMallocManaged((void **)&address, 7 * 32 * sizeof(void *));
    read<<<1, 32>>>(A, B, address);
    cudaDeviceSynchronize();
    for (int i = 0; i < 7; ++i)
    {
        const char *begin = i == 5 ? (const char *)B : (const char *)A;
        const int first = (const char *)address[32 * i] - begin;
        const int second = (const char *)address[32 * i + 1] - begin;
        const int last = (const char *)address[32 * i + 31] - begin;
        printf("%-12s thread 0: byte %d, thread 1: byte %d, thread 31: byte %d. Your guess: %d\n",
               names[i], first, second, last, guesses[i]);
    }
    cudaFree(A);
    cudaFree(B);
    cudaFree(address);
    return 0;
}

#if 0
//== child
static void run_case()
{
    const int guesses[7] = {row, shifted, by_eight, every_second, column, doubles, same};
    memcpy(judged::array<int>(0), guesses, sizeof(guesses));
    float *A = NULL;
    double *B = NULL;
    const void **address = NULL, *there[7 * 32];
    cudaMalloc((void **)&A, 32 * 1024 * sizeof(float));
    cudaMalloc((void **)&B, 32 * sizeof(double));
    cudaMalloc((void **)&address, sizeof(there));
    read<<<1, 32>>>(A, B, address);
    cudaMemcpy(there, address, sizeof(there), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 7 * 32; ++i)
    {
        const char *begin = i / 32 == 5 ? (const char *)B : (const char *)A;
        judged::array<long>(1)[i] = (const char *)there[i] - begin;
    }
    cudaFree(A);
    cudaFree(B);
    cudaFree(address);
}

//== judge
#include "judge.h"

enum
{
    ROW,
    SHIFTED,
    BY_EIGHT,
    EVERY_SECOND,
    COLUMN,
    DOUBLES,
    SAME,
    NUM
};

static const char *const NAMES[NUM] = {"row",    "shifted", "by_eight", "every_second",
                                       "column", "doubles", "same"};

static void prepare()
{
    Case *c = add_case({});
    output<int>(c, NUM);
    output<long>(c, NUM * 32);
}

// How many different pieces of so many bytes the elements of a warp lie in.
static long pieces(const long *first_byte, long bytes_each, long size)
{
    static bool seen[1 << 20];
    long num = 0;
    memset(seen, 0, sizeof(seen));
    for (int t = 0; t < 32; ++t)
    {
        for (long b = first_byte[t]; b < first_byte[t] + bytes_each; ++b)
        {
            num += !seen[b / size];
            seen[b / size] = true;
        }
    }
    return num;
}

// Where thread t begins to read, as the exercise has it.
static long given(int question, long t)
{
    const long bytes[NUM] = {4 * t, 4 * t + 4, 4 * t + 32, 8 * t, 4096 * t, 8 * t, 28};
    return bytes[question];
}

static void say(int question, long guess, const long *byte)
{
    const long bytes_each = question == DOUBLES ? 8 : 4, sectors = pieces(byte, bytes_each, 32),
               lines = pieces(byte, bytes_each, 128), asked = pieces(byte, bytes_each, 1);
    value("name", "%s", NAMES[question]);
    value("guess", "%ld", guess);
    value("first", "%ld", byte[0]);
    value("last", "%ld", byte[31] + bytes_each - 1);
    value("apart", "%ld", byte[1] - byte[0]);
    value("asked", "%ld", asked);
    value("guess_bytes", "%ld", 32 * guess);
    if (guess == sectors)
    {
        return;
    }
    if (guess == 0)
    {
        wrong("unanswered");
    }
    else if (guess < 0)
    {
        wrong("negative");
    }
    else if (question == SAME)
    {
        wrong("one_place");
    }
    else if (question == COLUMN && guess == asked)
    {
        wrong("four_each");
    }
    else if (question == COLUMN && guess == 1024)
    {
        wrong("whole_matrix");
    }
    else if (guess == asked)
    {
        wrong("bytes");
    }
    else if (guess > 32)
    {
        wrong("more_than_threads");
    }
    else if (guess == 32)
    {
        wrong("one_each");
    }
    else if (guess == 1)
    {
        wrong("one_access");
    }
    else if (question == ROW && guess == 8)
    {
        wrong("elements_of_sector");
    }
    else if (question == SHIFTED && guess == 4)
    {
        wrong("as_without_shift");
    }
    else if (question == BY_EIGHT && guess == 5)
    {
        wrong("whole_sector");
    }
    else if (question == EVERY_SECOND && guess == 4)
    {
        wrong("gaps");
    }
    else if (question != COLUMN && guess == 16)
    {
        wrong("two_a_sector");
    }
    else if (question == COLUMN)
    {
        wrong(guess == 4 ? "as_row" : "far_apart");
    }
    else if (question == DOUBLES && guess == 4)
    {
        wrong("as_float");
    }
    else if (guess == lines)
    {
        wrong("lines");
    }
    else
    {
        wrong(32 * guess < asked ? "too_few_bytes" : guess < sectors ? "too_few" : "too_many");
    }
}

static void look(const Case *c)
{
    const int *guesses = array<int>(c, 0);
    const long *bytes = array<long>(c, 1);
    for (int i = 0; i < NUM * 32; ++i)
    {
        if (bytes[i] != given(i / 32, i % 32))
        {
            wrong("changed");
        }
    }
    for (int i = 0; i < NUM && said_id == NULL; ++i)
    {
        say(i, guesses[i], bytes + 32 * i);
    }
}

//== says
fraction for passed or one_place or four_each or whole_matrix or bytes or more_than_threads or one_each or one_access or elements_of_sector or as_without_shift or whole_sector or gaps or two_a_sector or as_row or far_apart or as_float or lines or too_few_bytes or too_few or too_many when /\b(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=\s*-?\d*\.0*[1-9]/ at /\b(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=\s*-?\d*\.0*[1-9]/: A sector is read as a whole or not at all, so their number is a whole one.
fraction.zh: 一个扇区要么整个读，要么不读，所以扇区数是整数。
name_of_type for expected or compile or no_semicolon when /\bint\s+(?:double|float|int)\s*=/ at /\bint\s+(?:double|float|int)\s*=/: This is the name of a type here, and no variable can have it. The name was another one; [r] brings it back.
name_of_type.zh: 这里写的是类型的名称，变量不能用它。原来不是这个名称；按 [r] 可以恢复。
changed at /void\s+read\b/: The kernel no longer reads what the exercise asks for. Change your numbers only; [r] brings the rest back.
changed.zh: 核函数读的已经不是练习所问的元素了。请只改自己的数；按 [r] 可以恢复其余内容。
no_division for unanswered when /\b(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=\s*\(*(?:[1-9]|[12]\d|3[01])\s*\/\s*32\b/ at /\b{name}\s*=/: "{name}": a division of whole numbers drops what stands behind the point, and here {guess} is left.
no_division.zh: “{name}”：整数相除会丢掉小数部分，这里得到的是 {guess}。
no_equals for compile or expected or no_semicolon when /\bint\s+(?:row|shifted|by_eight|every_second|column|doubles|same)[ \t]+\d/ at /\bint\s+(?:row|shifted|by_eight|every_second|column|doubles|same)[ \t]+\d/: Between the name and its number stands a =.
no_equals.zh: 名称和数之间要有等号 =。
with_unit for expected or compile or no_semicolon when /\b(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=\s*[\d.]+[ \t]*[A-Za-z]/ at /\b(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=\s*[\d.]+[ \t]*[A-Za-z]/: Behind the = stands a number only, without a unit.
with_unit.zh: 等号后面只写一个数，不带单位。
number_only for expected or compile or not_declared or types when /\b(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=[ \t]*(?:["'?<>~]|[\d.]+[ \t]*[?:'"]|[\d.]+[ \t]+\d|\w+\[)/ at /\b(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=[ \t]*(?:["'?<>~]|[\d.]+[ \t]*[?:'"]|[\d.]+[ \t]+\d|\w+\[)/: Behind the = stands a number and nothing else, and behind the number a ; ends the line.
number_only.zh: 等号后面只写一个数，数的后面用分号 ; 结束。
type_gone for not_declared or spelled when /(?:^|\n)[ \t]*(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=/ at /^[ \t]*(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=/: The beginning of this line has gone: without static const int it declares nothing. Change the number only; [r] brings the rest back.
type_gone.zh: 这一行开头的 static const int 不见了，没有它就不是声明。请只改数；按 [r] 可以恢复其余内容。
misnamed for spelled or not_declared or not_called when /^(?!(?=.*\brow\b)(?=.*\bshifted\b)(?=.*\bby_eight\b)(?=.*\bevery_second\b)(?=.*\bcolumn\b)(?=.*\bdoubles\b)(?=.*\bsame\b)).*\bint\s+(?!(?:row|shifted|by_eight|every_second|column|doubles|same)\b)\w+\s*=\s*\d/ at /\bint\s+(?!(?:row|shifted|by_eight|every_second|column|doubles|same)\b)\w+\s*=\s*\d/: This line had another name, and the program asks for {name}. Change the numbers only; [r] brings the rest back.
misnamed.zh: 这一行原来是别的名称，程序要用的是 {name}。请只改数；按 [r] 可以恢复其余内容。
line_gone for spelled or not_declared or not_called when /^(?!(?=.*\brow\b)(?=.*\bshifted\b)(?=.*\bby_eight\b)(?=.*\bevery_second\b)(?=.*\bcolumn\b)(?=.*\bdoubles\b)(?=.*\bsame\b))/ at /\b(?:row|shifted|by_eight|every_second|column|doubles|same)\s*=/: The line of {name} is no longer there. Change the numbers only; [r] brings the rest back.
line_gone.zh: {name} 的那一行不见了。请只改数；按 [r] 可以恢复其余内容。
unanswered at /\b{name}\b/: Nothing is answered yet for "{name}". Look in the kernel which element thread t reads there.
unanswered.zh: “{name}”还没有回答。看看核函数中线程 t 读的是哪个元素。
negative at /\b{name}\b/: {guess} sectors cannot be. The warp reads something, so it reads at least one sector.
negative.zh: 扇区数不可能是 {guess}。线程束总要读内存，至少读一个扇区。
one_place at /\b{name}\b/: "{name}": for {guess} the threads would have to read in {guess} different sectors. In how many places of the memory does A[7] lie?
one_place.zh: “{name}”：要是 {guess}，各线程就得在 {guess} 个不同的扇区里读。A[7] 在内存中有几处？
four_each at /\b{name}\b/: "{name}": {guess} is the number of bytes that are asked for, and it would be four sectors for each thread. How many sectors does an element of 4 bytes touch?
four_each.zh: “{name}”：{guess} 是所要的字节数，也相当于每个线程四个扇区。一个 4 字节的元素会碰到几个扇区？
whole_matrix at /\b{name}\b/: "{name}": {guess} is the width of the matrix. How many threads does the warp have, and what does each of them read?
whole_matrix.zh: “{name}”：{guess} 是矩阵的宽度。线程束有多少个线程，每个线程读什么？
bytes at /\b{name}\b/: "{name}": {guess} is the number of bytes that the threads ask for. How many bytes does a sector have?
bytes.zh: “{name}”：{guess} 是线程束所要的字节数。一个扇区有多少字节？
more_than_threads at /\b{name}\b/: "{name}": {guess} are more sectors than the warp has threads, and each thread reads one element that lies within a sector.
more_than_threads.zh: “{name}”：{guess} 个扇区比线程束的线程还多，而每个线程只读一个元素，它在一个扇区之内。
one_each at /\b{name}\b/: "{name}": {guess} would be a sector of its own for each thread. Neighbours are {apart} bytes apart: which threads read from the same 32 bytes?
one_each.zh: “{name}”：{guess} 相当于每个线程各用一个扇区。相邻线程相距 {apart} 字节：哪些线程读的是同一段 32 字节？
one_access at /\b{name}\b/: "{name}": the warp reads by one instruction, but from many places. Do all bytes from {first} to {last} fit into 32?
one_access.zh: “{name}”：线程束用一条指令读取，但读的位置很多。从字节 {first} 到 {last}，32 字节放得下吗？
elements_of_sector at /\b{name}\b/: "{name}": {guess} is how many elements of 4 bytes a sector holds. How many sectors do 32 such elements need?
elements_of_sector.zh: “{name}”：{guess} 是一个扇区能放下的 4 字节元素的个数。32 个这样的元素要用多少个扇区？
as_without_shift at /\b{name}\b/: "{name}": {guess} would do if the first byte were at the beginning of a sector. Thread 0 begins at byte {first}, and thread 31 ends at byte {last}: in which sectors do these two lie?
as_without_shift.zh: “{name}”：如果第一个字节在扇区的开头，才是 {guess}。线程 0 从字节 {first} 开始，线程 31 到字节 {last} 结束：这两个字节各在哪个扇区？
whole_sector at /\b{name}\b/: "{name}": not every shift costs one more sector. Thread 0 begins at byte {first}: is that within a sector, or where one begins?
whole_sector.zh: “{name}”：并不是每次错开都要多读一个扇区。线程 0 从字节 {first} 开始：它在扇区的中间，还是扇区的开头？
gaps at /\b{name}\b/: "{name}": only each second element is asked for, but the elements between them lie in the same sectors. The warp's last byte is {last}.
gaps.zh: “{name}”：虽然每隔一个才要一个元素，但中间的元素也在这些扇区里。线程束的最后一个字节是 {last}。
two_a_sector at /\b{name}\b/: "{name}": {guess} would be two threads for each sector. Neighbours are {apart} bytes apart: how many of them find room in 32 bytes?
two_a_sector.zh: “{name}”：{guess} 相当于每两个线程用一个扇区。相邻线程相距 {apart} 字节：32 字节中有几个线程的元素？
as_row at /\b{name}\b/: "{name}": {guess} would be right for elements that lie side by side. From thread 0 to thread 1 it is {apart} bytes here.
as_row.zh: “{name}”：元素紧挨着时才是 {guess}。这里从线程 0 到线程 1 相距 {apart} 字节。
far_apart at /\b{name}\b/: "{name}": {guess} would mean that threads share sectors. Two elements lie in one sector only if they are less than 32 bytes apart, and here it is {apart} bytes.
far_apart.zh: “{name}”：{guess} 意味着有些线程共用扇区。两个元素的距离小于 32 字节才会在同一扇区，而这里是 {apart} 字节。
as_float at /\b{name}\b/: "{name}": {guess} would be right for elements of 4 bytes. B has elements of type double.
as_float.zh: “{name}”：元素是 4 字节时才是 {guess}。B 的元素是 double 类型。
lines at /\b{name}\b/: "{name}": {guess} is the number of lines of 128 bytes. A line of the cache has several sectors, and only those that are needed are read.
lines.zh: “{name}”：{guess} 是 128 字节的缓存行的个数。一个缓存行有几个扇区，只读需要的扇区。
too_few_bytes at /\b{name}\b/: "{name}": {guess} sectors have {guess_bytes} bytes, and the threads ask for {asked} different ones.
too_few_bytes.zh: “{name}”：{guess} 个扇区有 {guess_bytes} 字节，而各线程要的字节共有 {asked} 个。
too_few at /\b{name}\b/: "{name}": {guess} are not enough. The warp's first byte is {first} and its last one {last}: which multiples of 32 lie between them?
too_few.zh: “{name}”：{guess} 个不够。线程束的第一个字节是 {first}，最后一个字节是 {last}：两者之间有 32 的哪些倍数？
too_many at /\b{name}\b/: "{name}": {guess} are too many. The warp's first byte is {first} and its last one {last}: which multiples of 32 lie between them?
too_many.zh: “{name}”：{guess} 个太多了。线程束的第一个字节是 {first}，最后一个字节是 {last}：两者之间有 32 的哪些倍数？

//== wrong stub_again: unanswered
static const int row = 0, shifted = 0, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong only_first: unanswered
static const int row = 4, shifted = 0, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong row_one_a_thread: one_each
static const int row = 32, shifted = 0, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong row_one_access: one_access
static const int row = 1, shifted = 2, by_eight = 2, every_second = 2, column = 32, doubles = 2, same = 1;
//== wrong row_bytes: bytes
static const int row = 128, shifted = 0, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong row_of_eight: elements_of_sector
static const int row = 8, shifted = 0, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong row_of_doubles: two_a_sector
static const int row = 16, shifted = 0, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong row_of_lines_of_64: too_few_bytes
static const int row = 2, shifted = 0, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong row_1024: more_than_threads
static const int row = 1024, shifted = 0, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong below_zero: negative
static const int row = 4, shifted = -1, by_eight = 0, every_second = 0, column = 0, doubles = 0, same = 0;
//== wrong shifted_as_row: as_without_shift
static const int row = 4, shifted = 4, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong shifted_doubled: too_many
static const int row = 4, shifted = 8, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong shifted_both_sides: too_many
static const int row = 4, shifted = 6, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong shifted_not_coalesced: one_each
static const int row = 4, shifted = 32, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong shifted_lines: lines
static const int row = 4, shifted = 2, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong shifted_33: more_than_threads
static const int row = 4, shifted = 33, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong each_shift_costs: whole_sector
static const int row = 4, shifted = 5, by_eight = 5, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong eight_more: too_many
static const int row = 4, shifted = 5, by_eight = 12, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong gaps_are_free: gaps
static const int row = 4, shifted = 5, by_eight = 4, every_second = 4, column = 32, doubles = 8, same = 1;
//== wrong two_each: two_a_sector
static const int row = 4, shifted = 5, by_eight = 4, every_second = 16, column = 32, doubles = 8, same = 1;
//== wrong second_of_64: bytes
static const int row = 4, shifted = 5, by_eight = 4, every_second = 128, column = 32, doubles = 8, same = 1;
//== wrong second_7: too_few
static const int row = 4, shifted = 5, by_eight = 4, every_second = 7, column = 32, doubles = 8, same = 1;
//== wrong column_as_row: as_row
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 4, doubles = 8, same = 1;
//== wrong column_128: four_each
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 128, doubles = 8, same = 1;
//== wrong column_of_all: whole_matrix
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 1024, doubles = 8, same = 1;
//== wrong column_16: far_apart
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 16, doubles = 8, same = 1;
//== wrong doubles_as_float: as_float
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 32, doubles = 4, same = 1;
//== wrong doubles_16: two_a_sector
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 32, doubles = 16, same = 1;
//== wrong doubles_256: bytes
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 32, doubles = 256, same = 1;
//== wrong same_32: one_place
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 32;
//== wrong same_as_row: one_place
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 4;
//== wrong other_reads: changed (whole file)
static const int row = 1, shifted = 1, by_eight = 1, every_second = 1, column = 1, doubles = 1, same = 1;
__global__ void read(const float *A, const double *B, const void **address)
{
    for (int question = 0; question < 7; ++question)
    {
        address[question * 32 + threadIdx.x] = question == 5 ? (const void *)B : (const void *)A;
    }
}
//== wrong no_semicolon: no_semicolon
static const int row = 4
static const int shifted = 5, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 1;
//== wrong line_gone: line_gone
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 32, doubles = 8;
//== wrong double_for_doubles: name_of_type
//- int doubles
//+ int double
//== wrong with_fraction: fraction
//- row = 4
//+ row = 4.5

//== wrong other_name: misnamed
//- every_second
//+ every_secnd
//== wrong no_type: type_gone
//- static const int column
//+ column
//== wrong with_unit: with_unit
//- row = 4
//+ row = 4 sectors
//== wrong no_equals: no_equals
//- row = 4
//+ row 4
//== wrong two_numbers: number_only
//- shifted = 5
//+ shifted = 4 5
//== wrong below_one: no_division
//- row = 4
//+ row = 4 / 32
//== wrong number_of_element: one_place
//- same = 1
//+ same = 7

//== right computed
static const int row = 32 * sizeof(float) / 32;
static const int shifted = row + 1;
static const int by_eight = row;
static const int every_second = 2 * row;
static const int column = 32;
static const int doubles = 32 * sizeof(double) / 32;
static const int same = 1;
//== right in_one_line
static const int row = 4, shifted = 5, by_eight = 4, every_second = 8, column = 32, doubles = 8, same = 1;
//== right enumerated
enum
{
    row = 4,
    shifted,
    by_eight = 4,
    every_second = 8,
    column = 32,
    doubles = 8,
    same = 1
};
//== right defined
#define row 4
#define shifted 5
#define by_eight 4
#define every_second 8
#define column 32
#define doubles 8
#define same 1
#endif
