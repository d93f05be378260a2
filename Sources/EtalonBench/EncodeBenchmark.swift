import ArgumentParser
import CLibPNGBaseline
import EtalonMedia
import EtalonTypes
import Foundation
import Glibc
import Synchronization

/// Encodes frames of a shader over and over, without rendering them again and without files.
struct EncodeBenchmark: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "encode", abstract: "PNG encoding of a shader's frames alone: CPU time a frame, as JSON.")

  @Argument(help: "The shader.") var shader: String
  @Option(help: "Width and height in pixels.") var size = "1920x1080"
  @Option(help: "The frames of the shot that are encoded.") var frames = "60-299x40"
  @Option(help: "How often all of them are encoded, after once to warm up.") var rounds = 5
  @Option(help: "Encoders side by side, each with all the frames; etalon has one for each processor.")
  var threads = ProcessInfo.processInfo.activeProcessorCount

  func run() throws {
    let benchmark = try BenchmarkShader(path: shader, size: size)
    let pictures = try FrameRangeParser.parse(frames).frames.map(benchmark.picture)
    let bytes = encode(pictures) / (pictures.count * threads)
    let start = CPUClock.milliseconds()
    for _ in 0..<rounds { _ = encode(pictures) }
    let end = CPUClock.milliseconds()
    let count = Double(pictures.count * threads * rounds)
    let (user, system) = ((end.user - start.user) / count, (end.system - start.system) / count)
    print("{\"frames\":\(Int(count)),\"userMsPerFrame\":\(user),\"systemMsPerFrame\":\(system),\"bytesPerFrame\":\(bytes)}")
  }

  /// Encodes all pictures on every thread, and returns how many bytes that gave.
  private func encode(_ pictures: [PixelBuffer]) -> Int {
    let total = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: threads) { _ in
      let encoder = PNGEncoder()
      let sink = MemorySink()
      for picture in pictures {
        sink.reset()
        do { try encoder.encode(picture, to: sink) } catch { preconditionFailure("memory takes every byte: \(error)") }
        total.withLock { $0 += sink.bytes.count }
      }
    }
    return total.withLock { $0 }
  }
}

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

/// Opaque frames of the kinds that shaders make, computed from formulas.
enum SyntheticFrame: String, CaseIterable {
  /// Smooth waves, like the ShaderToy template.
  case plasma
  /// Several octaves of value noise, domain warped.
  case noise
  /// Spheres over a checkered floor in front of an empty sky.
  case march
  /// Plasma with film grain.
  case grain
  /// Soft shapes, edges and texture with sensor noise, as photos have them.
  case photo

  /// The frame in `rgba8`.
  func picture(_ size: Size) -> PixelBuffer {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size.pixelCount * 4)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let color = color(Float(x), Float(y), Float(size.width), Float(size.height))
        for channel in 0..<3 { bytes.append(UInt8(max(0, min(255, (color[channel] * 255).rounded())))) }
        bytes.append(255)
      }
    }
    return PixelBuffer(size: size, format: .rgba8, alpha: .straight, bytes: bytes)
  }

  private func color(_ x: Float, _ y: Float, _ width: Float, _ height: Float) -> SIMD3<Float> {
    let (u, v) = (x / height, y / height)
    switch self {
    case .plasma: return Self.plasma(u, v)
    case .noise: return Self.warpedNoise(u, v)
    case .march: return Self.spheres(u - width / height / 2, 0.5 - v)
    case .grain: return Self.plasma(u, v) + (Self.hash(x, y) - 0.5) * 0.03
    case .photo: return Self.photo(u, v, x, y)
    }
  }

  private static func plasma(_ u: Float, _ v: Float) -> SIMD3<Float> {
    let wave = sinf(u * 10 + 1) + sinf(v * 12 + 2) + sinf((u + v) * 8) + sinf(sqrtf((u - 0.9) * (u - 0.9) + (v - 0.5) * (v - 0.5)) * 20)
    return SIMD3(0.5 + 0.5 * sinf(wave), 0.5 + 0.5 * sinf(wave + 2.1), 0.5 + 0.5 * sinf(wave + 4.2))
  }

  private static func hash(_ x: Float, _ y: Float) -> Float {
    var bits = UInt32(bitPattern: Int32(x)) &* 0x9E37_79B1 ^ UInt32(bitPattern: Int32(y)) &* 0x85EB_CA77
    bits = (bits ^ bits >> 15) &* 0x2C1B_3C6D
    bits = (bits ^ bits >> 12) &* 0x297A_2D39
    return Float((bits ^ bits >> 15) >> 8) / 16_777_216
  }

  private static func valueNoise(_ x: Float, _ y: Float) -> Float {
    let (cellX, cellY) = (x.rounded(.down), y.rounded(.down))
    let (fx, fy) = (x - cellX, y - cellY)
    let (sx, sy) = (fx * fx * (3 - 2 * fx), fy * fy * (3 - 2 * fy))
    let top = hash(cellX, cellY) * (1 - sx) + hash(cellX + 1, cellY) * sx
    let bottom = hash(cellX, cellY + 1) * (1 - sx) + hash(cellX + 1, cellY + 1) * sx
    return top * (1 - sy) + bottom * sy
  }

  private static func octaves(_ x: Float, _ y: Float, _ count: Int) -> Float {
    var (sum, weight, scale): (Float, Float, Float) = (0, 0.5, 1)
    for _ in 0..<count {
      sum += weight * valueNoise(x * scale, y * scale)
      weight *= 0.5
      scale *= 2
    }
    return sum
  }

  private static func warpedNoise(_ u: Float, _ v: Float) -> SIMD3<Float> {
    let warp = octaves(u * 4, v * 4, 5)
    let value = octaves(u * 4 + 3 * warp, v * 4 + 2 * warp, 5)
    return SIMD3(value * value * 1.4, value * 0.9, 0.2 + warp * 0.7)
  }

  private static func spheres(_ x: Float, _ y: Float) -> SIMD3<Float> {
    for index in -1...1 {
      let (dx, dy) = ((x - Float(index) * 0.55) / 0.24, (y + 0.05) / 0.24)
      let rest = 1 - dx * dx - dy * dy
      if rest > 0 {
        let light = max(0, 0.5 * dx + 0.6 * dy + 0.62 * sqrtf(rest))
        return SIMD3(0.9, 0.4 + 0.2 * Float(index), 0.3) * (0.15 + 0.85 * light)
      }
    }
    guard y < -0.1 else { return SIMD3(0.55, 0.7, 0.9) - y * 0.4 }
    let depth = 0.3 / -y
    let isLight = (Int((x * depth * 4).rounded(.down)) + Int((depth * 4).rounded(.down))) & 1 == 0
    return SIMD3(repeating: (isLight ? 0.75 : 0.25) / (1 + depth * 0.2))
  }

  private static func photo(_ u: Float, _ v: Float, _ x: Float, _ y: Float) -> SIMD3<Float> {
    let soft = octaves(u * 1.5 + 7, v * 1.5, 3)
    let edge: Float = octaves(u * 3 + 20, v * 3 + 5, 4) > 0.47 ? 0.18 : 0
    let texture = (octaves(u * 40, v * 40, 4) - 0.5) * 0.12
    let base = SIMD3<Float>(0.35 + soft * 0.4, 0.3 + soft * 0.35, 0.25 + soft * 0.2) + edge + texture
    let grain = SIMD3(hash(x, y), hash(x + 5000, y), hash(x, y + 5000)) - 0.5
    return base + grain * 0.012
  }
}
