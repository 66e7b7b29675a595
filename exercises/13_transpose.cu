// 13_transpose: a transpose that reads and writes along rows
// 13_transpose.zh: 读和写都沿着行的矩阵转置
//
// Kind: write
// Chapter: 9
// Program: ch09_shared_mem/transpose.cu
// Book: 9.2
// Compile: -Wl,--wrap=__tsan_read4 -Wl,--wrap=__tsan_write4
// Allow: never_written
// Goal: A has M rows of N numbers, and B becomes its transpose: N rows of M numbers. A block of 32 x 32 threads
//   does a tile. The result is right, but neighbouring threads write down a column of B. Let the block put
//   the tile into shared memory, so that it reads along rows of A and writes along rows of B.
// Goal.zh: A 有 M 行，每行 N 个数；B 是它的转置，有 N 行，每行 M 个数。一个 32 x 32 的线程块处理一片矩阵。
//   现在结果是对的，但相邻的线程沿着 B 的一列写。请让线程块先把这一片放进共享内存，使得读沿着 A 的行，
//   写沿着 B 的行。
// Hint 1: Threads with x = 0, 1, 2 ... of one row of the block run together. Write down which elements of A they
//   read and which elements of B they write. They should lie side by side in both.
// Hint 1.zh: 同一行中 x = 0、1、2……的线程是一起执行的。写下它们读 A 的哪些元素、写 B 的哪些元素：
//   在 A 和 B 中都应该是相邻的。
// Hint 2: The element that a thread writes need not be the one that it has read: another thread of the block
//   may have put it into the tile. Then all must wait before the tile is used.
// Hint 2.zh: 线程写的元素不必是它自己读的那个，可以是线程块中另一个线程放进共享内存的。那么在用到它之前，
//   所有线程必须互相等待。
// Hint 3: In B the tile begins at row `column` and column `row`. Within it, a thread's x now counts columns of B.
//   The threads that have an element of B are not those that have one of A.
// Hint 3.zh: 在 B 中，这一片从第 column 行、第 row 列开始。这时线程的 x 对应 B 的列。
//   在 B 中有元素的线程，和在 A 中有元素的线程并不相同。
// After: A warp that accesses 32 neighbours takes 4 sectors of 32 bytes, down a column 32 of them. The exchange of
//   x and y happens in shared memory, where a column costs less. It is not free: all 32 elements of a column
//   of tile[32][32] lie in one bank, and come one after the other. With tile[32][33] they lie in 32 banks.
//   bin/transpose shows both, as the rows shared and padded; see also sections 9.2 and 9.3 of the book.
// After.zh: 线程束访问 32 个相邻的 float，只涉及 4 个 32 字节的扇区；沿着一列则涉及 32 个。x 和 y 的交换放在共享内存
//   中做，那里按列访问便宜得多，但也不是没有代价：tile[32][32] 的一列的 32 个元素都在同一个 bank 中，只能依次
//   取出；写成 tile[32][33]，它们就分布在 32 个 bank 中。bin/transpose 的 shared 和 padded 两行给出了两者的
//   时间；另见书的 9.2 节和 9.3 节。

#include <stdio.h>

// It is launched with blocks of 32 x 32 threads, one for each tile of A.
//zh 每片 32 x 32 的 A 对应一个线程块，线程块有 32 x 32 个线程。
__global__ void transpose(const float *A, float *B, int M, int N)
{
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 32, column = blockIdx.x * 32; // where the tile begins in A
    //zh 这一片在 A 中的起点
    //[
    __shared__ float tile[32][33];
    if (row + y < M && column + x < N)
    {
        tile[y][x] = A[(row + y) * N + column + x];
    }
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[x][y];
    }
    //| __shared__ float tile[32][32];
    //| if (row + y < M && column + x < N)
    //| {
    //|     B[(column + x) * M + row + y] = A[(row + y) * N + column + x]; // threads x and x + 1?
    //zh     B[(column + x) * M + row + y] = A[(row + y) * N + column + x]; // 线程 x 和 x + 1 呢？
    //| }
    //]
}

int main(void)
{
    const int M = 40, N = 70;
    float *A, *B;
    cudaMallocManaged((void **)&A, M * N * sizeof(float));
    cudaMallocManaged((void **)&B, M * N * sizeof(float));
    for (int i = 0; i < M * N; ++i)
    {
        A[i] = i;
    }
    transpose<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 32)>>>(A, B, M, N);
    cudaDeviceSynchronize();
    printf("B begins with %g, %g, %g\n", B[0], B[1], B[2]);
    cudaFree(A);
    cudaFree(B);
    return 0;
}

#if 0
//== child
// In the program with the checker each access is a call of the checker. On the way to it this notes the first
// and the last element of A that a thread reads, and the same of B that it writes.
enum
{
    MOST = 4096 // threads
};
static const char *A_start, *B_start;
static size_t num_bytes;
static int *noted; // of each thread: A first and last, B first and last, how many of B

static inline __attribute__((always_inline, no_sanitize("thread"))) void note(const char *start,
                                                                              const char *address, int which)
{
    const size_t at = address - start;
    const unsigned int block = blockIdx.y * gridDim.x + blockIdx.x,
                       thread = block * 1024 + threadIdx.y * 32 + threadIdx.x;
    if (noted != NULL && at < num_bytes && thread < MOST)
    {
        int *mine = noted + 5 * thread;
        mine[which] = mine[which] < 0 ? (int)(at / 4) : mine[which];
        mine[which + 1] = at / 4;
        mine[4] += which == 2;
    }
}

extern "C" void __real___tsan_read4(const void *address) __attribute__((weak));
extern "C" void __real___tsan_write4(void *address) __attribute__((weak));

// (Optimized, it ends in a jump: the checker takes the line of who has called it.)
extern "C" __attribute__((no_sanitize("thread"), optimize("O2"))) void __wrap___tsan_read4(const void *address)
{
    note(A_start, (const char *)address, 0);
    __real___tsan_read4(address);
}

extern "C" __attribute__((no_sanitize("thread"), optimize("O2"))) void __wrap___tsan_write4(void *address)
{
    note(B_start, (const char *)address, 2);
    __real___tsan_write4(address);
}

static void run_case()
{
    const int M = judged::number(0), N = judged::number(1);
    float *A = judged::on_device<float>(0), *B = judged::on_device<float>(1);
    A_start = (const char *)A, B_start = (const char *)B, num_bytes = judged::bytes(0);
    noted = judged::number(2) ? judged::array<int>(2) : NULL;
    transpose<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 32)>>>(A, B, M, N);
    cudaDeviceSynchronize();
    noted = NULL;
    judged::from_device(0, A);
    judged::from_device(1, B);
}

//== judge
#include "judge.h"

static void add(long M, long N)
{
    Case *c = add_case({M, N, 1});
    input<float>(c, M * N);
    output<float>(c, M * N);
    int *noted = output<int>(c, 5 * 4096);
    for (int i = 0; i < 5 * 4096; ++i)
    {
        noted[i] = i % 5 < 4 ? -1 : 0;
    }
}

