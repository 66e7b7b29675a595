// What make adds to each program: see by_hand.cuh, where a program that is compiled by hand does
// without. Texts are in Chinese where LANG says so, --help has lines of 80 columns, and the memory of
// the host is what a container or `ulimit -v` leaves of it.
#pragma once
#include <new>
#include "../said.cuh"
#include "../wrap.cuh"
#include "../memory.cuh"

static inline double room_on_host(void) { return free_host_memory(); }

static const std::new_handler g_handler_before = std::set_new_handler(exit_without_memory);
