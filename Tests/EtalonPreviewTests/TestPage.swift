import Foundation
import Synchronization

@testable import EtalonPreview

/// What a page was told, as far as tests look at it.
struct Told: Decodable, Sendable {
  struct Diagnostic: Decodable, Sendable {
    let message: String
    let file: Int?
    let line: Int?
    let column: Int?
    let code: String
    let excerpt: String
  }

  struct Parameter: Decodable, Sendable {
    let name: String
    let type: String
    let value: String
    let isSet: Bool
    let constant: Bool
    let node: String?
  }

  struct Input: Decodable, Sendable {
    let name: String
    let value: String?
  }

  struct File: Decodable, Sendable {
    let path: String
    let text: String
    let hash: String
    let tried: Bool
    let writable: Bool
  }

  let `is`: String?
  let number: Int?
  let name: String?
  let text: String?
  let help: String?
  let values: Values?
  let bytes: [Int]?
  let list: [Diagnostic]?
  let rendering: Bool?
  let parameters: [Parameter]?
  let inputs: [Input]?
  let files: [File]?
  let file: Int?
  let hash: String?
  let deleted: Bool?
  let duration: Double?
  let feedback: Bool?
  let frame: Int?
  let time: Double?
  let width: Int?
  let height: Int?
  let encoding: String?
  let live: Bool?
  let behind: Double?
  let playing: Bool?
  let state: String?
  let finished: Int?
  let dropped: Int?
  let code: String?
  let sound: Sound?
  var pixels: [UInt8]?

  private enum CodingKeys: String, CodingKey {
    case `is`, number, name, text, help, values, bytes, list, rendering, parameters, inputs, files, file, hash, deleted, duration, feedback
    case frame, time, width, height, encoding, live, behind, playing, state, finished, dropped, code, sound
  }

  struct Sound: Decodable, Sendable {
    let duration: Double
    let from: Double?
    let to: Double?
    let start: Double?
    let speed: Double?
    let loop: String?
  }

  /// Texts by name, or the channels of a pixel.
  enum Values: Decodable, Sendable {
    case texts([String: String])
    case channels([Double?])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let texts = try? container.decode([String: String].self) {
        self = .texts(texts)
      } else {
        self = .channels(try container.decode([Double?].self))
      }
    }

    var texts: [String: String] { if case .texts(let texts) = self { texts } else { [:] } }
    var channels: [Double?] { if case .channels(let channels) = self { channels } else { [] } }
  }

  var isPicture: Bool { pixels != nil }
}

/// A page that shows everything at once, and remembers what it was told.
///
/// **Concurrency**: usable from every task.
final class TestPage: Sendable {
  private struct State {
    var told: [Told] = []
    var number = 0
    var pictureCount = 0
    var isOver = false
  }

  struct Timeout: Error { let kind: String }

  private let state = Mutex(State())
  private let sending: @Sendable (String) -> Void
  /// Whether pictures are shown as they come.
  let shows: Bool

  init(_ page: PreviewPage, shows: Bool = true) {
    self.shows = shows
    sending = { page.send($0) }
    Task { [self] in
      for await message in page.messages { take(message) }
      state.withLock { $0.isOver = true }
    }
  }

  private func take(_ message: PreviewPage.Message) {
    switch message {
    case .text(let text):
      guard let told = try? JSONDecoder().decode(Told.self, from: Data(text.utf8)) else { preconditionFailure("no JSON: \(text)") }
      state.withLock { $0.told.append(told) }
    case .picture(let bytes):
      let length = (0..<4).reduce(0) { $0 | Int(bytes[$1]) << (8 * $1) }
      guard var told = try? JSONDecoder().decode(Told.self, from: Data(bytes[4..<4 + length])) else { preconditionFailure("no header") }
      told.pixels = Array(bytes[(4 + length)...])
      state.withLock { [told] in
        $0.told.append(told)
        $0.pictureCount += 1
      }
      if shows { sending("{\"do\":\"shown\",\"number\":\(told.number ?? 0)}") }
    }
  }

  var isOver: Bool { state.withLock(\.isOver) }

  /// How many pictures came so far, asked for with `next` or not.
  var pictureCount: Int { state.withLock(\.pictureCount) }

