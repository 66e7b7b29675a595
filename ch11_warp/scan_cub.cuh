// The library beside scan: CUB, which comes with the toolkit.
#pragma once
#include "scan_data.cuh"
#if ON_GPU
#include <cub/device/device_scan.cuh>

template <typename T>
cudaError_t cub_scan(Sum, Problem<T> *p, void *temp)
{
    return p->exclusive ? cub::DeviceScan::ExclusiveSum(temp, p->temp_bytes, p->d_x, p->d_y, p->N)
                        : cub::DeviceScan::InclusiveSum(temp, p->temp_bytes, p->d_x, p->d_y, p->N);
}

template <typename T>
cudaError_t cub_scan(Product, Problem<T> *p, void *temp)
{
    return p->exclusive ? cub::DeviceScan::ExclusiveScan(temp, p->temp_bytes, p->d_x, p->d_y,
                                                         Product(), (T)1, p->N)
                        : cub::DeviceScan::InclusiveScan(temp, p->temp_bytes, p->d_x, p->d_y,
                                                         Product(), p->N);
}

// What CUB asks for first: how much temporary memory it needs. Untimed, as reuse is what it is for.
template <class Op, typename T>
void set_up_cub(Problem<T> *p)
{
    const size_t had = p->temp_bytes;
    CHECK(cub_scan(Op(), p, NULL));
    if (p->temp_bytes > had)
    {
        CHECK(cudaFree(p->d_temp));
        CHECK(cudaMalloc(&p->d_temp, p->temp_bytes));
    }
}

template <class Op, typename T>
void scan_by_cub(Problem<T> *p)
{
    CHECK(cub_scan(Op(), p, p->d_temp));
}
#endif
