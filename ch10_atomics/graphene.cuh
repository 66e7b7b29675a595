// The atoms of the neighbour programs: a sheet of graphene made from a seed number, or a file with
// the two coordinates of an atom in each line. Both take a time proportional to N.
#pragma once
#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "../common/args.cuh"
#include "../common/data.cuh"
#include "../common/real.cuh"

const double PI = 3.14159265358979323846;
const double BOND = 1.42;      // all lengths in angstrom
const double TOO_CLOSE = 1.2;  // where grains meet, one of two atoms as close as this is left out
const double GRAIN = 60.0;     // from the centre of one grain to the next
const double FARTHEST = 1.0e9; // the largest coordinate: columns of cells are counted in int

struct Atoms
{
    size_t N;
    real *x, *y;
};

struct Point
{
    double x, y;
};

// Places, to which more are added.
struct Places
{
    Point *points;
    size_t count, room; // `room` points fit into the memory that is there
};

inline void add_place(Places *places, Point place)
{
    if (places->count == places->room)
    {
        places->room = places->room == 0 ? 1024 : 2 * places->room;
        places->points = (Point *)realloc(places->points, places->room * sizeof(Point));
    }
    places->points[places->count++] = place;
}

// The last step of both sources: the coordinates as two arrays of real. The places are freed.
inline Atoms make_atoms(Places *places)
{
    const size_t N = places->count;
    Atoms atoms = {N, (real *)malloc(N * sizeof(real)), (real *)malloc(N * sizeof(real))};
    for (size_t n = 0; n < N; ++n)
    {
        atoms.x[n] = (real)places->points[n].x;
        atoms.y[n] = (real)places->points[n].y;
    }
    free(places->points);
    return atoms;
}

inline void free_atoms(Atoms *atoms)
{
    free(atoms->x);
    free(atoms->y);
}

// ---- Polycrystalline graphene ----

// Each square of side GRAIN has one grain, turned by a random angle. Its centre lies in the middle
// half of the square. So every place is at most 0.75 sqrt(2) GRAIN away from its nearest centre.
struct Grain
{
    Point centre;
    double angle;
};

inline Grain grain_of(int column, int row, uint64_t seed)
{
    const uint64_t square = (uint64_t)(uint32_t)row << 32 | (uint32_t)column;
    return {{GRAIN * (column + 0.25 + 0.5 * random_unit(seed, 3 * square)),
             GRAIN * (row + 0.25 + 0.5 * random_unit(seed, 3 * square + 1))},
            PI / 3.0 * random_unit(seed, 3 * square + 2)};
}

inline double squared_distance(Point a, Point b)
{
    return (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y);
}

// The sheet, to which atoms are added. The diagonal of a box is TOO_CLOSE, so a box has at most one
// atom.
struct Sheet
{
    double side;
    size_t boxes;      // in a row; the first two and the last two stay empty
    uint32_t *atom_in; // 1 + the number of the atom in the box; 0: there is none
    Places places;     // of the atoms
};

const double BOX_SIDE = TOO_CLOSE / sqrt(2.0);

// Adds an atom if it lies in the sheet and no other atom is too close.
inline void add_atom(Sheet *sheet, Point place)
{
    if (!(place.x >= 0.0 && place.x < sheet->side && place.y >= 0.0 && place.y < sheet->side))
    {
        return;
    }
    const size_t column = 2 + (size_t)(place.x / BOX_SIDE);
    const size_t row = 2 + (size_t)(place.y / BOX_SIDE);
    for (size_t near_row = row - 2; near_row <= row + 2; ++near_row)
    {
        for (size_t near_column = column - 2; near_column <= column + 2; ++near_column)
        {
            const uint32_t other = sheet->atom_in[near_row * sheet->boxes + near_column];
            if (other > 0 &&
                squared_distance(sheet->places.points[other - 1], place) < TOO_CLOSE * TOO_CLOSE)
            {
                return;
            }
        }
    }
    add_place(&sheet->places, place);
    sheet->atom_in[row * sheet->boxes + column] = (uint32_t)sheet->places.count;
}

// A place belongs to the grain whose centre is the nearest (the Voronoi cell of that centre).
inline bool is_nearest(Point centre, const Grain *others, int num_others, Point place)
{
    const double own = squared_distance(centre, place);
    bool nearest = true;
    for (int i = 0; i < num_others && nearest; ++i)
    {
        nearest = own <= squared_distance(others[i].centre, place);
    }
    return nearest;
}

