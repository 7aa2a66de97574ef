// Constructs of the probe program that need no Swift, for a processor of which there is an emulator only.
//
//   probe CONSTRUCT      runs it, in a world if the environment says so
//   probe --show RECORD  what its world left, as text
#include "CProbe.h"
#include "virtual_time.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name;
    void (*body)(void);
} constructs[] = {
    {"timed-locks", probe_timed_locks}, {"timed-polls", probe_timed_polls}, {"joins", probe_joins},
    {"c11-threads", probe_c11_threads}, {"message-queues", probe_message_queues}, {"alarms", probe_alarms},
    {"shells", probe_shells}, {"identifiers", probe_identifiers}, {"questions", probe_questions},
    {"edges", probe_edges},
};

static int show(const char *path) {
    const virtual_time_record *record = virtual_time_record_open(path);
    if (!record) {
        perror(path);
        return 1;
    }
    printf("end %u at %lld ns\n", record->end, (long long)record->now);
    printf("%.*s%.*s", (int)record->text_length, virtual_time_record_text(record), (int)record->trace_length, virtual_time_record_trace(record));
    const virtual_time_decision *decisions = virtual_time_record_decisions(record);
    for (uint64_t i = 0; i < record->decision_count; i++)
        printf("decision %u of %u: %u\n", decisions[i].kind, decisions[i].options, decisions[i].taken);
    virtual_time_record_close(record);
    return 0;
}

int main(int count, char **words) {
    if (count == 3 && strcmp(words[1], "--show") == 0) return show(words[2]);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    for (size_t i = 0; count == 2 && i < sizeof constructs / sizeof *constructs; i++)
        if (strcmp(words[1], constructs[i].name) == 0) constructs[i].body();
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) puts(constructs[i].name);
    return 2;
}
