#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// The number of processors in every world: libdispatch and Swift create as many workers.
#define PROCESSORS 4

/// Returns true also in a process that is about to become a world or a template: libdispatch asks before any
/// constructor of the program runs.
static bool is_for_worlds(void) { return vt.on ? vt_inside() : vt_variable(VIRTUAL_TIME_SEED) || vt_variable(VT_PREPARED); }

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
    if (!is_for_worlds()) return REAL(pthread_getaffinity_np)(thread, size, set);
    memset(set, 0, size);
    for (size_t i = 0; i < PROCESSORS; i++) CPU_SET_S(i, size, set);
    return 0;
}

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    if (!is_for_worlds()) return REAL(sched_getaffinity)(process, size, set);
    return pthread_getaffinity_np(pthread_self(), size, set);
}

long sysconf(int name) {
    if ((name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF) && is_for_worlds()) return PROCESSORS;
    return REAL(sysconf)(name);
}

int get_nprocs(void) { return is_for_worlds() ? PROCESSORS : REAL(get_nprocs)(); }
int get_nprocs_conf(void) { return is_for_worlds() ? PROCESSORS : REAL(get_nprocs_conf)(); }

int getloadavg(double averages[], int count) {
    if (!vt_inside()) return REAL(getloadavg)(averages, count);
    for (int i = 0; i < count && i < 3; i++) averages[i] = 0;
    return count < 3 ? count : 3;
}

static void pin_to(unsigned processor) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    vt_kernel(SYS_sched_setaffinity, 0, sizeof one, &one);
    // A thread that wakes another one then hands over the processor by waiting, and is not interrupted before: with one
    // processor, that would be two switches more. Where this is not allowed, it is.
    const struct sched_param none = {0};
    vt_kernel(SYS_sched_setscheduler, 0, SCHED_BATCH, &none);
}

void virtual_time_pin(void) {
    unsigned processor = 0;
    if (vt_kernel(SYS_getcpu, &processor, 0, 0) == 0) pin_to(processor);
}

// The threads that have taken each processor.
static int users[CPU_SETSIZE];
static pthread_mutex_t users_lock = PTHREAD_MUTEX_INITIALIZER;

int virtual_time_take_processor(void) {
    cpu_set_t allowed;
    unsigned best = 0;
    if (REAL(sched_getaffinity)(0, sizeof allowed, &allowed) != 0 || vt_kernel(SYS_getcpu, &best, 0, 0) != 0) return -1;
    pthread_mutex_lock(&users_lock);
    // The present one, if no other has fewer: other programs have their places, too.
    for (unsigned i = 0; i < CPU_SETSIZE; i++)
        if (CPU_ISSET(i, &allowed) && users[i] < users[best]) best = i;
    users[best]++;
    pthread_mutex_unlock(&users_lock);
    pin_to(best);
    return (int)best;
}

void virtual_time_give_processor_back(int processor) {
    if (processor < 0) return;
    pthread_mutex_lock(&users_lock);
    users[processor]--;
    pthread_mutex_unlock(&users_lock);
}
#endif