static void prepare()
{
    add(64, 64);
    add(64, 32);
    add(random_number(33, 60), 64);
    add(32, random_number(33, 60));
    add(random_number(34, 60), random_number(66, 90));
    add(random_number(66, 90), random_number(34, 60));
    add(1, 33);
    add(random_number(2, 31), 1);
}

// Where in A the value of an element of B comes from: -1 if it is not there.
static const float *A_of_case;
static int by_value(const void *one, const void *other)
{
    const float a = A_of_case[*(const int *)one], b = A_of_case[*(const int *)other];
    return (a > b) - (a < b);
}

static int source_of(const int *sorted, int num, float value)
{
    int low = 0, high = num;
    while (low < high)
    {
        const int middle = (low + high) / 2;
        if (A_of_case[sorted[middle]] < value)
        {
            low = middle + 1;
        }
        else
        {
            high = middle;
        }
    }
    return low < num && A_of_case[sorted[low]] == value ? sorted[low] : -1;
}

// What the threads have accessed, if the checker has seen it.
static void look_at_accesses(const Case *c)
{
    const long M = c->number[0], N = c->number[1];
    const int *noted = array<int>(c, 2);
    int num_writers = 0, most = 0;
    for (int t = 0; t < 4096; ++t)
    {
        num_writers += noted[5 * t + 4] > 0;
        most = noted[5 * t + 4] > most ? noted[5 * t + 4] : most;
    }
    value("most", "%d", most);
    value("writers", "%d", num_writers);
    if (num_writers > 0 && most > 32)
    {
        wrong("few_threads");
    }
    for (int which = 3; which >= 0; --which)
    {
        int num_pairs = 0, num_apart = 0, first = 0;
        for (int t = 0; t + 1 < 4096; ++t)
        {
            const int mine = noted[5 * t + which], next = noted[5 * (t + 1) + which];
            if (t % 32 < 31 && mine >= 0 && next >= 0)
            {
                ++num_pairs;
                if (abs(next - mine) != 1)
                {
                    first = num_apart++ == 0 ? t : first;
                }
            }
        }
        if (2 * num_apart > num_pairs)
        {
            value("apart", "%d", abs(noted[5 * (first + 1) + which] - noted[5 * first + which]));
            value("x", "%d", first % 32);
            value("next", "%d", first % 32 + 1);
            value("columns", "%ld", which < 2 ? N : M);
            wrong(which < 2 ? "reads_column" : "writes_column");
        }
    }
}

// The length of a row for which row * length + column is this index. Where there is a source it has to fit.
static void fit_length(long *length, int source, long index, long row, long column)
{
    if (*length >= 0 && (source < 0 || (row == 0 ? index != column : (index - column) % row != 0)))
    {
        *length = -1;
    }
    if (*length >= 0 && row > 0)
    {
        const long fits = (index - column) / row;
        *length = (*length == 0 || *length == fits) && fits > 0 ? fits : -1;
    }
}

static void look(const Case *c)
{
    const long M = c->number[0], N = c->number[1], num = M * N;
    const float *A = array<float>(c, 0), *B = array<float>(c, 1);
    static int sorted[1 << 14];
    A_of_case = A;
    for (long i = 0; i < num; ++i)
    {
        sorted[i] = i;
    }
    qsort(sorted, num, sizeof(int), by_value);
    long num_right = 0, num_untouched = 0, num_unknown = 0, first_untouched = -1, first = -1;
    bool copy = true, tiles_only = true, inside_only = true, whole_tiles = true;
    const bool is_large = M > 32 && N > 32;
    bool first_tile = is_large, one_row = true, one_column = true, always_first = is_large, first_only = is_large;
    bool top_only = N > 32, left_only = M > 32, diagonal_only = true; // of B is written
    bool of_row = M > 1, of_column = N > 1, of_diagonal = M > 1 && N > 1, of_top = M > 32, of_left = N > 32; // of A
    long B_length = 0, A_length = 0, tile_length = 0, padded_length = 0; // of a row, as the indices take it: -1 if they fit none
    for (long i = num - 1; i >= 0; --i)
    {
        const long R = i / M, C = i % M; // in B: of N rows and M columns
        const bool untouched = is_untouched(B[i]);
        const bool right = B[i] == A[C * N + R];
        const int source = untouched ? -1 : source_of(sorted, num, B[i]);
        const long r = source / N, q = source % N; // in A
        num_right += right;
        num_untouched += untouched;
        num_unknown += !untouched && source < 0;
        first_untouched = untouched ? i : first_untouched;
        first = right ? first : i;
        whole_tiles = whole_tiles && untouched == (R >= N / 32 * 32 || C >= M / 32 * 32);
        first_tile = first_tile && untouched == (R >= 32 || C >= 32);
        one_row = one_row && untouched == (R % 32 != 0);
        one_column = one_column && untouched == (C % 32 != 0);
        first_only = first_only && untouched == (R >= 32 || C >= 32);
        top_only = top_only && untouched == (R >= 32);
        left_only = left_only && untouched == (C >= 32);
        diagonal_only = diagonal_only && untouched == (R % 32 != C % 32);
        if (untouched)
        {
            continue;
        }
        of_row = of_row && source >= 0 && r % 32 == 0;
        of_column = of_column && source >= 0 && q % 32 == 0;
        of_diagonal = of_diagonal && source >= 0 && r % 32 == q % 32;
        of_top = of_top && source >= 0 && r < 32;
        of_left = of_left && source >= 0 && q < 32;
        fit_length(&B_length, source, i, q, r);
        fit_length(&A_length, source, source, C, R);
        fit_length(&tile_length, source, 32 * (r % 32) + q % 32, C % 32, R % 32);
        if (source >= 0)
        {
            fit_length(&padded_length, source, 33 * (r % 32) + q % 32, C % 32, R % 32);
        }
        copy = copy && source == i;
        always_first = always_first && source >= 0 && r < 32 && q < 32;
        tiles_only = tiles_only && source >= 0 && r == C / 32 * 32 + R % 32 && q == R / 32 * 32 + C % 32;
        inside_only = inside_only && source >= 0 && r == R / 32 * 32 + C % 32 && q == C / 32 * 32 + R % 32;
    }
    if (num_right == num)
    {
        look_at_accesses(c);
        return;
    }
    const long R = first / M, C = first % M;
    value("M", "%ld", M);
    value("N", "%ld", N);
    value("R", "%ld", R);
    value("C", "%ld", C);
    value("got", "%s", text_of(B[first]));
    value("want", "%s", text_of(A[C * N + R]));
    const int source = is_untouched(B[first]) ? -1 : source_of(sorted, num, B[first]);
    value("from_row", "%d", source >= 0 ? (int)(source / N) : -1);
    value("from_column", "%d", source >= 0 ? (int)(source % N) : -1);
    value("untouched", "%ld", num_untouched);
    value("uR", "%ld", first_untouched / M);
    value("uC", "%ld", first_untouched % M);
    value("bx", "%ld", first_untouched / M / 32);
    value("by", "%ld", first_untouched % M / 32);
    if (num_untouched == num)
    {
        wrong("nothing");
    }
    else if (copy && num_untouched == 0)
    {
        wrong("copy");
    }
    else if (tiles_only && num_untouched == 0)
    {
        wrong("tile_not_turned");
    }
    else if (inside_only && num_untouched == 0)
    {
        wrong("tiles_stay");
    }
    else if (diagonal_only)
    {
        wrong("writes_diagonal");
    }
    else if (B_length > 0 && B_length != M)
    {
        value("length", "%ld", B_length);
        wrong("length_of_B");
    }
    else if (A_length > 0 && A_length != N && num_untouched == 0)
    {
        value("length", "%ld", A_length);
        wrong("length_of_A");
    }
    else if ((tile_length > 0 && tile_length != 32) || (padded_length > 0 && padded_length != 33))
    {
        value("length", "%ld", tile_length > 0 ? tile_length : padded_length);
        value("other_length", "%d", tile_length > 0 ? 32 : 33);
        wrong("length_of_tile");
    }
    else if (num_untouched == 0 && of_row + of_column + of_diagonal == 1)
    {
        wrong(of_row ? "reads_row" : of_column ? "reads_one_column" : "reads_diagonal");
    }
    else if (is_large && of_top + of_left == 1 && num_untouched == 0)
    {
        wrong(of_top ? "reads_top" : "reads_left");
    }
    else if (is_large && num_right + num_untouched < num && top_only + left_only == 1)
    {
        wrong(top_only ? "writes_top" : "writes_left");
    }
    else if (num_right + num_untouched == num && num_untouched > 0)
    {
        wrong(first_tile               ? "first_tile"
              : whole_tiles            ? "whole_tiles"
              : one_row || one_column  ? "part_of_tile"
                                       : "not_written");
    }
    else if (M % 32 != 0 || N % 32 != 0)
    {
        wrong("edge");
    }
    else if (always_first)
    {
        wrong("always_first_tile");
    }
    else if (num_unknown > 0)
    {
        wrong("too_early");
    }
    else
    {
        wrong(num_untouched == 0 ? "other" : first_only ? "into_first_tile" : "some_missing");
    }
}

