import ArgumentParser
import EtalonComparison
import EtalonTypes

/// Compares pictures of 4K, with and without FLIP.
struct CompareBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Comparing two 4K RGBA8 pictures: CPU time with every metric but FLIP, and with FLIP.")

  @Option(help: "Rounds, of which the median counts.") var rounds = 5

  func run() throws {
    let reference = SyntheticFrame.photo.picture(Size(3840, 2160))
    var verdict = Verdict()
    let everything = Set(ComparisonMetric.allCases), plain = everything.subtracting([.flip])
    print("3840x2160 RGBA8, CPU seconds (median of \(rounds) rounds)")
    for (name, actual) in [("every pixel differs", Self.noisy(reference)), ("one corner differs", Self.scratched(reference))] {
      print(name)
      verdict.check("every metric but FLIP", median(actual, reference, plain), atMost: 0.25, unit: " s")
      verdict.check("with FLIP", median(actual, reference, everything), atMost: 1.5, unit: " s")
    }
    if !verdict.passes { throw ExitCode(1) }
  }

  private func median(_ actual: PixelBuffer, _ reference: PixelBuffer, _ metrics: Set<ComparisonMetric>) -> Double {
    var tolerance = Tolerance(channel: 2, outliers: 100, ceiling: 200)
    tolerance.window = WindowLimit(size: 8, outliers: 16)
    tolerance.oklab = OKLabLimit(distance: 0.02, window: 8, pixels: 16)
    let seconds = (0..<max(1, rounds)).map { _ in
      CPUClock.cost { _ = comparePictures(actual, reference, tolerance: tolerance, metrics: metrics) } / 1000
    }
    return seconds.median
  }

  /// Every color channel a few levels off.
  private static func noisy(_ picture: PixelBuffer) -> PixelBuffer {
    var bytes = picture.bytes
    var state: UInt32 = 1
    for index in bytes.indices where index % 4 != 3 {
      state = state &* 1_664_525 &+ 1_013_904_223
      let change = Int(state >> 29) - 4
      bytes[index] = UInt8(max(0, min(255, Int(bytes[index]) + (change >= 0 ? change + 1 : change))))
    }
    return PixelBuffer(size: picture.size, format: picture.format, alpha: picture.alpha, bytes: bytes)
  }

  /// A square of 256 pixels with another color.
  private static func scratched(_ picture: PixelBuffer) -> PixelBuffer {
    var bytes = picture.bytes
    for y in 0..<256 {
      for x in 0..<256 { bytes[(y * picture.size.width + x) * 4] ^= 0x10 }
    }
    return PixelBuffer(size: picture.size, format: picture.format, alpha: picture.alpha, bytes: bytes)
  }
}
