// Thrust's algorithms run on the host here (its CPP backend): it must not see a CUDA compiler. This
// file stands before the toolkit's of the same name, which all of Thrust includes first.
#pragma GCC system_header
#ifndef CUDACPU_THRUST_BEGINS
#define CUDACPU_THRUST_BEGINS
#define CUDACPU_THRUST_IS_FIRST // 1.17 includes this file from within itself
#endif
#undef __CUDACC__
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#define CCCL_DISABLE_FP16_SUPPORT
#ifdef CUDACPU_THRUST_IS_FIRST
#undef CUDACPU_THRUST_IS_FIRST
#include_next <thrust/detail/config.h>
// thrust::system_error, which on a GPU comes with every algorithm. It comes before all else: in the
// middle of another header, 1.17 cannot include it.
#include <thrust/system/cuda/error.h>
#include <thrust/system_error.h>
#else
#include_next <thrust/detail/config.h>
#endif

#ifndef CUDACPU_USES_THRUST // kernels may be given the host's memory, which temporary buffers have
#define CUDACPU_USES_THRUST
extern "C" __attribute__((weak, used)) const int cudacpu_uses_thrust = 1;
#endif
