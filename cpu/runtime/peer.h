// Peer access: which device may reach the memory of which other one.
#ifndef CUDACPU_PEER_H
#define CUDACPU_PEER_H
#include "base.h"

bool peer_reaches(int device, int owner);
bool peer_set(int device, int owner, bool yes);
void peer_reset(int device);

#endif
