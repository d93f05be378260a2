internal import Dispatch
internal import EtalonDiagnostics
internal import EtalonGraph
internal import EtalonManifest
internal import EtalonMedia
internal import EtalonPlan
internal import EtalonSystem
internal import EtalonTypes
internal import Synchronization

/// What an image input shows where its picture changes over time: a picture for every time of the shot.
///
/// **Concurrency**: usable from every thread.
protocol PictureSource: Sendable {
  /// Fails when some time has no picture; asked before anything is rendered.
  func check(_ time: Rational, ofFrame frame: Int) throws(RenderError)
  /// The picture that shows at a time, in seconds of the shot's clock; the same one for as long as it shows.
  func picture(at time: Rational) throws(RenderError) -> FramePicture
  /// The picture that shows at a time, for a frame at another one.
  func picture(at time: Rational, ofFrameAt frame: Rational) throws(RenderError) -> FramePicture
  /// When it is read what shows at a time: another time for one that shows other moments.
  func shownTime(at time: Rational) -> Rational
  /// The place that shows at a time, in seconds from the beginning of the sound, the video or the sequence; 0 for a picture.
  func playTime(at time: Rational) -> Double
  /// Whether it has begun at a time, and is not over.
  func covers(_ time: Rational) -> Bool
  /// Asks for room for so many pictures, because a frame reads that many.
  func keep(_ count: Int)
  /// What identifies the content of the picture that shows at a time, so that frames are rendered again when it changes.
  func digest(at time: Rational) throws(RenderError) -> String
  /// The files that show at some times.
  func files(at times: [Rational]) -> [String]
  /// What was found while its pictures were read that is worth saying.
  var notes: [Diagnostic] { get }
  /// The same for another shot.
  func opened(for request: RenderRequest) throws(RenderError) -> any PictureSource
}

extension PictureSource {
  var notes: [Diagnostic] { [] }
  func picture(at time: Rational, ofFrameAt frame: Rational) throws(RenderError) -> FramePicture { try picture(at: time) }
  func shownTime(at time: Rational) -> Rational { time }
  func playTime(at time: Rational) -> Double { 0 }
  func covers(_ time: Rational) -> Bool { true }
  func keep(_ count: Int) {}
}

/// Pictures, a sound or a video that an image input shows: one or several streams.
protocol InputSource: Sendable {
  /// Its picture as a stream of a graph.
  func stream(named name: String) -> ImageStream
  /// What shows in a stream that it made, and in those of its planes, by their names.
  func sources(of stream: ImageStream) -> [String: any PictureSource]
}

/// The source of a stream whose pictures all have the size and the format of one of them.
protocol ModelSource: InputSource, PictureSource {
  var model: PixelBuffer { get }
}

extension ModelSource {
  func stream(named name: String) -> ImageStream { ImageStream(name: name, model: model) }
  func sources(of stream: ImageStream) -> [String: any PictureSource] { [stream.name: self] }
}

/// Moving pictures that a shot follows, where nothing else says which frames it has.
protocol ShotLeader: Sendable {
  /// With its kind: `the sequence 'plate.####.png'`.
  var name: String { get }
  /// Pictures a second; nil means as many as the shot has frames.
  var rate: FrameRate? { get }
  /// The number of its first picture; nil for pictures without numbers.
  func firstNumber(in clock: ShotClock) -> Int?
  /// When all of its pictures have shown, in seconds of the shot's clock; nil for a still.
  func end(in clock: ShotClock) -> Rational?
  /// When each of its pictures begins to show, in seconds of the shot's clock, where they do not follow each other evenly.
  func frameTimes(in clock: ShotClock) -> [Rational]?
  /// What it is a part of, as a plane of a video is.
  var whole: any ShotLeader { get }
}

extension ShotLeader {
  func frameTimes(in clock: ShotClock) -> [Rational]? { nil }
  var whole: any ShotLeader { self }
}

// MARK: sequences

/// A numbered sequence of pictures as the source of an image input.
final class SequenceSource: ModelSource, ShotLeader {
  private let pattern: FramePattern
  private let timing: SequenceTiming
  private let choice: PictureChoice
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
  /// The frame that was rendered last, and how far it was from the one before.
  private let last = Mutex<(time: Rational, step: Rational)?>(nil)

