/// Behavior that GLSL, SPIR-V or the Vulkan environment leave undefined, or leave to the implementation, in what shaders can do here.
///
/// This is the only list of it: the sanitizer's kinds of findings, the perturbation `undefined` and the ranges of the specification are held against
/// it, and each entry has a shader in `Tests/Corpus/undefined` that shows it. A difference that one of these explains is not a defect of the driver.
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
  // Values that were never written.
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
    /// A range holds everything that devices may give, or is not worked out; a perturbed run gives another result.
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

  /// The instructions whose results `cpu:undefined` replaces.
  package static let perturbedOpcodes = Set(allCases.filter { $0.entry.perturbation == .open }.flatMap(\.entry.opcodes))
}

// MARK: - Entries

extension OpenBehavior {
  private static let ranges = "only ranges know it: a difference there is not worked out by errors on purpose"
  private static let order = "no run in another order is made: a difference there is not worked out by errors on purpose"

  private static let compiled = "the compiler decides it, and every device gets the same module"

  private static let quads = "Etalon's derivatives are differences of the four pixels of a quad, and the same on every device"
  private static let allRight = "each of the results is right, and '--map stability' shows where they differ"

  private static let floatArithmetic: Set<Opcode> = [
    .OpFAdd, .OpFSub, .OpFMul, .OpFDiv, .OpFMod, .OpFRem, .OpVectorTimesScalar, .OpMatrixTimesScalar, .OpVectorTimesMatrix,
    .OpMatrixTimesVector, .OpMatrixTimesMatrix, .OpDot,
  ]

  private static let tests: Set<Opcode> = [
    .OpIsNan, .OpIsInf, .OpUnordered, .OpFOrdEqual, .OpFUnordEqual, .OpFOrdNotEqual, .OpFUnordNotEqual, .OpFOrdLessThan, .OpFUnordLessThan,
    .OpFOrdGreaterThan, .OpFUnordGreaterThan, .OpFOrdLessThanEqual, .OpFUnordLessThanEqual, .OpFOrdGreaterThanEqual,
    .OpFUnordGreaterThanEqual,
  ]

  /// All of them but quads, which are four invocations on every device.
  private static let subgroupOperations = Set(
    Opcode.allCases.filter { "\($0)".hasPrefix("OpGroupNonUniform") && !"\($0)".hasPrefix("OpGroupNonUniformQuad") })
  private static let atomicOperations = Set(Opcode.allCases.filter { "\($0)".hasPrefix("OpAtomic") })

