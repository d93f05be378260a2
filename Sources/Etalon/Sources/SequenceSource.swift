internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonTypes
internal import Synchronization

/// A numbered sequence of pictures as the source of an image input.
final class SequenceSource: PictureSource {
  private let pattern: FramePattern
  private let timing: SequenceTiming
  private let files: NumberedFiles
  /// The pattern in a graph, with its place; nil where it was not written there.
  private let written: GraphText.Word?
  private let schedule: SequenceSchedule
  private let missing: SequenceTiming.Missing
  private let pictures: SequencePictures
  private let ahead: ReadAhead
  private let black: FramePicture
  /// The last times of the shot that are wanted: nothing is read beyond.
  private let times: ClosedRange<Rational>
  private let last = Mutex<Rational?>(nil)

  var model: PixelBuffer { pictures.model }

  /// Lists the files and reads the first picture, whose size and format all others must have.
  ///
  /// - Parameter times: when the first and the last frame of the shot are that will be rendered.
  init(
    _ pattern: FramePattern, _ timing: SequenceTiming, for input: FilterInput, in clock: ShotClock, times: ClosedRange<Rational>,
    written: GraphText.Word? = nil
  ) throws(RenderError) {
    self.pattern = pattern
    self.timing = timing
    self.written = written
    files = try NumberedFiles(pattern)
    let found = files.numbers[0]...files.numbers[files.numbers.count - 1]
    guard let schedule = timing.schedule(in: clock, found: found),
      let first = files.contains(schedule.numbers.lowerBound)
        ? schedule.numbers.lowerBound : files.neighbor(of: schedule.numbers.lowerBound, within: schedule.numbers, prefersHigher: true)
    else { throw Self.nothingInRange(timing, pattern, found) }
    self.schedule = schedule
    missing = timing.missing
    self.times = times
    let pictures = try SequencePictures(pattern, first: first, for: input)
    self.pictures = pictures
    ahead = ReadAhead { number throws(RenderError) in FramePicture(try pictures.read(number)) }
    ahead.keep(FramePicture(pictures.model), as: first)
    black = FramePicture(pictures.model.blackened)
  }

  // MARK: how long it shows

  /// The pattern of its files.
  var name: String { "\(pattern)" }
  /// Pictures a second that were asked for; nil means as many as the shot has frames.
  var rate: FrameRate? { timing.rate }
  /// The numbers of its pictures.
  func numbers(in clock: ShotClock) -> ClosedRange<Int> { schedule(in: clock).numbers }
  /// When all of its pictures have shown, in seconds of the shot's clock; nil for a still.
  func end(in clock: ShotClock) -> Rational? { schedule(in: clock).endOfRound }

  private func schedule(in clock: ShotClock) -> SequenceSchedule {
    timing.schedule(in: clock, found: files.numbers[0]...files.numbers[files.numbers.count - 1]) ?? schedule
  }

  func opened(for request: RenderRequest) throws(RenderError) -> any PictureSource {
    try SequenceSource(pattern, timing, for: Self.asItIs, in: request.clock, times: request.wantedTimes, written: written)
  }

  /// The graph converts what comes with each frame, so that one sequence may serve several inputs.
  static let asItIs = FilterInput(name: "sequence", sampler: Sampler())

  // MARK: What shows

  private enum Shown {
    case picture(Int)
    case black
    case nothing(SequenceSchedule.Place)
  }

  private func shown(at time: Rational) -> Shown {
    let place = schedule.place(at: time)
    let number =
      switch place {
      case .picture(let number), .before(let number), .after(let number): number
      }
    let isThere = files.contains(number)
    if case .picture = place, isThere { return .picture(number) }
    switch missing {
    case .error: return .nothing(place)
    case .black: return .black
    case .hold:
      let neighbor = isThere ? number : files.neighbor(of: number, within: schedule.numbers, prefersHigher: schedule.isReversed)
      return neighbor.map { .picture($0) } ?? .nothing(place)
    }
  }

  func check(_ time: Rational, ofFrame frame: Int) throws(RenderError) {
    if case .nothing(let place) = shown(at: time) {
      throw written.map { uncovered(time, frame, place).asked(at: $0.label("no picture")) } ?? uncovered(time, frame, place)
    }
  }

