// ljmd-force: molecular dynamics with the forces on the device and the rest on the host
//
// From:    Listing 22.1, Table 22.1, section 22.1.1
// Chinese: 分子动力学模拟：只在设备上求力和势能，其余部分在主机上
// Compile: nvcc -O3 ljmd-force.cu
// Run:     ./a.out 10 20000
// Options: -b B -s S -o PREFIX --temperature X --density X --lattice X --dt X --steps N
//          --interval N --list X --mn N --shift --xyz --checkpoint N --restart FILE [NX] [NE]
// Sizes:   5 6 8
// Also:    5 5 --steps 5 --mn 200; 5 7 --steps 7 --interval 5
// Small:   5 20 --steps 20
// Checks:  35
// Tests:   md
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
    Simulation sim;
    Run run;
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
    while (has_step(&run))
    {
        integrate(&sim, FIRST_HALF);
        find_force(&sim);
        integrate(&sim, SECOND_HALF);
        scale_velocity(&sim);
        end_step(&run);
    }

    begin_production(&run);
    while (has_step(&run))
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
