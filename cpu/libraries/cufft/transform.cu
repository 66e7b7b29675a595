// How a transform becomes passes.
//
// A length without a prime above 31 is split into factors R, one for each pass. Any other length n
// becomes a convolution (Bluestein's method). With w = exp(-pi i / n), and because
// 2 j k = j^2 + k^2 - (k - j)^2:
//
//     X[k] = w^(k^2) sum over j of (x[j] w^(j^2)) w^(-(k - j)^2)
//
// A convolution is a product after a transform of any length M >= 2 n - 1, and M is chosen to have
// small factors. This is done in double for floats as well, so it is as exact as the others.
#include "transform.cuh"
#include <limits.h>
#include <math.h>
#include <algorithm>
#include <map>
#include <tuple>

namespace cufft_cpu
{

// ---- Factors ----

static std::vector<int> small_factors(long long n)
{
    std::vector<int> factors;
    for (const int r : {4, 2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31})
    {
        for (; n % r == 0; n /= r)
        {
            factors.push_back(r);
        }
    }
    return n == 1 ? factors : std::vector<int>();
}

static bool is_smooth(long long n)
{
    return n == 1 || !small_factors(n).empty();
}

// n as a product of `count` numbers up to MAX_LINE that are about equal.
static bool split_evenly(long long n, int count, std::vector<int> *lengths)
{
    if (count == 1)
    {
        if (n > MAX_LINE)
        {
            return false;
        }
        lengths->push_back((int)n);
        return true;
    }
    for (long long r = (long long)floor(pow((double)n, 1.0 / count)); r <= MAX_LINE; ++r)
    {
        if (r > 1 && n % r == 0)
        {
            lengths->push_back((int)r);
            if (split_evenly(n / r, count - 1, lengths))
            {
                return true;
            }
            lengths->pop_back();
        }
    }
    return false;
}

// The lengths of the passes. One pass is the least work, but then fewer than LANES transforms would
// leave lanes and cores idle.
static std::vector<int> split(long long n, long long num_transforms)
{
    const bool is_prime = n <= MAX_PRIME && small_factors(n).size() == 1;
    std::vector<int> lengths;
    if (n <= 64 || is_prime || (n <= MAX_SINGLE && num_transforms >= LANES))
    {
        lengths.push_back((int)n);
        return lengths;
    }
    for (int count = 2; !split_evenly(n, count, &lengths); ++count)
    {
    }
    return lengths;
}

// The length of the convolution: 2^a 3^b 5^c.
static long long convolution_length(long long n)
{
    const long long least = 2 * n - 1;
    long long best = LLONG_MAX;
    for (long long fives = 1; fives < 2 * least; fives *= 5)
    {
        for (long long threes = fives; threes < 2 * least; threes *= 3)
        {
            long long twos = threes;
            while (twos < least)
            {
                twos *= 2;
            }
            best = std::min(best, twos);
        }
    }
    return best;
}

// ---- Tables ----

struct Exact
{
    long double x, y;
};

// exp(-2 pi i k / n). The angle is brought below pi / 4 by whole numbers, so nothing is lost.
static Exact root_of_unity(unsigned long long k, unsigned long long n)
{
    const unsigned long long eighths = 8 * (k % n), octant = eighths / n, rest = eighths % n;
    const long double quarter_pi = 0.785398163397448309615660845819875721L;
    const long double angle = quarter_pi * (octant % 2 ? n - rest : rest) / n;
    const long double c = cosl(angle), s = sinl(angle);
    switch (octant)
    {
    case 0:
        return {c, -s};
    case 1:
        return {s, -c};
    case 2:
        return {-s, -c};
    case 3:
        return {-c, -s};
    case 4:
        return {-c, s};
    case 5:
        return {-s, c};
    case 6:
        return {s, c};
    default:
        return {c, s};
    }
}

// The tables of one plan: each is made once.
struct Tables
{
    Work *work;
    bool only_size;
    bool failed = false;
    char *free_memory = NULL; // of the last allocation
    size_t free_bytes = 0;
    std::map<std::tuple<int, long long, long long>, const void *> made;

    enum Kind
    {
        ROOTS_FLOAT,
        ROOTS_DOUBLE, // exp(-2 pi i k step / n), k < count
        CHIRP,        // exp(-pi i k^2 / n)
        FILTER        // the transform of the chirp's conjugate, over the length of the convolution
    };

