// draw: the drawings of the chapters' READMEs, as SVG. `make drawings` runs it.
//
// No drawing shows what its author thinks that a kernel does. The kernels and functions below are
// copied out of the chapters' programs when this is compiled, by figures/drawings.sh. They run, and
// the drawings show which elements their threads used. Elements of type Traced note each access.
//
// The lines `from FILE: NAMES` say what is copied into from/FILE.cuh, in the order of the source.
//
// from ch03_framework/matrix-add.cu: thread_number_reference thread_number add_x_along_row
// from ch07_global_mem/coalescing.cu: add add_offset add_stride add_broadcast
// from ch09_shared_mem/transpose.cu: TILE transpose_shared transpose_padded
// from ch09_shared_mem/reduce2gpu.cu: BLOCK_SIZE reduce_static
// from ch12_streams/kernel-transfer.cu: WANTED_RATIO TIMELINE_STREAMS
// from ch21_md/ljmd-multi.cu: HaloPiece Slab Arrays layers_before cells_before count_rows
// from ch21_md/ljmd-multi.cu: choose_border_rows cut_box owner_of_row add_to_halo plan_slab

#include <stdio.h>
#include <stdlib.h>
#include <algorithm>
#include <set>
#include <vector>
#include "../ch07_global_mem/coalescing_sectors.cuh"
#include "../ch10_atomics/cells.cuh"
#include "../ch21_md/fast_arrays.cuh"
#include "svg.h"

// ---- Elements that note who uses them ----

struct Traced;

// What one statement of a thread did: *to = *from or *to += *from.
struct Statement
{
    unsigned int thread; // of its block
    bool is_sum;
    const Traced *to, *from;
};

const unsigned int MOST_STATEMENTS = 4096;
__device__ Statement g_statements[MOST_STATEMENTS];
__device__ unsigned int g_num_statements;

// As large as a float, so it lies in one bank of shared memory.
struct Traced
{
    float value;

    Traced() = default;
    __host__ __device__ Traced(double number) : value((float)number)
    {
    }
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

  private:
    __device__ void note(bool is_sum, const Traced *from)
    {
        const unsigned int number = atomicAdd(&g_num_statements, 1u);
        if (number < MOST_STATEMENTS)
        {
            const unsigned int thread = threadIdx.y * blockDim.x + threadIdx.x;
            g_statements[number] = {thread, is_sum, this, from};
        }
    }
};
static_assert(sizeof(Traced) == sizeof(float), "an element of type Traced fills a bank");

namespace matrix_add
{
#include "from/matrix-add.cuh"
}
namespace coalescing
{
#include "from/coalescing.cuh"
}
#define real Traced
namespace transpose
{
#include "from/transpose.cuh"
}
namespace reduce
{
#include "from/reduce2gpu.cuh"
}
#undef real
namespace transfer
{
#include "from/kernel-transfer.cuh"
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
    const double width = 46, height = 38, left = 78, top = 62;
    const char *const colours[] = {SKY, YELLOW};
    Drawing d = begin_drawing(directory, "threads", is_chinese, 660, 362);
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
                  "%u, %u", tid % block.x, tid / block.x);
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
          say(&d, "%u x %u blocks of %u x %u threads on a matrix of %zu rows and %zu columns",
              "%u x %u 个线程块，每块 %u x %u 个线程；矩阵有 %zu 行 %zu 列"),
          grid.x, grid.y, block.x, block.y, M, N);
    const double below = top + (double)grid.y * block.y * height;
    words(&d, 8, below + 28, LEFT, BLACK, "%s",
          say(&d, "In a cell: threadIdx.x, threadIdx.y of the thread that computes the element.",
              "格中是计算该元素的线程的 threadIdx.x, threadIdx.y。"));
    words(&d, 8, below + 52, LEFT, BLACK, "%s",
          say(&d, "Threads outside the black frame have no element: the kernel's if stops them.",
              "黑框以外的线程没有元素可算：核函数中的 if 挡住它们。"));
    end_drawing(&d);
}

// ---- Chapter 7: the sectors of a warp ----

struct PatternDrawing
{
    const char *name;
    std::vector<Access> accesses;
};

