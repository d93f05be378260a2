/// The worst of what was measured on a group of channels, for every level that `channel` could have.
struct GroupProposer {
  let unit: DifferenceUnit
  private let levels: [Double]
  private var shares: [Double]
  private var windows: [Int]
  private var largest = 0.0
  private var mean = 0.0

  init(unit: DifferenceUnit) {
    self.unit = unit
    levels =
      unit == .levels ? [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 255] : [0] + (-24...16).map { PlainNumber.power(of2: $0) }
    shares = levels.map { _ in 0 }
    windows = levels.map { _ in 0 }
  }

  mutating func add(_ comparison: ChannelComparison?, _ map: DifferenceMap?) {
    guard let comparison, let map else { return }
    largest = max(largest, comparison.largest)
    mean = max(mean, comparison.mean)
    for (index, level) in levels.enumerated() {
      let marks = map.marks(beyond: level)
      guard marks.count > 0 else { break }
      shares[index] = max(shares[index], Double(marks.count) / Double(map.values.count))
      windows[index] = max(windows[index], marks.fullestWindow(ToleranceProposer.windowSize).pixels)
    }
  }

  /// The smallest level that leaves few outliers, how many and how dense those are, and the largest difference.
  func proposal(room: Double) -> ChannelTolerance {
    guard largest > 0 else { return ChannelTolerance(channel: 0) }
    let index = levels.indices.first { shares[$0] <= ToleranceProposer.mostOutliers } ?? levels.count - 1
    let ceiling = rounded(largest * room)
    var limits = ChannelTolerance(mean: Limit(fail: RoundUp.twoDigits(mean * room)))
    guard shares[index] > 0 else {
      limits.channel = Limit(fail: min(ceiling, max(levels[index], rounded(levels[index] * room))))
      return limits
    }
    limits.channel = Limit(fail: levels[index])
    limits.outliers = CountLimit(fail: .percent(min(100, RoundUp.twoDigits(shares[index] * 100 * room))))
    limits.ceiling = Limit(fail: max(ceiling, levels[index]))
    limits.window = WindowLimit(
      size: ToleranceProposer.windowSize, outliers: Limit(fail: (Double(windows[index]) * room).rounded(.up)))
    return limits
  }

  /// Levels are whole and end at 255.
  private func rounded(_ value: Double) -> Double { unit == .levels ? min(255, value.rounded(.up)) : RoundUp.twoDigits(value) }
}
