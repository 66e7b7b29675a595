// Errors: of the last call of a thread, and of each device.
#ifndef CUDACPU_ERROR_H
#define CUDACPU_ERROR_H
#include "base.h"

cudaError_t error_note(cudaError_t error);
cudaError_t error_last(void);
cudaError_t error_exchange(cudaError_t error);

cudaError_t error_of_device(int device);
void error_set_device(int device, cudaError_t error);

bool error_none(void);
cudaError_t error_status(void);
cudaError_t error_status_of(int device);
void error_forbid(bool yes);
bool error_forbidden(void);

#endif
