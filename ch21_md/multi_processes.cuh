// ljmd-multi in several processes of one host, as mpirun starts them, each with one device. The
// hosts talk by MPI. Memory goes from device to device by NCCL. A program that was compiled without
// NCCL takes it through the hosts, which is slow. One compiled without MPI has one process.
#pragma once
#include "md_options.cuh"
#include "simulation.cuh"
#ifdef HAVE_MPI
#define OMPI_SKIP_MPICXX 1 // the functions of C only
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#endif
#ifdef HAVE_NCCL
#include "../common/check_nccl.cuh"
#endif

const int MOST_PROCESSES = 16;

// With --mpi: how many processes there are, which of them this is, and its device.
struct Processes
{
    bool wanted = false; // --mpi
    int count = 1, number = 0, device = 0;
};
static Processes g_processes;

#ifdef HAVE_MPI

// A call of MPI that fails ends all processes by itself, so no status is checked here.

inline void combine(void *values, size_t count, size_t bytes, MPI_Datatype type, MPI_Op operation)
{
    const size_t most = 1 << 28; // a call takes an int
    for (size_t first = 0; g_processes.count > 1 && first < count; first += most)
    {
        const size_t left = count - first;
        MPI_Allreduce(MPI_IN_PLACE, (char *)values + first * bytes,
                      (int)(left < most ? left : most), type, operation, MPI_COMM_WORLD);
    }
}

// Each process has the values that are its own, and zeros. Then each has all.
inline void add_ints_over_processes(int *values, size_t count)
{
    combine(values, count, sizeof(int), MPI_INT, MPI_SUM);
}

inline void add_doubles_over_processes(double *values, size_t count)
{
    combine(values, count, sizeof(double), MPI_DOUBLE, MPI_SUM);
}

inline void add_reals_over_processes(real *values, size_t count)
{
    combine(values, count, sizeof(real), sizeof(real) == sizeof(float) ? MPI_FLOAT : MPI_DOUBLE,
            MPI_SUM);
}

// Each process gets the values of one of them.
inline void take_over_from(int process, int *values, size_t count)
{
    if (g_processes.count > 1)
    {
        MPI_Bcast(values, (int)count, MPI_INT, process, MPI_COMM_WORLD);
    }
}

inline int most_over_processes(int value)
{
    combine(&value, 1, sizeof(int), MPI_INT, MPI_MAX);
    return value;
}

inline int bits_over_processes(int value)
{
    combine(&value, 1, sizeof(int), MPI_INT, MPI_BOR);
    return value;
}

#ifdef HAVE_NCCL

static ncclComm_t g_nccl;
const char *const BETWEEN_PROCESSES = "by NCCL";

inline void start_transfers(void)
{
    ncclUniqueId id;
    if (g_processes.number == 0)
    {
        CHECK_NCCL(ncclGetUniqueId(&id));
    }
    MPI_Bcast(&id, sizeof(id), MPI_BYTE, 0, MPI_COMM_WORLD);
    CHECK_NCCL(ncclCommInitRank(&g_nccl, g_processes.count, id, g_processes.number));
}

inline void end_all_transfers(void) { CHECK_NCCL(ncclCommDestroy(g_nccl)); }

inline void begin_transfers(void)
{
    if (g_processes.count > 1)
    {
        CHECK_NCCL(ncclGroupStart());
    }
}

inline void send_to(int process, const void *source, size_t bytes, cudaStream_t stream)
{
    CHECK_NCCL(ncclSend(source, bytes, ncclChar, process, g_nccl, stream));
}

inline void receive_from(int process, void *target, size_t bytes, cudaStream_t stream)
{
    CHECK_NCCL(ncclRecv(target, bytes, ncclChar, process, g_nccl, stream));
}

inline void end_transfers(void)
{
    if (g_processes.count > 1)
    {
        CHECK_NCCL(ncclGroupEnd());
    }
}

#else

// Memory of the device that is sent or received through the host.
struct Transfer
{
    void *on_device, *on_host;
    bool is_sent;
    size_t bytes;
    cudaStream_t stream;
    MPI_Request request;
};
static Transfer *g_transfers; // since begin_transfers()
static size_t g_num_transfers, g_most_transfers;
const char *const BETWEEN_PROCESSES = "through the hosts";

inline void start_transfers(void) {}

