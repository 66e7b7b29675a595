// Turns preprocessed CUDA C++ into C++ that any compiler reads. Standard input to standard output.
//
//   -asks-arch        the file asks whether __CUDA_ARCH__ is defined
//   -extended-lambda  lambdas may have __device__
//   -rdc              device code is compiled separately and linked
//   -known FILE       text for which there is a precompiled header
//   -ptx              include/cudacpu_ptx.h is in the text: status 3 says that it has to be
//   -check            only says what the CPU backend cannot run, in a file that is plain C++
//
// Eight things need rewriting; all else is macros and headers (include).
//
//   kernel<<<g, b>>>(x)            (::cudacpu::configure(g, b), kernel(x))
//   __global__ void k(int n) {B}   void k(int n)
//                                  { ::cudacpu::kernel<void(int n)>("k", "", [=]() mutable {B}); }
//   __shared__ float s[8];         float (&s)[8] = ::cudacpu::Shared{place, "s", 1};
//   extern __shared__ float s[];   float (&s)[] = ::cudacpu::DynamicShared();
//   __device__ float f(float x)    static float f(float x)             without -rdc=true
//   cudaMemcpy(&d_x, ...)          cudaMemcpy(((void *)cudacpu_symbol), ...)   d_x is __device__
//   printf(                        ::cudacpu_printf(position in the source,
//   asm("..." : ...)               do { ... } while (0)               PTX becomes C++
//   malloc(n), new T               ::cudacpu::kernel_malloc(n), new (::cudacpu::kernel_heap()) T
//   volatile int *v = s; v[i] = 0; v = ...; ::cudacpu::in_step_write<position>(v)[i] = 0;
//
// A launch thus is an ordinary call of the kernel: overloads, templates, default arguments and
// conversions are the compiler's business. Lines stay where they are, so that errors and debuggers
// show the source as written.
//
// rewriter/ has a file for each part.
#include <stdio.h>
#include <string.h>
#include "rewriter.h"

static int device_end = -1;  // where the device's code ends that we are in
static bool asks_for_arch;   // -asks-arch
static bool extended_lambda; // -extended-lambda
static bool separate; // -rdc: device code is compiled separately and linked, its names are external

enum
{
    NEEDS_PTX = 3 // the exit status
};

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static bool has_ptx; // -ptx
static bool needs_ptx;

static bool is_launch(int i)
{
    return is(i, "<<<") && !is(i - 1, "operator") && !tokens[i].system;
}

// A file that asks whether __CUDA_ARCH__ is defined shows its host's part here.
static void check_device_code(int i, int end)
{
    if (end > i && !asks_for_arch)
    {
        refuse_host_code(declaration_start(i), end);
        refuse_host_calls(declaration_start(i), end);
        refuse_host_member_calls(i);
    }
    if (!asks_for_arch)
    {
        refuse_host_variables(i);
    }
}

// Whether a function is around i that is the host's and the device's. Where the file shows its host's part,
// the asm is the host's.
static bool is_of_both_sides(int i)
{
    if (asks_for_arch)
    {
        return false;
    }
    for (int brace = scope_of(i); brace >= 0; brace = scope_of(brace))
    {
        for (int k = brace - 1; k >= 0 && !is(k, ";") && !is(k, "{") && !is(k, "}"); --k)
        {
            if (is(k, "__device__"))
            {
                return true;
            }
            k = is(k, ")") || is(k, "]") ? opening(k) : k;
        }
    }
    return false;
}

static void rewrite_token(int i)
{
    static const char *const device_words[] = {"__device__", "__constant__", "__managed__", NULL};
    if (!asks_for_arch)
    {
        refuse_misplaced(i);
    }
    if (is(i, "__global__"))
    {
        refuse_member_kernel(i);
        const int end = rewrite_global(i);
        device_end = larger(device_end, end);
        check_device_code(i, end);
    }
    else if (is_any(i, device_words))
    {
        if (!extended_lambda || i >= device_end)
        {
            refuse_lambda(i, extended_lambda);
        }
        const int end = rewrite_device(i, separate);
        device_end = larger(device_end, end);
        check_device_code(i, end);
    }
    else if (is(i, "__shared__"))
    {
        rewrite_shared(i);
    }
    else if (is(i, "__host__"))
    {
        replace(i, "");
    }
    else if (is_launch(i))
    {
        rewrite_launch(i);
    }
    else if (is_asm(i) && !tokens[i].system)
    {
        if (i < device_end || is_of_both_sides(i))
        {
            rewrite_ptx(i);
            needs_ptx = true;
        }
    }
    else if (is(i, "volatile") && i < device_end && !tokens[i].system && !is_asm(i - 1))
    {
        rewrite_volatile(i);
    }
    else if (is(i, "cudacpu_bounds"))
    {
        remove_bounds(i);
    }
    else if (is(i, "printf"))
    {
        rewrite_printf(i);
    }
    else if (is(i, "__noinline__") && !is(i - 1, "(") && !is(i - 1, ","))
    {
        replace(i, "__attribute__((noinline))");
    }
    else if (i < device_end)
    {
        rewrite_heap(i);
    }
    else
    {
        rewrite_copy(i);
    }
}

static void check_plain(void)
{
    for (int i = 0; i < num_tokens; ++i)
    {
        refuse_unsupported(i, false);
        if (is_launch(i))
        {
            fail(tokens[i].file, tokens[i].line,
                 "a launch <<< >>> in a file that is no CUDA: name it .cu, or say -x cu");
        }
    }
}

int main(int argc, char **argv)
{
    const char *known = NULL;
    bool check = false;
    for (int i = 1; i < argc; ++i)
    {
        separate = separate || strcmp(argv[i], "-rdc") == 0;
        extended_lambda = extended_lambda || strcmp(argv[i], "-extended-lambda") == 0;
        asks_for_arch = asks_for_arch || strcmp(argv[i], "-asks-arch") == 0;
        check = check || strcmp(argv[i], "-check") == 0;
        has_ptx = has_ptx || strcmp(argv[i], "-ptx") == 0;
        known = strcmp(argv[i], "-known") == 0 && i + 1 < argc ? argv[++i] : known;
    }
    read_tokens();
    if (check)
    {
        check_plain();
        return 0;
    }
    for (int i = 0; i < num_tokens; ++i)
    {
        if (is_name(i) || is(i, "<<<"))
        {
            refuse_unsupported(i, i < device_end);
            rewrite_token(i);
        }
    }
    if (needs_ptx && !has_ptx)
    {
        return NEEDS_PTX;
    }
    tell_of_unknown_variables();
    tell_of_delete();
    write_output(known);
    return fflush(stdout) == 0 && !ferror(stdout) ? 0 : 1;
}
