// ljmd-force: molecular dynamics with the forces on the device and the rest on the host
//
// From:    Listing 22.1, Table 22.1, section 22.1.1
// Compile: nvcc -O3 ljmd-force.cu
// Run:     ./a.out 10 20000
//
// ljmd-cpu spends nearly all of its time on the forces, so they go to the device first. Positions
// and forces have to cross the bus in each step. force_device.cuh is Listing 22.1. main has the
// loops over steps: integrate, find_force, integrate. For double, add -DUSE_DP.

#include "force_device.cuh"
#include "integrate_host.cuh"
#include "neighbor_device.cuh"
#include "run.cuh"
#include "steps.cuh"

int main(int argc, char **argv)
{
    Simulation sim; // begins with the values that simulation.cuh gives its members
    Run run;        // and with those of run.cuh
    read_options(&sim, argc, argv, "-b B -s S -o PREFIX",
                 "ljmd-force: molecular dynamics with the forces on the device and the rest on the "
                 "host");
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
