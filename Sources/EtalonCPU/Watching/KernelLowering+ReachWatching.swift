internal import CLaneKernels
internal import EtalonSPIRV

/// Reads of textures farther from the pixel than the filter says.
extension KernelLowering {
  /// Watches a read at a normalized position, where what was read matters.
  func watchReach(_ texture: Int, _ position: [ValueId], reading read: ValueId, at instruction: Int) {
    let names = ["x away", "y away", "x reach", "y reach"]
    guard let origin = watch?.table.origin(of: instruction), position.count >= 2 else { return }
    let module = module
    let operands = names.map { WatchSite.Operand(name: $0, scalar: .float) }
    guard let site = watch?.table.site(.reach, origin: origin, operands: operands, result: nil, line: { module.location($0)?.line }) else {
      return
    }
    var arguments = [position[0], position[1], builder.constant(UInt32(texture))]
    while arguments.count < ShaderGraph.watchedPosition { arguments.append(ValueId(raw: -1)) }
    arguments.append(read)
    _ = builder.add(LANE_OP_watch_reach, arguments, immediate: UInt32(site), effect: .writes)
  }

  /// Watches a read of a whole texel: of its middle.
  func watchReach(_ texture: Int, texel: [ValueId], level: ValueId, reading read: ValueId, at instruction: Int) {
    guard watch != nil else { return }
    let position = (0..<2).map { axis in
      let middle = add(LANE_OP_fadd, add(LANE_OP_i2f, texel[axis]), number(0.5))
      return add(LANE_OP_fdiv, middle, add(LANE_OP_i2f, textureSize(texture, level: level, axis: axis)))
    }
    watchReach(texture, position, reading: read, at: instruction)
  }
}
