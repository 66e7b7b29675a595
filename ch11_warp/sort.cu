// sort: 100 million keys in order, from a network of comparisons to a sort that compares nothing
//
// From:    beyond the book
// Order:   last
// Compile: nvcc -O3 sort.cu
// Run:     ./a.out -n 100000000
//
// The keys are numbers of 32 bits. With --pairs each key has a value beside it, its place before
// the sort, and equal keys stay in their order: the sort is stable. All versions leave the unsorted
// array as it is. The ceiling is the rate at which four passes over the keys could sort them if
// their bytes moved as fast as a copy. sort_fast.cuh counts these bytes.
//
// Before the table all versions are checked with fewer keys: random ones, only 256 different ones,
// equal ones, and keys that are in order already or in the reverse order.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/ceiling.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/require_memory.cuh"
#include "../common/versions.cuh"
#include "digits.cuh"
#include "sort_fast.cuh"
#include "sort_host.cuh"

const int BLOCK_SIZE = 1024;
const int TILE = 2 * BLOCK_SIZE;      // records in shared memory: a thread compares two
const int MERGE_SIZE = 256;           // threads of a block that merges
const int MERGED = TILE / MERGE_SIZE; // records that such a thread merges
const int DIGIT_KEYS = 16;            // of a thread in `digits`, whose blocks have DIGITS threads
const int DIGIT_WARPS = DIGITS / WARP_SIZE;
const int DIGIT_WARP_KEYS = DIGIT_KEYS * WARP_SIZE;
const int DIGIT_TILE = DIGIT_KEYS * DIGITS;

static size_t N;
static size_t num_tiles;         // of TILE records
static size_t num_digit_tiles;   // of DIGIT_TILE records
static Records h_x, d_x;         // unsorted
static Records h_y, d_y;         // sorted
static Records h_other, d_other; // room for what goes back and forth
static Records reference;        // what y should be
static uint32_t *d_work;         // counts of digits
static void *d_cub_storage = NULL;
static const char *data; // which keys are sorted

// A radix sort on one core. It never compares two keys: it moves them by their lowest digit, then
// by the next one. Each pass keeps the order of keys with the same digit, so it keeps what the
// passes before it have done.
void sort_cpu(Records x, Records y, Records other, size_t N)
{
    for (int number = 0; number < PASSES; ++number)
    {
        const Records from = number == 0 ? x : number % 2 == 1 ? other : y;
        const Records to = number % 2 == 0 ? other : y;
        size_t places[DIGITS + 1] = {0};
        for (size_t n = 0; n < N; ++n)
        {
            ++places[digit_of(from.keys[n], number) + 1];
        }
        for (int digit = 1; digit < DIGITS; ++digit)
        {
            places[digit] += places[digit - 1];
        }
        for (size_t n = 0; n < N; ++n)
        {
            const size_t place = places[digit_of(from.keys[n], number)]++;
            to.keys[place] = from.keys[n];
            if (from.values != NULL)
            {
                to.values[place] = from.values[n];
            }
        }
    }
}

void run_cpu(void) { sort_cpu(h_x, h_y, h_other, N); }

// ---- A network of comparisons ----

// Puts the records at a and b in order; a < b. A network also swaps keys that are far apart, so it
// does not keep the order of equal ones. Here the values decide where keys are equal, because they
// are places.
__device__ void put_in_order(uint32_t *keys, uint32_t *values, bool has_values, size_t a, size_t b)
{
    const uint32_t key_a = keys[a], key_b = keys[b];
    bool is_wrong = key_a > key_b;
    if (has_values && key_a == key_b)
    {
        is_wrong = values[a] > values[b];
    }
    if (is_wrong)
    {
        keys[a] = key_b;
        keys[b] = key_a;
        if (has_values)
        {
            const uint32_t value_a = values[a];
            values[a] = values[b];
            values[b] = value_a;
        }
    }
}

// The record that thread t compares with a later one. The records are in groups of 2 * distance,
// and each record of the first half of a group has a thread. `distance` is a power of 2.
__device__ size_t first_of_pair(size_t t, size_t distance) { return 2 * t - (t & (distance - 1)); }

