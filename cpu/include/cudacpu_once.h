// A function of ours that is one instruction on a GPU, for the counter.
#ifndef CUDACPU_ONCE_H
#define CUDACPU_ONCE_H
#ifdef CUDACPU_COUNTER
// The counter is told where a function of ours begins and ends: whatever branches it has here, it is one
// instruction on a GPU. An atomic is one access.
extern "C" void cudacpu_count_once(void);
extern "C" void cudacpu_count_once_end(void);
extern "C" void cudacpu_count_atomic(const volatile void *address, unsigned long bytes);
namespace cudacpu
{
struct Once
{
    __attribute__((always_inline)) Once()
    {
        cudacpu_count_once();
    }
    __attribute__((always_inline)) Once(const volatile void *address, unsigned long bytes)
    {
        cudacpu_count_atomic(address, bytes);
    }
    __attribute__((always_inline)) ~Once()
    {
        cudacpu_count_once_end();
    }
};
} // namespace cudacpu
#define CUDACPU_COUNT_ONCE const cudacpu::Once once_
#else
#define CUDACPU_COUNT_ONCE ((void)0)
#endif
#endif
