// Features that need a GPU, and functions that CUDA no longer has. One line names them; without it
// the compiler would complain of each part.
#include "rewriter.h"
#include <string.h>

static const struct
{
    const char *prefix, *feature;
} FEATURES[] = {
    {"cudaTextureObject_t", "a texture"},
    {"cudaTextureDesc", "a texture"},
    {"cudaCreateTextureObject", "a texture"},
    {"tex1D", "a texture"},
    {"tex2D", "a texture"},
    {"tex3D", "a texture"},
    {"texCubemap", "a texture"},
    {"cudaSurfaceObject_t", "a surface"},
    {"cudaCreateSurfaceObject", "a surface"},
    {"surf1D", "a surface"},
    {"surf2D", "a surface"},
    {"surf3D", "a surface"},
    {"cudaMallocArray", "an array for textures"},
    {"cudaMalloc3DArray", "an array for textures"},
    {"cudaArray_t", "an array for textures"},
    {"cudaGraphics", "graphics interoperability"},
    {"cudaGraphConditional", "a conditional node of a graph"},
    {"cudaGraphAddExternalSemaphores", "a semaphore from outside CUDA"},
    {"cudaLaunchCooperativeKernel", "a cooperative launch (a barrier for the whole grid)"},
    {"cudaIpc", "memory shared between processes"},
    {"nvcuda", "WMMA (tensor cores)"},
    {"__cluster_dims__", "a thread block cluster"},
    {"CUtensorMap", "TMA"},
    {"CUresult", "the driver API"},
    {"CUmodule", "the driver API"},
    {"CUfunction", "the driver API"},
    {"cuInit", "the driver API"},
    {"cuCtx", "the driver API"},
    {"cuDeviceGet", "the driver API"},
    {"cuModule", "the driver API"},
    {"cuLaunchKernel", "the driver API"},
    {"cuMem", "the driver API"},
    {"cuGetError", "the driver API"},
};

static void refuse(int i, const char *feature)
{
    fail(tokens[i].file, tokens[i].line,
         join(feature, " needs a GPU: the CPU backend cannot run it"));
}

static bool begins_with(int i, const char *prefix)
{
    return tokens[i].length >= (int)strlen(prefix) &&
           strncmp(tokens[i].text, prefix, strlen(prefix)) == 0;
}

static bool is_defined(int i)
{
    const char *name = copy(tokens[i].text, tokens[i].length);
    for (int k = 0; k < num_tokens; ++k)
    {
        if (is(k, name) && is(k + 1, "(") && function_body(k + 1) >= 0)
        {
            return true;
        }
    }
    return false;
}

// CUDA 9 gave the functions of a warp a mask. Old programs call them without.
static void refuse_without_mask(int i)
{
    static const char *const OLD[] = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor",
                                      "__all",  "__any",     "__ballot",    NULL};
    if (is_any(i, OLD) && is(i + 1, "(") && !is_defined(i))
    {
        const char *name = copy(tokens[i].text, tokens[i].length);
        fail(tokens[i].file, tokens[i].line,
             join(join(name, " is gone since CUDA 9: write "),
                  join(name, "_sync(0xffffffff, ...), with the mask of the lanes that call it")));
    }
}

void refuse_unsupported(int i, bool in_device_code)
{
    if (tokens[i].system || is(i - 1, ".") || is(i - 1, "->"))
    {
        return;
    }
    refuse_without_mask(i);
    if (in_device_code && is(i, "<<<"))
    {
        refuse(i, "a launch in device code (dynamic parallelism)");
    }
    if (is(i, "texture") && is(i + 1, "<"))
    {
        refuse(i, "a texture");
    }
    for (int m = 0; m < num_missing; ++m)
    {
        if (begins_with(i, missing[m].prefix))
        {
            refuse(i, missing[m].library);
        }
    }
    for (size_t f = 0; f < sizeof(FEATURES) / sizeof(FEATURES[0]); ++f)
    {
        const char *prefix = FEATURES[f].prefix;
        const bool is_call = is(i + 1, "(") || is(i + 1, "<");
        const bool is_fetch = prefix[0] == 't' || prefix[0] == 's'; // such a name may be anything
        if (begins_with(i, prefix) && (is_call || !is_fetch))
        {
            refuse(i, FEATURES[f].feature);
        }
    }
}
