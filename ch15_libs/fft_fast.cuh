// What of fft.cu goes beyond the section: fewer passes through memory, and no bit reversal.
//
// Before a pass, d_x holds N/M transforms of M bins each. Transform c is that of the numbers
// x[c], x[c + N/M], x[c + 2 N/M], ... and its bins lie at c M ... c M + M - 1. At first M is 1, and
// d_x holds the numbers themselves. A pass of radix R joins R transforms into one of M R bins:
//
//     X[k + M q] = sum over r of exp(-2 pi i q r / R) (exp(-2 pi i k r / (M R)) X_r[k])
//
// So for each k it takes R numbers, multiplies them by roots, and transforms them. Bin k of the
// transforms that it joins are N/R apart. The results go to another array, in an order which makes
// the next pass find them at the same distance. That order takes the place of the bit reversal. It
// is called the Stockham form of the FFT.
#pragma once
#include <cuda_pipeline.h>

// exp(-2 pi i k / 16) for k below 8: constants, once the loops are unrolled.
__device__ Complex sixteenth(int k)
{
    const real HALF = 0.70710678118654752440;                                  // of 45 degrees
    const real COSINE = 0.92387953251128675613, SINE = 0.38268343236508977173; // of 22.5
    switch (k)
    {
    case 1:
        return {COSINE, -SINE};
    case 2:
        return {HALF, -HALF};
    case 3:
        return {SINE, -COSINE};
    case 5:
        return {-SINE, -COSINE};
    case 6:
        return {-HALF, -HALF};
    case 7:
        return {-COSINE, -SINE};
    default:
        return {1, 0};
    }
}

// The product with exp(-2 pi i k / 16). 1 and -i need no multiplication.
__device__ Complex times_sixteenth(Complex a, int k)
{
    if (k == 0)
    {
        return a;
    }
    return k == 4 ? Complex{a.y, -a.x} : sixteenth(k) * a;
}

// The transform of R numbers in registers. Here a step is done before the halving: the sums give
// the bins with even q, the differences those with odd q. So the bins come out in the order of
// their reversed bits. All indices are constants, so the compiler can keep v in registers.
template <int R>
struct InRegisters
{
    static __device__ void transform(Complex *v)
    {
#pragma unroll
        for (int k = 0; k < R / 2; ++k)
        {
            const Complex a = v[k], b = v[k + R / 2];
            v[k] = a + b;
            v[k + R / 2] = times_sixteenth(a - b, k * (16 / R));
        }
        InRegisters<R / 2>::transform(v);
        InRegisters<R / 2>::transform(v + R / 2);
    }

    // The place of bin q in v.
    static __device__ int place(int q)
    {
        return q % 2 * (R / 2) + InRegisters<R / 2>::place(q / 2);
    }
};

template <>
struct InRegisters<1>
{
    static __device__ void transform(Complex *) {}
    static __device__ int place(int) { return 0; }
};

// A thread does log2 R steps with R numbers in registers. So 16 numbers are read and written once
// for four steps, not four times. All threads read neighbouring numbers. From the second pass on
// they also write neighbouring ones, because M is then at least 16.
template <int R>
__global__ void pass_registers(const Complex *d_x, Complex *d_y, unsigned int N, unsigned int M)
{
    const unsigned int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= N / R)
    {
        return;
    }
    const unsigned int k = j & (M - 1);
    Complex v[R];
#pragma unroll
    for (int r = 0; r < R; ++r)
    {
        v[r] = d_x[j + r * (N / R)];
        if (M > 1 && r > 0)
        {
            v[r] = root(k * r, M * R) * v[r];
        }
    }
    InRegisters<R>::transform(v);
#pragma unroll
    for (int q = 0; q < R; ++q)
    {
        d_y[(j - k) * R + k + q * M] = v[InRegisters<R>::place(q)];
    }
}

// A block does a pass of radix 256, so a pass does eight steps. Its tile has 8 columns: 8 values of
// j, which lie side by side in memory. A column has 256 numbers, and is transformed as 16 x 16
// numbers. First thread t of the column transforms the 16 numbers r = t, t + 16, t + 32, ... in its
// registers. It multiplies bin a by a root. Then another thread transforms the bins a of all t.
// They change hands in shared memory.
//
// In the first pass M is 1, and the results of a column lie side by side. So there, neighbouring
// threads take neighbouring bins of a column. Later they take the same bin of neighbouring columns.
const int COLUMNS = 8, TILE_RADIX = 256, TILE_STEPS = 8, TILE_THREADS = 16 * COLUMNS;
const int LEAST_TILE_BITS = 11; // 256 x 8 numbers

