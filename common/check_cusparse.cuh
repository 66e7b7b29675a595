// CHECK_CUSPARSE(call): cuSPARSE's statuses, reported like CHECK's.
#pragma once
#include <cusparse.h>
#include "check_library.cuh"

#define CHECK_CUSPARSE(call) \
    CHECK_LIBRARY("cuSPARSE", call, #call, CUSPARSE_STATUS_SUCCESS, cusparseGetErrorName)
