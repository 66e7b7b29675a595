#pragma cudacpu_needs_gpu the device API of cuRAND
