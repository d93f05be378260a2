import EtalonTestSupport

/// 1024 rows of four operand words each: what the kernels of the folder `kernels` are run on.
enum OperandSet: String, CaseIterable {
  /// Every pair of 32 special and ordinary floats in x and y; arbitrary floats in z and w.
  case floats
  /// Ordinary numbers of both signs between 1/64 and 64.
  case numbers
  /// Positive numbers between 1/64 and 64.
  case positive
  /// Angles between -π and π.
  case angles
  /// Numbers between -1 and 1.
  case unit
  /// Numbers between -1.5 and 1.5, NaN and infinities.
  case fractions
  /// Entries for well-conditioned matrices, between -1 and 1.
  case matrices
  /// Numbers that halves hold.
  case halves
  /// Floats in x and z, exponents in y and w.
  case scaled
  /// Every pair of 32 special integers in x and y; arbitrary ones in z and w.
  case integers
  /// As integers, with small divisors.
  case divisors
  /// Arbitrary words in x and y, numbers of bits below 32 in z and w.
  case shifts
  /// Arbitrary words in x and y, an offset and a length inside the word in z and w.
  case fields
  /// Arbitrary words.
  case words
  /// Numbers from 0 to 15.
  case small

  /// The rows, the same on every machine.
  var rows: [[UInt32]] { Self.tables[self, default: []] }

  private static let tables: [Self: [[UInt32]]] = Dictionary(
    uniqueKeysWithValues: allCases.map { set in
      var random = SeededNumbers(seed: UInt64(set.rawValue.utf8.reduce(7) { $0 &* 31 &+ UInt64($1) }))
      return (set, (0..<1024).map { set.row($0, &random) })
    })

  private static let specialFloats: [Float] = [
    0, -0.0, 1, -1, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 3, 0.1, -7.3, 100, -1000, 65504, 1e-3, -1e-6, 1e10, -1e10, 8_388_607.5, 16_777_215,
    2_147_483_648, 4_294_967_296, 1e38, -3e38, .leastNormalMagnitude, .leastNonzeroMagnitude, -Float.leastNormalMagnitude.nextDown,
    .infinity, -.infinity, .nan,
  ]

  private static let specialIntegers: [UInt32] = [
    0, 1, 2, 3, 4, 5, 7, 8, 10, 15, 16, 31, 32, 33, 63, 64, 100, 255, 256, 1000, 65535, 65536, 0x00ff_ff00, 0x5555_5555, 0xaaaa_aaaa,
    0x7fff_fffe, 0x7fff_ffff, 0x8000_0000, 0x8000_0001, 0xffff_fff9, 0xffff_fffe, 0xffff_ffff,
  ]

  private func row(_ index: Int, _ random: inout SeededNumbers) -> [UInt32] {
    func word() -> UInt32 { UInt32(truncatingIfNeeded: random.next()) }
    func unit() -> Float { Float(random.next() >> 40) * 0x1p-23 - 1 }
    func size() -> Float { Float(sign: .plus, exponent: Int(random.next() % 12) - 6, significand: 1 + (unit() + 1) / 2) }
    switch self {
    case .floats:
      return [Self.specialFloats[index % 32], Self.specialFloats[index / 32]].map(\.bitPattern) + [word(), (unit() * 100).bitPattern]
    case .numbers: return (0..<4).map { _ in (unit() < 0 ? -size() : size()).bitPattern }
    case .positive: return (0..<4).map { _ in size().bitPattern }
    case .angles: return (0..<4).map { _ in (unit() * 3.14159).bitPattern }
    case .unit, .matrices: return (0..<4).map { _ in unit().bitPattern }
    case .fractions:
      return (0..<4).map { index < 16 && $0 == index % 4 ? Self.specialFloats[31 - index / 4].bitPattern : (unit() * 1.5).bitPattern }
    case .halves: return (0..<4).map { _ in Float(Float16((unit() < 0 ? -size() : size()))).bitPattern }
    case .scaled: return [Self.specialFloats[index % 32].bitPattern, word() % 300 &- 150, (unit() * 4).bitPattern, word() % 250 &- 125]
    case .integers: return [Self.specialIntegers[index % 32], Self.specialIntegers[index / 32], word() >> (word() % 32), word()]
    case .divisors: return [Self.specialIntegers[index % 32], Self.specialIntegers[index / 32], word(), word() >> (word() % 32)]
    case .shifts: return [word(), word(), word() % 32, word() % 32]
    case .fields:
      let offset = word() % 32
      return [word(), word(), offset, word() % (33 - offset)]
    case .words: return (0..<4).map { _ in word() }
    case .small: return (0..<4).map { _ in word() % 16 }
    }
  }
}
