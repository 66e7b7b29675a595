// What one request of a warp costs, by the rules of NVIDIA's GPUs since Volta.
//
// Global memory is moved in sectors of 32 bytes. A request takes each sector once that its lanes touch.
// Shared memory has 32 banks, each 4 bytes wide. In one wavefront each bank gives one word, to all lanes
// that want it. Lanes with 8 bytes go in two halves of the warp, and lanes with 16 bytes in four quarters. Two
// halves, or the two quarters of a half, go together if each lane shares its place with the one beside it, or
// with the one two further: lanes 0 and 1, 2 and 3, or 0 and 2, 1 and 3. (Nsight Compute counts so on an H100:
// all lanes at one place are one wavefront with 8 bytes and two with 16.)
// Constant memory gives one address at a time, to all lanes that want it.
#include "cost.h"
#include "../runtime/memory.h"
#include "places.h"

enum
{
    SECTOR = 32,
    BANKS = 32,
    WORD = 4,
    VECTOR = 16 // bytes that a lane can access at once
};

// ---- Where an address lies ----------------------------------------------------------------------

typedef struct Known
{
    uintptr_t start, end;
    Space space;
} Known;
static THREAD_LOCAL Known known;
static THREAD_LOCAL unsigned known_version;

static Space look_up(const void *address)
{
    Allocation a;
    if (!memory_copy_of(address, &a) || a.kind == FREED)
    {
        return LOCAL;
    }
    known = (Known){(uintptr_t)a.start, (uintptr_t)a.start + a.bytes,
                    a.kind == CONSTANT ? CONSTANTS : GLOBAL};
    known_version = memory_version;
    return known.space;
}

Space cost_space(const void *address)
{
    const Worker *worker = this_worker;
    const Fiber *fiber = worker->running;
    if ((uintptr_t)address - (uintptr_t)fiber->stack < fiber->bytes)
    {
        return LOCAL;
    }
    if ((uintptr_t)address - cudacpu_shared_start < cudacpu_shared_bytes)
    {
        return SHARED;
    }
    if (known_version == memory_version &&
        (uintptr_t)address - known.start < known.end - known.start)
    {
        return known.space;
    }
    return look_up(address);
}

// ---- Requests that are one ----------------------------------------------------------------------

// nvcc reads x[n].x, x[n].y, x[n].z and x[n].w of a float4 by one access of 16 bytes. Here they are four: of
// the same lanes, side by side, in a piece of 16 bytes that is aligned so. (A copy of all of it is one here, too:
// vector_types.h.) A program that names no such type has no such access, and four floats side by side are no
// float4: of these the source says no x, y, z or w.
__attribute__((weak)) extern const int cudacpu_count_vectors; // the largest alignment of a type

unsigned cost_largest_vector(void)
{
    return &cudacpu_count_vectors != NULL ? cudacpu_count_vectors : 0;
}

// The structures of the program, as cpucc tells of them.
typedef struct Type
{
    unsigned size, align;
    const char *name; // as in the linker's names
} Type;
__attribute__((weak)) extern const Type __start_cudacpu_types[], __stop_cudacpu_types[];

// The largest of those that have this size, or only of those that the functions at `pc` name. 0: there is none.
static unsigned largest_alignment(size_t size, const void *pc, bool *is_certain)
{
    unsigned most = 0;
    for (const Type *type = __start_cudacpu_types; type != NULL && type < __stop_cudacpu_types;
         ++type)
    {
        if (type->size == size && (pc == NULL || places_name_type(pc, type->name)))
        {
            *is_certain = *is_certain && (most == 0 || type->align == most);
            most = type->align > most ? type->align : most;
        }
    }
    return most;
}

static unsigned alignment_of_size(size_t size, const void *pc)
{
    bool is_certain = true;
    unsigned most = largest_alignment(size, NULL, &is_certain);
    if (!is_certain)
    {
        const unsigned named = largest_alignment(size, pc, &is_certain);
        most = named != 0 ? named : most; // (the one that is not aligned is often the host's)
    }
    return most != 0                                               ? most
           : size == 3 * sizeof(double)                            ? sizeof(double) // double3
           : size % VECTOR == 0 && cost_largest_vector() == VECTOR ? VECTOR
                                                                   : WORD;
}

