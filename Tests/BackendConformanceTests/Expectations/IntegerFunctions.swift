/// What the operations on integers, the conversions and the packing functions give.
enum IntegerFunctions {
  typealias Function = FloatFunctions.Function

  private static func signed(_ body: @escaping @Sendable (Int32, Int32) -> Int32) -> Function {
    { .signed(body(Int32(bitPattern: $0[0]), Int32(bitPattern: $0.count > 1 ? $0[1] : 0))) }
  }

  private static func unsigned(_ body: @escaping @Sendable (UInt32, UInt32) -> UInt32) -> Function {
    { .word(body($0[0], $0.count > 1 ? $0[1] : 0)) }
  }

  /// GLSL leaves the remainder open when an operand is negative, and there are drivers that take the sign of the dividend.
  private static let signedModulo: Function = { words in
    let x = Int32(bitPattern: words[0]), y = Int32(bitPattern: words[1])
    return .signed(modulo(x, y), isDefined: x >= 0 && y > 0 || y == 0 || x == .min && y == -1)
  }

  static func quotient(_ x: Int32, _ y: Int32) -> Int32 { y == 0 ? 0 : x.dividedReportingOverflow(by: y).partialValue }
  static func remainder(_ x: Int32, _ y: Int32) -> Int32 { y == 0 ? 0 : x.remainderReportingOverflow(dividingBy: y).partialValue }
  static func modulo(_ x: Int32, _ y: Int32) -> Int32 {
    let rest = remainder(x, y)
    return rest != 0 && (rest < 0) != (y < 0) ? rest &+ y : rest
  }

  static let arithmetic: [String: Function] = [
    "iadd": unsigned { $0 &+ $1 }, "isub": unsigned { $0 &- $1 }, "imul": unsigned { $0 &* $1 }, "ineg": unsigned { x, _ in 0 &- x },
    // Modules are hardened for Vulkan, so that divisions by zero, and those that overflow, have the same results on every device.
    "udiv": unsigned { $1 == 0 ? 0 : $0 / $1 }, "umod": unsigned { $1 == 0 ? 0 : $0 % $1 },
    "idiv": signed(quotient), "irem": signed(remainder), "imod": signedModulo,
    "carry": unsigned { $0.addingReportingOverflow($1).overflow ? 1 : 0 },
    "borrow": unsigned { $0 < $1 ? 1 : 0 }, "unsigned-high": unsigned { $0.multipliedFullWidth(by: $1).high },
    "signed-high": signed { $0.multipliedFullWidth(by: $1).high }, "imin": signed { min($0, $1) }, "imax": signed { max($0, $1) },
    "umin": unsigned { min($0, $1) }, "umax": unsigned { max($0, $1) }, "iabs": signed { x, _ in x < 0 ? 0 &- x : x },
    "isign": signed { x, _ in x.signum() },
    "iclamp": { words in
      let w = words.map { Int32(bitPattern: $0) }
      return .signed(min(max(w[0], w[1]), w[2]), isDefined: w[1] <= w[2])
    }, "uclamp": { .word(min(max($0[0], $0[1]), $0[2]), isDefined: $0[1] <= $0[2]) },
  ]

  static let bits: [String: Function] = [
    "and": unsigned { $0 & $1 }, "or": unsigned { $0 | $1 }, "xor": unsigned { $0 ^ $1 }, "not": unsigned { x, _ in ~x },
    "shl": unsigned { $0 << ($1 & 31) }, "shr": unsigned { $0 >> ($1 & 31) },
    "sar": { .signed(Int32(bitPattern: $0[0]) >> Int32($0[1] & 31)) }, "bit-count": unsigned { x, _ in UInt32(x.nonzeroBitCount) },
    "bit-reverse": unsigned { x, _ in reversed(x) }, "find-lsb": unsigned { x, _ in x == 0 ? .max : UInt32(x.trailingZeroBitCount) },
    "find-msb": unsigned { x, _ in highest(x) }, "find-signed-msb": unsigned { x, _ in highest(Int32(bitPattern: x) < 0 ? ~x : x) },
    "extract": { .word(extract($0[0], $0[1], $0[2])) }, "extract-signed": { .word(extractSigned($0[0], $0[1], $0[2])) },
    "insert": { .word(insert($0[0], $0[1], $0[2], $0[3])) },
  ]

  private static func highest(_ x: UInt32) -> UInt32 { x == 0 ? .max : UInt32(31 - x.leadingZeroBitCount) }
  private static func reversed(_ x: UInt32) -> UInt32 { (0..<32).reduce(0) { $0 | (x >> $1 & 1) << (31 - $1) } }

  /// A field that reaches beyond the word ends at its end; both numbers are unsigned.
  private static func field(_ offset: UInt32, _ count: UInt32) -> (offset: UInt32, count: UInt32) {
    (min(offset, 32), min(count, 32 - min(offset, 32)))
  }

  static func extract(_ x: UInt32, _ offset: UInt32, _ count: UInt32) -> UInt32 {
    let field = field(offset, count)
    return UInt32(truncatingIfNeeded: UInt64(x) >> UInt64(field.offset) & (1 << UInt64(field.count) - 1))
  }

  static func extractSigned(_ x: UInt32, _ offset: UInt32, _ count: UInt32) -> UInt32 {
    let field = field(offset, count), bits = extract(x, offset, count)
    guard field.count > 0, bits >> (field.count - 1) != 0 else { return bits }
    return bits | UInt32(truncatingIfNeeded: UInt64.max << UInt64(field.count))
  }

  static func insert(_ base: UInt32, _ bits: UInt32, _ offset: UInt32, _ count: UInt32) -> UInt32 {
    let field = field(offset, count)
    let mask = UInt32(truncatingIfNeeded: (1 << UInt64(field.count) - 1) << UInt64(field.offset))
    return base & ~mask | UInt32(truncatingIfNeeded: UInt64(bits) << UInt64(field.offset)) & mask
  }

  static let comparisons: [String: Function] = [
    "signed-comparisons": { words in
      let x = Int32(bitPattern: words[0]), y = Int32(bitPattern: words[1])
      return .word(bitMask([x < y, x <= y, x > y, x >= y, x == y, x != y]))
    }, "unsigned-comparisons": unsigned { x, y in bitMask([x < y, x <= y, x > y, x >= y, x == y, x != y]) },
    "boolean-logic": unsigned { x, y in
      let a = x & 1 != 0, b = y & 1 != 0
      return bitMask([a && b, a || b, a != b, !a, a == b, a != b])
    },
    "boolean-vectors": unsigned { x, y in
      let odd = (0..<4).map { x >> $0 & 1 != 0 }, less = [x < y, y < x, 7 < y, x & 255 < 128]
      return bitMask([
        odd.contains(true), !odd.contains(false), less.contains(true), !less.contains(false), odd.contains(false), odd == less,
      ])
    }, "select-odd": { .word($0[0] & 1 != 0 ? $0[1] : $0[2]) },
  ]
}
