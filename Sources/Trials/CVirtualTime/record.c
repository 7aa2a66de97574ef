#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

_Static_assert(sizeof(virtual_time_decision) == 40, "the trace follows the decisions");
_Static_assert(sizeof(virtual_time_record) <= VIRTUAL_TIME_DECISIONS_OFFSET, "the decisions follow the record");

virtual_time_record *vt_map_record(int descriptor) {
    int sharing = descriptor < 0 ? MAP_SHARED | MAP_ANONYMOUS : MAP_SHARED;
    void *memory = mmap(NULL, VIRTUAL_TIME_RECORD_SIZE, PROT_READ | PROT_WRITE, sharing | MAP_NORESERVE, descriptor, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void vt_begin_record(virtual_time_record *record, uint64_t seed) {
    memset(record, 0, offsetof(virtual_time_record, labels));
    record->text[0] = 0;
    record->labels[0][0] = 0;
    record->label_count = 1;
    record->magic = VIRTUAL_TIME_RECORD_MAGIC;
    record->version = VIRTUAL_TIME_RECORD_VERSION;
    record->seed = seed;
    vt.record = record;
}

void virtual_time_trace(const char *line) {
    if (!vt.on || !line) return;
    virtual_time_record *record = vt.record;
    size_t room = VIRTUAL_TIME_MOST_TRACE - record->trace_length;
    char *text = (char *)record + VIRTUAL_TIME_TRACE_OFFSET + record->trace_length;
    int length = snprintf(
        text, room, "%lld.%09lld t%d %s\n", (long long)(vt.now / 1000000000), (long long)(vt.now % 1000000000),
        vt_self ? vt_self->id : -1, line);
    if (length < 0 || (size_t)length >= room) {
        record->trace_dropped++;
        return;
    }
    record->trace_length += (uint64_t)length;
}

void vt_note_step(const char *place, const vt_thread *next) {
    char line[160];
    snprintf(line, sizeof line, "%s: t%d runs", place, next->id);
    virtual_time_trace(line);
}

/// Completes the record and ends the process.
static _Noreturn void end(virtual_time_end how, const char *text, size_t length, int code) {
    virtual_time_record *record = vt.record;
    if (length > sizeof record->text - 1) length = sizeof record->text - 1;
    memmove(record->text, text, length);
    record->text[length] = 0;
    record->text_length = length;
    record->now = vt.now;
    record->end = (uint32_t)how;
    for (;;) vt_kernel(SYS_exit_group, code);
}

void vt_stop(virtual_time_end how, const char *text, size_t length) {
    // Where an endless loop is found depends on the machine. A conductor, which compares what programs write, has the
    // text from the record.
    if (how != virtual_time_end_spinning || vt.conductor < 0) vt_kernel(SYS_write, 2, text, length);
    end(how, text, length, VIRTUAL_TIME_EXIT_STOPPED);
}

void virtual_time_finish(const char *failure) {
    int code = failure ? VIRTUAL_TIME_EXIT_FAILED : 0;
    if (!vt.on)
        for (;;) vt_kernel(SYS_exit_group, code);
    if (failure) end(virtual_time_end_failed, failure, strlen(failure), code);
    end(virtual_time_end_ended, "", 0, code);
}

void vt_note_exit(int code) {
    if (!vt.on || vt_self != vt.running || vt.record->end != virtual_time_end_none) return;
    vt.record->now = vt.now;
    if (code == 0) vt.record->end = virtual_time_end_ended;
}
#endif
