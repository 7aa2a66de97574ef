#include "CProbe.h"
#include "virtual_time.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void probe_shells(void) {
    char line[128], text[64] = "";
    int status = system("sleep 0.1; exit 5");
    snprintf(line, sizeof line, "system: %d", WEXITSTATUS(status));
    virtual_time_trace(line);

    FILE *reading = popen("sleep 0.1; echo one; echo two; exit 6", "r");
    while (fgets(text, sizeof text, reading)) {
        text[strcspn(text, "\n")] = 0;
        virtual_time_trace(text);
    }
    snprintf(line, sizeof line, "read: %d", WEXITSTATUS(pclose(reading)));
    virtual_time_trace(line);

    FILE *writing = popen("read word; test \"$word\" = sent && exit 7", "w");
    fputs("sent\n", writing);
    snprintf(line, sizeof line, "written: %d, another's: %d", WEXITSTATUS(pclose(writing)), popen("true", "x") == NULL);
    virtual_time_trace(line);

    pid_t child = vfork();
    if (child == 0) _exit(8);
    waitpid(child, &status, 0);
    snprintf(line, sizeof line, "vfork: %d", WEXITSTATUS(status));
    virtual_time_trace(line);
    virtual_time_finish(NULL);
}
