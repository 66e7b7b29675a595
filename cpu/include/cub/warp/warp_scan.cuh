// cub::WarpScan. Every lane brings its value in one exchange. A lane puts together those that it
// needs, in the order of a GPU's shuffles.
#ifndef CUDACPU_CUB_WARP_SCAN_CUH
#define CUDACPU_CUB_WARP_SCAN_CUH
#include "../thread/thread_operators.cuh"

namespace cub
{
template <class T, int LOGICAL_WARP_THREADS = 32>
class WarpScan
{
    detail::Lanes<LOGICAL_WARP_THREADS> lanes;

    // The scans of what the lanes bring: up to this lane, up to the one before it, and of all.
    // `exclusive` stays as it is in the first lane. Pointers may be NULL.
    template <class Op>
    CUDACPU_CUB_APART void scan(const T &input, T *inclusive, T *exclusive, T *aggregate, Op op)
    {
        detail::LaneValues<T> values, copy;
        const int before = lanes.lane, needed = aggregate != NULL ? lanes.number : before + 1;
        lanes.exchange(input, 0, needed, values.all());
        if (aggregate != NULL)
        {
            memcpy((void *)&copy, &values, sizeof(values));
            *aggregate = detail::scan_lanes(copy.all(), lanes.number, op);
        }
        if (exclusive != NULL && before > 0)
        {
            memcpy((void *)&copy, &values, sizeof(values));
            *exclusive = detail::scan_lanes(copy.all(), before, op);
        }
        if (inclusive != NULL)
        {
            *inclusive = detail::scan_lanes(values.all(), before + 1, op);
        }
    }

    // The same behind an initial value. The aggregate is without it.
    template <class Op>
    void scan_from(const T &initial, const T &input, T *inclusive, T *exclusive, T *aggregate,
                   Op op)
    {
        T up_to_here = input, up_to_before = input, all = input;
        scan(input, &up_to_here, &up_to_before, aggregate != NULL ? &all : NULL, op);
        if (exclusive != NULL)
        {
            *exclusive = lanes.lane == 0 ? initial : T(op(initial, up_to_before));
        }
        if (inclusive != NULL)
        {
            *inclusive = op(initial, up_to_here);
        }
        if (aggregate != NULL)
        {
            *aggregate = all;
        }
    }

  public:
    struct TempStorage
    {
        char unused;
    };

    CUDACPU_CUB_MEMBER __device__ WarpScan(TempStorage &)
    {
    }

    // The results may take the place of the input, which is a copy here.
    CUDACPU_CUB_MEMBER __device__ void InclusiveSum(T input, T &inclusive)
    {
        scan(input, &inclusive, NULL, NULL, cub::Sum());
    }
    CUDACPU_CUB_MEMBER __device__ void InclusiveSum(T input, T &inclusive, T &aggregate)
    {
        scan(input, &inclusive, NULL, &aggregate, cub::Sum());
    }
    CUDACPU_CUB_MEMBER __device__ void ExclusiveSum(T input, T &exclusive)
    {
        scan_from(T{}, input, NULL, &exclusive, NULL, cub::Sum());
    }
    CUDACPU_CUB_MEMBER __device__ void ExclusiveSum(T input, T &exclusive, T &aggregate)
    {
        scan_from(T{}, input, NULL, &exclusive, &aggregate, cub::Sum());
    }

    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T input, T &inclusive, Op op)
    {
        scan(input, &inclusive, NULL, NULL, op);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T input, T &inclusive, Op op, T &aggregate)
    {
        scan(input, &inclusive, NULL, &aggregate, op);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T input, T &inclusive, T initial, Op op)
    {
        scan_from(initial, input, &inclusive, NULL, NULL, op);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T input, T &inclusive, T initial, Op op,
                                                     T &aggregate)
    {
        scan_from(initial, input, &inclusive, NULL, &aggregate, op);
    }

    // Without an initial value the first lane's result says nothing.
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &exclusive, Op op)
    {
        scan(input, NULL, &exclusive, NULL, op);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &exclusive, Op op, T &aggregate)
    {
        scan(input, NULL, &exclusive, &aggregate, op);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &exclusive, T initial, Op op)
    {
        scan_from(initial, input, NULL, &exclusive, NULL, op);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &exclusive, T initial, Op op,
                                                     T &aggregate)
    {
        scan_from(initial, input, NULL, &exclusive, &aggregate, op);
    }

    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void Scan(T input, T &inclusive, T &exclusive, Op op)
    {
        scan(input, &inclusive, &exclusive, NULL, op);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void Scan(T input, T &inclusive, T &exclusive, T initial, Op op)
    {
        scan_from(initial, input, &inclusive, &exclusive, NULL, op);
    }

    // The value of one lane, for all.
    CUDACPU_CUB_MEMBER __device__ T Broadcast(T input, unsigned int source)
    {
        T value = input;
        lanes.exchange(input, source, 1, &value);
        return value;
    }
};
} // namespace cub

#endif
