internal import EtalonDiagnostics
internal import EtalonTypes

/// Keys in the order of their times on a clock, ready to be evaluated.
struct KeyframeCurve: Sendable {
  private let times: [Double]
  private let keys: [Keyframe]

  /// Sorts keys; two at the same time are refused at the second one.
  init(_ keys: [Keyframe], clock: ShotClock) throws(DiagnosticsError) {
    let timed = keys.map { (seconds: $0.time.seconds(on: clock), key: $0) }
    let sorted = timed.indices.sorted { (timed[$0].seconds, $0) < (timed[$1].seconds, $1) }.map { timed[$0] }
    for (first, second) in zip(sorted, sorted.dropFirst()) where first.seconds == second.seconds {
      throw Self.sameTime(first.key, second.key, clock)
    }
    if let first = sorted.first?.key, sorted.count > 1, ![.linear, .hold].contains(first.easing) {
      throw Self.easedStart(first)
    }
    times = sorted.map(\.seconds.double)
    self.keys = sorted.map(\.key)
  }

  private static func sameTime(_ first: Keyframe, _ second: Keyframe, _ clock: ShotClock) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "value.keyframes", "'\(first.time)' and '\(second.time)' are the same time at \(clock.rate.description) frames a second",
        labels: second.origin.labels("again") + first.origin.labels("first"), help: ["keep one of them"]))
  }

  private static func easedStart(_ first: Keyframe) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "value.keyframes", "'\(first.easing)' has no effect on the first key, which nothing leads to",
        labels: first.origin.labels("the first key"),
        help: ["'ease' says how a key is reached: move it to the next key"]))
  }

  /// The key that is reached next at a time, or the last one.
  func key(at time: Double) -> Keyframe { keys[min(index(after: time), keys.count - 1)] }

  /// The components of the value at a time.
  func components(at time: Double) -> [Double] {
    let next = index(after: time)
    if next == 0 { return keys[0].value.components }
    if next == keys.count { return keys[next - 1].value.components }
    let part = (time - times[next - 1]) / (times[next] - times[next - 1])
    let progress = keys[next].easing.progress(at: part)
    return zip(keys[next - 1].value.components, keys[next].value.components).map { from, to in
      progress == 1 ? to : from + (to - from) * progress
    }
  }

  /// The index of the first key behind a time.
  private func index(after time: Double) -> Int {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
