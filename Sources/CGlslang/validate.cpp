#include "CGlslang.h"

#include <cstdlib>
#include <cstring>

#include <spirv-tools/libspirv.h>

#include "memory.h"

char *cglslang_validate(const uint32_t *words, size_t word_count, size_t *line, int *ran_out) {
  *line = 0;
  cglslang_watch_memory();
  char *text = nullptr;
  try {
    spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
    spv_const_binary_t binary = {words, word_count};
    spv_diagnostic diagnostic = nullptr;
    spv_result_t status = context ? spvValidate(context, &binary, &diagnostic) : SPV_ERROR_OUT_OF_MEMORY;
    if (status != SPV_SUCCESS) {
      text = strdup(diagnostic && diagnostic->error ? diagnostic->error : "the validator gave no reason");
      if (diagnostic) *line = diagnostic->position.index;
    }
    spvDiagnosticDestroy(diagnostic);
    if (context) spvContextDestroy(context);
    *ran_out = status == SPV_ERROR_OUT_OF_MEMORY || (status != SPV_SUCCESS && (cglslang_ran_out() || !text));
  } catch (...) {
    *ran_out = 1;
  }
  return text;
}

void cglslang_text_free(char *text) { free(text); }

