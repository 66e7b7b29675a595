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

int main(int argc, char **argv)
{
    Simulation sim; // begins with the values that simulation.cuh gives its members
    Run run;        // and with those of run.cuh
    args.uses_device = false;
    read_options(&sim, argc, argv, "-s S -o PREFIX",
                 "ljmd-cpu: molecular dynamics of solid argon on the host, with energies every 100 "
                 "steps");
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
