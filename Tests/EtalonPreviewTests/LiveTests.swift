import ArgumentParser
import Testing

@testable import EtalonPreview
@testable import EtalonTool

/// Cameras and streams while they are looked at.
@Suite struct LiveTests {
  private let workshop: Workshop

  init() throws { workshop = try Workshop() }

  private func page(_ arguments: [String]) throws -> (PreviewSession, TestPage) {
    var settings = PreviewSettings()
    (settings.device, settings.folders) = ("cpu", [workshop.folder])
    let path = try workshop.write("shade.fs", Workshop.shade)
    let session = try PreviewSession(CommandSource(try RenderCommand.parse([path] + arguments)), settings)
    return (session, TestPage(session.connect()))
  }

  @Test func aCameraGoesOnAndSaysHowFarItIsBehind() async throws {
    let (session, page) = try page(["-i", "camera:test,size=64x64,rate=20"])
    defer { session.finish() }
    page.view()
    let state = try await page.next("state") { $0.parameters != nil }
    #expect(state.duration == nil)
    // Standing still, there is nothing to be late.
    #expect(try await page.picture().behind == nil)
    page.send("play")
    let first = try await page.picture { $0.behind != nil }
    #expect(try #require(first.behind) >= 0)
    let later = try await page.picture { $0.behind != nil && $0.pixels != first.pixels }
    #expect(try #require(later.frame) > first.frame ?? .max)
  }

  @Test func aPauseKeepsThePictureAndPlayingGoesOnWithTheNewest() async throws {
    let (session, page) = try page(["-i", "camera:test,size=64x64,rate=20"])
    defer { session.finish() }
    page.view()
    page.send("play")
    _ = try await page.picture { $0.behind != nil }
    let pause = page.send("pause")
    let still = try await page.picture(pause) { $0.behind == nil }
    // Another size of the same frame is of the same picture; the color of a corner tells.
    page.view(32, 32)
    let smaller = try await page.picture { $0.width == 32 && $0.frame == still.frame }
    #expect(smaller.pixels?.prefix(4) == still.pixels?.prefix(4))
    let play = page.send("play")
    _ = try await page.picture(play) { $0.behind != nil && $0.frame ?? 0 > still.frame ?? .max }
  }

  @Test func aCameraThatIsNotThereIsToldAndTriedAgain() async throws {
    let (session, page) = try page(["-i", "camera:/dev/none"])
    defer { session.finish() }
    let found = try await page.next("diagnostics") { $0.list?.isEmpty == false }
    #expect(found.rendering == false)
    #expect(found.list?.first?.message.contains("/dev/none") == true)
  }
}
