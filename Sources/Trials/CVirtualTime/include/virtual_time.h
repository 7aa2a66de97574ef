#pragma once
// A process in virtual time. One of its threads runs at a time, a seed decides each order, and its clocks jump when nobody can run.
//
// A program that is linked with this library, or preloads it, has the functions of glibc by which a thread waits, wakes, reads a clock
// or draws entropy replaced. Outside of a world each calls glibc's own. A world is a whole process: it begins before `main` by the
// environment (VIRTUAL_TIME_SEED), or where a process with a single thread calls `virtual_time_begin` or is forked by a template.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Decisions

/// What a decision is about. 0 is the dullest choice of each: the thread that has waited longest, no interruption, no delay, no fault.
typedef enum {
    virtual_time_kind_thread = 1,   ///< Which of the ready threads goes on, counted from the one that has been ready longest.
    virtual_time_kind_interruption, ///< Does the running thread give way here (1) or not (0)?
    virtual_time_kind_wake,         ///< Which of the waiting threads is woken, counted from the one that has waited longest.
    virtual_time_kind_stall,        ///< How long the thread is late, in milliseconds.
    // Asked by the simulated world itself.
    virtual_time_kind_latency,
    virtual_time_kind_fault,
    virtual_time_kind_application,
} virtual_time_kind;

/// One choice. A world's decisions are numbered from 0 in the order in which they are drawn. Their numbers move with everything that happens before
/// them, so a decision that is given is known by its place: who asks where, about when, and the how many-th time.
typedef struct {
    uint64_t place;    ///< The same for a question in each world that asks it, whatever was decided elsewhere.
    int64_t now;       ///< The virtual time.
    uint32_t ordinal;  ///< How often it was asked at this place before.
    uint32_t options;  ///< How many there were; at least 2.
    uint32_t taken;    ///< Below `options`.
    int32_t thread;    ///< The number of the thread that asks.
    int32_t chosen;    ///< The number of the thread that goes on, is woken, or is late; -1: none, or the same.
    uint8_t kind;      ///< A `virtual_time_kind`.
    uint16_t label;    ///< Of the record's labels: the call, or the subject of the question.
} virtual_time_decision;

/// How a decision is drawn where none is given.
typedef enum {
    virtual_time_strategy_random = 0,  ///< Each draw from the seed.
    virtual_time_strategy_pct = 1,     ///< Threads have priorities that change at `depth - 1` places (probabilistic concurrency testing).
} virtual_time_strategy;

/// What follows when the given decisions are used up.
typedef enum {
    virtual_time_sequel_drawn = 0,
    virtual_time_sequel_dull = 1,
} virtual_time_sequel;

/// How a world begins. `virtual_time_defaults` fills it in; a seed is all that must be set.
typedef struct {
    uint64_t seed;
    uint32_t strategy;            ///< A `virtual_time_strategy`.
    uint32_t depth;               ///< PCT: the number of ordering constraints that the sought bug needs; at least 1.
    uint64_t expected_steps;      ///< PCT: about how many places to interrupt a thread (`counts.steps`) the run has.
    uint32_t sequel;              ///< A `virtual_time_sequel`: what follows the first `given` decisions.
    uint64_t given;               ///< So many decisions are given: of these, those that are not listed are dull.
    uint32_t preemption;          ///< One in so many places where a thread may be interrupted is taken; 0: none.
    uint32_t stall;               ///< One in so many resumptions of a thread is late; 0: none.
    uint32_t stall_milliseconds;  ///< Late by up to this.
    bool edges;                   ///< Also interrupt at edges of code compiled with -sanitize-coverage=edge,trace-pc-guard.
    bool trace_steps;             ///< Also write each hand-over of the processor to the trace.
    int64_t epoch;                ///< What CLOCK_REALTIME shows at the beginning: nanoseconds since 1970.
    int64_t horizon;              ///< Nanoseconds of virtual time after which the world ends.
    uint32_t spin_milliseconds;   ///< A thread that has computed for so long without a call is spinning.
    int32_t process_identifier;   ///< What getpid answers; 0: the kernel's.
} virtual_time_settings;

virtual_time_settings virtual_time_defaults(uint64_t seed);

