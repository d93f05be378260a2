internal import Etalon
internal import EtalonDiagnostics
internal import EtalonMedia
internal import EtalonTypes
internal import Foundation

/// What the mouse and the keys of pages did, frame by frame, as the lines of an events file.
///
/// What is done at a frame takes the place of what was done later: the shot goes on from there.
struct InputRecorder {
  private struct Event {
    let frame: Int
    let line: String

    /// The line of the file.
    var text: String { "\(frame)f, \(line)\n" }
  }

  /// So many events a file may have.
  private static let mostEvents = 100_000

  private var events: [Event] = []
  /// The file of the session that has the events, how many of them, how many bytes these are, and whether more follows in it that was forgotten.
  private var filed = (path: "", count: 0, bytes: 0, hasMore: false)
  private var isDown = false
  /// The keys that are held.
  private var keys: Set<Int> = []

  /// Where a person saved the events as they are now; nil where that was not done.
  var savedFile: String?

  var isEmpty: Bool { events.isEmpty }

  /// Forgets everything, as a new recording begins.
  mutating func clear() {
    forget(from: 0)
    (isDown, keys, savedFile) = (false, [], nil)
  }

  /// Forgets what was done from an event on.
  private mutating func forget(from index: Int) {
    if index < filed.count {
      filed = (filed.path, index, filed.bytes - events[index..<filed.count].reduce(0) { $0 + $1.text.utf8.count }, true)
    }
    events.removeSubrange(index...)
  }

  /// Notes where the mouse is, in pixels of a render from the bottom left; true where that changes something.
  mutating func mouse(_ x: Double, _ y: Double, isDown down: Bool, onFrame frame: Int) -> Bool {
    guard down || isDown else { return false }
    let place = "\(Self.text(x)), \(Self.text(y))"
    add(frame, down ? (isDown ? "mouse, move, \(place)" : "mouse, down, \(place)") : "mouse, up", replacingMoves: isDown && down)
    isDown = down
    return true
  }

  /// Notes what a key does, by the number that JavaScript gives to it; true where that changes something.
  mutating func key(_ code: Int, isDown down: Bool, onFrame frame: Int) -> Bool {
    guard keys.contains(code) != down else { return false }
    if down { keys.insert(code) } else { keys.remove(code) }
    add(frame, "key, \(down ? "down" : "up"), \(code)", replacingMoves: false)
    return true
  }

  private mutating func add(_ frame: Int, _ line: String, replacingMoves: Bool) {
    savedFile = nil
    var count = events.count
    while count > 0, events[count - 1].frame > frame { count -= 1 }
    if replacingMoves, count > 0, events[count - 1].frame == frame, events[count - 1].line.hasPrefix("mouse, move") { count -= 1 }
    forget(from: count)
    events.append(Event(frame: frame, line: line))
  }

  private static func text(_ number: Double) -> String { "\((number * 100).rounded() / 100)" }

  /// The events file.
  var text: String { events.map(\.text).joined() }

  /// Refuses more than a file may have.
  func checkRoom() throws(DiagnosticsError) {
    guard events.count < Self.mostEvents else {
      throw DiagnosticsError(
        Diagnostic(
          "events.limit", "more than \(Self.mostEvents) things were done with the mouse and the keys", help: ["start the recording anew"]))
    }
  }

  /// Writes the events into a file of the session; nil where the subject looks at neither, or its request says what they do.
  ///
  /// What the file has already is not written again: a drag brings an event with each frame.
  mutating func file(
    for description: RequestDescription, _ request: RenderRequest, in place: SessionPlace
  ) throws(RenderError) -> String? {
    guard description.readsMouse || description.readsKeys, request.pointer == nil, request.eventsFile == nil else { return nil }
    let path = place.temporary + "/events.csv"
    guard filed.path != path || filed.count != events.count || filed.hasMore || !FileManager.default.fileExists(atPath: path) else {
      return path
    }
    guard filed.path == path, filed.count > 0, let file = FileHandle(forWritingAtPath: path) else {
      let file = try AtomicFile(path, replacing: .anything)
      let bytes = Array(text.utf8)
      try file.write(bytes)
      try file.commit()
      filed = (path, events.count, bytes.count, false)
      return path
    }
    let more = Data(events[filed.count...].map(\.text).joined().utf8)
    do {
      defer { try? file.close() }
      try file.truncate(atOffset: UInt64(filed.bytes))
      try file.write(contentsOf: more)
    } catch {
      throw RenderError(.cannotWrite, "cannot write '\(path)'", underlying: error.localizedDescription)
    }
    filed = (path, events.count, filed.bytes + more.count, false)
    return path
  }
}
