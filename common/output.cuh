// Files that a program writes: they appear whole, or not at all.
//
//     Output picture = open_output("blur.ppm"); // before the computation: tries -o
//     fprintf(picture.file, ...);
//     close_output(&picture);                          // prints "wrote blur.ppm"
//
// Between the two calls the bytes go to a temporary file in the same directory. close_output checks
// that they all arrived, and renames the file. If the disk is full, or if the program ends early (a
// failed CHECK, Ctrl-C, kill), the temporary file is removed, and an older blur.ppm stays as it
// was. If a file cannot be written, the program ends with one line and status 2.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "args.cuh"
#include "compare.cuh"
#include "only_counts.cuh"

const int MAX_OUTPUTS = 8; // open at the same time

struct Output
{
    FILE *file;            // what the program prints into
    char name[PATH_MAX];   // as the user knows it: the prefix of -o, then the file's name
    char target[PATH_MAX]; // the file to create or replace: `name` after symbolic links
    int temporary;         // the number of its temporary file; -1: none, it is a device or a pipe
};

struct Temporary
{
    volatile sig_atomic_t owner; // the process that made it; 0: there is none
    char path[PATH_MAX];
};

inline Temporary g_temporaries[MAX_OUTPUTS];

// Runs at exit and in the signal handler, where POSIX allows only a few functions: unlink is one.
static inline void remove_temporaries(void)
{
    for (Temporary &temporary : g_temporaries)
    {
        if (temporary.owner == getpid()) // a child that fork made has no right to it
        {
            unlink(temporary.path);
            temporary.owner = 0;
        }
    }
}

// The signal handler. Sending the signal again ends the program by it, so the shell sees why.
static inline void remove_temporaries_on(int signal_number)
{
    remove_temporaries();
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static inline void prepare_removal(void)
{
    static bool prepared = false;
    if (prepared)
    {
        return;
    }
    prepared = true;
    atexit(remove_temporaries);
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGPIPE, SIGTERM, SIGXCPU})
    {
        // A signal that is ignored stays ignored: nohup relies on that.
        if (signal(number, remove_temporaries_on) == SIG_IGN)
        {
            signal(number, SIG_IGN);
        }
    }
    signal(SIGXFSZ, SIG_IGN); // past the limit of `ulimit -f` a write now fails with an error
}

static inline void cannot_write(const Output *output, int error)
{
    usage_error("cannot write %s: %s; -o PREFIX says where to", output->name, strerror(error));
}

static inline bool is_file(const char *path, const struct stat *file)
{
    struct stat found;
    return stat(path, &found) == 0 && found.st_dev == file->st_dev && found.st_ino == file->st_ino;
}

// True if the command line names this file: as FILE, or as the text of a program's own option.
static inline bool is_input(const struct stat *file)
{
    bool found = false;
    for (int i = 0; i < args.num_files; ++i)
    {
        found = found || is_file(args.files[i], file);
    }
    for (int i = 0; i < args.num_own; ++i)
    {
        const Option *option = &args.own[i];
        const bool is_text = option->kind->show == show_text; // also one word of several
        found = found || (is_text && is_file(*(const char **)option->to[0], file));
    }
    return found;
}

// Replaces the path of a symbolic link by the path that it leads to. (realpath would do so only if
// a file exists there.) Returns false with errno if there are too many links.
static inline bool follow_links(char *path)
{
    const int MAX_LINKS = 40; // as in Linux
    char text[PATH_MAX];
    for (int i = 0; i < MAX_LINKS; ++i)
    {
        const ssize_t length = readlink(path, text, sizeof(text) - 1);
        if (length < 0)
        {
            return true; // path is no link
        }
        text[length] = '\0';
        char *slash = strrchr(path, '/');
        char *start = text[0] == '/' || slash == NULL ? path : slash + 1;
        if (start - path + length >= PATH_MAX)
        {
            errno = ENAMETOOLONG;
            return false;
        }
        strcpy(start, text);
    }
    errno = ELOOP;
    return false;
}

// Creates the temporary file and returns its descriptor, or -1 with errno. The file stands in the
// target's directory, because rename works within one file system only. The process number keeps
// two programs apart. Where such a name is taken nevertheless, the next one is tried.
static inline int create_temporary(Output *output)
{
    const char *slash = strrchr(output->target, '/');
    const char *name = slash == NULL ? output->target : slash + 1;
    const int directory = (int)(name - output->target);
    Temporary *temporary = &g_temporaries[output->temporary];
    int descriptor = -1;
    errno = EEXIST;
    for (int attempt = 0; attempt < 100 && descriptor < 0 && errno == EEXIST; ++attempt)
    {
        const int length =
            snprintf(temporary->path, sizeof(temporary->path), "%.*s%.100s.%d-%d.tmp", directory,
                     output->target, name, (int)getpid(), attempt);
        if (length >= (int)sizeof(temporary->path))
        {
            errno = ENAMETOOLONG;
            break;
        }
        temporary->owner = getpid(); // before there is a file: a signal may come in between
        descriptor = open(temporary->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0)
        {
            temporary->owner = 0;
        }
    }
    return descriptor;
}

