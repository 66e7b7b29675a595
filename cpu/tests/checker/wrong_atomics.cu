// Mistakes of first courses: counters, locks, flags, queues and lists between threads and blocks. Marks as
// in checker.t.
#include <cstdio>

enum
{
    B = 64,
    BLOCKS = 4
};

__global__ void plain_counter(int *c)
{
    ++*c; // race:counter
}

__global__ void plain_maximum(int *m)
{
    const int value = threadIdx.x * 7 % 50;
    if (value > *m) // race:maximum
    {
        *m = value; // race:maximum race:maximum_itself
    }
}

__global__ void who_found_it(int *where)
{
    if (threadIdx.x % 5 == 0)
    {
        *where = threadIdx.x; // race:found
    }
}

// The place is read after the atomic, and not what the atomic gives back.
__global__ void append(int *list, int *num)
{
    atomicAdd(num, 1);            // race:append
    list[*num - 1] = threadIdx.x; // race:append
}

__global__ void count_after_add(int *num, int *y)
{
    atomicAdd(num, 1);      // race:after
    if (*num == B * BLOCKS) // race:after
    {
        y[0] = 1;
    }
}

__global__ void narrow(int *sum)
{
    atomicAdd_block(sum, 1); // scope:narrow
}

__global__ void lock_without_fences(int *lock, int *total)
{
    if (threadIdx.x == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0)
        {
        }
        *total += 1; // race:lock
        atomicExch(lock, 0);
    }
}

__global__ void lock_without_second_fence(int *lock, int *total)
{
    if (threadIdx.x == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0)
        {
        }
        *total += 1; // race:second
        atomicExch(lock, 0);
        __threadfence();
    }
}

__global__ void freed_by_plain_store(int *lock, int *total)
{
    if (threadIdx.x == 0)
    {
        while (atomicCAS(lock, 0, 1) != 0) // race:store
        {
        }
        __threadfence();
        *total += 1; // race:store_total
        __threadfence();
        *lock = 0; // race:store race:store_itself
    }
}

__global__ void last_block(float *sums, unsigned *num, float *y)
{
    if (threadIdx.x == 0)
    {
        sums[blockIdx.x] = 1.0f; // race:last
        if (atomicInc(num, gridDim.x - 1) == gridDim.x - 1)
        {
            float all = 0.0f;
            for (int b = 0; b < (int)gridDim.x; ++b)
            {
                all += sums[b]; // race:last
            }
            *y = all;
        }
    }
}

// Only thread 0 has a fence, and the other threads' sums have none.
__global__ void last_block_of_all(int *parts, unsigned *num, int *y)
{
    __shared__ bool last;
    parts[blockIdx.x * B + threadIdx.x] = 1; // race:parts
    if (threadIdx.x == 0)
    {
        __threadfence();
        last = atomicInc(num, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last)
    {
        y[threadIdx.x] = parts[(blockIdx.x + 1) % gridDim.x * B + threadIdx.x]; // race:parts
    }
}

__global__ void flag_first(int *data, volatile int *flag, int *turn, int *y)
{
    if (threadIdx.x == 0)
    {
        if (atomicAdd(turn, 1) == 0)
        {
            *flag = 1;
            __threadfence();
            *data = 5; // race:flag
        }
        else
        {
            while (*flag == 0)
            {
            }
            __threadfence();
            y[blockIdx.x] = *data; // race:flag
        }
    }
}

// The number of the queue's elements grows before the element is there.
__global__ void queue(int *elements, int *num, int *y)
{
    if (threadIdx.x == 0)
    {
        const int at = atomicAdd(num, 1);
        __threadfence();
        elements[at] = blockIdx.x; // race:queue
        const int all = atomicAdd(num, 0);
        __threadfence();
        for (int i = 0; i < all; ++i)
        {
            y[blockIdx.x] += elements[i]; // race:queue
        }
    }
}

__global__ void look_back(int *totals, volatile int *states, int *turns)
{
    if (threadIdx.x == 0)
    {
        const int turn = atomicAdd(turns, 1);
        int before = 0;
        if (turn > 0)
        {
            while (states[turn - 1] == 0)
            {
            }
            before = totals[turn - 1]; // race:look
        }
        totals[turn] = before + 1; // race:look
        __threadfence();
        states[turn] = 1;
    }
}

__global__ void in_place(int *x)
{
    const int i = blockIdx.x * B + threadIdx.x, n = B * BLOCKS;
    x[i] = (x[i] + x[(i + 1) % n]) / 2; // race:in_place
}

// The second half of the kernel needs what other blocks do in the first.
__global__ void two_steps(int *a, int *b)
{
    const int i = blockIdx.x * B + threadIdx.x, n = B * BLOCKS;
    a[i] = i; // race:steps
    __syncthreads();
    b[i] = a[n - 1 - i]; // race:steps
}

__global__ void zero_and_add(int *sum)
{
    if (threadIdx.x == 0 && blockIdx.x == 0)
    {
        *sum = 0; // race:zero
    }
    __syncthreads();
    atomicAdd(sum, 1); // race:zero
}

__global__ void half_of_a_word(unsigned char *bytes)
{
    bytes[threadIdx.x / 2] = threadIdx.x; // race:bytes
}

// This looks like a read that saves an atomic, and is a note only.
__global__ void no_guard_of_maximum(int *m)
{
    const int old = *m;                   // checked-compare:old
    atomicMax(m, old + (int)threadIdx.x); // checked-compare:old
}

int main()
{
    int *x, *y;
    const size_t bytes = 2 * B * BLOCKS * sizeof(int);
    cudaMalloc(&x, bytes);
    cudaMalloc(&y, bytes);
    const auto clear = [&]
    {
        cudaMemset(x, 0, bytes);
        cudaMemset(y, 0, bytes);
        cudaDeviceSynchronize();
    };
    clear();
    plain_counter<<<BLOCKS, B>>>(x);
    clear();
    plain_maximum<<<BLOCKS, B>>>(x);
    clear();
    who_found_it<<<BLOCKS, B>>>(x);
    clear();
    append<<<BLOCKS, B>>>(y, x);
    clear();
    count_after_add<<<BLOCKS, B>>>(x, y);
    clear();
    narrow<<<BLOCKS, B>>>(x);
    clear();
    lock_without_fences<<<BLOCKS, B>>>(x, y);
    clear();
    lock_without_second_fence<<<BLOCKS, B>>>(x, y);
    clear();
    freed_by_plain_store<<<BLOCKS, B>>>(x, y);
    clear();
    last_block<<<BLOCKS, B>>>((float *)y, (unsigned *)x, (float *)x + 1);
    clear();
    last_block_of_all<<<BLOCKS, B>>>(y, (unsigned *)x, x + 1);
    clear();
    flag_first<<<BLOCKS, B>>>(x, x + 1, x + 2, y);
    clear();
    queue<<<BLOCKS, B>>>(x + 1, x, y);
    clear();
    look_back<<<BLOCKS, B>>>(y, x + 1, x);
    clear();
    in_place<<<BLOCKS, B>>>(x);
    clear();
    two_steps<<<BLOCKS, B>>>(x, y);
    clear();
    zero_and_add<<<BLOCKS, B>>>(x);
    clear();
    half_of_a_word<<<1, B>>>((unsigned char *)x);
    clear();
    no_guard_of_maximum<<<BLOCKS, B>>>(x);
    cudaFree(x);
    cudaFree(y);
    return 0;
}
