// What the machine says of itself.
#ifndef CUDACPU_MACHINE_H
#define CUDACPU_MACHINE_H
#include "base.h"

void machine_model(char *text, size_t size);
void machine_memory(size_t *available, size_t *total);
size_t machine_address_space(void);
int machine_cores(void);
int cpu_clock_khz(void);
int last_level_cache(void);

#endif
