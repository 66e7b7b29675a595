// What clang++ lacks of CUDA C++, for make/Toolkits.pm and clangd: declared, as no program is linked
// with it.
template <typename T>
__device__ T __ldcg(const T *address);
template <typename T>
__device__ T __ldcs(const T *address);
template <typename T>
__device__ void __stcs(T *address, T value);
template <typename T>
__device__ void surf2Dwrite(T value, cudaSurfaceObject_t surface, int x, int y);
