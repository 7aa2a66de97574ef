#pragma once
// What the owner of copies and the process that is copied say to each other.
#include <stdint.h>

#pragma GCC visibility push(hidden)

typedef enum { vt_copy_start = 1, vt_copy_end } vt_copy_kind;

/// With a start come three descriptors: output, errors, conductor; and the text: the directory and the variables, each ended by a zero.
typedef struct {
    uint32_t kind;
    int32_t process;     // whose end is waited for
    uint32_t processor;  // where the copy runs
    uint32_t length;     // of the text
} vt_copy_request;

typedef struct {
    int32_t process;
    int32_t status;
    int32_t error;
} vt_copy_answer;

#define VT_COPY_DESCRIPTORS 3

#pragma GCC visibility pop
