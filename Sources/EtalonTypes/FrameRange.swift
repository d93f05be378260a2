/// The numbers of the frames to render, in the order in which they are rendered.
///
/// ```
/// FrameRange(1...100, step: 2).description   // 1-99x2
/// ```
///
/// Every frame occurs once.
public struct FrameRange: Sendable, Hashable, CustomStringConvertible {
  /// The largest number of frames in a range.
  public static let mostFrames = 1_000_000
  /// Frame numbers lie between minus this and this.
  public static let largestFrame = 999_999_999

  /// The frame numbers in order, at least one.
  public let frames: [Int]
  /// From the smallest frame number to the largest.
  package let bounds: ClosedRange<Int>

  /// Takes frame numbers in order; a number that was there before is left out.
  ///
  /// Nil when there are none, too many, or too large ones.
  public init?(_ frames: some Sequence<Int>) {
    var seen: Set<Int> = []
    let unique = frames.filter { seen.insert($0).inserted }
    guard let least = unique.min(), let largest = unique.max(), unique.count <= Self.mostFrames else { return nil }
    guard least >= -Self.largestFrame, largest <= Self.largestFrame else { return nil }
    self.frames = unique
    bounds = least...largest
  }

  /// The frames of a closed range, or every `step`th of them; nil when there are too many or too large ones.
  public init?(_ range: ClosedRange<Int>, step: Int = 1) {
    guard step >= 1, range.lowerBound >= -Self.largestFrame, range.upperBound <= Self.largestFrame else { return nil }
    guard (range.upperBound - range.lowerBound) / step < Self.mostFrames else { return nil }
    frames = Array(stride(from: range.lowerBound, through: range.upperBound, by: step))
    bounds = range.lowerBound...frames[frames.count - 1]
  }

  /// One frame.
  public init?(frame: Int) {
    self.init(frame...frame)
  }

  /// The number of frames.
  public var count: Int { frames.count }
  /// The first frame that is rendered.
  public var first: Int { frames[0] }
  /// The last frame that is rendered.
  public var last: Int { frames[frames.count - 1] }

  /// The shortest usual text that means these frames in this order: `7,9,20-30`, `1-99x2`, `10-1x-1`.
  public var description: String {
    var parts: [String] = []
    var start = 0
    while start < frames.count {
      let end = endOfRun(from: start)
      parts.append(text(of: start...end))
      start = end + 1
    }
    return parts.joined(separator: ",")
  }

  /// The last index of the frames from `start` on that go up or down in equal steps; two frames are a run only as neighbours.
  private func endOfRun(from start: Int) -> Int {
    guard start + 1 < frames.count else { return start }
    let step = frames[start + 1] - frames[start]
    var end = start + 1
    while end + 1 < frames.count, frames[end + 1] - frames[end] == step { end += 1 }
    return end - start == 1 && step != 1 ? start : end
  }

  private func text(of run: ClosedRange<Int>) -> String {
    let first = frames[run.lowerBound]
    guard run.count > 1 else { return "\(first)" }
    let step = frames[run.lowerBound + 1] - first
    return "\(first)-\(frames[run.upperBound])" + (step == 1 ? "" : "x\(step)")
  }
}
