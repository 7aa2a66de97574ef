#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// The main thread that waits while its queue has work, or a timer of its run loop is due: what it waits for often is that work, and nothing else shows
// this if a socket is open, because anybody could still end the wait.

// The part of a queue in which the ends of its list of work are searched, in words of 64 bits: its first sixteen, which
// all queues have.
#define QUEUE_WORDS 16

// Weak: programs without libdispatch run in worlds too.
extern const uint64_t _dispatch_main_q[QUEUE_WORDS] __attribute__((weak));
extern void *dispatch_queue_create(const char *label, void *attributes) __attribute__((weak));
extern void *dispatch_queue_attr_make_initially_inactive(void *attributes) __attribute__((weak));
extern void dispatch_async_f(void *queue, void *context, void (*work)(void *)) __attribute__((weak));

static enum { unknown, found, absent } search;
static size_t ends[2];

static void never(void *context) { (void)context; }

/// Tries on a queue of its own where queues keep the ends of their lists, because the layout differs between versions.
/// The queue is never activated, so that no thread ever serves it.
static void search_ends(void) {
    search = absent;
    if (!_dispatch_main_q || !dispatch_queue_create || !dispatch_queue_attr_make_initially_inactive || !dispatch_async_f) return;
    const uint64_t *queue = dispatch_queue_create("virtual time", dispatch_queue_attr_make_initially_inactive(NULL));
    uint64_t when_empty[QUEUE_WORDS];
    memcpy(when_empty, queue, sizeof when_empty);
    dispatch_async_f((void *)queue, NULL, never);
    size_t count = 0;
    for (size_t i = 0; i < QUEUE_WORDS; i++) {
        if (when_empty[i] != 0 || queue[i] == 0) continue;
        if (count < 2) ends[count] = i;
        count++;
    }
    // The only work is both the first and the last.
    if (count == 2 && queue[ends[0]] == queue[ends[1]]) search = found;
}

static bool has_work(void) {
    if (search == unknown) search_ends();
    bool has_queued = search == found && (_dispatch_main_q[ends[0]] != 0 || _dispatch_main_q[ends[1]] != 0);
    return has_queued || vt_has_left_timer(vt.main_thread);
}

// The wait of the main thread that is looked at, by its number; 0: none.
static struct {
    uint64_t wait;
    int64_t deadline;
} busy, frozen;
static uint64_t judged;  // the last wait without work that is no hang

static int64_t deadline_of(__typeof__(busy) *look, int64_t patience) {
    if (look->wait != vt.main_thread->waits) {
        look->wait = vt.main_thread->waits;
        look->deadline = vt.now + patience;
    }
    return look->deadline;
}

int64_t vt_main_thread_deadline(void) {
    const vt_thread *main = vt.main_thread;
    bool is_stuck = main->state == vt_blocked && !main->late && main->wait.subject == vt_on_address
                    && main->wait.deadline == VT_NEVER && !vt_waits_until_idle(main);
    if (!is_stuck) return VT_NEVER;
    int64_t deadline = judged == main->waits ? VT_NEVER : deadline_of(&frozen, VT_LONGEST_CALL);
    if (!has_work()) {
        busy.wait = 0;
        return deadline;
    }
    int64_t due = deadline_of(&busy, VT_MAIN_THREAD_PATIENCE);
    return due < deadline ? due : deadline;
}

void vt_judge_main_thread(void) {
    if (has_work()) vt_stop_with_stuck_main_thread("the main thread waits while it has work to do", VT_MAIN_THREAD_WORK_LEFT);
    // A main thread that waits without having served its run loop only keeps its program alive.
    if (vt_is_on_stack(vt.main_thread, "CFRunLoopRun"))
        vt_stop_with_stuck_main_thread("the main thread waits in work of its run loop", VT_MAIN_THREAD_FROZEN);
    judged = vt.main_thread->waits;
}
#endif
