/// What conversions and packing give.
enum ConversionFunctions {
  typealias Function = FloatFunctions.Function

  /// A word that is made of a float; `isDefined` says for which finite floats the specification fixes it.
  private static func fromFloat(_ body: @escaping @Sendable (Float) -> UInt32, isDefined: @escaping @Sendable (Float) -> Bool) -> Function {
    { words in
      let x = Float(bitPattern: words[0])
      return .word(body(x), isDefined: x.isOrdinary && isDefined(x))
    }
  }

  static let conversions: [String: Function] = [
    "to-signed": fromFloat {
      UInt32(bitPattern: $0.isNaN ? 0 : $0 >= 0x1p31 ? .max : $0 < -0x1p31 ? .min : Int32($0))
    } isDefined: {
      $0 > -0x1p31 && $0 < 0x1p31
    },
    "to-unsigned": fromFloat {
      !($0 > 0) ? 0 : $0 >= 0x1p32 ? .max : UInt32($0)
    } isDefined: {
      $0 > -1 && $0 < 0x1p32
    },
    "from-signed": { .float(Float(Int32(bitPattern: $0[0])), within: ulp(Double(Int32(bitPattern: $0[0])))) },
    "from-unsigned": { .float(Float($0[0]), within: ulp(Double($0[0]))) }, "from-boolean": { .float($0[0] != 0 ? 1 : 0, within: 0) },
    "is-nonzero": { .word($0[0] != 0 ? 1 : 0) },
    "is-nonzero-float": fromFloat {
      $0 != 0 ? 1 : 0
    } isDefined: { _ in
      true
    },
  ]

  // MARK: Packing

  private static func unorm(_ word: UInt32, _ scale: Float) -> UInt32 {
    let x = Float(bitPattern: word)
    return UInt32(((x > 0 ? min(x, 1) : 0) * scale).rounded(.toNearestOrEven))
  }

  private static func snorm(_ word: UInt32, _ scale: Float, bits: UInt32) -> UInt32 {
    let x = Float(bitPattern: word)
    let limited: Float = x.isNaN ? 0 : min(max(x, -1), 1)
    return UInt32(bitPattern: Int32((limited * scale).rounded(.toNearestOrEven))) & (1 << bits - 1)
  }

  static func half(_ word: UInt32) -> UInt32 {
    let x = Float(bitPattern: word)
    return x.isNaN ? 0x7e00 : UInt32(Float16(x).bitPattern)
  }

  private static func joined(_ parts: [UInt32], bits: UInt32) -> UInt32 {
    parts.enumerated().reduce(0) { $0 | $1.element << (UInt32($1.offset) * bits) }
  }

  /// Packed numbers, of which Vulkan may round each in either direction: its neighbours are accepted when a number lies near the middle.
  private static func packed(bits: UInt32, _ body: @escaping @Sendable (UInt32) -> UInt32) -> Function {
    { words in
      let parts = words.map(body), isOrdinary = words.allSatisfy { Float(bitPattern: $0).isOrdinary }
      return .word(joined(parts, bits: bits), isDefined: isOrdinary && words.allSatisfy { !isNearMiddle($0, bits: bits) })
    }
  }

  private static func isNearMiddle(_ word: UInt32, bits: UInt32) -> Bool {
    let x = Float(bitPattern: word)
    return [Float(255), 127, 65535, 32767].contains { scale in
      let scaled = (x * scale).magnitude, fraction = scaled - scaled.rounded(.down)
      return (fraction - 0.5).magnitude < 0.02
    }
  }

  static let packing: [String: Function] = [
    "pack-unorm8": packed(bits: 8) { unorm($0, 255) }, "pack-snorm8": packed(bits: 8) { snorm($0, 127, bits: 8) },
    "pack-unorm16": packed(bits: 16) { unorm($0, 65535) }, "pack-snorm16": packed(bits: 16) { snorm($0, 32767, bits: 16) },
    "pack-half": { words in
      let exact = words.allSatisfy { Float(Float16(Float(bitPattern: $0))) == Float(bitPattern: $0) && Float(bitPattern: $0).isOrdinary }
      return .word(joined(words.map(half), bits: 16), isDefined: exact)
    }, "unpack-unorm8-first": unpacked { Float($0 & 255) / 255 }, "unpack-unorm8-last": unpacked { Float($0 >> 24) / 255 },
    "unpack-snorm8-first": unpacked { max(Float(Int8(truncatingIfNeeded: $0)) / 127, -1) },
    "unpack-snorm8-last": unpacked { max(Float(Int8(truncatingIfNeeded: $0 >> 24)) / 127, -1) },
    "unpack-unorm16-first": unpacked { Float($0 & 65535) / 65535 }, "unpack-unorm16-last": unpacked { Float($0 >> 16) / 65535 },
    "unpack-snorm16-first": unpacked { max(Float(Int16(truncatingIfNeeded: $0)) / 32767, -1) },
    "unpack-snorm16-last": unpacked { max(Float(Int16(truncatingIfNeeded: $0 >> 16)) / 32767, -1) },
    "unpack-half-first": unpacked { Float(Float16(bitPattern: UInt16(truncatingIfNeeded: $0))) },
    "unpack-half-last": unpacked { Float(Float16(bitPattern: UInt16(truncatingIfNeeded: $0 >> 16))) },
  ]

  private static func unpacked(_ body: @escaping @Sendable (UInt32) -> Float) -> Function {
    { words in
      let result = body(words[0])
      return .float(result, within: result.magnitude < 0x1p-14 && result != 0 ? nil : 3 * ulp(Double(result)))
    }
  }
}
