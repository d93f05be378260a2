internal import EtalonDiagnostics
internal import Foundation

/// What a page asks for, as its JSON says it; what a kind of request does not use is absent.
struct PageRequest: Sendable, Decodable {
  /// The kinds of requests.
  enum Kind: String, Sendable, Decodable {
    case view, seek, play, pause, step, set, values, input, mouse, key, record, saveEvents, pixel, text, revert, save, openEditor,
      savePreset
    case command, render, cancelRender, addCase, shown
  }

  let kind: Kind
  /// Counts the requests of one connection; in `shown` that of the picture's header.
  var number: Int?
  var name: String?
  var value: String?
  var values: [String: String?]?
  var width: Double?
  var height: Double?
  var proxy: Double?
  var encoding: String?
  var floats: Bool?
  var checkers: Bool?
  var time: Double?
  var frame: Int?
  var frames: FrameWish?
  var rate: Double?
  var loop: [Double]?
  var x: Double?
  var y: Double?
  var down: Bool?
  var code: Int?
  var on: Bool?
  var path: String?
  var file: Int?
  var text: String?
  var seen: String?
  var force: Bool?
  var line: Int?
  var column: Int?
  var output: String?
  var duration: String?
  var size: String?

  private enum CodingKeys: String, CodingKey {
    case kind = "do"
    case number, name, value, values, width, height, proxy, encoding, floats, checkers, time, frame, frames, rate, loop, x, y, down, code,
      on, path, file
    case text, seen, force, line, column, output, duration, size
  }

  /// How many frames to step, or which ones to render.
  enum FrameWish: Sendable, Decodable, Equatable {
    case count(Int)
    case range(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let count = try? container.decode(Int.self) { self = .count(count) } else { self = .range(try container.decode(String.self)) }
    }
  }

  /// The longest request, in bytes: an edited text is the longest that pages send.
  static let mostBytes = 16 << 20

  /// Reads a request; what is wrong with it is told as a diagnostic.
  static func reading(_ text: String) throws(DiagnosticsError) -> PageRequest {
    guard text.utf8.count <= mostBytes else {
      throw DiagnosticsError(Diagnostic("preview.request", "a request has \(text.utf8.count) bytes, and at most \(mostBytes) are read"))
    }
    do { return try JSONDecoder().decode(PageRequest.self, from: Data(text.utf8)) } catch {
      throw DiagnosticsError(Diagnostic("preview.request", "a request of the page cannot be read: \(error)"))
    }
  }

  /// Whether the picture that is being rendered may be of no use once this is applied.
  var changesPicture: Bool {
    switch kind {
    case .view, .seek, .play, .pause, .step, .set, .values, .input, .mouse, .key, .text, .revert: true
    case .record, .saveEvents, .pixel, .save, .openEditor, .savePreset, .command, .render, .cancelRender, .addCase, .shown: false
    }
  }

  /// Whether what it does depends on requests before it, which then have to be applied even where later ones replace them.
  var looksAtState: Bool {
    switch kind {
    case .mouse, .key: true
    case .shown: false
    default: !changesPicture
    }
  }

  /// Whether this alone decides what an earlier request asked for, which then need not be applied.
  func replaces(_ earlier: PageRequest) -> Bool {
    guard kind == earlier.kind else { return false }
    switch kind {
    case .view, .seek: return true
    case .set: return name == earlier.name
    case .values: return values?.keys == earlier.values?.keys
    case .text: return (file, path) == (earlier.file, earlier.path)
    default: return false
    }
  }
}
