#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// The places of decisions. A shrunk course leaves out most decisions, and each remaining one must still have the same
// meaning. So it is identified not by its number, which shifts with everything before it, but by the thread, the call
// and the time. The scheduler's questions are counted per tenth of a second, so that one more turn does not shift those
// of the rest of the hour. The simulated world's questions have a subject instead, and are counted from the beginning.

// A tenth of a second. Full seconds, and events slightly later, fall in the middle of a period.
#define PERIOD 100000000
// The most places of questions in one period: a few threads at dozens of calls. Must be a power of two.
#define MOST_PLACES 4096
// Twice the number of labels. Must be a power of two.
#define MOST_SUBJECTS (2 * VIRTUAL_TIME_MOST_LABELS)

typedef struct {
    uint64_t place;
    int64_t period;  // plus 1; 0: unused. An entry of an old period counts as unused.
    uint32_t count;
} counter;

static counter counters[MOST_PLACES], subjects[MOST_SUBJECTS];
static uint32_t counters_used, subjects_used, overflow;
static int64_t current_period;
static uint64_t label_hashes[VIRTUAL_TIME_MOST_LABELS];

static int64_t period(void) { return (vt.now + PERIOD / 2) / PERIOD; }

/// Combines two numbers into one.
static uint64_t mixed(uint64_t left, uint64_t right) {
    uint64_t state = left ^ (right * 0x9E3779B97F4A7C15ULL);
    return vt_next_random(&state);
}

/// FNV-1a.
static uint64_t hash(const char *text) {
    uint64_t hash = 0xCBF29CE484222325ULL;
    for (; *text; text++) hash = (hash ^ (uint8_t)*text) * 0x100000001B3ULL;
    return hash;
}

void vt_begin_places(void) { label_hashes[0] = hash(""); }

/// Counts a place and returns its earlier count in this period; period 0 covers the whole life of the world.
static uint32_t count(counter *table, uint32_t size, uint32_t *table_used, uint64_t place, int64_t in) {
    for (uint32_t i = (uint32_t)place & (size - 1);; i = (i + 1) & (size - 1)) {
        if (table[i].period == in + 1 && table[i].place == place) return table[i].count++;
        if (table[i].period == in + 1) continue;
        // The table is full: the number is still unique among the questions at this place.
        if (*table_used >= size / 2) return UINT32_MAX / 2 + overflow++;
        ++*table_used;
        table[i] = (counter){.place = place, .period = in + 1, .count = 1};
        return 0;
    }
}

static uint32_t count_in_period(uint64_t place) {
    int64_t now = period();
    if (now != current_period) {
        current_period = now;
        counters_used = 0;
    }
    return count(counters, MOST_PLACES, &counters_used, place, now);
}

static uint16_t label_number(const char *label, uint64_t hash) {
    virtual_time_record *record = vt.record;
    for (uint32_t i = 0; i < record->label_count; i++)
        if (label_hashes[i] == hash) return (uint16_t)i;
    if (record->label_count == VIRTUAL_TIME_MOST_LABELS) return 0;
    uint32_t number = record->label_count++;
    label_hashes[number] = hash;
    strncpy(record->labels[number], label, VIRTUAL_TIME_LABEL_SIZE - 1);
    record->labels[number][VIRTUAL_TIME_LABEL_SIZE - 1] = 0;
    return (uint16_t)number;
}

void vt_locate(virtual_time_decision *decision, const char *label) {
    uint64_t name = hash(label), subject = mixed(name, decision->kind);
    decision->label = label_number(label, name);
    decision->now = vt.now;
    decision->thread = vt_self ? vt_self->id : -1;
    if (decision->kind >= virtual_time_kind_latency) {
        decision->place = subject;
        decision->ordinal = count(subjects, MOST_SUBJECTS, &subjects_used, subject, 0);
    } else {
        decision->place = mixed(mixed(subject, vt_self ? vt_self->name : 0), (uint64_t)period());
        decision->ordinal = count_in_period(decision->place);
    }
}

void vt_name_thread(vt_thread *thread) {
    uint64_t place = mixed(hash("thread"), (uint64_t)period());
    thread->name = mixed(place, count_in_period(place));
}

static int compare(const virtual_time_decision *left, const virtual_time_decision *right) {
    if (left->place != right->place) return left->place < right->place ? -1 : 1;
    return left->ordinal == right->ordinal ? 0 : left->ordinal < right->ordinal ? -1 : 1;
}

bool vt_are_in_order(const virtual_time_decision *decisions, size_t count) {
    for (size_t i = 1; i < count; i++)
        if (compare(&decisions[i - 1], &decisions[i]) >= 0) return false;
    return true;
}

const virtual_time_decision *vt_find_given(const virtual_time_decision *given, size_t count, const virtual_time_decision *asked) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(&given[middle], asked);
        if (order == 0) return &given[middle];
        if (order < 0) low = middle + 1;
        else high = middle;
    }
    return NULL;
}
#endif
