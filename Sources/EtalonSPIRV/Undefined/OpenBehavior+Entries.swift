extension OpenBehavior {
  private static let ranges = "only ranges know it: a difference there is not worked out by errors on purpose"
  private static let order = "no run in another order is made: a difference there is not worked out by errors on purpose"

  private static let floatArithmetic: Set<Opcode> = [
    .OpFAdd, .OpFSub, .OpFMul, .OpFDiv, .OpFMod, .OpFRem, .OpVectorTimesScalar, .OpMatrixTimesScalar, .OpVectorTimesMatrix,
    .OpMatrixTimesVector, .OpMatrixTimesMatrix, .OpDot,
  ]

  /// What is known about it.
  package var entry: Entry {
    switch self {
    case .missingReturn, .uninitializedVariable, .unwrittenResult, .unwrittenTexel, .uninitializedShared: entryOfValues
    case .indexRange, .bufferRange, .texelRange, .levelRange, .storeRange: entryOfPlaces
    case .integerDivisionByZero, .divisionOverflow, .negativeRemainder, .shiftRange, .bitfieldRange, .conversionRange: entryOfIntegers
    case .sineHash, .sinePrecision, .matrixPrecision, .denormals, .halfwayRounding, .filterWeights: entryOfPrecision
    case .divergentDerivative, .subgroupSize, .divergentBarrier, .sharedRace, .bufferRace, .atomicOrder, .storedTwice, .endlessLoop,
      .copyOutOrder:
      entryOfInvocations
    default: entryOfFloats
    }
  }

  private var entryOfValues: Entry {
    switch self {
    case .missingReturn:
      Entry(
        "SPIR-V 3.52.1 OpUndef, 3.52.17 OpUnreachable: what a function returns without 'return' has an undefined value (GLSL 4.60, 6.1)",
        when: "a function with a result ends without 'return'", [.OpUndef, .OpUnreachable], told: .finding("missing-return"))
    case .uninitializedVariable:
      Entry(
        "GLSL 4.60, 5.8: reading a variable before writing it gives an undefined value", when: "nothing was written to it",
        told: .finding("uninitialized-read"),
        perturbed: .exempt("variables start at 0 in every module that a device gets (NullInitializers)"),
        range: .exempt("variables start at 0 in every module that a device gets (NullInitializers)"))
    case .unwrittenResult:
      Entry(
        "GLSL 4.60, 6.1.1: 'out' parameters begin uninitialized, and are copied out unconditionally",
        when: "a pixel does not write the result",
        told: .finding("unwritten-result"),
        perturbed: .exempt("variables start at 0 in every module that a device gets (NullInitializers)"),
        range: .exempt("variables start at 0 in every module that a device gets (NullInitializers)"))
    case .unwrittenTexel:
      Entry(
        "Vulkan 12.1: the contents of an image are undefined until they are written",
        when: "a compute kernel leaves out pixels of its target",
        [.OpImageWrite], told: .finding("never-stored"), perturbed: .exempt("targets start as transparent black on every device"))
    default:
      Entry(
        "GLSL 4.60, 4.3.8: shared variables are undefined at the beginning", when: "nothing was written to it",
        told: .untold("shared memory has no shadows: who wrote a word first is known for races alone"),
        perturbed: .exempt("shared memory starts at 0 in every module that a device gets (WorkgroupZeroing)"),
        range: .exempt("shared memory starts at 0 in every module that a device gets (WorkgroupZeroing)"))
    }
  }

  private var entryOfPlaces: Entry {
    switch self {
    case .indexRange:
      Entry(
        "GLSL 4.60, 5.7 and 5.11: an index beyond the bounds of an array, vector or matrix is undefined",
        when: "index < 0 or index >= length",
        [.OpAccessChain, .OpInBoundsAccessChain, .OpVectorExtractDynamic, .OpVectorInsertDynamic], told: .finding("index-range"),
        perturbed: .exempt(Self.ranges))
    case .bufferRange:
      Entry(
        "Vulkan, Shader Out-of-Bounds Memory Access: any value of the buffer, zero, or the value last written", when: "index >= length()",
        [.OpAccessChain], told: .finding("index-range"), perturbed: .exempt(Self.ranges))
    case .texelRange:
      Entry(
        "GLSL 4.60, 8.9: texel fetches outside of the texture give undefined values; Vulkan, robustImageAccess: zeros, and any of 0 and 1 as alpha",
        when: "a coordinate < 0 or >= the size of the level", [.OpImageFetch], told: .finding("texel-range"),
        perturbed: .exempt(Self.ranges))
    case .levelRange:
      Entry(
        "SPIR-V, OpImageQuerySizeLod and OpImageFetch: a level that the image does not have", when: "lod < 0 or lod >= textureQueryLevels",
        [.OpImageQuerySizeLod, .OpImageFetch], told: .finding("level-range"), perturbed: .exempt(Self.ranges))
    default:
      Entry(
        "Vulkan, robustImageAccess: stores outside of an image are discarded", when: "a coordinate < 0 or >= the size", [.OpImageWrite],
        told: .untold("the store does nothing on any device that Etalon uses"), perturbed: .exempt("the store does nothing on any device"),
        range: .exempt("the store does nothing on any device"))
    }
  }

  private var entryOfIntegers: Entry {
    switch self {
    case .integerDivisionByZero:
      Entry(
        "GLSL 4.60, 5.9: '/' and '%' of integers by 0", when: "divisor = 0", [.OpSDiv, .OpUDiv, .OpSMod, .OpSRem, .OpUMod],
        told: .finding("integer-division-by-zero"))
    case .divisionOverflow:
      Entry(
        "GLSL 4.60, 4.1.3: division resulting in overflow gives an undefined value; SPIR-V OpSDiv, OpSRem, OpSMod",
        when: "dividend = -2147483648 and divisor = -1", [.OpSDiv, .OpSMod, .OpSRem], told: .finding("division-overflow"))
    case .negativeRemainder:
      Entry(
        "GLSL 4.60, 5.9, and Vulkan, Precision and Operation of SPIR-V Instructions: remainders of negative numbers are undefined",
        when: "an operand < 0", [.OpSMod, .OpSRem],
        told: .finding("negative-remainder"))
    case .shiftRange:
      Entry(
        "GLSL 4.60, 5.9: shifts by a negative number, or by all bits and more", when: "amount < 0 or amount >= 32",
        [.OpShiftLeftLogical, .OpShiftRightLogical, .OpShiftRightArithmetic], told: .finding("shift-range"))
    case .bitfieldRange:
      Entry(
        "GLSL 4.60, 8.8: bitfieldExtract and bitfieldInsert of bits that the word does not have",
        when: "offset < 0, or bits < 0, or offset + bits > 32", [.OpBitFieldInsert, .OpBitFieldSExtract, .OpBitFieldUExtract],
        told: .finding("bitfield-range"))
    default:
      Entry(
        "SPIR-V OpConvertFToS, OpConvertFToU: the type is too small; GLSL 4.60, 5.4.1: a negative float to uint",
        when: "NaN, or a number that the integer cannot hold", [.OpConvertFToS, .OpConvertFToU], told: .finding("conversion-range"))
    }
  }

  private var entryOfFloats: Entry {
    switch self {
    case .divisionByZero:
      Entry(
        "GLSL 4.60, 8: if the divisor of a ratio is 0, results are undefined; 8.9: textureProj divides too", when: "divisor = 0", [.OpFDiv],
        told: .finding("division-by-zero"))
    case .moduloByZero:
      Entry("SPIR-V OpFMod, OpFRem: operand 2 is 0", when: "y = 0", [.OpFMod, .OpFRem], told: .finding("mod-by-zero"))
    case .squareRootDomain: Entry("GLSL 4.60, 8.2", when: "x < 0", [], [.Sqrt], told: .finding("sqrt-domain"))
    case .inverseSquareRootDomain: Entry("GLSL 4.60, 8.2", when: "x <= 0", [], [.InverseSqrt], told: .finding("inversesqrt-domain"))
    case .logarithmDomain: Entry("GLSL 4.60, 8.2", when: "x <= 0", [], [.Log, .Log2], told: .finding("log-domain"))
    case .powerDomain: Entry("GLSL 4.60, 8.2", when: "x < 0, or x = 0 and y <= 0", [], [.Pow], told: .finding("pow-domain"))
    case .arcDomain: Entry("GLSL 4.60, 8.1", when: "|x| > 1", [], [.Asin, .Acos], told: .finding("asin-acos-domain"))
    case .hyperbolicArcDomain:
      Entry("GLSL 4.60, 8.1", when: "acosh: x < 1; atanh: |x| >= 1", [], [.Acosh, .Atanh], told: .finding("acosh-atanh-domain"))
    case .angleOfZero: Entry("GLSL 4.60, 8.1", when: "x = 0 and y = 0", [], [.Atan2], told: .finding("atan-of-zero"))
    case .normalizeOfZero:
      Entry(
        "GLSL 4.60, 8 and 8.5: normalize divides by the length", when: "dot(v, v) = 0", [], [.Normalize],
        told: .finding("normalize-of-zero"))
    case .clampLimits:
      Entry("GLSL 4.60, 8.3", when: "minimum > maximum", [], [.FClamp, .SClamp, .UClamp], told: .finding("clamp-limits"))
    case .smoothstepEdges: Entry("GLSL 4.60, 8.3", when: "edge0 = edge1", [], [.SmoothStep], told: .finding("smoothstep-edges"))
    case .reversedSmoothstep: Entry("GLSL 4.60, 8.3", when: "edge0 > edge1", [], [.SmoothStep], told: .finding("smoothstep-reversed"))
    case .exponentRange:
      Entry(
        "GLSL 4.60, 8.3: ldexp", when: "exp > 128, or the product is too large", [], [.Ldexp], told: .finding("ldexp-range"))
    case .halfRange:
      Entry(
        "GLSL 4.60, 8.4 and Vulkan, Precision and Operation of SPIR-V Instructions: rounding to halves may go either way, to infinity too",
        when: "|x| > 65504", [], [.PackHalf2x16], told: .finding("conversion-range"), perturbed: .exempt(Self.ranges))
    case .singularInverse:
      Entry(
        "GLSL 4.60, 8.6: inverse of a matrix that is singular or nearly so", when: "determinant = 0", [], [.MatrixInverse],
        told: .finding("singular-inverse"), perturbed: .exempt(Self.ranges))
    case .minimumOfNaN:
      Entry(
        "GLSL 4.60, 8.3: which operand of min and max is the result is undefined if one is NaN", when: "an operand is NaN", [],
        [.FMin, .FMax, .FClamp], told: .finding("not-finite"))
    case .partsOfInfinity:
      Entry(
        "GLSL 4.60, 8.3: frexp of infinity or NaN", when: "x is not finite", [], [.Frexp, .FrexpStruct], told: .finding("not-finite"),
        perturbed: .exempt(Self.ranges))
    case .notFinite:
      Entry(
        "Vulkan, Precision and Operation of SPIR-V Instructions: without SignedZeroInfNanPreserve NaN and infinity need not be kept",
        when: "a result is NaN or infinite", Self.floatArithmetic, told: .finding("not-finite"))
    default:
      Entry(
        "Vulkan, Precision of GLSL.std.450 Instructions: sin, cos and tan have a bound from -pi to pi only", when: "|x| > 32768", [],
        [.Sin, .Cos, .Tan], told: .finding("sine-range"),
        perturbed: .exempt("'cpu:specification' moves them by 2^-11; only ranges know that beyond pi nothing is promised"))
    }
  }

  private var entryOfPrecision: Entry {
    let other = "another perturbation does it"
    switch self {
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
        "GLSL 4.60, 4.7.1: determinant and inverse have undefined precision", when: "always", [], [.Determinant, .MatrixInverse],
        told: .untold("devices agree unless the matrix is nearly singular; '--map stability' shows where that is not enough"),
        perturbed: .exempt(Self.ranges))
    case .denormals:
      return Entry(
        "GLSL 4.60, 4.7.1: denormal numbers may become 0", when: "0 < |x| < 2^-126", Self.floatArithmetic,
        told: .untold("each of the two results is right, and '--map stability' shows where they differ"), perturbed: .exempt(other))
    case .halfwayRounding:
      return Entry(
        "GLSL 4.60, 8.3: round of a half goes in a direction that the implementation chooses", when: "fract(x) = 0.5", [], [.Round],
        told: .untold("each of the two results is right"), perturbed: .exempt(Self.ranges))
    default:
      return Entry(
        "Vulkan, Image Operations: texels are filtered with weights of at least subTexelPrecisionBits", when: "always",
        [.OpImageSampleExplicitLod, .OpImageSampleImplicitLod],
        told: .untold("every read of a picture would be told; '--map stability' shows where it matters"), perturbed: .exempt(other))
    }
  }

  private var entryOfInvocations: Entry {
    switch self {
    case .divergentDerivative:
      return Entry(
        "GLSL 4.60, 8.9 and 8.14: derivatives and implicit levels are undefined in control flow that is not uniform",
        when: "not all four pixels of a quad are there", [.OpGroupNonUniformQuadSwap, .OpGroupNonUniformQuadBroadcast],
        told: .finding("divergent-derivative"), perturbed: .exempt("Etalon's derivatives give 0 there on every device"),
        range: .exempt("Etalon's derivatives ask which neighbors are there, and give 0 on every device where one is not"))
    case .subgroupSize:
      return Entry(
        "Vulkan, Subgroups: how many invocations a subgroup has, and which", when: "always",
        [
          .OpGroupNonUniformElect, .OpGroupNonUniformAll, .OpGroupNonUniformAny, .OpGroupNonUniformBroadcastFirst,
          .OpGroupNonUniformShuffle, .OpGroupNonUniformIAdd, .OpGroupNonUniformFAdd,
        ], told: .untold("kernels may be written so that every size gives the same"), perturbed: .exempt(Self.order))
    case .divergentBarrier:
      return Entry(
        "GLSL 4.60, 8.16: barrier() in control flow that is not uniform", when: "not all invocations of the workgroup get there",
        [.OpControlBarrier], told: .finding("divergent-barrier"), perturbed: .exempt(Self.order))
    case .sharedRace:
      return Entry(
        "Vulkan, Memory Model: data races have undefined behavior",
        when: "two invocations touch a word of shared memory, one writes, no barrier",
        [.OpLoad, .OpStore], told: .finding("shared-race"), perturbed: .exempt(Self.order))
    case .bufferRace:
      return Entry(
        "Vulkan, Memory Model: data races have undefined behavior", when: "two invocations touch a word of a buffer, and one writes",
        [.OpLoad, .OpStore], told: .untold("who touched a word of a buffer is not remembered: that would take a log of all memory"),
        perturbed: .exempt(Self.order))
    case .atomicOrder:
      return Entry(
        "GLSL 4.60, 8.11: atomic functions of invocations come in any order", when: "what was there before is used",
        [.OpAtomicIAdd, .OpAtomicExchange], told: .untold("counters are used so that the order does not matter, mostly"),
        perturbed: .exempt(Self.order))
    case .storedTwice:
      return Entry(
        "Vulkan, Memory Model: stores to one texel of a dispatch come in any order", when: "a texel is stored by two invocations",
        [.OpImageWrite],
        told: .finding("stored-twice"), perturbed: .exempt(Self.order))
    case .endlessLoop:
      return Entry(
        "Vulkan, Shader Termination: what becomes of invocations that do not end is undefined", when: "a loop has too many rounds",
        [.OpLoopMerge], told: .finding("endless-loop"), perturbed: .exempt(Self.ranges))
    default:
      return Entry(
        "GLSL 4.60, 6.1.1: the order in which output parameters are copied back is undefined", when: "f(a, a) with two 'out' parameters",
        [.OpFunctionCall], told: .untold("the compiler chooses the order, and every device gets the same module"),
        perturbed: .exempt("the compiler chooses the order"), range: .exempt("the compiler chooses the order"))
    }
  }
}
