// Elements of CUDA arrays: how their bytes become numbers.
#ifndef CUDACPU_TEXEL_H
#define CUDACPU_TEXEL_H
#include "base.h"
#include "cudacpu_array.h"

typedef enum ChannelType
{
    SIGNED_8,
    SIGNED_16,
    SIGNED_32,
    UNSIGNED_8,
    UNSIGNED_16,
    UNSIGNED_32,
    FLOAT_16,
    FLOAT_32
} ChannelType;

typedef struct TexelFormat
{
    ChannelType type;
    unsigned num_channels, bytes; // 1, 2 or 4 channels; the bytes of all of them
    bool normalized;              // the format says that it is read from 0 to 1, or -1 to 1
} TexelFormat;

bool texel_format(const cudaChannelFormatDesc *description, TexelFormat *format);
bool texel_format_of_view(cudaResourceViewFormat view, TexelFormat *format);
bool texel_can_be_normalized(const TexelFormat *format);
bool texel_is_float(const TexelFormat *format);
void texel_prepare_srgb(void);
cudacpu_Texel texel_read(const TexelFormat *format, const char *at, bool normalized, bool srgb);

#endif
