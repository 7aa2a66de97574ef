#include "virtual_time.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const virtual_time_decision *virtual_time_record_decisions(const virtual_time_record *record) {
    return (const virtual_time_decision *)((const char *)record + VIRTUAL_TIME_DECISIONS_OFFSET);
}

const char *virtual_time_record_text(const virtual_time_record *record) { return record->text; }

const char *virtual_time_record_label(const virtual_time_record *record, uint32_t number) {
    // A faulty world may have overwritten its labels.
    bool is_there = number < record->label_count && number < VIRTUAL_TIME_MOST_LABELS;
    return is_there && memchr(record->labels[number], 0, VIRTUAL_TIME_LABEL_SIZE) ? record->labels[number] : "";
}

const char *virtual_time_record_trace(const virtual_time_record *record) {
    return (const char *)record + VIRTUAL_TIME_TRACE_OFFSET;
}

static bool is_sound(const virtual_time_record *record) {
    return record->magic == VIRTUAL_TIME_RECORD_MAGIC && record->version == VIRTUAL_TIME_RECORD_VERSION
           && record->decision_count <= VIRTUAL_TIME_MOST_DECISIONS && record->trace_length <= VIRTUAL_TIME_MOST_TRACE
           && record->label_count <= VIRTUAL_TIME_MOST_LABELS
           && record->text_length < VIRTUAL_TIME_MOST_TEXT;
}

const virtual_time_record *virtual_time_record_open(const char *path) {
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return NULL;
    struct stat status;
    const virtual_time_record *record = NULL;
    if (fstat(descriptor, &status) == 0) {
        // Reading a shorter file would cause a bus error.
        if (status.st_size == VIRTUAL_TIME_RECORD_SIZE) {
            // A private mapping, which cannot change after the check.
            void *memory = mmap(NULL, VIRTUAL_TIME_RECORD_SIZE, PROT_READ, MAP_PRIVATE, descriptor, 0);
            if (memory != MAP_FAILED) record = memory;
        } else {
            errno = EPROTO;
        }
    }
    int error = errno;
    close(descriptor);
    if (record && !is_sound(record)) {
        virtual_time_record_close(record);
        record = NULL;
        error = EPROTO;
    }
    errno = error;
    return record;
}

void virtual_time_record_close(const virtual_time_record *record) {
    if (record) munmap((void *)record, VIRTUAL_TIME_RECORD_SIZE);
}