  var model: PixelBuffer { pictures.model }
  /// What is in the file of the first picture, and not in the picture.
  var pictureNotes: [Diagnostic] { pictures.notes }

  func stream(named name: String) -> ImageStream { ImageStream(name: name, model: model, alpha: pictures.alpha) }

  /// Lists the files and reads the first picture, whose size and format all others must have.
  ///
  /// - Parameter times: when the first and the last frame of the shot are that will be rendered.
  init(
    _ pattern: FramePattern, _ timing: SequenceTiming, _ choice: PictureChoice = PictureChoice(), for input: FilterInput,
    in clock: ShotClock, times: ClosedRange<Rational>,
    written: GraphText.Word? = nil
  ) throws(RenderError) {
    self.pattern = pattern
    self.timing = timing
    self.choice = choice
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
    let pictures = try SequencePictures(pattern, choice, first: first, for: input)
    self.pictures = pictures
    ahead = ReadAhead { number throws(RenderError) in FramePicture(try pictures.read(number)) }
    ahead.keep(FramePicture(pictures.model), as: first)
    black = FramePicture(pictures.model.blackened)
  }

  // MARK: how long it shows

  var name: String { "the sequence '\(pattern)'" }
  var rate: FrameRate? { timing.rate }
  func firstNumber(in clock: ShotClock) -> Int? { schedule(in: clock).numbers.lowerBound }
  func end(in clock: ShotClock) -> Rational? { schedule(in: clock).endOfRound }

  private func schedule(in clock: ShotClock) -> SequenceSchedule {
    timing.schedule(in: clock, found: files.numbers[0]...files.numbers[files.numbers.count - 1]) ?? schedule
  }

