#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dirent.h>
#include <sys/personality.h>
#include <sys/resource.h>
#include <sys/stat.h>

#define SECOND 1000000000LL
// Each world begins on 2026-01-01 by default.
#define EPOCH (1767225600 * SECOND)
// A world in which only a periodic timer fires must end.
#define HORIZON (30 * 86400 * SECOND)
// One in this many places: rare enough that most code runs as on an idle machine.
#define PREEMPTION 16
// Slow code in a debug build computes for a few seconds; more is an endless loop.
#define SPIN_MILLISECONDS 10000
#define STALL_MILLISECONDS 30
// The result of getpid, which appears in each line of a log.
#define PROCESS_IDENTIFIER 1000
#define SWIFT_REPORTER "SWIFT_BACKTRACE"
// The kernel writes no memory image with this limit, neither to a file, for which a page is the least, nor to a program,
// for which every other limit is ignored.
#define CORE_BYTES 1
// Limits of the settings.
#define LONGEST_STALL_MILLISECONDS 3600000

virtual_time_settings virtual_time_defaults(uint64_t seed) {
    return (virtual_time_settings){
        .seed = seed,
        .strategy = virtual_time_strategy_random,
        .depth = 3,
        .expected_steps = 10000,
        .preemption = PREEMPTION,
        .stall_milliseconds = STALL_MILLISECONDS,
        .epoch = EPOCH,
        .horizon = HORIZON,
        .spin_milliseconds = SPIN_MILLISECONDS,
        .process_identifier = PROCESS_IDENTIFIER,
    };
}

bool vt_is_valid(const virtual_time_settings *settings) {
    if (!settings) return false;
    if (settings->strategy == virtual_time_strategy_pct && (settings->depth == 0 || settings->expected_steps == 0)) return false;
    return settings->strategy <= virtual_time_strategy_pct && settings->sequel <= virtual_time_sequel_dull
           && settings->stall_milliseconds <= LONGEST_STALL_MILLISECONDS && settings->epoch >= 0 && settings->horizon > 0
           && settings->spin_milliseconds > 0;
}

bool virtual_time_is_available(void) { return true; }
bool virtual_time_is_on(void) { return vt.on; }
const virtual_time_record *virtual_time_current(void) { return vt.record; }

/// A directory has two more links than subdirectories, and /proc/self/task has one subdirectory per thread.
bool vt_has_one_thread(void) {
    struct stat status;
    return stat("/proc/self/task", &status) != 0 || status.st_nlink <= 3;
}

static void note_exit(int code, void *nothing) {
    (void)nothing;
    vt_note_exit(code);
}

/// An exploration may have hundreds of worlds that trap. Where core files are allowed, each would write all its memory to
/// the disk; a crash is looked at with a replay in a debugger.
static void leave_no_core(void) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_cur <= CORE_BYTES) return;
    limit.rlim_cur = CORE_BYTES;
    setrlimit(RLIMIT_CORE, &limit);
}

/// The part that fails only for lack of memory.
bool vt_begin(
    virtual_time_record *record, const virtual_time_settings *settings, const virtual_time_decision *given, size_t count) {
    vt.settings = *settings;
    vt.process = (int)vt_kernel(SYS_getpid);
    vt.earliest = VT_NEVER;
    leave_no_core();
    vt_begin_record(record, settings->seed);
    vt_begin_places();
    vt_begin_decisions(given, count);
    vt_begin_entropy(settings->seed);
    vt_begin_descriptors();
    vt_begin_file_times();
    vt_begin_disk();
    virtual_time_pin();
    if (!vt_begin_threads()) return false;
    on_exit(note_exit, NULL);
    vt_make_room_for_own_descriptors();
    vt_begin_watchdog();
    vt_begin_crash_reports();
    vt.on = true;
    return true;
}

static bool fail(int error) {
    errno = error;
    return false;
}

bool virtual_time_begin(const virtual_time_settings *settings, const virtual_time_decision *given, size_t count) {
    if (vt.on) return fail(EBUSY);
    if (!vt_is_valid(settings) || (count > 0 && !given) || !vt_are_in_order(given, count)) return fail(EINVAL);
    if (!vt_has_one_thread()) return fail(EDEADLK);
    virtual_time_record *record = vt_map_record(-1);
    return record && vt_begin(record, settings, given, count);
}

uint32_t virtual_time_choose(virtual_time_kind kind, uint32_t options) { return virtual_time_choose_about("", kind, options, 1); }

uint32_t virtual_time_choose_rarely(virtual_time_kind kind, uint32_t options, uint32_t one_in) {
    return virtual_time_choose_about("", kind, options, one_in);
}

uint32_t virtual_time_choose_about(const char *subject, virtual_time_kind kind, uint32_t options, uint32_t one_in) {
    return vt_inside() ? vt_decide(subject ? subject : "", kind, options, one_in) : 0;
}

int64_t virtual_time_now(void) { return vt.now; }

void virtual_time_fix_addresses(char *const *arguments) {
    if (vt_variable(VT_PREPARED)) {
        vt_forget_variable(VT_PREPARED);
        return;
    }
    int now = personality(0xffffffff);
    // A conductor has already prepared the process; a second exec would cost as much as a whole short world.
    if (now != -1 && now & ADDR_NO_RANDOMIZE && vt_variable(SWIFT_REPORTER)) return;
    // Where this is not allowed, the second run has other addresses, but the same number of processors.
    if (now != -1) personality((unsigned long)now | ADDR_NO_RANDOMIZE);
    vt_set_variable(VT_PREPARED, "1");
    // Swift's crash reporter is a separate process, for which the crashing process would wait with the world's calls.
    if (!vt_variable(SWIFT_REPORTER)) vt_set_variable(SWIFT_REPORTER, "enable=no");
    execv("/proc/self/exe", arguments);
    vt_forget_variable(VT_PREPARED);
}
#endif
