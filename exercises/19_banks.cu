// 19_banks: a tile whose columns lie in one bank
// 19_banks.zh: 一列都落在同一个 bank 中的一片
//
// Kind: faster
// Chapter: 9
// Program: ch09_shared_mem/transpose.cu
// Book: 9.3
// Allow: never_written
// Goal: B becomes the transpose of A, by way of a tile in shared memory. The result is right, and global memory is
//   read and written along rows: 4 sectors a request. But all 32 numbers of a column of the tile lie in one bank
//   and come one after the other: 32 wavefronts, where 1 would do. Let none wait for another one, and keep the 4
//   sectors.
// Goal.zh: 借助共享内存中的一片，B 成为 A 的转置。结果是对的，读写全局内存都沿着行，一个请求 4 个扇区。但这一片的一列中，
//   32 个数都在同一个 bank 中，只能依次取出：要 32 轮，而 1 轮就够了。请做到谁也不用等谁，同时保持 4 个扇区。
// Hint 1: The bank of a number is its place in the tile, counted in floats, modulo 32. In which banks lie
//   tile[0][5], tile[1][5] and tile[2][5]?
// Hint 1.zh: 一个数在哪个 bank 中，看它在这一片中的位置（以 float 计）除以 32 的余数。tile[0][5]、tile[1][5]、
//   tile[2][5] 各在哪个 bank 中？
// Hint 2: A warp takes a column, so from thread to thread the place grows by the length of a row. It need not be 32,
//   and the tile need not be used up to its last column. Or each row begins at another bank.
// Hint 2.zh: 线程束取一列，所以从一个线程到下一个，位置增加一行的长度。这个长度不一定要是 32，这一片也不一定要用满
//   最后一列。或者，让每一行从不同的 bank 开始。
// Hint 3: Look at the declaration of the tile. Which lengths of a row put the 32 numbers of a column into 32 banks?
//   Not every length other than 32 does.
// Hint 3.zh: 看这一片的声明。一行的长度是多少时，一列的 32 个数落在 32 个 bank 中？并不是只要不等于 32 就行。
// After: With rows of 33 floats the numbers of a column are 33 apart, and 33 is 1 modulo 32: the next bank each time.
//   Any odd length does it. With 34 two of them meet in a bank, with 36 four. A swizzle takes no memory: number
//   x of row y goes to place x ^ y of this row. bin/transpose has the times of a card: in 10000 x 10000 floats
//   on an H200 the row shared takes 0.783 ms, and the row padded 0.464 ms.
// After.zh: 一行有 33 个 float 时，一列的数相隔 33 个，而 33 除以 32 余 1，所以每次换到下一个 bank。任何奇数都可以。
//   34 时有两个数落在同一个 bank 中，36 时有四个。交错存放不多占内存：第 y 行的第 x 个数放在这一行的第 x ^ y 个位置。
//   bin/transpose 有显卡上的时间：在 H200 上，10000 x 10000 个 float，shared 一行用 0.783 ms，padded 一行用 0.464 ms。

#include <stdio.h>

//[
// A block of 32 x 32 threads does a tile.
//zh 一个 32 x 32 的线程块处理一片。
__global__ void transpose(const float *A, float *B, int M, int N)
{
    const int x = threadIdx.x, y = threadIdx.y;
    const int row = blockIdx.y * 32, column = blockIdx.x * 32; // where the tile begins in A
    //zh 这一片在 A 中的起点
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
}

