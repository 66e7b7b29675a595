// cub::DeviceScan. The first kernel reduces the parts of the array, the second one scans their
// results, and the third one scans each part behind the result of those before it.
#ifndef CUDACPU_CUB_DEVICE_SCAN_CUH
#define CUDACPU_CUB_DEVICE_SCAN_CUH
#include "../thread/thread_operators.cuh"
#include "../util_device.cuh"

namespace cub
{
namespace detail
{
const int PARTS_AT_ONCE = 4; // that a thread works on, so that no operation waits for another's

// A block's parts: full ones, all of the same length, or a single one.
struct OwnParts
{
    size_t first, number;
    bool is_four;
};

inline OwnParts own_parts(size_t n, size_t length)
{
    const size_t first = (size_t)blockIdx.x * PARTS_AT_ONCE, all = (n + length - 1) / length;
    const size_t number = all - first < PARTS_AT_ONCE ? all - first : PARTS_AT_ONCE;
    return {first, number, number == PARTS_AT_ONCE && (first + number) * length <= n};
}

template <class Accumulator, class Input, class Op>
__global__ void DeviceScanReduceKernel(Input x, Accumulator *results, size_t n, size_t length,
                                       Op op)
{
    const OwnParts own = own_parts(n, length);
    if (own.is_four)
    {
        const size_t a = own.first * length, b = a + length, c = b + length, d = c + length;
        Accumulator sum_a = x[a], sum_b = x[b], sum_c = x[c], sum_d = x[d];
        for (size_t i = 1; i < length; ++i)
        {
            sum_a = op(sum_a, x[a + i]);
            sum_b = op(sum_b, x[b + i]);
            sum_c = op(sum_c, x[c + i]);
            sum_d = op(sum_d, x[d + i]);
        }
        new ((void *)&results[own.first]) Accumulator(sum_a);
        new ((void *)&results[own.first + 1]) Accumulator(sum_b);
        new ((void *)&results[own.first + 2]) Accumulator(sum_c);
        new ((void *)&results[own.first + 3]) Accumulator(sum_d);
        return;
    }
    for (size_t part = own.first; part < own.first + own.number; ++part)
    {
        const size_t begin = part * length, end = n - begin < length ? n : begin + length;
        Accumulator sum = x[begin];
        for (size_t i = begin + 1; i < end; ++i)
        {
            sum = op(sum, x[i]);
        }
        new ((void *)&results[part]) Accumulator(sum);
    }
}

template <class Accumulator, class Op>
__global__ void DeviceScanTotalsKernel(Accumulator *results, size_t number, Op op)
{
    for (size_t part = 1; part < number; ++part)
    {
        results[part] = op(results[part - 1], results[part]);
    }
}

// One step of a scan. The input may be where the output is.
template <bool EXCLUSIVE, class Accumulator, class Input, class Output, class Op>
inline void scan_element(Input x, Output y, size_t i, Accumulator &running, Op op)
{
    const Accumulator next = op(running, x[i]);
    y[i] = EXCLUSIVE ? running : next;
    running = next;
}

// `results` are NULL if there is one part only. `initial` is NullType() if there is none.
template <bool EXCLUSIVE, class Accumulator, class Input, class Output, class Op, class Initial>
__global__ void DeviceScanKernel(Input x, Output y, const Accumulator *results, size_t n,
                                 size_t length, Op op, Initial initial)
{
    constexpr bool HAS_INITIAL = !std::is_same<Initial, NullType>::value;
    // What stands before a part that is not the first one.
    const auto before = [&](size_t part) -> Accumulator
    {
        if constexpr (HAS_INITIAL)
        {
            return op(Accumulator(initial), results[part - 1]);
        }
        else
        {
            return results[part - 1];
        }
    };
    const OwnParts own = own_parts(n, length);
    if (own.is_four && own.first > 0)
    {
        const size_t a = own.first * length, b = a + length, c = b + length, d = c + length;
        Accumulator sum_a = before(own.first), sum_b = before(own.first + 1);
        Accumulator sum_c = before(own.first + 2), sum_d = before(own.first + 3);
        for (size_t i = 0; i < length; ++i)
        {
            scan_element<EXCLUSIVE>(x, y, a + i, sum_a, op);
            scan_element<EXCLUSIVE>(x, y, b + i, sum_b, op);
            scan_element<EXCLUSIVE>(x, y, c + i, sum_c, op);
            scan_element<EXCLUSIVE>(x, y, d + i, sum_d, op);
        }
        return;
    }
    for (size_t part = own.first; part < own.first + own.number; ++part)
    {
        size_t i = part * length;
        const size_t end = n - i < length ? n : i + length;
        if (part > 0)
        {
            Accumulator running = before(part);
            for (; i < end; ++i)
            {
                scan_element<EXCLUSIVE>(x, y, i, running, op);
            }
        }
        else if constexpr (HAS_INITIAL)
        {
            Accumulator running = initial;
            for (; i < end; ++i)
            {
                scan_element<EXCLUSIVE>(x, y, i, running, op);
            }
        }
        else
        {
            Accumulator running = x[i];
            y[i++] = running;
            for (; i < end; ++i)
            {
                scan_element<EXCLUSIVE>(x, y, i, running, op);
            }
        }
    }
}

// A launch is written as what the rewriter makes of <<<grid, block, bytes, stream>>> in a program.
template <bool EXCLUSIVE, class Accumulator, class Input, class Output, class Op, class Initial>
cudaError_t scan_device(void *storage, size_t &bytes, Input x, Output y, Op op, Initial initial,
                        size_t n, cudaStream_t stream)
{
    const Parts parts(n);
    Accumulator *results = NULL;
    cudaError_t error;
    if (is_question(storage, &bytes, parts.number, &results, &error) || error != cudaSuccess ||
        n == 0)
    {
        return error;
    }
    const size_t blocks = (parts.number + PARTS_AT_ONCE - 1) / PARTS_AT_ONCE;
    if (parts.number > 1)
    {
        cudacpu::configure(blocks, 1, 0, stream);
        DeviceScanReduceKernel<Accumulator>(x, results, n, parts.length, op);
        cudacpu::configure(1, 1, 0, stream);
        DeviceScanTotalsKernel<Accumulator>(results, parts.number, op);
    }
    cudacpu::configure(blocks, 1, 0, stream);
    DeviceScanKernel<EXCLUSIVE, Accumulator>(x, y, (const Accumulator *)results, n, parts.length,
                                             op, initial);
    return cudaPeekAtLastError();
}
} // namespace detail

// The operation must be associative. The output may be the input. The calls with one pointer less
// work in place.
struct DeviceScan
{
    template <class Input, class Output, class Number>
    static cudaError_t ExclusiveSum(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                                    Output d_out, Number num_items, cudaStream_t stream = 0)
    {
        return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_in, d_out, cub::Sum(),
                             detail::value_of<Input>{}, num_items, stream);
    }
    template <class Data, class Number>
    static cudaError_t ExclusiveSum(void *d_temp_storage, size_t &temp_storage_bytes, Data d_data,
                                    Number num_items, cudaStream_t stream = 0)
    {
        return ExclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
    }

