#pragma cudacpu_without nccl NCCL
