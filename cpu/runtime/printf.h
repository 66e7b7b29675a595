// printf in kernels.
#ifndef CUDACPU_PRINTF_H
#define CUDACPU_PRINTF_H

int cudacpu_printf(int position, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
