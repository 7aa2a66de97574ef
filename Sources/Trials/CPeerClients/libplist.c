#include "include/peer_clients.h"

#include <dlfcn.h>
#include <stdlib.h>

// The functions of plist/plist.h (libplist 2), which are part of its binary interface.

static struct {
    void (*from_bin)(const char *, uint32_t, void **);
    void (*to_bin)(void *, char **, uint32_t *);
    void (*free)(void *);
} plist;

bool watchlink_has_libplist(void) {
    if (plist.free) return true;
    void *library = dlopen("libplist-2.0.so.3", RTLD_NOW | RTLD_LOCAL);
    if (!library) library = dlopen("libplist-2.0.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return false;
    plist.from_bin = (void (*)(const char *, uint32_t, void **))dlsym(library, "plist_from_bin");
    plist.to_bin = (void (*)(void *, char **, uint32_t *))dlsym(library, "plist_to_bin");
    void (*release)(void *) = (void (*)(void *))dlsym(library, "plist_free");
    if (!plist.from_bin || !plist.to_bin || !release) return false;
    plist.free = release;
    return true;
}

void *watchlink_libplist_objects(const uint8_t *bytes, size_t count) {
    void *objects = NULL;
    if (watchlink_has_libplist()) plist.from_bin((const char *)bytes, (uint32_t)count, &objects);
    return objects;
}

bool watchlink_libplist_read(const uint8_t *bytes, size_t count) {
    void *objects = watchlink_libplist_objects(bytes, count);
    if (!objects) return false;
    plist.free(objects);
    return true;
}

size_t watchlink_libplist_write(void *objects) {
    char *bytes = NULL;
    uint32_t count = 0;
    plist.to_bin(objects, &bytes, &count);
    // libplist's own function for it does nothing else.
    free(bytes);
    return bytes ? count : 0;
}
