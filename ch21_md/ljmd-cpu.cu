// ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 steps
//
// From:    Listing 21.1, Table 21.1, Fig. 21.1, sections 21.1 to 21.3
// Compile: nvcc -O3 ljmd-cpu.cu
// Run:     ./a.out 5 1000
//
// force_host.cuh is Listing 21.1. steps.cuh has the loops over steps: integrate, find_force,
// integrate. integrate_host.cuh and neighbor_host.cuh have the other stages. For double, add
// -DUSE_DP.

#include "force_host.cuh"
#include "integrate_host.cuh"
#include "neighbor_host.cuh"
#include "run.cuh"
#include "steps.cuh"

int main(int argc, char **argv)
{
    Simulation sim;
    Run run;
    args.uses_device = false;
    read_options(&sim, argc, argv, "-s S -o PREFIX",
                 "ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 "
                 "steps");
    open_run(&run, &sim); // the size of the system, the files

    create_atoms(&sim);
    create_arrays(&sim);
    initialize(&run);        // a crystal, or the restart file
    check_start(&run);       // each stage, on a new crystal
    find_first_forces(&run); // and the list

    begin_equilibration(&run);
    while (run.next > 0)
    {
        equilibration(&sim, run.next);
        look(&run);
    }

    begin_production(&run);
    while (run.next > 0)
    {
        production(&sim, run.next);
        look(&run);
    }
    end_production(&run);

    destroy_arrays(&sim);
    destroy_atoms(&sim);
    return verdict();
}
