// Mistakes of first courses: indices, guards, sizes, memory that was not filled. Marks as in checker.t.
#include <cstdio>

enum
{
    N = 1000,
    BLOCK = 128,
    BLOCKS = (N + BLOCK - 1) / BLOCK,
    W = 40,
    H = 25
};

__global__ void no_guard(float *y, const float *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float value = x[i]; // out-of-bounds:guard_read
    y[i] = value;             // out-of-bounds:guard_write
}

__global__ void guard_too_wide(float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
    {
        y[i] = 1.0f; // out-of-bounds:wide
    }
}

__global__ void left_neighbour(float *y, const float *x)
{
    __shared__ float s[BLOCK];
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    y[t] = s[t] - s[t - 1]; // out-of-bounds:left
}

__global__ void right_neighbour(float *y, const float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        y[i] = x[i + 1] - x[i]; // out-of-bounds:right
    }
}

__global__ void rows_for_columns(float *y)
{
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    if (column < W && row < H)
    {
        y[column * W + row] = 1.0f; // out-of-bounds:rows
    }
}

__global__ void halo_forgotten(float *y, const float *x)
{
    __shared__ float s[BLOCK];
    s[threadIdx.x + 1] = x[threadIdx.x]; // out-of-bounds:halo
    __syncthreads();
    y[threadIdx.x] = threadIdx.x < BLOCK - 1 ? s[threadIdx.x + 1] : 0.0f;
}

__global__ void dynamic_too_small(float *y, const float *x)
{
    extern __shared__ float d[];
    d[threadIdx.x] = x[threadIdx.x]; // out-of-bounds:dynamic
    y[threadIdx.x] = 0.0f;
}

__global__ void no_block_in_stride(float *y, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
    {
        y[i] += 1.0f; // race:stride
    }
}

// The last block has fewer elements than threads, and adds what nobody has stored.
__global__ void tail_not_zeroed(float *y, const float *x, int n)
{
    __shared__ float s[BLOCK];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        s[threadIdx.x] = x[i];
    }
    __syncthreads();
    if (threadIdx.x == 0)
    {
        float sum = 0.0f;
        for (int k = 0; k < BLOCK; ++k)
        {
            sum += s[k]; // never-written:tail
        }
        y[blockIdx.x] = sum;
    }
}

__global__ void add_to_fresh(float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        y[i] += 2.0f; // never-written:fresh
    }
}

__global__ void copied_too_little(float *y, const float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        y[i] = x[i]; // never-written:little
    }
}

__global__ void pitch_for_width(float *y, const float *x)
{
    const int column = threadIdx.x, row = blockIdx.x;
    y[row * W + column] = x[row * W + column]; // never-written:pitch
}

// A value of 1.0 belongs to a bin that there is not.
__global__ void one_bin_too_few(int *bins, const float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
    {
        atomicAdd(&bins[(int)(x[i] * 8.0f)], 1); // out-of-bounds:bin
    }
}

// Each thread takes four elements, and the guard looks at the first one.
__global__ void four_at_once(float *y, int n)
{
    const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i < n)
    {
        for (int k = 0; k < 4; ++k)
        {
            y[i + k] = 0.0f; // out-of-bounds:four
        }
    }
}

__global__ void list_full(int *list, int *num, const float *x, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && x[i] >= 0.0f)
    {
        list[atomicAdd(num, 1)] = i; // out-of-bounds:list
    }
}

__global__ void local_array(float *y, int n)
{
    float few[4];
    for (int k = 0; k <= 4; ++k)
    {
        few[k] = (float)(k + n); // out-of-bounds:local
    }
    y[threadIdx.x] = few[n % 4];
}

static float *x, *y, *fresh, *part, *pitched;
static int *bins, *list;
static size_t pitch;

static void allocate()
{
    static float h[N];
    h[7] = 1.0f;
    cudaMalloc(&x, N * sizeof(float));
    cudaMalloc(&y, N * sizeof(float));
    cudaMalloc(&fresh, N * sizeof(float));
    cudaMalloc(&part, N * sizeof(float));
    cudaMalloc(&bins, 8 * sizeof(int));
    cudaMalloc(&list, 501 * sizeof(int));
    cudaMallocPitch(&pitched, &pitch, W * sizeof(float), H);
    cudaMemcpy(x, h, N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(part, h, N, cudaMemcpyHostToDevice); // meant: of floats
    cudaMemcpy2D(pitched, pitch, h, W * sizeof(float), W * sizeof(float), H,
                 cudaMemcpyHostToDevice);
    cudaMemset(y, 0, N * sizeof(float));
    cudaMemset(bins, 0, 8 * sizeof(int));
    cudaMemset(list, 0, 501 * sizeof(int));
}

// A kernel that goes far outside ends the device's work.
static void begin_anew()
{
    cudaDeviceSynchronize();
    cudaDeviceReset();
    allocate();
}

int main()
{
    allocate();
    no_guard<<<BLOCKS, BLOCK>>>(y, x);
    begin_anew();
    guard_too_wide<<<BLOCKS, BLOCK>>>(y, N);
    begin_anew();
    left_neighbour<<<1, BLOCK>>>(y, x);
    begin_anew();
    right_neighbour<<<BLOCKS, BLOCK>>>(y, x, N);
    begin_anew();
    rows_for_columns<<<dim3(2, H), 32>>>(y);
    begin_anew();
    halo_forgotten<<<1, BLOCK>>>(y, x);
    begin_anew();
    dynamic_too_small<<<1, BLOCK, BLOCK * sizeof(float) / 2>>>(y, x);
    begin_anew();
    no_block_in_stride<<<2, BLOCK>>>(y, N);
    tail_not_zeroed<<<BLOCKS, BLOCK>>>(y, x, N);
    add_to_fresh<<<BLOCKS, BLOCK>>>(fresh, N);
    copied_too_little<<<BLOCKS, BLOCK>>>(y, part, N);
    pitch_for_width<<<H, W>>>(y, pitched);
    one_bin_too_few<<<BLOCKS, BLOCK>>>(bins, x, N);
    begin_anew();
    four_at_once<<<2, BLOCK>>>(y + 1, N - 1);
    begin_anew();
    list_full<<<BLOCKS, BLOCK>>>(list + 1, list, x, N);
    begin_anew();
    local_array<<<1, 32>>>(y, 5);
    cudaDeviceReset();
    return 0;
}
