import Foundation
import Testing

/// A preloaded library that shifts a program's wall clock, as on a device with a wrong clock, but not boot clocks.
struct ShiftedClock {
    private let library: String

    /// Compiles it into a test's directory.
    init(_ bench: TestBench) throws {
        let source = try bench.write("clock.c", Self.source)
        library = bench.path + "/clock.so"
        let compiler = Process()
        compiler.executableURL = URL(filePath: "/usr/bin/env")
        compiler.arguments = ["clang", "-shared", "-fPIC", "-o", library, source]
        try compiler.run()
        compiler.waitUntilExit()
        try #require(compiler.terminationStatus == 0, "clang, which comes with Swift, does not compile the clock")
    }

    /// Returns the environment that shifts a program's clock by so many days.
    func environment(days: Int) -> [String: String] {
        ["LD_PRELOAD": library, "CLOCK_SHIFT_SECONDS": "\(days * 86_400)"]
    }

    private static let source = """
        #include <stdlib.h>
        #include <sys/syscall.h>
        #include <sys/time.h>
        #include <time.h>
        #include <unistd.h>

        static long shift(void) {
            const char *text = getenv("CLOCK_SHIFT_SECONDS");
            return text ? atol(text) : 0;
        }

        int clock_gettime(clockid_t clock, struct timespec *time) {
            int result = syscall(SYS_clock_gettime, clock, time);
            if (result == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) time->tv_sec += shift();
            return result;
        }

        int gettimeofday(struct timeval *time, void *zone) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            time->tv_sec = now.tv_sec;
            time->tv_usec = now.tv_nsec / 1000;
            return 0;
        }

        time_t time(time_t *result) {
            struct timespec now;
            clock_gettime(CLOCK_REALTIME, &now);
            if (result) *result = now.tv_sec;
            return now.tv_sec;
        }
        """
}