// ---- What came of it

typedef enum {
    virtual_time_end_none = 0,      ///< Not yet, or the process died without a word: see its wait status.
    virtual_time_end_ended,         ///< The world's own code called `virtual_time_finish(NULL)`, or the process exited with 0.
    virtual_time_end_failed,        ///< It called `virtual_time_finish` with a text.
    virtual_time_end_deadlock,      ///< All threads wait and no clock can help; the text says who waits for whom.
    virtual_time_end_uncontrolled,  ///< A thread was asleep in a call that the world does not control; the text names it.
    virtual_time_end_spinning,      ///< A thread ran without a call; the text names it.
    virtual_time_end_horizon,       ///< The horizon of virtual time was reached.
    virtual_time_end_exhausted,     ///< A bound of this library was reached; the text names it.
    virtual_time_end_crowded_out,   ///< Other programs of the user held all there is of something; the text names it. Says nothing of the world.
} virtual_time_end;

typedef struct {
    uint64_t switches;     ///< The processor went from one thread to another.
    uint64_t draws;        ///< Decisions, also those beyond what is kept.
    uint64_t jumps;        ///< The clocks jumped.
    uint64_t threads;      ///< Threads that have lived.
    uint64_t clock_reads;
    uint64_t polls;        ///< Looks at descriptors for those who wait for them.
    uint64_t edges;        ///< Edges of instrumented code.
    uint64_t steps;        ///< Places where a thread might have been interrupted.
    uint64_t mismatches;   ///< Given decisions whose questions had other options: not the same program, or not the same course.
} virtual_time_counts;

/// Why these: a week of two services makes some hundred thousand decisions; more cannot be shrunk in reasonable time.
#define VIRTUAL_TIME_MOST_DECISIONS (1u << 22)
/// A trace longer than this helps nobody; further lines are counted only.
#define VIRTUAL_TIME_MOST_TRACE (16u << 20)
/// Enough for the stacks of some hundred threads.
#define VIRTUAL_TIME_MOST_TEXT (64u << 10)
/// The calls at which threads are interrupted are some dozens, and what programs ask are some dozens more. Others are asked without a label.
#define VIRTUAL_TIME_MOST_LABELS 256u
/// Enough for some words; longer ones are cut.
#define VIRTUAL_TIME_LABEL_SIZE 64u
#define VIRTUAL_TIME_RECORD_MAGIC 0x314D495456ULL
#define VIRTUAL_TIME_RECORD_VERSION 2u

/// What a world leaves behind, in memory or a file that it shares with its owner: all of it is there even when the process is killed.
/// Decisions and trace follow at `VIRTUAL_TIME_DECISIONS_OFFSET` and `VIRTUAL_TIME_TRACE_OFFSET`.
typedef struct {
    uint64_t magic;
    uint32_t version;
    uint32_t end;              ///< A `virtual_time_end`.
    uint64_t seed;
    int64_t now;               ///< Nanoseconds of virtual time that have passed.
    virtual_time_counts counts;
    uint64_t decision_count;   ///< Those kept: at most VIRTUAL_TIME_MOST_DECISIONS.
    uint64_t trace_length;     ///< Bytes, at most VIRTUAL_TIME_MOST_TRACE.
    uint64_t trace_dropped;    ///< Lines that found no room.
    uint64_t text_length;
    uint32_t label_count;      ///< At most VIRTUAL_TIME_MOST_LABELS; the first is empty.
    char labels[VIRTUAL_TIME_MOST_LABELS][VIRTUAL_TIME_LABEL_SIZE];  ///< In Swift: `virtual_time_record_label`.
    char text[VIRTUAL_TIME_MOST_TEXT];  ///< In Swift, which knows no arrays of this size: `virtual_time_record_text`.
} virtual_time_record;

enum {
    VIRTUAL_TIME_DECISIONS_OFFSET = 1 << 17,
    VIRTUAL_TIME_TRACE_OFFSET = VIRTUAL_TIME_DECISIONS_OFFSET + (int)(VIRTUAL_TIME_MOST_DECISIONS * 40u),
    VIRTUAL_TIME_RECORD_SIZE = VIRTUAL_TIME_TRACE_OFFSET + (int)VIRTUAL_TIME_MOST_TRACE,
};

