import Synchronization

/// Knows which frame of a shot can follow without rendering others first, where each depends on the one before.
///
/// **Concurrency**: usable from every thread.
final class FrameOrder: Sendable {
  private let last = Mutex<Int?>(nil)

  /// The frame after the last one that was begun; nil before the first, and after a failure.
  var next: Int? { last.withLock(\.self) }

  /// The frame to begin with so that a wanted frame comes out right: the wanted one, or an earlier one.
  ///
  /// - Parameter first: the first frame of the shot, at which state begins.
  func begin(with wanted: Int, first: Int) -> Int {
    last.withLock { next in
      defer { next = wanted + 1 }
      return Self.begin(with: wanted, after: next, first: first)
    }
  }

  /// The same where another frame could follow.
  static func begin(with wanted: Int, after next: Int?, first: Int) -> Int {
    next.flatMap { $0 <= wanted ? $0 : nil } ?? min(first, wanted)
  }

  /// Goes on where another stands.
  func follow(_ other: FrameOrder) { last.withLock { $0 = other.next } }

  /// Makes the next frame begin anew.
  func forget() { last.withLock { $0 = nil } }
}
