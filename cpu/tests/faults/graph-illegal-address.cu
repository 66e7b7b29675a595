// A kernel of a graph leaves its array: it is named as any other is, and the nodes after it do not
// run.
//
// stderr: kernel fill, block \(0,0,0\), thread \(0,0,0\), FILE:WRITE:
// stderr: illegal address: write of 0x\w+, 0 bytes past the end of a device allocation
// out: an illegal memory access was encountered
// out: 0 calls
#include <cstdio>

__global__ void fill(int *x, int first)
{
    x[first + threadIdx.x] = 1; // WRITE
}

static int calls;

static void CUDART_CB count_call(void *)
{
    ++calls;
}

int main()
{
    int *d_x;
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMalloc(&d_x, 64 * sizeof(int));
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    fill<<<1, 64, 0, stream>>>(d_x, 0);
    fill<<<1, 64, 0, stream>>>(d_x, 64); // all of them past the end
    cudaLaunchHostFunc(stream, count_call, NULL);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&exec, graph, 0);
    cudaGraphLaunch(exec, stream);
    puts(cudaGetErrorString(cudaStreamSynchronize(stream)));
    printf("%d calls\n", calls);
    return 0;
}
