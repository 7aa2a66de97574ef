#pragma once
// A process in virtual time. One of its threads runs at a time, a seed decides every order, and its clocks jump when no
// thread can run.
//
// In a program that is linked with this library, or preloads it, the functions of glibc by which a thread waits, wakes,
// reads a clock or draws entropy are replaced. Outside a world each calls glibc's own. A world is a whole process: it
// begins before `main` if the environment requests it (VIRTUAL_TIME_SEED), or when a process with a single thread calls
// `virtual_time_begin` or is forked by a template.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---- Decisions

/// The subject of a decision. 0 is always the dullest choice: the thread that has waited longest, no interruption, no
/// delay, no fault.
typedef enum {
    virtual_time_kind_thread = 1,   ///< The thread that runs next, counted from the one that has been ready longest.
    virtual_time_kind_interruption, ///< 1 if the running thread gives way here, 0 if not.
    virtual_time_kind_wake,         ///< The waiting thread that is woken, counted from the one that has waited longest.
    virtual_time_kind_stall,        ///< The delay of a thread, in milliseconds.
    // Questions of the simulated world itself.
    virtual_time_kind_latency,
    virtual_time_kind_fault,
    virtual_time_kind_application,
} virtual_time_kind;

/// One choice. A world's decisions are numbered from 0 in the order in which they are drawn. Their numbers shift with
/// everything that happens before them, so a given decision is identified by its place (the thread, the call and the
/// time) and its ordinal.
typedef struct {
    uint64_t place;    ///< The same in each world that asks the question, whatever was decided elsewhere.
    int64_t now;       ///< The virtual time.
    uint32_t ordinal;  ///< The number of earlier questions at this place.
    uint32_t options;  ///< The number of possibilities; at least 2.
    uint32_t taken;    ///< Below `options`.
    int32_t thread;    ///< The number of the thread that asks.
    int32_t chosen;    ///< The number of the thread that was resumed, woken or delayed; -1: none, or the same.
    uint8_t kind;      ///< A `virtual_time_kind`.
    uint16_t label;    ///< The index of the record's label: the call, or the subject of the question.
} virtual_time_decision;

/// The way in which decisions that are not given are drawn.
typedef enum {
    virtual_time_strategy_random = 0,  ///< Each decision is drawn from the seed.
    virtual_time_strategy_pct = 1,     ///< Probabilistic concurrency testing: priorities change at `depth - 1` places.
} virtual_time_strategy;

/// The source of the decisions after the given ones.
typedef enum {
    virtual_time_sequel_drawn = 0,
    virtual_time_sequel_dull = 1,
} virtual_time_sequel;

/// The parameters of a world. `virtual_time_defaults` fills them in; only the seed must be set.
typedef struct {
    uint64_t seed;
    uint32_t strategy;            ///< A `virtual_time_strategy`.
    uint32_t depth;               ///< PCT: the number of ordering constraints that the sought bug needs; at least 1.
    uint64_t expected_steps;      ///< PCT: the approximate number of interruption points in a run (`counts.steps`).
    uint32_t sequel;              ///< A `virtual_time_sequel`: the source of decisions after the first `given` ones.
    uint64_t given;               ///< The number of given decisions; those that are not listed are dull.
    uint32_t preemption;          ///< One in this many interruption points is taken; 0: none.
    uint32_t stall;               ///< One in this many resumptions of a thread is delayed; 0: none.
    uint32_t stall_milliseconds;  ///< The longest delay.
    bool edges;                   ///< Also interrupt at edges: see -sanitize-coverage=edge,trace-pc-guard.
    bool trace_steps;             ///< Also write each hand-over of the processor to the trace.
    int64_t epoch;                ///< CLOCK_REALTIME at the beginning, in nanoseconds since 1970.
    int64_t horizon;              ///< The virtual time after which the world ends, in nanoseconds.
    uint32_t spin_milliseconds;   ///< The time after which a thread that computes without a call is spinning.
    int32_t process_identifier;   ///< The result of getpid; 0: the kernel's.
} virtual_time_settings;

virtual_time_settings virtual_time_defaults(uint64_t seed);

// ---- Results

