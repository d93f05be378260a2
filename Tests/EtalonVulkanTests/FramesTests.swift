import EtalonDiagnostics
import EtalonPlan
import EtalonSystem
import EtalonTypes
import Testing

@testable import EtalonVulkan

/// Frames in flight, uniforms, and what happens to frames that are dropped.
@Suite struct FramesTests {
  /// Writes the time in 1/255ths into red.
  private func clock(_ size: Size) throws -> CheckedPlan {
    try PlanChecker().check(
      TestKernels.generator(
        "clock", size: size, "color = vec4(time / 255.0, 0, 0, 1);",
        uniforms: "layout(std140, set = 0, binding = 0) uniform Uniforms { float time; };", uniformSize: 4))
  }

  @Test func framesInFlightKeepTheirOwnValues() throws {
    let backend = try makeBackend()
    let plan = try clock(Size(16, 16))
    let execution = try backend.prepare(plan, imports: [], framesInFlight: 3)
    #expect(execution.framesInFlight == 3)
    for round in 0..<4 {
      let frames = try (0..<3).map { try execution.submit(FrameValues(frame: round * 3 + $0, uniforms: [bytes(Float(round * 3 + $0))])) }
      for (index, frame) in frames.enumerated().reversed() {
        try frame.wait()
        let picture = read(frame, plan.plan.outputs[0])
        #expect(picture.channels(3, 3) == [round * 3 + index, 0, 0, 255])
      }
      for frame in frames { frame.release() }
    }
    try backend.checkValidation()
  }

  @Test func releasedWithoutWaitingAndDropped() throws {
    let backend = try makeBackend()
    let plan = try clock(Size(16, 16))
    let execution = try backend.prepare(plan, imports: [], framesInFlight: 1)
    try execution.submit(FrameValues(frame: 0, uniforms: [bytes(1)])).release()
    _ = try execution.submit(FrameValues(frame: 1, uniforms: [bytes(2)]))
    let frame = try execution.submit(FrameValues(frame: 2, uniforms: [bytes(3)]))
    try frame.wait()
    #expect(read(frame, plan.plan.outputs[0]).channels(0, 0) == [3, 0, 0, 255])
    try backend.checkValidation()
  }

  @Test func submitWaitsForARelease() async throws {
    let backend = try makeBackend()
    let execution = try backend.prepare(clock(Size(16, 16)), imports: [], framesInFlight: 2)
    let first = try execution.submit(FrameValues(frame: 0, uniforms: [bytes(1)]))
    let second = try execution.submit(FrameValues(frame: 1, uniforms: [bytes(2)]))
    let third = try ThreadTask { (try? execution.submit(FrameValues(frame: 2, uniforms: [bytes(3)]))) != nil }
    #expect(third.wait(within: .milliseconds(50)) == nil)
    first.release()
    #expect(third.wait(within: nil) == true)
    second.release()
  }

  /// 16,384 × 16,384 pixels take 16 bands, and at most as many frames as a quarter of the memory holds.
  @Test func hugePicturesAreCut() throws {
    let bands = RowBands(of: Size(16384, 16384), bytesPerPixel: 4, maxByteCount: 128 << 20)
    #expect(bands.regions.count == 16)
    #expect(bands.regions.first == DispatchRegion(originX: 0, originY: 15360, endX: 16384, endY: 16384))
    #expect(bands.regions.last == DispatchRegion(originX: 0, originY: 0, endX: 16384, endY: 1024))
    let floats = RowBands(of: Size(16384, 16384), bytesPerPixel: 16, maxByteCount: 128 << 20)
    #expect(floats.regions.count == 32)
    #expect(RowBands(of: Size(3, 5), bytesPerPixel: 4, maxByteCount: 1).regions.map(\.originY) == [4, 2, 0])
  }
}
