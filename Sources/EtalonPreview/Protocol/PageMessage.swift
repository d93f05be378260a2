internal import EtalonDiagnostics
internal import Foundation

/// What a page is told: a line of JSON whose key `is` says the kind.
struct PageMessage: Sendable {
  /// The JSON.
  let text: String

  init(_ kind: String, _ content: some Encodable & Sendable) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.withoutEscapingSlashes]
    guard let data = try? encoder.encode(Tagged(kind: kind, content: content)) else {
      preconditionFailure("texts and finite numbers always encode")
    }
    text = String(decoding: data, as: UTF8.self)
  }

  private struct Tagged<Content: Encodable>: Encodable {
    let kind: String
    let content: Content

    private enum Key: String, CodingKey { case kind = "is" }

    func encode(to encoder: any Encoder) throws {
      try content.encode(to: encoder)
      var container = encoder.container(keyedBy: Key.self)
      try container.encode(kind, forKey: .kind)
    }
  }
}

// MARK: kinds

extension PageMessage {
  /// The values that the pictures have from now on, as they are typed.
  struct Values: Encodable, Sendable {
    let values: [String: String]
    let number: Int?
  }

  static func values(_ values: Values) -> PageMessage { PageMessage("values", values) }

  /// Why a request was not done, in the words of the command.
  struct Refusal: Encodable, Sendable {
    let number: Int?
    let name: String?
    let text: String
    let help: String?
    /// Identifies the first reason, as diagnostics do.
    var code: String?
  }

  static func refused(_ refusal: Refusal) -> PageMessage { PageMessage("refused", refusal) }

  /// What went wrong with a request.
  static func refused(_ error: any Error, number: Int?, name: String? = nil) -> PageMessage {
    let found = EtalonPreview.diagnostics(of: error)
    return .refused(
      Refusal(
        number: number, name: name, text: found.map(\.message).joined(separator: "\n"), help: found.flatMap(\.help).first,
        code: found.first?.id))
  }

  /// What is wrong with files, over the last good picture.
  struct Diagnostics: Encodable, Sendable {
    let list: [PageDiagnostic]
    /// Whether an earlier picture is shown all the same.
    let rendering: Bool
  }

  static func diagnostics(_ diagnostics: Diagnostics) -> PageMessage { PageMessage("diagnostics", diagnostics) }

  /// A file that changed on disk.
  struct FileChange: Encodable, Sendable {
    let file: Int
    let path: String
    let hash: String
    let text: String
    let deleted: Bool
  }

  static func changed(_ change: FileChange) -> PageMessage { PageMessage("changed", change) }

  /// A file that changed on disk while the page has changes of its own, with the text on disk; nil for what is no text.
  struct Conflict: Encodable, Sendable {
    let file: Int
    let path: String
    let text: String?
    let hash: String
  }

  static func conflict(_ conflict: Conflict) -> PageMessage { PageMessage("conflict", conflict) }

  /// The channels of one pixel: as the filter gives them, and as a file with 8 bits has them.
  struct Pixel: Encodable, Sendable {
    let x: Int
    let y: Int
    let values: [Double?]
    let bytes: [Int]?
  }

  static func pixel(_ pixel: Pixel) -> PageMessage { PageMessage("pixel", pixel) }

  /// Where the play head is.
  struct Clock: Encodable, Sendable, Equatable {
    let time: Double
    let frame: Int
    let playing: Bool
    let rate: Double
    /// Two times in seconds.
    let loop: [Double]?
    /// Frames that were passed over since the start because rendering them takes longer than they last.
    let dropped: Int
  }

  static func clock(_ clock: Clock) -> PageMessage { PageMessage("clock", clock) }

  private struct Text: Encodable, Sendable {
    let text: String
  }

  static func command(_ text: String) -> PageMessage { PageMessage("command", Text(text: text)) }

  private struct Done: Encodable, Sendable {
    let number: Int?
    let text: String
  }

  static func done(_ number: Int?, _ text: String) -> PageMessage { PageMessage("done", Done(number: number, text: text)) }

  /// How far a render job is.
  struct Job: Encodable, Sendable {
    enum State: String, Encodable, Sendable { case running, done, failed, cancelled }

    let frames: Int
    let finished: Int
    /// Frames a second.
    let rate: Double
    /// Seconds; nil before the first frame.
    let left: Double?
    let output: String
    let state: State
    let text: String?
  }

  static func job(_ job: Job) -> PageMessage { PageMessage("job", job) }
}

// MARK: pictures

/// What stands before the pixels of a picture.
struct PictureHeader: Encodable, Sendable {
  /// The number of the newest request that the picture shows.
  let number: Int
  let time: Double
  let frame: Int
  let width: Int
  let height: Int
  let encoding: PictureEncoding
  /// Milliseconds that rendering took.
  let ms: Double
  /// Frames that were passed over since the start.
  let dropped: Int
  /// Whether a render shows another picture, because values changed while frames followed each other.
  let live: Bool
  /// Milliseconds since the picture of a live stream came that is shown; nil without one, and while it stands still.
  let behind: Double?
}

/// How the pixels of a picture travel.
enum PictureEncoding: String, Sendable, Encodable {
  case jpeg
  /// Four bytes a pixel, rows from the top, straight alpha.
  case rgba8
  /// Four little-endian floats a pixel, rows from the top, straight alpha.
  case rgba32f
}