//== time
static float *A, *B;
static int rows, columns;

static void set_up()
{
    columns = ON_GPU ? 16001 : 301;
    rows = timed::elements(2 * sizeof(float)) / columns;
    A = (float *)timed::memory(sizeof(float) * rows * columns);
    B = (float *)timed::memory(sizeof(float) * rows * columns);
}
static void run_once()
{
    transpose<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(A, B, rows, columns);
}
static double bytes_moved() { return 2.0 * sizeof(float) * rows * columns; }

//== says
both_return for past_end or edge or not_written or race_same_place or race_between_blocks or too_early when /&&[^;{}]*\)\s*\{?\s*return\b/ at /&&.*/: With && a thread returns only if both hold. A thread that is outside in one direction only goes on.
both_return.zh: 用 && 时，两个条件都成立的线程才返回。只在一个方向上超出的线程会继续执行。
number_of_tile for other or some_missing or edge or past_end or not_written or race_same_place or race_between_blocks or too_early or tile_not_turned or writes_top or writes_left or reads_top or reads_left when /\b(\w+)\s*=\s*blockIdx\.[xy]\s*[,;](?!.*\b\g1\s*(?:\*|<<)|.*\*\s*\g1\b)/ at /=\s*blockIdx\.[xy]\s*[,;]/: blockIdx counts tiles, and each tile has 32 rows and 32 columns. In which row or column does tile number 1 begin?
number_of_tile.zh: blockIdx 数的是片，而每片有 32 行 32 列。第 1 片从第几行或第几列开始？
of_pointers for other or some_missing or edge or too_early or not_written or whole_tiles or copy or tile_not_turned or tiles_stay or part_of_tile or into_first_tile or always_first_tile or race_same_place or race_between_blocks or race_in_block or past_end or past_shared or never_written or types or compile or null_pointer or before_start or illegal_address or crash when /__shared__\s+float\s*\*\s*\w+\s*\[/ at /__shared__\s+float\s*\*/: With the * this is an array of pointers, which point to nothing yet. The tile has to hold 32 x 32 numbers.
of_pointers.zh: 加上 * 就成了指针数组，而这些指针还没有指向任何地方。这一片要存放的是 32 x 32 个数。
diagonal for reads_diagonal or writes_diagonal or other or some_missing or edge or too_early or not_written or whole_tiles or copy or tile_not_turned or tiles_stay or part_of_tile or into_first_tile or always_first_tile or race_same_place or race_between_blocks or race_in_block or past_end or past_shared or never_written when /\b\w+\s*\[\s*([a-zA-Z][\w.]*)\s*\]\s*\[\s*\g1\s*\]/ at /\b\w+\s*\[\s*([a-zA-Z][\w.]*)\s*\]\s*\[\s*\g1\s*\]/: Both indices of the tile are the same here, so this is always an element of its diagonal.
diagonal.zh: 这里 tile 的两个下标相同，所以总是对角线上的元素。
row_from_x for other or some_missing or edge or too_early or not_written or whole_tiles or copy or tile_not_turned or tiles_stay or part_of_tile or into_first_tile or always_first_tile or race_same_place or race_between_blocks or race_in_block or past_end or past_shared or never_written when /\brow\s*=\s*[^;,]*\bblockIdx\.x|\bcolumn\s*=\s*[^;,]*\bblockIdx\.y|\bA\s*\[\s*\(\s*blockIdx\.x|\b(\w+)\s*=[^;,=]*\bblockIdx\.x\b[^;,]*[;,].*\bA\s*\[\s*\(?\s*\g1\b[^\[\]*]*\*/ at /\brow\s*=\s*[^;,]*\bblockIdx\.x|\bcolumn\s*=\s*[^;,]*\bblockIdx\.y|\bblockIdx\.x/: blockIdx.x counts the tiles from left to right, and blockIdx.y from top to bottom. Which one of them tells the row?
row_from_x.zh: blockIdx.x 从左到右数，blockIdx.y 从上到下数。行由哪一个决定？
eight_rows for past_shared or past_end when /\+=\s*(?:8|BLOCK_ROWS)\b/ at /\+=/: This loop is for blocks of 32 x 8 threads. Here a block has 32 x 32, one for each element of the tile.
eight_rows.zh: 这个循环适合 32 x 8 个线程的线程块。这里的线程块有 32 x 32 个线程，每个元素一个。
comma for types or compile or expected when /\btile\s*\[[^\[\];]*,[^\[\];]*\]/ at /\btile\s*\[[^\[\];]*,/: With a comma the brackets hold one index only, the last one. In C each index has brackets of its own.
comma.zh: 方括号里写逗号，只有最后一个数作为下标。在 C 语言中，每个下标各有自己的方括号。
semicolon for past_end or edge or other or not_written when /\bif\s*\([^;{}]*\)\s*;/ at /\bif\b.*;/: The ; behind the condition ends the if here: what follows is done by every thread.
semicolon.zh: 条件后面的分号 ; 使 if 到此为止：后面的语句每个线程都会执行。
race_same_place at /\bB\s*\[/: Several threads write to one element of B here. Does this index say where the tile of the block begins, both down and across?
race_same_place.zh: 若干个线程在这里写 B 的同一个元素。这个指标说明了线程块的那一片从第几行、第几列开始吗？
two_places for barrier_branches or barrier_not_reached when /else\s*(?:\{[^{}]*)?__syncthreads/ at /else/: Each __syncthreads() is a meeting place of its own. Some threads wait at the one in the else and the others somewhere else, so they do not meet.
two_places.zh: 每个 __syncthreads() 是一个单独的会合处。一些线程在 else 里的那个等待，其余的在别处等待，它们碰不到一起。
diagonal_tiles for some_missing or race_same_place or race_between_blocks or other or edge or past_end or not_written when /\bB\s*\[\s*\(\s*(?:row|y)\s*\+\s*(?:row|[xy])\s*\)[^;\]]*\+\s*row\b|\bB\s*\[\s*\(\s*column\s*\+\s*[xy]\s*\)[^;\]]*\+\s*column\b/ at /\bB\s*\[/: Both numbers in this index begin with the same one of row and column. So tiles from different places of A come to the same place in B.
diagonal_tiles.zh: 这个指标的行号和列号都从 row 和 column 中的同一个算起，于是 A 中不同位置的片放到了 B 的同一处。
no_condition for edge or past_end or race_between_blocks or too_early or other or illegal_address when /^(?!.*\bif\b)(?!.*\?)/ at /\bA\s*\[/: There is no condition any more. The tiles at the edges have threads without an element of A, and threads without one of B.
no_condition.zh: 这里已经没有条件了。边上的片里，有些线程在 A 中没有元素，有些在 B 中没有元素。
xy_exchanged for writes_column or reads_column when /\bx\s*=\s*threadIdx\.y/ at /\bx\s*=\s*threadIdx\.y/: The result is right. But threads that run together differ in threadIdx.x, and this number is called y here. So reading and writing go along columns.
xy_exchanged.zh: 结果是对的。但一起执行的线程，不同的是 threadIdx.x，而它在这里叫 y，于是读和写都沿着列。
past_the_tile for reads_column or writes_column when /tile(?:\s*\[[^\]]*\])+\s*=\s*A.*\bB\s*\[[^;]*\]\s*=\s*A\s*\[/ at /\bB\s*\[.*=\s*A\s*\[/: The result is right. But this line takes the element from A and not from the tile, so either reading or writing goes along a column.
past_the_tile.zh: 结果是对的。但这一行的元素取自 A，而不是共享内存中的那一片，于是读和写总有一个沿着列。
whole_numbers for too_early or other or edge when /__shared__\s+(?:unsigned|int|long|short|char)\b/ at /__shared__/: The elements are of type float. In a tile of whole numbers they lose what stands behind the point.
whole_numbers.zh: 元素是 float 类型，放进整数类型的 tile 就丢掉了小数部分。
not_shared for too_early or other or edge or past_local when /^(?!.*__shared__)/ at /tile/: Without __shared__ each thread has a tile of its own, in which it finds only what it has put there itself.
not_shared.zh: 没有 __shared__，每个线程就有自己的一个 tile，其中只有它自己放进去的元素。
guard_around for barrier_branches or barrier_not_reached when /if\s*\([^{};]*[MN][^{};]*\)\s*\{[^{}]*__syncthreads/ at /if/: The barrier stands in the if. Threads without an element must come to it, too.
guard_around.zh: 同步放在了 if 里面。没有元素的线程也必须到达它。
returned for barrier_branches or barrier_not_reached when /return.*__syncthreads/ at /return/: The threads that return here do not come to the barrier. A thread that has no element of A may have one of B.
returned.zh: 在这里 return 的线程到不了同步。在 A 中没有元素的线程，在 B 中可能有元素。
of_warp for race_in_block or too_early when /__syncwarp/ at /__syncwarp/: A warp is one row of the block here. What a thread takes from the tile, 32 different warps have put there.
of_warp.zh: 这里的一个线程束只是线程块的一行。线程束从 tile 中取的元素，是 32 个不同的线程束放进去的。
fence for race_in_block or too_early when /^(?!.*__syncthreads).*__threadfence/ at /__threadfence/: A fence orders the writes of one thread. It does not make the other threads wait.
fence.zh: __threadfence 只规定一个线程自己写内存的先后，并不让其他线程等待。
no_barrier for race_in_block or too_early when /^(?!.*sync)/ at /=\s*tile/: A thread takes from the tile what another thread puts there. Nothing makes it wait until that has been done.
no_barrier.zh: 线程从 tile 中取的元素是另一个线程放进去的，而没有任何东西让它等到那一步做完。
row_of_B for length_of_B or other or some_missing or edge or past_end or race_same_place or race_between_blocks or not_written when /\bB\s*\[[^\]=]*\*\s*N\b/ at /\bB\s*\[[^\]=]*\*\s*N/: N is the length of a row of A. How long is a row of B, the transpose?
row_of_B.zh: N 是 A 的一行的长度。B 是转置，它的一行有多长？
row_of_A for length_of_A or other or some_missing or edge or past_end or too_early when /\bA\s*\[[^\]=]*\*\s*M\b/ at /\bA\s*\[[^\]=]*\*\s*M/: M is the number of rows of A. How long is one of its rows?
row_of_A.zh: M 是 A 的行数。A 的一行有多长？
sizes_exchanged for edge or past_end or not_written or whole_tiles or too_early or other or some_missing when /\brow\s*\+\s*[xy]\s*<=?\s*N|\bcolumn\s*\+\s*[xy]\s*<=?\s*M|\bN\s*>=?\s*row|\bM\s*>=?\s*column/ at /\brow\s*\+\s*[xy]\s*<=?\s*N|\bcolumn\s*\+\s*[xy]\s*<=?\s*M|\bN\s*>=?\s*row|\bM\s*>=?\s*column/: row counts rows of A, and A has M of them; column counts its N columns. This condition compares with the other number.
sizes_exchanged.zh: row 数的是 A 的行，一共 M 行；column 数的是 A 的列，一共 N 列。这个条件比较的却是另一个数。
one_too_many for edge or past_end when /<=\s*[MN]\b|\b[MN]\s*>=/ at /<=\s*[MN]\b|\b[MN]\s*>=/: Rows and columns are counted from 0, so the last row of A is M - 1 and the last column N - 1.
one_too_many.zh: 行和列从 0 开始数，所以 A 的最后一行是第 M - 1 行，最后一列是第 N - 1 列。
same_guard for edge or past_end or not_written or race_between_blocks when /if\s*\(([^{};]*[MN][^{};]*)\).*if\s*\(\1\)/ at last /\bif\b/: Both conditions are the same. They ask which threads have an element of A, and the threads with an element of B are others.
same_guard.zh: 两个条件是一样的，问的都是哪些线程在 A 中有元素，而在 B 中有元素的是另一些线程。
no_second_guard for edge or past_end or race_between_blocks when /^(?!.*\bif\b.*(?:\bif\b|\?))/: There is one condition only. Some threads have an element of A, and others have one of B: each access needs its own.
no_second_guard.zh: 只有一个条件。在 A 中有元素的是一些线程，在 B 中有元素的是另一些，两次访问各要有自己的条件。
no_brackets for length_of_A or length_of_B or other or some_missing or race_same_place or past_end or edge or too_early when /\b[AB]\s*\[\s*(?:row|column)\s*\+\s*[xy]\s*\*/ at /\b[AB]\s*\[\s*(?:row|column)\s*\+\s*[xy]\s*\*/: * comes before +, so only the number next to it is multiplied. The whole number of the row must be.
no_brackets.zh: * 先于 +，所以只有紧挨着它的那个数被乘了。要乘的是整个行号。
hard_coded for length_of_A or length_of_B or other or some_missing or past_end or edge or too_early or race_between_blocks when /\b[AB]\s*\[[^\]]*\*\s*(?!32\b)\d\d/ at /\b[AB]\s*\[[^\]]*\*\s*(?!32\b)\d\d/: A fixed number stands in this index. How long a row is differs from call to call.
hard_coded.zh: 这个指标里写了一个固定的数，而每次调用时一行的长度都不同。
either for past_end or edge when /\|\|/ at /\|\|/: || lets a thread through when one of the two holds. Thread {thread} of block {block} has only one of them.
either.zh: 用 || 时，两个条件有一个成立就放行。线程块 {block} 的线程 {thread} 只满足其中一个。
on_top for too_early or other or edge when /\bB\s*\[[^;]*\]\s*\+=/ at /\+=/: The element is added to what was in B before. It shall take its place.
on_top.zh: 这里把元素加到了 B 原有的值上面，而应该是取代它。
no_bytes for illegal_address or past_dynamic when /extern\s+__shared__/ at /extern\s+__shared__/: How large an extern __shared__ array is, the launch says in <<< >>>, and here it says nothing. Give the array its size in the kernel.
no_bytes.zh: extern __shared__ 数组的大小由 <<< >>> 给出，而这里没有给。请在核函数中写明数组的大小。
wrong_way for read_only when /\bA\s*\[[^;]*\]\s*=[^=]/ at /\bA\s*\[[^;]*\]\s*=[^=]/: This line writes to A, which is only read. What stands left of the = gets what stands right of it.
wrong_way.zh: 这一行写的是 A，而 A 只读。等号左边得到右边的值。
x_as_row for race_same_place or race_between_blocks or edge or not_written or past_end when /\bB\s*\[\s*\([^()\]]*\b(?:x|tx|threadIdx\.x)\s*\)\s*\*[^;\]]*\b(?:y|ty|threadIdx\.y)\s*\]/ at /\bB\s*\[/: This index multiplies x by the length of a row. So threads x = 0, 1, 2 write one below the other in B, and they should write side by side. The conditions must be those for this element, too.
x_as_row.zh: 这个下标把 x 乘以行的长度，于是线程 x = 0、1、2 写的是 B 中上下相邻的元素，而应该是左右相邻的。条件也要针对这个元素。
row_not_asked for past_end or edge or not_written or race_same_place or race_between_blocks or too_early when /^(?s:(?=.*\bA\s*\[\s*(?|\(\s*([^()]+?)\s*\)|(\w+))\s*\*)(?=.*[<>]=?\s*M\b|.*\bM\s*[<>])(?!.*(?<![\w.+*-])(?<![+*-] )\g1\s*(?:<|>=)\s*M\b)(?!.*\bM\s*(?:>|<=)\s*\g1)(?!.*=\s*\g1\s*[;,])(?!.*\b\g1\s*=\s*([^;,=]+?)\s*[;,].*\g2\s*(?:<|>=)\s*M))/ at /\bA\s*\[/: The row in this index of A is not the one that a condition compares with M. Index and condition must speak of the same element.
row_not_asked.zh: A 的这个下标里的行，和条件中与 M 比较的不是同一个。下标和条件说的必须是同一个元素。
row_of_B_not_asked for past_end or edge or not_written or race_same_place or race_between_blocks or too_early when /^(?s:(?=.*\bB\s*\[\s*(?|\(\s*([^()]+?)\s*\)|(\w+))\s*\*)(?=.*[<>]=?\s*N\b|.*\bN\s*[<>])(?!.*(?<![\w.+*-])(?<![+*-] )\g1\s*(?:<|>=)\s*N\b)(?!.*\bN\s*(?:>|<=)\s*\g1)(?!.*=\s*\g1\s*[;,])(?!.*\b\g1\s*=\s*([^;,=]+?)\s*[;,].*\g2\s*(?:<|>=)\s*N))/ at /\bB\s*\[/: The row in this index of B is not the one that a condition compares with N. Index and condition must speak of the same element.
row_of_B_not_asked.zh: B 的这个下标里的行，和条件中与 N 比较的不是同一个。下标和条件说的必须是同一个元素。
column_not_asked for past_end or edge or not_written or race_same_place or race_between_blocks or too_early when /^(?s:(?=.*\bA\s*\[[^\[\]]*\*\s*N\s*\+\s*([^\[\]*]+?)\s*\])(?=.*[<>]=?\s*N\b|.*\bN\s*[<>])(?!.*(?<![\w.+*-])(?<![+*-] )\g1\s*(?:<|>=)\s*N\b)(?!.*\bN\s*(?:>|<=)\s*\g1)(?!.*=\s*\g1\s*[;,])(?!.*\b\g1\s*=\s*([^;,=]+?)\s*[;,].*\g2\s*(?:<|>=)\s*N))/ at /\bA\s*\[/: The column in this index of A is not the one that a condition compares with N. Index and condition must speak of the same element.
column_not_asked.zh: A 的这个下标里的列，和条件中与 N 比较的不是同一个。下标和条件说的必须是同一个元素。
column_of_B_not_asked for past_end or edge or not_written or race_same_place or race_between_blocks or too_early when /^(?s:(?=.*\bB\s*\[[^\[\]]*\*\s*M\s*\+\s*([^\[\]*]+?)\s*\])(?=.*[<>]=?\s*M\b|.*\bM\s*[<>])(?!.*(?<![\w.+*-])(?<![+*-] )\g1\s*(?:<|>=)\s*M\b)(?!.*\bM\s*(?:>|<=)\s*\g1)(?!.*=\s*\g1\s*[;,])(?!.*\b\g1\s*=\s*([^;,=]+?)\s*[;,].*\g2\s*(?:<|>=)\s*M))/ at /\bB\s*\[/: The column in this index of B is not the one that a condition compares with M. Index and condition must speak of the same element.
column_of_B_not_asked.zh: B 的这个下标里的列，和条件中与 M 比较的不是同一个。下标和条件说的必须是同一个元素。
past_end: Thread {thread} of block {block} {how} past the end of a matrix. Which index comes out for it, and what do the conditions say to it?
past_end.zh: 线程块 {block} 的线程 {thread} 在矩阵末尾之后{how}。它算出的指标是多少？条件对它成立吗？
race_in_block: What this line {how}, another thread of the block {other_how} in line {other}, and nothing makes them wait in between.
race_in_block.zh: 这一行{how}的内容，线程块中的另一个线程在第 {other} 行{other_how}，两者之间没有等待。
race_update: A thread uses here what another one writes in the same line, and nothing makes them wait in between.
race_update.zh: 线程在这里用到的内容，另一个线程在同一行写，两者之间没有等待。
reads_column at /\bA\s*\[/: The result is right. But threads x = {x} and x = {next} read elements of A that lie {apart} apart, one below the other: a row of A has {columns} elements.
reads_column.zh: 结果是对的。但是线程 x = {x} 和 x = {next} 读的 A 的元素相隔 {apart} 个，是上下相邻：A 的一行有 {columns} 个元素。
writes_column at /\bB\s*\[/: The result is right. But threads x = {x} and x = {next} write elements of B that lie {apart} apart, one below the other: a row of B has {columns} elements.
writes_column.zh: 结果是对的。但是线程 x = {x} 和 x = {next} 写的 B 的元素相隔 {apart} 个，是上下相邻：B 的一行有 {columns} 个元素。
few_threads at /for|while/: The result is right. But a thread writes up to {most} elements, and the block has 1024 threads: only {writers} threads do all the work.
few_threads.zh: 结果是对的。但一个线程写了多达 {most} 个元素，而线程块有 1024 个线程：全部工作只由 {writers} 个线程完成。
from_A for tile_not_turned when /=\s*A\s*\[.*\bB\s*\[[^;]*\]\s*=\s*A\s*\[/ at /\bB\s*\[.*=\s*A\s*\[/: This line takes its element from A and not from the tile. In the tile another thread has put the one that belongs here.
from_A.zh: 这一行的元素取自 A，而不是 tile。属于这个位置的元素，是另一个线程放进 tile 的。
writes_diagonal at /\bB\s*\[/: Of each tile of B only the diagonal is written: row and column in this index count with the same one of x and y. So 32 threads write to one element.
writes_diagonal.zh: B 的每一片只写了对角线：这个下标的行和列用的是 x、y 中的同一个，于是有 32 个线程写同一个元素。
reads_diagonal at /\bA\s*\[/: Of each tile of A only the diagonal is read: row and column in this index count with the same one of x and y.
reads_diagonal.zh: A 的每一片只读了对角线：这个下标的行和列用的是 x、y 中的同一个。
reads_row at /\bA\s*\[/: Of each tile of A only the first row is read. Which part of this index goes from row to row within the tile?
reads_row.zh: A 的每一片只读了第一行。这个下标的哪一部分在片内逐行变化？
reads_one_column at /\bA\s*\[/: Of each tile of A only the first column is read. Which part of this index goes from column to column within the tile?
reads_one_column.zh: A 的每一片只读了第一列。这个下标的哪一部分在片内逐列变化？
reads_top at /\bA\s*\[/: All blocks read from the first 32 rows of A. In which row does the tile of a block begin?
reads_top.zh: 所有线程块读的都是 A 的前 32 行。一个线程块的那一片从第几行开始？
reads_left at /\bA\s*\[/: All blocks read from the first 32 columns of A. In which column does the tile of a block begin?
reads_left.zh: 所有线程块读的都是 A 的前 32 列。一个线程块的那一片从第几列开始？
writes_top at /\bB\s*\[/: All blocks write into the first 32 rows of B. In which row of B does the tile of a block begin?
writes_top.zh: 所有线程块都写进了 B 的前 32 行。一个线程块的那一片在 B 中从第几行开始？
writes_left at /\bB\s*\[/: All blocks write into the first 32 columns of B. In which column of B does the tile of a block begin?
writes_left.zh: 所有线程块都写进了 B 的前 32 列。一个线程块的那一片在 B 中从第几列开始？
length_of_B at /\bB\s*\[/: From one row of B to the next this index goes on by {length}. A row of B has {M} elements here.
length_of_B.zh: 从 B 的一行到下一行，这个下标增加了 {length}，而这里 B 的一行有 {M} 个元素。
length_of_A at /\bA\s*\[/: From one row of A to the next this index goes on by {length}. A row of A has {N} elements here.
length_of_A.zh: 从 A 的一行到下一行，这个下标增加了 {length}，而这里 A 的一行有 {N} 个元素。
length_of_tile at /\bB\s*\[/: From one row of the tile to the next the index goes on by {other_length} where the tile is filled, and by {length} where it is used.
length_of_tile.zh: 从 tile 的一行到下一行，存入时下标增加 {other_length}，取出时却增加 {length}。
nothing at /\bB\s*\[/: Nothing is written to B.
nothing.zh: B 中什么也没有写。
copy at /\bB\s*\[/: B is a copy of A: either nothing is exchanged, or two exchanges undo each other.
copy.zh: B 和 A 一模一样：要么什么也没有交换，要么交换了两次，又换回去了。
tile_not_turned at /=\s*tile|\bB\s*\[/: The tiles are in their right places in B, but within each tile rows and columns have not changed places.
tile_not_turned.zh: 每一片在 B 中的位置是对的，但每一片内部的行和列没有交换。
tiles_stay at /\bB\s*\[/: Each tile is turned in itself, but it lies in B where it lay in A. The tile in row 0 and column 1 of tiles belongs to row 1 and column 0.
tiles_stay.zh: 每一片内部转置了，但在 B 中仍放在它在 A 中的位置。第 0 行第 1 列的那一片应该到第 1 行第 0 列。
first_tile at /\bif\b|\bB\s*\[/: Only the first tile of B is written. Each block has a tile of its own.
first_tile.zh: 只写了 B 的第一片。每个线程块有自己的一片。
into_first_tile at /\bB\s*\[/: All blocks write into the first tile of B. Where does the tile of a block begin there?
into_first_tile.zh: 所有线程块都写进了 B 的第一片。一个线程块的那一片在 B 中从哪里开始？
always_first_tile at /\bA\s*\[/: All blocks read the first tile of A. Where does the tile of a block begin?
always_first_tile.zh: 所有线程块读的都是 A 的第一片。一个线程块的那一片从哪里开始？
whole_tiles at /\bif\b|return/: With M = {M} and N = {N} only whole tiles are written. The tiles at the edges have threads with elements, too: the question is for each thread.
whole_tiles.zh: M = {M}、N = {N} 时只写了完整的片。边上的片里也有带元素的线程：要对每个线程判断。
part_of_tile at /\bB\s*\[/: Of each tile only one line is written, and a tile has 32 x 32 elements, one for each thread.
part_of_tile.zh: 每一片只写了一行或一列，而一片有 32 x 32 个元素，每个线程一个。
not_written at /\bif\b.*[MN]|\bif\b|\bB\s*\[/: With M = {M} and N = {N}, {untouched} elements of B are not written, the first of them in row {uR} and column {uC}. What does your condition say to the thread whose element it is?
not_written.zh: M = {M}、N = {N} 时，B 中有 {untouched} 个元素没有写，第一个在第 {uR} 行第 {uC} 列。你的条件对负责它的线程成立吗？
edge? at /\bB\s*\[/: With M = {M} and N = {N} the element of B in row {R} and column {C} is wrong. M or N is no multiple of 32 here: who writes to this place, and who should?
edge.zh: M = {M}、N = {N} 时，B 的第 {R} 行第 {C} 列的元素不对。这里 M 或 N 不是 32 的倍数：谁写了这个位置，又应该由谁来写？
too_early? at /\bB\s*\[/: Row {R} and column {C} of B get a number that is nowhere in A: {got}. What was in the tile when it was taken?
too_early.zh: B 的第 {R} 行第 {C} 列得到的数 {got} 不在 A 中。取它的时候，tile 里是什么？
some_missing? at /\bB\s*\[/: With M = {M} and N = {N}, {untouched} elements of B are not written, and others are wrong. Row {R} and column {C} should be {want}.
some_missing.zh: M = {M}、N = {N} 时，B 中有 {untouched} 个元素没有写，还有一些不对。第 {R} 行第 {C} 列应为 {want}。
other? at /\bB\s*\[/: Row {R} and column {C} of B is {got}. It should be {want}, which is in row {C} and column {R} of A.
other.zh: B 的第 {R} 行第 {C} 列是 {got}。它应为 {want}，即 A 的第 {C} 行第 {R} 列的元素。

//== wrong stub_again: writes_column
    __shared__ float tile[32][32];
    if (row + y < M && column + x < N)
    {
        B[(column + x) * M + row + y] = A[(row + y) * N + column + x];
    }
//== wrong other_column: reads_column
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = A[(row + x) * N + column + y];
    }
//== wrong no_barrier: no_barrier
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- __syncthreads();
//== wrong of_warp: of_warp
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- __syncthreads();
//+ __syncwarp();
//== wrong only_fence: fence
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- __syncthreads();
//+ __threadfence_block();
//== wrong tile_as_it_is: tile_not_turned
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * M + row + x] = tile[y][x];
//== wrong both_sides: tile_not_turned
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ tile[x][y] = A[(row + y) * N + column + x];
//== wrong blocks_stay: tiles_stay
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (row + y < N && column + x < M)

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(row + y) * M + column + x] = tile[x][y];
//== wrong nothing_exchanged: copy
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (row + y < M && column + x < N)

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(row + y) * N + column + x] = tile[y][x];
//== wrong through_tile: writes_column
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (row + y < M && column + x < N)

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + x) * M + row + y] = tile[y][x];
//== wrong read_down: reads_column
    __shared__ float tile[32][32];
    if (column + y < N && row + x < M)
    {
        tile[y][x] = A[(row + x) * N + column + y];
    }
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[y][x];
    }
//== wrong guard_around: guard_around
    __shared__ float tile[32][32];
    if (row + y < M && column + x < N)
    {
        tile[y][x] = A[(row + y) * N + column + x];
        __syncthreads();
        B[(column + y) * M + row + x] = tile[x][y];
    }
//== wrong returns: returned
    __shared__ float tile[32][32];
    if (row + y >= M || column + x >= N)
    {
        return;
    }
    tile[y][x] = A[(row + y) * N + column + x];
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[x][y];
    }
//== wrong same_guard: same_guard
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (row + y < M && column + x < N)
//== wrong sizes_exchanged: sizes_exchanged
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (column + y < M && row + x < N)
//== wrong load_sizes: sizes_exchanged
//- __shared__ float tile[32][33];
//- if (row + y < M && column + x < N)
//+ __shared__ float tile[32][32];
//+ if (row + y < N && column + x < M)
//== wrong no_store_guard: no_second_guard
    __shared__ float tile[32][32];
    if (row + y < M && column + x < N)
    {
        tile[y][x] = A[(row + y) * N + column + x];
    }
    __syncthreads();
    B[(column + y) * M + row + x] = tile[x][y];
//== wrong no_load_guard: past_end or no_second_guard
    __shared__ float tile[32][32];
    tile[y][x] = A[(row + y) * N + column + x];
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[x][y];
    }
//== wrong row_length: row_of_B
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * N + row + x] = tile[x][y];
//== wrong row_length_of_A: row_of_A
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ tile[y][x] = A[(row + y) * M + column + x];
//== wrong not_shared: not_shared
//- __shared__ float tile[32][33];
//+ float tile[32][32];
//== wrong one_thread: few_threads
    __shared__ float tile[32][32];
    if (x == 0 && y == 0)
    {
        for (int i = row; i < row + 32 && i < M; ++i)
        {
            for (int j = column; j < column + 32 && j < N; ++j)
            {
                B[j * M + i] = A[i * N + j];
            }
        }
    }
//== wrong into_first: into_first_tile
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[y * M + x] = tile[x][y];
//== wrong from_first: always_first_tile
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ tile[y][x] = A[y * N + x];
//== wrong whole_tiles: whole_tiles
//- __shared__ float tile[32][33];
//- if (row + y < M && column + x < N)
//+ __shared__ float tile[32][32];
//+ if (row + 32 <= M && column + 32 <= N)

//- if (column + y < N && row + x < M)
//+ if (row + 32 <= M && column + 32 <= N)
//== wrong equal: one_too_many
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (column + y <= N && row + x <= M)
//== wrong small_tile: past_shared
//- __shared__ float tile[32][33];
//+ __shared__ float tile[16][16];
//== wrong not_stored: nothing
    __shared__ float tile[32][32];
    if (row + y < M && column + x < N)
    {
        tile[y][x] = A[(row + y) * N + column + x];
    }
    __syncthreads();
//== wrong one_row: part_of_tile
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (y == 0 && column + y < N && row + x < M)
//== wrong of_integers: whole_numbers
//- __shared__ float tile[32][33];
//+ __shared__ int tile[32][32];
//== wrong past_the_tile: past_the_tile
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * M + row + x] = A[(row + x) * N + column + y];
//== wrong one_of_two: either
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (column + y < N || row + x < M)
//== wrong without_brackets: no_brackets
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[column + y * M + row + x] = tile[x][y];
//== wrong of_main: hard_coded
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ tile[y][x] = A[(row + y) * 70 + column + x];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * 40 + row + x] = tile[x][y];
//== wrong added: on_top
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * M + row + x] += tile[x][y];
//== wrong one_less: not_written
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (column + y < N - 1 && row + x < M - 1)
//== wrong only_rows: column_of_B_not_asked
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (column + y < N)
//== wrong without_size: no_bytes
//- __shared__ float tile[32][33];
//+ extern __shared__ float s[];
//+ float(*tile)[32] = (float(*)[32])s;
//== wrong in_place: race_update
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- __syncthreads();
//+ __syncthreads();
//+ tile[x][y] = tile[y][x];
//+ __syncthreads();

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * M + row + x] = tile[y][x];
//== wrong diagonal: diagonal_tiles
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(row + y) * M + row + x] = tile[x][y];
//== wrong row_only: reads_row
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ tile[y][x] = A[row * N + column + x];
//== wrong barrier_behind: race_in_block or too_early
    __shared__ float tile[32][32];
    if (row + y < M && column + x < N)
    {
        tile[y][x] = A[(row + y) * N + column + x];
    }
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[x][y];
    }
    __syncthreads();
//== wrong sync_in_both: two_places
    __shared__ float tile[32][32];
    if (row + y < M && column + x < N)
    {
        tile[y][x] = A[(row + y) * N + column + x];
        __syncthreads();
    }
    else
    {
        __syncthreads();
    }
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[x][y];
    }
//== wrong no_condition_at_all: no_condition
    __shared__ float tile[32][32];
    tile[y][x] = A[(row + y) * N + column + x];
    __syncthreads();
    B[(column + y) * M + row + x] = tile[x][y];
//== wrong y_for_x: xy_exchanged (whole file)
//- const int x = threadIdx.x, y = threadIdx.y;
//+ const int x = threadIdx.y, y = threadIdx.x;
//== wrong comma: comma
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ tile[y, x] = A[(row + y) * N + column + x];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * M + row + x] = tile[x, y];
//== wrong if_ends: semicolon
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- if (column + y < N && row + x < M)
//+ if (column + y < N && row + x < M);
//== wrong of_a_smaller_block: eight_rows
    __shared__ float tile[32][33];
    for (int j = 0; j < 32; j += 8)
    {
        if (row + y + j < M && column + x < N)
        {
            tile[y + j][x] = A[(row + y + j) * N + column + x];
        }
    }
    __syncthreads();
    for (int j = 0; j < 32; j += 8)
    {
        if (column + y + j < N && row + x < M)
        {
            B[(column + y + j) * M + row + x] = tile[x][y + j];
        }
    }
//== wrong pointers: of_pointers
//- float tile[32][33]
//+ float *tile[32]
//== wrong on_diagonal: diagonal
//- = tile[x][y]
//+ = tile[x][x]
//== wrong row_of_x: row_from_x (whole file)
//- row = blockIdx.y * 32, column = blockIdx.x * 32
//+ row = blockIdx.x * 32, column = blockIdx.y * 32
//== wrong y_two_times: reads_diagonal
//- = A[(row + y) * N + column + x]
//+ = A[(row + y) * N + column + y]
//== wrong y_two_times_in_B: writes_diagonal
//- * M + row + x]
//+ * M + row + y]
//== wrong row_of_32: length_of_B
//- (column + y) * M
//+ (column + y) * 32
//== wrong without_column: writes_left
//- * M + row + x]
//+ * M + x]
//== wrong without_row: writes_top
//- [(column + y) * M
//+ [y * M
//== wrong only_column_of_A: reads_one_column
//- * N + column + x]
//+ * N + column]
//== wrong first_rows_of_A: reads_top
//- = A[(row + y) * N
//+ = A[y * N
//== wrong first_columns_of_A: reads_left
//- * N + column + x]
//+ * N + x]
//== wrong from_A_again: from_A
//- = tile[x][y]
//+ = A[(row + y) * N + column + x]
//== wrong into_A: wrong_way
//- tile[y][x] = A[(row + y) * N + column + x];
//+ A[(row + y) * N + column + x] = tile[y][x];
//== wrong down_B: x_as_row
//- B[(column + y) * M + row + x] = tile[x][y]
//+ B[(column + x) * M + row + y] = tile[y][x]
//== wrong guard_of_another: row_not_asked
//- row + y < M && column + x < N
//+ row + x < M && column + y < N
//== wrong guard_within_tile: row_of_B_not_asked
//- column + y < N && row + x < M
//+ y < N && x < M
//== wrong guard_of_row_twice: column_of_B_not_asked
//- row + x < M
//+ row + y < M
//== wrong own_origin: row_from_x
    const int i = blockIdx.x * 32, j = blockIdx.y * 32;
    __shared__ float s[32][33];
    if (i + y < M && j + x < N)
    {
        s[y][x] = A[(i + y) * N + j + x];
    }
    __syncthreads();
    if (j + y < N && i + x < M)
    {
        B[(j + y) * M + i + x] = s[x][y];
    }
//== wrong returns_if_both: both_return
    __shared__ float tile[32][32];
    if (row + y >= M && column + x >= N)
    {
        return;
    }
    tile[y][x] = A[(row + y) * N + column + x];
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[x][y];
    }
//== wrong tiles_not_lines: number_of_tile (whole file)
//- row = blockIdx.y * 32, column = blockIdx.x * 32;
//+ row = blockIdx.y, column = blockIdx.x;
//== wrong padded_once: length_of_tile
    __shared__ float s[32 * 33];
    if (row + y < M && column + x < N)
    {
        s[y * 33 + x] = A[(row + y) * N + column + x];
    }
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = s[x * 32 + y];
    }

//== right exchanged_at_load
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ tile[x][y] = A[(row + y) * N + column + x];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * M + row + x] = tile[y][x];
//== right own_names
    __shared__ float s[32][33];
    int nx = blockIdx.x * 32 + threadIdx.x;
    int ny = blockIdx.y * 32 + threadIdx.y;
    if (nx < N && ny < M)
        s[threadIdx.y][threadIdx.x] = A[ny * N + nx];
    __syncthreads();
    nx = blockIdx.y * 32 + threadIdx.x;
    ny = blockIdx.x * 32 + threadIdx.y;
    if (nx < M && ny < N)
        B[ny * M + nx] = s[threadIdx.x][threadIdx.y];
//== right flat
    __shared__ float tile[32 * 33];
    const bool has_A = row + y < M && column + x < N, has_B = column + y < N && row + x < M;
    tile[33 * y + x] = has_A ? *(A + (row + y) * N + column + x) : 0;
    __syncthreads();
    if (!has_B)
    {
        return;
    }
    float *there = B + (column + y) * M;
    there[row + x] = tile[33 * x + y];
//== right first_rows_work
    __shared__ float tile[32][32];
    for (int j = y; j < 32 && row + j < M && y < 8; j += 8)
    {
        if (column + x < N)
        {
            tile[j][x] = A[(row + j) * N + column + x];
        }
    }
    __syncthreads();
    if (y < 8 && row + x < M)
    {
        for (int j = y; j < 32 && column + j < N; j += 8)
        {
            B[(column + j) * M + row + x] = tile[x][j];
        }
    }
//== right taken_by_all
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- __syncthreads();
//+ __syncthreads();
//+ const float mine = tile[x][y];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * M + row + x] = mine;
//== right each_takes_32
    __shared__ float tile[32][32];
    if (x == 0 && row + y < M)
    {
        for (int j = 0; j < 32 && column + j < N; ++j)
        {
            tile[y][j] = __ldg(&A[(row + y) * N + column + j]);
        }
    }
    __syncthreads();
    const int R = column + y, C = row + x;
    if (R >= N || C >= M)
    {
        return;
    }
    B[R * M + C] = tile[x][y];
//== right swizzled
//- __shared__ float tile[32][33];
//+ __shared__ float tile[32][32];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ tile[y][x ^ y] = A[(row + y) * N + column + x];

//- B[(column + y) * M + row + x] = tile[x][y];
//+ B[(column + y) * M + row + x] = tile[x][y ^ x];
#endif
