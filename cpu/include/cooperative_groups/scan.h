// cooperative_groups::inclusive_scan and exclusive_scan, for groups within a warp.
#ifndef CUDACPU_COOPERATIVE_GROUPS_SCAN_H
#define CUDACPU_COOPERATIVE_GROUPS_SCAN_H
#include "../cooperative_groups.h"
#include "functional.h"
#define CUDACPU_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()

namespace cooperative_groups
{
template <class Group, class T, class Combine>
inline T inclusive_scan(const Group &group, T value, Combine combine, CUDACPU_SITE)
{
    T all[32];
    cudacpu::gather(group.cudacpu_lanes(), value, all, file, line);
    T result = all[0];
    for (unsigned int i = 1; i <= group.thread_rank(); ++i)
    {
        result = combine(result, all[i]);
    }
    return result;
}

template <class Group, class T>
inline T inclusive_scan(const Group &group, T value, CUDACPU_SITE)
{
    return inclusive_scan(group, value, plus<T>(), file, line);
}

// The first thread has nothing before it: it gets T().
template <class Group, class T, class Combine>
inline T exclusive_scan(const Group &group, T value, Combine combine, CUDACPU_SITE)
{
    T all[32];
    cudacpu::gather(group.cudacpu_lanes(), value, all, file, line);
    T result = T();
    for (unsigned int i = 0; i < group.thread_rank(); ++i)
    {
        result = i == 0 ? all[0] : combine(result, all[i]);
    }
    return result;
}

template <class Group, class T>
inline T exclusive_scan(const Group &group, T value, CUDACPU_SITE)
{
    return exclusive_scan(group, value, plus<T>(), file, line);
}
} // namespace cooperative_groups

#undef CUDACPU_SITE
#endif
