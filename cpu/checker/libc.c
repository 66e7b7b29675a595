// Functions of the C library that read or write memory of the program's. Their code is not compiled for
// the checker, so the linker (--wrap) sends their calls here. Calls of the runtime's own go on at once.
#include "libc.h"
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdarg.h>
#include <unistd.h>
#include "../runtime/worker.h"
#include "access.h"
#include "lock.h"
#include "order.h"
#include "shadow.h"
#include "site.h"
#include "unwritten.h"

extern char __start_cudacpu_text, __stop_cudacpu_text;

static bool is_ours(const void *pc)
{
    return (const char *)pc >= &__start_cudacpu_text && (const char *)pc < &__stop_cudacpu_text;
}

static void note(const void *address, size_t bytes, uint32_t what, const void *pc)
{
    if (bytes > 0 &&
        (shadow_chunk(address) != NULL || shadow_chunk((const char *)address + bytes - 1) != NULL))
    {
        access_note(address, bytes, what | IS_BULK, (const char *)pc - 1);
    }
}

static void note_copied(const void *address, size_t bytes, uint32_t what, const void *pc)
{
    if (unwritten_any && bytes > 0)
    {
        access_note_copied(address, bytes, what | IS_BULK, (const char *)pc - 1);
    }
}

static void note_read(const void *address, size_t bytes, const void *pc)
{
    if (!is_ours(pc))
    {
        note_copied(address, bytes, 0, pc);
        note(address, bytes, 0, pc);
    }
}

// `pc`: where the call returns to.
void libc_note_write(const void *address, size_t bytes, const void *pc)
{
    if (!is_ours(pc))
    {
        note_copied(address, bytes, IS_WRITE, pc);
        note(address, bytes, IS_WRITE, pc);
    }
}

// What is not written of the source is not written in the copy, either. Where the two overlap, as those of
// memmove may, it goes on in the order in which the bytes can be moved, by as many as do not overlap. (Such a
// copy within an array is not told by itself.)
static void copy_unwritten(char *to, const char *from, size_t bytes, uint32_t site,
                           uint32_t sequence)
{
    const size_t ahead = (uintptr_t)to - (uintptr_t)from, behind = (uintptr_t)from - (uintptr_t)to;
    const size_t apart = ahead < bytes ? ahead : behind < bytes ? behind : 0;
    if (apart == 0)
    {
        if (to != from)
        {
            shadow_set_written(to, bytes);
            unwritten_copy(to, from, bytes, site, sequence);
        }
        return;
    }
    for (size_t done = 0, part; done < bytes; done += part)
    {
        part = apart < bytes - done ? apart : bytes - done;
        const size_t at = ahead < bytes ? bytes - done - part : done;
        shadow_set_written(to + at, part);
        unwritten_copy(to + at, from + at, part, 0, 0);
    }
}

static void note_copy(void *to, const void *from, size_t bytes, const void *pc)
{
    if (!is_ours(pc))
    {
        note(from, bytes, 0, pc);
        note(to, bytes, IS_WRITE, pc);
        const bool in_kernel = this_worker != NULL && this_worker->in_kernel;
        lock_take();
        copy_unwritten(to, from, bytes, in_kernel ? 0 : site_of((const char *)pc - 1),
                       in_kernel ? 0 : order_sequence());
        lock_give();
    }
}

#define PC __builtin_return_address(0)
// Declares the function of the library and ours.
#define WRAP(T, name, parameters) \
    T __real_##name parameters;   \
    T __wrap_##name parameters;   \
    T __wrap_##name parameters

WRAP(void *, memcpy, (void *to, const void *from, size_t bytes))
{
    note_copy(to, from, bytes, PC);
    return __real_memcpy(to, from, bytes);
}

WRAP(void *, memmove, (void *to, const void *from, size_t bytes))
{
    note_copy(to, from, bytes, PC);
    return __real_memmove(to, from, bytes);
}

WRAP(void *, memset, (void *to, int value, size_t bytes))
{
    libc_note_write(to, bytes, PC);
    return __real_memset(to, value, bytes);
}

WRAP(int, memcmp, (const void *a, const void *b, size_t bytes))
{
    note_read(a, bytes, PC);
    note_read(b, bytes, PC);
    return __real_memcmp(a, b, bytes);
}

WRAP(size_t, strlen, (const char *text))
{
    const size_t length = __real_strlen(text);
    note_read(text, length + 1, PC);
    return length;
}

WRAP(char *, strcpy, (char *to, const char *from))
{
    note_copy(to, from, __real_strlen(from) + 1, PC);
    return __real_strcpy(to, from);
}

