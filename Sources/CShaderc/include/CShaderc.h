#ifndef CSHADERC_H
#define CSHADERC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A preprocessor definition.
typedef struct {
  const char *name;
  const char *value;
} CShadercMacro;

// What one run of the compiler left behind. The owner hands it to cshaderc_result_free.
typedef struct {
  uint32_t *words;    // NULL when there is no module
  size_t word_count;
  char *log;          // every error and warning, never NULL
  int ran_out;        // whether there are no words because memory ran out
} CShadercResult;

// Compiles a compute shader to unoptimised SPIR-V 1.3 with debug lines for Vulkan 1.1.
//
// One call instead of shaderc's dozen, because the objects in between are C++ objects whose order of release matters.
CShadercResult cshaderc_compile(const char *text, size_t length, const char *file_name, const CShadercMacro *macros, size_t macro_count);

// Does to a module what the compiler does at its highest level of optimisation, as far as that is right. The result has no words where it fails.
//
// A shim because the optimiser of SPIRV-Tools has an interface in C++ only.
CShadercResult cshaderc_optimize(const uint32_t *words, size_t word_count);

// Gives back what cshaderc_compile and cshaderc_optimize made.
void cshaderc_result_free(CShadercResult result);

// Checks a module against the rules of Vulkan 1.1. Returns NULL when it is valid, else a text that the caller frees with
// cshaderc_text_free; `*line` then is the number of the offending instruction's line in a disassembly, header lines not counted, or 0. `*ran_out` says
// whether memory ran out before it was known.
char *cshaderc_validate(const uint32_t *words, size_t word_count, size_t *line, int *ran_out);

// Gives back what cshaderc_validate returned.
void cshaderc_text_free(char *text);

// Names the compiler that is linked, for the keys of caches: version numbers, and the build id where it is a shared library. It starts
// nothing. The text lives as long as the process. At most one thread may call it at a time.
const char *cshaderc_identity(void);

#ifdef __cplusplus
}
#endif

#endif
