#pragma cudacpu_needs_gpu NPP
