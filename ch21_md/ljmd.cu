// ljmd: molecular dynamics of solid argon, all on the device
//
// From:    Table 22.2, Fig. 21.1, sections 21.3.2, 22.1 and 22.1.2
// Order:   after ljmd-force
// Compile: nvcc -O3 ljmd.cu
// Run:     ./a.out 10 20000
//
// The positions, velocities and forces stay on the device. A step of the production is three
// kernels, and the host waits for them only where it looks at the neighbour list or writes
// energies. main has the loops over steps: integrate, find_force, integrate. force_device.cuh has
// Listing 22.1, and integrate_device.cuh has the kernels of the integration. For double, add
// -DUSE_DP.

#include "force_device.cuh"
#include "integrate_device.cuh"
#include "neighbor_device.cuh"
#include "run.cuh"
#include "steps.cuh"

int main(int argc, char **argv)
{
    Simulation sim; // begins with the values that simulation.cuh gives its members
    Run run;        // and with those of run.cuh
    read_options(&sim, argc, argv, "-b B -s S -o PREFIX",
                 "ljmd: molecular dynamics of solid argon, all on the device");
    open_run(&run, &sim); // the size of the system, the files

    create_atoms(&sim);
    create_arrays(&sim);
    if (run.restart == NULL)
    {
        initialize_position(&sim); // a crystal
        initialize_velocity(&sim);
        check_start(&run); // each stage by itself
    }
    else
    {
        read_restart_atoms(&sim, run.restart);
    }
    find_first_forces(&run); // and the neighbour list

    begin_equilibration(&run);
    while (begin_step(&run))
    {
        integrate(&sim, FIRST_HALF);
        find_force(&sim);
        integrate(&sim, SECOND_HALF);
        scale_velocity(&sim);
        end_step(&run);
    }

    begin_production(&run);
    while (begin_step(&run))
    {
        begin_phase(&sim, INTEGRATION); // the phases are for the table of times at the end
        integrate(&sim, FIRST_HALF);
        begin_phase(&sim, FORCE);
        find_force(&sim);
        begin_phase(&sim, INTEGRATION);
        integrate(&sim, SECOND_HALF);
        end_step(&run); // every 100 steps or so: energies, files, is the list still good?
    }
    end_production(&run);

    destroy_arrays(&sim);
    destroy_atoms(&sim);
    return verdict();
}
