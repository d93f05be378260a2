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

  @Test func eventsAfterAFrameGiveWayToNewOnes() {
    var recorder = InputRecorder()
    for frame in 0..<10 { _ = recorder.mouse(Double(frame), 0, isDown: true, onFrame: frame) }
    recorder.savedFile = "/saved.csv"
    _ = recorder.mouse(50, 0, isDown: true, onFrame: 1)
    #expect(recorder.text == "0f, mouse, down, 0.0, 0.0\n1f, mouse, move, 50.0, 0.0\n")
    #expect(recorder.savedFile == nil)
  }
}