// A has M rows of N numbers, B has N rows of M numbers.
//zh A 有 M 行，每行 N 个数；B 有 N 行，每行 M 个数。
void make_transpose(const float *A, float *B, int M, int N)
{
    transpose<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 32)>>>(A, B, M, N);
}
//| // A block of 32 x 32 threads does a tile.
//zh // 一个 32 x 32 的线程块处理一片。
//| __global__ void transpose(const float *A, float *B, int M, int N)
//| {
//|     const int x = threadIdx.x, y = threadIdx.y;
//|     const int row = blockIdx.y * 32, column = blockIdx.x * 32; // where the tile begins in A
//zh     const int row = blockIdx.y * 32, column = blockIdx.x * 32; // 这一片在 A 中的起点
//|     __shared__ float tile[32][32];
//|     if (row + y < M && column + x < N)
//|     {
//|         tile[y][x] = A[(row + y) * N + column + x];
//|     }
//|     __syncthreads();
//|     if (column + y < N && row + x < M)
//|     {
//|         B[(column + y) * M + row + x] = tile[x][y];
//|     }
//| }
//|
//| // A has M rows of N numbers, B has N rows of M numbers.
//zh // A 有 M 行，每行 N 个数；B 有 N 行，每行 M 个数。
//| void make_transpose(const float *A, float *B, int M, int N)
//| {
//|     transpose<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 32)>>>(A, B, M, N);
//| }
//]

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
    make_transpose(A, B, M, N);
    cudaDeviceSynchronize();
    printf("B begins with %g, %g, %g\n", B[0], B[1], B[2]);
    cudaFree(A);
    cudaFree(B);
    return 0;
}

#if 0
//== child
static void run_case()
{
    const int M = judged::number(0), N = judged::number(1);
    float *A = judged::on_device<float>(0), *B = judged::on_device<float>(1);
    make_transpose(A, B, M, N);
    cudaDeviceSynchronize();
    judged::from_device(0, A);
    judged::from_device(1, B);
}

//== judge
#include "judge.h"

static void add(long M, long N)
{
    Case *c = add_case({M, N});
    input<float>(c, M * N);
    output<float>(c, M * N);
}

static void prepare()
{
    if (is_counting())
    {
        add(128, 192);
        return;
    }
    add(64, 64);
    add(64, 128);
    add(random_number(33, 60), 64);
    add(64, random_number(33, 60));
    add(random_number(66, 90), random_number(34, 60));
    add(1, 33);
    add(random_number(2, 31), 1);
}

// Where a row of the block is shorter than a warp, several rows of the tile make a request. Two of them may
// meet in a bank however the tile is padded, so there the double is good enough. Else every number over the
// least is a conflict, or is moved more than once.
static void look_at_shared(const Case *c, const Counted &stores, const Counted &loads)
{
    Launch l;
    const bool is_narrow = launch_of(c, 0, &l) && l.block[0] < 32;
    const double most = is_narrow ? 4.01 : 2.5;
    if (stores.now + loads.now <= most)
    {
        return;
    }
    const Counted &worse = stores.worst != NULL && (loads.worst == NULL || stores.now > loads.now) ? stores : loads;
    const Access *a = worse.worst;
    const double ways = (double)a->units / a->least;
    if (worse.lanes >= 16 && ways > 1.2)
    {
        value("banks", "%s", per(32, ways));
        wrong_at(is_narrow         ? "conflict_of_rows"
                 : ways < 24       ? "few_banks"
                 : &worse == &stores ? "conflict_at_store"
                                   : "conflict",
                 worse, a);
    }
    if (worse.lanes >= 16 && a->bytes == 8)
    {
        wrong_at("wide", worse, a);
    }
    look_at(worse);
    wrong_at("shared_several_times", worse, NULL);
}

static void look_at_counts(const Case *c, long num)
{
    const Counted loads = weigh("global", "load", num, 4), stores = weigh("global", "store", num, 4),
                  into = weigh("shared", "store", num, 1), from = weigh("shared", "load", num, 32);
    for (const Counted &g : {loads, stores})
    {
        if (is_wasteful(g) && g.lanes >= 16 && g.worst->units >= GOOD_ENOUGH * g.worst->least)
        {
            wrong_at(into.now + from.now == 0               ? "no_tile"
                     : strcmp(g.access, "load") == 0 ? "loads_column"
                                                            : "stores_column",
                     g, g.worst);
        }
        look_at(g);
    }
    look_at_shared(c, into, from);
}