template <bool IS_FIRST>
__global__ void pass_tile(const Complex *d_x, Complex *d_y, unsigned int N, unsigned int M)
{
    const int STRIDE = 16 * COLUMNS + (IS_FIRST ? 1 : COLUMNS); // fewer bank conflicts
    __shared__ Complex s_tile[16 * STRIDE];
    const unsigned int first = blockIdx.x * COLUMNS;
    const unsigned int c = threadIdx.x % COLUMNS, t = threadIdx.x / COLUMNS;
    Complex v[16];
#pragma unroll
    for (int s = 0; s < 16; ++s)
    {
        const unsigned int r = t + 16 * s, j = first + c;
        v[s] = d_x[j + r * (N / TILE_RADIX)];
        if (!IS_FIRST)
        {
            v[s] = root((j & (M - 1)) * r, M * TILE_RADIX) * v[s];
        }
    }
    InRegisters<16>::transform(v);
#pragma unroll
    for (int a = 0; a < 16; ++a)
    {
        const Complex bin = v[InRegisters<16>::place(a)];
        s_tile[a * STRIDE + t * COLUMNS + c] = root(a * t, TILE_RADIX) * bin;
    }
    __syncthreads();

    const unsigned int a = IS_FIRST ? threadIdx.x % 16 : threadIdx.x / COLUMNS;
    const unsigned int column = IS_FIRST ? threadIdx.x / 16 : threadIdx.x % COLUMNS;
    const unsigned int j = first + column, k = j & (M - 1);
#pragma unroll
    for (int s = 0; s < 16; ++s)
    {
        v[s] = s_tile[a * STRIDE + s * COLUMNS + column];
    }
    InRegisters<16>::transform(v);
#pragma unroll
    for (int b = 0; b < 16; ++b)
    {
        d_y[(j - k) * TILE_RADIX + k + (a + 16 * b) * M] = v[InRegisters<16>::place(b)];
    }
}

void launch_tile(const Complex *d_x, Complex *d_y, unsigned int N, unsigned int M)
{
    const unsigned int grid_size = N / (TILE_RADIX * COLUMNS);
    if (M == 1)
    {
        pass_tile<true><<<grid_size, TILE_THREADS>>>(d_x, d_y, N, M);
    }
    else
    {
        pass_tile<false><<<grid_size, TILE_THREADS>>>(d_x, d_y, N, M);
    }
}

template <int R>
void launch_radix(const Complex *d_x, Complex *d_y, unsigned int N, unsigned int M)
{
    pass_registers<R><<<(N / R - 1) / BLOCK_SIZE + 1, BLOCK_SIZE>>>(d_x, d_y, N, M);
}

void launch_pass(int steps, const Complex *d_x, Complex *d_y, unsigned int N, unsigned int M)
{
    if (steps == TILE_STEPS)
    {
        launch_tile(d_x, d_y, N, M);
    }
    else if (steps == 4)
    {
        launch_radix<16>(d_x, d_y, N, M);
    }
    else if (steps == 3)
    {
        launch_radix<8>(d_x, d_y, N, M);
    }
    else if (steps == 2)
    {
        launch_radix<4>(d_x, d_y, N, M);
    }
    else
    {
        launch_radix<2>(d_x, d_y, N, M);
    }
}

// Passes of `most` steps each, then of four, and a last one of what is left. They write to d_work
// and d_X by turns, so that the last one writes to d_X.
void launch_passes(int most, const Complex *d_x, Complex *d_work, Complex *d_X, int bits)
{
    int steps[32], count = 0; // of each pass; the number of passes
    for (int left = bits; left > 0; left -= steps[count++])
    {
        steps[count] = left >= most ? most : left < 4 ? left : 4;
    }
    int done = 0;
    for (int pass = 0; pass < count; ++pass)
    {
        Complex *d_y = (count - pass) % 2 == 1 ? d_X : d_work;
        launch_pass(steps[pass], d_x, d_y, 1u << bits, 1u << done);
        d_x = d_y;
        done += steps[pass];
    }
}

void launch_registers(const Complex *d_x, Complex *d_work, Complex *d_X, int bits)
{
    launch_passes(4, d_x, d_work, d_X, bits);
}

