// cuRAND's functions: their arguments are checked here, before a generator draws.
#include <mutex>
#include "generator.h"

using namespace cudacpu_curand;

// All generators, so that one that is destroyed, or never was one, is known as such.
static std::mutex generators_lock;
static curandGenerator_t generators = NULL;

static bool is_alive(curandGenerator_t generator)
{
    const std::lock_guard<std::mutex> lock(generators_lock);
    curandGenerator_t one = generators;
    while (one != NULL && one != generator)
    {
        one = one->next;
    }
    return one != NULL;
}

// Takes it out of the list. False if it is not there.
static bool forget(curandGenerator_t generator)
{
    const std::lock_guard<std::mutex> lock(generators_lock);
    curandGenerator_t *place = &generators;
    while (*place != NULL && *place != generator)
    {
        place = &(*place)->next;
    }
    if (*place == NULL)
    {
        return false;
    }
    *place = generator->next;
    return true;
}

#define CHECK_ALIVE(generator)                \
    if (!is_alive(generator))                 \
    {                                         \
        return CURAND_STATUS_NOT_INITIALIZED; \
    }

static bool is_quasi(curandGenerator_t generator)
{
    return generator->type >= CURAND_RNG_QUASI_DEFAULT;
}

static bool has_64_bits(curandGenerator_t generator)
{
    return generator->type == CURAND_RNG_QUASI_SOBOL64 ||
           generator->type == CURAND_RNG_QUASI_SCRAMBLED_SOBOL64;
}

// Those whose generators have no position that could be set.
static bool is_mersenne_twister(curandGenerator_t generator)
{
    return generator->type == CURAND_RNG_PSEUDO_MTGP32 ||
           generator->type == CURAND_RNG_PSEUDO_MT19937;
}

static bool is_ours(curandRngType_t type)
{
    return type == CURAND_RNG_PSEUDO_XORWOW || type == CURAND_RNG_PSEUDO_PHILOX4_32_10;
}

static bool is_type(curandRngType_t type)
{
    switch (type)
    {
    case CURAND_RNG_PSEUDO_DEFAULT:
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_MTGP32:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_QUASI_DEFAULT:
    case CURAND_RNG_QUASI_SOBOL32:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL32:
    case CURAND_RNG_QUASI_SOBOL64:
    case CURAND_RNG_QUASI_SCRAMBLED_SOBOL64:
        return true;
    default:
        return false;
    }
}

// --- generators ------------------------------------------------------------------------------------

