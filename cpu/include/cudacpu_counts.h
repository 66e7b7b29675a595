// What a program that cpucc --count has built may ask while it runs: what its kernels have cost since it
// began to count.
//
//     cudacpu_begin_counts();
//     add<<<grid_size, block_size>>>(d_x, d_y, N);
//     struct cudacpu_counts counts;
//     cudacpu_end_counts(&counts); // it waits for the kernels
//
// CUDACPU_COUNTER is defined where these functions are there.
#ifndef CUDACPU_COUNTS_H
#define CUDACPU_COUNTS_H

#ifdef __cplusplus
extern "C"
{
#endif

    // Sums over the requests of warps.
    struct cudacpu_access
    {
        double requests, lanes; // lanes: each that took part in a request counts
        double units,
            least; // sectors of global memory, wavefronts of shared, addresses of constant memory
    };

    struct cudacpu_counts
    {
        struct cudacpu_access loads, stores; // of global memory
        struct cudacpu_access shared;        // loads and stores
        struct cudacpu_access constants;
        struct cudacpu_access global_atomics, shared_atomics;
        double together; // of both: the sum of the most lanes at one address
        double conflict; // shared memory: wavefronts over the least, of the access that wastes most
        double launches, blocks, threads, warps;
        double barriers;               // each block at each barrier
        double exchanges;              // shuffles and votes of a warp
        double steps, active;          // basic blocks of a warp, and their lanes
        double parted;                 // after how many lanes went different ways
        double to_device, from_device; // bytes copied
    };

    void cudacpu_begin_counts(void);
    void cudacpu_end_counts(struct cudacpu_counts *counts);

#ifdef __cplusplus
}
#endif
#endif
