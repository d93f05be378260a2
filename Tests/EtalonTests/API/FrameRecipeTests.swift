import Etalon
import EtalonMedia
import Foundation
import Testing

/// What frames of images say about where they come from.
@Suite struct FrameRecipeTests {
  private func settings() -> RenderSettings {
    var settings = RenderSettings()
    (settings.size, settings.rate) = (Size(4, 2), 24)
    return settings
  }

  /// Equal recipes mean equal pixels, so what changes with time has a recipe of its own on every frame.
  @Test func framesThatDifferHaveRecipesThatDiffer() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let images = [
      try Image(scene.shader("animated"), ["level": .expression("frame/8")]), try Image(scene.shader("clock")),
      try Image(scene.shader("gathered"), ["amount": 0.5]),
    ]
    for image in images {
      let first = try await context.render(image, at: .frame(1), settings: settings())
      let second = try await context.render(image, at: .frame(2), settings: settings())
      let again = try await context.render(image, at: .frame(1), settings: settings())
      #expect(first.pixels != second.pixels && first.recipe != second.recipe)
      #expect(first.pixels == again.pixels && first.recipe == again.recipe)
    }
    let still = try Image(scene.shader("animated"), ["level": 0.5])
    let recipes = try await [1, 2].asyncMap { try await context.render(still, at: .frame($0), settings: settings()).recipe }
    #expect(recipes[0] == recipes[1])
  }

  @Test func filesNameTheValues() async throws {
    let scene = try TestScene()
    let context = try RenderContext(device: .cpu)
    let path = scene.folder.file("frame.png")
    func values(_ image: Image) async throws -> [String: String] {
      try await context.render(image, at: .frame(1), settings: settings()).write(to: path)
      return try #require(try FrameProvenance(ofFile: path)).values
    }
    let one = try Image(scene.shader("animated"), ["level": .expression("frame/8")])
    #expect(try await values(one) == ["level": "(frame/8)"])
    let dark = try one.applying(scene.library["vignette"], ["amount": 0.25])
    let chain = try dark.applying(scene.library["hue-rotate"], ["angle": .expression("time")])
    #expect(
      try await values(chain) == ["animated.level": "(frame/8)", "vignette.amount": "0.25", "hue-rotate.angle": "(time)"])
  }
}

extension Array {
  fileprivate func asyncMap<Result>(_ transform: (Element) async throws -> Result) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await transform(element)) }
    return results
  }
}
