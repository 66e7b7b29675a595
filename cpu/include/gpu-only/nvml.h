#pragma cudacpu_needs_gpu NVML