    // Several short tables share one allocation, because that takes longer than to fill them.
    void *allocate(size_t bytes)
    {
        const size_t AT_LEAST = 1 << 16, ALIGNMENT = 256;
        bytes = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        if (bytes > free_bytes)
        {
            const size_t asked = bytes > AT_LEAST ? bytes : AT_LEAST;
            void *block = NULL;
            if (cudaMalloc(&block, asked) != cudaSuccess)
            {
                cudaGetLastError();
                failed = true;
                return NULL;
            }
            work->tables.push_back(block);
            free_memory = (char *)block;
            free_bytes = asked;
        }
        void *table = free_memory;
        free_memory += bytes;
        free_bytes -= bytes;
        return table;
    }

    void upload(void *table, const void *values, size_t bytes)
    {
        failed = failed || cudaMemcpy(table, values, bytes, cudaMemcpyHostToDevice) != cudaSuccess;
    }

    const void *&place_of(Kind kind, long long a, long long b)
    {
        return made[std::make_tuple((int)kind, a, b)];
    }

    // Memory of the device is asked for first: if there is too little, the host's is not touched.
    const void *roots(Precision precision, long long n, long long step, long long count)
    {
        const bool in_float = precision == IN_FLOAT;
        const void *&table = place_of(in_float ? ROOTS_FLOAT : ROOTS_DOUBLE, n, step);
        if (table != NULL || only_size || failed)
        {
            return table;
        }
        const size_t bytes = count * (in_float ? sizeof(float2) : sizeof(double2));
        void *device = allocate(bytes);
        if (failed)
        {
            return NULL;
        }
        std::vector<double2> exact(count);
        std::vector<float2> rounded(in_float ? count : 0);
        for (long long k = 0; k < count; ++k)
        {
            const Exact w = root_of_unity(k * step, n);
            exact[k] = {(double)w.x, (double)w.y};
            if (in_float)
            {
                rounded[k] = {(float)w.x, (float)w.y};
            }
        }
        upload(device, in_float ? (void *)rounded.data() : (void *)exact.data(), bytes);
        return table = device;
    }

    const double2 *chirp(long long n)
    {
        const void *&table = place_of(CHIRP, n, 0);
        if (table == NULL && !only_size && !failed)
        {
            void *device = allocate(n * sizeof(double2));
            if (!failed)
            {
                upload(device, chirp_values(n).data(), n * sizeof(double2));
            }
            table = device;
        }
        return (const double2 *)table;
    }

    static std::vector<double2> chirp_values(long long n)
    {
        std::vector<double2> values(n);
        for (long long k = 0; k < n; ++k)
        {
            const unsigned long long turns = (unsigned long long)k * k % (2 * n);
            const Exact w = root_of_unity(turns, 2 * n);
            values[k] = {(double)w.x, (double)w.y};
        }
        return values;
    }

    const double2 *filter(long long n, long long M);
};

// ---- Passes ----

// An array as a plan sees it.
struct View
{
    Place place;
    Precision precision;
    Element element;                    // along the dimension that is transformed
    long long strides[MAX_RANK], batch; // from one element, and one transform, to the next
};

struct Builder
{
    const Request *request;
    Tables *tables;
    std::vector<Step> *steps;
    size_t sizes[NUM_PLACES] = {}; // bytes that each place needs
    size_t scratch = 0;

    // The transforms along dimension d. `extents` are the lengths of the other ones.
    void add_dimension(int d, const long long *extents, const View &from, const View &to,
                       bool inverse)
    {
        const long long n = request->n[d];
        const bool convolves = !is_smooth(n), is_double = request->type >= CUFFT_Z2Z;
        const bool is_last = d == request->rank - 1;
        const Precision work = is_double || convolves ? IN_DOUBLE : IN_FLOAT;

        Pass common = {};
        long long num_transforms = 1;
        common.counts[0] = request->batch;
        common.in.distances[0] = from.batch;
        common.out.distances[0] = to.batch;
        for (int e = 0; e < MAX_INDICES - 1; ++e)
        {
            const bool is_other = e < request->rank && e != d;
            common.counts[e + 1] = is_other ? extents[e] : 1;
            common.in.distances[e + 1] = is_other ? from.strides[e] : 0;
            common.out.distances[e + 1] = is_other ? to.strides[e] : 0;
        }
        for (const long long count : common.counts)
        {
            num_transforms *= count;
        }

        const long long M = convolves ? convolution_length(n) : n;
        const std::vector<int> lengths = split(M, num_transforms);
        const int num_passes = (int)lengths.size(), all = num_passes * (convolves ? 2 : 1);
        common.n = M;
        long long done = 1;
        for (int i = 0; i < all; ++i)
        {
            const int p = i % num_passes;
            const bool is_first_pass = i == 0, is_last_pass = i == all - 1;
            Step step;
            step.pass = common;
            step.work = work;
            step.from = is_first_pass ? from.place : i % 2 == 1 ? TEMPORARY : TEMPORARY2;
            step.to = is_last_pass ? to.place : i % 2 == 0 ? TEMPORARY : TEMPORARY2;
            step.in = is_first_pass ? from.precision : work;
            step.out = is_last_pass ? to.precision : work;

            Pass *pass = &step.pass;
            done = p == 0 ? 1 : done;
            set_line(pass, lengths[p], done, work);
            pass->lines = num_transforms * (M / lengths[p]);
            // Temporaries have one transform after the other.
            pass->j_is_fastest = is_last || (!is_first_pass && !is_last_pass);
            if (is_first_pass)
            {
                pass->in.element = from.element;
                pass->in.stride = from.strides[d];
                pass->in.length = n;
                pass->in.factors = convolves ? tables->chirp(n) : NULL;
                pass->in.swap = inverse;
            }
            else
            {
                set_temporary(pass, &pass->in, step.from, work);
                pass->in.swap = convolves && i == num_passes; // the inverse transform begins
            }
            if (is_last_pass)
            {
                pass->out.element = to.element;
                pass->out.stride = to.strides[d];
                pass->out.length = n;
                pass->out.factors = convolves ? tables->chirp(n) : NULL;
                pass->out.swap = inverse;
                pass->swap_before_factors = convolves; // the inverse transform ends
            }
            else
            {
                set_temporary(pass, &pass->out, step.to, work);
                pass->out.factors = convolves && i == num_passes - 1 ? tables->filter(n, M) : NULL;
            }
            done *= lengths[p];
            scratch = std::max(scratch, scratch_bytes(pass, work == IN_DOUBLE));
            steps->push_back(step);
        }
    }

