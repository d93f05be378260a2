#include "CShaderc.h"

#include <cstdlib>
#include <cstring>

#include <shaderc/shaderc.h>

#include "memory.h"

// One compiler for the whole process: making one fills tables that take longer than a small shader. It may be used from several threads at once.
static shaderc_compiler_t shared_compiler() {
  static const shaderc_compiler_t compiler = shaderc_compiler_initialize();
  return compiler;
}

static shaderc_compile_options_t make_options(const CShadercMacro *macros, size_t macro_count) {
  shaderc_compile_options_t options = shaderc_compile_options_initialize();
  if (!options) return nullptr;
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

static bool take_words(CShadercResult *out, shaderc_compilation_result_t result) {
  size_t bytes = shaderc_result_get_length(result);
  out->words = static_cast<uint32_t *>(malloc(bytes ? bytes : 1));
  if (!out->words) return false;
  memcpy(out->words, shaderc_result_get_bytes(result), bytes);
  out->word_count = bytes / sizeof(uint32_t);
  return true;
}

static void compile(
    CShadercResult *out, const char *text, size_t length, const char *file_name, const CShadercMacro *macros, size_t macro_count) {
  shaderc_compiler_t compiler = shared_compiler();
  shaderc_compile_options_t options = compiler ? make_options(macros, macro_count) : nullptr;
  shaderc_compilation_result_t result =
      options ? shaderc_compile_into_spv(compiler, text, length, shaderc_compute_shader, file_name, "main", options) : nullptr;
  if (result) {
    out->log = strdup(shaderc_result_get_error_message(result));
    bool succeeded = shaderc_result_get_compilation_status(result) == shaderc_compilation_status_success;
    out->ran_out = succeeded ? !take_words(out, result) : cshaderc_ran_out();
    shaderc_result_release(result);
  }
  if (options) shaderc_compile_options_release(options);
}

CShadercResult cshaderc_compile(const char *text, size_t length, const char *file_name, const CShadercMacro *macros, size_t macro_count) {
  CShadercResult out = {nullptr, 0, nullptr, 0};
  cshaderc_watch_memory();
  try {
    compile(&out, text, length, file_name, macros, macro_count);
  } catch (...) {
    out.ran_out = 1;
  }
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
