#pragma once
// The state of a world, and how its threads give the processor to each other. Everything here is called by the thread that runs.
#include "kernel.h"
#include "real.h"
#include "virtual_time.h"

#pragma GCC visibility push(hidden)

#define VT_NEVER INT64_MAX
/// In the environment of a program that was run again to be the same on every machine.
#define VT_PREPARED "VIRTUAL_TIME_PREPARED"

typedef enum { vt_ready, vt_running, vt_blocked, vt_dead } vt_state;
typedef enum { vt_on_address, vt_on_descriptors, vt_on_clock, vt_on_signal } vt_subject;
typedef enum { vt_woken, vt_timed_out, vt_signalled } vt_outcome;
/// How a report finds the thread for which another waits.
typedef enum { vt_nobody, vt_mutex, vt_rwlock, vt_word, vt_thread_end } vt_holder;

/// For what a thread waits.
typedef struct {
    vt_subject subject;
    vt_holder holder;
    const char *call;
    const void *address;
    uint32_t bits;  // as of FUTEX_WAIT_BITSET
    bool interruptible;  // by a signal
    struct pollfd *descriptors;
    nfds_t descriptor_count;
    uint64_t signals;    // bit n: signal n + 1 ends the wait without a handler
    int64_t deadline;
    bool is_by_calendar;  // the deadline moves when the calendar's clock is set; vt_block finds out
} vt_wait;

typedef struct vt_thread {
    uint64_t name;            // the same in each world that starts it then
    struct vt_thread *next, *previous;        // of those that are ready, or of those that wait, in order of arrival
    struct vt_thread *next_alive, *previous_alive;
    int id;
    int kernel_id;
    vt_state state;
    int baton;  // a futex: 1 when this thread may run
    vt_wait wait;
    int64_t calendar_deadline;  // the last deadline that this thread had from a clock that can be set
    vt_outcome outcome;
    bool late;                // stalled: ready, but waits for the clock
    int64_t late_until;
    uint64_t priority;        // PCT
    pthread_t handle;
    bool detached;
    void *(*body)(void *);
    void *argument;
    int rounds;               // of the destructors of thread-specific values
    uint64_t pending_signals; // that were sent to this thread by this process
    int taken_signal;         // that ended its wait without a handler
    bool restarts;            // the last handler wishes that calls go on
    bool is_dispatch_manager;
} vt_thread;

typedef struct {
    vt_thread *first, *last;
    uint32_t count;
} vt_queue;

/// What there is of a world. All zero outside of one.
struct vt_world {
    bool on;
    bool scheduling;          // within the code that hands the processor over: a signal handler's calls then go to glibc
    vt_thread *running;
    vt_thread *alive;         // a list
    vt_queue ready, waiting;
    uint32_t address_waiters, descriptor_waiters;
    int thread_count;
    int64_t now;
    int64_t earliest;         // no deadline is before this
    vt_thread *dying;         // has handed over for the last time
    int process;              // the kernel's identifier of this process
    uint64_t activity;        // grows whenever a thread goes on
    uint64_t manager_activity;  // the part of it that was libdispatch's manager
    uint64_t beat;            // grows with each call: a run without calls is seen by it
    const char *outside;      // the call in which the running thread waits for the outside, by intent
    int conductor;            // descriptor, or -1
    uint64_t steps_to_live;   // until SIGKILL; 0: the conductor wants none
    int64_t clock_shift;      // nanoseconds by which the calendar's clock was set
    bool is_disk_full;
    uint64_t debugged;        // the number, from 1, of the decision before which a debugger is awaited; 0: none
    virtual_time_settings settings;
    virtual_time_record *record;
};
extern struct vt_world vt;
extern __thread vt_thread *vt_self __attribute__((tls_model("initial-exec")));

/// Is the caller the running thread of a world?
static inline bool vt_inside(void) {
    return __builtin_expect(vt.on, 0) && vt_self && vt_self == vt.running && !vt.scheduling;
}

// begin.c
/// Reads the beginning of one of the kernel's files about this process, past the world's own calls. False if it cannot be opened. The path
/// may lie where the text goes.
bool vt_read_text(const char *path, char *text, size_t size);

bool vt_has_one_thread(void);
bool vt_is_valid(const virtual_time_settings *settings);
bool vt_begin(
    virtual_time_record *record, const virtual_time_settings *settings, const virtual_time_decision *given, size_t count);

// environment.c
/// Puts this process, which must have one thread, into the world that the environment describes.
void vt_begin_by_environment(void);

// debugger.c
/// Waits, in real time, until a debugger is attached, and stops in it.
void vt_wait_for_debugger(void);

// world.c
vt_outcome vt_block(const vt_wait *wait);
vt_outcome vt_block_on_address(const void *address, vt_holder holder, int64_t deadline, const char *call);
vt_outcome vt_sleep_until(int64_t deadline, const char *call);
void vt_wake(vt_thread *thread, vt_outcome outcome);
int vt_wake_address(const void *address, uint32_t bits, int most);
/// A look at something that costs time, so that a loop that looks out makes the clock go on.
void vt_look(void);
/// A place where the thread may be interrupted.
void vt_step(const char *place);
void vt_step_at_edge(void);
vt_thread *vt_add_thread(void);
void vt_remove_thread(vt_thread *thread);
void vt_start_running(vt_thread *thread);
/// The last that a thread does in a world: from then on it is the kernel's.
void vt_end_running(vt_thread *thread);
int64_t vt_earliest_deadline(void);

