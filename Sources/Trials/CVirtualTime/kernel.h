#pragma once
// System calls, past all replacements of glibc's functions.
#include <errno.h>
#include <sys/syscall.h>

static inline long vt_kernel6(long number, long a, long b, long c, long d, long e, long f) {
#if defined(__x86_64__)
    long result;
    register long r10 __asm__("r10") = d, r8 __asm__("r8") = e, r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c,
                  x3 __asm__("x3") = d, x4 __asm__("x4") = e, x5 __asm__("x5") = f;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#else
#error "Virtual time supports only x86-64 and arm64."
#endif
}

// Missing arguments are 0. The result is negative for an error, such as -ENOENT.
#define VT_KERNEL_ARGUMENTS(number, a, b, c, d, e, f, ...) \
    vt_kernel6((long)(number), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
#define vt_kernel(...) VT_KERNEL_ARGUMENTS(__VA_ARGS__, 0, 0, 0, 0, 0, 0, 0)

/// Converts a result of the kernel as glibc does: to -1 and errno for an error.
static inline long vt_with_errno(long result) {
    if (result >= 0 || result <= -4096) return result;
    errno = (int)-result;
    return -1;
}