  func picture(at time: Rational) throws(RenderError) -> FramePicture {
    let next = following(time)
    switch shown(at: time) {
    case .picture(let number): return try ahead.picture(number, next: next)
    case .black, .nothing: return black
    }
  }

  /// The pictures that show at the next two times, if frames go on as they did.
  private func following(_ time: Rational) -> [Int] {
    let step = last.withLock { last in
      defer { last = time }
      return last.map { time - $0 } ?? schedule.rate.frameDuration
    }
    var numbers: [Int] = []
    for next in [time + step, time + step + step] where times.contains(next) {
      if case .picture(let number) = shown(at: next), !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }

  func digest(at time: Rational) throws(RenderError) -> String {
    switch shown(at: time) {
    case .picture(let number): try pictures.digest(number)
    case .black, .nothing: "black"
    }
  }

  func files(at times: [Rational]) -> [String] {
    let numbers = times.compactMap { if case .picture(let number) = shown(at: $0) { number } else { nil } }
    return Set(numbers).sorted().map { files.pattern.path(frame: $0) }
  }

  // MARK: Mistakes

  private static func nothingInRange(_ timing: SequenceTiming, _ pattern: FramePattern, _ found: ClosedRange<Int>) -> RenderError {
    let wanted = "\(timing.first.map { "\($0)" } ?? "the first") to \(timing.last.map { "\($0)" } ?? "the last")"
    return RenderError(
      .missingInput, "the sequence '\(pattern)' has no picture from \(wanted)",
      help: ["its pictures are \(found.lowerBound) to \(found.upperBound)"])
  }

  private func uncovered(_ time: Rational, _ frame: Int, _ place: SequenceSchedule.Place) -> RenderError {
    let subject = "frame \(frame), at \(time.secondsText)"
    switch place {
    case .picture(let number):
      return RenderError(
        .missingInput, "\(subject), shows '\(files.pattern.path(frame: number))', which is not there",
        help: [
          isInDocument
            ? "write '{ sequence: \(written?.text ?? ""), missing: hold }' to show the picture before it, or 'missing: black'"
            : "type '\(files.pattern),missing=hold' to show the picture before it, or 'missing=black'"
        ])
    case .before(let number):
      return RenderError(
        .missingInput,
        "\(subject), lies before the sequence '\(files.pattern)', which begins at \(schedule.start.secondsText) with '\(files.pattern.name(frame: number))'",
        help: endings)
    case .after(let number):
      let end = schedule.end.map { ($0.secondsText == time.secondsText ? " before " : " at ") + $0.secondsText } ?? ""
      let hint =
        files.contains(frame)
        ? [
          (isInDocument ? "write 'first: \(schedule.numbers.lowerBound)' at the top" : "type '--first \(schedule.numbers.lowerBound)'")
            + " if frame \(frame) should show '\(files.pattern.name(frame: frame))'"
        ] : []
      return RenderError(
        .missingInput,
        "\(subject), lies behind the sequence '\(files.pattern)', which ends\(end) with '\(files.pattern.name(frame: number))'",
        help: hint + endings)
    }
  }

  private var isInDocument: Bool { written.map { !$0.isTyped } ?? false }

  private var endings: [String] {
    if isInDocument, let written {
      return [
        "render other frames, or write '{ sequence: \(written.text), missing: hold }', or 'loop: repeat', 'loop: ping-pong' or 'missing: black' there"
      ]
    }
    return ["render other frames, or type 'loop=repeat', 'loop=ping-pong', 'missing=hold' or 'missing=black' behind the pattern"]
  }
}

extension Rational {
  /// `1.5 s`, with at most three digits behind the point.
  fileprivate var secondsText: String {
    let thousandths = (self * Rational(1000) + Rational(1, 2)).floor
    let digits = "\(thousandths.magnitude % 1000 + 1000)".dropFirst()
    let fraction = String(digits.reversed().drop { $0 == "0" }.reversed())
    return (thousandths < 0 ? "-" : "") + "\(thousandths.magnitude / 1000)" + (fraction.isEmpty ? "" : ".\(fraction)") + " s"
  }
}
