import EtalonTestSupport

/// Operands that cover the whole range of floats: every binade of both signs, its two ends, and where functions change their behaviour.
enum SampleFloats {
  /// Zeros, infinities, NaN, denormals, the limits of the format and of the functions' ranges.
  static let landmarks: [Float] = {
    let positive: [Float] = [
      0, .leastNonzeroMagnitude, Float.leastNormalMagnitude.nextDown, .leastNormalMagnitude, 1e-30, 1e-10, 1e-3, 0x1p-10, 0.1, 0.5,
      0x1.fffffep-1, 1, 0x1.000002p0,
      1.25, 2, 3, 9, 33, 86, 87.34, 88.72, 88.73, 89.4, 103.9, 104, 125, 126, 127, 128, 149, 150, 151, 0x1p13, 0x1p18, 65504, 65520, 0x1p22,
      0x1p23, 0x1p24, 0x1p31, 0x1p32, 1e10, 1e30, .greatestFiniteMagnitude, .infinity, .nan,
    ]
    let angles = (1...400).map { Float(Double($0) * .pi / 2) }
    // The largest errors of sin, cos, exp, exp2, asin, acos, atan, tanh, inversesqrt, log and log2 among all floats.
    let hardest: [UInt32] = [
      0x71ba_6df5, 0x3e17_6414, 0x426d_3336, 0x3f07_d369, 0x3f07_cee9, 0xbf15_6b34, 0x3f87_48d5, 0x3f21_8c1d, 0x3f80_cab3, 0x3f34_bd9d,
      0x3fb4_b489,
    ]
    return (positive + angles + hardest.map(Float.init(bitPattern:))).flatMap { [$0, -$0] }
  }()

  /// The landmarks, and `perBinade` floats of each binade and sign.
  static func stratified(perBinade: Int) -> [Float] {
    var random = SeededNumbers(seed: 1)
    var floats = landmarks
    for binade in UInt32(0)..<255 {
      for index in 0..<UInt32(perBinade) {
        let stratum = UInt32(1 << 23) / UInt32(perBinade)
        let significand: UInt32 =
          index == 0 ? 0 : index == 1 ? 0x7f_ffff : index * stratum + UInt32(truncatingIfNeeded: random.next()) % stratum
        floats.append(Float(bitPattern: binade << 23 | significand))
        floats.append(Float(bitPattern: binade << 23 | significand | 1 << 31))
      }
    }
    return floats
  }

  /// Pairs of landmarks, of arbitrary words, of everyday numbers, of negative bases with whole exponents, and of operands whose powers
  /// lie inside the format.
  static func pairs(count: Int) -> (x: [Float], y: [Float]) {
    var random = SeededNumbers(seed: 2)
    let marks = landmarks.prefix(94)
    var x: [Float] = [], y: [Float] = []
    for a in marks { for b in marks { (x, y) = (x + CollectionOfOne(a), y + CollectionOfOne(b)) } }
    func word() -> Float { Float(bitPattern: UInt32(truncatingIfNeeded: random.next())) }
    func unit() -> Float { Float(random.next() >> 40) * 0x1p-24 }
    func exponent(of base: Float) -> Float { (unit() * 300 - 151) / Float(log2(of: Double(base))) }
    while x.count < count {
      let (a, b): (Float, Float)
      switch x.count % 6 {
      case 0:
        a = word().magnitude
        b = exponent(of: a)
      case 1:
        a = 1 + (unit() - 0.5) * Float(sign: .plus, exponent: -Int(random.next() % 23), significand: 1)
        b = exponent(of: a)
      case 2: (a, b) = (unit() * 4, unit() * 16 - 4)
      case 3:
        a = word()
        b = a * (unit() * 4 - 2)
      case 4: (a, b) = (unit() * -20, (unit() * 40 - 20).rounded())
      default: (a, b) = (word(), word())
      }
      x.append(a)
      y.append(b)
    }
    return (x, y)
  }
}
