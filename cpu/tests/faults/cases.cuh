// What the wrong programs share: CASE(name) { ... } is host code that runs when the program is
// called with that name. After it the device's error is printed.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

struct Case
{
    const char *name;
    void (*run)();
    Case *next;
    static Case *first;
    Case(const char *name, void (*run)()) : name(name), run(run), next(first)
    {
        first = this;
    }
};
Case *Case::first = NULL;

#define CASE(name)                              \
    static void run_##name();                   \
    static Case case_##name(#name, run_##name); \
    static void run_##name()

template <typename T>
T *device_array(int N)
{
    T *d_x = NULL;
    cudaMalloc(&d_x, N * sizeof(T));
    cudaMemset(d_x, 0, N * sizeof(T));
    return d_x;
}

static void say(cudaError_t error)
{
    printf("%d %s\n", error, cudaGetErrorName(error));
}

int main(int argc, char **argv)
{
    for (const Case *c = Case::first; c != NULL; c = c->next)
    {
        if (argc == 2 && strcmp(argv[1], c->name) == 0)
        {
            c->run();
            say(cudaDeviceSynchronize());
            return 0;
        }
    }
    return 2;
}
