#include "CGlslang.h"

#include <cstdlib>
#include <cstring>
#include <new>
#include <spirv-tools/optimizer.hpp>
#include <string>
#include <vector>

#include "memory.h"

// The passes of the highest level, in their order, without conditional constant propagation: it takes a function of constants that it does not work
// out for unknown rather than for varying, so that a variable of a loop becomes the constant that it begins with.
static const std::vector<std::string> passes = {
    "--wrap-opkill", "--eliminate-dead-branches", "--merge-return", "--inline-entry-points-exhaustive", "--eliminate-dead-functions",
    "--eliminate-dead-code-aggressive", "--private-to-local", "--eliminate-local-single-block", "--eliminate-local-single-store",
    "--eliminate-dead-code-aggressive", "--scalar-replacement", "--convert-local-access-chains", "--eliminate-local-single-block",
    "--eliminate-local-single-store", "--eliminate-dead-code-aggressive", "--ssa-rewrite", "--eliminate-dead-code-aggressive",
    "--loop-unroll", "--eliminate-dead-branches", "--redundancy-elimination", "--combine-access-chains", "--simplify-instructions",
    "--scalar-replacement", "--convert-local-access-chains", "--eliminate-local-single-block", "--eliminate-local-single-store",
    "--eliminate-dead-code-aggressive", "--ssa-rewrite", "--eliminate-dead-code-aggressive", "--vector-dce", "--eliminate-dead-inserts",
    "--eliminate-dead-branches", "--simplify-instructions", "--if-conversion", "--copy-propagate-arrays", "--reduce-load-size",
    "--eliminate-dead-code-aggressive", "--merge-blocks", "--redundancy-elimination", "--eliminate-dead-branches", "--merge-blocks",
    "--simplify-instructions",
};

static bool optimize(const uint32_t *words, size_t word_count, std::vector<uint32_t> &optimized, std::string &log) {
  spvtools::Optimizer optimizer(SPV_ENV_VULKAN_1_1);
  optimizer.SetMessageConsumer([&log](spv_message_level_t, const char *, const spv_position_t &, const char *message) { log += message; });
  if (!optimizer.RegisterPassesFromFlags(passes)) return false;
  spvtools::OptimizerOptions options;
  options.set_run_validator(false);
  options.set_preserve_bindings(true);
  return optimizer.Run(words, word_count, &optimized, options);
}

CGlslangResult cglslang_optimize(const uint32_t *words, size_t word_count) {
  CGlslangResult out = {nullptr, 0, nullptr, 0};
  cglslang_watch_memory();
  try {
    std::vector<uint32_t> optimized;
    std::string log;
    if (optimize(words, word_count, optimized, log)) {
      out.words = static_cast<uint32_t *>(std::malloc(optimized.size() * sizeof(uint32_t) + 1));
      if (!out.words) throw std::bad_alloc();
      std::memcpy(out.words, optimized.data(), optimized.size() * sizeof(uint32_t));
      out.word_count = optimized.size();
    }
    out.ran_out = !out.words && cglslang_ran_out();
    out.log = strdup(log.c_str());
  } catch (...) {
    out.ran_out = 1;
  }
  if (!out.log) out.log = strdup("");
  return out;
}
