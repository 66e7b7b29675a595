// cub::DeviceReduce. One kernel reduces the parts of the array, a second one their results.
#ifndef CUDACPU_CUB_DEVICE_REDUCE_CUH
#define CUDACPU_CUB_DEVICE_REDUCE_CUH
#include "../thread/thread_operators.cuh"
#include "../util_device.cuh"

namespace cub
{
namespace detail
{
// All of x, which has at least one element. Sixteen results at once, so that the compiler can use
// vectors and no operation waits for the one before it. So the operation must commute, as CUB asks.
template <class Accumulator, class Input, class Op>
inline Accumulator reduce_part(Input x, size_t n, Op op)
{
    const size_t WIDTH = 16;
    Accumulator result = x[0];
    size_t i = 1;
    if (n >= 2 * WIDTH)
    {
        Accumulator sums[WIDTH];
        for (size_t k = 0; k < WIDTH; ++k)
        {
            sums[k] = x[k];
        }
        for (i = WIDTH; i + WIDTH <= n; i += WIDTH)
        {
            for (size_t k = 0; k < WIDTH; ++k)
            {
                sums[k] = op(sums[k], x[i + k]);
            }
        }
        result = sums[0];
        for (size_t k = 1; k < WIDTH; ++k)
        {
            result = op(result, sums[k]);
        }
    }
    for (; i < n; ++i)
    {
        result = op(result, x[i]);
    }
    return result;
}

template <class Accumulator, class Input, class Op>
__global__ void DeviceReduceKernel(Input x, Accumulator *results, size_t n, size_t length, Op op)
{
    const size_t first = blockIdx.x * length;
    new ((void *)&results[blockIdx.x]) Accumulator(
        reduce_part<Accumulator>(x + first, n - first < length ? n - first : length, op));
}

// Without an initial value (of type NullType) there is at least one element.
template <class Accumulator, class Input, class Output, class Op, class Initial>
__global__ void DeviceReduceSingleTileKernel(Input x, Output y, size_t n, Op op, Initial initial)
{
    if constexpr (std::is_same<Initial, NullType>::value)
    {
        *y = reduce_part<Accumulator>(x, n, op);
    }
    else
    {
        *y = n == 0 ? Accumulator(initial)
                    : Accumulator(op(Accumulator(initial), reduce_part<Accumulator>(x, n, op)));
    }
}

// A launch is written as what the rewriter makes of <<<grid, block, bytes, stream>>> in a program.
template <class Accumulator, class Input, class Output, class Op, class Initial>
cudaError_t reduce_device(void *storage, size_t &bytes, Input x, Output y, size_t n, Op op,
                          Initial initial, cudaStream_t stream)
{
    const Parts parts(n);
    Accumulator *results = NULL;
    cudaError_t error;
    if (is_question(storage, &bytes, parts.number, &results, &error) || error != cudaSuccess)
    {
        return error;
    }
    if (parts.number <= 1)
    {
        cudacpu::configure(1, 1, 0, stream);
        DeviceReduceSingleTileKernel<Accumulator>(x, y, n, op, initial);
    }
    else
    {
        cudacpu::configure(parts.number, 1, 0, stream);
        DeviceReduceKernel<Accumulator>(x, results, n, parts.length, op);
        cudacpu::configure(1, 1, 0, stream);
        DeviceReduceSingleTileKernel<Accumulator>((const Accumulator *)results, y, parts.number, op,
                                                  initial);
    }
    return cudaPeekAtLastError();
}

// The elements of x after `op`.
template <class Input, class Op>
struct Transformed
{
    Input x;
    Op op;
    size_t first;

    auto operator[](size_t i) const
    {
        return op(x[first + i]);
    }
    Transformed operator+(size_t n) const
    {
        return {x, op, first + n};
    }
};

// The elements of x, each with its place.
template <class Input, class Index, class Value>
struct Indexed
{
    Input x;
    size_t first;

    KeyValuePair<Index, Value> operator[](size_t i) const
    {
        return {(Index)(first + i), (Value)x[first + i]};
    }
    Indexed operator+(size_t n) const
    {
        return {x, first + n};
    }
};

// Where the two parts of a pair go.
template <class ValueOutput, class IndexOutput>
struct Unzipped
{
    ValueOutput values;
    IndexOutput indices;

