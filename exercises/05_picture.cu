// 05_picture: each pixel of a picture once
// 05_picture.zh: 图像的每个像素只处理一次
//
// Kind: mend
// Chapter: 3
// Program: ch03_framework/grayscale.cu
// Book: 7.2.1
// Compile: -DJUDGED_WRITES=4 -Wl,--wrap=__tsan_write4
// Goal: A picture has `height` rows of `width` pixels, one row after the other in memory. It shall become
//   brighter to the right: x + 1 is added to each pixel of column x, exactly once. The grid of 16 x 16 blocks is
//   rounded up in both directions, so some threads have no pixel. x is the thread's column, y its row.
// Goal.zh: 图像有 height 行，每行 width 个像素，在内存中一行接一行。要让它越往右越亮：第 x 列的每个像素加上 x + 1，
//   只加一次。网格由 16 x 16 的线程块组成，在两个方向上都向上取整，所以有些线程没有像素。x 是线程的列，y 是它的行。
// Hint 1: Draw a picture of 5 columns and 7 rows, and a block of 16 x 16 threads over it. Which pixel does the
//   thread with x = 5, y = 0 change now?
// Hint 1.zh: 画一个 5 列 7 行的图像，再在上面画一个 16 x 16 个线程的线程块。x = 5、y = 0 的线程现在改的是哪个像素？
// Hint 2: Behind the last pixel of a row comes the first one of the next row. A thread to the right of the picture so has
//   a number that another thread has, too. Ask where a thread is, and not for its number.
// Hint 2.zh: 一行的最后一个像素后面，紧接着就是下一行的第一个像素。所以图像右边的线程得到的编号，别的线程也有。
//   要判断的是线程的位置，不是它的编号。
// Hint 3: In the if. A thread can be outside in two ways: to the right of the picture, or below it.
// Hint 3.zh: 在那个 if 里。线程不在图像里有两种情形：在图像的右边，或者在图像的下边。
// After: With one number for all pixels a thread outside does not look wrong: it takes a pixel that has its own thread,
//   and on a card the two race. A picture whose sides are multiples of 16 never shows it. x runs along the row, so
//   the threads of a warp have neighbouring pixels and their accesses are coalesced. See ch03_framework/grayscale.cu
//   and matrix-add.cu, ch06_memory/pitched.cu for rows with gaps, and section 7.2.1 of the book.
// After.zh: 只判断像素的总编号，就拦不住图像右边的线程：它会拿到一个已有线程的像素，在显卡上两者竞争。边长都是 16 的倍数时，
//   这种错误根本看不出来。x 沿着行的方向，一个线程束的线程处理相邻的像素，访问是合并的。见 ch03_framework/grayscale.cu
//   和 matrix-add.cu；行与行之间有空隙的情形见 ch06_memory/pitched.cu；书的 7.2.1 节。

#include <stdio.h>

__global__ void brighten(int *picture, int width, int height)
{
    //[
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    //| const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    //| const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x < width && y < height)
    //| if (y * width + x < width * height) // is each pixel changed once?
    //zh if (y * width + x < width * height) // 每个像素都只改了一次吗？
    {
        picture[y * width + x] += x + 1;
    }
    //| {
    //|     picture[y * width + x] += x + 1;
    //| }
    //]
}

// The picture is in memory of the device.
//zh 图像在设备内存中。
void brighten_all(int *picture, int width, int height)
{
    const dim3 block_size(16, 16);
    const dim3 grid_size((width + 15) / 16, (height + 15) / 16);
    brighten<<<grid_size, block_size>>>(picture, width, height);
}

int main(void)
{
    const int width = 5, height = 7;
    int *picture;
    cudaMallocManaged((void **)&picture, width * height * sizeof(int));
    for (int n = 0; n < width * height; ++n)
    {
        picture[n] = 100;
    }
    brighten_all(picture, width, height);
    cudaDeviceSynchronize();
    for (int n = 0; n < width * height; ++n)
    {
        printf("%d%c", picture[n], n % width == width - 1 ? '\n' : ' ');
    }
    return cudaFree(picture);
}

#if 0
//== child
// There is room before and behind the picture: what is changed there is seen, too. Some cases have other
// blocks.
static void run_case()
{
    int *all = judged::on_device<int>(0), *picture = all + judged::number(2);
    const int width = judged::number(0), height = judged::number(1);
    const int bx = judged::number(3), by = judged::number(4);
    judged::watch_writes(all, 0, 1);
    if (bx == 16 && by == 16)
    {
        brighten_all(picture, width, height);
    }
    else
    {
        const dim3 grid((width - 1) / bx + 1, (height - 1) / by + 1);
        brighten<<<grid, dim3(bx, by)>>>(picture, width, height);
    }
    cudaDeviceSynchronize();
    judged::watch_writes(NULL, 0, 1);
    judged::from_device(0, all);
}

//== judge
#include "judge.h"
enum
{
    BEFORE = 512, // elements before the picture
    MOST = 60000  // of all
};

static void add(long width, long height, long bx = 16, long by = 16)
{
    const long pixels = width * height, behind = 16 * (width + height) + 1024;
    Case *c = add_case({width, height, BEFORE, bx, by});
    int *all = output<int>(c, BEFORE + pixels + behind);
    notes(c, (width + bx) * (height + by));
    for (long i = 0; i < BEFORE + pixels + behind; ++i)
    {
        all[i] = random_number(0, 1000000);
    }
}

static void prepare()
{
    add(5, 7);
    add(33, 65);
    add(65, 33);
    add(16 * random_number(1, 3), 16 * random_number(4, 5)); // no thread is left over
    add(random_number(17, 31), random_number(33, 47));
    add(random_number(33, 47), random_number(17, 31), 32, 4);
    add(1, 31);
    add(127, 1);
    add(1, 1);
    add(random_number(1100, 1300), 2);
    add(2, random_number(1100, 1300));
}

// What kernels with known mistakes do: as which column and row a thread sees itself, whether it takes part,
// and which pixel it changes.
struct Mistake
{
    const char *id; // NULL: it is right so
    long (*x)(const long *), (*y)(const long *);
};
enum
{
    X, Y, TX, TY, BX, BY, DX, DY, GX, GY, W, H, NUMBERS
};
#define OF(expression)        \
    [](const long *v) -> long \
    {                         \
        return expression;    \
    }
