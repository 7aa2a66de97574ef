#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// The most random devices that a program can have open at a time; another one ends the world.
#define MOST_RANDOM_FILES 64

static uint64_t generator;
static int random_files[MOST_RANDOM_FILES];
static int random_file_count;

/// SplitMix64: short, and every seed is good.
uint64_t vt_next_random(uint64_t *state) {
    uint64_t z = (*state += 0x9E3779B97F4A7C15ULL);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/// The order of Swift's sets and dictionaries. Without `deterministic` it also depends on their addresses.
extern struct {
    uint64_t seed0, seed1;
    bool deterministic;
} _swift_stdlib_Hashing_parameters __attribute__((weak));

void vt_begin_entropy(uint64_t seed) {
    // Separate from the generator of decisions: if entropy depended on them, a shorter list would change the program.
    generator = ~seed;
    if (&_swift_stdlib_Hashing_parameters == NULL) {
        // Swift's library is linked statically and not initialized yet: only the environment reaches it.
        vt_set_variable("SWIFT_DETERMINISTIC_HASHING", "1");
    } else if (!_swift_stdlib_Hashing_parameters.deterministic) {
        _swift_stdlib_Hashing_parameters.seed0 = vt_next_random(&generator);
        _swift_stdlib_Hashing_parameters.seed1 = vt_next_random(&generator);
        _swift_stdlib_Hashing_parameters.deterministic = true;
    }
}

void vt_entropy(void *bytes, size_t count) {
    vt.beat++;
    for (uint8_t *place = bytes; count > 0;) {
        uint64_t value = vt_next_random(&generator);
        size_t part = count < sizeof value ? count : sizeof value;
        memcpy(place, &value, part);
        place += part;
        count -= part;
    }
}

ssize_t getrandom(void *bytes, size_t count, unsigned flags) {
    if (!vt_inside()) return REAL(getrandom)(bytes, count, flags);
    vt_entropy(bytes, count);
    return (ssize_t)count;
}

int getentropy(void *bytes, size_t count) {
    if (!vt_inside()) return REAL(getentropy)(bytes, count);
    if (count > 256) {
        errno = EIO;
        return -1;
    }
    vt_entropy(bytes, count);
    return 0;
}

void arc4random_buf(void *bytes, size_t count) {
    if (vt_inside()) vt_entropy(bytes, count);
    else REAL(arc4random_buf)(bytes, count);
}

uint32_t arc4random(void) {
    if (!vt_inside()) return REAL(arc4random)();
    uint32_t value;
    vt_entropy(&value, sizeof value);
    return value;
}

uint32_t arc4random_uniform(uint32_t below) {
    if (!vt_inside()) return REAL(arc4random_uniform)(below);
    uint32_t value;
    vt_entropy(&value, sizeof value);
    return (uint32_t)(((uint64_t)value * below) >> 32);
}

// ---- /dev/urandom

bool vt_is_random_file(int descriptor) {
    for (int i = 0; i < random_file_count; i++)
        if (random_files[i] == descriptor) return true;
    return false;
}

void vt_remember_random_file(int descriptor) {
    static const char full[] = "virtual time: the program has more than 64 random devices open; close them.\n";
    if (random_file_count == MOST_RANDOM_FILES) vt_stop(virtual_time_end_exhausted, full, sizeof full - 1);
    random_files[random_file_count++] = descriptor;
}

bool vt_forget_random_file(int descriptor) {
    for (int i = 0; i < random_file_count; i++)
        if (random_files[i] == descriptor) {
            random_files[i] = random_files[--random_file_count];
            return true;
        }
    return false;
}
#endif