typedef enum {
    virtual_time_end_none = 0,      ///< Not yet, or the process died without a report: see its wait status.
    virtual_time_end_ended,         ///< The world called `virtual_time_finish(NULL)`, or the process exited with 0.
    virtual_time_end_failed,        ///< The world called `virtual_time_finish` with a text.
    virtual_time_end_deadlock,      ///< All threads wait, none with a deadline; the text lists what each waits for.
    virtual_time_end_uncontrolled,  ///< A thread slept in a call that the world does not control; the text names it.
    virtual_time_end_spinning,      ///< A thread ran too long without a call; the text names it.
    virtual_time_end_horizon,       ///< The horizon of virtual time was reached.
    virtual_time_end_exhausted,     ///< A limit of this library was reached; the text names it.
    virtual_time_end_crowded_out,   ///< Other programs of the user had used up a resource, which the text names.
} virtual_time_end;

typedef struct {
    uint64_t switches;     ///< Switches from one thread to another.
    uint64_t draws;        ///< Decisions, including those beyond the number kept.
    uint64_t jumps;        ///< Jumps of the clocks.
    uint64_t threads;      ///< Threads, including those that have ended.
    uint64_t clock_reads;
    uint64_t polls;        ///< Polls of descriptors on behalf of waiting threads.
    uint64_t edges;        ///< Edges of instrumented code that were executed.
    uint64_t steps;        ///< Points at which a thread could have been interrupted.
    uint64_t mismatches;   ///< Given decisions with other options than their questions: another program or course.
} virtual_time_counts;

/// A week of two services takes a few hundred thousand decisions; more cannot be shrunk in reasonable time.
#define VIRTUAL_TIME_MOST_DECISIONS (1u << 22)
/// A longer trace is useless; further lines are only counted.
#define VIRTUAL_TIME_MOST_TRACE (16u << 20)
/// Enough for the stacks of a few hundred threads.
#define VIRTUAL_TIME_MOST_TEXT (64u << 10)
/// Threads are interrupted at dozens of calls, and programs ask about dozens of subjects. Further ones have
/// no label.
#define VIRTUAL_TIME_MOST_LABELS 256u
/// Enough for a few words; longer labels are cut.
#define VIRTUAL_TIME_LABEL_SIZE 96u
#define VIRTUAL_TIME_RECORD_MAGIC 0x314D495456ULL
#define VIRTUAL_TIME_RECORD_VERSION 3u

/// The record that a world leaves, in memory or a file that it shares with its owner: it is complete even if the
/// process is killed. Decisions and trace follow at `VIRTUAL_TIME_DECISIONS_OFFSET` and `VIRTUAL_TIME_TRACE_OFFSET`.
typedef struct {
    uint64_t magic;
    uint32_t version;
    uint32_t end;              ///< A `virtual_time_end`.
    uint64_t seed;
    int64_t now;               ///< The virtual time that has passed, in nanoseconds.
    int64_t turn;              ///< Under a conductor: the time at which the last turn began.
    virtual_time_counts counts;
    uint64_t decision_count;   ///< The decisions kept: at most VIRTUAL_TIME_MOST_DECISIONS.
    uint64_t trace_length;     ///< Bytes, at most VIRTUAL_TIME_MOST_TRACE.
    uint64_t trace_dropped;    ///< Lines that did not fit.
    uint64_t text_length;
    uint32_t label_count;      ///< At most VIRTUAL_TIME_MOST_LABELS; the first is empty.
    char labels[VIRTUAL_TIME_MOST_LABELS][VIRTUAL_TIME_LABEL_SIZE];  ///< In Swift: `virtual_time_record_label`.
    char text[VIRTUAL_TIME_MOST_TEXT];  ///< In Swift, which cannot import large arrays: `virtual_time_record_text`.
} virtual_time_record;

enum {
    VIRTUAL_TIME_DECISIONS_OFFSET = 1 << 17,
    VIRTUAL_TIME_TRACE_OFFSET = VIRTUAL_TIME_DECISIONS_OFFSET + (int)(VIRTUAL_TIME_MOST_DECISIONS * 40u),
    VIRTUAL_TIME_RECORD_SIZE = VIRTUAL_TIME_TRACE_OFFSET + (int)VIRTUAL_TIME_MOST_TRACE,
};

const virtual_time_decision *virtual_time_record_decisions(const virtual_time_record *record);
const char *virtual_time_record_text(const virtual_time_record *record);
/// Returns a label of at most VIRTUAL_TIME_LABEL_SIZE bytes, including the terminating zero; empty beyond
/// `label_count`.
const char *virtual_time_record_label(const virtual_time_record *record, uint32_t number);
const char *virtual_time_record_trace(const virtual_time_record *record);
/// Opens the record that a world left in a file. NULL and errno if it cannot be read; EPROTO if it is not such a
/// record.
const virtual_time_record *virtual_time_record_open(const char *path);
void virtual_time_record_close(const virtual_time_record *record);

