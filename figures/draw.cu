// draw: the drawings of the chapters' READMEs, as SVG. `make drawings` runs it.
//
// The kernels and functions below are copied out of the chapters' programs when this is compiled, by
// figures/drawings.sh. They run, and the drawings show which elements their threads used. So a
// drawing and its program agree. Elements of type Traced note each access.
//
// Four drawings show no kernel: errors, memories and pages are drawn from tables, overlap from a
// model of a device. butterfly is drawn from a kernel's index functions, which are checked against
// the definition.
//
// The lines `from FILE: NAMES` say what is copied into from/FILE.cuh, in the order of the source.
//
// from ch02_threads/thread-index.cu: Place record_places
// from ch03_framework/matrix-add.cu: thread_number_reference thread_number add_x_along_row
// from ch07_global_mem/coalescing.cu: add add_offset add_stride add_broadcast
// from ch08_constant/constant.cu: NUM_TERMS WARP_SIZE NUM_COEFFICIENTS Coefficients c_table
// from ch08_constant/constant.cu: horner_constant horner_constant_lane
// from ch09_shared_mem/transpose.cu: TILE transpose_shared transpose_padded
// from ch09_shared_mem/reduce2gpu.cu: BLOCK_SIZE reduce_static
// from ch11_warp/reduce.cu: FULL_MASK reduce_shfl
// from ch11_warp/scan-types.cu: scan_shared
// from ch12_streams/transfer-parts.cu: WANTED_RATIO TIMELINE_STREAMS
// from ch14_multi_gpu/reduce-multi.cu: first_of
// from ch15_libs/fft.cu: reverse_bits Butterfly butterfly_of
// from ch21_md/ljmd-multi.cu: HaloPiece Slab Arrays layers_before cells_before count_rows
// from ch21_md/ljmd-multi.cu: choose_border_rows cut_box owner_of_row add_to_halo plan_slab

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <algorithm>
#include <complex>
#include <set>
#include <vector>
#include "../ch07_global_mem/coalescing_sectors.cuh"
#include "../ch10_atomics/cells.cuh"
#include "../ch21_md/fast_arrays.cuh"
#include "svg.h"

// ---- Elements that note who uses them ----

struct Traced;

// What one statement of a thread did: *to = *from or *to += *from. Without `to` it added *from to
// something in a register.
struct Statement
{
    unsigned int thread; // of its block
    bool is_sum;
    const Traced *to, *from;
};

const unsigned int MOST_STATEMENTS = 32768;
__device__ Statement g_statements[MOST_STATEMENTS];
__device__ unsigned int g_num_statements;

// As large as a float, so it lies in one bank of shared memory.
struct Traced
{
    float value;

    Traced() = default;
    __host__ __device__ Traced(double number) : value((float)number) {}
    Traced(const Traced &from) = default;
    __device__ Traced &operator=(const Traced &from)
    {
        note(false, &from);
        value = from.value;
        return *this;
    }
    __device__ Traced &operator+=(const Traced &from)
    {
        note(true, &from);
        value += from.value;
        return *this;
    }

    __device__ void note(bool is_sum, const Traced *from) { note_statement(is_sum, this, from); }
    static __device__ void note_statement(bool is_sum, const Traced *to, const Traced *from)
    {
        const unsigned int number = atomicAdd(&g_num_statements, 1u);
        if (number < MOST_STATEMENTS)
        {
            const unsigned int thread = threadIdx.y * blockDim.x + threadIdx.x;
            g_statements[number] = {thread, is_sum, to, from};
        }
    }
};
__device__ inline Traced operator*(const Traced &a, const Traced &b)
{
    return Traced(a.value * b.value);
}
__device__ inline Traced operator+(const Traced &a, const Traced &b)
{
    Traced::note_statement(true, NULL, &b);
    return Traced(a.value + b.value);
}
__device__ inline void atomicAdd(Traced *sum, const Traced &y) { atomicAdd(&sum->value, y.value); }

// What a lane got by a shuffle, and from which lane.
struct Shuffle
{
    unsigned int lane, source;
    float own, received;
};

const unsigned int MOST_SHUFFLES = 1024;
__device__ Shuffle g_shuffles[MOST_SHUFFLES];
__device__ unsigned int g_num_shuffles;

// The source says which lane it is: its number is shuffled in the same way.
__device__ inline Traced __shfl_down_sync(unsigned int mask, const Traced &y, unsigned int offset)
{
    const unsigned int lane = threadIdx.x % WARP_SIZE;
    const unsigned int source = __shfl_down_sync(mask, lane, offset);
    const float received = __shfl_down_sync(mask, y.value, offset);
    const unsigned int number = atomicAdd(&g_num_shuffles, 1u);
    if (number < MOST_SHUFFLES)
    {
        g_shuffles[number] = {lane, source, y.value, received};
    }
    return Traced(received);
}
static_assert(sizeof(Traced) == sizeof(float), "an element of type Traced fills a bank");

namespace thread_index
{
#include "from/thread-index.cuh"
}
namespace matrix_add
{
#include "from/matrix-add.cuh"
}
namespace coalescing
{
#include "from/coalescing.cuh"
}
#define real Traced
namespace constant
{
#include "from/constant.cuh"
}
namespace transpose
{
#include "from/transpose.cuh"
}
namespace reduce
{
#include "from/reduce2gpu.cuh"
}
namespace shuffle
{
#include "from/reduce.cuh"
}
#undef real
namespace scan
{
const int BLOCK_SIZE = 8; // instead of 1024, so that the steps can be seen
#include "from/scan-types.cuh"
} // namespace scan
namespace parts
{
#include "from/reduce-multi.cuh"
}
namespace transfer
{
#include "from/transfer-parts.cuh"
}
namespace fft
{
#include "from/fft.cuh"
}
namespace multi
{
#include "from/ljmd-multi.cuh"
}

// Launches a kernel of one block. Returns its statements, those of a thread one after the other.
template <typename Launch>
std::vector<Statement> trace_statements(Launch launch)
{
    unsigned int count = 0;
    CHECK(cudaMemcpyToSymbol(g_num_statements, &count, sizeof(count)));
    launch();
    CHECK_LAUNCH();
    CHECK(cudaMemcpyFromSymbol(&count, g_num_statements, sizeof(count)));
    if (count > MOST_STATEMENTS)
    {
        give_up("a kernel has %u statements, and there is room for %u", count, MOST_STATEMENTS);
    }
    std::vector<Statement> statements(count);
    CHECK(cudaMemcpyFromSymbol(statements.data(), g_statements, count * sizeof(Statement)));
    std::stable_sort(statements.begin(), statements.end(),
                     [](const Statement &a, const Statement &b) { return a.thread < b.thread; });
    return statements;
}

// ---- Chapter 2: warps and lanes ----

typedef thread_index::Place Place;

std::vector<Place> record_places(dim3 grid, dim3 block)
{
    std::vector<Place> places(grid.x * grid.y * block.x * block.y);
    const size_t bytes = places.size() * sizeof(Place);
    Place *d_places;
    CHECK(cudaMalloc(&d_places, bytes));
    thread_index::record_places<<<grid, block>>>(d_places);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(places.data(), d_places, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_places));
    return places;
}

const char *const WARP_COLOURS[] = {SKY, YELLOW};

// The warps of a block in one dimension, each with its 32 lanes. Those without a thread are white.
void draw_warp_rows(Drawing *d, double top, const std::vector<Place> &places, unsigned int bid)
{
    const double left = 84, cell = 12, height = 18, row_height = 44;
    unsigned int warps = 0;
    for (const Place &place : places)
    {
        warps = place.bid == bid ? std::max(warps, place.warp + 1) : warps;
    }
    words(d, 10, top - 24, LEFT, BLACK, "blockIdx.x = %u", bid);
    for (unsigned int warp = 0; warp < warps; ++warp)
    {
        const double y = top + warp * row_height;
        unsigned int first = UINT_MAX, last = 0;
        for (unsigned int lane = 0; lane < WARP_SIZE; ++lane)
        {
            rectangle(d, left + lane * cell, y, cell, height, WHITE, PALE);
        }
        for (const Place &place : places)
        {
            if (place.bid == bid && place.warp == warp)
            {
                first = std::min(first, place.thread.x);
                last = std::max(last, place.thread.x);
                rectangle(d, left + place.lane * cell, y, cell, height, WARP_COLOURS[warp], GREY);
            }
        }
        words(d, 10, y + 14, LEFT, BLACK, say(d, "warp %u", "线程束 %u"), warp);
        words(d, left, y + height + 16, LEFT, BLACK, "threadIdx.x = %u ... %u", first, last);
    }
    words(d, left, top - 6, LEFT, GREY, "0");
    words(d, left + WARP_SIZE * cell, top - 6, RIGHT, GREY, "%zu", WARP_SIZE - 1);
    words(d, left + WARP_SIZE * cell / 2, top - 6, MIDDLE, GREY, "%s", say(d, "lane", "束内指标"));
}

// A block in two dimensions. In each cell stands the lane of the thread.
void draw_warp_block(Drawing *d, double top, const std::vector<Place> &places)
{
    const double left = 84, width = 32, height = 28;
    for (const Place &place : places)
    {
        const double x = left + place.thread.x * width, y = top + place.thread.y * height;
        rectangle(d, x, y, width, height, WARP_COLOURS[place.warp], GREY);
        words(d, x + width / 2, y + 19, MIDDLE, BLACK, "%u", place.lane);
        if (place.thread.y == 0)
        {
            words(d, x + width / 2, top - 8, MIDDLE, GREY, "%u", place.thread.x);
        }
        if (place.thread.x == 0)
        {
            words(d, left - 12, y + 19, RIGHT, GREY, "%u", place.thread.y);
        }
    }
    words(d, 10, top - 8, LEFT, GREY, "threadIdx");
}

