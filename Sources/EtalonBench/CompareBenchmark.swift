import ArgumentParser
import EtalonComparison
import EtalonTypes

/// Compares pictures of 4K, with and without FLIP, and pictures of light with HDR-FLIP.
struct CompareBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "Comparing two 4K pictures: CPU time with every metric but FLIP, with FLIP, and with HDR-FLIP of floats.")

  @Option(help: "Rounds, of which the median counts.") var rounds = 5

  func run() throws {
    let reference = SyntheticFrame.photo.picture(Size(3840, 2160))
    var verdict = BenchVerdict()
    let everything = Set(ComparisonMetric.allCases).subtracting([.ssimGaussian]), plain = everything.subtracting([.flip])
    print("3840x2160 RGBA8, CPU seconds (median of \(rounds) rounds)")
    for (name, actual) in [("every pixel differs", Self.noisy(reference)), ("one corner differs", Self.scratched(reference))] {
      print(name)
      verdict.check("every metric but FLIP", median(actual, reference, plain), atMost: 0.25, unit: " s")
      verdict.check("with FLIP", median(actual, reference, everything), atMost: 1.5, unit: " s")
      verdict.check("with SSIM by Gaussian windows", median(actual, reference, plain.union([.ssimGaussian])), atMost: 1, unit: " s")
    }
    let light = Self.light(reference)
    print("3840x2160 RGBA32F, light from 0 to 32, CPU seconds (median of \(rounds) rounds)")
    let dimmer = Self.dimmer(light)
    let exposures = comparePictures(dimmer, light, metrics: [.flip]).flip?.exposures?.count ?? 0
    verdict.check("every metric but FLIP", median(dimmer, light, plain), atMost: 1.75, unit: " s")
    verdict.check("with HDR-FLIP of \(exposures) exposures", median(dimmer, light, everything), atMost: 5, unit: " s")
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

  /// A picture as light: the brightest tenth of its levels shines up to 32 times as bright as white.
  private static func light(_ picture: PixelBuffer) -> PixelBuffer {
    let strengths = (0...255).map { level in
      let share = Float(level) / 255
      return share * share * (share > 0.9 ? 1 + 310 * (share - 0.9) : 1)
    }
    return floats(picture.size, picture.bytes.indices.map { $0 % 4 == 3 ? 1 : strengths[Int(picture.bytes[$0])] })
  }

  /// The same light, a hundredth weaker.
  private static func dimmer(_ picture: PixelBuffer) -> PixelBuffer {
    let strengths = unsafe picture.bytes.withUnsafeBytes { unsafe Array($0.bindMemory(to: Float.self)) }
    return floats(picture.size, strengths.indices.map { $0 % 4 == 3 ? 1 : strengths[$0] * 0.99 })
  }

  private static func floats(_ size: Size, _ values: [Float]) -> PixelBuffer {
    PixelBuffer(size: size, format: .rgba32f, alpha: .opaque, bytes: unsafe values.withUnsafeBytes { unsafe Array($0) })
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
