#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <stdio.h>
#include <string.h>

// Two threads that take two locks in opposite orders wait for each other for ever if they meet. Most seeds never let them
// meet: code takes almost no virtual time. So the orders are noted, and opposite ones are reported in the trace, whether
// the threads have met or not. The world goes on: something that it does not see may keep them apart.
//
// Locks are mutexes of glibc, and queues of libdispatch for as long as a thread serves them alone.

// A power of two. Programs have some hundred pairs; the orders of further ones are not noted.
#define MOST_ORDERS 4096
#define MOST_IN_TABLE (MOST_ORDERS / 4 * 3)
// A program with more has been told enough.
#define MOST_REPORTS 8
#define MOST_FRAMES 24
// A queue in addition to the locks that the thread has taken.
#define MOST_AT_ONCE (VT_MOST_HELD + 1)

typedef struct {
    vt_held first, second;  // no first: the place is free
    vt_held others[MOST_AT_ONCE];  // what else was held
    int other_count;
    const vt_thread *thread;
    int thread_number;
    void *frames[MOST_FRAMES];
    int frame_count;  // 0: it is not reported
} order;

static order *orders;
static uint32_t order_count, report_count;
static uint8_t is_used[MOST_ORDERS];  // by the hash of a lock: an order may contain it

// Weak: programs without libdispatch run in worlds too.
extern const void *dispatch_get_current_queue(void) __attribute__((weak));
extern const uint64_t _dispatch_main_q[] __attribute__((weak));

static uint32_t hash_of(const void *first, const void *second) {
    uint64_t mixed = ((uint64_t)(uintptr_t)first * 31 + (uint64_t)(uintptr_t)second) * 0x9E3779B97F4A7C15ULL;
    return (uint32_t)(mixed >> 40) % MOST_ORDERS;
}

/// Returns the place of an order, or the free one where it belongs.
static order *find(const void *first, const void *second) {
    uint32_t place = hash_of(first, second);
    while (orders[place].first.lock && (orders[place].first.lock != first || orders[place].second.lock != second))
        place = (place + 1) % MOST_ORDERS;
    return &orders[place];
}

/// Returns the queue that the thread serves alone; NULL if there is none, or it is unknown.
static const void *own_queue(void) {
    if (vt_self == vt.main_thread) return _dispatch_main_q;
    if (!vt_self->is_dispatch_worker || !dispatch_get_current_queue) return NULL;
    const void *queue = dispatch_get_current_queue();
    return queue && vt_server_of_queue(queue) == vt_self ? queue : NULL;
}

/// Copies what the thread holds; returns the number.
static int all_held(vt_held *held) {
    int count = vt_self->held_count;
    memcpy(held, vt_self->held, sizeof *held * (size_t)count);
    const void *queue = own_queue();
    for (int i = 0; i < count; i++)
        if (held[i].lock == queue) return count;
    if (queue) held[count++] = (vt_held){queue, true};
    return count;
}

static bool contains(const vt_held *locks, int count, const void *lock) {
    for (int i = 0; i < count; i++)
        if (locks[i].lock == lock) return true;
    return false;
}

/// Returns true if the threads of two opposite orders can meet: not if there is only one, or if they hold another lock in
/// common.
static bool can_meet(const order *one, const order *other) {
    bool is_one_thread = one->thread_number == other->thread_number && !one->thread->is_dispatch_worker;
    if (is_one_thread) return false;
    for (int i = 0; i < one->other_count; i++)
        if (contains(other->others, other->other_count, one->others[i].lock)) return false;
    return true;
}

static size_t describe_lock(vt_held held, char *text, size_t room) {
    int length = held.is_queue ? snprintf(text, room, "the queue \"%s\"", vt_label_of_queue(held.lock)) : snprintf(text, room, "a lock");
    return (size_t)length < room ? (size_t)length : room - 1;
}

static size_t describe_order(const order *order, bool is_first, char *text, size_t room) {
    size_t length = (size_t)snprintf(text, room, "  thread %d holds ", order->thread_number);
    length += describe_lock(order->first, text + length, room - length);
    length += (size_t)snprintf(text + length, room - length, is_first ? ", and takes " : ", the one that the other takes, and takes ");
    length += describe_lock(order->second, text + length, room - length);
    length += (size_t)snprintf(text + length, room - length, "\n");
    return length + vt_describe_frames(order->frames, order->frame_count, text + length, room - length);
}

