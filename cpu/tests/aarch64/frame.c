// What cpu/runtime/processor.c reads in a signal's frame, on AArch64: frames made by hand, because
// qemu leaves the record of a fault out. tests/aarch64.t runs it.
#include "signal_frame.h"
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

// Instructions that write memory, and such that read it.
extern const uint32_t stores[], loads[], end_of_loads[], endless[], other[];
__asm__(".text\n"
        ".globl stores, loads, end_of_loads, endless, other\n"
        "stores: str w0, [x1]\n strb w0, [x1, 1]\n strh w0, [x1], 2\n str x0, [x1, x2, lsl 3]\n"
        "stur x0, [x1, -8]\n stp x0, x2, [x1]\n stp w0, w2, [x1, -8]!\n stlr x0, [x1]\n"
        "stxr w3, x0, [x1]\n str b0, [x1]\n str s0, [x1]\n str d0, [x1, 8]\n str q0, [x1]\n"
        "stur q0, [x1, -16]\n stp d0, d1, [x1]\n stp q0, q1, [x1]\n st1 {v0.4s}, [x1]\n"
        "st4 {v0.4s - v3.4s}, [x1], 64\n"
        "loads: ldr w0, [x1]\n ldrb w0, [x1, 1]\n ldrsb w0, [x1]\n ldrsb x0, [x1]\n"
        "ldrsh w0, [x1], 2\n ldrsw x0, [x1]\n ldr x0, [x1, x2, lsl 3]\n ldur x0, [x1, -8]\n"
        "ldp x0, x2, [x1]\n ldpsw x0, x2, [x1]\n ldar x0, [x1]\n ldaxr x0, [x1]\n ldr x0, stores\n"
        "ldr b0, [x1]\n ldr s0, [x1]\n ldr q0, [x1]\n ldp q0, q1, [x1]\n ld1 {v0.4s}, [x1]\n"
        "end_of_loads: nop\n"
        "endless: b endless\n"
        "other: b endless\n");

typedef struct
{
    struct fpsimd_context vectors;
    struct esr_context fault;
    struct _aarch64_ctx end;
} Records;

static ucontext_t context;
static Records *records;

static void make_frame(void)
{
    memset(&context, 0, sizeof(context));
    records = (Records *)context.uc_mcontext.__reserved;
    records->vectors.head = (struct _aarch64_ctx){FPSIMD_MAGIC, sizeof(records->vectors)};
}

static void add_fault(uint64_t syndrome)
{
    records->fault.head = (struct _aarch64_ctx){ESR_MAGIC, sizeof(records->fault)};
    records->fault.esr = syndrome;
}

static bool is_access(const uint32_t *pc, const char *what)
{
    context.uc_mcontext.pc = (uintptr_t)pc;
    return strcmp(signal_frame_access(&context, NULL), what) == 0;
}

// The number of instructions whose access is taken for the other one.
static int count_wrong(const uint32_t *first, const uint32_t *end, const char *what)
{
    int num_wrong = 0;
    for (const uint32_t *pc = first; pc < end; ++pc)
    {
        if (!is_access(pc, what))
        {
            printf("instruction %08x is no %s?\n", *pc, what);
            ++num_wrong;
        }
    }
    return num_wrong;
}

static bool has_address(uintptr_t address)
{
    siginfo_t info = {.si_signo = SIGSEGV};
    info.si_addr = (void *)address;
    return !signal_frame_is_no_address(&info);
}

static int check(const char *what, bool right)
{
    if (!right)
    {
        printf("wrong: %s\n", what);
    }
    return !right;
}

int main(void)
{
    make_frame();
    int num_wrong = count_wrong(stores, loads, "write") + count_wrong(loads, end_of_loads, "read");
    context.uc_mcontext.pc = 8;
    num_wrong += check("code that cannot be read",
                       strcmp(signal_frame_access(&context, (void *)8), "read") == 0);

    // What a record of a fault says, of a write and of a read, counts more than the instruction.
    add_fault(0x92000046);
    num_wrong += check("the record of a write", is_access(loads, "write"));
    add_fault(0x92000006);
    num_wrong += check("the record of a read", is_access(stores, "read"));

    Part parts[MAX_REGISTER_PARTS];
    const int num_parts = signal_frame_registers(&context, parts);
    const char *vectors = (const char *)records->vectors.vregs;
    num_wrong += check("general and vector registers",
                       num_parts == 2 && parts[0].start == context.uc_mcontext.regs &&
                           parts[0].bytes == 31 * 8 && (const char *)parts[1].start < vectors &&
                           (const char *)parts[1].start + parts[1].bytes >= vectors + 32 * 16);

    num_wrong += check("rounds to nearest", !signal_frame_rounds_otherwise(&context));
    for (uint32_t mode = 1; mode < 4; ++mode)
    {
        records->vectors.fpcr = mode << 22;
        num_wrong += check("rounds otherwise", signal_frame_rounds_otherwise(&context));
    }

    num_wrong +=
        check("addresses", has_address(0) && has_address(0xffffffffffff) &&
                               has_address(0xcd00ffffffffff00) && !has_address(0xcdcdcdcdcdcdcd) &&
                               !has_address((uintptr_t)-8));
    num_wrong += check("a jump to itself", signal_frame_jumps_to_itself(endless) &&
                                               !signal_frame_jumps_to_itself(other) &&
                                               !signal_frame_jumps_to_itself(&(uint32_t){0}));
    puts(num_wrong == 0 ? "right" : "wrong");
    return num_wrong;
}