// nvcc moves a structure in pieces as large as its alignment. Of one of 8 or 16 bytes the compiler has told it: it
// is less than that.
unsigned cost_piece(const void *address, size_t bytes, const void *pc)
{
    const bool is_told = bytes <= VECTOR && (bytes & (bytes - 1)) == 0;
    const uintptr_t all =
        (uintptr_t)address | bytes | (is_told ? WORD : alignment_of_size(bytes, pc));
    unsigned piece = 1;
    while (piece < VECTOR && all % (2 * piece) == 0)
    {
        piece *= 2;
    }
    return piece;
}

// Whether each lane of `b` accesses what lies `distance` bytes behind that of `a`.
static bool are_apart(const Request *a, const Request *b, int64_t distance)
{
    if (b->access != a->access || b->lanes != a->lanes || b->bytes != a->bytes || b->is_part)
    {
        return false;
    }
    for (uint32_t rest = a->lanes; rest != 0; rest &= rest - 1)
    {
        const unsigned lane = __builtin_ctz(rest);
        if (b->address[lane] != a->address[lane] + distance)
        {
            return false;
        }
    }
    return true;
}

static bool is_aligned(const Request *request, unsigned bytes)
{
    for (uint32_t rest = request->lanes; rest != 0; rest &= rest - 1)
    {
        if ((uintptr_t)request->address[__builtin_ctz(rest)] % bytes != 0)
        {
            return false;
        }
    }
    return true;
}

// Whether one of the other kind comes between the two: it may change what is read.
static bool is_divided(const Request *requests, unsigned i, unsigned j)
{
    const unsigned first = i < j ? i : j, last = i < j ? j : i;
    for (unsigned k = first; k < last; ++k)
    {
        if (requests[k].access != requests[i].access)
        {
            return true;
        }
    }
    return false;
}

// Joins what lies within `whole` bytes from request i on, if all of it is there.
static bool join(Request *requests, unsigned num, unsigned i, unsigned whole)
{
    Request *first = &requests[i];
    unsigned parts[VECTOR], num_parts = whole / first->bytes;
    if (num_parts < 2 || first->access == ATOMIC || first->is_part || !is_aligned(first, whole))
    {
        return false;
    }
    for (unsigned k = 1; k < num_parts; ++k)
    {
        parts[k] = 0;
        for (unsigned j = 0; j < num && parts[k] == 0; ++j)
        {
            const bool is_next = j != i && !is_divided(requests, i, j) &&
                                 are_apart(first, &requests[j], (int64_t)k * first->bytes);
            const bool is_member =
                is_next && places_name_member(requests[j].pc, first->access == STORE);
            parts[k] = is_member ? j + 1 : 0;
        }
        if (parts[k] == 0)
        {
            return false;
        }
    }
    for (unsigned k = 1; k < num_parts; ++k)
    {
        requests[parts[k] - 1].lanes = 0;
    }
    first->bytes = whole;
    return true;
}

// Returns how many are left.
unsigned cost_join(Request *requests, unsigned num)
{
    const unsigned most = cost_largest_vector();
    for (unsigned whole = VECTOR; whole > 1 && num > 1; whole /= 2)
    {
        for (unsigned i = 0; i < num && whole <= most; ++i)
        {
            if (requests[i].lanes != 0 && requests[i].bytes < whole)
            {
                join(requests, num, i, whole);
            }
        }
    }
    unsigned left = 0;
    for (unsigned i = 0; i < num; ++i)
    {
        if (requests[i].lanes != 0)
        {
            if (left != i)
            {
                requests[left] = requests[i];
            }
            ++left;
        }
    }
    return left;
}

// ---- The cost -----------------------------------------------------------------------------------

// Puts a number into a list without it. The lists are short, and mostly in order.
static unsigned add_to(uint64_t *list, unsigned num, uint64_t number)
{
    unsigned i = num;
    while (i > 0 && list[i - 1] > number)
    {
        --i;
    }
    if (i > 0 && list[i - 1] == number)
    {
        return num;
    }
    for (unsigned k = num; k > i; --k)
    {
        list[k] = list[k - 1];
    }
    list[i] = number;
    return num + 1;
}

