// coalescing: five ways for a warp to access memory, and what share of each transfer it uses
//
// From:    section 7.1
// Compile: nvcc -O3 coalescing.cu
// Run:     ./a.out -n 67108864
//
// Memory is transferred in sectors. A sector has 32 bytes and begins at a multiple of 32. The
// degree of coalescing is the number of different bytes that a warp accesses, divided by the number
// of bytes that are transferred for it. A byte that several threads read counts once. The book
// calls an access coalesced if its degree is 100 %.
//
// The program times each kernel on N numbers, if there is a GPU. It runs the kernel again on tags
// instead of numbers. A tag stores the index of its element. So the program sees which elements
// each thread accesses, and counts the sectors: see coalescing_sectors.cuh.
//
// The count looks at each warp alone and ignores the L1 cache. In `unaligned` two warps share a
// sector, and the second warp finds it in a cache. So the degree is 80 %, but the kernel hardly
// takes longer.

#include <stdio.h>
#include <stdlib.h>
#include "../common/ceiling.cuh"
#include "../common/data.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh" // includes args, ceiling, compare, real, timing
#include "coalescing_sectors.cuh"

// What the kernels work on: N + 1 elements each.
static size_t N;
static unsigned int grid_size, block_size;
static real *h_x, *h_y, *h_z, *d_x, *d_y, *d_z;
static real *reference; // what z should be
static TagArrays tags;

// Adds N elements from `first` on: z[n] = x[n] + y[n], or z[n] = x[0] + y[n] if `adds_x0`.
void add_reference(const real *x, const real *y, real *z, size_t N, size_t first, bool adds_x0)
{
    for (size_t n = first; n < first + N; ++n)
    {
        z[n] = (double)x[adds_x0 ? 0 : n] + (double)y[n];
    }
}

// The five kernels of section 7.1, with an `if` so that N can be any number. T is real, or Tag for
// the count of sectors. The book launches them with <<<128, 32>>>. The program launches blocks of
// -b threads, as many as N needs. The numbers in the comments are for x, and for floats.