// One step of the bitonic sort. A stage makes sorted groups out of pairs of sorted groups. Its
// first step compares each record with its mirror image in the new group. The place of that one is
// an XOR with the group's size less 1. Then no record of the first half belongs into the second
// half. The next steps do this in halves, quarters and so on, with the record that is `distance`
// further on.
//
// In each comparison the smaller key goes to the lower place. Imagine that the largest keys fill
// the array up to a power of 2. They would never move, so no thread has to compare with them.
__global__ void compare_step(Records y, size_t N, size_t distance, size_t flip)
{
    const size_t t = (size_t)blockDim.x * blockIdx.x + threadIdx.x;
    const size_t a = first_of_pair(t, distance), b = a ^ flip;
    if (b < N)
    {
        put_in_order(y.keys, y.values, y.values != NULL, a, b);
    }
}

// A thread for each comparison of the array that is filled up to a power of 2.
void launch_step(size_t distance, size_t flip)
{
    size_t padded = 2;
    while (padded < N)
    {
        padded *= 2;
    }
    const size_t grid_size = (padded / 2 - 1) / BLOCK_SIZE + 1;
    compare_step<<<grid_size, BLOCK_SIZE>>>(d_y, N, distance, flip);
}

// 10^8 keys take 27 stages, which have 378 steps. Each step reads all keys and writes many of them.
void run_bitonic(void)
{
    CHECK(cudaMemcpyAsync(d_y.keys, d_x.keys, N * sizeof(uint32_t), cudaMemcpyDeviceToDevice));
    if (d_x.values != NULL)
    {
        CHECK(cudaMemcpyAsync(d_y.values, d_x.values, N * sizeof(uint32_t),
                              cudaMemcpyDeviceToDevice));
    }
    for (size_t size = 2; size / 2 < N; size *= 2)
    {
        launch_step(size / 2, size - 1);
        for (size_t distance = size / 4; distance > 0; distance /= 2)
        {
            launch_step(distance, distance);
        }
    }
}

// ---- The same network, in shared memory where that is enough ----

__device__ void load_tile(Records x, uint32_t *s_keys, uint32_t *s_values, size_t first, int length)
{
    for (int i = threadIdx.x; i < length; i += blockDim.x)
    {
        s_keys[i] = x.keys[first + i];
        if (x.values != NULL)
        {
            s_values[i] = x.values[first + i];
        }
    }
    __syncthreads();
}

__device__ void store_tile(Records y, const uint32_t *s_keys, const uint32_t *s_values,
                           size_t first, int length)
{
    for (int i = threadIdx.x; i < length; i += blockDim.x)
    {
        y.keys[first + i] = s_keys[i];
        if (y.values != NULL)
        {
            y.values[first + i] = s_values[i];
        }
    }
}

__device__ int length_of_tile(size_t N, size_t first)
{
    return N - first < TILE ? N - first : TILE;
}

// compare_step in a tile. It ends with a barrier, because the next step compares other records.
__device__ void step_in_tile(uint32_t *s_keys, uint32_t *s_values, bool has_values, int length,
                             int distance, int flip)
{
    const int a = first_of_pair(threadIdx.x, distance), b = a ^ flip;
    if (b < length)
    {
        put_in_order(s_keys, s_values, has_values, a, b);
    }
    __syncthreads();
}

// All stages of a tile of 2048 records. They have 66 steps, but global memory is read and written
// once.
__global__ void sort_tiles(Records x, Records y, size_t N)
{
    __shared__ uint32_t s_keys[TILE], s_values[TILE];
    const bool has_values = x.values != NULL;
    const size_t first = (size_t)blockIdx.x * TILE;
    const int length = length_of_tile(N, first);
    load_tile(x, s_keys, s_values, first, length);
    for (int size = 2; size <= TILE; size *= 2)
    {
        step_in_tile(s_keys, s_values, has_values, length, size / 2, size - 1);
        for (int distance = size / 4; distance > 0; distance /= 2)
        {
            step_in_tile(s_keys, s_values, has_values, length, distance, distance);
        }
    }
    store_tile(y, s_keys, s_values, first, length);
}

