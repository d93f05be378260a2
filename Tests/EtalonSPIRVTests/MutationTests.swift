import EtalonDiagnostics
import EtalonSPIRV
import EtalonTestSupport
import Testing

/// Damaged modules are refused or work; nothing crashes or hangs.
@Suite struct MutationTests {
  private static let rounds = 10_000

  @Test(arguments: Corpus.kernels + Corpus.flow) func damagedModules(_ name: String) throws {
    let words = try Corpus.words(name)
    var generator = SeededNumbers(seed: UInt64(words.count))
    let count = Self.rounds / (Corpus.kernels.count + Corpus.flow.count) + 1
    var refused = 0
    for _ in 0..<count {
      var damaged = words
      for _ in 0..<Int.random(in: 1...3, using: &generator) { damage(&damaged, &generator) }
      do { try useEverything(damaged) } catch is DiagnosticsError { refused += 1 }
    }
    #expect(refused > count / 4, "damage without effect tests nothing")
  }

  private func useEverything(_ words: [UInt32]) throws {
    let module = try SPIRVModule(words)
    _ = Disassembler(module).text()
    for function in module.functions {
      let tree = try StructuredControlFlow(function, in: module)
      _ = ControlFlowPrinter(function).text(tree)
    }
    _ = InterfacePrinter().text(try KernelInterface(module))
    _ = try Hardening.harden(module)
  }

  private func damage(_ words: inout [UInt32], _ generator: inout SeededNumbers) {
    guard words.count > 6 else { return }
    let at = Int.random(in: 0..<words.count, using: &generator)
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: words[at] ^= 1 << UInt32.random(in: 0..<32, using: &generator)
    case 1: words[at] = UInt32.random(in: 0..<(words[3] % 4096 + 2), using: &generator)
    case 2: words[at] = [0, 1, .max, 0x7FFF_FFFF, 0x8000_0000].randomElement(using: &generator) ?? 0
    case 3: words[at] = words[Int.random(in: 0..<words.count, using: &generator)]
    case 4: words.removeSubrange(at..<min(words.count, at + Int.random(in: 1...8, using: &generator)))
    case 5: words.removeLast(Int.random(in: 1..<min(words.count - 5, 64), using: &generator))
    case 6: words[at] = words[at] & 0xFFFF_0000 | UInt32.random(in: 0..<410, using: &generator)
    default: words.swapAt(at, Int.random(in: 5..<words.count, using: &generator))
    }
  }
}