// 1. Sequential. The 32 threads read 32 consecutive elements. The first index is a multiple of 32,
// and cudaMalloc aligns arrays to 256 bytes. So the 128 bytes begin where a sector begins, and fill
// 4 sectors. The degree is 128 / 128 = 100 %: coalesced.
template <typename T>
__global__ void add(const T *x, const T *y, T *z, size_t N)
{
    const size_t n = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

// 2. Permuted. Threads 0 and 1 exchange their elements, threads 2 and 3 too, and so on. The warp
// reads the same 4 sectors as before. The degree is 128 / 128 = 100 %: coalesced.
template <typename T>
__global__ void add_permuted(const T *x, const T *y, T *z, size_t N)
{
    const unsigned int tid_permuted = threadIdx.x ^ 0x1;
    const size_t n = tid_permuted + (size_t)blockIdx.x * blockDim.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

// 3. Unaligned. The first warp reads elements 1 to 32. These 128 bytes begin inside a sector and
// end inside another one, so they lie in 5 sectors. The degree is 128 / 160 = 80 %: not coalesced.
template <typename T>
__global__ void add_offset(const T *x, const T *y, T *z, size_t N)
{
    const size_t n = threadIdx.x + (size_t)blockIdx.x * blockDim.x + 1;
    if (n <= N) // the arrays have N + 1 elements
    {
        z[n] = x[n] + y[n];
    }
}

// 4. Strided. Consecutive threads access elements that are gridDim.x apart. Each element lies in a
// different sector: 32 sectors. The degree is 128 / 1024 = 12.5 %: not coalesced.
// The 8 elements of a sector are read by 8 different blocks. These blocks run at about the same
// time. So the sector comes from memory once, and from the L2 cache 8 times.
template <typename T>
__global__ void add_stride(const T *x, const T *y, T *z, size_t N)
{
    const size_t n = blockIdx.x + (size_t)threadIdx.x * gridDim.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

// 5. Broadcast. All threads read x[0], which lies in 1 sector. The warp uses 4 of the 32 bytes:
// 12.5 %, not coalesced.
template <typename T>
__global__ void add_broadcast(const T *x, const T *y, T *z, size_t N)
{
    const size_t n = threadIdx.x + (size_t)blockIdx.x * blockDim.x;
    if (n < N)
    {
        z[n] = x[0] + y[n];
    }
}

// Not in the book. Apart: as in `strided` each warp reads 32 sectors, and the degree is 12.5 %. But
// block 1 takes the elements of block 8, block 2 those of block 16, and so on. So the 8 blocks that
// share a sector run at very different times. If N is large, the L2 cache no longer holds the
// sector when the next block needs it. So the sector comes from memory 8 times.
template <typename T>
__global__ void add_apart(const T *x, const T *y, T *z, size_t N)
{
    const unsigned int eighth = gridDim.x / 8;
    unsigned int bid = blockIdx.x;
    if (bid < 8 * eighth) // the last blocks, fewer than 8, keep their elements
    {
        bid = bid % eighth * 8 + bid / eighth;
    }
    const size_t n = bid + (size_t)threadIdx.x * gridDim.x;
    if (n < N)
    {
        z[n] = x[n] + y[n];
    }
}

// A row of the table.
struct Pattern
{
    const char *name;
    void (*add)(const real *x, const real *y, real *z, size_t N);
    void (*add_tags)(const Tag *x, const Tag *y, Tag *z, size_t N); // the same kernel
    size_t sectors_x, sectors_y; // sectors of x per warp; sectors of y per warp, and the same for z
    size_t first;                // index of the first of the N elements that are written
    bool adds_x0;                // whether x[0] is added to all elements of y
    bool blocks_share;           // whether block 1 begins in a sector of block 0
};

const size_t FULL = WARP_SIZE * sizeof(real) / SECTOR_BYTES; // sectors of WARP_SIZE numbers
const Pattern PATTERNS[] = {
    {"sequential", add<real>, add<Tag>, FULL, FULL, 0, false, false},
    {"permuted", add_permuted<real>, add_permuted<Tag>, FULL, FULL, 0, false, false},
    {"unaligned", add_offset<real>, add_offset<Tag>, FULL + 1, FULL + 1, 1, false, false},
    {"strided", add_stride<real>, add_stride<Tag>, 32, 32, 0, false, true},
    {"broadcast", add_broadcast<real>, add_broadcast<Tag>, 1, FULL, 0, true, false},
    {"apart", add_apart<real>, add_apart<Tag>, 32, 32, 0, false, false},
};
const int NUM_PATTERNS = sizeof(PATTERNS) / sizeof(PATTERNS[0]);

// Checks all sums. The element that no thread writes must not have changed.
void check_sums(const Pattern *pattern)
{
    const size_t bytes = (N + 1) * sizeof(real);
    poison(reference, bytes);
    add_reference(h_x, h_y, reference, N, pattern->first, pattern->adds_x0);
    CHECK(cudaMemset(d_z, POISON_BYTE, bytes));

    pattern->add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    CHECK_LAUNCH();

    CHECK(cudaMemcpy(h_z, d_z, bytes, cudaMemcpyDeviceToHost));
    check_elements(pattern->name, h_z, reference, N + 1);
}

// Which elements each thread accesses.
Accesses trace_accesses(const Pattern *pattern)
{
    clear_tags(&tags);
    pattern->add_tags<<<tags.grid_size, block_size>>>(tags.x, tags.y, tags.z, tags.N);
    CHECK_LAUNCH();
    return find_accesses(&tags);
}

// The bytes and the sectors of the first warp are checked, but only if the warp is full and the
// grid has so many blocks that strided elements lie in different sectors.
void check_first_warp(const Pattern *pattern, const Accesses *accesses)
{
    if (N < WARP_SIZE * block_size)
    {
        return;
    }
    const Traffic x = count_traffic(accesses, X, d_x, 1);
    const Traffic y = count_traffic(accesses, Y, d_y, 1);
    const Traffic z = count_traffic(accesses, Z, d_z, 1);
    const size_t full = WARP_SIZE * sizeof(real);
    check_true("the bytes and the sectors of the first warp are those of the pattern",
               x.wanted == (pattern->adds_x0 ? sizeof(real) : full) && y.wanted == full &&
                   z.wanted == full && x.sectors == pattern->sectors_x &&
                   y.sectors == pattern->sectors_y && z.sectors == pattern->sectors_y);
    check_true("blocks 0 and 1 begin in one sector of z, or not, as the pattern says",
               are_in_one_sector(accesses, d_z, block_size) == pattern->blocks_share);
}

double time_pattern(const Pattern *pattern)
{
    Timer timer = new_timer(args.repeats);
    while (next_run(&timer))
    {
        pattern->add<<<grid_size, block_size>>>(d_x, d_y, d_z, N);
    }
    return timer.median;
}

// The table. Its last four columns are left out without a GPU.
void show_patterns(double ceiling)
{
    printf("%s", args.csv ? "" : "            sectors a warp   degree, %\n");
    const Column COLUMNS[] = {{"pattern", "%-12s"},
                              {"sectors of x", "%5.2f", "x"},
                              {"sectors of y or z", "%7.2f", "y, z"},
                              {"degree of x %", "%6.1f", "x"},
                              {"degree of y or z %", "%6.1f", "y, z"},
                              {TIME_UNIT, "%10.4g"},
                              {"GB/s", "%8.1f"},
                              {"% of copy", "%10.1f"},
                              {"x time", "%7.2f"}};
    begin_table(COLUMNS, ON_GPU ? 9 : 5);
    double sequential_ms = NAN; // of the first row
    for (int i = 0; i < NUM_PATTERNS; ++i)
    {
        const Pattern *pattern = &PATTERNS[i];
        check_sums(pattern);
        const Accesses accesses = trace_accesses(pattern);
        check_first_warp(pattern, &accesses);
        const Traffic x = count_traffic(&accesses, X, d_x, SIZE_MAX); // of all warps
        const Traffic y = count_traffic(&accesses, Y, d_y, SIZE_MAX);
        put_text(pattern->name);
        put(sectors_per_warp(&x));
        put(sectors_per_warp(&y));
        put(degree(&x));
        put(degree(&y));
        if (ON_GPU)
        {
            const double ms = time_pattern(pattern);
            const size_t whole_arrays = pattern->adds_x0 ? 2 : 3; // to read or write
            const double rate = rate_of(whole_arrays * N * sizeof(real), ms);
            sequential_ms = isnan(sequential_ms) ? ms : sequential_ms;
            put(ms);
            put(rate);
            put(percent_of(rate, ceiling));
            put(times_as_fast(ms, sequential_ms));
        }
        end_row();
        free(accesses.list);
    }
}

int main(int argc, char **argv)
{
    args.N = default_size(1 << 26, 1 << 19);
    args.bytes_per_element = 3 * sizeof(real);
    args.bytes_on_host = 4 * sizeof(real);
    args.columns = "  sectors    of 32 bytes that a warp accesses: of x; of y, and as many of z\n"
                   "  degree     the share of their bytes that the warp uses\n"
                   "  ms         the median time\n"
                   "  GB/s       bytes that the sums need, over the time\n"
                   "  %          of the copy ceiling, which was measured on this device\n"
                   "  x time     this row's time over the first row's\n";
    parse_args(argc, argv, "-n N -b B -r R -s S --csv",
               "coalescing: five ways for a warp to access memory, and what share of each transfer "
               "it uses");
    if (args.block_x % WARP_SIZE != 0)
    {
        usage_error("-b takes whole warps here, multiples of %zu, not %zu", WARP_SIZE,
                    args.block_x);
    }
    N = args.N;
    block_size = args.block_x;
    grid_size = (N - 1) / block_size + 1;
    const size_t bytes = (N + 1) * sizeof(real);
    const size_t num_tags = N < MOST_TAGS ? N : MOST_TAGS, tag_bytes = (num_tags + 1) * sizeof(Tag);
    require_memory(4.0 * bytes + 2.0 * tag_bytes, 3.0 * bytes + 3.0 * tag_bytes);

    h_x = (real *)malloc(bytes);
    h_y = (real *)malloc(bytes);
    h_z = (real *)malloc(bytes);
    reference = (real *)malloc(bytes);
    // cudaMalloc's addresses are multiples of 256. With CUDACPU_EXACT=1 the CPU backend lets an
    // array end at the end of a page instead, so only an array of whole multiples begins at one.
    const size_t whole_bytes = (bytes + 255) / 256 * 256;
    CHECK(cudaMalloc(&d_x, whole_bytes));
    CHECK(cudaMalloc(&d_y, whole_bytes));
    CHECK(cudaMalloc(&d_z, whole_bytes));
    fill_random(h_x, N + 1, args.seed);
    fill_random(h_y, N + 1, args.seed + 1);
    CHECK(cudaMemcpy(d_x, h_x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(d_y, h_y, bytes, cudaMemcpyHostToDevice));
    tags = allocate_tags(num_tags, block_size);

    print_device();
    const double ceiling = copy_ceiling(3 * bytes);
    if (ON_GPU)
    {
        print_note("%s, N = %zu, median of %zu repeats, copy ceiling %.1f GB/s\n", REAL_NAME, N,
                   args.repeats, ceiling);
    }
    else
    {
        print_note("%s, N = %zu: counted on the CPU, not timed\n", REAL_NAME, N);
    }
    show_patterns(ceiling);
    if (!ON_GPU)
    {
        printf("%s", args.csv ? "" : "\n");
        print_card_run();
    }

    free_tags(&tags);
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_z));
    free(h_x);
    free(h_y);
    free(h_z);
    free(reference);
    return verdict();
}
