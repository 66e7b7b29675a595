// What of spmv-irregular.cu wants more than a thread or a warp for each row: the merge path.
//
// A product has two kinds of work: an element is multiplied and added, and a row ends, so that its
// sum is written. Put both into one list: the elements in their order, and behind the last element
// of each row the end of that row. The list has M + nnz items. Row r ends at place
// offsets[r + 1] + r, because offsets[r + 1] elements and r ends come before it.
//
//     offsets        0  2  2  5             rows of 2, 0 and 3 elements
//     items          e0 e1 END0 END1 e2 e3 e4 END2
//
// A tile is TILE neighbouring items, and a block does a tile. So every block has the same work, and
// so has every thread, whatever the lengths of the rows are. The list is stored nowhere: the places
// of the ends say all. Three kernels follow each other:
//
//     merge_search   finds the row in which each tile begins
//     merge_tiles    adds up the parts of rows within each tile
//     merge_carries  adds what is left of a row at the end of a tile to the row's sum
//
// No atomic function is used, and all sums are added in an order that depends on the matrix only.
// So every run gives the same bits. The matrix must have an element, and int must count its items.
#pragma once

const int MERGE_THREADS = 128;
const int MERGE_ITEMS = 13; // odd: in a long row the threads of a warp read from different banks
const int MERGE_BLOCKS = 8; // of an SM, at least: a thread may have 64 registers
const int MERGE_WARPS = MERGE_THREADS / WARP;
const int TILE = MERGE_THREADS * MERGE_ITEMS;

static inline int count_tiles(int M, int nnz) { return (M + nnz + TILE - 1) / TILE; }

// The row in which a tile begins is the number of rows that end before it. A binary search waits
// once for each halving. This search asks for three rows at the same time and then goes on with a
// quarter, so it waits half as often.
__global__ void merge_search(const int *__restrict__ offsets, int *__restrict__ first_rows, int M,
                             int nnz, int num_tiles)
{
    const int tile = blockIdx.x * blockDim.x + threadIdx.x;
    if (tile > num_tiles) // one more: where the last tile ends
    {
        return;
    }
    const int place = min(tile * TILE, M + nnz);
    int low = 0, high = M; // rows below `low` end before `place`, those from `high` on do not
    while (high - low >= 4)
    {
        const int quarter = (high - low) / 4;
        const int row1 = low + quarter, row2 = row1 + quarter, row3 = row2 + quarter;
        const int end1 = offsets[row1 + 1] + row1;
        const int end2 = offsets[row2 + 1] + row2;
        const int end3 = offsets[row3 + 1] + row3;
        low = end3 < place ? row3 + 1 : end2 < place ? row2 + 1 : end1 < place ? row1 + 1 : low;
        high = end1 >= place ? row1 : end2 >= place ? row2 : end3 >= place ? row3 : high;
    }
    while (low < high && offsets[low + 1] + low < place)
    {
        ++low;
    }
    first_rows[tile] = low;
}

