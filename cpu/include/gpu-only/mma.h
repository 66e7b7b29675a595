#pragma cudacpu_needs_gpu WMMA
