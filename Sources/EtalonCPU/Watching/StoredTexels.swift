internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan
internal import EtalonTypes

/// Owns the memory in which a compute kernel marks the texels that it stores.
///
/// **Concurrency**: written by all threads of a dispatch; read when they have ended.
@safe final class StoredTexels: @unchecked Sendable {
  /// Texels that nobody stored.
  struct Missing {
    /// The site that stores others of the same texture.
    let site: Int
    let count: Int
    /// The first of them.
    let x: Int
    let y: Int
  }

  private struct Target {
    let site: Int
    let width: Int
    let block: ByteBlock
  }

  /// For each texture of the kernel its marks; null for those that are not written.
  let blocks: UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>
  private let targets: [Target]

  /// Nil for passes that cover pixels, which store each once, and for kernels that store no texels.
  init?(of pass: Plan.Pass, in plan: Plan, _ program: Program) throws(RenderError) {
    guard case .workgroups = pass.coverage else { return nil }
    var targets: [Target] = []
    let textures = program.resources.textures
    unsafe blocks = .allocate(capacity: max(textures.count, 1))
    unsafe blocks.initialize(repeating: nil, count: max(textures.count, 1))
    for (number, binding) in textures.enumerated() {
      guard case .storage(let texture, _) = pass.bindings[binding], let site = program.sites.stores[number],
        case .flat = plan.textures[texture].shape
      else { continue }
      let size = plan.textures[texture].size
      let block: ByteBlock
      do throws(RenderError) { block = try ByteBlock(byteCount: size.pixelCount, name: "the watch over pass '\(pass.name)'") } catch {
        unsafe blocks.deallocate()
        throw error
      }
      unsafe blocks[number] = block.start
      targets.append(Target(site: site, width: size.width, block: block))
    }
    self.targets = targets
  }

  deinit { unsafe blocks.deallocate() }

  func clear() { for target in targets { target.block.clear() } }

  /// What is missing of each target, where something is.
  var missing: [Missing] {
    targets.compactMap { target in
      var (count, first) = (0, 0)
      for texel in 0..<target.block.byteCount where unsafe target.block.start[texel] == 0 {
        if count == 0 { first = texel }
        count += 1
      }
      return count == 0 ? nil : Missing(site: target.site, count: count, x: first % target.width, y: first / target.width)
    }
  }
}
