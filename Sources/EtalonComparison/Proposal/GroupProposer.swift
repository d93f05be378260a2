import EtalonTypes

/// The worst of what was measured on a group of channels, for every level that `channel` could have.
struct GroupProposer {
  let unit: DifferenceUnit
  private let levels: [Double]
  private var shares: [WorstMeasurement]
  private var windows: [WorstMeasurement]
  private(set) var largest = WorstMeasurement()
  private var mean = WorstMeasurement()
  /// The largest number of a reference of floats.
  private var range = 0.0
  /// The pixels of the smallest window that was looked at.
  private var windowRoom = ToleranceProposer.windowSize * ToleranceProposer.windowSize

  init(unit: DifferenceUnit) {
    self.unit = unit
    levels =
      unit == .levels ? [0, 1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64] : [0] + (-24...16).map { PlainNumber.power(of2: $0) }
    shares = levels.map { _ in WorstMeasurement() }
    windows = levels.map { _ in WorstMeasurement() }
  }

  mutating func add(_ comparison: ChannelComparison?, _ map: DifferenceMap?, range: Double, size: Size, from source: String) {
    let side = ToleranceProposer.windowSize
    self.range = max(self.range, range)
    windowRoom = min(windowRoom, min(side, size.width) * min(side, size.height))
    guard let comparison, let map else { return }
    largest.add(comparison.largest, from: source)
    mean.add(comparison.mean, from: source)
    for (index, level) in levels.enumerated() {
      let marks = map.marks(beyond: level)
      guard marks.count > 0 else { break }
      shares[index].add(Double(marks.count) / Double(map.values.count), from: source)
      windows[index].add(Double(marks.fullestWindow(side).pixels), from: source)
    }
  }

  /// The limits, and what each of them has to bear; nil where pixels everywhere may be nearly anything.
  func proposal(room: Double, prefix: String) -> (limits: ChannelTolerance, reasons: [ProposedLimit])? {
    guard largest.value > 0 else { return (ChannelTolerance(channel: 0), [ProposedLimit(prefix + "channel", 0, largest)]) }
    guard let index = levels.indices.first(where: { shares[$0].value <= ToleranceProposer.mostOutliers }), levels[index] <= bearable else {
      return nil
    }
    var limits = ChannelTolerance()
    var reasons: [ProposedLimit] = []
    func limit(_ key: String, _ level: Double, _ worst: WorstMeasurement) -> Limit? {
      // What nothing can exceed is no limit.
      guard unit == .absolute || level < 255 else { return nil }
      reasons.append(ProposedLimit(prefix + key, level, worst))
      return Limit(fail: level)
    }
    if shares[index].value > 0 {
      addOutliers(index, room, prefix, &limits, &reasons)
      limits.ceiling = limit("ceiling", rounded(largest.value * room), largest)
    } else {
      limits.channel = limit("channel", min(rounded(largest.value * room), unit == .levels ? 254 : .infinity), largest)
    }
    limits.mean = limit("mean", RoundUp.twoDigits(mean.value * room), mean)
    return (limits, reasons)
  }

  /// A few pixels beyond a level: how many, and how dense they are.
  private func addOutliers(
    _ index: Int, _ room: Double, _ prefix: String, _ limits: inout ChannelTolerance, _ reasons: inout [ProposedLimit]
  ) {
    let share = RoundUp.twoDigits(shares[index].value * 100 * room), crowd = (windows[index].value * room).rounded(.up)
    limits.channel = Limit(fail: levels[index])
    limits.outliers = CountLimit(fail: .percent(share))
    var level = WorstMeasurement()
    level.add(levels[index], from: shares[index].source)
    reasons.append(ProposedLimit(prefix + "channel", levels[index], level))
    reasons.append(ProposedLimit(prefix + "outliers", share, shares[index], scale: 100))
    guard crowd < Double(windowRoom) else { return }
    limits.window = WindowLimit(size: ToleranceProposer.windowSize, outliers: Limit(fail: crowd))
    reasons.append(ProposedLimit(prefix + "window.outliers", crowd, windows[index]))
  }

  /// The largest level that still says something: a quarter of what the pictures have.
  private var bearable: Double { unit == .levels ? 64 : range / 4 }

  /// Levels of 8 bits are whole; those of 16 bits may be small parts of one.
  private func rounded(_ value: Double) -> Double { unit == .levels && value >= 1 ? value.rounded(.up) : RoundUp.twoDigits(value) }
}
