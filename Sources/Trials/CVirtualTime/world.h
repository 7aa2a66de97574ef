#pragma once
// The state of a world, and the hand-over of the processor between its threads. Everything here is called by the
// running thread.
#include "kernel.h"
#include "real.h"
#include "virtual_time.h"

#pragma GCC visibility push(hidden)

#define VT_NEVER INT64_MAX
/// The environment variable of a program that executed itself again to be the same on every machine.
#define VT_PREPARED "VIRTUAL_TIME_PREPARED"

typedef enum { vt_ready, vt_running, vt_blocked, vt_dead } vt_state;
typedef enum { vt_on_address, vt_on_descriptors, vt_on_clock, vt_on_signal } vt_subject;
typedef enum { vt_woken, vt_timed_out, vt_signalled } vt_outcome;
/// The way in which a report finds the thread for which another waits.
typedef enum { vt_nobody, vt_mutex, vt_rwlock, vt_word, vt_thread_end, vt_dispatch_queue } vt_holder;

/// The wait of a thread.
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
    bool is_by_calendar;  // the deadline moves when the calendar clock is set; filled in by vt_block
    bool is_watched;  // the conductor has seen its descriptors; false when the wait begins
} vt_wait;

/// A mutex of glibc or a queue of libdispatch.
typedef struct {
    const void *lock;
    bool is_queue;
} vt_held;
/// The most locks of a thread that are known at a time: more than anybody nests.
#define VT_MOST_HELD 16

typedef struct vt_thread {
    uint64_t name;            // the same in each world that starts the thread at that time
    struct vt_thread *next, *previous;        // in the queue of ready or of waiting threads, in order of arrival
    struct vt_thread *next_alive, *previous_alive;
    int id;
    int kernel_id;
    vt_state state;
    int turn;  // a futex: 1 when this thread may run
    vt_wait wait;
    int64_t calendar_deadline;  // this thread's last deadline on a clock that can be set
    vt_outcome outcome;
    bool late;                // stalled: ready, but waits for the clock
    int64_t late_until;
    uint64_t priority;        // PCT
    pthread_t handle;
    bool detached;
    void *(*body)(void *);
    void *argument;
    int rounds;               // rounds of destructors of thread-specific values
    uint64_t pending_signals; // signals that this process sent to the thread
    int taken_signal;         // the signal that ended its wait without a handler
    bool restarts;            // the last handler has SA_RESTART
    bool is_dispatch_worker, is_dispatch_manager;
    bool is_attendant;        // only serves the others: see virtual_time_attend
    const void *idle_on;      // the semaphore on which this worker of libdispatch waits for work
    const void *queue;        // the queue of the innermost synchronous call of libdispatch
    vt_held held[VT_MOST_HELD];  // the locks that it has taken, and the queues of its synchronous calls
    int held_count;
    uint32_t yields;          // calls of sched_yield since it did something else
    uint64_t waits;           // the number of its waits
} vt_thread;

typedef struct {
    vt_thread *first, *last;
    uint32_t count;
} vt_queue;

/// The state of the world. All zero outside a world.
struct vt_world {
    bool on;
    bool scheduling;          // while handing over the processor: a signal handler's calls then go to glibc
    vt_thread *running;
    vt_thread *alive;         // a list
    vt_thread *main_thread;
    vt_queue ready, waiting;
    uint32_t address_waiters, descriptor_waiters;
    uint32_t unlooked;        // scheduling steps until the descriptors of waiting threads are polled again
    int thread_count;
    int64_t now;
    int64_t earliest;         // no deadline is before this
    vt_thread *exiting;         // has handed over for the last time
    int process;              // the kernel's identifier of this process
    uint64_t activity;        // increases whenever a thread resumes
    uint64_t manager_activity;  // the part of it due to libdispatch's manager
    uint64_t beat;            // increases with each call, to detect runs without calls
    uint64_t calls_in_a_row;  // of the running thread, at which it could have been interrupted, since it began to run
    const char *outside;      // the call in which the running thread intentionally waits for the outside
    int conductor;            // descriptor, or -1
    uint64_t steps_to_live;   // until SIGKILL; 0: none requested by the conductor
    int64_t clock_shift;      // the shift of the calendar clock, in nanoseconds
    bool is_disk_full;
    bool may_signal;          // may have sent a signal to another process since the last report to the conductor
    uint64_t debugged;        // the number, from 1, of the decision that awaits a debugger; 0: none
    virtual_time_settings settings;
    virtual_time_record *record;
};
extern struct vt_world vt;
extern __thread vt_thread *vt_self __attribute__((tls_model("initial-exec")));

