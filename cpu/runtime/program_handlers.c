// The program's own handlers of signals that the runtime needs itself, such as SIGSEGV.
//
// A kernel's first touch of an allocation raises SIGSEGV, so the runtime's handler has to stay. The
// C library's sigaction and signal are replaced by these here: what the program asks for is kept in
// a table, and called for faults that are not a kernel's. All other signals are the C library's.
#include "program_handlers.h"
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

// The C library's own.
int __sigaction(int number, const struct sigaction *action, struct sigaction *old);

enum
{
    MAX_SIGNALS = 65
};
static struct sigaction wanted[MAX_SIGNALS]; // by the program
static bool is_taken[MAX_SIGNALS];           // by the runtime
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

// Installs a handler of the runtime, during which the signal `blocked` waits.
void program_handlers_take(int number, void (*handler)(int, siginfo_t *, void *), int blocked)
{
    struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK};
    action.sa_sigaction = handler;
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, blocked);
    __sigaction(number, &action, &wanted[number]);
    is_taken[number] = true;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old)
{
    if (number < 1 || number >= MAX_SIGNALS || !is_taken[number])
    {
        return __sigaction(number, action, old);
    }
    pthread_mutex_lock(&lock);
    const struct sigaction before = wanted[number];
    if (action != NULL)
    {
        wanted[number] = *action;
    }
    pthread_mutex_unlock(&lock);
    if (old != NULL)
    {
        *old = before;
    }
    return 0;
}

__sighandler_t signal(int number, __sighandler_t handler)
{
    struct sigaction action = {.sa_flags = SA_RESTART}, old;
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

// In a signal's handler. Calls the program's handler as the system would have. False: it has none.
bool program_handlers_call(int number, siginfo_t *info, void *frame)
{
    pthread_mutex_lock(&lock);
    const struct sigaction action = wanted[number];
    if (action.sa_flags & (int)SA_RESETHAND)
    {
        wanted[number].sa_handler = SIG_DFL;
    }
    pthread_mutex_unlock(&lock);
    if (action.sa_handler == SIG_IGN && info->si_code <= 0)
    {
        return true; // sent by a process, not raised by an instruction
    }
    if (action.sa_handler == SIG_DFL || action.sa_handler == SIG_IGN)
    {
        return false;
    }
    // A handler that jumps out leaves the mask as it finds it.
    sigset_t mask = ((const ucontext_t *)frame)->uc_sigmask;
    for (int other = 1; other < MAX_SIGNALS; ++other)
    {
        if (sigismember(&action.sa_mask, other) == 1)
        {
            sigaddset(&mask, other);
        }
    }
    if (!(action.sa_flags & SA_NODEFER))
    {
        sigaddset(&mask, number);
    }
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    if (action.sa_flags & SA_SIGINFO)
    {
        action.sa_sigaction(number, info, frame);
    }
    else
    {
        action.sa_handler(number);
    }
    return true;
}

// The end that the signal has for a program without a handler.
_Noreturn void program_handlers_die(int number)
{
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigset_t set;
    __sigaction(number, &action, NULL);
    sigemptyset(&set);
    sigaddset(&set, number);
    raise(number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    _exit(128 + number);
}
