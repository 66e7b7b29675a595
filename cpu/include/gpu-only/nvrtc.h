#pragma cudacpu_needs_gpu NVRTC