inline void end_all_transfers(void) { free(g_transfers); }

inline void begin_transfers(void)
{
    if (g_processes.count > 1)
    {
        g_num_transfers = 0;
    }
}

inline void add_transfer(int process, void *on_device, bool is_sent, size_t bytes,
                         cudaStream_t stream)
{
    if (g_num_transfers == g_most_transfers)
    {
        g_most_transfers = 2 * g_most_transfers + 64;
        g_transfers = (Transfer *)resize_array(g_transfers, g_most_transfers, sizeof(Transfer));
    }
    Transfer *transfer = &g_transfers[g_num_transfers++];
    *transfer = {on_device, new_array(bytes, 1), is_sent, bytes, stream, {}};
    void *on_host = transfer->on_host;
    if (is_sent)
    {
        CHECK(cudaMemcpyAsync(on_host, on_device, bytes, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamSynchronize(stream));
        MPI_Isend(on_host, (int)bytes, MPI_BYTE, process, 0, MPI_COMM_WORLD, &transfer->request);
    }
    else
    {
        MPI_Irecv(on_host, (int)bytes, MPI_BYTE, process, 0, MPI_COMM_WORLD, &transfer->request);
    }
}

inline void send_to(int process, const void *source, size_t bytes, cudaStream_t stream)
{
    add_transfer(process, (void *)source, true, bytes, stream);
}

inline void receive_from(int process, void *target, size_t bytes, cudaStream_t stream)
{
    add_transfer(process, target, false, bytes, stream);
}

inline void end_transfers(void)
{
    for (size_t i = 0; g_processes.count > 1 && i < g_num_transfers; ++i)
    {
        Transfer *transfer = &g_transfers[i];
        MPI_Wait(&transfer->request, MPI_STATUS_IGNORE);
        if (!transfer->is_sent)
        {
            CHECK(cudaMemcpyAsync(transfer->on_device, transfer->on_host, transfer->bytes,
                                  cudaMemcpyHostToDevice, transfer->stream));
            CHECK(cudaStreamSynchronize(transfer->stream));
        }
        free(transfer->on_host);
    }
}

#endif

// Only the first process writes.
inline void join_processes(Options *options)
{
    MPI_Comm on_this_host;
    int count = 0, number = 0, num_devices = 0;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &g_processes.count);
    MPI_Comm_rank(MPI_COMM_WORLD, &g_processes.number);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &on_this_host);
    MPI_Comm_size(on_this_host, &count);
    MPI_Comm_rank(on_this_host, &number);
    MPI_Comm_free(&on_this_host);
    CHECK(cudaGetDeviceCount(&num_devices));
    if (count != g_processes.count || count > MOST_PROCESSES)
    {
        usage_error("--mpi is for up to %d processes of one host", MOST_PROCESSES);
    }
    if (ON_GPU && count > num_devices)
    {
        usage_error("--mpi: there are %d processes, but only %d device%s", count, num_devices,
                    num_devices == 1 ? "" : "s");
    }
    g_processes.device = number % num_devices;
    CHECK(cudaSetDevice(g_processes.device));
    start_transfers();
    options->is_silent = g_processes.number > 0;
    if (options->is_silent && freopen("/dev/null", "w", stdout) == NULL)
    {
        usage_error("cannot write /dev/null: %s", strerror(errno));
    }
}

inline void leave_processes(void)
{
    if (g_processes.wanted)
    {
        end_all_transfers();
        MPI_Finalize();
    }
}

#else

const char *const BETWEEN_PROCESSES = "";

inline void add_ints_over_processes(int *, size_t) {}

inline void add_doubles_over_processes(double *, size_t) {}

inline void add_reals_over_processes(real *, size_t) {}

inline void take_over_from(int, int *, size_t) {}

inline int most_over_processes(int value) { return value; }

inline int bits_over_processes(int value) { return value; }

inline void begin_transfers(void) {}

inline void send_to(int, const void *, size_t, cudaStream_t) {}

inline void receive_from(int, void *, size_t, cudaStream_t) {}

inline void end_transfers(void) {}

inline void join_processes(Options *)
{
    usage_error("--mpi: compiled without MPI; after `apt-get install libopenmpi-dev` "
                "`make ljmd-multi` has it");
}

inline void leave_processes(void) {}

#endif
