// The calls about devices.
#ifndef CUDACPU_API_DEVICE_H
#define CUDACPU_API_DEVICE_H
#include "base.h"

cudaError_t api_check_device(int device);

#endif
