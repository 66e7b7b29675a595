// cooperative_groups::reduce, for groups within a warp.
#ifndef CUDACPU_COOPERATIVE_GROUPS_REDUCE_H
#define CUDACPU_COOPERATIVE_GROUPS_REDUCE_H
#include "../cooperative_groups.h"
#include "functional.h"

namespace cooperative_groups
{
// With 2, 4, 8, ... threads the order is that of a butterfly of shuffles, so that sums of floats
// come out alike, too; else it is the order of the ranks.
template <class Group, class T, class Combine>
inline T reduce(const Group &group, T value, Combine combine, const char *file = __builtin_FILE(),
                int line = __builtin_LINE())
{
    T all[32];
    const unsigned int n = cudacpu::gather(group.cudacpu_lanes(), value, all, file, line);
    const bool power_of_two = (n & (n - 1)) == 0;
    for (unsigned int half = power_of_two ? n / 2 : 0; half > 0; half /= 2)
    {
        for (unsigned int i = 0; i < half; ++i)
        {
            all[i] = combine(all[i], all[i + half]);
        }
    }
    for (unsigned int i = 1; i < n && !power_of_two; ++i)
    {
        all[0] = combine(all[0], all[i]);
    }
    return all[0];
}
} // namespace cooperative_groups

#endif