// First, neighbouring threads multiply neighbouring elements, and the products go to shared memory.
// The places of the ends go there, too. An item is an element or an end, and an int is no larger
// than a real, so one array holds both.
//
// Then each thread goes through MERGE_ITEMS neighbouring items. A row that begins and ends among
// them is done. Of a row that began earlier the thread has only the last part. What the thread has
// added behind its last end is its carry: the row goes on in the next threads. So the thread that
// has the end of a row needs the carries of the threads before it, back to the last one that has an
// end. A scan adds them, first in each warp, then for the warps of the block.
__global__ void __launch_bounds__(MERGE_THREADS, MERGE_BLOCKS)
    merge_tiles(const int *__restrict__ offsets, const int *__restrict__ columns,
                const real *__restrict__ values, const real *__restrict__ x, real *__restrict__ y,
                const int *__restrict__ first_rows, real *__restrict__ carries, int M, int nnz)
{
    __shared__ real s_tile[TILE + 1];
    __shared__ real s_carries[MERGE_WARPS]; // of each warp ...
    __shared__ int s_has_end[MERGE_WARPS];  // ... and whether a row ends in it
    const int tid = threadIdx.x, lane = tid % WARP, warp = tid / WARP;
    const int tile = blockIdx.x;
    const int tile_begin = tile * TILE, tile_end = min(tile_begin + TILE, M + nnz);
    const int first_row = first_rows[tile], num_ends = first_rows[tile + 1] - first_row;
    const int first_element = tile_begin - first_row;
    const int num_elements = tile_end - tile_begin - num_ends;
    const int room = TILE - num_ends; // for products: all elements, but in the last tile more
    int *const s_ends = (int *)(s_tile + room);

    // A thread past the last element loads the last one again, so the loads need no `if`.
    const int last = max(first_element + num_elements - 1, 0);
    int column[MERGE_ITEMS];
    real value[MERGE_ITEMS];
#pragma unroll
    for (int i = 0; i < MERGE_ITEMS; ++i)
    {
        const int n = min(first_element + i * MERGE_THREADS + tid, last);
        column[i] = __ldcs(&columns[n]);
        value[i] = __ldcs(&values[n]);
    }
#pragma unroll 1
    for (int r = tid; r < num_ends; r += MERGE_THREADS)
    {
        s_ends[r] = offsets[first_row + r + 1] + first_row + r - tile_begin;
    }
    if (tid == 0)
    {
        s_ends[num_ends] = TILE; // no further end in this tile
    }
#pragma unroll
    for (int i = 0; i < MERGE_ITEMS; ++i)
    {
        const real product = value[i] * x[column[i]];
        if (i * MERGE_THREADS + tid < num_elements)
        {
            s_tile[i * MERGE_THREADS + tid] = product;
        }
    }
#pragma unroll 1
    for (int n = num_elements + tid; n < room; n += MERGE_THREADS) // in the last tile only
    {
        s_tile[n] = 0.0;
    }
    __syncthreads();

    // The number of ends before this thread's items, by a binary search.
    const int begin = tid * MERGE_ITEMS;
    int low = 0, high = num_ends;
    while (low < high)
    {
        const int middle = (low + high) / 2;
        const bool is_before = s_ends[middle] < begin;
        low = is_before ? middle + 1 : low;
        high = is_before ? high : middle;
    }

    // Item after item, without a branch: an end takes the sum and sets it to 0, and an element adds
    // its product. The sum that the first end takes lacks what other threads have of this row.
    const real *product = s_tile + begin - low;
    const int *end = s_ends + low;
    real *row = y + first_row + low;
    real sum = 0.0, first_sum = 0.0;
    int next_end = *end;
    bool has_end = false;
#pragma unroll
    for (int i = 0; i < MERGE_ITEMS; ++i)
    {
        const bool is_end = begin + i == next_end;
        if (is_end && has_end)
        {
            *row = sum;
        }
        first_sum = has_end ? first_sum : sum;
        has_end = has_end || is_end;
        sum = is_end ? (real)0.0 : sum + *product;
        product += !is_end;
        end += is_end;
        row += is_end;
        next_end = *end;
    }

    // Each lane adds up the carries of its warp, from the last lane with an end up to its own.
    const unsigned ends = __ballot_sync(FULL_MASK, has_end);
    const unsigned up_to_here = ends & (FULL_MASK >> (WARP - 1 - lane));
    const int start = up_to_here != 0 ? WARP - 1 - __clz(up_to_here) : 0;
    real carry = sum;
    for (int offset = 1; offset < WARP; offset <<= 1)
    {
        const real other = __shfl_up_sync(FULL_MASK, carry, offset);
        carry += lane - offset >= start ? other : (real)0.0;
    }
    real carry_in = __shfl_up_sync(FULL_MASK, carry, 1);
    carry_in = lane > 0 ? carry_in : (real)0.0;
    if (lane == WARP - 1)
    {
        s_carries[warp] = carry;
        s_has_end[warp] = ends != 0;
    }
    __syncthreads();

    // The same for the warps of the block.
    real before = 0.0; // the carry that comes into this warp
#pragma unroll
    for (int w = 0; w < MERGE_WARPS - 1; ++w)
    {
        const real further = s_carries[w] + (s_has_end[w] ? (real)0.0 : before);
        before = w < warp ? further : before;
    }
    if (has_end)
    {
        const bool is_first = lane == __ffs(ends) - 1; // no lane before it has an end
        y[first_row + low] = first_sum + carry_in + (is_first ? before : (real)0.0);
    }
    if (tid == MERGE_THREADS - 1)
    {
        carries[tile] = carry + (ends != 0 ? (real)0.0 : before);
    }
}

// A thread for each tile. The carry of a tile belongs to the row in which the next tile begins.
// Where several tiles have carries for the same row, the thread of the first of them adds them all
// to y. Only a row that is as long as a tile, or longer, has more than one. The warp adds these
// together.
__global__ void merge_carries(const int *__restrict__ offsets, const int *__restrict__ first_rows,
                              const real *__restrict__ carries, real *__restrict__ y, int M,
                              int num_tiles)
{
    const int tile = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % WARP;
    const int row = tile < num_tiles ? first_rows[tile + 1] : M;
    const bool is_first = row < M && (tile == 0 || first_rows[tile] != row);
    const int last = is_first ? (offsets[row + 1] + row) / TILE : tile; // where this row ends
    real sum = is_first ? carries[tile] : (real)0.0;

    unsigned long_rows = __ballot_sync(FULL_MASK, last > tile + 1);
    for (; long_rows != 0; long_rows &= long_rows - 1)
    {
        const int source = __ffs(long_rows) - 1; // the lane that has this row
        const int begin = __shfl_sync(FULL_MASK, tile, source) + 1;
        const int end = __shfl_sync(FULL_MASK, last, source);
        real part = 0.0;
#pragma unroll 8
        for (int t = begin + lane; t < end; t += WARP)
        {
            part += carries[t];
        }
        for (int offset = WARP / 2; offset > 0; offset >>= 1)
        {
            part += __shfl_xor_sync(FULL_MASK, part, offset);
        }
        sum += lane == source ? part : (real)0.0;
    }
    if (is_first)
    {
        y[row] += sum;
    }
}

static inline void launch_merge_search(const int *offsets, int *first_rows, int M, int nnz)
{
    const int num_tiles = count_tiles(M, nnz);
    const int grid_size = num_tiles / BLOCK_SIZE + 1; // num_tiles + 1 threads
    merge_search<<<grid_size, BLOCK_SIZE>>>(offsets, first_rows, M, nnz, num_tiles);
    CHECK_LAUNCH();
}

static inline void launch_merge(const int *offsets, const int *columns, const real *values,
                                const real *x, real *y, const int *first_rows, real *carries, int M,
                                int nnz)
{
    const int num_tiles = count_tiles(M, nnz);
    const int grid_size = (num_tiles + BLOCK_SIZE - 1) / BLOCK_SIZE;
    merge_tiles<<<num_tiles, MERGE_THREADS>>>(offsets, columns, values, x, y, first_rows, carries,
                                              M, nnz);
    CHECK_LAUNCH();
    merge_carries<<<grid_size, BLOCK_SIZE>>>(offsets, first_rows, carries, y, M, num_tiles);
}
