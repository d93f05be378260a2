#include "memory.h"

#include <new>

static thread_local bool ran_out;
static std::new_handler before;

// Does what was done before, and else what is done without a handler.
static void note() {
  ran_out = true;
  if (before) return before();
  throw std::bad_alloc();
}

void cglslang_watch_memory() {
  static const bool is_watched = [] {
    before = std::get_new_handler();
    std::set_new_handler(note);
    return true;
  }();
  (void)is_watched;
  ran_out = false;
}

bool cglslang_ran_out() { return ran_out; }
