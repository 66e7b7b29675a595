// Launches of graphs that are not there.
//
// fault: launch of a graph by a variable that was never set, or whose graph is destroyed | found with its line
// out: 1 cudaErrorInvalidValue
// out: 0 cudaSuccess
#include "cases.cuh"

// case: made_up
// stderr: cudaGraphLaunch, FILE:MADE_UP:\n  0x7f\d+ is no graph that can be launched: cudaGraphInstantiate did not make it
CASE(made_up)
{
    union
    {
        unsigned long bits;
        cudaGraphExec_t exec; // what a variable on the stack may hold
    } unset = {0x7f1234567890};
    say(cudaGraphLaunch(unset.exec, NULL)); // MADE_UP
    cudaGetLastError();
}

// case: destroyed
// stderr: cudaGraphLaunch, FILE:DESTROYED:\n  0x[0-9a-f]+ is no graph that can be launched: .*, or it is destroyed
CASE(destroyed)
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphCreate(&graph, 0);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphDestroy(graph);
    cudaGraphExecDestroy(exec);
    say(cudaGraphLaunch(exec, NULL)); // DESTROYED
    cudaGetLastError();
}

// case: failed
// stderr: cudaGraphLaunch, FILE:FAILED:\n  \(nil\) is no graph that can be launched: cudaGraphInstantiate did not make it
CASE(failed)
{
    cudaGraph_t graph = NULL;
    cudaGraphExec_t exec = NULL;
    cudaGraphInstantiate(&exec, graph, 0); // an error, which the program does not look at
    cudaGetLastError();
    say(cudaGraphLaunch(exec, NULL)); // FAILED
    cudaGetLastError();
}
