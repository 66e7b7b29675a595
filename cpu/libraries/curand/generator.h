// What the files of this library share: a generator, and what it is asked to draw.
#ifndef CUDACPU_CURAND_GENERATOR_H
#define CUDACPU_CURAND_GENERATOR_H
#include <curand_kernel.h>

namespace cudacpu_curand
{
enum Kind
{
    INTEGERS,
    LONG_INTEGERS,
    UNIFORM,
    UNIFORM_DOUBLE,
    NORMAL,
    NORMAL_DOUBLE,
    LOG_NORMAL,
    LOG_NORMAL_DOUBLE,
    POISSON
};

// `n` numbers of a kind, to be written to `output`.
struct Draw
{
    Kind kind;
    void *output;
    size_t n;
    double mean, stddev; // Poisson's lambda is a mean
};

// What a program can set, ...
enum Setting
{
    SEED = 1,
    OFFSET = 2,
    ORDER = 4,
    DIMENSIONS = 8
};

// ... and what it has set.
struct Settings
{
    unsigned long long seed, offset;
    curandOrdering_t order;
    unsigned int dimensions;
};

// The order of the numbers: so many subsequences take turns.
const int XORWOW_LANES = 4096, PHILOX_SUBSEQUENCES = 65536;

struct ToolkitGenerator; // libcurand's
} // namespace cudacpu_curand

struct curandGenerator_st
{
    curandGenerator_t next; // in the list of all generators
    curandRngType_t type;   // never one of the two defaults
    bool on_host;           // from curandCreateGeneratorHost: writes the host's memory, at once
    cudaStream_t stream;
    cudacpu_curand::Settings settings;
    int changed;                 // of the settings, since the last numbers were drawn
    void *state;                 // of code of our own, where the generator runs
    unsigned long long position; // how many numbers, or pairs of XORWOW's, have been drawn
    cudacpu_curand::ToolkitGenerator *toolkit; // NULL without libcurand
};

namespace cudacpu_curand
{
// xorwow.cu and philox.cu: draw by code of our own. True unless there is no memory for it.
bool xorwow_draw(curandGenerator_t generator, const Draw *draw);
bool philox_draw(curandGenerator_t generator, const Draw *draw);

// api.cu: lets the generator have so many bytes of state.
bool state_of(curandGenerator_t generator, size_t bytes);

// toolkit.cu: NVIDIA's libcurand.
bool toolkit_is_here(void);
int toolkit_version(void);
curandStatus_t toolkit_create(curandGenerator_t generator);
curandStatus_t toolkit_draw(curandGenerator_t generator, const Draw *draw);
void toolkit_destroy(curandGenerator_t generator);
} // namespace cudacpu_curand

#endif
