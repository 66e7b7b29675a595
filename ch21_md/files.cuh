// The files of a simulation. Energies and the frames of the trajectory are appended. Each line or
// frame is written whole, by one call, so these files can be read at any time. A restart file and
// the velocities are replaced whole.
#pragma once
#include "../common/options.cuh"
#include "../common/output.cuh"
#include "md_options.cuh"
#include "simulation.cuh"

// A file that grows while the program runs.
struct Appended
{
    int descriptor = -1;
    char name[PATH_MAX];
};

inline void cannot_append(const Appended *file, int error)
{
    usage_error("cannot write %s: %s; -o PREFIX says where to", file->name, strerror(error));
}

// A run from a restart file does not replace the files of the run before it.
inline void open_appended(Appended *file, const Options *options, const char *name)
{
    const int length = snprintf(file->name, sizeof(file->name), "%s%s", args.prefix, name);
    if (length >= (int)sizeof(file->name))
    {
        usage_error("the prefix of -o is too long");
    }
    struct stat old;
    const bool is_there = stat(file->name, &old) == 0 && S_ISREG(old.st_mode) && old.st_size > 0;
    if (is_there && *options->restart != '\0')
    {
        usage_error("%s is there, and --restart keeps it; -o PREFIX says where else to",
                    file->name);
    }
    file->descriptor = open(file->name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
    if (file->descriptor < 0)
    {
        cannot_append(file, errno);
    }
}

// If the text does not fit on the disk, the part that did is taken away again.
inline void append(Appended *file, const char *text, size_t length)
{
    const off_t before = lseek(file->descriptor, 0, SEEK_END);
    while (length > 0)
    {
        const ssize_t written = write(file->descriptor, text, length);
        if (written < 0 && errno != EINTR)
        {
            const int error = errno;
            const bool is_cut = before >= 0 && ftruncate(file->descriptor, before) == 0;
            cannot_append(file, is_cut || before < 0 || error != 0 ? error : EIO);
        }
        text += written > 0 ? written : 0;
        length -= written > 0 ? written : 0;
    }
}

inline void close_appended(Appended *file)
{
    if (file->descriptor >= 0 && close(file->descriptor) != 0)
    {
        cannot_append(file, errno);
    }
    file->descriptor = -1;
}

struct Files
{
    bool wanted = false;         // -o was given
    bool writes_restart = false; //
    Appended energy, trajectory;
    Output restart, velocity;
};

// A process that is not the first one of several writes nothing.
inline void open_restart_output(Files *files, const Options *options)
{
    if (!options->is_silent)
    {
        files->restart = open_output("restart.bin");
    }
}

// All files are opened before the computation, so that a bad -o costs no time.
inline void open_files(Files *files, const Options *options)
{
    files->wanted = *args.prefix != '\0';
    files->writes_restart = files->wanted || options->checkpoint > 0;
    if (options->is_silent)
    {
        return;
    }
    if (files->writes_restart)
    {
        open_restart_output(files, options);
    }
    if (files->wanted)
    {
        files->velocity = open_output("velocity.txt");
        open_appended(&files->energy, options, "energy.txt");
    }
    if (options->xyz)
    {
        open_appended(&files->trajectory, options, "trajectory.xyz");
    }
}

// ---- Energies: for Fig. 21.1 ----

// A line for energy.txt or, without -o, for the standard output.
inline void write_line(Files *files, const char *line)
{
    if (files->energy.descriptor >= 0)
    {
        append(&files->energy, line, strlen(line));
    }
    else
    {
        fputs(line, stdout);
        fflush(stdout);
    }
}

inline void write_energies(Files *files, const System *sys, const Statistics *statistics,
                           const Energies *energies)
{
    const double total = energies->kinetic + energies->potential;
    const double drift = (total - statistics->energy_at_start) / fabs(statistics->energy_at_start);
    char line[256];
    snprintf(line, sizeof(line), "%10zu %15.10g %15.10g %15.10g %12.8g %12.8g %11.3e\n",
             statistics->step, energies->kinetic, energies->potential, total,
             temperature_of(energies->kinetic, sys->N),
             pressure_of(energies->kinetic, energies->virial, sys->box), drift);
    write_line(files, line);
}

inline void write_energies_header(Files *files)
{
    char line[256];
    snprintf(line, sizeof(line), "%10s %15s %15s %15s %12s %12s %11s\n", "#     step", "kinetic/eV",
             "potential/eV", "total/eV", "T/K", "P/bar", "drift");
    write_line(files, line);
}

// ---- The trajectory: extended XYZ, which OVITO and ASE read ----

inline void write_frame(Files *files, const Options *options, const System *sys, size_t step)
{
    if (options->is_silent)
    {
        return;
    }
    const Box box = sys->box;
    char *text = NULL;
    size_t length = 0;
    FILE *frame = open_memstream(&text, &length); // the text is in memory, and grows there
    if (frame == NULL)
    {
        end_without_memory();
    }
    fprintf(frame,
            "%d\nLattice=\"%.9g 0 0 0 %.9g 0 0 0 %.9g\" Properties=species:S:1:pos:R:3 "
            "pbc=\"T T T\" step=%zu time_fs=%.9g\n",
            sys->N, box.lx, box.ly, box.lz, step, step * options->time_step_fs);
    for (int n = 0; n < sys->N; ++n)
    {
        fprintf(frame, "Ar %.7g %.7g %.7g\n", sys->x[n], sys->y[n], sys->z[n]);
    }
    const bool is_whole = !ferror(frame);
    if (fclose(frame) != 0 || !is_whole)
    {
        end_without_memory();
    }
    append(&files->trajectory, text, length);
    free(text);
}

// ---- Velocities against Maxwell's distribution ----

const int MAXWELL_BINS = 20;

// In equilibrium each component of a velocity has a normal distribution with the variance k_B T/m.
// The range of velocities is cut into bins that are equally probable. Returns chi-square: the sum
// of (found - expected)^2 / expected over all bins. If the distribution is Maxwell's, chi-square is
// about the number of bins.
inline double maxwell_chi_square(const System *sys, double kinetic)
{
    const double width = sqrt(2.0 * kinetic / (3.0 * sys->N * sys->mass)); // sqrt(k_B T / m)
    const real *const v[3] = {sys->vx, sys->vy, sys->vz};
    double found[MAXWELL_BINS] = {}, chi_square = 0.0;
    for (int d = 0; d < 3; ++d)
    {
        for (int n = 0; n < sys->N; ++n)
        {
            const double ratio = v[d][n] / (width * sqrt(2.0));
            const double probability = 0.5 * erfc(-ratio); // of a smaller velocity
            const double bin = probability * MAXWELL_BINS; // NaN if all atoms stand still
            found[bin < MAXWELL_BINS ? (int)bin : MAXWELL_BINS - 1] += 1.0;
        }
    }
    const double expected = 3.0 * sys->N / MAXWELL_BINS;
    for (int bin = 0; bin < MAXWELL_BINS; ++bin)
    {
        chi_square += (found[bin] - expected) * (found[bin] - expected) / expected;
    }
    return chi_square;
}

inline void write_velocities(Files *files, const Options *options, const System *sys)
{
    if (options->is_silent)
    {
        return;
    }
    for (int n = 0; n < sys->N; ++n)
    {
        fprintf(files->velocity.file, "%.9g %.9g %.9g\n", sys->vx[n], sys->vy[n], sys->vz[n]);
    }
    close_output(&files->velocity);
}

// ---- The restart file ----

// What a run needs to go on. The six arrays follow, bit for bit.
struct RestartHeader
{
    char magic[16];
    uint64_t bytes_of_real, nx, N, step, seed, shift;
    double temperature, density, time_step_fs, list_cutoff, energy_at_start;
};
const char RESTART_MAGIC[16] = "ljmd restart 1\n";

inline void write_restart(Files *files, const Options *options, const System *sys,
                          const Statistics *statistics)
{
    if (options->is_silent)
    {
        return;
    }
    RestartHeader header = {{},
                            sizeof(real),
                            options->nx,
                            (uint64_t)sys->N,
                            statistics->step,
                            options->seed,
                            options->shift,
                            options->temperature,
                            options->density,
                            options->time_step_fs,
                            options->list_cutoff,
                            statistics->energy_at_start};
    memcpy(header.magic, RESTART_MAGIC, sizeof(header.magic));
    fwrite(&header, sizeof(header), 1, files->restart.file);
    const real *const arrays[6] = {sys->x, sys->y, sys->z, sys->vx, sys->vy, sys->vz};
    for (int i = 0; i < 6; ++i)
    {
        fwrite(arrays[i], sizeof(real), sys->N, files->restart.file);
    }
    close_output(&files->restart);
}

inline void cannot_read(const Options *options, const char *why)
{
    usage_error("cannot read %s: %s", options->restart, why);
}

// The file says what the system is. An option that says it, too, would be ignored.
inline void refuse_options_of_file(const Options *options)
{
    const char *const names[][2] = {
        {"s", "-s"}, {"density", "--density"}, {"lattice", "--lattice"}, {"shift", "--shift"}};
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); ++i)
    {
        if (is_given(names[i][0]))
        {
            usage_error("leave out %s: %s says what it was", names[i][1], options->restart);
        }
    }
}

