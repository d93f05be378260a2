import EtalonTesting
import Foundation
import Synchronization
import Testing

/// What `expectRender` accepts, and what it tells a test.
@Suite struct ExpectRenderTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "expect-render-\(UUID())").path

  private static let small = {
    var settings = RenderSettings()
    settings.size = Size(16, 16)
    return settings
  }()

  /// What the body tells the test that runs it, without failing this one.
  private func issues(_ body: () async throws -> Void) async throws -> [String] {
    let texts = Mutex<[String]>([])
    try await withKnownIssue("what expectRender tells a failing test is what these tests are about") {
      try await body()
    } matching: { issue in
      texts.withLock { $0 += issue.comments.map(\.rawValue) }
      return true
    }
    return texts.withLock(\.self)
  }

  private func gray(_ level: Double) throws -> Image { try .color(ParameterValue([level, level, level, 1])) }

  private func store(_ image: Image, _ name: String) async throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try await RenderContext(device: .cpu).render(image, settings: Self.small).write(to: "\(folder)/\(name)")
  }

  @Test func acceptsTheSamePicture() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await store(gray(0.5), "gray.png")
    let comparison = await expectRender(try gray(0.5), matches: "\(folder)/gray.png", settings: Self.small)
    #expect(comparison?.isEqual == true)
  }

  @Test func refusesAnotherPicture() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await store(gray(0.5), "gray.png")
    let path = "\(folder)/gray.png"
    let found = try await issues { await expectRender(try gray(0.6), matches: path, settings: Self.small) }
    #expect(found.count == 1 && found[0].contains("the picture differs from '\(path)'") && found[0].contains("channel"))
    let comparison = await expectRender(try gray(0.6), matches: path, within: Tolerance(channel: 26), settings: Self.small)
    #expect(comparison?.verdict == .pass)
  }

  @Test func refusesAnotherSize() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await store(gray(0.5), "gray.png")
    var settings = Self.small
    settings.size = Size(16, 17)
    let found = try await issues { await expectRender(try gray(0.5), matches: "\(folder)/gray.png", settings: settings) }
    #expect(found.count == 1 && found[0].contains("16x17"))
  }

  @Test func aMissingPictureFailsAndSaysWhatToType() async throws {
    let found = try await issues { await expectRender(try gray(0.5), matches: "References/nowhere.png", settings: Self.small) }
    #expect(found == ["there is no 'References/nowhere.png'; ETALON_REFERENCES=missing stores what is rendered now"])
  }

  @Test func whatIsNoPictureIsToldAsWhatItIs() async throws {
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try Data("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n".utf8).write(to: URL(filePath: "\(folder)/gray.png"))
    let found = try await issues { await expectRender(try gray(0.5), matches: "\(folder)/gray.png", settings: Self.small) }
    #expect(found.count == 1 && found[0].contains("LFS"))
  }

  @Test func comparesTwoImages() async throws {
    let comparison = await expectRender(try gray(0.25), matches: try gray(0.25), settings: Self.small)
    #expect(comparison?.isEqual == true)
    let found = try await issues { await expectRender(try gray(0.25), matches: try gray(0.75), settings: Self.small) }
    #expect(found.count == 1 && found[0].contains("differs from the other image"))
  }

  @Test func aToleranceThatContradictsItselfFails() async throws {
    let found = try await issues {
      await expectRender(try gray(0.5), matches: try gray(0.5), within: Tolerance(channel: 4, ceiling: 2), settings: Self.small)
    }
    #expect(!found.isEmpty && found.allSatisfy { $0.hasPrefix("the tolerance says nothing") })
  }

  @Test func tellsWhatIsWrongWithAnImage() async throws {
    let blurred = try gray(0.5).applying(try FilterLibrary.builtIn["gaussian-blur"], ["sigma": .expression("1.0 / (time - time)")])
    let found = try await issues { await expectRender(blurred, matches: "none.png", settings: Self.small) }
    #expect(found.count == 1 && found[0].hasPrefix("cannot render:"))
  }
}
