package import Etalon
internal import EtalonCompiler
internal import EtalonGraph
internal import EtalonIntervals
internal import EtalonManifest
internal import EtalonPlan
internal import EtalonSystem
package import EtalonTypes
internal import Foundation

/// Works out what pixels may be on devices that follow the Vulkan specification.
///
/// Every number of a shader is a range here: its value with the errors that the specification allows to each operation, one after the other.
///
/// ```swift
/// let ranges = try SpecificationRanges(request)
/// let found = try ranges.ranges(ofFrame: 0, at: [(x: 12, y: 40)])
/// found[0].channels[0].contains(0.25)
/// ```
///
/// **Concurrency**: usable from every thread; working out blocks.
package struct SpecificationRanges: Sendable {
  /// How many operations of one pixel are followed, and how many of all pixels of a frame: pixels that are not reached are unknown.
  package struct Limits: Sendable, Hashable {
    package var stepsOfPixel: Int
    package var stepsOfFrame: Int
    /// The most frames before one that are followed.
    package var framesBefore = 64
    /// How long all pixels of a frame may take, in seconds; nil for as long as it takes.
    package var seconds: Double?
    /// How much processor time all pixels of a frame may take, in seconds; nil for as much as it takes.
    package var processorSeconds: Double?
    /// How finely the device filters textures.
    package var samplerPrecision = SamplerPrecision.usual

    package init(stepsOfPixel: Int = 1_000_000, stepsOfFrame: Int = 12_000_000) {
      (self.stepsOfPixel, self.stepsOfFrame) = (stepsOfPixel, stepsOfFrame)
    }
  }

  private let shot: Shot
  private let kernels: KernelStore
  private let first: Int
  private let limits: Limits

  /// Prepares a request; errors in it are thrown as `render` throws them.
  package init(_ request: RenderRequest, limits: Limits = Limits()) throws {
    var request = request.observed
    request.bits = 32
    kernels = KernelStore(compiler: ShaderCompiler(cache: .user, macros: ShaderCompiler.watchedMacros), keepsLines: true)
    shot = try ShotRenderer(compilingWith: kernels).prepare(request)
    first = request.clock.first
    self.limits = limits
  }

  /// The frames of the request.
  package var frames: [Int] { shot.frames }
  package var size: Size { shot.size }

  /// The ranges of some pixels of a frame, whose rows count from the bottom; those behind a limit are unknown.
  package func ranges(ofFrame frame: Int, at pixels: [(x: Int, y: Int)]) throws -> [PixelRange] {
    let work = try FrameWork(shot, kernels, frame: frame, first: first, limits: limits)
    // Passes and frames that read each other are followed by recursion.
    return try ThreadTask(.deep) { Result { try work.ranges(at: pixels) } }.wait().get()
  }
}

/// Everything that is needed for the ranges of one frame.
private struct FrameWork: Sendable {
  private let plan: Plan
  private let values: [FrameValues]
  private let imports: [PixelBuffer]
  private let kernels: KernelStore
  private let limits: SpecificationRanges.Limits

  init(_ shot: Shot, _ kernels: KernelStore, frame: Int, first: Int, limits: SpecificationRanges.Limits) throws {
    (self.kernels, self.limits) = (kernels, limits)
    plan = try shot.plan(ofFrame: frame)
    imports = shot.imports
    let isKept = plan.textures.contains { $0.isKept } || plan.buffers.contains { $0.isPersistent }
    let start = isKept ? max(first, frame - limits.framesBefore) : frame
    values = try (start...max(start, frame)).map { try shot.values(of: $0, startsState: $0 == first || !isKept) }
  }

  func ranges(at pixels: [(x: Int, y: Int)]) throws -> [PixelRange] {
    var frame: FrameIntervals?
    for values in values { frame = try FrameIntervals(plan, values, imports: imports, before: frame, precision: limits.samplerPrecision) }
    guard let frame else { return [] }
    var left = limits.stepsOfFrame
    var ranges: [PixelRange] = []
    let end = limits.seconds.map { ContinuousClock.now + .seconds($0) }
    let processorEnd = limits.processorSeconds.map { ProcessorTime.ofThread + $0 }
    for (x, y) in pixels {
      if left <= 0 || end.map({ ContinuousClock.now > $0 }) ?? false || processorEnd.map({ ProcessorTime.ofThread > $0 }) ?? false {
        ranges.append(unknown(x, y, .init(words: "not looked at: it would take too long", path: nil, line: nil)))
        continue
      }
      do throws(Stop) {
        let (channels, steps) = try frame.pixel(x: x, y: y, steps: limits.stepsOfPixel)
        left -= max(steps, 1)
        ranges.append(range(x, y, channels, frame))
      } catch {
        if case .tooLong = error { left -= limits.stepsOfPixel }
        ranges.append(unknown(x, y, opening(error.words, site: error.site, frame)))
      }
    }
    return ranges
  }

