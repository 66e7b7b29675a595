// ljmd-force: molecular dynamics with the forces on the device and the rest on the host
//
// From:    Listing 22.1, Table 22.1, section 22.1.1
// Compile: nvcc -O3 ljmd-force.cu
// Run:     ./a.out 10 20000
//
// ljmd-cpu spends nearly all of its time on the forces, so they go to the device first. Positions
// and forces have to cross the bus in each step. force_device.cuh is Listing 22.1. steps.cuh has
// the loops over steps: integrate, find_force, integrate. For double, add -DUSE_DP.

#include "force_device.cuh"
#include "integrate_host.cuh"
#include "neighbor_device.cuh"
#include "run.cuh"
#include "steps.cuh"

int main(int argc, char **argv)
{
    Simulation sim;
    Run run;
    read_options(&sim, argc, argv, "-b B -s S -o PREFIX",
                 "ljmd-force: molecular dynamics with the forces on the device and the rest on the "
                 "host");
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
