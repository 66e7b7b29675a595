// ceiling: every size gives a finite rate, and the data are verified on the way

#include "../../common/ceiling.cuh"
#include "../../common/compare.cuh"
#include "../../common/multiply_add.cuh"

int main(void)
{
    for (size_t bytes : {1u, 1000u, 65536u, 16000016u})
    {
        const double read = read_ceiling(bytes), copy = copy_ceiling(bytes);
        printf("%zu bytes: read %.2f GB/s, copy %.2f GB/s\n", bytes, read, copy);
        check_true("read", read > 0.0 && isfinite(read));
        check_true("copy", copy > 0.0 && isfinite(copy));
    }
    const double f = multiply_add_ceiling<float>(), d = multiply_add_ceiling<double>();
    printf("multiply-add %.1f GFLOP/s in float, %.1f in double\n", f, d);
    check_true("multiply-add", f > 0.0 && isfinite(f) && d > 0.0 && isfinite(d));
    return verdict();
}
