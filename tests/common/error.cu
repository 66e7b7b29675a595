// error: CHECK names place, call and error, is one statement, and ends with status 3

#include <string.h>
#include "../../common/compare.cuh"
#include "../../common/error.cuh"
#include "../../common/on_gpu.cuh"
#include "child.cuh"

__global__ void idle() {}

static bool contains(const Child *child, const char *text)
{
    return strstr(child->output, text) != NULL;
}

int main(void)
{
    // Every use of the device is a child's: a parent that had one could not fork.
    const Child fine = run_child(
        []
        {
            const cudaError_t check_me = cudaSuccess;
            if (check_me == cudaSuccess)
                CHECK(cudaDeviceSynchronize());
            else
                CHECK(check_me);
            idle<<<1, 1>>>();
            CHECK_LAUNCH();
            CHECK(cudaDeviceSynchronize());
            return 0;
        });
    if (fine.status == 77)
    {
        fprintf(stderr, "%s", fine.output);
        return 77;
    }
    check_true("successes are silent", fine.status == 0 && fine.output[0] == '\0');

    const Child call = run_child(
        []
        {
            char h_x[4] = "abc", h_y[4];
            CHECK(cudaMemcpy(h_y, h_x, 4, (cudaMemcpyKind)99));
            return 0;
        });
    check_true("a bad call exits 3", call.status == 3);
    check_true("its file", contains(&call, "error.cu\n"));
    check_true("its text", contains(&call, "Call:       cudaMemcpy(h_y, h_x, 4, "));
    check_true("its name", contains(&call, "Error name: cudaErrorInvalidMemcpyDirection\n"));

    // The code is the runtime's to choose (9 on the CPU backend, as in the book; with CUDA 13.0 and
    // driver 580 an H100 and an H200 gave 1): the report must say what it was.
    const int code = run_child(
                         []
                         {
                             idle<<<1, 1280>>>();
                             return (int)cudaGetLastError();
                         })
                         .status;
    const Child launch = run_child(
        []
        {
            idle<<<1, 1280>>>();
            CHECK_LAUNCH();
            return 0;
        });
    char line[64];
    snprintf(line, sizeof(line), "Error code: %d\n", code);
    check_true("a bad launch exits 3", launch.status == 3);
    check_true("with the runtime's code", code != 0 && contains(&launch, line));
    check_true("9 on the CPU backend", ON_GPU || code == 9);
    check_true("and its text", contains(&launch, cudaGetErrorString((cudaError_t)code)));

    const Child without = run_child(
        []
        {
            report_error("file", 1, "call", cudaErrorNoDevice);
            return 0;
        });
    check_true("no device is 77, in one line",
               without.status == 77 &&
                   strchr(without.output, '\n') == strrchr(without.output, '\n'));
    return verdict();
}
