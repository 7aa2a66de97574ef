#include "CProbe.h"
#include "virtual_time.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static mqd_t queue;

static void *send_three(void *nothing) {
    sleep(3);
    for (int i = 0; i < 3; i++) {
        char text[16];
        int length = snprintf(text, sizeof text, "message %d", i);
        mq_send(queue, text, (size_t)length + 1, 0);
    }
    virtual_time_trace("all three are sent");
    return nothing;
}

void probe_message_queues(void) {
    char name[64], text[64];
    // Several worlds may run at a time, and names of queues are the machine's: the kernel's own number of this process is its name.
    char process[32];
    ssize_t length = readlink("/proc/self", process, sizeof process - 1);
    process[length < 0 ? 0 : length] = 0;
    snprintf(name, sizeof name, "/virtual-time-%s", process);
    struct mq_attr attributes = {.mq_maxmsg = 1, .mq_msgsize = sizeof text};
    queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);
    if (queue < 0) virtual_time_finish("no queue");
    mq_unlink(name);
    struct timespec moment;
    clock_gettime(CLOCK_REALTIME, &moment);
    moment.tv_sec += 2;
    int vain = (int)mq_timedreceive(queue, text, sizeof text, NULL, &moment);
    char line[128];
    snprintf(line, sizeof line, "in vain: %d %d", vain, errno == ETIMEDOUT);
    virtual_time_trace(line);
    pthread_t thread;
    pthread_create(&thread, NULL, send_three, NULL);
    for (int i = 0; i < 3; i++) {
        sleep(2);
        mq_receive(queue, text, sizeof text, NULL);
        virtual_time_trace(text);
    }
    pthread_join(thread, NULL);
    mq_send(queue, "full", 5, 0);
    moment.tv_sec += 60;
    int full = mq_timedsend(queue, "more", 5, 0, &moment);
    snprintf(line, sizeof line, "full: %d %d", full, errno == ETIMEDOUT);
    virtual_time_trace(line);
    virtual_time_finish(NULL);
}
