import Testing

/// Every elementary function of the CPU executor over the whole range of floats: at most 2 ulp from the exact value, the same bits from every
/// instruction set, and the documented results for special operands.
@Suite struct ElementaryFunctionTests {
  /// The largest error that is allowed, in units of the last place of the exact result.
  private static let limit = 2.0

  private struct Worst {
    var error = -1.0
    var operands: [Float] = []

    mutating func note(_ error: Double, _ operands: Float...) {
      if error > self.error { (self.error, self.operands) = (error, operands) }
    }

    func report(_ name: String) {
      let places = operands.map { "\($0) (0x\(String($0.bitPattern, radix: 16)))" }.joined(separator: ", ")
      print("worst error of \(name): \((error * 1000).rounded() / 1000) ulp at \(places)")
    }
  }

  @Test(arguments: ExactFunctions.unary.map(\.name))
  func unaryWithinLimit(_ name: String) throws {
    let exact = try #require(ExactFunctions.unary.first { $0.name == name }).exact
    let x = SampleFloats.stratified(perBinade: 150)
    let results = LaneProbe.unary(name, x)
    var worst = Worst()
    for (x, result) in zip(x, results) { worst.note(ulpError(result, exact: exact(Double(x))), x) }
    worst.report(name)
    #expect(worst.error <= (name == "sqrt" ? 0.5 : Self.limit), "\(name) at \(worst.operands)")
  }

  @Test(arguments: ExactFunctions.binary.map(\.name))
  func binaryWithinLimit(_ name: String) throws {
    let exact = try #require(ExactFunctions.binary.first { $0.name == name }).exact
    let (x, y) = SampleFloats.pairs(count: 200_000)
    let results = LaneProbe.binary(name, x, y)
    var worst = Worst()
    for index in x.indices { worst.note(ulpError(results[index], exact: exact(Double(x[index]), Double(y[index]))), x[index], y[index]) }
    worst.report(name)
    #expect(worst.error <= Self.limit, "\(name) at \(worst.operands)")
  }

  /// Every function, the integer ones too, whatever the neighbouring lanes hold.
  @Test func everyInstructionSetGivesTheSameBits() {
    let x = SampleFloats.stratified(perBinade: 20)
    let y = x.indices.map { x[$0 * 7919 % x.count] }
    for name in LaneProbe.unaryNames {
      let expected = LaneProbe.unary(name, x)
      for set in LaneProbe.instructionSets {
        #expect(LaneProbe.unary(name, x, on: set) == expected, "\(name) on instruction set \(set)")
        #expect(LaneProbe.unary(name, x.reversed(), on: set) == expected.reversed(), "\(name) reversed on instruction set \(set)")
      }
    }
    for name in LaneProbe.binaryNames {
      let expected = LaneProbe.binary(name, x, y)
      for set in LaneProbe.instructionSets {
        #expect(LaneProbe.binary(name, x, y, on: set) == expected, "\(name) on instruction set \(set)")
      }
    }
  }

  // MARK: Special operands

  /// The nearest float; `Float.pi` is the one below.
  private static let halfPi: Float = 0x1.921fb6p0

  /// What the executor promises at the edges: operand and result.
  private static let specials: [(name: String, results: [(x: Float, result: Float)])] = {
    let smallest = Float.leastNonzeroMagnitude
    /// Functions that are x near zero.
    func odd(_ atInfinity: Float) -> [(Float, Float)] {
      [
        (0, 0), (-0.0, -0.0), (smallest, smallest), (-smallest, -smallest), (.infinity, atInfinity), (-.infinity, -atInfinity),
        (.nan, .nan),
      ]
    }
    return [
      ("sin", odd(.nan)), ("tan", odd(.nan)),
      ("cos", [(0, 1), (-0.0, 1), (smallest, 1), (.infinity, .nan), (-.infinity, .nan), (.nan, .nan)]),
      ("asin", odd(.nan) + [(1, halfPi), (-1, -halfPi), (1.0000001, .nan)]),
      ("acos", [(1, 0), (0, halfPi), (-0.0, halfPi), (1.0000001, .nan), (-1.0000001, .nan), (.infinity, .nan), (.nan, .nan)]),
      ("atan", odd(halfPi)), ("sinh", odd(.infinity)), ("tanh", odd(1)), ("asinh", odd(.infinity)),
      ("cosh", [(0, 1), (-0.0, 1), (smallest, 1), (.infinity, .infinity), (-.infinity, .infinity), (100, .infinity), (.nan, .nan)]),
      ("acosh", [(1, 0), (0.99999994, .nan), (-1, .nan), (.infinity, .infinity), (-.infinity, .nan), (.nan, .nan)]),
      ("atanh", odd(.nan) + [(1, .infinity), (-1, -.infinity), (1.0000001, .nan)]),
      ("exp", [(0, 1), (-0.0, 1), (smallest, 1), (.infinity, .infinity), (-.infinity, 0), (89, .infinity), (-104, 0), (.nan, .nan)]),
      ("exp2", [(0, 1), (10, 1024), (-149, smallest), (-151, 0), (128, .infinity), (.infinity, .infinity), (-.infinity, 0), (.nan, .nan)]),
      ("log", [(1, 0), (0, -.infinity), (-0.0, -.infinity), (-1, .nan), (-smallest, .nan), (.infinity, .infinity), (.nan, .nan)]),
      ("log2", [(1, 0), (8, 3), (smallest, -149), (0, -.infinity), (-0.0, -.infinity), (-1, .nan), (.infinity, .infinity), (.nan, .nan)]),
      ("sqrt", [(0, 0), (-0.0, -0.0), (4, 2), (-1, .nan), (-smallest, .nan), (.infinity, .infinity), (.nan, .nan)]),
      ("inversesqrt", [(0, .infinity), (-0.0, -.infinity), (4, 0.5), (-1, .nan), (.infinity, 0), (.nan, .nan)]),
    ]
  }()

