// ljmd-cpu-fast: molecular dynamics on the host with a loop that the compiler can vectorize
//
// From:    Listing 21.1, Table 21.1 (beyond the book)
// Compile: nvcc -O3 -Xcompiler -fno-trapping-math,-O3 ljmd-cpu-fast.cu
// Run:     ./a.out 5 1000
// Flags:   -Xcompiler -fno-trapping-math,-O3
// Uses:    OpenMP
//
// It computes what ljmd-cpu computes, on one core about twice as fast. In the order in which they
// stand below:
//
// - The list has each pair once, in the list of the atom with the smaller number. Listing 21.1
//   reads both and skips one of them.
// - The loop over the neighbours of an atom is cut into three. The middle one has nearly all of the
//   arithmetic and no `if`, so one instruction can do several pairs.
// - --threads N takes N cores, if the program was compiled with -Xcompiler -fopenmp too.
//
// For double, add -DUSE_DP.

#include "../common/options.cuh"
#include "run.cuh"
#include "steps.cuh"
#include "sums_host.cuh"

struct Arrays
{
    int *NN, *NL;       // neighbour k of atom i is NL[i * MN + k]; each pair stands once
    int *degree;        // neighbours of an atom, in whichever list the pair is
    real *x0, *y0, *z0; // the positions when the list was made
    int *firsts;        // thread t has the pairs of atoms firsts[t] <= i < firsts[t + 1]
    real *own_forces;   // of the threads after the first, 3 N each
};

// ---- Threads of the host, by OpenMP ----

#ifdef _OPENMP
const int MOST_THREADS = 1024;
#else
const int MOST_THREADS = 1;
#endif

static size_t g_threads = 1;

// Calls work(sys, 0) to work(sys, threads - 1), at the same time if the program was compiled with
// OpenMP.
void for_threads(void (*work)(System *, int), System *sys)
{
    const int threads = (int)g_threads;
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) if (threads > 1)
#endif
    for (int t = 0; t < threads; ++t)
    {
        work(sys, t);
    }
}

// Where part t of N things begins, if all parts are equal.
int part_of(int N, int t) { return (int)((size_t)N * t / g_threads); }

// ---- The arrays ----

void count_bytes(const System *sys, double *on_host, double *on_device)
{
    const double N = sys->N;
    *on_host = N * ((sys->MN + 2) * sizeof(int) + 3 * sizeof(real)) +
               3.0 * N * (g_threads - 1) * sizeof(real);
    *on_device = 0.0;
}

void create_arrays(System *sys)
{
    const size_t N = sys->N;
    Arrays *arrays = (Arrays *)new_array(1, sizeof(Arrays));
    arrays->NN = (int *)new_array(N, sizeof(int));
    arrays->NL = (int *)new_array(N * sys->MN, sizeof(int));
    arrays->degree = (int *)new_array(N, sizeof(int));
    arrays->x0 = (real *)new_array(N, sizeof(real));
    arrays->y0 = (real *)new_array(N, sizeof(real));
    arrays->z0 = (real *)new_array(N, sizeof(real));
    arrays->firsts = (int *)new_array(g_threads + 1, sizeof(int));
    arrays->own_forces = (real *)new_array(3 * N * (g_threads - 1), sizeof(real));
    sys->arrays = arrays;
}

void destroy_arrays(System *sys)
{
    Arrays *arrays = sys->arrays;
    free(arrays->NN);
    free(arrays->NL);
    free(arrays->degree);
    free(arrays->x0);
    free(arrays->y0);
    free(arrays->z0);
    free(arrays->firsts);
    free(arrays->own_forces);
    free(arrays);
}

// ---- The neighbour list ----

