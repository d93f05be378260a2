internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Owns what the lane kernels need to know of how far a pass may read.
///
/// **Concurrency**: read by all threads of a dispatch.
@safe final class PassReach: @unchecked Sendable {
  let limits: UnsafeMutablePointer<lane_reach>
  private let pixels: ByteBlock
  private let isMeant: ByteBlock

  /// Nil for passes that may read anything, and for those that nobody says anything of.
  init?(of pass: Plan.Pass, _ program: Program, _ order: InvocationOrder) throws(RenderError) {
    guard let reach = pass.reach, case .pixels(let size) = pass.coverage else { return nil }
    let name = "the reach of pass '\(pass.name)'", textures = program.resources.textures
    pixels = try .of(
      (0..<order.count).flatMap { number in
        let (x, y) = order.pixel(of: number)
        return [UInt32(x), UInt32(y)]
      }, name: name)
    isMeant = try ByteBlock(byteCount: max(textures.count, 1), name: name)
    isMeant.fill { $0 < textures.count && reach.bindings.contains(textures[$0]) ? 1 : 0 }
    unsafe limits = .allocate(capacity: 1)
    let coordinates = unsafe UnsafeRawPointer(pixels.start).bindMemory(to: Int32.self, capacity: pixels.byteCount / 4)
    unsafe limits.initialize(
      to: lane_reach(
        pixels: coordinates, width: Float(size.width), height: Float(size.height), x: Float(reach.x), y: Float(reach.y),
        is_meant: UnsafePointer(isMeant.start)))
  }

  deinit { unsafe limits.deallocate() }
}
