internal import EtalonPlan
internal import EtalonSPIRV
internal import EtalonTypes

/// The kernel that makes one mipmap level from the one before; its text is `mipmaps.comp`.
enum MipmapKernel {
  static let sourceBinding = 0
  static let targetBinding = 1
  /// The side of the square of pixels that one workgroup makes.
  static let tileSide = 8

  static let kernel = Kernel(
    name: "mipmaps", words: words,
    interface: KernelInterface(
      entryPoint: "main", workgroupSize: [tileSide, tileSide, 1], uniforms: nil,
      pushConstants: KernelInterface.Block(name: "Level", binding: 0, size: 16, members: []),
      resources: [
        .init(name: "source", binding: sourceBinding, kind: .sampledTexture(.two)),
        .init(name: "target", binding: targetBinding, kind: .storageTexture(.two, format: nil)),
      ], usesSubgroups: false))

  /// The push constants for a level below one of some size.
  static func pushConstants(_ format: PixelFormat, below size: Size) -> [UInt32] {
    let kind: UInt32 = (format.isFloat ? 2 : 0) + (format.bytesPerChannel == (format.isFloat ? 2 : 1) ? 0 : 1)
    return [kind, (1 / Float(size.width)).bitPattern, (1 / Float(size.height)).bitPattern, 0]
  }
}
