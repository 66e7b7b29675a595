#pragma cudacpu_without nvrtc NVRTC
