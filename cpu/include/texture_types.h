// The types of textures and surfaces are in cudacpu_array.h.
#ifndef CUDACPU_TEXTURE_TYPES_H
#define CUDACPU_TEXTURE_TYPES_H
#include "cudacpu_array.h"
#endif
