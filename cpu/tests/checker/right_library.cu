// Functions of the C library that touch less than it seems: strcmp ends at the first difference, and memmove
// takes along what was never written, but no more than that.
#include <cstring>

enum
{
    N = 64,
    PAGE = 4096
};

int main()
{
    char *text;
    cudaMallocManaged(&text, PAGE); // no zero ends it
    memset(text, 'a', PAGE);
    bool right = strcmp(text, "aab") < 0 && strcmp("aab", text) > 0;

    int *up, *down, sum = 0;
    cudaMallocManaged(&up, N * sizeof(int));
    cudaMallocManaged(&down, N * sizeof(int));
    for (int i = 1; i < N - 1; ++i)
    {
        up[i] = down[i] = 1;
    }
    memmove(up + 1, up, (N - 1) * sizeof(int));
    memmove(down, down + 1, (N - 1) * sizeof(int));
    for (int i = 2; i < N - 1; ++i)
    {
        sum += up[i] + down[i - 2];
    }
    right = right && sum == 122;
    cudaFree(text);
    cudaFree(up);
    cudaFree(down);
    return right ? 0 : 1;
}
