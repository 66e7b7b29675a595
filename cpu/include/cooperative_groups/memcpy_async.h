// cooperative_groups::memcpy_async: the group's first thread copies, at once. That is one of the
// moments at which a program that waits properly has to expect it.
#ifndef CUDACPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#define CUDACPU_COOPERATIVE_GROUPS_MEMCPY_ASYNC_H
#include "../cooperative_groups.h"
#include "../cuda_pipeline_primitives.h"

namespace cooperative_groups
{
// `bytes` is a number, or something that says more of it, like cuda::aligned_size_t.
template <class Group, class To, class From, class Size>
inline void memcpy_async(const Group &group, To *to, const From *from, const Size &bytes)
{
    if (group.thread_rank() == 0)
    {
        memcpy((void *)to, (const void *)from, (size_t)bytes);
        cudacpu_check_copy_issued((void *)to, (size_t)bytes);
        cudacpu_check_copies_committed(); // each copy is a batch
    }
}

// Here the numbers count elements, and the smaller one counts.
template <class Group, class To, class From>
inline void memcpy_async(const Group &group, To *to, size_t room, const From *from, size_t count)
{
    memcpy_async(group, to, from, sizeof(To) * (room < count ? room : count));
}

template <class Group>
inline void wait(const Group &group, const char *file = __builtin_FILE(),
                 int line = __builtin_LINE())
{
    cudacpu_check_copies_waited(0);
    group.sync(file, line);
}

template <unsigned int Stages, class Group>
inline void wait_prior(const Group &group, const char *file = __builtin_FILE(),
                       int line = __builtin_LINE())
{
    cudacpu_check_copies_waited(Stages);
    group.sync(file, line);
}
} // namespace cooperative_groups

#endif
