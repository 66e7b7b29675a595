// peak-rates: the theoretical rates of this device, and of the book's cards, from clocks and units
//
// From:    sections 5.2.2 and 6.3.1, Tables 1.1, 1.3 and 6.2
// Order:   last
// Compile: nvcc -O3 peak-rates.cu
// Run:     ./a.out --all
//
// The theoretical rates follow from the clocks and from how many numbers an SM (multiprocessor)
// works on in a cycle. No call of CUDA's tells that, so architectures.cuh has it.

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "../common/args.cuh"
#include "../common/compare.cuh"
#include "../common/error.cuh"
#include "../common/options.cuh"
#include "../common/table.cuh"
#include "../common/timing.cuh"
#include "architectures.cuh"
#include "devices.cuh"

void print_rate(int device, const char *label, const char *unit, double rate)
{
    if (isnan(rate))
    {
        print_row(device, label, "", "unknown");
    }
    else
    {
        print_row(device, label, unit, "%.1f", rate);
    }
}

// What follows from the architecture, the clocks and the number of SMs.
void print_rates(int device, const Card *card)
{
    const Architecture *a = find_architecture(card->major, card->minor);
    if (a == &UNKNOWN)
    {
        print_row(device, "Architecture", "", "unknown");
        print_row(device, "FP32 cores", "", "unknown");
    }
    else
    {
        print_row(device, "Architecture", "", "%s (%d)", a->name, a->year);
        print_row(device, "FP32 cores", "", "%d (%d per SM)", a->fp32 * card->SMs, a->fp32);
    }
    print_rate(device, "Theoretical FP32 rate", "TFLOP/s", tera_flops(card, a->fp32));
    print_rate(device, "Theoretical FP64 rate", "TFLOP/s", tera_flops(card, a->fp64));
    print_rate(device, "Theoretical memory bandwidth", "GB/s", bandwidth(card));
    print_rate(device, "Theoretical register bandwidth, FP32", "TB/s", register_bandwidth(card));
}

void report_device(int device_id)
{
    cudaDeviceProp prop;
    CHECK(cudaGetDeviceProperties(&prop, device_id));
    const Card card = card_of(&prop, device_id);
    printf("%s", args.csv ? "" : "\n");
    print_row(device_id, "Device id", "", "%d", device_id);
    print_row(device_id, "Device name", "", "%s", prop.name);
    print_row(device_id, "Number of SMs", "", "%d", card.SMs);
    print_row(device_id, "Clock", "MHz", "%.10g", card.clock / 1e3);
    print_row(device_id, "Memory clock", "MHz", "%.10g", card.memory_clock / 1e3);
    print_row(device_id, "Memory bus", "bits", "%d", card.bus_bits);
    print_rates(device_id, &card);
}

void print_card(const Card *card)
{
    const Architecture *a = find_architecture(card->major, card->minor);
    char name[32], rates[32];
    snprintf(name, sizeof(name), "%.24s", card->name);
    snprintf(rates, sizeof(rates), "%.1f (%4.1f)", tera_flops(card, a->fp64),
             tera_flops(card, a->fp32));
    put_text(name);
    put_text(a->name);
    put(card->memory_gb);
    put(card->SMs);
    put(bandwidth(card));
    put_text(rates);
    put(card->registers_SM);
    put(card->registers_block);
    put(card->shared_SM);
    put(card->shared_block);
    end_row();
}

// Tables 1.3 and 6.2, with the rates from the formulas. Below them the devices that were asked.
void print_cards(int first, int last)
{
    printf("\n%-24s %-9s %4s %4s %8s %13s %14s %14s\n", "", "archi-", "", "", "", "TFLOP/s FP64",
           "K registers", "shared, KB");
    static const Column COLUMNS[] = {{"Tables 1.3 and 6.2", "%-24s"},
                                     {"architecture", "%-9s", "tecture"},
                                     {"GB", "%4.0f"},
                                     {"SMs", "%4.0f"},
                                     {"GB/s", "%8.0f"},
                                     {"TFLOP/s FP64 (FP32)", "%13s", "(FP32)"},
                                     {"K registers of an SM", "%8g", "SM"},
                                     {"K registers of a block", "%5g", "block"},
                                     {"shared KB of an SM", "%8g", "SM"},
                                     {"shared KB of a block", "%5g", "block"}};
    begin_table(COLUMNS, 10);
    for (int i = 0; i < NUM_CARDS; ++i)
    {
        print_card(&CARDS[i]);
    }
    for (int device = first; device <= last; ++device)
    {
        cudaDeviceProp p;
        CHECK(cudaGetDeviceProperties(&p, device));
        const Card card = card_of(&p, device);
        if (find_architecture(card.major, card.minor) != &UNKNOWN)
        {
            print_card(&card);
        }
    }
}

void print_architectures(void)
{
    printf("\nTable 1.1:");
    const char *before = "";
    for (int i = 0; i < NUM_ARCHITECTURES; ++i)
    {
        const Architecture *a = &ARCHITECTURES[i];
        if (strcmp(a->name, before) != 0)
        {
            printf("  %s %d.%d %d", a->name, a->major, a->minor, a->year);
        }
        before = a->name;
    }
    printf("\n");
}

// The formulas must give the rates that the book prints, but for its rounding.
void check_cards(void)
{
    bool right = true;
    for (int i = 0; i < NUM_CARDS; ++i)
    {
        const Card *card = &CARDS[i];
        const Architecture *a = find_architecture(card->major, card->minor);
        right = right && fabs(tera_flops(card, a->fp32) / card->fp32 - 1.0) < 0.05 &&
                fabs(tera_flops(card, a->fp64) / card->fp64 - 1.0) < 0.06 &&
                fabs(bandwidth(card) / card->bandwidth - 1.0) < 0.005;
        if (strcmp(card->name, "GeForce RTX 2070") == 0)
        {
            check_true("formula 5.2 gives 52 TB/s",
                       fabs(register_bandwidth(card) / 52.0 - 1.0) < 0.005);
        }
    }
    check_true("the rates of Table 1.3 come out", right);
}

int main(int argc, char **argv)
{
    size_t device = 0;
    bool all = false;
    args.columns = "  GB                     of the card's memory\n"
                   "  GB/s                   its theoretical bandwidth\n"
                   "  TFLOP/s FP64 (FP32)    theoretical rates of multiply-adds\n"
                   "  K registers            of a multiprocessor, and the most of a block\n"
                   "  shared, KB             shared memory of both\n";
    add_device_option(&device);
    add_flag("all", &all, "ask every device");
    parse_args(argc, argv, "--csv",
               "peak-rates: the theoretical rates of this device, and of the book's cards, from "
               "clocks and units");
    const Devices devices = choose_devices(device, all);
    print_device();
    print_titles();
    for (int device_id = devices.first; device_id <= devices.last; ++device_id)
    {
        report_device(device_id);
    }
    check_cards();
    if (!args.csv)
    {
        print_cards(devices.first, devices.last);
        print_architectures();
    }
    return verdict();
}
