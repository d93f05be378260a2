internal import CFFmpeg
internal import EtalonDiagnostics
internal import EtalonTypes

/// Finds the picture that is shown at a time, by decoding on or by jumping to a keyframe.
///
/// Pictures are the same, to the bit, as those of decoding the whole file: after a jump, the first picture that counts is that of the keyframe itself.
/// Pictures that are shown before it, although they follow in the file, may need earlier ones; they are left out. If the keyframe is not shown, or is not
/// what the container said, the jump starts further back, at last at the start.
struct FrameFinder {
  private let decoder: Decoder
  private let isStrict: Bool
  /// The unit of time, in seconds, and how many of them a second has.
  private let base: Rational
  private let second: Int64
  private let canJump: Bool
  /// How far apart pictures are where the file does not say.
  private let usualStep: Int64

  /// The first picture of the file; all others have its size and pixel format.
  let first: Picture
  private var current: Picture
  private var following = Following.unknown
  /// The longest way from a keyframe on which another one was looked for in vain.
  private var longestWay: Int64 = 0
  private var vainJumps = 0
  /// Damaged pictures among those that count, and what the decoder counted of others.
  private var corrupt = 0
  private var ignored = 0
  private let ignoredComplaints: Int

  /// A picture with the time at which it is shown.
  struct Picture {
    let decoded: DecodedPicture
    let stamp: Int64
  }

  private enum Following {
    case unknown
    case end
    case picture(Picture)
    /// From a time on there is nothing that can be shown.
    case failure(from: Int64, RenderError)
  }

  /// Jumps that tried several keyframes and ended at the start, before jumps are given up.
  private static let mostVainJumps = 3

  /// The damaged packets and pictures that were met, without those that only led to a keyframe; what the decoder complained of where it says no more.
  var damaged: Int {
    let counted = decoder.damaged - ignored + corrupt
    return counted > 0 ? counted : decoder.complaints - ignoredComplaints
  }

  init(_ decoder: Decoder, isStrict: Bool) throws(RenderError) {
    self.decoder = decoder
    self.isStrict = isStrict
    let said = unsafe decoder.describe()
    base = unsafe Rational(said.time_base).flatMap { $0 > 0 ? $0 : nil } ?? 1
    second = Int64(max(1, (1 / base).floor))
    canJump = unsafe said.can_jump
    let rate = unsafe Rational(said.average_rate).flatMap { $0 > 0 ? $0 : nil } ?? 25
    usualStep = Int64(min(max(1, (1 / (rate * base)).floor), 1 << 40))
    let start = try Self.firstWhole(decoder)
    let picture = start.picture
    corrupt = start.damaged
    ignoredComplaints = start.isCut ? decoder.complaints : 0
    first = Picture(decoded: picture, stamp: unsafe picture.info.time_stamp.stamp ?? 0)
    current = first
  }

  /// The first picture that needs nothing from before the start of the file; the first of all if there is none.
  ///
  /// - Returns: the picture, how many keyframes before it are damaged, and whether others before it lack pictures that were cut off.
  private static func firstWhole(_ decoder: Decoder) throws(RenderError) -> (picture: DecodedPicture, damaged: Int, isCut: Bool) {
    var damaged = 0
    var isCut = false
    while let picture = try decoder.next() {
      let info = unsafe picture.info
      if unsafe !info.is_corrupt { return (picture, damaged, isCut) }
      if unsafe info.is_key || info.is_intra { damaged += 1 } else { isCut = damaged == 0 }
    }
    if try decoder.seek(to: .min) != nil, let picture = try decoder.next() { return (picture, damaged, isCut) }
    throw RenderError(.invalidInput, "'\(decoder.name)' is a damaged video", underlying: "it has no picture that can be decoded")
  }

  /// The last picture that is not after a time, and when the next one follows; nil if it is the last of the file.
  mutating func find(_ time: Int64) throws(RenderError) -> (picture: Picture, end: Int64?) {
    let time = min(max(time, first.stamp), .latestStamp)
    var isJump = current.stamp > time
    var place: Int64?
    if !isJump, case .picture(let next) = try lookAhead(), next.stamp <= time, shouldJump(to: time) {
      isJump = true
      place = decoder.position.stamp
    }
    // Damage of pictures that are left out would not be seen.
    let mayLeaveOut = canJump && !isStrict && (isJump || time - current.stamp > second)
    if mayLeaveOut { decoder.setGoal(time) }
    defer { decoder.setGoal(nil) }
    if isJump { try jump(to: time, passing: place) }
    let before = (damaged: decoder.damaged, corrupt: corrupt, remarks: decoder.remarks)
    try walk(to: time)
    let isDamaged = decoder.damaged > before.damaged || corrupt > before.corrupt || decoder.remarks > before.remarks
    if let nearest = decoder.nearest, current.stamp < nearest || isDamaged {
      // The picture that others were left out for did not come, or what is missing in it was filled in from pictures nearby.
      decoder.setGoal(nil)
      ignored += decoder.damaged - before.damaged
      corrupt = before.corrupt
      try jump(to: time)
      try walk(to: time)
    }
    guard !isStrict || damaged == 0 else {
      throw RenderError(
        .invalidInput, "'\(decoder.name)' is damaged at or before \(seconds(current.stamp))", help: ["export or download it again"])
    }
    switch following {
    case .picture(let next): return (current, next.stamp)
    case .failure(let start, _) where time < start: return (current, start)
    case .failure(_, let error): throw error
    case .end, .unknown: return (current, nil)
    }
  }

