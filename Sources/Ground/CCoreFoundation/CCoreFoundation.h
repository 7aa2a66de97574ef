// Three functions of CoreFoundation. On Linux they are part of Foundation's library, which comes without a header for them; an
// NSArray, NSDictionary or NSSet can be passed as it is. Unlike Foundation's own methods they give out the objects as stored.
#pragma once

#include <stddef.h>

/// The object at a position of an NSArray, which must be within it. Not retained.
const void *_Nonnull CFArrayGetValueAtIndex(const void *_Nonnull array, ptrdiff_t index);

/// Stores all keys and values of an NSDictionary. Not retained.
void CFDictionaryGetKeysAndValues(
    const void *_Nonnull dictionary, const void *_Nullable *_Nonnull keys, const void *_Nullable *_Nonnull values);

/// Stores all objects of an NSSet. Not retained.
void CFSetGetValues(const void *_Nonnull set, const void *_Nullable *_Nonnull values);
