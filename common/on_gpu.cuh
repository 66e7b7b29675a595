// ON_GPU: 0 where kernels run on the CPU. Features and libraries of a real GPU are then missing.
#pragma once

#ifndef ON_GPU
#define ON_GPU 1
#endif