// The last steps of a larger stage, those whose distance is less than a tile.
__global__ void finish_stage(Records y, size_t N)
{
    __shared__ uint32_t s_keys[TILE], s_values[TILE];
    const size_t first = (size_t)blockIdx.x * TILE;
    const int length = length_of_tile(N, first);
    load_tile(y, s_keys, s_values, first, length);
    for (int distance = TILE / 2; distance > 0; distance /= 2)
    {
        step_in_tile(s_keys, s_values, y.values != NULL, length, distance, distance);
    }
    store_tile(y, s_keys, s_values, first, length);
}

// For 10^8 keys there are 153 launches instead of 378.
void run_bitonic_shared(void)
{
    sort_tiles<<<num_tiles, BLOCK_SIZE>>>(d_x, d_y, N);
    for (size_t size = 2 * TILE; size / 2 < N; size *= 2)
    {
        launch_step(size / 2, size - 1);
        for (size_t distance = size / 4; distance >= TILE; distance /= 2)
        {
            launch_step(distance, distance);
        }
        finish_stage<<<num_tiles, BLOCK_SIZE>>>(d_y, N);
    }
}

// ---- Sorted runs are merged ----

// Of the first `count` records of the two merged runs a and b, this many come from a. Where keys
// are equal, those of a come first, so the merge is stable. If a[i] is not larger than
// b[count - 1 - i], then a[i] is among the first `count`. A binary search finds the first i for
// which that is false.
__device__ size_t taken_from_a(const uint32_t *a, size_t length_a, const uint32_t *b,
                               size_t length_b, size_t count)
{
    size_t low = count > length_b ? count - length_b : 0;
    size_t high = count < length_a ? count : length_a;
    while (low < high)
    {
        const size_t i = (low + high) / 2;
        if (a[i] <= b[count - 1 - i])
        {
            low = i + 1;
        }
        else
        {
            high = i;
        }
    }
    return low;
}

// Merges each pair of neighbouring sorted runs, so that a pass halves the number of runs. Each
// block makes a tile of the result. It searches both runs for the parts that belong there, and
// loads these. Then each thread does the same in shared memory, and merges 8 records one by one. So
// all threads have the same amount of work, whatever the keys are.
__global__ void merge_runs(Records from, Records to, size_t N, size_t run)
{
    __shared__ uint32_t s_keys[TILE], s_values[TILE];
    __shared__ size_t s_taken[2]; // from a: before the tile, and up to its end
    const int tid = threadIdx.x;
    const bool has_values = from.values != NULL;
    const size_t first = (size_t)blockIdx.x * TILE;
    const int length = length_of_tile(N, first);
    const size_t begin_a = first / (2 * run) * (2 * run);
    const size_t begin_b = begin_a + run < N ? begin_a + run : N;
    const size_t end_b = begin_b + run < N ? begin_b + run : N;
    if (tid < 2)
    {
        s_taken[tid] = taken_from_a(from.keys + begin_a, begin_b - begin_a, from.keys + begin_b,
                                    end_b - begin_b, first - begin_a + tid * length);
    }
    __syncthreads();
    const size_t first_a = begin_a + s_taken[0];
    const size_t first_b = begin_b + (first - begin_a - s_taken[0]);
    const int length_a = s_taken[1] - s_taken[0], length_b = length - length_a;
    for (int i = tid; i < length; i += MERGE_SIZE) // the part of a, then that of b
    {
        const size_t n = i < length_a ? first_a + i : first_b + (i - length_a);
        s_keys[i] = from.keys[n];
        s_values[i] = has_values ? from.values[n] : 0;
    }
    __syncthreads();

    const int begin = tid * MERGED < length ? tid * MERGED : length; // of the thread's records
    int a = taken_from_a(s_keys, length_a, s_keys + length_a, length_b, begin);
    int b = length_a + begin - a;
    uint32_t keys[MERGED], values[MERGED];
    for (int i = 0; i < MERGED && begin + i < length; ++i)
    {
        const bool is_a = a < length_a && (b == length || s_keys[a] <= s_keys[b]);
        const int next = is_a ? a++ : b++;
        keys[i] = s_keys[next];
        values[i] = s_values[next];
    }
    __syncthreads(); // all have read; the merged records go back to shared memory
    for (int i = 0; i < MERGED && begin + i < length; ++i)
    {
        s_keys[begin + i] = keys[i];
        s_values[begin + i] = values[i];
    }
    __syncthreads();
    store_tile(to, s_keys, s_values, first, length);
}

