internal import EtalonPlan
internal import Synchronization

/// The frames of an output in which a number was not one when it was stored.
package struct FramesWithNaN: Sendable, Hashable {
  /// The place of the output among those of the shot, the result first.
  package let output: Int
  /// The lowest number of them.
  package let first: Int
  package let count: Int

  package init(output: Int, first: Int, count: Int) {
    self.output = output
    self.first = first
    self.count = count
  }
}

/// Remembers in which frames a number was not one.
///
/// **Concurrency**: usable from every thread.
final class NaNLog: Sendable {
  /// By the places of outputs.
  private let frames = Mutex<[Int: Set<Int>]>([:])
  /// The first frame with NaN in mipmaps, by the names of passes.
  private let mipmaps = Mutex<[String: Int]>([:])

  /// Looks at a complete frame.
  func look(at pending: any PendingFrame, _ frame: Int, output: Int) {
    guard pending.holdsNaN(in: output) else { return }
    frames.withLock { _ = $0[output, default: []].insert(frame) }
  }

  /// Looks at the mipmaps of a complete frame.
  func look(atMipmapsOf pending: any PendingFrame, _ frame: Int) {
    // A device that fails now has shown the frame, and tells of its failure with the next.
    guard let passes = try? pending.passesWithNaNInMipmaps(), !passes.isEmpty else { return }
    mipmaps.withLock { mipmaps in for pass in passes { mipmaps[pass] = min(mipmaps[pass] ?? frame, frame) } }
  }

  /// The passes with NaN in mipmaps since it was asked last, in the order of the frames.
  func takeMipmaps() -> [HiddenNaN] {
    let seen = mipmaps.withLock { mipmaps in
      defer { mipmaps = [:] }
      return mipmaps
    }
    return seen.sorted { ($0.value, $0.key) < ($1.value, $1.key) }.map { HiddenNaN(pass: $0.key, reader: .mipmaps, frame: $0.value) }
  }

  /// What was seen since it was asked last, in the order of the outputs.
  func take() -> [FramesWithNaN] {
    let seen = frames.withLock { frames in
      defer { frames = [:] }
      return frames
    }
    return seen.sorted { $0.key < $1.key }.compactMap { output, numbers in
      numbers.min().map { FramesWithNaN(output: output, first: $0, count: numbers.count) }
    }
  }
}
