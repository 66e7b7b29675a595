// The types of textures and surfaces are in cudacpu_array.h.
#ifndef CUDACPU_SURFACE_TYPES_H
#define CUDACPU_SURFACE_TYPES_H
#include "cudacpu_array.h"
#endif
