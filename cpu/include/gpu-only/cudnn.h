#pragma cudacpu_needs_gpu cuDNN
