internal import CLaneKernels

/// Levels of mipmapped textures from how far a step of a pixel goes in the texture.
extension KernelLowering {
  /// The level of a flat texture.
  func gradientLevel(_ texture: Int, _ alongX: [ValueId], _ alongY: [ValueId]) -> ValueId {
    builder.add(LANE_OP_gradient_level, Array(alongX.prefix(2)) + Array(alongY.prefix(2)), immediate: UInt32(texture))
  }

  /// The level of a texture of three dimensions: the logarithm of the longer step in texels.
  func volumeLevel(_ texture: Int, _ alongX: [ValueId], _ alongY: [ValueId]) -> ValueId {
    let sizes = (0..<3).map { add(LANE_OP_i2f, textureSize(texture, level: word(0), axis: $0)) }
    func squaredLength(_ step: [ValueId]) -> ValueId {
      let squares = (0..<3).map { axis in
        let texels = add(LANE_OP_fmul, step[axis], sizes[axis])
        return add(LANE_OP_fmul, texels, texels)
      }
      return add(LANE_OP_fadd, add(LANE_OP_fadd, squares[0], squares[1]), squares[2])
    }
    let longer = add(LANE_OP_fmax, squaredLength(alongX), squaredLength(alongY))
    return add(LANE_OP_fmul, add(LANE_OP_log2, longer), number(0.5))
  }

  /// The level of a cube: the steps are turned into steps on the face that the direction leads to.
  func cubeLevel(_ texture: Int, _ direction: [ValueId], _ alongX: [ValueId], _ alongY: [ValueId]) -> ValueId {
    let face = CubeFace(direction, self)
    return gradientLevel(texture, face.step(alongX, self), face.step(alongY, self))
  }
}

/// The face of a cube that a direction leads to, as values of the graph.
private struct CubeFace {
  private let isZ: ValueId
  private let isY: ValueId
  /// All bits of the sign that the direction has along the axis out of the face.
  private let sign: ValueId
  private let out: ValueId
  private let s: ValueId
  private let t: ValueId

  init(_ direction: [ValueId], _ lowering: KernelLowering) {
    let sizes = (0..<3).map { lowering.add(LANE_OP_fabs, direction[$0]) }
    isZ = lowering.add(LANE_OP_and, lowering.add(LANE_OP_fle, sizes[0], sizes[2]), lowering.add(LANE_OP_fle, sizes[1], sizes[2]))
    isY = lowering.add(LANE_OP_fle, sizes[0], sizes[1])
    let main = Self.select(isZ, direction[2], isY, direction[1], direction[0], lowering)
    let isBelow = lowering.add(LANE_OP_flt, main, lowering.number(0))
    sign = lowering.add(LANE_OP_select, isBelow, lowering.number(-1), lowering.number(1))
    (out, s, t) = Self.coordinates(of: direction, isZ, isY, sign, lowering)
  }

  /// `first` where `isFirst`, else `second` where `isSecond`, else `third`.
  private static func select(
    _ isFirst: ValueId, _ first: ValueId, _ isSecond: ValueId, _ second: ValueId, _ third: ValueId, _ lowering: KernelLowering
  ) -> ValueId {
    lowering.add(LANE_OP_select, isFirst, first, lowering.add(LANE_OP_select, isSecond, second, third))
  }

  /// A vector along the axes of the face: out of it, along its columns and along its rows.
  private static func coordinates(
    of vector: [ValueId], _ isZ: ValueId, _ isY: ValueId, _ sign: ValueId, _ lowering: KernelLowering
  ) -> (out: ValueId, s: ValueId, t: ValueId) {
    let signed = vector.map { lowering.add(LANE_OP_fmul, $0, sign) }
    let t = lowering.add(LANE_OP_fneg, vector[1])
    return (
      select(isZ, signed[2], isY, signed[1], signed[0], lowering),
      select(isZ, signed[0], isY, vector[0], lowering.add(LANE_OP_fneg, signed[2]), lowering), select(isZ, t, isY, signed[2], t, lowering)
    )
  }

  /// How far a step of the direction goes on the face, whose sides are 1: the derivatives of s / out / 2 and t / out / 2.
  func step(_ vector: [ValueId], _ lowering: KernelLowering) -> [ValueId] {
    let along = Self.coordinates(of: vector, isZ, isY, sign, lowering)
    let squared = lowering.add(LANE_OP_fmul, out, out)
    return [(along.s, s), (along.t, t)].map { change, coordinate in
      let product = lowering.add(LANE_OP_fsub, lowering.add(LANE_OP_fmul, out, change), lowering.add(LANE_OP_fmul, coordinate, along.out))
      return lowering.add(LANE_OP_fdiv, lowering.add(LANE_OP_fmul, product, lowering.number(0.5)), squared)
    }
  }
}
