// Elements of CUDA arrays: 1, 2 or 4 channels of one type. A texture gives each channel as 32 bits.
#include "texel.h"
#include <math.h>
#include <string.h>
#include "worker.h"

// --- formats -------------------------------------------------------------------------------------

// The type of channels of so many bits.
static bool type_of(cudaChannelFormatKind kind, int bits, ChannelType *type)
{
    const int size = bits == 8 ? 0 : bits == 16 ? 1 : bits == 32 ? 2 : -1;
    if (size < 0 || (kind == cudaChannelFormatKindFloat && size == 0))
    {
        return false;
    }
    *type = kind == cudaChannelFormatKindSigned     ? SIGNED_8 + size
            : kind == cudaChannelFormatKindUnsigned ? UNSIGNED_8 + size
                                                    : FLOAT_16 + size - 1;
    return true;
}

// What a kind that is read as numbers from 0 to 1 (or from -1 on) is without that; itself else.
static cudaChannelFormatKind plain_kind(cudaChannelFormatKind kind)
{
    return kind >= cudaChannelFormatKindUnsignedNormalized8X1 &&
                   kind <= cudaChannelFormatKindUnsignedNormalized16X4
               ? cudaChannelFormatKindUnsigned
           : kind >= cudaChannelFormatKindSignedNormalized8X1 &&
                   kind <= cudaChannelFormatKindSignedNormalized16X4
               ? cudaChannelFormatKindSigned
               : kind;
}

// False if there is no such format.
bool texel_format(const cudaChannelFormatDesc *d, TexelFormat *format)
{
    const cudaChannelFormatKind kind = plain_kind(d->f);
    const int bits[4] = {d->x, d->y, d->z, d->w};
    unsigned num = 0;
    while (num < 4 && bits[num] != 0)
    {
        ++num;
    }
    for (unsigned i = 0; i < 4; ++i)
    {
        if (bits[i] != (i < num ? d->x : 0))
        {
            return false;
        }
    }
    if ((unsigned)kind > cudaChannelFormatKindFloat || num == 0 || num == 3 ||
        !type_of(kind, d->x, &format->type))
    {
        return false;
    }
    format->num_channels = num;
    format->bytes = num * (unsigned)d->x / 8;
    format->normalized = kind != d->f;
    return !format->normalized || d->x <= 16;
}

// The same elements in another format. False if it is compressed, or no format at all.
bool texel_format_of_view(cudaResourceViewFormat view, TexelFormat *format)
{
    static const ChannelType TYPES[] = {UNSIGNED_8,  SIGNED_8,  UNSIGNED_16, SIGNED_16,
                                        UNSIGNED_32, SIGNED_32, FLOAT_16,    FLOAT_32};
    if (view < cudaResViewFormatUnsignedChar1 || view > cudaResViewFormatFloat4)
    {
        return false;
    }
    const unsigned number = view - cudaResViewFormatUnsignedChar1;
    static const unsigned BYTES[] = {1, 1, 2, 2, 4, 4, 2, 4};
    format->type = TYPES[number / 3];
    format->num_channels = 1u << number % 3;
    format->bytes = format->num_channels * BYTES[number / 3];
    format->normalized = false;
    return true;
}

bool texel_is_float(const TexelFormat *format)
{
    return format->type == FLOAT_16 || format->type == FLOAT_32;
}

bool texel_can_be_normalized(const TexelFormat *format)
{
    return format->type != SIGNED_32 && format->type != UNSIGNED_32;
}

// --- values --------------------------------------------------------------------------------------

static inline unsigned bits_of(float x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof(bits));
    return bits;
}

CALLED_BY_KERNELS static float float_of_half(unsigned half)
{
    const unsigned exponent = half >> 10 & 31, fraction = half & 1023;
    const unsigned sign = (half & 0x8000) << 16;
    float x;
    if (exponent == 0)
    {
        x = (float)fraction * 0x1p-24f;
        return sign ? -x : x;
    }
    const unsigned bits =
        sign | (exponent == 31 ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13;
    memcpy(&x, &bits, sizeof(x));
    return x;
}

static float linear_of_srgb[256];

// Called before the first texture with sRGB is there.
void texel_prepare_srgb(void)
{
    for (int i = 0; i < 256; ++i)
    {
        const double c = i / 255.0;
        linear_of_srgb[i] = (float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
    }
}

static inline float normalized_of(int value, int largest)
{
    return value < -largest ? -1.0f : (float)value / (float)largest;
}

CALLED_BY_KERNELS static unsigned read_channel(const TexelFormat *format, const char *at,
                                               unsigned number, bool normalized, bool srgb)
{
    const unsigned char *u8 = (const unsigned char *)at;
    const uint16_t *u16 = (const uint16_t *)at;
    const unsigned *u32 = (const unsigned *)at;
    switch (format->type)
    {
    case SIGNED_8:
        return normalized ? bits_of(normalized_of((signed char)u8[number], 127))
                          : (unsigned)(signed char)u8[number];
    case SIGNED_16:
        return normalized ? bits_of(normalized_of((int16_t)u16[number], 32767))
                          : (unsigned)(int16_t)u16[number];
    case UNSIGNED_8:
        return !normalized            ? u8[number]
               : srgb && number != 3u ? bits_of(linear_of_srgb[u8[number]]) // not the fourth: alpha
                                      : bits_of(normalized_of(u8[number], 255));
    case UNSIGNED_16:
        return normalized ? bits_of(normalized_of(u16[number], 65535)) : u16[number];
    case FLOAT_16:
        return bits_of(float_of_half(u16[number]));
    default:
        return u32[number];
    }
}

// The channels that the format lacks are 0, and the fourth is 1.
CALLED_BY_KERNELS cudacpu_Texel texel_read(const TexelFormat *format, const char *at,
                                           bool normalized, bool srgb)
{
    const bool is_float = normalized || texel_is_float(format);
    cudacpu_Texel texel = {{0, 0, 0, is_float ? bits_of(1.0f) : 1u}};
    for (unsigned i = 0; i < format->num_channels; ++i)
    {
        texel.channel[i] = read_channel(format, at, i, normalized, srgb);
    }
    return texel;
}
