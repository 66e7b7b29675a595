// GPUVector<T>: a class that owns device memory, and Span<T>, what a kernel gets of it.
//
//     GPUVector<float> x(h_x, N), y(N);                 // allocated; x is copied to the device
//     triple<<<grid, block>>>(x.view(), y.span());      // Span<const float>, Span<float>
//     y.copy_to_host(h_y, N);
//                                                       // freed at the closing brace
//
// A CUDA call that fails ends the program by CHECK. A mistake of the caller, such as a copy of more
// elements than there are, ends it with one line and the same status 3. A program that can go on
// without the memory would throw exceptions instead: in refuse() and CHECK, and nowhere else.
#pragma once
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <type_traits>
#include <utility>
#include "../common/error.cuh"

// What a kernel gets of a vector: a pointer and a size. A span owns nothing and is passed by value.
template <typename T>
struct Span
{
    T *data;
    size_t size;

    __device__ T &operator[](size_t n) const { return data[n]; }

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

// Elements in device memory. A vector can be moved, which hands its memory over. It cannot be
// copied by `=`, because an assignment does not look as if it took time and memory. clone() copies.
template <typename T>
class GPUVector
{
    static_assert(std::is_trivially_copyable<T>::value, "cudaMemcpy copies bytes, nothing else");

  public:
    // The bytes of more elements than this would be more than a size_t can hold.
    static const size_t MAX_SIZE = SIZE_MAX / sizeof(T);

    GPUVector() = default;

    // The elements are not initialized, as after cudaMalloc. `explicit` keeps a number from
    // becoming a vector by itself, as in GPUVector<int> x = 5.
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

    GPUVector(const T *host, size_t size) : GPUVector(size) { copy_from_host(host, size); }

    ~GPUVector()
    {
        const cudaError_t status = cudaFree(m_data); // does nothing if m_data is NULL
        if (status != cudaErrorCudartUnloading)      // a global vector outlives the runtime
        {
            CHECK(status);
        }
    }

    GPUVector(const GPUVector &) = delete;
    GPUVector &operator=(const GPUVector &) = delete;

    GPUVector(GPUVector &&other) noexcept { swap(other); }

    // `taken` gets what `other` owned, and then exchanges it for what this vector owned. That is
    // freed with `taken`. A vector that is moved to itself is as before.
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

    // Keeps the elements that fit. New ones are not initialized. The elements are at a new place
    // afterwards, so get the span again.
    void resize(size_t size)
    {
        GPUVector resized(size);
        resized.take(m_data, size < m_size ? size : m_size, cudaMemcpyDeviceToDevice);
        swap(resized);
    }

    void copy_from_host(const T *host, size_t count) { take(host, count, cudaMemcpyHostToDevice); }

    void copy_to_host(T *host, size_t count) const
    {
        if (count > m_size)
        {
            refuse("elements to copy to the host", count, m_size);
        }
        CHECK(cudaMemcpy(host, m_data, count * sizeof(T), cudaMemcpyDeviceToHost));
    }

    Span<T> span() { return {m_data, m_size}; }

    Span<const T> view() const // to be read only
    {
        return {m_data, m_size};
    }

    T *data() { return m_data; }

    size_t size() const { return m_size; }

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