// apply_mic() with one comparison for each direction and no jump: copysign(L, x12) is L with the
// sign of x12.
static void apply_mic_at_once(const Box &box, real *x12, real *y12, real *z12)
{
    *x12 -= fabs(*x12) > box.lx2 ? copysign(box.lx, *x12) : 0;
    *y12 -= fabs(*y12) > box.ly2 ? copysign(box.ly, *y12) : 0;
    *z12 -= fabs(*z12) > box.lz2 ? copysign(box.lz, *z12) : 0;
}

static real distance_square(const System *sys, int i, int j)
{
    real x_ij = sys->x[j] - sys->x[i];
    real y_ij = sys->y[j] - sys->y[i];
    real z_ij = sys->z[j] - sys->z[i];
    apply_mic_at_once(sys->box, &x_ij, &y_ij, &z_ij);
    return x_ij * x_ij + y_ij * y_ij + z_ij * z_ij;
}

// Gives each thread about the same number of pairs. Atoms with small numbers have more of them.
static void share_pairs(System *sys)
{
    const int *NN = sys->arrays->NN;
    const int threads = (int)g_threads;
    double all = 0.0, pairs = 0.0;
    for (int n = 0; n < sys->N; ++n)
    {
        all += NN[n];
    }
    int i = 0;
    for (int t = 0; t < threads; ++t)
    {
        while (i < sys->N && pairs < all * t / threads)
        {
            pairs += NN[i++];
        }
        sys->arrays->firsts[t] = i;
    }
    sys->arrays->firsts[threads] = sys->N;
}

void find_neighbor(System *sys)
{
    const int N = sys->N;
    const size_t MN = sys->MN;
    Arrays *arrays = sys->arrays;
    int *NN = arrays->NN, *NL = arrays->NL, *degree = arrays->degree;
    const real cutoff_square = (real)(sys->list_cutoff * sys->list_cutoff);
    memset(NN, 0, N * sizeof(int));
    memset(degree, 0, N * sizeof(int));
    for (int i = 0; i < N; ++i)
    {
        for (int j = i + 1; j < N; ++j)
        {
            if (distance_square(sys, i, j) < cutoff_square)
            {
                if ((size_t)NN[i] < MN)
                {
                    NL[i * MN + NN[i]] = j;
                }
                ++NN[i];
                ++degree[i];
                ++degree[j];
            }
        }
    }
    memcpy(arrays->x0, sys->x, N * sizeof(real));
    memcpy(arrays->y0, sys->y, N * sizeof(real));
    memcpy(arrays->z0, sys->z, N * sizeof(real));
    share_pairs(sys);
}

NeighborCounts count_neighbors(System *sys) { return range_of(sys->arrays->degree, sys->N); }

static bool is_missing(const System *sys, int i, int j)
{
    const int first = i < j ? i : j, second = i < j ? j : i;
    const int *NL = sys->arrays->NL + first * sys->MN;
    return distance_square(sys, first, second) < CUTOFF * CUTOFF &&
           !is_in_array(NL, sys->arrays->NN[first], second);
}

size_t count_missing(System *sys)
{
    size_t missing = 0;
    for (int i = 0; i < sys->N; ++i)
    {
        for (int j = i + 1; j < sys->N; ++j)
        {
            missing += is_missing(sys, i, j);
        }
    }
    return missing;
}

bool lacks_pairs(System *sys)
{
    const Arrays *arrays = sys->arrays;
    const double half_skin = (sys->list_cutoff - CUTOFF) / 2;
    for (int i = 0; i < sys->N; ++i)
    {
        const double x = sys->x[i] - arrays->x0[i];
        const double y = sys->y[i] - arrays->y0[i];
        const double z = sys->z[i] - arrays->z0[i];
        const bool has_moved_far = !(x * x + y * y + z * z < half_skin * half_skin);
        for (int j = 0; j < sys->N && has_moved_far; ++j)
        {
            if (j != i && is_missing(sys, i, j))
            {
                return true;
            }
        }
    }
    return false;
}

// ---- The forces ----

