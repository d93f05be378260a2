import CLaneKernels

/// Where the operands of timed kernels lie in a block of registers.
///
/// Each case of this type is a vector register, or a scalar one; `KernelBench` fills them.
enum KernelOperand: UInt32, CaseIterable {
  /// Floats between 0 and 1, above 1, and around the circle, different in every lane.
  case unit, other, third, aboveOne
  /// Texture coordinates of a tile of 16×16 pixels, and the pixels.
  case u, v, x, y
  /// Small whole numbers, and four times the number of the lane.
  case index, byteOffset
  /// All lanes, and none.
  case mask, noLanes
  case result, result2, result3, result4
  case scalar, otherScalar, thirdScalar, one, zero

  static let firstScalar = KernelOperand.scalar

  var isScalar: Bool { rawValue >= Self.firstScalar.rawValue }

  /// The byte offset.
  var offset: UInt32 {
    let vectors = Self.firstScalar.rawValue, vectorBytes = UInt32(LANE_BATCH) * 4
    return isScalar ? vectors * vectorBytes + (rawValue - vectors) * UInt32(LANE_SCALAR_BYTES) : rawValue * vectorBytes
  }

  /// Where sixteen rows for indexed and shared memory begin.
  static let rows = UInt32(64) * UInt32(LANE_BATCH) * 4
  static let rowCount: UInt32 = 16
  static let byteCount = Int(rows + rowCount * UInt32(LANE_BATCH) * 4)

  /// The word in a lane.
  func word(lane: Int) -> UInt32 {
    let step = Float(lane) / Float(LANE_BATCH)
    let (column, row) = (UInt32(lane % 16), UInt32(lane / 16))
    switch self {
    case .unit: return (0.02 + 0.96 * step).bitPattern
    case .other: return (0.97 - 0.9 * step).bitPattern
    case .third: return (0.3 + 0.5 * step).bitPattern
    case .aboveOne: return (1.1 + 3 * step).bitPattern
    case .u: return ((Float(column) + 0.8) / 40).bitPattern
    case .v: return ((Float(row) + 0.8) / 40).bitPattern
    case .x: return column
    case .y: return row
    case .index: return column ^ row & 7
    case .byteOffset: return UInt32(lane) * 4
    case .mask: return .max
    case .scalar: return Float(0.37).bitPattern
    case .otherScalar: return Float(0.61).bitPattern
    case .thirdScalar: return Float(0.83).bitPattern
    case .one: return 1
    case .noLanes, .zero, .result, .result2, .result3, .result4: return 0
    }
  }
}
