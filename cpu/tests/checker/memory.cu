// Reads of memory that was never written, and accesses by one byte or element too far.
#include <cstdio>

__device__ int table[100];
__managed__ char letters[33];
__device__ int pages[4096]; // ends at a guard page

__global__ void never_written(const int *x, int *y)
{
    __shared__ int s[64];
    y[threadIdx.x] = x[threadIdx.x]; // never-written:global
    if (threadIdx.x < 40)
    {
        s[threadIdx.x] = 1;
    }
    __syncthreads();
    y[threadIdx.x] += s[threadIdx.x]; // never-written:shared
}

__global__ void written_by_another_block(int *y)
{
    __shared__ int s;
    if (threadIdx.x == 0 && blockIdx.x == 0)
    {
        s = 3;
    }
    __syncthreads();
    if (threadIdx.x == 0)
    {
        y[blockIdx.x] = s; // never-written:block
    }
}

__global__ void one_too_far(int *x, char *bytes, int *managed, int *pinned, int N)
{
    extern __shared__ int dynamic[];
    __shared__ int first[2], s[32]; // The first one ends at a guard page.
    const int i = threadIdx.x;
    if (i < N)
    {
        s[i] = i;
        first[0] = 0; // same-value:first
        if (i < 30)
        {
            dynamic[i] = i;
        }
    }
    __syncthreads();
    if (i == 0)
    {
        int *s_pointer = s;
        int sum = s_pointer[N];      // out-of-bounds:shared
        sum += dynamic[N - 2];       // out-of-bounds:dynamic
        sum += x[N];                 // out-of-bounds:global
        sum += bytes[N];             // out-of-bounds:byte
        sum += managed[N];           // out-of-bounds:managed
        sum += pinned[N];            // out-of-bounds:pinned
        sum += (&table[0])[N + 68];  // out-of-bounds:static
        sum += (&letters[0])[N + 1]; // out-of-bounds:letters
        sum += x[-1];                // out-of-bounds:before
        x[0] = sum;
    }
}

// It also ends the kernel.
__global__ void past_pages(int *x, int N)
{
    x[0] = (&pages[0])[N]; // out-of-bounds:pages
}

// A pointer that cudaMallocManaged itself has written to managed memory.
struct Record
{
    int *row, *column;
};

__global__ void follow(Record *record)
{
    record->row[threadIdx.x] = threadIdx.x;
    record->column[threadIdx.x] = record->row[threadIdx.x];
}

int main()
{
    Record *record;
    cudaMallocManaged(&record, sizeof(*record));
    cudaMallocManaged((void **)&record->row, 128);
    cudaMalloc(&record->column, 128);
    follow<<<1, 32>>>(record);
    cudaDeviceSynchronize();
    cudaFree(record->row);
    cudaFree(record->column);
    cudaFree(record);
    const int N = 32;
    int *x, *fresh, *managed, *pinned;
    char *bytes;
    cudaMalloc(&x, N * sizeof(int));
    cudaMalloc(&fresh, 64 * sizeof(int));
    cudaMalloc(&bytes, N);
    cudaMallocManaged(&managed, N * sizeof(int));
    cudaMallocHost(&pinned, N * sizeof(int));
    cudaMemset(bytes, 0, N);
    cudaMemset(x, 0, N * sizeof(int));
    int *y;
    cudaMalloc(&y, 64 * sizeof(int));
    never_written<<<1, 64>>>(fresh, y);
    written_by_another_block<<<2, 64>>>(y);
    cudaDeviceSynchronize();
    for (int i = 0; i < N; ++i)
    {
        managed[i] = pinned[i] = i;
    }
    one_too_far<<<1, 64, 30 * sizeof(int)>>>(x, bytes, managed, pinned, N);
    cudaDeviceSynchronize();
    past_pages<<<1, 1>>>(x, 4096);
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    cudaFree(fresh);
    cudaFree(bytes);
    cudaFree(managed);
    cudaFreeHost(pinned);
    return 0;
}
