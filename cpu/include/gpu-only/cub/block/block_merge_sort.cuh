#include "../missing.cuh"
