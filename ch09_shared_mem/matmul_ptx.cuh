// The instructions of matmul-tensor that C++ has no names for, a function each, by their PTX names.
#pragma once
#include <cuda.h>
#include <cuda_bf16.h>
#include <stdint.h>
#include "matmul_rows.cuh"
#include "matmul_tiles.cuh"

// Shared memory's own addresses have 32 bits.
__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

// ---- From sm_80 on: a warp multiplies, out of registers ----

// Four matrices of 8 x 8: lane i gives the address of row i % 8 of number i / 8. Of each matrix a
// lane receives two neighbours, at row lane / 4 and columns 2 (lane % 4) and one more.
__device__ __forceinline__ void ldmatrix(uint32_t (&to)[4], const void *s_row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(s_row))
                 : "memory");
}

// The same, each matrix transposed.
__device__ __forceinline__ void ldmatrix_trans(uint32_t (&to)[4], const void *s_row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(shared_address(s_row))
                 : "memory");
}

// c += a b, of 16 x 16 by 16 x 8.
__device__ __forceinline__ void mma(float (&c)[4], const uint32_t (&a)[4], const uint32_t *b)
{
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
                 "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// ---- From sm_90 on: barriers in shared memory, and the copy engine TMA ----

// A phase of the barrier ends when `count` arrivals have come, and all bytes that were announced.
__device__ __forceinline__ void mbarrier_init(uint64_t *barrier, int count)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(count));
}

// Makes what this thread has initialized visible to TMA.
__device__ __forceinline__ void fence_proxy_async(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

__device__ __forceinline__ void mbarrier_arrive(uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier))
                 : "memory");
}

// Arrives, and announces bytes that TMA will bring.
__device__ __forceinline__ void mbarrier_arrive_expect_tx(uint64_t *barrier, int bytes)
{
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
        "r"(bytes)
        : "memory");
}

// Until the phase of this parity has ended. (The first has 0; before it, 1 has ended already.)
__device__ __forceinline__ void mbarrier_wait(uint64_t *barrier, int parity)
{
    uint32_t ended = 0;
    while (!ended)
    {
        asm volatile("{\n"
                     ".reg .pred p;\n"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     "selp.u32 %0, 1, 0, p;\n"
                     "}"
                     : "=r"(ended)
                     : "r"(shared_address(barrier)), "r"(parity)
                     : "memory");
    }
}

// TMA: the box of the map's matrix that begins at (row, column), zeros outside of the matrix.
__device__ __forceinline__ void cp_async_bulk_tensor(void *s_to, const CUtensorMap *map, int row,
                                                     int column, uint64_t *barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
        ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(s_to)),
        "l"(map), "r"(shared_address(barrier)), "r"(column), "r"(row)
        : "memory");
}

// ---- sm_90a only: a warpgroup, four warps, multiplies out of shared memory ----

__device__ bool has_wgmma = // in the code that this device has chosen
#if __CUDA_ARCH_FEAT_SM90_ALL
    true;
#else
    false;
#endif

// The warps give registers back to the multiprocessor, down to so many a thread, or take some.
template <int COUNT>
__device__ __forceinline__ void setmaxnreg_dec(void)
{
    asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;" ::"n"(COUNT));
}

template <int COUNT>
__device__ __forceinline__ void setmaxnreg_inc(void)
{
    asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;" ::"n"(COUNT));
}

// Describes an operand: rows of 128 bytes, swizzled as TMA swizzles them, in groups of 8 that are
// `between_groups` bytes apart; `between_blocks` where 128 bytes are not the whole width.
__device__ __forceinline__ uint64_t descriptor(const void *s_matrix, int between_blocks,
                                               int between_groups)
{
    const uint64_t swizzle_128_bytes = 1;
    return (uint64_t)((shared_address(s_matrix) & 0x3ffff) >> 4) |
           (uint64_t)(between_blocks >> 4) << 16 | (uint64_t)(between_groups >> 4) << 32 |
           swizzle_128_bytes << 62;
}

// Before the first wgmma on registers that were written by other means.
__device__ __forceinline__ void wgmma_fence(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// The wgmma since the last commit become a group.
__device__ __forceinline__ void wgmma_commit_group(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Until at most so many groups are under way.
template <int COUNT>
__device__ __forceinline__ void wgmma_wait_group(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(COUNT) : "memory");
}

// c += a b, of 64 x 16 by 16 x 256; b lies by rows, which is what the last 1 says.
__device__ __forceinline__ void wgmma(float (&c)[128], uint64_t a, uint64_t b)
{
#define FOUR(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)
    asm volatile("{\n"
                 ".reg .pred adds; // or else c = a b\n"
                 "setp.eq.u32 adds, 0, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32.bf16.bf16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63, "
                 "%64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, "
                 "%80, %81, %82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, "
                 "%96, %97, %98, %99, %100, %101, %102, %103, %104, %105, %106, %107, %108, %109, "
                 "%110, %111, "
                 "%112, %113, %114, %115, %116, %117, %118, %119, %120, %121, %122, %123, %124, "
                 "%125, %126, %127}, "
                 "%128, %129, adds, 1, 1, 0, 1;\n"
                 "}"
                 : SIXTEEN(0), SIXTEEN(16), SIXTEEN(32), SIXTEEN(48), SIXTEEN(64), SIXTEEN(80),
                   SIXTEEN(96), SIXTEEN(112)
                 : "l"(a), "l"(b));
#undef SIXTEEN
#undef FOUR
}

// ---- The host's part of TMA ----

// A matrix as TMA knows it: cut into boxes of so many rows and 64 columns, which are 128 bytes.
// Within each 8 rows of a box the 16-byte pieces are swizzled, against bank conflicts.
inline CUtensorMap describe(const Matrix &matrix, unsigned int rows_of_box)
{
    static const auto encode =
        (decltype(cuTensorMapEncodeTiled) *)driver_function("cuTensorMapEncodeTiled", 12000);
    const cuuint64_t sizes[] = {(cuuint64_t)matrix.columns, (cuuint64_t)matrix.rows};
    const cuuint64_t strides[] = {matrix.pitch * sizeof(bf16)}; // between rows
    const cuuint32_t box[] = {64, rows_of_box}, steps[] = {1, 1};
    CUtensorMap map;
    const CUresult status =
        encode == NULL ? CUDA_ERROR_NOT_FOUND
                       : encode(&map, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, 2, (void *)matrix.numbers,
                                sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                CU_TENSOR_MAP_SWIZZLE_128B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
                                CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE); // zeros beyond the matrix
    if (status != CUDA_SUCCESS)
    {
        fprintf(stderr, "cuTensorMapEncodeTiled: error %d of the driver's\n", (int)status);
        exit(3);
    }
    return map;
}

// ---- After mma and wgmma a thread has pairs of neighbours in a row of C ----

__device__ inline void store_pair(Size s, float *C, int row, int column, float left, float right)
{
    float *c = C + (size_t)row * s.N + column;
    if (row < s.M && column + 1 < s.N && s.N % 2 == 0)
    {
        *(float2 *)c = make_float2(left, right);
    }
    else if (row < s.M && column < s.N)
    {
        c[0] = left;
        if (column + 1 < s.N)
        {
            c[1] = right;
        }
    }
}
