#include "available.h"
#ifndef VIRTUAL_TIME_UNAVAILABLE
#include "world.h"

// PCT: more change points than any known bug needs.
#define MOST_CHANGES 64
// Initial priorities of threads are above those assigned at change points.
#define LOWEST_PRIORITY MOST_CHANGES

static const virtual_time_decision *given;
static size_t given_count;
static uint64_t generator;
static uint64_t changes[MOST_CHANGES];
static uint32_t change_count;

static uint32_t below(uint32_t options) { return (uint32_t)(((vt_next_random(&generator) >> 32) * options) >> 32); }

void vt_begin_decisions(const virtual_time_decision *decisions, size_t count) {
    given = decisions;
    given_count = count;
    generator = vt.settings.seed * 2 + 1;
    change_count = 0;
    if (vt.settings.strategy != virtual_time_strategy_pct) return;
    while (change_count + 1 < vt.settings.depth && change_count < MOST_CHANGES)
        changes[change_count++] = 1 + vt_next_random(&generator) % vt.settings.expected_steps;
}

/// Draws the answer that the strategy prefers.
static uint32_t drawn(uint32_t options, uint32_t one_in) {
    if (one_in > 1 && below(one_in) != one_in - 1) return 0;
    return one_in > 1 ? 1 + below(options - 1) : below(options);
}

static virtual_time_decision *kept(void) {
    return (virtual_time_decision *)((char *)vt.record + VIRTUAL_TIME_DECISIONS_OFFSET);
}

/// Takes the next decision: the one given for its place, or else `preferred`, the strategy's choice.
static uint32_t decide(const char *label, virtual_time_kind kind, uint32_t options, uint32_t preferred) {
    virtual_time_record *record = vt.record;
    uint64_t number = record->counts.draws++;
    if (__builtin_expect(vt.debugged == number + 1, 0)) vt_wait_for_debugger();
    virtual_time_decision asked = {.kind = (uint8_t)kind, .options = options, .chosen = -1};
    vt_locate(&asked, label);
    const virtual_time_decision *found = vt_find_given(given, given_count, &asked);
    if (found) {
        if (found->options != options) record->counts.mismatches++;
        asked.taken = found->taken < options ? found->taken : options - 1;
    } else if (number >= vt.settings.given && vt.settings.sequel == virtual_time_sequel_drawn) {
        asked.taken = preferred;
    }
    if (number < VIRTUAL_TIME_MOST_DECISIONS) {
        kept()[number] = asked;
        record->decision_count = number + 1;
    }
    return asked.taken;
}

void vt_note_chosen(const vt_thread *thread) {
    uint64_t number = vt.record->counts.draws - 1;
    if (number < VIRTUAL_TIME_MOST_DECISIONS) kept()[number].chosen = thread->id;
}

uint32_t vt_decide(const char *label, virtual_time_kind kind, uint32_t options, uint32_t one_in) {
    if (options < 2) return 0;
    return decide(label, kind, options, drawn(options, one_in));
}

int64_t vt_decide_stall(const vt_thread *thread) {
    uint32_t options = vt.settings.stall_milliseconds + 1;
    uint32_t late = vt_decide("stall", virtual_time_kind_stall, options, vt.settings.stall);
    if (options > 1) vt_note_chosen(thread);
    return (int64_t)late * 1000000;
}

// ---- Threads

void vt_give_priority(vt_thread *thread) {
    if (vt.settings.strategy == virtual_time_strategy_pct) thread->priority = LOWEST_PRIORITY + (vt_next_random(&generator) >> 1);
}

static void change_priority(uint64_t step) {
    for (uint32_t i = 0; i < change_count; i++)
        if (changes[i] == step) vt_self->priority = i;
}

static vt_thread *most_important(void) {
    vt_thread *best = vt.ready.first;
    for (vt_thread *t = best; t; t = t->next)
        if (t->priority > best->priority) best = t;
    return best;
}

bool vt_decide_interruption(const char *place) {
    if (vt.settings.strategy == virtual_time_strategy_pct) {
        change_priority(vt.record->counts.steps);
        vt_thread *best = most_important();
        return decide(place, virtual_time_kind_interruption, 2, best && best->priority > vt_self->priority) == 1;
    }
    if (vt.settings.preemption == 0) return false;
    // No other thread could run instead, unless a descriptor has become ready.
    if (vt.ready.count == 0 && vt.unlooked > 0) return false;
    return decide(place, virtual_time_kind_interruption, 2, drawn(2, vt.settings.preemption)) == 1;
}

/// Returns true if the last decision was to interrupt this thread.
static bool was_interrupted(const vt_thread *thread) {
    uint64_t count = vt.record->counts.draws;
    if (!thread || count == 0 || count > VIRTUAL_TIME_MOST_DECISIONS) return false;
    const virtual_time_decision *last = &kept()[count - 1];
    return last->kind == virtual_time_kind_interruption && last->taken == 1 && last->thread == thread->id;
}

vt_thread *vt_decide_thread(vt_thread *giving_way, const char *place) {
    uint32_t options = 0, preferred = 0;
    const vt_thread *best = vt.settings.strategy == virtual_time_strategy_pct ? most_important() : NULL;
    for (vt_thread *t = vt.ready.first; t; t = t->next) {
        if (t == giving_way) continue;
        if (t == best) preferred = options;
        options++;
    }
    if (options == 0) return giving_way;
    if (options > 1 && !best) preferred = drawn(options, 1);
    bool is_choice = options > 1;
    uint32_t taken = is_choice ? decide(place, virtual_time_kind_thread, options, preferred) : 0;
    for (vt_thread *t = vt.ready.first;; t = t->next)
        if (t != giving_way && taken-- == 0) {
            if (is_choice || was_interrupted(giving_way)) vt_note_chosen(t);
            return t;
        }
}
#endif
