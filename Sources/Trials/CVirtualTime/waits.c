#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// The report of waiting threads.

typedef struct {
    char *text;
    size_t room, length;
} page;

__attribute__((format(printf, 2, 3))) static void add(page *page, const char *format, ...) {
    if (page->length + 1 >= page->room) return;
    va_list list;
    va_start(list, format);
    int length = vsnprintf(page->text + page->length, page->room - page->length, format, list);
    va_end(list);
    if (length < 0) return;
    page->length += (size_t)length;
    if (page->length >= page->room) page->length = page->room - 1;
}

static const vt_thread *thread_of_kernel(int identifier) {
    for (const vt_thread *t = vt.alive; t; t = t->next_alive)
        if (t->kernel_id == identifier) return t;
    return NULL;
}

/// Returns the thread that holds the lock another thread waits for; NULL if there is none, or it is unknown.
static const vt_thread *holder_of(const vt_thread *thread) {
    const vt_wait *wait = &thread->wait;
    if (thread->late || wait->subject != vt_on_address) return NULL;
    switch (wait->holder) {
    case vt_mutex: return thread_of_kernel(((const pthread_mutex_t *)wait->address)->__data.__owner);
    case vt_rwlock: return thread_of_kernel(((const pthread_rwlock_t *)wait->address)->__data.__cur_writer);
    case vt_word: return vt_holder_of_identifier((int)(*(const uint32_t *)wait->address & 0x3fffffff));
    case vt_thread_end: return wait->address;
    case vt_dispatch_queue: {
        const vt_thread *server = vt_server_of_queue(thread->queue);
        // Then the call's work has begun, and waits for something else.
        return server == thread ? NULL : server;
    }
    case vt_nobody: break;
    }
    return NULL;
}

/// Returns true if a thread waits for threads that wait for it. A wait with a deadline ends by itself.
static bool is_in_cycle(const vt_thread *thread) {
    const vt_thread *t = thread;
    for (int i = 0; i < vt.thread_count; i++) {
        if (t->state != vt_blocked || t->wait.deadline != VT_NEVER) return false;
        t = holder_of(t);
        if (!t || t == thread) return t == thread;
    }
    return false;
}

// Weak: programs without libdispatch run in worlds too.
extern const char *dispatch_queue_get_label(const void *queue) __attribute__((weak));

const char *vt_label_of_queue(const void *queue) {
    const char *label = dispatch_queue_get_label ? dispatch_queue_get_label(queue) : NULL;
    return label ? label : "";
}

static void describe(page *page, const vt_thread *thread) {
    const vt_wait *wait = &thread->wait;
    add(page, "  thread %d waits in %s", thread->id, wait->call);
    const vt_thread *holder = holder_of(thread);
    if (holder && wait->holder == vt_thread_end) add(page, " for the end of thread %d", holder->id);
    else if (holder && wait->holder == vt_dispatch_queue)
        add(page, " for the queue \"%s\", which thread %d serves", vt_label_of_queue(thread->queue), holder->id);
    else if (holder == thread) add(page, " for a lock that it holds itself");
    else if (holder) add(page, " for a lock that thread %d holds", holder->id);
    if (wait->subject == vt_on_descriptors)
        for (nfds_t i = 0; i < wait->descriptor_count; i++) add(page, "%s %d", i == 0 ? " for descriptor" : ",", wait->descriptors[i].fd);
    if (wait->deadline != VT_NEVER) add(page, ", at most until %.6f s", (double)wait->deadline / 1e9);
    add(page, "\n");
}

/// Returns true if no thread of its cycle has a lower number.
static bool is_first_in_cycle(const vt_thread *thread) {
    if (!is_in_cycle(thread)) return false;
    for (const vt_thread *t = holder_of(thread); t != thread; t = holder_of(t))
        if (t->id < thread->id) return false;
    return true;
}

