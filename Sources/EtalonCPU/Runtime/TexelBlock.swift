internal import CLaneKernels
internal import EtalonDiagnostics
internal import EtalonPlan

/// Owns memory for texels, and a texel of zeros behind them, which is what kernels read outside a texture.
///
/// **Concurrency**: as that of the textures in it.
@safe final class TexelBlock: @unchecked Sendable {
  /// How many texels there are before the one of zeros.
  let capacity: Int
  let texels: UnsafeMutablePointer<Float>

  /// Room for a texture with all its levels.
  init(for texture: Plan.Texture) throws(RenderError) {
    capacity = texture.texelCount
    guard capacity < Int(Int32.max), let memory = unsafe lane_allocate((capacity + 1) * 16) else {
      throw RenderError(.outOfMemory, "not enough memory for texture '\(texture.name)' (\(texture.size))")
    }
    unsafe texels = memory.bindMemory(to: Float.self, capacity: (capacity + 1) * 4)
  }

  deinit { unsafe lane_free(texels) }
}
