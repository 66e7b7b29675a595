// The second file of rdc. It does the same as the first, with the same names of variables.

#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "rdc.cuh"

__global__ void read_there(View *view)
{
    const int tid = threadIdx.x;
    view->own[tid] = c_own[tid];
    view->shared[tid] = c_shared[tid];
}

View view_there(void)
{
    View *d_view, view;
    CHECK(cudaMalloc(&d_view, sizeof(View)));
    CHECK(cudaMemset(d_view, POISON_BYTE, sizeof(View)));
    read_there<<<1, NUM_VALUES>>>(d_view);
    CHECK_LAUNCH();
    CHECK(cudaMemcpy(&view, d_view, sizeof(View), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_view));
    CHECK(cudaGetSymbolAddress(&view.own_address, c_own));
    CHECK(cudaGetSymbolAddress(&view.shared_address, c_shared));
    return view;
}

void set_there(const int *own, const int *shared)
{
    CHECK(cudaMemcpyToSymbol(c_own, own, sizeof(c_own)));
    CHECK(cudaMemcpyToSymbol(c_shared, shared, sizeof(c_shared)));
}
