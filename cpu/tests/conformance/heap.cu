// Conforms to: malloc, free, new and delete in kernels, and the heap they share.
#include <cstdlib>
#include "expect.cuh"

struct Node
{
    Node *next;
    int value;
    __device__ Node(int value, Node *next) : next(next), value(value)
    {
    }
    __device__ ~Node()
    {
        delete next;
    }
};

__global__ void each_thread()
{
    const int t = threadIdx.x, n = 1 + t % 50;
    int *x = (int *)malloc(n * sizeof(int));
    EXPECT(x != NULL && (size_t)x % 16 == 0);
    for (int i = 0; i < n; ++i)
    {
        x[i] = t * 100 + i;
    }
    __syncthreads();
    for (int i = 0; i < n; ++i)
    {
        EXPECT(x[i] == t * 100 + i);
    }
    free(x);
    free(NULL);
}

__global__ void lists()
{
    Node *list = NULL;
    for (int i = 0; i < 10; ++i)
    {
        list = new Node(i, list);
    }
    int sum = 0;
    for (const Node *node = list; node != NULL; node = node->next)
    {
        sum += node->value;
    }
    EXPECT(sum == 45);
    delete list;
    double *array = new double[threadIdx.x + 1];
    array[threadIdx.x] = 2.5;
    EXPECT(array[threadIdx.x] == 2.5);
    delete[] array;
}

// Memory lives until it is freed, in whichever kernel.
__device__ int *kept[64];

__global__ void give()
{
    kept[threadIdx.x] = new int(threadIdx.x * 3);
}

__global__ void use(int *const *where)
{
    EXPECT(*where[threadIdx.x] == (int)threadIdx.x * 3);
}

__global__ void take()
{
    EXPECT(*kept[63 - threadIdx.x] == 3 * (63 - (int)threadIdx.x));
    __syncthreads();
    delete kept[threadIdx.x];
}

// How many blocks of memory there are.
__global__ void count(size_t bytes, int *number)
{
    void *all[64];
    int n = 0;
    while (n < 64 && (all[n] = malloc(bytes)) != NULL)
    {
        ++n;
    }
    *number = n;
    while (n > 0)
    {
        free(all[--n]);
    }
}

__host__ __device__ int sum_of_copy(const int *x, int n)
{
    int *copy = (int *)malloc(n * sizeof(int)), sum = 0;
    memcpy(copy, x, n * sizeof(int));
    for (int i = 0; i < n; ++i)
    {
        sum += copy[i];
    }
    free(copy);
    return sum;
}

__global__ void on_the_device(int *x, int n)
{
    x[n] = sum_of_copy(x, n);
}

static int number_of(size_t bytes)
{
    int *d_number, number = -1;
    cudaMalloc(&d_number, sizeof(int));
    count<<<1, 1>>>(bytes, d_number);
    cudaMemcpy(&number, d_number, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_number);
    return number;
}

int main()
{
    size_t limit = 0;
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    check("the heap has 8 MB", limit == 8 << 20);
    each_thread<<<10, 256>>>();
    report("malloc and free");
    lists<<<4, 64>>>();
    report("new and delete");
    give<<<1, 64>>>();
    int **d_kept = NULL;
    cudaGetSymbolAddress((void **)&d_kept, kept);
    use<<<1, 64>>>(d_kept);
    report("from kernel to kernel");
    int *of_kernel = NULL, x[5] = {1, 2, 3, 4, 0};
    cudaMemcpyFromSymbol(&of_kernel, kept, sizeof(of_kernel));
    bool right = is_error(cudaMemcpy(x + 4, of_kernel, sizeof(int), cudaMemcpyDeviceToHost),
                          cudaErrorInvalidValue) &&
                 is_error(cudaFree(of_kernel), cudaErrorInvalidValue);
    check("the host does not reach it", right);
    take<<<1, 64>>>();
    report("and back");
    const int megabytes = number_of(1 << 20);
    check("it is used up", megabytes >= 4 && megabytes <= 7);
    check("and is whole again", number_of(1 << 20) == megabytes && number_of(7 << 20) == 1);
    check("more than there is", number_of(8 << 20) == 0 && number_of((size_t)1 << 50) == 0);
    right = is_error(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20), cudaErrorInvalidValue);
    cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
    check("the limit stays while it is in use", right && limit == 8 << 20);
    int *d_x;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    on_the_device<<<1, 1>>>(d_x, 4);
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost);
    check("a function of both", x[4] == 10 && sum_of_copy(x, 5) == 20);
    cudaFree(d_x);
    report("the end");
    cudaDeviceReset();
    right = cudaDeviceSetLimit(cudaLimitMallocHeapSize, 48 << 20) == cudaSuccess;
    check("a larger limit", right && number_of(8 << 20) >= 4);
    return num_wrong != 0;
}