/// Returns true if the caller is the running thread of a world.
static inline bool vt_inside(void) {
    return __builtin_expect(vt.on, 0) && vt_self && vt_self == vt.running && !vt.scheduling;
}

/// Returns the address behind the call of the function in which it stands. The compiler moves what a world does into functions of
/// their own, which have other callers; it leaves a volatile statement where it is.
static inline __attribute__((always_inline)) const void *vt_caller(void) {
    const void *caller = __builtin_return_address(0);
    __asm__ volatile("" : "+r"(caller));
    return caller;
}

// begin.c
/// Reads the beginning of one of the kernel's files about this process, past the world's own calls. False if it cannot
/// be opened. The path and the text can share a buffer.
bool vt_read_text(const char *path, char *text, size_t size);

bool vt_has_one_thread(void);
bool vt_is_valid(const virtual_time_settings *settings);
bool vt_begin(
    virtual_time_record *record, const virtual_time_settings *settings, const virtual_time_decision *given, size_t count);

// environment.c
/// Puts this process, which must have one thread, into the world described by the environment.
void vt_begin_by_environment(void);

// variables.c
/// Returns the value of an environment variable; NULL if it is not set.
const char *vt_variable(const char *name);
void vt_forget_variable(const char *name);
/// Returns false if memory is exhausted.
bool vt_set_variable(const char *name, const char *value);
/// Replaces the environment by a copy of these texts, each terminated by a zero byte. False if memory is exhausted.
/// A text that is not longer than the former one of its name takes that one's place.
bool vt_replace_variables(const char *texts, const char *end);

// debugger.c
/// Waits, in real time, until a debugger attaches, and then stops in it.
void vt_wait_for_debugger(void);

// world.c
vt_outcome vt_block(const vt_wait *wait);
vt_outcome vt_block_on_address(const void *address, vt_holder holder, int64_t deadline, const char *call);
vt_outcome vt_sleep_until(int64_t deadline, const char *call);
void vt_wake(vt_thread *thread, vt_outcome outcome);
int vt_wake_address(const void *address, uint32_t bits, int most);
/// Gives way at the cost of some time, so that polling loops advance the clock.
void vt_look(void);
/// Marks a point at which the thread can be interrupted.
void vt_step(const char *place);
void vt_step_at_edge(void);
vt_thread *vt_add_thread(void);
void vt_remove_thread(vt_thread *thread);
void vt_start_running(vt_thread *thread);
/// Ends a thread in the world: from then on only the kernel controls it.
void vt_end_running(vt_thread *thread);
int64_t vt_earliest_deadline(void);

// decisions.c
void vt_begin_decisions(const virtual_time_decision *given, size_t count);
/// Takes a decision. A number other than 0 is drawn once in `one_in` times; 1 makes all options equally likely.
uint32_t vt_decide(const char *label, virtual_time_kind kind, uint32_t options, uint32_t one_in);
vt_thread *vt_decide_thread(vt_thread *giving_way, const char *place);
bool vt_decide_interruption(const char *place);
int64_t vt_decide_stall(const vt_thread *thread);
/// Notes that the last decision chose this thread.
void vt_note_chosen(const vt_thread *thread);
void vt_give_priority(vt_thread *thread);

// places.c
void vt_begin_places(void);
/// Returns true if given decisions are sorted as required for lookup.
bool vt_are_in_order(const virtual_time_decision *decisions, size_t count);
/// Fills in the place, the time and the thread of a question of this kind.
void vt_locate(virtual_time_decision *decision, const char *label);
/// Returns the given decision at the same place; NULL if there is none.
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
/// Returns true if a thread waits until all others wait.
bool vt_waits_until_idle(const vt_thread *thread);

// conductor.c
void vt_ask_conductor(int64_t deadline);

// watched.c
/// Creates the epoll descriptor that shows whether this process has something to do; -1 if there can be none.
int vt_begin_watched(void);
/// Makes the process's table of descriptors large enough for the world's own while there is one thread: with several, the
/// kernel takes some ten milliseconds to replace it.
void vt_make_room_for_own_descriptors(void);
/// Gives a descriptor of the world's own a high number, and returns it: that of the program's own are then as usual.
int vt_move_out_of_the_way(int descriptor);
/// Makes it show exactly the descriptors for which threads wait. False if it cannot show all of them.
bool vt_watch_descriptors(void);