/// Writes both orders to the trace.
static void report(const order *one, const order *other) {
    static char text[VIRTUAL_TIME_MOST_TEXT];
    if (report_count++ >= MOST_REPORTS) return;
    size_t length = (size_t)snprintf(text, sizeof text, VIRTUAL_TIME_LOCK_ORDERS ":\n");
    length += describe_order(other, true, text + length, sizeof text / 2 - length);
    length += describe_order(one, false, text + length, sizeof text - length);
    if (text[length - 1] == '\n') text[length - 1] = 0;
    virtual_time_trace(text);
}

/// Returns the beginning of the library, or the program, that contains an address.
static const void *image_of(const void *address) {
    Dl_info where;
    return address && dladdr(address, &where) ? where.dli_fbase : NULL;
}

/// Returns true if Swift's runtime takes the lock itself, by rules of its own. In a program that contains the runtime, its locks and
/// the program's cannot be told apart.
static bool is_of_runtime(const order *order) {
    static const void *runtime;
    if (!runtime) runtime = image_of(dlsym(RTLD_DEFAULT, "swift_retain"));
    for (int i = 0; i < order->frame_count; i++)
        if (!vt_is_own_code(order->frames[i])) return image_of(order->frames[i]) == runtime;
    return true;
}

static void add(const vt_held *held, int count, int first, vt_held second) {
    order *new = find(held[first].lock, second.lock);
    if (new->first.lock || order_count >= MOST_IN_TABLE) return;
    order_count++;
    *new = (order){.first = held[first], .second = second, .thread = vt_self, .thread_number = vt_self->id};
    for (int i = 0; i < count; i++)
        if (i != first) new->others[new->other_count++] = held[i];
    is_used[hash_of(new->first.lock, NULL)] = is_used[hash_of(second.lock, NULL)] = 1;
    // What the search for the frames calls is glibc's.
    vt.scheduling = true;
    new->frame_count = backtrace(new->frames, MOST_FRAMES);
    vt.scheduling = false;
    if (!second.is_queue && is_of_runtime(new)) new->frame_count = 0;
    const order *opposite = find(second.lock, new->first.lock);
    bool is_known = opposite->frame_count > 0 && new->frame_count > 0;
    if (is_known && can_meet(new, opposite)) report(new, opposite);
}

void vt_will_take(const void *lock, bool is_queue) {
    if (vt_self->held_count == 0 && !vt_self->is_dispatch_worker && vt_self != vt.main_thread) return;
    vt_held held[MOST_AT_ONCE];
    int count = all_held(held);
    // A lock that is taken again does not wait.
    if (count == 0 || contains(held, count, lock)) return;
    if (!orders) orders = calloc(MOST_ORDERS, sizeof *orders);
    if (!orders) return;
    for (int i = 0; i < count; i++) add(held, count, i, (vt_held){lock, is_queue});
}

void vt_has_taken(const void *lock, bool is_queue) {
    if (vt_self->held_count < VT_MOST_HELD) vt_self->held[vt_self->held_count++] = (vt_held){lock, is_queue};
}

void vt_has_given_back(const void *lock) {
    for (int i = vt_self->held_count - 1; i >= 0; i--) {
        if (vt_self->held[i].lock != lock) continue;
        vt_self->held_count--;
        memmove(&vt_self->held[i], &vt_self->held[i + 1], sizeof *vt_self->held * (size_t)(vt_self->held_count - i));
        return;
    }
}

/// The next lock at the address is another one.
int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    if (vt_inside() && orders && is_used[hash_of(mutex, NULL)])
        for (uint32_t i = 0; i < MOST_ORDERS; i++)
            // Not free, so that those behind it are still found.
            if (orders[i].first.lock == mutex || orders[i].second.lock == mutex) orders[i].second.lock = NULL;
    return REAL(pthread_mutex_destroy)(mutex);
}
#endif
