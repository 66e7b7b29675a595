// What one request costs.
#ifndef CUDACPU_COST_H
#define CUDACPU_COST_H
#include "steps.h"

typedef enum Space
{
    LOCAL, // the thread's own, or none of the device: not counted
    GLOBAL,
    SHARED,
    CONSTANTS
} Space;

typedef struct Cost
{
    uint32_t units, least;
    uint32_t useful;   // bytes that some lane wants
    uint32_t together; // the most lanes at one address
} Cost;

Space cost_space(const void *address);
Cost cost_of(const Request *request, Space space);
unsigned cost_largest_vector(void);
unsigned cost_piece(const void *address, size_t bytes, const void *pc);
unsigned cost_join(Request *requests, unsigned num);

#endif
