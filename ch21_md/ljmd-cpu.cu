// ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 steps
//
// From:    Listing 21.1, Table 21.1, Fig. 21.1, sections 21.1 to 21.3
// Chinese: 固态氩的分子动力学模拟，全部在主机上计算，每 100 步输出能量
// Compile: nvcc -O3 -Xcompiler -fno-trapping-math,-O3 ljmd-cpu.cu
// Run:     ./a.out 5 1000
// Flags:   -Xcompiler -fno-trapping-math,-O3
// Uses:    OpenMP
// Options: -s S -o PREFIX --threads N --listing --temperature X --density X --dt X --steps N
//          --interval N --list X --mn N --shift --xyz --checkpoint N --restart TEXT [NX] [NE]
// Sizes:   5 6 8
// Small:   5 20 --steps 20
// Also:    5 20 --listing; 5 7 --steps 7 --interval 5
// Checks:  34
//
// --listing takes the loop of Listing 21.1. Without it, the same loop in pieces that the compiler
// vectorizes. --threads N takes N cores, if the program was compiled with -Xcompiler -fopenmp too.
// For double, add -DUSE_DP.

#include "arrays_host.cuh"
#include "force_host.cuh"
#include "integrate_host.cuh"
#include "neighbor_host.cuh"
#include "phases_host.cuh"
#include "run.cuh"
#include "steps.cuh"

int main(int argc, char **argv)
{
    Args args;
    Simulation sim;
    args.uses_device = false;
    add_number(&args, "threads", &sim.threads, 1, MOST_THREADS, "threads of the host, by OpenMP");
    add_flag(&args, "listing", &sim.listing, "Listing 21.1 as it is, not vectorized");
    read_options(&args, &sim, argc, argv, "-s S -o PREFIX",
                 "ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 "
                 "steps");
    return run(&sim);
}
