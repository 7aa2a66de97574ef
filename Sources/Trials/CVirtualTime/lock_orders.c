#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>

// Two threads that take two locks in opposite orders wait for each other for ever if they meet. Most seeds never let them
// meet: code takes almost no virtual time. So the orders are noted, and opposite ones are reported in the trace, whether
// the threads have met or not. The world goes on: something that it does not see may keep them apart.
//
// Locks are the mutexes that the program or Foundation takes for it, and queues of libdispatch for as long as a thread serves
// them alone. Swift's runtime, SQLite and others have rules of their own. Most locks are taken by
// a thread that serves a queue and holds nothing else. Their orders are noted without the stack, which takes longer than
// all the rest; it is looked at when the lock is taken again and the opposite order is known.

// A power of two, at most as many as the index has numbers for. Programs have some hundred pairs at a time; the orders of
// further ones are not noted.
#define MOST_PLACES 4096
#define MOST_ORDERS (MOST_PLACES / 4 * 3)
// Orders with stacks: those of threads that hold a lock already.
#define MOST_DETAILS 1024
// A program with more has been told enough.
#define MOST_REPORTS 8
// Enough to see who takes a lock and why; the search for more takes longer than all the rest.
#define MOST_FRAMES 12
// A queue in addition to the locks that the thread has taken.
#define MOST_AT_ONCE (VT_MOST_HELD + 1)

typedef struct {
    vt_held others[MOST_AT_ONCE];  // what else was held
    int other_count;
    void *frames[MOST_FRAMES];
    int frame_count;
} detail;

typedef struct {
    vt_held first, second;  // no second: one of them is gone
    int thread;
    bool is_worker;
    bool is_awaited;  // the opposite order is known, and this one's stack is not
    detail *detail;
} order;

static order *orders;
static uint16_t *places;  // by the hash of both locks: the number of an order, from 1; 0: free
static detail *details;
static uint32_t order_count, detail_count, report_count;
static bool is_full;

// Weak: programs without libdispatch run in worlds too.
extern const void *dispatch_get_current_queue(void) __attribute__((weak));
extern const uint64_t _dispatch_main_q[] __attribute__((weak));

// ---- The table

static bool begin_table(void) {
    orders = calloc(MOST_ORDERS, sizeof *orders);
    places = calloc(MOST_PLACES, sizeof *places);
    details = calloc(MOST_DETAILS, sizeof *details);
    is_full = !orders || !places || !details;
    return !is_full;
}

static uint16_t *place_of(const void *first, const void *second) {
    uint64_t mixed = ((uint64_t)(uintptr_t)first * 31 + (uint64_t)(uintptr_t)second) * 0x9E3779B97F4A7C15ULL;
    uint32_t place = (uint32_t)(mixed >> 40) % MOST_PLACES;
    for (;; place = (place + 1) % MOST_PLACES) {
        if (places[place] == 0) return &places[place];
        const order *found = &orders[places[place] - 1];
        if (found->first.lock == first && found->second.lock == second) return &places[place];
    }
}

/// Returns an order; NULL if it has not been noted.
static order *find(const void *first, const void *second) {
    uint16_t number = *place_of(first, second);
    return number ? &orders[number - 1] : NULL;
}

/// Leaves out the orders of locks that are gone.
static void tidy(void) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < order_count; i++)
        if (orders[i].second.lock) orders[kept++] = orders[i];
    is_full = kept > MOST_ORDERS / 2;
    order_count = kept;
    memset(places, 0, sizeof *places * MOST_PLACES);
    for (uint32_t i = 0; i < kept; i++) *place_of(orders[i].first.lock, orders[i].second.lock) = (uint16_t)(i + 1);
}

static order *new_order(vt_held first, vt_held second) {
    if (order_count == MOST_ORDERS) tidy();
    if (is_full) return NULL;
    order *new = &orders[order_count++];
    *new = (order){.first = first, .second = second, .thread = vt_self->id, .is_worker = vt_self->is_dispatch_worker};
    *place_of(first.lock, second.lock) = (uint16_t)order_count;
    return new;
}

/// The next lock at the address is another one.
int pthread_mutex_destroy(pthread_mutex_t *mutex) {
    if (vt_inside())
        for (uint32_t i = 0; i < order_count; i++)
            if (orders[i].first.lock == mutex || orders[i].second.lock == mutex) orders[i].second.lock = NULL;
    return REAL(pthread_mutex_destroy)(mutex);
}

// ---- What a thread holds

// The memory of an executable file or a library.
typedef struct {
    uintptr_t inside, first, end;
} image;

static int find_image(struct dl_phdr_info *info, size_t size, void *value) {
    (void)size;
    image *wanted = value;
    uintptr_t first = UINTPTR_MAX, end = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD) continue;
        uintptr_t start = info->dlpi_addr + part->p_vaddr;
        if (start < first) first = start;
        if (start + part->p_memsz > end) end = start + part->p_memsz;
    }
    if (wanted->inside < first || wanted->inside >= end) return 0;
    wanted->first = first;
    wanted->end = end;
    return 1;
}

