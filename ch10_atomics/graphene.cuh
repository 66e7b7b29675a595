// Atoms in a plane, for the neighbour programs: a sheet of polycrystalline graphene, grown from a
// seed number, or a file with the two coordinates of an atom in each line. Both take O(N).
#pragma once
#include <algorithm>
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vector>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"

const double PI = 3.14159265358979323846;
const double BOND = 1.42;      // all lengths in angstrom
const double TOO_CLOSE = 1.2;  // where two grains meet, of two atoms as near as this one goes
const double GRAIN = 60.0;     // from one grain to the next
const double FARTHEST = 1.0e9; // a coordinate's magnitude: columns of cells are counted in int

struct Points
{
    size_t N;
    real *x, *y;
};

inline void free_points(Points *points)
{
    free(points->x);
    free(points->y);
}

inline Points copy_to_device(const Points *points)
{
    const size_t bytes = points->N * sizeof(real);
    Points copy = *points;
    CHECK(cudaMalloc(&copy.x, bytes));
    CHECK(cudaMalloc(&copy.y, bytes));
    CHECK(cudaMemcpy(copy.x, points->x, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(copy.y, points->y, bytes, cudaMemcpyHostToDevice));
    return copy;
}

inline void free_device_points(Points *points)
{
    CHECK(cudaFree(points->x));
    CHECK(cudaFree(points->y));
}

struct Place
{
    double x, y;
};

// The grain that starts in a tile of the plane. It does so in the tile's middle half, so that all
// that is nearest to it lies within 0.75 sqrt(2) tiles; and it grows turned by a random angle.
struct Grain
{
    Place start;
    double angle;
};

inline Grain grain_of(int column, int row, uint64_t seed)
{
    const uint64_t tile = (uint64_t)(uint32_t)row << 32 | (uint32_t)column;
    return {{GRAIN * (column + 0.25 + 0.5 * random_unit(seed, 3 * tile)),
             GRAIN * (row + 0.25 + 0.5 * random_unit(seed, 3 * tile + 1))},
            PI / 3.0 * random_unit(seed, 3 * tile + 2)};
}

inline double squared_distance(Place a, Place b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

// The sheet while it grows. A cell's diagonal is TOO_CLOSE, so that a cell never has two atoms.
struct Sheet
{
    double side;
    size_t cells;                  // in a row, two at each end staying empty
    std::vector<uint32_t> atom_in; // 1 + its number; 0: none
    std::vector<Place> atoms;
};

const double CELL_SIDE = TOO_CLOSE / sqrt(2.0);

// Enters an atom, unless it is outside or one that is there is too close.
inline void add_atom(Sheet *sheet, Place place)
{
    if (!(place.x >= 0.0 && place.x < sheet->side && place.y >= 0.0 && place.y < sheet->side))
    {
        return;
    }
    const size_t column = 2 + (size_t)(place.x / CELL_SIDE);
    const size_t row = 2 + (size_t)(place.y / CELL_SIDE);
    for (size_t near_row = row - 2; near_row <= row + 2; ++near_row)
    {
        for (size_t near = column - 2; near <= column + 2; ++near)
        {
            const uint32_t other = sheet->atom_in[near_row * sheet->cells + near];
            if (other > 0 &&
                squared_distance(sheet->atoms[other - 1], place) < TOO_CLOSE * TOO_CLOSE)
            {
                return;
            }
        }
    }
    sheet->atoms.push_back(place);
    sheet->atom_in[row * sheet->cells + column] = (uint32_t)sheet->atoms.size();
}

// A grain has the points that are nearer to its start than to any other's: its Voronoi cell.
inline bool owns(const Grain *others, int num_others, Place start, Place place)
{
    const double own = squared_distance(start, place);
    bool nearest = true;
    for (int i = 0; i < num_others && nearest; ++i)
    {
        nearest = own <= squared_distance(others[i].start, place);
    }
    return nearest;
}

// Honeycombs, turned about the grain's start, as far as the grain can reach.
inline void grow_grain(Sheet *sheet, int column, int row, uint64_t seed)
{
    const Grain grain = grain_of(column, row, seed);
    Grain others[24];
    int num_others = 0;
    for (int i = 0; i < 25; ++i)
    {
        if (i != 12)
        {
            others[num_others++] = grain_of(column + i % 5 - 2, row + i / 5 - 2, seed);
        }
    }
    const double reach = 0.75 * sqrt(2.0) * GRAIN;
    const double step_x = sqrt(3.0) * BOND, step_y = 1.5 * BOND;
    const double cosine = cos(grain.angle), sine = sin(grain.angle);
    const int last_x = (int)(reach / step_x) + 1, last_y = (int)(reach / step_y) + 1;
    for (int j = -last_y; j <= last_y; ++j)
    {
        for (int i = -last_x; i <= last_x; ++i)
        {
            for (int atom = 0; atom < 2; ++atom)
            {
                const double x = (i + 0.5 * (j & 1)) * step_x, y = j * step_y + atom * BOND;
                const Place place = {grain.start.x + cosine * x - sine * y,
                                     grain.start.y + sine * x + cosine * y};
                if (x * x + y * y <= reach * reach && owns(others, num_others, grain.start, place))
                {
                    add_atom(sheet, place);
                }
            }
        }
    }
}

inline Sheet grow_sheet(double side, uint64_t seed)
{
    Sheet sheet = {side, (size_t)(side / CELL_SIDE) + 5, {}, {}};
    sheet.atom_in.resize(sheet.cells * sheet.cells);
    const int tiles = (int)(side / GRAIN) + 1;
    for (int row = -1; row <= tiles; ++row)
    {
        for (int column = -1; column <= tiles; ++column)
        {
            grow_grain(&sheet, column, row, seed);
        }
        if (isatty(STDERR_FILENO) && tiles > 20)
        {
            fprintf(stderr, "growing graphene: %3d %%\r", 100 * (row + 1) / (tiles + 1));
        }
    }
    return sheet;
}

// N atoms of a square sheet: one a little too large, and of that the N lowest.
inline Points grow_graphene(size_t N, uint64_t seed)
{
    const double area_of_atom = 0.75 * sqrt(3.0) * BOND * BOND;
    double area = 1.02 * area_of_atom * N;
    Sheet sheet;
    do
    {
        sheet = grow_sheet(sqrt(area) + BOND, seed);
        area *= 1.05; // if seams and edges took more atoms away than that
    } while (sheet.atoms.size() < N);
    std::nth_element(sheet.atoms.begin(), sheet.atoms.begin() + (N - 1), sheet.atoms.end(),
                     [](Place a, Place b) { return a.y < b.y; });

    Points points = {N, (real *)malloc(N * sizeof(real)), (real *)malloc(N * sizeof(real))};
    for (size_t n = 0; n < N; ++n)
    {
        points.x[n] = (real)sheet.atoms[n].x;
        points.y[n] = (real)sheet.atoms[n].y;
    }
    return points;
}

// Two numbers and nothing else; a line without its end is too long, or has a zero byte in it.
inline bool read_place(char *line, bool last, Place *place)
{
    char *after_x, *after_y;
    place->x = strtod(line, &after_x);
    place->y = strtod(after_x, &after_y);
    const bool two = after_x != line && after_y != after_x;
    after_y += strspn(after_y, " \t\r");
    return two && (*after_y == '\n' || (*after_y == '\0' && last)) && fabs(place->x) <= FARTHEST &&
           fabs(place->y) <= FARTHEST; // no NaN either
}

// The atoms of a file, as many as `most`. Whatever else it holds ends the program with one line.
inline Points read_points(const Args *args, const char *path, size_t most)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
    {
        usage_error(args, "cannot read %s: %s", path, strerror(errno));
    }
    std::vector<Place> places;
    char line[256];
    for (size_t number = 1; fgets(line, sizeof(line), file) != NULL; ++number)
    {
        Place place;
        if (strspn(line, " \t\r\n") == strlen(line) && strchr(line, '\n') != NULL)
        {
            continue; // an empty line
        }
        if (!read_place(line, feof(file), &place))
        {
            usage_error(args, "%s, line %zu: not two numbers from -1e9 to 1e9", path, number);
        }
        if (places.size() == most)
        {
            usage_error(args, "%s has more atoms than the %zu that memory has room for", path,
                        most);
        }
        places.push_back(place);
    }
    if (ferror(file) || places.empty())
    {
        usage_error(args, "%s: %s", path, ferror(file) ? strerror(errno) : "there is no atom");
    }
    fclose(file);
    const size_t N = places.size();
    Points points = {N, (real *)malloc(N * sizeof(real)), (real *)malloc(N * sizeof(real))};
    for (size_t n = 0; n < N; ++n)
    {
        points.x[n] = (real)places[n].x;
        points.y[n] = (real)places[n].y;
    }
    return points;
}