    template <class Input, class Output, class Op, class Initial, class Number>
    static cudaError_t ExclusiveScan(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                                     Output d_out, Op scan_op, Initial init_value, Number num_items,
                                     cudaStream_t stream = 0)
    {
        typedef detail::accumulator<Op, Initial, detail::value_of<Input>> Accumulator;
        return detail::is_negative(num_items)
                   ? cudaErrorInvalidValue
                   : detail::scan_device<true, Accumulator>(d_temp_storage, temp_storage_bytes,
                                                            d_in, d_out, scan_op, init_value,
                                                            num_items, stream);
    }
    template <class Data, class Op, class Initial, class Number>
    static cudaError_t ExclusiveScan(void *d_temp_storage, size_t &temp_storage_bytes, Data d_data,
                                     Op scan_op, Initial init_value, Number num_items,
                                     cudaStream_t stream = 0)
    {
        return ExclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op,
                             init_value, num_items, stream);
    }

    template <class Input, class Output, class Number>
    static cudaError_t InclusiveSum(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                                    Output d_out, Number num_items, cudaStream_t stream = 0)
    {
        return InclusiveScan(d_temp_storage, temp_storage_bytes, d_in, d_out, cub::Sum(), num_items,
                             stream);
    }
    template <class Data, class Number>
    static cudaError_t InclusiveSum(void *d_temp_storage, size_t &temp_storage_bytes, Data d_data,
                                    Number num_items, cudaStream_t stream = 0)
    {
        return InclusiveSum(d_temp_storage, temp_storage_bytes, d_data, d_data, num_items, stream);
    }

    template <class Input, class Output, class Op, class Number>
    static cudaError_t InclusiveScan(void *d_temp_storage, size_t &temp_storage_bytes, Input d_in,
                                     Output d_out, Op scan_op, Number num_items,
                                     cudaStream_t stream = 0)
    {
        typedef detail::value_of<Input> T;
        typedef detail::accumulator<Op, T, T> Accumulator;
        return detail::is_negative(num_items)
                   ? cudaErrorInvalidValue
                   : detail::scan_device<false, Accumulator>(d_temp_storage, temp_storage_bytes,
                                                             d_in, d_out, scan_op, NullType(),
                                                             num_items, stream);
    }
    template <class Data, class Op, class Number>
    static cudaError_t InclusiveScan(void *d_temp_storage, size_t &temp_storage_bytes, Data d_data,
                                     Op scan_op, Number num_items, cudaStream_t stream = 0)
    {
        return InclusiveScan(d_temp_storage, temp_storage_bytes, d_data, d_data, scan_op, num_items,
                             stream);
    }

    template <class Input, class Output, class Op, class Initial, class Number>
    static cudaError_t InclusiveScanInit(void *d_temp_storage, size_t &temp_storage_bytes,
                                         Input d_in, Output d_out, Op scan_op, Initial init_value,
                                         Number num_items, cudaStream_t stream = 0)
    {
        typedef detail::accumulator<Op, Initial, detail::value_of<Input>> Accumulator;
        return detail::is_negative(num_items)
                   ? cudaErrorInvalidValue
                   : detail::scan_device<false, Accumulator>(d_temp_storage, temp_storage_bytes,
                                                             d_in, d_out, scan_op, init_value,
                                                             num_items, stream);
    }
};
} // namespace cub

#endif
