// Wrong kernels: pointers to no memory, and stacks.
//
// env: CUDACPU_STRICT=1
// env: CUDACPU_EXACT=
// env: CUDACPU_LEAKS=
// out: 700 cudaErrorIllegalAddress
#include "cases.cuh"

__global__ void store(int *x, long shift)
{
    x[threadIdx.x + shift] = 1; // STORE
}

// case: null
// fault: access through a null pointer, plain or plus an offset | found with its line
// stderr: thread \(0,0,0\), FILE:STORE:\n  illegal address: write of \(nil\), a null pointer$
CASE(null)
{
    store<<<1, 32>>>(NULL, 0);
}

// case: null_function
// fault: call through a null pointer to a function, in a kernel | found with its line
// stderr: thread \(0,0,0\), FILE:CALL:\n  illegal address: a call of a function at \(nil\), where none is$
__global__ void call(int (*function)(int), int *x)
{
    x[threadIdx.x] = function(3); // CALL
}
CASE(null_function)
{
    call<<<1, 32>>>(NULL, device_array<int>(32));
}

// case: null_plus
// stderr: thread \(0,0,0\), FILE:STORE:\n  illegal address: write of 0x190, a null pointer plus an offset$
CASE(null_plus)
{
    store<<<1, 32>>>(NULL, 100);
}

// case: null_member
// stderr: FILE:MEMBER:\n  illegal address: write of 0x8, a null pointer plus an offset$
struct Node
{
    long value, count;
};
__global__ void count(Node *node)
{
    node->count = 1; // MEMBER
}
CASE(null_member)
{
    count<<<1, 1>>>(NULL);
}

// case: never_set
// fault: access through a pointer read from fresh device memory | found with its line
// stderr: FILE:NEVER_SET:\n  illegal address: write of an address, which no pointer can be: was it ever set\?
__global__ void follow(int **pointers)
{
    *pointers[0] = 1; // NEVER_SET
}
CASE(never_set)
{
    int **d_pointers;
    cudaMalloc(&d_pointers, 32);
    follow<<<1, 1>>>(d_pointers);
}

// case: never_set_reads
// stderr: FILE:NEVER_SET_READS:\n  illegal address: read of an address, which no pointer can be: was it ever set\?
__global__ void follow_and_read(int **pointers, int *sum)
{
    *sum = 3 * *pointers[0]; // NEVER_SET_READS
}
CASE(never_set_reads)
{
    int **d_pointers;
    cudaMalloc(&d_pointers, 32);
    follow_and_read<<<1, 1>>>(d_pointers, device_array<int>(1));
}

// case: never_set_adds
// stderr: FILE:NEVER_SET_ADDS:\n  illegal address: write of an address, which no pointer can be: was it ever set\?
__global__ void follow_and_add(int **pointers)
{
    atomicAdd(pointers[0], 5); // NEVER_SET_ADDS
}
CASE(never_set_adds)
{
    int **d_pointers;
    cudaMalloc(&d_pointers, 32);
    follow_and_add<<<1, 1>>>(d_pointers);
}

// case: never_set_vector
// stderr: FILE:NEVER_SET_VECTOR:\n  illegal address: write of an address, which no pointer can be: was it ever set\?
__global__ void follow_and_store(float4 **pointers, float x)
{
    *pointers[0] = make_float4(x, x + 1, x + 2, x + 3); // NEVER_SET_VECTOR
}
CASE(never_set_vector)
{
    float4 **d_pointers;
    cudaMalloc(&d_pointers, 32);
    follow_and_store<<<1, 1>>>(d_pointers, 2.5f);
}

// case: nowhere
// fault: access to an address where nothing is | found with its line
// stderr: FILE:STORE:\n  illegal address: write of 0x100000000, where the program has no memory
CASE(nowhere)
{
    store<<<1, 1>>>((int *)0x100000000, 0);
}

// case: in_memcpy
// fault: the same in `memcpy` or `memset` of a kernel | found with its line
// stderr: kernel copy, block \(0,0,0\), thread \(0,0,0\), FILE:IN_MEMCPY:\n.*a null pointer
__global__ void copy(char *to, size_t bytes)
{
    memset(to, 1, bytes); // IN_MEMCPY
    to[0] = 2;
}
CASE(in_memcpy)
{
    copy<<<1, 1>>>(NULL, 100000);
}