void launch_tiles(const Complex *d_x, Complex *d_work, Complex *d_X, int bits)
{
    launch_passes(bits >= LEAST_TILE_BITS ? TILE_STEPS : 4, d_x, d_work, d_X, bits);
}

// ---- two-pass ----
//
// The passes of `tiles` have radix 256, so 2^24 numbers need three. Here the radix of a pass is up
// to 4096, and two are enough. Let N be N1 N2, and write n = N2 n1 + n2 and k = k1 + N1 k2:
//
//     first pass:   Y[k1][n2] = w^(k1 n2) (sum over n1 of exp(-2 pi i k1 n1 / N1) x[N2 n1 + n2])
//     second pass:  X[k1 + N1 k2] = sum over n2 of exp(-2 pi i k2 n2 / N2) Y[k1][n2]
//
// A column is what one such sum needs: numbers that lie N2 apart in x, or the bins of one k1. The
// bins of a second pass lie N1 apart in X. A block takes neighbouring columns, as many as fill a
// sector of 32 bytes. So each sector of x is read by one block, and each of X written by one.
const int COLUMNS_OF_PASS = 32 / sizeof(Complex); // of a block
// Y can be in any order. A block of the first pass and one of the second have a square of Y in
// common, and it lies in one piece of memory. The squares of a block of the first pass follow each
// other if this is true, those of a block of the second pass if not.
const bool FIRST_IN_ONE_PIECE = true;
// A block with 4096 numbers a column leaves no room for another one on its multiprocessor. So it
// starts to load its next tile while it computes, if there is enough shared memory.
const bool LOADS_AHEAD = true;

const int SQUARE = COLUMNS_OF_PASS * COLUMNS_OF_PASS;
const int LEAST_STEPS = 8, MOST_STEPS = 12;                        // of a pass
const int THREADS_AT_A_TIME = 1024 * sizeof(float) / sizeof(real); // have registers for 16 numbers

// How the tiles of a pass lie in memory: run r of tile b begins at b * tile + r * run. A run is a
// row of the tile, or a square.
struct Layout
{
    int tile, run;
};

// The radix is 16 x 16 x LAST. A thread has 16 numbers of a column.
template <int STEPS>
struct Radix
{
    static const int RADIX = 1 << STEPS, LAST = RADIX / 256;
    static const int THREADS = RADIX / 16; // of a column
    static const int BLOCK = THREADS * COLUMNS_OF_PASS, TILE = RADIX * COLUMNS_OF_PASS;
};

// So many rows of a tile fill the 32 banks of shared memory, of 4 bytes each, once.
const int ROWS_OF_BANKS = 128 / (COLUMNS_OF_PASS * sizeof(real));

// Where a number lies while it goes from one thread of a column to another: from(thread, k) for
// bin k of a thread, to(thread, i) for number i of a thread.
//
// In the first step, thread t transforms the numbers t, t + THREADS, ... In the second one, thread
// a * LAST + t transforms bin a of the threads t, t + LAST, ... If LAST is short, neighbouring
// threads have different a. `^` then puts their numbers into different banks.
template <int STEPS>
struct FirstExchange : Radix<STEPS>
{
    using Radix<STEPS>::THREADS;
    using Radix<STEPS>::LAST;
    static const int GROUPS = LAST < ROWS_OF_BANKS ? ROWS_OF_BANKS / LAST : 1;

    static __device__ int place(int a, int t) { return a * THREADS + (t ^ a % GROUPS * LAST); }
    static __device__ int from(int thread, int a) { return place(a, thread); }
    static __device__ int to(int thread, int i)
    {
        return place(thread / LAST, thread % LAST + i % GROUPS * LAST) + i / GROUPS * GROUPS * LAST;
    }
};

// The same between the second step and the last one. Bin k of the second step is number p of 256,
// p = a + 16 k. A thread does 16 / LAST last steps, for p = thread, thread + THREADS, ..., and each
// of them takes LAST numbers. With `^`, neighbouring t are in different banks, and so are
// neighbouring p.
template <int STEPS>
struct LastExchange : Radix<STEPS>
{
    using Radix<STEPS>::THREADS;
    using Radix<STEPS>::LAST;

