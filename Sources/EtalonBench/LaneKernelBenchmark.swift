import ArgumentParser
import EtalonCPU
import Foundation

/// Times every lane kernel beside an addition, and fails when one became much slower than it was.
struct LaneKernelBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kernels", abstract: "Every lane kernel against an addition of two vectors in the same run.",
    discussion: """
      Prints the ratios. --check compares them with the record and ends with 1 when a kernel takes twice as long as recorded, is not \
      recorded, or is recorded and gone; what looks slow is measured again, longer, before it counts. --record writes the record anew, and \
      keeps what it says of instruction sets that this machine lacks.
      """)

  @Flag(help: "Compare with the record.") var check = false
  @Flag(help: "Write the record.") var record = false
  @Option(help: "The record.") var file = KernelRecord.path
  @Option(help: "Rounds of which the fastest counts.") var rounds = 15
  @Argument(help: "Words that the names of the measured kernels contain; all kernels without any.") var names: [String] = []

  /// How much slower than recorded a kernel may be.
  private static let limit = 2.0
  /// Below this many additions it is the way from instruction to instruction that is timed, which varies from run to run.
  private static let shortest = 0.25
  /// How often what looks slow is measured again.
  private static let retries = 3
  private static let sets = InstructionSet.allCases.filter(\.isSupported)

  func validate() throws {
    if check && record { throw ValidationError("'--check' and '--record' are different things: give one of them") }
    if record && !names.isEmpty { throw ValidationError("'--record' writes all kernels: name none") }
  }

  func run() throws {
    let cases = LaneKernelCase.all.filter { kernel in names.isEmpty || names.contains { kernel.name.contains($0) } }
    guard !cases.isEmpty else { throw ValidationError("no kernel's name contains \(names.map { "'\($0)'" }.joined(separator: " or "))") }
    var known = KernelRecord()
    if check || FileManager.default.fileExists(atPath: file) {
      known = try KernelRecord(text: String(contentsOfFile: file, encoding: .utf8))
    }
    if check { try compare(cases, with: known) } else { try write(measured(cases), over: known, cases.map(\.name)) }
  }

  // MARK: Measuring

  private func measured(_ cases: [LaneKernelCase]) -> KernelRecord {
    let bench = KernelBench()
    var found = KernelRecord()
    for set in Self.sets {
      for kernel in cases { found.set(bench.ratio(of: kernel, set, rounds: rounds), of: kernel.name, set) }
    }
    return found
  }

  private func write(_ found: KernelRecord, over known: KernelRecord, _ names: [String]) throws {
    guard record else { return print(found.text(names), terminator: "") }
    var merged = known
    merged.keep(only: names)
    for (name, ratios) in found.ratios {
      for (set, ratio) in ratios { merged.set(ratio, of: name, set) }
    }
    try merged.text(names).write(toFile: file, atomically: true, encoding: .utf8)
    print("recorded \(names.count) kernels for \(Self.sets.map(\.rawValue).joined(separator: ", ")) in \(file)")
  }

  // MARK: Comparing

  private func compare(_ cases: [LaneKernelCase], with known: KernelRecord) throws {
    var failures: [String] = []
    let bench = KernelBench()
    for set in Self.sets {
      for kernel in cases {
        guard let recorded = known.ratios[kernel.name]?[set] else {
          failures.append("\(kernel.name) (\(set.rawValue)): no recorded ratio; type 'etalon-bench kernels --record'")
          continue
        }
        let limit = max(recorded, Self.shortest) * Self.limit
        let ratio = confirmedRatio(of: kernel, set, bench, limit: limit)
        if ratio > limit {
          failures.append(String(format: "%@ (%@): %.2f additions, recorded %.2f", kernel.name, set.rawValue, ratio, recorded))
        }
      }
    }
    if names.isEmpty { failures += gone(cases, known) }
    let missing = InstructionSet.allCases.filter { !$0.isSupported }.map(\.rawValue)
    if !missing.isEmpty { print("not compared, because this machine lacks them: \(missing.joined(separator: ", "))") }
    guard failures.isEmpty else {
      print(failures.map { "FAIL  \($0)" }.joined(separator: "\n"))
      throw ExitCode(1)
    }
    print(
      "pass  \(cases.count) kernels, \(Self.sets.map(\.rawValue).joined(separator: ", ")): none takes \(Self.limit) times its recorded ratio"
    )
  }

  private func confirmedRatio(of kernel: LaneKernelCase, _ set: InstructionSet, _ bench: KernelBench, limit: Double) -> Double {
    var ratio = bench.ratio(of: kernel, set, rounds: rounds)
    for attempt in 1...Self.retries where ratio > limit {
      ratio = min(ratio, bench.ratio(of: kernel, set, rounds: rounds * (2 << attempt)))
    }
    return ratio
  }

  private func gone(_ cases: [LaneKernelCase], _ known: KernelRecord) -> [String] {
    let names = Set(cases.map(\.name))
    return known.ratios.keys.filter { !names.contains($0) }.sorted().map { "\($0): recorded, but there is no such kernel" }
  }
}

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