void draw_warps(const char *directory, bool is_chinese)
{
    const dim3 line_grid(2), line_block(48), plane_block(12, 4);
    const std::vector<Place> line_places = record_places(line_grid, line_block);
    const std::vector<Place> plane_places = record_places(1, plane_block);
    Drawing d = begin_drawing(directory, "warps", is_chinese, 480, 520);
    words(&d, 10, 24, LEFT, BLACK,
          say(&d, "%u blocks of %u threads", "%u 个线程块，每块 %u 个线程"), line_grid.x,
          line_block.x);
    draw_warp_rows(&d, 74, line_places, 0);
    draw_warp_rows(&d, 206, line_places, 1);
    words(&d, 10, 322, LEFT, BLACK,
          say(&d, "A block of %u x %u threads: the same two warps",
              "%u x %u 个线程的线程块：同样是两个线程束"),
          plane_block.x, plane_block.y);
    draw_warp_block(&d, 360, plane_places);
    const double y = 493;
    rectangle(&d, 10, y, 13, 13, WARP_COLOURS[0], GREY);
    words(&d, 29, y + 12, LEFT, BLACK, say(&d, "warp %d", "线程束 %d"), 0);
    rectangle(&d, 110, y, 13, 13, WARP_COLOURS[1], GREY);
    words(&d, 129, y + 12, LEFT, BLACK, say(&d, "warp %d", "线程束 %d"), 1);
    words(&d, 215, y + 12, LEFT, BLACK, "%s",
          say(&d, "In a cell: the thread's lane.", "格中是线程的束内指标。"));
    end_drawing(&d);
}

// ---- Chapter 3: threads of blocks on a matrix ----

void draw_threads(const char *directory, bool is_chinese)
{
    const size_t M = 5, N = 10;
    const dim3 block(4, 2), grid((N - 1) / block.x + 1, (M - 1) / block.y + 1);
    double *d_a, *d_c;
    unsigned int *d_worker, worker[M * N];
    CHECK(cudaMalloc(&d_a, sizeof(double) * M * N));
    CHECK(cudaMalloc(&d_c, sizeof(double) * M * N));
    CHECK(cudaMalloc(&d_worker, sizeof(worker)));
    CHECK(cudaMemset(d_a, 0, sizeof(double) * M * N));
    matrix_add::add_x_along_row<<<grid, block>>>(d_a, d_a, d_c, d_worker, M, N);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(worker, d_worker, sizeof(worker), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_a));
    CHECK(cudaFree(d_c));
    CHECK(cudaFree(d_worker));

    // The place of each thread in the grid is that of the element which it wrote. The threads that
    // wrote nothing are drawn where the host's formula has them.
    const double width = 32, height = 32, left = 88, top = 62;
    const char *const colours[] = {SKY, YELLOW};
    Drawing d = begin_drawing(directory, "threads", is_chinese, 480, 372);
    for (size_t y = 0; y < (size_t)grid.y * block.y; ++y)
    {
        for (size_t x = 0; x < (size_t)grid.x * block.x; ++x)
        {
            const bool is_element = y < M && x < N;
            const unsigned int expected = matrix_add::thread_number_reference(x, y, grid, block);
            const unsigned int number = is_element ? worker[y * N + x] : expected;
            const unsigned int bid = number / (block.x * block.y);
            const unsigned int tid = number % (block.x * block.y);
            const double at_x = left + x * width, at_y = top + y * height;
            rectangle(&d, at_x, at_y, width, height,
                      is_element ? colours[(bid % grid.x + bid / grid.x) % 2] : WHITE, PALE);
            words(&d, at_x + width / 2, at_y + height / 2 + 5, MIDDLE, is_element ? BLACK : GREY,
                  "%u,%u", tid % block.x, tid / block.x);
        }
    }
    for (unsigned int bid = 0; bid < grid.x * grid.y; ++bid)
    {
        outline(&d, left + bid % grid.x * block.x * width, top + bid / grid.x * block.y * height,
                block.x * width, block.y * height, GREY, 1.5, true);
    }
    outline(&d, left, top, N * width, M * height, BLACK, 3, false);
    for (unsigned int x = 0; x < grid.x; ++x)
    {
        words(&d, left + (x + 0.5) * block.x * width, top - 12, MIDDLE, BLACK, "blockIdx.x = %u",
              x);
    }
    words(&d, 8, top - 12, LEFT, BLACK, "blockIdx.y");
    for (unsigned int y = 0; y < grid.y; ++y)
    {
        words(&d, left - 14, top + (y + 0.5) * block.y * height + 5, RIGHT, BLACK, "= %u", y);
    }
    words(&d, 8, 24, LEFT, BLACK,
          say(&d, "%u x %u blocks of %u x %u threads; a matrix of %zu x %zu",
              "%u x %u 个线程块，每块 %u x %u 个线程；%zu 行 %zu 列的矩阵"),
          grid.x, grid.y, block.x, block.y, M, N);
    const double below = top + (double)grid.y * block.y * height;
    words(&d, 8, below + 28, LEFT, BLACK, "%s",
          say(&d, "In a cell: threadIdx.x, threadIdx.y of the thread", "格中是计算该元素的线程的"));
    words(&d, 8, below + 50, LEFT, BLACK, "%s",
          say(&d, "that computes the element.", "threadIdx.x 和 threadIdx.y。"));
    words(&d, 8, below + 78, LEFT, BLACK, "%s",
          say(&d,
              "Threads outside the thick frame have no element:", "粗框以外的线程没有元素可算，"));
    words(&d, 8, below + 100, LEFT, BLACK, "%s",
          say(&d, "the if of the kernel stops them.", "核函数中的 if 挡住它们。"));
    end_drawing(&d);
}

// ---- Chapter 4: when an error shows ----

// The calls of sticky-error.cu, from the write through a null pointer on. A call takes from `start`
// to `end` on the host, in pixels. A launch returns no status.
struct Call
{
    const char *text;
    bool has_status;
    cudaError_t status;
    double start, end;
};

const Call CALLS[] = {
    {"write_to<<<1, 1>>>(NULL)", false, cudaSuccess, 66, 98},
    {"cudaGetLastError()", true, cudaSuccess, 104, 154},
    {"cudaDeviceSynchronize()", true, cudaErrorIllegalAddress, 160, 290},
    {"cudaMalloc(...)", true, cudaErrorIllegalAddress, 296, 346},
    {"cudaMemset(...)", true, cudaErrorIllegalAddress, 352, 402},
};
const int LAUNCH = 0, WAIT = 2;
const double KERNEL_START = 128, KERNEL_FAULT = 256; // on the device

void draw_errors(const char *directory, bool is_chinese)
{
    const double left = 36, width = 236, right = 360, kernel_width = 104, bottom = 420;
    Drawing d = begin_drawing(directory, "errors", is_chinese, 480, 496);
    words(&d, left + width / 2, 26, MIDDLE, BLACK, "%s", say(&d, "host", "主机"));
    words(&d, right + kernel_width / 2, 26, MIDDLE, BLACK, "%s", say(&d, "device", "设备"));
    arrow(&d, 18, 40, 18, bottom, GREY, 1.5);
    words(&d, 10, 26, LEFT, GREY, "%s", say(&d, "time", "时间"));
    for (const Call &call : CALLS)
    {
        const bool is_error = call.status != cudaSuccess;
        rectangle(&d, left, call.start, width, call.end - call.start,
                  is_error          ? "#f7d9c4"
                  : call.has_status ? "#c8eadf"
                                    : PALE,
                  GREY);
        words(&d, left + 10, call.start + 21, LEFT, BLACK, "%s", call.text);
        if (call.has_status)
        {
            words(&d, left + 10, call.end - 9, LEFT, is_error ? "#a03c00" : "#00694d", "%s",
                  cudaGetErrorName(call.status));
        }
    }
    words(&d, left + 10, (CALLS[WAIT].start + CALLS[WAIT].end) / 2 + 5, LEFT, GREY, "%s",
          say(&d, "waits for the kernel", "等待核函数"));
    arrow(&d, left + width, CALLS[LAUNCH].start + 16, right, KERNEL_START, BLUE, 2);
    rectangle(&d, right, KERNEL_START, kernel_width, KERNEL_FAULT - KERNEL_START, SKY, GREY);
    words(&d, right + kernel_width / 2, KERNEL_START + 26, MIDDLE, BLACK, "%s",
          say(&d, "the kernel", "核函数"));
    words(&d, right + kernel_width / 2, KERNEL_START + 46, MIDDLE, BLACK, "%s",
          say(&d, "runs", "在执行"));
    const double x = right + kernel_width / 2, cross = 11;
    line(&d, x - cross, KERNEL_FAULT - cross, x + cross, KERNEL_FAULT + cross, RED, 5);
    line(&d, x - cross, KERNEL_FAULT + cross, x + cross, KERNEL_FAULT - cross, RED, 5);
    words(&d, x, KERNEL_FAULT - 42, MIDDLE, BLACK, "%s", say(&d, "writes to", "写入"));
    words(&d, x, KERNEL_FAULT - 23, MIDDLE, BLACK, "%s", say(&d, "address 0", "地址 0"));
    arrow(&d, x - cross - 4, KERNEL_FAULT + 4, left + width, CALLS[WAIT].end - 8, RED, 2);
    outline(&d, right, KERNEL_FAULT + 20, kernel_width, bottom - KERNEL_FAULT - 38, GREY, 1, true);
    words(&d, x, KERNEL_FAULT + 74, MIDDLE, GREY, "%s", say(&d, "no kernel", "此后"));
    words(&d, x, KERNEL_FAULT + 94, MIDDLE, GREY, "%s", say(&d, "runs after", "不再执行"));
    words(&d, x, KERNEL_FAULT + 114, MIDDLE, GREY, "%s", say(&d, "the error", "核函数"));
    words(&d, 10, bottom + 30, LEFT, BLACK, "%s",
          say(&d, "The launch was accepted, so the next call says success.",
              "核函数的调用没有被拒绝，所以下一个函数返回成功。"));
    words(&d, 10, bottom + 54, LEFT, BLACK, "%s",
          say(&d, "The error shows where the host waits, and it stays.",
              "主机等待时才看到错误，并且错误一直保留。"));
    end_drawing(&d);
}

