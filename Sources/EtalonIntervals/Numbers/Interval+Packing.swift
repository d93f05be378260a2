/// Numbers that share a word, and halves.
extension Interval {
  /// A number as one of the levels of a byte or a short, as packing functions round it.
  func level(of most: Double, isSigned: Bool) -> Interval {
    guard !mayBeNaN else { return Interval(isSigned ? -most : 0, most, like: self).because(.undefined) }
    let clipped = clipped(isSigned ? -1 : 0, 1)
    let scaled = clipped.times(Interval(most), .single)
    return scaled.roundedEitherWay.clipped(isSigned ? -most : 0, most)
  }

  /// Levels beside each other in a word, the first in the lowest bits.
  static func packed(_ parts: [Interval], bits: UInt32) -> Interval {
    if parts.allSatisfy(\.isExact) {
      let words = parts.map { UInt32(bitPattern: Int32($0.low)) & ((1 << bits) - 1) }
      var packed = Interval(word: words.enumerated().reduce(0) { $0 | $1.element << (UInt32($1.offset) * bits) }, isSigned: false)
      for part in parts { packed.inherit(part) }
      return packed
    }
    var open = Interval.anyWord(.bits)
    open.cause = nil
    for part in parts { open.inherit(part) }
    return open.because(.bits).reading(isSigned: false)
  }

  /// One of the numbers in a word that is certain.
  func unpacked(_ part: UInt32, bits: UInt32, isSigned: Bool) -> Interval {
    guard let word else { return Interval(isSigned ? -1 : 0, 1, like: self).because(.bits) }
    let raw = word >> (part * bits) & ((1 << bits) - 1)
    let most = Double((UInt32(1) << (isSigned ? bits - 1 : bits)) - 1)
    let number = isSigned && raw >> (bits - 1) == 1 ? Double(raw) - Double(UInt32(1) << bits) : Double(raw)
    return Interval(max(number / most, -1)).widened(ulps: number.magnitude == most || number == 0 ? 0 : 1, .single).inheritingAll(self)
  }

  func unpackedHalf(_ part: UInt32) -> Interval {
    guard let word else { return .anything(.bits, like: self) }
    let half = Float16(bitPattern: UInt16(truncatingIfNeeded: word >> (16 * part)))
    return half.isNaN ? .anything(.undefined, like: self) : Interval(Double(half)).flushed(.half).inheritingAll(self)
  }

  private func inheritingAll(_ operand: Interval) -> Interval {
    var result = self
    result.inherit(operand)
    return result
  }
}
