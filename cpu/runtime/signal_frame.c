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

static bool is_one_of(unsigned opcode, const char *list, size_t count)
{
    return memchr(list, (int)opcode, count) != NULL;
}
#define IS_ONE_OF(opcode, list) is_one_of(opcode, list, sizeof(list) - 1)

// Whether an instruction of one opcode byte writes to memory. The bits 3 to 5 of the byte after it say
// more of some.
static bool is_short_store(const unsigned char *p)
{
    const unsigned opcode = p[0], more = p[1] >> 3 & 7;
    const bool is_arithmetic = opcode < 0x38 && (opcode & 7) < 2;
    return is_arithmetic || IS_ONE_OF(opcode, "\x86\x87\x88\x89\xaa\xab\xc6\xc7") ||
           IS_ONE_OF(opcode, "\xc0\xc1\xd0\xd1\xd2\xd3") ||
           (opcode >= 0x80 && opcode <= 0x83 && more != 7) || // 7 compares
           (IS_ONE_OF(opcode, "\xf6\xf7") && (more == 2 || more == 3)) ||
           (IS_ONE_OF(opcode, "\xfe\xff") && more < 2);
}

// Moves of vector registers and of their parts. With the prefix f3, 7e loads.
static bool is_vector_store(unsigned opcode, bool has_f3)
{
    return IS_ONE_OF(opcode, "\x11\x13\x17\x29\x2b\x7f\xd6\xe7") || (opcode == 0x7e && !has_f3);
}

static bool is_store(const unsigned char *p)
{
    bool has_f3 = false;
    for (; IS_ONE_OF(*p, "\x66\xf0\xf2\xf3\x26\x2e\x36\x3e\x64\x65"); ++p)
    {
        has_f3 = has_f3 || *p == 0xf3;
    }
    p += (*p & 0xf0) == 0x40; // REX
    if (*p == 0xc5)           // VEX, and below its long form and EVEX: prefix and map are within
    {
        return is_vector_store(p[2], (p[1] & 3) == 2);
    }
    if (*p == 0xc4 || *p == 0x62)
    {
        const unsigned map = p[1] & (*p == 0xc4 ? 0x1f : 7), opcode = p[*p == 0xc4 ? 3 : 4];
        return map == 1   ? is_vector_store(opcode, (p[2] & 3) == 2)
               : map == 2 ? IS_ONE_OF(opcode, "\x2e\x2f\x8e")
                          : IS_ONE_OF(opcode, "\x14\x15\x16\x17\x19\x1b\x1d\x39\x3b");
    }
    if (*p != 0x0f)
    {
        return is_short_store(p);
    }
    const unsigned opcode = p[1];
    return is_vector_store(opcode, has_f3) || (opcode & 0xf0) == 0x90 ||
           IS_ONE_OF(opcode, "\xb0\xb1\xc0\xc1\xc3\xc7\xa4\xa5\xab\xac\xad\xb3\xbb") ||
           (opcode == 0xba && (p[2] >> 3 & 7) > 4);
}

// What the access to `address` was that raised SIGSEGV or SIGBUS. A fault of a page tells it in a bit.
// An address that no memory can have raises another fault: then the instruction tells it.
const char *signal_frame_access(const void *frame, const void *address)
{
    enum
    {
        PAGE_FAULT = 14
    };
    (void)address;
    const ucontext_t *context = frame;
    const greg_t *registers = context->uc_mcontext.gregs;
    const bool writes = registers[REG_TRAPNO] == PAGE_FAULT ? (registers[REG_ERR] & 2) != 0
                                                            : is_store(signal_frame_pc(frame));
    return writes ? "write" : "read";
}

// Whether the address is none that memory could have. The processor does not tell it then.
bool signal_frame_is_no_address(const siginfo_t *info)
{
    return info->si_code == SI_KERNEL;
}

// An instruction, as it is read.
typedef struct Instruction
{
    const unsigned char *next;
    bool is_vex;
    unsigned more; // bits that lengthen the numbers of registers: 2 of the index, 1 of the base
    unsigned opcode;
} Instruction;

// Reads the prefixes and the opcode of an instruction 0f OPCODE, or of VEX's map 1, which has the
// same opcodes. False for any other.
static bool read_opcode(Instruction *in)
{
    while (*in->next == 0x66 || *in->next == 0xf2 || *in->next == 0xf3)
    {
        ++in->next;
    }
    if ((*in->next & 0xf0) == 0x40)
    {
        in->more = *in->next++ & 3;
    }
    if (*in->next == 0x0f)
    {
        in->opcode = in->next[1];
        in->next += 2;
        return true;
    }
    const bool is_long = *in->next == 0xc4;
    in->is_vex = *in->next == 0xc5 || (is_long && (in->next[1] & 0x1f) == 1);
    if (!in->is_vex)
    {
        return false;
    }
    in->more = is_long ? ~in->next[1] >> 5 & 3 : 0;
    in->opcode = in->next[is_long ? 3 : 2];
    in->next += is_long ? 4 : 3;
    return true;
}

static uintptr_t general_register(const ucontext_t *context, unsigned number)
{
    static const int places[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                   REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                   REG_R12, REG_R13, REG_R14, REG_R15};
    return (uintptr_t)context->uc_mcontext.gregs[places[number]];
}

