internal import EtalonSPIRV

/// The functions of GLSL.std.450.
extension IntervalEvaluator {
  func extended(_ operation: IntervalOperation) throws(Stop) {
    guard let function = operation.function else { throw unknown("a function of an unknown set", operation) }
    if componentwise(function, operation) { return }
    if vectors(function, operation) { return }
    if packing(function, operation) { return }
    switch function {
    case .Modf, .Frexp:
      let parts = values(operation, 2).map { twoParts(of: $0, function, operation.width) }
      try store(parts.map(\.1), to: pointer(operation, 3), operation)
      write(operation, parts.map(\.0))
    case .ModfStruct, .FrexpStruct:
      let parts = values(operation, 2).map { twoParts(of: $0, function, operation.width) }
      write(operation, parts.map(\.0) + parts.map(\.1))
    case .Determinant, .MatrixInverse: write(operation, try matrixFunction(function, values(operation, 2), operation))
    default: throw unknown("'\(function)'", operation)
    }
  }

  private func twoParts(of value: Interval, _ function: GLSLInstruction, _ width: FloatWidth) -> (Interval, Interval) {
    guard function == .Modf || function == .ModfStruct else { return value.significandAndExponent }
    let whole = value.truncated
    return (value.minus(whole, width), whole)
  }

  // MARK: Component by component

  private func componentwise(_ function: GLSLInstruction, _ operation: IntervalOperation) -> Bool {
    for part in 0..<operation.result.count {
      func operand(_ number: Int) -> Interval {
        let place = operation.operands[2 + number]
        return value(place, min(part, place.count - 1))
      }
      let count = operation.operands.count - 2
      let result: Interval? =
        switch count {
        case 1: Self.unary(function, operand(0), operation.width)
        case 2: Self.binary(function, operand(0), operand(1), operation.width)
        case 3: Self.ternary(function, operand(0), operand(1), operand(2), operation.width)
        default: nil
        }
      guard let result else { return false }
      write(operation, part, result)
    }
    return operation.result.count > 0
  }

  static func unary(_ function: GLSLInstruction, _ x: Interval, _ width: FloatWidth) -> Interval? {
    switch function {
    case .Round: x.flushed(width).roundedEitherWay
    case .RoundEven: x.flushed(width).roundedToEven
    case .Trunc: x.flushed(width).truncated
    case .FAbs: x.flushed(width).magnitude
    case .SAbs: x.reading(isSigned: true).magnitude
    case .FSign: x.flushed(width).sign
    case .SSign: x.reading(isSigned: true).sign
    case .Floor: x.flushed(width).floored
    case .Ceil: x.flushed(width).ceiled
    case .Fract: x.flushed(width).fraction(width)
    case .Radians: x.radians(width)
    case .Degrees: x.degrees(width)
    case .Sin: x.sin(width)
    case .Cos: x.cos(width)
    case .Tan: x.tan(width)
    case .Asin: x.asin(width)
    case .Acos: x.acos(width)
    case .Atan: x.atan(width)
    case .Sinh: x.sinh(width)
    case .Cosh: x.cosh(width)
    case .Tanh: x.tanh(width)
    case .Asinh: x.asinh(width)
    case .Acosh: x.acosh(width)
    case .Atanh: x.atanh(width)
    case .Exp: x.exp(width)
    case .Log: x.log(width)
    case .Exp2: x.exp2(width)
    case .Log2: x.log2(width)
    case .Sqrt: x.root(width)
    case .InverseSqrt: x.inverseRoot(width)
    case .FindILsb: x.bits(x, isSigned: true) { a, _ in a == 0 ? .max : UInt32(a.trailingZeroBitCount) }
    case .FindUMsb: x.bits(x, isSigned: true) { a, _ in a == 0 ? .max : UInt32(31 - a.leadingZeroBitCount) }
    case .FindSMsb:
      x.bits(x, isSigned: true) { a, _ in
        let bits = Int32(bitPattern: a) < 0 ? ~a : a
        return bits == 0 ? .max : UInt32(31 - bits.leadingZeroBitCount)
      }
    default: nil
    }
  }

  static func binary(_ function: GLSLInstruction, _ a: Interval, _ b: Interval, _ width: FloatWidth) -> Interval? {
    switch function {
    case .Atan2: a.atan2(b, width)
    case .Pow: a.power(b, width)
    case .FMin, .NMin: a.flushed(width).smaller(b.flushed(width))
    case .FMax, .NMax: a.flushed(width).larger(b.flushed(width))
    case .UMin: a.reading(isSigned: false).smaller(b.reading(isSigned: false))
    case .UMax: a.reading(isSigned: false).larger(b.reading(isSigned: false))
    case .SMin: a.reading(isSigned: true).smaller(b.reading(isSigned: true))
    case .SMax: a.reading(isSigned: true).larger(b.reading(isSigned: true))
    case .Step: b.flushed(width).step(edge: a.flushed(width))
    case .Ldexp: a.scaled(byPowerOfTwo: b.reading(isSigned: true), width)
    default: nil
    }
  }

