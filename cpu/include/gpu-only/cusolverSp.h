#pragma cudacpu_without cusolverSp cuSOLVER's sparse part
#pragma cudacpu_without csrqrInfo_ cuSOLVER's sparse part
#include "cublas_v2.h"
#include "cusolver_common.h"
#include "cusparse.h"
