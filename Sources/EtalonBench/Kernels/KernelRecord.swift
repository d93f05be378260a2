import EtalonCPU
import Foundation

/// How long each lane kernel takes, in additions of two vectors, by instruction set: the file that the gate compares with.
struct KernelRecord {
  /// By the name of the kernel; an instruction set that was never measured is missing.
  private(set) var ratios: [String: [InstructionSet: Double]] = [:]

  static let path = "Tests/Benchmarks/kernel-ratios.txt"
  private static let sets = InstructionSet.allCases
  private static let nameWidth = 36

  init() {}

  /// Reads what `text` wrote.
  init(text: String) throws {
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard !line.isEmpty, !line.hasPrefix("#") else { continue }
      let words = line.split(separator: " ").map(String.init)
      guard words.count > Self.sets.count else { throw BenchmarkError(description: "line \(number + 1): expected a kernel and its ratios") }
      let name = words.dropLast(Self.sets.count).joined(separator: " ")
      for (set, word) in zip(Self.sets, words.suffix(Self.sets.count)) where word != "-" {
        guard let ratio = Double(word), ratio > 0 else { throw BenchmarkError(description: "line \(number + 1): '\(word)' is no ratio") }
        ratios[name, default: [:]][set] = ratio
      }
    }
  }

  mutating func set(_ ratio: Double, of name: String, _ set: InstructionSet) { ratios[name, default: [:]][set] = ratio }

  /// Forgets kernels that are gone.
  mutating func keep(only names: [String]) {
    let names = Set(names)
    ratios = ratios.filter { names.contains($0.key) }
  }

  /// The file, with the kernels in the given order.
  func text(_ names: [String]) -> String {
    let head = """
      # How many additions of two vectors each lane kernel takes as long as. Operands are vectors (v) or scalars (s).
      # Written by `etalon-bench kernels --record`, compared by `etalon-bench kernels --check`.
      """
    let title = Self.line("# kernel", Self.sets.map(\.rawValue))
    let lines = names.map { name in
      Self.line(name, Self.sets.map { ratios[name]?[$0].map { String(format: "%.2f", $0) } ?? "-" })
    }
    return ([head, title] + lines).joined(separator: "\n") + "\n"
  }

  private static func line(_ name: String, _ cells: [String]) -> String {
    name.padding(toLength: max(nameWidth, name.count), withPad: " ", startingAt: 0)
      + cells.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
  }
}
