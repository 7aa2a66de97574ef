#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "carried.h"
#include "world.h"

#include <signal.h>
#include <string.h>

// The most turns that a process takes by itself between two reports. The conductor's limit of real time, which is meant
// for one turn and thousands of times as long, applies to all of them together.
#define MOST_TURNS_ALONE 256

static uint64_t activity_told;

// An epoll descriptor that is ready when another process needs a turn; -1: unknown.
static int others = -1;
static int64_t alone_until;
static int turns_alone;

/// Goes on at the next deadline, as the conductor would allow, if it is the first of all processes, and no other process
/// has something to do. This saves most of the cost of a turn.
static bool goes_on_alone(int64_t deadline) {
    if (deadline <= vt.now || deadline >= alone_until || vt.may_signal || turns_alone == MOST_TURNS_ALONE) return false;
    struct epoll_event first;
    if (vt_kernel(SYS_epoll_pwait, others, &first, 1, 0, 0, 8) != 0) return false;
    turns_alone++;
    vt.record->turn = vt.now = deadline;
    vt.record->counts.jumps++;
    return true;
}

/// Sends a report; the first one with the epoll descriptor.
static bool report(const virtual_time_idle *idle) {
    static bool has_reported;
    if (has_reported) return vt_kernel(SYS_write, vt.conductor, idle, sizeof *idle) == sizeof *idle;
    has_reported = true;
    struct iovec part = {(void *)idle, sizeof *idle};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    vt_carried room;
    int watched = vt_begin_watched();
    if (watched >= 0) vt_carry(&message, &room, &watched, 1);
    return vt_kernel(SYS_sendmsg, vt.conductor, &message, 0) == sizeof *idle;
}

/// Sends a signal on behalf of an outside process, which has no identifier here.
static void send_from_outside(int number) {
    siginfo_t what;
    memset(&what, 0, sizeof what);
    what.si_code = SI_USER;
    vt_send_signal(number, &what);
}

static _Noreturn void end_without_conductor(void) {
    for (;;) vt_kernel(SYS_exit_group, VIRTUAL_TIME_EXIT_CONDUCTOR);
}

/// Receives the conductor's answer; the first one with the descriptor that shows the other processes.
static bool receive(virtual_time_go_on *answer) {
    struct iovec part = {answer, sizeof *answer};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    vt_carried room;
    if (others < 0) vt_make_room(&message, &room, 1);
    long count;
    vt.outside = "the conductor";
    do count = others < 0 ? vt_kernel(SYS_recvmsg, vt.conductor, &message, MSG_CMSG_CLOEXEC)
                          : vt_kernel(SYS_read, vt.conductor, answer, sizeof *answer);
    while (count == -EINTR);
    vt.outside = NULL;
    if (others < 0 && count > 0 && vt_take_carried(&message, &others, 1)) others = vt_move_out_of_the_way(others);
    return count == sizeof *answer && answer->version == VIRTUAL_TIME_CONDUCTOR_VERSION;
}

void vt_ask_conductor(int64_t deadline) {
    if (goes_on_alone(deadline)) return;
    virtual_time_idle idle;
    memset(&idle, 0, sizeof idle);
    idle.version = VIRTUAL_TIME_CONDUCTOR_VERSION;
    idle.now = vt.now;
    idle.deadline = deadline;
    idle.activity = vt.activity;
    idle.is_watched = vt_watch_descriptors();
    idle.may_signal = vt.may_signal;
    vt.may_signal = false;
    vt.record->now = vt.now;
    // Only another process can help now; in case none does, the record lists the waiting threads.
    if (deadline == VT_NEVER && vt_main_thread_is_stuck()) vt_stop_in_deadlock();
    if (deadline == VT_NEVER && vt.activity != activity_told)
        vt.record->text_length = vt_describe_waits(vt.record->text, sizeof vt.record->text, false);
    activity_told = vt.activity;

    if (!report(&idle)) end_without_conductor();
    virtual_time_go_on answer;
    if (!receive(&answer)) end_without_conductor();
    turns_alone = 0;
    // Without the descriptor nothing is known of the others.
    alone_until = others < 0 ? 0 : answer.alone_until;
    vt.record->text_length = 0;
    if (answer.steps_to_live) vt.steps_to_live = answer.steps_to_live;
    if (answer.now > vt.now) {
        vt.now = answer.now;
        vt.record->counts.jumps++;
    }
    vt.record->turn = vt.now;
    vt.is_disk_full = answer.is_disk_full != 0;
    vt_set_clock(answer.clock_shift);
    if (answer.signal) send_from_outside((int)answer.signal);
}
#endif
