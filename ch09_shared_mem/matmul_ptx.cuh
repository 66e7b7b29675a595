// PTX instructions of matmul-tensor that C++ has no names for. Each function has the PTX name.
#pragma once
#include <cuda.h>
#include <cuda_bf16.h>
#include <stdint.h>

// An address within shared memory has 32 bits.
__device__ __forceinline__ uint32_t shared_address(const void *p)
{
    return (uint32_t)__cvta_generic_to_shared(p);
}

// ---- From sm_80 on: a warp multiplies, out of registers ----

// Loads four matrices of 8 x 8. Lane i gives the address of row i % 8 of matrix i / 8. Of each
// matrix a lane receives two neighbours: row lane / 4, columns 2 (lane % 4) and 2 (lane % 4) + 1.
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

// A phase of the barrier ends after `count` arrivals, when all announced bytes have arrived, too.
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

// Waits until the phase of this parity has ended. The first phase has parity 0. Before it has
// ended, a phase of parity 1 counts as ended.
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

// TMA copies the box that begins at (row, column) of the map's matrix, with zeros outside of it.
__device__ __forceinline__ void cp_async_bulk_tensor(void *s_to, const CUtensorMap *map, int row,
                                                     int column, uint64_t *barrier)
{
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile"
        ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(shared_address(s_to)),
        "l"(map), "r"(shared_address(barrier)), "r"(column), "r"(row)
        : "memory");
}

// ---- From sm_90 on: clusters, whose blocks run at the same time and reach each other ----

__device__ __forceinline__ int rank_in_cluster(void)
{
    uint32_t rank;
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return (int)rank;
}

// All threads of all blocks of the cluster wait for each other.
__device__ __forceinline__ void cluster_sync(void)
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// Arrives at the same barrier of block `rank` of the cluster. Not with .release.cluster: then nvcc
// makes the thread wait for all its stores, at each arrival.
__device__ __forceinline__ void mbarrier_arrive_at(uint64_t *barrier, int rank)
{
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
                 "}" ::"r"(shared_address(barrier)),
                 "r"(rank)
                 : "memory");
}

// As cp_async_bulk_tensor. The box and the news of its arrival come to each block of the cluster
// whose bit is set in `blocks`, at the same place in its shared memory.
__device__ __forceinline__ void cp_async_bulk_tensor_multicast(void *s_to, const CUtensorMap *map,
                                                               int row, int column,
                                                               uint64_t *barrier, uint16_t blocks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile"
                 ".mbarrier::complete_tx::bytes.multicast::cluster "
                 "[%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(s_to)),
                 "l"(map), "r"(shared_address(barrier)), "r"(column), "r"(row), "h"(blocks)
                 : "memory");
}

// ---- sm_90a only: a warpgroup (four warps) multiplies out of shared memory ----

__device__ bool has_wgmma = // in the code that the driver has chosen for this device
#if __CUDA_ARCH_FEAT_SM90_ALL
    true;
#else
    false;
#endif

// The warps give registers back to the multiprocessor until each thread has COUNT, or take more.
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

// Describes an operand: rows of 128 bytes, swizzled as TMA swizzles them. Groups of 8 rows are
// `between_groups` bytes apart. Where a row is longer than 128 bytes, its parts are
// `between_blocks` apart.
__device__ __forceinline__ uint64_t descriptor(const void *s_matrix, int between_blocks,
                                               int between_groups)
{
    const uint64_t swizzle_128_bytes = 1;
    return (uint64_t)((shared_address(s_matrix) & 0x3ffff) >> 4) |
           (uint64_t)(between_blocks >> 4) << 16 | (uint64_t)(between_groups >> 4) << 32 |
           swizzle_128_bytes << 62;
}

// Needed before the first wgmma on registers that other instructions have written.
__device__ __forceinline__ void wgmma_fence(void)
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

// All wgmma since the last commit become a group.
__device__ __forceinline__ void wgmma_commit_group(void)
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Waits until at most COUNT groups are still running.
template <int COUNT>
__device__ __forceinline__ void wgmma_wait_group(void)
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(COUNT) : "memory");
}

#define FOUR(i) "+f"(c[i]), "+f"(c[i + 1]), "+f"(c[i + 2]), "+f"(c[i + 3])
#define SIXTEEN(i) FOUR(i), FOUR(i + 4), FOUR(i + 8), FOUR(i + 12)

// c += a b, of 64 x 16 by 16 x 64. The last 1 says that b is stored row by row.
__device__ __forceinline__ void wgmma(float (&c)[32], uint64_t a, uint64_t b)
{
    asm volatile("{\n"
                 ".reg .pred adds; // or else c = a b\n"
                 "setp.eq.u32 adds, 0, 0;\n"
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 {"
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
                 "%32, %33, adds, 1, 1, 0, 1;\n"
                 "}"
                 : SIXTEEN(0), SIXTEEN(16)
                 : "l"(a), "l"(b));
}

// The same, of 64 x 16 by 16 x 256.
__device__ __forceinline__ void wgmma(float (&c)[128], uint64_t a, uint64_t b)
{
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
}
#undef SIXTEEN
#undef FOUR
