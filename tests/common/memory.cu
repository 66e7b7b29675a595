// memory: what is left under each kind of limit, and how a program ends that finds none

#include <new>
#include <string.h>
#include "../../common/compare.cuh"
#include "../../common/memory.cuh"
#include "child.cuh"

static const double MiB = 1 << 20;

static void write_file(const char *directory, const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof(path), "%s/%s", directory, name);
    FILE *file = fopen(path, "w");
    fprintf(file, "%s\n", text);
    fclose(file);
}

// In MiB, as the exit status of a child whose addresses are limited to so many more than it has.
static int free_under(double more)
{
    return run_child(
               [&]
               {
                   const double mapped =
                       kernel_number("/proc/self", "statm", "%lf") * sysconf(_SC_PAGESIZE);
                   const rlim_t most = (rlim_t)(mapped + more);
                   const struct rlimit limit = {most, most};
                   return setrlimit(RLIMIT_AS, &limit) == 0 ? (int)(free_host_memory() / MiB) : 255;
               })
        .status;
}

int main(void)
{
    check_true("this machine has some", free_host_memory() > MiB);
    const int mebibytes = free_under(100 * MiB);
    check_true("under ulimit -v, a good part of the rest", mebibytes >= 30 && mebibytes <= 60);
    check_true("nothing left is not unlimited", free_under(-MiB) == 0);

    char group[] = "/tmp/memory.XXXXXX";
    check_true("a directory", mkdtemp(group) != NULL);
    check_true("no limits", isinf(free_in_group(group)));
    write_file(group, "memory.current", "700");
    write_file(group, "memory.max", "max");
    check_true("no limit", isinf(free_in_group(group)));
    write_file(group, "memory.max", "1000");
    check_true("what is taken is not free", free_in_group(group) == 300);
    write_file(group, "memory.stat", "anon 5\ninactive_anon 2\nactive_file 30\ninactive_file 100");
    check_true("but what it has of files is", free_in_group(group) == 430);
    for (const char *name : {"memory.current", "memory.max", "memory.stat"})
    {
        char path[64];
        snprintf(path, sizeof(path), "%s/%s", group, name);
        remove(path);
    }
    check_true("the directory goes", rmdir(group) == 0);

    const Child greedy = run_child(
        []
        {
            std::set_new_handler(exit_without_memory);
            volatile size_t bytes = (size_t)1 << 60;
            char *volatile kept = new char[bytes]; // else the compiler may leave it out
            return kept == NULL;
        });
    const char *end = strchr(greedy.output, '\n');
    check_true("new: status 2 and one line", greedy.status == 2 && end != NULL && end[1] == '\0');
    return verdict();
}
