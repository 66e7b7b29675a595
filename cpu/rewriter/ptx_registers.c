// The special registers of PTX: where a thread is, which lanes there are, clocks.
#include "ptx.h"
#include <string.h>

const char *ptx_special_register(const char *name, int *size)
{
    static const struct
    {
        const char *name, *value;
        int size;
    } registers[] = {
        {"tid.x", "threadIdx.x", 4},
        {"tid.y", "threadIdx.y", 4},
        {"tid.z", "threadIdx.z", 4},
        {"ntid.x", "blockDim.x", 4},
        {"ntid.y", "blockDim.y", 4},
        {"ntid.z", "blockDim.z", 4},
        {"ctaid.x", "blockIdx.x", 4},
        {"ctaid.y", "blockIdx.y", 4},
        {"ctaid.z", "blockIdx.z", 4},
        {"nctaid.x", "gridDim.x", 4},
        {"nctaid.y", "gridDim.y", 4},
        {"nctaid.z", "gridDim.z", 4},
        {"laneid", "::cudacpu::lane()", 4},
        {"warpid", "::cudacpu::ptx::warp_of_block()", 4},
        {"smid", "cudacpu_smid()", 4},
        {"nsmid", "cudacpu_nsmid()", 4},
        {"dynamic_smem_size", "cudacpu_dynamic_smem_size()", 4},
        {"lanemask_eq", "(1u << ::cudacpu::lane())", 4},
        {"lanemask_lt", "((1u << ::cudacpu::lane()) - 1u)", 4},
        {"lanemask_le", "((2u << ::cudacpu::lane()) - 1u)", 4},
        {"lanemask_gt", "(0u - (2u << ::cudacpu::lane()))", 4},
        {"lanemask_ge", "(0u - (1u << ::cudacpu::lane()))", 4},
        {"clock", "(unsigned int)cudacpu_clock()", 4},
        {"clock_hi", "(unsigned int)((unsigned long long)cudacpu_clock() >> 32)", 4},
        {"clock64", "(unsigned long long)cudacpu_clock()", 8},
        {"globaltimer", "::cudacpu::ptx::globaltimer()", 8},
        {"globaltimer_lo", "(unsigned int)::cudacpu::ptx::globaltimer()", 4},
        {"globaltimer_hi", "(unsigned int)(::cudacpu::ptx::globaltimer() >> 32)", 4},
    };
    for (size_t i = 0; i < sizeof(registers) / sizeof(registers[0]); ++i)
    {
        if (strcmp(registers[i].name, name) == 0)
        {
            *size = registers[i].size;
            return registers[i].value;
        }
    }
    return NULL;
}
