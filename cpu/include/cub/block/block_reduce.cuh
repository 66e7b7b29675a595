// cub::BlockReduce. The values meet in shared memory, where thread 0 puts them together.
#ifndef CUDACPU_CUB_BLOCK_REDUCE_CUH
#define CUDACPU_CUB_BLOCK_REDUCE_CUH
#include "../thread/thread_operators.cuh"

namespace cub
{
enum BlockReduceAlgorithm
{
    BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
    BLOCK_REDUCE_RAKING,
    BLOCK_REDUCE_WARP_REDUCTIONS
};

template <class T, int BLOCK_DIM_X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockReduce
{
    static constexpr int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    struct Values
    {
        T of_threads[THREADS];
    };

  public:
    struct TempStorage : Uninitialized<Values>
    {
    };

    CUDACPU_CUB_MEMBER __device__ BlockReduce() : storage(own_storage()), tid(this_thread())
    {
    }
    CUDACPU_CUB_MEMBER __device__ BlockReduce(TempStorage &storage)
        : storage(storage), tid(this_thread())
    {
    }

    // Only thread 0 gets the result.
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ T Reduce(T input, Op op)
    {
        return reduce(input, op, THREADS);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ T Reduce(T input, Op op, int num_valid)
    {
        return reduce(input, op, num_valid < THREADS ? num_valid : THREADS);
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ T Reduce(T (&inputs)[ITEMS], Op op)
    {
        T own = inputs[0];
        for (int i = 1; i < ITEMS; ++i)
        {
            own = op(own, inputs[i]);
        }
        return reduce(own, op, THREADS);
    }
    CUDACPU_CUB_MEMBER __device__ T Sum(T input)
    {
        return Reduce(input, cub::Sum());
    }
    CUDACPU_CUB_MEMBER __device__ T Sum(T input, int num_valid)
    {
        return Reduce(input, cub::Sum(), num_valid);
    }
    template <int ITEMS>
    CUDACPU_CUB_MEMBER __device__ T Sum(T (&inputs)[ITEMS])
    {
        return Reduce(inputs, cub::Sum());
    }

  private:
    TempStorage &storage;
    int tid;

    static int this_thread()
    {
        return RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
    }
    static __device__ TempStorage &own_storage()
    {
        __shared__ TempStorage own;
        return own;
    }

    // First the values of each warp, then those of the warps, in order: sums of floats round as
    // those of BLOCK_REDUCE_WARP_REDUCTIONS on a GPU.
    template <class Op>
    CUDACPU_CUB_APART T reduce(const T &input, Op op, int valid)
    {
        T *values = storage.Alias().of_threads;
        storage.begin_use(tid);
        values[tid] = input;
        __syncthreads();
        if (tid > 0)
        {
            storage.end_use();
            return input;
        }
        T result = input;
        for (int first = 0; first < valid; first += detail::WARP)
        {
            const int n = valid - first < detail::WARP ? valid - first : detail::WARP;
            const T of_warp = detail::reduce_lanes(values + first, n, op);
            result = first == 0 ? of_warp : T(op(result, of_warp));
        }
        return result;
    }
};
} // namespace cub

#endif