static void look(const Case *c)
{
    const long M = c->number[0], N = c->number[1], num = M * N;
    const float *A = array<float>(c, 0), *B = array<float>(c, 1);
    long num_right = 0, num_untouched = 0, num_copies = 0, first = -1, first_untouched = -1;
    for (long i = num - 1; i >= 0; --i)
    {
        const bool right = B[i] == A[i % M * N + i / M], untouched = !right && is_untouched(B[i]);
        num_right += right;
        num_untouched += untouched;
        num_copies += B[i] == A[i];
        first = right || untouched ? first : i;
        first_untouched = untouched ? i : first_untouched;
    }
    if (num_right == num)
    {
        if (is_counting())
        {
            look_at_counts(c, num);
        }
        return;
    }
    value("M", "%ld", M);
    value("N", "%ld", N);
    value("untouched", "%ld", num_untouched);
    value("uR", "%ld", first_untouched / M);
    value("uC", "%ld", first_untouched % M);
    if (first < 0)
    {
        wrong(num_untouched == num ? "nothing" : "not_written");
        return;
    }
    const long R = first / M, C = first % M;
    long source = 0;
    while (source < num && A[source] != B[first])
    {
        ++source;
    }
    const long r = source / N, q = source % N;
    value("R", "%ld", R);
    value("C", "%ld", C);
    value("got", "%s", text_of(B[first]));
    value("want", "%s", text_of(A[C * N + R]));
    value("from_row", "%ld", r);
    value("from_column", "%ld", q);
    wrong(num_copies == num                                           ? "copy"
          : source == num                                             ? "other"
          : r / 32 == C / 32 && q / 32 == R / 32 && (r != C || q != R) ? "within_tile"
                                                                      : "of_another");
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
static void run_once() { make_transpose(A, B, rows, columns); }
static double bytes_moved() { return 2.0 * sizeof(float) * rows * columns; }

//== says
padded_rows for conflict or conflict_at_store when /__shared__[^;]*\[\s*(?:3[3-9]|32\s*\+\s*\d+|\w+\s*\+\s*\d+)\s*\]\s*\[\s*(?:32|[A-Za-z]\w*)\s*\]/: A request of this {access} takes {units} wavefronts, and {least} would do. The tile has got more rows. But from one number of a column to the next it is still the length of a row, 32.
padded_rows.zh: 一个{access}请求要 {units} 轮，而 {least} 轮就够了。这一片多了几行。但一列中从一个数到下一个，仍然相隔一行的长度 32。
conflict: A request of this {access} takes {units} wavefronts, and {least} would do. The numbers that the 32 threads want all lie in one bank. How far apart are they in the tile?
conflict.zh: 一个{access}请求要 {units} 轮，而 {least} 轮就够了。32 个线程要的数都在同一个 bank 中。它们在这一片中相隔多远？
conflict_at_store: A request of this {access} takes {units} wavefronts, and {least} would do. Now the tile is filled down a column, and all of it goes into one bank: the conflict has moved from the load to the store.
conflict_at_store.zh: 一个{access}请求要 {units} 轮，而 {least} 轮就够了。现在是沿着列填写这一片，一列都进了同一个 bank：冲突从读移到了写。
few_banks: A request of this {access} still takes {units} wavefronts, and {least} would do. The 32 numbers of a column now lie in {banks} banks, so some of them share one. If the length of a row is to do it: which lengths have no divisor in common with 32?
few_banks.zh: 一个{access}请求仍然要 {units} 轮，而 {least} 轮就够了。一列的 32 个数现在分布在 {banks} 个 bank 中，所以有些数共用一个。如果靠行的长度：哪些长度与 32 没有公约数？
conflict_of_rows: A request of this {access} takes {units} wavefronts. The rows of the block are shorter than a warp, so a request takes parts of several rows, and they meet in the same banks. Try rows of 32 threads.
conflict_of_rows.zh: 一个{access}请求要 {units} 轮。线程块的一行比线程束短，所以一个请求包括几行的一部分，它们落在相同的 bank 中。试试一行 32 个线程。
wide: There is no conflict left, but a request of this {access} takes {units} wavefronts: the tile has numbers of 8 bytes, and a bank gives 4 bytes at a time. The numbers of A are floats.
wide.zh: 已经没有冲突了，但一个{access}请求要 {units} 轮：这一片存的是 8 字节的数，而一个 bank 一次只给出 4 个字节。A 的数是 float。
xy_exchanged for loads_column or stores_column when /\bx\s*=\s*threadIdx\.y/ at /\bx\s*=\s*threadIdx\.y/: Threads that run together differ in threadIdx.x, and this number is called y here. So a request of A takes {units} sectors, where {least} would do.
xy_exchanged.zh: 一起执行的线程，不同的是 threadIdx.x，而它在这里叫 y。于是访问 A 的一个请求要 {units} 个扇区，而 {least} 个就够了。
no_tile: Shared memory is no longer used, and now a request of this {access} takes {units} sectors, where {least} would do. Keep the tile: down its columns it costs less than down those of A and B.
no_tile.zh: 不再使用共享内存，而现在一个{access}请求要 {units} 个扇区，{least} 个就够了。请保留这一片：沿着它的列走，比沿着 A 和 B 的列走便宜。
loads_column: A request of this load takes {units} sectors of A, and {least} would do. The exchange of x and y belongs into the tile: A is read along its rows.
loads_column.zh: 一个读请求要 A 的 {units} 个扇区，而 {least} 个就够了。x 和 y 的交换应该在这一片里做：A 要沿着行读。
stores_column: A request of this store takes {units} sectors of B, and {least} would do. The exchange of x and y belongs into the tile: B is written along its rows.
stores_column.zh: 一个写请求要 B 的 {units} 个扇区，而 {least} 个就够了。x 和 y 的交换应该在这一片里做：B 要沿着行写。
nothing: B is not written at all. Does the kernel run, and has it a thread for which the condition holds?
nothing.zh: B 完全没有被写。核函数执行了吗？有没有线程满足条件？
copy: B is a copy of A: nothing is exchanged.
copy.zh: B 是 A 的副本：什么也没有交换。
within_tile: Row {R}, column {C} of B has got row {from_row}, column {from_column} of A. This is the right tile, and another place in it. A number is taken where another one was put: both sides need the same rule.
within_tile.zh: B 的第 {R} 行第 {C} 列得到了 A 的第 {from_row} 行第 {from_column} 列。片是对的，片中的位置不对。取数的地方放的是另一个数：放和取要用同一个规则。
of_another: Row {R}, column {C} of B has got row {from_row}, column {from_column} of A. It should be row {C}, column {R}.
of_another.zh: B 的第 {R} 行第 {C} 列得到了 A 的第 {from_row} 行第 {from_column} 列。应该是第 {C} 行第 {R} 列。
not_written: {untouched} numbers of B are not written. The first one is in row {uR}, column {uC} of {N} x {M}. Which thread should write it?
not_written.zh: B 有 {untouched} 个数没有写。第一个在 {N} x {M} 的第 {uR} 行第 {uC} 列。应该由哪个线程写？
other?: Row {R}, column {C} of B is {got}. It should be {want}. Is the tile complete when it is used, and is each number taken where it was put?
other.zh: B 的第 {R} 行第 {C} 列是 {got}，应该是 {want}。用到这一片时，它填完整了吗？取数的地方就是放数的地方吗？
past_end: Thread {thread} of block {block} {how} past the end of a matrix. Which index comes out for it, and what do the conditions say to it?
past_end.zh: 线程块 {block} 的线程 {thread} 在矩阵末尾之后{how}。它算出的指标是多少？条件对它成立吗？

//== wrong more_rows: padded_rows
//- tile[32][33]
//+ tile[33][32]
//== wrong two_columns: few_banks
//- tile[32][33]
//+ tile[32][34]
//== wrong four_columns: few_banks
//- tile[32][33]
//+ tile[32][36]
//== wrong twice_as_long: conflict
//- tile[32][33]
//+ tile[32][64]
//== wrong moved: conflict_at_store
//- tile[32][33]
//+ tile[32][32]

//- tile[y][x] = A
//+ tile[x][y] = A

//- = tile[x][y]
//+ = tile[y][x]
//== wrong no_tile: no_tile
//- __shared__ float tile[32][33];

//- tile[y][x] = A[(row + y) * N + column + x];
//+ B[(column + x) * M + row + y] = A[(row + y) * N + column + x];

//- __syncthreads();
//- if (column + y < N && row + x < M)
//- {
//- B[(column + y) * M + row + x] = tile[x][y];
//- }
//== wrong no_tile_and_reads_column: no_tile
__global__ void transpose(const float *A, float *B, int M, int N)
{
    const int row = blockIdx.x * 32 + threadIdx.x, column = blockIdx.y * 32 + threadIdx.y;
    if (row < M && column < N)
    {
        B[column * M + row] = A[row * N + column];
    }
}
void make_transpose(const float *A, float *B, int M, int N)
{
    transpose<<<dim3((M + 31) / 32, (N + 31) / 32), dim3(32, 32)>>>(A, B, M, N);
}
//== wrong own_number: stores_column
//- column + y < N && row + x < M
//+ row + y < M && column + x < N

//- B[(column + y) * M + row + x] = tile[x][y]
//+ B[(column + x) * M + row + y] = tile[y][x]
//== wrong read_down: loads_column
//- row + y < M && column + x < N
//+ column + y < N && row + x < M

//- tile[y][x] = A[(row + y) * N + column + x]
//+ tile[y][x] = A[(row + x) * N + column + y]

//- = tile[x][y]
//+ = tile[y][x]
//== wrong doubles: wide
//- float tile
//+ double tile
//== wrong one_by_one: one_lane
//- B[(column + y) * M + row + x] = tile[x][y];
//+ float mine = 0;
//+ for (int i = 0; i < 32; ++i)
//+ {
//+     if (x == i)
//+     {
//+         mine = tile[x][y];
//+     }
//+ }
//+ B[(column + y) * M + row + x] = mine;
//== wrong turned_in_tile: shared_several_times
//- = tile[x][y]
//+ = tile[y][x]

//- __syncthreads();
//+ __syncthreads();
//+ const float other = tile[x][y];
//+ __syncthreads();
//+ tile[y][x] = other;
//+ __syncthreads();
//== wrong swizzled_once: within_tile
//- tile[32][33]
//+ tile[32][32]

//- tile[y][x] = A
//+ tile[y][x ^ y] = A
//== wrong swizzled_by_shift: within_tile
//- tile[32][33]
//+ tile[32][32]

//- tile[y][x] = A
//+ tile[y][(x + y) % 32] = A

//- = tile[x][y]
//+ = tile[x][(y + 1) % 32]
//== wrong flat_once: other
//- tile[32][33]
//+ tile[32 * 33]

//- tile[y][x] = A
//+ tile[y * 33 + x] = A

//- = tile[x][y]
//+ = tile[x * 32 + y]
//== wrong one_thread: one_thread
__global__ void transpose(const float *A, float *B, int M, int N)
{
    for (int i = 0; i < M * N; ++i)
    {
        B[i % N * M + i / N] = A[i];
    }
}
void make_transpose(const float *A, float *B, int M, int N)
{
    transpose<<<1, 1>>>(A, B, M, N);
}
//== wrong tiles_of_sixteen: conflict_of_rows
__global__ void transpose(const float *A, float *B, int M, int N)
{
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16, column = blockIdx.x * 16;
    __shared__ float tile[16][16];
    if (row + y < M && column + x < N)
    {
        tile[y][x] = A[(row + y) * N + column + x];
    }
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[x][y];
    }
}
void make_transpose(const float *A, float *B, int M, int N)
{
    transpose<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, M, N);
}
//== wrong too_short: past_shared
//- tile[32][33]
//+ tile[32][31]
//== wrong no_barrier: race_in_block
//- __syncthreads();
//== wrong not_turned: within_tile
//- = tile[x][y]
//+ = tile[y][x]
//== wrong no_condition: past_end
//- if (column + y < N && row + x < M)
//+ if (true)
//== wrong rows_of_A: past_end
//- (column + y) * M
//+ (column + y) * N

