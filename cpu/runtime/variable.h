// Variables of the device.
#ifndef CUDACPU_VARIABLE_H
#define CUDACPU_VARIABLE_H

void variable_reset(void);

#endif
