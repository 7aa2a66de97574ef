#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "real.h"

#include <dlfcn.h>
#include <string.h>

struct vt_real vt_real;

static void *find(const char *name) {
#if defined(__x86_64__)
    // These have an old version of 2002 that cannot handle today's conditions, and which the linker could pick. In a
    // program that is both linked with this library and preloads it, the preloaded one comes next, and has no versions.
    if (strncmp(name, "pthread_cond_", strlen("pthread_cond_")) == 0 && !dlsym(RTLD_NEXT, "virtual_time_begin")) {
        void *found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
        if (found) return found;
    }
#endif
    return dlsym(RTLD_NEXT, name);
}

void vt_find_real(void) {
#define VT_FIND(name) vt_real.name = (__typeof__(&name))find(#name);
    VT_FUNCTIONS(VT_FIND)
#undef VT_FIND
}

__attribute__((constructor(101))) static void find_early(void) { vt_find_real(); }
#endif
