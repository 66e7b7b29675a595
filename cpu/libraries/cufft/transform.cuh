// A plan's work as a list of passes.
#pragma once
#include <cufft.h>
#include <vector>
#include "pass.cuh"

namespace cufft_cpu
{

const int MAX_RANK = 3;

// What the user asked for. Strides and distances count numbers: real ones on a side that has real
// numbers, else complex ones.
struct Request
{
    int rank;
    long long n[MAX_RANK], batch;
    cufftType type;
    bool has_layout; // else the arrays are dense, and the fields below have no meaning
    long long in_size[MAX_RANK], in_stride, in_distance;
    long long out_size[MAX_RANK], out_stride, out_distance;
};

// Where a pass reads and writes.
enum Place
{
    INPUT,
    OUTPUT,
    MIDDLE,     // between two dimensions, where the output cannot hold it: the output is real
    TEMPORARY,  // between two passes of one dimension
    TEMPORARY2, // they take turns
    NUM_PLACES
};

struct Step
{
    Pass pass;
    Place from, to;
    Precision in, out, work;
};

// What a plan executes, one list for each way to call it.
enum Way
{
    USUAL, // forward; not in place
    OTHER, // C2C: inverse; R2C and C2R: in place, where rows of reals are padded
    NUM_WAYS
};

struct Work
{
    std::vector<Step> steps[NUM_WAYS];
    std::vector<void *> tables; // on the device
    size_t bytes = 0;           // of the work area
    size_t offsets[NUM_PLACES]; // in the work area
    size_t scratch = 0;         // where it begins
    int blocks = 0;
};

// Fills *work. With `only_size` no memory is taken, and the steps cannot be executed.
cufftResult make_work(const Request *request, bool only_size, Work *work);
void free_tables(Work *work);

cudaError_t execute(const Work *work, Way way, void *in, void *out, void *area,
                    cudaStream_t stream);

} // namespace cufft_cpu