/// Describes cycles of threads, in which each waits for the next, and the last for the first.
static void describe_cycles(page *page) {
    for (const vt_thread *first = vt.alive; first; first = first->next_alive) {
        if (!is_first_in_cycle(first)) continue;
        add(page, "  in a cycle: thread %d", first->id);
        const vt_thread *t = first;
        do add(page, " -> thread %d", (t = holder_of(t))->id);
        while (t != first);
        add(page, "\n");
    }
}

static const vt_thread *with_identifier(int identifier) {
    for (const vt_thread *t = vt.alive; t; t = t->next_alive)
        if (t->id == identifier) return t;
    return NULL;
}

static void describe_thread(page *page, const vt_thread *thread, bool with_stack) {
    describe(page, thread);
    if (with_stack) page->length += vt_describe_stack(thread, page->text + page->length, page->room - page->length);
}

static void begin_report(page *page, const char *what) {
    add(page, "%s at %lld.%09lld s:\n", what, (long long)(vt.now / 1000000000), (long long)(vt.now % 1000000000));
}

size_t vt_describe_waits(char *text, size_t room, bool with_stacks) {
    page page = {text, room, 0};
    begin_report(&page, "all threads wait");
    describe_cycles(&page);
    for (int attendants = 0; attendants < 2; attendants++)
        for (int i = 0; i < vt.thread_count; i++) {
            const vt_thread *thread = with_identifier(i);
            if (thread && thread->state == vt_blocked && thread->is_attendant == attendants)
                describe_thread(&page, thread, with_stacks);
        }
    return page.length;
}

void virtual_time_attend(void) {
    if (vt_inside()) vt_self->is_attendant = true;
}

/// Returns true if only another thread can end a thread's wait. Others are ended by a clock, by what comes from outside, or by work for
/// an idle worker or an attendant.
static bool waits_for_a_thread(const vt_thread *thread) {
    const vt_wait *wait = &thread->wait;
    return thread->state == vt_blocked && !thread->late && wait->subject == vt_on_address && wait->deadline == VT_NEVER
           && wait->address != thread->idle_on && (!thread->is_attendant || is_in_cycle(thread));
}

size_t virtual_time_describe_waits(char *text, size_t room) {
    if (!vt_inside() || room == 0) return 0;
    vt.outside = "a report";
    page page = {text, room, 0};
    text[0] = 0;
    describe_cycles(&page);
    for (int i = 0; i < vt.thread_count; i++) {
        const vt_thread *thread = with_identifier(i);
        if (thread && waits_for_a_thread(thread)) describe_thread(&page, thread, true);
    }
    vt.outside = NULL;
    return page.length;
}

void vt_stop_in_deadlock(void) {
    static char text[VIRTUAL_TIME_MOST_TEXT];
    vt.outside = "a report";
    size_t length = vt_describe_waits(text, sizeof text, true);
    vt_stop(virtual_time_end_deadlock, text, length);
}

void vt_look_for_cycle(void) {
    if (!is_in_cycle(vt_self)) return;
    static char text[VIRTUAL_TIME_MOST_TEXT];
    page page = {text, sizeof text, 0};
    vt.outside = "a report";
    begin_report(&page, holder_of(vt_self) == vt_self ? "a thread waits for itself" : "threads wait for each other");
    describe_cycles(&page);
    // The others only happen to wait where they do; with them, equal deadlocks would have different reports.
    for (int i = 0; i < vt.thread_count; i++) {
        const vt_thread *thread = with_identifier(i);
        if (thread && is_in_cycle(thread)) describe_thread(&page, thread, true);
    }
    vt_stop(virtual_time_end_deadlock, text, page.length);
}

void vt_stop_with_stuck_main_thread(const char *what, const char *why) {
    static char text[VIRTUAL_TIME_MOST_TEXT];
    page page = {text, sizeof text, 0};
    vt.outside = "a report";
    begin_report(&page, what);
    add(&page, "  %s; iOS ends an app that does not answer\n", why);
    describe_thread(&page, vt.main_thread, true);
    vt_stop(virtual_time_end_deadlock, text, page.length);
}
#endif
