#pragma cudacpu_needs_gpu this part of CUB
