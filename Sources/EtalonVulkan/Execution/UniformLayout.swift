internal import EtalonPlan
internal import EtalonSPIRV

/// Where the uniform block of each pass lies in the one uniform buffer of a frame or of the setup.
struct UniformLayout: Sendable, Hashable {
  /// By pass; passes without uniforms take no room.
  let offsets: [Int]
  /// The size of the buffer; 0 when no pass has uniforms.
  let byteCount: Int

  /// Puts the blocks of some passes of a plan one after the other.
  init(of passes: [Plan.Pass], in plan: Plan, alignment: Int) {
    var offsets: [Int] = []
    var end = 0
    for pass in passes {
      end = (end + alignment - 1) / alignment * alignment
      offsets.append(end)
      end += plan.kernels[pass.kernel].interface.uniforms?.paddedSize ?? 0
    }
    self.offsets = offsets
    byteCount = end
  }
}

extension KernelInterface.Block {
  /// The size as drivers count it: whole vectors of four words.
  var paddedSize: Int { (size + 15) / 16 * 16 }
}
