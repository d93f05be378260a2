#include "CShaderc.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <shaderc/shaderc.h>

// One compiler for the whole process: making one fills tables that take longer than a small shader. It may be used from several threads at once.
static shaderc_compiler_t shared_compiler;
static pthread_once_t shared_compiler_once = PTHREAD_ONCE_INIT;

static void make_shared_compiler(void) { shared_compiler = shaderc_compiler_initialize(); }

static shaderc_compile_options_t make_options(const CShadercMacro *macros, size_t macro_count) {
  shaderc_compile_options_t options = shaderc_compile_options_initialize();
  if (!options) return NULL;
  shaderc_compile_options_set_source_language(options, shaderc_source_language_glsl);
  shaderc_compile_options_set_target_env(options, shaderc_target_env_vulkan, shaderc_env_version_vulkan_1_1);
  shaderc_compile_options_set_target_spirv(options, shaderc_spirv_version_1_3);
  shaderc_compile_options_set_optimization_level(options, shaderc_optimization_level_zero);
  shaderc_compile_options_set_generate_debug_info(options);
  for (size_t i = 0; i < macro_count; i++) {
    shaderc_compile_options_add_macro_definition(options, macros[i].name, strlen(macros[i].name), macros[i].value, strlen(macros[i].value));
  }
  return options;
}

static int take_words(CShadercResult *out, shaderc_compilation_result_t result) {
  size_t bytes = shaderc_result_get_length(result);
  out->words = malloc(bytes ? bytes : 1);
  if (!out->words) return 0;
  memcpy(out->words, shaderc_result_get_bytes(result), bytes);
  out->word_count = bytes / sizeof(uint32_t);
  return 1;
}

CShadercResult cshaderc_compile(const char *text, size_t length, const char *file_name, const CShadercMacro *macros, size_t macro_count) {
  CShadercResult out = {NULL, 0, NULL, 0};
  pthread_once(&shared_compiler_once, make_shared_compiler);
  shaderc_compile_options_t options = shared_compiler ? make_options(macros, macro_count) : NULL;
  shaderc_compilation_result_t result =
      options ? shaderc_compile_into_spv(shared_compiler, text, length, shaderc_compute_shader, file_name, "main", options) : NULL;
  if (result) {
    out.log = strdup(shaderc_result_get_error_message(result));
    if (shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success) out.ran_out = !take_words(&out, result);
    shaderc_result_release(result);
  }
  if (options) shaderc_compile_options_release(options);
  if (!out.log) {
    out.ran_out = 1;
    out.log = strdup("");
  }
  return out;
}

void cshaderc_result_free(CShadercResult result) {
  free(result.words);
  free(result.log);
}
