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
