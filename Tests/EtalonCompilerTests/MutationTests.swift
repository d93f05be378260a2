import EtalonDiagnostics
import EtalonTestSupport
import Testing

/// A thousand damaged shaders: whatever is wrong with them, it is told at a place of the author's, and nothing crashes.
@Suite struct MutationTests {
  private static let batches = 10
  private static let shadersInBatch = 100

  @Test(arguments: 0..<batches) func damagedShadersGiveDiagnostics(_ batch: Int) throws {
    let names = Corpus.shaders(in: "errors")
    for index in 0..<Self.shadersInBatch {
      let seed = UInt64(batch * Self.shadersInBatch + index)
      var random = SeededNumbers(seed: seed &* 0x9E37_79B9_7F4A_7C15)
      let original = try Corpus.source(names[Int(seed) % names.count])
      let damaged = SourceText(path: "seed-\(seed).glsl", bytes: Self.damage(original.bytes, &random))
      let diagnostics = Corpus.diagnostics(of: damaged)
      #expect(
        !diagnostics.contains { $0.id.hasPrefix("internal.") || $0.id.hasPrefix("test.") }, "\(damaged.text)\n\(diagnostics.map(\.message))"
      )
      _ = DiagnosticPrinter().text(diagnostics)
      _ = DiagnosticJSON().text(diagnostics)
    }
  }

  private static let snippets = [
    "{", "}", "(", ")", ";", ",", "#", "\\\n", "/*", "*/", "//", "\n", "\r", "\"", "'", "@", ".", "=", "vec3", "float ", "#define X(a) a\n",
    "#if 1\n",
    "#endif\n", "0x", "1e", "9999999999", "iTime", "mainImage", "\u{0}", "ä", "\u{FEFF}", "return", "struct ", "for(;;)", "[", "]", "?",
    ":", "##",
  ]

  private static func damage(_ bytes: [UInt8], _ random: inout SeededNumbers) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      let place = Int.random(in: 0...bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 0..<12, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes.removeSubrange(place..<end)
      case 1: bytes.insert(contentsOf: snippets[Int.random(in: 0..<snippets.count, using: &random)].utf8, at: place)
      case 2: bytes.insert(contentsOf: bytes[place..<end], at: place)
      case 3: bytes.removeSubrange(place...)
      default: if place < bytes.count { bytes[place] = UInt8.random(in: 0...255, using: &random) }
      }
    }
    return bytes
  }
}