// waits.c
size_t vt_describe_waits(char *text, size_t room, bool with_stacks);
_Noreturn void vt_stop_in_deadlock(void);
/// Ends the world if the running thread, whose wait begins, waits for threads that wait for it.
void vt_look_for_cycle(void);
_Noreturn void vt_stop_with_stuck_main_thread(const char *what, const char *why);
/// Returns a queue's label; empty if it has none.
const char *vt_label_of_queue(const void *queue);

// lock_orders.c
/// Returns true if code at this address takes locks of the program: its own code, or Foundation's. False in a program that
/// contains Swift's runtime.
bool vt_is_lock_of_program(const void *caller);
/// Notes that the running thread waits for a lock, whatever it holds, until it has it.
void vt_will_take(const void *lock, bool is_queue);
void vt_has_taken(const void *lock, bool is_queue);
void vt_has_given_back(const void *lock);

// main_queue.c
/// The time for which work may wait for a main thread that waits itself, in nanoseconds. 10 s: iOS ends an app about as
/// long after its main thread has stopped answering.
#define VT_MAIN_THREAD_PATIENCE 10000000000LL
#define VT_MAIN_THREAD_WORK_LEFT \
    "for 10 s nothing was done that was sent to the main queue or the main actor, or that a timer of its run loop does"
/// The time that a wait within the work of the main thread's run loop may take, in nanoseconds. A minute, as for a method of a
/// delegate.
#define VT_LONGEST_CALL 60000000000LL
#define VT_MAIN_THREAD_FROZEN "for 60 s it has done nothing, and nothing ends the wait at a certain time"
/// Returns the time at which a main thread that waits is to be judged: it has left the work of its queue or of its run loop
/// undone for too long, or it may wait for ever; VT_NEVER if neither is so.
int64_t vt_main_thread_deadline(void);
/// Ends the world if the main thread, which is to be judged, hangs.
void vt_judge_main_thread(void);

// queue_waits.c
/// Returns the thread that serves a queue of libdispatch; NULL if there is none, or it is unknown.
const vt_thread *vt_server_of_queue(const void *queue);
/// Returns true if the running thread, which is not the main thread, serves the queue, and no other one does.
bool vt_serves_alone(const void *queue);

// clocks.c
int64_t vt_nanoseconds(const struct timespec *time);
int64_t vt_after(const struct timespec *time);
int64_t vt_at(clockid_t clock, const struct timespec *time);
/// Returns true if this clock can be set.
bool vt_is_calendar(clockid_t clock);
/// Returns the time of the calendar clock, in nanoseconds since 1970.
int64_t vt_calendar(void);
/// Sets the total shift of the calendar clock, in nanoseconds. A thread that waits for one of its times keeps waiting
/// for that time.
void vt_set_clock(int64_t shift);
void vt_tell_time(clockid_t clock, struct timespec *time);
int64_t vt_after_milliseconds(int milliseconds);

// timers.c
int64_t vt_earliest_timer(void);
void vt_fire_timers(void);
/// Returns true if a timer that the thread created was due, and nobody has read it since: a thread's run loop creates its
/// own.
bool vt_has_left_timer(const vt_thread *thread);
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
/// Notes the disk on which the program works.
void vt_begin_disk(void);
/// Returns true, with errno, if the disk is full and these bytes would enlarge the file. A negative offset means the
/// descriptor's position.
bool vt_disk_is_full_for(int descriptor, off64_t offset, size_t count);

// signals.c
/// Sends a signal to the process, as kill does.
void vt_send_signal(int number, const siginfo_t *what);
/// Begins a wait with another mask, as ppoll does. Returns false, with EINTR, if a signal was handled already.
bool vt_begin_mask(const sigset_t *mask, sigset_t *before);
/// Ends it, with the former mask; keeps errno.
void vt_end_mask(const sigset_t *before);
/// Runs the handlers of the signals sent to the running thread.
void vt_take_signals(void);
/// Wakes the threads that wait for signals that arrived from outside; returns true if there were any.
bool vt_signals_have_come(void);

// children.c
/// Waits until a child has ended or a descriptor of a waiting thread is ready. Children run in real time, while the
/// world's clocks stop. Returns false if no child runs.
bool vt_wait_for_children(void);

// file_locks.c
void vt_file_lock_was_given_back(void);

