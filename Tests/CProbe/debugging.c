#include "CProbe.h"

#include <signal.h>
#include <stddef.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

// The stop by which it is attached, and those of programs that it begins: a few.
#define MOST_STOPS 10

int probe_signal_in_debugger(int process) {
    if (ptrace(PTRACE_ATTACH, process, NULL, NULL) != 0) return -1;
    for (int stops = 0; stops < MOST_STOPS; stops++) {
        int status = 0;
        if (waitpid(process, &status, __WALL) != process || !WIFSTOPPED(status)) return -1;
        siginfo_t information = {0};
        ptrace(PTRACE_GETSIGINFO, process, NULL, &information);
        // What a thread sends to itself, and not what the kernel tells.
        if (information.si_code == SI_TKILL && information.si_signo != SIGSTOP) {
            ptrace(PTRACE_DETACH, process, NULL, NULL);
            return information.si_signo;
        }
        ptrace(PTRACE_CONT, process, NULL, NULL);
    }
    return -1;
}
