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

// Their members begin with the values that md_options.cuh, simulation.cuh and run.cuh give them.
static Options options;       // what the command line says
static System sys;            // the atoms and their box
static Statistics statistics; // what is counted and timed
static Run run = {&options, &sys, &statistics};

int main(int argc, char **argv)
{
    read_options(&options, argc, argv, "-b B -s S -o PREFIX",
                 "ljmd: molecular dynamics of solid argon, all on the device");
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
