#include "CProbe.h"
#include "virtual_time.h"

#include <pthread.h>
#include <stdio.h>
#include <sys/sysinfo.h>
#include <unistd.h>

static void *say(void *name) {
    char line[64];
    snprintf(line, sizeof line, "%s: process %d, thread %d", (const char *)name, getpid(), gettid());
    virtual_time_trace(line);
    return NULL;
}

void probe_identifiers(void) {
    say("first");
    pthread_t thread;
    pthread_create(&thread, NULL, say, "second");
    pthread_join(thread, NULL);
    char line[64];
    snprintf(line, sizeof line, "processors: %d and %ld", get_nprocs(), sysconf(_SC_NPROCESSORS_ONLN));
    virtual_time_trace(line);
    virtual_time_finish(NULL);
}
