#pragma cudacpu_without cusolverSp cuSOLVER's sparse part
