// The last table of reduce.cu: how soon a call is done, ours and CUB's, by three clocks.
#pragma once
#include "launch.cuh"
#include "reduce_problem.cuh"

#if ON_GPU
const char *const MEASURES[] = {"alone", "in a graph", "until on the host"};

// us a call takes alone, among many in a graph, and until its result is on the host.
struct Race
{
    double us[3];
};

// A kernel can leave its sum in pinned memory of the host itself; CUB's is fetched with a copy.
inline Race race(Problem *p, void (*launch)(Problem *), bool copied, size_t repeats)
{
    real *result;
    CHECK(cudaMallocHost(&result, sizeof(real)));
    poison(result, sizeof(real));
    Problem to_host = *p;
    to_host.d_sum = copied ? p->d_sum : result;
    to_host.stream = 0;
    const auto call = [&](cudaStream_t stream)
    {
        p->stream = stream;
        launch(p);
    };
    const auto fetch = [&]
    {
        launch(&to_host);
        if (copied)
        {
            CHECK(cudaMemcpy(result, p->d_sum, sizeof(real), cudaMemcpyDeviceToHost));
        }
        CHECK(cudaStreamSynchronize(0));
    };
    const double alone = time_kernel([&] { call(0); }, repeats).median;
    const double in_graph = time_in_graph(call, repeats);
    CHECK(cudaMemset(p->d_sum, POISON_BYTE, sizeof(real)));
    const double until_on_host = time_host(fetch, repeats).median;
    to_host.h_sum = *result;
    check_result(&to_host, "the result on the host");
    CHECK(cudaFreeHost(result));
    return {{1e3 * alone, 1e3 * in_graph, 1e3 * until_on_host}};
}

// What a small sum takes is the launch and the waiting. The last row is of the whole array.
inline void race_cub(const Args *args, const Problem *whole, void (*ours)(Problem *),
                     void (*cub)(Problem *))
{
    if (strcmp(args->version, "all") != 0)
    {
        return;
    }
    printf("%s\n%s%-12s", args->csv ? "# " : "", g_verdict_prefix, "us a call");
    for (const char *measure : MEASURES)
    {
        printf("  %18s: ours      CUB ratio", measure);
    }
    printf("\n");
    for (size_t N : {(size_t)10000, (size_t)100000, (size_t)1000000, whole->N})
    {
        if (N > whole->N)
        {
            continue;
        }
        Problem part = *whole;
        part.N = N;
        sum_data(&part);
        const Race us = race(&part, ours, false, args->repeats);
        const Race them = race(&part, cub, true, args->repeats);
        printf("%s%-12zu", g_verdict_prefix, N);
        for (int i = 0; i < 3; ++i)
        {
            printf("  %24.2f %8.2f %5.2f", us.us[i], them.us[i], us.us[i] / them.us[i]);
        }
        printf("\n");
    }
}
#else
inline void race_cub(const Args *, const Problem *, void (*)(Problem *), void (*)(Problem *))
{
}
#endif
