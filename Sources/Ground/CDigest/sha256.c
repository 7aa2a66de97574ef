#include "CDigest.h"

#if defined(__x86_64__)

#include <cpuid.h>
#include <immintrin.h>

/// The bit of the SHA extensions in the processor's list of structured extended features.
static const unsigned sha_bit = 1u << 29;

static bool has_instructions(void) {
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & sha_bit);
}

__attribute__((target("sha,sse4.1"))) static void compress(
    uint32_t *state, const uint32_t *constants, const uint8_t *bytes, size_t blocks) {
    const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bull, 0x0405060700010203ull);
    // The instructions take the words as ABEF and CDGH, the last letter lowest.
    __m128i low = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)state), 0xB1);
    __m128i high = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(state + 4)), 0x1B);
    __m128i abef = _mm_alignr_epi8(low, high, 8);
    __m128i cdgh = _mm_blend_epi16(high, low, 0xF0);
    for (; blocks > 0; blocks--, bytes += 64) {
        const __m128i first = abef, second = cdgh;
        __m128i words[16];
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            if (group < 4) {
                words[group] =
                    _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * group)), order);
            } else {
                __m128i next = _mm_sha256msg1_epu32(words[group - 4], words[group - 3]);
                next = _mm_add_epi32(next, _mm_alignr_epi8(words[group - 1], words[group - 2], 4));
                words[group] = _mm_sha256msg2_epu32(next, words[group - 1]);
            }
            const __m128i sum =
                _mm_add_epi32(words[group], _mm_loadu_si128((const __m128i *)(constants + 4 * group)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
        }
        abef = _mm_add_epi32(abef, first);
        cdgh = _mm_add_epi32(cdgh, second);
    }
    low = _mm_shuffle_epi32(abef, 0x1B);
    high = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(low, high, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(high, low, 8));
}

bool watchlink_sha256_compress(uint32_t *state, const uint32_t *constants, const void *bytes, size_t blocks) {
    // Asked once: in a virtual machine each question leaves it. Two threads that ask at the same time store the same.
    static _Atomic int known = 0;
    int answer = known;
    if (answer == 0) {
        answer = has_instructions() ? 1 : -1;
        known = answer;
    }
    if (answer < 0) return false;
    compress(state, constants, bytes, blocks);
    return true;
}

#else

bool watchlink_sha256_compress(uint32_t *state, const uint32_t *constants, const void *bytes, size_t blocks) {
    (void)state, (void)constants, (void)bytes, (void)blocks;
    return false;
}

#endif
