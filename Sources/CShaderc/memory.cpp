#include "memory.h"

#include <new>

static thread_local bool ran_out;

// What is thrown without a handler.
static void note() {
  ran_out = true;
  throw std::bad_alloc();
}

void cshaderc_watch_memory() {
  static const std::new_handler before = std::set_new_handler(note);
  (void)before;
  ran_out = false;
}

bool cshaderc_ran_out() { return ran_out; }
