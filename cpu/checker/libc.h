// What a function of the C library has written for the program.
#ifndef CUDACPU_LIBC_H
#define CUDACPU_LIBC_H
#include <stddef.h>

void libc_note_write(const void *address, size_t bytes, const void *pc);

#endif
