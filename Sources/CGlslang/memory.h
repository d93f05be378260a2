#ifndef CGLSLANG_MEMORY_H
#define CGLSLANG_MEMORY_H

// Begins to notice on this thread whether memory runs out.
//
// The compiler swallows every exception, and fails for lack of memory without a word.
void cglslang_watch_memory();

// Whether it ran out since then.
bool cglslang_ran_out();

#endif
