#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

// The cost of polling or yielding: high enough that a polling loop advances the clock. An event loop that polls for 50
// µs before it waits, as many do, is done after two polls.
#define LOOK_NANOSECONDS 50000
// The cost of an edge of instrumented code.
#define EDGE_NANOSECONDS 2
// Polling costs more than the rest of a scheduling step. It is done after calls that can make a descriptor ready, when
// no thread can run, and after this many steps: not all such calls are known.
#define STEPS_WITHOUT_LOOK 64
// The most hand-overs between threads in a second of virtual time. 500,000, some ten seconds of real time: the threads wake each
// other endlessly, and the time advances by the cost of their calls only.
#define MOST_SWITCHES_IN_A_SECOND 500000
#define SECOND 1000000000
// The most hand-overs in a minute of virtual time. A million, some ten seconds of real time, and thousands of times those of a busy app:
// what is tried again at once for as long as a link is down.
#define MOST_SWITCHES_IN_A_MINUTE 1000000
// The most decisions in a second of virtual time. A million, some ten seconds of real time: what is tried again at once, while
// others could run.
#define MOST_DECISIONS_IN_A_SECOND 1000000
// The most calls of a thread without a wait or a hand-over. 50 million, some seconds of real time: a program that locks and
// unlocks for so long without waiting for anything never stops.
#define MOST_CALLS_IN_A_ROW 50000000

struct vt_world vt = {.conductor = -1};
__thread vt_thread *vt_self __attribute__((tls_model("initial-exec")));

static void append(vt_queue *queue, vt_thread *thread) {
    thread->next = NULL;
    thread->previous = queue->last;
    if (queue->last) queue->last->next = thread;
    else queue->first = thread;
    queue->last = thread;
    queue->count++;
}

static void take_out(vt_queue *queue, vt_thread *thread) {
    if (thread->previous) thread->previous->next = thread->next;
    else queue->first = thread->next;
    if (thread->next) thread->next->previous = thread->previous;
    else queue->last = thread->previous;
    queue->count--;
}

static int64_t deadline_of(const vt_thread *thread) { return thread->late ? thread->late_until : thread->wait.deadline; }

// ---- Waiting threads

void vt_wake(vt_thread *thread, vt_outcome outcome) {
    take_out(&vt.waiting, thread);
    if (thread->late) thread->late = false;
    else {
        thread->outcome = outcome;
        if (thread->wait.subject == vt_on_address) vt.address_waiters--;
        if (thread->wait.subject == vt_on_descriptors) vt.descriptor_waiters--;
    }
    thread->state = vt_ready;
    append(&vt.ready, thread);
}

static bool waits_on(const vt_thread *thread, const void *address, uint32_t bits) {
    return !thread->late && thread->wait.subject == vt_on_address && thread->wait.address == address && thread->wait.bits & bits;
}

int vt_wake_address(const void *address, uint32_t bits, int most) {
    int woken = 0;
    while (vt.address_waiters > 0 && woken < most) {
        uint32_t found = 0;
        for (vt_thread *t = vt.waiting.first; t; t = t->next) found += waits_on(t, address, bits);
        if (found == 0) break;
        uint32_t chosen = (uint32_t)(most - woken) >= found ? 0 : vt_decide("wake", virtual_time_kind_wake, found, 1);
        bool is_choice = (uint32_t)(most - woken) < found && found > 1;
        for (vt_thread *t = vt.waiting.first; t; t = t->next)
            if (waits_on(t, address, bits) && chosen-- == 0) {
                if (is_choice) vt_note_chosen(t);
                vt_wake(t, vt_woken);
                woken++;
                break;
            }
    }
    return woken;
}

static void pass_deadlines(void) {
    vt_fire_timers();
    vt_fire_alarms();
    if (vt.now < vt.earliest) return;
    vt.earliest = VT_NEVER;
    for (vt_thread *t = vt.waiting.first, *next; t; t = next) {
        next = t->next;
        if (deadline_of(t) <= vt.now) vt_wake(t, vt_timed_out);
        else if (deadline_of(t) < vt.earliest) vt.earliest = deadline_of(t);
    }
}

int64_t vt_earliest_deadline(void) {
    vt.earliest = VT_NEVER;
    for (vt_thread *t = vt.waiting.first; t; t = t->next)
        if (deadline_of(t) < vt.earliest) vt.earliest = deadline_of(t);
    int64_t timer = vt_earliest_timer(), alarm = vt_earliest_alarm();
    if (alarm < timer) timer = alarm;
    return timer < vt.earliest ? timer : vt.earliest;
}

// ---- Scheduling

