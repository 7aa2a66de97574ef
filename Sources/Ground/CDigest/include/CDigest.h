#ifndef WATCHLINK_DIGEST_H
#define WATCHLINK_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Compresses blocks of 64 bytes into the eight words of SHA-256's state with the processor's instructions for it.
///
/// `constants` are the 64 of the algorithm. Returns false, and changes nothing, on a processor without such instructions.
bool watchlink_sha256_compress(uint32_t *state, const uint32_t *constants, const void *bytes, size_t blocks);

#endif
