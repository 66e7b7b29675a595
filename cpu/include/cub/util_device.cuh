// What the algorithms of a device share: how the work is cut, and the temporary storage.
#ifndef CUDACPU_CUB_UTIL_DEVICE_CUH
#define CUDACPU_CUB_UTIL_DEVICE_CUH
#include "util_type.cuh"

namespace cub
{
namespace detail
{
const size_t STORAGE_ALIGNMENT = 256; // of what CUB keeps in the caller's temporary storage
const size_t MOST_PARTS = 1024, SMALLEST_PART = 1024;

// An array is cut into parts of `length` elements. The cut depends on the number of elements only,
// so the same sum rounds alike on any number of cores.
struct Parts
{
    size_t length, number;
    explicit Parts(size_t n)
        : length(n <= MOST_PARTS * SMALLEST_PART ? SMALLEST_PART : (n - 1) / MOST_PARTS + 1),
          number((n + length - 1) / length)
    {
    }
};

// The first of the two calls has no storage, and asks how many bytes it takes. Returns true then.
// In the second one *values is where they begin, or *error tells that there are too few.
template <class T>
bool is_question(void *storage, size_t *bytes, size_t number, T **values, cudaError_t *error)
{
    const size_t needed = number * sizeof(T) + STORAGE_ALIGNMENT;
    *error = cudaSuccess;
    if (storage == NULL)
    {
        *bytes = needed;
        return true;
    }
    if (*bytes < needed)
    {
        *error = cudaErrorInvalidValue;
    }
    *values = (T *)(((size_t)storage + STORAGE_ALIGNMENT - 1) & ~(STORAGE_ALIGNMENT - 1));
    return false;
}

// The number of elements as the caller has it, of whatever type.
template <class Number>
bool is_negative(Number n)
{
    static_assert(std::is_integral<Number>::value, "the number of elements is an integer");
    return std::is_signed<Number>::value && n < Number(0);
}
} // namespace detail
} // namespace cub

#endif
