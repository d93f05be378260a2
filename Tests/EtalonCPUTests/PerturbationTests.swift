import EtalonCPU
import Testing

/// Errors that the elementary functions make on purpose: as large as asked for, and in nothing else.
@Suite struct PerturbationTests {
  private func words(_ text: String, _ perturbation: Perturbation?) throws -> [UInt32] {
    let kernel = try GLSL.kernel("perturbed", "uint result(uint x, uint y) { float v = float(x) * 0.1 + float(y) + 0.3; return \(text); }")
    return try GLSL.run(kernel, options: .init(threadCount: 1, perturbation: perturbation))
  }

  @Test func lastPlaceMovesSineByOneOrTwoUnits() throws {
    let exact = try words("floatBitsToUint(abs(sin(v)))", nil)
    let up = try words("floatBitsToUint(abs(sin(v)))", Perturbation("last-place=1"))
    let down = try words("floatBitsToUint(abs(sin(v)))", Perturbation("last-place=2"))
    #expect(zip(exact, up).allSatisfy { (1...2).contains($1 - $0) })
    #expect(zip(exact, down).allSatisfy { (1...2).contains($0 - $1) })
  }

  @Test func specificationMovesSineByItsAbsoluteError() throws {
    let exact = try words("floatBitsToUint(sin(v))", nil).map(Float.init(bitPattern:))
    let moved = try words("floatBitsToUint(sin(v))", Perturbation("specification=1")).map(Float.init(bitPattern:))
    #expect(zip(exact, moved).allSatisfy { ($1 - $0 - 0x1p-11).magnitude < 0x1p-22 })
  }

  @Test(arguments: [
    ("asin(2.0 - v)", "abs(2.0 - v) <= 1.0", "undefined=2", Float(0.5)), ("pow(v - 0.75, 3.0)", "v > 0.75", "undefined=2", 0),
    ("sqrt(1.0 - v)", "v <= 1.0", "undefined=2", 0), ("1.0 / floor(v)", "v >= 1.0", "undefined=2", 0),
    ("mod(v, floor(v))", "v >= 1.0", "undefined=2", 0), ("smoothstep(1.0, v, 0.5)", "v > 1.0", "undefined=3", 1),
    ("normalize(floor(vec2(v, 0.0))).y + 1.0", "v >= 1.0", "undefined=3", 1.5), ("clamp(v, 1.0, floor(v))", "v >= 1.0", "undefined=2", 1),
    ("atan(floor(v), 0.0)", "v >= 1.0", "undefined=2", 0.5), ("max(v / floor(v) * 0.0, 2.0)", "v >= 1.0", "undefined=3", 2),
    ("float((int(v) - 1) % 5)", "v >= 1.0", "undefined=1", -1), ("float(1 / int(v))", "v >= 1.0", "undefined=1", 0),
    ("float(1 << (int(v) * 32))", "v < 1.0", "undefined=1", 0),
    ("float(int(v * 2e9))", "v * 2e9 < 2147483648.0", "undefined=1", -2_147_483_648),
    ("log(v - 1.0)", "v > 1.0", "undefined=2", 0),
  ])
  func undefinedMovesOnlyWhatIsNotDefined(_ function: String, _ condition: String, _ text: Substring, _ value: Float) throws {
    let isDefined = try words("uint(\(condition))", nil)
    let exact = try words("floatBitsToUint(\(function))", nil)
    let moved = try words("floatBitsToUint(\(function))", Perturbation(text))
    #expect(isDefined.contains(0) && isDefined.contains(1))
    #expect(zip(zip(exact, moved), isDefined).allSatisfy { pair, isDefined in pair.1 == (isDefined == 1 ? pair.0 : value.bitPattern) })
  }

  @Test func firstChoiceOfWhatIsUndefinedIsNaN() throws {
    let moved = try words(
      "uint(isnan(sqrt(1.0 - v)) == (v > 1.0) && isnan(v / 0.0) && isnan(max(v / 0.0, 1.0)))", Perturbation("undefined=1"))
    #expect(moved.allSatisfy { $0 == 1 })
  }

  @Test(arguments: ["last-place=1", "specification=3", "undefined=1", "undefined=3", "sampling=1"])
  func arithmeticStaysExact(_ text: Substring) throws {
    let arithmetic = "floatBitsToUint(floor(v * 3.7) + v * v - abs(v) + mix(v, 2.0, 0.3))"
    #expect(try words(arithmetic, Perturbation(text)) == words(arithmetic, nil))
  }

  @Test func seedsGiveDifferentMixtures() throws {
    let text = "floatBitsToUint(sin(v) + cos(v * 3.0) + exp(v * 0.1) + sqrt(v) + log(v) + sin(v * 0.3))"
    let results = try (1...6).map { try words(text, Perturbation(size: .lastPlace, seed: $0)) }
    #expect(Set(results).count > 3)
  }

  @Test(arguments: ["last-place", "last-place=", "last-place=0", "ulp=1", "specification=-1"])
  func otherTextsAreNoPerturbation(_ text: Substring) { #expect(Perturbation(text) == nil) }
}
