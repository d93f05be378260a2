import EtalonDiagnostics
import EtalonPlan
import EtalonSPIRV
import EtalonTypes
import Testing

/// What streamed textures and the pictures of frames have to be.
@Suite struct StreamRuleTests {
  private func plan(_ textures: [(stream: Int, shape: Plan.Texture.Shape, isMipmapped: Bool)]) -> Plan {
    Plan(
      textures: textures.map {
        .init(
          name: "plate \($0.stream)", role: .streamed($0.stream), shape: $0.shape, size: Size(4, 4), format: .rgba8,
          isMipmapped: $0.isMipmapped)
      }, outputs: [], kernels: [], steps: [])
  }

  private func violation(_ plan: Plan) -> String? {
    do throws(RenderError) {
      _ = try PlanChecker().check(plan)
      return nil
    } catch {
      return error.message
    }
  }

  @Test func streamsAreNumberedWithoutGaps() {
    #expect(violation(plan([(0, .flat, true), (1, .cube, true), (2, .volume(depth: 3), false), (0, .flat, false)])) == nil)
    #expect(
      violation(plan([(2, .flat, false), (0, .flat, false), (-1, .flat, false)]))
        == "inconsistent plan: texture 'plate -1': it takes the pictures of stream -1; no texture takes the pictures of stream 1")
  }

  @Test func volumesHaveOneLevel() {
    #expect(
      violation(plan([(0, .volume(depth: 3), true)])) == "inconsistent plan: texture 'plate 0': a streamed volume with mipmaps")
  }

  @Test func framesDoNotWriteThem() {
    let textures = plan([(0, .flat, false)]).textures
    #expect(
      violation(Plan(textures: textures, outputs: [], kernels: [], steps: [.clear(texture: 0)]))
        == "inconsistent plan: texture 'plate 0' is cleared, and frames do not write it")
  }

  @Test func picturesFitTheirTextures() {
    func picture(_ size: Size, _ format: PixelFormat = .rgba8) -> FramePicture {
      FramePicture(
        PixelBuffer(
          size: size, format: format, alpha: .straight, bytes: [UInt8](repeating: 0, count: size.pixelCount * format.bytesPerPixel)))
    }
    func violations(_ pictures: [FramePicture]) -> [String] {
      FrameValues(frame: 0, uniforms: [], pictures: pictures).violations(for: plan([(0, .flat, false), (1, .cube, false)]))
    }
    #expect(violations([picture(Size(4, 4)), picture(Size(4, 24))]) == [])
    #expect(violations([picture(Size(4, 4))]) == ["1 pictures for 2 streams"])
    #expect(
      violations([picture(Size(4, 4), .r8), picture(Size(4, 4))]) == [
        "a picture of 4x4 r8 for texture 'plate 0', which takes 4x4 rgba8",
        "a picture of 4x4 rgba8 for texture 'plate 1', which takes 4x24 rgba8",
      ])
  }
}
