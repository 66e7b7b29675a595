// fault: a kernel prints 80 MB, more than a GPU keeps; nothing is lost here | no error
// stderr: all of 80000000 bytes
// out: ...
#include <cstdio>
#include <sys/stat.h>

__global__ void print()
{
    printf("%999d\n", threadIdx.x);
}

int main()
{
    if (freopen("printed", "w", stdout) == NULL)
    {
        return 1;
    }
    print<<<625, 128>>>();
    const cudaError_t error = cudaDeviceSynchronize();
    fflush(stdout);
    struct stat file;
    stat("printed", &file);
    fprintf(stderr, "all of %ld bytes\n", (long)file.st_size);
    return error;
}
