import ArgumentParser
import CLibPNGBaseline
import EtalonMedia
import EtalonTypes
import Foundation

/// Encodes frames of five kinds with our encoder and with libpng as it comes.
struct PNGBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "png", abstract: "PNG encoding against libpng's default settings: CPU time and size.")

  @Option(help: "Rounds, of which the fastest counts.") var rounds = 3

  @Option(help: "Writes the frames into this folder, to look at them, and measures nothing.") var dump: String?

  /// What an encoder has to reach against libpng.
  private struct Bar {
    let speedup: Double
    let size: Double
  }

  private struct Contender {
    let name: String
    let settings: PNGSettings
    let bar: Bar?
  }

  func run() throws {
    let size = Size(1920, 1080)
    let pictures = SyntheticFrame.allCases.map { ($0.rawValue, $0.picture(size)) }
    if let dump { return try write(pictures, into: dump) }
    let baseline = pictures.map { measureBaseline($0.1) }
    print("1920x1080 opaque RGBA, user CPU ms a frame and bytes (best of \(rounds) rounds)")
    report("libpng default", pictures.map(\.0), baseline, against: baseline, bar: nil)
    var passes = true
    for contender in contenders() {
      let results = pictures.map { measure($0.1, contender.settings) }
      passes = report(contender.name, pictures.map(\.0), results, against: baseline, bar: contender.bar) && passes
    }
    if !passes { throw ExitCode(1) }
  }

  private func write(_ pictures: [(String, PixelBuffer)], into folder: String) throws {
    for (name, picture) in pictures {
      let file = try AtomicFile("\(folder)/\(name).png", replacing: .anything)
      try PNGEncoder().encode(picture, to: file)
      try file.commit()
    }
  }

  private func contenders() -> [Contender] {
    var found: [Contender] = []
    if DeflateLibrary.isal.isAvailable {
      let bar = Bar(speedup: 30, size: 1.1)
      found.append(Contender(name: "fast, \(DeflateLibrary.isal.description)", settings: PNGSettings(.fast, library: .isal), bar: bar))
      found.append(Contender(name: "fast, SUB only, ISA-L", settings: PNGSettings(.fast, filter: .sub, library: .isal), bar: nil))
    }
    let bar = Bar(speedup: 14, size: 1.1)
    let name = DeflateLibrary.libdeflate.description
    found.append(Contender(name: "fast, \(name)", settings: PNGSettings(.fast, library: .libdeflate), bar: bar))
    found.append(Contender(name: "small, \(name)", settings: PNGSettings(.small), bar: nil))
    return found
  }

  private func measureBaseline(_ picture: PixelBuffer) -> (milliseconds: Double, bytes: Int) {
    var bytes = 0
    let milliseconds = CPUClock.measure(rounds: rounds, calls: 1) {
      bytes = unsafe picture.bytes.withUnsafeBufferPointer { unsafe libpng_baseline_encode($0.baseAddress, 1920, 1080) }
    }
    return (milliseconds, bytes)
  }

  private func measure(_ picture: PixelBuffer, _ settings: PNGSettings) -> (milliseconds: Double, bytes: Int) {
    let encoder = PNGEncoder(settings)
    let sink = MemorySink()
    let milliseconds = CPUClock.measure(rounds: rounds + 1, calls: 5) {
      sink.reset()
      do { try encoder.encode(picture, to: sink) } catch { preconditionFailure("memory takes every byte: \(error)") }
    }
    return (milliseconds, sink.bytes.count)
  }

  @discardableResult private func report(
    _ name: String, _ kinds: [String], _ results: [(milliseconds: Double, bytes: Int)],
    against baseline: [(milliseconds: Double, bytes: Int)], bar: Bar?
  ) -> Bool {
    print(name)
    for (kind, result) in zip(kinds, results) {
      print("  " + kind.padding(toLength: 8, withPad: " ", startingAt: 0) + format(result.milliseconds) + " ms  \(result.bytes) bytes")
    }
    let mean = results.map(\.milliseconds).reduce(0, +) / Double(results.count)
    let baselineMean = baseline.map(\.milliseconds).reduce(0, +) / Double(baseline.count)
    let size = zip(results, baseline).map { Double($0.bytes) / Double($1.bytes) }.reduce(0, +) / Double(results.count)
    var line = "  mean    " + format(mean) + " ms  \(format(baselineMean / mean)) times less CPU, \(format(size)) times the size"
    guard let bar else {
      print(line)
      return true
    }
    let passes = baselineMean / mean >= bar.speedup && size <= bar.size
    line += "  [\(passes ? "pass" : "FAIL"): at least \(format(bar.speedup)) times, at most \(format(bar.size))]"
    print(line)
    return passes
  }

  private func format(_ number: Double) -> String { String(format: "%.2f", number) }
}
