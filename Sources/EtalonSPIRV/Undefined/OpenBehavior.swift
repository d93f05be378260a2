/// Something that GLSL, SPIR-V or the Vulkan environment leave undefined, or leave to the implementation, in what shaders can do here.
///
/// This is the one list of it: the sanitizer's kinds of findings, the perturbation `undefined` and the ranges of the specification are held against
/// it, and each entry has a shader in `Tests/Corpus/undefined` that shows it. A difference that one of these explains is never the driver's.
///
/// Functions and operators that are defined for all operands are not in it: `findMSB`, `bitCount`, `refract` with total reflection, sums of integers
/// that wrap.
///
/// Numbers are those of GLSL 4.60 and of SPIR-V 1.6, revision 6. Vulkan is cited by the titles of version 1.4.360, because its numbers change.
/// GLSL says that the root of a negative number is undefined, and GLSL.std.450 that it is NaN. It is open, because Vulkan lets devices assume that
/// no NaN and no infinity occur.
///
/// **Concurrency**: an immutable value.
package enum OpenBehavior: String, Sendable, Hashable, CaseIterable {
  // Values that nothing gave.
  case missingReturn = "missing-return"
  case uninitializedVariable = "uninitialized-variable"
  case unwrittenResult = "unwritten-result"
  case unwrittenTexel = "unwritten-texel"
  case uninitializedShared = "uninitialized-shared"
  // Places that do not exist.
  case indexRange = "index-range"
  case writeRange = "write-range"
  case bufferRange = "buffer-range"
  case texelRange = "texel-range"
  case levelRange = "level-range"
  case storeRange = "store-range"
  // Integers.
  case integerDivisionByZero = "integer-division-by-zero"
  case divisionOverflow = "division-overflow"
  case negativeRemainder = "negative-remainder"
  case shiftRange = "shift-range"
  case bitfieldRange = "bitfield-range"
  case conversionRange = "conversion-range"
  // Floats.
  case divisionByZero = "division-by-zero"
  case moduloByZero = "mod-by-zero"
  case squareRootDomain = "sqrt-domain"
  case inverseSquareRootDomain = "inversesqrt-domain"
  case logarithmDomain = "log-domain"
  case powerDomain = "pow-domain"
  case arcDomain = "asin-acos-domain"
  case hyperbolicArcDomain = "acosh-atanh-domain"
  case angleOfZero = "atan-of-zero"
  case normalizeOfZero = "normalize-of-zero"
  case clampLimits = "clamp-limits"
  case smoothstepEdges = "smoothstep-edges"
  case reversedSmoothstep = "smoothstep-reversed"
  case exponentRange = "ldexp-range"
  case smallExponent = "ldexp-small"
  case halfRange = "half-range"
  case singularInverse = "singular-inverse"
  case minimumOfNaN = "minimum-of-nan"
  case partsOfInfinity = "parts-of-infinity"
  case notFinite = "not-finite"
  case infinityTest = "infinity-test"
  case largeSine = "sine-range"
  // Freedom within bounds.
  case sineHash = "sine-hash"
  case sinePrecision = "sine-precision"
  case matrixPrecision = "matrix-precision"
  case denormals = "denormals"
  case storedBits = "stored-bits"
  case halfwayRounding = "halfway-rounding"
  case filterWeights = "filter-weights"
  case contraction = "contraction"
  case reassociation = "reassociation"
  case relaxedPrecision = "relaxed-precision"
  case divisionPrecision = "division-precision"
  case functionPrecision = "function-precision"
  case remainderPrecision = "remainder-precision"
  case texelEdge = "texel-edge"
  case mipLevel = "mip-level"
  case storedRounding = "stored-rounding"
  case zeroSign = "zero-sign"
  case packingRounding = "packing-rounding"
  case derivativeDetail = "derivative-detail"
  // Invocations beside each other.
  case divergentDerivative = "divergent-derivative"
  case subgroupSize = "subgroup-size"
  case subgroupLane = "subgroup-lane"
  case divergentBarrier = "divergent-barrier"
  case sharedRace = "shared-race"
  case bufferRace = "buffer-race"
  case atomicOrder = "atomic-order"
  case storedTwice = "stored-twice"
  case endlessLoop = "endless-loop"
  // What the compiler decides before any driver sees it.
  case copyOutOrder = "copy-out-order"
  case operandOrder = "operand-order"
  case lengthEffects = "length-effects"
  case constantExpression = "constant-expression"

  /// What the sanitizer says when it happens.
  package enum Watch: Sendable, Hashable {
    /// A finding with this id behind `sanitize.`.
    case finding(String)
    /// Nothing, and why.
    case untold(String)
  }

  /// Whether ranges, or perturbed runs, know it.
  package enum Knowledge: Sendable, Hashable {
    /// A range holds everything that devices may give, or is not worked out; a perturbed run gives something else.
    case open
    /// It has one result, or is not looked at, and why.
    case exempt(String)
  }

  /// What is known about a piece of open behavior.
  package struct Entry: Sendable {
    /// Where a specification says so, with the number or the title of the section.
    package let clause: String
    /// When it happens.
    package let condition: String
    /// What it may happen in.
    package let opcodes: Set<Opcode>
    package let functions: Set<GLSLInstruction>
    package let watch: Watch
    package let perturbation: Knowledge
    package let range: Knowledge

    init(
      _ clause: String, when condition: String, _ opcodes: Set<Opcode> = [], _ functions: Set<GLSLInstruction> = [], told watch: Watch,
      perturbed perturbation: Knowledge = .open, range: Knowledge = .open
    ) {
      (self.clause, self.condition, self.opcodes, self.functions) = (clause, condition, opcodes, functions)
      (self.watch, self.perturbation, self.range) = (watch, perturbation, range)
    }
  }

  /// Whether something like it may happen in an instruction.
  ///
  /// - Parameter function: the function of `GLSL.std.450` that an `OpExtInst` stands for.
  package func concerns(_ opcode: Opcode, _ function: GLSLInstruction?) -> Bool {
    function.map { entry.functions.contains($0) } ?? entry.opcodes.contains(opcode)
  }

  /// The instructions whose results `cpu:undefined` replaces.
  package static let perturbedOpcodes = Set(allCases.filter { $0.entry.perturbation == .open }.flatMap(\.entry.opcodes))
}
