#pragma cudacpu_without nvml NVML
