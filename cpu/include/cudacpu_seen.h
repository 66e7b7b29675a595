// The compiler makes loads and stores of its own of __builtin_memcpy and its kin, which the checker does not
// see. So each is a call of the C library's function here, but for the copies that are one load and store.
// std::copy and other templates of the library use these names.
#ifndef CUDACPU_SEEN_H
#define CUDACPU_SEEN_H
#if (defined(CUDACPU_CHECKER) || defined(CUDACPU_COUNTER)) && defined(__CUDACC__)

// By these names the compiler does not know them.
extern "C" void *cudacpu_memcpy(void *to, const void *from, __SIZE_TYPE__ bytes) noexcept
    __asm__("memcpy");
extern "C" void *cudacpu_memmove(void *to, const void *from, __SIZE_TYPE__ bytes) noexcept
    __asm__("memmove");
extern "C" void *cudacpu_memset(void *to, int value, __SIZE_TYPE__ bytes) noexcept
    __asm__("memset");

namespace cudacpu
{
constexpr __attribute__((always_inline)) inline bool is_one_access(__SIZE_TYPE__ bytes)
{
    return __builtin_constant_p(bytes) &&
           (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16);
}

constexpr __attribute__((always_inline)) inline void *seen_memcpy(void *to, const void *from,
                                                                  __SIZE_TYPE__ bytes) noexcept
{
    return __builtin_is_constant_evaluated() || is_one_access(bytes)
               ? __builtin_memcpy(to, from, bytes)
               : cudacpu_memcpy(to, from, bytes);
}

constexpr __attribute__((always_inline)) inline void *seen_memmove(void *to, const void *from,
                                                                   __SIZE_TYPE__ bytes) noexcept
{
    return __builtin_is_constant_evaluated() || is_one_access(bytes)
               ? __builtin_memmove(to, from, bytes)
               : cudacpu_memmove(to, from, bytes);
}

constexpr __attribute__((always_inline)) inline void *seen_memset(void *to, int value,
                                                                  __SIZE_TYPE__ bytes) noexcept
{
    return __builtin_is_constant_evaluated() ? __builtin_memset(to, value, bytes)
                                             : cudacpu_memset(to, value, bytes);
}
} // namespace cudacpu

#define __builtin_memcpy(...) ::cudacpu::seen_memcpy(__VA_ARGS__)
#define __builtin_memmove(...) ::cudacpu::seen_memmove(__VA_ARGS__)
#define __builtin_memset(...) ::cudacpu::seen_memset(__VA_ARGS__)

#endif
#endif
