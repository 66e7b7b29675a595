// The table of texture and surface objects. A handle is the number of a place in the table, and how
// often this place has been given away: a handle of an object that is gone is found to be wrong.
#include "texture.h"
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include "check.h"
#include "device.h"
#include "queue.h"
#include "report.h"

enum
{
    PLACES_IN_PART = 1024,
    MAX_PARTS = 1024
};

typedef struct Place
{
    Texture texture;
    uint32_t turn; // how often it has been given away
} Place;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static Place *_Atomic parts[MAX_PARTS];
static size_t num_places, num_ended; // of those ended some may be gone by now

static Place *place_at(size_t number)
{
    return &parts[number / PLACES_IN_PART][number % PLACES_IN_PART];
}

static unsigned long long handle_of(size_t number)
{
    return (unsigned long long)place_at(number)->turn << 32 | (number + 1);
}

CALLED_BY_KERNELS static Place *place_of(unsigned long long handle)
{
    const uint32_t number = (uint32_t)handle - 1;
    if ((uint32_t)handle == 0 || number >= MAX_PARTS * PLACES_IN_PART)
    {
        return NULL;
    }
    Place *part = atomic_load_explicit(&parts[number / PLACES_IN_PART], memory_order_acquire);
    Place *place = part != NULL ? &part[number % PLACES_IN_PART] : NULL;
    return place != NULL && place->turn == handle >> 32 ? place : NULL;
}

// Nothing that the program has launched can use it any more.
static bool is_gone(const Texture *texture)
{
    return texture->kind == NO_OBJECT ||
           (texture->ended && queue_done(texture->device, texture->last_use));
}

// A place that has had its object, or a new one. The caller holds the lock.
static size_t find_place(void)
{
    for (size_t i = 0; num_ended > 0 && i < num_places; ++i)
    {
        if (is_gone(&place_at(i)->texture))
        {
            --num_ended;
            return i;
        }
    }
    if (num_places == MAX_PARTS * PLACES_IN_PART)
    {
        exhausted("a place for a texture object", ENOMEM);
    }
    if (num_places % PLACES_IN_PART == 0)
    {
        Place *part = calloc(PLACES_IN_PART, sizeof(*part));
        if (part == NULL)
        {
            exhausted("memory for texture objects", errno);
        }
        atomic_store_explicit(&parts[num_places / PLACES_IN_PART], part, memory_order_release);
    }
    return num_places++;
}

// Returns its handle.
unsigned long long texture_add(const Texture *texture)
{
    pthread_mutex_lock(&lock);
    const size_t number = find_place();
    Place *place = place_at(number);
    place->texture = *texture;
    place->turn++;
    const unsigned long long handle = handle_of(number);
    pthread_mutex_unlock(&lock);
    return handle;
}

static void end(Texture *texture)
{
    texture->last_use = queue_last(texture->device);
    texture->ended = true;
    ++num_ended;
}

// False if there is no such object.
bool texture_end(unsigned long long handle, ObjectKind kind)
{
    pthread_mutex_lock(&lock);
    Place *place = place_of(handle);
    const bool right = place != NULL && place->texture.kind == kind && !place->texture.ended;
    if (right)
    {
        end(&place->texture);
    }
    pthread_mutex_unlock(&lock);
    return right;
}

void texture_end_all(int device)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < num_places; ++i)
    {
        Texture *texture = &place_at(i)->texture;
        if (texture->kind != NO_OBJECT && texture->device == device && !texture->ended)
        {
            end(texture);
        }
    }
    pthread_mutex_unlock(&lock);
}

// The queue has a lock: no other thread of the block may have a turn while this one holds it.
CALLED_BY_KERNELS static bool is_gone_for_kernels(const Texture *texture)
{
    Worker *worker = this_worker;
    const bool preemptible = worker != NULL && worker->preemptible;
    if (preemptible)
    {
        set_preemptible(worker, false);
    }
    const bool gone = is_gone(texture);
    if (preemptible)
    {
        set_preemptible(worker, true);
    }
    return gone;
}

