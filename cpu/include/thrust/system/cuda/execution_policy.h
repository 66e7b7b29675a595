#pragma GCC system_header
#include <thrust/execution_policy.h>
