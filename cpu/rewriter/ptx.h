// What the files for inline PTX share. ptx.c tells what they do.
#ifndef PTX_H
#define PTX_H
#include <stdbool.h>
#include <stddef.h>

enum
{
    PTX_PREDICATE = 0, // the size of a predicate
    PTX_ANY = -1       // the size of a constant
};

// A register of the PTX text: an operand of asm, %0, or one that .reg declares.
typedef struct PtxRegister
{
    const char *name, *variable; // in PTX, in C++
    int size;                    // in bytes
    bool known;                  // false: its scope has ended
} PtxRegister;

typedef enum PtxKind
{
    PTX_REGISTER,
    PTX_INTEGER, // a constant
    PTX_REAL,    // a constant
    PTX_VALUE,   // an expression of C++: a special register
    PTX_VECTOR,  // { a, b }
    PTX_ADDRESS, // [a + 4]
    PTX_SINK,    // _
    PTX_LABEL
} PtxKind;

enum
{
    PTX_MAX_ELEMENTS = 8,
    PTX_MAX_OPERANDS = 8,
    PTX_MAX_PARTS = 16
};

typedef struct PtxOperand
{
    PtxKind kind;
    const char *text; // in C++
    int size;
    bool negated;            // !p
    const char *offset;      // of an address
    const char *second;      // the predicate of d|p, or NULL
    int num_elements;        // of a vector
    const char *elements[8]; // names of registers or values; NULL: _
    int element_size[8];
} PtxOperand;

typedef struct PtxInstruction
{
    const char *name; // add.rn.f32
    int num_parts;
    const char *parts[PTX_MAX_PARTS]; // add, rn, f32
    int num_operands;
    PtxOperand operands[PTX_MAX_OPERANDS];
    const char *prefix; // of names in C++
} PtxInstruction;

typedef struct PtxType
{
    const char *name, *type, *bits; // u32, unsigned int, unsigned int
    int size;
    char kind; // b bits, u unsigned, s signed, f real, p predicate
} PtxType;

// ptx_emit.c
void ptx_begin(const char *file);
void ptx_set_line(int line);
void ptx_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
const char *ptx_said(void);
const char *ptx_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void ptx_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void ptx_refuse(const PtxInstruction *in);
const PtxType *ptx_type(const char *name);
bool ptx_is_part(const PtxInstruction *in, int i, const char *part);
bool ptx_has(const PtxInstruction *in, const char *part);
const char *ptx_get(const PtxInstruction *in, int operand, const PtxType *type);
const char *ptx_predicate(const PtxInstruction *in, int operand);
void ptx_put(const PtxInstruction *in, int operand, int size, const char *value);

// ptx_memory.c
bool ptx_memory(const PtxInstruction *in);

// ptx_threads.c
bool ptx_threads(const PtxInstruction *in);

// ptx_arithmetic.c
bool ptx_arithmetic(const PtxInstruction *in);

// ptx_registers.c
const char *ptx_special_register(const char *name, int *size);

#endif
