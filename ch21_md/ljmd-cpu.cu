// ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 steps
//
// From:    Listing 21.1, Table 21.1, Fig. 21.1, sections 21.1 to 21.3
// Chinese: 固态氩的分子动力学模拟，全部在主机上计算，每 100 步输出能量
// Compile: nvcc -O3 ljmd-cpu.cu
// Run:     ./a.out 10 20000
// Options: -s S -o PREFIX --temperature X --density X --dt X --steps N --interval N --list X --mn N
//          --shift --xyz --checkpoint N --restart TEXT [NX] [NE]
// Sizes:   5 6 8
// Checks:  19

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
    read_options(&args, &sim, argc, argv, "-s S -o PREFIX",
                 "ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 "
                 "steps");
    return run(&sim);
}