// For 10^8 keys there are 48829 sorted tiles, and 16 passes merge them. The tiles are written where
// the last pass then ends in y.
void run_merge(void)
{
    int passes = 0;
    for (size_t run = TILE; run < N; run *= 2)
    {
        ++passes;
    }
    sort_tiles<<<num_tiles, BLOCK_SIZE>>>(d_x, passes % 2 == 0 ? d_y : d_other, N);
    for (size_t run = TILE; run < N; run *= 2, --passes)
    {
        const Records from = passes % 2 == 0 ? d_y : d_other;
        const Records to = passes % 2 == 0 ? d_other : d_y;
        merge_runs<<<num_tiles, MERGE_SIZE>>>(from, to, N, run);
    }
}

// ---- By digits ----

// How often each digit is in each tile. The counts of a digit lie together, tile after tile.
__global__ void count_digits(const uint32_t *keys, size_t N, int number, uint32_t *counts)
{
    __shared__ uint32_t s_counts[DIGITS];
    const int tid = threadIdx.x;
    s_counts[tid] = 0;
    __syncthreads();
    for (int i = 0; i < DIGIT_KEYS; ++i)
    {
        const size_t n = (size_t)blockIdx.x * DIGIT_TILE + i * DIGITS + tid;
        if (n < N)
        {
            atomicAdd(&s_counts[digit_of(keys[n], number)], 1);
        }
    }
    __syncthreads();
    counts[(size_t)tid * gridDim.x + blockIdx.x] = s_counts[tid];
}

// A block for each digit. It turns the counts of its digit into sums of the tiles before, a round
// of blockDim.x tiles after the other, as scan_totals of the program scan does. The sum of all
// tiles goes to `totals`.
__global__ void scan_counts(uint32_t *counts, size_t num_tiles, uint32_t *totals)
{
    uint32_t before = 0;
    for (size_t first = 0; first < num_tiles; first += blockDim.x)
    {
        const size_t tile = first + threadIdx.x;
        uint32_t *count = &counts[blockIdx.x * num_tiles + tile];
        const uint32_t own = tile < num_tiles ? *count : 0;
        uint32_t total;
        const uint32_t sum = scan_block(own, &total);
        if (tile < num_tiles)
        {
            *count = before + sum - own;
        }
        before += total;
    }
    if (threadIdx.x == 0)
    {
        totals[blockIdx.x] = before;
    }
}

// Moves each record to its place. Before it come all records with a smaller digit, those with the
// same digit in earlier tiles, and those with the same digit before it in the tile. A warp reads 32
// keys at a time, and __match_any_sync tells each lane which lanes have its digit.
__global__ void move_by_digit(Records from, Records to, size_t N, int number,
                              const uint32_t *counts, const uint32_t *totals)
{
    __shared__ uint32_t s_counts[DIGIT_WARPS][DIGITS];
    const int tid = threadIdx.x, lane = tid % WARP_SIZE, warp = tid / WARP_SIZE;
    for (int i = 0; i < DIGIT_WARPS; ++i)
    {
        s_counts[i][tid] = 0;
    }
    __syncthreads();
    const size_t first = (size_t)blockIdx.x * DIGIT_TILE + warp * DIGIT_WARP_KEYS + lane;
    uint32_t keys[DIGIT_KEYS], ranks[DIGIT_KEYS]; // a rank counts the keys before it in the warp
#pragma unroll
    for (int i = 0; i < DIGIT_KEYS; ++i)
    {
        const size_t n = first + i * WARP_SIZE;
        keys[i] = n < N ? from.keys[n] : LAST_KEY;
        const int digit = digit_of(keys[i], number);
        const unsigned lanes = __match_any_sync(FULL_MASK, digit);
        const unsigned before = lanes & ((1u << lane) - 1);
        const uint32_t count = s_counts[warp][digit];
        __syncwarp(); // all lanes have read the count before one of them writes it
        if (before == 0)
        {
            s_counts[warp][digit] = count + __popc(lanes);
        }
        __syncwarp();
        ranks[i] = count + __popc(before);
    }
    __syncthreads();

    // Each thread has a digit, and turns its counts into the place where each warp's keys begin.
    const uint32_t total = totals[tid];
    uint32_t place = scan_block(total, NULL) - total + counts[(size_t)tid * gridDim.x + blockIdx.x];
    for (int i = 0; i < DIGIT_WARPS; ++i)
    {
        const uint32_t count = s_counts[i][tid];
        s_counts[i][tid] = place;
        place += count;
    }
    __syncthreads();
#pragma unroll
    for (int i = 0; i < DIGIT_KEYS; ++i)
    {
        const size_t n = first + i * WARP_SIZE;
        if (n < N)
        {
            const uint32_t to_place = s_counts[warp][digit_of(keys[i], number)] + ranks[i];
            to.keys[to_place] = keys[i];
            if (from.values != NULL)
            {
                to.values[to_place] = from.values[n];
            }
        }
    }
}

