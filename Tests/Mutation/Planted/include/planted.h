// The switch behind every planted fault. One build holds all faults of a run; the environment says which one is on.
#pragma once

#include <stdbool.h>

/// The number of the fault that is on, from the environment variable PLANTED_FAULT; 0 when none is.
extern int planted_fault;

/// One byte for each fault, shared with the file that PLANTED_REACHED names; NULL without a record.
extern unsigned char *planted_reached;

/// Returns true if the fault of this number is on, and records that the program reached it.
static inline bool faultIsPlanted(int number) {
    if (__builtin_expect(planted_reached != 0, 0)) planted_reached[number] = 1;
    return number == planted_fault;
}
