// Tables for peak-rates: the architectures and some cards, and the rates that follow from them.
// CUDA has no call that tells the name of an architecture, or how many numbers an SM
// (multiprocessor) works on at once.
#pragma once
#include <math.h>
#include "../common/compat.cuh"
#include "../common/error.cuh"

const double KB = 1024.0, MB = 1024.0 * KB, GB = 1024.0 * MB;

// Table 1.1 and what came later: compute capability, name and year of an architecture, and how many
// multiply-adds of floats and of doubles an SM does in a cycle. Those of floats are the "cores".
const struct Architecture
{
    int major, minor;
    const char *name;
    int year, fp32, fp64;
} ARCHITECTURES[] = {
    {1, 0, "Tesla", 2006, 8, 0},        {2, 0, "Fermi", 2010, 32, 16},
    {3, 0, "Kepler", 2012, 192, 8},     {3, 5, "Kepler", 2012, 192, 64},
    {3, 7, "Kepler", 2012, 192, 64},    {5, 0, "Maxwell", 2014, 128, 4},
    {5, 2, "Maxwell", 2014, 128, 4},    {5, 3, "Maxwell", 2014, 128, 4},
    {6, 0, "Pascal", 2016, 64, 32},     {6, 1, "Pascal", 2016, 128, 4},
    {6, 2, "Pascal", 2016, 128, 4},     {7, 0, "Volta", 2017, 64, 32},
    {7, 2, "Volta", 2017, 64, 32},      {7, 5, "Turing", 2018, 64, 2},
    {8, 0, "Ampere", 2020, 64, 32},     {8, 6, "Ampere", 2020, 128, 2},
    {8, 7, "Ampere", 2020, 128, 2},     {8, 9, "Ada", 2022, 128, 2},
    {9, 0, "Hopper", 2022, 128, 64},    {10, 0, "Blackwell", 2024, 128, 64},
    {10, 3, "Blackwell", 2024, 128, 2}, {11, 0, "Blackwell", 2024, 128, 2},
    {12, 0, "Blackwell", 2024, 128, 2}, {12, 1, "Blackwell", 2024, 128, 2},
};
const int NUM_ARCHITECTURES = sizeof(ARCHITECTURES) / sizeof(ARCHITECTURES[0]);
const Architecture UNKNOWN = {0, 0, "unknown", 0, 0, 0}; // newer than this table, or no GPU

// A row of Tables 1.3 and 6.2. Sizes are in KB, and clocks in kHz, as in CUDA's attributes.
struct Card
{
    const char *name;
    int major, minor;
    double memory_gb;
    int SMs, clock, memory_clock, bus_bits;
    double shared_SM, shared_block, registers_SM, registers_block;
    double bandwidth, fp64, fp32; // as the book or NVIDIA prints them, in GB/s and TFLOP/s
};

// The book has the K40 at its base clock, and the P100, the V100 and the RTX 2080ti at their boost
// clocks. Its RTX 2070 is the desktop card at its base clock. The author's own is a Max-Q, at most
// 1185 MHz and 384 GB/s, which has a row below it.
const Card CARDS[] = {
    {"Tesla K40", 3, 5, 12, 15, 745000, 3004000, 384, 48, 48, 64, 64, 288, 1.4, 4.3},
    {"Tesla P100", 6, 0, 16, 56, 1303000, 715000, 4096, 64, 48, 64, 64, 732, 4.7, 9.3},
    {"Tesla V100", 7, 0, 32, 80, 1380000, 877000, 4096, 96, 96, 64, 64, 900, 7, 14},
    {"GeForce RTX 2070", 7, 5, 8, 36, 1410000, 7000000, 256, 64, 64, 64, 64, 448, 0.2, 6.5},
    {"GeForce RTX 2070 Max-Q", 7, 5, 8, 36, 1185000, 6000000, 256, 64, 64, 64, 64, 384, 0.17, 5.46},
    {"GeForce RTX 2080ti", 7, 5, 11, 68, 1545000, 7000000, 352, 64, 64, 64, 64, 616, 0.4, 13},
    {"A100 SXM 40 GB", 8, 0, 40, 108, 1410000, 1215000, 5120, 164, 163, 64, 64, 1555, 9.7, 19.5},
    {"GeForce RTX 4090", 8, 9, 24, 128, 2520000, 10501000, 384, 100, 99, 64, 64, 1008, 1.3, 82.6},
    {"H100 SXM", 9, 0, 80, 132, 1980000, 2619000, 5120, 228, 227, 64, 64, 3350, 34, 67},
};
const int NUM_CARDS = sizeof(CARDS) / sizeof(CARDS[0]);

const Architecture *find_architecture(int major, int minor)
{
    for (int i = 0; i < NUM_ARCHITECTURES; ++i)
    {
        if (ARCHITECTURES[i].major == major && ARCHITECTURES[i].minor == minor)
        {
            return &ARCHITECTURES[i];
        }
    }
    return &UNKNOWN;
}

// A multiply-add counts as two operations. Clocks in kHz make the product one of kFLOP/s.
double tera_flops(const Card *card, int units)
{
    return units > 0 ? 2.0 * card->SMs * units * card->clock * 1e-9 : NAN;
}

// In GB/s: there are two transfers in each cycle of the memory's clock, each as wide as the bus.
double bandwidth(const Card *card)
{
    return card->memory_clock > 0 ? 2.0 * card->memory_clock * 1e3 * card->bus_bits / 8 * 1e-9
                                  : NAN;
}

// Formula 5.2, in TB/s: a multiply-add d = a * b + c reads or writes 4 registers of 4 bytes, and
// counts as 2 operations.
double register_bandwidth(const Card *card)
{
    return 4.0 * 4 / 2 * tera_flops(card, find_architecture(card->major, card->minor)->fp32);
}

Card card_of(const cudaDeviceProp *p, int device)
{
    return {p->name,
            ON_GPU ? p->major : 0, // the CPU backend poses as a 9.0, but has no such units
            p->minor,
            p->totalGlobalMem / GB,
            p->multiProcessorCount,
            device_attribute(cudaDevAttrClockRate, device),
            device_attribute(cudaDevAttrMemoryClockRate, device),
            p->memoryBusWidth,
            p->sharedMemPerMultiprocessor / KB,
            p->sharedMemPerBlockOptin / KB,
            p->regsPerMultiprocessor / KB,
            p->regsPerBlock / KB,
            NAN,
            NAN,
            NAN};
}
