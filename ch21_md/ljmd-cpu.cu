// ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 steps
//
// From:    Listing 21.1, Table 21.1, Fig. 21.1, sections 21.1 to 21.3
// Compile: nvcc -O3 ljmd-cpu.cu
// Run:     ./a.out 5 1000
//
// force_host.cuh is Listing 21.1. main has the loops over steps: integrate, find_force,
// integrate. integrate_host.cuh and neighbor_host.cuh have the other stages. For double, add
// -DUSE_DP.

#include "force_host.cuh"
#include "integrate_host.cuh"
#include "neighbor_host.cuh"
#include "run.cuh"
#include "steps.cuh"

// Their members begin with the values that md_options.cuh, simulation.cuh and run.cuh give them.
static Options options;       // what the command line says
static System sys;            // the atoms and their box
static Statistics statistics; // what is counted and timed
static Run run = {&options, &sys, &statistics};

int main(int argc, char **argv)
{
    args.uses_device = false;
    read_options(&options, argc, argv, "-s S -o PREFIX",
                 "ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 "
                 "steps");
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
