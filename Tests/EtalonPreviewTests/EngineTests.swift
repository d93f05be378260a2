import Etalon
import EtalonSystem
import Foundation
import Testing

@testable import EtalonPreview

/// The parts of a session that need no picture.
@Suite struct EngineTests {
  private func requests(_ texts: String...) throws -> [Errand] { try texts.map { .request(1, try PageRequest.reading($0)) } }

  private func kinds(_ errands: [Errand]) -> [String] {
    PreviewEngine.newest(of: errands).compactMap { if case .request(_, let request) = $0 { request.kind.rawValue } else { nil } }
  }

  @Test func laterValuesReplaceEarlierOnes() throws {
    func set(_ name: String) -> String { "{\"do\":\"set\",\"name\":\"\(name)\",\"value\":\"1\"}" }
    #expect(try kinds(requests(set("a"), "{\"do\":\"shown\"}", set("a"))) == ["shown", "set"])
    #expect(try kinds(requests(set("a"), set("b"))) == ["set", "set"])
  }

  @Test(arguments: ["savePreset", "command", "addCase", "render", "pixel", "save", "mouse", "key"])
  func whatLooksAtTheStateSeesEarlierValues(kind: String) throws {
    let set = "{\"do\":\"set\",\"name\":\"a\",\"value\":\"1\"}"
    #expect(try kinds(requests(set, "{\"do\":\"\(kind)\"}", set)) == ["set", kind, "set"])
    let seek = "{\"do\":\"seek\",\"frame\":1}"
    #expect(try kinds(requests(seek, seek, "{\"do\":\"\(kind)\"}", seek)) == ["seek", kind, "seek"])
  }

  @Test func whatFollowsACancelledFrameIsNotCancelled() {
    let watch = FrameWatch()
    watch.begin(expected: .seconds(60))
    watch.tellOfNews()
    #expect(watch.cancellation.isCancelled)
    watch.end()
    #expect(!watch.cancellation.isCancelled)
    watch.look()
    #expect(!watch.cancellation.isCancelled)
  }

  @Test func eventsAreWrittenOnce() throws {
    let place = try SessionPlace(folders: [])
    defer { place.remove() }
    let workshop = try Workshop()
    let shader = try workshop.write("mouse.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(iMouse.x); }\n")
    let request = try FileSource(shader).request(PreviewChanges())
    let description = try RequestDescription(request)
    var recorder = InputRecorder()
    func file() throws -> String {
      let path = try #require(try recorder.file(for: description, request, in: place))
      return try String(contentsOfFile: path, encoding: .utf8)
    }
    #expect(try file() == "")
    for frame in 0..<200 {
      // Two moves on each frame, of which the later counts; now and then the shot goes back.
      for x in [Double(frame), Double(frame) + 0.5] {
        _ = recorder.mouse(x, 0, isDown: frame % 50 != 49, onFrame: frame % 70)
        if frame % 3 != 0 { #expect(try file() == recorder.text) }
      }
    }
    #expect(try file() == recorder.text)
    // What lies behind the events, such as the rest of a line on a disk that was full, is written over.
    let path = place.temporary + "/events.csv"
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("17".utf8))
    try handle.close()
    _ = recorder.key(65, isDown: true, onFrame: 500)
    #expect(try file() == recorder.text)
    recorder.clear()
    #expect(try file() == "")
  }

  @Test func eventsAfterAFrameGiveWayToNewOnes() {
    var recorder = InputRecorder()
    for frame in 0..<10 { _ = recorder.mouse(Double(frame), 0, isDown: true, onFrame: frame) }
    recorder.savedFile = "/saved.csv"
    _ = recorder.mouse(50, 0, isDown: true, onFrame: 1)
    #expect(recorder.text == "0f, mouse, down, 0.0, 0.0\n1f, mouse, move, 50.0, 0.0\n")
    #expect(recorder.savedFile == nil)
  }
}
