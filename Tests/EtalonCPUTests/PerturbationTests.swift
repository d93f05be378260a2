import EtalonCPU
import EtalonSPIRV
import EtalonTypes
import Testing

/// Errors that the elementary functions make on purpose: as large as asked for, and in nothing else.
@Suite struct PerturbationTests {
  private func words(_ text: String, _ perturbation: Perturbation?) throws -> [UInt32] {
    let kernel = try GLSL.kernel("perturbed", "uint result(uint x, uint y) { float v = float(x) * 0.1 + float(y) + 0.3; return \(text); }")
    return try GLSL.run(kernel, options: .init(threadCount: 1, perturbations: [perturbation].compactMap(\.self)))
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

  @Test(arguments: ["last-place=1", "specification=3", "undefined=1", "undefined=3", "sampling=1", "denormals=flush"])
  func arithmeticStaysExact(_ text: Substring) throws {
    let arithmetic = "floatBitsToUint(floor(v * 3.7) + v * v - abs(v) + mix(v, 2.0, 0.3))"
    #expect(try words(arithmetic, Perturbation(text)) == words(arithmetic, nil))
  }

  @Test func seedsGiveDifferentMixtures() throws {
    let text = "floatBitsToUint(sin(v) + cos(v * 3.0) + exp(v * 0.1) + sqrt(v) + log(v) + sin(v * 0.3))"
    let results = try (1...6).map { try words(text, Perturbation(.lastPlace, seed: $0)) }
    #expect(Set(results).count > 3)
  }

  // MARK: Sums and products

  /// Whether what is done to `v`, which is a number of its own in each pixel, gives something else under any of some perturbations.
  private func moves(_ kernel: Kernel, _ runs: [String]) throws -> Bool {
    let size = Size(16, 4)
    let usual = try GLSL.run(kernel, size: size, options: .init(threadCount: 1))
    return try runs.contains { run in
      let perturbation = try #require(Perturbation(Substring(run)))
      return try GLSL.run(kernel, size: size, options: .init(threadCount: 1, perturbations: [perturbation])) != usual
    }
  }

  @Test(arguments: [
    ("float r = v * v - v * v;", ["contraction"]), ("float r = dot(vec2(v, v), vec2(v, -v));", ["contraction"]),
    ("float r = mix(v, 1.7, v);", ["contraction"]), ("float r = mod(v * 1000.0, 0.1);", ["contraction"]),
    ("precise float r = v * v - v * v;", []), ("precise float p = v * v; float r = p - 1.0;", []),
    ("float p = v * v; precise float r = p - 1.0;", []),
    ("float r = v + 1e8 - 1e8;", ["association"]), ("float r = 1e8 - (v + 1e8);", ["association"]),
    ("float r = v * 1e30 * 1e10 * 1e-35;", ["association"]), ("precise float r = v + 1e8 - 1e8;", []),
    ("float r = v * 1e-20 * 1e-20 > 0.0 ? 1.0 : 0.0;", ["denormals"]), ("float r = v + 1e-40 * 1e30;", []),
    ("float r = uintBitsToFloat(floatBitsToUint(v) & 0xffu) * 1e30 * 1e10;", ["association", "denormals"]),
    ("float r = uintBitsToFloat(floatBitsToUint(v) & 0xffu);", []), ("float r = sin(v);", ["last-place"]),
  ]) func eachKindMovesWhatHangsOnIt(_ text: String, _ kinds: [String]) throws {
    let number = "float v = uintBitsToFloat(0x3f800000u + x * 791919u + y * 104729u);"
    let kernel = try GLSL.kernel("rearranged", "uint result(uint x, uint y) { \(number) \(text) return floatBitsToUint(r); }")
    for kind in ["contraction", "association", "denormals", "last-place"] {
      let runs = kind == "denormals" ? ["denormals=flush"] : (1...3).map { "\(kind)=\($0)" }
      #expect(try moves(kernel, runs) == kinds.contains(kind), "\(kind)")
    }
  }

  @Test(arguments: InstructionSet.allCases.filter(\.isSupported)) func fusedProductsAreRoundedOnce(set: InstructionSet) throws {
    // Factors near one another and a sum near 0, or of any size at all.
    func bits(_ index: UInt32) -> UInt32 {
      let mixed = (index &* 0x9e37_79b9) ^ ((index &* 0x85eb_ca6b) >> 13)
      return index % 3 == 0 ? mixed : 0x3f80_0000 | mixed & 0x007f_ffff
    }
    let hash = """
      float number(uint i) {
        uint m = (i * 0x9e3779b9u) ^ (i * 0x85ebca6bu >> 13);
        return uintBitsToFloat(i % 3u == 0u ? m : 0x3f800000u | m & 0x007fffffu);
      }
      uint result(uint x, uint y) {
        uint i = (y * 48u + x) * 3u;
        float a = number(i), b = number(i + 1u), c = (i & 1u) == 0u ? -a * b : number(i + 2u);
        return floatBitsToUint(a * b + c);
      }
      """
    let size = Size(48, 48)
    let words = try GLSL.run(
      GLSL.kernel("fused", hash), size: size,
      options: .init(threadCount: 1, instructionSet: set, perturbations: [Perturbation(.contraction, seed: 1)]))
    var wrong: [String] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let i = UInt32(y * 48 + x) * 3
        let (a, b) = (Float(bitPattern: bits(i)), Float(bitPattern: bits(i + 1)))
        let c = i & 1 == 0 ? -a * b : Float(bitPattern: bits(i + 2))
        let expected = c.addingProduct(a, b), found = Float(bitPattern: words[(size.height - 1 - y) * size.width + x])
        if expected.isNaN ? !found.isNaN : found != expected { wrong.append("\(a) * \(b) + \(c) is \(found)") }
      }
    }
    #expect(wrong == [])
  }

  @Test(arguments: [
    "last-place", "last-place=", "last-place=0", "ulp=1", "specification=-1", "denormals", "denormals=1", "denormals=keep",
    "contraction=flush",
  ])
  func otherTextsAreNoPerturbation(_ text: Substring) { #expect(Perturbation(text) == nil) }
}
