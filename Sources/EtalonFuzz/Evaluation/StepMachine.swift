/// How a step went.
enum StepOutcome: Equatable {
  case done
  /// The invocation waits for others.
  case waits
  case undefined(Undefined)
}

/// Does the steps of one invocation on its words.
@unsafe struct StepMachine {
  let words: UnsafeMutablePointer<UInt32>
  let shared: UnsafeMutablePointer<UInt32>?
  let texture: [UInt32]

  /// Does one step and moves to the next, unless the invocation has to wait there.
  func run(_ step: Step, at position: inout Int) -> StepOutcome {
    let to = Int(step.to), at = position
    position += 1
    switch step.operation {
    case .constant: unsafe words[to] = UInt32(bitPattern: step.x)
    case .move: unsafe words[to] = x(step)
    case .load: unsafe words[to] = words[Int(step.x) + Int(y(step))]
    case .store: unsafe words[to + Int(y(step))] = x(step)
    case .jump: position = to
    case .jumpIfZero: if unsafe x(step) == 0 { position = to }
    case .jumpIfNotZero: if unsafe x(step) != 0 { position = to }
    case .barrier, .quadSwap, .subgroup:
      position = at
      return .waits
    case .orderedSigned: if unsafe Int32(bitPattern: x(step)) > Int32(bitPattern: y(step)) { return .undefined(.limitsInWrongOrder) }
    case .orderedUnsigned: if unsafe x(step) > y(step) { return .undefined(.limitsInWrongOrder) }
    case .orderedFloat: if unsafe float(step.x) > float(step.y) { return .undefined(.limitsInWrongOrder) }
    case .index: unsafe words[to] = x(step) % UInt32(step.y & 0xFFFF) * UInt32(step.y >> 16)
    case .texel:
      let side = UInt32(Program.textureSide)
      let first = unsafe Int(y(step) % side * side + x(step) % side) * 4
      for channel in 0..<4 { unsafe words[to + channel] = texture[first + channel] }
    case .loadShared: unsafe words[to] = shared?[Int(x(step))] ?? 0
    case .storeShared: unsafe shared?[Int(x(step))] = y(step)
    case .gather: unsafe gather(step)
    case .addFloat, .subtractFloat, .multiplyFloat, .minFloat, .maxFloat, .floorFloat, .absFloat, .signFloat, .floatFromSigned,
      .floatFromUnsigned, .signedFromFloat, .unsignedFromFloat:
      return unsafe runFloat(step)
    case .lessFloat: unsafe words[to] = float(step.x) < float(step.y) ? 1 : 0
    case .equalFloat: unsafe words[to] = float(step.x) == float(step.y) ? 1 : 0
    default: unsafe words[to] = Self.integer(step.operation, x(step), y(step))
    }
    return .done
  }

  private func x(_ step: Step) -> UInt32 { unsafe words[Int(step.x)] }
  private func y(_ step: Step) -> UInt32 { unsafe words[Int(step.y)] }
  private func float(_ place: Int32) -> Float { unsafe Float(bitPattern: words[Int(place)]) }

  private func gather(_ step: Step) {
    guard let shared = unsafe shared else { return }
    let word = unsafe Int(x(step)), value = unsafe y(step)
    let old = unsafe shared[word]
    unsafe shared[word] =
      switch Statement.Gathering.allCases[Int(step.to)] {
      case .add: old &+ value
      case .largest: max(old, value)
      case .smallest: min(old, value)
      case .and: old & value
      case .or: old | value
      case .xor: old ^ value
      }
  }

  // MARK: Integers

  private static func integer(_ operation: Step.Operation, _ x: UInt32, _ y: UInt32) -> UInt32 {
    let signedX = Int32(bitPattern: x), signedY = Int32(bitPattern: y)
    switch operation {
    case .add: return x &+ y
    case .subtract: return x &- y
    case .multiply: return x &* y
    case .divideSigned: return UInt32(bitPattern: signedX / signedY)
    case .divideUnsigned: return x / y
    case .remainderSigned: return UInt32(bitPattern: signedX % signedY)
    case .remainderUnsigned: return x % y
    case .and: return x & y
    case .or: return x | y
    case .xor: return x ^ y
    case .shiftLeft: return x << y
    case .shiftRightSigned: return UInt32(bitPattern: signedX >> signedY)
    case .shiftRightUnsigned: return x >> y
    case .lessSigned: return signedX < signedY ? 1 : 0
    case .lessUnsigned: return x < y ? 1 : 0
    case .equal: return x == y ? 1 : 0
    case .minSigned: return UInt32(bitPattern: min(signedX, signedY))
    case .maxSigned: return UInt32(bitPattern: max(signedX, signedY))
    case .minUnsigned: return min(x, y)
    case .maxUnsigned: return max(x, y)
    case .signSigned: return UInt32(bitPattern: signedX.signum())
    case .bitCount: return UInt32(x.nonzeroBitCount)
    case .findLSB: return x == 0 ? .max : UInt32(x.trailingZeroBitCount)
    case .findMSBUnsigned: return x == 0 ? .max : UInt32(31 - x.leadingZeroBitCount)
    case .findMSBSigned:
      // The highest bit that is not as the sign.
      let other = signedX < 0 ? ~x : x
      return other == 0 ? .max : UInt32(31 - other.leadingZeroBitCount)
    case .reverse:
      var reversed: UInt32 = 0
      for bit in 0..<UInt32(32) where x >> bit & 1 == 1 { reversed |= 1 << (31 - bit) }
      return reversed
    case .isNotZero: return x == 0 ? 0 : 1
    case .not: return x == 0 ? 1 : 0
    default: preconditionFailure("\(operation) is no operation on integers")
    }
  }

  // MARK: Floats

  /// Works in double precision, where sums and products of floats are exact, and goes on only where a float holds the result.
  private func runFloat(_ step: Step) -> StepOutcome {
    let to = Int(step.to)
    let exact: Double
    switch step.operation {
    case .addFloat: exact = unsafe Double(float(step.x)) + Double(float(step.y))
    case .subtractFloat: exact = unsafe Double(float(step.x)) - Double(float(step.y))
    case .multiplyFloat: exact = unsafe Double(float(step.x)) * Double(float(step.y))
    case .minFloat: exact = unsafe Double(min(float(step.x), float(step.y)))
    case .maxFloat: exact = unsafe Double(max(float(step.x), float(step.y)))
    case .floorFloat: exact = unsafe Double(float(step.x)).rounded(.down)
    case .absFloat: exact = unsafe Double(abs(float(step.x)))
    case .signFloat: exact = unsafe float(step.x) > 0 ? 1 : unsafe float(step.x) < 0 ? -1 : 0
    case .floatFromSigned: exact = unsafe Double(Int32(bitPattern: x(step)))
    case .floatFromUnsigned: exact = unsafe Double(x(step))
    case .signedFromFloat:
      guard let whole = unsafe Int32(exactly: float(step.x).rounded(.towardZero)) else { return .undefined(.conversionRange) }
      unsafe words[to] = UInt32(bitPattern: whole)
      return .done
    case .unsignedFromFloat:
      guard let whole = unsafe UInt32(exactly: float(step.x).rounded(.towardZero)) else { return .undefined(.conversionRange) }
      unsafe words[to] = whole
      return .done
    default: preconditionFailure("\(step.operation) is no operation on floats")
    }
    let result = Float(exact)
    guard Double(result) == exact, abs(exact) <= 16_777_216 else { return .undefined(.inexactFloat) }
    unsafe words[to] = result.bitPattern
    return .done
  }
}