// Four passes, however many keys there are. Each pass reads the keys twice and writes them once.
void run_digits(void)
{
    uint32_t *d_totals = d_work, *d_counts = d_work + DIGITS;
    const size_t warps = (num_digit_tiles - 1) / WARP_SIZE + 1; // a thread for each tile ...
    const int scan_size = warps < DIGIT_WARPS ? warps * WARP_SIZE : DIGITS; // ... or 256 threads
    for (int number = 0; number < PASSES; ++number)
    {
        const Records from = number == 0 ? d_x : number % 2 == 1 ? d_other : d_y;
        const Records to = number % 2 == 0 ? d_other : d_y;
        count_digits<<<num_digit_tiles, DIGITS>>>(from.keys, N, number, d_counts);
        scan_counts<<<DIGITS, scan_size>>>(d_counts, num_digit_tiles, d_totals);
        move_by_digit<<<num_digit_tiles, DIGITS>>>(from, to, N, number, d_counts, d_totals);
    }
}

// ---- One kernel a pass, and CUB: the kernels are in sort_fast.cuh.

bool fits_counts(void) { return N <= COUNT_MASK; }

void run_one_sweep(void) { launch_one_sweep(d_x, d_y, d_other, N, d_work); }

#if ON_GPU
static size_t cub_bytes; // of d_cub_storage
void run_cub(void) { launch_cub(d_x, d_y, N, d_cub_storage, &cub_bytes); }
#else
void (*const run_cub)(void) = NULL;
#endif

// ---- The table ----

void check(void)
{
    char text[64];
    snprintf(text, sizeof(text), "%s (%s)", g_row, data);
    check_elements(text, h_y.keys, reference.keys, N);
    if (d_x.values != NULL)
    {
        check_elements(text, h_y.values, reference.values, N);
    }
}

const size_t CPU_RECORDS = 1 << 24;

bool is_short_or_wanted(void) { return N <= CPU_RECORDS || strcmp(args.version, "cpu") == 0; }

const Version VERSIONS[] = {
    {"cpu", "by digits of 8 bits, one record after the other", run_cpu, check, ON_HOST,
     is_short_or_wanted, "a smaller size, or -k cpu"},
    {"bitonic", "a network of comparisons: a kernel for each step", run_bitonic, check},
    {"bitonic-shared", "steps that stay in a tile are done in shared memory", run_bitonic_shared,
     check},
    {"merge", "sorted tiles, then passes that merge pairs of sorted runs", run_merge, check},
    {"digits", "four passes by digits of 8 bits, three kernels each", run_digits, check, ON_DEVICE,
     NULL, NULL, false, "four passes, however many keys there are"},
    {"one-sweep", "one kernel a pass: a tile gets its places from those that run beside it",
     run_one_sweep, check, ON_DEVICE, fits_counts, "at most 2^30 - 1 keys", false,
     "tiles wait for earlier ones"},
    {"cub", "DeviceRadixSort", run_cub, check, BY_LIBRARY, NULL, "a GPU"},
};
const int NUM_VERSIONS = sizeof(VERSIONS) / sizeof(VERSIONS[0]);

enum Measuring
{
    ARE_CHECKED,
    ARE_TIMED
};