// Opens a temporary file beside the target. `old` is the file that stands there already, or NULL.
// Returns NULL with errno if the target could not be replaced.
static inline FILE *open_beside(Output *output, const struct stat *old)
{
    strcpy(output->target, output->name);
    if (!follow_links(output->target))
    {
        return NULL;
    }
    if (old != NULL && access(output->target, W_OK) != 0) // rename would not ask for permission
    {
        return NULL;
    }
    output->temporary = 0;
    while (g_temporaries[output->temporary].owner != 0)
    {
        if (++output->temporary == MAX_OUTPUTS)
        {
            usage_error("cannot write %s: %d files are open already", output->name, MAX_OUTPUTS);
        }
    }
    prepare_removal();
    const int descriptor = create_temporary(output);
    if (descriptor < 0)
    {
        return NULL;
    }
    if (old != NULL) // the new file takes over the old one's owner and permissions
    {
        const bool given = fchown(descriptor, old->st_uid, old->st_gid) == 0;
        if ((!given && errno != EPERM) || fchmod(descriptor, old->st_mode & 07777) != 0)
        {
            return NULL;
        }
    }
    return fdopen(descriptor, "wb");
}

// stdout or stderr if the shell has directed it to this file (the name may be /dev/stdout, too);
// else -1.
static inline int descriptor_of(const struct stat *file)
{
    for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    {
        struct stat open_file;
        if (fstat(descriptor, &open_file) == 0 && open_file.st_dev == file->st_dev &&
            open_file.st_ino == file->st_ino)
        {
            return descriptor;
        }
    }
    return -1;
}

// Call it before the computation, so that a bad -o costs no time. A device, a pipe, and the file
// that the shell has opened as stdout cannot be replaced: the bytes go into them at once.
static inline Output open_output(const char *name)
{
    Output output = {};
    output.temporary = -1;
    const int length = snprintf(output.name, sizeof(output.name), "%s%s", args.prefix, name);
    if (length >= (int)sizeof(output.name))
    {
        usage_error("the prefix of -o is too long");
    }
    if (only_counts()) // the program that has started this one writes
    {
        output.file = fopen("/dev/null", "wb");
        return output;
    }

    struct stat old;
    const bool exists = stat(output.name, &old) == 0;
    if (!exists && errno != ENOENT)
    {
        cannot_write(&output, errno);
    }
    if (exists && S_ISDIR(old.st_mode))
    {
        cannot_write(&output, EISDIR);
    }
    if (exists && is_input(&old))
    {
        usage_error("%s is the program's own input; -o PREFIX says where else to write",
                    output.name);
    }

    const int descriptor = exists ? descriptor_of(&old) : -1;
    if (descriptor >= 0)
    {
        fflush(stdout);
        output.file = fdopen(dup(descriptor), "wb");
    }
    else if (exists && !S_ISREG(old.st_mode))
    {
        output.file = fopen(output.name, "wb");
    }
    else
    {
        output.file = open_beside(&output, exists ? &old : NULL);
    }
    if (output.file == NULL)
    {
        cannot_write(&output, errno);
    }
    return output;
}

// Some errors show only when the last bytes leave for the disk. The rename is one step: another
// program sees the old file or the new one, never a part.
static inline void close_output(Output *output)
{
    const int descriptor = fileno(output->file);
    errno = 0;
    bool written = fflush(output->file) == 0;
    if (ferror(output->file)) // an earlier fprintf failed: one more byte fails for the same reason
    {
        written = false;
        errno = write(descriptor, "", 1) < 0 ? errno : EIO;
    }
    else if (output->temporary >= 0)
    {
        written = fsync(descriptor) == 0;
    }
    const int error = errno; // fclose may set another
    if (fclose(output->file) != 0 || !written)
    {
        cannot_write(output, error != 0 ? error : errno);
    }
    output->file = NULL;
    if (output->temporary >= 0)
    {
        Temporary *temporary = &g_temporaries[output->temporary];
        if (rename(temporary->path, output->target) != 0)
        {
            cannot_write(output, errno);
        }
        temporary->owner = 0;
    }
    printf("%swrote %s\n", g_verdict_prefix, output->name);
}
