#pragma once
// The protocol between the owner of copies and the copied process.
#include <stdint.h>

#include "carried.h"

#pragma GCC visibility push(hidden)

typedef enum { vt_copy_start = 1, vt_copy_end } vt_copy_kind;

/// A start request carries three descriptors (output, errors, conductor) and a text: the directory, the variables and
/// the arguments after the program's name, each terminated by a zero byte.
typedef struct {
    uint32_t kind;
    int32_t process;     // the process to wait for
    uint32_t processor;  // the processor for the copy
    uint32_t length;     // of the text
    uint32_t arguments;  // the part of the text, at its end, with the arguments; 0: they are the copied process's
} vt_copy_request;

typedef struct {
    int32_t process;
    int32_t status;
    int32_t error;
} vt_copy_answer;

#define VT_COPY_DESCRIPTORS VT_MOST_CARRIED

#pragma GCC visibility pop
