#include "CGlslang.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <glslang/Public/ShaderLang.h>
#include <glslang/SPIRV/GlslangToSpv.h>

#include "limits.h"
#include "memory.h"

// What a shader without a '#version' would be.
static const int default_version = 110;

// Tables for the whole process: filling them takes longer than a small shader. They may be used from several threads at once, and stay until it ends.
static void initialize() {
  static const bool is_initialized = glslang::InitializeProcess();
  (void)is_initialized;
}

static std::string_view trimmed(std::string_view text) {
  const char *blanks = " \t\n\r\f\v";
  size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

static bool starts(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// Where `:12: ` begins behind the name of a file, or npos.
static size_t find_line(std::string_view message) {
  for (size_t colon = message.find(':'); colon != std::string_view::npos; colon = message.find(':', colon + 1)) {
    size_t end = message.find_first_not_of("0123456789", colon + 1);
    if (end != std::string_view::npos && end > colon + 1 && starts(message.substr(end), ": ")) return colon;
  }
  return std::string_view::npos;
}

// Whether a message only counts the others.
static bool is_summary(std::string_view message) {
  size_t end = message.find_first_not_of("0123456789");
  return end != std::string_view::npos && starts(message.substr(end), " compilation errors.");
}

// Appends messages as `name:12: error: text`, `name: error: text` where there is no line, and `name: text` for what belongs to the message before.
// Returns whether none is an error.
//
// A log has `ERROR: name:12: text`, `WARNING: …` and `Warning, text`, lines that count or head others, and empty ones.
static bool append_messages(std::string_view log, const std::string &name, std::string &messages) {
  bool is_fine = true;
  while (!log.empty()) {
    size_t end = log.find('\n');
    std::string_view line = log.substr(0, end);
    log = end == std::string_view::npos ? std::string_view() : log.substr(end + 1);
    if (line.empty() || line == "Linked compute stage:") continue;

    bool is_error = starts(line, "ERROR: ");
    bool is_general = starts(line, "Warning, ");
    std::string_view rest = is_error || is_general || starts(line, "WARNING: ") ? trimmed(line.substr(line.find(' ') + 1)) : std::string_view();
    if (rest.empty()) {
      messages += name + ": " + std::string(line) + "\n";
      continue;
    }
    if (is_summary(rest)) continue;
    is_fine &= !is_error;
    const char *kind = is_error ? ": error: " : ": warning: ";
    size_t colon = is_general ? std::string_view::npos : find_line(rest);
    if (colon == std::string_view::npos) {
      messages += name + kind + std::string(rest) + "\n";
      continue;
    }
    size_t text = rest.find(": ", colon + 1);
    messages += std::string(rest.substr(0, text)) + kind + std::string(trimmed(rest.substr(text + 2))) + "\n";
  }
  return is_fine;
}

static std::string preamble(const CGlslangMacro *macros, size_t macro_count) {
  std::string text;
  for (size_t i = 0; i < macro_count; i++) text += std::string("#define ") + macros[i].name + " " + macros[i].value + "\n";
  // This extension is what allows names of files in '#line'.
  return text + "#extension GL_GOOGLE_include_directive : enable\n";
}

static const EShMessages rules = static_cast<EShMessages>(EShMsgCascadingErrors | EShMsgSpvRules | EShMsgVulkanRules | EShMsgDebugInfo);

static void set_target(glslang::TShader &shader) {
  shader.setEntryPoint("main");
  shader.setEnvClient(glslang::EShClientVulkan, glslang::EShTargetVulkan_1_1);
  shader.setEnvTarget(glslang::EShTargetSpv, glslang::EShTargetSpv_1_3);
}

static bool compile(
    const char *text, size_t length, const char *file_name, const std::string &preamble, std::vector<uint32_t> &words, std::string &messages) {
  initialize();
  const int text_length = static_cast<int>(length);
  glslang::TShader shader(EShLangCompute);
  shader.setStringsWithLengthsAndNames(&text, &text_length, &file_name, 1);
  shader.setPreamble(preamble.c_str());
  set_target(shader);
  bool is_parsed = shader.parse(&limits, default_version, ENoProfile, false, false, rules);
  if (!append_messages(shader.getInfoLog(), file_name, messages) || !is_parsed) return false;

  glslang::TProgram program;
  program.addShader(&shader);
  bool is_linked = program.link(EShMsgDefault) && program.mapIO();
  if (!append_messages(program.getInfoLog(), file_name, messages) || !is_linked) return false;

  glslang::SpvOptions options;
  options.generateDebugInfo = true;
  options.disableOptimizer = true;
  glslang::GlslangToSpv(*program.getIntermediate(EShLangCompute), words, &options);
  return true;
}

CGlslangResult cglslang_compile(const char *text, size_t length, const char *file_name, const CGlslangMacro *macros, size_t macro_count) {
  CGlslangResult out = {nullptr, 0, nullptr, 0};
  cglslang_watch_memory();
  try {
    std::vector<uint32_t> words;
    std::string messages;
    if (compile(text, length, file_name, preamble(macros, macro_count), words, messages)) {
      out.words = static_cast<uint32_t *>(std::malloc(words.size() * sizeof(uint32_t) + 1));
      if (!out.words) throw std::bad_alloc();
      std::memcpy(out.words, words.data(), words.size() * sizeof(uint32_t));
      out.word_count = words.size();
    }
    out.ran_out = !out.words && cglslang_ran_out();
    out.log = strdup(messages.c_str());
  } catch (...) {
    out.ran_out = 1;
  }
  if (!out.log) {
    out.ran_out = 1;
    out.log = strdup("");
  }
  return out;
}

char *cglslang_preprocess(const char *text, size_t length, const char *file_name, const CGlslangMacro *macros, size_t macro_count) {
  try {
    initialize();
    const std::string head = preamble(macros, macro_count);
    const int text_length = static_cast<int>(length);
    glslang::TShader shader(EShLangCompute);
    shader.setStringsWithLengthsAndNames(&text, &text_length, &file_name, 1);
    shader.setPreamble(head.c_str());
    set_target(shader);
    std::string expanded;
    glslang::TShader::ForbidIncluder includer;
    const EShMessages only = static_cast<EShMessages>(rules | EShMsgOnlyPreprocessor);
    if (!shader.preprocess(&limits, default_version, ENoProfile, false, false, only, &expanded, includer)) return nullptr;
    // The lines of the preamble come first.
    size_t start = 0;
    for (char c : head) {
      if (c != '\n') continue;
      size_t end = expanded.find('\n', start);
      if (end == std::string::npos) return nullptr;
      start = end + 1;
    }
    return strdup(expanded.c_str() + start);
  } catch (...) {
    return nullptr;
  }
}

void cglslang_result_free(CGlslangResult result) {
  std::free(result.words);
  std::free(result.log);
}