static const Mistake PLACES[] = {
    {NULL, OF(v[X]), OF(v[Y])},
    {"turned", OF(v[Y]), OF(v[X])},
    {"x_of_block", OF(v[TX]), OF(v[Y])},
    {"y_of_block", OF(v[X]), OF(v[TY])},
    {"xy_of_block", OF(v[TX]), OF(v[TY])},
    {"xy_of_grid", OF(v[BX]), OF(v[BY])},
    {"xy_of_grid", OF(v[DX] * v[BX]), OF(v[DY] * v[BY])},
    {"xy_of_grid", OF(v[BX] * v[TX]), OF(v[BY] * v[TY])},
    {"x_of_grid", OF(v[BX]), OF(v[Y])},
    {"y_of_grid", OF(v[X]), OF(v[BY])},
    {"x_of_grid", OF(v[DX] * v[BX]), OF(v[Y])},
    {"y_of_grid", OF(v[X]), OF(v[DY] * v[BY])},
    {"by_grid", OF(v[GX] * v[BX] + v[TX]), OF(v[GY] * v[BY] + v[TY])},
    {"by_sum", OF(v[BX] + v[TX]), OF(v[BY] + v[TY])},
    {"y_mixed", OF(v[X]), OF(v[DY] * v[BX] + v[TY])},
    {"y_mixed", OF(v[X]), OF(v[DY] * v[BY] + v[TX])},
    {"y_mixed", OF(v[X]), OF(v[DX] * v[BY] + v[TY])},
    {"y_mixed", OF(v[X]), OF(v[X])},
    {"x_mixed", OF(v[DX] * v[BY] + v[TX]), OF(v[Y])},
    {"x_mixed", OF(v[DX] * v[BX] + v[TY]), OF(v[Y])},
    {"x_mixed", OF(v[DY] * v[BX] + v[TX]), OF(v[Y])},
    {"x_mixed", OF(v[Y]), OF(v[Y])},
};
static const Mistake INDICES[] = {
    {NULL, OF(v[Y] * v[W] + v[X])},
    {"by_height", OF(v[Y] * v[H] + v[X])},
    {"columns", OF(v[X] * v[H] + v[Y])},
    {"columns_by_width", OF(v[X] * v[W] + v[Y])},
    {"by_threads", OF(v[Y] * v[DX] + v[X])},
    {"by_threads", OF(v[Y] * v[GX] * v[DX] + v[X])},
    {"sum_of_both", OF(v[X] + v[Y])},
    {"x_only", OF(v[X])},
    {"y_only", OF(v[Y])},
    {"first_of_row", OF(v[Y] * v[W])},
    {"product", OF(v[Y] * v[W] * v[X])},
    {"brackets", OF(v[Y] * (v[W] + v[X]))},
    {"row_shifted", OF((v[Y] - 1) * v[W] + v[X])},
    {"row_shifted", OF((v[Y] + 1) * v[W] + v[X])},
    {"one_shifted", OF(v[Y] * v[W] + v[X] + 1)},
    {"one_shifted", OF(v[Y] * v[W] + v[X] - 1)},
    {"stride", OF(v[Y] * (v[W] - 1) + v[X])},
    {"stride", OF(v[Y] * (v[W] + 1) + v[X])},
};
static const Mistake GUARDS[] = {
    {NULL, OF(v[X] < v[W] && v[Y] < v[H])},
    {"by_count", OF(v[Y] * v[W] + v[X] < v[W] * v[H])},
    {"only_x", OF(v[X] < v[W])},
    {"only_y", OF(v[Y] < v[H])},
    {"of_thread", OF(v[TX] < v[W] && v[TY] < v[H])},
    {"no_guard", OF(1)},
    {"sides_turned", OF(v[X] < v[H] && v[Y] < v[W])},
    {"sides_turned", OF(v[X] <= v[H] && v[Y] <= v[W])},
    {"width_twice", OF(v[X] < v[W] && v[Y] < v[W])},
    {"height_twice", OF(v[X] < v[H] && v[Y] < v[H])},
    {"either", OF(v[X] < v[W] || v[Y] < v[H])},
    {"either", OF(v[X] + v[Y] < v[W] + v[H])},
    {"either", OF(v[X] * v[Y] < v[W] * v[H])},
    {"either", OF(v[Y] * v[W] + v[X] <= v[W] * v[H])},
    {"to_width", OF(v[X] <= v[W] && v[Y] < v[H])},
    {"to_height", OF(v[X] < v[W] && v[Y] <= v[H])},
    {"to_both", OF(v[X] <= v[W] && v[Y] <= v[H])},
    {"only_equal", OF(v[X] != v[W] && v[Y] != v[H])},
    {"last_column", OF(v[X] < v[W] - 1 && v[Y] < v[H])},
    {"last_row", OF(v[X] < v[W] && v[Y] < v[H] - 1)},
    {"last_of_both", OF(v[X] < v[W] - 1 && v[Y] < v[H] - 1)},
    {"first_column", OF(v[X] > 0 && v[X] < v[W] && v[Y] < v[H])},
    {"first_row", OF(v[X] < v[W] && v[Y] > 0 && v[Y] < v[H])},
    {"first_of_both", OF(v[X] > 0 && v[Y] > 0 && v[X] < v[W] && v[Y] < v[H])},
    {"only_one", OF(v[X] == 0 && v[Y] == 0)},
    {"opposite", OF(!(v[X] < v[W] && v[Y] < v[H]))},
    {"opposite", OF(v[X] >= v[W] && v[Y] >= v[H])},
    {"opposite", OF(v[X] > v[W] && v[Y] > v[H])},
};
enum
{
    NUM_PLACES = sizeof(PLACES) / sizeof(PLACES[0]),
    NUM_INDICES = sizeof(INDICES) / sizeof(INDICES[0]),
    NUM_GUARDS = sizeof(GUARDS) / sizeof(GUARDS[0])
};

// Whether these mistakes leave what has been added to each element. The numbers of the last thread with a
// pixel stay in v.
static bool leave(const Mistake *place, const Mistake *index, const Mistake *guard, long *v, const long *added,
                  long count)
{
    static long sum[MOST];
    memset(sum, 0, count * sizeof(sum[0]));
    for (long k = 0; k < v[GX] * v[GY] * v[DX] * v[DY]; ++k)
    {
        const long i = k % (v[GX] * v[DX]), j = k / (v[GX] * v[DX]);
        v[X] = i, v[Y] = j, v[BX] = i / v[DX], v[BY] = j / v[DY], v[TX] = i % v[DX], v[TY] = j % v[DY];
        const long x = place->x(v), y = place->y(v);
        v[X] = x, v[Y] = y;
        if (guard->x(v))
        {
            const long n = BEFORE + index->x(v);
            if (n < 0 || n >= count)
            {
                return false;
            }
            sum[n] += x + 1;
        }
    }
    return memcmp(sum, added, count * sizeof(sum[0])) == 0;
}

