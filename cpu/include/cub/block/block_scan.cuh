// cub::BlockScan. The threads' values meet in shared memory, where thread 0 scans them.
#ifndef CUDACPU_CUB_BLOCK_SCAN_CUH
#define CUDACPU_CUB_BLOCK_SCAN_CUH
#include "../thread/thread_operators.cuh"

namespace cub
{
enum BlockScanAlgorithm
{
    BLOCK_SCAN_RAKING,
    BLOCK_SCAN_RAKING_MEMOIZE,
    BLOCK_SCAN_WARP_SCANS
};

template <class T, int BLOCK_DIM_X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING,
          int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockScan
{
    static constexpr int THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z;
    struct Values
    {
        T before[THREADS]; // what a thread brought; then the scan of what the threads before it did
        T aggregate, prefix;

        // From the last thread to the first. So a thread writes where a later one still has
        // something, if a barrier is missing before the scan; and the result shows it.
        T &slot(int thread)
        {
            return before[THREADS - 1 - thread];
        }
    };

  public:
    struct TempStorage : Uninitialized<Values>
    {
    };

    CUDACPU_CUB_MEMBER __device__ BlockScan() : storage(own_storage()), tid(this_thread())
    {
    }
    CUDACPU_CUB_MEMBER __device__ BlockScan(TempStorage &storage)
        : storage(storage), tid(this_thread())
    {
    }

    // In each of these the result may take the place of the input. A callback is called by the
    // first warp with the aggregate of the block. What thread 0 gets from it stands before all.

    // ---- exclusive ----

    CUDACPU_CUB_MEMBER __device__ void ExclusiveSum(T input, T &output)
    {
        ExclusiveScan(input, output, T{}, cub::Sum());
    }
    CUDACPU_CUB_MEMBER __device__ void ExclusiveSum(T input, T &output, T &aggregate)
    {
        ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
    }
    template <class Callback>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveSum(T input, T &output, Callback &callback)
    {
        ExclusiveScan(input, output, cub::Sum(), callback);
    }
    template <int ITEMS>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS])
    {
        ExclusiveScan(input, output, T{}, cub::Sum());
    }
    template <int ITEMS>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                                                    T &aggregate)
    {
        ExclusiveScan(input, output, T{}, cub::Sum(), aggregate);
    }
    template <int ITEMS, class Callback>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                                                    Callback &callback)
    {
        ExclusiveScan(input, output, cub::Sum(), callback);
    }

    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &output, T initial, Op op)
    {
        T aggregate = input;
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &output, T initial, Op op,
                                                     T &aggregate)
    {
        const Before before = scan_threads(input, op, aggregate);
        output = before.exists ? T(op(initial, before.value)) : initial;
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                                     T initial, Op op)
    {
        T aggregate = input[0];
        ExclusiveScan(input, output, initial, op, aggregate);
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                                     T initial, Op op, T &aggregate)
    {
        const Before before = scan_threads(reduce_items(input, op), op, aggregate);
        scan_items(input, output, op,
                   {true, before.exists ? T(op(initial, before.value)) : initial}, true);
    }

    // Without an initial value the block's first result says nothing.
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &output, Op op)
    {
        T aggregate = input;
        output = scan_threads(input, op, aggregate).value;
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &output, Op op, T &aggregate)
    {
        output = scan_threads(input, op, aggregate).value;
    }
    template <class Op, class Callback>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T input, T &output, Op op, Callback &callback)
    {
        output = scan_threads_behind(input, op, callback).value;
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op)
    {
        T aggregate = input[0];
        ExclusiveScan(input, output, op, aggregate);
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op,
                                                     T &aggregate)
    {
        scan_items(input, output, op, scan_threads(reduce_items(input, op), op, aggregate), true);
    }
    template <int ITEMS, class Op, class Callback>
    CUDACPU_CUB_MEMBER __device__ void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op,
                                                     Callback &callback)
    {
        scan_items(input, output, op, scan_threads_behind(reduce_items(input, op), op, callback),
                   true);
    }

    // ---- inclusive ----

    CUDACPU_CUB_MEMBER __device__ void InclusiveSum(T input, T &output)
    {
        InclusiveScan(input, output, cub::Sum());
    }
    CUDACPU_CUB_MEMBER __device__ void InclusiveSum(T input, T &output, T &aggregate)
    {
        InclusiveScan(input, output, cub::Sum(), aggregate);
    }
    template <class Callback>
    CUDACPU_CUB_MEMBER __device__ void InclusiveSum(T input, T &output, Callback &callback)
    {
        InclusiveScan(input, output, cub::Sum(), callback);
    }
    template <int ITEMS>
    CUDACPU_CUB_MEMBER __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS])
    {
        InclusiveScan(input, output, cub::Sum());
    }
    template <int ITEMS>
    CUDACPU_CUB_MEMBER __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                                                    T &aggregate)
    {
        InclusiveScan(input, output, cub::Sum(), aggregate);
    }
    template <int ITEMS, class Callback>
    CUDACPU_CUB_MEMBER __device__ void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS],
                                                    Callback &callback)
    {
        InclusiveScan(input, output, cub::Sum(), callback);
    }

    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T input, T &output, Op op)
    {
        T aggregate = input;
        InclusiveScan(input, output, op, aggregate);
    }
    template <class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T input, T &output, Op op, T &aggregate)
    {
        const Before before = scan_threads(input, op, aggregate);
        output = before.exists ? T(op(before.value, input)) : input;
    }
    template <class Op, class Callback>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T input, T &output, Op op, Callback &callback)
    {
        output = op(scan_threads_behind(input, op, callback).value, input);
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op)
    {
        T aggregate = input[0];
        InclusiveScan(input, output, op, aggregate);
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op,
                                                     T &aggregate)
    {
        scan_items(input, output, op, scan_threads(reduce_items(input, op), op, aggregate), false);
    }
    template <int ITEMS, class Op, class Callback>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op,
                                                     Callback &callback)
    {
        scan_items(input, output, op, scan_threads_behind(reduce_items(input, op), op, callback),
                   false);
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                                     T initial, Op op)
    {
        T aggregate = input[0];
        InclusiveScan(input, output, initial, op, aggregate);
    }
    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER __device__ void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS],
                                                     T initial, Op op, T &aggregate)
    {
        const Before before = scan_threads(reduce_items(input, op), op, aggregate);
        scan_items(input, output, op,
                   {true, before.exists ? T(op(initial, before.value)) : initial}, false);
    }

  private:
    TempStorage &storage;
    int tid;

    // What stands before a thread's own values. Before those of thread 0 there may be nothing.
    struct Before
    {
        bool exists;
        T value;
    };

    static int this_thread()
    {
        return RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z);
    }
    static __device__ TempStorage &own_storage()
    {
        __shared__ TempStorage own;
        return own;
    }

    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER static T reduce_items(T (&items)[ITEMS], Op op)
    {
        T result = items[0];
        for (int i = 1; i < ITEMS; ++i)
        {
            result = op(result, items[i]);
        }
        return result;
    }

    template <int ITEMS, class Op>
    CUDACPU_CUB_MEMBER static void scan_items(T (&input)[ITEMS], T (&output)[ITEMS], Op op,
                                              const Before &before, bool exclusive)
    {
        T running = before.value;
        for (int i = 0; i < ITEMS; ++i)
        {
            const T left = running, item = input[i];
            running = i > 0 || before.exists ? T(op(left, item)) : item;
            output[i] = exclusive ? left : running;
        }
    }

    // All threads bring a value, and thread 0 scans them.
    template <class Op>
    CUDACPU_CUB_APART void scan_values(const T &input, Op op)
    {
        Values &values = storage.Alias();
        storage.begin_use(tid);
        values.slot(tid) = input;
        __syncthreads();
        if (tid == 0)
        {
            T running = input;
            for (int thread = 1; thread < THREADS; ++thread)
            {
                const T brought = values.slot(thread);
                values.slot(thread) = running;
                running = op(running, brought);
            }
            values.aggregate = running;
        }
    }

    template <class Op>
    CUDACPU_CUB_MEMBER Before scan_threads(const T &input, Op op, T &aggregate)
    {
        scan_values(input, op);
        __syncthreads();
        storage.end_use();
        aggregate = storage.Alias().aggregate;
        return {tid > 0, storage.Alias().slot(tid)};
    }

    template <class Op, class Callback>
    CUDACPU_CUB_MEMBER Before scan_threads_behind(const T &input, Op op, Callback &callback)
    {
        Values &values = storage.Alias();
        scan_values(input, op);
        if (tid < detail::WARP)
        {
            __syncwarp(detail::Lanes<detail::WARP>().mask);
            const T prefix = callback(values.aggregate);
            if (tid == 0)
            {
                values.prefix = prefix;
            }
        }
        __syncthreads();
        storage.end_use();
        return {true, tid > 0 ? T(op(values.prefix, values.slot(tid))) : values.prefix};
    }
};
} // namespace cub

#endif
