// A heap for the tests, loaded by LD_PRELOAD. An array ends where a page ends, and the next page can
// be neither read nor written: an index past the end stops the program there. Fresh memory is full
// of bytes 0xff, which are NaN in float and in double, and so is what lies around an array: before
// it, from where its mapping begins, and behind it up to a multiple of 16 bytes. A program that reads
// what it has not written, or beside it, computes with NaN. free() looks whether the bytes around
// have changed. Freed pages are gone.
//
// A process can have some 65000 mappings. So small blocks come from the C library, and so do all
// others while 20000 are mapped. These have no page behind them, but the bytes around them are
// checked, too.
#define _GNU_SOURCE
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *__libc_malloc(size_t);
void __libc_free(void *);

enum
{
    PAGE = 4096,
    AROUND = 16, // bytes of 0xff before a block, and up to as many after it
    SMALL = 128, // bytes
    MOST_MAPPED = 20000
};

static const uint64_t MARK = 0xb10cb10cb10cb10c;

// Stands before the block, with AROUND bytes in between.
struct Header
{
    uint64_t mark;
    size_t bytes;  // of the block
    char *start;   // of the mapping, or what the C library gave
    size_t mapped; // bytes of the mapping; 0: it is the C library's
};

static int num_mapped;

static size_t rounded(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

static struct Header *header_of(void *block)
{
    return (struct Header *)((char *)block - AROUND) - 1;
}

static void stop(const char *why)
{
    static const char name[] = "fence: ";
    if (write(2, name, sizeof(name) - 1) < 0 || write(2, why, strlen(why)) < 0)
    {
        _exit(134);
    }
    abort();
}

static void *allocate(size_t bytes, size_t alignment)
{
    const size_t before = rounded(sizeof(struct Header) + AROUND, alignment);
    if (bytes > SIZE_MAX / 2 || alignment > SIZE_MAX / 8)
    {
        errno = ENOMEM;
        return NULL;
    }
    struct Header header = {MARK, bytes, NULL, 0};
    char *block = NULL;
    if (bytes >= SMALL && __atomic_add_fetch(&num_mapped, 1, __ATOMIC_RELAXED) <= MOST_MAPPED)
    {
        const size_t more =
            alignment > PAGE ? alignment : 0; // the end is a multiple of a page only
        header.mapped = rounded(before + rounded(bytes, alignment) + more, PAGE) + PAGE;
        header.start = mmap(NULL, header.mapped, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); // NULL for more than there is
        if (header.start == MAP_FAILED)
        {
            __atomic_sub_fetch(&num_mapped, 1, __ATOMIC_RELAXED);
            errno = ENOMEM;
            return NULL;
        }
        char *const guard = header.start + header.mapped - PAGE;
        if (mprotect(guard, PAGE, PROT_NONE) != 0)
        {
            stop("no guard page: this machine's pages do not have 4096 bytes\n");
        }
        block = (char *)((uintptr_t)(guard - bytes) / alignment * alignment);
        memset(block + bytes, 0xff, guard - (block + bytes));
        memset(header.start, 0xff, block - header.start);
    }
    else
    {
        if (bytes >= SMALL)
        {
            __atomic_sub_fetch(&num_mapped, 1, __ATOMIC_RELAXED);
        }
        header.start = __libc_malloc(before + alignment + bytes + AROUND);
        if (header.start == NULL)
        {
            return NULL;
        }
        block = (char *)rounded((uintptr_t)header.start + before, alignment);
        memset(block + bytes, 0xff, AROUND);
    }
    memset(block - AROUND, 0xff, AROUND + bytes);
    *header_of(block) = header;
    return block;
}

static void check(const struct Header *header, const unsigned char *block)
{
    if (header->mark != MARK)
    {
        stop("free() of what is no block, or of one that was freed before\n");
    }
    const size_t after =
        header->mapped
            ? (size_t)(header->start + header->mapped - PAGE - (const char *)block - header->bytes)
            : AROUND;
    for (size_t n = 0; n < AROUND; ++n)
    {
        if (block[-1 - (ptrdiff_t)n] != 0xff || (n < after && block[header->bytes + n] != 0xff))
        {
            stop("something was written beside a block of the heap\n");
        }
    }
}

void *malloc(size_t bytes) { return allocate(bytes, 16); }

void free(void *block)
{
    if (block == NULL)
    {
        return;
    }
    const int error = errno;
    struct Header *const header = header_of(block), copy = *header;
    check(header, block);
    header->mark = 0;
    if (copy.mapped)
    {
        munmap(copy.start, copy.mapped);
        __atomic_sub_fetch(&num_mapped, 1, __ATOMIC_RELAXED);
    }
    else
    {
        memset(block, 0xff, copy.bytes);
        __libc_free(copy.start);
    }
    errno = error;
}

void *calloc(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
    {
        errno = ENOMEM;
        return NULL;
    }
    void *const block = allocate(bytes, 16);
    return block == NULL ? NULL : memset(block, 0, bytes);
}

void *realloc(void *old, size_t bytes)
{
    if (old == NULL)
    {
        return malloc(bytes);
    }
    if (bytes == 0)
    {
        free(old);
        return NULL;
    }
    void *const block = malloc(bytes);
    if (block != NULL)
    {
        const size_t before = header_of(old)->bytes;
        memcpy(block, old, before < bytes ? before : bytes);
        free(old);
    }
    return block;
}

void *memalign(size_t alignment, size_t bytes)
{
    return allocate(bytes, alignment < 16 ? 16 : alignment);
}

void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }

void *valloc(size_t bytes) { return memalign(PAGE, bytes); }

void *pvalloc(size_t bytes) { return memalign(PAGE, rounded(bytes, PAGE)); }

int posix_memalign(void **block, size_t alignment, size_t bytes)
{
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0)
    {
        return EINVAL;
    }
    void *const got = memalign(alignment, bytes);
    if (got == NULL)
    {
        return ENOMEM;
    }
    *block = got;
    return 0;
}

size_t malloc_usable_size(void *block) { return block == NULL ? 0 : header_of(block)->bytes; }