  /// Decodes on to the last picture that is not after a time.
  private mutating func walk(to time: Int64) throws(RenderError) {
    while case .picture(let next) = try lookAhead(), next.stamp <= time {
      current = next
      following = .unknown
    }
  }

  private mutating func lookAhead() throws(RenderError) -> Following {
    if case .unknown = following { following = try nextPicture(after: current.stamp) }
    return following
  }

  // MARK: Decoding

  /// The next picture that is not before a time.
  private mutating func nextPicture(after time: Int64?) throws(RenderError) -> Following {
    while let decoded = try decoder.next() {
      let stamp = unsafe decoded.info.time_stamp.stamp ?? time.map { min($0 + usualStep, .latestStamp) } ?? first.stamp
      if let change = change(to: decoded, at: stamp) { return .failure(from: stamp, change) }
      guard let time, stamp < time else {
        if time != nil, unsafe decoded.info.is_corrupt { corrupt += 1 }
        return .picture(Picture(decoded: decoded, stamp: stamp))
      }
      // A stray time stamp costs a picture. If many follow, parts were joined whose times overlap.
      guard time - stamp <= second else { return .failure(from: time + usualStep, goesBack(from: time, to: stamp)) }
    }
    return .end
  }

  private func change(to picture: DecodedPicture, at stamp: Int64) -> RenderError? {
    let (info, expected) = unsafe (picture.info, first.decoded.info)
    guard unsafe info.width != expected.width || info.height != expected.height || info.pixel_format != expected.pixel_format else {
      return nil
    }
    return RenderError(
      .invalidInput, "'\(decoder.name)' changes from \(first.decoded.format) to \(picture.format) at \(seconds(stamp))",
      help: ["cut it there, or convert it to one size and pixel format first"])
  }

  private func goesBack(from time: Int64, to stamp: Int64) -> RenderError {
    RenderError(
      .invalidInput, "the times of '\(decoder.name)' go back from \(seconds(time)) to \(seconds(stamp))",
      help: ["write it again with times that rise: ffmpeg -i \(ShellWord.quoted(decoder.name)) -c copy video.mkv"])
  }

  /// A time for messages, such as `2.4 s`.
  private func seconds(_ stamp: Int64) -> String {
    let seconds = (base * Rational(Int(stamp - first.stamp))).double
    return "\((seconds * 1000).rounded() / 1000) s"
  }

  // MARK: Jumps

  /// Whether a keyframe lies between what was read and a time.
  ///
  /// Where the container does not know, one is expected a second later, or as late as they were found to be.
  private func shouldJump(to time: Int64) -> Bool {
    guard canJump, vainJumps < Self.mostVainJumps else { return false }
    if let known = decoder.hasKeyframe(until: time) { return known }
    return decoder.position.stamp.map { time - $0 > max(second, longestWay) } ?? false
  }

  /// - Parameter place: the time up to which packets were read before a jump forward.
  private mutating func jump(to time: Int64, passing place: Int64? = nil) throws(RenderError) {
    following = .unknown
    var aim = time
    var step: Int64 = 1
    var vainStarts = 0
    while canJump, vainJumps < Self.mostVainJumps, aim > first.stamp {
      if let key = try decoder.seek(to: aim), let start = key.time_stamp.stamp {
        if start <= time {
          if let picture = try self.start(at: key), picture.stamp <= time {
            if let place, start <= place { longestWay = max(longestWay, time - start) }
            current = picture
            return
          }
          vainStarts += 1
        }
        aim = min(aim, start)
      }
      aim = max(aim - step, -.latestStamp)
      step = min(step == 1 ? max(2, second / 2) : step * 2, .latestStamp)
    }
    if vainStarts > 1 { vainJumps += 1 }
    _ = try decoder.seek(to: .min)
    current = try firstPicture(notBefore: first.stamp) ?? first
  }

  /// The picture of the keyframe that was jumped to, or the first one shown after it if the edit list leaves the keyframe out; nil if it does not come.
  private mutating func start(at key: EtalonSeekInfo) throws(RenderError) -> Picture? {
    guard let picture = try firstPicture(notBefore: key.time_stamp) else { return nil }
    let isWhole = unsafe (picture.decoded.info.is_key || picture.decoded.info.is_intra) && !picture.decoded.info.is_corrupt
    return isWhole && (picture.stamp == key.time_stamp || key.is_discarded || key.is_shown_later) ? picture : nil
  }

  /// The first of the next pictures that counts; damage before it does not count.
  private mutating func firstPicture(notBefore time: Int64) throws(RenderError) -> Picture? {
    let before = decoder.damaged
    defer { ignored += decoder.damaged - before }
    while true {
      switch try nextPicture(after: nil) {
      case .picture(let picture) where picture.stamp >= time: return picture
      case .picture, .unknown: continue
      case .failure(_, let error): throw error
      case .end: return nil
      }
    }
  }
}

extension Int64 {
  /// Time stamps beyond are those of damaged files; differences of those within fit into 64 bits.
  fileprivate static let latestStamp: Int64 = 1 << 61

  /// The number as a time stamp; nil if there is none, or none that makes sense.
  fileprivate var stamp: Int64? { (-Self.latestStamp...Self.latestStamp).contains(self) ? self : nil }
}
