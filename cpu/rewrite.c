// Turns preprocessed CUDA C++ into C++ that any compiler reads. Standard input to standard output.
//
// Seven things need rewriting; all else is macros and headers (cpu/include).
//
//   kernel<<<g, b>>>(x)            (::cudacpu::configure(g, b), kernel(x))
//   __global__ void k(int n) {B}   void k(int n)
//                                  { ::cudacpu::kernel<void(int n)>("k", [=]() mutable {B}); }
//   __shared__ float s[8];         static thread_local float s[8];
//   extern __shared__ float s[];   extern __thread float s[] __asm__("cudacpu_dynamic_shared");
//   __device__ float f(float x)    static float f(float x)             without -rdc=true
//   printf(                        ::cudacpu_printf(position in the source,
//   volatile int *v = s; v[i] = 0; v = ...; ::cudacpu::in_step_write<position>(v)[i] = 0;
//
// A launch thus is an ordinary call of the kernel: overloads, templates, default arguments and
// conversions are the compiler's business. Lines stay where they are, so that errors and debuggers
// show the source as written.
//
// cpu/rewriter has a file for each part.
#include <stdio.h>
#include <string.h>
#include "rewriter/rewriter.h"

// Where we are: device code reaches to the one token, a template to the other.
static int device_end = -1, outer_template_end = -1;
static bool separate; // -rdc: device code is compiled separately and linked, its names are external

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void rewrite_token(int i)
{
    static const char *const device_words[] = {"__device__", "__constant__", "__managed__", NULL};
    if (is(i, "__global__"))
    {
        device_end = larger(device_end, rewrite_global(i));
    }
    else if (is_any(i, device_words))
    {
        device_end = larger(device_end, rewrite_device(i, separate));
    }
    else if (is(i, "template"))
    {
        outer_template_end = larger(outer_template_end, template_end(i));
    }
    else if (is(i, "__shared__"))
    {
        rewrite_shared(i, i < outer_template_end);
    }
    else if (is(i, "__host__"))
    {
        replace(i, "");
    }
    else if (is(i, "<<<") && !is(i - 1, "operator") && !tokens[i].system)
    {
        rewrite_launch(i);
    }
    else if (is(i, "volatile") && i < device_end && !tokens[i].system)
    {
        rewrite_volatile(i);
    }
    else if (is(i, "printf"))
    {
        rewrite_printf(i);
    }
    else if (is(i, "__noinline__") && !is(i - 1, "(") && !is(i - 1, ","))
    {
        replace(i, "__attribute__((noinline))");
    }
}

int main(int argc, char **argv)
{
    separate = argc > 1 && strcmp(argv[1], "-rdc") == 0;
    read_tokens();
    for (int i = 0; i < num_tokens; ++i)
    {
        if (is_name(i) || is(i, "<<<"))
        {
            refuse_unsupported(i, i < device_end);
            rewrite_token(i);
        }
    }
    write_output();
    return fflush(stdout) == 0 ? 0 : 1;
}
