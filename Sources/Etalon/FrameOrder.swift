import Synchronization

/// Knows which frame of a shot can follow without rendering others first, where each depends on the one before.
///
/// **Concurrency**: usable from every thread.
final class FrameOrder: Sendable {
  /// The frame after the last one that was begun; nil before the first, and after a failure.
  private let next = Mutex<Int?>(nil)

  /// The frame to begin with so that a wanted frame comes out right: the wanted one, or an earlier one.
  ///
  /// - Parameter first: the first frame of the shot, at which state begins.
  func begin(with wanted: Int, first: Int) -> Int {
    next.withLock { next in
      let begin = next.flatMap { $0 <= wanted ? $0 : nil } ?? min(first, wanted)
      next = wanted + 1
      return begin
    }
  }

  /// Makes the next frame begin anew.
  func forget() { next.withLock { $0 = nil } }
}