// case: recursion
// fault: recursion without end | found with its line
// stderr: FILE:\d+:\n  stack overflow: a thread has 256 kB here
__device__ __noinline__ int climb(volatile int *x, int n)
{
    return n == 0 ? x[0] : climb(x, n - 1) + x[0];
}
__global__ void recurse(int *x)
{
    x[1] = climb(x, 100000000);
}
CASE(recursion)
{
    recurse<<<1, 1>>>(device_array<int>(2));
}

// case: large_array
// fault: local array larger than a thread's stack | found with its line
// stderr: kernel large_array, block \(0,0,0\), thread \(0,0,0\), (FILE:\d+|line unknown):\n  stack overflow: a thread has 256 kB here, for all local variables
__global__ void large_array(int *x)
{
    volatile int local[1 << 20];
    local[x[0]] = 1;
    x[1] = local[x[2]];
}
CASE(large_array)
{
    large_array<<<1, 1>>>(device_array<int>(3));
}

// case: host_heap
// fault: kernel given a pointer to the host's heap or to a local variable of the host | found at the launch, with its line
// stderr: CPU backend: FILE:HEAP:\n  kernel store is not launched: its parameter \w+ is 0x\w+, which is memory of the host's heap
CASE(host_heap)
{
    store<<<1, 1>>>((int *)malloc(400), 0); // HEAP
}

// case: host_large
// stderr: CPU backend: FILE:LARGE:\n  kernel store is not launched: its parameter \w+ is 0x\w+, which is memory of the host's heap
CASE(host_large)
{
    store<<<1, 1>>>((int *)malloc(1 << 24), 0); // LARGE
}

// case: host_stack
// stderr: CPU backend: FILE:STACK:\n  kernel store is not launched: its parameter \w+ is 0x\w+, which is a local variable of the host
CASE(host_stack)
{
    int x[10];
    store<<<1, 1>>>(x, 0); // STACK
}

// case: host_pair
// stderr: CPU backend: FILE:PAIR:\n  kernel move is not launched: its parameter \w+ is
__global__ void move(const float *__restrict__ from, float *const to, int n = 1)
{
    to[threadIdx.x] = from[threadIdx.x] + n;
}
CASE(host_pair)
{
    float *h_x = new float[4];
    move<<<1, 4>>>(device_array<float>(4), h_x); // PAIR
}

// case: host_variable
// fault: kernel given a pointer to a static variable of the host, or one inside a struct, or in a program with Thrust; a library given a pointer of the host | not found
// out: 0 cudaSuccess
static int h_static[4];
CASE(host_variable)
{
    store<<<1, 1>>>(h_static, 0);
}

// case: host_object
// fault: a function of the host that a kernel calls by a pointer in a variable, or as a virtual function of an object that the host has made | not found
// out: 3
// out: 0 cudaSuccess
struct Shape
{
    __host__ __device__ virtual int corners() const
    {
        return 3;
    }
};
__global__ void count_corners(const Shape *shape, int *corners)
{
    *corners = shape->corners(); // the table of its functions is the host's
}
CASE(host_object)
{
    void *place;
    cudaMallocManaged(&place, sizeof(Shape) + sizeof(int));
    int *corners = (int *)((char *)place + sizeof(Shape));
    count_corners<<<1, 1>>>(new (place) Shape, corners);
    cudaDeviceSynchronize();
    printf("%d\n", *corners);
    cudaFree(place);
}

// case: host_in_struct
// out: 0 cudaSuccess
struct Vector
{
    int *x;
};
__global__ void in_struct(Vector v)
{
    v.x[0] = 1;
}
CASE(host_in_struct)
{
    in_struct<<<1, 1>>>(Vector{(int *)malloc(400)});
}

// case: registered
// out: 0 cudaSuccess
CASE(registered)
{
    void *x = malloc(8192);
    cudaHostRegister(x, 8192, cudaHostRegisterDefault);
    store<<<1, 1>>>((int *)x, 0);
    cudaDeviceSynchronize();
    cudaHostUnregister(x);
}