/// The beginning of the line on standard error after which the stack of a crashed thread follows, a frame in each line.
#define VIRTUAL_TIME_CRASH "crashed"
/// The beginning of the text in the trace after which two threads follow that took two locks in opposite orders.
#define VIRTUAL_TIME_LOCK_ORDERS "locks in opposite orders"
/// The words of the second thread of a report, after what it holds.
#define VIRTUAL_TIME_SECOND_ORDER ", the one that the other takes"

// ---- Worlds

/// Returns false when compiled with the thread sanitizer, which replaces the same functions: worlds do not exist then.
bool virtual_time_is_available(void);
/// Returns true if this process runs in a world.
bool virtual_time_is_on(void);

/// Puts this process, which must have one thread, into a world. The `given` decisions are sorted by place and ordinal,
/// and are not copied. False and errno on failure: EBUSY (already in a world), ENOTSUP (not available), EINVAL
/// (settings, order), EDEADLK (more than one thread), or an error of mapping memory.
bool virtual_time_begin(const virtual_time_settings *settings, const virtual_time_decision *given, size_t count);

/// Takes a decision of the simulated world itself, below `options`; 0 is the dullest. Outside a world: 0.
uint32_t virtual_time_choose(virtual_time_kind kind, uint32_t options);
/// Does the same, but draws a number other than 0 only once in `one_in` times.
uint32_t virtual_time_choose_rarely(virtual_time_kind kind, uint32_t options, uint32_t one_in);
/// Does the same for a subject of a few words, which identifies the decision together with the number of earlier
/// questions about it.
uint32_t virtual_time_choose_about(const char *subject, virtual_time_kind kind, uint32_t options, uint32_t one_in);
/// Returns the virtual time since the world began, in nanoseconds.
int64_t virtual_time_now(void);
/// Waits until every other thread waits and the clocks are about to jump, and something has happened since the last
/// call. For one thread only; outside a world it returns immediately.
void virtual_time_wait_until_idle(void);
/// Appends “seconds thread line” to the trace.
void virtual_time_trace(const char *line);
/// Returns this world's record, for reading while it runs; NULL outside a world.
const virtual_time_record *virtual_time_current(void);
/// Says that the calling thread runs nothing of an app: it waits until the others have work for it. Reports of waiting threads
/// leave it out, or have it last, unless threads wait for each other by way of it.
void virtual_time_attend(void);
/// Describes the threads that wait for other threads, without a deadline: who waits for whom, and the stacks. Returns the
/// length; 0 outside a world.
size_t virtual_time_describe_waits(char *text, size_t room);
/// Ends the world and its process immediately: `ended` with exit code 0, or `failed` with exit code 1 if a text is
/// given.
_Noreturn void virtual_time_finish(const char *failure);

/// Executes the program again, once, without address randomization (where personality(2) is allowed) and with the
/// processors of a world. Must be called first thing in `main` of a program that opens a template; a world that the
/// environment requests does this itself.
void virtual_time_fix_addresses(char *const *arguments);
/// Pins the calling process to one processor, which makes a hand-over between threads five times as fast.
void virtual_time_pin(void);
/// Pins the calling thread to the allowed processor that the fewest threads of this process have taken. Returns its
/// number, or -1 if none could be taken.
int virtual_time_take_processor(void);
/// Gives a taken processor back.
void virtual_time_give_processor_back(int processor);

/// Exit codes of worlds that ended by themselves, with the values of `end`.
#define VIRTUAL_TIME_EXIT_FAILED 1
#define VIRTUAL_TIME_EXIT_STOPPED 97  ///< deadlock, uncontrolled, spinning, horizon, exhausted, crowded out
#define VIRTUAL_TIME_EXIT_CONDUCTOR 96  ///< the conductor is gone

// ---- Templates: many worlds from one state of memory

typedef struct virtual_time_template virtual_time_template;

/// Forks a template process, which forks a world for each run. The calling process must have one thread, or its worlds
/// must call only async-signal-safe functions. Returns NULL in a world (`virtual_time_is_on`), and the template in the
/// caller, or NULL and errno.
virtual_time_template *virtual_time_template_open(void);
/// Runs one world until it ends. The record is valid until the next run; `status` is the wait status of the world's
/// process. A world that takes longer than `milliseconds` of real time is killed (0: never). NULL and errno if the
/// template is gone or `count` is too large.
const virtual_time_record *virtual_time_template_run(
    virtual_time_template *worlds, const virtual_time_settings *settings, const virtual_time_decision *given, size_t count,
    uint32_t milliseconds, int *status);
