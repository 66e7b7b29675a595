// ceiling: every size gives a finite rate, and the data are verified on the way; without a GPU there is none

#include "../../common/ceiling.cuh"
#include "../../common/compare.cuh"
#include "../../common/multiply_add.cuh"

// Without a GPU nothing is timed.
static bool is_right(double rate) { return ON_GPU ? rate > 0.0 && isfinite(rate) : rate == 0.0; }

int main(void)
{
    for (size_t bytes : {1u, 1000u, 65536u, 16000016u})
    {
        const double read = read_ceiling(bytes), copy = copy_ceiling(bytes);
        printf("%zu bytes: read %.2f GB/s, copy %.2f GB/s\n", bytes, read, copy);
        check_true("read", is_right(read));
        check_true("copy", is_right(copy));
    }
    const double f = multiply_add_ceiling<float>(), d = multiply_add_ceiling<double>();
    printf("multiply-add %.1f GFLOP/s in float, %.1f in double\n", f, d);
    check_true("multiply-add", is_right(f) && is_right(d));
    return verdict();
}
