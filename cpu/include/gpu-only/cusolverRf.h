#pragma cudacpu_without cusolverRf cuSOLVER's refactorization
