internal import EtalonTypes

/// Everything that decides what the compiler returns.
struct CacheKey: Sendable {
  /// Raised whenever the same text would become other words for a reason that is in Etalon and not in the compiler.
  private static let formatVersion = "1"
  private static let target = "vulkan1.1 spirv1.3 zero debug"

  let lines: TokenLines
  let macros: [String: String]
  /// The filter and the pass.
  let name: String
  /// What the module's debug information calls the text; without control characters.
  let fileName: String
  let hash: ContentHash

  init(lines: TokenLines, macros: [String: String], name: String) {
    self.lines = lines
    self.macros = macros
    self.name = name
    fileName = String(String.UnicodeScalarView(name.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7F ? "?" : $0 }))
    var hasher = ContentHasher()
    hasher.add("format", Self.formatVersion)
    hasher.add("compiler", Shaderc.identity)
    hasher.add("target", Self.target)
    hasher.add("name", fileName)
    for (name, value) in macros.sorted(by: { $0.key < $1.key }) {
      hasher.add("macro", name)
      hasher.add("value", value)
    }
    hasher.add("text", lines.bytes)
    hash = hasher.finish()
  }
}