// The address in memory that the bytes after the opcode name; 0 where they name a register.
static uintptr_t read_operand(const ucontext_t *context, const Instruction *in)
{
    const unsigned char *p = in->next;
    const unsigned mod = *p >> 6, field = *p & 7, high = (in->more & 1) << 3;
    ++p;
    uintptr_t address = 0;
    int32_t offset = 0;
    bool is_offset_long = mod == 2;
    if (mod == 3)
    {
        return 0;
    }
    if (field == 4) // a base and an index
    {
        const unsigned scale = *p >> 6, base = *p & 7;
        const unsigned index = (*p >> 3 & 7) | (in->more & 2) << 2;
        ++p;
        is_offset_long = is_offset_long || (mod == 0 && base == 5);
        address += mod == 0 && base == 5 ? 0 : general_register(context, base | high);
        address += index == 4 ? 0 : general_register(context, index) << scale;
    }
    else if (mod == 0 && field == 5) // from the next instruction on
    {
        memcpy(&offset, p, sizeof(offset));
        return (uintptr_t)p + sizeof(offset) + offset;
    }
    else
    {
        address = general_register(context, field | high);
    }
    if (is_offset_long)
    {
        memcpy(&offset, p, sizeof(offset));
    }
    else if (mod == 1)
    {
        offset = (signed char)*p;
    }
    return address + offset;
}

// Whether the instruction needs an address that is a multiple of 16 or more, and has another one.
// The processor raises the same signal as for an address that no memory can have, and tells nothing.
bool signal_frame_is_misaligned(const void *frame, void **address, const char **access)
{
    const ucontext_t *context = frame;
    Instruction in = {.next = signal_frame_pc(frame)};
    if (!read_opcode(&in))
    {
        return false;
    }
    const uintptr_t operand = read_operand(context, &in);
    const bool is_canonical = operand >> 47 == 0 || operand >> 47 == 0x1ffff;
    const bool is_store =
        in.opcode == 0x29 || in.opcode == 0x7f || in.opcode == 0x2b || in.opcode == 0xe7;
    const bool is_move = is_store || in.opcode == 0x28 || in.opcode == 0x6f;
    if (operand == 0 || !is_canonical || operand % (in.is_vex ? 32 : 16) == 0 ||
        (in.is_vex && !is_move)) // VEX's other instructions take any address
    {
        return false;
    }
    *address = (void *)operand;
    *access = is_store ? "write" : "read";
    return true;
}

// clang++ has a trap with a number for each check; g++ has one trap for all.
bool signal_frame_is_alignment_trap(const void *pc)
{
    static const unsigned char clangs[] = {0x67, 0x0f, 0xb9, 0x40, 0x16}, gccs[] = {0x0f, 0x0b};
    return memcmp(pc, clangs, sizeof(clangs)) == 0 || memcmp(pc, gccs, sizeof(gccs)) == 0;
}

// Where a function returns to that has just been called.
void *signal_frame_return(const void *frame)
{
    void *address;
    memcpy(&address, signal_frame_stack_pointer(frame), sizeof(address));
    return address;
}

// How long a call through a pointer is whose second byte is this one.
static int pointer_call_length(const unsigned char *p)
{
    const unsigned mod = *p >> 6, field = *p & 7;
    const int index = field == 4 && mod != 3;
    const int offset = mod == 2 || (mod == 0 && field == 5) ? 4 : mod == 1;
    return 2 + index + (index && mod == 0 && (p[1] & 7) == 5 ? 4 : offset);
}

// Whether the instruction that ends at `after` calls what a pointer leads to.
bool signal_frame_is_pointer_call(const void *after)
{
    const unsigned char *end = after;
    for (int length = 2; length <= 7; ++length)
    {
        const unsigned char *p = end - length;
        if (p[0] == 0xff && (p[1] & 0x38) == 0x10 && pointer_call_length(p + 1) == length)
        {
            return true;
        }
    }
    return false;
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

bool signal_frame_is_misaligned(const void *frame, void **address, const char **access)
{
    (void)frame, (void)address, (void)access;
    return false; // SIGBUS tells it
}

// clang++ has a trap with a number for each check; g++ has one trap for all.
bool signal_frame_is_alignment_trap(const void *pc)
{
    const uint32_t clangs = 0xd42aa2c0, gccs = 0xd4207d00;
    uint32_t instruction;
    memcpy(&instruction, pc, sizeof(instruction));
    return instruction == clangs || instruction == gccs;
}

// Where a function returns to that has just been called.
void *signal_frame_return(const void *frame)
{
    const ucontext_t *context = frame;
    return (void *)context->uc_mcontext.regs[30];
}

// Whether the instruction that ends at `after` calls what a pointer leads to: blr.
bool signal_frame_is_pointer_call(const void *after)
{
    uint32_t instruction;
    memcpy(&instruction, (const char *)after - sizeof(instruction), sizeof(instruction));
    return (instruction & 0xfffffc1f) == 0xd63f0000;
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

bool signal_frame_is_misaligned(const void *frame, void **address, const char **access)
{
    (void)frame, (void)address, (void)access;
    return false;
}

bool signal_frame_is_alignment_trap(const void *pc)
{
    (void)pc;
    return true;
}

void *signal_frame_return(const void *frame)
{
    (void)frame;
    return NULL;
}

bool signal_frame_is_pointer_call(const void *after)
{
    (void)after;
    return false;
}

bool signal_frame_jumps_to_itself(const void *pc)
{
    (void)pc;
    return false;
}

#endif
