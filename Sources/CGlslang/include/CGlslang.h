#ifndef CGLSLANG_H
#define CGLSLANG_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// A preprocessor definition.
typedef struct {
  const char *name;
  const char *value;
} CGlslangMacro;

// What one run of the compiler left behind. The owner hands it to cglslang_result_free.
typedef struct {
  uint32_t *words;    // NULL when there is no module
  size_t word_count;
  char *log;          // every error and warning, never NULL
  int ran_out;        // whether there are no words because memory ran out
} CGlslangResult;

// Compiles a compute shader to unoptimised SPIR-V 1.3 with debug lines for Vulkan 1.1.
//
// A shim because glslang's interface in C has neither names of files nor debug lines in every version that is supported.
CGlslangResult cglslang_compile(const char *text, size_t length, const char *file_name, const CGlslangMacro *macros, size_t macro_count);

// The text with its macros expanded, each token at its line. Returns NULL where that fails, else a text that the caller frees with
// cglslang_text_free.
char *cglslang_preprocess(const char *text, size_t length, const char *file_name, const CGlslangMacro *macros, size_t macro_count);

// Does to a module what the compiler does at its highest level of optimisation, as far as that is right. The result has no words where it fails.
//
// A shim because the optimiser of SPIRV-Tools has an interface in C++ only.
CGlslangResult cglslang_optimize(const uint32_t *words, size_t word_count);

// Gives back what cglslang_compile and cglslang_optimize made.
void cglslang_result_free(CGlslangResult result);

// Checks a module against the rules of Vulkan 1.1. Returns NULL when it is valid, else a text that the caller frees with
// cglslang_text_free; `*line` then is the number of the offending instruction's line in a disassembly, header lines not counted, or 0. `*ran_out` says
// whether memory ran out before it was known.
char *cglslang_validate(const uint32_t *words, size_t word_count, size_t *line, int *ran_out);

// Gives back what cglslang_validate and cglslang_preprocess returned.
void cglslang_text_free(char *text);

// Names the compiler that is linked, for the keys of caches, by version numbers. It starts nothing. The text lives as long as the process. At most one
// thread may call it at a time.
const char *cglslang_identity(void);

#ifdef __cplusplus
}
#endif

#endif
