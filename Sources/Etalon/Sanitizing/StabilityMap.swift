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
