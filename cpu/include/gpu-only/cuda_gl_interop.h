#pragma cudacpu_without cudaGL graphics interoperability
#include "cuda_runtime_api.h"
#if __has_include(<GL/gl.h>)
#include <GL/gl.h>
#endif