static void wait_for_turn(vt_thread *me) {
    while (__atomic_exchange_n(&me->turn, 0, __ATOMIC_ACQUIRE) == 0)
        vt_kernel(SYS_futex, &me->turn, FUTEX_WAIT_PRIVATE, 0, 0);
}

/// A span of virtual time, and the most that can happen in it.
struct span {
    const char *name;
    int64_t length;
    const char *doing;
    uint64_t most;
    int64_t began;
    uint64_t before;
};

/// Ends the world if the count has grown by the most in the span.
static void watch_span(struct span *span, uint64_t count) {
    if (vt.now - span->began >= span->length) {
        span->began = vt.now;
        span->before = count;
    }
    if (count - span->before < span->most) return;
    char what[160];
    snprintf(
        what, sizeof what, "virtual time: the threads %s %llu times in a %s of virtual time: an endless loop.\n", span->doing,
        (unsigned long long)span->most, span->name);
    vt_stop_here(virtual_time_end_spinning, what);
}

/// Ends the world if its threads only wake each other.
static void watch_switches(void) {
    static struct span second = {"second", SECOND, "woke each other", MOST_SWITCHES_IN_A_SECOND, 0, 0};
    static struct span minute = {"minute", 60LL * SECOND, "woke each other", MOST_SWITCHES_IN_A_MINUTE, 0, 0};
    watch_span(&second, vt.record->counts.switches);
    watch_span(&minute, vt.record->counts.switches);
}

/// Ends the world if its threads go on without letting the time pass.
static void watch_decisions(void) {
    static struct span second = {"second", SECOND, "could have been interrupted", MOST_DECISIONS_IN_A_SECOND, 0, 0};
    watch_span(&second, vt.record->counts.draws);
}

static void hand_over(vt_thread *next) {
    next->state = vt_running;
    vt.activity++;
    if (next->is_dispatch_manager) vt.manager_activity++;
    vt.beat++;
    vt.calls_in_a_row = 0;
    vt.record->now = vt.now;
    __atomic_store_n(&vt.running, next, __ATOMIC_RELEASE);
    if (next == vt_self) return;
    vt.record->counts.switches++;
    watch_switches();
    __atomic_store_n(&next->turn, 1, __ATOMIC_RELEASE);
    vt_kernel(SYS_futex, &next->turn, FUTEX_WAKE_PRIVATE, 1);
}

/// A thread that ends releases its stack and its memory after its last hand-over. The next thread waits for that,
/// because otherwise addresses would depend on the kernel's timing.
static void reap_exiting_thread(void) {
    vt_thread *exiting = vt.exiting;
    if (!exiting) return;
    vt.exiting = NULL;
    // The first thread remains a zombie until the process ends; it has no stack to release.
    while (exiting->kernel_id != vt.process && vt_kernel(SYS_tgkill, vt.process, exiting->kernel_id, 0) == 0)
        vt_kernel(SYS_sched_yield);
    if (exiting->detached) vt_remove_thread(exiting);
}

static vt_thread *next_thread(vt_thread *giving_way, const char *place) {
    for (;;) {
        if (vt.now > vt.settings.horizon) vt_stop_at_the_horizon();
        pass_deadlines();
        if (vt.ready.count == 0 || vt.unlooked-- == 0) {
            vt.unlooked = STEPS_WITHOUT_LOOK;
            vt_look_at_descriptors();
        }
        if (vt.ready.count == 0) {
            vt_wait_for_the_next_event();
            vt_may_be_ready();
            continue;
        }
        vt_thread *chosen = vt_decide_thread(giving_way, place);
        take_out(&vt.ready, chosen);
        int64_t late = vt.settings.stall && chosen != giving_way ? vt_decide_stall(chosen) : 0;
        if (late == 0) return chosen;
        chosen->state = vt_blocked;
        chosen->late = true;
        chosen->late_until = vt.now + late;
        if (chosen->late_until < vt.earliest) vt.earliest = chosen->late_until;
        append(&vt.waiting, chosen);
    }
}

static void run_next(vt_thread *giving_way, const char *place) {
    vt_thread *me = vt_self, *next = next_thread(giving_way, place);
    if (vt.settings.trace_steps && next != me) vt_note_step(place, next);
    hand_over(next);
    if (next == me) return;
    wait_for_turn(me);
    reap_exiting_thread();
}

