internal import EtalonDiagnostics

/// The names that a header gives to inputs, imports and targets; in the text they are variables.
struct ISFNames {
  private var declared: [String: (place: SourceRange, what: String)] = [:]
  private(set) var diagnostics: [Diagnostic] = []

  /// Notes a name and says whether it can be used; what is wrong with it is reported.
  mutating func add(_ name: Placed<String>, as what: String) -> Bool {
    if let fault = fault(name, what) {
      diagnostics.append(fault)
      return false
    }
    if let first = declared[name.value] {
      diagnostics.append(
        Diagnostic(
          "isf.name-taken", "'\(name.value)' is the name of two things",
          labels: [label(name.place, "the \(what)"), label(first.place, "the \(first.what)")], help: ["rename one of them"]))
      return false
    }
    declared[name.value] = (name.place, what)
    return true
  }

  private func fault(_ name: Placed<String>, _ what: String) -> Diagnostic? {
    guard Self.isIdentifier(name.value) else {
      return Diagnostic(
        "isf.name", "'\(name.value)' cannot be the name of a variable", labels: [label(name.place, "the name of the \(what)")],
        help: ["write '\(Self.identifier(like: name.value))'; the text for people is its LABEL"],
        notes: ["names consist of letters, digits and '_' and do not start with a digit"])
    }
    if ISFUniforms.names.contains(name.value) {
      return Diagnostic(
        "isf.name-taken", "'\(name.value)' is set by the host", labels: [label(name.place, "the name of the \(what)")],
        help: ["rename it, here and in the text"])
    }
    if GLSLKeywords.all.contains(name.value) || name.value.hasPrefix("gl_") {
      return Diagnostic(
        "isf.name", "'\(name.value)' has a meaning in every GLSL", labels: [label(name.place, "the name of the \(what)")],
        help: ["rename it, here and in the text"])
    }
    return nil
  }

  private func label(_ place: SourceRange, _ message: String) -> Diagnostic.Label { .init(place.source, place.range, message) }

  static func isIdentifier(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, !(0x30...0x39).contains(first) else { return false }
    return bytes.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) || $0 == UInt8(ascii: "_") }
  }

  /// `"blur amount (px)"` as `blurAmountPx`.
  private static func identifier(like name: String) -> String {
    let words = name.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
    let joined = words.enumerated().map { $0 == 0 ? String($1) : $1.prefix(1).uppercased() + $1.dropFirst() }.joined()
    let start = joined.first.map { $0.isNumber ? "_" : "" } ?? "input"
    return start + joined
  }
}

/// Words that no version of GLSL lets anybody use as a name.
enum GLSLKeywords {
  static let all: Set<String> = {
    var words: Set<String> = [
      "const", "uniform", "in", "out", "inout", "if", "else", "for", "while", "do", "switch", "case", "default", "break", "continue",
      "return", "discard", "struct", "void", "bool", "int", "uint", "float", "true", "false", "layout", "highp", "mediump", "lowp",
      "precision", "sampler2D", "sampler3D", "samplerCube", "main",
    ]
    for size in ["2", "3", "4"] { for family in ["vec", "ivec", "uvec", "bvec", "mat"] { words.insert(family + size) } }
    return words
  }()
}
