// GPUVector<T>: a class that owns device memory, and Span<T>, what a kernel gets of it.
//
//     GPUVector<float> x(h_x, N), y(N);                 // allocated; x is copied to the device
//     triple<<<grid, block>>>(x.view(), y.span());      // Span<const float>, Span<float>
//     y.copy_to_host(h_y, N);
//                                                       // freed where the block ends
//
// A CUDA call that fails ends the program by CHECK; so does, with one line and the same status 3,
// what can only be a mistake of the caller. Exceptions would do as well in a program that can go
// on without the memory. Ours cannot, and refuse() and CHECK are the only places to change.
#pragma once
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#include <utility>
#include "../common/error.cuh"

// What a kernel gets of a vector: its place and size. It owns nothing, and is passed by value.
template <typename T>
struct Span
{
    T *data;
    size_t size;

    __device__ T &operator[](size_t n) const
    {
        return data[n];
    }

    // As in std::vector: [] trusts its caller, at() makes sure that there is such an element.
    __device__ T &at(size_t n) const
    {
        assert(n < size);
        return data[n];
    }
};

static inline void refuse(const char *what, size_t count, size_t limit)
{
    fflush(stdout);
    fprintf(stderr, "GPUVector: %s: %zu, with room for %zu\n", what, count, limit);
    exit(3);
}

// A number of elements in device memory. It can be moved, which hands the memory over, but not
// copied by `=`: that would cost time and memory and not look like it. clone() says what it does.
template <typename T>
class GPUVector
{
    static_assert(std::is_trivially_copyable<T>::value, "cudaMemcpy copies bytes, nothing else");

  public:
    static const size_t MAX_SIZE = SIZE_MAX / sizeof(T); // more bytes than that wrap around to few

    GPUVector() = default;

    // Not initialized, as cudaMalloc leaves it. explicit: a number is no vector.
    explicit GPUVector(size_t size)
    {
        if (size > MAX_SIZE)
        {
            refuse("elements whose bytes a size_t cannot count", size, MAX_SIZE);
        }
        if (size > 0) // an empty vector owns nothing
        {
            CHECK(cudaMalloc(&m_data, size * sizeof(T)));
            m_size = size;
        }
    }

    GPUVector(const T *host, size_t size) : GPUVector(size)
    {
        copy_from_host(host, size);
    }

    ~GPUVector()
    {
        const cudaError_t status = cudaFree(m_data); // of NULL: nothing
        if (status != cudaErrorCudartUnloading)      // a global vector outlives the runtime
        {
            CHECK(status);
        }
    }

    GPUVector(const GPUVector &) = delete;
    GPUVector &operator=(const GPUVector &) = delete;

    GPUVector(GPUVector &&other) noexcept
    {
        swap(other);
    }

    // What this one owned is freed with `taken`. Moved to itself, it comes back unharmed.
    GPUVector &operator=(GPUVector &&other) noexcept
    {
        GPUVector taken(std::move(other));
        swap(taken);
        return *this;
    }

    void swap(GPUVector &other) noexcept
    {
        std::swap(m_data, other.m_data);
        std::swap(m_size, other.m_size);
    }

    GPUVector clone() const
    {
        GPUVector copy(m_size);
        copy.take(m_data, m_size, cudaMemcpyDeviceToDevice);
        return copy;
    }

    // Keeps what fits; what is new is not initialized. The memory moves: get the span again.
    void resize(size_t size)
    {
        GPUVector resized(size);
        resized.take(m_data, size < m_size ? size : m_size, cudaMemcpyDeviceToDevice);
        swap(resized);
    }

    void copy_from_host(const T *host, size_t count)
    {
        take(host, count, cudaMemcpyHostToDevice);
    }

    void copy_to_host(T *host, size_t count) const
    {
        if (count > m_size)
        {
            refuse("elements to copy to the host", count, m_size);
        }
        CHECK(cudaMemcpy(host, m_data, count * sizeof(T), cudaMemcpyDeviceToHost));
    }

    Span<T> span()
    {
        return {m_data, m_size};
    }

    Span<const T> view() const // to be read only
    {
        return {m_data, m_size};
    }

    T *data()
    {
        return m_data;
    }

    size_t size() const
    {
        return m_size;
    }

  private:
    void take(const T *from, size_t count, cudaMemcpyKind kind)
    {
        if (count > m_size)
        {
            refuse("elements to copy into a vector", count, m_size);
        }
        CHECK(cudaMemcpy(m_data, from, count * sizeof(T), kind));
    }

    T *m_data = NULL;
    size_t m_size = 0;
};
