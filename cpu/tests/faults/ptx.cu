// Wrong kernels: inline PTX. What is found is found at the line of the instruction.
//
// env: CUDACPU_STRICT=1
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

__device__ unsigned at(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

// case: beyond
// stderr: kernel beyond, block \(0,0,0\), thread \(0,0,0\), FILE:BEYOND:
// stderr: write of 0x\w+, \d+ bytes past the end of a device allocation
__global__ void beyond(int *y)
{
    asm volatile("{\n\t"
                 ".reg .u32 t;\n\t"
                 "mov.u32 t, 1;\n\t"
                 "st.global.u32 [%0+65536], t;\n\t" // BEYOND
                 "}" ::"l"(y)
                 : "memory");
}
CASE(beyond)
{
    beyond<<<1, 1>>>(device_array<int>(64));
}

// case: shared_end
// stderr: FILE:SHARED_END:\n.*write of 0x\w+, 0 bytes past the end of __shared__ variable s_x \(256 bytes\)
__global__ void shared_end()
{
    __shared__ int s_x[64];
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(at(&s_x[threadIdx.x + 1])), "r"(1)); // SHARED_END
}
CASE(shared_end)
{
    shared_end<<<1, 64>>>();
}

// A generic address, cut to 32 bits, is no address in shared memory.
// case: cut
// stderr: FILE:CUT:\n.*write of 0x\w+, .*dynamic shared memory
__global__ void cut()
{
    __shared__ int s_x[64];
    const unsigned address = (unsigned)(size_t)&s_x[threadIdx.x] | 0x80000000;
    asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(1)); // CUT
}
CASE(cut)
{
    cut<<<1, 64>>>();
}

// case: null
// stderr: FILE:NULL_POINTER:\n.*read of \(nil\), a null pointer
__global__ void null_pointer(int *y)
{
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(*y) : "l"((int *)NULL)); // NULL_POINTER
}
CASE(null)
{
    null_pointer<<<1, 1>>>(device_array<int>(1));
}

// case: part
// stderr: FILE:PART:\n.*bar.sync of a part of the block needs a GPU: the CPU backend does not have it
// out: 801 cudaErrorNotSupported
__global__ void part()
{
    if (threadIdx.x < 32)
    {
        asm volatile("bar.sync 1, 32;"); // PART
    }
}
CASE(part)
{
    part<<<1, 64>>>();
}

// case: trap
// stderr: FILE:TRAP:\n.*illegal instruction or __trap\(\)
// out: 719 cudaErrorLaunchFailure
__global__ void give_up()
{
    asm volatile("trap;"); // TRAP
}
CASE(trap)
{
    give_up<<<1, 1>>>();
}

// case: mask
// stderr: FILE:MASK:\n.*the mask .* does not name the lane that calls
// out: 719 cudaErrorLaunchFailure
__global__ void mask()
{
    int y;
    asm volatile("shfl.sync.idx.b32 %0, %1, 0, 0x1f, 0x0000ffff;" : "=r"(y) : "r"(1)); // MASK
}
CASE(mask)
{
    mask<<<1, 32>>>();
}
