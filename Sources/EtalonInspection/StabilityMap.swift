package import Etalon
internal import EtalonCPU
internal import EtalonPlan
package import EtalonTypes

/// How far each pixel of a frame moves where devices compute as loosely as they may.
///
/// Pixels that move have no right value within the distance that they move: no tolerance below it can hold on all devices.
///
/// **Concurrency**: an immutable value.
package struct StabilityMap: Sendable {
  /// The pass that renders the picture.
  package let pass: String
  package let frame: Int
  package let size: Size
  package let runCount: Int
  package let seed: Int
  /// For each pixel the largest change of red, green, blue and alpha, of 1, the top row first.
  ///
  /// Infinite where a number is NaN or infinite with the errors or without, and not in both.
  package private(set) var changes: [SIMD4<Float>]

  /// - Parameter unperturbed: the frame as it is.
  package init(pass: String, frame: Int, unperturbed: PixelBuffer, runCount: Int, seed: Int) {
    precondition(unperturbed.format == .rgba32f, "a picture of \(unperturbed.format)")
    (self.pass, self.frame, self.runCount, self.seed) = (pass, frame, runCount, seed)
    size = unperturbed.size
    changes = [SIMD4<Float>](repeating: .zero, count: size.pixelCount)
  }

  /// Takes the changes of a run.
  package mutating func add(_ perturbed: PixelBuffer, comparedWith unperturbed: PixelBuffer) {
    precondition(perturbed.format == .rgba32f && perturbed.size == size, "a run of another picture")
    unsafe perturbed.bytes.withUnsafeBytes { moved in
      unsafe unperturbed.bytes.withUnsafeBytes { kept in
        for pixel in changes.indices {
          for channel in 0..<4 {
            let offset = 16 * pixel + 4 * channel
            let a = unsafe kept.loadUnaligned(fromByteOffset: offset, as: Float.self)
            let b = unsafe moved.loadUnaligned(fromByteOffset: offset, as: Float.self)
            changes[pixel][channel] = max(changes[pixel][channel], Self.distance(a, b))
          }
        }
      }
    }
  }

  private static func distance(_ a: Float, _ b: Float) -> Float {
    if a.isFinite && b.isFinite { return abs(a - b) }
    return a == b || a.isNaN && b.isNaN ? 0 : .infinity
  }

  /// The change of the channel that moves the farthest; opaque pictures do not move in alpha.
  package func largestChange(at pixel: Int) -> Float { changes[pixel].max() }
}

// MARK: runs

/// Renders frames again and again on the CPU executor with errors that devices may make, and tells how far pixels move.
///
/// They are errors of elementary functions, about a unit in the last place and as large as the Vulkan specification allows, and of samplers; sums
/// and products are fused and rearranged, and numbers near zero become zero.
///
/// ```swift
/// let maps = try StabilityRuns(count: 8, seed: 1).maps(of: request)
/// ```
///
/// **Concurrency**: an immutable value; running blocks.
package struct StabilityRuns: Sendable {
  /// How many runs there are unless a number is asked for.
  package static let usualCount = 8
  /// What is done in turns, with seeds that count up.
  private static let turns: [[Perturbation.Kind]] = [
    [.specification, .contraction], [.lastPlace, .association], [.sampling, .denormals],
  ]

  package let count: Int
  package let seed: Int

  /// - Parameters:
  ///   - count: how many runs there are beside the one without errors.
  ///   - seed: runs with the same seed make the same errors.
  package init(count: Int = Self.usualCount, seed: Int = 1) {
    precondition(count > 0 && seed > 0, "runs and seeds count from 1")
    self.count = count
    self.seed = seed
  }

  /// The devices that it renders on beside the CPU device itself.
  package var devices: [String] {
    (0..<count).map { run in
      let turn = Self.turns[run % Self.turns.count]
      let words = turn.map { Perturbation($0, seed: seed + run / Self.turns.count).description }
      return "\(DeviceList.cpuName):\(words.joined(separator: ","))"
    }
  }

  /// One map for each frame of a request; fewer where it was interrupted.
  ///
  /// Throws what `render` would.
  package func maps(of request: RenderRequest, isInterrupted: () -> Bool = { false }) throws -> [StabilityMap] {
    var request = request
    request.bits = 32
    request.device = DeviceList.cpuName
    let plain = try ShotRenderer().prepare(request)
    let pass = plain.plan.plan.passes.last { $0.bindings.values.contains(.output(0)) }?.name ?? ""
    var maps: [StabilityMap] = []
    var pictures: [PixelBuffer] = []
    for frame in plain.frames where !isInterrupted() {
      let picture = try plain.pixels(of: frame)
      maps.append(StabilityMap(pass: pass, frame: frame, unperturbed: picture, runCount: count, seed: seed))
      pictures.append(picture)
    }
    for device in devices {
      request.device = device
      let shot = try ShotRenderer().prepare(request)
      for index in maps.indices {
        if isInterrupted() { return [] }
        maps[index].add(try shot.pixels(of: maps[index].frame), comparedWith: pictures[index])
      }
    }
    return maps
  }
}
