import EtalonTesting
import Testing

/// The code of the article `TestsInSwiftAndCI`.
enum TestsInSwiftAndCI {
  static func picture(_ photo: Image) async throws {
    let vignette = try photo.applying(FilterLibrary.builtIn["vignette"])
    await expectRender(vignette, matches: "References/vignette.png")
  }

  static func tolerance(_ image: Image) async {
    await expectRender(image, matches: "References/glow.png", within: Tolerance(channel: 2, outliers: 10, ceiling: 16))
  }

  static func images(_ chain: Image, _ sameInOneFilter: Image) async throws {
    await expectRender(chain, matches: sameInOneFilter, within: Tolerance(channel: 1))
    let (graphicsUnit, cpu) = try (RenderContext(device: .vulkan(index: 0)), RenderContext(device: .cpu))
    await expectRender(chain, matches: chain, within: Tolerance(channel: 2), on: graphicsUnit, referenceOn: cpu)
  }
}
