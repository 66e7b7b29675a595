#pragma cudacpu_needs_gpu the driver API
