// Thrust's algorithms run on the host here (its CPP backend): it must not see a CUDA compiler. This
// file stands before the toolkit's of the same name, which all of Thrust includes first.
#pragma GCC system_header
#undef __CUDACC__
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif
#define CCCL_DISABLE_FP16_SUPPORT
#include_next <thrust/detail/config.h>

#ifndef CUDACPU_USES_THRUST // kernels may be given the host's memory, which thrust::device_malloc has
#define CUDACPU_USES_THRUST
extern "C" __attribute__((weak, used)) const int cudacpu_uses_thrust = 1;
#endif
