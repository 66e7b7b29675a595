// real: float, or double under USE_DP

#include "../../common/real.cuh"
#include "../../common/compare.cuh"

int main(void)
{
#ifdef USE_DP
    check_true("double", sizeof(real) == 8 && strcmp(REAL_NAME, "double") == 0);
#else
    check_true("float", sizeof(real) == 4 && strcmp(REAL_NAME, "float") == 0);
#endif
    const real one = 1, epsilon = (real)REAL_EPSILON;
    check_true("epsilon is the smallest step from 1",
               (real)(one + epsilon) != one && (real)(one + epsilon / 2) == one);
    return verdict();
}