//== wrong y_for_x: xy_exchanged
//- x = threadIdx.x, y = threadIdx.y
//+ x = threadIdx.y, y = threadIdx.x

//== right longer
//- tile[32][33]
//+ tile[32][35]
//== right swizzled
//- tile[32][33]
//+ tile[32][32]

//- tile[y][x] = A
//+ tile[y][x ^ y] = A

//- = tile[x][y]
//+ = tile[x][y ^ x]
//== right turned_row
//- tile[32][33]
//+ tile[32][32]

//- tile[y][x] = A
//+ tile[y][(x + y) % 32] = A

//- = tile[x][y]
//+ = tile[x][(x + y) % 32]
//== right exchanged_at_store
//- tile[y][x] = A
//+ tile[x][y] = A

//- = tile[x][y]
//+ = tile[y][x]
//== right flat
//- tile[32][33]
//+ tile[32 * 33]

//- tile[y][x] = A
//+ tile[y * 33 + x] = A

//- = tile[x][y]
//+ = tile[x * 33 + y]
//== right eight_rows
__global__ void transpose(const float *A, float *B, int M, int N)
{
    __shared__ float tile[32][32 + 1];
    const int x = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
    {
        if (row + y < M && column + x < N)
        {
            tile[y][x] = A[(row + y) * N + column + x];
        }
    }
    __syncthreads();
    for (int y = threadIdx.y; y < 32; y += blockDim.y)
    {
        if (column + y < N && row + x < M)
        {
            B[(column + y) * M + row + x] = tile[x][y];
        }
    }
}
void make_transpose(const float *A, float *B, int M, int N)
{
    transpose<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(32, 8)>>>(A, B, M, N);
}
//== right sixteen
__global__ void transpose(const float *A, float *B, int M, int N)
{
    const int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16, column = blockIdx.x * 16;
    __shared__ float tile[16][17];
    if (row + y < M && column + x < N)
    {
        tile[y][x] = A[(row + y) * N + column + x];
    }
    __syncthreads();
    if (column + y < N && row + x < M)
    {
        B[(column + y) * M + row + x] = tile[x][y];
    }
}
void make_transpose(const float *A, float *B, int M, int N)
{
    transpose<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, M, N);
}
//== right sixty_four
__global__ void transpose(const float *A, float *B, int M, int N)
{
    extern __shared__ float s[];
    const int row = blockIdx.y * 64, column = blockIdx.x * 64;
    for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x)
    {
        const int y = i / 64, x = i % 64;
        if (row + y < M && column + x < N)
        {
            s[y * 65 + x] = A[(row + y) * N + column + x];
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < 64 * 64; i += blockDim.x)
    {
        const int y = i / 64, x = i % 64;
        if (column + y < N && row + x < M)
        {
            B[(column + y) * M + row + x] = s[x * 65 + y];
        }
    }
}
void make_transpose(const float *A, float *B, int M, int N)
{
    transpose<<<dim3((N + 63) / 64, (M + 63) / 64), 256, 64 * 65 * sizeof(float)>>>(A, B, M, N);
}
//== right by_shuffles
__global__ void transpose(const float *A, float *B, int M, int N)
{
    const int lane = threadIdx.x, row = blockIdx.y * 32, column = blockIdx.x * 32;
    float v[32];
    for (int i = 0; i < 32; ++i)
    {
        v[i] = row + i < M && column + lane < N ? A[(row + i) * N + column + lane] : 0;
    }
    for (int step = 16; step > 0; step /= 2)
    {
        for (int i = 0; i < 32; ++i)
        {
            if ((i & step) == 0)
            {
                const bool is_upper = lane & step;
                const float other = __shfl_xor_sync(0xffffffff, is_upper ? v[i] : v[i + step], step);
                v[i] = is_upper ? other : v[i];
                v[i + step] = is_upper ? v[i + step] : other;
            }
        }
    }
    for (int i = 0; i < 32; ++i)
    {
        if (column + i < N && row + lane < M)
        {
            B[(column + i) * M + row + lane] = v[i];
        }
    }
}
void make_transpose(const float *A, float *B, int M, int N)
{
    transpose<<<dim3((N + 31) / 32, (M + 31) / 32), 32>>>(A, B, M, N);
}
#endif
