// clang includes this file, which CUDA 12 and later do not have.
