// The words for an address.
#ifndef CUDACPU_DESCRIBE_H
#define CUDACPU_DESCRIBE_H

void describe_register(void);

#endif
