// real: float, or double when compiled with -DUSE_DP. One source, both precisions.
#pragma once
#include <float.h>

#ifdef USE_DP
typedef double real;
const double REAL_EPSILON = DBL_EPSILON;
const char *const REAL_NAME = "double";
#else
typedef float real;
const double REAL_EPSILON = FLT_EPSILON;
const char *const REAL_NAME = "float";
#endif
