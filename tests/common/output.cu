// output: files appear whole or not at all, whatever ends the program

#include <dirent.h>
#include <string>
#include <sys/resource.h>
#include "../../common/options.cuh"
#include "../../common/output.cuh"
#include "child.cuh"

const char *const OLD = "the good old file\n";
const char *const NEW = "the new file\n";

static void put(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static std::string contents(const char *path)
{
    char text[4096] = "";
    FILE *file = fopen(path, "r");
    if (file == NULL)
    {
        return "(no file)";
    }
    text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void make_link(const char *target, const char *path)
{
    if (symlink(target, path) != 0)
    {
        perror(path);
        exit(1);
    }
}

// How many files the directory has.
static int count_files(const char *path)
{
    int count = -2; // . and ..
    DIR *directory = opendir(path);
    while (readdir(directory) != NULL)
    {
        ++count;
    }
    closedir(directory);
    return count;
}

static void set_args(const char *prefix)
{
    args.program = "output";
    args.prefix = prefix;
}

// What a program does that writes one file.
static int write_text(const char *text)
{
    Output output = open_output("x.txt");
    fputs(text, output.file);
    close_output(&output);
    return 0;
}

static Child write_new(const char *prefix)
{
    set_args(prefix);
    return run_child([&] { return write_text(NEW); });
}

// One line that begins so, and status 2.
static bool is_refusal(const Child *child, const char *beginning)
{
    const char *end = strchr(child->output, '\n');
    return child->status == 2 && strncmp(child->output, beginning, strlen(beginning)) == 0 &&
           end != NULL && end[1] == '\0';
}

static mode_t mode_of(const char *path)
{
    struct stat file;
    return lstat(path, &file) == 0 ? file.st_mode : 0;
}

static void test_writing(void)
{
    Child child = run_child(
        []
        {
            umask(027);
            set_args("");
            return write_text(NEW);
        });
    check_true("a new file", child.status == 0 && contents("x.txt") == NEW);
    check_true("it says so", strcmp(child.output, "wrote x.txt\n") == 0);
    check_true("nothing else", count_files(".") == 1);
    check_true("permissions by umask", mode_of("x.txt") == (S_IFREG | 0640));

    put("x.txt", OLD);
    chmod("x.txt", 0604);
    child = write_new("");
    check_true("a file is replaced", child.status == 0 && contents("x.txt") == NEW);
    check_true("and keeps its permissions", mode_of("x.txt") == (S_IFREG | 0604));

    child = run_child(
        []
        {
            g_verdict_prefix = "# ";
            set_args("");
            return write_text("");
        });
    check_true("with --csv", strcmp(child.output, "# wrote x.txt\n") == 0);
    check_true("an empty file", contents("x.txt") == "");
    remove("x.txt");
}

// A program that ends in the middle leaves what was there.
static void test_ending_early(void)
{
    put("x.txt", OLD);
    const int endings[] = {0, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGPIPE, SIGTERM, SIGXCPU};
    for (const int ending : endings)
    {
        const Child child = run_child(
            [=]
            {
                signal(ending, SIG_DFL); // a shell may have had it ignored
                set_args("");
                Output output = open_output("x.txt");
                fputs(NEW, output.file);
                fflush(output.file);
                if (contents("x.txt") != OLD || count_files(".") != 2)
                {
                    return 1;
                }
                raise(ending);
                return 3; // as CHECK
            });
        char what[64];
        snprintf(what, sizeof(what), "ended by %s", ending == 0 ? "exit" : strsignal(ending));
        check_true(what, child.status == (ending == 0 ? 3 : 128 + ending));
        check_true("the old file survives", contents("x.txt") == OLD);
        check_true("no temporary file stays", count_files(".") == 1);
    }

    const Child ignoring = run_child(
        []
        {
            signal(SIGHUP, SIG_IGN);
            set_args("");
            Output output = open_output("x.txt");
            raise(SIGHUP);
            fputs(NEW, output.file);
            close_output(&output);
            return 0;
        });
    check_true("a signal that is ignored stays ignored", ignoring.status == 0);
    check_true("and the file is written", contents("x.txt") == NEW);

    const Child later = run_child(
        []
        {
            signal(SIGINT, SIG_DFL);
            set_args("");
            write_text(OLD);
            raise(SIGINT);
            return 0;
        });
    check_true("Ctrl-C afterwards", later.status == 128 + SIGINT && contents("x.txt") == OLD);
    remove("x.txt");
}

static void test_full_disks(void)
{
    put("x.txt", OLD);
    for (const size_t size : {100000, 2000}) // the second fits into the buffer: close finds it
    {
        const Child limited = run_child(
            [=]
            {
                const struct rlimit limit = {1000, 1000};
                setrlimit(RLIMIT_FSIZE, &limit);
                set_args("");
                return write_text(std::string(size, 'x').c_str());
            });
        check_true("ulimit -f", is_refusal(&limited, "output: cannot write x.txt: "));
        check_true("the old file survives it", contents("x.txt") == OLD && count_files(".") == 1);
    }
    remove("x.txt");

    make_link("/dev/full", "x.txt");
    const Child full = write_new("");
    check_true("a full device",
               is_refusal(&full, "output: cannot write x.txt: No space left on device; "));
    check_true("its link stays", S_ISLNK(mode_of("x.txt")) && count_files(".") == 1);
    remove("x.txt");
}

static void test_own_input(void)
{
    put("x.txt", OLD);
    check_true("a hard link", link("x.txt", "hard.txt") == 0);
    make_link("x.txt", "soft.txt");
    for (const char *input : {"x.txt", "./x.txt", "hard.txt", "soft.txt"})
    {
        for (const bool option : {false, true})
        {
            const Child child = run_child(
                [=]
                {
                    const char *path = "";
                    set_args("");
                    add_text("xy", &path, "a file to read");
                    (option ? path : args.files[args.num_files++]) = input;
                    return write_text(NEW);
                });
            check_true("its own input is refused",
                       is_refusal(&child, "output: x.txt is the program's own input; "));
        }
    }
    check_true("and survives", contents("x.txt") == OLD && count_files(".") == 3);
    for (const char *path : {"x.txt", "hard.txt", "soft.txt"})
    {
        remove(path);
    }
}

static void test_refusals(void)
{
    Child child = write_new(std::string(5000, 'y').c_str());
    check_true("a prefix too long", is_refusal(&child, "output: the prefix of -o is too long"));
    child = write_new(std::string(300, 'y').c_str());
    check_true("a name too long", is_refusal(&child, "output: cannot write yyyyyyyy"));
    child = write_new("no/such/");
    check_true("no such directory",
               is_refusal(&child, "output: cannot write no/such/x.txt: No such file or directory"));
    child = write_new("/dev/null/");
    check_true("no directory",
               is_refusal(&child, "output: cannot write /dev/null/x.txt: Not a directory"));
    mkdir("x.txt", 0777);
    child = write_new("");
    check_true("a directory", is_refusal(&child, "output: cannot write x.txt: Is a directory"));
    rmdir("x.txt");
    make_link("x.txt", "x.txt");
    child = write_new("");
    check_true("a link to itself", is_refusal(&child, "output: cannot write x.txt: "));
    remove("x.txt");

    put("x.txt", OLD);
    chmod("x.txt", 0444);
    const auto as_user = []
    {
        set_args("");
        return geteuid() == 0 && setuid(65534) != 0 ? 1 : write_text(NEW);
    };
    chmod(".", 0777);
    child = run_child(as_user);
    check_true("a file that may not be written",
               is_refusal(&child, "output: cannot write x.txt: Permission denied"));
    check_true("stays", contents("x.txt") == OLD);
    remove("x.txt");
    chmod(".", 0555);
    child = run_child(as_user);
    check_true("a directory that may not be written",
               is_refusal(&child, "output: cannot write x.txt: Permission denied"));
    chmod(".", 0777);
    check_true("no refusal leaves a file", count_files(".") == 0);
}

static void test_links(void)
{
    mkdir("sub", 0777);
    make_link("sub/link.txt", "x.txt");
    make_link("real.txt", "sub/link.txt"); // relative to its own directory
    Child child = write_new("");
    check_true("a link to no file yet", child.status == 0 && contents("sub/real.txt") == NEW);
    put("sub/real.txt", OLD);
    child = write_new("./");
    check_true("a link to a file", child.status == 0 && contents("sub/real.txt") == NEW);
    check_true("the links stay", S_ISLNK(mode_of("x.txt")) && S_ISLNK(mode_of("sub/link.txt")));
    check_true("no temporary file stays", count_files(".") == 2 && count_files("sub") == 2);
    remove("x.txt");
    remove("sub/link.txt");
    remove("sub/real.txt");
    rmdir("sub");

    make_link("none/real.txt", "x.txt");
    child = write_new("");
    check_true("a link into no directory", is_refusal(&child, "output: cannot write x.txt: "));
    remove("x.txt");
}

static void test_devices(void)
{
    mkfifo("x.txt", 0666);
    const int reader = open("x.txt", O_RDONLY | O_NONBLOCK);
    Child child = write_new("");
    char text[64] = "";
    check_true("a pipe", child.status == 0 && read(reader, text, sizeof(text)) > 0);
    check_true("gets all", strcmp(text, NEW) == 0);
    check_true("and stays a pipe", S_ISFIFO(mode_of("x.txt")));
    close(reader);
    remove("x.txt");

    make_link("/dev/stdout", "x.txt"); // here a file, which a rename would not reach
    child = write_new("");
    const std::string both = std::string(NEW) + "wrote x.txt\n";
    check_true("/dev/stdout", child.status == 0 && child.output == both);
    remove("x.txt");

    make_link("/dev/null", "x.txt");
    child = write_new("");
    check_true("/dev/null", child.status == 0 && S_ISCHR(mode_of("/dev/null")));
    remove("x.txt");
}

static void test_several(void)
{
    Child child = run_child(
        []
        {
            set_args("");
            for (int i = 0; i <= MAX_OUTPUTS; ++i)
            {
                char name[] = "0.txt";
                name[0] += i;
                fputs(NEW, open_output(name).file); // the last one is refused
            }
            return 0;
        });
    check_true("more files at once than there is room for",
               is_refusal(&child, "output: cannot write 8.txt: 8 files are open already"));
    check_true("all temporary files are removed", count_files(".") == 0);

    child = run_child(
        []
        {
            set_args("");
            Output a = open_output("a.txt"), b = open_output("b.txt");
            fputs("a", a.file);
            fputs("b", b.file);
            close_output(&a);
            a = open_output("c.txt");
            fputs("c", a.file);
            close_output(&b);
            close_output(&a);
            return 0;
        });
    check_true("several at once", child.status == 0 && contents("a.txt") == "a" &&
                                      contents("b.txt") == "b" && contents("c.txt") == "c");
    for (const char *path : {"a.txt", "b.txt", "c.txt"})
    {
        remove(path);
    }

    child = run_child(
        []
        {
            set_args("");
            Output mine = open_output("x.txt");
            fputs("mine", mine.file);
            fflush(mine.file); // else the child's exit would write it as well
            const Child other = write_new("");
            const bool right = other.status == 0 && contents("x.txt") == NEW;
            close_output(&mine);
            return right ? 0 : 1;
        });
    check_true("two programs at once", child.status == 0 && contents("x.txt") == "mine");
    remove("x.txt");

    child = run_child(
        []
        {
            char taken[64];
            snprintf(taken, sizeof(taken), "x.txt.%d-0.tmp", (int)getpid());
            put(taken, OLD);
            set_args("");
            write_text(NEW);
            const bool right = contents(taken) == OLD;
            remove(taken);
            return right ? 0 : 1;
        });
    check_true("a temporary name that is taken", child.status == 0 && contents("x.txt") == NEW);
    remove("x.txt");
    check_true("nothing is left over", count_files(".") == 0);
}

int main(void)
{
    const struct rlimit no_core = {0, 0};
    setrlimit(RLIMIT_CORE, &no_core);
    char directory[] = "output-XXXXXX";
    check_true("a directory for the files",
               mkdtemp(directory) != NULL && chdir(directory) == 0 && chmod(".", 0777) == 0);
    test_writing();
    test_ending_early();
    test_full_disks();
    test_own_input();
    test_refusals();
    test_links();
    test_devices();
    test_several();
    check_true("the directory is empty again", chdir("..") == 0 && rmdir(directory) == 0);
    return verdict();
}