void draw_sectors(const char *directory, bool is_chinese)
{
    const unsigned int block_size = WARP_SIZE, grid_size = 8;
    const size_t N = block_size * grid_size;
    TagArrays tags = allocate_tags(N, block_size);
    const Tag *x = tags.x, *y = tags.y;
    Tag *z = tags.z;
    const PatternDrawing patterns[] = {
        {"sequential",
         trace(&tags, [&] { coalescing::add<<<grid_size, block_size>>>(x, y, z, N); })},
        {"unaligned",
         trace(&tags, [&] { coalescing::add_offset<<<grid_size, block_size>>>(x, y, z, N); })},
        {"strided",
         trace(&tags, [&] { coalescing::add_stride<<<grid_size, block_size>>>(x, y, z, N); })},
        {"broadcast",
         trace(&tags, [&] { coalescing::add_broadcast<<<grid_size, block_size>>>(x, y, z, N); })},
    };
    free_tags(&tags);

    const size_t of_sector = SECTOR_BYTES / sizeof(float), columns = 8 * of_sector;
    const double cell = 9.5, height = 14, left = 20, pattern_height = 92;
    Drawing d = begin_drawing(directory, "sectors", is_chinese, 648, 418);
    double top = 34;
    for (const PatternDrawing &pattern : patterns)
    {
        // The address 0 is as good as any: the arrays begin where a sector begins.
        const Traffic traffic = count_traffic(pattern.accesses, &Access::x, (const float *)NULL, 1);
        std::set<size_t> elements, sectors;
        for (const Access &access : pattern.accesses)
        {
            if (access.thread < WARP_SIZE)
            {
                elements.insert(access.x);
                sectors.insert(access.x / of_sector);
            }
        }
        if (sectors.size() != traffic.sectors)
        {
            give_up("%zu sectors are drawn, and %zu are counted", sectors.size(), traffic.sectors);
        }
        words(&d, left, top - 8, LEFT, BLACK,
              say(&d, "%s: sectors: %zu; %zu of %zu bytes are used: %g %%",
                  "%s：%zu 个扇区；用到 %zu 字节，共传输 %zu 字节：%g %%"),
              pattern.name, traffic.sectors, traffic.wanted, traffic.sectors * SECTOR_BYTES,
              traffic.degree());
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
    rectangle(&d, left + 395, top + 2, cell - 2, height - 4, BLUE, "none");
    words(&d, left + 410, top + 12, LEFT, BLACK, "%s",
          say(&d, "a float that the warp reads", "线程束读取的 float"));
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
    const double cell = 9;
    std::set<size_t> banks;
    for (const size_t word : trace->read)
    {
        banks.insert(word % BANKS);
    }
    words(d, left, top - 32, LEFT, BLACK, "%s", name);
    words(d, left, top - 10, LEFT, BLACK,
          say(d, "%zu words; banks: %zu; turns: %d", "%zu 个字；bank：%zu 个；%d 次完成"),
          trace->read.size(), banks.size(), count_turns(trace->read));
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

    Drawing d = begin_drawing(directory, "banks", is_chinese, 660, 430);
    draw_tile(&d, 20, 58, "shared: s_tile[TILE][TILE]", &shared);
    draw_tile(&d, 350, 58, "padded: s_tile[TILE][TILE + 1]", &padded);
    rectangle(&d, 20, 403, 12, 12, BLUE, GREY);
    words(&d, 38, 414, LEFT, BLACK, "%s",
          say(&d, "read by the first warp, at the same time", "第一个线程束同时读取"));
    rectangle(&d, 380, 403, 12, 12, GREY, GREY);
    words(&d, 398, 414, LEFT, BLACK, "%s", say(&d, "not used", "不使用"));
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

    const double left = 92, top = 58, width = 34, height = 26, row_height = 76;
    Drawing d = begin_drawing(directory, "halving", is_chinese, 660, 428);
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
            words(&d, left + (tid + 0.5) * width, y + 18, MIDDLE, is_new ? BLACK : GREY, "%g",
                  now[tid]);
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
          say(&d, "Blue: the sums that this step has made. The next step has half as many.",
              "蓝色：这一步得到的和。下一步只有一半的线程做加法。"));
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
    free_atoms(&atoms);
    begin_size(&d, 13);
    for (int row = first_row; row < first_row + rows; ++row)
    {
        for (int column = first_column; column < first_column + columns; ++column)
        {
            const double x = (column + 0.5) * cell_width, y = (row + 0.5) * cell_width;
            words(&d, left + 4 + (column - first_column) * cell_width * scale,
                  top + 15 + (first_row + rows - 1 - row) * cell_width * scale, LEFT, BLACK, "%u",
                  cell_of(numbers, x, y));
        }
    }
    end_size(&d);
    const double below = top + rows * cell_width * scale + 24;
    words(&d, left, below, LEFT, BLACK, "%s",
          say(&d, "Black: an atom. Blue: its neighbours, within the cutoff of 1.9 A.",
              "黑色：一个原子。蓝色：截断距离 1.9 A 以内的邻居。"));
    words(&d, left, below + 22, LEFT, BLACK, "%s",
          say(&d, "Yellow: the nine cells that are searched, each with its number.",
              "黄色：要搜索的九个格子。格子里的数是它的编号。"));
    words(&d, left, below + 44, LEFT, BLACK, "%s",
          say(&d, "A cell is 2 A wide.", "格子的边长为 2 A。"));
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
    const double left = 96, height = 26;
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
    Drawing d = begin_drawing(directory, "overlap", is_chinese, 660, 320);
    const int few = 1, several = transfer::TIMELINE_STREAMS;
    const double scale = 205;
    const double one = draw_schedule(&d, 42, few, scale);
    const double four = draw_schedule(&d, 194, several, scale);
    words(&d, 10, 24, LEFT, BLACK, say(&d, "1 stream: time %.2f", "1 个流：时间 %.2f"), one);
    words(&d, 10, 176, LEFT, BLACK,
          say(&d, "%d streams, a piece each: time %.2f, speed-up %.2f",
              "%d 个流，每个流一份：时间 %.2f，加速比 %.2f"),
          several, four, one / four);
    words(&d, 10, 310, LEFT, BLACK, "%s",
          say(&d, "An ideal device, not measured. The whole copy in takes the time 1.",
              "理想的设备，不是测得的时间。以全部数据传入的时间为 1。"));
    end_drawing(&d);
}

