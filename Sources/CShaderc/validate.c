#include "CShaderc.h"

#include <stdlib.h>
#include <string.h>

// This header defines a constant with external linkage, so no second file may include it.
#include <spirv-tools/libspirv.h>

#include "versions.h"

char *cshaderc_validate(const uint32_t *words, size_t word_count, size_t *line) {
  *line = 0;
  spv_context context = spvContextCreate(SPV_ENV_VULKAN_1_1);
  if (!context) return strdup("out of memory");
  spv_const_binary_t binary = {words, word_count};
  spv_diagnostic diagnostic = NULL;
  spv_result_t status = spvValidate(context, &binary, &diagnostic);
  char *text = NULL;
  if (status != SPV_SUCCESS) {
    text = strdup(diagnostic && diagnostic->error ? diagnostic->error : "the validator gave no reason");
    if (diagnostic) *line = diagnostic->position.index;
  }
  spvDiagnosticDestroy(diagnostic);
  spvContextDestroy(context);
  return text;
}

void cshaderc_text_free(char *text) { free(text); }

const char *cshaderc_spirv_tools_version(void) { return spvSoftwareVersionDetailsString(); }