  /// Asks for something; returns the number.
  @discardableResult func send(_ kind: String, _ fields: String = "") -> Int {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    sending("{\"do\":\"\(kind)\",\"number\":\(number)\(fields.isEmpty ? "" : ",")\(fields)}")
    return number
  }

  /// Says how large it shows pictures.
  func view(_ width: Int = 64, _ height: Int = 64, _ more: String = "\"encoding\":\"raw\"") {
    send("view", "\"width\":\(width),\"height\":\(height),\(more)")
  }

  /// The next message that is one, with all before it dropped.
  func next(_ kind: String, where isOne: (Told) -> Bool = { _ in true }) async throws -> Told {
    try await first(kind) { $0.is == kind && isOne($0) }
  }

  /// What a request is answered with, whether it was done or refused.
  func answer(to number: Int) async throws -> Told {
    try await first("answer") { ["done", "refused"].contains($0.is) && $0.number == number }
  }

  /// The next picture that shows a request.
  func picture(_ number: Int = 0, where isOne: (Told) -> Bool = { _ in true }) async throws -> Told {
    try await first("picture") { $0.isPicture && ($0.number ?? 0) >= number && isOne($0) }
  }

  private func first(_ kind: String, where isOne: (Told) -> Bool) async throws -> Told {
    let end = ContinuousClock.now + .seconds(60)
    var looks = 0
    // Beside other tests a look may come late: time that passes without looks is not waited for.
    while ContinuousClock.now < end || looks < 2000 {
      looks += 1
      let found = state.withLock { state -> Told? in
        guard let index = state.told.firstIndex(where: isOne) else { return nil }
        defer { state.told.removeFirst(index + 1) }
        return state.told[index]
      }
      if let found { return found }
      try await Task.sleep(for: .milliseconds(5))
    }
    throw Timeout(kind: kind)
  }
}

/// Texts that something told.
///
/// **Concurrency**: usable from every thread.
final class Noted: Sendable {
  private let noted = Mutex<[String]>([])

  func note(_ texts: [String]) { noted.withLock { $0 += texts } }

  var texts: [String] { noted.withLock(\.self) }
}

/// A folder with files for one test, and sessions of them.
final class Workshop: Sendable {
  let folder: String

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "preview-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func path(_ name: String) -> String { "\(folder)/\(name)" }

  @discardableResult func write(_ name: String, _ text: String) throws -> String {
    try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    return path(name)
  }

  func read(_ name: String) throws -> String { try String(contentsOfFile: path(name), encoding: .utf8) }

  func session(_ name: String, _ change: (inout PreviewSettings) -> Void = { _ in }) throws -> PreviewSession {
    var settings = PreviewSettings()
    (settings.device, settings.folders) = ("cpu", [folder])
    change(&settings)
    return try PreviewSession(file: path(name), settings: settings)
  }

  /// An ISF generator whose red is a parameter, whose green the time.
  static let level = """
    /*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "level", "TYPE": "float", "MIN": 0.0, "MAX": 1.0, "DEFAULT": 0.2 } ] }*/
    void main() { gl_FragColor = vec4(level, fract(TIME), 0.0, 1.0); }

    """

  /// A graph document of one filter.
  static func graph(of filter: String) -> String { "etalon: 1\nnodes:\n  shown: { filter: \(filter) }\noutputs: shown\n" }

  /// An ISF filter that shows its picture.
  static let shade = """
    /*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "inputImage", "TYPE": "image" } ] }*/
    void main() { gl_FragColor = IMG_THIS_PIXEL(inputImage); }

    """

  /// Counts its frames in red: each adds 1/256 to the one before.
  static let counter = """
    /*{ "ISFVSN": "2", "INPUTS": [ { "NAME": "step", "TYPE": "float", "MIN": 0.0, "MAX": 8.0, "DEFAULT": 1.0 } ],
      "PASSES": [ { "TARGET": "kept", "PERSISTENT": true, "FLOAT": true }, { } ] }*/
    void main() {
      vec4 old = IMG_NORM_PIXEL(kept, isf_FragNormCoord);
      gl_FragColor = PASSINDEX == 0 ? old + vec4(step / 255.0, 0.0, 0.0, 1.0) : vec4(old.rgb, 1.0);
    }

    """
}
