#include "available.h"
#ifdef VIRTUAL_TIME_UNAVAILABLE
#include "virtual_time.h"
#include "virtual_time_copies.h"

#include <errno.h>
#include <unistd.h>

virtual_time_settings virtual_time_defaults(uint64_t seed) { return (virtual_time_settings){.seed = seed}; }
bool virtual_time_is_available(void) { return false; }
bool virtual_time_is_on(void) { return false; }
bool virtual_time_begin(const virtual_time_settings *settings, const virtual_time_decision *given, size_t count) {
    (void)settings, (void)given, (void)count;
    errno = ENOTSUP;
    return false;
}
uint32_t virtual_time_choose(virtual_time_kind kind, uint32_t options) { return (void)kind, (void)options, 0; }
uint32_t virtual_time_choose_rarely(virtual_time_kind kind, uint32_t options, uint32_t one_in) {
    return (void)kind, (void)options, (void)one_in, 0;
}
uint32_t virtual_time_choose_about(const char *subject, virtual_time_kind kind, uint32_t options, uint32_t one_in) {
    return (void)subject, (void)kind, (void)options, (void)one_in, 0;
}
int64_t virtual_time_now(void) { return 0; }
void virtual_time_wait_until_idle(void) {}
void virtual_time_attend(void) {}
size_t virtual_time_describe_waits(char *text, size_t room) { return (void)text, (void)room, 0; }
void virtual_time_trace(const char *line) { (void)line; }
const virtual_time_record *virtual_time_current(void) { return NULL; }
void virtual_time_finish(const char *failure) { _exit(failure ? VIRTUAL_TIME_EXIT_FAILED : 0); }
void virtual_time_fix_addresses(char *const *arguments) { (void)arguments; }
void virtual_time_pin(void) {}
int virtual_time_take_processor(void) { return -1; }
void virtual_time_give_processor_back(int processor) { (void)processor; }
virtual_time_template *virtual_time_template_open(void) {
    errno = ENOTSUP;
    return NULL;
}
const virtual_time_record *virtual_time_template_run(
    virtual_time_template *worlds, const virtual_time_settings *settings, const virtual_time_decision *given, size_t count,
    uint32_t milliseconds, int *status) {
    (void)worlds, (void)settings, (void)given, (void)count, (void)milliseconds, (void)status;
    errno = ENOTSUP;
    return NULL;
}
void virtual_time_template_close(virtual_time_template *worlds) { (void)worlds; }
bool virtual_time_serve_copies(int requests) {
    (void)requests;
    errno = ENOTSUP;
    return false;
}
#endif