static void look(const Case *c)
{
    static long added[MOST];
    const long width = c->number[0], height = c->number[1], pixels = width * height;
    const long count = c->arrays[0].count;
    const int *now = array<int>(c, 0), *was = before<int>(c, 0);
    long num_wrong = 0, first = -1, num_changed = 0, inside_changed = 0, launches = 0;
    for (long i = 0; i < count; ++i)
    {
        const long n = i - BEFORE, want = n >= 0 && n < pixels ? n % width + 1 : 0;
        added[i] = (long)now[i] - was[i];
        num_changed += added[i] != 0;
        inside_changed += added[i] != 0 && n >= 0 && n < pixels;
        num_wrong += added[i] != want;
        first = first < 0 && added[i] != want ? n : first;
    }
    Launch l = {};
    for (Launch next; launch_of(c, launches, &next); ++launches)
    {
        l = next;
    }
    value("width", "%ld", width);
    value("height", "%ld", height);
    value("grid", "%u x %u", l.grid[0], l.grid[1]);
    value("blocksize", "%u x %u", l.block[0], l.block[1]);
    value("num", "%ld", num_wrong);
    const long bx = c->number[3], by = c->number[4];
    const long columns = (width - 1) / bx + 1, rows = (height - 1) / by + 1; // of blocks
    if (l.grid[0] == bx && l.grid[1] == by && l.block[0] == columns && l.block[1] == rows && columns != bx)
    {
        wrong("exchanged");
        return;
    }
    if (num_wrong == 0 && launches > 0)
    {
        if (l.block[1] == 1 && by > 1)
        {
            wrong("one_line");
        }
        if (with_several(c, 1) > 0)
        {
            wrong("one_thread");
        }
        return;
    }
    value("n", "%ld", first);
    value("x", "%ld", ((first % width) + width) % width);
    value("y", "%ld", first / width);
    value("got", "%ld", added[BEFORE + first]);
    value("want", "%ld", first < 0 || first >= pixels ? 0 : first % width + 1);
    value("shown", "%d", now[BEFORE + first]);
    if (launches == 0)
    {
        wrong(num_wrong == 0 ? "on_host" : "no_launch");
        return;
    }
    if (num_changed == 0)
    {
        wrong("nothing");
        return;
    }
    if (launches > 1 || l.block[0] != bx || l.block[1] != by || l.grid[0] != columns || l.grid[1] != rows)
    {
        if (launches > 1)
        {
            value("launches", "%ld", launches);
            wrong("launched_twice");
        }
        const bool turned = l.block[0] == bx && l.block[1] == by && l.grid[0] == (height - 1) / bx + 1 && l.grid[1] == (width - 1) / by + 1;
        wrong(turned ? "grid_turned" : "launch");
        return;
    }
    bool twice = true, constant = true, negative = true, column_only = true, assigned = true, by_row = true;
    bool block_step = true, block_step_x = true, block_step_y = true;
    for (long n = 0; n < pixels; ++n)
    {
        const long d = added[BEFORE + n], want = n % width + 1;
        const long before_x = n % width / bx + 1, before_y = n / width / by + 1; // blocks up to this pixel's
        block_step = block_step && d == want * before_x * before_y;
        block_step_x = block_step_x && d == want * before_x;
        block_step_y = block_step_y && d == want * before_y;
        twice = twice && d % want == 0 && d > 0;
        negative = negative && d == -want;
        constant = constant && d == added[BEFORE];
        column_only = column_only && d == want - 1;
        by_row = by_row && d == n / width + 1;
        assigned = assigned && now[BEFORE + n] == want;
    }
    if (num_changed == inside_changed && (assigned || negative || column_only || by_row || constant))
    {
        wrong(assigned      ? "assigned"
              : negative    ? "darker"
              : column_only ? "without_one"
              : by_row      ? "by_row"
                            : "all_the_same");
        return;
    }
    if (num_changed == inside_changed && (block_step || block_step_x || block_step_y))
    {
        value("times", "%ld", added[BEFORE + first] / (first % width + 1));
        wrong("block_step");
        return;
    }
    // Which mistake leaves just this? If none does: which two?
    long v[NUMBERS] = {};
    v[GX] = l.grid[0], v[GY] = l.grid[1], v[DX] = bx, v[DY] = by, v[W] = width, v[H] = height;
    for (int mistakes = 1; mistakes <= 2; ++mistakes)
    {
        for (int k = 0; k < NUM_PLACES * NUM_INDICES * NUM_GUARDS; ++k)
        {
            const Mistake *place = &PLACES[k / (NUM_INDICES * NUM_GUARDS)];
            const Mistake *index = &INDICES[k / NUM_GUARDS % NUM_INDICES];
            const Mistake *guard = &GUARDS[k % NUM_GUARDS];
            if ((place->id != NULL) + (index->id != NULL) + (guard->id != NULL) == mistakes &&
                leave(place, index, guard, v, added, count))
            {
                v[X] = 0, v[Y] = 1;
                value("stride", "%ld", index->x(v));
                const bool all_turned = index == &INDICES[1] && guard == &GUARDS[6];
                const Mistake *first_of = place->id != NULL ? place : index->id != NULL ? index : guard;
                wrong(all_turned ? "names_turned" : first_of->id);
                return;
            }
        }
    }
    wrong(num_changed > inside_changed ? "outside"
          : twice                                                 ? "several_times"
          : inside_changed < pixels && added[BEFORE + first] == 0 ? "left_out"
                                                                  : "other");
}

//== time
static int *picture;
static int width, height;

static void set_up()
{
    width = ON_GPU ? 16387 : 387;
    height = timed::elements(sizeof(int)) / width;
    picture = (int *)timed::memory(sizeof(int) * width * height);
}
static void run_once() { brighten_all(picture, width, height); }
static double bytes_moved() { return 2.0 * sizeof(int) * width * height; }

