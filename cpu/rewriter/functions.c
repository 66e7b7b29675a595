// Where a function has its parameters and its body.
#include "rewriter.h"

// From __global__ or __device__ to the parameter list: past attributes and everything else in
// brackets that is no parameter list, because no function name stands before it. -1: a variable.
int parameter_list(int i)
{
    static const char *const no_functions[] = {"__attribute__", "decltype", "alignas", NULL};
    for (int k = i + 1; k < num_tokens && !is(k, ";") && !is(k, "{") && !is(k, "="); ++k)
    {
        if (is(k, "operator"))
        {
            k += is(k + 1, "(") ? 3 : 1; // operator() has a pair of its own
            while (k < num_tokens && !is(k, "("))
            {
                ++k;
            }
            return k;
        }
        // The > is that of template<> void k<float>(
        if (is(k, "(") && (is(k - 1, ">") || (is_name(k - 1) && !is_any(k - 1, no_functions))))
        {
            return k;
        }
        if (is(k, "(") || is(k, "["))
        {
            k = closing(k);
        }
    }
    return -1;
}

// The brace that opens the body, or -1: a mere declaration. A constructor's initializers may have
// braces of their own, each after a name.
int function_body(int parameters)
{
    bool initializers = false;
    for (int k = closing(parameters) + 1; k < num_tokens && !is(k, ";") && !is(k, "="); ++k)
    {
        initializers = initializers || is(k, ":");
        if (is(k, "{") && !(initializers && (is_name(k - 1) || is(k - 1, ">"))))
        {
            return k;
        }
        if (is(k, "(") || is(k, "{"))
        {
            k = closing(k);
        }
    }
    return -1;
}