// page_cache.c
/// Notes from now on in this directory what a power cut would leave of the working directory; not if it is NULL.
void vt_begin_page_cache(const char *directory);
int vt_fsync(int descriptor);
int vt_fdatasync(int descriptor);
int vt_rename(const char *from, const char *to);
/// Must be called before a file is written to.
void vt_file_is_changing(int descriptor);

// own_descriptors.c
// The most descriptors of the world itself: the conductor's channel, two epoll descriptors and the journal of the page cache.
#define VT_MOST_OWN_DESCRIPTORS 8
/// Notes a descriptor that the program can neither close nor replace.
void vt_own_descriptor(int descriptor);
bool vt_is_own_descriptor(int descriptor);

// opens.c
/// Must be called before all descriptors from `first` to `last` are closed.
void vt_descriptors_will_close(unsigned first, unsigned last);

// file_numbers.c
/// Takes the path of the table that several programs share; NULL: this process has its own.
void vt_begin_file_numbers(const char *path);
/// Returns the world's number of a file.
uint64_t vt_file_number(uint64_t device, uint64_t number);
/// A file as the file system knows it; all zero: none.
typedef struct {
    uint64_t device, number;
} vt_file;
/// Returns the file whose last name is about to be removed; none if it has other names.
vt_file vt_file_to_remove(int folder, const char *path);
/// Forgets the file, whose number the next one may have, unless the path still leads to it.
void vt_file_was_removed(vt_file file, int folder, const char *path);

// file_times.c
void vt_begin_file_times(void);
void vt_file_was_changed(int descriptor);
/// Must be called before a descriptor is closed.
void vt_write_file_time(int descriptor);

// threads.c
bool vt_begin_threads(void);
/// Finds a thread by the result of gettid.
vt_thread *vt_thread_of_identifier(int identifier);
/// Finds the thread that wrote its identifier into a lock; 0 is nobody. Libraries keep the identifier of the first thread, which may
/// be from before the world began, and from the process that forked it.
vt_thread *vt_holder_of_identifier(int identifier);
vt_thread *vt_thread_of_handle(pthread_t handle);

// descriptors.c
void vt_look_at_descriptors(void);
/// Notes a call that may make a descriptor ready for which a thread of this process waits.
static inline void vt_may_be_ready(void) { vt.unlooked = 0; }
bool vt_wait_for_descriptor(int descriptor, short events, int64_t deadline, const char *call);
void vt_begin_descriptors(void);
/// When no thread can run, waits in real time for descriptors that were open before the world began. Returns false if
/// no thread waits for one.
bool vt_wait_for_the_outside(void);
bool vt_is_inherited(int descriptor);
/// When no deadline is pending either, returns true if the main thread waits for another thread and nothing outside can
/// wake any. A main thread that waits for events is idle, not stuck.
bool vt_main_thread_is_stuck(void);
void vt_forget_inherited(int descriptor);

// mutexes.c
int vt_lock_mutex(pthread_mutex_t *mutex, int64_t deadline, const char *call);
int vt_unlock_mutex(pthread_mutex_t *mutex);

// dispatch_monitor.c
int64_t vt_monitor_deadline(void);
void vt_monitor_is_due(void);
/// Returns true if a thread with this body is one of libdispatch's.
bool vt_is_worker_of_dispatch(void *(*body)(void *));
/// Returns true if the running thread is a worker of libdispatch that waits for work by waiting on this semaphore.
bool vt_waits_for_work(const sem_t *semaphore);
void vt_before_dispatch_waits(const void *caller);
/// Called by libdispatch's manager when its wait for events has ended; returns true if it must check its queue instead.
bool vt_arm_monitor(void);

// watchdog.c
void vt_begin_watchdog(void);

// crashes.c
void vt_begin_crash_reports(void);

// stacks.c
size_t vt_describe_stack(const vt_thread *thread, char *text, size_t room);
/// Returns true if a function whose name begins so is on the stack of a thread that waits.
bool vt_is_on_stack(const vt_thread *thread, const char *name);
/// Returns true for an address in this library's code.
bool vt_is_own_code(const void *address);
/// Describes addresses behind calls, without this library's, a line each.
size_t vt_describe_frames(void *const *addresses, int count, char *text, size_t room);
/// Describes the stack of the running thread, in the handler of a signal of a fault.
size_t vt_describe_crash(char *text, size_t room);
/// Ends the world with a text, after which the running thread's stack follows.
_Noreturn void vt_stop_here(virtual_time_end end, const char *what);

#pragma GCC visibility pop
