// Functions of CoreFoundation. On Linux they are part of the Foundation library, which has no header for them; an
// NSArray, NSDictionary or NSSet can be passed directly. Unlike Foundation's methods they return the stored objects.
#pragma once

#include <stdbool.h>
#include <stddef.h>

/// Returns the object at an index of an NSArray, which must be in range. Not retained.
const void *_Nonnull CFArrayGetValueAtIndex(const void *_Nonnull array, ptrdiff_t index);

/// Stores all keys and values of an NSDictionary. Not retained.
void CFDictionaryGetKeysAndValues(
    const void *_Nonnull dictionary, const void *_Nullable *_Nonnull keys, const void *_Nullable *_Nonnull values);

/// Stores all objects of an NSSet. Not retained.
void CFSetGetValues(const void *_Nonnull set, const void *_Nullable *_Nonnull values);

extern const void *_Nonnull const kCFPreferencesCurrentApplication;
unsigned char CFPreferencesAppSynchronize(const void *_Nonnull application);

/// Writes the changed values of all open UserDefaults to the disk; returns false if that failed. Unlike `UserDefaults.standard`, it opens
/// nothing: in a program that never used UserDefaults it does nothing.
static inline bool watchlink_write_user_defaults(void) {
    return CFPreferencesAppSynchronize(kCFPreferencesCurrentApplication);
}