WRAP(char *, strncpy, (char *to, const char *from, size_t bytes))
{
    libc_note_write(to, bytes, PC);
    return __real_strncpy(to, from, bytes);
}

WRAP(int, strcmp, (const char *a, const char *b))
{
    size_t same = 0; // neither text needs an end behind the first difference
    while (a[same] == b[same] && a[same] != '\0')
    {
        ++same;
    }
    note_read(a, same + 1, PC);
    note_read(b, same + 1, PC);
    return __real_strcmp(a, b);
}

WRAP(size_t, fread, (void *to, size_t size, size_t count, FILE *file))
{
    const size_t got = __real_fread(to, size, count, file);
    libc_note_write(to, size * got, PC);
    return got;
}

WRAP(size_t, fwrite, (const void *from, size_t size, size_t count, FILE *file))
{
    note_read(from, size * count, PC);
    return __real_fwrite(from, size, count, file);
}

WRAP(char *, fgets, (char *to, int size, FILE *file))
{
    char *got = __real_fgets(to, size, file);
    if (got != NULL)
    {
        libc_note_write(to, __real_strlen(to) + 1, PC);
    }
    return got;
}

WRAP(ssize_t, read, (int file, void *to, size_t bytes))
{
    const ssize_t got = __real_read(file, to, bytes);
    libc_note_write(to, got > 0 ? (size_t)got : 0, PC);
    return got;
}

WRAP(ssize_t, pread, (int file, void *to, size_t bytes, off_t at))
{
    const ssize_t got = __real_pread(file, to, bytes, at);
    libc_note_write(to, got > 0 ? (size_t)got : 0, PC);
    return got;
}

WRAP(ssize_t, write, (int file, const void *from, size_t bytes))
{
    note_read(from, bytes, PC);
    return __real_write(file, from, bytes);
}

WRAP(int, vsnprintf, (char *to, size_t size, const char *format, va_list values))
{
    const int length = __real_vsnprintf(to, size, format, values);
    if (length >= 0 && size > 0)
    {
        libc_note_write(to, (size_t)length < size ? (size_t)length + 1 : size, PC);
    }
    return length;
}

int __wrap_snprintf(char *to, size_t size, const char *format, ...);
int __wrap_snprintf(char *to, size_t size, const char *format, ...)
{
    va_list values;
    va_start(values, format);
    const int length = __real_vsnprintf(to, size, format, values);
    va_end(values);
    if (length >= 0 && size > 0)
    {
        libc_note_write(to, (size_t)length < size ? (size_t)length + 1 : size, PC);
    }
    return length;
}

WRAP(void, qsort,
     (void *all, size_t count, size_t size, int (*compare)(const void *, const void *)))
{
    note_read(all, count * size, PC);
    __real_qsort(all, count, size, compare);
    libc_note_write(all, count * size, PC);
}

// What a copy has left unwritten in memory of the heap means nothing for its next owner.
static void note_freed(void *memory)
{
    if (unwritten_any && memory != NULL)
    {
        lock_take();
        unwritten_set_written(memory, malloc_usable_size(memory));
        lock_give();
    }
}

WRAP(void, free, (void *memory))
{
    note_freed(memory);
    __real_free(memory);
}

WRAP(void *, realloc, (void *memory, size_t bytes))
{
    note_freed(memory);
    return __real_realloc(memory, bytes);
}

// operator delete, delete[], and both with the size.
WRAP(void, _ZdlPv, (void *memory))
{
    note_freed(memory);
    __real__ZdlPv(memory);
}

WRAP(void, _ZdlPvm, (void *memory, size_t bytes))
{
    note_freed(memory);
    __real__ZdlPvm(memory, bytes);
}

WRAP(void, _ZdaPv, (void *memory))
{
    note_freed(memory);
    __real__ZdaPv(memory);
}

WRAP(void, _ZdaPvm, (void *memory, size_t bytes))
{
    note_freed(memory);
    __real__ZdaPvm(memory, bytes);
}

// std::istream::read: the stream's object comes first.
WRAP(void *, _ZNSi4readEPcl, (void *stream, char *to, long bytes))
{
    void *result = __real__ZNSi4readEPcl(stream, to, bytes);
    libc_note_write(to, bytes > 0 ? (size_t)bytes : 0, PC);
    return result;
}

// Also called by other libraries (std::thread, OpenMP), which --wrap does not reach. The runtime's own
// threads access no memory of the program's.
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *data)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
    if (real == NULL)
    {
        void *const found = dlsym(RTLD_NEXT, "pthread_create");
        memcpy(&real, &found, sizeof(real));
    }
    if (!is_ours(PC))
    {
        lock_needed = true;
    }
    return real(thread, attributes, run, data);
}