// How many different addresses there are, and the most lanes at one.
static unsigned different(const Request *request, uint32_t *together)
{
    uint64_t list[WARP_SIZE];
    unsigned num = 0;
    *together = 0;
    for (uint32_t rest = request->lanes; rest != 0; rest &= rest - 1)
    {
        const char *address = request->address[__builtin_ctz(rest)];
        const unsigned before = num;
        num = add_to(list, num, (uintptr_t)address);
        if (num != before)
        {
            uint32_t same = 0;
            for (uint32_t others = request->lanes; others != 0; others &= others - 1)
            {
                same += request->address[__builtin_ctz(others)] == address;
            }
            *together = same > *together ? same : *together;
        }
    }
    return num;
}

static unsigned sectors_of(const Request *request)
{
    uint64_t list[2 * WARP_SIZE];
    unsigned num = 0;
    for (uint32_t rest = request->lanes; rest != 0; rest &= rest - 1)
    {
        const uintptr_t start = (uintptr_t)request->address[__builtin_ctz(rest)],
                        last = start + request->bytes - 1;
        num = add_to(list, num, start / SECTOR);
        if (last / SECTOR != start / SECTOR)
        {
            num = add_to(list, num, last / SECTOR);
        }
    }
    return num;
}

// The wavefronts of some lanes that go together.
static unsigned wavefronts_of(const Request *request, uint32_t lanes)
{
    uint64_t words[WARP_SIZE * VECTOR / WORD];
    unsigned num = 0, of_bank[BANKS] = {0}, most = 0;
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    {
        const uintptr_t start = (uintptr_t)request->address[__builtin_ctz(rest)];
        for (uintptr_t word = start / WORD; word <= (start + request->bytes - 1) / WORD; ++word)
        {
            const unsigned before = num;
            num = add_to(words, num, word);
            if (num != before)
            {
                const unsigned count = ++of_bank[word % BANKS];
                most = count > most ? count : most;
            }
        }
    }
    return most;
}

// Whether each of the lanes accesses what its neighbour does: the lane `distance` from it, if that one is active.
static bool is_shared(const Request *request, uint32_t lanes, unsigned distance)
{
    for (uint32_t rest = lanes; rest != 0; rest &= rest - 1)
    {
        const unsigned lane = __builtin_ctz(rest), neighbour = lane ^ distance;
        if ((lanes >> neighbour & 1) != 0 && request->address[neighbour] != request->address[lane])
        {
            return false;
        }
    }
    return true;
}

// The lanes that may go together, from `first` on: `num` of them, or twice as many where they share.
static uint32_t together_from(const Request *request, unsigned first, unsigned num)
{
    const uint32_t one = num == WARP_SIZE ? ~0u : ((1u << num) - 1) << first;
    if (num == WARP_SIZE || first % (2 * num) != 0)
    {
        return one & request->lanes;
    }
    const uint32_t two = (one | one << num) & request->lanes;
    return is_shared(request, two, 1) || is_shared(request, two, 2) ? two : one & request->lanes;
}

static Cost of_shared(const Request *request)
{
    const unsigned num = WARP_SIZE / (request->bytes > 8 ? 4 : request->bytes > 4 ? 2 : 1);
    Cost cost = {0};
    for (uint32_t rest = request->lanes; rest != 0;)
    {
        const unsigned first = __builtin_ctz(rest) / num * num;
        const uint32_t lanes = together_from(request, first, num) & rest;
        cost.units += wavefronts_of(request, lanes);
        ++cost.least;
        rest &= ~lanes;
    }
    cost.useful = different(request, &cost.together) * request->bytes;
    return cost;
}

Cost cost_of(const Request *request, Space space)
{
    if (space == SHARED)
    {
        return of_shared(request);
    }
    Cost cost = {0};
    const unsigned num = different(request, &cost.together);
    cost.units = space == GLOBAL ? sectors_of(request) : num;
    cost.useful = num * request->bytes;
    cost.least = space == GLOBAL ? (cost.useful + SECTOR - 1) / SECTOR : 1;
    return cost;
}