// ---- Chapter 21: the halos of two devices ----

void draw_halos(const char *directory, bool is_chinese)
{
    Args args;
    Simulation sim;
    sim.args = &args;
    sim.nx = 24;
    sim.N = (int)(4 * sim.nx * sim.nx * sim.nx);
    const real length = (real)(sim.nx * LATTICE);
    sim.box = {length, length, length, length / 2, length / 2, length / 2};
    multi::Arrays arrays = {};
    arrays.num_devices = 2;
    arrays.border_rows = multi::choose_border_rows(&sim);
    const int rows = multi::count_rows(create_grid(&sim));
    multi::cut_box(&arrays, rows);
    for (int device = 0; device < arrays.num_devices; ++device)
    {
        arrays.slabs[device].domain.device = device;
        multi::plan_slab(&sim, &arrays, &arrays.slabs[device]);
    }

    const double height = 27, width = 210, top = 62, lefts[] = {90, 420};
    Drawing d = begin_drawing(directory, "halos", is_chinese, 660, 470);
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
          say(&d, "In each step a device gets the other's border rows: they are its halo.",
              "每一步，设备从另一个设备得到它的边界行，作为自己的晕区。"));
    words(&d, 10, top + rows * height + 52, LEFT, BLACK, "%s",
          say(&d, "The box is periodic: its first row lies beside its last one.",
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
        draw_threads(argv[1], is_chinese);
        draw_sectors(argv[1], is_chinese);
        draw_banks(argv[1], is_chinese);
        draw_halving(argv[1], is_chinese);
        draw_cells(argv[1], is_chinese);
        draw_overlap(argv[1], is_chinese);
        draw_halos(argv[1], is_chinese);
    }
    return 0;
}