// ---- Chapter 6: the kinds of memory ----

// What each memory holds on an H200, as bin/query and bin/attributes print it. Of the caches of the
// SM these ask nothing: their sizes are those of the CUDA programming guide for compute capability
// 9.0.
struct Memory
{
    const char *english, *chinese, *size_english, *size_chinese, *who_english, *who_chinese;
};

const Memory REGISTERS = {
    "registers",       "寄存器", "256 KB in an SM", "每个 SM 有 256 KB", "each thread has its own",
    "每个线程各有各的"};
const Memory SHARED = {"shared memory",
                       "共享内存",
                       "up to 228 KB in an SM",
                       "每个 SM 至多 228 KB",
                       "the threads of one block",
                       "同一线程块的线程"};
const Memory L1 = {"L1 cache", "L1 缓存", "", "", "with shared: 256 KB", "连共享内存 256 KB"};
const Memory CONSTANT_CACHE = {"constant cache", "常量缓存", "", "", "8 KB", "8 KB"};
const Memory L2 = {"L2 cache", "L2 缓存", "60 MB", "60 MB", "all SMs", "所有 SM"};
const Memory GLOBAL = {"global memory",          "全局内存",    "140 GB", "140 GB",
                       "threads read and write", "线程可读可写"};
const Memory CONSTANT = {"constant memory", "常量内存",          "64 KB",
                         "64 KB",           "threads only read", "线程只读"};
const Memory HOST = {"host memory", "主机内存", "", "", "the host reads and writes",
                     "主机可读可写"};

void draw_memory(Drawing *d, double x, double y, double width, const Memory *memory,
                 const char *colour)
{
    rectangle(d, x, y, width, 48, colour, GREY);
    words(d, x + 10, y + 20, LEFT, BLACK, "%s", say(d, memory->english, memory->chinese));
    words(d, x + width - 10, y + 20, RIGHT, BLACK, "%s",
          say(d, memory->size_english, memory->size_chinese));
    words(d, x + 10, y + 40, LEFT, "#404040", "%s",
          say(d, memory->who_english, memory->who_chinese));
}

void both_ways(Drawing *d, double x, double y1, double y2)
{
    arrow(d, x, (y1 + y2) / 2, x, y1, BLACK, 1.5);
    arrow(d, x, (y1 + y2) / 2, x, y2, BLACK, 1.5);
}

void draw_memories(const char *directory, bool is_chinese)
{
    const int num_threads = 4;
    const double left = 46, width = 376, thread_width = width / num_threads;
    const double quarter = left + width / 4, three_quarters = left + width * 3 / 4;
    Drawing d = begin_drawing(directory, "memories", is_chinese, 480, 672);
    words(&d, 10, 24, LEFT, BLACK, "%s",
          say(&d, "the GPU, with the sizes of an H200", "GPU，大小以 H200 为例"));
    rectangle(&d, 10, 34, 460, 506, "#f4f4f4", GREY);

    // The SMs: the second and the third lie behind the first.
    for (int behind = 2; behind >= 0; --behind)
    {
        rectangle(&d, 24 + 6 * behind, 56 - 6 * behind, 420, 332, WHITE, GREY);
    }
    words(&d, 34, 76, LEFT, BLACK, "%s", say(&d, "an SM, one of 132", "132 个 SM 之一"));
    outline(&d, 34, 90, 400, 212, BLUE, 1.5, true);
    words(&d, left, 110, LEFT, BLUE, "%s", say(&d, "a block of threads", "一个线程块"));
    for (int thread = 0; thread < num_threads; ++thread)
    {
        const double x = left + thread * thread_width, middle = x + thread_width / 2;
        rectangle(&d, x + 4, 120, thread_width - 8, 26, WHITE, GREY);
        words(&d, middle, 138, MIDDLE, BLACK, say(&d, "thread %d", "线程 %d"), thread);
        both_ways(&d, middle, 146, 168);
    }
    draw_memory(&d, left, 168, width, &REGISTERS, YELLOW);
    both_ways(&d, left + width / 2, 216, 242);
    draw_memory(&d, left, 242, width, &SHARED, YELLOW);
    both_ways(&d, quarter, 302, 330);
    arrow(&d, three_quarters, 330, three_quarters, 302, BLACK, 1.5);
    draw_memory(&d, left, 330, width / 2 - 4, &L1, YELLOW);
    draw_memory(&d, left + width / 2 + 4, 330, width / 2 - 4, &CONSTANT_CACHE, YELLOW);

    both_ways(&d, quarter, 378, 410);
    arrow(&d, three_quarters, 410, three_quarters, 378, BLACK, 1.5);
    draw_memory(&d, 24, 410, 432, &L2, YELLOW);
    both_ways(&d, quarter, 458, 482);
    arrow(&d, three_quarters, 482, three_quarters, 458, BLACK, 1.5);
    draw_memory(&d, 24, 482, 212, &GLOBAL, SKY);
    draw_memory(&d, 244, 482, 212, &CONSTANT, SKY);
    both_ways(&d, quarter, 530, 574);
    both_ways(&d, three_quarters, 530, 574);
    words(&d, 240, 562, MIDDLE, BLACK, "%s", say(&d, "copies", "复制"));
    draw_memory(&d, 10, 574, 460, &HOST, PALE);
    rectangle(&d, 10, 640, 13, 13, YELLOW, GREY);
    words(&d, 29, 652, LEFT, BLACK, "%s", say(&d, "on the chip", "在芯片上"));
    rectangle(&d, 160, 640, 13, 13, SKY, GREY);
    words(&d, 179, 652, LEFT, BLACK, "%s",
          say(&d, "beside the chip, on the card", "在芯片外的显存中"));
    end_drawing(&d);
}

// ---- Chapter 7: the sectors of a warp ----

struct PatternDrawing
{
    const char *name;
    Accesses accesses;
};

void draw_sectors(const char *directory, bool is_chinese)
{
    const unsigned int block_size = WARP_SIZE, grid_size = 8;
    const size_t N = block_size * grid_size;
    TagArrays tags = allocate_tags(N, block_size);
    const Tag *x = tags.x, *y = tags.y;
    Tag *z = tags.z;
    PatternDrawing patterns[] = {{"sequential"}, {"unaligned"}, {"strided"}, {"broadcast"}};
    for (int i = 0; i < 4; ++i)
    {
        clear_tags(&tags);
        switch (i)
        {
        case 0:
            coalescing::add<<<grid_size, block_size>>>(x, y, z, N);
            break;
        case 1:
            coalescing::add_offset<<<grid_size, block_size>>>(x, y, z, N);
            break;
        case 2:
            coalescing::add_stride<<<grid_size, block_size>>>(x, y, z, N);
            break;
        case 3:
            coalescing::add_broadcast<<<grid_size, block_size>>>(x, y, z, N);
            break;
        }
        patterns[i].accesses = find_accesses(&tags);
    }
    free_tags(&tags);

    const size_t of_sector = SECTOR_BYTES / sizeof(float), columns = 8 * of_sector;
    const double cell = 7, height = 14, left = 16, pattern_height = 92;
    Drawing d = begin_drawing(directory, "sectors", is_chinese, 480, 440);
    double top = 34;
    for (const PatternDrawing &pattern : patterns)
    {
        // The address 0 is as good as any: the arrays begin where a sector begins.
        const Traffic traffic = count_traffic(&pattern.accesses, X, (const float *)NULL, 1);
        std::set<size_t> elements, sectors;
        for (size_t i = 0; i < pattern.accesses.count; ++i)
        {
            const Access *access = &pattern.accesses.list[i];
            if (access->thread < WARP_SIZE)
            {
                elements.insert(access->element[X]);
                sectors.insert(access->element[X] / of_sector);
            }
        }
        free(pattern.accesses.list);
        if (sectors.size() != traffic.sectors)
        {
            give_up("%zu sectors are drawn, and %zu are counted", sectors.size(), traffic.sectors);
        }
        words(&d, left, top - 8, LEFT, BLACK,
              say(&d, "%s: sectors: %zu; %zu of %zu bytes used: %g %%",
                  "%s：%zu 个扇区；%zu / %zu 字节有用：%g %%"),
              pattern.name, traffic.sectors, traffic.wanted, traffic.sectors * SECTOR_BYTES,
              degree(&traffic));
        for (size_t sector = 0; sector < N / of_sector; ++sector)
        {
            const double at_x = left + sector * of_sector % columns * cell;
            const double at_y = top + sector * of_sector / columns * height;
            rectangle(&d, at_x, at_y, of_sector * cell, height,
                      sectors.count(sector) > 0 ? YELLOW : WHITE, GREY);
            for (size_t n = sector * of_sector; n < (sector + 1) * of_sector; ++n)
            {
                if (elements.count(n) > 0)
                {
                    rectangle(&d, at_x + n % of_sector * cell + 1, at_y + 2, cell - 2, height - 4,
                              BLUE, "none");
                }
            }
        }
        top += pattern_height;
    }
    top -= 14;
    rectangle(&d, left, top, of_sector * cell, height, YELLOW, GREY);
    words(&d, left + of_sector * cell + 8, top + 12, LEFT, BLACK, "%s",
          say(&d, "a sector of 32 bytes that is transferred", "传输的扇区，32 字节"));
    rectangle(&d, left + of_sector * cell - cell, top + 26, cell - 2, height - 4, BLUE, "none");
    words(&d, left + of_sector * cell + 8, top + 36, LEFT, BLACK, "%s",
          say(&d, "a float that the warp reads", "线程束读取的 float"));
    end_drawing(&d);
}

