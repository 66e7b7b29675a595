#pragma cudacpu_without cusolverMg cuSOLVER for several GPUs