  private func unknown(_ x: Int, _ y: Int, _ opening: PixelRange.Opening) -> PixelRange {
    let anything = PixelRange.Channel(low: -.infinity, high: .infinity, mayBeNaN: true)
    return PixelRange(
      x: x, y: y, channels: [anything, anything, anything, anything], opening: opening, isBeyondSpecification: false, isUnknown: true)
  }

  private func range(_ x: Int, _ y: Int, _ channels: [Interval], _ frame: FrameIntervals) -> PixelRange {
    let cause = channels.lazy.compactMap(\.cause).first
    return PixelRange(
      x: x, y: y, channels: channels.map { .init(low: $0.low, high: $0.high, mayBeNaN: $0.mayBeNaN) },
      opening: cause.map { opening($0.reason.words, site: $0.site, frame) },
      isBeyondSpecification: channels.contains { $0.traits.contains(.isBeyondSpecification) }, isUnknown: false)
  }

  /// Something with the author's line.
  private func opening(_ words: String, site: Int32, _ frame: FrameIntervals) -> PixelRange.Opening {
    guard let (kernel, line) = frame.place(of: site), let origin = kernels.lines(of: kernel)?.origin(ofLine: line) else {
      return .init(words: words + (site < 0 ? "" : ", in code that Etalon adds"), path: nil, line: nil)
    }
    return .init(words: words, path: origin.source.path, line: origin.source.position(at: origin.range.lowerBound).line)
  }
}

// MARK: results

/// What the channels of one pixel may be on devices that follow the Vulkan specification.
///
/// **Concurrency**: an immutable value.
package struct PixelRange: Sendable {
  /// Everything from `low` to `high`, and perhaps no number at all.
  package struct Channel: Sendable, Hashable {
    package let low: Double
    package let high: Double
    package let mayBeNaN: Bool

    package init(low: Double, high: Double, mayBeNaN: Bool) { (self.low, self.high, self.mayBeNaN) = (low, high, mayBeNaN) }

    package func contains(_ value: Float) -> Bool { mayBeNaN || (Double(value) >= low && Double(value) <= high) }

    /// The levels that a file may have.
    ///
    /// Kernels multiply in single precision, which rounds a product either way, and round the product to a level, halves to even.
    ///
    /// - Parameter most: 255 or 65535.
    package func levels(most: Double) -> ClosedRange<Int> {
      func product(_ value: Double) -> Double { min(max(value, 0), 1) * most }
      let least = Self.single(product(low), .down).rounded(.toNearestOrEven)
      return mayBeNaN ? 0...Int(most) : Int(least)...Int(Self.single(product(high), .up).rounded(.toNearestOrEven))
    }

    /// The next number of single precision below or above.
    private static func single(_ number: Double, _ rule: FloatingPointRoundingRule) -> Float {
      let nearest = Float(number)
      if rule == .down { return Double(nearest) > number ? nearest.nextDown : nearest }
      return Double(nearest) < number ? nearest.nextUp : nearest
    }
  }

  /// Why devices may disagree by more than the errors of operations, and where that begins.
  package struct Opening: Sendable, Hashable {
    /// `a comparison may go either way`.
    package let words: String
    /// The author's file and line; nil for code that the author did not write.
    package let path: String?
    package let line: Int?

    /// `plasma.glsl:12: a comparison may go either way`.
    package var text: String { path.map { "\($0):\(line ?? 0): \(words)" } ?? words }
  }

  /// The column, and the row from the bottom.
  package let x: Int
  package let y: Int
  /// Red, green, blue and alpha; all numbers where nothing is known.
  package let channels: [Channel]
  /// Nil where the ranges are those of rounding alone.
  package let opening: Opening?
  /// Whether the specification gives no bound on the way, and that of its conformance tests was taken.
  package let isBeyondSpecification: Bool
  /// Whether nothing is known, because an operation has no known range or takes too long.
  package let isUnknown: Bool
}