// All versions sort `size` records.
void sort_by_all(size_t size, Data of, bool has_values, Measuring measuring)
{
    N = size;
    data = of.name;
    num_tiles = (N - 1) / TILE + 1;
    num_digit_tiles = (N - 1) / DIGIT_TILE + 1;
    h_x = allocate_on_host(N);
    h_y = allocate_on_host(N);
    h_other = allocate_on_host(N);
    reference = allocate_on_host(N);
    d_x = allocate_on_device(N, has_values);
    d_y = allocate_on_device(N, has_values);
    d_other = allocate_on_device(N, has_values);
    const size_t words = DIGITS * (1 + num_digit_tiles), sweep_words = words_for_one_sweep(N);
    CHECK(cudaMalloc(&d_work, (words > sweep_words ? words : sweep_words) * sizeof(uint32_t)));
#if ON_GPU
    launch_cub(d_x, d_y, N, NULL, &cub_bytes);
    CHECK(cudaMalloc(&d_cub_storage, cub_bytes));
#endif
    for (size_t n = 0; n < N; ++n)
    {
        h_x.keys[n] = of.key(n, N);
        h_x.values[n] = (uint32_t)n;
    }
    sort_reference(h_x, reference, h_other, N);
    check_true("the reference is sorted and stable", is_sorted(h_x, reference, N));
    const size_t bytes = N * sizeof(uint32_t);
    CHECK(cudaMemcpy(d_x.keys, h_x.keys, bytes, cudaMemcpyHostToDevice));
    if (has_values)
    {
        CHECK(cudaMemcpy(d_x.values, h_x.values, bytes, cudaMemcpyHostToDevice));
    }
    else // the host sorts keys alone, too
    {
        free(h_x.values);
        h_x.values = NULL;
    }

    Table table = {};
    table.outputs[0] = {h_y.keys, d_y.keys, bytes};
    table.outputs[1] = {NULL, d_other.keys, bytes};
    if (has_values)
    {
        table.outputs[2] = {h_y.values, d_y.values, bytes};
        table.outputs[3] = {NULL, d_other.values, bytes};
    }
    table.operations = (double)N;
    table.unit = "Gkey/s";
    table.element = sizeof(uint32_t);
    table.what = has_values ? "pairs of a key and a value" : "keys of 32 bits";
    if (measuring == ARE_TIMED)
    {
        table.ceiling = copy_ceiling(2 * bytes) / (has_values ? PAIR_BYTES : KEY_BYTES);
        run_versions(&table, VERSIONS, NUM_VERSIONS);
    }
    else
    {
        check_versions(&table, VERSIONS, NUM_VERSIONS);
    }

    CHECK(cudaFree(d_cub_storage));
    CHECK(cudaFree(d_work));
    free_on_device(d_x);
    free_on_device(d_y);
    free_on_device(d_other);
    free_on_host(h_x);
    free_on_host(h_y);
    free_on_host(h_other);
    free_on_host(reference);
}

int main(int argc, char **argv)
{
    bool has_values = false;
    args.N = default_size(100000000, 16384);
    args.bytes_per_element = (ON_GPU ? 4 : 3) * sizeof(uint32_t) + 1; // CUB has an array of its own
    args.bytes_on_host = 8 * sizeof(uint32_t);
    args.columns = "  Gkey/s     billions of keys in a second\n";
    add_versions(VERSIONS, NUM_VERSIONS);
    add_flag("pairs", &has_values, "each key has a value, and equal keys stay in their order");
    parse_args(argc, argv, "-n N -r R -s S -k NAME --csv",
               "sort: 100 million keys in order, from a network of comparisons to a sort that "
               "compares nothing");
    if (args.N > LAST_KEY)
    {
        usage_error("a place is a number of 32 bits: -n is at most %u", LAST_KEY);
    }
    if (has_values)
    {
        require_memory((double)args.N * args.bytes_on_host,
                       (double)args.N * (2 * args.bytes_per_element - 1));
    }
    const size_t most = default_size(3000017, 9001), size = args.N < most ? args.N : most;
    for (int i = 0; i < NUM_DATA; ++i)
    {
        sort_by_all(size, DATA[i], false, ARE_CHECKED);
        sort_by_all(size, DATA[i], true, ARE_CHECKED);
    }
    sort_by_all(args.N, DATA[0], has_values, ARE_TIMED);
    return verdict();
}
