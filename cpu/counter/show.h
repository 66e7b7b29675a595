// What is printed at the end of the program.
#ifndef CUDACPU_SHOW_H
#define CUDACPU_SHOW_H

void show_at_exit(void);

#endif
