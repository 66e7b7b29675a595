// Vector types and the runtime API's types.
#ifndef CUDACPU_BUILTIN_TYPES_H
#define CUDACPU_BUILTIN_TYPES_H
#include "cuda_runtime_api.h"
#endif
