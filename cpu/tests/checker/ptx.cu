// Inline PTX: its loads, stores, atomics, barriers and fences are seen as CUDA's own are.
__device__ inline unsigned at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void shift(int *y)
{
    __shared__ int s[64];
    const int t = threadIdx.x;
    int v;
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at(s + t)), "r"(t));        // race:shared
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at(s + 63 - t))); // race:shared
    asm volatile("bar.sync 0;");
    asm volatile("{\n"
                 "  .reg .u32 a;\n"
                 "  ld.shared.u32 a, [%1];\n"
                 "  add.u32 %0, %0, a;\n"
                 "}"
                 : "+r"(v)
                 : "r"(at(s + 63 - t)));
    y[t] = v;
}

__global__ void blocks(int *y, float4 *z)
{
    asm volatile("st.global.u32 [%0], %1;" ::"l"(y), "r"(blockIdx.x)); // race:global
    asm volatile("red.global.add.u32 [%0], 1;" ::"l"(y + 1));          // race:beside
    if (blockIdx.x == 1 && threadIdx.x == 0)
    {
        int v;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(y + 1)); // race:beside
        asm volatile("st.global.v2.u32 [%0+8], {%1, %1};" ::"l"(y), "r"(v));
    }
    if (blockIdx.x == 0 && threadIdx.x == 0)
    {
        float a, b;
        // clang-format off
        asm volatile("ld.global.nc.v4.f32 {%0, _, _, _}, [%1];" : "=f"(a) : "l"(z)); // never-written:fresh
        // clang-format on
        asm volatile("ld.global.f32 %0, [%1+16];" : "=f"(b) : "l"(z)); // out-of-bounds:end
        y[4] = (int)(a + b);
    }
}

// Release and acquire order the two blocks.
__global__ void publish(int *value, int *flag, int *seen)
{
    if (blockIdx.x == 0)
    {
        *value = 42;
        asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(flag) : "memory");
        return;
    }
    int ready;
    do
    {
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(ready) : "l"(flag) : "memory");
    } while (ready == 0);
    *seen = *value;
}

__global__ void copy(float4 *y, const float4 *x)
{
    __shared__ float4 s[32];
    const int t = threadIdx.x;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at(s + t)), "l"(x + t));
    asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
    asm volatile("bar.warp.sync 0xffffffff;");
    y[t] = s[31 - t];
}

int main()
{
    int *y;
    float4 *z, *x;
    cudaMalloc(&y, 64 * sizeof(int));
    cudaMalloc(&z, sizeof(float4));
    cudaMalloc(&x, 64 * sizeof(float4));
    shift<<<1, 64>>>(y);
    cudaMemset(y, 0, 64 * sizeof(int));
    blocks<<<2, 1>>>(y, z);
    cudaMemset(y, 0, 64 * sizeof(int));
    publish<<<2, 1>>>(y, y + 1, y + 2);
    cudaMemset(x, 0, 32 * sizeof(float4));
    copy<<<1, 32>>>(x + 32, x);
    cudaDeviceSynchronize();
    return 0;
}
