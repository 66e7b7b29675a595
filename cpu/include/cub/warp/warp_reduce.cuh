// cub::WarpReduce. Every lane brings its value in one exchange. The first one puts them together.
#ifndef CUDACPU_CUB_WARP_REDUCE_CUH
#define CUDACPU_CUB_WARP_REDUCE_CUH
#include "../thread/thread_operators.cuh"

namespace cub
{
template <class T, int LOGICAL_WARP_THREADS = 32>
class WarpReduce
{
    detail::Lanes<LOGICAL_WARP_THREADS> lanes;

    // The result is that of this lane and those after it, up to `end`, which are `n`.
    template <class Op>
    CUDACPU_CUB_APART T reduce_some(const T &input, int n, Op op)
    {
        detail::LaneValues<T> values;
        lanes.exchange(input, lanes.lane, n, values.all());
        return n > 0 ? detail::reduce_lanes(values.all(), n, op) : input;
    }

    // A head is the first lane of a segment, a tail the last one.
    template <class Flag, class Op>
    T reduce_segment(const T &input, Flag flag, bool is_tail, Op op)
    {
        const unsigned int flags = __ballot_sync(lanes.mask, (bool)flag) >> lanes.first;
        int n = 1;
        while (lanes.lane + n < lanes.number &&
               (flags >> (lanes.lane + n - (is_tail ? 1 : 0)) & 1) == 0)
        {
            ++n;
        }
        return reduce_some(input, n, op);
    }

  public:
    struct TempStorage
    {
        char unused;
    };

    CUDACPU_CUB_MEMBER __device__ WarpReduce(TempStorage &)
    {
    }

    // Only the first lane gets the result.
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ T Reduce(T input, Op op)
    {
        return reduce_some(input, lanes.lane == 0 ? lanes.number : 0, op);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ T Reduce(T input, Op op, int valid_items)
    {
        const int most = valid_items < lanes.number ? valid_items : lanes.number;
        return reduce_some(input, lanes.lane == 0 ? most : 0, op);
    }
    CUDACPU_CUB_MEMBER __device__ T Sum(T input)
    {
        return Reduce(input, cub::Sum());
    }
    CUDACPU_CUB_MEMBER __device__ T Sum(T input, int valid_items)
    {
        return Reduce(input, cub::Sum(), valid_items);
    }

    // The first lane of each segment gets the segment's result.
    template <class Flag, class Op>
    CUDACPU_CUB_MEMBER __device__ T HeadSegmentedReduce(T input, Flag head, Op op)
    {
        return reduce_segment(input, head, false, op);
    }
    template <class Flag, class Op>
    CUDACPU_CUB_MEMBER __device__ T TailSegmentedReduce(T input, Flag tail, Op op)
    {
        return reduce_segment(input, tail, true, op);
    }
    template <class Flag>
    CUDACPU_CUB_MEMBER __device__ T HeadSegmentedSum(T input, Flag head)
    {
        return reduce_segment(input, head, false, cub::Sum());
    }
    template <class Flag>
    CUDACPU_CUB_MEMBER __device__ T TailSegmentedSum(T input, Flag tail)
    {
        return reduce_segment(input, tail, true, cub::Sum());
    }
};
} // namespace cub

#endif
