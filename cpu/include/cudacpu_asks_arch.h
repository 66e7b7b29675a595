// cpucc includes this for a file that asks whether __CUDA_ARCH__ is defined. It is not: host and device are
// compiled at once. So a function of both sides has its part for the host, in a kernel, too. What ends the
// program in such a part is told with this reason.
#ifndef CUDACPU_ASKS_ARCH_H
#define CUDACPU_ASKS_ARCH_H
#ifdef __cplusplus
extern "C" __attribute__((weak, used)) const int cudacpu_asks_arch = 1;
#endif
#endif