static curandStatus_t create(curandGenerator_t *generator, curandRngType_t type, bool on_host)
{
    if (generator == NULL)
    {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    if (!is_type(type))
    {
        return CURAND_STATUS_TYPE_ERROR;
    }
    type = type == CURAND_RNG_PSEUDO_DEFAULT  ? CURAND_RNG_PSEUDO_XORWOW
           : type == CURAND_RNG_QUASI_DEFAULT ? CURAND_RNG_QUASI_SOBOL32
                                              : type;
    int devices;
    if (!on_host && cudaGetDeviceCount(&devices) != cudaSuccess)
    {
        return CURAND_STATUS_INITIALIZATION_FAILED;
    }
    if (!toolkit_is_here() && !is_ours(type))
    {
        return CURAND_STATUS_ARCH_MISMATCH;
    }
    curandGenerator_t made = new curandGenerator_st();
    made->type = type;
    made->on_host = on_host;
    made->settings.order =
        is_quasi(made) ? CURAND_ORDERING_QUASI_DEFAULT : CURAND_ORDERING_PSEUDO_DEFAULT;
    made->settings.dimensions = 1;
    made->changed = SEED;
    if (toolkit_is_here())
    {
        const curandStatus_t status = toolkit_create(made);
        if (status != CURAND_STATUS_SUCCESS)
        {
            delete made;
            return status;
        }
    }
    const std::lock_guard<std::mutex> lock(generators_lock);
    made->next = generators;
    generators = made;
    *generator = made;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandCreateGenerator(curandGenerator_t *generator,
                                                curandRngType_t rng_type)
{
    return create(generator, rng_type, false);
}

extern "C" curandStatus_t curandCreateGeneratorHost(curandGenerator_t *generator,
                                                    curandRngType_t rng_type)
{
    return create(generator, rng_type, true);
}

// Kernels may still be drawing.
extern "C" curandStatus_t curandDestroyGenerator(curandGenerator_t generator)
{
    if (!forget(generator))
    {
        return CURAND_STATUS_NOT_INITIALIZED;
    }
    if (!generator->on_host)
    {
        cudaDeviceSynchronize();
    }
    if (generator->toolkit != NULL)
    {
        toolkit_destroy(generator);
    }
    if (generator->on_host)
    {
        free(generator->state);
    }
    else
    {
        cudaFree(generator->state);
    }
    delete generator;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandGetVersion(int *version)
{
    if (version == NULL)
    {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    *version = toolkit_is_here() ? toolkit_version() : CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandGetProperty(libraryPropertyType type, int *value)
{
    int version = 0;
    if (value == NULL || type < MAJOR_VERSION || type > PATCH_LEVEL)
    {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    curandGetVersion(&version);
    *value = type == MAJOR_VERSION   ? version / 1000
             : type == MINOR_VERSION ? version % 1000 / 100
                                     : version % 100;
    return CURAND_STATUS_SUCCESS;
}

// --- settings --------------------------------------------------------------------------------------

extern "C" curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream)
{
    CHECK_ALIVE(generator)
    generator->stream = stream;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                             unsigned long long seed)
{
    CHECK_ALIVE(generator)
    if (is_quasi(generator))
    {
        return CURAND_STATUS_TYPE_ERROR;
    }
    generator->settings.seed = seed;
    generator->changed |= SEED;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator,
                                                   unsigned long long offset)
{
    CHECK_ALIVE(generator)
    if (is_mersenne_twister(generator))
    {
        return CURAND_STATUS_TYPE_ERROR;
    }
    generator->settings.offset = offset;
    generator->changed |= OFFSET;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator,
                                                     curandOrdering_t order)
{
    CHECK_ALIVE(generator)
    const bool is_right =
        is_quasi(generator)                    ? order == CURAND_ORDERING_QUASI_DEFAULT
        : order == CURAND_ORDERING_PSEUDO_BEST ? generator->type != CURAND_RNG_PSEUDO_MT19937
        : order == CURAND_ORDERING_PSEUDO_SEEDED
            ? generator->type == CURAND_RNG_PSEUDO_XORWOW
            : order == CURAND_ORDERING_PSEUDO_DEFAULT || order == CURAND_ORDERING_PSEUDO_LEGACY;
    if (!is_right)
    {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    if (order == CURAND_ORDERING_PSEUDO_SEEDED && !toolkit_is_here())
    {
        return CURAND_STATUS_ARCH_MISMATCH;
    }
    generator->settings.order = order;
    generator->changed |= ORDER;
    return CURAND_STATUS_SUCCESS;
}

extern "C" curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                                  unsigned int num_dimensions)
{
    CHECK_ALIVE(generator)
    if (!is_quasi(generator))
    {
        return CURAND_STATUS_TYPE_ERROR;
    }
    if (num_dimensions < 1 || num_dimensions > 20000)
    {
        return CURAND_STATUS_OUT_OF_RANGE;
    }
    generator->settings.dimensions = num_dimensions;
    generator->changed |= DIMENSIONS;
    return CURAND_STATUS_SUCCESS;
}

// The first numbers would do it, too.
extern "C" curandStatus_t curandGenerateSeeds(curandGenerator_t generator)
{
    CHECK_ALIVE(generator)
    return CURAND_STATUS_SUCCESS;
}

// --- numbers ---------------------------------------------------------------------------------------

bool cudacpu_curand::state_of(curandGenerator_t generator, size_t bytes)
{
    if (generator->state == NULL && generator->on_host)
    {
        generator->state = malloc(bytes);
    }
    else if (generator->state == NULL && cudaMalloc(&generator->state, bytes) != cudaSuccess)
    {
        generator->state = NULL;
    }
    return generator->state != NULL;
}

static curandStatus_t generate(curandGenerator_t generator, const Draw *draw)
{
    CHECK_ALIVE(generator)
    if (draw->n == 0)
    {
        return CURAND_STATUS_SUCCESS;
    }
    const Kind kind = draw->kind;
    if (kind == (has_64_bits(generator) ? INTEGERS : LONG_INTEGERS))
    {
        return CURAND_STATUS_TYPE_ERROR;
    }
    const bool in_pairs = kind >= NORMAL && kind <= LOG_NORMAL_DOUBLE;
    const bool needs_pairs = generator->type == CURAND_RNG_PSEUDO_XORWOW ||
                             generator->type == CURAND_RNG_PSEUDO_MRG32K3A;
    if ((in_pairs && needs_pairs && draw->n % 2 != 0) ||
        draw->n % generator->settings.dimensions != 0)
    {
        return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    }
    if (!generator->on_host && cudaPeekAtLastError() != cudaSuccess)
    {
        return CURAND_STATUS_PREEXISTING_FAILURE;
    }
    if (generator->toolkit != NULL)
    {
        const curandStatus_t status = toolkit_draw(generator, draw);
        if (status != CURAND_STATUS_SUCCESS)
        {
            return status;
        }
    }
    else if (kind == POISSON)
    {
        return CURAND_STATUS_ARCH_MISMATCH;
    }
    else if (generator->type == CURAND_RNG_PSEUDO_XORWOW ? !xorwow_draw(generator, draw)
                                                         : !philox_draw(generator, draw))
    {
        return CURAND_STATUS_ALLOCATION_FAILED;
    }
    generator->changed = 0;
    return generator->on_host || cudaPeekAtLastError() == cudaSuccess
               ? CURAND_STATUS_SUCCESS
               : CURAND_STATUS_LAUNCH_FAILURE;
}

extern "C" curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int *output,
                                         size_t num)
{
    const Draw draw = {INTEGERS, output, num, 0.0, 0.0};
    return generate(generator, &draw);
}

extern "C" curandStatus_t curandGenerateLongLong(curandGenerator_t generator,
                                                 unsigned long long *output, size_t num)
{
    const Draw draw = {LONG_INTEGERS, output, num, 0.0, 0.0};
    return generate(generator, &draw);
}

extern "C" curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *output,
                                                size_t num)
{
    const Draw draw = {UNIFORM, output, num, 0.0, 0.0};
    return generate(generator, &draw);
}

extern "C" curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *output,
                                                      size_t num)
{
    const Draw draw = {UNIFORM_DOUBLE, output, num, 0.0, 0.0};
    return generate(generator, &draw);
}

extern "C" curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *output, size_t n,
                                               float mean, float stddev)
{
    const Draw draw = {NORMAL, output, n, mean, stddev};
    return generate(generator, &draw);
}

extern "C" curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *output,
                                                     size_t n, double mean, double stddev)
{
    const Draw draw = {NORMAL_DOUBLE, output, n, mean, stddev};
    return generate(generator, &draw);
}

extern "C" curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float *output,
                                                  size_t n, float mean, float stddev)
{
    const Draw draw = {LOG_NORMAL, output, n, mean, stddev};
    return generate(generator, &draw);
}

extern "C" curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double *output,
                                                        size_t n, double mean, double stddev)
{
    const Draw draw = {LOG_NORMAL_DOUBLE, output, n, mean, stddev};
    return generate(generator, &draw);
}

extern "C" curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int *output,
                                                size_t n, double lambda)
{
    const Draw draw = {POISSON, output, n, lambda, 0.0};
    return lambda > 0.0 ? generate(generator, &draw) : CURAND_STATUS_OUT_OF_RANGE;
}
