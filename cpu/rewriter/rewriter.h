// What the files of the rewriter share. rewrite.c tells what it does.
#ifndef REWRITER_H
#define REWRITER_H
#include <stdbool.h>
#include <stddef.h>

typedef struct Token
{
    const char *text;
    int length;
    int width;       // in the input: of << < more than the length
    const char *gap; // white space and line markers before it
    int gap_length;
    bool system;         // of a system header
    bool outermost;      // in no braces but those of namespaces and extern "C"
    int partner;         // of a bracket: the other one, or -1
    int line;            // where it stands, for error messages
    const char *file;    //
    const char *before;  // what to write in its place: before, ...
    const char *instead; // ... instead (NULL: itself), ...
    const char *after;   // ... and after it
} Token;

extern Token *tokens;
extern int num_tokens;

// A library that is not here but whose header was included: the prefix of its names, and its own.
typedef struct Missing
{
    const char *prefix, *library;
} Missing;

enum
{
    MAX_MISSING = 256
};
extern Missing missing[MAX_MISSING];
extern int num_missing;

// tokens.c
void read_tokens(void);
void write_output(const char *known_file);
void *allocate(void *old, size_t bytes);
char *join(const char *a, const char *b);
char *copy(const char *text, int length);
_Noreturn void fail(const char *file, int line, const char *message);
bool is(int i, const char *text);
bool is_same(int i, int k);
bool is_any(int i, const char *const *texts);
bool is_name(int i);
int closing(int i);
int opening(int i);
void replace(int i, const char *text);
void put_before(int i, const char *text);
void put_after(int i, const char *text);
const char *text_of(int i);
const char *copy_text(int from, int to);

// functions.c
int parameter_list(int i);
int function_body(int parameters);

// kernels.c
int rewrite_global(int i);
void remove_bounds(int i);

// launches.c
void rewrite_launch(int i);

// printf.c
void rewrite_printf(int i);

// heap.c
void rewrite_heap(int i);
void tell_of_delete(void);

// declarations.c
int declaration_start(int i);
int declaration_end(int i);
int declared_name(int k, int end, int *next);
int scope_of(int i);
int bracket_around(int i);
int list_start(int i);
int template_end(int i);
bool may_be_declared(int i);

// shared.c
void rewrite_shared(int i);

// variables.c
int rewrite_device(int i, bool separate);
void tell_of_unknown_variables(void);

// volatiles.c
void rewrite_volatile(int i);

// host_code.c
typedef enum Kind
{
    NOT_CERTAIN,
    UNDECLARED, // in the user's files
    FUNCTION    // of the host
} Kind;

typedef enum Question
{
    NAMES_SYSTEM,
    KIND_OF,
    OUTER_NAMED,
    OUTER_CALLED,
    SIDE_OF,
    CLASS_BODY,
    DECLARED_AT,
    USED_ON_DEVICE
} Question;

int known_answer(Question question, const char *name, int first, int end,
                 int (*find)(const char *, int, int));
int certain_parameters(int first, int end);
void refuse_host_code(int first, int end);
void refuse_lambda(int i, bool extended);
void rewrite_copy(int i);
Kind kind_of(const char *name);
const int *outer_names(int *count);
int function_start(int i);
bool is_named_elsewhere(int first, int parameters);
int mentions_outside(const char *name, int *places, int most);
bool is_of_file(int i);
bool is_outer_name_of_system(const char *name);
bool is_the_outer_one(const char *name, int first, int end, bool called);
bool is_unevaluated(int i);
bool is_uncertain(int first, int end);
_Noreturn void refuse_at(int i, const char *message);

// host_variables.c
void refuse_host_variables(int i);

// device_names.c
bool may_be_device_variable(int i);
void refuse_device_variable(int i, int first, int end);
void refuse_argument(int from, int to, int first, int end);

// host_calls.c
void refuse_host_calls(int first, int end);
void refuse_host_member_calls(int i);

// misplaced.c
void refuse_misplaced(int i);
void refuse_member_kernel(int i);

// ptx.c
bool is_asm(int i);
void rewrite_ptx(int i);

// unsupported.c
void refuse_unsupported(int i, bool in_device_code);

#endif
