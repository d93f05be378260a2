// # EtalonBench
//
// The command `etalon-bench`: times the parts for which the README names a bar.
//
// Comes in: shaders and graphs of `Tests/Benchmarks`, and the options of a benchmark.
// Goes out: figures beside their bars; exit code 1 where one is missed.
// Carried by: one `ParsableCommand` for each benchmark, `BenchVerdict` for figures with bars, `CPUClock` for processor time.
// Start reading: `EtalonBench.swift`, then the file of a benchmark.
//
// - `ExecutorBenchmark.swift`, `PassesBenchmark.swift`, `FusionBenchmark.swift`, `PlanBenchmark.swift`  rendering
// - `LaneKernelBenchmark.swift`, `LaneKernelCase.swift`, `KernelBench.swift`  lane kernels one by one, against `Tests/Benchmarks/kernel-ratios.txt`
// - `EncodeBenchmark.swift`, `CompareBenchmark.swift`  PNG and comparisons
//
// Rule: both sides of a ratio are measured within one run, in processor time, because machines differ and are busy.

import ArgumentParser
import Etalon
import EtalonSystem
import Foundation
import Glibc

/// Measures Etalon against what people use otherwise, always within one run.
@main
struct EtalonBench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "etalon-bench", abstract: "Measures Etalon against what people use otherwise.",
    subcommands: [
      ExecutorBenchmark.self, WatchBenchmark.self, FusionBenchmark.self, PassesBenchmark.self, PlanBenchmark.self, LaneKernelBenchmark.self,
      ProgramCommand.self,
      PNGBenchmark.self, CompareBenchmark.self, EncodeBenchmark.self, KernelCommand.self,
    ])

  // Apart, because the compiler knows the answer and would warn of what is never executed.
  private static var isOptimized: Bool { !_isDebugAssertConfiguration() }

  func validate() throws {
    guard Self.isOptimized else {
      throw ValidationError(
        "this etalon-bench was built without optimization, as by Scripts/build and Scripts/test: type 'swift build -c release' first")
    }
  }
}

extension [Double] {
  /// The root of the product; NaN of nothing.
  var geometricMean: Double { exp(map { log($0) }.reduce(0, +) / Double(count)) }

  /// The middle of the sorted numbers; NaN of nothing.
  var median: Double {
    guard !isEmpty else { return .nan }
    let sorted = sorted()
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2
  }
}

/// Prints figures beside what they have to reach, and remembers whether all did.
struct BenchVerdict {
  private(set) var passes = true

  mutating func check(_ what: String, _ value: Double, atMost limit: Double, unit: String = " ×") {
    report(what, value, value <= limit, "at most", limit, unit)
  }

  mutating func check(_ what: String, _ value: Double, atLeast limit: Double, unit: String = " ×") {
    report(what, value, value >= limit, "at least", limit, unit)
  }

  private mutating func report(_ what: String, _ value: Double, _ isGood: Bool, _ relation: String, _ limit: Double, _ unit: String) {
    passes = passes && isGood
    let figure = String(format: "%.2f", value), bar = String(format: "%.2f", limit)
    print("  \(isGood ? "pass" : "FAIL")  \(what): \(figure)\(unit), \(relation) \(bar)\(unit)")
  }
}

/// The processor time of this process.
enum CPUClock {
  /// User and system time of all threads, in milliseconds.
  static func milliseconds() -> (user: Double, system: Double) {
    var usage = rusage()
    _ = unsafe getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    func milliseconds(_ time: timeval) -> Double { Double(time.tv_sec) * 1000 + Double(time.tv_usec) / 1000 }
    return (milliseconds(usage.ru_utime), milliseconds(usage.ru_stime))
  }

  /// Milliseconds of all threads together, user and system, exact for short times, too.
  static func total() -> Double { ProcessorTime.ofProcess * 1000 }

  /// The same of the thread that asks.
  static func ofThread() -> Double { ProcessorTime.ofThread * 1000 }

  /// What a call costs, in milliseconds of all threads together.
  static func cost(_ body: () throws -> Void) rethrows -> Double {
    let start = total()
    try body()
    return total() - start
  }

  /// User milliseconds of one call, as the smallest mean of several rounds of calls.
  static func measure(rounds: Int, calls: Int, _ body: () throws -> Void) rethrows -> Double {
    var best = Double.infinity
    for _ in 0..<rounds {
      let start = milliseconds().user
      for _ in 0..<calls { try body() }
      best = min(best, (milliseconds().user - start) / Double(calls))
    }
    return best
  }
}
