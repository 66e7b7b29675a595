// Copies that the compiler makes itself, and what the C library writes to memory of the device.
#include <algorithm>
#include <cstdio>
#include <cstring>

__global__ void own(char *y, const char *x)
{
    __builtin_memcpy(y + 12 * threadIdx.x, x + 12 * threadIdx.x, 12);
    __builtin_memset(y + 12 * threadIdx.x, threadIdx.x, 12);
}

__global__ void copy_twelve(char *y, const char *x)
{
    __builtin_memcpy(y, x + 12 * threadIdx.x, 12); // race:twelve
}

__global__ void set_twelve(char *y)
{
    __builtin_memset(y, threadIdx.x, 12); // race:set
}

__global__ void copy_three(int *y, const int *x)
{
    std::copy(x, x + 3, y); // race:three
}

__global__ void copy_one(int *y, const int *x)
{
    std::copy(x + threadIdx.x, x + threadIdx.x + 1, y); // race:one
}

__global__ void copy_many(int *y, const int *x, int n)
{
    std::copy(x, x + n, y); // race:many
}

__global__ void fill(int *y, int n)
{
    std::fill(y, y + n, threadIdx.x); // race:fill
}

__global__ void copy_unwritten(int *y, const int *x)
{
    std::copy(x, x + 3, y);
    y[3] = y[0]; // never-written:copied
}

struct Input
{
    int i;
    short s;
    long l;
    float f;
    double d;
    char word[16], set[8], letters[4];
    int end;
};

__global__ void use(const Input *x, double *y)
{
    *y = x->i + x->s + x->l + x->f + x->d + x->word[0] + x->word[4] + x->set[2] + x->letters[3] +
         x->end;
}

__global__ void use_rest(const Input *x, double *y)
{
    *y = x->letters[0]; // never-written:rest
}

int main()
{
    int *x, *y, *fresh;
    double *z;
    Input *input;
    cudaMalloc(&x, 4096);
    cudaMalloc(&y, 4096);
    cudaMalloc(&fresh, 4096);
    cudaMalloc(&z, sizeof(double));
    cudaMemset(x, 0, 4096);
    own<<<1, 64>>>((char *)y, (const char *)x);
    copy_twelve<<<1, 64>>>((char *)y, (const char *)x);
    set_twelve<<<1, 64>>>((char *)y);
    copy_three<<<1, 64>>>(y, x);
    copy_one<<<2, 1>>>(y, x);
    copy_many<<<1, 64>>>(y, x, 5);
    fill<<<1, 64>>>(y, 5);
    copy_unwritten<<<1, 1>>>(y, fresh);

    cudaMallocManaged(&input, sizeof(Input));
    int num = sscanf("1 2 3 0.5 1.5 word ]a] letters", "%d %hd%ld %f%lf%*[ ]%15s %7[]a] let%4c%n",
                     &input->i, &input->s, &input->l, &input->f, &input->d, input->word, input->set,
                     input->letters, &input->end);
    printf("%d\n", num);
    use<<<1, 1>>>(input, z);
    cudaDeviceSynchronize();
    cudaFree(input);
    cudaMallocManaged(&input, sizeof(Input));
    num = sscanf("no number", "%4c%d", input->word, &input->i);
    printf("%d\n", num);
    use_rest<<<1, 1>>>(input, z);
    cudaDeviceSynchronize();
    cudaFree(input);
    cudaMallocManaged(&input, sizeof(Input)); // the call ends before its second number, and %n
    num = sscanf("7 x", "%d %hd%n", &input->i, &input->s, &input->end);
    printf("%d\n", num + (input->s == 12345)); // never-written:unread
    cudaFree(x);
    cudaFree(y);
    cudaFree(z);
    cudaFree(fresh);
    cudaFree(input);
    return 0;
}