    void set_line(Pass *pass, int R, long long done, Precision work)
    {
        const std::vector<int> factors = small_factors(R);
        pass->R = R;
        pass->done = done;
        pass->num_factors = (int)factors.size();
        std::copy(factors.begin(), factors.end(), pass->factors);
        pass->roots = tables->roots(work, R, 1, R);
        if (done > 1)
        {
            const long long all = done * R;
            for (pass->shift = 0; (1LL << 2 * pass->shift) < all; ++pass->shift)
            {
            }
            const long long fine = 1LL << pass->shift;
            const long long coarse = (all + fine - 1) / fine;
            pass->fine = (const double2 *)tables->roots(IN_DOUBLE, all, 1, fine);
            pass->coarse = (const double2 *)tables->roots(IN_DOUBLE, all, fine, coarse);
        }
    }

    // Temporary arrays have the precision of the work.
    void set_temporary(const Pass *pass, Side *side, Place place, Precision work)
    {
        side->element = COMPLEX;
        side->stride = 1;
        side->length = pass->n;
        long long distance = pass->n;
        for (int i = MAX_INDICES - 1; i >= 0; --i)
        {
            side->distances[i] = distance;
            distance *= pass->counts[i];
        }
        const size_t each = work == IN_DOUBLE ? sizeof(double2) : sizeof(float2);
        sizes[place] = std::max(sizes[place], (size_t)distance * each);
    }
};

const double2 *Tables::filter(long long n, long long M)
{
    const void *&table = place_of(FILTER, n, M);
    if (table != NULL || only_size || failed)
    {
        return (const double2 *)table;
    }
    void *const device = allocate(M * sizeof(double2));
    if (failed)
    {
        return NULL;
    }
    std::vector<double2> values(M, double2{0.0, 0.0});
    const std::vector<double2> chirp = chirp_values(n);
    for (long long k = 0; k < n; ++k)
    {
        values[k] = values[k > 0 ? M - k : 0] = {chirp[k].x / M, -chirp[k].y / M};
    }
    // It is transformed by a plan of its own, in place.
    Request request = {};
    request.rank = 1;
    request.n[0] = M;
    request.batch = 1;
    request.type = CUFFT_Z2Z;
    Work own;
    upload(device, values.data(), M * sizeof(double2));
    void *area = NULL;
    if (failed || make_work(&request, false, &own) != CUFFT_SUCCESS ||
        cudaMalloc(&area, own.bytes) != cudaSuccess ||
        execute(&own, USUAL, device, device, area, 0) != cudaSuccess ||
        cudaStreamSynchronize(0) != cudaSuccess)
    {
        cudaGetLastError();
        failed = true;
    }
    cudaFree(area);
    free_tables(&own);
    table = device;
    return (const double2 *)table;
}

// ---- A plan ----

static View view_of(const Request *request, bool of_input, bool in_place)
{
    const cufftType type = request->type;
    const int last = request->rank - 1;
    const bool has_reals = type != CUFFT_C2C && type != CUFFT_Z2Z;
    const bool reals_go_in = type == CUFFT_R2C || type == CUFFT_D2Z;
    const bool is_real = has_reals && reals_go_in == of_input;
    View view = {};
    view.place = of_input ? INPUT : OUTPUT;
    view.precision = type >= CUFFT_Z2Z ? IN_DOUBLE : IN_FLOAT;
    view.element = is_real ? REAL : has_reals ? HALF : COMPLEX;
    if (request->has_layout)
    {
        view.strides[last] = of_input ? request->in_stride : request->out_stride;
        for (int d = last - 1; d >= 0; --d)
        {
            view.strides[d] =
                view.strides[d + 1] * (of_input ? request->in_size : request->out_size)[d + 1];
        }
        view.batch = of_input ? request->in_distance : request->out_distance;
        return view;
    }
    const long long n = request->n[last], half = n / 2 + 1;
    long long row = !has_reals ? n : !is_real ? half : in_place ? 2 * half : n;
    view.strides[last] = 1;
    for (int d = last - 1; d >= 0; --d)
    {
        view.strides[d] = row;
        row *= request->n[d];
    }
    view.batch = row;
    return view;
}

cufftResult make_work(const Request *request, bool only_size, Work *work)
{
    const cufftType type = request->type;
    const int last = request->rank - 1;
    const bool is_double = type >= CUFFT_Z2Z;
    const bool is_complex = type == CUFFT_C2C || type == CUFFT_Z2Z;
    const bool to_real = type == CUFFT_C2R || type == CUFFT_Z2D;
    Tables tables;
    tables.work = work;
    tables.only_size = only_size;

    long long extents[MAX_RANK] = {1, 1, 1};
    std::copy(request->n, request->n + request->rank, extents);
    extents[last] = is_complex ? extents[last] : extents[last] / 2 + 1;

    View middle = {};
    middle.place = MIDDLE;
    middle.precision = is_double ? IN_DOUBLE : IN_FLOAT;
    middle.batch = 1;
    for (int d = last; d >= 0; --d)
    {
        middle.strides[d] = middle.batch;
        middle.batch *= extents[d];
    }

    size_t sizes[NUM_PLACES] = {}, scratch = 0;
    for (const Way way : {USUAL, OTHER})
    {
        Builder builder = {request, &tables, &work->steps[way]};
        const bool inverse = is_complex ? way == OTHER : to_real;
        const View in = view_of(request, true, !is_complex && way == OTHER);
        const View out = view_of(request, false, !is_complex && way == OTHER);

        // The last dimension first, but towards reals it is the last one to be transformed.
        View from = in;
        for (int i = 0; i <= last; ++i)
        {
            const int d = to_real ? i : last - i;
            View to = i == last || !to_real ? out : middle;
            if (d != last)
            {
                from.element = to.element = COMPLEX;
            }
            else if (to_real)
            {
                from.element = HALF;
            }
            builder.add_dimension(d, extents, from, to, inverse);
            from = to;
        }
        for (int place = 0; place < NUM_PLACES; ++place)
        {
            sizes[place] = std::max(sizes[place], builder.sizes[place]);
        }
        scratch = std::max(scratch, builder.scratch);
    }
    if (to_real && last > 0)
    {
        sizes[MIDDLE] = (size_t)(request->batch * middle.batch) * (is_double ? 16 : 8);
    }

    int device = 0, cores = 1;
    cudaGetDevice(&device);
    cudaDeviceGetAttribute(&cores, cudaDevAttrMultiProcessorCount, device);
    work->blocks = std::min(std::max(4 * cores, 4), 256);
    work->bytes = 0;
    for (int place = MIDDLE; place < NUM_PLACES; ++place)
    {
        work->offsets[place] = work->bytes;
        work->bytes += (sizes[place] + 255) / 256 * 256;
    }
    work->scratch = work->bytes;
    work->bytes += work->blocks * scratch;
    return tables.failed ? CUFFT_ALLOC_FAILED : CUFFT_SUCCESS;
}

void free_tables(Work *work)
{
    for (void *table : work->tables)
    {
        cudaFree(table);
    }
    work->tables.clear();
}

cudaError_t execute(const Work *work, Way way, void *in, void *out, void *area, cudaStream_t stream)
{
    void *places[NUM_PLACES] = {in, out};
    for (int place = MIDDLE; place < NUM_PLACES; ++place)
    {
        places[place] = (char *)area + work->offsets[place];
    }
    void *scratch = (char *)area + work->scratch;
    for (const Step &step : work->steps[way])
    {
        const cudaError_t error =
            launch_pass(&step.pass, places[step.from], step.in, places[step.to], step.out,
                        step.work, scratch, work->blocks, stream);
        if (error != cudaSuccess)
        {
            return error;
        }
    }
    return cudaSuccess;
}

} // namespace cufft_cpu