  @Test func specialOperands() {
    for (name, results) in Self.specials {
      let words = LaneProbe.unary(name, results.map(\.x))
      for ((x, expected), word) in zip(results, words) {
        #expect(word == canonical(expected), "\(name)(\(x)) is \(Float(bitPattern: word)), not \(expected)")
      }
    }
  }

  /// Powers and quotients at the edges: x, y, and the result of `pow(x, y)`.
  private static let powers: [(x: Float, y: Float, result: Float)] = [
    (0, 0, 1), (0, 2, 0), (0, -1, .infinity), (1, .nan, 1), (.nan, 0, 1), (.nan, 1, .nan), (2, .nan, .nan), (2, .infinity, .infinity),
    (0.5, .infinity, 0), (2, -.infinity, 0), (0.5, -.infinity, .infinity),
    (.infinity, 2, .infinity), (.infinity, -2, 0), (1, .infinity, 1), (2, 128, .infinity), (2, -149, .leastNonzeroMagnitude), (2, -151, 0),
    (2, 0.5, 0x1.6a09e6p0), (10, 2, 100), (0, 0.5, 0), (0, -0.5, .infinity),
    // Negative bases: the sign of an odd exponent, none of an even one, and NaN between whole numbers.
    (-1, 2, 1), (-8, 3, -512), (-8, -3, -0x1p-9), (-2, 2, 4), (-1, 0, 1), (-2, 0.5, .nan), (-2, 1 / 3, .nan), (-0.5, -1.5, .nan),
    (-2, 0x1p24, .infinity), (-1, 0x1.fffffep23, -1), (-1, 0x1p24, 1), (-2, 127, -0x1p127), (-2, 129, -.infinity), (-2, -151, -0.0),
    (-.leastNonzeroMagnitude, 1, -.leastNonzeroMagnitude), (-.leastNonzeroMagnitude, 0.5, .nan), (-1, .infinity, 1), (-1, -.infinity, 1),
    (-0.5, .infinity, 0), (-2, .infinity, .infinity), (-2, -.infinity, 0), (-2, .nan, .nan), (-.greatestFiniteMagnitude, 1.5, .nan),
    (-0.0, 3, -0.0), (-0.0, 2, 0), (-0.0, 0.5, 0), (-0.0, -3, -.infinity), (-0.0, -2, .infinity), (-0.0, -0.5, .infinity),
    (-.infinity, 2, .infinity), (-.infinity, 3, -.infinity), (-.infinity, -3, -0.0), (-.infinity, -2, 0), (-.infinity, 0.5, .infinity),
    (-.infinity, -0.5, 0),
  ]
  /// y, x and the result of `atan(y, x)`.
  private static let angles: [(y: Float, x: Float, result: Float)] = [
    (0, 0, 0), (-0.0, 0, -0.0), (0, -0.0, 2 * halfPi), (-0.0, -0.0, -2 * halfPi), (0, 1, 0), (0, -1, 2 * halfPi), (1, 0, halfPi),
    (-1, 0, -halfPi), (1, 1, halfPi / 2),
    (1, -1, 0x1.2d97c8p1), (.infinity, 1, halfPi), (1, .infinity, 0), (1, -.infinity, 2 * halfPi), (.infinity, .infinity, halfPi / 2),
    (.infinity, -.infinity, 0x1.2d97c8p1), (.nan, 1, .nan), (1, .nan, .nan),
  ]

  @Test func specialPairs() {
    let powers = LaneProbe.binary("pow", Self.powers.map(\.x), Self.powers.map(\.y))
    for (row, word) in zip(Self.powers, powers) {
      #expect(word == canonical(row.result), "pow(\(row.x), \(row.y)) is \(Float(bitPattern: word)), not \(row.result)")
    }
    let angles = LaneProbe.binary("atan2", Self.angles.map(\.y), Self.angles.map(\.x))
    for (row, word) in zip(Self.angles, angles) {
      let isClose = ulpError(word, exact: row.result.isNaN ? .nan : Double(row.result)) <= 1
      #expect(isClose, "atan(\(row.y), \(row.x)) is \(Float(bitPattern: word)), not \(row.result)")
    }
  }

  private func canonical(_ value: Float) -> UInt32 { value.isNaN ? 0x7fc0_0000 : value.bitPattern }
}
