#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

// Worlds that the environment requests, from the beginning of the process. An invalid variable ends the process: a
// world other than the requested one would find nothing, unnoticed.

static _Noreturn void refuse(const char *name, const char *value, const char *allowed) {
    fprintf(stderr, "virtual time: %s is “%s”, but must be %s.\n", name, value, allowed);
    for (;;) vt_kernel(SYS_exit_group, VIRTUAL_TIME_EXIT_STOPPED);
}

/// Parses a decimal number up to `most` at the beginning of a text; returns the rest of the text, or NULL if there is
/// no such number.
static const char *number(const char *text, uint64_t most, uint64_t *value) {
    if (*text < '0' || *text > '9') return NULL;
    *value = 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*value > (most - digit) / 10) return NULL;
        *value = *value * 10 + digit;
    }
    return text;
}

/// Returns the value of a variable, or `fallback` if it is not set.
static uint64_t number_named(const char *name, uint64_t most, uint64_t fallback) {
    const char *text = vt_variable(name);
    if (!text) return fallback;
    uint64_t value = 0;
    const char *end = number(text, most, &value);
    if (end && !*end) return value;
    char allowed[64];
    snprintf(allowed, sizeof allowed, "a number from 0 to %llu", (unsigned long long)most);
    refuse(name, text, allowed);
}

/// Returns the index of a variable's value in a list of two.
static uint32_t word_named(const char *name, const char *first, const char *second) {
    const char *text = vt_variable(name);
    if (!text || strcmp(text, first) == 0) return 0;
    if (strcmp(text, second) == 0) return 1;
    char allowed[64];
    snprintf(allowed, sizeof allowed, "%s or %s", first, second);
    refuse(name, text, allowed);
}

static void read_strategy(virtual_time_settings *settings) {
    const char *text = vt_variable(VIRTUAL_TIME_STRATEGY), *rest = text;
    if (!text || strcmp(text, "random") == 0) return;
    uint64_t depth = 0, steps = 0;
    if (strncmp(text, "pct:", 4) != 0 || !(rest = number(text + 4, UINT32_MAX, &depth)) || *rest != ':'
        || !(rest = number(rest + 1, UINT64_MAX, &steps)) || *rest || depth == 0 || steps == 0)
        refuse(VIRTUAL_TIME_STRATEGY, text, "random, or pct:DEPTH:STEPS with numbers of at least 1");
    settings->strategy = virtual_time_strategy_pct;
    settings->depth = (uint32_t)depth;
    settings->expected_steps = steps;
}

static void read_stall(virtual_time_settings *settings) {
    const char *text = vt_variable(VIRTUAL_TIME_STALL), *rest = text;
    if (!text) return;
    uint64_t one_in = 0, milliseconds = 0;
    if (!(rest = number(text, UINT32_MAX, &one_in)) || *rest != ':' || !(rest = number(rest + 1, 3600000, &milliseconds)) || *rest)
        refuse(VIRTUAL_TIME_STALL, text, "N:MILLISECONDS with at most 3600000 milliseconds");
    settings->stall = (uint32_t)one_in;
    settings->stall_milliseconds = (uint32_t)milliseconds;
}

static virtual_time_settings read_settings(uint64_t seed) {
    virtual_time_settings settings = virtual_time_defaults(seed);
    const uint64_t second = 1000000000, most_seconds = INT64_MAX / second / 2;
    read_strategy(&settings);
    read_stall(&settings);
    settings.sequel = word_named(VIRTUAL_TIME_SEQUEL, "drawn", "dull");
    settings.edges = word_named(VIRTUAL_TIME_EDGES, "0", "1");
    settings.trace_steps = word_named(VIRTUAL_TIME_TRACE, "lines", "steps");
    settings.preemption = (uint32_t)number_named(VIRTUAL_TIME_PREEMPTION, UINT32_MAX, settings.preemption);
    settings.given = number_named(VIRTUAL_TIME_GIVEN, UINT64_MAX, 0);
    settings.spin_milliseconds = (uint32_t)number_named(VIRTUAL_TIME_SPIN, UINT32_MAX, settings.spin_milliseconds);
    settings.epoch = (int64_t)(number_named(VIRTUAL_TIME_EPOCH, most_seconds, (uint64_t)settings.epoch / second) * second);
    settings.horizon = (int64_t)(number_named(VIRTUAL_TIME_HORIZON, most_seconds, (uint64_t)settings.horizon / second) * second);
    settings.process_identifier = (int32_t)number_named(VIRTUAL_TIME_PROCESS, INT32_MAX, (uint64_t)settings.process_identifier);
    if (settings.horizon == 0) refuse(VIRTUAL_TIME_HORIZON, "0", "at least 1");
    if (settings.spin_milliseconds == 0) refuse(VIRTUAL_TIME_SPIN, "0", "at least 1");
    return settings;
}

