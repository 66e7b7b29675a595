// cuRAND's host generator gives the numbers that a GPU's would. The library comes from the toolkit;
// cpucc says where its header is.
#ifndef CUDACPU_CURAND_H
#define CUDACPU_CURAND_H
#pragma GCC system_header
#ifndef CUDACPU_CURAND
#pragma cudacpu_needs_toolkit cuRAND
#else
typedef enum libraryPropertyType_t
{
    MAJOR_VERSION,
    MINOR_VERSION,
    PATCH_LEVEL
} libraryPropertyType;
#include CUDACPU_CURAND

// Arguments are evaluated once; the host waits for the kernels before it, then writes itself.
#define CUDACPU_ON_HOST(call) (cudacpu_share_with_host(), call)
#define curandCreateGenerator(generator, type) curandCreateGeneratorHost(generator, type)
#define curandSetStream(generator, stream) \
    ((void)(generator), (void)(stream), CURAND_STATUS_SUCCESS)
#define curandGenerate(...) CUDACPU_ON_HOST(curandGenerate(__VA_ARGS__))
#define curandGenerateLongLong(...) CUDACPU_ON_HOST(curandGenerateLongLong(__VA_ARGS__))
#define curandGenerateUniform(...) CUDACPU_ON_HOST(curandGenerateUniform(__VA_ARGS__))
#define curandGenerateUniformDouble(...) CUDACPU_ON_HOST(curandGenerateUniformDouble(__VA_ARGS__))
#define curandGenerateNormal(...) CUDACPU_ON_HOST(curandGenerateNormal(__VA_ARGS__))
#define curandGenerateNormalDouble(...) CUDACPU_ON_HOST(curandGenerateNormalDouble(__VA_ARGS__))
#define curandGenerateLogNormal(...) CUDACPU_ON_HOST(curandGenerateLogNormal(__VA_ARGS__))
#define curandGenerateLogNormalDouble(...) \
    CUDACPU_ON_HOST(curandGenerateLogNormalDouble(__VA_ARGS__))
#define curandGeneratePoisson(...) CUDACPU_ON_HOST(curandGeneratePoisson(__VA_ARGS__))
#endif
#endif
