/// One way through a kernel: which invocations take it, and what their memory holds there.
struct Path {
  enum Presence: UInt8 {
    case absent, certain, possible
  }

  /// For each invocation, whether it is here.
  var presence: [Presence]
  /// Why an invocation may be elsewhere.
  var causes: [Cause?]
  /// Private and local variables, for each invocation `stride` scalars.
  var memory: [Interval]
  let stride: Int

  init(lanes: Int, stride: Int) {
    presence = [Presence](repeating: .certain, count: lanes)
    causes = [Cause?](repeating: nil, count: lanes)
    memory = [Interval](repeating: Interval(0), count: lanes * stride)
    self.stride = stride
  }

  /// The same memory, and nobody there.
  private init(emptyLike path: Path) {
    presence = [Presence](repeating: .absent, count: path.presence.count)
    causes = [Cause?](repeating: nil, count: path.presence.count)
    memory = []
    stride = path.stride
  }

  var isEmpty: Bool { !presence.contains { $0 != .absent } }

  /// Moves everybody elsewhere and leaves nobody here.
  mutating func takeAll() -> Path {
    let taken = self
    self = Path(emptyLike: taken)
    return taken
  }

  /// Joins with another way to the same place.
  ///
  /// - Parameter top: how much memory of an invocation is in use.
  mutating func join(_ other: Path?, top: Int) {
    guard let other, !other.isEmpty else { return }
    guard !isEmpty else { return self = other }
    for lane in presence.indices where other.presence[lane] != .absent {
      let start = lane * stride
      guard presence[lane] != .absent else {
        for slot in start..<start + top { memory[slot] = other.memory[slot] }
        (presence[lane], causes[lane]) = (other.presence[lane], other.causes[lane])
        continue
      }
      let cause = causes[lane] ?? other.causes[lane]
      for slot in start..<start + top where memory[slot] != other.memory[slot] {
        memory[slot] = memory[slot].joined(other.memory[slot], because: cause)
      }
      presence[lane] = .possible
      causes[lane] = cause
    }
  }

  /// Where invocations were before a branch that all its ways have come back from, they are again.
  ///
  /// - Parameter gone: ways that leave the construct elsewhere.
  mutating func restore(_ before: [Presence], _ causesBefore: [Cause?], unlessIn gone: Exits) {
    for lane in presence.indices where presence[lane] == .possible && before[lane] != .possible && !gone.contains(lane) {
      (presence[lane], causes[lane]) = (before[lane], causesBefore[lane])
    }
  }
}

/// The ways out of a region other than its end.
struct Exits {
  var leavesLoop: Path?
  var continuesLoop: Path?
  var leavesSwitch: Path?
  var returns: Path?

  func contains(_ lane: Int) -> Bool {
    func isIn(_ path: Path?) -> Bool { path.map { $0.presence[lane] != .absent } ?? false }
    return isIn(leavesLoop) || isIn(continuesLoop) || isIn(leavesSwitch) || isIn(returns)
  }

  mutating func join(_ other: Exits, top: Int) {
    Self.join(&leavesLoop, other.leavesLoop, top)
    Self.join(&continuesLoop, other.continuesLoop, top)
    Self.join(&leavesSwitch, other.leavesSwitch, top)
    Self.join(&returns, other.returns, top)
  }

  static func join(_ path: inout Path?, _ other: Path?, _ top: Int) {
    if path == nil { path = other } else { path?.join(other, top: top) }
  }
}