    static __device__ int place(int p, int t)
    {
        const int APART = LAST < ROWS_OF_BANKS ? ROWS_OF_BANKS / LAST : 1;
        return t * 256 + (p ^ t * APART % ROWS_OF_BANKS);
    }
    static __device__ int from(int thread, int k)
    {
        return place(thread / LAST, thread % LAST) + 16 * k;
    }
    static __device__ int to(int thread, int i)
    {
        return place(thread, i % LAST) + i / LAST * THREADS;
    }
};

// The numbers change hands in shared memory, first their real parts, then the imaginary ones. So
// there must be room for one of them only.
template <class Exchange, bool IS_REAL>
__device__ void put(const Complex *v, real *s_numbers, int thread)
{
#pragma unroll
    for (int k = 0; k < 16; ++k)
    {
        const Complex bin = v[InRegisters<16>::place(k)];
        s_numbers[Exchange::from(thread, k) * COLUMNS_OF_PASS] = IS_REAL ? bin.x : bin.y;
    }
}

template <class Exchange, bool IS_REAL>
__device__ void take(Complex *v, const real *s_numbers, int thread)
{
#pragma unroll
    for (int i = 0; i < 16; ++i)
    {
        (IS_REAL ? v[i].x : v[i].y) = s_numbers[Exchange::to(thread, i) * COLUMNS_OF_PASS];
    }
}

template <class Exchange>
__device__ void exchange_imaginary(Complex *v, real *s_numbers, int thread)
{
    __syncthreads(); // all have taken their real parts
    put<Exchange, false>(v, s_numbers, thread);
    __syncthreads();
    take<Exchange, false>(v, s_numbers, thread);
}

// The powers 1, 2, 3, 4, 8 and 12 of exp(-2 pi i t / n), for all t below `count`. A block computes
// them once.
const int POWERS = 6;

__device__ void fill_powers(Complex *s_powers, int count, unsigned int n)
{
    for (int i = threadIdx.x; i < POWERS * count; i += blockDim.x)
    {
        const int row = i / count, power = row < 3 ? row + 1 : 4 * (row - 2);
        s_powers[i] = root(power * (i % count), n);
    }
}

// Multiplies bin k by power k of such a root: one of the table, or the product of two.
template <int COUNT>
__device__ void times_powers(Complex *v, const Complex *s_powers, int t)
{
    Complex low[4], high;
#pragma unroll
    for (int k = 1; k < 16; ++k)
    {
        if (k < 4)
        {
            low[k] = s_powers[(k - 1) * COUNT + t];
        }
        else if (k % 4 == 0)
        {
            high = s_powers[(k / 4 + 2) * COUNT + t];
        }
        const Complex power = k < 4 ? low[k] : k % 4 == 0 ? high : high * low[k % 4];
        v[InRegisters<16>::place(k)] = power * v[InRegisters<16>::place(k)];
    }
}

// Starts to copy a tile into shared memory. The copies go on while the threads compute. If N has
// one column only, there is nothing to copy for the others.
template <int STEPS, bool IS_FIRST>
__device__ void start_loading(const Complex *d_x, Layout in, int tile, int columns,
                              Complex *s_ahead)
{
    const int RUN = IS_FIRST ? COLUMNS_OF_PASS : SQUARE, WIDTH = 16 / sizeof(Complex);
    const int BLOCK = Radix<STEPS>::BLOCK, place = (int)threadIdx.x * WIDTH;
    const Complex *from = d_x + tile * in.tile + place / RUN * in.run + place % RUN;
    if (IS_FIRST || place / COLUMNS_OF_PASS % COLUMNS_OF_PASS < columns)
    {
#pragma unroll
        for (int i = 0; i < 16 / WIDTH; ++i)
        {
            __pipeline_memcpy_async(&s_ahead[place + i * BLOCK * WIDTH],
                                    from + i * (BLOCK * WIDTH / RUN) * in.run, 16);
        }
    }
    __pipeline_commit();
}

