// What a thread can find out of its groups, and what it must find, by its number.
#pragma once

const unsigned BLOCK_X = 16, BLOCK_Y = 6; // 96 threads, three warps
const unsigned BLOCKS = 3;
const unsigned THREADS = BLOCKS * BLOCK_X * BLOCK_Y;

struct Answer
{
    unsigned block, x, y, rank, size;     // in the block
    unsigned tile32, rank32;              // which of its tiles of 32, and where in that
    unsigned tile4, rank4;                // which of that tile's tiles of 4, and where in that
    unsigned shfl, up, down, change, any; // what shuffles and a vote in the tile of 4 give
    unsigned alike_size, alike_rank;      // among those of the tile of 32 with the same rank % 3
};

// The same from the thread's number alone.
Answer expected_answer(unsigned n)
{
    Answer a;
    a.size = BLOCK_X * BLOCK_Y;
    a.block = n / a.size;
    a.rank = n % a.size;
    a.x = a.rank % BLOCK_X;
    a.y = a.rank / BLOCK_X;
    a.tile32 = a.rank / 32;
    a.rank32 = a.rank % 32;
    a.tile4 = a.rank32 / 4;
    a.rank4 = a.rank % 4;
    a.shfl = a.rank - a.rank4;
    a.up = a.rank4 > 0 ? a.rank - 1 : a.rank;
    a.down = a.rank4 < 3 ? a.rank + 1 : a.rank;
    a.change = a.rank ^ 1;
    a.any = a.rank / 4 == 1;
    a.alike_size = a.rank32 % 3 < 2 ? 11 : 10; // 32 = 11 + 11 + 10
    a.alike_rank = a.rank32 / 3;
    return a;
}
