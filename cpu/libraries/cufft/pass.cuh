// One pass over the data: many short transforms at a time, all of the same length.
//
// A long transform of n numbers is done in several passes, n = R_1 R_2 ... A pass does transforms
// of a length R that a thread can do in its cache. (This is Stockham's method: the results come out
// in order.)
//
//     for each j below n / R, with k = j % done, where done = R_1 ... R_(p-1):
//         x[q] = in[j + q n / R] exp(-2 pi i q k / (done R)),  q below R
//         X = transform(x)
//         out[(j / done) done R + k + q done] = X[q]
//
// A line is one j of one transform. A thread does LANES lines at once, with the same operations for
// each of them. So the inner loops go over the lanes, and the compiler makes vector instructions of
// them.
#pragma once
#include <cuda_runtime.h>

namespace cufft_cpu
{

const int LANES = 8;
const int MAX_FACTORS = 24;
const int MAX_PRIME = 31;    // a longer prime goes through a convolution: see transform.cu
const int MAX_SINGLE = 4096; // the longest line of a transform that is one pass
const int MAX_LINE = 1024;   // ... and of one that is several
const int MAX_INDICES = 4;   // that name a transform: its place in the other dimensions, the batch

// What an element in memory is.
enum Element
{
    COMPLEX,
    REAL, // a real number
    HALF, // complex, of which only 0 ... length/2 are there: the others are their conjugates
};

// Where the elements of a transform lie: at sum(index * distances) + element * stride.
struct Side
{
    Element element;
    long long stride;
    long long distances[MAX_INDICES];
    long long length;       // elements from here on are 0, and are not written
    const double2 *factors; // each element is multiplied by its own; NULL: by none
    bool swap;              // real and imaginary part, as read or as written
};

struct Pass
{
    Side in, out;
    bool swap_before_factors; // of the output

    long long n, done; // of the whole transform; done by the passes before
    int R;
    int num_factors, factors[MAX_FACTORS]; // of R: 4, 2, 3, 5, ...
    const void *roots;                     // exp(-2 pi i k / R), in W

    // exp(-2 pi i k / (done R)) = coarse[k >> shift] * fine[k & (1 << shift) - 1]
    const double2 *coarse, *fine;
    int shift;

    long long counts[MAX_INDICES]; // the last one changes fastest
    bool j_is_fastest;             // neighbouring lanes: neighbouring j, or neighbouring indices
    long long lines;               // n / R times all counts
};

size_t scratch_bytes(const Pass *pass, bool in_double);

enum Precision
{
    IN_FLOAT,
    IN_DOUBLE
};

// Starts a pass in the stream. `scratch` has room for `blocks` times scratch_bytes.
cudaError_t launch_pass(const Pass *pass, const void *in, Precision in_precision, void *out,
                        Precision out_precision, Precision work, void *scratch, int blocks,
                        cudaStream_t stream);

} // namespace cufft_cpu