  /// What is known about it: a case without an entry is not compiled.
  package var entry: Entry {
    let other = "another perturbation does it"
    switch self {
    case .missingReturn:
      return Entry(
        "SPIR-V 3.3.1, OpUndef: each use may give another value. 3.3.17, OpUnreachable: undefined behavior. GLSL 4.60 says nothing of it.",
        when: "a function with a result ends without 'return'", [.OpUndef, .OpUnreachable], told: .finding("missing-return"))
    case .uninitializedVariable:
      return Entry(
        "GLSL 4.60, 5.8: a variable that is read before it is written has an undefined value. 4.3 says so of global variables.",
        when: "nothing was written to it", told: .finding("uninitialized-read"),
        perturbed: .exempt("variables start at 0 in every module that a device gets (NullInitializers)"),
        range: .exempt("variables start at 0 in every module that a device gets (NullInitializers)"))
    case .unwrittenResult:
      return Entry(
        "GLSL 4.60, 6.1.1: 'out' parameters begin uninitialized and are copied out unconditionally",
        when: "a pixel does not write the result",
        told: .finding("unwritten-result"),
        perturbed: .exempt("variables start at 0 in every module that a device gets (NullInitializers)"),
        range: .exempt("variables start at 0 in every module that a device gets (NullInitializers)"))
    case .unwrittenTexel:
      return Entry(
        "Vulkan, Device Memory: contents of new memory are undefined. Image Layouts: so are those of an image in the layout UNDEFINED.",
        when: "a compute kernel leaves out pixels of its target",
        [.OpImageWrite], told: .finding("never-stored"), perturbed: .exempt("targets start as transparent black on every device"))
    case .uninitializedShared:
      return Entry(
        "GLSL 4.60, 4.3.8: the contents of shared variables are undefined at the beginning", when: "nothing was written to it",
        [.OpLoad], told: .finding("uninitialized-shared"),
        perturbed: .exempt("shared memory starts at 0 in every module that a device gets (WorkgroupZeroing)"),
        range: .exempt("shared memory starts at 0 in every module that a device gets (WorkgroupZeroing)"))
    case .indexRange:
      return Entry(
        "GLSL 4.60, 5.5 for vectors, 5.6 for matrices, 5.7 for arrays, and 5.11: an index beyond the bounds is undefined behavior",
        when: "index < 0 or index >= length",
        [.OpAccessChain, .OpInBoundsAccessChain, .OpVectorExtractDynamic, .OpVectorInsertDynamic], told: .finding("index-range"),
        perturbed: .exempt(Self.ranges))
    case .writeRange:
      return Entry(
        "GLSL 4.60, 5.11: writes beyond the bounds may be discarded or overwrite other variables of the program",
        when: "an element is written with index < 0 or index >= length", [.OpAccessChain, .OpInBoundsAccessChain, .OpVectorInsertDynamic],
        told: .finding("index-range"), perturbed: .exempt(Self.ranges))
    case .bufferRange:
      return Entry(
        "Vulkan, Robust Buffer Access: any value of the memory of the buffer, zero, or what the invocation last stored there",
        when: "index >= length()", [.OpAccessChain], told: .finding("index-range"), perturbed: .exempt(Self.ranges))
    case .texelRange:
      return Entry(
        "Vulkan, Shader Out-of-Bounds Memory Access: undefined. Robust Image Access: zeros with 0 or 1 as alpha, or what was stored there.",
        when: "a coordinate < 0 or >= the size of the level", [.OpImageFetch], told: .finding("texel-range"),
        perturbed: .exempt(Self.ranges))
    case .levelRange:
      return Entry(
        "Vulkan, SPIR-V Image Query Instructions and Integer Texel Coordinate Operations: a missing level has undefined size and texels",
        when: "lod < 0 or lod >= textureQueryLevels", [.OpImageQuerySizeLod, .OpImageFetch], told: .finding("level-range"),
        perturbed: .exempt(Self.ranges))
    case .storeRange:
      return Entry(
        "Vulkan, Image Writes: stores outside of an image are discarded. Robust Image Access: a later read there may give what was stored.",
        when: "a coordinate < 0 or >= the size", [.OpImageWrite],
        told: .untold("the store does nothing on any device that Etalon uses"), perturbed: .exempt("the store does nothing on any device"),
        range: .exempt("the store does nothing on any device"))
    case .integerDivisionByZero:
      return Entry(
        "SPIR-V 3.3.13, OpSDiv, OpUDiv, OpSMod, OpSRem, OpUMod: 0 as divisor is undefined behavior. GLSL 4.60, 5.9: for '%', too.",
        when: "divisor = 0", [.OpSDiv, .OpUDiv, .OpSMod, .OpSRem, .OpUMod], told: .finding("integer-division-by-zero"))
    case .divisionOverflow:
      return Entry(
        "GLSL 4.60, 4.1.3: a division that overflows has an undefined value. SPIR-V 3.3.13, OpSDiv, OpSRem, OpSMod: undefined behavior.",
        when: "dividend = -2147483648 and divisor = -1", [.OpSDiv, .OpSMod, .OpSRem], told: .finding("division-overflow"))
    case .negativeRemainder:
      return Entry(
        "GLSL 4.60, 5.9: '%' of a negative operand is undefined. Vulkan, Precision of Individual Operations: poison without maintenance8.",
        when: "an operand < 0", [.OpSMod, .OpSRem],
        told: .finding("negative-remainder"))
    case .shiftRange:
      return Entry(
        "GLSL 4.60, 5.9: a shift by a negative number, or by all bits and more, is undefined", when: "amount < 0 or amount >= 32",
        [.OpShiftLeftLogical, .OpShiftRightLogical, .OpShiftRightArithmetic], told: .finding("shift-range"))
    case .bitfieldRange:
      return Entry(
        "GLSL 4.60, 8.8: bitfieldExtract and bitfieldInsert are undefined for bits that the word does not have",
        when: "offset < 0, or bits < 0, or offset + bits > 32", [.OpBitFieldInsert, .OpBitFieldSExtract, .OpBitFieldUExtract],
        told: .finding("bitfield-range"))
    case .conversionRange:
      return Entry(
        "SPIR-V 3.3.11, OpConvertFToS, OpConvertFToU: the integer is too small. GLSL 4.60, 5.4.1: a negative float becomes uint.",
        when: "NaN, or a number that the integer cannot hold", [.OpConvertFToS, .OpConvertFToU], told: .finding("conversion-range"))
    case .divisionByZero:
      return Entry(
        "Vulkan, Precision and Operation of SPIR-V Instructions: x / 0 is infinite, 0 / 0 is NaN, and both are assumed not to occur",
        when: "divisor = 0", [.OpFDiv], told: .finding("division-by-zero"))
    case .moduloByZero:
      return Entry(
        "SPIR-V 3.3.13, OpFMod, OpFRem: undefined if operand 2 is 0", when: "y = 0", [.OpFMod, .OpFRem], told: .finding("mod-by-zero"))
    case .squareRootDomain:
      return Entry("GLSL 4.60, 8.2: sqrt", when: "x < 0", [], [.Sqrt], told: .finding("sqrt-domain"))
    case .inverseSquareRootDomain:
      return Entry("GLSL 4.60, 8.2: inversesqrt", when: "x <= 0", [], [.InverseSqrt], told: .finding("inversesqrt-domain"))
    case .logarithmDomain:
      return Entry("GLSL 4.60, 8.2: log and log2", when: "x <= 0", [], [.Log, .Log2], told: .finding("log-domain"))
    case .powerDomain:
      return Entry("GLSL 4.60, 8.2: pow", when: "x < 0, or x = 0 and y <= 0", [], [.Pow], told: .finding("pow-domain"))
    case .arcDomain:
      return Entry("GLSL 4.60, 8.1: asin and acos", when: "|x| > 1", [], [.Asin, .Acos], told: .finding("asin-acos-domain"))
    case .hyperbolicArcDomain:
      return Entry(
        "GLSL 4.60, 8.1: acosh, atanh", when: "acosh: x < 1; atanh: |x| >= 1", [], [.Acosh, .Atanh], told: .finding("acosh-atanh-domain"))
    case .angleOfZero:
      return Entry("GLSL 4.60, 8.1: atan(y, x)", when: "x = 0 and y = 0", [], [.Atan2], told: .finding("atan-of-zero"))
    case .normalizeOfZero:
      return Entry(
        "Vulkan, Precision of GLSL.std.450 Instructions: v * inversesqrt(dot(v, v)) may be NaN there, and then any result is right",
        when: "dot(v, v) = 0", [], [.Normalize], told: .finding("normalize-of-zero"))
    case .clampLimits:
      return Entry("GLSL 4.60, 8.3: clamp", when: "minimum > maximum", [], [.FClamp, .SClamp, .UClamp], told: .finding("clamp-limits"))
    case .smoothstepEdges:
      return Entry("GLSL 4.60, 8.3: smoothstep", when: "edge0 = edge1", [], [.SmoothStep], told: .finding("smoothstep-edges"))
    case .reversedSmoothstep:
      return Entry("GLSL 4.60, 8.3: smoothstep", when: "edge0 > edge1", [], [.SmoothStep], told: .finding("smoothstep-reversed"))
    case .exponentRange:
      return Entry(
        "GLSL 4.60, 8.3: ldexp", when: "exp > 128, or the product is too large", [], [.Ldexp], told: .finding("ldexp-range"))
    case .smallExponent:
      return Entry(
        "GLSL 4.60, 8.3: ldexp may give 0, even where the product is a normal number", when: "exp < -126", [], [.Ldexp],
        told: .untold("each of the two results is right"), perturbed: .exempt(Self.ranges))
    case .halfRange:
      return Entry(
        "Vulkan, Precision of GLSL.std.450 Instructions: packHalf2x16 chooses how it rounds, so that 65504 and infinity are both right",
        when: "|x| > 65504", [], [.PackHalf2x16], told: .finding("conversion-range"), perturbed: .exempt(Self.ranges))
    case .singularInverse:
      return Entry(
        "GLSL 4.60, 8.6: inverse of a matrix that is singular or nearly so", when: "the determinant is 0 or nearly so", [],
        [.MatrixInverse],
        told: .finding("singular-inverse"), perturbed: .exempt(Self.ranges))
    case .minimumOfNaN:
      return Entry(
        "GLSL 4.60, 8.3: which operand of min and max is the result is undefined if one is NaN", when: "an operand is NaN", [],
        [.FMin, .FMax, .FClamp], told: .finding("not-finite"))
    case .partsOfInfinity:
      return Entry(
        "GLSL 4.60, 8.3: frexp of infinity or NaN is undefined", when: "x is not finite", [], [.Frexp, .FrexpStruct],
        told: .finding("not-finite"),
        perturbed: .exempt(Self.ranges))
    case .infinityTest:
      return Entry(
        "Vulkan, Precision and Operation of SPIR-V Instructions: NotInf and NotNaN are assumed without SignedZeroInfNanPreserve",
        when: "isinf of infinity, isnan of NaN, and comparisons with either", Self.tests,
        told: .untold("what made the number is told, and reads of pictures and bits may mean it"), perturbed: .exempt(Self.ranges))
    case .notFinite:
      return Entry(
        "Vulkan, Precision and Operation of SPIR-V Instructions: without SignedZeroInfNanPreserve neither NaN nor infinity need be kept",
        when: "a result is NaN or infinite", Self.floatArithmetic, told: .finding("not-finite"))
    case .largeSine:
      return Entry(
        "Vulkan, Precision of GLSL.std.450 Instructions: sin and cos, and with them tan, have a bound from -pi to pi only",
        when: "|x| > 32768", [], [.Sin, .Cos, .Tan], told: .finding("sine-range"),
        perturbed: .exempt("'cpu:specification' moves them by 2^-11; only ranges know that beyond pi nothing is promised"))
    case .sineHash:
      return Entry(
        "Vulkan, Precision of GLSL.std.450 Instructions: 2^-11 from -pi to pi, no bound beyond", when: "fract(sin(x) * 1000 and more)", [],
        [.Sin, .Cos], told: .finding("sine-hash"), perturbed: .exempt(other))
    case .sinePrecision:
      return Entry(
        "Vulkan, Precision of GLSL.std.450 Instructions: no bound beyond pi", when: "pi < |x| <= 32768", [], [.Sin, .Cos, .Tan],
        told: .untold("devices agree to a level of 255 there; '--map stability' shows where that is not enough"), perturbed: .exempt(other))
    case .matrixPrecision:
      return Entry(
        "GLSL 4.60, 4.7.1: functions without a bound or a formula, such as determinant and inverse, have undefined precision",
        when: "always", [], [.Determinant, .MatrixInverse],
        told: .untold("devices agree unless the matrix is nearly singular; '--map stability' shows where that is not enough"),
        perturbed: .exempt(Self.ranges))
    case .denormals:
      return Entry(
        "GLSL 4.60, 4.7.1: denormal operands and results may become 0", when: "0 < |x| < 2^-126", Self.floatArithmetic,
        told: .untold("each of the two results is right, and '--map stability' shows where they differ"), perturbed: .exempt(other))
    case .storedBits:
      return Entry(
        "Vulkan, Precision and Operation of SPIR-V Instructions: reads and writes of images do not preserve bits. GLSL 4.60, 8.3: NaN has none.",
        when: "a texel of floats is denormal, or NaN", [.OpImageWrite, .OpImageFetch, .OpImageRead],
        told: .untold("integers are kept so that lie above 2^23, mostly"), perturbed: .exempt(Self.ranges))
    case .halfwayRounding:
      return Entry(
        "GLSL 4.60, 8.3: round takes a half in the direction that the implementation chooses", when: "fract(x) = 0.5", [], [.Round],
        told: .untold("each of the two results is right"), perturbed: .exempt(Self.ranges))
    case .contraction:
      return Entry(
        "Vulkan, Precision and Operation of SPIR-V Instructions: AllowContract is assumed without NoContraction",
        when: "a product is added to something, or subtracted", Self.floatArithmetic,
        told: .untold(Self.allRight), perturbed: .exempt(other))
    case .reassociation:
      return Entry(
        "Vulkan, Precision and Operation of SPIR-V Instructions: AllowReassoc and AllowTransform are assumed without NoContraction",
        when: "three numbers and more are added or multiplied", Self.floatArithmetic,
        told: .untold(Self.allRight), perturbed: .exempt(other))
    case .relaxedPrecision:
      let stripped = "no module that a device gets allows it (FullPrecision)"
      return Entry(
        "Vulkan, Precision of Individual Operations: single precision, unless decorated with RelaxedPrecision",
        when: "a number is 'mediump' or 'lowp'", told: .untold(stripped), perturbed: .exempt(stripped), range: .exempt(stripped))
    case .divisionPrecision:
      return Entry(
        "Vulkan, Precision of Individual Operations: a division is off by up to 2.5 units in the last place",
        when: "always", [.OpFDiv],
        told: .untold(Self.allRight), perturbed: .exempt(other))
    case .functionPrecision:
      return Entry(
        "Vulkan, Precision of GLSL.std.450 Instructions: each function is off by as much as the table says",
        when: "always", [],
        [
          .Exp, .Exp2, .Log, .Log2, .Pow, .Sqrt, .InverseSqrt, .Asin, .Acos, .Atan, .Atan2, .Sinh, .Cosh, .Tanh, .Asinh, .Acosh, .Atanh,
          .Length, .Distance, .Normalize, .SmoothStep, .FMix,
        ],
        told: .untold(Self.allRight), perturbed: .exempt(other))
    case .remainderPrecision:
      return Entry(
        "Vulkan, Precision of Individual Operations: OpFMod is x - y floor(x / y), and inherits the error of the division",
        when: "x is a multiple of y, or nearly so", [.OpFMod, .OpFRem],
        told: .untold(Self.allRight), perturbed: .exempt(Self.ranges))
    case .texelEdge:
      return Entry(
        "Vulkan, Image Operations: the texel of a position is that of its floor, and positions are off as their arithmetic is",
        when: "a position lies at an edge between two texels", [.OpImageSampleExplicitLod, .OpImageSampleImplicitLod, .OpImageGather],
        told: .untold(Self.allRight), perturbed: .exempt(Self.ranges))
    case .mipLevel:
      return Entry(
        "Vulkan, Scale Factor Operation: from the longest component to the root of 2 times their sum",
        when: "a picture has several levels", [.OpImageSampleExplicitLod, .OpImageSampleImplicitLod],
        told: .untold(Self.allRight), perturbed: .exempt(other))
    case .storedRounding:
      return Entry(
        "Vulkan, Floating-Point Format Conversions and Conversion From Floating-Point to Normalized Fixed-Point: rounded either way",
        when: "a target holds no floats of 32 bits", [.OpImageWrite],
        told: .untold(Self.allRight), perturbed: .exempt(Self.ranges))
    case .zeroSign:
      return Entry(
        "Vulkan, Precision and Operation of SPIR-V Instructions: NSZ is assumed without SignedZeroInfNanPreserve",
        when: "a zero has a sign", [], [.Atan2],
        told: .untold(Self.allRight), perturbed: .exempt(Self.ranges))
    case .packingRounding:
      return Entry(
        "GLSL 4.60, 8.4: packUnorm4x8 and its like use round, which takes a half in the direction that the implementation chooses",
        when: "a level ends in a half", [], [.PackUnorm4x8, .PackSnorm4x8, .PackUnorm2x16, .PackSnorm2x16],
        told: .untold(Self.allRight), perturbed: .exempt(Self.ranges))
    case .derivativeDetail:
      return Entry(
        "GLSL 4.60, 8.14.1: dFdx and dFdy may be fine or coarse",
        when: "always", [],
        told: .untold(Self.quads), perturbed: .exempt(Self.quads), range: .exempt(Self.quads))
    case .filterWeights:
      return Entry(
        "Vulkan, Texel Linear Filtering: weights have subTexelPrecisionBits bits. Limit Requirements: these are 4 or more.", when: "always",
        [.OpImageSampleExplicitLod, .OpImageSampleImplicitLod],
        told: .untold("every read of a picture would be told; '--map stability' shows where it matters"), perturbed: .exempt(other))
    case .divergentDerivative:
      return Entry(
        "GLSL 4.60, 8.9 and 8.14.1: implicit levels and derivatives are undefined in non-uniform control flow. 6.4: after discard, too.",
        when: "not all four pixels of a quad are there", [.OpGroupNonUniformQuadSwap, .OpGroupNonUniformQuadBroadcast],
        told: .finding("divergent-derivative"), perturbed: .exempt("Etalon's derivatives give 0 there on every device"),
        range: .exempt("Etalon's derivatives ask which neighbors are there, and give 0 on every device where one is not"))
    case .subgroupSize:
      return Entry(
        "Vulkan, Varying Subgroup Size: the device chooses the size. SubgroupLocalInvocationId: no relationship to LocalInvocationIndex.",
        when: "always; also for gl_SubgroupSize, masks and the like, and for gl_LocalInvocationIndex where pixels lie in quads",
        Self.subgroupOperations,
        told: .untold("kernels may be written so that every size gives the same"), perturbed: .exempt(Self.order))
    case .subgroupLane:
      return Entry(
        "SPIR-V 3.3.24, OpGroupNonUniformShuffle, OpGroupNonUniformBroadcast: a value of an invocation that is not there is undefined",
        when: "an id that no active invocation has, or that is not uniform; the first bit of a ballot without any",
        [
          .OpGroupNonUniformShuffle, .OpGroupNonUniformShuffleXor, .OpGroupNonUniformShuffleUp, .OpGroupNonUniformShuffleDown,
          .OpGroupNonUniformBroadcast, .OpGroupNonUniformBallotFindLSB, .OpGroupNonUniformBallotFindMSB,
        ], told: .untold("which invocations a subgroup has is the device's choice"), perturbed: .exempt(Self.order))
    case .divergentBarrier:
      return Entry(
        "SPIR-V 3.3.20, OpControlBarrier: undefined behavior unless all invocations execute it. GLSL 4.60, 8.16: some wait forever.",
        when: "not all invocations of the workgroup get there", [.OpControlBarrier], told: .finding("divergent-barrier"),
        perturbed: .exempt(Self.order))
    case .sharedRace:
      return Entry(
        "Vulkan, Memory Model, Data Race: applications must not have any. GLSL 4.60, 4.3.8: the order of reads and writes is not defined.",
        when: "two invocations touch a word of shared memory, one writes, no barrier",
        [.OpLoad, .OpStore], told: .finding("shared-race"), perturbed: .exempt(Self.order))
    case .bufferRace:
      return Entry(
        "Vulkan, Memory Model, Data Race: applications must not have any. GLSL 4.60, 8.16: barrier() orders shared variables only.",
        when: "two invocations touch a word of a buffer, and one writes", [.OpLoad, .OpStore],
        told: .untold("who touched a word of a buffer is not remembered: that would take a log of all memory"),
        perturbed: .exempt(Self.order))
    case .atomicOrder:
      return Entry(
        "Vulkan, Shader Execution: invocations come in any order. GLSL 4.60, 8.11 orders no atomic functions among invocations.",
        when: "what was there before is used",
        Self.atomicOperations, told: .untold("counters are used so that the order does not matter, mostly"),
        perturbed: .exempt(Self.order))
    case .storedTwice:
      return Entry(
        "Vulkan, Shader Memory Access Ordering: stores come in any order. Memory Model, Data Race: applications must not have any.",
        when: "a texel is stored by two invocations", [.OpImageWrite],
        told: .finding("stored-twice"), perturbed: .exempt(Self.order))
    case .endlessLoop:
      return Entry(
        "GLSL 4.60, 6.3: what follows from loops that do not end, or not soon, depends on the platform",
        when: "a loop has too many rounds", [.OpLoopMerge], told: .finding("endless-loop"), perturbed: .exempt(Self.ranges))
    case .operandOrder:
      return Entry(
        "GLSL 4.60, 5.9: nothing says which operand of an operator is evaluated first",
        when: "operands change what others read, as in i++ + i++",
        told: .untold(Self.compiled), perturbed: .exempt(Self.compiled), range: .exempt(Self.compiled))
    case .lengthEffects:
      return Entry(
        "GLSL 4.60, 4.1.9: length() of an expression with side effects is undefined behavior",
        when: "the array is an expression that writes something", told: .untold(Self.compiled), perturbed: .exempt(Self.compiled),
        range: .exempt(Self.compiled))
    case .constantExpression:
      return Entry(
        "GLSL 4.60, 4.3.3: constant expressions may be computed by the host, and need not give what the device gives",
        when: "an expression of constants", told: .untold(Self.compiled), perturbed: .exempt(Self.compiled),
        range: .exempt("the compiler works them out, and every device gets the same module"))
    case .copyOutOrder:
      return Entry(
        "GLSL 4.60, 6.1.1: the order in which output parameters are copied back is undefined",
        when: "f(a, a) with two 'out' parameters that get different values",
        [.OpFunctionCall], told: .finding("copy-out-order"), perturbed: .exempt(Self.compiled), range: .exempt(Self.compiled))
    }
  }
}