// ---- Chapter 8: the words that a warp reads from constant memory ----

// The number of the coefficient that each lane reads first.
template <typename Launch>
std::vector<size_t> first_coefficients(Launch launch)
{
    const Traced *c;
    CHECK(cudaGetSymbolAddress((void **)&c, constant::c_table));
    std::vector<size_t> first(WARP_SIZE, SIZE_MAX);
    for (const Statement &s : trace_statements(launch))
    {
        const bool is_coefficient = s.from >= c && s.from < c + constant::NUM_COEFFICIENTS;
        if (s.to == NULL && is_coefficient && first[s.thread] == SIZE_MAX)
        {
            first[s.thread] = s.from - c;
        }
    }
    return first;
}

void draw_reads(Drawing *d, double top, const char *name, const std::vector<size_t> &first)
{
    const double left = 26, cell = 13.5, height = 18, below = top + 76;
    const std::set<size_t> distinct(first.begin(), first.end());
    const size_t lowest = *distinct.begin();
    words(d, 10, top - 28, LEFT, BLACK, "%s", name);
    for (size_t lane = 0; lane < WARP_SIZE; ++lane)
    {
        const size_t word = first[lane] - lowest;
        line(d, left + (lane + 0.5) * cell, top + height, left + (word + 0.5) * cell, below, BLUE,
             1);
    }
    for (size_t n = 0; n < WARP_SIZE; ++n)
    {
        rectangle(d, left + n * cell, top, cell, height, SKY, GREY);
        rectangle(d, left + n * cell, below, cell, height,
                  distinct.count(lowest + n) > 0 ? YELLOW : WHITE, GREY);
    }
    words(d, left, top - 6, LEFT, GREY, "%s", say(d, "lane 0", "束内指标 0"));
    words(d, left + WARP_SIZE * cell, top - 6, RIGHT, GREY, "%zu", WARP_SIZE - 1);
    words(d, left, below + height + 17, LEFT, GREY, "c[%zu]", lowest);
    words(d, left + WARP_SIZE * cell, below + height + 17, RIGHT, GREY, "c[%zu]",
          lowest + WARP_SIZE - 1);
    words(d, left + WARP_SIZE * cell / 2, below + height + 17, MIDDLE, BLACK,
          distinct.size() == 1 ? say(d, "%zu word: %zu turn", "%zu 个字：读 %zu 次")
                               : say(d, "%zu words: %zu turns", "%zu 个字：读 %zu 次"),
          distinct.size(), distinct.size());
}

void draw_broadcast(const char *directory, bool is_chinese)
{
    Traced *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, sizeof(Traced) * WARP_SIZE));
    CHECK(cudaMalloc(&d_y, sizeof(Traced) * WARP_SIZE));
    CHECK(cudaMemset(d_x, 0, sizeof(Traced) * WARP_SIZE));
    const std::vector<size_t> same = first_coefficients(
        [&] { constant::horner_constant<<<1, WARP_SIZE>>>(d_x, d_y, WARP_SIZE); });
    const std::vector<size_t> four = first_coefficients(
        [&] { constant::horner_constant_lane<<<1, WARP_SIZE>>>(d_x, d_y, WARP_SIZE, 4); });
    const std::vector<size_t> all = first_coefficients(
        [&] { constant::horner_constant_lane<<<1, WARP_SIZE>>>(d_x, d_y, WARP_SIZE, WARP_SIZE); });
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));

    Drawing d = begin_drawing(directory, "broadcast", is_chinese, 480, 540);
    draw_reads(&d, 52, say(&d, "constant: all lanes read one word", "constant：所有线程读同一个字"),
               same);
    draw_reads(&d, 218, say(&d, "constant-lane, spread 4", "constant-lane，spread 为 4"), four);
    draw_reads(&d, 384, say(&d, "constant-lane, spread 32", "constant-lane，spread 为 32"), all);
    words(&d, 10, 525, LEFT, BLACK, "%s",
          say(&d, "The constant cache gives a warp one word in a turn.",
              "常量缓存一次只给线程束一个字。"));
    end_drawing(&d);
}

// ---- Chapter 9: banks of shared memory ----

const int BANKS = 32;

// The words of shared memory that a transpose writes, and those that its first warp reads after.
struct TileTrace
{
    std::set<size_t> written, read;
};

template <typename Launch>
TileTrace trace_tile(const Traced *B, size_t num_elements, Launch launch)
{
    const std::vector<Statement> statements = trace_statements(launch);
    const auto is_in_B = [&](const Traced *p)
    {
        return p >= B && p < B + num_elements;
    };
    const Traced *tile = NULL; // where it begins
    for (const Statement &s : statements)
    {
        if (!is_in_B(s.to) && (tile == NULL || s.to < tile))
        {
            tile = s.to;
        }
    }
    TileTrace trace;
    for (const Statement &s : statements)
    {
        if (!is_in_B(s.to))
        {
            trace.written.insert(s.to - tile);
        }
        else if (s.thread < WARP_SIZE)
        {
            trace.read.insert(s.from - tile);
        }
    }
    return trace;
}

// Returns the turns that the shared memory takes: the most words that lie in one bank.
int count_turns(const std::set<size_t> &words_read)
{
    int in_bank[BANKS] = {}, turns = 0;
    for (const size_t word : words_read)
    {
        turns = std::max(turns, ++in_bank[word % BANKS]);
    }
    return turns;
}

void draw_tile(Drawing *d, double left, double top, const char *name, const TileTrace *trace)
{
    const double cell = 6.7;
    std::set<size_t> banks;
    for (const size_t word : trace->read)
    {
        banks.insert(word % BANKS);
    }
    words(d, left, top - 32, LEFT, BLACK, "%s", name);
    words(d, left, top - 10, LEFT, BLACK,
          say(d, "banks: %zu; turns: %d", "bank：%zu 个；%d 次完成"), banks.size(),
          count_turns(trace->read));
    const size_t last = *trace->written.rbegin();
    for (size_t word = 0; word <= last; ++word)
    {
        const bool is_read = trace->read.count(word) > 0;
        if (is_read || trace->written.count(word) == 0)
        {
            rectangle(d, left + word % BANKS * cell, top + word / BANKS * cell, cell, cell,
                      is_read ? BLUE : GREY, "none");
        }
    }
    const size_t num_rows = last / BANKS + 1;
    for (size_t row = 0; row <= num_rows; ++row)
    {
        line(d, left, top + row * cell, left + BANKS * cell, top + row * cell, PALE, 1);
    }
    for (int bank = 0; bank <= BANKS; ++bank)
    {
        line(d, left + bank * cell, top, left + bank * cell, top + num_rows * cell, PALE, 1);
    }
    const double below = top + num_rows * cell + 17;
    words(d, left, below, LEFT, BLACK, "bank 0");
    words(d, left + BANKS * cell, below, RIGHT, BLACK, "%d", BANKS - 1);
}

void draw_banks(const char *directory, bool is_chinese)
{
    const int size = transpose::TILE;
    const dim3 block(size, size);
    Traced *d_A, *d_B;
    CHECK(cudaMalloc(&d_A, sizeof(Traced) * size * size));
    CHECK(cudaMalloc(&d_B, sizeof(Traced) * size * size));
    CHECK(cudaMemset(d_A, 0, sizeof(Traced) * size * size));
    const TileTrace shared = trace_tile(
        d_B, size * size, [&] { transpose::transpose_shared<<<1, block>>>(d_A, d_B, size, size); });
    const TileTrace padded = trace_tile(
        d_B, size * size, [&] { transpose::transpose_padded<<<1, block>>>(d_A, d_B, size, size); });
    CHECK(cudaFree(d_A));
    CHECK(cudaFree(d_B));

    Drawing d = begin_drawing(directory, "banks", is_chinese, 480, 362);
    draw_tile(&d, 15, 58, "shared: [TILE][TILE]", &shared);
    draw_tile(&d, 250, 58, "padded: [TILE][TILE + 1]", &padded);
    rectangle(&d, 15, 312, 12, 12, BLUE, GREY);
    words(&d, 34, 323, LEFT, BLACK,
          say(&d, "the %zu numbers that the first warp reads at once",
              "第一个线程束同时读取的 %zu 个数"),
          shared.read.size());
    rectangle(&d, 15, 336, 12, 12, GREY, GREY);
    words(&d, 34, 347, LEFT, BLACK, "%s", say(&d, "not used", "不使用"));
    end_drawing(&d);
}

