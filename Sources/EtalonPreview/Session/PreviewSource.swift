package import Etalon
package import EtalonTypes

/// What a session previews: makes a request of the files as they are now and of what pages changed.
///
/// The command makes requests by parsing its own options with the changes among them, so that a value is read, and refused, as on the command line.
///
/// **Concurrency**: called from several threads; everything may block.
package protocol PreviewSource: Sendable {
  /// What people call it.
  var title: String { get }

  /// The request for the shot, without an output; errors in files and values are thrown as `DiagnosticsError` or `RenderError`.
  func request(_ changes: PreviewChanges) throws -> RenderRequest

  /// The words of the command that makes the same picture, or the frames of a wish: `etalon render …`, not quoted.
  func words(_ changes: PreviewChanges, _ wish: RenderWish) -> [String]

  /// What a job renders and where the frames go; a wish that makes no sense is refused in the words of the command.
  func export(_ changes: PreviewChanges, _ wish: RenderWish) throws -> PreviewExport
}

/// What pages changed about a subject.
///
/// **Concurrency**: an immutable value when it is shared.
package struct PreviewChanges: Sendable, Hashable {
  /// What was typed, by the names of parameters.
  package var values: [String: String] = [:]
  /// Pictures, sequences, videos and sounds for inputs, by name, as they are typed; nil takes away what the command line gave.
  package var inputs: [String: String?] = [:]
  /// A file that says what the mouse and the keys do.
  package var eventsFile: String?
  /// The length of the shot, where the session chose it because the filter reads progress or duration and nothing says it.
  package var duration: String?

  package init() {}
}

/// What a job, or a copied command, is to render beside what the preview shows.
///
/// **Concurrency**: an immutable value when it is shared.
package struct RenderWish: Sendable, Hashable {
  /// Where the frames go: a PNG file, a pattern, or a video.
  package var output: String?
  /// As `--frames` has them.
  package var frames: String?
  /// As `--duration` has it.
  package var duration: String?
  /// As `--size` has it.
  package var size: String?
  /// One moment, in seconds.
  package var time: Rational?
  /// Whether test cards stand in for pictures that are missing.
  package var standsIn = false

  package init() {}
}

/// What a job renders, and where it goes.
package struct PreviewExport: Sendable {
  /// The files of a job.
  package enum Destination: Sendable {
    case sequence(SequenceExport.Destination)
    case video(VideoExport.Destination)
  }

  package let request: RenderRequest
  package let destination: Destination
  /// Refuses names that cannot hold the frames of the shot, whose number is not known before.
  package let check: @Sendable (Shot) throws -> Void

  package init(_ request: RenderRequest, to destination: Destination, check: @escaping @Sendable (Shot) throws -> Void = { _ in }) {
    (self.request, self.destination, self.check) = (request, destination, check)
  }
}

/// The words of a command, with its options: a value that begins with a hyphen would be taken for an option, and belongs to the word of its own.
package struct CommandWords: Sendable {
  package private(set) var words: [String]

  /// - Parameter words: those before the options.
  package init(_ words: [String]) { self.words = words }

  /// Adds an option without a value.
  package mutating func add(_ option: String) { words.append(option) }

  /// Adds an option for each value that is there.
  package mutating func add(_ option: String, _ values: [String?]) {
    for value in values.compactMap(\.self) { words += value.hasPrefix("-") ? ["\(option)=\(value)"] : [option, value] }
  }
}
