#pragma cudacpu_needs_gpu cuSOLVER