vt_outcome vt_block(const vt_wait *wait) {
    vt_thread *me = vt_self;
    int error = errno;
    vt.scheduling = true;
    me->wait = *wait;
    me->waits++;
    me->yields = 0;
    me->wait.is_by_calendar = wait->deadline != VT_NEVER && wait->deadline == me->calendar_deadline;
    me->calendar_deadline = VT_NEVER;
    if (me->wait.deadline < vt.now) me->wait.deadline = vt.now;
    if (me->wait.deadline < vt.earliest) vt.earliest = me->wait.deadline;
    if (wait->subject == vt_on_address) vt.address_waiters++;
    if (wait->subject == vt_on_descriptors) vt.descriptor_waiters++;
    me->state = vt_blocked;
    append(&vt.waiting, me);
    if (wait->holder != vt_nobody) vt_look_for_cycle();
    run_next(NULL, wait->call);
    vt.scheduling = false;
    vt_take_signals();
    errno = error;
    return me->outcome;
}

vt_outcome vt_block_on_address(const void *address, vt_holder holder, int64_t deadline, const char *call) {
    vt_wait wait = {.subject = vt_on_address, .holder = holder, .call = call, .address = address, .bits = ~0u, .deadline = deadline};
    return vt_block(&wait);
}

vt_outcome vt_sleep_until(int64_t deadline, const char *call) {
    vt_wait wait = {.subject = vt_on_clock, .call = call, .deadline = deadline, .interruptible = true};
    return vt_block(&wait);
}

static void give_way(const char *place) {
    int error = errno;
    vt.scheduling = true;
    vt_self->state = vt_ready;
    append(&vt.ready, vt_self);
    run_next(vt_self, place);
    vt.scheduling = false;
    vt_take_signals();
    errno = error;
}

void vt_look(void) {
    vt.now += LOOK_NANOSECONDS;
    give_way("look");
}

/// Kills the process in the middle of its work, as the kernel would.
static _Noreturn void die(void) {
    for (;;) vt_kernel(SYS_kill, vt.process, SIGKILL);
}

static void stop_calling(void) {
    char what[128];
    snprintf(
        what, sizeof what, "virtual time: thread %d has made %d calls without waiting for anything: an endless loop.\n", vt_self->id,
        MOST_CALLS_IN_A_ROW);
    vt_stop_here(virtual_time_end_spinning, what);
}

static void step(const char *place) {
    vt.beat++;
    vt_self->yields = 0;
    vt.record->counts.steps++;
    if (vt.steps_to_live && --vt.steps_to_live == 0) die();
    if (vt.ready.count == 0 && vt.descriptor_waiters == 0) return;
    watch_decisions();
    if (vt_decide_interruption(place)) give_way(place);
}

void vt_step(const char *place) {
    if (++vt.calls_in_a_row > MOST_CALLS_IN_A_ROW) stop_calling();
    step(place);
}

void vt_step_at_edge(void) {
    vt.now += EDGE_NANOSECONDS;
    vt.record->counts.edges++;
    // Otherwise a loop of edges cannot be interrupted, and the watchdog must not see a beat.
    if (vt.settings.edges) step("edge");
}

// ---- Threads

/// Threads that are gone. Their memory is reused and never freed, because the watchdog may still read it.
static vt_thread *gone;

vt_thread *vt_add_thread(void) {
    vt_thread *thread = gone;
    if (thread) gone = thread->next;
    else thread = malloc(sizeof *thread);
    if (!thread) return NULL;
    memset(thread, 0, sizeof *thread);
    thread->id = vt.thread_count++;
    thread->next_alive = vt.alive;
    if (vt.alive) vt.alive->previous_alive = thread;
    vt.alive = thread;
    vt.record->counts.threads++;
    vt_name_thread(thread);
    vt_give_priority(thread);
    if (!vt_self) return vt.main_thread = thread;  // The first thread is already running.
    thread->state = vt_ready;
    append(&vt.ready, thread);
    return thread;
}

void vt_remove_thread(vt_thread *thread) {
    if (thread->state == vt_ready) take_out(&vt.ready, thread);
    if (thread->previous_alive) thread->previous_alive->next_alive = thread->next_alive;
    else vt.alive = thread->next_alive;
    if (thread->next_alive) thread->next_alive->previous_alive = thread->previous_alive;
    thread->next = gone;
    gone = thread;
}

void vt_start_running(vt_thread *thread) {
    vt_self = thread;
    thread->kernel_id = (int)vt_kernel(SYS_gettid);
    wait_for_turn(thread);
    reap_exiting_thread();
    vt.scheduling = false;
    vt_take_signals();
}

void vt_end_running(vt_thread *thread) {
    vt_wake_address(thread, ~0u, INT32_MAX);
    vt.scheduling = true;
    thread->state = vt_dead;
    vt_thread *next = next_thread(NULL, "end of thread");
    if (vt.settings.trace_steps) vt_note_step("end of thread", next);
    vt.exiting = thread;
    hand_over(next);
}
#endif
