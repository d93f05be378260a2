internal import EtalonDiagnostics

/// The names that a header gives to inputs, parameters, targets, buffers and outputs; in the text they are variables.
struct NativeNames {
  private var declared: [String: (place: SourceRange, what: String)] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  /// Notes a name and says whether it can be used; what is wrong with it is reported.
  mutating func add(_ name: Placed<String>, as what: String) -> Bool {
    if let fault = Self.fault(name, what) {
      diagnostics.append(fault)
      return false
    }
    if let first = declared[name.value] {
      diagnostics.append(
        Diagnostic(
          "native.name-taken", "'\(name.value)' is the name of two things",
          labels: [Self.label(name.place, "the \(what)"), Self.label(first.place, "the \(first.what)")], help: ["rename one of them"]))
      return false
    }
    declared[name.value] = (name.place, what)
    return true
  }

  private static func fault(_ name: Placed<String>, _ what: String) -> Diagnostic? {
    func fault(_ id: String, _ message: String, _ help: String, _ notes: [String] = []) -> Diagnostic {
      Diagnostic(
        "native.\(id)", "'\(name.value)' \(message)", labels: [label(name.place, "the name of the \(what)")], help: [help], notes: notes)
    }
    guard isIdentifier(name.value) else {
      return fault(
        "name", "cannot be the name of a variable", "use letters, digits and '_'; the text for people is the LABEL",
        ["names do not start with a digit"])
    }
    if NativeScope.names.contains(name.value) { return fault("name-taken", "is the name of something every kernel has", "rename it") }
    if name.value.hasPrefix("gl_") || name.value.hasPrefix("etalon") || name.value.contains("__") {
      return fault("name", "is a name that no text may declare", "rename it", ["'gl_', 'etalon' and '__' are reserved"])
    }
    if starts.contains(name.value) {
      return fault(
        "name", "is the name of the function where a text starts", "rename it",
        ["such functions: \(starts.sorted().joined(separator: ", "))"])
    }
    return words.contains(name.value) ? fault("name", "is a word of GLSL", "rename it") : nil
  }

  private static func label(_ place: SourceRange, _ message: String) -> Diagnostic.Label { .init(place.source, place.range, message) }

  private static func isIdentifier(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, !(0x30...0x39).contains(first) else { return false }
    return bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
  }

  private static let starts: Set<String> = Set(["main"] + NativeKernel.entryPoints.keys)

  /// Words that a text needs as they are; other reserved words are renamed inside.
  private static let words: Set<String> = {
    var words: Set<String> = [
      "const", "uniform", "in", "out", "inout", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue",
      "return", "discard", "struct", "void", "bool", "int", "uint", "float", "double", "true", "false", "layout", "highp", "mediump",
      "lowp",
      "precision", "sampler2D", "sampler3D", "samplerCube", "shared", "buffer", "barrier",
    ]
    for size in ["2", "3", "4"] { for family in ["vec", "ivec", "uvec", "bvec", "mat"] { words.insert(family + size) } }
    return words
  }()
}