// A pass over the N / RADIX columns. A block that loads ahead takes one tile after the other, each
// other block takes one. A column is transformed as 16 x 16 x LAST numbers, in three steps, where
// pass_tile has two. Between them the bins are multiplied by roots and change hands.
template <int STEPS, bool IS_FIRST, bool AHEAD>
__global__ void __launch_bounds__(Radix<STEPS>::BLOCK, THREADS_AT_A_TIME / Radix<STEPS>::BLOCK)
    pass_columns(const Complex *d_x, Complex *d_y, Layout in, Layout out, int N)
{
    const int C = COLUMNS_OF_PASS, RADIX = Radix<STEPS>::RADIX, LAST = Radix<STEPS>::LAST;
    const int THREADS = Radix<STEPS>::THREADS, TILE = Radix<STEPS>::TILE;
    const int RUN_IN = IS_FIRST ? C : SQUARE, RUN_OUT = IS_FIRST ? SQUARE : C;
    typedef FirstExchange<STEPS> First;
    typedef LastExchange<STEPS> Last;
    extern __shared__ __align__(16) Complex s_memory[];
    Complex *s_ahead = s_memory, *s_powers = s_memory + (AHEAD ? TILE : 0);
    Complex *s_late_powers = s_powers + POWERS * THREADS, *s_steps = s_late_powers + POWERS * LAST;
    real *s_tile = (real *)(s_steps + LAST * C);

    const int c = threadIdx.x % C, t = threadIdx.x / C;
    const int columns = N / RADIX, tiles = (columns - 1) / C + 1;
    const int place_in = IS_FIRST ? t * C + c : t / C * SQUARE + c * C + t % C;
    const int place_out = t * C + c;
    real *s_numbers = s_tile + c;
    const bool has_column = IS_FIRST || c < columns;
    if (AHEAD)
    {
        start_loading<STEPS, IS_FIRST>(d_x, in, blockIdx.x, columns, s_ahead);
    }
    fill_powers(s_powers, THREADS, RADIX);
    fill_powers(s_late_powers, LAST, THREADS);

    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    {
        Complex v[16];
        if (AHEAD)
        {
            __pipeline_wait_prior(0); // this thread's copies have arrived, ...
            __syncthreads();          // ... and those of the others
        }
        const Complex *from = d_x + tile * in.tile + place_in / RUN_IN * in.run + place_in % RUN_IN;
#pragma unroll
        for (int s = 0; s < 16; ++s)
        {
            v[s] = {0, 0};
            if (has_column)
            {
                v[s] = AHEAD ? s_ahead[place_in + s * THREADS * C]
                             : from[s * (THREADS * C / RUN_IN) * in.run];
            }
        }
        if (!AHEAD)
        {
            __syncthreads(); // the powers are in their tables
        }
        const int n = tile * C + c; // in the first pass: n2
        if (IS_FIRST && threadIdx.x < LAST * C)
        {
            s_steps[threadIdx.x] = root(n * 256 * t, N);
        }

        InRegisters<16>::transform(v);
        times_powers<THREADS>(v, s_powers, t);
        put<First, true>(v, s_numbers, t);
        __syncthreads();
        if (AHEAD && tile + (int)gridDim.x < tiles)
        {
            start_loading<STEPS, IS_FIRST>(d_x, in, tile + gridDim.x, columns, s_ahead);
        }
        take<First, true>(v, s_numbers, t);
        exchange_imaginary<First>(v, s_numbers, t);

        InRegisters<16>::transform(v);
        times_powers<LAST>(v, s_late_powers, t % LAST);
        __syncthreads();
        put<Last, true>(v, s_numbers, t);
        __syncthreads();
        take<Last, true>(v, s_numbers, t);
        exchange_imaginary<Last>(v, s_numbers, t);

        Complex *to = d_y + tile * out.tile + place_out / RUN_OUT * out.run + place_out % RUN_OUT;
#pragma unroll
        for (int j = 0; j < 16 / LAST; ++j)
        {
            Complex *u = v + j * LAST;
            InRegisters<LAST>::transform(u);
            // Bin p + 256 q. In the first pass it is multiplied by w^(n p) w^(n 256 q).
            const int p = t + j * THREADS;
            Complex w = {1, 0};
            if (IS_FIRST)
            {
                w = root(n * p, N);
            }
#pragma unroll
            for (int q = 0; q < LAST; ++q)
            {
                Complex bin = u[InRegisters<LAST>::place(q)];
                if (IS_FIRST)
                {
                    bin = (q == 0 ? w : s_steps[q * C + c] * w) * bin;
                }
                if (has_column)
                {
                    to[(j * THREADS + q * 256) * C / RUN_OUT * out.run] = bin;
                }
            }
        }
        if (!AHEAD)
        {
            break;
        }
    }
}

typedef void (*PassKernel)(const Complex *d_x, Complex *d_y, Layout in, Layout out, int N);

