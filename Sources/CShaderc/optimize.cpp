#include "CShaderc.h"

#include <cstdlib>
#include <cstring>
#include <spirv-tools/optimizer.hpp>
#include <string>
#include <vector>

static bool optimize(const uint32_t *words, size_t word_count, std::vector<uint32_t> &optimized, std::string &log) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_1);
  optimizer.SetMessageConsumer([&log](spv_message_level_t, const char *, const spv_position_t &, const char *message) { log += message; });
  optimizer.RegisterPerformancePasses();
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  options.set_preserve_bindings(true);
  return optimizer.Run(words, word_count, &optimized, options);
}

CShadercResult cshaderc_optimize(const uint32_t *words, size_t word_count) {
  CShadercResult out = {nullptr, 0, nullptr, 0};
  try {
    std::vector<uint32_t> optimized;
    std::string log;
    if (optimize(words, word_count, optimized, log)) {
      out.words = static_cast<uint32_t *>(std::malloc(optimized.size() * sizeof(uint32_t) + 1));
      if (out.words) std::memcpy(out.words, optimized.data(), optimized.size() * sizeof(uint32_t));
      out.word_count = optimized.size();
    }
    out.log = strdup(log.c_str());
  } catch (...) {
    out.ran_out = 1;
  }
  if (!out.log) out.log = strdup("");
  return out;
}