static const virtual_time_decision *read_decisions(size_t *count) {
    const char *path = vt_variable(VIRTUAL_TIME_DECISIONS);
    *count = 0;
    if (!path) return NULL;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fstat(file, &status) != 0) refuse(VIRTUAL_TIME_DECISIONS, path, "a file that can be read");
    size_t size = (size_t)status.st_size, one = sizeof(virtual_time_decision);
    if (size % one != 0 || size / one > VIRTUAL_TIME_MOST_DECISIONS)
        refuse(VIRTUAL_TIME_DECISIONS, path, "a file of decisions, 40 bytes each, at most 4194304");
    void *memory = size == 0 ? NULL : mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0);
    if (memory == MAP_FAILED) refuse(VIRTUAL_TIME_DECISIONS, path, "a file that can be mapped");
    close(file);
    *count = size / one;
    if (!vt_are_in_order(memory, *count)) refuse(VIRTUAL_TIME_DECISIONS, path, "a file of decisions sorted by place");
    return memory;
}

static virtual_time_record *make_record(void) {
    const char *path = vt_variable(VIRTUAL_TIME_RECORD);
    int file = -1;
    if (path) {
        file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0 || ftruncate(file, VIRTUAL_TIME_RECORD_SIZE) != 0)
            refuse(VIRTUAL_TIME_RECORD, path, "a file that can be written");
    }
    virtual_time_record *record = vt_map_record(file);
    if (!record) refuse(VIRTUAL_TIME_RECORD, path ? path : "", "a file that can be mapped");
    if (file >= 0) close(file);
    return record;
}

static void forget_environment(void) {
    static const char *const names[] = {
        VIRTUAL_TIME_SEED,  VIRTUAL_TIME_STRATEGY, VIRTUAL_TIME_DECISIONS, VIRTUAL_TIME_SEQUEL, VIRTUAL_TIME_PREEMPTION,
        VIRTUAL_TIME_STALL, VIRTUAL_TIME_EDGES,    VIRTUAL_TIME_TRACE,     VIRTUAL_TIME_EPOCH,  VIRTUAL_TIME_HORIZON,
        VIRTUAL_TIME_SPIN,  VIRTUAL_TIME_PROCESS,  VIRTUAL_TIME_RECORD,    VIRTUAL_TIME_CONDUCTOR, VIRTUAL_TIME_DEBUGGER,
        VIRTUAL_TIME_GIVEN, VIRTUAL_TIME_PAGE_CACHE, VIRTUAL_TIME_FILES,
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) vt_forget_variable(names[i]);
}

/// The first report to the conductor: the time at which this process begins.
static void report_to_conductor(void) { vt_ask_conductor(vt.now); }

void vt_begin_by_environment(void) {
    virtual_time_settings settings = read_settings(number_named(VIRTUAL_TIME_SEED, UINT64_MAX, 0));
    size_t given_count = 0;
    const virtual_time_decision *given = read_decisions(&given_count);
    virtual_time_record *record = make_record();
    uint64_t conductor = number_named(VIRTUAL_TIME_CONDUCTOR, INT_MAX, INT_MAX);
    if (conductor != INT_MAX) {
        vt.conductor = (int)conductor;
        vt_own_descriptor(vt.conductor);
        if (vt_kernel(SYS_fcntl, vt.conductor, F_SETFD, FD_CLOEXEC) < 0)
            refuse(VIRTUAL_TIME_CONDUCTOR, vt_variable(VIRTUAL_TIME_CONDUCTOR), "an open descriptor");
    }
    vt.debugged = number_named(VIRTUAL_TIME_DEBUGGER, UINT64_MAX, 0);
    vt_begin_page_cache(vt_variable(VIRTUAL_TIME_PAGE_CACHE));
    vt_begin_file_numbers(vt_variable(VIRTUAL_TIME_FILES));
    forget_environment();
    if (!vt_begin(record, &settings, given, given_count)) refuse(VIRTUAL_TIME_SEED, "set", "unset: memory is exhausted");
    if (vt.conductor >= 0) report_to_conductor();
}

__attribute__((constructor(102))) static void begin_before_main(int count, char **arguments) {
    (void)count;
    if (!vt_variable(VIRTUAL_TIME_SEED)) return;
    virtual_time_fix_addresses(arguments);
    vt_begin_by_environment();
}
#endif
