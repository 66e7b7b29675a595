// What a device should prefer.
#ifndef CUDACPU_API_PREFERENCE_H
#define CUDACPU_API_PREFERENCE_H

void api_preference_reset(int device);

#endif
