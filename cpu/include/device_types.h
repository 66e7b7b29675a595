// How a conversion rounds.
#ifndef CUDACPU_DEVICE_TYPES_H
#define CUDACPU_DEVICE_TYPES_H

enum cudaRoundMode
{
    cudaRoundNearest,
    cudaRoundZero,
    cudaRoundPosInf,
    cudaRoundMinInf
};

#endif