// Whether the options could have said it, too.
inline bool is_sound(const RestartHeader *h)
{
    return h->nx >= 1 && h->nx <= MOST_CELLS && h->N == 4 * h->nx * h->nx * h->nx &&
           h->step <= MOST_STEPS && is_within(TEMPERATURES, h->temperature) &&
           (is_within(DENSITIES, h->density) ||
            is_within(LATTICES, LATTICE * cbrt(DENSITY / h->density))) &&
           is_within(TIME_STEPS, h->time_step_fs) && is_within(LISTS, h->list_cutoff) &&
           isfinite(h->energy_at_start);
}

// Whether the next numbers of the file could be positions in A, or velocities.
inline bool read_sound(FILE *file, real *numbers, size_t count)
{
    bool is_sound = fread(numbers, sizeof(real), count, file) == count;
    for (size_t n = 0; n < count && is_sound; ++n)
    {
        is_sound = fabs(numbers[n]) < 1e6; // false for NaN
    }
    return is_sound;
}

// Looks at the atoms before there is memory for them, and goes back to the first one. So a damaged
// file is refused before anything is printed or a file of the run before is replaced.
inline bool has_sound_atoms(FILE *file, size_t N)
{
    real part[1024];
    const size_t most = sizeof(part) / sizeof(part[0]);
    const long first = ftell(file);
    bool is_sound = first >= 0;
    for (size_t done = 0; done < 6 * N && is_sound; done += most)
    {
        const size_t left = 6 * N - done;
        is_sound = read_sound(file, part, left < most ? left : most);
    }
    return is_sound && fseek(file, first, SEEK_SET) == 0;
}