//== says
loop_too_far for to_width or to_height or to_both or outside or other or several_times or by_count or past_end when /\bfor\s*\([^;]*;[^;]*<=\s*(?:width|height)\b/ at /\bfor\b[^;]*;[^;]*<=/: This loop goes one step too far: with <= it also does column {width} or row {height}, and both are counted from 0.
loop_too_far.zh: 这个循环多走了一步：用 <= 时，第 {width} 列或第 {height} 行也会处理，而列和行都从 0 开始数。
no_effect for nothing when /(?:^|[;{}])\s*picture\s*\[[^\]]*\]\s*[+]\s*[^;=]*;/ at /picture\s*\[[^\]]*\]\s*[+]/: This line computes a sum, and puts it nowhere: no pixel is changed.
no_effect.zh: 这一行算出了和，却没有存到任何地方：没有改动任何像素。
copy_only for nothing when /^(?!.*\bpicture\s*\[[^\]]*\]\s*[+]?=(?!=)).*\bint\s+\w+\s*=\s*picture\s*\[/ at /\bint\s+\w+\s*=\s*picture\s*\[/: This takes a copy of the pixel. Changing the copy does not change the picture: nothing is written back.
copy_only.zh: 这里取出的是像素的一个副本。修改副本不会改变图像：没有写回去。
read_before for race_update or race_between_blocks or race_in_block or past_end when /\bint\s+\w+\s*=\s*picture\s*\[[^;]*;[^{}]*\bif\b/ at /=\s*picture\s*\[/: The pixel is read before the condition, so threads without a pixel read another thread's pixel, too.
read_before.zh: 这里在条件之前就读了像素，于是没有像素的线程也会读别的线程的像素。
from_right for other or several_times or all_the_same when /\bwidth\s*-\s*x\b/ at /\bwidth\s*-\s*x\b/: Every pixel is changed, but by another value: this becomes less to the right. Column x gets x + 1.
from_right.zh: 每个像素都改了，但加的值不对：这个值越往右越小。第 x 列要加 x + 1。
with_row for other or several_times when /\(\s*x\s*\+\s*1\s*\)\s*\*\s*\(?\s*y\b|\by\s*\+\s*1\s*\)\s*\*\s*\(\s*x\b|[+]=\s*x\s*[+*]\s*y\b/ at /picture\s*\[|[+]=/: Every pixel is changed, but by another value: here it depends on the row, too. Column x gets x + 1.
with_row.zh: 每个像素都改了，但加的值不对：这里的值还和行有关。第 x 列要加 x + 1。
several_indices for compile when /picture\s*\[[^\]]*\]\s*\[/ at /picture\s*\[[^\]]*\]\s*\[/: The picture is one array with one index, row after row. How many pixels come before the row y?
several_indices.zh: 图像是一个一维数组，只有一个指标，一行接一行。第 y 行之前一共有多少个像素？
condition_ends for expected when /\bif\s*\([^()]*\)\s*(?:&&?|\|\|?)/ at /\bif\b/: The bracket of the if closes after the first comparison. The whole condition stands in one pair of brackets.
condition_ends.zh: if 的括号在第一个比较之后就结束了。整个条件要写在同一对括号里。
semicolon for no_guard or by_count or past_end when /\bif\s*(\((?:[^();{}]++|(?1))*\))\s*;/ at /\bif\b/: The ; behind the condition ends the if here: what follows is done by every thread.
semicolon.zh: 条件后面的分号 ; 使 if 到此为止：后面的语句每个线程都会执行。
comma for only_y or only_x when /if\s*\([^;{}()&|]*,/ at /if\s*\(/: A comma does not join two conditions: only what stands behind it counts.
comma.zh: 逗号不能把两个条件连起来：只有逗号后面的那个起作用。
thread_subtracted for race_update or several_times or other or outside or before_start or past_end or left_out when /-\s*threadIdx/ at /-\s*threadIdx/: threadIdx is subtracted here. Thread 0 comes first in its block, and the others lie behind it.
thread_subtracted.zh: 这里减去了 threadIdx。线程 0 在线程块的最前面，其他线程在它之后。
divided for left_out or other or all_the_same when /\+=[^;]*\/\s*\w/ at /\+=[^;]*\//: What is added is divided here. Column x gets x + 1.
divided.zh: 这里加的值被除过了。第 x 列要加 x + 1。
plus_for_times for nothing or left_out or other or several_times or outside or by_sum or past_end or race_update when /blockDim\s*\.\s*[xy]\s*\+\s*blockIdx|blockIdx\s*\.\s*[xy]\s*\+\s*blockDim/ at /blockDim\s*\.\s*[xy]\s*\+\s*blockIdx|blockIdx\s*\.\s*[xy]\s*\+\s*blockDim/: blockDim and blockIdx are added here. How many threads are there in all blocks before this one?
plus_for_times.zh: 这里把 blockDim 和 blockIdx 相加了。这个线程块之前的所有线程块中一共有多少个线程？
wrapped for several_times or other or race_update when /threadIdx\.y.*\b[xy]\s*%\s*(?:width|height)\b/ at /\b[xy]\s*%\s*(?:width|height)\b/: % moves the threads outside the picture onto pixels that have threads of their own. They shall do nothing.
wrapped.zh: % 把图像外的线程移到了有自己线程的像素上。图像外的线程应该什么也不做。
in_bytes for past_end or outside or other or stride or left_out when /\bsizeof\b/ at /\bsizeof\b/: An index counts elements, and not bytes: sizeof is too much here.
in_bytes.zh: 指标按元素计，不按字节计：这里的 sizeof 是多余的。
one_thread for passed when /\bif\s*\(\s*!?\(?\s*(?:[xyn]|threadIdx\.[xy]|blockIdx\.[xy])\s*(?:\|\||&&|==\s*0|!=\s*0|>\s*0)[^;{}]*\)\s*\{?\s*(?:return\s*;\s*\}?\s*)?(?:for|while)\b/ at /\b(?:for|while)\b/: The picture is right, but a thread changes several pixels here, and others that have a pixel do nothing. Let each thread have one pixel.
one_thread.zh: 图是对的，但这里有的线程改了好几个像素，别的有像素的线程却什么也没有做。让每个线程对应一个像素。
all_in_each for several_times or outside or other or race_update or no_guard when /\bfor\s*\([^;]*=\s*0\s*;|\bfor\s*\([^;]*=\s*[xy]\s*;[^;]*;\s*(?:\+\+\s*\w+|\w+\s*\+\+|\w+\s*\+=\s*1)\s*\)/ at /\bfor\b/: Each thread goes through many pixels in this loop, so a pixel is changed by many threads. A thread has one pixel.
all_in_each.zh: 每个线程都在这个循环里处理许多像素，于是一个像素被许多线程改动。一个线程只有一个像素。
otherwise for outside or other or several_times or before_start or past_end when /\belse\b/ at /\belse\b/: The threads outside the picture come to the else, and change pixels there. They shall do nothing.
otherwise.zh: 图像外的线程执行了 else，在那里改动了像素。它们应该什么也不做。
limited for several_times or other or left_out or by_count or all_the_same when /\bmin\s*\([^;]*\b255\b|\?[^;]*\b255\b|>\s*255/ at /\b255\b/: What comes out is limited here. The pixels of this exercise are numbers that may be larger: x + 1 is added, and no more.
limited.zh: 这里限制了结果的大小。这道练习的像素可以是更大的数：只要加上 x + 1，不用限制。
clamped for several_times or other or left_out or by_count when /\bmin\s*\(|\?/ at /\bmin\s*\(|\?/: Threads outside the picture are moved onto a pixel of its edge here, which has a thread of its own. They shall do nothing.
clamped.zh: 这里把图像外的线程移到了边上的像素，而那个像素有自己的线程。图像外的线程应该什么也不做。
fixed for other or left_out or outside or past_end or only_x or only_y or no_guard or last_column or last_row when /[<>]=?\s*[1-9]/ at /\w\s*[<>]=?\s*[1-9]/: A number is written here that fits one picture only. This one is {width} wide and {height} high: width and height say so.
fixed.zh: 这里写的数只适合某一个图像。这个图像宽 {width}、高 {height}：要用 width 和 height。
fixed_row for by_threads or other or outside or left_out or by_height when /\by\s*\*\s*\d|\d\s*\*\s*y\b/ at /\by\s*\*\s*\d|\d\s*\*\s*y\b/: The number that y is multiplied with fits one picture only. In this one a row has {width} pixels.
fixed_row.zh: 和 y 相乘的数只适合某一个图像。这个图像每行有 {width} 个像素。
chained for no_guard or only_x or only_y or by_count or outside when /\bif\s*\([^;{}]*\w\s*<=?\s*\w+\s*<=?\s*\w/ at /\w\s*<=?\s*\w+\s*<=?\s*\w/: C has no comparison of three numbers. The first two are compared, and what comes out of it, 0 or 1, is compared with the third.
chained.zh: C 语言不能这样一次比较三个数：先比较前两个，得到 0 或 1，再拿它与第三个数比较。
adds_thread for other when /\+=\s*(?:1\s*\+\s*)?threadIdx\.x/ at /\+=\s*(?:1\s*\+\s*)?threadIdx\.x/: threadIdx.x begins at 0 in each block. What is added depends on the column of the picture.
adds_thread.zh: threadIdx.x 在每个线程块中都从 0 开始。加上的值取决于像素在图中的列。
x_twice for several_times or other or left_out or race_update or outside or x_only or y_mixed when /^(?!.*threadIdx\.y).*\by\s*=\s*[^;]*threadIdx\.x/ at /\by\s*=/: threadIdx.x stands in the line of y, too. So threads above each other have the same row and the same column.
x_twice.zh: y 的这一行用的也是 threadIdx.x，于是同一列上下的线程得到的行和列都一样。
thread_guard for only_x or only_y or no_guard when /\bif\s*\([^;{}]*threadIdx/ at /\bif\b.*threadIdx/: threadIdx begins at 0 in each block, so it does not say where the picture ends. Which numbers say where a thread is in the picture?
thread_guard.zh: threadIdx 在每个线程块中都从 0 开始，看不出图像到哪里为止。哪些量说明线程在图像中的位置？
one_line for passed or left_out or other or several_times or outside or launch when /\bdim3\s+block_size\s*(?:\(|=)\s*\(?\s*\d+\s*[;)]|\bint\s+block_size/ at /\bblock_size\b|<<</: The blocks have one direction here. Leave the launch as it is: the exercise is about blocks of 16 x 16 threads.
one_line.zh: 这里的线程块只有一个方向。请保持原来的调用：这道练习讲的是 16 x 16 个线程的线程块。
one_direction for several_times or other or left_out or race_update or outside or x_only or y_mixed when /^(?!.*threadIdx\.y)/ at /threadIdx/: The threads of a block lie in two directions, and nothing here asks for threadIdx.y: so threads above each other change the same pixels.
one_direction.zh: 线程块中的线程沿两个方向排列，而这里没有用到 threadIdx.y：上下相邻的线程改的是同样的像素。
multiplied for left_out or other or several_times or outside when /\*=/ at /\*=/: *= multiplies. x + 1 shall be added to what is there.
multiplied.zh: *= 是乘。应该在原值上加 x + 1。
assignment for left_out or nothing or outside or no_guard or by_count or read_only or other when /\bif\s*\([^;{}]*[\w\s]=[^=]/ at /\bif\b/: One = is an assignment, and changes the variable. A comparison is something else.
assignment.zh: 一个 = 是赋值，会改变变量的值。比较要用别的运算符。
names_turned at />>>/: Width and height are exchanged in the condition and in the index, too. Are they exchanged where the kernel is launched, or in its parameters?
names_turned.zh: 条件里和指标里的宽和高都用反了。是不是调用核函数时，或者核函数的参数里，次序反了？
by_count at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: Pixel x = {x}, y = {y} gets {got} and not {want}: a thread to the right of the picture has changed it, too. The number y * width + x goes on into the next row.
by_count.zh: 像素 x = {x}、y = {y} 加上了 {got}，应为 {want}：图像右边的一个线程也改了它。编号 y * width + x 到了行末会接着算进下一行。
grid_size: The kernel is not launched: the grid has {shape} blocks. It was right as it was given.
grid_size.zh: 核函数没有执行：网格为 {shape} 个线程块。练习给出的网格大小是对的。
only_x at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: The threads to the right of the picture are kept out, but those below it are not: they change memory behind the last row.
only_x.zh: 图像右边的线程挡住了，下边的却没有：它们改动了最后一行之后的内存。
only_y at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: The threads below the picture are kept out, but those to its right are not. Pixel x = {x}, y = {y} gets {got} and not {want}, because a row ends and the next one begins.
only_y.zh: 图像下边的线程挡住了，右边的却没有。像素 x = {x}、y = {y} 加上了 {got}，应为 {want}：一行结束，紧接着就是下一行。
no_guard at /\bif\b|picture\s*\[/: No thread is kept out. This picture is {width} wide and {height} high, and the threads to its right and below it change pixels, too.
no_guard.zh: 没有挡住任何线程。图像宽 {width}、高 {height}，它右边和下边的线程也改动了像素。
sides_turned at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: Width and height are exchanged in the condition: x is compared with {height}, and y with {width}. A square picture does not show it.
sides_turned.zh: 条件里的宽和高用反了：x 和 {height} 比，y 和 {width} 比。图像是正方形时看不出来。
width_twice at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: y is compared with the width here. This picture is {width} wide and {height} high. A square picture does not show it.
width_twice.zh: 这里把 y 和宽度比。这个图像宽 {width}、高 {height}。图像是正方形时看不出来。
height_twice at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: x is compared with the height here. This picture is {width} wide and {height} high. A square picture does not show it.
height_twice.zh: 这里把 x 和高度比。这个图像宽 {width}、高 {height}。图像是正方形时看不出来。
either at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: A thread that is outside in one direction only is let through. Work out your condition for x = {width}, y = 0.
either.zh: 只在一个方向上超出图像的线程，条件放行了。取 x = {width}、y = 0，看看你的条件。
to_width at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: A thread with x = {width} is let through. Columns are counted from 0, so the last one of this picture is smaller than that.
to_width.zh: x = {width} 的线程放行了。列从 0 开始数，这个图像的最后一列比它小。
to_height at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: A thread with y = {height} is let through. Rows are counted from 0, so the last one of this picture is smaller than that.
to_height.zh: y = {height} 的线程放行了。行从 0 开始数，这个图像的最后一行比它小。
to_both at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: Threads with x = {width} or y = {height} are let through. Columns and rows are counted from 0.
to_both.zh: x = {width} 或 y = {height} 的线程放行了。列和行都从 0 开始数。
only_equal at /\bif\b|&&|\|\||\w\s*!=/: Only x = {width} and y = {height} are kept out. Threads that are further outside are let through.
only_equal.zh: 这样只挡住了 x = {width} 和 y = {height} 的线程。更外面的线程放行了。
last_column at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: The last column of the picture stays as it was. What does your condition say to its x?
last_column.zh: 图像的最后一列没有变。对这一列的 x，你的条件成立吗？
last_row at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: The last row of the picture stays as it was. What does your condition say to its y?
last_row.zh: 图像的最后一行没有变。对这一行的 y，你的条件成立吗？
last_of_both at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: The last column and the last row stay as they were. What does your condition say to their x and y?
last_of_both.zh: 最后一列和最后一行没有变。对它们的 x 和 y，你的条件成立吗？
first_column at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: Column 0 stays as it was. What does your condition say to x = 0?
first_column.zh: 第 0 列没有变。x = 0 时你的条件成立吗？
first_row at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: Row 0 stays as it was. What does your condition say to y = 0?
first_row.zh: 第 0 行没有变。y = 0 时你的条件成立吗？
first_of_both at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: Column 0 and row 0 stay as they were. What does your condition say to x = 0 and y = 0?
first_of_both.zh: 第 0 列和第 0 行没有变。x = 0 和 y = 0 时你的条件成立吗？
of_thread at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: threadIdx begins at 0 in each block, so it does not say where the picture ends. Which numbers say where a thread is in the picture?
of_thread.zh: threadIdx 在每个线程块中都从 0 开始，看不出图像到哪里为止。哪些量说明线程在图像中的位置？
opposite at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: The condition is the other way round: it lets through the threads outside the picture, and no other.
opposite.zh: 条件反了：放行的正是图像外的线程。
turned at /\bx\s*=|\by\s*=/: x and y are exchanged: x of blocks and threads counts the columns, and y counts the rows. The grid has {grid} blocks, for a picture that is {width} wide and {height} high.
turned.zh: x 和 y 用反了：线程块和线程的 x 数列，y 数行。网格是 {grid} 个线程块，图像宽 {width}、高 {height}。
x_of_block at /\bx\s*=/: All blocks work on the first columns: nothing in x says which block of the row it is.
x_of_block.zh: 所有线程块处理的都是最前面的几列：x 中没有体现横向是第几个线程块。
y_of_block at /\by\s*=/: All blocks work on the first rows: nothing in y says which block of the column it is.
y_of_block.zh: 所有线程块处理的都是最上面的几行：y 中没有体现纵向是第几个线程块。
xy_of_block at /\bx\s*=/: All blocks work on the same corner of the picture: nothing in x and y says which block it is.
xy_of_block.zh: 所有线程块处理的都是图像的同一个角：x 和 y 中没有体现是哪个线程块。
xy_of_grid at /\bx\s*=/: All threads of block 0 get the pixel x = 0, y = 0. Work out by hand x and y of its thread (1, 0).
xy_of_grid.zh: 线程块 0 的所有线程得到的都是像素 x = 0、y = 0。请手算一下其中线程 (1, 0) 的 x 和 y。
by_sum at /\bx\s*=/: The second block begins at column 1 and row 1 here. How many columns and rows has the first one?
by_sum.zh: 这里第二个线程块从第 1 列、第 1 行开始。第一个线程块有多少列、多少行？
x_mixed at /\bx\s*=/: In the line of x, y of a variable stands in the place of its x.
x_mixed.zh: 在 x 那一行里，有一个变量该用 x 分量，却用了 y 分量。
y_mixed at /\by\s*=/: In the line of y, x of a variable stands in the place of its y.
y_mixed.zh: 在 y 那一行里，有一个变量该用 y 分量，却用了 x 分量。
x_of_grid at /\bx\s*=/: All threads of a block have the same column: nothing in x says which thread it is.
x_of_grid.zh: 一个线程块的所有线程都在同一列：x 中没有体现是哪个线程。
y_of_grid at /\by\s*=/: All threads of a block have the same row: nothing in y says which thread it is.
y_of_grid.zh: 一个线程块的所有线程都在同一行：y 中没有体现是哪个线程。
by_grid at /gridDim|\bx\s*=/: gridDim is how many blocks there are. How many threads are before a block depends on something else.
by_grid.zh: gridDim 是线程块的个数。一个线程块前面有多少个线程，取决于别的量。
by_height at /\bheight\b[^;]*\by\b|\by\b[^;]*\*\s*height|picture\s*\[/: The rows are {height} elements apart here. In memory a row is followed at once by the next one: how many pixels has a row?
by_height.zh: 这里相邻两行相距 {height} 个元素。在内存中，一行后面紧接着就是下一行：一行有多少个像素？
columns at /\*\s*height|height\s*\*|picture\s*\[/: Here the picture is taken column after column. It lies in memory row after row.
columns.zh: 这里把图像当成一列接一列了。它在内存中是一行接一行的。
columns_by_width at /\bx\s*\*\s*width|width\s*\*\s*x|picture\s*\[/: x is multiplied with the width here. Which of x and y says how many whole rows come before?
columns_by_width.zh: 这里乘以宽度的是 x。前面有多少个整行，由 x 和 y 中的哪一个决定？
by_threads at /(?<!\.)\by\s*\*|\*\s*y\b|picture\s*\[/: The rows are {stride} elements apart here, as many as there are threads. How many pixels has a row?
by_threads.zh: 这里相邻两行相距 {stride} 个元素，那是线程的个数。一行有多少个像素？
sum_of_both at /picture\s*\[|x\s*\+\s*y|y\s*\+\s*x/: x and y are only added here, so x = 1, y = 0 and x = 0, y = 1 become the same pixel.
sum_of_both.zh: 这里只把 x 和 y 相加，于是 x = 1、y = 0 和 x = 0、y = 1 成了同一个像素。
x_only at /picture\s*\[/: Only row 0 is changed: nothing in the index says which row it is.
x_only.zh: 只改了第 0 行：指标中没有体现是哪一行。
y_only at /picture\s*\[/: All threads of a row change the same element: y alone is no index of a pixel.
y_only.zh: 同一行的线程改的是同一个元素：只用 y 不能确定一个像素。
first_of_row at /\*\s*width|width\s*\*|picture\s*\[/: All threads of a row change its first pixel: nothing in the index says which column it is.
first_of_row.zh: 同一行的线程改的都是这一行的第一个像素：指标中没有体现是哪一列。
brackets at /\(\s*width|width\s*\)/: By the brackets x is multiplied, too. Only the number of whole rows is.
brackets.zh: 有了括号，x 也被乘了。只有行数要乘。
row_shifted at /\by\s*[-+]\s*1|picture\s*\[/: Everything is shifted by a whole row: rows are counted from 0 on.
row_shifted.zh: 所有像素都移了一行：行从 0 开始数。
one_shifted at /picture\s*\[|\bx\s*[-+]\s*1/: Everything is shifted by one pixel: columns are counted from 0 on.
one_shifted.zh: 所有像素都移了一个：列从 0 开始数。
stride at /width\s*[-+]\s*1|picture\s*\[/: The rows are {stride} elements apart here. This picture is {width} wide.
stride.zh: 这里相邻两行相距 {stride} 个元素。这个图像宽 {width}。
product at /\*\s*width|width\s*\*|picture\s*\[/: x is multiplied here, too. What comes before the row is a product; the column is added.
product.zh: 这里把 x 也乘了进去。前面各行的像素数是乘积，列号应再加上去。
grid_turned at /grid_size\s*\(|<<</: The grid is {grid} blocks, for a picture that is {width} wide and {height} high. Width belongs to x of the grid, and height to y.
grid_turned.zh: 网格是 {grid} 个线程块，而图像宽 {width}、高 {height}。网格的 x 对应宽，y 对应高。
exchanged at /<<</: Grid and block are exchanged in <<< >>>: a block has only {blocksize} threads here.
exchanged.zh: <<< >>> 中网格和线程块写反了：这里一个线程块只有 {blocksize} 个线程。
launched_twice at last /<<</: The kernel is launched {launches} times. Each pixel shall be changed once.
launched_twice.zh: 核函数调用了 {launches} 次。每个像素只应改一次。
launch at /grid_size\s*\(|<<</: The launch is another one: a grid of {grid} blocks for a picture that is {width} wide and {height} high. It was right as it was given.
launch.zh: 执行配置改了：图像宽 {width}、高 {height}，网格却是 {grid} 个线程块。练习给出的是对的。
no_launch at /brighten_all/: The kernel is not launched. Is the line with <<< >>> still there?
no_launch.zh: 没有调用核函数。有 <<< >>> 的那一行还在吗？
on_host at /brighten_all/: The picture is right, but no kernel has changed it.
on_host.zh: 图像是对的，但不是核函数改的。
nothing at /\bif\b|&&|\|\||\w\s*[<>]=?\s*\w/: No pixel is changed. For which x and y is your condition true?
nothing.zh: 没有改动任何像素。你的条件对哪些 x 和 y 成立？
assigned at /picture\s*\[/: Pixel x = {x}, y = {y} has become {shown}: what was there is lost. x + 1 shall be added to it.
assigned.zh: 像素 x = {x}、y = {y} 变成了 {shown}：原来的值丢了。应在原值上加 x + 1。
darker at /-/: The picture becomes darker: x + 1 is subtracted.
darker.zh: 图像变暗了：x + 1 是减去的。
without_one at /\+=|picture\s*\[/: x is added to column x, and it should be x + 1.
without_one.zh: 第 x 列加上的是 x，应为 x + 1。
by_row at /\+=|picture\s*\[/: The picture becomes brighter to the bottom. It shall become brighter to the right: what is added depends on the column.
by_row.zh: 图像越往下越亮了。应该是越往右越亮：加多少取决于列。
all_the_same at /\+=|picture\s*\[/: {got} is added to each pixel. What is added depends on the column: x + 1.
all_the_same.zh: 每个像素加上的都是 {got}。加多少取决于列：x + 1。
several_times? at /picture\s*\[/: Pixel x = {x}, y = {y} gets {got} added, and should get {want}, once. Is it changed by several threads, or is what one adds too much?
several_times.zh: 像素 x = {x}、y = {y} 加上了 {got}，应该加 {want}，只加一次。是有好几个线程改了它，还是一个线程加得太多？
outside? at /\bif\b|picture\s*\[/: Memory outside the picture is changed. Which threads have no pixel? The picture is {width} wide and {height} high.
outside.zh: 图像之外的内存被改动了。哪些线程没有像素？图像宽 {width}、高 {height}。
only_one at /\bif\b|picture\s*\[/: Only the thread with x = 0, y = 0 changes its pixel here. Every pixel has a thread of its own, and all of them shall work.
only_one.zh: 这里只有 x = 0、y = 0 的线程改了它的像素。每个像素都有自己的线程，它们都应该工作。
block_step at /(?:\+=|=\s*\w+\s*\+)\s*(?:\(\s*int\s*\)\s*)?(?:blockDim\.[xy]|16)\s*[;)]|\b(?:step|stride)\w*\s*=/: Pixel x = {x}, y = {y} is changed {times} times. This loop goes on by the threads of one block, and the next block goes on over the same pixels: how far on is a pixel that nobody has yet?
block_step.zh: 像素 x = {x}、y = {y} 改了 {times} 次。这个循环每次只前进一个线程块的宽度，相邻的线程块又处理了同样的像素：要前进多少，才是还没有线程处理的像素？
left_out at /\bif\b|picture\s*\[/: {num} pixels are wrong. Pixel x = {x}, y = {y} is not changed: which thread should do it, and what does your condition say to it?
left_out.zh: 有 {num} 个像素不对。像素 x = {x}、y = {y} 没有变：它该由哪个线程处理？你的条件对这个线程成立吗？
other? at /picture\s*\[/: {num} pixels are wrong. Pixel x = {x}, y = {y} gets {got} added, and should get {want}. What is added there, and by which threads?
other.zh: 有 {num} 个像素不对。像素 x = {x}、y = {y} 加上了 {got}，应为 {want}。那里加的是什么，是哪些线程加的？
race_update: A thread uses a pixel here that another thread changes. Each pixel has one thread of its own: compare the indices in this line.
race_update.zh: 这里一个线程用到的像素，另一个线程在修改。每个像素只属于一个线程：比较一下这一行中的指标。
past_end at /picture\s*\[/: Thread {thread} of block {block} {how} far behind the picture. Work out by hand which index it gets.
past_end.zh: 线程块 {block} 的线程 {thread} 在图像末尾之后很远的地方{how}。请手算一下它得到的指标。
before_start at /picture\s*\[/: Thread {thread} of block {block} {how} before the picture. Which index is negative?
before_start.zh: 线程块 {block} 的线程 {thread} 在图像开头之前{how}。哪个指标是负数？

//== wrong stub_again: by_count
//- if (x < width && y < height)
//+ if (y * width + x < width * height)
//== wrong only_columns: only_x
//- if (x < width && y < height)
//+ if (x < width)
//== wrong only_rows: only_y
//- if (x < width && y < height)
//+ if (y < height)
//== wrong nobody_kept_out: no_guard
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    picture[y * width + x] += x + 1;
//== wrong exchanged_sides: sides_turned
//- if (x < width && y < height)
//+ if (x < height && y < width)
//== wrong y_with_width: width_twice
//- if (x < width && y < height)
//+ if (x < width && y < width)
//== wrong row_by_height: by_height
//- picture[y * width + x] += x + 1;
//+ picture[y * height + x] += x + 1;
//== wrong column_order: columns
//- picture[y * width + x] += x + 1;
//+ picture[x * height + y] += x + 1;
//== wrong x_times_width: columns_by_width
//- picture[y * width + x] += x + 1;
//+ picture[x * width + y] += x + 1;
//== wrong or_for_and: either
//- if (x < width && y < height)
//+ if (x < width || y < height)
//== wrong and_for_or: either
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x >= width && y >= height)
    {
        return;
    }
    picture[y * width + x] += x + 1;
//== wrong less_or_equal: to_both
//- if (x < width && y < height)
//+ if (x <= width && y <= height)
//== wrong one_column_more: to_width
//- if (x < width && y < height)
//+ if (x <= width && y < height)
//== wrong one_column_less: last_column
//- if (x < width && y < height)
//+ if (x < width - 1 && y < height)
//== wrong exchanged_xy: turned
//- const int x = blockDim.x * blockIdx.x + threadIdx.x;
//- const int y = blockDim.y * blockIdx.y + threadIdx.y;
//+ const int x = blockDim.y * blockIdx.y + threadIdx.y;
//+ const int y = blockDim.x * blockIdx.x + threadIdx.x;
//== wrong block_size_of_x: y_mixed
//- const int y = blockDim.y * blockIdx.y + threadIdx.y;
//+ const int y = blockDim.x * blockIdx.y + threadIdx.y;
//== wrong one_direction: one_direction
    const int n = blockDim.x * blockIdx.x + threadIdx.x;
    if (n < width * height)
    {
        picture[n] += n % width + 1;
    }
//== wrong no_block: xy_of_block
//- const int x = blockDim.x * blockIdx.x + threadIdx.x;
//- const int y = blockDim.y * blockIdx.y + threadIdx.y;
//+ const int x = threadIdx.x;
//+ const int y = threadIdx.y;
//== wrong y_without_block: y_of_block
//- const int y = blockDim.y * blockIdx.y + threadIdx.y;
//+ const int y = threadIdx.y;
//== wrong by_grid: by_grid
//- const int x = blockDim.x * blockIdx.x + threadIdx.x;
//- const int y = blockDim.y * blockIdx.y + threadIdx.y;
//+ const int x = gridDim.x * blockIdx.x + threadIdx.x;
//+ const int y = gridDim.y * blockIdx.y + threadIdx.y;
//== wrong of_threads: of_thread
//- if (x < width && y < height)
//+ if (threadIdx.x < width && threadIdx.y < height)
//== wrong by_block_width: by_threads
//- picture[y * width + x] += x + 1;
//+ picture[y * blockDim.x + x] += x + 1;
//== wrong by_grid_width: by_threads
//- picture[y * width + x] += x + 1;
//+ picture[y * blockDim.x * gridDim.x + x] += x + 1;
//== wrong one_index_only: x_only
//- picture[y * width + x] += x + 1;
//+ picture[x] += x + 1;
//== wrong only_added: sum_of_both
//- picture[y * width + x] += x + 1;
//+ picture[x + y] += x + 1;
//== wrong comma: comma
//- if (x < width && y < height)
//+ if (x < width, y < height)
//== wrong semicolon: semicolon
//- if (x < width && y < height)
//+ if (x < width && y < height);
//== wrong two_brackets: condition_ends
//- if (x < width && y < height)
//+ if (x < width) && (y < height)
//== wrong two_indices: several_indices
//- picture[y * width + x] += x + 1;
//+ picture[y][x] += x + 1;
//== wrong opposite: opposite
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x < width && y < height)
    {
        return;
    }
    picture[y * width + x] += x + 1;
//== wrong of_the_example: fixed
//- if (x < width && y < height)
//+ if (x < 5 && y < 7)
//== wrong assigned: assigned
//- picture[y * width + x] += x + 1;
//+ picture[y * width + x] = x + 1;
//== wrong same_everywhere: all_the_same
//- picture[y * width + x] += x + 1;
//+ picture[y * width + x] += 1;
//== wrong downwards: by_row
//- picture[y * width + x] += x + 1;
//+ picture[y * width + x] += y + 1;
//== wrong clamped: clamped
    const int x = min(blockDim.x * blockIdx.x + threadIdx.x, width - 1);
    const int y = min(blockDim.y * blockIdx.y + threadIdx.y, height - 1);
    picture[y * width + x] += x + 1;
//== wrong all_in_each: all_in_each
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    for (int n = 0; n < width * height; ++n)
    {
        picture[n] += n % width + 1;
    }
//== wrong first_thread_only: one_thread
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x == 0 && y == 0)
    {
        for (int n = 0; n < width * height; ++n)
        {
            picture[n] += n % width + 1;
        }
    }
//== wrong two_errors: by_height or only_x
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x < width)
    {
        picture[y * height + x] += x + 1;
    }
//== wrong turned_round: opposite
//- if (x < width && y < height)
//+ if (x > width && y > height)
//== wrong never: nothing
//- if (x < width && y < height)
//+ if (x < 0 && y < height)
//== wrong one_by_another_name: one_thread
//- if (x < width && y < height)
//+ const int me = x + y;
//+ if (!me)

//- picture[y * width + x] += x + 1;
//+ for (int k = 0; k < width * height; ++k) picture[k] += k % width + 1;
//== wrong chained: chained
//- if (x < width && y < height)
//+ if (0 <= x < width && 0 <= y < height)
//== wrong adds_thread: adds_thread
//- += x + 1
//+ += threadIdx.x + 1
//== wrong x_twice: x_twice
//- threadIdx.y
//+ threadIdx.x

//== wrong grid_times_block: by_threads
//- y * width + x]
//+ y * gridDim.x * blockDim.x + x]
//== wrong row_loop_too_far: loop_too_far
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x == 0 && y < height)
    {
        for (int c = 0; c <= width; ++c) picture[y * width + c] += c + 1;
    }
//== wrong sum_of_nothing: no_effect
//- += x + 1
//+ + x + 1
//== wrong copy_changed: copy_only
//- picture[y * width + x] += x + 1;
//+ int p = picture[y * width + x];
//+ p += x + 1;
//== wrong read_before_the_if: read_before
//- if (x < width && y < height)
//+ const int old = picture[y * width + x];
//+ if (x < width && y < height)

//- += x + 1
//+ = old + x + 1
//== wrong limited_to_255: limited
//- += x + 1
//+ = min(picture[y * width + x] + x + 1, 255)
//== wrong from_right: from_right
//- += x + 1
//+ += width - x
//== wrong times_row: with_row
//- += x + 1
//+ += (x + 1) * (y + 1)
//== wrong up_to_1024: fixed
//- x < width && y < height
//+ x < width && y < height && x < 1024
//== wrong first_pixel_only: only_one
//- x < width && y < height
//+ x == 0 && y == 0
//== wrong step_of_a_block: block_step
    for (int r = blockDim.y * blockIdx.y + threadIdx.y; r < height; r += blockDim.y)
        for (int c = blockDim.x * blockIdx.x + threadIdx.x; c < width; c += blockDim.x)
            picture[r * width + c] += c + 1;
//== wrong step_of_a_block_along_rows: block_step
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (y >= height)
    {
        return;
    }
    int x = blockDim.x * blockIdx.x + threadIdx.x;
    while (x < width)
    {
        picture[y * width + x] += x + 1;
        x += 16;
    }
//== wrong another_launch: one_line (whole file)
//- brighten<<<grid_size, block_size>>>(picture, width, height);
//+ brighten<<<7, 64>>>(picture, width, height);

//- const int y = blockDim.y * blockIdx.y + threadIdx.y;
//- if (x < width && y < height)
//+ for (int n = x; n < width * height; n += gridDim.x * blockDim.x)

//- picture[y * width + x] += x + 1;
//+ picture[n] += n % width + 1;
//== wrong blocks_of_256_along_x: launch (whole file)
//- block_size(16, 16)
//+ block_size(256, 1)
//== wrong blocks_of_256: one_line (whole file)
//- block_size(16, 16)
//+ block_size(256)
//== wrong added: plus_for_times
//- blockDim.x * blockIdx.x
//+ blockDim.x + blockIdx.x
//== wrong wrapped: wrapped
//- if (x < width && y < height)

//- y * width + x]
//+ y % height * width + x % width]

//- x + 1
//+ x % width + 1
//== wrong in_bytes: in_bytes
//- y * width + x]
//+ y * width * sizeof(int) + x]
//== wrong set_in_condition: not_assignable
//- x < width && y < height
//+ x < width && y = height - 1
//== wrong two_launches: launched_twice (whole file)
//- brighten<<<grid_size, block_size>>>(picture, width, height);
//+ brighten<<<grid_size, block_size>>>(picture, width, height);
//+ brighten<<<grid_size, block_size>>>(picture, width, height);
//== wrong down_from_here: all_in_each
//- picture[y * width + x] += x + 1;
//+ for (int r = y; r < height; ++r) picture[r * width + x] += x + 1;
//== wrong subtracted: thread_subtracted
//- blockIdx.x + threadIdx.x
//+ blockIdx.x - threadIdx.x
//== wrong halves: divided
//- += x + 1
//+ += (x + 1) / 2
//== wrong bracket_too_much: extra_parenthesis
//- y < height)
//+ y < height))
//== right early_return
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    if (x >= width || y >= height)
    {
        return;
    }
    picture[y * width + x] += x + 1;
//== right nested
    int column = threadIdx.x + blockIdx.x * blockDim.x;
    int row = threadIdx.y + blockIdx.y * blockDim.y;
    if (row < height)
    {
        int *pixel = picture + row * width;
        if (column < width)
        {
            pixel[column] = pixel[column] + column + 1;
        }
    }
//== right stride
    for (int y = blockDim.y * blockIdx.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y)
    {
        for (int x = blockDim.x * blockIdx.x + threadIdx.x; x < width; x += gridDim.x * blockDim.x)
        {
            picture[y * width + x] += x + 1;
        }
    }
//== right count_and_column
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    const int n = y * width + x;
    if (n < width * height && x < width)
    {
        picture[n] += 1 + x;
    }
//== right not_outside
    const int x = blockDim.x * blockIdx.x + threadIdx.x;
    const int y = blockDim.y * blockIdx.y + threadIdx.y;
    const bool is_outside = x > width - 1 || y > height - 1;
    if (!is_outside) *(picture + width * y + x) += x + 1;
//== right by_number
    const int block = gridDim.x * blockIdx.y + blockIdx.x;
    const int thread = blockDim.x * threadIdx.y + threadIdx.x;
    const int n = block * blockDim.x * blockDim.y + thread;
    if (n < width * height)
    {
        picture[n] += n % width + 1;
    }
#endif
