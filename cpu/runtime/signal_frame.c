// What a signal tells of the instruction that it interrupted: on x86-64, on AArch64, and on other
// processors, where the answers are that nothing is known.
#include "signal_frame.h"
#include <string.h>
#include <ucontext.h>

#if defined(__x86_64__)

void *signal_frame_pc(const void *frame)
{
    const ucontext_t *context = frame;
    return (void *)context->uc_mcontext.gregs[REG_RIP];
}

const char *signal_frame_stack_pointer(const void *frame)
{
    const ucontext_t *context = frame;
    return (const char *)context->uc_mcontext.gregs[REG_RSP];
}

// The registers, but for the program counter. Returns in how many parts they are.
int signal_frame_registers(const void *frame, Part *parts)
{
    const ucontext_t *context = frame;
    const greg_t *general = context->uc_mcontext.gregs;
    const struct _libc_fpstate *vectors = context->uc_mcontext.fpregs;
    parts[0] = (Part){general, REG_RIP * sizeof(*general)};
    if (vectors == NULL)
    {
        return 1;
    }
    parts[1] = (Part){vectors->_xmm, sizeof(vectors->_xmm)};
    return 2;
}

bool signal_frame_rounds_otherwise(const void *frame)
{
    const ucontext_t *context = frame;
    const struct _libc_fpstate *state = context->uc_mcontext.fpregs;
    return state != NULL && (state->mxcsr & 0x6000) != 0;
}

// What the access to `address` was that raised SIGSEGV or SIGBUS.
const char *signal_frame_access(const void *frame, const void *address)
{
    (void)address;
    const ucontext_t *context = frame;
    return context->uc_mcontext.gregs[REG_ERR] & 2 ? "write" : "read";
}

// Whether the address is none that memory could have. The processor does not tell it then.
bool signal_frame_is_no_address(const siginfo_t *info)
{
    return info->si_code == SI_KERNEL;
}

// clang++ has a trap with a number for each check; g++ has one trap for all.
bool signal_frame_is_alignment_trap(const void *pc)
{
    static const unsigned char clangs[] = {0x67, 0x0f, 0xb9, 0x40, 0x16}, gccs[] = {0x0f, 0x0b};
    return memcmp(pc, clangs, sizeof(clangs)) == 0 || memcmp(pc, gccs, sizeof(gccs)) == 0;
}

bool signal_frame_jumps_to_itself(const void *pc)
{
    return memcmp(pc, "\xeb\xfe", 2) == 0;
}

#elif defined(__aarch64__)

void *signal_frame_pc(const void *frame)
{
    const ucontext_t *context = frame;
    return (void *)context->uc_mcontext.pc;
}

const char *signal_frame_stack_pointer(const void *frame)
{
    const ucontext_t *context = frame;
    return (const char *)context->uc_mcontext.sp;
}

// Behind the general registers a frame has records: of the vector registers, of the last fault, and
// of what else the processor has. Each begins with its kind and its size. The last is of kind 0.
static const struct _aarch64_ctx *next_record(const struct _aarch64_ctx *record)
{
    return (const struct _aarch64_ctx *)((const char *)record + record->size);
}

static const struct _aarch64_ctx *first_record(const void *frame)
{
    const ucontext_t *context = frame;
    return (const struct _aarch64_ctx *)context->uc_mcontext.__reserved;
}

// The record of this kind; NULL if there is none.
static const void *find_record(const void *frame, uint32_t kind)
{
    const struct _aarch64_ctx *record = first_record(frame);
    while (record->magic != 0 && record->magic != kind)
    {
        record = next_record(record);
    }
    return record->magic == kind ? record : NULL;
}

// The registers, but for the program counter. Returns in how many parts they are.
int signal_frame_registers(const void *frame, Part *parts)
{
    const ucontext_t *context = frame;
    const struct _aarch64_ctx *first = first_record(frame), *end = first;
    while (end->magic != 0)
    {
        end = next_record(end);
    }
    parts[0] = (Part){context->uc_mcontext.regs, sizeof(context->uc_mcontext.regs)};
    parts[1] = (Part){first, (const char *)end - (const char *)first};
    const struct extra_context *more = find_record(frame, EXTRA_MAGIC); // what has no room here
    if (more == NULL)
    {
        return 2;
    }
    parts[2] = (Part){(const void *)more->datap, more->size};
    return 3;
}

bool signal_frame_rounds_otherwise(const void *frame)
{
    const uint32_t rounding_bits = 3u << 22;
    const struct fpsimd_context *state = find_record(frame, FPSIMD_MAGIC);
    return state != NULL && (state->fpcr & rounding_bits) != 0;
}

// Whether an instruction that reads or writes memory writes only. What does both counts as a read.
static bool is_store(uint32_t instruction)
{
    const bool is_of_vectors = (instruction >> 26 & 1) != 0, loads = (instruction >> 22 & 1) != 0;
    switch (instruction >> 28 & 3)
    {
    case 0: // exclusive, or of several vectors
    case 2: // of a pair of registers
        return !loads;
    case 3: // of one register; the next bit then belongs to what it does, or to a vector's size
        return !loads && (is_of_vectors || (instruction >> 23 & 1) == 0);
    default:
        return false;
    }
}

// What the access to `address` was that raised SIGSEGV or SIGBUS. An emulator may leave out the
// record of the fault, as qemu does. Then the instruction tells, unless it cannot be read itself.
const char *signal_frame_access(const void *frame, const void *address)
{
    const uint64_t is_write = 1 << 6;
    const struct esr_context *fault = find_record(frame, ESR_MAGIC);
    if (fault != NULL)
    {
        return fault->esr & is_write ? "write" : "read";
    }
    const void *pc = signal_frame_pc(frame);
    if (pc == address)
    {
        return "read";
    }
    uint32_t instruction;
    memcpy(&instruction, pc, sizeof(instruction));
    return is_store(instruction) ? "write" : "read";
}

// Whether the address is none that memory could have. The processor looks at the lowest 56 bits of
// an address. Of these the highest 8 are 0 in a program's addresses.
bool signal_frame_is_no_address(const siginfo_t *info)
{
    return ((uintptr_t)info->si_addr >> 48 & 0xff) != 0;
}

// clang++ has a trap with a number for each check; g++ has one trap for all.
bool signal_frame_is_alignment_trap(const void *pc)
{
    const uint32_t clangs = 0xd42aa2c0, gccs = 0xd4207d00;
    uint32_t instruction;
    memcpy(&instruction, pc, sizeof(instruction));
    return instruction == clangs || instruction == gccs;
}

bool signal_frame_jumps_to_itself(const void *pc)
{
    return memcmp(pc, "\x00\x00\x00\x14", 4) == 0;
}

#else

void *signal_frame_pc(const void *frame)
{
    (void)frame;
    return NULL;
}

const char *signal_frame_stack_pointer(const void *frame)
{
    (void)frame;
    return NULL;
}

int signal_frame_registers(const void *frame, Part *parts)
{
    (void)frame, (void)parts;
    return 0;
}

bool signal_frame_rounds_otherwise(const void *frame)
{
    (void)frame;
    return false;
}

const char *signal_frame_access(const void *frame, const void *address)
{
    (void)frame, (void)address;
    return "access";
}

bool signal_frame_is_no_address(const siginfo_t *info)
{
    (void)info;
    return false;
}

bool signal_frame_is_alignment_trap(const void *pc)
{
    (void)pc;
    return true;
}

bool signal_frame_jumps_to_itself(const void *pc)
{
    (void)pc;
    return false;
}

#endif