  static func ternary(
    _ function: GLSLInstruction, _ a: Interval, _ b: Interval, _ c: Interval, _ width: FloatWidth
  ) -> Interval? {
    switch function {
    case .FClamp, .NClamp: a.flushed(width).clamped(b.flushed(width), c.flushed(width))
    case .UClamp: a.integerClamped(b, c, isSigned: false)
    case .SClamp: a.integerClamped(b, c, isSigned: true)
    case .FMix: a.mixed(b, c, width)
    case .SmoothStep: c.smoothStep(from: a, to: b, width)
    case .Fma: a.timesPlus(b, c, width)
    default: nil
    }
  }

  // MARK: Vectors

  private func vectors(_ function: GLSLInstruction, _ operation: IntervalOperation) -> Bool {
    let width = operation.width
    func operand(_ number: Int) -> [Interval] { values(operation, 2 + number) }
    switch function {
    case .Length: write(operation, 0, operand(0).length(width))
    case .Distance: write(operation, 0, operand(0).minus(operand(1), width).length(width))
    case .Normalize: write(operation, operand(0).normalized(width))
    case .Cross: write(operation, operand(0).cross(operand(1), width))
    case .Reflect: write(operation, operand(0).reflected(operand(1), width))
    case .Refract: write(operation, operand(0).refracted(operand(1), operand(2)[0], width))
    case .FaceForward: write(operation, operand(0).faced(operand(1), operand(2), width))
    default: return false
    }
    return true
  }

  // MARK: Packing

  private func packing(_ function: GLSLInstruction, _ operation: IntervalOperation) -> Bool {
    let values = values(operation, 2)
    switch function {
    case .PackUnorm4x8: write(operation, 0, .packed(values.map { $0.level(of: 255, isSigned: false) }, bits: 8))
    case .PackSnorm4x8: write(operation, 0, .packed(values.map { $0.level(of: 127, isSigned: true) }, bits: 8))
    case .PackUnorm2x16: write(operation, 0, .packed(values.map { $0.level(of: 65535, isSigned: false) }, bits: 16))
    case .PackSnorm2x16: write(operation, 0, .packed(values.map { $0.level(of: 32767, isSigned: true) }, bits: 16))
    case .PackHalf2x16: write(operation, 0, .packed(values.map(Self.halfBits), bits: 16))
    case .UnpackUnorm4x8: write(operation, (0..<4).map { values[0].unpacked($0, bits: 8, isSigned: false) })
    case .UnpackSnorm4x8: write(operation, (0..<4).map { values[0].unpacked($0, bits: 8, isSigned: true) })
    case .UnpackUnorm2x16: write(operation, (0..<2).map { values[0].unpacked($0, bits: 16, isSigned: false) })
    case .UnpackSnorm2x16: write(operation, (0..<2).map { values[0].unpacked($0, bits: 16, isSigned: true) })
    case .UnpackHalf2x16: write(operation, (0..<2).map { values[0].unpackedHalf($0) })
    default: return false
    }
    return true
  }

  private static func halfBits(_ value: Interval) -> Interval {
    let rounded = value.rounded(.half)
    guard rounded.isExact else { return .anyWord(.bits, like: value) }
    var bits = Interval(Double(Float16(rounded.low).bitPattern))
    bits.inherit(value)
    return bits
  }

  // MARK: Matrices

  /// The specification's table does not have them: the usual formulas are taken, with their roundings.
  private func matrixFunction(_ function: GLSLInstruction, _ matrix: [Interval], _ operation: IntervalOperation) throws(Stop) -> [Interval]
  {
    let size = [4: 2, 9: 3, 16: 4][matrix.count] ?? 0
    guard size > 0 else { throw unknown("'\(function)'", operation) }
    let width = operation.width
    func minor(_ matrix: [Interval], _ size: Int, without row: Int, _ column: Int) -> [Interval] {
      (0..<size).filter { $0 != column }.flatMap { c in (0..<size).filter { $0 != row }.map { matrix[c * size + $0] } }
    }
    func determinant(_ matrix: [Interval], _ size: Int) -> Interval {
      guard size > 1 else { return matrix[0] }
      return (0..<size).reduce(Interval(0)) { sum, column in
        let term = matrix[column * size].times(determinant(minor(matrix, size, without: 0, column), size - 1), width)
        return column % 2 == 0 ? sum.plus(term, width) : sum.minus(term, width)
      }
    }
    func open(_ value: Interval) -> Interval {
      var value = value
      value.traits.insert(.isBeyondSpecification)
      return value
    }
    let whole = determinant(matrix, size)
    guard function == .MatrixInverse else { return [open(whole)] }
    return (0..<size).flatMap { column in
      (0..<size).map { row in
        let cofactor = determinant(minor(matrix, size, without: column, row), size - 1)
        return open(((row + column) % 2 == 0 ? cofactor : cofactor.negated).divided(by: whole, width))
      }
    }
  }
}
