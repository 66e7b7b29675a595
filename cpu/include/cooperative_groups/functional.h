// What reduce and the scans share: the operations, and all lanes' values in one place.
#ifndef CUDACPU_COOPERATIVE_GROUPS_FUNCTIONAL_H
#define CUDACPU_COOPERATIVE_GROUPS_FUNCTIONAL_H
#include "../cooperative_groups.h"

namespace cooperative_groups
{
#define CUDACPU_OPERATION(name, expression)        \
    template <class T>                             \
    struct name                                    \
    {                                              \
        T operator()(const T &a, const T &b) const \
        {                                          \
            return expression;                     \
        }                                          \
    };
CUDACPU_OPERATION(plus, a + b)
CUDACPU_OPERATION(less, b < a ? b : a)
CUDACPU_OPERATION(greater, a < b ? b : a)
CUDACPU_OPERATION(bit_and, a &b)
CUDACPU_OPERATION(bit_or, a | b)
CUDACPU_OPERATION(bit_xor, a ^ b)
#undef CUDACPU_OPERATION
} // namespace cooperative_groups

namespace cudacpu
{
// What all lanes have brought, in the order of their ranks. Returns how many there are.
template <class T>
inline unsigned int gather(unsigned int lanes, const T &value, T *all, const char *file, int line)
{
    const unsigned int n = __builtin_popcount(lanes), own = rank_among(lanes);
    exchange_pieces(
        lanes, value,
        [=](unsigned int piece)
        {
            const size_t done = 8 * piece, left = sizeof(T) - done;
            unsigned int rank = 0;
            for (unsigned int rest = lanes; rest != 0; rest &= rest - 1, ++rank)
            {
                const unsigned long word =
                    rank == own ? 0 : cudacpu_lane_value(__builtin_ctz(rest));
                memcpy((char *)(all + rank) + done, &word, left < 8 ? left : 8);
            }
        },
        file, line);
    all[own] = value;
    return n;
}
} // namespace cudacpu

#endif
