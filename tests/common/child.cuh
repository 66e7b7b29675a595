// Runs a function that is expected to end its program, in a child: its exit status, and what it
// printed (stdout and stderr). The parent must not have used the device before.
#pragma once
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

struct Child
{
    int status;
    char output[16384];
};

template <typename Body>
Child run_child(Body body)
{
    Child child = {};
    FILE *file = tmpfile();
    fflush(stdout);
    const pid_t pid = fork();
    if (pid == 0)
    {
        dup2(fileno(file), STDOUT_FILENO);
        dup2(fileno(file), STDERR_FILENO);
        exit(body());
    }
    int status = 0;
    waitpid(pid, &status, 0);
    child.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    rewind(file);
    child.output[fread(child.output, 1, sizeof(child.output) - 1, file)] = '\0';
    fclose(file);
    return child;
}
