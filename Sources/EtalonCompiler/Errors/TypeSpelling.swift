/// Reads the compiler's long names of types: `' temp highp 3-component vector of float'` is a `vec3`.
enum TypeSpelling {
  private static let qualifiers: Set<String> = [
    "temp", "const", "global", "in", "out", "inout", "uniform", "buffer", "shared", "highp", "mediump", "lowp", "readonly", "writeonly",
    "coherent", "volatile", "restrict", "flat", "smooth", "precise", "specialization-constant", "nonuniform",
  ]

  /// The GLSL spelling of a type; a structure is called `struct`.
  static func glsl(_ long: Substring) -> String {
    if long.contains("structure{") { return arraySizes(long) + "struct" }
    var words = long.split(separator: " ").map { String($0) }
    // Members of blocks tell where they lie: `layout( column_major std140 offset=16)`.
    if words.first?.hasPrefix("layout(") == true, let end = words.firstIndex(where: { $0.hasSuffix(")") }) { words.removeFirst(end + 1) }
    var sizes = ""
    while let first = words.first {
      if qualifiers.contains(first) {
        words.removeFirst()
      } else if first.hasSuffix("-element"), words.dropFirst().starts(with: ["array", "of"]) {
        sizes += "[\(first.dropLast("-element".count))]"
        words.removeFirst(3)
      } else if first.hasSuffix("-sized"), words.dropFirst().starts(with: ["array", "of"]) {
        sizes += "[]"
        words.removeFirst(3)
      } else {
        break
      }
    }
    return core(words) + sizes
  }

  private static func arraySizes(_ long: Substring) -> String { long.contains("-element array of") ? "array of " : "" }

  /// A scalar, vector, matrix or sampler, of which the qualifiers are gone.
  private static func core(_ words: [String]) -> String {
    let scalarPrefixes = ["float": "", "int": "i", "uint": "u", "bool": "b", "double": "d"]
    guard words.count == 4, words[2] == "of", let prefix = scalarPrefixes[words[3]] else { return words.joined(separator: " ") }
    if words[1] == "vector", let count = words[0].first { return "\(prefix)vec\(count)" }
    let sides = words[0].split(separator: "X")
    guard words[1] == "matrix", sides.count == 2 else { return words.joined(separator: " ") }
    return "\(prefix)mat\(sides[0])" + (sides[0] == sides[1] ? "" : "x\(sides[1])")
  }
}
