internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonSystem
public import EtalonTypes
internal import Foundation

/// An image and the files that its frames are written to.
///
/// **Concurrency**: an immutable value.
public struct FrameFiles: Sendable, Hashable {
  /// What the files show.
  public let image: Image
  /// The name of the files, with `####` or `%04d` for the number.
  public let pattern: String

  /// Puts an image and the name of its files together.
  public init(_ image: Image, to pattern: String) { (self.image, self.pattern) = (image, pattern) }
}

/// What happens to files that are there, and how others are written.
///
/// **Concurrency**: an immutable value.
public struct WriteOptions: Sendable {
  /// How much time is spent to make files small.
  public enum Compression: Sendable, Hashable, CaseIterable {
    /// As fast as writing raw pixels on most disks.
    case fast
    /// About a tenth smaller, and six times slower.
    case small
  }

  /// Whether files that Etalon did not write may be replaced.
  public var overwriting = false
  /// Whether frames are kept that are there already, whole and of the same recipe.
  public var resuming = false
  /// Whether other frames are still rendered after one failed; the summary says how many did.
  public var keepingGoing = false
  /// The path of a contact sheet of at most 24 frames; nil for none.
  public var contactSheet: String?
  /// How much time is spent to make files small.
  public var compression = Compression.fast
  /// Told of every frame, by several threads, one at a time.
  public var progress: (@Sendable (RenderEvent) -> Void)?

  /// Replaces frames that Etalon wrote, and stops at the first failure.
  public init() {}
}

extension RenderContext {
  /// Writes frames of an image as numbered PNG files.
  ///
  /// ```swift
  /// try await context.write(glow, frames: 0..<48, rate: 24, to: "out/glow.####.png")
  /// ```
  /// - Parameter pattern: the name of the files, with `####` or `%04d` for the number.
  /// - Parameter overwriting: whether files that Etalon did not write may be replaced.
  ///
  /// All else is as in ``write(_:frames:rate:settings:options:)``.
  @discardableResult
  public nonisolated func write(
    _ image: Image, frames: some Sequence<Int>, rate: FrameRate, to pattern: String, settings: RenderSettings = RenderSettings(),
    overwriting: Bool = false
  ) async throws -> RenderSummary {
    var options = WriteOptions()
    options.overwriting = overwriting
    return try await write([FrameFiles(image, to: pattern)], frames: frames, rate: rate, settings: settings, options: options)
  }

  /// Writes frames of images as numbered PNG files; what the images have in common is computed once.
  ///
  /// ```swift
  /// var options = WriteOptions()
  /// options.resuming = true
  /// try await context.write(
  ///   [FrameFiles(keyed, to: "out/color.####.png"), FrameFiles(matte, to: "out/matte.####.png")], frames: 0..<48, rate: 24, options: options)
  /// ```
  /// Files are encoded on all cores while the next frames are rendered; each appears completely or not at all. Beside each sequence a JSON file says what
  /// pictures cannot say by themselves, such as the rate; of a shot that is written in parts it covers all of them. All images have the size of the first. Throws like
  /// ``render(_:at:settings:)``, but a cancelled task ends between two frames, and `RenderError` for the first file that cannot be written; the
  /// files before stay.
  ///
  /// - Parameter files: the images with the names of their files; the first one decides about the size.
  /// - Parameter frames: the numbers of the frames, such as `0..<48`.
  /// - Parameter rate: frames a second; the rate of the settings does not count.
  @discardableResult
  public nonisolated func write(
    _ files: [FrameFiles], frames: some Sequence<Int>, rate: FrameRate, settings: RenderSettings = RenderSettings(),
    options: WriteOptions = WriteOptions()
  ) async throws -> RenderSummary {
    let numbers = try FrameNumbers.range(frames)
    let patterns = try files.map { try $0.checkedPattern(settings, frameCount: numbers.count) }
    guard !patterns.isEmpty || options.contactSheet != nil else {
      throw DiagnosticsError(Diagnostic("output.none", "there is nothing to write", help: ["name an image and its files"]))
    }
    var settings = settings
    settings.rate = rate
    let writer = try await writer(of: files.map(\.image), patterns, numbers, settings, options)
    do {
      for frame in writer.work.wanted {
        try Task.checkCancellation()
        guard try await step(writer, frame) else { break }
      }
      return try await finish(writer)
    } catch {
      await cancel(writer)
      throw error
    }
  }

  /// An export that was begun, and what ends it.
  private struct Writer: Sendable {
    let shot: Shot
    let export: SequenceExport
    let work: SequenceExport.Work
  }

  // None of these is inlined: the optimizer of Swift 6.3 crashes when it splits `write`, which calls them.

  @inline(never)
  private func writer(
    of images: [Image], _ patterns: [FramePattern], _ numbers: FrameRange, _ settings: RenderSettings, _ options: WriteOptions
  ) throws -> Writer {
    let shot = try shot(images, .range(numbers), settings, compression: options.compression == .fast ? .fast : .small).shot
    let names = [nil] + shot.outputNames.dropFirst().map(Optional.some)
    var destination = SequenceExport.Destination(
      files: zip(names, patterns).map { SequenceExport.Destination.Files(output: $0, pattern: $1) }, contactSheet: options.contactSheet)
    destination.policy = options.overwriting ? .anything : .ownFrames
    (destination.resumes, destination.keepsGoing) = (options.resuming, options.keepingGoing)
    let export = SequenceExport(shot, to: destination, observe: options.progress ?? { _ in }, isInterrupted: { false })
    do { return Writer(shot: shot, export: export, work: try export.begin()) } catch {
      shot.finish()
      throw error
    }
  }

  @inline(never)
  private func step(_ writer: Writer, _ frame: Int) throws -> Bool {
    defer { take(notesOf: writer.shot) }
    return writer.export.render(frame, writer.work)
  }

  @inline(never)
  private func finish(_ writer: Writer) throws(RenderError) -> RenderSummary {
    let summary = try writer.export.finish(writer.work)
    take(notesOf: writer.shot)
    writer.shot.finish()
    return summary
  }

  @inline(never)
  private func cancel(_ writer: Writer) {
    writer.export.cancel(writer.work)
    writer.shot.finish()
  }
}

extension FrameFiles {
  /// The names of the files, which have to differ from frame to frame.
  fileprivate func checkedPattern(_ settings: RenderSettings, frameCount: Int) throws -> FramePattern {
    guard settings.depth != .float else { throw Frame.floatsInFile(pattern) }
    let files = try FramePattern(pattern, option: "to")
    guard !files.hasNumber, frameCount > 1 else { return files }
    let source = SourceText(path: "to", text: pattern)
    throw DiagnosticsError(
      Diagnostic(
        "pattern.no-number", "'\(pattern)' has no place for the frame number", labels: [.init(source, 0..<source.bytes.count, "one file")],
        help: ["write '####' before the extension, as in 'name.####.png'"]))
  }
}
