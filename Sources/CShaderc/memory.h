#ifndef CSHADERC_MEMORY_H
#define CSHADERC_MEMORY_H

// Begins to notice on this thread whether memory runs out.
//
// The compiler swallows every exception, and fails for lack of memory without a word.
void cshaderc_watch_memory();

// Whether it ran out since then.
bool cshaderc_ran_out();

#endif