// Adds the atoms of one grain: a honeycomb turned about the grain's centre.
inline void add_grain(Sheet *sheet, int column, int row, uint64_t seed)
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
                const Point place = {grain.centre.x + cosine * x - sine * y,
                                     grain.centre.y + sine * x + cosine * y};
                if (x * x + y * y <= reach * reach &&
                    is_nearest(grain.centre, others, num_others, place))
                {
                    add_atom(sheet, place);
                }
            }
        }
    }
}

inline Places make_sheet(double side, uint64_t seed)
{
    Sheet sheet = {side, (size_t)(side / BOX_SIDE) + 5, NULL, {}};
    sheet.atom_in = (uint32_t *)calloc(sheet.boxes * sheet.boxes, sizeof(uint32_t));
    const int grains = (int)(side / GRAIN) + 1; // in a row
    for (int row = -1; row <= grains; ++row)
    {
        for (int column = -1; column <= grains; ++column)
        {
            add_grain(&sheet, column, row, seed);
        }
        if (isatty(STDERR_FILENO) && grains > 20)
        {
            fprintf(stderr, "making graphene: %3d %%\r", 100 * (row + 1) / (grains + 1));
        }
    }
    free(sheet.atom_in);
    return sheet.places;
}

inline int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Leaves the N lowest places, in the order in which they are.
inline void take_lowest(Places *places, size_t N)
{
    double *heights = (double *)malloc(places->count * sizeof(double));
    for (size_t n = 0; n < places->count; ++n)
    {
        heights[n] = places->points[n].y;
    }
    qsort(heights, places->count, sizeof(double), compare_doubles);
    const double highest = heights[N - 1];
    free(heights);
    size_t taken = 0;
    for (size_t n = 0; n < places->count && taken < N; ++n)
    {
        if (places->points[n].y <= highest)
        {
            places->points[taken++] = places->points[n];
        }
    }
    places->count = taken;
}

// N atoms of a square sheet. The sheet is made a little too large, and its N lowest atoms are
// taken.
inline Atoms make_graphene(size_t N, uint64_t seed)
{
    const double area_of_atom = 0.75 * sqrt(3.0) * BOND * BOND;
    double area = 1.02 * area_of_atom * N;
    Places places = make_sheet(sqrt(area) + BOND, seed);
    while (places.count < N)
    {
        free(places.points);
        area *= 1.05; // another attempt, if too many atoms were left out where grains meet
        places = make_sheet(sqrt(area) + BOND, seed);
    }
    take_lowest(&places, N);
    return make_atoms(&places);
}

// ---- A file of coordinates ----

// A line must have two numbers and nothing else. A line without its end is the last one, or it is
// too long, or it has a zero byte.
inline bool read_place(char *line, bool last, Point *place)
{
    char *after_x, *after_y;
    place->x = strtod(line, &after_x);
    place->y = strtod(after_x, &after_y);
    const bool two = after_x != line && after_y != after_x;
    after_y += strspn(after_y, " \t\r");
    return two && (*after_y == '\n' || (*after_y == '\0' && last)) && fabs(place->x) <= FARTHEST &&
           fabs(place->y) <= FARTHEST; // NaN is not <= either
}

// The atoms of a file, at most so many. A line of any other kind ends the program with a message.
inline Atoms read_atoms(const char *path, size_t most)
{
    FILE *file = fopen(path, "r");
    if (file == NULL)
    {
        usage_error("cannot read %s: %s", path, strerror(errno));
    }
    Places places = {};
    char line[256];
    for (size_t number = 1; fgets(line, sizeof(line), file) != NULL; ++number)
    {
        Point place;
        if (strspn(line, " \t\r\n") == strlen(line) && strchr(line, '\n') != NULL)
        {
            continue; // an empty line
        }
        if (!read_place(line, feof(file), &place))
        {
            usage_error("%s, line %zu: not two numbers from -1e9 to 1e9", path, number);
        }
        if (places.count == most)
        {
            usage_error("%s has more atoms than the %zu that memory has room for", path, most);
        }
        add_place(&places, place);
    }
    if (ferror(file) || places.count == 0)
    {
        usage_error("%s: %s", path, ferror(file) ? strerror(errno) : "there is no atom");
    }
    fclose(file);
    return make_atoms(&places);
}