static image image_of(uintptr_t address) {
    image found = {address, 0, 0};
    if (address) dl_iterate_phdr(find_image, &found);
    return found;
}

static bool is_in(const image *image, uintptr_t address) { return address >= image->first && address < image->end; }

bool vt_is_lock_of_program(const void *caller) {
    static image program, foundation;
    static bool is_known;
    if (!is_known) {
        is_known = true;
        program = image_of((uintptr_t)getauxval(AT_ENTRY));
        foundation = image_of((uintptr_t)dlsym(RTLD_DEFAULT, "CFRunLoopGetMain"));
        // The runtime's locks and the program's cannot be told apart there.
        if (is_in(&program, (uintptr_t)dlsym(RTLD_DEFAULT, "swift_retain"))) program.end = foundation.end = 0;
    }
    return is_in(&program, (uintptr_t)caller) || is_in(&foundation, (uintptr_t)caller);
}

/// Returns the queue that the thread serves alone; NULL if there is none, or it is unknown.
static const void *own_queue(void) {
    if (vt_self == vt.main_thread) return _dispatch_main_q;
    if (!vt_self->is_dispatch_worker || !dispatch_get_current_queue) return NULL;
    const void *queue = dispatch_get_current_queue();
    return queue && vt_serves_alone(queue) ? queue : NULL;
}

static bool contains(const vt_held *locks, int count, const void *lock) {
    for (int i = 0; i < count; i++)
        if (locks[i].lock == lock) return true;
    return false;
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

// ---- Reports

/// Returns true if the threads of two opposite orders can meet: not if there is only one, or if they hold another lock in
/// common.
static bool can_meet(const order *one, const order *other) {
    if (one->thread == other->thread && !one->is_worker) return false;
    for (int i = 0; i < one->detail->other_count; i++)
        if (contains(other->detail->others, other->detail->other_count, one->detail->others[i].lock)) return false;
    return true;
}

static const char *name_of(vt_held held, char *text, size_t room) {
    if (!held.is_queue) return "a lock";
    snprintf(text, room, "the queue \"%s\"", vt_label_of_queue(held.lock));
    return text;
}

static size_t describe(const order *order, const char *relation, char *text, size_t room) {
    char first[128], second[128];
    int length = snprintf(
        text, room, "  thread %d holds %s%s, and takes %s\n", order->thread, name_of(order->first, first, sizeof first), relation,
        name_of(order->second, second, sizeof second));
    if (length < 0 || (size_t)length >= room) return 0;
    return (size_t)length + vt_describe_frames(order->detail->frames, order->detail->frame_count, text + length, room - (size_t)length);
}

/// Writes both orders to the trace.
static void report(const order *one, const order *other) {
    static char text[VIRTUAL_TIME_MOST_TEXT];
    if (report_count++ >= MOST_REPORTS) return;
    size_t length = (size_t)snprintf(text, sizeof text, VIRTUAL_TIME_LOCK_ORDERS ":\n");
    length += describe(one, "", text + length, sizeof text / 2 - length);
    length += describe(other, VIRTUAL_TIME_SECOND_ORDER, text + length, sizeof text - length);
    text[length - 1] = 0;  // The trace adds the last end of a line.
    virtual_time_trace(text);
}

// ---- Orders

/// Notes the running thread's stack, and what else it holds.
static void look_at(order *noted, const vt_held *held, int count) {
    noted->is_awaited = false;
    if (detail_count == MOST_DETAILS) return;
    detail *seen = noted->detail = &details[detail_count++];
    for (int i = 0; i < count; i++)
        if (held[i].lock != noted->first.lock) seen->others[seen->other_count++] = held[i];
    // What the search for the frames calls is glibc's.
    vt.scheduling = true;
    seen->frame_count = backtrace(seen->frames, MOST_FRAMES);
    vt.scheduling = false;
}

/// Reports an order with a stack if the opposite one has a stack, too, and else has that looked at.
static void compare(const order *one) {
    order *other = find(one->second.lock, one->first.lock);
    if (!one->detail || !other) return;
    if (!other->detail) other->is_awaited = true;
    else if (can_meet(one, other)) report(other, one);
}

static void note(const vt_held *held, int count, vt_held first, vt_held second) {
    order *noted = find(first.lock, second.lock);
    if (noted && !noted->is_awaited) return;
    bool holds_more = vt_self->held_count > 0;
    if (!noted && !(noted = new_order(first, second))) return;
    if (!noted->is_awaited && !holds_more && !find(second.lock, first.lock)) return;
    look_at(noted, held, count);
    compare(noted);
}

void vt_will_take(const void *lock, bool is_queue) {
    const void *queue = own_queue();
    if ((vt_self->held_count == 0 && !queue) || is_full) return;
    vt_held held[MOST_AT_ONCE];
    int count = vt_self->held_count;
    memcpy(held, vt_self->held, sizeof *held * (size_t)count);
    if (queue && !contains(held, count, queue)) held[count++] = (vt_held){queue, true};
    // A lock that is taken again does not wait.
    if (contains(held, count, lock) || (!orders && !begin_table())) return;
    for (int i = 0; i < count; i++) note(held, count, held[i], (vt_held){lock, is_queue});
}
#endif