// decisions.c
void vt_begin_decisions(const virtual_time_decision *given, size_t count);
/// 0 is drawn, except one time in `one_in`; 1: every option is as likely.
uint32_t vt_decide(const char *label, virtual_time_kind kind, uint32_t options, uint32_t one_in);
vt_thread *vt_decide_thread(vt_thread *giving_way, const char *place);
bool vt_decide_interruption(const char *place);
int64_t vt_decide_stall(const vt_thread *thread);
/// The last decision was for this thread.
void vt_note_chosen(const vt_thread *thread);
void vt_give_priority(vt_thread *thread);

// places.c
void vt_begin_places(void);
/// Are given decisions in the order in which they are looked for?
bool vt_are_in_order(const virtual_time_decision *decisions, size_t count);
/// Fills in where, when and by whom a question of this kind is asked.
void vt_locate(virtual_time_decision *decision, const char *label);
/// The one of the given decisions that is at the same place; NULL if there is none.
const virtual_time_decision *vt_find_given(const virtual_time_decision *given, size_t count, const virtual_time_decision *asked);
void vt_name_thread(vt_thread *thread);

// record.c
virtual_time_record *vt_map_record(int descriptor);
void vt_begin_record(virtual_time_record *record, uint64_t seed);
void vt_note_step(const char *place, const vt_thread *next);
void vt_note_exit(int code);
_Noreturn void vt_stop(virtual_time_end end, const char *text, size_t length);

// idle.c
void vt_wait_for_the_next_event(void);
_Noreturn void vt_stop_at_the_horizon(void);

// conductor.c
void vt_ask_conductor(int64_t deadline);

// waits.c
size_t vt_describe_waits(char *text, size_t room, bool with_stacks);
_Noreturn void vt_stop_in_deadlock(void);

// clocks.c
int64_t vt_nanoseconds(const struct timespec *time);
int64_t vt_after(const struct timespec *time);
int64_t vt_at(clockid_t clock, const struct timespec *time);
/// Can somebody set this clock?
bool vt_is_calendar(clockid_t clock);
/// What the calendar's clock shows, in nanoseconds since 1970.
int64_t vt_calendar(void);
/// The calendar's clock is `shift` nanoseconds from where it would be had nobody set it. Who waits for one of its times waits on for that time.
void vt_set_clock(int64_t shift);
void vt_tell_time(clockid_t clock, struct timespec *time);
int64_t vt_after_milliseconds(int milliseconds);

// timers.c
int64_t vt_earliest_timer(void);
void vt_fire_timers(void);
bool vt_forget_timer(int descriptor);
void vt_calendar_timers_come_sooner(int64_t by);

// entropy.c
void vt_begin_entropy(uint64_t seed);
uint64_t vt_next_random(uint64_t *state);
void vt_entropy(void *bytes, size_t count);
bool vt_is_random_file(int descriptor);
void vt_remember_random_file(int descriptor);
bool vt_forget_random_file(int descriptor);

// alarms.c
int64_t vt_earliest_alarm(void);
void vt_fire_alarms(void);
void vt_calendar_alarms_come_sooner(int64_t by);

// disk.c
/// Notes on which disk the program works.
void vt_begin_disk(void);
/// True (and errno) if the disk is full and these bytes would make the file larger. A negative offset: where the descriptor stands.
bool vt_disk_is_full_for(int descriptor, off64_t offset, size_t count);

// signals.c
/// Sends a signal to the process, as kill does.
void vt_send_signal(int number, const siginfo_t *what);
/// Runs the handlers of what was sent to the running thread.
void vt_take_signals(void);
/// Wakes those who wait for signals that came from outside; true if there are such.
bool vt_signals_have_come(void);

// children.c
/// While a child of the world runs, in real time, the world's clocks stand still. Waits until one has ended or a descriptor of a waiting
/// thread is ready; false if no child runs.
bool vt_wait_for_children(void);

// file_locks.c
void vt_file_lock_was_given_back(void);

// file_times.c
void vt_begin_file_times(void);
void vt_file_was_changed(int descriptor);
/// To be called before a descriptor is closed.
void vt_write_file_time(int descriptor);

// threads.c
bool vt_begin_threads(void);
/// By what gettid answers.
vt_thread *vt_thread_of_identifier(int identifier);
vt_thread *vt_thread_of_handle(pthread_t handle);

// descriptors.c
void vt_look_at_descriptors(void);
bool vt_wait_for_descriptor(int descriptor, short events, int64_t deadline, const char *call);
void vt_begin_descriptors(void);
/// Where nobody can go on: waits in real time for descriptors that were open before the world began. False if nobody waits for such.
bool vt_wait_for_the_outside(void);
bool vt_is_inherited(int descriptor);
/// Where no clock can help either: does the main thread wait for another one, and can nobody outside wake any? A main thread that waits for events
/// is idle, and not stuck.
bool vt_main_thread_is_stuck(void);
void vt_forget_inherited(int descriptor);

// mutexes.c
int vt_lock_mutex(pthread_mutex_t *mutex, int64_t deadline, const char *call);
int vt_unlock_mutex(pthread_mutex_t *mutex);

// dispatch_monitor.c
int64_t vt_monitor_deadline(void);
void vt_monitor_is_due(void);
void vt_before_dispatch_waits(const void *caller);
/// For libdispatch's manager when its wait for events has ended: true if it must look at its queue instead.
bool vt_arm_monitor(void);

// watchdog.c
void vt_begin_watchdog(void);

// stacks.c
size_t vt_describe_stack(const vt_thread *thread, char *text, size_t room);

#pragma GCC visibility pop
