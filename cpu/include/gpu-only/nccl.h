#pragma cudacpu_needs_gpu NCCL