// ---- Chapter 9: the halving of a reduction ----

void draw_halving(const char *directory, bool is_chinese)
{
    const int threads = 16;
    Traced *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, sizeof(Traced) * threads));
    CHECK(cudaMalloc(&d_y, sizeof(Traced)));
    const float numbers[threads] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
    CHECK(cudaMemcpy(d_x, numbers, sizeof(numbers), cudaMemcpyHostToDevice));
    std::vector<Statement> statements =
        trace_statements([&] { reduce::reduce_static<<<1, threads>>>(d_x, d_y, threads); });
    float sum;
    CHECK(cudaMemcpy(&sum, d_y, sizeof(sum), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    statements.erase(std::remove_if(statements.begin(), statements.end(),
                                    [](const Statement &s) { return !s.is_sum; }),
                     statements.end());
    // Thread 0 adds in every step, to s_y[0].
    const Traced *s_y = statements.at(0).to;

    const double left = 88, top = 58, width = 24, height = 26, row_height = 76;
    Drawing d = begin_drawing(directory, "halving", is_chinese, 480, 456);
    float now[threads];
    std::copy(numbers, numbers + threads, now);
    std::vector<int> steps_of(threads); // that each thread has done
    words(&d, 10, 28, LEFT, BLACK, "%s", say(&d, "thread", "线程"));
    int rows = 0;
    for (const Statement &s : statements)
    {
        rows = std::max(rows, ++steps_of[s.thread]);
    }
    for (int row = 0; row <= rows; ++row)
    {
        // The step before this row: the row-th sum of each thread that has so many.
        const double y = top + row * row_height;
        std::vector<bool> works(threads);
        std::vector<int> done(threads);
        float before[threads];
        std::copy(now, now + threads, before);
        int offset = 0;
        for (const Statement &s : statements)
        {
            if (++done[s.thread] == row)
            {
                const int to = (int)(s.to - s_y), from = (int)(s.from - s_y);
                offset = from - to;
                works[s.thread] = true;
                now[to] = before[to] + before[from];
                const double x = left + (to + 0.5) * width, above = y - row_height + height;
                line(&d, left + (from + 0.5) * width, above, x, y, RED, 1.5);
                line(&d, x, above, x, y, BLUE, 1.5);
            }
        }
        for (int tid = 0; tid < threads; ++tid)
        {
            const bool is_new = row == 0 || works[tid];
            rectangle(&d, left + tid * width + 1, y, width - 2, height, is_new ? SKY : WHITE, GREY);
            begin_size(&d, 14);
            words(&d, left + (tid + 0.5) * width, y + 18, MIDDLE, is_new ? BLACK : GREY, "%g",
                  now[tid]);
            end_size(&d);
            if (row == 0)
            {
                words(&d, left + (tid + 0.5) * width, 28, MIDDLE, BLACK, "%d", tid);
            }
        }
        row == 0 ? words(&d, 10, y + 18, LEFT, BLACK, "s_y")
                 : words(&d, 10, y + 18, LEFT, BLACK, "offset %d", offset);
    }
    if (now[0] != sum)
    {
        give_up("the drawing's sum is %g, the kernel's %g", now[0], sum);
    }
    words(&d, 10, top + rows * row_height + height + 30, LEFT, BLACK, "%s",
          say(&d, "Blue: the sums that this step has made.", "蓝色：这一步得到的和。"));
    words(&d, 10, top + rows * row_height + height + 54, LEFT, BLACK, "%s",
          say(&d, "The next step has half as many.", "下一步只有一半的线程做加法。"));
    end_drawing(&d);
}

// ---- Chapter 10: the nine cells around an atom ----

void draw_cells(const char *directory, bool is_chinese)
{
    const uint64_t seed = 1;
    const int columns = 7, rows = 5, first_column = 4, first_row = 5;
    const double cell_width = 2.0, scale = 66.0 / cell_width, left = 20, top = 16;
    Atoms atoms = make_graphene(400, seed);
    const CellNumbers numbers = create_cell_numbers(atoms.N);
    const double low_x = first_column * cell_width, low_y = first_row * cell_width;
    const auto to_x = [&](double x)
    {
        return left + (x - low_x) * scale;
    };
    const auto to_y = [&](double y)
    {
        return top + (rows * cell_width - (y - low_y)) * scale;
    };

    // The atom nearest to the picture's middle.
    const Point middle = {low_x + columns * cell_width / 2, low_y + rows * cell_width / 2};
    size_t centre = 0;
    const auto distance = [&](size_t n, Point place)
    {
        return squared_distance({atoms.x[n], atoms.y[n]}, place);
    };
    for (size_t n = 1; n < atoms.N; ++n)
    {
        centre = distance(n, middle) < distance(centre, middle) ? n : centre;
    }
    const unsigned int own = cell_of(numbers, atoms.x[centre], atoms.y[centre]);

    Drawing d = begin_drawing(directory, "cells", is_chinese, 502, 432);
    for (int row = first_row; row < first_row + rows; ++row)
    {
        for (int column = first_column; column < first_column + columns; ++column)
        {
            const double x = column * cell_width, y = row * cell_width;
            const unsigned int cell = cell_of(numbers, x + cell_width / 2, y + cell_width / 2);
            bool is_near = false;
            for (int i = 0; i < 9; ++i)
            {
                is_near = is_near || cell_near(numbers, own, i) == cell;
            }
            rectangle(&d, to_x(x), to_y(y + cell_width), cell_width * scale, cell_width * scale,
                      cell == own ? YELLOW
                      : is_near   ? "#fbf6b5"
                                  : WHITE,
                      GREY);
        }
    }
    circle(&d, to_x(atoms.x[centre]), to_y(atoms.y[centre]), sqrt(CUTOFF_SQUARE) * scale, "none",
           BLUE);
    for (size_t n = 0; n < atoms.N; ++n)
    {
        const double x = atoms.x[n], y = atoms.y[n];
        if (x < low_x || x >= low_x + columns * cell_width || y < low_y ||
            y >= low_y + rows * cell_width)
        {
            continue;
        }
        const double cell_x = (floor(x / cell_width) + 0.5) * cell_width;
        const double cell_y = (floor(y / cell_width) + 0.5) * cell_width;
        if (cell_of(numbers, atoms.x[n], atoms.y[n]) != cell_of(numbers, cell_x, cell_y))
        {
            give_up("an atom is drawn in another cell than its own");
        }
        const bool is_neighbor =
            n != centre && sum_of_squares(atoms.x[n] - atoms.x[centre],
                                          atoms.y[n] - atoms.y[centre]) < CUTOFF_SQUARE;
        circle(&d, to_x(x), to_y(y), 7, n == centre ? BLACK : is_neighbor ? BLUE : PALE, GREY);
    }

    // A cell's number stands in the first of its corners where neither an atom nor the circle is.
    const double half_width = 12, half_height = 6, radius = 8;
    const double from_x = cell_width * scale / 2 - 16, from_y = cell_width * scale / 2 - 10;
    const auto is_free = [&](double x, double y)
    {
        const double from_centre = hypot(to_x(atoms.x[centre]) - x, to_y(atoms.y[centre]) - y);
        bool is_covered = fabs(from_centre - sqrt(CUTOFF_SQUARE) * scale) < half_width;
        for (size_t n = 0; n < atoms.N; ++n)
        {
            is_covered = is_covered || (fabs(to_x(atoms.x[n]) - x) < half_width + radius &&
                                        fabs(to_y(atoms.y[n]) - y) < half_height + radius);
        }
        return !is_covered;
    };
    begin_size(&d, 13);
    for (int row = first_row; row < first_row + rows; ++row)
    {
        for (int column = first_column; column < first_column + columns; ++column)
        {
            const double x = (column + 0.5) * cell_width, y = (row + 0.5) * cell_width;
            const auto corner_x = [&](int i)
            {
                return to_x(x) + (i % 2 == 0 ? -from_x : from_x);
            };
            const auto corner_y = [&](int i)
            {
                return to_y(y) + (i < 2 ? -from_y : from_y);
            };
            int i = 0;
            while (i < 3 && !is_free(corner_x(i), corner_y(i)))
            {
                ++i;
            }
            words(&d, corner_x(i), corner_y(i) + 5, MIDDLE, BLACK, "%u", cell_of(numbers, x, y));
        }
    }
    free_atoms(&atoms);
    end_size(&d);
    const double below = top + rows * cell_width * scale + 24;
    words(&d, left, below, LEFT, BLACK, "%s",
          say(&d, "Middle: an atom. Blue: its neighbours, nearer than 1.9 Å.",
              "圆心：一个原子。蓝色：截断距离 1.9 Å 以内的邻居。"));
    words(&d, left, below + 22, LEFT, BLACK, "%s",
          say(&d, "Yellow: the nine cells to search, each with its number.",
              "黄色：要搜索的九个元胞。元胞里的数是它的编号。"));
    words(&d, left, below + 44, LEFT, BLACK, "%s",
          say(&d, "A cell is 2 Å wide.", "元胞的边长为 2 Å。"));
    end_drawing(&d);
}

// ---- Chapter 11: the shuffles of a warp ----

void draw_shuffle(const char *directory, bool is_chinese)
{
    Traced *d_x, *d_y;
    CHECK(cudaMalloc(&d_x, sizeof(Traced) * WARP_SIZE));
    CHECK(cudaMalloc(&d_y, sizeof(Traced)));
    std::vector<float> numbers(WARP_SIZE, 1.0f);
    CHECK(cudaMemcpy(d_x, numbers.data(), sizeof(Traced) * WARP_SIZE, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(d_y, 0, sizeof(Traced)));
    unsigned int count = 0;
    CHECK(cudaMemcpyToSymbol(g_num_shuffles, &count, sizeof(count)));
    shuffle::reduce_shfl<<<1, WARP_SIZE, sizeof(Traced) * WARP_SIZE>>>(d_x, d_y, WARP_SIZE);
    CHECK_LAUNCH();
    float sum;
    CHECK(cudaMemcpy(&sum, d_y, sizeof(sum), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpyFromSymbol(&count, g_num_shuffles, sizeof(count)));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    if (count > MOST_SHUFFLES)
    {
        give_up("a kernel has %u shuffles, and there is room for %u", count, MOST_SHUFFLES);
    }
    std::vector<Shuffle> shuffles(count);
    CHECK(cudaMemcpyFromSymbol(shuffles.data(), g_shuffles, count * sizeof(Shuffle)));
    std::stable_sort(shuffles.begin(), shuffles.end(),
                     [](const Shuffle &a, const Shuffle &b) { return a.lane < b.lane; });

    // Whether the y of a lane goes into the sum in the end: from the last step to the first.
    const int steps = count / WARP_SIZE;
    const auto shuffle_of = [&](size_t lane, int step)
    {
        return shuffles[lane * steps + step];
    };
    std::vector<std::set<size_t>> counts(steps + 1);
    counts[steps] = {0};
    for (int step = steps - 1; step >= 0; --step)
    {
        for (const size_t lane : counts[step + 1])
        {
            counts[step].insert(lane);
            counts[step].insert(shuffle_of(lane, step).source);
        }
    }

    const double left = 96, cell = 11.7, height = 18, top = 40, row_height = 68;
    Drawing d = begin_drawing(directory, "shuffle", is_chinese, 480, 480);
    words(&d, 10, 26, LEFT, GREY, "%s", say(&d, "lane", "束内指标"));
    words(&d, left + cell / 2, 26, MIDDLE, GREY, "0");
    words(&d, left + 15.5 * cell, 26, MIDDLE, GREY, "15");
    words(&d, left + 31.5 * cell, 26, MIDDLE, GREY, "31");
    for (int row = 0; row <= steps; ++row)
    {
        const double y = top + row * row_height;
        if (row > 0)
        {
            for (const bool is_used : {false, true}) // the used ones lie on top
            {
                for (size_t lane = 0; lane < WARP_SIZE; ++lane)
                {
                    const size_t source = shuffle_of(lane, row - 1).source;
                    if ((counts[row].count(lane) > 0) != is_used || source == lane)
                    {
                        continue;
                    }
                    line(&d, left + (source + 0.5) * cell, y - row_height + height,
                         left + (lane + 0.5) * cell, y, is_used ? RED : PALE, is_used ? 1.5 : 1);
                }
            }
        }
        for (size_t lane = 0; lane < WARP_SIZE; ++lane)
        {
            const bool is_used = counts[row].count(lane) > 0;
            rectangle(&d, left + lane * cell, y, cell, height, is_used ? SKY : WHITE, GREY);
        }
        const Shuffle last = shuffle_of(0, steps - 1);
        const float y_of_0 = row < steps ? shuffle_of(0, row).own : last.own + last.received;
        row == 0 ? words(&d, 10, y + 14, LEFT, BLACK, "y = %g", y_of_0)
                 : words(&d, 10, y + 24, LEFT, BLACK, say(&d, "lane 0: %g", "线程 0：%g"), y_of_0);
        if (row > 0)
        {
            words(&d, 10, y + 4, LEFT, BLACK, "offset %d", (int)shuffle_of(0, row - 1).source);
        }
        if (row == steps && y_of_0 != sum)
        {
            give_up("the drawing's sum is %g, the kernel's %g", y_of_0, sum);
        }
    }
    const double below = top + steps * row_height + height;
    words(&d, 10, below + 34, LEFT, BLACK, "%s",
          say(&d, "Red: y += __shfl_down_sync(FULL_MASK, y, offset)",
              "红色：y += __shfl_down_sync(FULL_MASK, y, offset)"));
    words(&d, 10, below + 58, LEFT, BLACK, "%s",
          say(&d, "Blue: the numbers of which lane 0 gets the sum.",
              "蓝色：最后加到线程 0 中的数。"));
    end_drawing(&d);
}

// ---- Chapter 11: the steps of a scan ----

// Adds, and notes what the left summand is.
struct TracedSum
{
    static const int IDENTITY = 0;

    static __device__ Traced of(const Traced &left, const Traced &right) { return right + left; }
};

void draw_scan(const char *directory, bool is_chinese)
{
    const int threads = scan::BLOCK_SIZE;
    const float numbers[threads] = {3, 1, 4, 1, 5, 9, 2, 6};
    Traced *d_x, *d_y, *d_total;
    CHECK(cudaMalloc(&d_x, sizeof(numbers)));
    CHECK(cudaMalloc(&d_y, sizeof(numbers)));
    CHECK(cudaMalloc(&d_total, sizeof(Traced)));
    CHECK(cudaMemcpy(d_x, numbers, sizeof(numbers), cudaMemcpyHostToDevice));
    const std::vector<Statement> statements = trace_statements(
        [&] { scan::scan_shared<TracedSum><<<1, threads>>>(d_x, d_y, d_total, threads, false); });
    float scanned[threads];
    CHECK(cudaMemcpy(scanned, d_y, sizeof(scanned), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_x));
    CHECK(cudaFree(d_y));
    CHECK(cudaFree(d_total));

    // Thread 0 writes to s_y[0][0], then to s_y[1][0] and so on. It never adds. The first two
    // statements are y = d_x[0] and s_y[0][0] = y.
    const Traced *s_y = statements.at(1).to;
    int rows = 0;
    for (const Statement &s : statements)
    {
        rows += s.thread == 0 && (s.to == s_y || s.to == s_y + threads);
    }

    const double left = 92, width = 47, height = 28, top = 52, row_height = 78;
    Drawing d = begin_drawing(directory, "scan", is_chinese, 480, 386);
    words(&d, 10, 34, LEFT, GREY, "%s", say(&d, "thread", "线程"));
    float now[threads];
    std::copy(numbers, numbers + threads, now);
    std::vector<size_t> at(threads); // the statement of each thread that comes next
    for (size_t i = statements.size(); i-- > 0;)
    {
        at[statements[i].thread] = i;
    }
    for (int row = 0; row < rows; ++row)
    {
        const double y = top + row * row_height;
        float before[threads];
        std::copy(now, now + threads, before);
        int offset = 0;
        std::vector<bool> has_added(threads);
        for (int tid = 0; tid < threads; ++tid)
        {
            // A row ends where the thread writes to the other half of s_y.
            const Traced *const goal = s_y + row % 2 * threads + tid;
            for (; statements.at(at[tid]).to != goal; ++at[tid])
            {
                const Statement s = statements[at[tid]];
                if (s.to == NULL)
                {
                    const int source = (int)(s.from - s_y) % threads;
                    has_added[tid] = true;
                    offset = tid - source;
                    now[tid] = before[source] + before[tid];
                    line(&d, left + (source + 0.5) * width, y - row_height + height,
                         left + (tid + 0.5) * width, y, RED, 2);
                    line(&d, left + (tid + 0.5) * width, y - row_height + height,
                         left + (tid + 0.5) * width, y, BLUE, 2);
                }
            }
            ++at[tid];
        }
        for (int tid = 0; tid < threads; ++tid)
        {
            const double x = left + tid * width;
            const bool is_new = row == 0 || has_added[tid];
            if (!is_new)
            {
                line(&d, x + width / 2, y - row_height + height, x + width / 2, y, GREY, 1);
            }
            rectangle(&d, x + 2, y, width - 4, height, is_new ? SKY : WHITE, GREY);
            words(&d, x + width / 2, y + 20, MIDDLE, is_new ? BLACK : GREY, "%g", now[tid]);
            if (row == 0)
            {
                words(&d, x + width / 2, 34, MIDDLE, GREY, "%d", tid);
            }
        }
        row == 0 ? words(&d, 10, y + 20, LEFT, BLACK, "x")
                 : words(&d, 10, y + 20, LEFT, BLACK, "offset %d", offset);
    }
    if (memcmp(now, scanned, sizeof(now)) != 0)
    {
        give_up("the drawing's scan is not the kernel's");
    }
    const double below = top + (rows - 1) * row_height + height;
    words(&d, 10, below + 32, LEFT, BLACK, "%s",
          say(&d, "Red: the number that lies offset places to the left.",
              "红色：左边相距 offset 的那个数。"));
    words(&d, 10, below + 56, LEFT, BLACK, "%s",
          say(&d, "Blue: the thread has added it. White: it adds nothing.",
              "蓝色：线程加上了这个数。白色：线程不做加法。"));
    end_drawing(&d);
}

// ---- Chapter 12: copies and a kernel at the same time ----

enum Part
{
    COPY_IN,
    KERNEL,
    COPY_OUT,
    NUM_PARTS
};

// An ideal device: two copy engines, a kernel at a time, and times that are proportional to the
// sizes. A part begins when the part before it in its stream has ended, and its engine is free.
// Returns the time of the whole.
double draw_schedule(Drawing *d, double top, int num_streams, double scale)
{
    const double left = 84, height = 26;
    const char *const names[NUM_PARTS] = {say(d, "copy in", "传入"), say(d, "kernel", "核函数"),
                                          say(d, "copy out", "传出")};
    const char *const colours[] = {SKY, YELLOW, ORANGE, "#9fdfca"};
    // Two arrays go in, and one comes back.
    const double times[NUM_PARTS] = {1.0, transfer::WANTED_RATIO, 0.5};
    double engine_free[NUM_PARTS] = {}, end = 0.0;
    for (int part = 0; part < NUM_PARTS; ++part)
    {
        words(d, left - 12, top + part * (height + 4) + 18, RIGHT, BLACK, "%s", names[part]);
    }
    for (int i = 0; i < num_streams; ++i)
    {
        double ready = 0.0;
        for (int part = 0; part < NUM_PARTS; ++part)
        {
            const double start = std::max(ready, engine_free[part]);
            ready = engine_free[part] = start + times[part] / num_streams;
            const double x = left + start * scale, width = (ready - start) * scale;
            rectangle(d, x, top + part * (height + 4), width, height, colours[i % 4], GREY);
            words(d, x + width / 2, top + part * (height + 4) + 18, MIDDLE, BLACK, "%d", i + 1);
        }
        end = std::max(end, ready);
    }
    line(d, left + end * scale, top - 8, left + end * scale, top + NUM_PARTS * (height + 4) + 4,
         RED, 2);
    return end;
}

void draw_overlap(const char *directory, bool is_chinese)
{
    Drawing d = begin_drawing(directory, "overlap", is_chinese, 480, 344);
    const int few = 1, several = transfer::TIMELINE_STREAMS;
    const double scale = 145;
    const double one = draw_schedule(&d, 42, few, scale);
    const double four = draw_schedule(&d, 194, several, scale);
    words(&d, 10, 24, LEFT, BLACK, say(&d, "1 stream: time %.2f", "1 个流：时间 %.2f"), one);
    words(&d, 10, 176, LEFT, BLACK,
          say(&d, "%d streams, a piece each: time %.2f, speed-up %.2f",
              "%d 个流，每个流一份：时间 %.2f，加速比 %.2f"),
          several, four, one / four);
    words(&d, 10, 310, LEFT, BLACK, "%s",
          say(&d, "An ideal device, not measured.", "理想的设备，不是测得的时间。"));
    words(&d, 10, 332, LEFT, BLACK, "%s",
          say(&d, "The whole copy in takes the time 1.", "以全部数据传入的时间为 1。"));
    end_drawing(&d);
}

// ---- Chapter 13: pages that move ----

// Where the pages lie after each step: H on the host, D on the device. A page that was elsewhere
// before has moved, by a fault of its own or all at once by a prefetch.
struct PageStep
{
    const char *english, *chinese, *pages;
    bool is_prefetch;
};

const PageStep PAGE_STEPS[] = {
    {"The host fills x.", "主机给 x 赋值。", "HHHHHHHH", false},
    {"A kernel reads x: eight page faults, a move for each.",
     "核函数读 x：八次缺页异常，每次移动一页。", "DDDDDDDD", false},
    {"The next kernel reads x: nothing moves.", "下一个核函数读 x：不再移动。", "DDDDDDDD", false},
    {"The host reads three pages: three page faults.", "主机读其中三页：三次缺页异常。", "HHHDDDDD",
     false},
    {"The host fills x again: the others move back.", "主机重新给 x 赋值：其余的页也移回来。",
     "HHHHHHHH", false},
    {"cudaMemPrefetchAsync: all move at once, without faults.",
     "cudaMemPrefetchAsync：一次全部移动，没有缺页异常。", "DDDDDDDD", true},
};

void draw_pages(const char *directory, bool is_chinese)
{
    const double cell = 25, height = 26, lefts[] = {10, 270};
    const int num_pages = (int)strlen(PAGE_STEPS[0].pages);
    Drawing d = begin_drawing(directory, "pages", is_chinese, 480, 578);
    words(&d, lefts[0] + num_pages * cell / 2, 24, MIDDLE, GREY, "%s",
          say(&d, "host memory", "主机内存"));
    words(&d, lefts[1] + num_pages * cell / 2, 24, MIDDLE, GREY, "%s",
          say(&d, "device memory", "设备内存"));
    double top = 44;
    const char *before = PAGE_STEPS[0].pages;
    for (const PageStep &step : PAGE_STEPS)
    {
        const bool has_bows = strcmp(step.pages, before) != 0 && !step.is_prefetch;
        const double y = top + (has_bows ? 52 : 20);
        words(&d, 10, top + 10, LEFT, BLACK, "%s", say(&d, step.english, step.chinese));
        for (int side = 0; side < 2; ++side)
        {
            for (int page = 0; page < num_pages; ++page)
            {
                const double x = lefts[side] + page * cell;
                const bool is_here = step.pages[page] == "HD"[side];
                const bool has_moved = is_here && before[page] != step.pages[page];
                rectangle(&d, x, y, cell, height, has_moved ? ORANGE : is_here ? SKY : WHITE, GREY);
                if (is_here)
                {
                    words(&d, x + cell / 2, y + 18, MIDDLE, BLACK, "%d", page);
                }
                if (has_moved && !step.is_prefetch)
                {
                    bow(&d, lefts[1 - side] + (page + 0.5) * cell, x + cell / 2, y, 32, RED, 1);
                }
            }
        }
        if (step.is_prefetch)
        {
            arrow(&d, lefts[0] + num_pages * cell + 8, y + height / 2, lefts[1] - 6, y + height / 2,
                  RED, 7);
        }
        before = step.pages;
        top = y + height + 22;
    }
    rectangle(&d, 10, top, 13, 13, ORANGE, GREY);
    words(&d, 29, top + 12, LEFT, BLACK, "%s", say(&d, "has just moved", "刚刚移动的页"));
    rectangle(&d, 180, top, 13, 13, SKY, GREY);
    words(&d, 199, top + 12, LEFT, BLACK, "%s", say(&d, "was there before", "原来就在这里的页"));
    end_drawing(&d);
}

// ---- Chapter 14: the parts of an array on several devices ----

void draw_devices(const char *directory, bool is_chinese)
{
    const int num_devices = 4;
    const float x[] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3, 2, 3};
    const size_t N = sizeof(x) / sizeof(x[0]);

    const char *const colours[num_devices] = {SKY, YELLOW, ORANGE, "#9fdfca"};
    const double cell = 25, left = 15, device_width = 106, gap = 8;
    Drawing d = begin_drawing(directory, "devices", is_chinese, 480, 470);
    words(&d, left, 26, LEFT, BLACK, say(&d, "an array of %zu numbers", "有 %zu 个数的数组"), N);
    float total = 0;
    const double boxes = 128, gathered = 300;
    for (int device = 0; device < num_devices; ++device)
    {
        const size_t first = parts::first_of(N, num_devices, device);
        const size_t part = parts::first_of(N, num_devices, device + 1) - first;
        const double box = left + device * (device_width + gap), middle = box + device_width / 2;
        float sum = 0;
        for (size_t n = first; n < first + part; ++n)
        {
            rectangle(&d, left + n * cell, 40, cell, 28, colours[device], GREY);
            words(&d, left + (n + 0.5) * cell, 59, MIDDLE, BLACK, "%g", x[n]);
            const double at_x = middle + ((double)(n - first) - part / 2.0) * 20;
            rectangle(&d, at_x, boxes + 36, 20, 26, colours[device], GREY);
            words(&d, at_x + 10, boxes + 54, MIDDLE, BLACK, "%g", x[n]);
            sum += x[n];
        }
        arrow(&d, left + (first + part / 2.0) * cell, 70, middle, boxes - 2, GREY, 1.5);
        outline(&d, box, boxes, device_width, 132, BLACK, 1.5, false);
        words(&d, middle, boxes + 22, MIDDLE, BLACK, say(&d, "device %d", "设备 %d"), device);
        arrow(&d, middle, boxes + 64, middle, boxes + 90, BLACK, 1.5);
        begin_size(&d, 13);
        words(&d, middle + 6, boxes + 81, LEFT, GREY, "%s", say(&d, "kernel", "核函数"));
        end_size(&d);
        rectangle(&d, middle - 24, boxes + 92, 48, 28, colours[device], GREY);
        words(&d, middle, boxes + 111, MIDDLE, BLACK, "%g", sum);
        const double slot = left + 20 + device * 48;
        rectangle(&d, slot, gathered + 40, 48, 28, colours[device], GREY);
        words(&d, slot + 24, gathered + 59, MIDDLE, BLACK, "%g", sum);
        arrow(&d, middle, boxes + 122, slot + 24, gathered + 38, RED, 2);
        total += sum;
    }
    outline(&d, left, gathered, 449, 82, BLACK, 1.5, false);
    words(&d, left + 442, gathered + 20, RIGHT, BLACK, say(&d, "device %d", "设备 %d"), 0);
    const double end = left + 20 + num_devices * 48;
    arrow(&d, end + 4, gathered + 54, end + 110, gathered + 54, BLACK, 1.5);
    words(&d, end + 54, gathered + 46, MIDDLE, GREY, "%s", say(&d, "kernel", "核函数"));
    rectangle(&d, end + 112, gathered + 38, 60, 32, WHITE, BLACK);
    words(&d, end + 142, gathered + 59, MIDDLE, BLACK, "%g", total);
    words(&d, left, gathered + 112, LEFT, BLACK, "%s",
          say(&d, "Each device adds up its own part, all at the same time.",
              "各设备同时对自己的那一段求和。"));
    words(&d, left, gathered + 136, LEFT, BLACK, "%s",
          say(&d, "Red: peer copies take the four sums to device 0,",
              "红色：四个和由设备间的复制送到设备 0，"));
    words(&d, left, gathered + 158, LEFT, BLACK, "%s",
          say(&d, "and a kernel there adds them.", "再由设备 0 上的一个核函数相加。"));
    end_drawing(&d);
}

// ---- Chapter 15: the butterflies of an FFT ----

const int FFT_BITS = 3, FFT_N = 1 << FFT_BITS;

// The drawing's butterflies must give what the definition gives.
void check_butterflies(void)
{
    typedef std::complex<double> Complex;
    const double turn = -2.0 * acos(-1.0) / FFT_N;
    const double numbers[FFT_N] = {3, 1, 4, 1, 5, 9, 2, 6};
    Complex x[FFT_N];
    for (unsigned int n = 0; n < FFT_N; ++n)
    {
        x[fft::reverse_bits(n, FFT_BITS)] = numbers[n];
    }
    for (int step = 0; step < FFT_BITS; ++step)
    {
        for (unsigned int j = 0; j < FFT_N / 2; ++j)
        {
            const fft::Butterfly b = fft::butterfly_of(j, step, FFT_N);
            const Complex a = x[b.upper], wb = std::polar(1.0, turn * b.power) * x[b.lower];
            x[b.upper] = a + wb;
            x[b.lower] = a - wb;
        }
    }
    for (int k = 0; k < FFT_N; ++k)
    {
        Complex sum = 0;
        for (int n = 0; n < FFT_N; ++n)
        {
            sum += numbers[n] * std::polar(1.0, turn * k * n);
        }
        if (!(std::abs(sum - x[k]) < 1e-12))
        {
            give_up("the butterflies give another X[%d] than the definition", k);
        }
    }
}

void draw_butterfly(const char *directory, bool is_chinese)
{
    check_butterflies();
    const char *const powers[] = {"w⁰", "w¹", "w²", "w³"};
    const double top = 62, row_height = 42, first = 178, step_width = 98;
    const auto y_of = [=](unsigned int n)
    {
        return top + n * row_height;
    };
    Drawing d = begin_drawing(directory, "butterfly", is_chinese, 520, 462);
    words(&d, 10, 26, LEFT, GREY, "%s", say(&d, "bit reversal", "位反转"));
    for (unsigned int n = 0; n < FFT_N; ++n)
    {
        const unsigned int place = fft::reverse_bits(n, FFT_BITS);
        words(&d, 10, y_of(n) + 5, LEFT, GREY, "%u%u%u", n >> 2 & 1, n >> 1 & 1, n & 1);
        words(&d, 44, y_of(n) + 5, LEFT, BLACK, "x[%u]", n);
        line(&d, 80, y_of(n), 128, y_of(place), GREY, 1.5);
        words(&d, 132, y_of(place) + 5, LEFT, GREY, "%u%u%u", place >> 2 & 1, place >> 1 & 1,
              place & 1);
        words(&d, first + FFT_BITS * step_width + 10, y_of(n) + 5, LEFT, BLACK, "X[%u]", n);
    }
    for (int step = 0; step < FFT_BITS; ++step)
    {
        const double x1 = first + step * step_width, x2 = x1 + step_width, cross = x1 + 34;
        words(&d, x1 + step_width / 2, 26, MIDDLE, GREY, say(&d, "step %d", "第 %d 步"), step + 1);
        for (unsigned int j = 0; j < FFT_N / 2; ++j)
        {
            const fft::Butterfly b = fft::butterfly_of(j, step, FFT_N);
            const double upper = y_of(b.upper), lower = y_of(b.lower);
            line(&d, x1, upper, x2, upper, BLUE, 1.5);
            line(&d, cross, upper, x2, lower, BLUE, 1.5);
            line(&d, x1, lower, x2, lower, RED, 1.5);
            line(&d, cross, lower, x2, upper, RED, 1.5);
            rectangle(&d, x1 + 8, lower - 11, 26, 22, WHITE, RED);
            words(&d, x1 + 21, lower + 5, MIDDLE, BLACK, "%s", powers[b.power]);
        }
        for (unsigned int j = 0; j < FFT_N / 2; ++j)
        {
            const double lower = y_of(fft::butterfly_of(j, step, FFT_N).lower);
            circle(&d, x2 - 16, lower, 7, WHITE, RED);
            words(&d, x2 - 16, lower + 5, MIDDLE, BLACK, "−");
        }
    }
    for (int step = 0; step <= FFT_BITS; ++step)
    {
        for (unsigned int n = 0; n < FFT_N; ++n)
        {
            circle(&d, first + step * step_width, y_of(n), 3.5, BLACK, BLACK);
        }
    }
    const double below = y_of(FFT_N - 1);
    words(&d, 10, below + 38, LEFT, BLACK, "%s",
          say(&d, "A butterfly: a (blue) and b (red) become", "一个蝶形：a（蓝）和 b（红）变成"));
    words(&d, 10, below + 62, LEFT, BLACK, "%s",
          say(&d, "a + w b above and a − w b below. Here w = exp(−2πi / 8).",
              "上面的 a + w b 和下面的 a − w b，其中 w = exp(−2πi / 8)。"));
    words(&d, 10, below + 86, LEFT, BLACK, "%s",
          say(&d, "001 backwards is 100, so x[1] goes to place 4.",
              "001 倒过来是 100，所以 x[1] 放到位置 4。"));
    end_drawing(&d);
}

// ---- Chapter 21: the halos of two devices ----

void draw_halos(const char *directory, bool is_chinese)
{
    Options options;
    options.nx = 24;
    const real length = (real)(options.nx * LATTICE);
    System sys;
    sys.N = (int)(4 * options.nx * options.nx * options.nx);
    sys.box = {length, length, length, length / 2, length / 2, length / 2};
    sys.list_cutoff = options.list_cutoff;
    multi::Arrays arrays = {};
    arrays.num_devices = 2;
    arrays.border_rows = multi::choose_border_rows(&sys);
    const int rows = multi::count_rows(create_grid(&sys));
    multi::cut_box(&arrays, rows);
    for (int device = 0; device < arrays.num_devices; ++device)
    {
        arrays.slabs[device].domain.device = device;
        multi::plan_slab(&sys, &arrays, &arrays.slabs[device]);
    }

    const double height = 27, width = 170, top = 62, lefts[] = {76, 296};
    Drawing d = begin_drawing(directory, "halos", is_chinese, 480, 484);
    for (int device = 0; device < arrays.num_devices; ++device)
    {
        const multi::Slab *slab = &arrays.slabs[device];
        const double left = lefts[device];
        words(&d, left + width / 2, top - 30, MIDDLE, BLACK, say(&d, "device %d", "设备 %d"),
              device);
        for (int row = 0; row < rows; ++row)
        {
            const int place = row - slab->first_row;
            const bool is_own = place >= 0 && place < slab->num_rows;
            const bool is_border = is_own && (place < arrays.border_rows ||
                                              place >= slab->num_rows - arrays.border_rows);
            bool is_halo = false;
            for (const multi::HaloPiece &piece : slab->halo)
            {
                is_halo =
                    is_halo || (row >= piece.first_row && row < piece.first_row + piece.num_rows);
            }
            const double y = top + (rows - 1 - row) * height;
            rectangle(&d, left, y, width, height,
                      is_border ? ORANGE
                      : is_own  ? SKY
                      : is_halo ? YELLOW
                                : WHITE,
                      GREY);
            words(&d, left + width / 2, y + 20, MIDDLE, BLACK, "%s",
                  is_border ? say(&d, "border", "边界")
                  : is_own  ? say(&d, "inner", "内部")
                  : is_halo ? say(&d, "halo", "晕区")
                            : "");
            words(&d, left - 10, y + 20, RIGHT, GREY, "%d", row);
        }
    }
    words(&d, 10, top + 20, LEFT, GREY, "%s", say(&d, "row", "行"));
    words(&d, 10, top + rows * height + 28, LEFT, BLACK, "%s",
          say(&d, "In each step a device gets the border rows of the",
              "每一步，设备得到另一个设备的边界行，"));
    words(&d, 10, top + rows * height + 50, LEFT, BLACK, "%s",
          say(&d, "other one. They are its halo.", "作为自己的晕区。"));
    words(&d, 10, top + rows * height + 78, LEFT, BLACK, "%s",
          say(&d, "The box is periodic: the first row follows the last.",
              "盒子是周期性的：第一行与最后一行相邻。"));
    end_drawing(&d);
}

int main(int argc, char **argv)
{
    if (argc != 2)
    {
        give_up("usage: draw DIRECTORY");
    }
    for (const bool is_chinese : {false, true})
    {
        draw_warps(argv[1], is_chinese);
        draw_threads(argv[1], is_chinese);
        draw_errors(argv[1], is_chinese);
        draw_memories(argv[1], is_chinese);
        draw_sectors(argv[1], is_chinese);
        draw_broadcast(argv[1], is_chinese);
        draw_banks(argv[1], is_chinese);
        draw_halving(argv[1], is_chinese);
        draw_cells(argv[1], is_chinese);
        draw_shuffle(argv[1], is_chinese);
        draw_scan(argv[1], is_chinese);
        draw_overlap(argv[1], is_chinese);
        draw_pages(argv[1], is_chinese);
        draw_devices(argv[1], is_chinese);
        draw_butterfly(argv[1], is_chinese);
        draw_halos(argv[1], is_chinese);
    }
    return 0;
}