// What the pairs of the atoms first <= i < last add to the forces. A pair beyond the cutoff counts
// with a force of zero. (g++ takes a comparison out of an `if` only with -fno-trapping-math: it
// might be one of NaN, at which the processor could stop.)
static void add_forces(const System *sys, int first, int last, real *fx, real *fy, real *fz)
{
    const Box box = sys->box;
    const real cutoff_square = (real)(CUTOFF * CUTOFF);
    const double sigma_6 = SIGMA * SIGMA * SIGMA * SIGMA * SIGMA * SIGMA;
    const double sigma_12 = sigma_6 * sigma_6;
    const real e24s6 = (real)(24.0 * EPSILON * sigma_6);
    const real e48s12 = (real)(48.0 * EPSILON * sigma_12);
    const real e4s6 = (real)(4.0 * EPSILON * sigma_6);
    const real e4s12 = (real)(4.0 * EPSILON * sigma_12);
    const real energy_shift = (real)sys->energy_shift;
    const real *x = sys->x, *y = sys->y, *z = sys->z;
    const int PIECE = 128; // neighbours at a time
    real x_ij[PIECE], y_ij[PIECE], z_ij[PIECE], energy[PIECE], virial[PIECE];
    for (int i = first; i < last; ++i)
    {
        const real x_i = x[i], y_i = y[i], z_i = z[i];
        real fx_i = 0, fy_i = 0, fz_i = 0, pe_i = 0, virial_i = 0;
        for (int start = 0; start < sys->arrays->NN[i]; start += PIECE)
        {
            const int *NL = sys->arrays->NL + i * sys->MN + start;
            const int left = sys->arrays->NN[i] - start, count = left < PIECE ? left : PIECE;
            for (int k = 0; k < count; ++k)
            {
                x_ij[k] = x[NL[k]] - x_i;
                y_ij[k] = y[NL[k]] - y_i;
                z_ij[k] = z[NL[k]] - z_i;
            }
            for (int k = 0; k < count; ++k)
            {
                real x12 = x_ij[k], y12 = y_ij[k], z12 = z_ij[k];
                apply_mic_at_once(box, &x12, &y12, &z12);
                const real r2 = x12 * x12 + y12 * y12 + z12 * z12;
                const real r2inv = 1 / r2;
                const real r4inv = r2inv * r2inv;
                const real r6inv = r2inv * r4inv;
                const real r8inv = r4inv * r4inv;
                const real r12inv = r4inv * r8inv;
                const real r14inv = r6inv * r8inv;
                const real f_k = e24s6 * r8inv - e48s12 * r14inv;
                const real energy_k = e4s12 * r12inv - e4s6 * r6inv - energy_shift;
                const real f_ij = r2 > cutoff_square ? 0 : f_k;
                energy[k] = r2 > cutoff_square ? 0 : energy_k;
                virial[k] = f_ij * r2;
                x_ij[k] = f_ij * x12;
                y_ij[k] = f_ij * y12;
                z_ij[k] = f_ij * z12;
            }
            for (int k = 0; k < count; ++k)
            {
                const int j = NL[k];
                pe_i += energy[k];
                virial_i -= virial[k];
                fx_i += x_ij[k];
                fy_i += y_ij[k];
                fz_i += z_ij[k];
                fx[j] -= x_ij[k];
                fy[j] -= y_ij[k];
                fz[j] -= z_ij[k];
            }
        }
        fx[i] += fx_i;
        fy[i] += fy_i;
        fz[i] += fz_i;
        sys->pe[i] = pe_i;
        sys->virial[i] = virial_i;
    }
}

// The forces from the pairs of some atoms reach other atoms, too. So each thread adds to arrays of
// its own, and these are added up in the end, always in the same order.
void add_forces_of_thread(System *sys, int t)
{
    const int N = sys->N;
    const int *firsts = sys->arrays->firsts;
    real *own = sys->arrays->own_forces;
    real *fx = t == 0 ? sys->fx : own + (size_t)(t - 1) * 3 * N;
    real *fy = t == 0 ? sys->fy : fx + N;
    real *fz = t == 0 ? sys->fz : fy + N;
    for (int n = firsts[t]; n < N; ++n) // the list has no j < i
    {
        fx[n] = fy[n] = fz[n] = 0;
    }
    add_forces(sys, firsts[t], firsts[t + 1], fx, fy, fz);
}