const virtual_time_decision *virtual_time_record_decisions(const virtual_time_record *record);
const char *virtual_time_record_text(const virtual_time_record *record);
/// A text of at most VIRTUAL_TIME_LABEL_SIZE bytes, the terminating zero included; empty beyond `label_count`.
const char *virtual_time_record_label(const virtual_time_record *record, uint32_t number);
const char *virtual_time_record_trace(const virtual_time_record *record);
/// Opens the record that a world left in a file; NULL (and errno) if it cannot be read, EPROTO if it is no such record.
const virtual_time_record *virtual_time_record_open(const char *path);
void virtual_time_record_close(const virtual_time_record *record);

// ---- Worlds

/// False when compiled with the thread sanitizer, which stands before the same functions: then there are no worlds.
bool virtual_time_is_available(void);
/// Does this process run in a world?
bool virtual_time_is_on(void);

/// Puts this process, which must have one thread, into a world. The `given` decisions are in the order of their places and ordinals, and are not
/// copied. False (and errno) if it cannot be: EBUSY (already in a world), ENOTSUP (not available), EINVAL (settings, order), EDEADLK (more than one
/// thread), or what mapping memory says.
bool virtual_time_begin(const virtual_time_settings *settings, const virtual_time_decision *given, size_t count);

/// A decision of the simulated world itself, below `options`; 0 is the dullest. Outside of a world: 0.
uint32_t virtual_time_choose(virtual_time_kind kind, uint32_t options);
/// The same, but drawn as 0 except one time in `one_in`.
uint32_t virtual_time_choose_rarely(virtual_time_kind kind, uint32_t options, uint32_t one_in);
/// The same about a subject, in some words: a decision about it is known by them, and by how often it was asked before.
uint32_t virtual_time_choose_about(const char *subject, virtual_time_kind kind, uint32_t options, uint32_t one_in);
/// Nanoseconds since the world began.
int64_t virtual_time_now(void);
/// Waits until all other threads wait and the clocks would jump, and something has happened since this was called last. For one thread; outside of
/// a world it returns at once.
void virtual_time_wait_until_idle(void);
/// Adds “seconds thread line” to the trace.
void virtual_time_trace(const char *line);
/// This world's record, to be read while it runs; NULL outside of a world.
const virtual_time_record *virtual_time_current(void);
/// Ends the world and its process at once: `ended` with exit code 0, or `failed` with exit code 1 if a text is given.
_Noreturn void virtual_time_finish(const char *failure);

/// Runs the program again, once, without address randomization (where personality(2) is allowed) and with the processors of a world. The
/// first thing in `main` of a program that opens a template; a world that begins by the environment does so itself.
void virtual_time_fix_addresses(char *const *arguments);
/// Keeps the calling process on one processor: a hand-over from thread to thread is then five times as fast.
void virtual_time_pin(void);

/// Exit codes of the processes of worlds that ended by themselves, each with its `end`.
#define VIRTUAL_TIME_EXIT_FAILED 1
#define VIRTUAL_TIME_EXIT_STOPPED 97  ///< deadlock, uncontrolled, spinning, horizon, exhausted, crowded out
#define VIRTUAL_TIME_EXIT_CONDUCTOR 96  ///< the conductor has gone

// ---- Templates: many worlds from one state of memory

typedef struct virtual_time_template virtual_time_template;

/// Forks a template process, which forks a world for each run. The calling process must have one thread, or call this from a process that
/// calls nothing but async-signal-safe functions in the worlds. NULL in a world (`virtual_time_is_on`), else the template, or NULL and errno.
virtual_time_template *virtual_time_template_open(void);
/// Runs one world to its end. The record is valid until the next run; `status` is the wait status of the world's process. A world that
/// takes longer than `milliseconds` of real time is killed (0: never). NULL and errno if the template has gone or `count` is too large.
const virtual_time_record *virtual_time_template_run(
    virtual_time_template *worlds, const virtual_time_settings *settings, const virtual_time_decision *given, size_t count,
    uint32_t milliseconds, int *status);
