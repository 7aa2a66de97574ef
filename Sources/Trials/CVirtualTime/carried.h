#pragma once
// The descriptors that a message between processes carries.
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>

/// The most descriptors in one message: the three of a request for a copy.
#define VT_MOST_CARRIED 3

/// The room for the descriptors of a message.
typedef union {
    struct cmsghdr head;
    char bytes[CMSG_SPACE(VT_MOST_CARRIED * sizeof(int))];
} vt_carried;

/// Gives a message room for descriptors, for those that it is to bring.
static inline void vt_make_room(struct msghdr *message, vt_carried *room, size_t count) {
    message->msg_control = room->bytes;
    message->msg_controllen = CMSG_SPACE(count * sizeof(int));
}

/// Lets a message carry descriptors.
static inline void vt_carry(struct msghdr *message, vt_carried *room, const int *descriptors, size_t count) {
    memset(room, 0, sizeof *room);
    room->head = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(count * sizeof(int))};
    memcpy(CMSG_DATA(&room->head), descriptors, count * sizeof(int));
    vt_make_room(message, room, count);
}

/// Takes the descriptors that a message brought. Returns false if it brought another number of them.
static inline bool vt_take_carried(struct msghdr *message, int *descriptors, size_t count) {
    const struct cmsghdr *head = CMSG_FIRSTHDR(message);
    if (!head || head->cmsg_len != CMSG_LEN(count * sizeof(int))) return false;
    memcpy(descriptors, CMSG_DATA(head), count * sizeof(int));
    return true;
}
