#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// The environment, without glibc's functions for it: bash has functions of the same names, which do not work before its
// `main`.

static char **place_of(const char *name) {
    size_t length = strlen(name);
    for (char **place = environ; place && *place; place++)
        if (strncmp(*place, name, length) == 0 && (*place)[length] == '=') return place;
    return NULL;
}

const char *vt_variable(const char *name) {
    char **place = place_of(name);
    return place ? strchr(*place, '=') + 1 : NULL;
}

void vt_forget_variable(const char *name) {
    for (char **place; (place = place_of(name));)
        for (; *place; place++) place[0] = place[1];
}

static size_t count_variables(void) {
    size_t count = 0;
    while (environ && environ[count]) count++;
    return count;
}

bool vt_set_variable(const char *name, const char *value) {
    size_t size = strlen(name) + strlen(value) + 2, count = count_variables();
    char *text = malloc(size), **variables = malloc((count + 2) * sizeof *variables);
    if (!text || !variables) return false;
    snprintf(text, size, "%s=%s", name, value);
    vt_forget_variable(name);
    count = count_variables();
    memcpy(variables, environ, count * sizeof *variables);
    variables[count] = text;
    variables[count + 1] = NULL;
    environ = variables;
    return true;
}

bool vt_replace_variables(const char *texts, const char *end) {
    size_t count = 0, size = (size_t)(end - texts);
    for (const char *place = texts; place < end; place += strlen(place) + 1) count++;
    // Both live as long as the process.
    char *copy = malloc(size + 1), **variables = malloc((count + 1) * sizeof *variables);
    if (!copy || !variables) return false;
    memcpy(copy, texts, size);
    count = 0;
    for (char *place = copy; place < copy + size; place += strlen(place) + 1) variables[count++] = place;
    variables[count] = NULL;
    environ = variables;
    return true;
}
#endif