PassKernel kernel_of_pass(int steps, bool is_first, bool ahead)
{
    const PassKernel FIRST[] = {NULL, pass_columns<9, true, false>, pass_columns<10, true, false>,
                                pass_columns<11, true, false>, pass_columns<12, true, false>};
    const PassKernel SECOND[] = {pass_columns<8, false, false>, pass_columns<9, false, false>,
                                 pass_columns<10, false, false>, pass_columns<11, false, false>,
                                 pass_columns<12, false, false>};
    if (ahead)
    {
        return is_first ? pass_columns<12, true, true> : pass_columns<12, false, true>;
    }
    return is_first ? FIRST[steps - LEAST_STEPS] : SECOND[steps - LEAST_STEPS];
}

// The shared memory of a block, which the kernel divides.
size_t shared_bytes_of_pass(int steps, bool ahead)
{
    const size_t radix = (size_t)1 << steps, tile = radix * COLUMNS_OF_PASS, last = radix / 256;
    const size_t roots = POWERS * (radix / 16 + last) + last * COLUMNS_OF_PASS;
    return sizeof(Complex) * ((ahead ? tile : 0) + roots) + sizeof(real) * tile;
}

struct LargePass
{
    PassKernel kernel;
    int grid_size, block_size;
    size_t shared_bytes;
    Layout in, out;
};

struct TwoPass
{
    LargePass passes[2];
    int count; // of the passes; 0: runs as tiles
};

// False if the device has too little shared memory for the block.
bool make_pass(LargePass *pass, int steps, bool is_first, int N)
{
    int device, most, multiprocessors, resident;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
    const bool ahead =
        LOADS_AHEAD && steps == MOST_STEPS && shared_bytes_of_pass(steps, true) <= (size_t)most;
    pass->kernel = kernel_of_pass(steps, is_first, ahead);
    pass->block_size = (COLUMNS_OF_PASS << steps) / 16;
    pass->shared_bytes = shared_bytes_of_pass(steps, ahead);
    if (pass->shared_bytes > (size_t)most)
    {
        return false;
    }
    const void *kernel = (const void *)pass->kernel;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               (int)pass->shared_bytes));
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, kernel, pass->block_size,
                                                        pass->shared_bytes));
    const int tiles = ((N >> steps) - 1) / COLUMNS_OF_PASS + 1,
              most_blocks = resident * multiprocessors;
    pass->grid_size = ahead && most_blocks < tiles ? most_blocks : tiles;
    return resident > 0;
}

// 256 to 4096 numbers need one pass: the second, with N1 = 1. Fewer numbers run as tiles. So do
// 2^13 to 2^15, of which a pass would have fewer than LEAST_STEPS steps; 2^16, which need two
// passes in tiles, too; and more than 4096 x 4096.
TwoPass make_two_pass(int bits)
{
    const int C = COLUMNS_OF_PASS, N = 1 << bits;
    TwoPass plan = {};
    const bool in_one = bits >= LEAST_STEPS && bits <= MOST_STEPS;
    if (!in_one && (bits <= 2 * TILE_STEPS || bits > 2 * MOST_STEPS))
    {
        return plan;
    }
    const int second_steps = in_one ? bits : bits / 2, first_steps = bits - second_steps;
    const int N1 = 1 << first_steps, N2 = 1 << second_steps;
    Layout between = {SQUARE, N2 * C}; // seen from the first pass
    if (FIRST_IN_ONE_PIECE || in_one)
    {
        between = {N1 * C, SQUARE};
    }
    bool fits = true;
    LargePass *pass = plan.passes;
    if (!in_one)
    {
        pass->in = {C, N2};
        pass->out = between;
        fits = make_pass(pass++, first_steps, true, N);
    }
    pass->in = {between.run, between.tile};
    pass->out = {C, N1};
    fits = fits && make_pass(pass++, second_steps, false, N);
    plan.count = fits ? (int)(pass - plan.passes) : 0;
    return plan;
}

void launch_two_pass(const TwoPass *plan, const Complex *d_x, Complex *d_work, Complex *d_X,
                     int bits)
{
    if (plan->count == 0)
    {
        launch_tiles(d_x, d_work, d_X, bits);
        return;
    }
    for (int i = 0; i < plan->count; ++i)
    {
        const LargePass *pass = &plan->passes[i];
        Complex *d_y = i + 1 < plan->count ? d_work : d_X;
        pass->kernel<<<pass->grid_size, pass->block_size, pass->shared_bytes>>>(
            d_x, d_y, pass->in, pass->out, 1 << bits);
        d_x = d_y;
    }
}
