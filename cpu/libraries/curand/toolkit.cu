// NVIDIA's libcurand, of the toolkit or of PyPI's nvidia-curand. Its host generators need no GPU. A
// kernel of one thread calls them, so they run in the generator's stream and may write the device's
// memory. What a program sets is handed over by the same kernel, after all numbers drawn before.
#include <dlfcn.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include "generator.h"

namespace cudacpu_curand
{
// Its functions, under their own names.
struct Library
{
    bool is_here = false;
#define FUNCTION(name) decltype(&::name) name = NULL;
#define FUNCTIONS                                     \
    FUNCTION(curandCreateGeneratorHost)               \
    FUNCTION(curandDestroyGenerator)                  \
    FUNCTION(curandGetVersion)                        \
    FUNCTION(curandSetPseudoRandomGeneratorSeed)      \
    FUNCTION(curandSetGeneratorOffset)                \
    FUNCTION(curandSetGeneratorOrdering)              \
    FUNCTION(curandSetQuasiRandomGeneratorDimensions) \
    FUNCTION(curandGenerate)                          \
    FUNCTION(curandGenerateLongLong)                  \
    FUNCTION(curandGenerateUniform)                   \
    FUNCTION(curandGenerateUniformDouble)             \
    FUNCTION(curandGenerateNormal)                    \
    FUNCTION(curandGenerateNormalDouble)              \
    FUNCTION(curandGenerateLogNormal)                 \
    FUNCTION(curandGenerateLogNormalDouble)           \
    FUNCTION(curandGeneratePoisson)                   \
    FUNCTION(curandGetDirectionVectors32)             \
    FUNCTION(curandGetScrambleConstants32)            \
    FUNCTION(curandGetDirectionVectors64)             \
    FUNCTION(curandGetScrambleConstants64)
    FUNCTIONS
#undef FUNCTION
    Library();
};

struct ToolkitGenerator
{
    curandGenerator_t handle;
};

static void *open_first(const char *pattern)
{
    glob_t found;
    void *library = NULL;
    if (glob(pattern, GLOB_TILDE, NULL, &found) == 0)
    {
        for (size_t i = 0; i < found.gl_pathc && library == NULL; ++i)
        {
            library = dlopen(found.gl_pathv[i], RTLD_NOW | RTLD_LOCAL);
        }
    }
    globfree(&found);
    return library;
}

// Where it may lie: CUDACPU_CURAND alone, if that is set; else in a toolkit that a variable names,
// in the usual one, where the loader looks, or among Python's packages.
static void *open_library(void)
{
    const char *named = getenv("CUDACPU_CURAND");
    if (named != NULL && *named != '\0')
    {
        if (strcmp(named, "none") == 0)
        {
            return NULL;
        }
        void *library = dlopen(named, RTLD_NOW | RTLD_LOCAL);
        if (library == NULL)
        {
            fprintf(stderr, "CUDACPU_CURAND: %s\n", dlerror());
        }
        return library;
    }
    void *library = NULL;
    char pattern[4096];
    for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    {
        const char *toolkit = getenv(variable);
        for (const char *place : {"lib64", "lib"})
        {
            if (library == NULL && toolkit != NULL && *toolkit != '\0')
            {
                snprintf(pattern, sizeof(pattern), "%s/%s/libcurand.so.10", toolkit, place);
                library = dlopen(pattern, RTLD_NOW | RTLD_LOCAL);
            }
        }
    }
    for (const char *file : {"/usr/local/cuda/lib64/libcurand.so.10", "libcurand.so.10"})
    {
        library = library == NULL ? dlopen(file, RTLD_NOW | RTLD_LOCAL) : library;
    }
    const char *environment = getenv("VIRTUAL_ENV");
    for (const char *python : {environment, "~/.local", "/usr/local", "/usr"})
    {
        for (const char *packages : {"site-packages", "dist-packages"})
        {
            for (const char *package : {"curand", "cu13"})
            {
                if (library == NULL && python != NULL && *python != '\0')
                {
                    snprintf(pattern, sizeof(pattern),
                             "%s/lib/python3*/%s/nvidia/%s/lib/libcurand.so.10", python, packages,
                             package);
                    library = open_first(pattern);
                }
            }
        }
    }
    return library;
}

Library::Library()
{
    void *library = open_library();
    is_here = library != NULL;
#define FUNCTION(name)                                   \
    if (is_here)                                         \
    {                                                    \
        name = (decltype(&::name))dlsym(library, #name); \
        is_here = name != NULL;                          \
    }
    FUNCTIONS
#undef FUNCTION
}

static const Library *library(void)
{
    static const Library only;
    return &only;
}

bool toolkit_is_here(void)
{
    return library()->is_here;
}

int toolkit_version(void)
{
    int version = 0;
    library()->curandGetVersion(&version);
    return version;
}

curandStatus_t toolkit_create(curandGenerator_t generator)
{
    curandGenerator_t handle;
    const curandStatus_t status = library()->curandCreateGeneratorHost(&handle, generator->type);
    if (status == CURAND_STATUS_SUCCESS)
    {
        generator->toolkit = new ToolkitGenerator{handle};
    }
    return status;
}

// A setting that has not changed must not be set again, because some begin the numbers anew.
static __host__ __device__ void set(curandGenerator_t handle, int changed, const Settings *settings)
{
    const Library *l = library();
    if (changed & SEED)
    {
        l->curandSetPseudoRandomGeneratorSeed(handle, settings->seed);
    }
    if (changed & OFFSET)
    {
        l->curandSetGeneratorOffset(handle, settings->offset);
    }
    if (changed & ORDER)
    {
        l->curandSetGeneratorOrdering(handle, settings->order);
    }
    if (changed & DIMENSIONS)
    {
        l->curandSetQuasiRandomGeneratorDimensions(handle, settings->dimensions);
    }
}

#ifdef CUDACPU_CHECKER
static __host__ __device__ size_t bytes_of(Kind kind)
{
    switch (kind)
    {
    case INTEGERS:
    case UNIFORM:
    case NORMAL:
    case LOG_NORMAL:
    case POISSON:
        return 4;
    case LONG_INTEGERS:
    case UNIFORM_DOUBLE:
    case NORMAL_DOUBLE:
    case LOG_NORMAL_DOUBLE:
        return 8;
    }
    return 0;
}
#endif

static __host__ __device__ curandStatus_t draw_now(curandGenerator_t handle, const Draw *draw)
{
    const Library *l = library();
    void *to = draw->output;
    const size_t n = draw->n;
#ifdef CUDACPU_CHECKER
    // The checker does not see what libcurand writes. So it sees that the same bytes are set to zero first.
    memset(to, 0, n * bytes_of(draw->kind));
#endif
    const double mean = draw->mean, stddev = draw->stddev;
    switch (draw->kind)
    {
    case INTEGERS:
        return l->curandGenerate(handle, (unsigned int *)to, n);
    case LONG_INTEGERS:
        return l->curandGenerateLongLong(handle, (unsigned long long *)to, n);
    case UNIFORM:
        return l->curandGenerateUniform(handle, (float *)to, n);
    case UNIFORM_DOUBLE:
        return l->curandGenerateUniformDouble(handle, (double *)to, n);
    case NORMAL:
        return l->curandGenerateNormal(handle, (float *)to, n, (float)mean, (float)stddev);
    case NORMAL_DOUBLE:
        return l->curandGenerateNormalDouble(handle, (double *)to, n, mean, stddev);
    case LOG_NORMAL:
        return l->curandGenerateLogNormal(handle, (float *)to, n, (float)mean, (float)stddev);
    case LOG_NORMAL_DOUBLE:
        return l->curandGenerateLogNormalDouble(handle, (double *)to, n, mean, stddev);
    case POISSON:
        return l->curandGeneratePoisson(handle, (unsigned int *)to, n, mean);
    }
    return CURAND_STATUS_TYPE_ERROR;
}

__global__ void toolkit_kernel(curandGenerator_t handle, int changed, Settings settings, Draw draw)
{
    set(handle, changed, &settings);
    const curandStatus_t status = draw_now(handle, &draw);
    if (status != CURAND_STATUS_SUCCESS)
    {
        printf("libcurand returned status %d\n", (int)status);
    }
}

curandStatus_t toolkit_draw(curandGenerator_t generator, const Draw *draw)
{
    const curandGenerator_t handle = generator->toolkit->handle;
    if (!generator->on_host)
    {
        toolkit_kernel<<<1, 1, 0, generator->stream>>>(handle, generator->changed,
                                                       generator->settings, *draw);
        return CURAND_STATUS_SUCCESS;
    }
    set(handle, generator->changed, &generator->settings);
    return draw_now(handle, draw);
}

void toolkit_destroy(curandGenerator_t generator)
{
    library()->curandDestroyGenerator(generator->toolkit->handle);
    delete generator->toolkit;
}
} // namespace cudacpu_curand

using namespace cudacpu_curand;

// --- tables ----------------------------------------------------------------------------------------

extern "C" curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t *vectors[],
                                                      curandDirectionVectorSet_t set)
{
    return toolkit_is_here() ? library()->curandGetDirectionVectors32(vectors, set)
                             : CURAND_STATUS_ARCH_MISMATCH;
}

extern "C" curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t *vectors[],
                                                      curandDirectionVectorSet_t set)
{
    return toolkit_is_here() ? library()->curandGetDirectionVectors64(vectors, set)
                             : CURAND_STATUS_ARCH_MISMATCH;
}

extern "C" curandStatus_t curandGetScrambleConstants32(unsigned int **constants)
{
    return toolkit_is_here() ? library()->curandGetScrambleConstants32(constants)
                             : CURAND_STATUS_ARCH_MISMATCH;
}

extern "C" curandStatus_t curandGetScrambleConstants64(unsigned long long **constants)
{
    return toolkit_is_here() ? library()->curandGetScrambleConstants64(constants)
                             : CURAND_STATUS_ARCH_MISMATCH;
}