void add_up_forces(System *sys, int t)
{
    const int N = sys->N;
    const int *firsts = sys->arrays->firsts;
    const int first = part_of(N, t), last = part_of(N, t + 1);
    for (int other = 1; other < (int)g_threads; ++other)
    {
        const real *f = sys->arrays->own_forces + (size_t)(other - 1) * 3 * N;
        for (int n = first > firsts[other] ? first : firsts[other]; n < last; ++n)
        {
            sys->fx[n] += f[n];
            sys->fy[n] += f[N + n];
            sys->fz[n] += f[2 * N + n];
        }
    }
}

void find_force(System *sys)
{
    for_threads(add_forces_of_thread, sys);
    if (g_threads > 1)
    {
        for_threads(add_up_forces, sys);
    }
}

// ---- The integration ----

void integrate_part(System *sys, Half half, int t)
{
    const real time_step = sys->time_step;
    const real half_step_over_mass = time_step / 2 / sys->mass;
    real *const x[3] = {sys->x, sys->y, sys->z};
    real *const v[3] = {sys->vx, sys->vy, sys->vz};
    const real *const f[3] = {sys->fx, sys->fy, sys->fz};
    const int first = part_of(sys->N, t), last = part_of(sys->N, t + 1);
    for (int d = 0; d < 3; ++d)
    {
        for (int n = first; n < last; ++n)
        {
            v[d][n] += half_step_over_mass * f[d][n];
        }
        for (int n = first; n < last && half == FIRST_HALF; ++n)
        {
            x[d][n] += time_step * v[d][n];
        }
    }
}

void integrate_first_half(System *sys, int t) { integrate_part(sys, FIRST_HALF, t); }
void integrate_second_half(System *sys, int t) { integrate_part(sys, SECOND_HALF, t); }

void integrate(System *sys, Half half)
{
    for_threads(half == FIRST_HALF ? integrate_first_half : integrate_second_half, sys);
}

// Their members begin with the values that md_options.cuh, simulation.cuh and run.cuh give them.
static Options options;       // what the command line says
static System sys;            // the atoms and their box
static Statistics statistics; // what is counted and timed
static Run run = {&options, &sys, &statistics};

int main(int argc, char **argv)
{
    args.uses_device = false;
    add_number("threads", &g_threads, 1, MOST_THREADS, "threads of the host, by OpenMP");
    read_options(&options, argc, argv, "-s S -o PREFIX",
                 "ljmd-cpu-fast: molecular dynamics on the host with a loop that the compiler can "
                 "vectorize");
    open_run(&run);          // the restart file, the size of the system, the files to write
    create_system(&run);     // a crystal, or the atoms of the restart file
    check_start(&run);       // of a crystal: each stage by itself
    find_first_forces(&run); // and the neighbour list

    begin_equilibration(&run);
    while (begin_step(&run))
    {
        integrate(&sys, FIRST_HALF);
        find_force(&sys);
        integrate(&sys, SECOND_HALF);
        scale_velocity(&sys, options.temperature);
        end_step(&run);
    }

    begin_production(&run);
    while (begin_step(&run))
    {
        begin_phase(&statistics, INTEGRATION); // the phases are for the table of times at the end
        integrate(&sys, FIRST_HALF);
        begin_phase(&statistics, FORCE);
        find_force(&sys);
        begin_phase(&statistics, INTEGRATION);
        integrate(&sys, SECOND_HALF);
        end_step(&run); // every 100 steps or so: energies, files, is the list still good?
    }
    end_production(&run);

    destroy_system(&run);
    return verdict();
}