void virtual_time_template_close(virtual_time_template *worlds);

// ---- Several processes in lock-step

// The environment of a process that preloads the library. All are removed from the environment of the program before `main`, so that
// its own children live in real time.
#define VIRTUAL_TIME_SEED "VIRTUAL_TIME_SEED"              ///< A decimal number: the process is a world from its beginning.
#define VIRTUAL_TIME_STRATEGY "VIRTUAL_TIME_STRATEGY"      ///< `random` or `pct:DEPTH:STEPS`
#define VIRTUAL_TIME_DECISIONS "VIRTUAL_TIME_DECISIONS"    ///< A file of `virtual_time_decision`s, in the order of places and ordinals.
#define VIRTUAL_TIME_GIVEN "VIRTUAL_TIME_GIVEN"            ///< How many decisions are given, those that are dull included.
#define VIRTUAL_TIME_SEQUEL "VIRTUAL_TIME_SEQUEL"          ///< `drawn` or `dull`
#define VIRTUAL_TIME_PREEMPTION "VIRTUAL_TIME_PREEMPTION"  ///< N
#define VIRTUAL_TIME_STALL "VIRTUAL_TIME_STALL"            ///< `N:MILLISECONDS`
#define VIRTUAL_TIME_EDGES "VIRTUAL_TIME_EDGES"            ///< 0 or 1
#define VIRTUAL_TIME_TRACE "VIRTUAL_TIME_TRACE"            ///< `lines` or `steps`
#define VIRTUAL_TIME_EPOCH "VIRTUAL_TIME_EPOCH"            ///< Seconds since 1970.
#define VIRTUAL_TIME_HORIZON "VIRTUAL_TIME_HORIZON"        ///< Seconds of virtual time.
#define VIRTUAL_TIME_SPIN "VIRTUAL_TIME_SPIN"              ///< Milliseconds: see `spin_milliseconds`.
#define VIRTUAL_TIME_PROCESS "VIRTUAL_TIME_PROCESS"        ///< What getpid answers.
#define VIRTUAL_TIME_RECORD "VIRTUAL_TIME_RECORD"          ///< The file where the record goes; made anew.
#define VIRTUAL_TIME_CONDUCTOR "VIRTUAL_TIME_CONDUCTOR"    ///< The number of an open SOCK_SEQPACKET descriptor to the conductor.

#define VIRTUAL_TIME_DEBUGGER "VIRTUAL_TIME_DEBUGGER"      ///< The number, from 1, of the decision before which a debugger is awaited.

#define VIRTUAL_TIME_CONDUCTOR_VERSION 3u
/// More are counted, but not named.
#define VIRTUAL_TIME_MOST_DESCRIPTORS 64u

/// From a process to the conductor, when it begins (once, before `main`) and whenever it is idle: one datagram.
typedef struct {
    uint32_t version;           ///< VIRTUAL_TIME_CONDUCTOR_VERSION
    uint32_t descriptor_count;  ///< Descriptors that would wake it; the first of them are named.
    int64_t now;                ///< Its time. Others must not see what it did before it did it.
    int64_t deadline;           ///< When its next timer is due; INT64_MAX: never.
    uint64_t activity;          ///< Grows whenever a thread of it has run: unchanged means that the look found nothing to do.
    struct {
        int32_t number;
        uint32_t events;  ///< as of poll(2)
    } descriptors[VIRTUAL_TIME_MOST_DESCRIPTORS];
} virtual_time_idle;

/// From the conductor to an idle process: look again, the time is `now` (not before its own). One process at a time is told to.
typedef struct {
    uint32_t version;       ///< VIRTUAL_TIME_CONDUCTOR_VERSION
    uint32_t signal;        ///< A signal that the process gets first; 0: none.
    int64_t now;
    uint64_t steps_to_live; ///< SIGKILL at the so-many-th place from here where a thread may be interrupted; 0: as before.
    int64_t clock_shift;    ///< By so many nanoseconds the calendar's clocks (CLOCK_REALTIME and its like) were set since the device began.
    uint64_t is_disk_full;  ///< 1: no file can grow.
} virtual_time_go_on;

#ifdef __cplusplus
}
#endif
