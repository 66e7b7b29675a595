#pragma cudacpu_without PFN_cu the driver API
#include "cuda.h"
