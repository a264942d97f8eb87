/* held.c -- what the program took and did not give back: blocks of memory, streams, files by number */
#define _GNU_SOURCE

#include "shim.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

enum { HELD_MOST = 1 << 18, HANDLES_MOST = 1024 };

static void *held[HELD_MOST]; /* open addressing; 1 marks a place that was left */
static atomic_flag held_lock = ATOMIC_FLAG_INIT;
static long held_count, handle_count;
static bool handle[HANDLES_MOST];

static size_t place_of(const void *block)
{
    return (size_t)(((uintptr_t)block >> 4) * 0x9E3779B97F4A7C15u >> 20) % HELD_MOST;
}

static void lock(void)
{
    while (atomic_flag_test_and_set(&held_lock))
        ;
}

static void unlock(void)
{
    atomic_flag_clear(&held_lock);
}

void shim_hold(void *block)
{
    lock();
    size_t at = place_of(block);
    for (size_t i = 0; i < HELD_MOST; i++, at = (at + 1) % HELD_MOST)
        if ((uintptr_t)held[at] <= 1) {
            held[at] = block;
            held_count++;
            break;
        }
    unlock();
}

bool shim_let_go(const void *block)
{
    bool found = false;
    lock();
    size_t at = place_of(block);
    for (size_t i = 0; i < HELD_MOST && held[at] != NULL && !found; i++, at = (at + 1) % HELD_MOST)
        if (held[at] == block) {
            held[at] = (void *)1;
            held_count--;
            found = true;
        }
    unlock();
    return found;
}

void shim_hold_if_own(void *block, const void *caller)
{
    if (block != NULL && shim_is_own(caller))
        shim_hold(block);
}

void shim_hold_handle(int file, const void *caller)
{
    if (file < 0 || file >= HANDLES_MOST || !shim_is_own(caller))
        return;
    handle_count += !handle[file];
    handle[file] = true;
}

void shim_let_handle_go(int file)
{
    if (file < 0 || file >= HANDLES_MOST || !handle[file])
        return;
    handle_count--;
    handle[file] = false;
}

void shim_held(long *blocks, long *handles)
{
    *blocks = held_count;
    *handles = handle_count;
}