// Opens the file that --restart names, and takes over what its header says. The file stays open for
// read_restart_atoms. With --temperature, --dt or NE another production begins with these atoms, at
// step 0. Else the production of the file goes on.
inline FILE *open_restart(Options *options, Statistics *statistics, bool *goes_on)
{
    refuse_options_of_file(options);
    RestartHeader header;
    struct stat status;
    if (stat(options->restart, &status) != 0)
    {
        cannot_read(options, strerror(errno));
    }
    if (!S_ISREG(status.st_mode)) // a pipe, for example, which may never end
    {
        cannot_read(options, S_ISDIR(status.st_mode) ? strerror(EISDIR) : "it is no regular file");
    }
    FILE *file = fopen(options->restart, "rb");
    if (file == NULL)
    {
        cannot_read(options, strerror(errno));
    }
    if (fread(&header, sizeof(header), 1, file) != 1 ||
        memcmp(header.magic, RESTART_MAGIC, sizeof(header.magic)) != 0)
    {
        cannot_read(options, "it is no restart file");
    }
    if (header.bytes_of_real != sizeof(real))
    {
        cannot_read(options,
                    sizeof(real) == sizeof(float)
                        ? "its numbers are double; a program compiled with -DUSE_DP reads them"
                        : "its numbers are float; a program compiled without -DUSE_DP reads them");
    }
    if (!is_sound(&header) ||
        (uint64_t)status.st_size != sizeof(header) + 6 * sizeof(real) * header.N ||
        !has_sound_atoms(file, header.N))
    {
        cannot_read(options, "it is damaged");
    }
    if (is_given("NX") && options->nx != header.nx)
    {
        usage_error("%s has NX = %zu, not %zu", options->restart, (size_t)header.nx, options->nx);
    }
    options->nx = header.nx;
    options->seed = header.seed;
    options->shift = header.shift != 0;
    options->density = header.density;
    options->temperature = is_given("temperature") ? options->temperature : header.temperature;
    options->time_step_fs = is_given("dt") ? options->time_step_fs : header.time_step_fs;
    options->list_cutoff = is_given("list") ? options->list_cutoff : header.list_cutoff;
    *goes_on = !is_given("temperature") && !is_given("dt") && !is_given("NE");
    if (*goes_on)
    {
        statistics->step = header.step;
        statistics->energy_at_start = header.energy_at_start;
    }
    return file;
}

inline void read_restart_atoms(const Options *options, System *sys, FILE *file)
{
    real *const arrays[6] = {sys->x, sys->y, sys->z, sys->vx, sys->vy, sys->vz};
    for (int i = 0; i < 6; ++i)
    {
        if (!read_sound(file, arrays[i], sys->N)) // the file has changed since
        {
            cannot_read(options, "it is damaged");
        }
    }
    fclose(file);
}
