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

// Their members begin with the values that md_options.cuh, simulation.cuh and run.cuh give them.
static Options options;       // what the command line says
static System sys;            // the atoms and their box
static Statistics statistics; // what is counted and timed
static Run run = {&options, &sys, &statistics};

int main(int argc, char **argv)
{
    read_options(&options, argc, argv, "-b B -s S -o PREFIX",
                 "ljmd-force: molecular dynamics with the forces on the device and the rest on the "
                 "host");
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
