import Etalon
import EtalonDiagnostics
import EtalonInspection
import EtalonTypes
import Foundation
import Testing

/// What the CPU executor refuses or gives up is refused and given up with the same words where it is watched.
@Suite struct WatchedLimitTests {
  private func request(_ text: String, _ change: (inout RenderRequest) -> Void = { _ in }) throws -> RenderRequest {
    let file = FileManager.default.temporaryDirectory.appending(path: "etalon-refused-\(UUID().uuidString).glsl")
    try Data(text.utf8).write(to: file)
    var settings = InspectionSettings()
    settings.size = Size(64, 36)
    var request = try settings.request(of: file.path)
    request.device = "cpu"
    change(&request)
    return request
  }

  private func failures(_ request: RenderRequest) -> (plain: RenderError?, watched: RenderError?, probed: RenderError?) {
    func failure(_ body: () throws -> Void) -> RenderError? {
      do { try body() } catch { return error as? RenderError }
      return nil
    }
    return (
      failure { _ = try ShotRenderer().prepare(request).pictures() }, failure { _ = try Sanitizer().run(request) },
      failure { _ = try Prober(x: 3, y: 3).run(request) }
    )
  }

  @Test func whatTakesTooMuchMemoryIsRefusedWithTheSameWords() throws {
    let text =
      "void mainImage(out vec4 c, in vec2 p) { float big[70000]; for (int i = 0; i < 70000; i++) big[i] = p.x; c = vec4(big[int(p.y)]); }"
    let (plain, watched, probed) = failures(try request(text))
    let message = try #require(plain?.message)
    #expect(watched?.message == message && watched?.code == plain?.code && watched?.underlying == plain?.underlying)
    #expect(probed?.message == message && probed?.code == plain?.code)
  }

  @Test func watchedRunsObeyTheirTimeout() throws {
    let text = "void mainImage(out vec4 c, in vec2 p) { float s = p.x; for (int i = 0; i < 4000000; i++) s += sin(s); c = vec4(s); }"
    let (plain, watched, probed) = failures(try request(text) { $0.timeout = 0.2 })
    #expect(plain?.code == .timedOut && watched?.code == .timedOut && probed?.code == .timedOut)
  }
}
