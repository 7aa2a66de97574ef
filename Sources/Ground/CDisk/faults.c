// Injected faults of the disk, by directory.
#include "disk.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

// The number of devices per process: a test has a phone and some watches.
enum { MAXIMUM_DIRECTORIES = 64 };

typedef struct {
    char directory[MAXIMUM_PATH];
    size_t length;
    int fault;
    int64_t writes;
} rule;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static rule rules[MAXIMUM_DIRECTORIES];
static int rule_count = 0;
// Read without the lock: most processes never inject a fault.
static atomic_int has_rules = 0;

int watchlink_disk_meet(const char *path, int error) {
    if (!atomic_load_explicit(&has_rules, memory_order_acquire)) return SQLITE_OK;
    int result = SQLITE_OK;
    pthread_mutex_lock(&lock);
    for (int index = 0; index < rule_count; index++) {
        rule *found = &rules[index];
        if (strncmp(path, found->directory, found->length) != 0) continue;
        if (found->writes > 0) {
            found->writes--;
            break;
        }
        switch (found->fault) {
        case WATCHLINK_DISK_FULL: result = SQLITE_FULL; break;
        case WATCHLINK_DISK_READ_ONLY: result = SQLITE_READONLY; break;
        default: result = error;
        }
        break;
    }
    pthread_mutex_unlock(&lock);
    return result;
}

int watchlink_disk_write_error(const char *path) {
    switch (watchlink_disk_meet(path, SQLITE_IOERR)) {
    case SQLITE_OK: return 0;
    case SQLITE_FULL: return ENOSPC;
    case SQLITE_READONLY: return EROFS;
    default: return EIO;
    }
}

int watchlink_disk_set_fault(const char *directory, int fault, int64_t writes) {
    size_t length = strlen(directory);
    if (length >= MAXIMUM_PATH) return -1;
    pthread_mutex_lock(&lock);
    int index = 0;
    while (index < rule_count && strcmp(rules[index].directory, directory) != 0) index++;
    int result = 0;
    if (fault == WATCHLINK_DISK_GOOD) {
        // A directory without a fault takes no place.
        if (index < rule_count) {
            rule_count--;
            memmove(&rules[index], &rules[index + 1], (size_t)(rule_count - index) * sizeof(rule));
            atomic_store_explicit(&has_rules, rule_count > 0, memory_order_release);
        }
    } else if (index == MAXIMUM_DIRECTORIES) {
        result = -1;
    } else {
        memcpy(rules[index].directory, directory, length + 1);
        rules[index].length = length;
        rules[index].fault = fault;
        rules[index].writes = writes;
        if (index == rule_count) rule_count++;
        atomic_store_explicit(&has_rules, 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
    return result;
}
