package import EtalonDiagnostics
package import EtalonTypes

/// What is wrong with a sequence of frames on disk, found by reading every frame.
///
/// ```
/// let result = try SequenceCheck().check("out/plasma.####.png")
/// ```
package struct SequenceCheck: Sendable {
  /// Something wrong with one frame or between two.
  package enum Defect: Sendable, Hashable {
    /// These frames, a closed range, are not there.
    case gap(ClosedRange<Int>)
    /// The frame differs from most frames in size.
    case oddSize(frame: Int, size: Size, usual: Size)
    /// The frame differs from most frames in bits of a sample or alpha.
    case oddFormat(frame: Int, format: PixelFormat, alpha: AlphaMode, usual: PixelFormat, usualAlpha: AlphaMode)
    /// The frame cannot be read.
    case unreadable(frame: Int, error: RenderError)
    /// The frame has the pixels of the frame before it.
    case duplicate(frame: Int, of: Int)
  }

  /// What a check found.
  package struct Result: Sendable, Hashable {
    /// The names of the frames.
    package let pattern: FramePattern
    /// The numbers of the frames that are there, in order.
    package let frames: [Int]
    /// The size of most frames; nil when none can be read.
    package let size: Size?
    /// The step from frame to frame that most of them follow; frames between are not a gap.
    package let step: Int
    /// What is wrong, sorted by frame.
    package let defects: [Defect]
  }

  private let reader: PictureReader

  /// Makes a check.
  package init(limits: PictureLimits = PictureLimits()) {
    reader = PictureReader(limits: limits)
  }

  /// Checks every sequence that a path means: a pattern, one frame, or a folder with the sequences in it.
  package func check(_ path: String) throws(RenderError) -> [Result] {
    var results: [Result] = []
    for pattern in try SequenceFinder.patterns(for: path) { results.append(try check(pattern)) }
    return results
  }

  /// Checks the frames of a pattern.
  package func check(_ pattern: FramePattern) throws(RenderError) -> Result {
    let files = try pattern.framesOnDisk()
    guard !files.isEmpty else {
      throw RenderError(.missingInput, "no frames of '\(pattern)'", help: ["name a pattern, a frame or a folder with frames"])
    }
    let summaries = files.map { summary($0.frame, $0.path) }
    let readable = summaries.compactMap { try? $0.content.get() }
    let frames = files.map(\.frame)
    let step = Self.usualStep(frames)
    let size = Self.mostCommon(readable.map(\.size))
    let looks = Self.mostCommon(readable.map(\.looks))
    let defects = Self.gaps(frames, step) + summaries.flatMap { Self.oddities($0, size, looks) } + Self.duplicates(summaries)
    return Result(
      pattern: pattern, frames: frames, size: size, step: step, defects: defects.sorted { Self.place($0) < Self.place($1) })
  }

  // MARK: - One frame

  private struct Looks: Hashable {
    let format: PixelFormat
    let alpha: AlphaMode
  }

  private struct Content {
    let size: Size
    let looks: Looks
    let pixels: ContentHash
  }

  private struct Summary {
    let frame: Int
    let content: Swift.Result<Content, RenderError>
  }

  /// Pixels are kept as a hash, so that memory does not grow with the sequence.
  private func summary(_ frame: Int, _ path: String) -> Summary {
    do throws(RenderError) {
      let picture = try reader.read(path: path)
      let looks = Looks(format: picture.format, alpha: picture.alpha)
      return Summary(frame: frame, content: .success(Content(size: picture.size, looks: looks, pixels: ContentHash(of: picture.bytes))))
    } catch {
      return Summary(frame: frame, content: .failure(error))
    }
  }
}

extension SequenceCheck {
  private static func oddities(_ summary: Summary, _ size: Size?, _ looks: Looks?) -> [Defect] {
    switch summary.content {
    case .failure(let error): return [.unreadable(frame: summary.frame, error: error)]
    case .success(let content):
      var defects: [Defect] = []
      if let size, content.size != size { defects.append(.oddSize(frame: summary.frame, size: content.size, usual: size)) }
      if let looks, content.looks != looks {
        defects.append(
          .oddFormat(
            frame: summary.frame, format: content.looks.format, alpha: content.looks.alpha, usual: looks.format, usualAlpha: looks.alpha))
      }
      return defects
    }
  }

  private static func gaps(_ frames: [Int], _ step: Int) -> [Defect] {
    zip(frames, frames.dropFirst()).compactMap { before, after in
      after - before > step ? .gap(before + step...after - step) : nil
    }
  }

  private static func duplicates(_ summaries: [Summary]) -> [Defect] {
    zip(summaries, summaries.dropFirst()).compactMap { before, after in
      guard let first = try? before.content.get(), let second = try? after.content.get() else { return nil }
      return first.size == second.size && first.pixels == second.pixels ? .duplicate(frame: after.frame, of: before.frame) : nil
    }
  }

  /// The smallest distance that at least half of the neighbours have, else 1.
  private static func usualStep(_ frames: [Int]) -> Int {
    let steps = zip(frames, frames.dropFirst()).map { $1 - $0 }
    guard let common = mostCommon(steps.sorted()) else { return 1 }
    return 2 * steps.filter { $0 == common }.count > steps.count && steps.count > 1 && steps.allSatisfy { $0 % common == 0 } ? common : 1
  }

  /// Of equally common values the one that comes first.
  private static func mostCommon<Value: Hashable>(_ values: [Value]) -> Value? {
    var counts: [Value: Int] = [:]
    for value in values { counts[value, default: 0] += 1 }
    let highest = counts.values.max()
    return values.first { counts[$0] == highest }
  }

  private static func place(_ defect: Defect) -> Int {
    switch defect {
    case .gap(let range): range.lowerBound
    case .oddSize(let frame, _, _), .oddFormat(let frame, _, _, _, _), .unreadable(let frame, _), .duplicate(let frame, _): frame
    }
  }
}
