#pragma cudacpu_needs_gpu CUB