    const Unzipped &operator*() const
    {
        return *this;
    }
    template <class Pair>
    void operator=(const Pair &pair) const
    {
        *values = pair.value;
        *indices = pair.key;
    }
};
} // namespace detail

// The operation must be associative and commutative. Of N = 0 elements the result is the initial
// value: 0 for a sum, the largest number for a minimum.
struct DeviceReduce
{
    template <class Input, class Output, class Op, class T, class Number>
    static cudaError_t Reduce(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                              Output d_out, Number num_items, Op reduction_op, T init,
                              cudaStream_t stream = 0)
    {
        typedef detail::accumulator<Op, T, detail::value_of<Input>> Accumulator;
        return detail::is_negative(num_items)
                   ? cudaErrorInvalidValue
                   : detail::reduce_device<Accumulator>(d_temp_storage, temp_storage_bytes, d_in,
                                                        d_out, num_items, reduction_op, init,
                                                        stream);
    }

    template <class Input, class Output, class Number>
    static cudaError_t Sum(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                           Output d_out, Number num_items, cudaStream_t stream = 0)
    {
        typedef detail::value_of_output<Output, detail::value_of<Input>> T;
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Sum(), T{},
                      stream);
    }

    template <class Input, class Output, class Number>
    static cudaError_t Min(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                           Output d_out, Number num_items, cudaStream_t stream = 0)
    {
        typedef detail::value_of<Input> T;
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Min(),
                      std::numeric_limits<T>::max(), stream);
    }

    template <class Input, class Output, class Number>
    static cudaError_t Max(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                           Output d_out, Number num_items, cudaStream_t stream = 0)
    {
        typedef detail::value_of<Input> T;
        return Reduce(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items, cub::Max(),
                      std::numeric_limits<T>::lowest(), stream);
    }

    // The place and the value: in a KeyValuePair as CUDA 12 has it, or each by itself.
    template <class Input, class Output>
    static cudaError_t ArgMin(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                              Output d_out, int num_items, cudaStream_t stream = 0)
    {
        return find_place<int>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                               cub::ArgMin(), std::numeric_limits<detail::value_of<Input>>::max(),
                               stream);
    }
    template <class Input, class Output>
    static cudaError_t ArgMax(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                              Output d_out, int num_items, cudaStream_t stream = 0)
    {
        return find_place<int>(d_temp_storage, temp_storage_bytes, d_in, d_out, num_items,
                               cub::ArgMax(),
                               std::numeric_limits<detail::value_of<Input>>::lowest(), stream);
    }
    template <class Input, class ValueOutput, class IndexOutput>
    static cudaError_t ArgMin(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                              ValueOutput d_min_out, IndexOutput d_index_out, long num_items,
                              cudaStream_t stream = 0)
    {
        const detail::Unzipped<ValueOutput, IndexOutput> output = {d_min_out, d_index_out};
        return find_place<long>(d_temp_storage, temp_storage_bytes, d_in, output, num_items,
                                cub::ArgMin(), std::numeric_limits<detail::value_of<Input>>::max(),
                                stream);
    }
    template <class Input, class ValueOutput, class IndexOutput>
    static cudaError_t ArgMax(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                              ValueOutput d_max_out, IndexOutput d_index_out, long num_items,
                              cudaStream_t stream = 0)
    {
        const detail::Unzipped<ValueOutput, IndexOutput> output = {d_max_out, d_index_out};
        return find_place<long>(d_temp_storage, temp_storage_bytes, d_in, output, num_items,
                                cub::ArgMax(),
                                std::numeric_limits<detail::value_of<Input>>::lowest(), stream);
    }

    template <class Input, class Output, class Op, class Transform, class T, class Number>
    static cudaError_t TransformReduce(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                                       Output d_out, Number num_items, Op reduction_op,
                                       Transform transform_op, T init, cudaStream_t stream = 0)
    {
        typedef std::decay_t<decltype(transform_op(d_in[0]))> Element;
        typedef detail::accumulator<Op, T, Element> Accumulator;
        const detail::Transformed<Input, Transform> x = {d_in, transform_op, 0};
        return detail::is_negative(num_items)
                   ? cudaErrorInvalidValue
                   : detail::reduce_device<Accumulator>(d_temp_storage, temp_storage_bytes, x,
                                                        d_out, num_items, reduction_op, init,
                                                        stream);
    }

  private:
    // Of no elements CUB says that place 1 has the initial value.
    template <class Index, class Input, class Output, class Op, class Value>
    static cudaError_t find_place(void *storage, size_t &bytes, Input d_in, Output d_out,
                                  Index num_items, Op op, Value none, cudaStream_t stream)
    {
        typedef KeyValuePair<Index, Value> Pair;
        const detail::Indexed<Input, Index, Value> x = {d_in, 0};
        if (num_items < 0)
        {
            return cudaErrorInvalidValue;
        }
        return num_items == 0 ? detail::reduce_device<Pair>(storage, bytes, x, d_out, 0, op,
                                                            Pair(1, none), stream)
                              : detail::reduce_device<Pair>(storage, bytes, x, d_out, num_items, op,
                                                            NullType(), stream);
    }
};
} // namespace cub

#endif
