internal import EtalonDiagnostics
internal import EtalonTypes

/// The columns of a track on a clock, ready to be evaluated.
struct TrackCurve: Sendable {
  private let track: Track
  private let times: [Double]

  init(_ track: Track, clock: ShotClock) {
    self.track = track
    times =
      switch track.table.times {
      case .seconds(let times): times.map(\.double)
      case .frames(let numbers): numbers.map { (clock.start + ($0 - Rational(clock.first)) / clock.rate.framesPerSecond).double }
      }
  }

  /// The components at a time; a gap, or a time outside of the rows, is a mistake unless the track holds there.
  func components(at time: Double, of reading: ClockReading) throws(DiagnosticsError) -> [Double] {
    var components: [Double] = []
    for column in track.columns {
      let cells = track.table.columns[column] ?? []
      components.append(try number(in: cells, column, at: time, reading))
    }
    return components
  }

  private func number(
    in cells: [TrackTable.Cell], _ column: String, at time: Double, _ reading: ClockReading
  ) throws(DiagnosticsError) -> Double {
    let row = lastRow(notAfter: time)
    guard let row, row < times.count - 1 || times[row] == time || track.missing == .hold else {
      if track.missing == .hold { return try held(cells, column, at: 0, reading) }
      throw outside(reading)
    }
    if times[row] == time || row == times.count - 1 || track.between == .hold { return try held(cells, column, at: row, reading) }
    guard let from = cells[row].number, let to = cells[row + 1].number else {
      return try held(cells, column, at: cells[row].number == nil ? row : row + 1, reading)
    }
    let part = (time - times[row]) / (times[row + 1] - times[row])
    return from + (to - from) * part
  }

  /// The number of a row; a gap takes the nearest number before it, or else behind it, where the track holds.
  private func held(_ cells: [TrackTable.Cell], _ column: String, at row: Int, _ reading: ClockReading) throws(DiagnosticsError) -> Double {
    if let number = cells[row].number { return number }
    let nearest = cells[..<row].last { $0.number != nil } ?? cells[row...].first { $0.number != nil }
    guard track.missing == .hold, let number = nearest?.number else { throw gap(cells[row], column, reading) }
    return number
  }

  private func lastRow(notAfter time: Double) -> Int? {
    var low = 0
    var high = times.count
    while low < high {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : low - 1
  }

  private func gap(_ cell: TrackTable.Cell, _ column: String, _ reading: ClockReading) -> DiagnosticsError {
    DiagnosticsError(
      Diagnostic(
        "track.gap", "\(reading.words) the track has no number in the column '\(column)'",
        labels: [.init(track.table.source, cell.range, "empty")] + track.origin.labels("read here"),
        help: ["fill the gap, or write 'missing: hold' to keep the number before it"]))
  }

  private func outside(_ reading: ClockReading) -> DiagnosticsError {
    let span =
      switch track.table.times {
      case .seconds(let times): "from \(ClockReading.short(times[0].double)) s to \(ClockReading.short(times[times.count - 1].double)) s"
      case .frames(let numbers): "from frame \(numbers[0]) to frame \(numbers[numbers.count - 1])"
      }
    return DiagnosticsError(
      Diagnostic(
        "track.outside", "\(reading.words) the track has no row", labels: track.origin.labels("used here"),
        help: ["write 'missing: hold' to keep the first and the last row, or render other frames"], notes: ["the track is \(span)"]))
  }
}
