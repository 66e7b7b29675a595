// Features that need a GPU, and functions that CUDA no longer has. One line names them; without it
// the compiler would complain of each part.
#include "rewriter.h"
#include <ctype.h>
#include <string.h>

static const struct
{
    const char *prefix, *feature;
} FEATURES[] = {
    {"cudaMallocMipmappedArray", "a mipmapped array"},
    {"cudaFreeMipmappedArray", "a mipmapped array"},
    {"cudaGetMipmappedArrayLevel", "a mipmapped array"},
    {"cudaArrayGetSparseProperties", "a sparse array"},
    {"cudaArrayGetPlane", "an array of several planes"},
    {"cudaGraphics", "graphics interoperability"},
    {"cudaGraphConditional", "a conditional node of a graph"},
    {"cudaGraphAddExternalSemaphores", "a semaphore from outside CUDA"},
    {"cudaLaunchCooperativeKernelMultiDevice", "a cooperative launch on several devices"},
    {"multi_grid_group", "a group of grids on several devices (multi_grid)"},
    {"this_multi_grid", "a group of grids on several devices (multi_grid)"},
    {"cudaIpc", "memory shared between processes"},
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

// Whether a header of ours declares the name at i, or the program itself does.
static bool is_declared(int i)
{
    static const char *const heads[] = {"struct", "class", "enum", "using", "namespace", NULL};
    const char *name = text_of(i);
    for (int k = 0; k < num_tokens; ++k)
    {
        if (is(k, name) && (tokens[k].system || (k != i && is_any(k - 1, heads))))
        {
            return true;
        }
    }
    return false;
}

// cudnnCreate, CUDNN_STATUS_SUCCESS, but not a program's own cudnn_handle.
static bool is_of_library(int i, const char *prefix)
{
    const int length = (int)strlen(prefix);
    return begins_with(i, prefix) && tokens[i].length > length &&
           (prefix[length - 1] == '_' || isupper((unsigned char)tokens[i].text[length]));
}

static bool uses_namespace(const char *name)
{
    int k = 0;
    while (k < num_tokens &&
           !(is(k, name) && is(k - 1, "namespace") && is(k - 2, "using") && !tokens[k].system))
    {
        ++k;
    }
    return k < num_tokens;
}

// What a header that is included does not declare: `without` has the prefix of the name, or cub:: and
// the name.
static void refuse_missing(int i, const Missing *without)
{
    static const char space[] = "cub::";
    const size_t length = strlen(space);
    const bool of_space = strncmp(without->prefix, space, length) == 0;
    const bool is_named = of_space ? is(i, without->prefix + length) &&
                                         (is(i - 1, "::") ? is(i - 2, "cub")
                                                          : (is(i + 1, "<") || is(i + 1, "::")) &&
                                                                uses_namespace("cub"))
                                   : is_of_library(i, without->prefix);
    if (is_named && !is_declared(i))
    {
        refuse(i, join(join(text_of(i), ": "), without->library));
    }
}

// nvcuda::wmma::fragment, using namespace nvcuda::wmma, and after `using namespace nvcuda` wmma::fragment.
static void refuse_wmma(int i)
{
    static const char *const parts[] = {"wmma", "experimental", NULL};
    const bool in_nvcuda = is_any(i, parts) && is(i - 1, "::") && is(i - 2, "nvcuda");
    if (in_nvcuda || (is(i, "wmma") && is(i + 1, "::") && !is_declared(i)))
    {
        refuse(i, "WMMA (tensor cores)");
    }
}

void refuse_unsupported(int i, bool in_device_code)
{
    if (tokens[i].system || is(i - 1, ".") || is(i - 1, "->"))
    {
        return;
    }
    refuse_without_mask(i);
    refuse_wmma(i);
    if (in_device_code && is(i, "<<<"))
    {
        refuse(i, "a launch in device code (dynamic parallelism)");
    }
    for (int m = 0; m < num_missing; ++m)
    {
        refuse_missing(i, &missing[m]);
    }
    for (size_t f = 0; f < sizeof(FEATURES) / sizeof(FEATURES[0]); ++f)
    {
        if (begins_with(i, FEATURES[f].prefix))
        {
            refuse(i, FEATURES[f].feature);
        }
    }
}