// NULL: there is none.
CALLED_BY_KERNELS const Texture *texture_find(unsigned long long handle, ObjectKind kind)
{
    const Place *place = place_of(handle);
    const Texture *texture = place != NULL ? &place->texture : NULL;
    return texture != NULL && texture->kind == kind &&
                   __builtin_expect(!texture->ended || !is_gone_for_kernels(texture), 1)
               ? texture
               : NULL;
}

// Whether there has been an object of this handle.
bool texture_was_there(unsigned long long handle)
{
    const uint32_t number = (uint32_t)handle - 1, turn = handle >> 32;
    return (uint32_t)handle != 0 && number < num_places && turn != 0 &&
           turn <= place_at(number)->turn;
}

// The first one from number *next on that the program has made and not destroyed; *next then is the
// number of the one after it. False: there are no more.
bool texture_never_ended(size_t *next, Texture *copy)
{
    pthread_mutex_lock(&lock);
    size_t i = *next;
    while (i < num_places && (place_at(i)->texture.ended || place_at(i)->texture.num_callers == 0))
    {
        ++i;
    }
    const bool found = i < num_places;
    if (found)
    {
        *copy = place_at(i)->texture;
        *next = i + 1;
    }
    pthread_mutex_unlock(&lock);
    return found;
}

// --- what ends a kernel --------------------------------------------------------------------------

// What a texture reads, for a report: "a 2-D array of 64 x 32 elements of 4 bytes".
void texture_describe(const Texture *t, char *text, size_t size)
{
    if (this_worker != NULL)
    {
        set_preemptible(this_worker, false); // the list of arrays has a lock
    }
    if (t->resource_type == cudaResourceTypeArray &&
        array_state(t->resource.res.array.array) == ARRAY_THERE)
    {
        array_describe(t->resource.res.array.array, text, size);
        return;
    }
    snprintf(text, size, "%s",
             t->resource_type == cudaResourceTypeLinear    ? "linear memory"
             : t->resource_type == cudaResourceTypePitch2D ? "pitched memory of two dimensions"
                                                           : "an array that was freed");
}

// The thread that runs has done what cannot be done, where it has called `pc`. Its block ends.
_Noreturn void texture_fail(const void *pc, cudaError_t error, const char *format, ...)
{
    Worker *worker = this_worker;
    if (worker == NULL || !worker->in_kernel)
    {
        fprintf(stderr, "CPU backend: only kernels read textures and surfaces\n");
        abort();
    }
    set_preemptible(worker, false);
    if (launch_fail(worker->launch, error)) // only the first thread is reported
    {
        char what[400], who[512], where[256];
        va_list values;
        va_start(values, format);
        vsnprintf(what, sizeof(what), format, values);
        va_end(values);
        report_name(worker->launch, worker->block, worker->current, who, sizeof(who));
        const bool known = report_position((char *)pc, where, sizeof(where));
        check_reported(known ? where : "");
        fprintf(stderr, "CPU backend: %s, %s:\n  %s\n", who, known ? where : "line unknown", what);
    }
    worker_abandon(worker, error);
}

// A handle is not that of an object of this kind.
_Noreturn void texture_fail_object(const void *pc, unsigned long long handle, ObjectKind kind)
{
    const char *name = kind == TEXTURE ? "texture" : "surface";
    const char *other = kind == TEXTURE ? "surface" : "texture";
    const bool is_other = texture_find(handle, kind == TEXTURE ? SURFACE : TEXTURE) != NULL;
    if (handle == 0)
    {
        texture_fail(pc, cudaErrorIllegalAddress,
                     "the %s object is 0: it was never made, or the %s reference is not bound",
                     name, name);
    }
    if (is_other)
    {
        texture_fail(pc, cudaErrorIllegalAddress, "a %s object stands where a %s object belongs",
                     other, name);
    }
    texture_fail(pc, cudaErrorIllegalAddress,
                 texture_was_there(handle) ? "this %s object was destroyed before"
                                           : "the handle is not that of a %s object",
                 name);
}