  func opened(for request: RenderRequest) throws(RenderError) -> any PictureSource {
    try SequenceSource(pattern, timing, choice, for: Self.asItIs, in: request.clock, times: request.wantedTimes, written: written)
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

  func playTime(at time: Rational) -> Double {
    guard case .picture(let number) = shown(at: time) else { return 0 }
    return Double(number - files.numbers[0]) * schedule.rate.frameDuration.double
  }

  func covers(_ time: Rational) -> Bool { if case .picture = schedule.place(at: time) { true } else { false } }

  func keep(_ count: Int) { ahead.keep(room: count, bytes: model.bytes.count) }

  func picture(at time: Rational) throws(RenderError) -> FramePicture { try picture(at: time, ofFrameAt: time) }

  func picture(at time: Rational, ofFrameAt frame: Rational) throws(RenderError) -> FramePicture {
    let next = following(time, ofFrameAt: frame)
    switch shown(at: time) {
    case .picture(let number): return try ahead.picture(number, next: next)
    case .black, .nothing: return black
    }
  }

  /// The pictures that show at the next two times, if frames go on as they did.
  private func following(_ time: Rational, ofFrameAt frame: Rational) -> [Int] {
    let step = last.withLock { last in
      if let known = last, known.time == frame { return known.step }
      let step = last.map { frame - $0.time } ?? schedule.rate.frameDuration
      last = (frame, step)
      return step
    }
    var numbers: [Int] = []
    for ahead in [step, step + step] where times.contains(frame + ahead) {
      let next = time + ahead
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

  // MARK: Errors

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
  var secondsText: String {
    let thousandths = (self * Rational(1000) + Rational(1, 2)).floor
    let digits = "\(thousandths.magnitude % 1000 + 1000)".dropFirst()
    let fraction = String(digits.reversed().drop { $0 == "0" }.reversed())
    return (thousandths < 0 ? "-" : "") + "\(thousandths.magnitude / 1000)" + (fraction.isEmpty ? "" : ".\(fraction)") + " s"
  }
}

// MARK: their files

/// Reads the pictures of a sequence as an input of a filter expects them, all of one size and format.
///
/// **Concurrency**: usable from every thread.
private final class SequencePictures: Sendable {
  /// The first picture of the sequence, converted.
  let model: PixelBuffer
  let notes: [Diagnostic]
  /// What alpha means in those that have it.
  let alpha: AlphaMode
  private let pattern: FramePattern
  private let choice: PictureChoice
  private let first: Int
  private let input: FilterInput
  /// Hashes of files that were read, by their numbers.
  private let digests = Mutex<[Int: String]>([:])

  /// - Parameter first: the number of the picture that decides about size and format.
  init(_ pattern: FramePattern, _ choice: PictureChoice, first: Int, for input: FilterInput) throws(RenderError) {
    self.pattern = pattern
    self.choice = choice
    self.first = first
    self.input = input
    let (picture, digest, facts) = try Self.read(pattern.path(frame: first), choice, for: input)
    notes = facts.notes(pattern.path(frame: first))
    alpha = picture.alpha == .opaque ? facts.usualAlpha : picture.alpha
    // Pictures without alpha are not converted where those with it are, and one sequence may have both.
    let isConverted = input.space == .linear || input.alpha == .premultiplied
    model = isConverted ? picture.widened(to: .rgba16) ?? picture : picture
    digests.withLock { $0[first] = digest }
  }

  /// The picture of a number.
  func read(_ number: Int) throws(RenderError) -> PixelBuffer {
    let path = pattern.path(frame: number)
    let (picture, digest, _) = try Self.read(path, choice, for: input)
    digests.withLock { $0[number] = digest }
    guard picture.size == model.size else {
      throw RenderError(
        .invalidInput, "'\(path)' is \(picture.size), and '\(pattern.path(frame: first))', the first of the sequence, is \(model.size)",
        help: ["all pictures of a sequence have one size"])
    }
    guard picture.isLight == model.isLight else {
      throw RenderError(
        .invalidInput,
        "'\(path)' has \(picture.isLight ? "light" : "sRGB numbers"), and '\(pattern.path(frame: first))', the first of the sequence, has \(model.isLight ? "light" : "sRGB numbers")",
        help: ["all pictures of a sequence are OpenEXR files, or none is"])
    }
    guard picture.alpha == .opaque || picture.alpha == alpha else {
      throw RenderError(
        .invalidInput,
        "'\(path)' has \(picture.alpha) alpha, and that of the sequence of '\(pattern.path(frame: first))' is \(alpha)",
        help: ["write all pictures of a sequence in one way"])
    }
    guard let widened = picture.widened(to: model.format) else {
      throw RenderError(
        .invalidInput,
        "'\(path)' has \(8 * picture.format.bytesPerChannel) bits a channel, and '\(pattern.path(frame: first))', the first of the sequence, has \(8 * model.format.bytesPerChannel)",
        help: ["no picture of a sequence has more bits than its first"])
    }
    return widened
  }

  /// The hash of a file's bytes; read once.
  func digest(_ number: Int) throws(RenderError) -> String {
    if let known = digests.withLock({ $0[number] }) { return known }
    let digest = ContentHash(of: try FileReader.bytes(of: pattern.path(frame: number), limit: PictureLimits().fileSize)).description
    digests.withLock { $0[number] = digest }
    return digest
  }

  private static func read(
    _ path: String, _ choice: PictureChoice, for input: FilterInput
  ) throws(RenderError) -> (PixelBuffer, digest: String, PictureFacts) {
    let bytes = try FileReader.bytes(of: path, limit: PictureLimits().fileSize)
    let reading = try PictureReader(choice).reading(bytes, name: path)
    let picture = reading.picture.converted(for: input)
    return (input.isFlipped ? picture.turnedOver() : picture, ContentHash(of: bytes).description, reading.facts)
  }
}

extension PixelBuffer {
  /// The same picture in a format of at least as many bits; nil when it has fewer.
  fileprivate func widened(to format: PixelFormat) -> PixelBuffer? {
    if self.format == format { return self }
    guard self.format == .rgba8, format == .rgba16 else { return nil }
    var words: [UInt8] = []
    words.reserveCapacity(bytes.count * 2)
    // 65535 = 255 × 257: the same byte twice.
    for byte in bytes {
      words.append(byte)
      words.append(byte)
    }
    return PixelBuffer(size: size, format: format, alpha: alpha, bytes: words, isLight: isLight)
  }

  /// Black of the same size and format: opaque where this is opaque, else transparent.
  fileprivate var blackened: PixelBuffer {
    var black = [UInt8](repeating: 0, count: bytes.count)
    if alpha == .opaque {
      let width = format.bytesPerChannel
      let one = format.isFloat ? width == 4 ? [UInt8](floats: [1]) : [0x00, 0x3C] : [UInt8](repeating: 255, count: width)
      for pixel in 0..<size.pixelCount { for byte in 0..<width { black[(pixel * 4 + 3) * width + byte] = one[byte] } }
    }
    return PixelBuffer(size: size, format: format, alpha: alpha, bytes: black, isLight: isLight)
  }
}

// MARK: reading ahead

/// Reads the pictures that will show next on other threads, and keeps those that showed last.
///
/// At most four pictures are kept, however long the sequence is, or a few more than a frame reads.
///
/// **Concurrency**: usable from every thread.
private final class ReadAhead: Sendable {
  fileprivate static let capacity = 4
  /// The most memory that pictures are kept in which a frame reads beside its own.
  private static let mostBytes = 1 << 30
  private let read: @Sendable (Int) throws(RenderError) -> FramePicture
  private let state = Mutex(State())

  fileprivate struct State {
    var entries: [Int: Entry] = [:]
    /// The numbers of the entries, the one that was asked for last at the end.
    var order: [Int] = []
    var capacity = ReadAhead.capacity
  }

  /// A picture that is being read or was.
  fileprivate final class Entry: Sendable {
    let done = DispatchGroup()
    let result = Mutex<Result<FramePicture, RenderError>?>(nil)
  }

  /// - Parameter read: reads the picture of a number, on any thread.
  init(_ read: @escaping @Sendable (Int) throws(RenderError) -> FramePicture) { self.read = read }

  /// Makes room for as many pictures as a frame reads, and those that will be read next.
  ///
  /// - Parameter bytes: how many one of them has.
  func keep(room count: Int, bytes: Int) {
    let most = max(Self.capacity, Self.mostBytes / max(bytes, 1))
    state.withLock { $0.capacity = max($0.capacity, min(count + Self.capacity, most)) }
  }

  /// Takes a picture that was read already.
  func keep(_ picture: FramePicture, as number: Int) {
    let entry = Entry()
    entry.result.withLock { $0 = .success(picture) }
    state.withLock { $0.insert(entry, as: number) }
  }

  /// The picture of a number; the next ones are begun meanwhile.
  func picture(_ number: Int, next: [Int]) throws(RenderError) -> FramePicture {
    let (entry, isUnread) = state.withLock { state in
      for other in next.reversed() { _ = begin(other, &state, mayBeLeft: true) }
      return begin(number, &state, mayBeLeft: false)
    }
    if isUnread { fill(entry, number) }
    entry.done.wait()
    guard let result = entry.result.withLock({ $0 }) else { preconditionFailure("a picture that was not read") }
    return try result.get()
  }

  /// Begins to read a picture on another thread, unless that has begun; says whether there was no thread, so that it has to be read here.
  ///
  /// - Parameter mayBeLeft: whether a picture that gets no thread is not wanted yet.
  private func begin(_ number: Int, _ state: inout sending State, mayBeLeft: Bool) -> (Entry, isUnread: Bool) {
    if let entry = state.entries[number] {
      state.insert(entry, as: number)
      return (entry, false)
    }
    let entry = Entry()
    entry.done.enter()
    let hasThread = (try? SystemThread.start { [self] in fill(entry, number) }) != nil
    if hasThread || !mayBeLeft { state.insert(entry, as: number) }
    return (entry, !hasThread)
  }

  private func fill(_ entry: Entry, _ number: Int) {
    let result = Result { () throws(RenderError) in try read(number) }
    entry.result.withLock { $0 = result }
    entry.done.leave()
  }
}

extension ReadAhead.State {
  /// Puts an entry at the end; the one that was asked for longest ago is removed.
  fileprivate mutating func insert(_ entry: ReadAhead.Entry, as number: Int) {
    entries[number] = entry
    order.removeAll { $0 == number }
    order.append(number)
    while order.count > capacity { entries[order.removeFirst()] = nil }
  }
}
