#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

#include <string.h>

// The environment, without glibc's functions for it: bash has functions of the same names, which do not work before its
// `main`.

/// The array of variables that the process began with, directly behind its arguments, and the number that fits into it. Swift's
/// runtime, when it is linked statically, looks for the arguments in front of `environ`: another array would lose them.
static char **first;
static size_t room;

static size_t count_variables(void) {
    size_t count = 0;
    while (environ && environ[count]) count++;
    return count;
}

static void note_first(void) {
    if (first) return;
    first = environ;
    room = count_variables();
}

/// Returns an array for a number of variables that lives as long as the process: the first one if they fit into it.
static char **array_for(size_t count) {
    note_first();
    return count <= room ? first : malloc((count + 1) * sizeof *first);
}

/// Returns the place of the variable with a name, which ends at a zero byte or at “=”.
static char **place_of(const char *name) {
    size_t length = strcspn(name, "=");
    for (char **place = environ; place && *place; place++)
        if (strncmp(*place, name, length) == 0 && (*place)[length] == '=') return place;
    return NULL;
}

const char *vt_variable(const char *name) {
    char **place = place_of(name);
    return place ? strchr(*place, '=') + 1 : NULL;
}

void vt_forget_variable(const char *name) {
    note_first();
    for (char **place; (place = place_of(name));)
        for (; *place; place++) place[0] = place[1];
}

bool vt_set_variable(const char *name, const char *value) {
    size_t size = strlen(name) + strlen(value) + 2;
    char *text = malloc(size);
    if (!text) return false;
    snprintf(text, size, "%s=%s", name, value);
    vt_forget_variable(name);
    size_t count = count_variables();
    char **variables = array_for(count + 1);
    if (!variables) {
        free(text);
        return false;
    }
    memmove(variables, environ, count * sizeof *variables);
    variables[count] = text;
    variables[count + 1] = NULL;
    environ = variables;
    return true;
}

bool vt_replace_variables(const char *texts, const char *end) {
    size_t count = 0, size = (size_t)(end - texts);
    for (const char *place = texts; place < end; place += strlen(place) + 1) count++;
    // All live as long as the process.
    char *copy = malloc(size + 1), **chosen = malloc((count + 1) * sizeof *chosen), **variables = array_for(count);
    if (!copy || !chosen || !variables) return false;
    memcpy(copy, texts, size);
    count = 0;
    for (char *text = copy; text < copy + size; text += strlen(text) + 1) {
        // Where it fits, in the place of the former text: Foundation keeps the places of the variables of a home, which it
        // looks up before `main`.
        char **known = place_of(text);
        chosen[count++] = known && strlen(text) <= strlen(*known) ? strcpy(*known, text) : text;
    }
    chosen[count] = NULL;
    memcpy(variables, chosen, (count + 1) * sizeof *chosen);
    free(chosen);
    environ = variables;
    return true;
}
#endif
