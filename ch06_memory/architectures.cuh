// What no call tells of a GPU: the name of its architecture, how many numbers its SMs
// (multiprocessors) work on at once, and so what it could do at best. For query.
#pragma once
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../common/compare.cuh"
#include "../common/compat.cuh"
#include "../common/error.cuh"

const double KB = 1024.0, MB = 1024.0 * KB, GB = 1024.0 * MB;

// Table 1.1 and what came later: compute capability, name, year, and how many units of an SM do
// multiply-adds of floats (the "cores") and of doubles.
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
const Architecture UNKNOWN = {0, 0, "unknown", 0, 0, 0}; // newer than this table, or no GPU at all

// What a row of Tables 1.3 and 6.2 is made of; a size in KB, a clock in kHz, as attributes have it.
struct Card
{
    const char *name;
    int major, minor;
    double memory_gb;
    int SMs, clock, memory_clock, bus_bits;
    double shared_SM, shared_block, registers_SM, registers_block;
    double bandwidth, fp64, fp32; // as the book, or the maker, prints them: GB/s and TFLOP/s
};

// The RTX 2070 at its base clock, as the book has it; the clocks that others boost to are counted.
const Card CARDS[] = {
    {"Tesla K40", 3, 5, 12, 15, 745000, 3004000, 384, 48, 48, 64, 64, 288, 1.4, 4.3},
    {"Tesla P100", 6, 0, 16, 56, 1303000, 715000, 4096, 64, 48, 64, 64, 732, 4.7, 9.3},
    {"Tesla V100", 7, 0, 32, 80, 1380000, 877000, 4096, 96, 96, 64, 64, 900, 7, 14},
    {"GeForce RTX 2070", 7, 5, 8, 36, 1410000, 7000000, 256, 64, 64, 64, 64, 448, 0.2, 6.5},
    {"GeForce RTX 2080ti", 7, 5, 11, 68, 1545000, 7000000, 352, 64, 64, 64, 64, 616, 0.4, 13},
    {"A100 SXM 40 GB", 8, 0, 40, 108, 1410000, 1215000, 5120, 164, 163, 64, 64, 1555, 9.7, 19.5},
    {"GeForce RTX 4090", 8, 9, 24, 128, 2520000, 10501000, 384, 100, 99, 64, 64, 1008, 1.3, 82.6},
    {"H100 SXM", 9, 0, 80, 132, 1980000, 2619000, 5120, 228, 227, 64, 64, 3350, 34, 67},
};

const Architecture *find_architecture(int major, int minor)
{
    for (const Architecture &a : ARCHITECTURES)
    {
        if (a.major == major && a.minor == minor)
        {
            return &a;
        }
    }
    return &UNKNOWN;
}

// A multiply-add counts as two operations. The product is in kFLOP/s.
double tera_flops(const Card *card, int units)
{
    return units > 0 ? 2.0 * card->SMs * units * card->clock * 1e-9 : NAN;
}

// Two transfers in every cycle of the memory's clock, each as wide as the bus.
double bandwidth(const Card *card)
{
    return card->memory_clock > 0 ? 2.0 * card->memory_clock * 1e3 * card->bus_bits / 8 * 1e-9
                                  : NAN;
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

void print_card(const Card *card)
{
    const Architecture *a = find_architecture(card->major, card->minor);
    printf("%-24.24s %-9s %4.0f %4d %8.0f %6.1f (%4.1f) %8g %5g %8g %5g\n", card->name, a->name,
           card->memory_gb, card->SMs, bandwidth(card), tera_flops(card, a->fp64),
           tera_flops(card, a->fp32), card->registers_SM, card->registers_block, card->shared_SM,
           card->shared_block);
}

// Tables 1.3 and 6.2 with the rates worked out by the formulas above, and below them the devices
// asked; then Table 1.1.
void print_cards(int first, int last)
{
    printf("\n%-24s %-9s %4s %4s %8s %15s %14s %14s\n%-24s %-9s %4s %4s %8s %15s %8s %5s %8s %5s\n",
           "Tables 1.3 and 6.2", "archi-", "", "", "", "TFLOP/s FP64", "K registers", "shared, KB",
           "", "tecture", "GB", "SMs", "GB/s", "(FP32)", "SM", "block", "SM", "block");
    for (const Card &card : CARDS)
    {
        print_card(&card);
    }
    for (int device = first; device <= last; ++device)
    {
        cudaDeviceProp p;
        CHECK(cudaGetDeviceProperties(&p, device));
        const Card card = card_of(&p, device);
        find_architecture(card.major, card.minor) != &UNKNOWN ? print_card(&card) : (void)0;
    }
    printf("\nTable 1.1:");
    for (const Architecture *a = ARCHITECTURES; a < ARCHITECTURES + NUM_ARCHITECTURES; ++a)
    {
        const bool same = a > ARCHITECTURES && strcmp(a[-1].name, a->name) == 0;
        same ? 0 : printf("  %s %d.%d %d", a->name, a->major, a->minor, a->year);
    }
    printf("\n");
}

// The book's figures must come out of the formulas, but for their rounding.
void check_cards()
{
    bool right = true;
    for (const Card &card : CARDS)
    {
        const Architecture *a = find_architecture(card.major, card.minor);
        right = right && fabs(tera_flops(&card, a->fp32) / card.fp32 - 1.0) < 0.05 &&
                fabs(tera_flops(&card, a->fp64) / card.fp64 - 1.0) < 0.06 &&
                fabs(bandwidth(&card) / card.bandwidth - 1.0) < 0.005;
    }
    check_true("the rates of Table 1.3 come out", right);
}
