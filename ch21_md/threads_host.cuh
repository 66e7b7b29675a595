// Threads of the host, by OpenMP.
#pragma once

// Calls work(0) to work(threads - 1), at the same time if the program was compiled with OpenMP.
template <typename Work>
void for_threads(int threads, Work work)
{
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) if (threads > 1)
#endif
    for (int t = 0; t < threads; ++t)
    {
        work(t);
    }
}

// Where part t of N things begins, if all parts are equal.
inline int part_of(int N, int t, int parts)
{
    return (int)((size_t)N * t / parts);
}

#ifdef _OPENMP
const int MOST_THREADS = 1024;
#else
const int MOST_THREADS = 1;
#endif