void virtual_time_template_close(virtual_time_template *worlds);

// ---- Several processes in lock-step

// The environment of a process that preloads the library. All variables are removed before `main`, so that its children
// run in real time.
#define VIRTUAL_TIME_SEED "VIRTUAL_TIME_SEED"              ///< A decimal number: makes the process a world.
#define VIRTUAL_TIME_STRATEGY "VIRTUAL_TIME_STRATEGY"      ///< `random` or `pct:DEPTH:STEPS`
#define VIRTUAL_TIME_DECISIONS "VIRTUAL_TIME_DECISIONS"    ///< A file of decisions, by place and ordinal.
#define VIRTUAL_TIME_GIVEN "VIRTUAL_TIME_GIVEN"            ///< The number of given decisions, including dull ones.
#define VIRTUAL_TIME_SEQUEL "VIRTUAL_TIME_SEQUEL"          ///< `drawn` or `dull`
#define VIRTUAL_TIME_PREEMPTION "VIRTUAL_TIME_PREEMPTION"  ///< N
#define VIRTUAL_TIME_STALL "VIRTUAL_TIME_STALL"            ///< `N:MILLISECONDS`
#define VIRTUAL_TIME_EDGES "VIRTUAL_TIME_EDGES"            ///< 0 or 1
#define VIRTUAL_TIME_TRACE "VIRTUAL_TIME_TRACE"            ///< `lines` or `steps`
#define VIRTUAL_TIME_EPOCH "VIRTUAL_TIME_EPOCH"            ///< Seconds since 1970.
#define VIRTUAL_TIME_HORIZON "VIRTUAL_TIME_HORIZON"        ///< Seconds of virtual time.
#define VIRTUAL_TIME_SPIN "VIRTUAL_TIME_SPIN"              ///< Milliseconds: see `spin_milliseconds`.
#define VIRTUAL_TIME_PROCESS "VIRTUAL_TIME_PROCESS"        ///< The result of getpid.
#define VIRTUAL_TIME_RECORD "VIRTUAL_TIME_RECORD"          ///< The file for the record; it is replaced.
#define VIRTUAL_TIME_CONDUCTOR "VIRTUAL_TIME_CONDUCTOR"    ///< An open SOCK_SEQPACKET descriptor to the conductor.
#define VIRTUAL_TIME_PAGE_CACHE "VIRTUAL_TIME_PAGE_CACHE"  ///< A directory for what a power cut would leave.
#define VIRTUAL_TIME_FILES "VIRTUAL_TIME_FILES"            ///< The file for the table of files, shared by all programs.

#define VIRTUAL_TIME_DEBUGGER "VIRTUAL_TIME_DEBUGGER"      ///< The decision that awaits a debugger, from 1.

#define VIRTUAL_TIME_CONDUCTOR_VERSION 5u

/// The datagram from a process to the conductor when it begins (once, before `main`) and whenever it is idle. The first
/// one carries an epoll descriptor, which is ready when something has happened for which the process waits.
typedef struct {
    uint32_t version;        ///< VIRTUAL_TIME_CONDUCTOR_VERSION
    uint16_t is_watched;     ///< 0: it also waits for descriptors that the epoll descriptor does not show.
    uint16_t may_signal;     ///< 1: it may have sent signals to other processes, whose descriptors do not show them.
    int64_t now;             ///< Its time. Other processes must not see its effects at an earlier time.
    int64_t deadline;        ///< The time at which its next timer is due; INT64_MAX: never.
    uint64_t activity;       ///< Increases whenever one of its threads runs: unchanged if there was nothing to do.
} virtual_time_idle;

/// The datagram from the conductor to an idle process: check again, the time is `now` (not before its own). One process
/// at a time gets it. The first one carries an epoll descriptor, which is ready when another process needs a turn.
typedef struct {
    uint32_t version;       ///< VIRTUAL_TIME_CONDUCTOR_VERSION
    uint32_t signal;        ///< A signal to deliver first; 0: none.
    int64_t now;
    uint64_t steps_to_live; ///< The number of interruption points until SIGKILL; 0: unchanged.
    int64_t clock_shift;    ///< The total shift of the calendar clocks (such as CLOCK_REALTIME), in nanoseconds.
    uint64_t is_disk_full;  ///< 1: no file can grow.
    int64_t alone_until;    ///< It need not report to go on at a time before this one, if no other needs a turn.
} virtual_time_go_on;

#ifdef __cplusplus
}
#endif
