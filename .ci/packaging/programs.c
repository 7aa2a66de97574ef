// One binary that is every program, by the name it is started with: the libraries that all share are there once.
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

// The main functions, as the package manager names them.
extern int watchlink_main(int, char **);
extern int watchlink_host_main(int, char **);
extern int watchlink_companion_main(int, char **);
extern int watchlink_explore_main(int, char **);
extern int watchlink_torture_main(int, char **);
extern int watchlink_scenario_main(int, char **);
extern int watchlink_player_main(int, char **);

/// Of Swift's library. Linked statically, it looks for the arguments beside the environment, which a world in virtual time has moved.
extern void _swift_stdlib_overrideUnsafeArgvArgc(char **, int);

static const struct program {
    const char *name;
    int (*run)(int, char **);
    // Whether the program handles the signals that end it, and must not miss one while it starts.
    int is_service;
} programs[] = {
    {"watchlink", watchlink_main, 0},
    {"watchlink-host", watchlink_host_main, 1},
    {"watchlink-companion", watchlink_companion_main, 1},
    {"watchlink-explore", watchlink_explore_main, 0},
    {"watchlink-torture", watchlink_torture_main, 0},
    {"watchlink-scenario", watchlink_scenario_main, 0},
    {"watchlink-player", watchlink_player_main, 0},
};

static const struct program *find(const char *path) {
    if (path == NULL) return NULL;
    const char *slash = strrchr(path, '/');
    const char *name = slash == NULL ? path : slash + 1;
    for (size_t index = 0; index < sizeof programs / sizeof programs[0]; index++) {
        if (strcmp(programs[index].name, name) == 0) return &programs[index];
    }
    return NULL;
}

/// Returns the program that was started: by its path, or, if that is /proc/self/exe, by its first word.
static const struct program *started(int count, char **words) {
    const struct program *program = find((const char *)getauxval(AT_EXECFN));
    return program == NULL && count > 0 ? find(words[0]) : program;
}

/// Blocks the signals of a service from the first instruction on, as CStartSignals does in a program of its own.
static void hold_signals(int count, char **words, char **environment) {
    (void)environment;
    const struct program *program = started(count, words);
    if (program == NULL || !program->is_service) return;
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    sigprocmask(SIG_BLOCK, &signals, NULL);
}

__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = hold_signals;

int main(int count, char **words) {
    const struct program *program = started(count, words);
    _swift_stdlib_overrideUnsafeArgvArgc(words, count);
    if (program != NULL) return program->run(count, words);
    fprintf(stderr, "%s is no program of WatchLink; start it as one of:", count > 0 ? words[0] : "this");
    for (size_t index = 0; index < sizeof programs / sizeof programs[0]; index++) {
        fprintf(stderr, " %s", programs[index].name);
    }
    fprintf(stderr, "\n");
    return 2;
}
