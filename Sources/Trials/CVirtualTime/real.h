#pragma once
// glibc's own definitions of the replaced functions, which are called outside a world.
#include <dirent.h>
#include <fcntl.h>
#include <mqueue.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/sysinfo.h>
#include <sys/timerfd.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

#include <unistd.h>

#define VT_FUNCTIONS(each) \
    each(accept) each(accept4) each(alarm) each(arc4random) each(arc4random_buf) each(arc4random_uniform) each(clock) \
    each(clock_gettime) each(clock_nanosleep) each(close) each(close_range) each(closefrom) each(dup2) each(dup3) each(fopen) each(fopen64) each(mkdtemp) each(mkostemp) each(mkostemp64) each(mkostemps) each(mkostemps64) \
    each(mkstemp) each(mkstemp64) each(mkstemps) each(mkstemps64) each(connect) each(copy_file_range) each(epoll_pwait) each(epoll_pwait2) \
    each(epoll_wait) each(eventfd_read) each(eventfd_write) each(execv) each(execve) each(execvp) each(execvpe) each(fallocate) each(fcntl) each(fcntl64) each(fdatasync) each(fexecve) each(flock) each(fork) \
    each(fstat) each(fstat64) each(fstatat) each(fstatat64) each(fsync) each(ftruncate) each(ftruncate64) each(futimens) \
    each(get_nprocs) each(get_nprocs_conf) each(getaddrinfo) each(getentropy) each(getitimer) each(getloadavg) \
    each(getnameinfo) each(getpid) each(getppid) each(getrandom) each(gettid) each(gettimeofday) each(inotify_add_watch) \
    each(inotify_init1) each(kill) each(lockf) each(lstat) each(lstat64) each(mq_receive) each(mq_send) each(mq_timedreceive) each(mq_timedsend) \
    each(nanosleep) each(open) each(open64) each(openat) each(openat64) each(pause) each(pclose) each(poll) \
    each(popen) each(posix_fallocate) each(posix_spawn) each(posix_spawnp) each(ppoll) each(pselect) each(pthread_barrier_wait) \
    each(pthread_cancel) each(pthread_clockjoin_np) each(pthread_cond_broadcast) each(pthread_cond_clockwait) \
    each(pthread_cond_signal) each(pthread_cond_timedwait) each(pthread_cond_wait) each(pthread_create) \
    each(pthread_detach) each(pthread_getaffinity_np) each(pthread_join) each(pthread_kill) \
    each(pthread_mutex_clocklock) each(pthread_mutex_destroy) each(pthread_mutex_lock) each(pthread_mutex_timedlock) each(pthread_mutex_trylock) \
    each(pthread_mutex_unlock) each(pthread_once) each(pthread_rwlock_clockrdlock) each(pthread_rwlock_clockwrlock) \
    each(pthread_rwlock_rdlock) each(pthread_rwlock_timedrdlock) each(pthread_rwlock_timedwrlock) \
    each(pthread_rwlock_tryrdlock) each(pthread_rwlock_trywrlock) each(pthread_rwlock_unlock) \
    each(pthread_rwlock_wrlock) each(pthread_sigqueue) each(pthread_spin_lock) each(pthread_spin_trylock) each(pthread_spin_unlock) \
    each(pthread_timedjoin_np) each(pthread_tryjoin_np) each(pwrite) each(pwrite64) each(raise) each(read) each(readdir) each(readdir64) each(readv) \
    each(recv) each(recvfrom) each(recvmsg) each(remove) each(rename) each(renameat) each(renameat2) each(rmdir) each(sched_getaffinity) each(sched_yield) each(select) each(sem_clockwait) \
    each(sem_post) each(sem_timedwait) each(sem_trywait) each(sem_wait) each(send) each(sendfile) each(sendmsg) each(sendto) \
    each(setitimer) each(sigqueue) each(sigsuspend) each(sigtimedwait) each(sigwait) each(sigwaitinfo) each(sleep) \
    each(stat) each(stat64) each(statx) each(syscall) each(sysconf) each(system) each(tgkill) each(time) \
    each(timer_create) each(timer_delete) each(timer_getoverrun) each(timer_gettime) each(timer_settime) \
    each(timerfd_create) each(timerfd_gettime) each(timerfd_settime) each(times) each(timespec_get) each(unlink) each(unlinkat) each(usleep) \
    each(utimensat) each(utimes) each(vfork) each(wait) each(wait3) each(wait4) each(waitid) each(waitpid) each(write) \
    each(writev)

#define VT_POINTER(name) __typeof__(&name) name;
/// Filled in before any constructor of the program; an earlier constructor of a library fills it in through `REAL`.
extern struct vt_real { VT_FUNCTIONS(VT_POINTER) } vt_real __attribute__((visibility("hidden")));
#undef VT_POINTER

__attribute__((visibility("hidden"))) void vt_find_real(void);

#define REAL(name) \
    (__builtin_expect(vt_real.name != NULL, 1) ? vt_real.name : (vt_find_real(), vt_real.name))
